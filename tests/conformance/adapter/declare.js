// The package "pull-the-plug" as scene files import it in Node: what the declarations of a scene
// become. Nothing is checked here: the command `plug check` does that.

/** The tag of SQL: its text and its parameters, apart. */
export function sql(pieces, ...parameters) {
  return { pieces: [...pieces], parameters };
}

const part = (kind) => (options = {}) => ({ part: kind, ...options });

export const service = part("service");
export const worker = part("worker");
export const postgres = part("postgres");
export const rabbitmq = part("rabbitmq");
export const mail = part("mail");

/** A claim counts effects by kind: in the mail server's records, or by a query of its own. */
export function exactly(count, effect) {
  return { perOrder: (queries) => ({ claim: "exactly", count, effect, queries }) };
}

/** `export default scene({…})`. */
export function scene(declared) {
  return declared;
}
