// All boundaries of a scene, tried on real systems and compared with the simulator.

import { text } from "./simulator.js";

/**
 * The boundaries of a real run without a crash: each call in each phase. Of the rounds between
 * two sleeps in which nothing was done, only each part's first is kept; all are alike.
 */
export function boundariesOf(calls) {
  const parts = [...new Set(calls.map(({ part }) => part))];
  return parts.flatMap((part) => {
    const rounds = roundsOf(calls.filter((call) => call.part === part));
    const idle = rounds.filter((round) => !round.some(({ changed }) => changed));
    return rounds.filter((round) => !idle.includes(round) || round === idle[0]).flat();
  }).flatMap(({ part, line, nth, verb, phases }) =>
    phases.map((phase) => ({ part, line, nth, verb, phase })));
}

function roundsOf(calls) {
  const rounds = [[]];
  for (const call of calls) {
    rounds.at(-1).push(call);
    if (call.verb === "sleep") rounds.push([]);
  }
  return rounds;
}

export const name = ({ part, line, nth, phase }) => `${part}.${line}#${nth}:${phase}`;

/** Of other rounds fewer seeds are asked: there are many rounds. */
const SEEDS_OF_ROUNDS = 5;

/**
 * How a real outcome stands to the simulator's. `agrees`: some seed gives all orders the same at
 * this very boundary. `alike`: real time has put the orders into other rounds of a loop, but each
 * order got what the simulator gives some order at the same line and phase in some round. Else
 * `differs`.
 *
 * After an answer, the next call leaves in the same turn of the event loop; whether it gets out of
 * the machine before the process dies is open, so the moment before that call counts too.
 */
export async function compare(simulator, boundary, calls, accounts) {
  const real = text(accounts);
  const next = boundary.phase === "answer" ? followers(boundary, calls) : [];
  const after = next.filter(({ nth }) => nth === boundary.nth).map((call) => before(boundary, call));
  const exact = await union(simulator, [boundary, ...after]);
  if (exact.has(real)) return { result: "agrees", real, simulated: exact };
  const most = await simulator.counts();
  const lines = new Map([[boundary.line, boundary.phase], ...next.map(({ line }) => [line, "before"])]);
  const rounds = [...lines].flatMap(([line, phase]) =>
    Array.from({ length: most.get(`${boundary.part}.${line}`) ?? 0 }, (_, index) =>
      ({ ...boundary, line, phase, nth: index + 1 })));
  const near = await union(simulator, rounds, SEEDS_OF_ROUNDS);
  const known = new Set([...near, ...exact].flatMap(orderOutcomes));
  const isAlike = orderOutcomes(real).every((outcome) => known.has(outcome));
  return { result: isAlike ? "alike" : "differs", real, simulated: exact };
}

/** The calls that a part made next after calls of this line, in the run without a crash. */
function followers(boundary, calls) {
  const mine = calls.filter(({ part }) => part === boundary.part);
  return mine.filter((_, index) => mine[index - 1]?.line === boundary.line);
}

const before = (boundary, { line, nth }) => ({ ...boundary, line, nth, phase: "before" });

/** What each order got, without its number. */
const orderOutcomes = (outcome) => outcome.split("; ").map((it) => it.replace(/^\d+: /, ""));

async function union(simulator, boundaries, seeds) {
  const sets = [];
  for (const boundary of boundaries) sets.push(await simulator.outcomes(boundary, seeds));
  return new Set(sets.flatMap((set) => [...set]));
}
