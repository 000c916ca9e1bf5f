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

/** Boundaries before which a real process may have stopped, when it was told to stop at this one. */
function sameMoment(boundary, calls) {
  if (boundary.phase !== "answer") return [boundary];
  // A call that leaves in the same turn of the event loop may or may not get out of the machine.
  const mine = calls.filter(({ part }) => part === boundary.part);
  const at = mine.findIndex(({ line, nth }) => line === boundary.line && nth === boundary.nth);
  const next = mine[at + 1];
  return next ? [boundary, { ...boundary, line: next.line, nth: next.nth, phase: "before" }] : [boundary];
}

/**
 * How a real outcome stands to the simulator's: `agrees` if some seed gives it at this very
 * boundary; `near` if some seed gives it at the same line and phase for another round of the
 * same loop, as polls fall differently in real time; else `differs`.
 */
export async function compare(simulator, boundary, calls, accounts) {
  const real = text(accounts);
  const exact = await union(simulator, sameMoment(boundary, calls));
  if (exact.has(real)) return { result: "agrees", real, simulated: exact };
  const most = (await simulator.counts()).get(`${boundary.part}.${boundary.line}`) ?? 0;
  const rounds = Array.from({ length: most }, (_, index) => ({ ...boundary, nth: index + 1 }));
  const near = await union(simulator, rounds.flatMap((it) => sameMoment(it, calls)));
  return { result: near.has(real) ? "near" : "differs", real, simulated: exact, near };
}

async function union(simulator, boundaries) {
  const sets = [];
  for (const boundary of boundaries) sets.push(await simulator.outcomes(boundary));
  return new Set(sets.flatMap((set) => [...set]));
}
