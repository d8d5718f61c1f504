// The moves as a list with variations. Of a large tree only what lies near is shown.

import { el } from "./dom.js";
import { t } from "./words.js";

/** Moves of variations that are shown at a time. */
const MOST = 600;
/** Grades that are marked, by a sign as well as a colour. */
const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

export class Moves {
  #root;
  #session;
  #left = 0;

  /** `goTo` is called with the node that was chosen. */
  constructor(root, session, goTo) {
    this.#root = root;
    this.#session = session;
    root.addEventListener("click", (event) => {
      const button = event.target.closest("[data-node]");
      if (!button) return;
      const id = Number(button.dataset.node);
      for (const node of session.game.nodes()) {
        if (node.id === id) return goTo(node);
      }
    });
  }

  draw({ hideGrades = false } = {}) {
    const { game } = this.#session;
    this.#left = MOST;
    this.hideGrades = hideGrades;
    const line = el("div", { class: "line main-line" });
    line.append(this.#button(game.root, t("moves.start")));
    this.#follow(game.root, line, 0);
    this.#root.replaceChildren(line);
    const here = this.#root.querySelector("[aria-current]");
    // Only the list scrolls, never the page.
    if (here) this.#root.scrollTop = here.offsetTop - this.#root.clientHeight / 2;
  }

  #follow(from, parent, level) {
    let node = from;
    let line = parent;
    while (node.children.length > 0 && this.#left > 0) {
      const [first, ...others] = node.children;
      line.append(this.#button(first));
      this.#left -= 1;
      if (first.comment) line.append(el("span", { class: "comment" }, first.comment));
      for (const variation of others) {
        const branch = el("div", { class: "line variation" });
        branch.append(this.#button(variation));
        this.#left -= 1;
        if (level < 12) this.#follow(variation, branch, level + 1);
        line.append(branch);
      }
      node = first;
    }
    if (node.children.length > 0) line.append(el("span", { class: "comment" }, "…"));
  }

  #button(node, text) {
    const name = text ?? (node.at ?? (node.color ? t("moves.pass") : t("moves.set-up")));
    const grade = this.hideGrades ? null : node.review?.grade;
    const number = node.color ? `${node.depth}.` : "";
    const attributes = {
      type: "button",
      class: `move ${node.color ?? ""} ${grade ?? ""}`,
      "data-node": node.id,
      "aria-current": node === this.#session.node ? "step" : null,
    };
    return el(
      "button", attributes,
      el("span", { class: "move-number" }, number),
      el("span", { class: `dot ${node.color ?? "none"}`, "aria-hidden": "true" }),
      name,
      SIGNS[grade] ? el("span", { class: "sign" }, SIGNS[grade]) : null,
    );
  }
}
