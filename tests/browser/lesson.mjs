// The lesson as a test uses it: by roles and names, in the language that the page is shown in.

import { launch, mounted, open, serve } from "./support.mjs";
import { words } from "./words.mjs";

/** The steps after which a test gives up waiting for something to happen. */
const STEPS_MAX = 400;

/**
 * Opens the page in a context of its own, and closes all when the check is done.
 *
 * @param {import("playwright-core").Browser} browser
 * @param {object} options
 * @param {Record<string, string>} [options.query] the link's parameters
 * @param {object} [options.context] the options of the browser's context
 * @param {object} [options.server] the options of `serve`
 * @param {(page: import("playwright-core").Page) => unknown} [options.before] what to do first
 * @param {(lesson: Lesson) => Promise<unknown>} check
 */
export async function lesson(browser, { query = {}, context, server, before }, check) {
  const { url, close: stop } = await serve(server);
  const { page, seen, close } = await open(browser, context);
  try {
    page.setDefaultTimeout(15_000);
    await before?.(page);
    await page.goto(`${url}?${new URLSearchParams({ lang: "en", ...query })}`);
    await mounted(page);
    await check(new Lesson(page, seen, words(query.lang === "ru" ? "ru" : "en")));
  } finally {
    await close();
    await stop();
  }
}

/** An open lesson. `say` gives its words. */
export class Lesson {
  constructor(page, seen, say) {
    Object.assign(this, { page, seen, say });
  }

  button(name) {
    return this.page.getByRole("button", { name, exact: true });
  }

  /** Presses the button that the message names. */
  press(id) {
    return this.button(this.say(id)).click();
  }

  /** The button of a part's cord on the stage; its name says what pressing it does. */
  cord(part, does = "act-unplug") {
    return this.button(this.say(does, { part: this.say(part) }));
  }

  /** The box of a part on the stage; its name says the part's state. */
  box(part) {
    const stage = this.page.getByRole("group", { name: this.say("page-stage"), exact: true });
    return stage.getByRole("button", { name: new RegExp(`^${this.say(part)}: `) });
  }

  region(id) {
    return this.page.getByRole("region", { name: this.say(id), exact: true });
  }

  /** The verdicts of the orders, as texts. */
  async ledger() {
    const rows = this.region("ledger").getByRole("listitem");
    return (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim());
  }

  /** What is said to be gone, as one text; empty if nothing is. */
  async gone() {
    return (await this.region("ui-lost").allInnerTexts()).join();
  }

  /** The lines of the log, oldest first. */
  async log() {
    const lines = await this.region("page-log").getByRole("listitem").allInnerTexts();
    return lines.map((text) => text.replace(/\s+/g, " ").trim());
  }

  /** What was announced last. */
  said() {
    return this.page.getByRole("status").innerText();
  }

  /** All that the page tells of the run, to compare one moment with another. */
  async told() {
    const parts = this.page.getByRole("group", { name: this.say("page-stage"), exact: true });
    return {
      stage: await parts.getByRole("button").evaluateAll((all) => all.map((one) => one.ariaLabel)),
      picture: await parts.locator("svg").first().textContent(),
      ledger: await this.ledger(),
      gone: await this.gone(),
      log: await this.log(),
    };
  }

  /** Steps by hand until the log has a new line as wanted, for the n-th time. */
  async stepUntil(wanted, times = 1) {
    let left = times;
    let lines = (await this.log()).length;
    for (let step = 0; step < STEPS_MAX; step += 1) {
      await this.press("transport-step");
      const log = await this.log();
      left -= log.slice(lines).filter((line) => wanted.test(line)).length;
      lines = log.length;
      if (left <= 0) return;
    }
    throw new Error(`${wanted} did not come in ${STEPS_MAX} steps`);
  }

  /** Chooses a speed, in hundredths of the usual one. */
  speed(percent) {
    const choice = this.page.getByLabel(this.say("transport-speed"), { exact: true });
    return choice.selectOption(String(percent));
  }

  /** Plays in real time, at the highest speed, until nothing moves any more. */
  async playToRest() {
    await this.speed(1000);
    await this.press("transport-play");
    await this.rest().waitFor({ timeout: 60_000 });
  }

  /** What tells that nothing moves any more. */
  rest() {
    return this.page.getByText(this.say("transport-rest-short"), { exact: true });
  }
}

/** One browser for all tests of a file. */
export function browserOf(before, after) {
  const own = {};
  before(async () => {
    own.browser = await launch();
  });
  after(() => own.browser?.close());
  return own;
}
