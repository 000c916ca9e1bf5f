// Everybody can use it: keyboard, touch, screen reader, small screen, forced colours, both languages.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { axe } from "./support.mjs";
import { browserOf, lesson } from "./lesson.mjs";
import { words } from "./words.mjs";

const own = browserOf(before, after);
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
const scene = "outbox/one-relay";

/** Goes to the middle of a run: messages in flight, a part without power, something gone. */
async function toTheMiddle(page) {
  for (let step = 0; step < 12; step += 1) await page.press("transport-step");
  await page.cord("part-service").click();
  for (let step = 0; step < 3; step += 1) await page.press("transport-step");
}

/** Whether the page can be scrolled sideways, and what sticks out. */
function sideways(page) {
  return page.page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const wide = [...document.querySelectorAll("body *")].filter((one) => {
      return one.getBoundingClientRect().right > width + 1;
    });
    return wide.slice(0, 8).map((one) => `${one.tagName}.${one.className} ${one.textContent.slice(0, 30)}`);
  });
}

describe("axe finds nothing", () => {
  const views = [
    ["dual-write/commit-then-send", "light", "ru", DESKTOP],
    ["dual-write/commit-then-send", "dark", "en", PHONE],
    ["dual-write/send-then-commit", "light", "en", PHONE],
    ["dual-write/send-then-commit", "dark", "ru", DESKTOP],
    ["outbox/one-relay", "light", "ru", PHONE],
    ["outbox/one-relay", "dark", "en", DESKTOP],
    ["inbox/one-transaction", "light", "en", DESKTOP],
    ["inbox/one-transaction", "dark", "ru", PHONE],
  ];
  for (const [scene, theme, lang, viewport] of views) {
    test(`${scene}, ${theme}, ${lang}, ${viewport.width} px, at the start and in the middle`, () =>
      lesson(own.browser, { query: { scene, theme, lang }, context: { viewport } }, async (page) => {
        assert.deepEqual(await axe(page.page), []);
        await toTheMiddle(page);
        assert.deepEqual(await axe(page.page), []);
        if (viewport === DESKTOP) {
          await page.page.getByText(page.say("ui-faults"), { exact: true }).click();
          assert.deepEqual(await axe(page.page), [], "with the faults open");
        } else {
          for (const tab of ["page-code", "page-log"]) {
            await page.press(tab);
            assert.deepEqual(await axe(page.page), [], tab);
          }
        }
      }));
  }

  test("on a phone at rest, with more verdicts than fit", () => {
    const query = { scene, lang: "ru", actions: "unplug:relay@50,plug:relay@51" };
    return lesson(own.browser, { query, context: { viewport: PHONE } }, async (page) => {
      await page.playToRest();
      assert.ok((await page.ledger()).length >= 3);
      assert.deepEqual(await axe(page.page), []);
    });
  });
});

