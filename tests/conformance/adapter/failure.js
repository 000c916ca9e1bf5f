// Errors as programs see them: a message and a code, the same codes as in the simulator.

/** How long a call waits for its answer. */
export const CALL_TIMEOUT_MS = 2000;

export function failure(code, message) {
  return Object.assign(new Error(message), { code });
}

/** The answer, or a rejection with code `timeout` after two seconds; then `giveUp` runs. */
export function inTime(answer, giveUp = () => {}) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => {
      giveUp();
      reject(failure("timeout", "no answer in time"));
    }, CALL_TIMEOUT_MS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
