// The clock of a game: time for each player, and an increment after each move.
//
// Events: `tick` a time has changed; `flag` a player's time is up (detail: the colour).

/** @typedef {import("./tree.js").Color} Color */

export class Clock extends EventTarget {
  /** @type {Record<Color, number>} */
  #left = { black: 0, white: 0 };
  #increment = 0;
  /** @type {Color | null} */
  #running = null;
  #since = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #ticker;
  enabled = false;

  /**
   * Sets both clocks and stops them. Without time the clock is off.
   * @param {number | Record<Color, number>} total milliseconds, of each colour where they differ
   * @param {number} increment milliseconds added after each move
   */
  set(total, increment) {
    this.pause();
    this.#left = typeof total === "number" ? { black: total, white: total } : { ...total };
    this.enabled = this.#left.black + this.#left.white > 0;
    this.#increment = increment;
    this.#emit();
  }

  /** The times left of both players. */
  get times() {
    return { black: this.left("black"), white: this.left("white") };
  }

  /**
   * Sets the times left, and stops the clocks.
   * @param {Record<Color, number>} times
   */
  restore(times) {
    this.pause();
    this.#left = { ...times };
    this.#emit();
  }

  #emit() {
    this.dispatchEvent(new Event("tick"));
  }

  /** @param {Color} color of the player whose time is up */
  #flag(color) {
    this.dispatchEvent(new CustomEvent("flag", { detail: color }));
  }

  /**
   * Milliseconds left, never below zero.
   * @param {Color} color
   */
  left(color) {
    const used = this.#running === color ? performance.now() - this.#since : 0;
    return Math.max(0, this.#left[color] - used);
  }

  get increment() {
    return this.#increment;
  }

  /** The colour whose clock is running, or null. */
  get running() {
    return this.#running;
  }

  /**
   * Starts the clock of `color`.
   * @param {Color} color
   */
  run(color) {
    if (!this.enabled || this.#running === color) return;
    this.pause();
    this.#running = color;
    this.#since = performance.now();
    this.#ticker = setInterval(() => {
      this.#emit();
      if (this.left(color) === 0) {
        this.pause();
        this.#flag(color);
      }
    }, 100);
    this.#emit();
  }

  /**
   * Stops the running clock after a move and adds the increment. If the time was up before the
   * move, the flag falls and the result is false, even if the browser has delayed the ticks.
   */
  moved() {
    const color = this.#running;
    this.pause();
    const isInTime = color === null || this.#left[color] > 0;
    if (color && isInTime) this.#left[color] += this.#increment;
    this.#emit();
    if (color && !isInTime) this.#flag(color);
    return isInTime;
  }

  pause() {
    clearInterval(this.#ticker);
    if (this.#running) this.#left[this.#running] = this.left(this.#running);
    this.#running = null;
  }
}

/**
 * `9:58`; below 20 seconds with tenths.
 * @param {number} ms
 */
export function clockText(ms) {
  const seconds = ms / 1000;
  if (seconds < 20) return seconds.toFixed(1);
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
