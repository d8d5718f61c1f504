// The explorer: the record of the position on the board in a database, and the moves from it. The
// database is that of the local server (`tengen web --study`), or one in the browser.
//
// Events: `change` another position is shown, or its data have changed; `progress` of an analysis.

import { errorText } from "./errors.js";
import { ConnectionError, ServerError, isAbort } from "./transport.js";

/** @typedef {import("./tree.js").Color} Color */
/** @typedef {import("./engine.js").Position} Position */

/**
 * A result for the side to move of the position that is shown. `plies` may be unknown.
 * @typedef {{ value: "win" | "draw" | "loss", evidence: "proved" | "claimed", plies: number | null }} Result
 */

/**
 * A move to a position of the database. Values are for the side that plays it.
 * @typedef {object} KnownMove
 * @property {string} at
 * @property {number | null} score
 * @property {number | null} rate
 * @property {Result | null} result
 * @property {number} games
 * @property {string} label
 * @property {string} comment
 */

/**
 * The record of a position in a database.
 * @typedef {object} Shown
 * @property {boolean} known whether the database has the position
 * @property {Result | null} result
 * @property {{ score: number, depth: number, nodes: number, best: string | null } | null} evaluation
 * @property {{ black: number, draws: number, white: number, unknown: number } | null} games
 * @property {string} label
 * @property {string} comment
 * @property {{ at: string, text: string }[]} texts on cells
 * @property {KnownMove[]} moves best first
 */

/**
 * The stones of a position.
 * @typedef {{ stones: Map<string, { color: Color }>, walls: Set<string>, side: Color }} Stones
 */

/** @typedef {{ position: Position, board: Stones }} Place */

/**
 * A database.
 * @typedef {object} Study
 * @property {string | null} name of its file; null in the browser
 * @property {(place: Place) => Promise<Shown>} show
 * @property {(place: Place, edit: { label?: string, comment?: string }) => Promise<Shown>} edit
 * @property {(place: Place) => Promise<Shown>} remove
 * @property {(place: Place, limits: { lines: number, time_ms: number }, onProgress: (found: import("./engine.js").Found) => void) => Promise<import("./engine.js").Found | null>} analyse keeps the result
 */

/**
 * The database of the server.
 * @implements {Study}
 */
export class ServerStudy {
  #engine;

  /**
   * @param {Pick<import("./engine.js").Engine, "study" | "analyse">} engine
   * @param {string} name
   */
  constructor(engine, name) {
    this.#engine = engine;
    this.name = name;
  }

  /** @param {Place} place */
  show({ position }) {
    return this.#engine.study("study", { position });
  }

  /**
   * @param {Place} place
   * @param {{ label?: string, comment?: string }} edit
   */
  edit({ position }, edit) {
    return this.#engine.study("study-edit", { position, edit });
  }

  /** @param {Place} place */
  remove({ position }) {
    return this.#engine.study("study-delete", { position });
  }

  /**
   * @param {Place} place
   * @param {{ lines: number, time_ms: number }} limits
   * @param {(found: import("./engine.js").Found) => void} onProgress
   */
  analyse({ position }, limits, onProgress) {
    return this.#engine.analyse({ position, ...limits }, onProgress, "study-analyse");
  }
}

/** Shows the position of the session while it is open. */
export class Explorer extends EventTarget {
  #session;
  #notify;
  #isOpen = false;
  #asked = 0;
  /** @type {Shown | null} */
  #shown = null;

  /**
   * @param {object} parts
   * @param {Pick<import("./session.js").Session, "game" | "node" | "board" | "isOver"> & EventTarget} parts.session
   * @param {Study} parts.study
   * @param {(text: string, isProblem?: boolean) => void} parts.notify
   */
  constructor({ session, study, notify }) {
    super();
    this.#session = session;
    this.#notify = notify;
    this.study = study;
    /**
     * The best moves of the running analysis; null without one.
     * @type {import("./engine.js").Found | null}
     */
    this.progress = null;
    session.addEventListener("position", () => this.refresh());
  }

  /** The record of the position; null until the answer arrives. */
  get shown() {
    return this.#shown;
  }

  get isOpen() {
    return this.#isOpen;
  }

  /** Whether each position is requested from the database. */
  set isOpen(isOpen) {
    if (isOpen === this.#isOpen) return;
    this.#isOpen = isOpen;
    this.refresh();
  }

  /** Requests the position again. */
  async refresh() {
    this.#shown = null;
    this.progress = null;
    if (this.#isOpen) await this.#ask((place) => this.study.show(place));
    else this.#emit("change");
  }

  /** @param {string} kind */
  #emit(kind) {
    this.dispatchEvent(new Event(kind));
  }

  /** @returns {Place} */
  #place() {
    return { position: this.#session.game.position(), board: this.#session.board() };
  }

  /** @param {(place: Place) => Promise<Shown>} ask */
  async #ask(ask) {
    const own = ++this.#asked;
    const { node } = this.#session;
    const isCurrent = () => own === this.#asked && this.#session.node === node;
    try {
      const shown = await ask(this.#place());
      if (!isCurrent()) return false;
      this.#shown = shown;
      this.#emit("change");
      return true;
    } catch (error) {
      if (isCurrent()) this.#emit("change");
      this.#failed(error);
      return false;
    }
  }

  /**
   * Shows why the database or the engine failed. A lost connection is shown elsewhere.
   * @param {unknown} error
   */
  #failed(error) {
    if (error instanceof ConnectionError || isAbort(error)) return;
    const reason = error instanceof Error ? error.message : String(error);
    this.#notify(error instanceof ServerError ? errorText(error) : reason, true);
  }

  /**
   * Changes texts of the position, which is added if it is missing.
   * @param {{ label?: string, comment?: string }} texts
   */
  edit(texts) {
    return this.#ask((place) => this.study.edit(place, texts));
  }

  /** Deletes the position from the database. */
  remove() {
    return this.#ask((place) => this.study.remove(place));
  }

  /**
   * Analyses the position and keeps the result. Another position ends the analysis of the page, not
   * this one; its result belongs to the position that it began with.
   * @param {{ lines: number, time_ms: number }} limits
   */
  async analyse(limits) {
    const { node } = this.#session;
    const isHere = () => this.#session.node === node;
    try {
      const found = await this.study.analyse(this.#place(), limits, (progress) => {
        if (!isHere()) return;
        this.progress = progress;
        this.#emit("progress");
      });
      if (!isHere()) return found !== null;
      await this.refresh();
      return found !== null;
    } catch (error) {
      this.progress = null;
      this.#emit("change");
      this.#failed(error);
      return false;
    }
  }
}
