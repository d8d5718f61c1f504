// Error responses as texts in the language of the page.

import { ServerError } from "./transport.js";
import { LANGUAGES, hasText, t } from "./words.js";

/**
 * Reasons of the readers of files, which have no codes, with the names of their parts.
 * @type {[RegExp, (found: string[]) => string][]}
 */
const REASONS = [
  [/^"(.+)" is not a move such as/, ([, text]) => t("error.cell", { text })],
  [/^(\S+) lies outside the (\S+) board/, ([, name, size]) => t("error.off-board", { name, size })],
  [/^(\S+) is (?:played twice|out of play)$/, ([, name]) => `${name}: ${t("error.offence.occupied")}`],
];

/**
 * A reason in English as a text: a translation of the frequent ones, else the language is named.
 * @param {string} reason
 */
function reasonText(reason) {
  const lang = globalThis.document?.documentElement?.lang;
  if (!lang || lang === "en") return reason;
  for (const [pattern, text] of REASONS) {
    const found = pattern.exec(reason);
    if (found) return text(found);
  }
  return `${reason} (${LANGUAGES.en})`;
}

/**
 * The text of an error: a translation if the server sent a code, else its English reason. A value of
 * an error may be an error itself.
 * @param {ServerError} error
 * @returns {string}
 */
export function errorText({ code, values, message }) {
  const key = `error.${code}`;
  if (!code || !hasText(key)) return reasonText(message);
  const texts = Object.entries(values).map(([name, value]) => [name, valueText(name, value)]);
  return t(key, Object.fromEntries(texts));
}

/**
 * @param {string} name
 * @param {any} value
 */
function valueText(name, value) {
  if (typeof value === "object" && value !== null) return errorText(ServerError.of(value));
  // A place in a list, with its number: `move 3 (h8)`.
  const [, kind, number, at] = (name === "place" && /^(\w+) (\d+)(?: \((.*)\))?$/.exec(value)) || [];
  if (kind && hasText(`error.place.${kind}`)) return t(`error.place.${kind}`, { number, name: at });
  if (name === "reason") return reasonText(value);
  const key = [`error.${name}.${value}`, `${name}.${value}`].find(hasText);
  return key ? t(key) : value;
}
