// A graph of black's win rate along the current line. A click goes to a move.

import { setContent, svg } from "./dom.js";
import { percentOf } from "./marks.js";
import { other } from "./tree.js";
import { t } from "./words.js";

const WIDTH = 600;
const HEIGHT = 120;
const PAD = 8;

/** @typedef {import("./tree.js").GameNode} GameNode */
/** @typedef {import("./tree.js").Color} Color */

/**
 * Black's win rate at a node; null if unknown.
 * @param {GameNode} node
 * @param {Color} side to move at the node
 */
export function blackRate(node, side) {
  const evaluation = node.evaluation;
  if (!evaluation || evaluation.rate === undefined) return null;
  return side === "black" ? evaluation.rate : 1 - evaluation.rate;
}

export class Graph {
  #root;
  #session;
  /** @type {GameNode[]} */
  #line = [];
  /** @type {{ node: GameNode, rate: number }[]} */
  #points = [];
  #title = svg("title");

  /**
   * @param {Element} root
   * @param {import("./session.js").Session} session
   * @param {(node: GameNode) => void} goTo called with the selected node
   */
  constructor(root, session, goTo) {
    this.#root = root;
    this.#session = session;
    root.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT + 2 * PAD}`);
    root.setAttribute("preserveAspectRatio", "none");
    /** @param {Event} event */
    const shareOf = (event) => {
      const box = root.getBoundingClientRect();
      return (/** @type {MouseEvent} */ (event).clientX - box.left) / box.width;
    };
    root.addEventListener("click", (event) => goTo(this.#line[Math.round(shareOf(event) * (this.#line.length - 1))]));
    root.addEventListener("pointermove", (event) => this.#point(shareOf(event)));
  }

  /**
   * Names the move under the pointer, with black's win rate after it.
   * @param {number} share of the width
   */
  #point(share) {
    const node = this.#line[Math.round(share * (this.#line.length - 1))];
    const point = this.#points.find((it) => it.node === node);
    const rate = point ? `${percentOf(point.rate)} %` : "–";
    this.#title.textContent = node ? `${node.depth}. ${node.at ?? ""}  ${t("color.black")}: ${rate}` : "";
  }

  draw() {
    const { game } = this.#session;
    this.#line = [...game.path(), ...game.continuation()];
    const last = Math.max(1, this.#line.length - 1);
    /** @type {Color} */
    let side = "black";
    /** @type {{ x: number, y: number, node: GameNode, rate: number }[]} */
    const points = [];
    this.#points = points;
    this.#line.forEach((node, index) => {
      if (node.setUp) ({ side } = game.board(node));
      else if (node.color) side = other(node.color);
      const rate = blackRate(node, side);
      if (rate !== null) points.push({ x: (index / last) * WIDTH, y: PAD + (1 - rate) * HEIGHT, node, rate });
    });
    /** @type {SVGElement[]} */
    const parts = [
      svg("rect", { class: "graph-white", x: 0, y: PAD, width: WIDTH, height: HEIGHT }),
    ];
    if (points.length > 0) {
      const curve = points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
      const [first, end] = [points[0], points[points.length - 1]];
      const floor = PAD + HEIGHT;
      parts.push(
        svg("polygon", { class: "graph-black", points: `${first.x},${floor} ${curve} ${end.x},${floor}` }),
        svg("polyline", { class: "graph-curve", points: curve, "vector-effect": "non-scaling-stroke" }),
      );
    }
    const given = this.#line.findLast((node) => node.review && node.review.grade === null);
    if (given) {
      const width = (this.#line.indexOf(given) / last) * WIDTH;
      parts.push(svg("rect", { class: "graph-given", x: 0, y: PAD, width, height: HEIGHT }));
    }
    parts.push(svg("line", { class: "graph-even", x1: 0, x2: WIDTH, y1: PAD + HEIGHT / 2, y2: PAD + HEIGHT / 2, "vector-effect": "non-scaling-stroke" }));
    for (const { x, y, node } of points) {
      const grade = node.review?.grade;
      if (grade === "mistake" || grade === "blunder") {
        const d = grade === "blunder"
          ? `M${x - 5} ${y - 6}h10v12h-10z`
          : `M${x} ${y - 7}l6 12h-12z`;
        parts.push(svg("path", { class: `graph-mark ${grade}`, d }));
      }
    }
    const here = (this.#line.indexOf(this.#session.node) / last) * WIDTH;
    parts.push(svg("line", { class: "graph-here", x1: here, x2: here, y1: 0, y2: HEIGHT + 2 * PAD, "vector-effect": "non-scaling-stroke" }));
    setContent(this.#root, this.#title, ...parts);
    this.#root.setAttribute("aria-label", t("graph.label"));
    this.#root.classList.toggle("empty", points.length < 2);
  }
}
