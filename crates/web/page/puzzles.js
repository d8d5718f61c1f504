// Puzzles: positions with one winning first move. The player attacks, the engine defends.
//
// Events: `change` the puzzle or its state has changed.

import { Game, other } from "./tree.js";
import { nameOf } from "./notation.js";

/** Nodes of the search for the best defence, and time of a check that a move still wins. */
const DEFENCE_NODES = 20000;
const CHECK_TIME = 4000;
/** Plies of the win up to which a puzzle is easy or of medium difficulty. */
const LIMITS = { easy: 5, medium: 9 };
const SIDE = 15;

/** @typedef {import("./tree.js").Color} Color */

/**
 * A puzzle. `first` is the winning move, `plies` the length of the win.
 * @typedef {object} Puzzle
 * @property {string} id
 * @property {string} rule
 * @property {Color} side
 * @property {string[]} black
 * @property {string[]} white
 * @property {string} kind `vcf`: by fours, `vct`: by fours and threes
 * @property {string} first
 * @property {number} plies
 */

/** @typedef {"easy" | "medium" | "hard"} Difficulty */
/** @typedef {"open" | "thinking" | "solved" | "wrong" | "shown"} State */

/**
 * The cells of pairs of letters: column and row from 0.
 * @param {string} text
 */
function cellsOf(text) {
  const digit = (/** @type {string} */ letter) => letter.charCodeAt(0) - 97;
  return (text.match(/../g) ?? []).map(([x, y]) => nameOf(digit(x), digit(y), SIDE));
}

/**
 * The puzzles of a file: an array of `[rule, side, black, white, kind, first, plies]`.
 * @param {[string, string, string, string, string, string, number][]} list
 * @returns {Puzzle[]}
 */
export function readPuzzles(list) {
  return list.map(([rule, side, black, white, kind, first, plies]) => ({
    id: `${rule}:${black}:${white}`, rule, side: side === "b" ? "black" : "white",
    black: cellsOf(black), white: cellsOf(white), kind, first: cellsOf(first)[0], plies,
  }));
}

/**
 * @param {Puzzle} puzzle
 * @returns {Difficulty}
 */
export function difficultyOf({ plies }) {
  return plies <= LIMITS.easy ? "easy" : plies <= LIMITS.medium ? "medium" : "hard";
}

/**
 * The empty game with the stones of a puzzle.
 * @param {Puzzle} puzzle
 */
export function gameOf({ rule, side, black, white }) {
  const game = new Game({ rule, width: SIDE, height: SIDE });
  game.root.setUp = { black, white, clear: [], walls: [], side };
  return game;
}

export class PuzzleSession extends EventTarget {
  #session;
  #engine;
  /** @type {Puzzle | null} */
  puzzle = null;
  /** @type {State} */
  state = "open";
  /** The move that let the win go, and the defence against it. */
  refuted = { at: "", reply: "" };
  /** The position before the last move of the player. @type {import("./tree.js").GameNode | null} */
  #before = null;
  /** Number of hints that were taken. */
  hints = 0;
  /** Whether a wrong move or the solution was seen. */
  #isClean = true;
  /** Number of calls that may set the state later; only the last one does. */
  #runs = 0;

  /**
   * @param {object} parts
   * @param {import("./session.js").Session} parts.session
   * @param {import("./engine.js").Engine} parts.engine
   */
  constructor({ session, engine }) {
    super();
    this.#session = session;
    this.#engine = engine;
  }

