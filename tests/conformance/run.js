// One run of a scene on real systems: the processes of its parts, its orders, at most one crash,
// rest, verdicts.

import { hasBacklog, judge } from "./audit.js";
import { Supervisor } from "./supervisor.js";

const CUSTOMERS = [
  "Anna", "Boris", "Clara", "Dmitri", "Elena", "Fyodor", "Galina", "Henry", "Irina", "Jakob",
  "Kira", "Leo",
];
/** Quiet for so long, beyond the longest sleep of a program, is rest. */
const QUIET_MS = 700;
/** With work left over, the same after so long. */
const STUCK_MS = 8000;
/** No run takes longer; one that does has no verdict. */
const LIMIT_MS = 60_000;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * `boundary` is `{ part, line, nth, phase }` or nothing. Gives `accounts` by order, `killed`
 * whether the boundary was reached, and `calls`, all that programs called.
 */
export async function run(lane, { scene, sceneUrl, boundary }) {
  const record = { calls: [], crashes: [], killed: false, sleep: 0, busy: new Map(), down: 0, changedAt: Date.now() };
  const servers = await lane.prepare(scene);
  const restartMs = scene.restartMs ?? 1000;
  const programs = Object.entries(scene.parts).filter(([, { program }]) => program);
  const supervisors = programs.map(([part]) => new Supervisor({
    sceneUrl, part, servers, restartMs,
    target: boundary?.part === part ? boundary : undefined,
    news: (news) => note(record, news),
  }));
  try {
    await Promise.all(supervisors.map(({ ready }) => ready));
    const ordered = await order(scene, programs, supervisors, record);
    const isAtRest = await rest(lane, scene, record);
    await Promise.all(supervisors.map((supervisor) => supervisor.stop()));
    const queued = await lane.queued();
    const accounts = await judge(scene, { ordered, read: lane.read, letters: lane.letters, queued });
    if (!isAtRest) for (const account of accounts) account.verdict = "undecided";
    return { ...record, accounts };
  } finally {
    await Promise.all(supervisors.map((supervisor) => supervisor.stop()));
    await lane.close();
  }
}

/** Calls that a program at rest may be in. */
const WAITS = ["sleep", "subscribe"];
/** Calls that end the work on a message. */
const SETTLES = ["ack", "nack"];

/** Writes down what a process tells; whatever changes anything puts rest off. */
function note(record, { part, call, answer, sleeps, ended, crashed, ...others }) {
  if (call) record.calls.push({ part, at: Date.now(), ...call });
  if (answer) answeredIn(record, part, answer);
  const busy = record.busy.get(part) ?? { calls: 0, messages: 0 };
  record.busy.set(part, ended ? { calls: 0, messages: 0 } : busy);
  if (call && !WAITS.includes(call.verb)) busy.calls += 1;
  if (answer && !WAITS.includes(answer.verb)) busy.calls -= 1;
  if (others.received) busy.messages += 1;
  if (answer && SETTLES.includes(answer.verb)) busy.messages -= 1;
  if (sleeps) record.sleep = Math.max(record.sleep, sleeps);
  if (crashed) record.crashes.push({ part, ...crashed });
  if (ended?.signal === "SIGKILL") record.killed = true;
  if (ended && ended.code !== 0) record.down += 1;
  if (others.ready && record.down > 0) record.down -= 1;
  if (answer?.changed || ended || others.received || others.ready) record.changedAt = Date.now();
}

function answeredIn(record, part, { line, nth, changed, code }) {
  const call = record.calls.findLast((it) => it.part === part && it.line === line && it.nth === nth);
  if (call) Object.assign(call, { changed, code });
}

/**
 * Sends the orders as customers do: each once, without a retry. An order waits for the answer to
 * the one before: on a slow machine handlers would overlap that do not in the simulator's time.
 */
async function order(scene, programs, supervisors, record) {
  const service = programs.findIndex(([, { part }]) => part === "service");
  const ids = Array.from({ length: scene.orders.count }, (_, index) => index + 1);
  const answers = [];
  for (const id of ids) {
    await pause(id === 1 ? 100 : scene.orders.everyMs);
    const customer = CUSTOMERS[(id - 1) % CUSTOMERS.length];
    await answers.at(-1);
    answers.push(post(supervisors[service]?.port, { id, customer }));
    record.changedAt = Date.now();
  }
  await Promise.all(answers);
  record.changedAt = Date.now();
  return ids;
}

async function post(port, order) {
  if (port === undefined) return undefined; // Nobody listens: the connection is refused.
  const request = { method: "POST", body: JSON.stringify(order), signal: AbortSignal.timeout(20_000) };
  return fetch(`http://127.0.0.1:${port}/`, request).then((it) => it.status, () => undefined);
}

/** Waits until nothing changes any more; `false` at the limit. */
async function rest(lane, scene, record) {
  const end = Date.now() + LIMIT_MS;
  while (Date.now() < end) {
    await pause(100);
    const quiet = Date.now() - record.changedAt - record.sleep;
    if (record.down > 0 || quiet < QUIET_MS) continue;
    const isBusy = [...record.busy.values()].some(({ calls, messages }) => calls > 0 || messages > 0);
    const hasWork = isBusy || (await lane.ready()) > 0 || (await hasBacklog(scene, lane.read));
    if (!hasWork || quiet > STUCK_MS) return true;
  }
  return false;
}
