// Dialogs: a new game, the keys, the choice of a game or a format.

import { byId, el, isTyping, keyOf } from "./dom.js";
import { t } from "./words.js";
import { playerName } from "./names.js";
import { FORMS, formName } from "./files.js";

const dialog = byId("dialog");

dialog.addEventListener("keydown", (event) => {
  if (!event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target)) press(dialog, event);
});

/** Clicks the button in `box` that has the key of the event. False if there is no visible one. */
export function press(box, event) {
  const key = keyOf(event);
  const button = [...box.querySelectorAll("[data-key]")].find((it) => it.dataset.key === key);
  if (!button?.checkVisibility()) return false;
  event.preventDefault();
  button.click();
  return true;
}

/** The keys of answers, in order. */
export const ANSWER_KEYS = [..."123456789abcdef"];

function show(title, ...content) {
  dialog.classList.remove("wide");
  dialog.replaceChildren(el("h2", { id: "dialog-title" }, title), ...content);
  if (!dialog.open) dialog.showModal();
}

/** Closes the open dialog, if any. */
export function closeDialog() {
  if (dialog.open) dialog.close();
}

export function isDialogOpen() {
  return dialog.open;
}

/** Asks for the terms of a new game and calls `begin` with them. */
export function askNewGame({ settings, offer, begin }) {
  const field = (id, label, control) => [el("label", { for: id }, t(label)), control];
  const select = (id, values, value, name) => {
    const box = el("select", { id }, ...values.map((it) => el("option", { value: it }, name(it))));
    box.value = value;
    return box;
  };
  const players = ["me", ...offer.levels.map((it) => `level:${it.name}`), ...offer.bots.map((it) => `bot:${it}`)];
  const [least, most] = offer.sides;
  const side = (id, name) => el("input", { type: "number", id, min: least, max: most, required: true, value: settings.get(name), "aria-label": t(`new.${name}`) });
  const number = (id, name, attributes) => el("input", { type: "number", id, required: true, value: settings.get(name), ...attributes, "aria-label": t(`new.${name}`) });
  const clock = el("input", { type: "checkbox", id: "new-clock", checked: settings.get("clock") });
  const form = el("form", { method: "dialog" },
    el("div", { class: "fields" },
      field("new-rule", "new.rule", select("new-rule", offer.rules, settings.get("rule"), (it) => t(`rule.${it}`))),
      field("new-width", "new.size", el("span", { class: "row-of" }, side("new-width", "width"), "×", side("new-height", "height"))),
      field("new-opening", "new.opening", select("new-opening", ["none", ...offer.openings], settings.get("opening"), (it) => t(`opening-rule.${it}`))),
      field("new-black", "color.black", select("new-black", players, settings.get("black"), playerName)),
      field("new-white", "color.white", select("new-white", players, settings.get("white"), playerName)),
      field("new-clock", "new.clock", el("span", { class: "row-of" }, clock,
        number("new-minutes", "clockMinutes", { min: 0.1, max: 600, step: 0.1 }), el("span", { class: "soft" }, t("new.minutes")),
        "+", number("new-increment", "clockIncrement", { min: 0, max: 600, step: 1 }), el("span", { class: "soft" }, t("new.increment"))))),
    el("p", { class: "soft", id: "rule-about" }, t(`rule-about.${settings.get("rule")}`)),
    el("div", { class: "buttons" },
      el("button", { type: "button", onclick: closeDialog }, t("action.cancel")),
      el("button", { type: "submit", class: "primary", id: "new-begin" }, t("new.begin"))));
  form.addEventListener("change", (event) => {
    if (event.target.id === "new-rule") byId("rule-about").textContent = t(`rule-about.${event.target.value}`);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const value = (id) => byId(id).value;
    const terms = {
      rule: value("new-rule"), width: Number(value("new-width")), height: Number(value("new-height")),
      opening: value("new-opening"), black: value("new-black"), white: value("new-white"),
      clock: clock.checked, clockMinutes: Number(value("new-minutes")), clockIncrement: Number(value("new-increment")),
    };
    for (const [name, it] of Object.entries(terms)) settings.set(name, it);
    closeDialog();
    begin(terms);
  });
  show(t("new.title"), form);
}

/** Shows the keys and their actions. */
export function showKeys(keys) {
  const list = el("dl", { class: "keys" }, ...keys.map(({ keys: names, label, more }) => el("div", {},
    el("dt", {}, ...names.flatMap((name, index) => (index === 0 ? [el("kbd", {}, name)] : [" ", el("kbd", {}, name)]))),
    el("dd", {}, more ? `${t(label)}: ${more}` : t(label)))));
  show(t("help.title"), list, el("p", { class: "soft" }, t("help.mouse")),
    el("div", { class: "buttons" }, el("button", { type: "button", class: "primary", onclick: closeDialog }, t("action.close"))));
  dialog.classList.add("wide");
  // The focused button is below all keys.
  dialog.scrollTop = 0;
}

/** Asks for a format and downloads the game in it. */
export function chooseForm(files) {
  const buttons = FORMS.map((form, index) => el("button", { type: "button", "data-key": ANSWER_KEYS[index], onclick: () => {
    closeDialog();
    files.download(form);
  } }, formName(form)));
  show(t("files.download"), el("div", { class: "row-of asks" }, ...buttons),
    el("div", { class: "buttons" }, el("button", { type: "button", onclick: closeDialog }, t("action.cancel"))));
}

/** Asks for one of the games of a file. Returns its index, or null. */
export function chooseGame(games) {
  return new Promise((resolve) => {
    let chosen = null;
    const entries = games.map((game, index) => {
      const names = [game.black, game.white].filter(Boolean).join(" – ");
      const moves = game.nodes.filter((node) => node.at).length;
      const text = t("files.game", { number: index + 1, names: names || "", moves, size: `${game.width}×${game.height}` });
      return el("li", {}, el("button", { type: "button", "data-key": ANSWER_KEYS[index], onclick: () => {
        chosen = index;
        closeDialog();
      } }, text));
    });
    dialog.addEventListener("close", () => resolve(chosen), { once: true });
    show(t("files.choose", { count: games.length }), el("ol", { class: "worst" }, ...entries),
      el("div", { class: "buttons" }, el("button", { type: "button", onclick: closeDialog }, t("action.cancel"))));
  });
}
