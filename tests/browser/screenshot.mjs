// Takes the pictures of the README from a real run of the built page: `node tests/browser/screenshot.mjs`.
// The relay loses its power after the first message is on the broker's disk and before its row is marked.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { lesson } from "./lesson.mjs";
import { launch } from "./support.mjs";

const FOLDER = join(import.meta.dirname, "../../docs/img");
const VIEWPORT = { width: 1280, height: 800 };

/** The page with the relay unplugged, its memory gone, and the forecast turned. */
async function take(browser, theme) {
  const query = { scene: "outbox/one-relay", theme };
  const context = { viewport: VIEWPORT, reducedMotion: "reduce" };
  await lesson(browser, { query, context }, async (page) => {
    await page.stepUntil(/RabbitMQ: order\.created is on disk now, order #1/);
    await page.cord("part-relay").click();
    await page.page.mouse.move(0, 0);
    await page.page.screenshot({ path: join(FOLDER, `relay-unplugged-${theme}.png`) });
  });
}

await mkdir(FOLDER, { recursive: true });
const browser = await launch();
try {
  for (const theme of ["light", "dark"]) await take(browser, theme);
} finally {
  await browser.close();
}
