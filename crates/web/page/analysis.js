// The engine's opinion of the position, while it thinks: the best moves, or what the other side
// would do if this one passed.
//
// Event: `news` there is more to show.

import { other } from "./tree.js";
import { isAbort, Refusal } from "./transport.js";

/** @typedef {import("./engine.js").Found} Found */

export class Analysis extends EventTarget {
  #session;
  #engine;
  #settings;
  #play;
  #say;
  #on = false;
  /** Another search took the engine; this one goes on after it. */
  #isWaiting = false;
  /** Points to leave out. */
  avoid = /** @type {Set<string>} */ (new Set());
  /** Whether the other side is asked. */
  threat = false;
  /**
   * What is known of the position.
   * @type {Found | null}
   */
  found = null;

  /**
   * @param {object} parts
   * @param {import("./session.js").Session} parts.session
   * @param {import("./engine.js").Engine} parts.engine
   * @param {import("./settings.js").Settings} parts.settings
   * @param {Pick<import("./play.js").Play, "awaitsEngine">} parts.play
   * @param {(text: string) => void} parts.say
   */
  constructor({ session, engine, settings, play, say }) {
    super();
    this.#session = session;
    this.#engine = engine;
    this.#settings = settings;
    this.#play = play;
    this.#say = say;
    session.addEventListener("position", () => this.#moved());
    session.addEventListener("facts", () => this.#on && this.#start());
    session.addEventListener("game", () => this.avoid.clear());
    engine.addEventListener("busy", () => this.#resume());
  }

  get isOn() {
    return this.#on;
  }

  #tell() {
    this.dispatchEvent(new Event("news"));
  }

  #moved() {
    this.found = null;
    if (this.threat) this.threat = false;
    if (this.#on) this.#cancel();
    this.#tell();
  }

  /** Ends its own search and no other. */
  #cancel() {
    if (this.#engine.busy === "analyse") this.#engine.cancel();
  }

  /** Who is to move in what is shown. */
  get side() {
    return this.threat ? other(this.#session.side) : this.#session.side;
  }

  /** @param {boolean} on */
  set(on) {
    if (on === this.#on) return;
    this.#on = on;
    if (on) this.#start();
    else this.#cancel();
    this.#tell();
  }

  /** Ends the search and keeps what it found. */
  stop() {
    this.#on = false;
    if (this.#engine.busy === "analyse") this.#engine.hurry();
    this.#tell();
  }

  /** Ends the search and shows nothing any more. */
  clear() {
    this.set(false);
    this.found = null;
    this.#tell();
  }

  /** Begins again, with other settings. */
  restart() {
    if (this.#on) this.#start();
  }

  /**
   * What would the other side do if this one passed?
   * @param {boolean} threat
   */
  showThreat(threat) {
    // Whoever is about to move makes the question an old one.
    if (threat === this.threat || (threat && this.#play.awaitsEngine)) return;
    this.threat = threat;
    this.found = null;
    if (!this.#on) this.#on = true;
    this.#start();
    this.#tell();
  }

  /**
   * Leaves a point out, or takes it in again.
   * @param {string} at
   */
  toggleAvoid(at) {
    if (!this.avoid.delete(at)) this.avoid.add(at);
    this.restart();
    this.#tell();
  }

  #resume() {
    if (!this.#isWaiting || !this.#on || this.#engine.busy) return;
    this.#start();
  }

  async #start() {
    const session = this.#session;
    this.#isWaiting = false;
    // It goes on after the move that the game waits for.
    if (this.#play.awaitsEngine) return;
    if (session.facts === null || session.isOver) {
      this.#cancel();
      return;
    }
    const { game, node, threat } = { game: session.game, node: session.node, threat: this.threat };
    const position = game.position();
    if (threat) position.turn = other(session.side);
    /** @param {Found} found */
    const show = (found) => {
      if (session.node !== node || this.threat !== threat) return;
      this.found = found;
      if (!threat) this.#note(node, found);
      this.#tell();
    };
    try {
      const lines = this.#settings.get("lines");
      const avoid = [...this.avoid];
      const answer = await this.#engine.analyse({ position, lines, avoid }, show);
      if (answer) show(answer);
      else if (session.node === node && this.threat === threat) {
        this.#isWaiting = true;
        this.#resume();
      }
    } catch (error) {
      if (isAbort(error)) return;
      this.#on = false;
      if (error instanceof Refusal) this.#say(error.message);
      this.#tell();
    }
  }

  /**
   * The tree remembers the best that is known of a position.
   * @param {import("./tree.js").GameNode} node
   * @param {Found} found
   */
  #note(node, found) {
    const best = found.lines[0];
    if (!best || this.avoid.size > 0) return;
    const isDeeper = !node.evaluation || (node.evaluation.nodes ?? Infinity) <= found.nodes || node.evaluation.live;
    if (!isDeeper) return;
    node.evaluation = {
      text: evaluationText(best),
      score: best.score, rate: best.rate, forced: best.forced, moves: best.moves,
      nodes: found.nodes, live: true,
    };
    this.#session.noted();
  }
}

/**
 * An evaluation as a line of a comment, as files keep it.
 * @param {import("./engine.js").Line} line
 */
function evaluationText({ score, rate, forced, moves }) {
  const sign = score > 0 ? "+" : "";
  const points = forced === null ? `${sign}${score}` : `${forced > 0 ? "+" : "-"}M${Math.abs(forced)}`;
  const line = moves.length > 0 ? `, line ${moves.join(" ")}` : "";
  return `Tengen: score ${points}, win rate ${(rate * 100).toFixed(0)} %${line}`;
}
