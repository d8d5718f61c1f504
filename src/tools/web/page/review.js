// A whole game, move by move: what each gave away, where it turned, the worst ones.
//
// Event: `change` there is more to show.

import { Refusal } from "./transport.js";

/** Grades that count as mistakes. */
const MISTAKES = ["mistake", "blunder"];

export class Review extends EventTarget {
  #session;
  #engine;
  #say;
  /** `{judged, of}` while it runs. */
  progress = null;
  /** The server's review; null before there is one. */
  found = null;
  /** Hints are hidden until somebody has guessed. */
  guessing = false;
  /** The guess at the position; null before there is one. */
  guess = null;
  #line = [];

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
    this.found = null;
    this.progress = null;
    this.#line = [];
    this.#tell();
  }

  /** The nodes of the line on which the board stands, from the start to the end. */
  #wholeLine() {
    const { game } = this.#session;
    return [...game.path(), ...game.continuation()];
  }

  /** Reviews the line; takes what the file holds when it holds all of it. */
  async run(nodes) {
    const { game } = this.#session;
    const line = this.#wholeLine().filter((node, index) => index === 0 || node.color);
    const last = line.at(-1);
    const question = { position: game.position(last), nodes };
    const texts = line.map((node) => (node.evaluation?.live ? null : node.evaluation?.text));
    const wanted = question.position.moves.length + 1;
    if (!nodes && texts.length === wanted && texts.every(Boolean)) question.evaluations = texts;
    this.progress = { judged: 0, of: wanted };
    this.found = null;
    this.#tell();
    try {
      const answer = await this.#engine.review(question, (news) => {
        this.progress = news;
        this.#tell();
      });
      this.progress = null;
      if (answer?.review) this.#take(answer, line);
    } catch (error) {
      this.progress = null;
      if (error instanceof Refusal) this.#say(error.message);
    }
    this.#tell();
  }

  #take({ review, evaluations }, line) {
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
    const line = this.#wholeLine().filter((node, index) => index === 0 || node.color);
    if (line.length > 1 && line.every((node) => node.evaluation?.text)) await this.run(null);
  }

  /** The node of a move, by its number from 1. */
  nodeOf(number) {
    const start = this.#line.length - (this.found?.moves.length ?? 0) - 1;
    return this.#line[start + number] ?? null;
  }

  /** The mistakes, the worst first; of one side where it is named. */
  worst(color) {
    const moves = this.found?.moves ?? [];
    return moves
      .filter((move) => MISTAKES.includes(move.grade) && (!color || move.color === color))
      .sort((a, b) => b.loss - a.loss);
  }

  /** Goes to the position before the next or the previous mistake. */
  toMistake(step) {
    const moves = (this.found?.moves ?? []).filter((move) => MISTAKES.includes(move.grade));
    const here = this.#session.node;
    const nodes = moves.map((move) => this.nodeOf(move.number - 1)).filter(Boolean);
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

  /** Somebody guesses the best move of the position. True when that counted. */
  take(at) {
    if (!this.isHidden) return false;
    this.guess = at;
    this.#tell();
    return true;
  }
}
