// A link restores a view, the address follows the learner, and what a link gets wrong is said.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { axe } from "./support.mjs";
import { browserOf, lesson } from "./lesson.mjs";
import { words } from "./words.mjs";

const own = browserOf(before, after);
const on = (query, check, more = {}) => lesson(own.browser, { query, ...more }, check);

/** The address's parameters. */
const query = (page) => Object.fromEntries(new URL(page.page.url()).searchParams);

/** Waits until a text can be read somewhere on the page. */
const reads = (page, text) => page.page.getByText(text, { exact: true }).first().waitFor();

describe("a link", () => {
  test("restores scene, language, theme, seed and actions", async () => {
    const actions = "unplug:relay@49,plug:relay@50";
    await on({ scene: "outbox/one-relay", lang: "ru", theme: "dark", actions }, async (page) => {
      const root = page.page.locator("html");
      assert.equal(await root.getAttribute("lang"), "ru");
      assert.equal(await root.getAttribute("data-theme"), "dark");
      assert.match(await page.page.getByRole("heading", { level: 1 }).innerText(), /Outbox/);
      assert.equal(await page.page.title(), page.say("page-title"));
      await page.playToRest();
      assert.match((await page.ledger()).join("\n"), /задвоено ×2/);
    });
  });

  test("with another seed gives another run, the same each time", async () => {
    const run = async (seed) => {
      let told;
      await on({ scene: "outbox/one-relay", seed }, async (page) => {
        await page.stepUntil(/publish confirmed/);
        told = (await page.log()).join("\n");
      });
      return told;
    };
    const seven = await run("7");
    assert.equal(await run("7"), seven);
    assert.notEqual(await run("8"), seven);
  });

  test("is kept by the address as the learner goes, and leads back to the same run", async () => {
    let address;
    let ledger;
    await on({ scene: "dual-write/commit-then-send" }, async (page) => {
      await page.stepUntil(/committed for Service/);
      await page.cord("part-service").click();
      await page.cord("part-service", "act-plug-in").click();
      address = query(page);
      await page.playToRest();
      ledger = await page.ledger();
    });
    assert.equal(address.scene, "dual-write/commit-then-send");
    assert.match(address.actions, /^unplug:shop@\d+,plug:shop@\d+$/);
    await on(address, async (page) => {
      await page.playToRest();
      assert.deepEqual(await page.ledger(), ledger);
    });
  });

  test("of another scene follows the choice", () =>
    on({ scene: "outbox/one-relay", actions: "unplug:relay@3" }, async (page) => {
      const choice = page.page.getByRole("combobox", { name: page.say("page-scene"), exact: true });
      await choice.selectOption("inbox/one-transaction");
      await page.page.waitForFunction(() => location.search.includes("inbox/one-transaction"));
      assert.equal(query(page).scene, "inbox/one-transaction");
      assert.equal(query(page).actions, undefined);
    }));
});

