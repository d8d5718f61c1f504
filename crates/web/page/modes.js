// The panels of the page and their tabs. Players of this program move only in the panel for playing.
//
// Event: `change` another panel is shown.

import { byId } from "./dom.js";
import { focusBoard } from "./focus.js";

export const MODES = ["play", "analyse", "review", "puzzles", "files", "edit"];

export class Modes extends EventTarget {
  #current = "play";

  constructor() {
    super();
    for (const name of MODES) byId(`tab-${name}`).addEventListener("click", () => this.set(name));
    byId("tab-play").parentElement.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      event.stopPropagation();
      event.preventDefault();
      this.step(step);
      byId(`tab-${this.#current}`).focus();
    });
  }

  /** The name of the panel that is shown. */
  get current() {
    return this.#current;
  }

  /** Shows a panel. */
  set(next) {
    // The focus of a panel that goes is given to the board.
    const isFocused = next !== this.#current && byId(`panel-${this.#current}`).contains(document.activeElement);
    this.#current = next;
    for (const name of MODES) {
      const tab = byId(`tab-${name}`);
      tab.setAttribute("aria-selected", name === next);
      tab.tabIndex = name === next ? 0 : -1;
      byId(`panel-${name}`).hidden = name !== next;
    }
    this.dispatchEvent(new Event("change"));
    if (isFocused) focusBoard();
  }

  /**
   * Leaves these panels for the analysis: there, clicks would be moves of the game or answers to the puzzle.
   */
  leave(...panels) {
    if (panels.includes(this.#current)) this.set("analyse");
  }

  /** Shows the next or the previous panel. */
  step(step) {
    this.set(MODES[(MODES.indexOf(this.#current) + step + MODES.length) % MODES.length]);
  }

  /** Shows a panel and focuses one of its fields. */
  goTo(name, id) {
    this.set(name);
    byId(id).focus();
  }
}
