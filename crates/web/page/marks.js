// Marks over the stones: best moves, lines, threats, fouls, the winning row. Marks differ in shape or
// text, not only in colour.

import { addTo, setContent, svg } from "./dom.js";
import { other } from "./tree.js";

/**
 * Short names of threats, for cells.
 * @type {Record<string, string>}
 */
const SHORT = {
  five: "5",
  "straight four": "S4",
  "double four": "44",
  "four-three": "43",
  four: "4",
  "double three": "33",
  "open three": "3",
  "closed three": "·3",
};

/**
 * Short names of fouls, for cells.
 * @type {Record<string, string>}
 */
const FOUL = { "double-three": "33", "double-four": "44", overline: "6" };

/**
 * Texts on cells that databases use for the signs of game files.
 * @type {Record<string, string>}
 */
const SIGNS = { "\u25cb": "circle", "\u00d7": "cross", "\u25a1": "square", "\u25b3": "triangle" };

/** Maximum number of characters of a text on a cell. */
const MOST_LETTERS = 3;

/** Losses of win rate, against the best move, up to which a move is equal, good or doubtful. */
const GRADES = [0.02, 0.06, 0.15];

/** @typedef {import("./tree.js").Color} Color */
/** @typedef {{ x: number, y: number }} Spot */
/** @typedef {{ fouls: boolean, black?: boolean, white?: boolean }} Layers */

/**
 * The drawing to which marks are added.
 * @typedef {object} Canvas
 * @property {(at: string) => Spot} center
 * @property {(name: string) => Element} layer
 */

/**
 * A win rate in percent. Only proved results are 0 and 100.
 * @param {number} rate
 * @param {number} [decimals]
 */
export function percentOf(rate, decimals = 0) {
  if (rate === 0 || rate === 1) return (rate * 100).toFixed(decimals);
  const least = 10 ** -decimals;
  return Math.min(100 - least, Math.max(least, rate * 100)).toFixed(decimals);
}

/**
 * Win rate in percent, or the plies to a proved result, for the side to move. Unproved rates are
 * between 1 and 99.
 * @param {{ rate: number, forced?: number | null }} line
 */
export function verdictOf({ rate, forced }) {
  if (forced === null || forced === undefined) return percentOf(Math.min(0.99, Math.max(0.01, rate)));
  return `${forced > 0 ? "✓" : "✗"}${Math.abs(forced)}`;
}

/**
 * The class of a move: `winning`, `losing`, or by its loss against the best one.
 * @param {{ rate: number, forced?: number | null }} line
 * @param {{ rate: number, forced?: number | null }} best
 */
export function gradeOf({ rate, forced }, best) {
  if (forced) return forced > 0 ? "winning" : "losing";
  const loss = best.rate - rate;
  return ["best", "good", "doubtful"].find((_, index) => loss <= GRADES[index]) ?? "bad";
}

/**
 * A text of a database on a cell as a mark. Long texts are shortened.
 * @param {{ at: string, text: string }} text
 * @returns {import("./tree.js").FileMark}
 */
export function markOf({ at, text }) {
  if (SIGNS[text]) return { at, sign: SIGNS[text] };
  const letters = [...text];
  return { at, text: letters.length > MOST_LETTERS ? `${letters.slice(0, MOST_LETTERS - 1).join("")}…` : text };
}

export class Marks {
  #board;

  /** @param {Canvas} board */
  constructor(board) {
    this.#board = board;
  }

