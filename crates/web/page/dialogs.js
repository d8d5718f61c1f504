// The dialog: its content is a form, a choice of a game or a format, or a question.

import { byId, el, isTyping, keyOf, setContent } from "./dom.js";
import { t } from "./words.js";
import { FORMS, formName } from "./files.js";

const dialog = byId("dialog");

dialog.addEventListener("keydown", (event) => {
  if (!event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target)) press(dialog, event);
});

/** Clicks the button in `box` that has the key of the event. False if there is no visible one. */
export function press(box, event) {
  const key = keyOf(event);
  const button = [...box.querySelectorAll("[data-key]")].find((it) => it.dataset.key === key);
  // Safari before 17.4 has no checkVisibility.
  if (!button || !(button.checkVisibility?.() ?? button.getClientRects().length > 0)) return false;
  event.preventDefault();
  button.click();
  return true;
}

/** The keys of answers, in order. */
export const ANSWER_KEYS = [..."123456789abcdef"];

/** Shows the dialog with this title and content. */
export function show(title, ...content) {
  dialog.classList.remove("wide");
  setContent(dialog, el("h2", { id: "dialog-title" }, title), ...content);
  if (!dialog.open) dialog.showModal();
}

/** Closes the open dialog, if any. */
export function closeDialog() {
  if (dialog.open) dialog.close();
}

export function isDialogOpen() {
  return dialog.open;
}

/** Asks whether to do something that cannot be taken back. Returns the answer. */
export function askOnce(question, action) {
  return new Promise((resolve) => {
    let answer = false;
    dialog.addEventListener("close", () => resolve(answer), { once: true });
    show(question, el("div", { class: "buttons" },
      el("button", { type: "button", onclick: closeDialog }, t("action.cancel")),
      el("button", { type: "button", class: "primary", id: "confirm-action", autofocus: true, onclick: () => {
        answer = true;
        closeDialog();
      } }, action)));
    byId("confirm-action").focus();
  });
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
