// Analysis of the position during the search: the best moves, or the opponent's moves after a pass.
//
// Event: `update` the results have changed.

import { percentOf } from "./marks.js";
import { nameOf, parseCell } from "./notation.js";
import { other } from "./tree.js";
import { errorText } from "./errors.js";
import { isAbort, ServerError } from "./transport.js";

/** @typedef {import("./engine.js").Found} Found */

export class Analysis extends EventTarget {
  #session;
  #engine;
  #settings;
  #play;
  #notify;
  #on = false;
  /** Whether the analysis waits for the end of another search. */
  #isWaiting = false;
  /** The longest known line of each first move, by position. */
  #known = /** @type {WeakMap<import("./tree.js").GameNode, Map<string, string[]>>} */ (new WeakMap());
  /** Whether the search ended without a stop, because the position is decided. */
  isDone = false;
  /** Points to exclude. */
  avoid = /** @type {Set<string>} */ (new Set());
  /**
   * The opposite corners of the part of the board that is analysed, the second one null while it is
   * missing; null for the whole board.
   * @type {[string, string | null] | null}
   */
  region = null;
  /** Whether the opponent is analysed, after a pass. */
  threat = false;
  /**
   * The results for the position.
   * @type {Found | null}
   */
  found = null;

  /**
   * @param {object} parts
   * @param {import("./session.js").Session} parts.session
   * @param {import("./engine.js").Engine} parts.engine
   * @param {import("./settings.js").Settings} parts.settings
   * @param {Pick<import("./play.js").Play, "awaitsEngine">} parts.play
   * @param {(text: string, isProblem?: boolean) => void} parts.notify
   */
  constructor({ session, engine, settings, play, notify }) {
    super();
    this.#session = session;
    this.#engine = engine;
    this.#settings = settings;
    this.#play = play;
    this.#notify = notify;
    session.addEventListener("position", () => this.#moved());
    session.addEventListener("facts", () => this.#on && this.#start());
    session.addEventListener("game", () => {
      this.avoid.clear();
      this.region = null;
    });
    engine.addEventListener("busy", () => this.#resume());
  }

  get isOn() {
    return this.#on;
  }

  #emit() {
    this.dispatchEvent(new Event("update"));
  }

  #moved() {
    this.found = null;
    this.isDone = false;
    if (this.threat) this.threat = false;
    if (this.#on) this.#cancel();
    this.#emit();
  }

  /** Cancels the search if it is an analysis. */
  #cancel() {
    if (this.#engine.busy === "analyse") this.#engine.cancel();
  }

  /** The side to move of the results. */
  get side() {
    return this.threat ? other(this.#session.side) : this.#session.side;
  }

  /** @param {boolean} on */
  set(on) {
    if (on === this.#on) return;
    this.#on = on;
    if (on) this.#start();
    else this.#cancel();
    this.#emit();
  }

  /** Stops the search and keeps the results. */
  stop() {
    this.#on = false;
    if (this.#engine.busy === "analyse") this.#engine.finishSearch();
    this.#emit();
  }

  /** Stops the search and removes the results. */
  clear() {
    this.set(false);
    this.found = null;
    this.#emit();
  }

  /** Restarts the search with the current settings. */
  restart() {
    if (this.#on) this.#start();
  }

  /**
   * Shows what the opponent would play after a pass.
   * @param {boolean} threat
   */
  showThreat(threat) {
    // The next move would make the result obsolete.
    if (threat === this.threat || (threat && this.#play.awaitsEngine)) return;
    this.threat = threat;
    this.found = null;
    if (!this.#on) this.#on = true;
    this.#start();
    this.#emit();
  }

  /**
   * Excludes a point, or includes it again.
   * @param {string} at
   */
  toggleAvoid(at) {
    if (!this.avoid.delete(at)) this.avoid.add(at);
    this.restart();
    this.#emit();
  }

  /**
   * Sets a corner of the region: the first, then the opposite one; a third call ends the region.
   * @param {string} at
   */
  setCorner(at) {
    if (!this.region) this.region = [at, null];
    else if (this.region[1] === null) this.region = [this.region[0], at];
    else this.region = null;
    if (this.region?.[1] !== null) this.restart();
    this.#emit();
  }

  /** The points that the search leaves out: excluded ones, and free ones outside of the region. */
  get #leftOut() {
    const [from, to] = this.region ?? [null, null];
    if (!from || !to) return [...this.avoid];
    const { game } = this.#session;
    const { stones, walls } = this.#session.board();
    const outside = cellsOutside(from, to, game.width, game.height);
    return [...this.avoid, ...outside.filter((at) => !this.avoid.has(at) && !stones.has(at) && !walls.has(at))];
  }

  #resume() {
    if (!this.#isWaiting || !this.#on || this.#engine.busy) return;
    this.#start();
  }

  async #start() {
    const session = this.#session;
    this.#isWaiting = false;
    this.isDone = false;
    // The game waits for a move of the engine. The analysis starts after it.
    if (this.#play.awaitsEngine) return;
    if (session.facts === null || session.isOver) {
      this.#cancel();
      return;
    }
    const { game, node, threat } = { game: session.game, node: session.node, threat: this.threat };
    const position = game.position();
    if (threat) position.turn = other(session.side);
    /** @param {Found} found */
    const show = (found) => {
      if (session.node !== node || this.threat !== threat) return;
      this.found = found;
      if (!threat) {
        this.#complete(node, found);
        this.#note(node, found);
      }
      this.#emit();
    };
    try {
      const lines = this.#settings.get("lines");
      const avoid = this.#leftOut;
      const answer = await this.#engine.analyse({ position, lines, avoid }, show);
      if (answer) {
        this.isDone = this.#on;
        show(answer);
      } else if (session.node === node && this.threat === threat) {
        this.#isWaiting = true;
        this.#resume();
      }
    } catch (error) {
      if (isAbort(error)) return;
      this.#on = false;
      if (error instanceof ServerError) this.#notify(errorText(error), true);
      this.#emit();
    }
  }

  /**
   * Replaces lines by longer ones of an earlier search that begin in the same way. A decided position
   * is not searched deeply again.
   * @param {import("./tree.js").GameNode} node
   * @param {Found} found
   */
  #complete(node, found) {
    const known = this.#known.get(node) ?? new Map();
    this.#known.set(node, known);
    for (const line of found.lines) {
      const [first] = line.moves;
      const before = known.get(first);
      const isPrefix = before && line.moves.every((at, index) => before[index] === at);
      if (before && isPrefix) line.moves = before;
      else known.set(first, line.moves);
    }
  }

  /**
   * Stores the evaluation of a position in the tree.
   * @param {import("./tree.js").GameNode} node
   * @param {Found} found
   */
  #note(node, found) {
    const best = found.lines[0];
    if (!best || this.avoid.size > 0 || this.region?.[1]) return;
    // Those of files and reviews stay.
    if (node.evaluation && !node.evaluation.live) return;
    node.evaluation = { text: evaluationText(best, this.#session.side), rate: best.rate, live: true };
  }
}

/**
 * The cells outside of a rectangle.
 * @param {string} from a corner
 * @param {string} to the opposite corner
 * @param {number} width of the board
 * @param {number} height
 */
export function cellsOutside(from, to, width, height) {
  const [a, b] = [parseCell(from, height), parseCell(to, height)];
  if (!a || !b) return [];
  const cells = [];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isInside = x >= Math.min(a.x, b.x) && x <= Math.max(a.x, b.x) && y >= Math.min(a.y, b.y) && y <= Math.max(a.y, b.y);
      if (!isInside) cells.push(nameOf(x, y, height));
    }
  }
  return cells;
}

/**
 * An evaluation as a comment line, as in files.
 * @param {import("./engine.js").Line} line
 * @param {import("./tree.js").Color} side to move
 */
function evaluationText({ score, rate, forced, moves }, side) {
  const sign = score > 0 ? "+" : "";
  const points = forced === null ? `${sign}${score}` : `${forced > 0 ? "+" : "-"}M${Math.abs(forced)}`;
  const line = moves.length > 0 ? `, line ${moves.join(" ")}` : "";
  return `Tengen: score ${points}, win rate ${percentOf(rate)} % for ${side}${line}`;
}
