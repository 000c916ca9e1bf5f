// `db` of a program on a real PostgreSQL. Parsers and listeners are added, never a retry.

import { readFileSync } from "node:fs";
import pg from "pg";
import { failure, inTime } from "./failure.js";

const prelude = readFileSync(new URL("../../../src/script/prelude.js", import.meta.url), "utf8");
/** What `db.transaction` means, from the very lines that the simulator runs. */
const transaction = new Function(`${prelude}\nreturn transaction;`)();

const { INT8, NUMERIC, TIMESTAMPTZ, TIMESTAMP, DATE } = pg.types.builtins;
const PARSERS = new Map([
  [INT8, safeInteger],
  [TIMESTAMPTZ, String],
  [TIMESTAMP, String],
  [DATE, String],
  [NUMERIC, () => { throw failure("type-error", "numeric is refused: cast it to bigint or text"); }],
]);
const types = { getTypeParser: (oid, format) => PARSERS.get(oid) ?? pg.types.getTypeParser(oid, format) };

function safeInteger(text) {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw failure("type-error", `${text} is too large`);
  return number;
}

/** Query text and values for PostgreSQL: `$1` for each parameter. */
export function bind({ pieces, parameters }) {
  const text = pieces.reduce((text, piece, index) => `${text}$${index}${piece}`);
  const values = parameters.map((value, index) => parameter(value, pieces[index]));
  return { text, values };
}

function parameter(value, before) {
  if (value === undefined) throw failure("type-error", "undefined is no SQL parameter");
  if (Array.isArray(value)) {
    if (/\bANY\s*\(\s*$/i.test(before)) return value;
    throw failure("type-error", "an array fits only in = ANY(…)");
  }
  return value !== null && typeof value === "object" ? JSON.stringify(value) : value;
}

export class Database {
  #idle = [];

  constructor(url, boundaries) {
    this.url = url;
    this.boundaries = boundaries;
  }

  query(statement) {
    return this.#single(bind(statement));
  }

  commitPrepared(id) {
    return this.#single({ text: `COMMIT PREPARED ${literal(id)}`, values: [] });
  }

  rollbackPrepared(id) {
    return this.#single({ text: `ROLLBACK PREPARED ${literal(id)}`, values: [] });
  }

  transaction(work) {
    const [first, last] = this.boundaries.lines();
    return transaction({ begin: () => this.#begin(first, last) }, work);
  }

  begin() {
    return this.#begin(this.boundaries.line());
  }

  /** A statement that is its own transaction: without an answer its fate is unknown. */
  async #single({ text, values }) {
    const line = this.boundaries.line();
    const make = async () => {
      const session = await this.#session();
      const rows = await session.ask(text, values, "commit-unknown");
      this.#idle.push(session);
      return rows;
    };
    return plain(await this.boundaries.cross(line, verbOf(text), make, { changes }));
  }

  async #begin(first, last) {
    const session = await this.boundaries.cross(first, "BEGIN", async () => {
      const session = await this.#session();
      await session.ask("BEGIN");
      return session;
    }, { changes: () => false });
    return new Transaction(session, this.boundaries, last, () => this.#idle.push(session));
  }

  async #session() {
    const live = this.#idle.filter((session) => session.isOpen);
    this.#idle = live;
    return live.pop() ?? Session.open(this.url);
  }
}

class Transaction {
  /** `last` is the line of COMMIT and ROLLBACK if `db.transaction` makes them. */
  constructor(session, boundaries, last, release) {
    Object.assign(this, { session, boundaries, last, release });
  }

  async query(statement) {
    const line = this.boundaries.line();
    const { text, values } = bind(statement);
    const make = () => this.session.ask(text, values);
    return plain(await this.boundaries.cross(line, verbOf(text), make, { changes }));
  }

  commit() {
    return this.#end("COMMIT", async () => {
      const { command } = await this.session.ask("COMMIT", [], "commit-unknown");
      this.release();
      if (command === "ROLLBACK") throw failure("rolled-back", "COMMIT became ROLLBACK");
    });
  }

  rollback() {
    return this.#end("ROLLBACK", async () => {
      await this.session.ask("ROLLBACK");
      this.release();
    });
  }

  prepare(id) {
    return this.#end("PREPARE TRANSACTION", async () => {
      await this.session.ask(`PREPARE TRANSACTION ${literal(id)}`);
      this.release();
    });
  }

  #end(verb, make) {
    return this.boundaries.cross(this.last ?? this.boundaries.line(), verb, make, { changes: () => false });
  }
}

/** One connection. */
class Session {
  isOpen = true;

  static async open(url) {
    const session = new Session();
    session.client = new pg.Client({ connectionString: url, types });
    // Without a listener, a connection that is lost while idle would end the process.
    session.client.on("error", () => { session.isOpen = false; });
    session.client.on("end", () => { session.isOpen = false; });
    await inTime(session.client.connect().catch((error) => { throw lost(error); }));
    return session;
  }

  /** Sends a statement. `unknown` is the code if the connection is lost before the answer. */
  async ask(text, values = [], unknown) {
    if (!this.isOpen) throw failure("connection-lost", "the transaction's connection is lost");
    try {
      return await inTime(this.client.query({ text, values }), () => this.close());
    } catch (error) {
      if (isFromServer(error)) throw error;
      this.close();
      if (error.code === "type-error") throw error;
      const code = unknown ?? (error.code === "timeout" ? "timeout" : "connection-lost");
      throw failure(code, error.message);
    }
  }

  close() {
    this.isOpen = false;
    this.client.connection.stream.destroy();
  }
}

const isFromServer = (error) => error instanceof pg.DatabaseError;
const lost = (error) => isFromServer(error) ? error : failure("connection-lost", error.message);
const plain = (result) => result.rows.map((row) => ({ ...row }));
const changes = (result) => result.rowCount > 0;
const verbOf = (text) => text.trim().split(/\s+/, 1)[0].toUpperCase();
const literal = (text) => `'${String(text).replaceAll("'", "''")}'`;
