// What a learner does and sees: play, pause, step, pull a cord at the worst moment, go back.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { browserOf, lesson } from "./lesson.mjs";

const own = browserOf(before, after);

/** Opens a scene in English and checks it. */
function on(scene, check, query = {}) {
  return lesson(own.browser, { query: { scene, ...query } }, check);
}

/** Takes the relay's power between its publish and its mark, and gives it back. */
async function unplugRelayAfterPublish(page) {
  await page.stepUntil(/RabbitMQ: order\.created is on disk now, order #1/);
  await page.cord("part-relay").click();
  await page.cord("part-relay", "act-plug-in").click();
}

describe("the relay loses power between publish and mark", () => {
  test("outbox/one-relay: that order's letter comes twice", () =>
    on("outbox/one-relay", async (page) => {
      await page.speed(1000);
      await page.press("transport-play");
      await page.region("page-log").getByText(/order #1 sent/).waitFor();
      await page.press("transport-pause");
      await page.press("transport-start");
      await unplugRelayAfterPublish(page);
      await page.playToRest();
      const [first, ...others] = await page.ledger();
      assert.match(first, /^#1 doubled ×2 owed: 1 · got: 2$/);
      assert.ok(others.length >= 2);
      // The other orders of that batch were not published before the cord came out.
      for (const other of others) assert.match(other, /exactly once owed: 1 · got: 1$/);
    }));

  test("inbox/one-transaction: every order comes once all the same", () =>
    on("inbox/one-transaction", async (page) => {
      await unplugRelayAfterPublish(page);
      await page.playToRest();
      const ledger = await page.ledger();
      assert.ok(ledger.length >= 2, ledger.join());
      for (const line of ledger) assert.match(line, /exactly once owed: (\d+) · got: \1$/);
    }));
});

describe("the service loses power between its two writes", () => {
  test("dual-write/commit-then-send: the letter is lost", () =>
    on("dual-write/commit-then-send", async (page) => {
      await page.stepUntil(/PostgreSQL: COMMIT, transaction committed for Service/);
      await page.cord("part-service").click();
      assert.match((await page.ledger())[0], /^#1 lost /, "the forecast flips with the cord");
      await page.cord("part-service", "act-plug-in").click();
      await page.playToRest();
      assert.match((await page.ledger())[0], /^#1 lost owed: 1 · got: 0$/);
    }));

  test("dual-write/send-then-commit: a letter comes for an order that is not there", () =>
    on("dual-write/send-then-commit", async (page) => {
      await page.stepUntil(/Mail service: letter sent to/);
      await page.cord("part-service").click();
      await page.cord("part-service", "act-plug-in").click();
      await page.playToRest();
      assert.match((await page.ledger())[0], /^#1 phantom owed: 0 · got: 1$/);
    }));

  test("dual-write/send-then-commit: a refused COMMIT does the same, no cord pulled", () =>
    on("dual-write/send-then-commit", async (page) => {
      await page.stepUntil(/Mail service: letter sent to/);
      await page.page.getByText(page.say("ui-faults"), { exact: true }).click();
      await page.press("act-refuse-commit");
      await page.playToRest();
      assert.match((await page.ledger())[0], /^#1 phantom owed: 0 · got: 1$/);
    }));
});

describe("going back", () => {
  test("shows what was before the crash, and forward shows the crash again", () =>
    on("outbox/one-relay", async (page) => {
      await page.stepUntil(/Relay: got the answer to SELECT FROM outbox/, 2);
      const alive = await page.told();
      assert.match(alive.stage.join(), /Relay: running/);
      assert.doesNotMatch(alive.picture, /memory ?lost/);
      await page.cord("part-relay").click();
      const dead = await page.told();
      assert.match(dead.stage.join(), /Relay: unpowered/);
      assert.match(dead.picture, /memory ?lost/);
      assert.match(dead.gone, /Relay, was in memory/);
      assert.notDeepEqual(dead, alive);
      await page.press("transport-back");
      assert.deepEqual(await page.told(), alive);
      await page.press("transport-step");
      assert.deepEqual(await page.told(), dead);
    }));

  test("all the way is what the page began with", () =>
    on("outbox/one-relay", async (page) => {
      const start = await page.told();
      await page.stepUntil(/committed for Service/);
      await page.press("transport-start");
      assert.deepEqual(await page.told(), start);
      assert.equal(await page.button(page.say("transport-back")).getAttribute("aria-disabled"), "true");
    }));

  test("and acting there forks, without an error", () =>
    on("dual-write/commit-then-send", async (page) => {
      await page.stepUntil(/committed for Service/);
      await page.cord("part-service").click();
      assert.match((await page.ledger()).join("\n"), /#1 lost/);
      // What has left a box arrives, so the cord has to come out before COMMIT leaves.
      while ((await page.log()).join().includes("COMMIT")) await page.press("transport-back");
      await page.cord("part-service").click();
      await page.cord("part-service", "act-plug-in").click();
      await page.playToRest();
      const ledger = (await page.ledger()).join("\n");
      assert.match(ledger, /#2 exactly once/);
      assert.doesNotMatch(ledger, /lost/);
      assert.equal(await page.page.getByRole("alert").count(), 0);
      assert.deepEqual(page.seen.failures, []);
    }));

  test("to a step by the log", () =>
    on("outbox/one-relay", async (page) => {
      await page.stepUntil(/order #1 received/);
      const earlier = await page.told();
      const [, step] = /^(\d+) /.exec(earlier.log.at(-1));
      await page.stepUntil(/committed for Service/);
      await page.button(page.say("ui-goto-step", { step })).last().click();
      assert.deepEqual(await page.told(), earlier);
    }));
});