  /** @param {State} state */
  #set(state) {
    this.state = state;
    this.dispatchEvent(new Event("change"));
  }

  /** Whether the puzzle was solved without help. */
  get isClean() {
    return this.state === "solved" && this.#isClean && this.hints === 0;
  }

  /**
   * Shows a puzzle.
   * @param {Puzzle} puzzle
   */
  begin(puzzle) {
    this.puzzle = puzzle;
    this.hints = 0;
    this.#isClean = true;
    this.retry();
  }

  /** Goes back to the start of the puzzle. */
  retry() {
    if (!this.puzzle) return;
    this.leave();
    this.#engine.cancel();
    this.#session.load(gameOf(this.puzzle), undefined, true);
    this.#set("open");
  }

  /** Leaves the position as it is to others: a move that waits for its answer is not continued. */
  leave() {
    this.#runs += 1;
  }

  /** Takes back a wrong move and its refutation. */
  takeBack() {
    if (this.state !== "wrong") return;
    this.#backTo(this.#before);
    this.#set("open");
  }

  /**
   * Goes to a position; if moves are taken back for it, `redo` repeats them.
   * @param {import("./tree.js").GameNode | null} node
   */
  #backTo(node) {
    const session = this.#session;
    if (node && session.game.path().includes(node)) session.back(session.node.depth - node.depth);
    else session.goTo(node);
  }

  /** Takes back the last move of the player and the reply to it; a move that waits for its answer ends. */
  undo() {
    if (this.state === "wrong") this.takeBack();
    else this.#walk(() => this.#session.back(), () => this.#session.node.parent);
  }

  /** Repeats a move of the player and the reply to it. */
  redo() {
    this.#walk(() => this.#session.forward(), () => this.#session.next);
  }

  /**
   * Goes one step, and to the next turn of the player while the puzzle is not over.
   * @param {() => void} step
   * @param {() => unknown} hasMore
   */
  #walk(step, hasMore) {
    this.#engine.cancel();
    const { puzzle } = this;
    const isOpen = puzzle !== null && ["open", "thinking"].includes(this.state);
    do step();
    while (isOpen && this.#session.side !== puzzle.side && hasMore());
  }

  /**
   * Plays a move of the player; the engine defends.
   * @param {string} at
   */
  async play(at) {
    const session = this.#session;
    if (this.state !== "open" || session.side !== this.puzzle?.side || session.problem(at)) return;
    const before = session.node;
    this.#before = before;
    const node = session.play(at);
    const own = ++this.#runs;
    const isHere = () => own === this.#runs && session.node === node;
    this.#set("thinking");
    try {
      const facts = await this.#engine.look(session.game.position(node));
      if (!isHere()) return;
      if (facts.winner) {
        this.#set(facts.winner === this.puzzle?.side ? "solved" : "wrong");
        return;
      }
      const found = await this.#engine.analyse({ position: session.game.position(node), lines: 1, nodes: DEFENCE_NODES });
      const reply = found?.lines[0]?.moves[0];
      if (!isHere() || !reply) return;
      const after = session.play(reply);
      const isFirst = before === session.game.root && at === this.puzzle?.first;
      const still = isFirst || await this.#stillWins(after);
      if (own !== this.#runs || session.node !== after || still === null) return;
      if (!still) {
        this.#isClean = false;
        this.refuted = { at, reply };
      }
      this.#set(still ? "open" : "wrong");
    } catch {
      // The connection was lost.
    } finally {
      if (own === this.#runs) this.#reopen(node, before);
    }
  }

  /**
   * Lets a move be repeated if its answer did not come: the search was replaced, the player went to
   * another position, or the connection was lost.
   * @param {import("./tree.js").GameNode} node
   * @param {import("./tree.js").GameNode} before
   */
  #reopen(node, before) {
    if (this.state !== "thinking") return;
    const session = this.#session;
    if (session.game.path().includes(node)) this.#backTo(before);
    this.#set("open");
  }

  /**
   * Whether the attack may still win: it does not if it is refuted, or if the game is over, where the answer
   * has no result. Null if the search was replaced or stopped.
   * @param {import("./tree.js").GameNode} node
   */
  async #stillWins(node) {
    const position = this.#session.game.position(node);
    const answer = await this.#engine.solve({ position, question: "win", kind: "vct", time_ms: CHECK_TIME });
    if (!answer || (answer.stopped && answer.result === "unknown")) return null;
    return answer.result === "win" || answer.result === "unknown";
  }

  /** The next hint: first the kind of the win and its length, then the point. */
  hint() {
    this.hints = Math.min(2, this.hints + 1);
    this.dispatchEvent(new Event("change"));
  }

  /** Plays the solution. */
  async show() {
    const { puzzle } = this;
    if (!puzzle) return;
    this.#isClean = false;
    this.retry();
    const session = this.#session;
    const { game } = session;
    const own = this.#runs;
    this.#set("thinking");
    try {
      const answer = await this.#engine.solve({ position: game.position(), question: "win", kind: puzzle.kind, time_ms: CHECK_TIME });
      if (own !== this.#runs || session.game !== game) return;
      let side = puzzle.side;
      let node = game.root;
      for (const { at } of answer?.result === "win" ? answer.line : [{ at: puzzle.first }]) {
        node = game.childBy(node, side, at);
        side = other(side);
      }
      session.notesChanged();
      session.goTo(game.root.children[0]);
      this.#set("shown");
    } catch {
      if (own === this.#runs) this.#set("open");
    }
  }
}
