// The moves as a list with variations. Of a large tree only the part near the position is shown.

import { addTo, el, setContent } from "./dom.js";
import { t } from "./words.js";

/** Maximum number of moves shown, not counting those near the position. */
const MOST = 600;
/** Moves after the position that are always shown. */
const AHEAD = 30;
/** Maximum nesting of variations that are not near the position. */
const DEEPEST = 12;
/** @typedef {import("./tree.js").GameNode} GameNode */

/**
 * Signs of the grades that are marked. Colour alone would not be accessible.
 * @type {Record<string, string>}
 */
export const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

export class Moves {
  #root;
  #session;
  #left = 0;
  /** The node to which the list was scrolled. @type {GameNode | null} */
  #scrolledTo = null;
  /**
   * Nodes that are always shown: those near the position.
   * @type {Set<GameNode>}
   */
  #near = new Set();
  hideGrades = false;

  /**
   * @param {HTMLElement} root
   * @param {Pick<import("./session.js").Session, "game" | "node" | "addEventListener">} session
   * @param {(node: GameNode) => void} goTo called with the selected node
   */
  constructor(root, session, goTo) {
    this.#root = root;
    this.#session = session;
    // The position may get another place in the list.
    session.addEventListener("tree", () => {
      this.#scrolledTo = null;
    });
    root.addEventListener("click", (event) => {
      const target = /** @type {Element} */ (event.target);
      const button = /** @type {HTMLElement | null} */ (target.closest("[data-node]"));
      if (!button) return;
      const id = Number(button.dataset.node);
      for (const node of session.game.nodes()) {
        if (node.id === id) return goTo(node);
      }
    });
  }

  draw({ hideGrades = false } = {}) {
    const { game, node } = this.#session;
    const focused = /** @type {HTMLElement | null} */ (this.#root.querySelector(":focus"))?.dataset.node;
    this.#left = MOST;
    this.#near = new Set([...game.path(), ...game.node.children, ...game.continuation().slice(0, AHEAD)]);
    this.hideGrades = hideGrades;
    const line = el("div", { class: "line main-line" });
    addTo(line, this.#button(game.root, 0, t("moves.start")));
    this.#follow(game.root, line, 0, 0);
    setContent(this.#root, line);
    const button = (/** @type {string} */ selector) => /** @type {HTMLElement | null} */ (this.#root.querySelector(selector));
    if (focused) button(`[data-node="${focused}"]`)?.focus({ preventScroll: true });
    // Scroll the list only, not the page, and not back to a position that the user has scrolled away from.
    const here = button("[aria-current]");
    if (here && node !== this.#scrolledTo) this.#root.scrollTop = here.offsetTop - this.#root.clientHeight / 2;
    this.#scrolledTo = node;
  }

  /**
   * Appends the moves after a node, and their variations.
   * @param {GameNode} from
   * @param {HTMLElement} parent
   * @param {number} level number of variations that contain the node
   * @param {number} before number of moves up to the node, without set-up positions
   */
  #follow(from, parent, level, before) {
    let node = from;
    let number = before;
    while (node.children.some((child) => this.#isShown(child))) {
      const [first, ...others] = node.children;
      const after = (/** @type {GameNode} */ child) => number + (child.color ? 1 : 0);
      addTo(parent, this.#button(first, after(first)));
      this.#left -= 1;
      if (first.comment) addTo(parent, el("span", { class: "comment" }, first.comment));
      for (const variation of others.filter((it) => this.#isShown(it))) {
        const branch = el("div", { class: "line variation" });
        addTo(branch, this.#button(variation, after(variation)));
        this.#left -= 1;
        if (level < DEEPEST || this.#near.has(variation)) this.#follow(variation, branch, level + 1, after(variation));
        addTo(parent, branch);
      }
      number = after(first);
      node = first;
    }
    if (node.children.length > 0) addTo(parent, el("span", { class: "comment" }, "…"));
  }

  /** @param {GameNode} node */
  #isShown(node) {
    return this.#left > 0 || this.#near.has(node);
  }

  /**
   * @param {GameNode} node
   * @param {number} move its number
   * @param {string} [text]
   */
  #button(node, move, text) {
    const name = text ?? (node.at ?? (node.color ? t("moves.pass") : t("moves.set-up")));
    const grade = (this.hideGrades ? null : node.review?.grade) ?? "";
    const number = node.color ? `${move}.` : "";
    const attributes = {
      type: "button",
      class: `move ${node.color ?? ""} ${grade}`,
      "data-node": node.id,
      "aria-current": node === this.#session.node ? "step" : null,
    };
    return el(
      "button", attributes,
      el("span", { class: "move-number" }, number),
      el("span", { class: `dot ${node.color ?? "none"}`, "aria-hidden": "true" }),
      node.color ? el("span", { class: "unseen" }, ` ${t(`color.${node.color}`)} `) : null,
      name,
      SIGNS[grade] ? el("span", { class: "sign", "aria-hidden": "true" }, SIGNS[grade]) : null,
      SIGNS[grade] ? el("span", { class: "unseen" }, ` ${t(`grade.${grade}`)}`) : null,
    );
  }
}
