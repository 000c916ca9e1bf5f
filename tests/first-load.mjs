// What a first visit downloads: the page, the files that its HTML names, and what it fetches to
// begin: the first scene, and the words of its language. Russian ones are the longer.

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The files of a built page that its first visit needs, by their names in `folder`. */
export function firstLoad(folder) {
  const named = namedFiles(readFileSync(join(folder, "index.html"), "utf8"));
  return ["index.html", ...named, "words/ru.txt", "scenes/dual-write/commit-then-send.js"];
}

/** The files beside the page that an HTML text names, each once. Quotes may be minified away. */
export function namedFiles(html) {
  const names = /\s(?:href|src|data-js|data-wasm)=["']?(?:\.\/)?([^"'\s>]+)/g;
  const found = Array.from(html.matchAll(names), (match) => match[1]);
  return [...new Set(found)].filter((name) => !/^(?:[a-z]+:|#|\/)/.test(name));
}
