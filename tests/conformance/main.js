// `node main.js --plug PATH [--sample] [--only PART.LINE] [--verbose] [SCENE…]`: starts the real
// systems, tries every boundary of the scenes and the rules of cases.json (`cases`), prints a table
// and writes results.json. Everything it starts ends with it.

import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { register } from "node:module";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { tryCases } from "./cases.js";
import { boundariesOf, compare, name } from "./compare.js";
import { Lane } from "./lane.js";
import { run } from "./run.js";
import { Simulator, text } from "./simulator.js";
import { Postgres } from "./systems/postgres.js";
import { RabbitMq } from "./systems/rabbitmq.js";

const SCENES = fileURLToPath(new URL("../../static/scenes/", import.meta.url));
const RESULTS = fileURLToPath(new URL("./results.json", import.meta.url));
const LANES = 6;
/** With `--sample`, one boundary of so many: most calls have three, so all phases get their turn. */
const SAMPLE = 4;

register("./adapter/resolve.js", import.meta.url);

const systems = [];
let stopping;
/** Stops what was started; every call waits for the same end. */
function stopAll() {
  stopping ??= Promise.allSettled(systems.map((system) => system.then((it) => it.stop())));
  return stopping;
}
for (const [signal, number] of [["SIGINT", 2], ["SIGTERM", 15], ["SIGHUP", 1]]) {
  process.once(signal, () => void stopAll().finally(() => process.exit(128 + number)));
}
// The end of the systems breaks connections in many places; only an error before it is news.
process.on("uncaughtException", (error) => {
  if (stopping) return;
  console.error(error);
  void stopAll().finally(() => process.exit(2));
});

