// The built page as a visitor meets it: it starts, anywhere and under strict rules, or says why not.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { firstLoad, namedFiles } from "../first-load.mjs";
import { axe, DIST, launch, mounted, open, serve, STRICT_CSP } from "./support.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Runs a test on a fresh server and page, and closes both. */
async function visit({ server, context, query = "", before: prepare }, check) {
  const { url, close: stop } = await serve(server);
  const { page, seen, close } = await open(browser, context);
  try {
    await prepare?.(page);
    await page.goto(url + query);
    await check({ page, seen, url });
  } finally {
    await close();
    await stop();
  }
}

describe("the page starts", () => {
  const places = {
    "at the root of a host": {},
    "under a deep path": { base: "/deep/path/" },
    "under a strict security policy": {
      base: "/lesson/",
      headers: { "content-security-policy": STRICT_CSP },
    },
  };
  for (const [place, server] of Object.entries(places)) {
    test(`${place}, without errors, asking no other host`, () =>
      visit({ server }, async ({ page, seen, url }) => {
        await mounted(page);
        await page.waitForLoadState("networkidle");
        assert.deepEqual(seen.errors, []);
        assert.deepEqual(seen.requests.filter((request) => !request.startsWith(url)), []);
      }));
  }

  test("loading only what the size budget counts", () =>
    visit({ context: { locale: "ru-RU" } }, async ({ page, seen, url }) => {
      await mounted(page);
      await page.waitForLoadState("networkidle");
      const counted = new Set(firstLoad(DIST));
      const asked = seen.requests.map((request) => request.slice(url.length).split("?")[0] || "index.html");
      assert.deepEqual(asked.filter((name) => !counted.has(name)), []);
    }));
});

describe("the first paint", () => {
  test("says in both languages what this is, without JavaScript", () =>
    visit({ context: { javaScriptEnabled: false } }, async ({ page }) => {
      const text = await page.locator("body").innerText();
      for (const part of ["Выдерни шнур", "Pull the Plug", "Загружается", "Loading"]) {
        assert.ok(text.includes(part), `${part} in: ${text}`);
      }
      assert.ok(text.includes("нужны JavaScript"), text);
      assert.ok(text.includes("needs JavaScript"), text);
    }));
});

describe("while the program is on its way", () => {
  test("its name and that it loads are there to read; then the lab comes, paused", () => {
    let release;
    const held = new Promise((done) => {
      release = done;
    });
    const hold = async (route) => {
      await held;
      await route.continue();
    };
    return visit(
      { context: { locale: "en-GB" }, before: (page) => page.route(/\.wasm$/, hold) },
      async ({ page }) => {
        await page.getByRole("heading", { name: "Pull the Plug" }).waitFor();
        await page.getByText("Loading…").waitFor();
        assert.equal(await page.getByRole("button").count(), 0);
        release();
        await mounted(page);
        await page.getByRole("button", { name: "Play", exact: true }).waitFor();
        assert.equal(await page.getByText("Loading…").count(), 0);
      },
    );
  });
});

describe("a page that cannot start says so in both languages", () => {
  /** Waits for the alert and compares its lines with what each language should say. */
  async function says(page, russian, english) {
    const alert = page.getByRole("alert");
    await alert.waitFor();
    assert.match(await alert.locator("[lang=ru]").innerText(), russian);
    assert.match(await alert.locator("[lang=en]").innerText(), english);
    assert.deepEqual(await axe(page), []);
  }

  test("where WebAssembly is turned off", () =>
    visit(
      { before: (page) => page.addInitScript(() => delete globalThis.WebAssembly) },
      ({ page }) => says(page, /WebAssembly .* выключен/, /WebAssembly is turned off/),
    ));

  test("where the security policy forbids WebAssembly", () =>
    visit(
      { server: { headers: { "content-security-policy": "default-src 'self'" } } },
      ({ page }) => says(page, /Политика безопасности/, /security policy/),
    ));

  test("where a file did not arrive", () =>
    visit({ server: { missing: /\.wasm$/ } }, ({ page }) =>
      says(page, /не загрузился/, /did not load/),
    ));
});

describe("files that are fetched when needed", () => {
  const context = { locale: "en-GB" };

  test("the other language comes with its words, and only then", () =>
    visit({ context }, async ({ page, seen }) => {
      await mounted(page);
      const asked = () => seen.requests.some((request) => request.includes("words/ru.txt"));
      assert.equal(asked(), false);
      await page.locator("button[lang=ru]").click();
      await page.locator("html[lang=ru]").waitFor();
      assert.match(await page.locator("#app").innerText(), /Выдерни шнур/);
      assert.equal(asked(), true);
    }));

  test("what is wrong with a link is told in words that come later", () =>
    visit({ context, query: "?scene=no/such" }, async ({ page }) => {
      await page.getByText("no/such").waitFor();
      await page.getByText(/no scene/i).waitFor();
    }));

  test("without the words of the first language the page says so", () =>
    visit({ context, server: { missing: /words/ } }, async ({ page }) => {
      const alert = page.getByRole("alert");
      await alert.waitFor();
      assert.match(await alert.locator("[lang=en]").innerText(), /did not load/);
    }));

  test("without a scene the page lives on and opens another", () =>
    visit(
      { context, server: { missing: /outbox/ }, query: "?scene=outbox/one-relay" },
      async ({ page }) => {
        await mounted(page, "header");
        await page.getByRole("alert").waitFor();
        await page.locator("select").selectOption("inbox/one-transaction");
        await page.locator(".ptp-bench").waitFor();
        assert.equal(await page.getByRole("alert").count(), 0);
      },
    ));
});

describe("accessibility", () => {
  for (const colorScheme of ["light", "dark"]) {
    test(`axe finds nothing (${colorScheme})`, () =>
      visit({ context: { colorScheme } }, async ({ page }) => {
        await mounted(page);
        assert.deepEqual(await axe(page), []);
      }));
  }

  test("axe does find what is wrong", () =>
    visit({}, async ({ page }) => {
      await mounted(page);
      await page.evaluate(() => document.body.append(document.createElement("button")));
      assert.match((await axe(page)).join(), /button-name/);
    }));
});

test("the files that a page names are found, quoted or not", () => {
  const html = `<link href="./a.css"><link rel=icon href=./b.svg><script src='./boot.js'
    data-js="./c.js" data-wasm="./c.wasm"></script><a href="https://example.org/">x</a><a href="#y">`;
  assert.deepEqual(namedFiles(html), ["a.css", "b.svg", "boot.js", "c.js", "c.wasm"]);
});
