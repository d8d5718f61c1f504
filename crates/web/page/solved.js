// The game *It is solved*: the person plays White against the proof that Black wins after kagetsu,
// freestyle on 15x15.
//
// The settings keep the record: the most moves of a game without help and without moves taken back.

import { Game, other } from "./tree.js";

/** @typedef {import("./tree.js").Color} Color */
/** @typedef {import("./tree.js").GameNode} GameNode */

/** The player that answers by the proof. */
export const PROOF = "proof";
/** The side that is proved to win. */
export const WINNER = "black";
const TERMS = { rule: "freestyle", width: 15, height: 15 };
const OPENING = ["h8", "h9", "i9"];
/** Searches that only help the person. */
const HELP = ["analyse", "study-analyse", "solve", "proof", "review", "balance"];

/**
 * What a reload keeps. `won` are the indices of the positions that are proved.
 * @typedef {{ isHelped: boolean, won: number[] }} Ongoing
 */

export class SolvedGame {
  #session;
  #engine;
  #settings;
  /** The games of this kind, and whether the person had help. */
  #games = /** @type {WeakMap<Game, { isHelped: boolean }>} */ (new WeakMap());
  /** Positions that the winner is known to win, by the proof or by a search. */
  #won = /** @type {WeakSet<GameNode>} */ (new WeakSet());
  terms = TERMS;
  /** The moves before the first one of the person. */
  opening = OPENING;
  /** Whether the game that ended last set the record. */
  isRecord = false;

  /**
   * @param {object} parts
   * @param {import("./session.js").Session} parts.session
   * @param {import("./engine.js").Engine} parts.engine
   * @param {import("./settings.js").Settings} parts.settings
   */
  constructor({ session, engine, settings }) {
    this.#session = session;
    this.#engine = engine;
    this.#settings = settings;
    session.addEventListener("facts", () => this.#factsArrived());
    engine.addEventListener("busy", () => HELP.includes(engine.busy ?? "") && this.noteHelp());
  }

  /** A new game, at the position where White moves. */
  begin() {
    this.#engine.useProofs();
    const game = new Game(TERMS);
    for (const at of OPENING) game.node = game.childBy(game.node, game.board().side, at);
    this.#games.set(game, { isHelped: false });
    return game;
  }

  /** Whether the game on the board is one of this kind. */
  get isOn() {
    return this.#games.has(this.#session.game);
  }

  /** Whether the person has not moved yet, so that no move can be taken back. */
  get isAtStart() {
    return this.isOn && this.#session.node.depth <= OPENING.length;
  }

  /** The person had help: the game does not count as a record. */
  noteHelp() {
    const about = this.#games.get(this.#session.game);
    if (about && !this.#session.isOver) about.isHelped = true;
  }

  /**
   * A search announced a win of the proof after its move.
   * @param {GameNode} node
   */
  noteWin(node) {
    this.#won.add(node);
  }

  #factsArrived() {
    const { node, facts } = this.#session;
    if (!this.isOn) return;
    if (facts?.proved?.winner === WINNER) this.#won.add(node);
    if (facts?.state !== "five" || facts.winner !== WINNER) return;
    this.isRecord = this.isClean && this.moves > this.record;
    if (this.isRecord) this.#settings.set("solvedRecord", this.moves);
  }

  /** The moves of the person up to the position. */
  get moves() {
    return this.#session.game.path().filter((node) => node.color !== WINNER && node.depth > OPENING.length).length;
  }

  /** The most moves of a game that counts; 0 without one. */
  get record() {
    return this.#settings.get("solvedRecord");
  }

  /** Whether the game counts as a record: without help and without moves taken back. */
  get isClean() {
    const { game } = this.#session;
    return this.#games.get(game)?.isHelped === false && game.path().every((node) => node.children.length < 2);
  }

  /**
   * Whether a position of the game is proved to be won by the winner. All moves of the loser lose.
   * @param {GameNode} node
   */
  isWon(node) {
    for (let at = /** @type {GameNode | null} */ (node); at; at = at.parent) {
      if (this.#won.has(at)) return true;
      if (at.color !== other(WINNER)) return false;
    }
    return false;
  }

  /**
   * Whether a reply at a position is proved to lose.
   * @param {GameNode} node
   * @param {string} at
   */
  loses(node, at) {
    const child = node.children.find((it) => it.color !== WINNER && it.at === at);
    return this.isWon(node) || Boolean(node.facts?.proved?.losing.includes(at)) || (child !== undefined && this.isWon(child));
  }

  /**
   * What a reload keeps of a game; null for other games.
   * @param {Game} game
   * @returns {Ongoing | null}
   */
  ongoing(game) {
    const about = this.#games.get(game);
    if (!about) return null;
    const won = [...game.nodes()].flatMap((node, index) => (this.#won.has(node) ? [index] : []));
    return { isHelped: about.isHelped, won };
  }

  /**
   * Continues a game after a reload.
   * @param {Game} game
   * @param {Ongoing} kept
   */
  continue(game, { isHelped, won }) {
    this.#engine.useProofs();
    this.#games.set(game, { isHelped });
    const nodes = [...game.nodes()];
    for (const index of won) if (nodes[index]) this.#won.add(nodes[index]);
  }
}