describe("what a link gets wrong is said, and the rest is kept", () => {
  const scene = "outbox/one-relay";
  const faults = [
    ["an unknown scene", { scene: "no/such" }, "link-unknown-scene", "no/such"],
    ["a theme", { scene, theme: "pink" }, "link-bad-theme", "pink"],
    ["a seed", { scene, seed: "-1" }, "link-bad-seed", "-1"],
    ["a seed too large", { scene, seed: "4294967296" }, "link-bad-seed", "4294967296"],
    ["an unknown action", { scene, actions: "fly:relay@3" }, "link-unknown-action", "fly"],
    ["an unreadable action", { scene, actions: "unplug" }, "link-bad-action", "unplug"],
    ["an unreadable moment", { scene, actions: "kill:relay@x y" }, "link-bad-moment", "x y"],
    ["an unknown part", { scene, actions: "kill:nobody@3" }, "link-unknown-part", "nobody"],
    ["an unknown moment", { scene, actions: "kill:relay@never#1" }, "link-unknown-moment", "never"],
  ];
  for (const lang of ["ru", "en"]) {
    const say = words(lang);
    for (const [what, wrong, id, found] of faults) {
      test(`${what} (${lang})`, () =>
        on({ ...wrong, lang }, async (page) => {
          await page.region("ui-notice").waitFor();
          await reads(page, say(id, { found }));
          await page.press("transport-step");
          assert.notEqual((await page.log()).length, 0, "the lab lives on");
        }));
    }

    test(`an action that does not fit when its turn comes (${lang})`, () =>
      on({ scene, lang, actions: "plug:relay@3,unplug:relay@9" }, async (page) => {
        for (let step = 0; step < 5; step += 1) await page.press("transport-step");
        await reads(page, say("link-action-impossible", { found: "plug:relay@3" }));
        for (let step = 0; step < 6; step += 1) await page.press("transport-step");
        await page.cord("part-relay", "act-plug-in").waitFor();
      }));
  }

  test("a language", () =>
    on({ scene, lang: "de" }, async (page) => {
      await page.page.getByText(words("en")("link-bad-language", { found: "de" })).waitFor();
    }, { context: { locale: "en-GB" } }));

  test("one fault beside good actions drops only itself", () =>
    on({ scene, actions: "fly:relay@2,unplug:relay@3" }, async (page) => {
      await reads(page, page.say("link-unknown-action", { found: "fly" }));
      for (let step = 0; step < 4; step += 1) await page.press("transport-step");
      await page.cord("part-relay", "act-plug-in").waitFor();
    }));

  test("nothing from outside becomes markup", async () => {
    const evil = "<img src=x onerror=alert(1)>";
    const wrong = { scene: evil, theme: evil, seed: evil, actions: `${evil}:relay@3,kill:relay@${evil}` };
    await on(wrong, async (page) => {
      await reads(page, page.say("link-unknown-scene", { found: evil }));
      await reads(page, page.say("link-bad-theme", { found: evil }));
      assert.equal(await page.page.locator("img").count(), 0);
      assert.ok(!page.seen.requests.some((request) => request.endsWith("/x")));
    });
  });
});

describe("a scene file that cannot be used", () => {
  /** Answers the request for a scene in another way. */
  const answer = (id, how) => (page) => page.route(new RegExp(`/scenes/${id}\\.js`), how);
  const id = "outbox/one-relay";

  for (const lang of ["ru", "en"]) {
    test(`is located and explained, and another one opens (${lang})`, () =>
      on(
        { scene: id, lang },
        async (page) => {
          const alert = page.page.getByRole("alert");
          await alert.getByText(page.say("page-error-at", { line: 3, column: 9 })).waitFor();
          await alert.getByText(page.say("ui-scene-broken")).waitFor();
          assert.deepEqual(await axe(page.page), []);
          const choice = page.page.getByRole("combobox", { name: page.say("page-scene"), exact: true });
          await choice.selectOption("inbox/one-transaction");
          await page.press("transport-step");
          assert.notEqual((await page.log()).length, 0);
          assert.equal(await alert.count(), 0);
        },
        {
          before: answer(id, (route) =>
            route.fulfill({
              contentType: "text/javascript",
              body: 'import { scene } from "pull-the-plug";\n\nlet x = = 1;\n',
            }),
          ),
        },
      ));

    test(`that does not come is told, and another one opens (${lang})`, () =>
      on(
        { scene: "inbox/one-transaction", lang },
        async (page) => {
          const choice = page.page.getByRole("combobox", { name: page.say("page-scene"), exact: true });
          await choice.selectOption(id);
          await page.page.getByRole("alert").waitFor();
          await choice.selectOption("dual-write/commit-then-send");
          await page.page.getByRole("heading", { level: 1 }).filter({ hasText: /COMMIT|Commit/ }).waitFor();
          await page.press("transport-step");
          assert.equal(await page.page.getByRole("alert").count(), 0);
        },
        { before: answer(id, (route) => route.abort()) },
      ));
  }
});
