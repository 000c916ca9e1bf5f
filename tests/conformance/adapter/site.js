// Where in the scene file a call stands: taken from the stack while the call is being made.

/** The innermost frame of the scene file: `{ line, column }` of the called name. */
export function siteOfCall(sceneUrl) {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 50;
  const { stack } = new Error();
  Error.stackTraceLimit = limit;
  for (const frame of stack.split("\n")) {
    const at = frame.lastIndexOf(sceneUrl);
    const place = at < 0 ? null : /^(?:\?[^:]*)?:(\d+):(\d+)/.exec(frame.slice(at + sceneUrl.length));
    if (place) return { line: Number(place[1]), column: Number(place[2]) };
  }
  return { line: 0, column: 0 };
}

/** The line on which a call ends that begins at a place: that of the parenthesis that closes it. */
export function lastLineOfCall(text, { line, column }) {
  const lines = text.split("\n");
  let at = lines.slice(0, line - 1).reduce((sum, it) => sum + it.length + 1, 0) + column - 1;
  at = text.indexOf("(", at);
  const end = closing(text, at);
  return text.slice(0, end).split("\n").length;
}

const CLOSES = { "(": ")", "[": "]", "{": "}" };

/** The place of the bracket that closes the one at `open`. */
function closing(text, open) {
  let at = open + 1;
  while (at < text.length && text[at] !== CLOSES[text[open]]) at = skip(text, at);
  return at;
}

/** The place behind the token at `at`: a string, a comment, a bracketed piece, or one character. */
function skip(text, at) {
  if (text.startsWith("//", at)) return endOr(text, text.indexOf("\n", at));
  if (text.startsWith("/*", at)) return endOr(text, text.indexOf("*/", at)) + 2;
  if (text[at] in CLOSES) return closing(text, at) + 1;
  if (text[at] === "'" || text[at] === '"' || text[at] === "`") return endOfString(text, at);
  return at + 1;
}

function endOfString(text, start) {
  let at = start + 1;
  while (at < text.length && text[at] !== text[start]) {
    if (text[at] === "\\") at += 2;
    else if (text[start] === "`" && text.startsWith("${", at)) at = closing(text, at + 1) + 1;
    else at += 1;
  }
  return at + 1;
}

function endOr(text, at) {
  return at < 0 ? text.length : at;
}
