// The page's words by their ids, as static/i18n has them: tests name what they look for, and the
// wording stays free to change. Only one-line messages; plurals are written out where they are tested.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const I18N = join(import.meta.dirname, "../../static/i18n");

/** The words of a language: `say(id, { name: value })`. */
export function words(lang) {
  const messages = new Map();
  for (const file of readdirSync(join(I18N, lang))) {
    const text = readFileSync(join(I18N, lang, file), "utf8");
    for (const [, id, message] of text.matchAll(/^(-?[a-z][a-z0-9-]*) = (.+)$/gm)) {
      messages.set(id, message);
    }
  }
  return function say(id, values = {}) {
    const message = messages.get(id);
    if (message === undefined) throw new Error(`no message ${id}`);
    return message.replace(/\{ (?:(-[a-z-]+)|(?:NUMBER\()?\$(\w+)[^}]*) \}/g, (_, term, name) => {
      return term ? say(term) : String(values[name]);
    });
  };
}
