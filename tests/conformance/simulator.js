// What the simulator says of a crash: the outcomes of many seeds, as a set.

import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);
const SEEDS = 20;

export class Simulator {
  #runs = new Map();

  constructor({ plug, file, restartMs }) {
    Object.assign(this, { plug, file, restartMs });
  }

  /** One run, remembered. Exit code 2 is a limit before rest; its verdicts say so. */
  run(seed, actions) {
    const key = `${seed} ${actions}`;
    if (!this.#runs.has(key)) this.#runs.set(key, this.#execute(seed, actions));
    return this.#runs.get(key);
  }

  async #execute(seed, actions) {
    const words = ["run", this.file, "--json", "--seed", String(seed), "--actions", actions];
    const done = await execute(this.plug, words, { maxBuffer: 1 << 28 }).catch((error) => {
      if (error.code === 2 && error.stdout) return error;
      throw new Error(`plug ${words.join(" ")}: ${error.stdout || error.stderr || error.message}`);
    });
    const { orders, events } = JSON.parse(done.stdout);
    return { outcome: text(orders), counts: callCounts(events) };
  }

  /** How often each `part.line` is called without a crash, at most over the seeds. */
  async counts() {
    const most = new Map();
    for (const { counts } of await this.#all("")) {
      for (const [place, count] of counts) most.set(place, Math.max(count, most.get(place) ?? 0));
    }
    return most;
  }

  /** The outcomes of a crash at one boundary, over the seeds that reach it. */
  async outcomes({ part, line, nth, phase }, seeds = SEEDS) {
    const actions = `kill:${part}@${part}.${line}#${nth}:${phase},restart:${part}@+${this.restartMs}`;
    const [runs, plain] = await Promise.all([this.#all(actions, seeds), this.#all("", seeds)]);
    const reached = runs.filter((_, seed) => (plain[seed].counts.get(`${part}.${line}`) ?? 0) >= nth);
    return new Set(reached.map(({ outcome }) => outcome));
  }

  #all(actions, seeds = SEEDS) {
    return limited(Array.from({ length: seeds }, (_, seed) => () => this.run(seed, actions)), 2);
  }
}

async function limited(tasks, width) {
  const results = [];
  const work = async (lane) => {
    for (let index = lane; index < tasks.length; index += width) results[index] = await tasks[index]();
  };
  await Promise.all(Array.from({ length: width }, (_, lane) => work(lane)));
  return results;
}

function callCounts(events) {
  const counts = new Map();
  for (const { kind, part, line } of events) {
    if ((kind !== "called" && kind !== "sleeps") || line === null) continue;
    counts.set(`${part}.${line}`, (counts.get(`${part}.${line}`) ?? 0) + 1);
  }
  return counts;
}

/** An outcome as text: the verdict and the effects of each order. */
export function text(accounts) {
  const got = ({ got, effects }) => got
    ? Object.entries(got).map(([name, count]) => `${name} ${count}`)
    : effects.map(({ name, got }) => `${name} ${got}`);
  return accounts.map((account) => `${account.order}: ${account.verdict}, ${got(account).join(", ")}`).join("; ");
}
