// All boundaries of a scene, tried on real systems and compared with the simulator.

import { text } from "./simulator.js";

/**
 * The boundaries of a real run without a crash: each call in each phase. Of idle polls after the
 * last change only one round is kept; all are alike.
 */
export function boundariesOf(calls) {
  const last = calls.findLastIndex(({ changed }) => changed);
  const seen = new Set();
  const kept = calls.filter(({ part, line }, index) => {
    const place = `${part}.${line}`;
    const keep = index <= last || !seen.has(place);
    if (index > last) seen.add(place);
    return keep;
  });
  return kept.flatMap(({ part, line, nth, verb, phases }) =>
    phases.map((phase) => ({ part, line, nth, verb, phase })));
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
