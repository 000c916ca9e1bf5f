// What the browser tests share: a static server for the built page, Chromium, and the accessibility check.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize, resolve, sep } from "node:path";
import { chromium } from "playwright-core";

/** The built page: dist/, or the folder that the variable PAGE names, such as a debug build. */
export const DIST = resolve(process.env.PAGE ?? join(import.meta.dirname, "../../dist"));

/** The strictest policy that the page promises to work under. */
export const STRICT_CSP =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'";

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".ts": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
};

/**
 * Serves the built page on this machine.
 *
 * @param {object} [options]
 * @param {string} [options.base] the path to serve under, `/` at both ends
 * @param {Record<string, string>} [options.headers] headers of every answer
 * @param {RegExp} [options.missing] files to answer with 404
 * @returns the address of the page, and `close()`
 */
export async function serve({ base = "/", headers = {}, missing } = {}) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const file = pathname.startsWith(base) ? inside(pathname.slice(base.length)) : undefined;
    const body = file && !missing?.test(file) ? await readFile(file).catch(() => null) : null;
    if (body === null) return response.writeHead(404, headers).end("Not found");
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type, ...headers }).end(body);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const close = () => {
    server.closeAllConnections();
    return new Promise((closed) => server.close(closed));
  };
  return { url: `http://127.0.0.1:${server.address().port}${base}`, close };
}

/** The file of the page that a path names; nothing if it leads out of the page's folder. */
function inside(path) {
  const file = normalize(join(DIST, decodeURIComponent(path) || "index.html"));
  return file.startsWith(DIST + sep) ? file : undefined;
}

/** Starts Chromium: the one that the variable CHROMIUM names, else an installed one. */
export function launch() {
  if (!existsSync(join(DIST, "index.html"))) {
    throw new Error(`${DIST} holds no page; run \`cargo xtask build\` first`);
  }
  const places = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/google-chrome"];
  const executablePath = places.find((place) => place && existsSync(place));
  if (!executablePath) throw new Error("no Chromium; name one in the variable CHROMIUM");
  return chromium.launch({
    executablePath,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/**
 * Opens a new page in a context of its own that records what was asked for and what went wrong:
 * `errors` is all that the console told, `failures` what no program caught.
 */
export async function open(browser, options = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const seen = { errors: [], failures: [], requests: [] };
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) seen.errors.push(message.text());
  });
  page.on("pageerror", (error) => {
    seen.errors.push(String(error));
    seen.failures.push(String(error));
  });
  page.on("request", (request) => seen.requests.push(request.url()));
  return { page, seen, close: () => context.close() };
}

/** Waits until the program has replaced the first paint. */
export async function mounted(page, sign = "h1") {
  await page.locator(`#app ${sign}`).waitFor();
  await page.waitForFunction(() => !document.querySelector("#boot"));
}

/** The accessibility rules that the page breaks, as short texts; none is the aim. */
export async function axe(page) {
  const source = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
  // Evaluated through the debugger, since a strict policy forbids adding a script to the page.
  await page.evaluate(await readFile(source, "utf8"));
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
}
