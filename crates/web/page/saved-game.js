// The game of this tab, kept by the browser until the tab is closed: a reload continues it.

import { Game } from "./tree.js";

const NAME = "tengen-game";
/** Delay of writing after a change, in milliseconds. */
const DELAY = 250;

/**
 * The state from which a reload continues.
 * @typedef {object} Saved
 * @property {string} address of the position
 * @property {string} mode
 * @property {string} [id] of the game among the kept ones
 * @property {number[]} [shownEnds] indices of the nodes whose ends were shown
 * @property {boolean} isGame whether a game is played here
 * @property {import("./tree.js").GameFile} file
 * @property {number} node index of the position among the nodes
 * @property {{ node: number, winner: import("./tree.js").Color | null, reason: string, isResult?: boolean } | null} ended
 * @property {Record<import("./tree.js").Color, string>} [seats] the players
 * @property {boolean} [isPaused] whether players of this program wait
 * @property {{ times: Record<import("./tree.js").Color, number>, increment: number, earlier?: import("./play.js").Earlier } | null} clock `earlier`: the times left when
 * positions were reached
 * @property {import("./opening.js").Ongoing | null} opening
 * @property {import("./solved.js").Ongoing | null} [solved]
 */

/**
 * A game and all its nodes as plain data, with evaluations and judgements of moves.
 * @param {Game} game
 */
export function pack(game) {
  const nodes = [...game.nodes()];
  const file = game.toFile();
  file.nodes.forEach((entry, index) => {
    const { evaluation, review } = nodes[index];
    Object.assign(entry, evaluation ? { evaluation } : {}, review ? { review } : {});
  });
  const ended = game.ended && { ...game.ended, node: nodes.indexOf(game.ended.node) };
  return { file, node: nodes.indexOf(game.node), ended };
}

/**
 * The game of `pack`, at its position.
 * @param {Pick<Saved, "file" | "node" | "ended">} saved
 */
export function unpack({ file, node, ended }) {
  const game = Game.fromFile(file, file.rule ?? "freestyle");
  const nodes = [...game.nodes()];
  file.nodes.forEach((entry, index) => {
    nodes[index].review = /** @type {any} */ (entry).review ?? null;
  });
  game.node = nodes[node] ?? game.root;
  if (ended && nodes[ended.node]) game.ended = { ...ended, node: nodes[ended.node] };
  return game;
}

export class SavedGame {
  #state;
  #onFailure;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #hasFailed = false;

  /**
   * @param {() => Saved} state returns what to keep
   * @param {() => void} onFailure called once if the browser keeps nothing
   */
  constructor(state, onFailure) {
    this.#state = state;
    this.#onFailure = onFailure;
    addEventListener("pagehide", () => this.write());
  }

  /** Writes the state soon, however quickly other changes follow. */
  changed() {
    this.#timer ??= setTimeout(() => this.write(), DELAY);
  }

  write() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      sessionStorage.setItem(NAME, JSON.stringify(this.#state()));
    } catch {
      if (!this.#hasFailed) this.#onFailure();
      this.#hasFailed = true;
    }
  }

  /** Removes what was kept, also of changes that follow. */
  forget() {
    clearTimeout(this.#timer);
    this.#state = () => /** @type {any} */ (null);
    this.write();
  }

  /**
   * The saved state for this address; null if there is none.
   * @param {string} address
   * @returns {Saved | null}
   */
  static read(address) {
    try {
      const saved = JSON.parse(sessionStorage.getItem(NAME) ?? "null");
      return saved && (address === saved.address || ["", "#"].includes(address)) ? saved : null;
    } catch {
      return null;
    }
  }
}
