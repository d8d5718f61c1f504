// The dialog for the language, the look, sounds and keys.

import { byId, el } from "./dom.js";
import { LANGUAGES, t } from "./words.js";
import { closeDialog, show } from "./dialogs.js";

export const THEMES = ["auto", "light", "dark"];
export const BOARDS = ["wood", "paper", "green", "slate"];

/** Shows the settings; changes act immediately. `speak` changes the language. */
export function askSettings({ settings, speak, clearData, help }) {
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
  show(t("action.settings"),
    el("div", { class: "fields" },
      field("language", "action.language", select("language", "L", Object.keys(LANGUAGES), document.documentElement.lang, (it) => LANGUAGES[it], async (code) => {
        await speak(code);
        askSettings({ settings, speak, clearData, help });
        byId("language").focus();
      })),
      field("theme", "settings.theme", select("theme", "d", THEMES, settings.get("theme"), (it) => t(`theme.${it}`), (it) => settings.set("theme", it))),
      field("board-look", "settings.board", select("board-look", "", BOARDS, settings.get("board"), (it) => t(`board.${it}`), (it) => settings.set("board", it)))),
    el("div", { class: "panel-body" },
      check("numbers", "numbers", "key.numbers"),
      check("coordinates", "coordinates", "key.coordinates"),
      check("sound", "sound", "settings.sound"),
      check("letter-keys", "letterKeys", "settings.letter-keys")),
    el("p", { class: "soft" }, t("privacy")),
    el("div", { class: "buttons" },
      el("button", { type: "button", class: "quiet danger", id: "clear-data", onclick: clearData }, t("settings.clear")),
      el("button", { type: "button", "data-key": "?", onclick: help }, t("help.title")),
      el("button", { type: "button", class: "primary", onclick: closeDialog }, t("action.close"))));
}
