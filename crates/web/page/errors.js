// Error responses as texts in the language of the page.

import { ServerError } from "./transport.js";
import { LANGUAGES, hasText, t } from "./words.js";

/**
 * A reason in English as a text. In other languages the language is named.
 * @param {string} reason
 */
function reasonText(reason) {
  const lang = globalThis.document?.documentElement?.lang;
  return !lang || lang === "en" ? reason : `${reason} (${LANGUAGES.en})`;
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
