// The dialog for the language, the look, sounds and keys.

import { byId, el } from "./dom.js";
import { LANGUAGES, t } from "./words.js";
import { hasServer } from "./settings.js";
import { closeDialog, isDialogOpen, show } from "./dialogs.js";

export const THEMES = ["auto", "light", "dark"];
export const BOARDS = ["wood", "paper", "green", "slate"];

/** Choices of threads and of memory in MiB. */
const THREADS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128];
const MEMORY = [16, 32, 64, 128, 192, 256, 384, 512, 768, 1024, 2048, 4096, 8192, 16384, 32768];

/**
 * The values within a range, with its ends; 0 is the usual one.
 * @param {number[]} values
 * @param {{ least: number, most: number }} range
 */
export function within(values, { least, most }) {
  const inside = values.filter((it) => it > least && it < most);
  return least === most ? [0] : [0, least, ...inside, most];
}

/** Shows the settings; changes act immediately. `speak` changes the language; `choices` are the resources
 * that the user can choose, or null. */
export function askSettings({ settings, speak, clearData, help, choices }) {
  const select = (id, key, values, value, name, change) => {
    const box = el("select", { id, "data-key": key, onchange: (event) => change(event.target.value) },
      ...values.map((it) => el("option", { value: it, lang: id === "language" ? it : null }, name(it))));
    box.value = value;
    return box;
  };
  const field = (id, label, control) => [el("label", { for: id }, t(label)), control];
  const check = (id, name, label) => el("label", { class: "check" },
    el("input", { type: "checkbox", id, checked: settings.get(name), onchange: (event) => settings.set(name, event.target.checked) }),
    el("span", {}, t(label)));
  const resource = (id, name, label, range, values, unit) => {
    const text = (it) => (it === 0 ? t("settings.usual", { value: `${range.usual}${unit}` }) : `${it}${unit}`);
    const offered = within(values, range);
    const chosen = offered.includes(settings.get(name)) ? settings.get(name) : 0;
    return field(id, label, select(id, "", offered, chosen, text, (it) => settings.set(name, Number(it))));
  };
  const engineFields = () => {
    if (!choices) return [];
    const { threads, memory_mib: memory, ponder } = choices;
    return [
      el("div", { class: "fields" },
        threads.most > 1 ? resource("threads", "threads", "settings.threads", threads, THREADS, "") : null,
        resource("memory", "memory", "settings.memory", memory, MEMORY, " MiB")),
      threads.most > 1 ? null : el("p", { class: "soft", id: "one-thread" }, t(hasServer() ? "settings.one-thread-server" : "settings.one-thread")),
      ponder ? check("ponder", "ponder", "settings.ponder") : null,
    ];
  };
  show(t("action.settings"),
    el("div", { class: "fields" },
      field("language", "action.language", select("language", "L", Object.keys(LANGUAGES), document.documentElement.lang, (it) => LANGUAGES[it], async (code) => {
        await speak(code);
        // It may have been closed while the language was loading.
        if (!isDialogOpen()) return;
        askSettings({ settings, speak, clearData, help, choices });
        byId("language").focus();
      })),
      field("theme", "settings.theme", select("theme", "d", THEMES, settings.get("theme"), (it) => t(`theme.${it}`), (it) => settings.set("theme", it))),
      field("board-look", "settings.board", select("board-look", "", BOARDS, settings.get("board"), (it) => t(`board.${it}`), (it) => settings.set("board", it)))),
    el("div", { class: "panel-body" },
      check("numbers", "numbers", "key.numbers"),
      check("coordinates", "coordinates", "key.coordinates"),
      check("sound", "sound", "settings.sound"),
      check("letter-keys", "letterKeys", "settings.letter-keys")),
    ...engineFields(),
    el("p", { class: "soft" }, t("privacy")),
    el("div", { class: "buttons" },
      el("button", { type: "button", class: "quiet danger", id: "clear-data", onclick: clearData }, t("settings.clear")),
      el("button", { type: "button", "data-key": "?", onclick: help }, t("help.title")),
      el("button", { type: "button", class: "primary", onclick: closeDialog }, t("action.close"))));
}
