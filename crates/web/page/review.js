// Reviews of whole games: losses of the moves, turning points, mistakes.
//
// Event: `change` the review has changed.

import { errorText } from "./errors.js";
import { ServerError } from "./transport.js";

/** Grades that count as mistakes. */
const MISTAKES = ["mistake", "blunder"];
/** States of a game that ended with a forbidden move. */
const FOULS = ["double-three", "double-four", "overline"];

/** @typedef {import("./tree.js").GameNode} GameNode */

/**
 * The evaluation of a file or a review; null if there is none, or one of the running analysis.
 * @param {GameNode} node
 */
const textOf = ({ evaluation }) => (evaluation && !evaluation.live ? evaluation.text : null);

export class Review extends EventTarget {
  #session;
  #engine;
  #notify;
  /**
   * The progress of a running review, else null.
   * @type {{ judged: number, of: number } | null}
   */
  progress = null;
  /**
   * The review, or null.
   * @type {import("./engine.js").ReviewFound | null}
   */
  found = null;
  /** Whether hints are hidden until a guess. */
  guessing = false;
  /**
   * The guess at the position, or null.
   * @type {string | null}
   */
  guess = null;
  /** @type {GameNode[]} */
  #line = [];
  /** Number of reviews started. */
  #runs = 0;

  /**
   * @param {object} parts
   * @param {import("./session.js").Session} parts.session
   * @param {import("./engine.js").Engine} parts.engine
   * @param {(text: string, isProblem?: boolean) => void} parts.notify
   */
  constructor({ session, engine, notify }) {
    super();
    this.#session = session;
    this.#engine = engine;
    this.#notify = notify;
    session.addEventListener("game", () => this.#reset());
    session.addEventListener("position", () => {
      this.guess = null;
    });
  }

  #emit() {
    this.dispatchEvent(new Event("change"));
  }

  #reset() {
    if (this.progress && this.#engine.busy === "review") this.#engine.cancel();
    this.found = null;
    this.progress = null;
    this.#line = [];
    this.#emit();
  }

  /** The nodes of the current line from the start to the end, or from the last node with set-up
   * stones. */
  #wholeLine() {
    const { game } = this.#session;
    const line = [...game.path(), ...game.continuation()];
    const start = Math.max(0, line.findLastIndex((node) => node.setUp));
    return line.slice(start).filter((node, index) => index === 0 || node.color);
  }

  /**
   * The nodes of a line that need an evaluation: not that of a forbidden last move.
   * @param {GameNode[]} line
   */
  async #judged(line) {
    const last = line[line.length - 1];
    const facts = last.facts ?? await this.#engine.look(this.#session.game.position(last));
    return FOULS.includes(facts.state) ? line.slice(0, -1) : line;
  }

  /**
   * Reviews the line. Uses the evaluations of the file if they are complete.
   * @param {number | null} nodes nodes for each position; null if the file has all evaluations
   */
  async run(nodes) {
    const { game } = this.#session;
    const line = this.#wholeLine();
    this.progress = { judged: 0, of: line.length };
    this.found = null;
    this.#emit();
    const own = ++this.#runs;
    // Another game or another review may have replaced this one.
    const isHere = () => this.#session.game === game && own === this.#runs;
    try {
      const judged = await this.#judged(line);
      if (!isHere()) return;
      const answer = await this.#engine.review(this.#question(line, judged.length, nodes), (progress) => {
        if (!isHere()) return;
        this.progress = progress;
        this.#emit();
      });
      if (!isHere()) return;
      this.progress = null;
      if (answer?.review) {
        this.#apply(answer.review, answer.evaluations, line);
        this.dispatchEvent(new Event("done"));
      }
    } catch (error) {
      if (!isHere()) return;
      this.progress = null;
      if (error instanceof ServerError) this.#notify(errorText(error), true);
    }
    this.#emit();
  }

  /**
   * The request for a line, with the evaluations of the file if they are complete.
   * @param {GameNode[]} line
   * @param {number} judged number of its nodes that need an evaluation
   * @param {number | null} nodes
   */
  #question(line, judged, nodes) {
    const { game } = this.#session;
    /** @type {{ position: import("./engine.js").Position, nodes: number | null, given: number, evaluations?: (string | null | undefined)[] }} */
    const question = { position: game.position(line.at(-1)), nodes, given: 0 };
    // For the server the game starts after the last pass.
    const { moves } = question.position;
    const start = moves.lastIndexOf("pass") + 1;
    // Set-up stones and earlier moves are not reviewed, given or not.
    question.given = Math.max(0, game.opening - line[0].depth - start);
    const wanted = moves.length - start + 1 - (line.length - judged);
    const texts = line.slice(0, judged).slice(-wanted).map(textOf);
    if (!nodes && texts.length === wanted && texts.every(Boolean)) question.evaluations = texts;
    return question;
  }

  /**
   * @param {import("./engine.js").ReviewFound} review
   * @param {import("./engine.js").Evaluation[]} evaluations
   * @param {GameNode[]} line
   */
  #apply(review, evaluations, line) {
    this.found = review;
    this.#line = line;
    const start = line.length - evaluations.length;
    evaluations.forEach((evaluation, index) => {
      const node = line[start + index];
      if (node) node.evaluation = evaluation;
    });
    review.moves.forEach((move, index) => {
      const node = line[start + index + 1];
      if (node) node.review = move;
    });
    this.#session.notesChanged();
  }

  /** Computes the review from the evaluations of a file, without a search. */
  async fromFile() {
    const line = this.#wholeLine();
    const { game } = this.#session;
    if (line.length < 2 || !line.slice(0, -1).every(textOf)) return;
    try {
      const judged = await this.#judged(line);
      if (judged.every(textOf) && this.#session.game === game) await this.run(null);
    } catch {
      // The game of the file cannot be reviewed.
    }
  }

  /**
   * The node of a move, by its number from 1.
   * @param {number} number
   */
  nodeOf(number) {
    const start = this.#line.length - (this.found?.moves.length ?? 0) - 1;
    return this.#line[start + number] ?? null;
  }

  /**
   * The mistakes of a colour, the worst first.
   * @param {import("./tree.js").Color} color
   */
  worst(color) {
    const moves = this.found?.moves ?? [];
    return moves
      .filter((move) => MISTAKES.includes(move.grade ?? "") && move.color === color)
      .sort((a, b) => b.loss - a.loss);
  }

  /**
   * Goes to the position before the next or previous mistake. False if there is none.
   * @param {number} step 1 or -1
   */
  toMistake(step) {
    const moves = (this.found?.moves ?? []).filter((move) => MISTAKES.includes(move.grade ?? ""));
    const here = this.#session.node;
    const nodes = moves.map((move) => this.nodeOf(move.number - 1)).filter((node) => node !== null);
    const next = step > 0
      ? nodes.find((node) => node.depth > here.depth)
      : nodes.findLast((node) => node.depth < here.depth);
    if (next) this.#session.goTo(next);
    return Boolean(next);
  }

  /** The review of the move played after the position, or null. */
  get next() {
    const { node } = this.#session;
    return node.children.find((child) => child.review)?.review ?? null;
  }

  /** Whether hints are hidden at this position. */
  get isHidden() {
    return this.guessing && this.guess === null && this.next !== null;
  }

  /**
   * Submits a guess of the best move. True if the guess counts.
   * @param {string} at
   */
  submitGuess(at) {
    if (!this.isHidden) return false;
    this.guess = at;
    this.#emit();
    return true;
  }
}
