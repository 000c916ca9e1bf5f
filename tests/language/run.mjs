// Runs programs of the step language in Node, as `main.rs` runs them in the interpreter: every
// call is written down, one call is answered per macrotask, and what was written is printed.
//
// node run.mjs FOLDER: the folder has `cases.json`, `prelude.mjs` and one module per case.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const load = (name) => import(pathToFileURL(join(folder, name)));

globalThis.sql = (texts, ...params) => ({ texts, params });

const { transaction } = await load("prelude.mjs");

let uncaught = [];
process.on("unhandledRejection", (error) => uncaught.push(error));

const macrotask = () => new Promise((resolve) => setImmediate(resolve));

function describe(error) {
  if (error instanceof TypeError) return "type-error";
  if (error instanceof Error) return `${error.message} ${error.code ?? "-"}`;
  return `${error} -`;
}

class World {
  log = [];
  pending = [];
  handlers = [];
  calls = 0;
  transactions = 0;

  call(target, method, args) {
    const id = this.calls++;
    this.log.push(`${id} ${target}.${method} ${JSON.stringify(args)}`);
    return new Promise((resolve, reject) => {
      this.pending.push({ id, method, quiet: args[0] === "log", resolve, reject });
    });
  }

  transaction() {
    const name = `tx${this.transactions++}`;
    return {
      query: ({ params }) => this.call(name, "query", params),
      commit: () => this.call(name, "commit", []),
      rollback: () => this.call(name, "rollback", []),
      prepare: (id) => this.call(name, "prepare", [id]),
    };
  }

  environment() {
    const db = {
      begin: () => this.call("db", "begin", []),
      query: ({ params }) => this.call("db", "query", params),
      commitPrepared: (id) => this.call("db", "commitPrepared", [id]),
      transaction: (work) => transaction(db, work),
    };
    const mailer = { send: (...args) => this.call("mailer", "send", args) };
    const broker = {
      subscribe: (queue, options, handler) => {
        this.handlers.push(handler);
        return this.call("broker", "subscribe", [queue, options]);
      },
    };
    return { db, mailer, broker, sleep: (ms) => this.call("sleep", "sleep", [ms]) };
  }

  /** Answers the waiting call that the schedule picks. */
  turn(pick, fails) {
    const [call] = this.pending.splice(pick % this.pending.length, 1);
    if (call.method === "subscribe") {
      this.pending.push(call);
      const given = { body: { n: this.calls }, ack: () => this.call("message", "ack", []) };
      this.handlers[0](given);
    } else if (fails && !call.quiet && call.method !== "begin") {
      call.reject(Object.assign(new Error(`failed ${call.id}`), { code: "fake" }));
    } else {
      call.resolve(call.method === "begin" ? this.transaction() : call.id);
    }
  }
}

async function playAll(cases) {
  const logs = [];
  for (const one of cases) logs.push(await playOne(one));
  return logs;
}

async function playOne({ file, schedule }) {
  const world = new World();
  let main;
  try {
    ({ main } = await load(file));
  } catch (error) {
    return [`refused: ${error.message}`];
  }
  uncaught = [];
  let ended = null;
  for (let round = -1; round < schedule.length; round += 1) {
    await macrotask();
    if (round < 0) {
      main(world.environment()).then(
        () => (ended = "ended"),
        (error) => (ended = `threw ${describe(error)}`),
      );
    } else if (world.pending.length > 0) {
      world.turn(...schedule[round]);
    }
    // The microtasks run, then Node tells of rejections that nobody handles.
    await macrotask();
    if (ended !== null) world.log.push(ended);
    if (ended?.startsWith("threw")) break;
    ended = null;
    if (uncaught.length > 0) {
      world.log.push(`uncaught ${describe(uncaught[0])}`);
      break;
    }
  }
  return world.log;
}

const cases = JSON.parse(await readFile(join(folder, "cases.json"), "utf8"));
process.stdout.write(JSON.stringify(await playAll(cases)));
