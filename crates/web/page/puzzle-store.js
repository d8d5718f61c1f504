// The player's puzzles, kept in the browser: solved ones, the daily streak, and missed
// wins of own games.

const NAME = "tengen-puzzles";
/** Maximum number of own puzzles. */
const MOST_OWN = 200;

/** @typedef {import("./puzzles.js").Puzzle} Puzzle */
/** @typedef {{ solved: string[], streak: number, last: string, own: Puzzle[] }} Kept */

/**
 * The date as text, in local time.
 * @param {Date} date
 */
export function dayOf(date) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

export class PuzzleStore {
  /** @type {Kept} */
  #kept = { solved: [], streak: 0, last: "", own: [] };
  #now;
  #onFailure;
  #hasFailed = false;

  /**
   * @param {() => Date} now
   * @param {() => void} onFailure called once if the browser keeps nothing
   */
  constructor(now = () => new Date(), onFailure = () => {}) {
    this.#now = now;
    this.#onFailure = onFailure;
    try {
      const stored = JSON.parse(localStorage.getItem(NAME) ?? "{}");
      if (Array.isArray(stored.solved) && Array.isArray(stored.own)) this.#kept = { ...this.#kept, ...stored };
    } catch {
      // Nothing is stored, or nothing can be.
    }
  }

  #write() {
    try {
      localStorage.setItem(NAME, JSON.stringify(this.#kept));
    } catch {
      // Kept until the page is left.
      if (!this.#hasFailed) this.#onFailure();
      this.#hasFailed = true;
    }
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
    const today = this.#now();
    // A day can have 23 or 25 hours.
    const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1);
    const days = [dayOf(today), dayOf(yesterday)];
    return days.includes(this.#kept.last) ? this.#kept.streak : 0;
  }

  /** The missed wins of own games, the newest first. */
  get own() {
    return this.#kept.own;
  }

  /** @param {string} id of a puzzle that was solved without help */
  solve(id) {
    const today = dayOf(this.#now());
    if (this.#kept.last !== today) {
      this.#kept.streak = this.streak + 1;
      this.#kept.last = today;
    }
    if (!this.isSolved(id)) this.#kept.solved.push(id);
    this.#write();
  }

  /** @param {Puzzle} puzzle a missed win */
  addOwn(puzzle) {
    if (this.#kept.own.some(({ id }) => id === puzzle.id)) return;
    this.#kept.own = [puzzle, ...this.#kept.own].slice(0, MOST_OWN);
    this.#write();
  }

  /** Removes everything. */
  static forget() {
    try {
      localStorage.removeItem(NAME);
    } catch {
      // Nothing is stored.
    }
  }
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