  /**
   * @param {string} at
   * @param {string} classes
   * @param {string | undefined} content
   */
  #text(at, classes, content, dy = 0) {
    const { x, y } = this.#board.center(at);
    return svg("text", { class: classes, x, y: y + dy }, content);
  }

  /**
   * @param {string} at
   * @param {string} classes
   */
  #disc(at, classes, r = 17) {
    const { x, y } = this.#board.center(at);
    return svg("circle", { class: classes, cx: x, cy: y, r });
  }

  /**
   * Draws the marks below the analysis: fouls, threats, the winning row, marks of the file.
   * @param {object} ground
   * @param {import("./engine.js").Facts | null} ground.facts
   * @param {Layers} ground.layers
   * @param {string[]} ground.kinds kinds of threats to show
   * @param {import("./tree.js").FileMark[]} ground.marks
   * @param {string[]} ground.avoid
   * @param {[string, string | null] | null} [ground.region] corners of the part that is analysed
   * @param {string[]} ground.offers
   * @param {string[]} ground.zone
   */
  setGround({ facts, layers, kinds, marks, avoid, offers, zone, region = null }) {
    /** @type {SVGElement[]} */
    const parts = [];
    if (region) parts.push(this.#frame(region[0], region[1] ?? region[0]));
    for (const at of zone ?? []) parts.push(this.#disc(at, "zone", 5));
    for (const at of offers ?? []) parts.push(this.#disc(at, "offer", 11));
    for (const mark of marks ?? []) parts.push(...this.#fileMark(mark));
    for (const at of avoid ?? []) parts.push(...this.#cross(at, "avoid", 9));
    const row = facts?.row ?? [];
    if (row.length > 1) {
      const [first, last] = extremes(row.map((at) => this.#board.center(at)));
      parts.push(svg("line", { class: "row-line", x1: first.x, y1: first.y, x2: last.x, y2: last.y }));
    }
    for (const at of row) parts.push(this.#disc(at, "row", 12));
    setContent(this.#board.layer("marks"), ...parts);
    /** @type {SVGElement[]} */
    const threats = [];
    if (layers?.fouls) {
      for (const { at, kind } of facts?.fouls ?? []) threats.push(...this.#foul(at, kind ?? ""));
      for (const { at } of facts?.legal ?? []) threats.push(this.#disc(at, "legal", 8));
    }
    for (const { color, at, kind } of facts?.prospects ?? []) {
      if (layers?.[color] && kinds.includes(kind)) threats.push(...this.#threat(color, at, kind, layers));
    }
    setContent(this.#board.layer("threats"), ...threats);
  }

  /**
   * A frame around the cells between two corners.
   * @param {string} from
   * @param {string} to
   */
  #frame(from, to) {
    const [a, b] = [this.#board.center(from), this.#board.center(to)];
    const [x, y] = [Math.min(a.x, b.x) - 19, Math.min(a.y, b.y) - 19];
    const size = { width: Math.abs(a.x - b.x) + 38, height: Math.abs(a.y - b.y) + 38 };
    return svg("rect", { class: "region", x, y, ...size, rx: 6 });
  }

  /**
   * @param {string} at
   * @param {string} kind
   */
  #foul(at, kind) {
    return [svg("g", { class: "foul" }, this.#text(at, "foul-name", FOUL[kind] ?? "×"))];
  }

  /**
   * @param {Color} color
   * @param {string} at
   * @param {string} kind
   * @param {Layers} layers
   */
  #threat(color, at, kind, layers) {
    const { x, y } = this.#board.center(at);
    // If both colours are shown, each has one half of the cell.
    const dx = layers.black && layers.white ? (color === "black" ? -9 : 9) : 0;
    const shape = color === "black"
      ? svg("circle", { class: `threat ${color}`, cx: x + dx, cy: y, r: 10 })
      : svg("rect", { class: `threat ${color}`, x: x + dx - 9, y: y - 9, width: 18, height: 18, rx: 4 });
    return [shape, svg("text", { class: `threat-name ${color}`, x: x + dx, y }, SHORT[kind] ?? kind)];
  }

  /**
   * @param {string} at
   * @param {string} classes
   * @param {number} r
   */
  #cross(at, classes, r) {
    const { x, y } = this.#board.center(at);
    const d = `M${x - r} ${y - r}L${x + r} ${y + r}M${x + r} ${y - r}L${x - r} ${y + r}`;
    return [svg("path", { class: classes, d })];
  }

  /** @param {import("./tree.js").FileMark} mark */
  #fileMark({ at, to, sign, text }) {
    const { x, y } = this.#board.center(at);
    if (to !== undefined) {
      const d = connection({ x, y }, this.#board.center(to), sign === "arrow");
      return [svg("path", { class: "stroke-halo", d }), svg("path", { class: "sign stroke", d })];
    }
    if (sign === "circle") return [this.#disc(at, "sign", 11)];
    if (sign === "cross") return this.#cross(at, "sign", 9);
    if (sign === "square") return [svg("rect", { class: "sign", x: x - 9, y: y - 9, width: 18, height: 18 })];
    if (sign === "triangle") return [svg("path", { class: "sign", d: `M${x} ${y - 11}L${x + 10} ${y + 7}H${x - 10}Z` })];
    return [this.#text(at, "sign-text", text)];
  }

  /**
   * Draws the best moves, each with its win rate or the plies to the end. The colour shows the loss
   * against the best one, the weight of the ring the first.
   * @param {import("./engine.js").Line[]} lines
   * @param {boolean} isThreat whether they are moves of the other side
   */
  setCandidates(lines, isThreat) {
    /** @type {SVGElement[]} */
    const parts = [];
    lines.forEach((line, index) => {
      const at = line.moves[0];
      if (!at) return;
      const verdict = verdictOf(line);
      const classes = [gradeOf(line, lines[0]), index === 0 ? "first" : "", isThreat ? "threat-view" : ""];
      const group = svg("g", { class: `candidate ${classes.filter(Boolean).join(" ")}` });
      addTo(group,
        this.#disc(at, "candidate-disc"),
        this.#text(at, verdict.length > 2 ? "candidate-rate long" : "candidate-rate", verdict),
      );
      parts.push(group);
    });
    const layer = this.#board.layer("ghosts");
    setContent(layer, ...parts);
    layer.classList.remove("showing-line");
  }

  /**
   * Draws a line as numbered ghost stones instead of the best moves.
   * @param {string[]} moves
   * @param {Color} side of the first move
   */
  showLine(moves, side) {
    /** @type {SVGElement[]} */
    const parts = [];
    let color = side;
    moves.forEach((at, index) => {
      parts.push(
        this.#disc(at, `ghost-stone ${color}`, 17),
        this.#text(at, `number on-${color} ghost-number`, String(index + 1)),
      );
      color = other(color);
    });
    setContent(this.#board.layer("ghosts"), ...parts);
  }

  /**
   * Draws points with a text each, instead of the best moves.
   * @param {{ at: string, text: string }[]} points
   * @param {string} kind
   */
  setPoints(points, kind) {
    const parts = points.flatMap(({ at, text }) => [
      this.#disc(at, `answer ${kind}`, 14),
      this.#text(at, `answer-name ${kind}`, text),
    ]);
    setContent(this.#board.layer("ghosts"), ...parts);
  }

  /**
   * Draws the best move of a review and the one that was played.
   * @param {string | null} best
   * @param {string | null} played
   */
  setReviewed(best, played) {
    /** @type {SVGElement[]} */
    const parts = [];
    if (best) parts.push(this.#disc(best, "answer win", 14), this.#text(best, "answer-name win", "✓"));
    if (played && played !== best) parts.push(this.#disc(played, "played", 15));
    setContent(this.#board.layer("ghosts"), ...parts);
  }

  /**
   * Draws the lines of stones that explain a foul or a threat.
   * @param {{ stones: string[], at: string, real: boolean }[]} parts
   */
  explain(parts) {
    const drawn = parts.flatMap(({ stones, at, real }) => {
      const cells = [...stones, at].map((cell) => this.#board.center(cell));
      const [first, last] = extremes(cells);
      return [svg("line", { class: `reason ${real ? "real" : "false"}`, x1: first.x, y1: first.y, x2: last.x, y2: last.y })];
    });
    setContent(this.#board.layer("zones"), ...drawn);
  }
}

/** From the centre of a cell to the end of a connection, and the size of an arrow's head. */
const GAP = 6;
const HEAD = 11;

/**
 * The path of an arrow or a line between two cells.
 * @param {Spot} from
 * @param {Spot} to
 * @param {boolean} isArrow
 */
export function connection(from, to, isArrow) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const point = (/** @type {number} */ x, /** @type {number} */ y) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const [x, y] = [to.x - dx * GAP, to.y - dy * GAP];
  const line = `M${point(from.x + dx * GAP, from.y + dy * GAP)}L${point(x, y)}`;
  if (!isArrow) return line;
  const wing = (/** @type {1 | -1} */ side) => point(x - dx * HEAD - side * dy * HEAD * 0.6, y - dy * HEAD + side * dx * HEAD * 0.6);
  return `${line}M${wing(1)}L${point(x, y)}L${wing(-1)}`;
}

/**
 * The two ends of a row of points.
 * @param {Spot[]} points
 */
function extremes(points) {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  return [sorted[0], sorted[sorted.length - 1]];
}
