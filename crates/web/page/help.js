// The help: the game in pictures, then the keys by groups.

import { el } from "./dom.js";
import { t } from "./words.js";
import { LESSONS } from "./pictograms.js";
import { closeDialog, show } from "./dialogs.js";

/** The entries of KEYS by their groups, in order. */
function groupsOf(keys) {
  const groups = new Map();
  let name = "";
  for (const entry of keys) {
    name = entry.group ?? name;
    groups.set(name, [...(groups.get(name) ?? []), entry]);
  }
  return groups;
}

function entryOf({ keys, label, more }) {
  const names = keys.flatMap((name, index) => (index === 0 ? [el("kbd", {}, name)] : [" ", el("kbd", {}, name)]));
  return el("div", {}, el("dt", {}, ...names), el("dd", {}, more ? `${t(label)}: ${more}` : t(label)));
}

/** Shows how to play and the keys. */
export function showHelp(keys) {
  const lessons = Object.entries(LESSONS).map(([name, draw]) => el("li", {}, draw(), t(`lesson.${name}`)));
  const groups = [...groupsOf(keys)].map(([name, entries]) => el("section", {},
    el("h3", {}, t(`keys.${name}`)), el("dl", { class: "keys" }, ...entries.map(entryOf))));
  show(t("help.title"),
    el("ul", { class: "lessons" }, ...lessons),
    el("p", {}, t("help.mouse")),
    el("div", { class: "key-groups" }, ...groups),
    el("div", { class: "buttons" }, el("button", { type: "button", class: "primary", onclick: closeDialog }, t("action.close"))));
  const dialog = document.getElementById("dialog");
  dialog.classList.add("wide");
  // The focused button is below all keys.
  dialog.scrollTop = 0;
}