function options(words) {
  const given = { plug: undefined, sample: false, verbose: false, only: undefined, scenes: [] };
  while (words.length > 0) {
    const word = words.shift();
    if (word === "--plug") given.plug = words.shift();
    else if (word === "--sample") given.sample = true;
    else if (word === "--verbose") given.verbose = true;
    else if (word === "--only") given.only = words.shift();
    else given.scenes.push(word.replace(/^.*static\/scenes\//, "").replace(/\.js$/, ""));
  }
  const all = readdirSync(SCENES, { recursive: true }).filter((file) => file.endsWith(".js")).sort();
  const known = all.map((file) => file.replaceAll("\\", "/").slice(0, -3));
  const cases = given.scenes.length === 0 || given.scenes.includes("cases");
  const onlyCases = given.scenes.join() === "cases";
  given.scenes = given.scenes.filter((scene) => scene !== "cases");
  const unknown = given.scenes.find((scene) => !known.includes(scene));
  if (unknown) throw new Error(`no scene is named ${unknown}; there are ${known.join(", ")}`);
  return { ...given, cases, scenes: given.scenes.length > 0 || onlyCases ? given.scenes : known };
}

async function tryScene(id, { plug, sample, only, verbose }, lanes) {
  const file = join(SCENES, `${id}.js`);
  const sceneUrl = pathToFileURL(file).href;
  const { default: scene } = await import(`${sceneUrl}?scene`);
  const simulator = new Simulator({ plug, file, restartMs: scene.restartMs ?? 1000 });
  const undisturbed = await run(lanes[0], { scene, sceneUrl });
  const plain = new Set((await Promise.all([0, 1, 2].map((seed) => simulator.run(seed, "")))).map((it) => it.outcome));
  const differences = [];
  const real = text(undisturbed.accounts);
  if (!plain.has(real)) differences.push({ boundary: "none", real, simulated: [...plain] });
  differences.push(...await unknownPlaces(simulator, undisturbed.calls));
  const all = boundariesOf(undisturbed.calls);
  const chosen = all.filter((it, index) => (only ? name(it).includes(only) : !sample || index % SAMPLE === 0));
  const counts = { boundaries: chosen.length, agreed: 0, alike: 0, differed: 0, notReached: 0 };
  const queue = [...chosen];
  const work = async (lane) => {
    for (let boundary; (boundary = queue.shift()); ) {
      const done = await run(lane, { scene, sceneUrl, boundary });
      await judgeRun(simulator, boundary, undisturbed.calls, done, { counts, differences, verbose });
    }
  };
  await Promise.all(lanes.map(work));
  return { scene: id, ...counts, differences };
}

/** Lines on which the real program calls and the simulated one never does. */
async function unknownPlaces(simulator, calls) {
  const counts = await simulator.counts();
  const places = new Set(calls.map(({ part, line }) => `${part}.${line}`));
  const missing = [...places].filter((place) => !counts.has(place));
  return missing.map((place) => ({ boundary: place, real: "called", simulated: ["never called"] }));
}

async function judgeRun(simulator, boundary, calls, done, { counts, differences, verbose }) {
  if (!done.killed) {
    counts.notReached += 1;
    return;
  }
  const { result, real, simulated } = await compare(simulator, boundary, calls, done.accounts);
  const line = { boundary: name(boundary), verb: boundary.verb, real, simulated: [...simulated] };
  if (verbose) console.log(result, JSON.stringify(line), JSON.stringify(done.crashes));
  if (result === "agrees") counts.agreed += 1;
  else if (result === "alike") counts.alike += 1;
  else {
    counts.differed += 1;
    differences.push({ ...line, crashes: done.crashes });
  }
}

function print(results) {
  const columns = ["boundaries", "agreed", "alike", "differed", "notReached"];
  console.log(`\n${"scene".padEnd(32)}${columns.map((it) => it.padStart(12)).join("")}`);
  for (const result of results) {
    console.log(`${result.scene.padEnd(32)}${columns.map((it) => String(result[it]).padStart(12)).join("")}`);
    for (const { boundary, real, simulated } of result.differences) {
      console.log(`  ${boundary}\n    real       ${real}\n    simulated  ${simulated.join("\n               ") || "(never)"}`);
    }
  }
}

/** Replaces what was tried now in the results file; the rest keeps the date of its own run. */
function write(stamp, { sample }, cases, results) {
  const known = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, "utf8")) : { rules: {}, scenes: [] };
  const rules = cases.length > 0 ? { ...stamp, tried: cases.length, held: cases.filter(({ isHeld }) => isHeld).length } : known.rules;
  const now = results.map((result) => ({ ...result, sample, ...stamp }));
  const others = known.scenes.filter(({ scene }) => now.every((result) => result.scene !== scene));
  const scenes = [...others, ...now].sort((a, b) => (a.scene < b.scene ? -1 : 1));
  writeFileSync(RESULTS, `${JSON.stringify({ rules, scenes }, null, 2)}\n`);
  console.log(`\nWritten: ${relative(process.cwd(), RESULTS)}`);
}

async function main() {
  const given = options(process.argv.slice(2));
  console.log("Starting PostgreSQL and RabbitMQ…");
  systems.push(Postgres.start(), RabbitMq.start(LANES));
  const [postgres, rabbitmq] = await Promise.all(systems);
  const lanes = Array.from({ length: LANES }, (_, number) => new Lane(number, { postgres, rabbitmq }));
  const cases = given.cases ? await tryCases({ postgres, rabbitmq }) : [];
  for (const { name, expect, real, test, isHeld } of cases) {
    console.log(`${isHeld ? "held   " : "DIFFERS"}  ${name}: ${real}${isHeld ? "" : ` instead of ${expect}, or no test ${test}`}`);
  }
  const results = [];
  for (const scene of given.scenes) {
    const began = Date.now();
    results.push(await tryScene(scene, given, lanes));
    console.log(`${scene}: ${Math.round((Date.now() - began) / 1000)} s`);
  }
  print(results);
  const versions = { postgresql: postgres.version, rabbitmq: rabbitmq.version, node: process.versions.node };
  if (!given.only) write({ date: new Date().toISOString().slice(0, 10), versions }, given, cases, results);
  return cases.every(({ isHeld }) => isHeld) && results.every(({ differed, differences }) => differed === 0 && differences.length === 0);
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  if (!stopping) console.error(error);
  process.exitCode = 2;
} finally {
  await stopAll();
}
