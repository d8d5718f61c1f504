// Games that the browser keeps for this page: finished ones, and those that the user keeps.
//
// Event: `change` the list has changed.

import { randomIdentifier } from "./identifier.js";
import { pack, unpack } from "./saved-game.js";

const NAME = "tengen-games";
/** Maximum number of games; the oldest give way. */
const MOST = 300;

/**
 * A kept game. `date` is in milliseconds.
 * @typedef {object} Entry
 * @property {string} id
 * @property {number} date
 * @property {string} black
 * @property {string} white
 * @property {string | null} result
 * @property {number} moves
 * @property {ReturnType<typeof pack>} game
 */

export class Library extends EventTarget {
  /** @type {Entry[]} */
  #entries = [];
  #now;

  /** @param {() => number} now */
  constructor(now = Date.now) {
    super();
    this.#now = now;
    try {
      const stored = JSON.parse(localStorage.getItem(NAME) ?? "[]");
      if (Array.isArray(stored)) this.#entries = stored;
    } catch {
      // Nothing is kept, or nothing can be.
    }
  }

  /** The games, the newest first. */
  get entries() {
    return this.#entries;
  }

  /** False if the browser refuses: the list is as before. */
  #write(/** @type {Entry[]} */ entries) {
    try {
      localStorage.setItem(NAME, JSON.stringify(entries));
    } catch {
      return false;
    }
    this.#entries = entries;
    this.dispatchEvent(new Event("change"));
    return true;
  }

  /**
   * Keeps a game; it replaces an earlier state of the same game. False if the browser refuses.
   * @param {import("./tree.js").Game} game
   * @param {{ black: string, white: string }} names
   * @param {string | null} result
   */
  keep(game, names, result = game.result) {
    const end = game.continuation(game.root).filter((node) => node.color);
    const id = gameId(game);
    const entry = {
      id, date: this.#now(), black: names.black, white: names.white, result,
      moves: end.length, game: pack(game),
    };
    return this.#write([entry, ...this.#entries.filter((it) => it.id !== id)].slice(0, MOST));
  }

  /**
   * The game of an entry, at its last position.
   * @param {string} id
   */
  open(id) {
    const entry = this.#entries.find((it) => it.id === id);
    if (!entry) return null;
    const game = unpack(entry.game);
    game.players = { black: entry.black || null, white: entry.white || null };
    game.info = { date: dayOf(entry.date), ...game.info };
    ids.set(game, id);
    return game;
  }

  /** @param {string} id */
  remove(id) {
    this.#write(this.#entries.filter((it) => it.id !== id));
  }

  /** Removes all games. */
  static forget() {
    try {
      localStorage.removeItem(NAME);
    } catch {
      // Nothing is kept.
    }
  }
}

/**
 * A day as files write it: `2026-05-31`.
 * @param {number} date in milliseconds
 */
export function dayOf(date) {
  const day = new Date(date);
  const parts = [day.getFullYear(), day.getMonth() + 1, day.getDate()];
  return parts.map((part) => String(part).padStart(2, "0")).join("-");
}

/** @type {WeakMap<import("./tree.js").Game, string>} */
const ids = new WeakMap();

/**
 * Sets the identifier of a game; without one it is kept as another game than before.
 * @param {import("./tree.js").Game} game
 * @param {string | undefined} id
 */
export function setGameId(game, id) {
  if (id) ids.set(game, id);
  else ids.delete(game);
}

/**
 * The identifier of a game, which a reload keeps.
 * @param {import("./tree.js").Game} game
 */
export function gameId(game) {
  const id = ids.get(game) ?? randomIdentifier();
  ids.set(game, id);
  return id;
}
