// Games that the browser keeps for this page: finished ones, and those that the user keeps.
//
// Event: `change` the list has changed.

import { dayOf } from "./day.js";
import { randomIdentifier } from "./identifier.js";
import { pack, unpack } from "./saved-game.js";
import { Stored, forget } from "./stored.js";

const NAME = "tengen-games";
/** Maximum number of games; the oldest give way to those that are played. */
export const MOST = 300;

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
  #games = new Stored(NAME, /** @type {Entry[]} */ ([]), Array.isArray);
  #now;

  /** @param {() => number} now */
  constructor(now = Date.now) {
    super();
    this.#now = now;
    this.#games.addEventListener("change", () => this.dispatchEvent(new Event("change")));
  }

  /** The games, the newest first. */
  get entries() {
    return this.#games.value;
  }

  /**
   * Keeps a game; it replaces an earlier state of the same game. False if the browser refuses.
   * @param {import("./tree.js").Game} game
   * @param {{ black: string, white: string }} names
   * @param {string | null} result
   */
  keep(game, names, result = game.result) {
    const entry = entryOf(game, this.#now(), names, result);
    return this.#games.change((kept) => [entry, ...kept.filter((it) => it.id !== entry.id)].slice(0, MOST));
  }

  /**
   * Adds games of a file at their dates; those without one are of today. They replace no kept games, and
   * those that are kept already are skipped: `known` is their number. Without room for all, the last ones
   * are left out. Null if the browser refuses.
   * @param {import("./tree.js").Game[]} games
   */
  add(games) {
    const entries = games.map((game) => {
      const { players: { black, white }, info, result } = game;
      return entryOf(game, timeOf(info.date) ?? this.#now(), { black: black ?? "", white: white ?? "" }, result);
    });
    let counts = { added: 0, known: 0, left: 0 };
    const isAdded = this.#games.change((kept) => {
      const known = new Set(kept.flatMap((it) => [contentOf(it), contentOf(it, dayOf(it.date))]));
      const fresh = entries.filter((it) => !known.has(contentOf(it)));
      const added = fresh.slice(0, Math.max(0, MOST - kept.length));
      counts = { added: added.length, known: entries.length - fresh.length, left: fresh.length - added.length };
      return [...added, ...kept].sort((a, b) => b.date - a.date);
    });
    return isAdded ? counts : null;
  }

  /**
   * The game of an entry, at its last position.
   * @param {string} id
   */
  open(id) {
    const entry = this.entries.find((it) => it.id === id);
    if (!entry) return null;
    const game = unpack(entry.game);
    game.players = { black: entry.black || null, white: entry.white || null };
    game.info = { date: dayOf(entry.date), ...game.info };
    ids.set(game, id);
    return game;
  }

  /** @param {string} id */
  remove(id) {
    this.#games.change((kept) => kept.filter((it) => it.id !== id));
  }

  /**
   * Puts a removed entry back at its date, unless its game was kept again. False if the browser refuses.
   * @param {Entry} entry
   */
  putBack(entry) {
    const isKept = (/** @type {Entry[]} */ kept) => kept.some((it) => it.id === entry.id);
    return this.#games.change((kept) => (isKept(kept) ? kept : [entry, ...kept].sort((a, b) => b.date - a.date).slice(0, MOST)));
  }

  /** Removes all games. */
  static forget() {
    forget(NAME);
  }
}

/**
 * @param {import("./tree.js").Game} game
 * @param {number} date in milliseconds
 * @param {{ black: string, white: string }} names
 * @param {string | null} result
 * @returns {Entry}
 */
function entryOf(game, date, { black, white }, result) {
  const moves = game.continuation(game.root).filter((node) => node.color).length;
  return { id: gameId(game), date, black, white, result, moves, game: pack(game) };
}

/**
 * What a file tells of a game: equal texts are the same game. Not its result, which a file may have and
 * the list not, or the other way round.
 * @param {Entry} entry
 * @param {string | undefined} date as the file has it; an export adds the day of the entry
 */
function contentOf({ black, white, game: { file } }, date = file.info.date) {
  const { rule, width, height } = file;
  const nodes = file.nodes.map(({ parent, color, at, comment = "", evaluation, set_up: setUp, marks = [] }) => [
    parent, color, at, comment.trim(), evaluation?.text,
    setUp && [setUp.black, setUp.white, setUp.walls, setUp.clear, setUp.side],
    marks.map((mark) => [mark.at, mark.to, mark.sign, mark.text].join()).sort(),
  ]);
  return JSON.stringify([date, black, white, rule, width, height, nodes]);
}

/**
 * The time of a date as files write it, in milliseconds; null if it has no year.
 * @param {string | undefined} date
 */
function timeOf(date) {
  const [, year, month = 1, day = 1] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?/.exec(date ?? "") ?? [];
  return year === undefined ? null : new Date(Number(year), Number(month) - 1, Number(day)).getTime();
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
