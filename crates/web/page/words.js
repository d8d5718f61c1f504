// The languages of the page: one file of texts for each. A missing text is shown in English.

import { loadLanguage } from "./data-files.js";

/**
 * Languages by code, each by its own name.
 * @type {Record<string, string>}
 */
export const LANGUAGES = {
  en: "English",
  "zh-Hans": "简体中文",
  "zh-Hant": "繁體中文",
  ja: "日本語",
  ko: "한국어",
  vi: "Tiếng Việt",
  cs: "Čeština",
  ru: "Русский",
};

/** @type {Record<string, string>} */
let words = {};
/** @type {Record<string, string>} */
let english = {};
/** Number of calls of `setLanguage`. */
let calls = 0;
let plurals = new Intl.PluralRules("en");

/** The first language of the browser's list that the page has. */
export function preferredLanguage() {
  for (const wanted of navigator.languages ?? [navigator.language]) {
    const tag = wanted.toLowerCase();
    // The script decides; without one the region does.
    if (/^zh\b/.test(tag)) return !/hans/.test(tag) && /hant|tw|hk|mo/.test(tag) ? "zh-Hant" : "zh-Hans";
    const code = tag.split("-")[0];
    if (code in LANGUAGES) return code;
  }
  return "en";
}

/**
 * Switches the page to a language.
 * @param {string} code
 */
export async function setLanguage(code) {
  const own = ++calls;
  if (Object.keys(english).length === 0) english = await loadLanguage("en");
  const loaded = code === "en" ? english : await loadLanguage(code);
  // Another language was selected while this one was loading.
  if (own !== calls) return;
  words = loaded;
  plurals = new Intl.PluralRules(code in LANGUAGES ? code : "en");
  document.documentElement.lang = code;
  translate(document.body);
}

/**
 * Whether there is a text of `key`.
 * @param {string} key
 */
export function hasText(key) {
  return key in words || key in english;
}

/** A value, or forms by its plural category: `{plies, plural, one {# move} other {# moves}}`. */
const PLACE = /\{(\w+)(?:, plural,((?: \w+ \{[^{}]*\})+))?\}/g;

/**
 * The form of a number, with `#` replaced by it.
 * @param {string} forms
 * @param {number} value
 */
function pluralForm(forms, value) {
  const all = new Map([...forms.matchAll(/(\w+) \{([^{}]*)\}/g)].map(([, name, text]) => [name, text]));
  const form = all.get(plurals.select(value)) ?? all.get("other") ?? "#";
  return form.replace("#", String(value));
}

/**
 * The text of `key`. Each `{name}` in it is replaced by that value, a plural by the form of the number.
 * @param {string} key
 * @param {Record<string, string | number | null | undefined>} values
 */
export function t(key, values = {}) {
  const text = words[key] ?? english[key] ?? key;
  return text.replace(PLACE, (whole, name, forms) => {
    const value = values[name];
    if (value === null || value === undefined) return whole;
    return forms ? pluralForm(forms, Number(value)) : String(value);
  });
}

/**
 * Sets the texts of all elements below `root`: data-t names the text, data-t-label the label.
 * @param {ParentNode} root
 */
export function translate(root) {
  for (const element of elements(root, "[data-t]")) {
    element.textContent = t(element.dataset.t ?? "");
    // The text of a button with an icon is in an element of its own.
    const owner = /** @type {HTMLElement | null} */ (element.closest("[data-key]"));
    if (owner) owner.title = `${element.textContent} (${owner.dataset.key})`;
  }
  for (const element of elements(root, "[data-t-label]")) {
    const text = t(element.dataset.tLabel ?? "");
    element.setAttribute("aria-label", text);
    element.setAttribute("title", element.dataset.key ? `${text} (${element.dataset.key})` : text);
  }
}

/**
 * The elements of the page below `root` that match `selector`.
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {NodeListOf<HTMLElement>}
 */
function elements(root, selector) {
  return root.querySelectorAll(selector);
}
