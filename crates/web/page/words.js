// The languages of the page. Words are data: one file for each language, English where a word is
// missing.

/**
 * Languages by code, each in its own name.
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
/** How often `setLanguage` was called. */
let calls = 0;

/** The language that suits the browser best. */
export function preferredLanguage() {
  for (const wanted of navigator.languages ?? [navigator.language]) {
    const tag = wanted.toLowerCase();
    // The script decides, and only without one the region.
    if (/^zh\b/.test(tag)) return !/hans/.test(tag) && /hant|tw|hk|mo/.test(tag) ? "zh-Hant" : "zh-Hans";
    const code = tag.split("-")[0];
    if (code in LANGUAGES) return code;
  }
  return "en";
}

/**
 * The words of a language; none where the server has no such file.
 * @param {string} code
 * @returns {Promise<Record<string, string>>}
 */
async function load(code) {
  const response = await fetch(`/languages/${code}.json`, { credentials: "same-origin" });
  return response.ok ? response.json() : {};
}

/**
 * Speaks this language from now on.
 * @param {string} code
 */
export async function setLanguage(code) {
  const own = ++calls;
  if (Object.keys(english).length === 0) english = await load("en");
  const loaded = code === "en" ? english : await load(code);
  // Another language was chosen while this one was loading.
  if (own !== calls) return;
  words = loaded;
  document.documentElement.lang = code;
  translate(document.body);
}

/**
 * The words for `key`; `{name}` in them is replaced from `values`.
 * @param {string} key
 * @param {Record<string, string | number | null | undefined>} values
 */
export function t(key, values = {}) {
  const text = words[key] ?? english[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/**
 * Puts words into every element that says which: data-t its text, data-t-label its label.
 * @param {ParentNode} root
 */
export function translate(root) {
  for (const element of elements(root, "[data-t]")) {
    element.textContent = t(element.dataset.t ?? "");
    if (element.dataset.key) element.title = `${element.textContent} (${element.dataset.key})`;
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
