// What a first visit downloads: the page and the files that its HTML names.

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The files of a built page that its first visit needs, by their names in `folder`. */
export function firstLoad(folder) {
  return ["index.html", ...namedFiles(readFileSync(join(folder, "index.html"), "utf8"))];
}

/** The files beside the page that an HTML text names, each once. Quotes may be minified away. */
export function namedFiles(html) {
  const names = /\s(?:href|src|data-js|data-wasm)=["']?(?:\.\/)?([^"'\s>]+)/g;
  const found = Array.from(html.matchAll(names), (match) => match[1]);
  return [...new Set(found)].filter((name) => !/^(?:[a-z]+:|#|\/)/.test(name));
}
