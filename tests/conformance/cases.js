// The rules of cases.json, tried on the real systems: each function gives what it saw, as a text.

import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import amqp from "amqplib";
import pg from "pg";

const { cases } = JSON.parse(readFileSync(new URL("./cases.json", import.meta.url), "utf8"));
const PARTS = fileURLToPath(new URL("../../src/sim/part/", import.meta.url));
const DATABASE = "cases";
/** A statement that has not ended by then is waiting. */
const WAIT_MS = 500;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Tries all; gives `{ name, expect, real, test, isHeld }` of each. */
export async function tryCases(systems) {
  const sources = readdirSync(PARTS, { recursive: true }).filter((file) => file.endsWith(".rs"));
  const rust = sources.map((file) => readFileSync(PARTS + file, "utf8")).join("\n");
  const results = [];
  for (const it of cases) {
    const real = await onFreshTables(systems, SEEN[it.name]).catch((error) => `error: ${error.message}`);
    results.push({ ...it, real, isHeld: real === it.expect && rust.includes(`fn ${it.test}(`) });
  }
  return results;
}

async function onFreshTables(systems, seen) {
  const { postgres, rabbitmq } = systems;
  await postgres.create(DATABASE);
  await postgres.query(DATABASE, `CREATE TABLE marks (id bigint PRIMARY KEY);
    CREATE TABLE tasks (id bigserial PRIMARY KEY, name text UNIQUE)`);
  const open = [];
  const session = async () => {
    const client = new pg.Client({ connectionString: postgres.url(DATABASE), types: { getTypeParser: () => String } });
    client.on("error", () => {});
    await client.connect();
    open.push(() => client.end());
    return client;
  };
  const channel = async () => {
    const connection = await amqp.connect(rabbitmq.url(0));
    connection.on("error", () => {});
    const channel = await connection.createConfirmChannel();
    channel.on("error", () => {});
    // As a process that dies: a connection that is gone already would never finish a polite end.
    const hangUp = () => connection.connection.stream.destroy();
    open.push(hangUp);
    return Object.assign(channel, { hangUp });
  };
  try {
    return await seen({ session, channel, ...systems });
  } finally {
    await Promise.allSettled(open.map((close) => close()));
  }
}

const INSERT = "INSERT INTO marks VALUES (1)";
const ids = ({ rows }) => rows.map(({ id }) => id).join(",");

/** What a second insert of a key sees when the first transaction ends in `end`. */
const second = (insert, end) => async ({ session }) => {
  const [first, other] = [await session(), await session()];
  await first.query("BEGIN");
  await first.query(INSERT);
  let isDone = false;
  const answer = other.query(insert).then(
    ({ rowCount }) => `${rowCount} ${rowCount === 1 ? "row" : "rows"}`, ({ code }) => code);
  answer.then(() => { isDone = true; });
  await pause(WAIT_MS);
  const waits = isDone ? "does not wait" : "waits";
  await first.query(end);
  return `${waits}, ${await answer}`;
};

async function skipLocked({ session }) {
  const [first, other] = [await session(), await session()];
  await first.query("INSERT INTO tasks (name) VALUES ('a'), ('b'), ('c'), ('d')");
  await first.query("BEGIN");
  await first.query("SELECT id FROM tasks WHERE id = 1 FOR UPDATE");
  return ids(await other.query("SELECT id FROM tasks ORDER BY id LIMIT 2 FOR UPDATE SKIP LOCKED"));
}

async function idsAndCommits({ session }) {
  const [first, other] = [await session(), await session()];
  await first.query("BEGIN");
  await first.query("INSERT INTO tasks (name) VALUES ('a')");
  await other.query("INSERT INTO tasks (name) VALUES ('b')");
  const before = ids(await other.query("SELECT id FROM tasks ORDER BY id"));
  await first.query("COMMIT");
  return `${before} then ${ids(await other.query("SELECT id FROM tasks ORDER BY id"))}`;
}

async function gaps({ session }) {
  const one = await session();
  const insert = (name) => one.query(`INSERT INTO tasks (name) VALUES ('${name}') ON CONFLICT DO NOTHING`);
  await one.query("BEGIN");
  await insert("a");
  await one.query("ROLLBACK");
  await insert("b");
  await insert("b");
  await insert("c");
  return ids(await one.query("SELECT id FROM tasks ORDER BY id"));
}

