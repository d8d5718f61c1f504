// The player's puzzles, kept in the browser: solved ones, the daily streak, and missed
// wins of own games.
//
// Event: `change` something was solved or added, here or in another tab.

import { dayOf } from "./day.js";
import { Stored, forget } from "./stored.js";

const NAME = "tengen-puzzles";
/** Maximum number of own puzzles. */
const MOST_OWN = 200;

/** @typedef {import("./puzzles.js").Puzzle} Puzzle */
/** @typedef {{ solved: string[], streak: number, last: string, own: Puzzle[] }} Kept */

export class PuzzleStore extends EventTarget {
  #stored = new Stored(NAME, /** @type {Kept} */ ({ solved: [], streak: 0, last: "", own: [] }), isValid);
  /**
   * Changes that the browser refused to store, which last until the page is left.
   * @type {((kept: Kept) => Kept)[]}
   */
  #refused = [];
  #now;
  #onFailure;
  #hasFailed = false;

  /**
   * @param {() => Date} now
   * @param {() => void} onFailure called once if the browser keeps nothing
   */
  constructor(now = () => new Date(), onFailure = () => {}) {
    super();
    this.#now = now;
    this.#onFailure = onFailure;
    this.#stored.addEventListener("change", () => this.dispatchEvent(new Event("change")));
  }

  get #kept() {
    return this.#changed(this.#stored.value);
  }

  /** @param {Kept} kept */
  #changed(kept) {
    return this.#refused.reduce((it, change) => change(it), kept);
  }

  /** @param {(kept: Kept) => Kept} change */
  #change(change) {
    this.#refused.push(change);
    if (this.#stored.change((kept) => this.#changed(kept))) {
      this.#refused = [];
      return;
    }
    if (!this.#hasFailed) this.#onFailure();
    this.#hasFailed = true;
  }

  /** @param {string} id */
  isSolved(id) {
    return this.#kept.solved.includes(id);
  }

  get solvedCount() {
    return this.#kept.solved.length;
  }

  /** Days in a row with a solved puzzle, up to today or yesterday. */
  get streak() {
    return streakOn(this.#now(), this.#kept);
  }

  /** The missed wins of own games, the newest first. */
  get own() {
    return this.#kept.own;
  }

  /** @param {string} id of a puzzle that was solved without help */
  solve(id) {
    const now = this.#now();
    this.#change((kept) => ({
      ...kept, solved: [...new Set([...kept.solved, id])], last: dayOf(now),
      streak: streakOn(now, kept) + (kept.last === dayOf(now) ? 0 : 1),
    }));
  }

  /** @param {Puzzle} puzzle a missed win */
  addOwn(puzzle) {
    const isKnown = (/** @type {Kept} */ kept) => kept.own.some(({ id }) => id === puzzle.id);
    if (isKnown(this.#kept)) return;
    this.#change((kept) => (isKnown(kept) ? kept : { ...kept, own: [puzzle, ...kept.own].slice(0, MOST_OWN) }));
  }

  /** Removes everything. */
  static forget() {
    forget(NAME);
  }
}

/** @param {any} stored */
const isValid = (stored) => Array.isArray(stored?.solved) && Array.isArray(stored.own);

/**
 * Days in a row with a solved puzzle, up to this day or the day before.
 * @param {Date} now
 * @param {Kept} kept
 */
function streakOn(now, { last, streak }) {
  // A day can have 23 or 25 hours.
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  return [dayOf(now), dayOf(yesterday)].includes(last) ? streak : 0;
}

/**
 * The number of the puzzle of a day.
 * @param {Date} date
 * @param {number} count of puzzles
 */
export function daily(date, count) {
  let hash = 7;
  for (const letter of dayOf(date)) hash = (hash * 31 + letter.charCodeAt(0)) % 1000003;
  return hash % count;
}
