// The languages of the page. Words are data: one file for each language, English where a word is
// missing.

/** Languages by code, each in its own name. */
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

let words = {};
let english = {};

/** The language that suits the browser best. */
export function preferredLanguage() {
  for (const wanted of navigator.languages ?? [navigator.language]) {
    const tag = wanted.toLowerCase();
    if (/^zh\b/.test(tag)) return /hant|tw|hk|mo/.test(tag) ? "zh-Hant" : "zh-Hans";
    const code = tag.split("-")[0];
    if (code in LANGUAGES) return code;
  }
  return "en";
}

async function load(code) {
  const response = await fetch(`/languages/${code}.json`, { credentials: "same-origin" });
  return response.ok ? response.json() : {};
}

/** Speaks this language from now on. */
export async function speak(code) {
  if (Object.keys(english).length === 0) english = await load("en");
  words = code === "en" ? english : await load(code);
  document.documentElement.lang = code;
  translate(document.body);
}

/** The words for `key`; `{name}` in them is replaced from `values`. */
export function t(key, values = {}) {
  const text = words[key] ?? english[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** Puts words into every element that says which: data-t its text, data-t-label its label. */
export function translate(root) {
  for (const element of root.querySelectorAll("[data-t]")) {
    element.textContent = t(element.dataset.t);
    if (element.dataset.key) element.title = `${element.textContent} (${element.dataset.key})`;
  }
  for (const element of root.querySelectorAll("[data-t-label]")) {
    const text = t(element.dataset.tLabel);
    element.setAttribute("aria-label", text);
    element.setAttribute("title", element.dataset.key ? `${text} (${element.dataset.key})` : text);
  }
}
