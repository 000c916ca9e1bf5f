// A page that shows a still picture asks the machine for nothing.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { browserOf, lesson } from "./lesson.mjs";

const own = browserOf(before, after);
const SECONDS_2 = 2000;

/** Counts in the page what is asked of the clock and of the screen, from before the program starts. */
function count() {
  const asked = { frames: 0, timeouts: 0, intervals: 0, drawn: 0 };
  const { requestAnimationFrame: frame, setTimeout: later, setInterval: again } = globalThis;
  globalThis.asked = asked;
  globalThis.requestAnimationFrame = (callback) => {
    asked.frames += 1;
    return frame.call(globalThis, (time) => {
      asked.drawn += 1;
      callback(time);
    });
  };
  globalThis.setTimeout = (...given) => {
    asked.timeouts += 1;
    return later.apply(globalThis, given);
  };
  globalThis.setInterval = (...given) => {
    asked.intervals += 1;
    return again.apply(globalThis, given);
  };
  // The test's own way to make the page believe that its tab is hidden or shown.
  globalThis.showTab = (shown) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => !shown });
    document.dispatchEvent(new Event("visibilitychange"));
  };
}

/** What the page asks for within two seconds. The clock that waits is the test's own. */
async function askedFor(page) {
  const before = await page.evaluate(() => ({ ...globalThis.asked }));
  await new Promise((done) => setTimeout(done, SECONDS_2));
  const now = await page.evaluate(() => ({ ...globalThis.asked }));
  return Object.fromEntries(Object.keys(now).map((key) => [key, now[key] - before[key]]));
}

const NOTHING = { frames: 0, timeouts: 0, intervals: 0, drawn: 0 };

describe("nothing is scheduled", () => {
  const on = (check) => {
    const query = { scene: "outbox/one-relay" };
    return lesson(own.browser, { query, before: (page) => page.addInitScript(count) }, check);
  };

  test("once the page has loaded, for it starts paused", () =>
    on(async ({ page }) => {
      await page.waitForLoadState("networkidle");
      await page.waitForTimeout(500);
      assert.deepEqual(await askedFor(page), NOTHING);
    }));

  test("while paused, and while the tab is hidden; playing does schedule", () =>
    on(async (lesson) => {
      const { page } = lesson;
      await lesson.speed(50);
      await lesson.press("transport-play");
      const playing = await askedFor(page);
      assert.ok(playing.frames > 5, JSON.stringify(playing));
      assert.equal(playing.intervals, 0, "the only clock is the screen's");

      await page.evaluate(() => globalThis.showTab(false));
      await page.waitForTimeout(300);
      assert.deepEqual(await askedFor(page), NOTHING, "hidden");
      await page.evaluate(() => globalThis.showTab(true));
      assert.ok((await askedFor(page)).frames > 5, "shown again");

      await lesson.press("transport-pause");
      await page.waitForTimeout(300);
      assert.deepEqual(await askedFor(page), NOTHING, "paused");
    }));

  test("off the screen", () =>
    on(async (lesson) => {
      const { page } = lesson;
      await lesson.speed(50);
      await lesson.press("transport-play");
      await page.evaluate(() => {
        document.body.style.paddingTop = "400vh";
        scrollTo(0, 0);
      });
      await page.waitForTimeout(300);
      assert.deepEqual(await askedFor(page), NOTHING);
    }));

  test("after rest", () =>
    on(async (lesson) => {
      await lesson.playToRest();
      await lesson.page.waitForTimeout(300);
      assert.deepEqual(await askedFor(lesson.page), NOTHING);
    }));
});

describe("what is gone fades once", () => {
  test("and then no animation runs", () =>
    lesson(own.browser, { query: { scene: "outbox/one-relay" } }, async (page) => {
      await page.stepUntil(/Relay: got the answer to SELECT FROM outbox/, 2);
      await page.cord("part-relay").click();
      await page.page.waitForFunction(
        () => document.getAnimations().every((one) => one.playState === "finished"),
        undefined,
        { timeout: 5000 },
      );
    }));

  test("with reduced motion the same is told, and nothing moves", async () => {
    const query = { scene: "outbox/one-relay" };
    const told = async (reducedMotion) => {
      let all;
      await lesson(own.browser, { query, context: { reducedMotion } }, async (page) => {
        await page.stepUntil(/Relay: got the answer to SELECT FROM outbox/, 2);
        await page.cord("part-relay").click();
        if (reducedMotion === "reduce") {
          assert.equal(await page.page.evaluate(() => document.getAnimations().length), 0);
        }
        all = { ...(await page.told()), said: await page.said() };
      });
      return all;
    };
    assert.deepEqual(await told("reduce"), await told("no-preference"));
  });
});