describe("by keyboard alone", () => {
  const on = (check) => lesson(own.browser, { query: { scene } }, check);
  const focused = (page) =>
    page.evaluate(() => {
      const one = document.activeElement;
      const name = one.ariaLabel ?? one.textContent;
      return `${one.tagName} ${name.replace(/\s+/g, " ").trim()}`;
    });

  test("Tab reaches everything, the way it is read", () =>
    on(async (lesson) => {
      const { page, say } = lesson;
      const way = [];
      do {
        await page.keyboard.press("Tab");
        way.push(await focused(page));
      } while (!way.at(-1).startsWith("BODY") && way.length < 80);
      const at = (text) => {
        const found = way.findIndex((one) => one.includes(text));
        assert.notEqual(found, -1, `${text} in ${way.join("; ")}`);
        return found;
      };
      const order = [
        say("page-skip"),
        say("page-scene"),
        say("page-share"),
        say("act-unplug", { part: say("part-service") }),
        say("act-unplug", { part: say("part-relay") }),
        say("transport-back"),
        say("transport-play"),
        say("transport-step"),
        say("transport-order"),
        say("ui-faults"),
        say("page-code"),
      ].map(at);
      assert.deepEqual(order, [...order].sort((a, b) => a - b), way.join("; "));
      const buttons = await page.getByRole("button").count();
      const reached = way.filter((one) => /^(BUTTON|SUMMARY) /.test(one)).length;
      assert.ok(reached >= buttons - 1, `${reached} of ${buttons}`);
    }));

  test("the focus can be seen on everything", () =>
    on(async ({ page }) => {
      for (let press = 0; press < 30; press += 1) {
        await page.keyboard.press("Tab");
        const seen = await page.evaluate(() => {
          const style = getComputedStyle(document.activeElement);
          return document.activeElement === document.body || parseFloat(style.outlineWidth) >= 2;
        });
        assert.ok(seen, await focused(page));
      }
    }));

  test("the skip link leads to the lab, where Space plays and arrows step", () =>
    on(async (lesson) => {
      const { page } = lesson;
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      await page.keyboard.press("ArrowRight");
      assert.notEqual((await lesson.log()).length, 0);
      await page.keyboard.press("ArrowRight");
      const two = (await lesson.log()).length;
      await page.keyboard.press("ArrowLeft");
      assert.ok((await lesson.log()).length < two);
    }));

  test("a cord is pulled by Enter or Space, and the focus stays on it", () =>
    on(async (lesson) => {
      const { page } = lesson;
      await lesson.cord("part-relay").focus();
      await page.keyboard.press("Space");
      await lesson.cord("part-relay", "act-plug-in").waitFor();
      assert.match(await focused(page), new RegExp(lesson.say("act-plug-in", { part: "Relay" })));
      await page.keyboard.press("Enter");
      await lesson.cord("part-relay").waitFor();
    }));

  test("Space plays and pauses from the log, and presses a button that has the focus", () =>
    on(async (lesson) => {
      const { page } = lesson;
      await lesson.press("transport-step");
      await lesson.page.getByRole("list", { name: lesson.say("page-log") }).focus();
      await page.keyboard.press("Space");
      await lesson.button(lesson.say("transport-pause")).waitFor();
      await page.keyboard.press("Space");
      await lesson.button(lesson.say("transport-play")).waitFor();
      await lesson.button(lesson.say("transport-play")).focus();
      await page.keyboard.press("Space");
      await lesson.button(lesson.say("transport-pause")).waitFor();
    }));

  test("keys are places on the keyboard, so that a Russian layout does the same", () =>
    on(async (lesson) => {
      await lesson.press("transport-step");
      const list = lesson.page.getByRole("list", { name: lesson.say("page-log") });
      await list.dispatchEvent("keydown", { code: "Space", key: "Пробел", bubbles: true, cancelable: true });
      await lesson.button(lesson.say("transport-pause")).waitFor();
    }));

  test("keys do nothing in a field, with a modifier, or outside the lab", () =>
    on(async (lesson) => {
      const { page } = lesson;
      await page.getByLabel(lesson.say("transport-speed"), { exact: true }).focus();
      await page.keyboard.press("ArrowRight");
      assert.equal((await lesson.log()).length, 0, "in the list of speeds");
      await lesson.button(lesson.say("transport-step")).focus();
      await page.keyboard.press("Shift+ArrowRight");
      assert.equal((await lesson.log()).length, 0, "with Shift");
      await lesson.button(lesson.say("page-share")).focus();
      await page.keyboard.press("ArrowRight");
      assert.equal((await lesson.log()).length, 0, "in the bar on top");
    }));
});

describe("by touch", () => {
  test("everything to press is 44 px in both directions", () => {
    const context = { viewport: PHONE, hasTouch: true, isMobile: true };
    return lesson(own.browser, { query: { scene }, context }, async (page) => {
      const small = () =>
        page.page.evaluate(() => {
          const all = [...document.querySelectorAll("button, select, summary, a[href]")];
          const shown = all.filter((one) => one.checkVisibility() && !one.matches(".ptp-skip"));
          const sizes = shown.map((one) => [one, one.getBoundingClientRect()]);
          const least = sizes.filter(([, { width, height }]) => width < 43.9 || height < 43.9);
          return least.map(([one, { width, height }]) => {
            return `${one.ariaLabel ?? one.textContent} ${width}×${height}`;
          });
        });
      assert.deepEqual(await small(), []);
      await page.press("transport-step");
      await page.page.getByText(page.say("ui-faults"), { exact: true }).click();
      assert.deepEqual(await small(), [], "with the faults open");
      for (const tab of ["page-code", "page-log"]) {
        await page.press(tab);
        assert.deepEqual(await small(), [], tab);
      }
    });
  });
});

describe("on a small screen", () => {
  for (const lang of ["ru", "en"]) {
    test(`320 px wide: nothing to scroll sideways (${lang})`, () => {
      const context = { viewport: { width: 320, height: 640 } };
      return lesson(own.browser, { query: { scene, lang }, context }, async (page) => {
        assert.deepEqual(await sideways(page), []);
        await toTheMiddle(page);
        assert.deepEqual(await sideways(page), []);
        for (const tab of ["page-code", "page-log"]) {
          await page.press(tab);
          assert.deepEqual(await sideways(page), [], tab);
        }
      });
    });

    test(`a notebook at 200 %: nothing to scroll sideways (${lang})`, () => {
      const context = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 };
      return lesson(own.browser, { query: { scene, lang }, context }, async (page) => {
        await toTheMiddle(page);
        assert.deepEqual(await sideways(page), []);
      });
    });
  }
});

