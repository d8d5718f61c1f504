// The focus after an action: the board for keyboards and screen readers, nothing for pointers. A
// focused board would take the arrows, a focused button Space and Enter.

import { byId } from "./dom.js";

let isPointer = false;

/** Watches whether the user works with a pointer or with keys. */
export function watchInput() {
  addEventListener("pointerdown", () => {
    isPointer = true;
  }, true);
  addEventListener("keydown", () => {
    isPointer = false;
  }, true);
}

/** Gives the focus back after a dialog or a card. */
export function focusBoard() {
  if (isPointer) leaveButton();
  else byId("board").focus({ preventScroll: true });
}

/** Takes the focus from a button that was pressed with a pointer. */
export function leaveButton() {
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  if (isPointer && focused?.closest("button:not([role=menuitem])")) focused.blur();
}
