// A whole game, move by move: what each gave away, where it turned, the worst ones.
//
// Event: `change` there is more to show.

import { Refusal } from "./transport.js";

/** Grades that count as mistakes. */
const MISTAKES = ["mistake", "blunder"];
/** What the last move of a game may be instead of a good or a bad one. */
const FOULS = ["double-three", "double-four", "overline"];

/** @typedef {import("./tree.js").GameNode} GameNode */

export class Review extends EventTarget {
  #session;
  #engine;
  #say;
  /**
   * How far the review is; null where none runs.
   * @type {{ judged: number, of: number } | null}
   */
  progress = null;
  /**
   * The server's review; null before there is one.
   * @type {import("./engine.js").ReviewFound | null}
   */
  found = null;
  /** Hints are hidden until somebody has guessed. */
  guessing = false;
  /**
   * The guess at the position; null before there is one.
   * @type {string | null}
   */
  guess = null;
  /** @type {GameNode[]} */
  #line = [];
  /** How often a review was begun. */
  #runs = 0;

  /**
   * @param {object} parts
   * @param {import("./session.js").Session} parts.session
   * @param {import("./engine.js").Engine} parts.engine
   * @param {(text: string) => void} parts.say
   */
  constructor({ session, engine, say }) {
    super();
    this.#session = session;
    this.#engine = engine;
    this.#say = say;
    session.addEventListener("game", () => this.#forget());
    session.addEventListener("position", () => {
      this.guess = null;
    });
  }

  #tell() {
    this.dispatchEvent(new Event("change"));
  }

  #forget() {
    if (this.progress && this.#engine.busy === "review") this.#engine.cancel();
    this.found = null;
    this.progress = null;
    this.#line = [];
    this.#tell();
  }

  /** The nodes of the line on which the board stands, from the start to the end. Where stones are
   * set up on the way, it starts there. */
  #wholeLine() {
    const { game } = this.#session;
    const line = [...game.path(), ...game.continuation()];
    const start = Math.max(0, line.findLastIndex((node) => node.setUp));
    return line.slice(start).filter((node, index) => index === 0 || node.color);
  }

  /**
   * The nodes of a line that can be judged: what a forbidden last move led to is known.
   * @param {GameNode[]} line
   */
  async #judged(line) {
    const last = line[line.length - 1];
    const facts = last.facts ?? await this.#engine.look(this.#session.game.position(last));
    return FOULS.includes(facts.state) ? line.slice(0, -1) : line;
  }

  /**
   * Reviews the line; takes what the file holds when it holds all of it.
   * @param {number | null} nodes effort for each position; null where the file holds everything
   * @param {GameNode[] | null} judged the nodes that can be judged, where they are known
   */
  async run(nodes, judged = null) {
    const { game } = this.#session;
    const whole = this.#wholeLine();
    this.progress = { judged: 0, of: whole.length };
    this.found = null;
    this.#tell();
    const own = ++this.#runs;
    // Another game, or another review of this one, may be there before the answer is.
    const isHere = () => this.#session.game === game && own === this.#runs;
    try {
      const line = judged ?? await this.#judged(whole);
      if (!isHere()) return;
      const answer = await this.#engine.review(this.#question(line, nodes), (news) => {
        if (!isHere()) return;
        this.progress = news;
        this.#tell();
      });
      if (!isHere()) return;
      this.progress = null;
      if (answer?.review) this.#take(answer.review, answer.evaluations, line);
    } catch (error) {
      if (!isHere()) return;
      this.progress = null;
      if (error instanceof Refusal) this.#say(error.message);
    }
    this.#tell();
  }

  /**
   * What is asked about a line, with what the file holds if that is all of it.
   * @param {GameNode[]} line
   * @param {number | null} nodes
   */
  #question(line, nodes) {
    /** @type {{ position: import("./engine.js").Position, nodes: number | null, evaluations?: (string | null | undefined)[] }} */
    const question = { position: this.#session.game.position(line.at(-1)), nodes };
    // To the server the game begins anew after a pass.
    const { moves } = question.position;
    const wanted = moves.length - moves.lastIndexOf("pass");
    /** @param {GameNode} node */
    const text = (node) => (node.evaluation?.live ? null : node.evaluation?.text);
    const texts = line.slice(-wanted).map(text);
    if (!nodes && texts.length === wanted && texts.every(Boolean)) question.evaluations = texts;
    return question;
  }

  /**
   * @param {import("./engine.js").ReviewFound} review
   * @param {import("./engine.js").Evaluation[]} evaluations
   * @param {GameNode[]} line
   */
  #take(review, evaluations, line) {
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
    this.#session.noted();
  }

  /** Takes the review that the evaluations of a file give, without searching. */
  async fromFile() {
    const line = this.#wholeLine();
    const { game } = this.#session;
    /** @param {GameNode} node */
    const isKnown = (node) => Boolean(node.evaluation?.text);
    if (line.length < 2 || !line.slice(0, -1).every(isKnown)) return;
    try {
      const judged = await this.#judged(line);
      if (judged.every(isKnown) && this.#session.game === game) await this.run(null, judged);
    } catch {
      // Then the file holds no game that can be reviewed.
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
   * The mistakes of one side, the worst first.
   * @param {import("./tree.js").Color} color
   */
  worst(color) {
    const moves = this.found?.moves ?? [];
    return moves
      .filter((move) => MISTAKES.includes(move.grade) && move.color === color)
      .sort((a, b) => b.loss - a.loss);
  }

  /**
   * Goes to the position before the next or the previous mistake.
   * @param {number} step 1 or -1
   */
  toMistake(step) {
    const moves = (this.found?.moves ?? []).filter((move) => MISTAKES.includes(move.grade));
    const here = this.#session.node;
    const nodes = moves.map((move) => this.nodeOf(move.number - 1)).filter((node) => node !== null);
    const next = step > 0
      ? nodes.find((node) => node.depth > here.depth)
      : nodes.findLast((node) => node.depth < here.depth);
    if (next) this.#session.goTo(next);
    return Boolean(next);
  }

  /** The move that was played after the position, as it was judged. */
  get next() {
    const { node } = this.#session;
    return node.children.find((child) => child.review)?.review ?? null;
  }

  /** Whether hints stay hidden here. */
  get isHidden() {
    return this.guessing && this.guess === null && this.next !== null;
  }

  /**
   * Somebody guesses the best move of the position. True when that counted.
   * @param {string} at
   */
  take(at) {
    if (!this.isHidden) return false;
    this.guess = at;
    this.#tell();
    return true;
  }
}
