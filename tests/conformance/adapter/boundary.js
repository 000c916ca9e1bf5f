// The boundaries of a program's calls, where its process can kill itself. A boundary is an anchor
// of the simulator: `line#n:before`, the call has not left; `line#n:effect`, the server has
// carried it out and the program does not know; `line#n:answer`, the program has used the answer
// and runs up to its next wait.

import { lastLineOfCall, siteOfCall } from "./site.js";

export class Boundaries {
  /** `target` is `{ line, nth, phase }` or nothing; `tell` hears of every call. */
  constructor({ sceneUrl, sceneText, target, tell }) {
    this.sceneUrl = sceneUrl;
    this.sceneText = sceneText;
    this.target = target;
    this.tell = tell;
    this.counts = new Map();
  }

  /** The line of the call that is being made now. */
  line() {
    return siteOfCall(this.sceneUrl).line;
  }

  /** The first and the last line of the call that is being made now. */
  lines() {
    const site = siteOfCall(this.sceneUrl);
    return [site.line, lastLineOfCall(this.sceneText, site)];
  }

  /**
   * Makes a call. `make` gives the answer; `effect` waits until a call without an answer has
   * taken effect; `changes` says of an answer whether anything was done.
   */
  async cross(line, verb, make, { effect, changes = () => true, phases } = {}) {
    const nth = (this.counts.get(line) ?? 0) + 1;
    this.counts.set(line, nth);
    this.tell({ call: { line, nth, verb, phases: phases ?? ["before", "effect", "answer"] } });
    if (this.is(line, nth, "before")) return this.die();
    let answer, error;
    try {
      answer = await make();
    } catch (caught) {
      error = caught;
    }
    if (this.is(line, nth, "effect")) {
      await effect?.();
      return this.die();
    }
    this.tell({ answer: { line, nth, verb, changed: !error && changes(answer), code: error?.code } });
    if (this.is(line, nth, "answer")) setImmediate(() => this.die());
    if (error) throw error;
    return answer;
  }

  is(line, nth, phase) {
    const { target } = this;
    return target?.line === line && target.nth === nth && target.phase === phase;
  }

  /** Ends the process as a power cut would: no handler runs. */
  die() {
    process.kill(process.pid, "SIGKILL");
    return new Promise(() => {});
  }
}