describe("on a phone", () => {
  test("the log shows its newest line", () =>
    lesson(own.browser, { query: { scene }, context: { viewport: PHONE } }, async (page) => {
      for (let step = 0; step < 30; step += 1) await page.press("transport-step");
      await page.press("page-log");
      const last = page.region("page-log").getByRole("listitem").last();
      const [line, play] = [last, page.button(page.say("transport-play"))];
      const [{ y, height }, below] = [await line.boundingBox(), await play.boundingBox()];
      assert.ok(y > 0 && y + height < below.y, `${y} ${height} ${below.y}`);
    }));
});

describe("with forced colours", () => {
  test("cords and states are told in words", () =>
    lesson(own.browser, { query: { scene }, context: { forcedColors: "active" } }, async (page) => {
      assert.match(await page.box("part-relay").getAttribute("aria-label"), /running/);
      assert.equal(await page.cord("part-relay").innerText(), page.say("act-unplug-short"));
      await page.cord("part-relay").click();
      assert.match(await page.box("part-relay").getAttribute("aria-label"), /unpowered/);
      const out = page.cord("part-relay", "act-plug-in");
      assert.equal(await out.innerText(), page.say("act-plug-in-short"));
      assert.match((await page.told()).picture, /Relay ?unpowered/);
    }));
});

describe("to a screen reader", () => {
  test("an act and what it destroyed is announced once", () =>
    lesson(own.browser, { query: { scene } }, async (page) => {
      await page.stepUntil(/Relay: got the answer to SELECT FROM outbox/, 2);
      await page.page.evaluate(() => {
        globalThis.said = [];
        const status = document.querySelector("[role=status]");
        new MutationObserver(() => globalThis.said.push(status.textContent)).observe(status, {
          childList: true,
          characterData: true,
          subtree: true,
        });
      });
      await page.cord("part-relay").click();
      await page.press("transport-step");
      await page.press("transport-step");
      const said = await page.page.evaluate(() => globalThis.said.filter(Boolean));
      const state = page.say("state-of-part", { part: "Relay", state: page.say("state-unpowered") });
      assert.equal(said.length, 1, said.join("; "));
      assert.match(said[0], new RegExp(`^${state}\\. Gone: [1-9]`));
    }));

  test("the log is a list, and each line leads to its step", () =>
    lesson(own.browser, { query: { scene } }, async (page) => {
      await page.stepUntil(/order #1 received/);
      const list = page.page.getByRole("list", { name: page.say("page-log") });
      const lines = await list.getByRole("listitem").count();
      assert.equal(lines, await list.getByRole("button").count());
      assert.ok(lines > 5);
    }));
});

describe("language and theme", () => {
  test("change at once, in place, and stay after a reload", () =>
    lesson(own.browser, { query: { scene, lang: "ru" } }, async (page) => {
      const en = words("en");
      const ru = page.say;
      await page.stepUntil(/Сервис/);
      await page.page.getByRole("button", { name: "English" }).click();
      await page.button(en("transport-step")).waitFor();
      assert.equal(await page.page.locator("html").getAttribute("lang"), "en");
      assert.equal(await page.page.getByText(ru("page-log"), { exact: true }).count(), 0);
      page.say = en;
      assert.match((await page.log()).at(-1), /Service/);
      await page.page.getByRole("button", { name: /system/ }).click();
      await page.page.getByRole("button", { name: /light/ }).click();
      assert.equal(await page.page.locator("html").getAttribute("data-theme"), "dark");
      // Without the address, memory alone has to tell.
      await page.page.goto(page.page.url().split("?")[0]);
      await page.button(en("transport-step")).waitFor();
      assert.equal(await page.page.locator("html").getAttribute("data-theme"), "dark");
    }));

  test("work where the browser refuses to keep anything", () => {
    const refuse = () =>
      Object.defineProperty(globalThis, "localStorage", {
        get: () => {
          throw new DOMException("refused", "SecurityError");
        },
      });
    const before = (page) => page.addInitScript(refuse);
    return lesson(own.browser, { query: { scene, lang: "ru" }, before }, async (page) => {
      const en = words("en");
      await page.page.getByRole("button", { name: "English" }).click();
      await page.button(en("transport-step")).click();
      assert.deepEqual(page.seen.failures, []);
    });
  });

  test("Russian plurals: 0 строк, 1 строка, 2 строки", () =>
    lesson(own.browser, { query: { scene, lang: "ru" } }, async (page) => {
      await page.stepUntil(/SELECT FROM outbox.*строк/, 2);
      const log = (await page.log()).join("\n");
      for (const rows of ["(0 строк)", "(1 строка)", "(2 строки)"]) {
        assert.ok(log.includes(rows), `${rows} in ${log}`);
      }
    }));
});