async function afterError({ session }) {
  const one = await session();
  await one.query("BEGIN");
  await one.query("SELECT 1 / 0").catch(() => {});
  const code = await one.query(INSERT).then(() => "done", (error) => error.code);
  return `${code}, ${(await one.query("COMMIT")).command}`;
}

async function prepared({ session, postgres }) {
  const one = await session();
  await one.query("BEGIN");
  await one.query(INSERT);
  await one.query("PREPARE TRANSACTION 'kept'");
  await postgres.crash();
  const other = await session();
  const count = async () => Number((await other.query("SELECT count(*) AS n FROM marks")).rows[0].n);
  const before = (await count()) === 0 ? "invisible" : "visible";
  await other.query("SET lock_timeout = '500ms'");
  const lock = await other.query(INSERT).then(() => "free", ({ code }) => (code === "55P03" ? "locked" : code));
  await other.query("COMMIT PREPARED 'kept'");
  return `${before}, ${lock}, then ${(await count()) === 1 ? "visible" : "invisible"}`;
}

const QUEUE = "cases";

async function filled(channel, messages) {
  await channel.deleteQueue(QUEUE);
  await channel.assertQueue(QUEUE, { durable: true });
  for (const message of messages) channel.sendToQueue(QUEUE, Buffer.from(message), { persistent: true });
  await channel.waitForConfirms();
}

/** The next messages of the queue and whether they were handed out before. */
async function received(channel, count) {
  const seen = [];
  for (let n = 0; n < count; n += 1) {
    const { content, fields } = await channel.get(QUEUE);
    seen.push(`${content}${fields.redelivered ? " redelivered" : ""}`);
  }
  return seen.join(",");
}

async function lostWindow({ channel }) {
  const publisher = await channel();
  await filled(publisher, ["m1", "m2", "m3"]);
  const consumer = await channel();
  await consumer.prefetch(2);
  let count = 0;
  const both = new Promise((resolve) => {
    void consumer.consume(QUEUE, () => { if (++count === 2) resolve(); });
  });
  await both;
  consumer.hangUp();
  await pause(WAIT_MS);
  return received(publisher, 3);
}

async function nacked({ channel }) {
  const one = await channel();
  await filled(one, ["m1", "m2", "m3"]);
  one.nack(await one.get(QUEUE), false, true);
  return received(one, 3);
}

const unroutable = (mandatory) => async ({ channel }) => {
  const one = await channel();
  const seen = [];
  one.on("return", () => seen.push("returned"));
  await new Promise((resolve) => {
    one.publish("", "no-such-queue", Buffer.from("m"), { mandatory }, (error) => {
      seen.push(error ? "refused" : "confirmed");
      resolve();
    });
  });
  return seen.join(", then ");
};

async function killedBroker({ channel, rabbitmq }) {
  const publisher = await channel();
  await filled(publisher, []);
  let confirmed = 0;
  const some = new Promise((resolve) => {
    const note = (error) => { if (!error && ++confirmed === 300) resolve(); };
    for (let n = 0; n < 3000; n += 1) publisher.sendToQueue(QUEUE, Buffer.from(`${n}`), { persistent: true }, note);
  });
  await some;
  await rabbitmq.crash();
  const { messageCount } = await (await channel()).checkQueue(QUEUE);
  return messageCount >= confirmed ? "none lost" : `${confirmed} confirmed, ${messageCount} there`;
}

const MERGE = `${INSERT} ON CONFLICT DO NOTHING`;
const SEEN = {
  "a duplicate insert after the first commits": second(MERGE, "COMMIT"),
  "a duplicate insert after the first rolls back": second(MERGE, "ROLLBACK"),
  "a plain duplicate insert after the first commits": second(INSERT, "COMMIT"),
  "SKIP LOCKED with LIMIT 2 past a locked first row": skipLocked,
  "ids against commit order": idsAndCommits,
  "ids after a rollback and after a conflict": gaps,
  "a statement and COMMIT after an error": afterError,
  "a prepared transaction after a crash": prepared,
  "a lost consumer's window of two": lostWindow,
  "a nacked message in a classic queue": nacked,
  "an unroutable publish": unroutable(false),
  "an unroutable mandatory publish": unroutable(true),
  "confirmed publishes after the broker is killed": killedBroker,
};
