// A button that opens a small menu.

import { el } from "./dom.js";

export class PopupMenu {
  #button;
  #box;

  /**
   * @param {string} id of the button
   * @param {string} label the key of its text
   * @param {HTMLElement[]} items buttons with the role menuitem
   */
  constructor(id, label, items) {
    this.#box = el("div", { class: "popup", role: "menu", hidden: true, id: `${id}-items` }, ...items);
    this.#button = el("button", {
      type: "button", class: "quiet", id, "data-key": "Enter", "aria-haspopup": "menu", "aria-expanded": "false", "aria-controls": `${id}-items`,
      "data-t": label, onclick: () => this.#toggle(this.#box.hidden),
    });
    this.element = el("div", { class: "popup-anchor" }, this.#button, this.#box);
    this.element.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("pointerdown", (event) => {
      if (!this.element.contains(event.target)) this.close();
    });
  }

  #toggle(isOpen) {
    this.#box.hidden = !isOpen;
    this.#button.setAttribute("aria-expanded", isOpen);
    if (isOpen) this.#box.querySelector("button")?.focus();
  }

  close() {
    if (this.#box.hidden) return;
    const hadFocus = this.#box.contains(document.activeElement);
    this.#toggle(false);
    if (hadFocus) this.#button.focus();
  }

  #key(event) {
    if (this.#box.hidden) return;
    const items = [...this.#box.querySelectorAll("button")];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      const index = items.indexOf(document.activeElement) + step;
      items[(index + items.length) % items.length].focus();
    } else if (event.key === "Escape") {
      this.close();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
