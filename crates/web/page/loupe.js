// A magnifier beside the finger that looks for a cell, which the finger covers.

import { addTo, svg } from "./dom.js";

/** Units of the drawing that the magnifier shows. */
const VIEW = 150;

export class Loupe {
  #root;
  #board;

  constructor(root, board) {
    this.#root = root;
    this.#board = board;
    addTo(root, svg("use", { href: "#board-drawing" }), svg("circle", { class: "loupe-ring", r: 22 }));
  }

  /** Shows the surroundings of a cell, above it or beside it; null hides the magnifier. */
  show(at) {
    const root = this.#root;
    root.toggleAttribute("hidden", at === null);
    if (at === null) return;
    const { x, y } = this.#board.center(at);
    root.setAttribute("viewBox", `${x - VIEW / 2} ${y - VIEW / 2} ${VIEW} ${VIEW}`);
    const ring = root.lastElementChild;
    ring.setAttribute("cx", x);
    ring.setAttribute("cy", y);
    const frame = root.parentElement.getBoundingClientRect();
    const [left, top, width] = this.#board.viewBox;
    const scale = frame.width / width;
    const size = root.getBoundingClientRect().width;
    const [px, py] = [(x - left) * scale, (y - top) * scale];
    const isAbove = py > size + 40;
    // At the upper edge there is room only at the side.
    const beside = px > frame.width / 2 ? px - size - 50 : px + 50;
    const place = isAbove ? px - size / 2 : beside;
    root.style.left = `${Math.min(Math.max(place, 0), frame.width - size)}px`;
    root.style.top = `${isAbove ? py - size - 40 : Math.max(0, py - size / 2)}px`;
  }
}
