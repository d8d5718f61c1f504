// The game *It is solved*: the person plays White against a proof that Black wins. The engine names the
// rules and boards for which it has proofs, and the moves after which every move of White loses.
//
// The settings keep a record for each proof: the most moves of a game without help and without moves
// taken back.

import { Game, other } from "./tree.js";

/** @typedef {import("./tree.js").Color} Color */
/** @typedef {import("./tree.js").GameNode} GameNode */

/** The player that answers by the proof. */
export const PROOF = "proof";
/** The side that is proved to win. */
export const WINNER = "black";
/** Searches that only help the person. */
const HELP = ["analyse", "study-analyse", "solve", "proof", "review", "balance"];

/**
 * A proof, as the answer to `hello` describes it. `opening` are the moves before the first one of the
 * person.
 * @typedef {import("./engine.js").Terms & { opening: string[] }} Proof
 */

/**
 * What a reload keeps. `won` are the indices of the positions that are proved.
 * @typedef {{ isHelped: boolean, won: number[], proof: Proof }} Ongoing
 */

export class SolvedGame {
  #session;
  #engine;
  #settings;
  /** The games of this kind, and whether the person had help. */
  #games = /** @type {WeakMap<Game, { isHelped: boolean, proof: Proof }>} */ (new WeakMap());
  /** Positions that the winner is known to win, by the proof or by a search. */
  #won = /** @type {WeakSet<GameNode>} */ (new WeakSet());
  /** Whether the game that ended last set the record. */
  isRecord = false;

  /**
   * @param {object} parts
   * @param {import("./session.js").Session} parts.session
   * @param {import("./engine.js").Engine} parts.engine
   * @param {import("./settings.js").Settings} parts.settings
   * @param {Proof[]} parts.proofs
   */
  constructor({ session, engine, settings, proofs }) {
    this.proofs = proofs;
    this.#session = session;
    this.#engine = engine;
    this.#settings = settings;
    session.addEventListener("facts", () => this.#factsArrived());
    engine.addEventListener("busy", () => HELP.includes(engine.busy ?? "") && this.noteHelp());
  }

  /**
   * A new game against a proof, at the position where White moves.
   * @param {Proof} proof
   */
  begin(proof) {
    const { rule, width, height, opening } = proof;
    this.#engine.useProofs(proof);
    const game = new Game({ rule, width, height });
    for (const at of opening) game.node = game.childBy(game.node, game.board().side, at);
    this.#games.set(game, { isHelped: false, proof });
    return game;
  }

  get #about() {
    return this.#games.get(this.#session.game);
  }

  /** The proof of the game on the board; of another game the first one, if there is any. */
  get proof() {
    return this.#about?.proof ?? this.proofs[0];
  }

  /** Whether the game on the board is one of this kind. */
  get isOn() {
    return this.#games.has(this.#session.game);
  }

  /** Whether the person has not moved yet, so that no move can be taken back. */
  get isAtStart() {
    return this.isOn && !this.isOwn(this.#session.node);
  }

  /**
   * Whether a node of the game follows a choice of the person, and not of the opening.
   * @param {GameNode} node
   */
  isOwn(node) {
    return node.depth > (this.#about?.proof.opening.length ?? 0);
  }

  /** The person had help: the game does not count as a record. */
  noteHelp() {
    const about = this.#about;
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
    if (!this.isRecord) return;
    this.#settings.set("solvedRecords", { ...this.#settings.solvedRecords, [nameOf(this.proof)]: this.moves });
  }

  /** The moves of the person up to the position. */
  get moves() {
    return this.#session.game.path().filter((node) => node.color !== WINNER && this.isOwn(node)).length;
  }

  /** The most moves of a game that counts, against the proof of the game on the board; 0 without one. */
  get record() {
    return this.recordOf(this.proof);
  }

  /**
   * The most moves of a game that counts, against a proof; 0 without one.
   * @param {Proof} proof
   */
  recordOf(proof) {
    const record = this.#settings.solvedRecords[nameOf(proof)];
    return typeof record === "number" ? record : 0;
  }

  /** Whether the game counts as a record: without help and without moves taken back. */
  get isClean() {
    return this.#about?.isHelped === false && this.#session.game.path().every((node) => node.children.length < 2);
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
    return { ...about, won };
  }

  /**
   * Continues a game after a reload.
   * @param {Game} game
   * @param {Ongoing} kept
   */
  continue(game, { isHelped, won, proof }) {
    this.#engine.useProofs(proof);
    this.#games.set(game, { isHelped, proof });
    const nodes = [...game.nodes()];
    for (const index of won) if (nodes[index]) this.#won.add(nodes[index]);
  }
}

/**
 * The name of a proof for records, such as `freestyle 15x15 h8`: those of another opening do not count.
 * @param {Proof} proof
 */
function nameOf({ rule, width, height, opening }) {
  return [rule, `${width}x${height}`, ...opening].join(" ");
}
