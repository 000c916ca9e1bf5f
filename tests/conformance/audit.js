// What each order was owed and what it got, by the scene's own queries and the mail server's
// records, and the verdict on it at rest: the rules of the library's audit, for real systems.

import { bind } from "./adapter/database.js";

/** `read(database, text, values)` gives rows as texts; `letters` and `queued` what is there. */
export async function judge(scene, { ordered, read, letters, queued }) {
  const numbers = async (queries = {}) => {
    const rows = await all(queries, read);
    return new Set(rows.map((row) => Number(row[0])).filter(Number.isSafeInteger));
  };
  const placed = await numbers(scene.placed);
  const waiting = new Set([...await numbers(scene.backlog), ...queued]);
  const got = await Promise.all(scene.claims.map((claim) => count(claim, read, letters)));
  const orders = new Set([...ordered, ...placed, ...got.flatMap((counts) => [...counts.keys()])]);
  return [...orders].sort((a, b) => a - b).map((order) => {
    const isPlaced = placed.has(order);
    const effects = scene.claims.map((claim, index) => ({
      name: claim.effect,
      owed: isPlaced ? claim.count : 0,
      got: got[index].get(order) ?? 0,
    }));
    return { order, verdict: verdict(isPlaced, effects, waiting.has(order)), effects };
  });
}

export function verdict(isPlaced, effects, waits) {
  const short = effects.some(({ got, owed }) => got < owed);
  const over = effects.some(({ got, owed }) => got > owed);
  if (!isPlaced) return effects.some(({ got }) => got > 0) ? "phantom" : "not-placed";
  if (short && over) return "inconsistent";
  if (over) return "doubled";
  if (short) return waits ? "stuck" : "lost";
  return "once";
}

async function count({ effect, queries }, read, letters) {
  const counts = new Map();
  const add = (order, amount) => counts.set(order, (counts.get(order) ?? 0) + amount);
  if (queries) {
    for (const [order, amount] of await all(queries, read)) add(Number(order), Number(amount));
  } else {
    for (const { order, kind } of letters) if (kind === effect) add(order, 1);
  }
  return counts;
}

async function all(queries, read) {
  const asked = Object.entries(queries).map(([database, statement]) => {
    const { text, values } = bind(statement);
    return read(database, text, values);
  });
  const results = await Promise.all(asked);
  return results.flat().map((row) => Object.values(row));
}

/** Whether any backlog row is left. */
export async function hasBacklog(scene, read) {
  return (await all(scene.backlog ?? {}, read)).length > 0;
}

const ORDER_KEYS = ["orderId", "order_id", "order"];

/** Which order a message is about, if it says so. */
export function orderOf(value, depth = 0) {
  if (value === null || typeof value !== "object") return undefined;
  const named = ORDER_KEYS.map((key) => value[key]).find(Number.isSafeInteger);
  if (named !== undefined || depth >= 4) return named;
  return Object.values(value).map((inner) => orderOf(inner, depth + 1)).find((it) => it !== undefined);
}
