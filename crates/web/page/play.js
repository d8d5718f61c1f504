// A game between people and players of this program: whose turn it is, who answers, how it ends.
//
// Events: `seats` somebody else sits somewhere; `teach` a move gave much away (detail: what).

import { other } from "./tree.js";
import { isAbort, Refusal } from "./transport.js";

/** A loss of win rate that is worth a warning. */
const MISTAKE = 0.12;
/** Positions that the teacher looks at before and after a move. */
const TEACHER_NODES = 30000;
/** A reply that comes at once startles (milliseconds). */
const BREATH = 280;

const ME = "me";

/** @typedef {import("./tree.js").Color} Color */
/** @typedef {import("./tree.js").GameNode} GameNode */
/** @typedef {import("./opening.js").Opening} Opening */

/** @type {Color[]} */
const COLORS = ["black", "white"];

export class Play extends EventTarget {
  #session;
  #engine;
  #settings;
  #clock;
  #say;
  #turnSince = performance.now();
  /** Nobody answers until somebody moves or says go. */
  #paused = false;
  #enabled = true;
  #isTeaching = false;
  /**
   * The position for which a player is thinking.
   * @type {GameNode | null}
   */
  #thinksOf = null;
  /** @type {Opening | null} */
  #opening = null;

  /**
   * @param {object} parts
   * @param {import("./session.js").Session} parts.session
   * @param {import("./engine.js").Engine} parts.engine
   * @param {import("./settings.js").Settings} parts.settings
   * @param {import("./clock.js").Clock} parts.clock
   * @param {(text: string) => void} parts.say
   */
  constructor({ session, engine, settings, clock, say }) {
    super();
    this.#session = session;
    this.#engine = engine;
    this.#settings = settings;
    this.#clock = clock;
    this.#say = say;
    session.addEventListener("position", () => this.#arrived());
    // Only a game that begins here is played by the clock.
    session.addEventListener("game", () => clock.set(0, 0));
    session.addEventListener("facts", () => this.#step());
    clock.addEventListener("flag", (event) => {
      const loser = /** @type {CustomEvent<Color>} */ (event).detail;
      engine.cancel();
      session.end(other(loser), "timeout");
    });
  }

  /**
   * Who sits where: `me`, `level:club`, `bot:random`.
   * @param {Color} color
   */
  seat(color) {
    return this.#settings.get(color);
  }

  /**
   * @param {Color} color
   * @param {string} who
   */
  setSeat(color, who) {
    this.#settings.set(color, who);
    this.dispatchEvent(new Event("seats"));
    if (["think", "opening-answer"].includes(this.#engine.busy ?? "")) this.#engine.cancel();
    this.#step();
  }

  /** @param {Color} color */
  isEngine(color) {
    return this.seat(color) !== ME;
  }

  /** The colours that people play. */
  get #people() {
    return COLORS.filter((color) => !this.isEngine(color));
  }

  get isPaused() {
    return this.#paused;
  }

  /** Whether the game waits for the engine, which then has no time for anything else. */
  get awaitsEngine() {
    if (this.#opening?.isActive) return !this.#opening.asksPerson;
    if (!this.#enabled || this.#session.isOver) return false;
    return this.#isTeaching || (!this.#paused && this.isEngine(this.#session.side));
  }

  /**
   * The opening whose questions come first.
   * @param {Opening} opening
   */
  set opening(opening) {
    this.#opening = opening;
    // Who is to move then may have known the position for long.
    opening.addEventListener("end", () => this.#step());
  }

  /**
   * Players answer only while the board is there for playing.
   * @param {boolean} enabled
   */
  set enabled(enabled) {
    if (enabled === this.#enabled) return;
    this.#enabled = enabled;
    if (!enabled) this.#clock.pause();
    else if (this.#engine.busy === "think" && this.#thinksOf === this.#session.node) {
      // It has thought on, and so it may.
      this.#clock.run(this.#session.side);
    } else {
      // Back from elsewhere somebody wants to look first.
      if (!this.#opening?.isActive) this.#paused = this.isEngine(this.#session.side);
      this.#step();
    }
  }

  /** Both players change seats. */
  swap() {
    const [black, white] = [this.seat("black"), this.seat("white")];
    this.#settings.set("black", white);
    this.#settings.set("white", black);
    this.dispatchEvent(new Event("seats"));
    if (this.#engine.busy === "think") this.#engine.cancel();
    this.#paused = false;
    this.#step();
  }

  #arrived() {
    this.#turnSince = performance.now();
  }

  /** What comes next where the board stands. */
  #step() {
    const session = this.#session;
    if (!this.#enabled || this.#opening?.isActive) return;
    if (session.isOver || session.facts === null) {
      this.#clock.pause();
      return;
    }
    if (this.#paused) {
      this.#clock.pause();
      return;
    }
    if (session.node.depth > 0 || this.isEngine(session.side)) this.#clock.run(session.side);
    if (this.isEngine(session.side)) this.#think();
  }

  async #think() {
    const session = this.#session;
    const { game, node, side } = session;
    /** @type {Record<string, unknown>} */
    const question = { position: game.position(), player: this.seat(side) };
    if (this.#clock.enabled) {
      question.left_ms = Math.round(this.#clock.left(side));
      question.increment_ms = this.#clock.increment;
    } else {
      question.time_ms = Math.round(this.#settings.get("moveTime") * 1000);
    }
    const begun = performance.now();
    this.#thinksOf = node;
    try {
      const answer = await this.#engine.think(question);
      if (!answer) return;
      const took = Math.round(performance.now() - begun);
      const isHere = () => session.game === game && session.node === node && this.#enabled && !this.#paused;
      // The pause before the stone is for the eye, and nobody's time.
      if (isHere() && answer.move && !this.#clock.moved()) return;
      const rest = BREATH - (performance.now() - begun);
      if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
      if (isHere() && answer.move) session.play(answer.move, took);
    } catch (error) {
      if (isAbort(error)) return;
      this.pause();
      if (error instanceof Refusal) this.#say(error.message);
    }
  }

  /**
   * Somebody plays on a cell, or passes where it is null. False when that is not possible now.
   * @param {string | null} at
   */
  place(at) {
    const session = this.#session;
    if (!this.#paused && this.isEngine(session.side) && !session.isOver && this.#enabled) return false;
    const [node, side] = [session.node, session.side];
    const time = Math.round(performance.now() - this.#turnSince);
    this.#paused = false;
    // Too late: the game has just ended.
    if (!this.#clock.moved()) return true;
    session.reopen();
    if (this.#settings.get("teaching") && this.#enabled && this.isEngine(other(side))) {
      this.#paused = true;
      session.play(at, time);
      this.#teach(node, session.node);
    } else {
      session.play(at, time);
    }
    return true;
  }

  /**
   * Looks whether the move gave much away before anybody answers it.
   * @param {GameNode} before
   * @param {GameNode} after
   */
  async #teach(before, after) {
    const session = this.#session;
    const { game } = session;
    this.#isTeaching = true;
    /** @param {GameNode} node */
    const judge = async (node) => {
      const answer = await this.#engine.analyse({
        position: game.position(node), lines: 1, nodes: TEACHER_NODES,
      });
      return answer?.lines[0] ?? null;
    };
    let found = null;
    try {
      const best = await judge(before);
      const reply = await judge(after);
      if (session.node !== after) return;
      if (best && reply) {
        const loss = best.rate - (1 - reply.rate);
        if (loss >= MISTAKE && best.moves[0] !== after.at) found = { best, reply, loss, after };
      }
    } catch {
      // Without a teacher the game goes on.
    } finally {
      this.#isTeaching = false;
    }
    if (session.node !== after) return;
    if (found) this.dispatchEvent(new CustomEvent("teach", { detail: found }));
    else this.go();
  }

  /** Whoever is to move shall move now; a person is moved for. */
  go() {
    const session = this.#session;
    if (session.isOver) return;
    this.#paused = false;
    if (this.#engine.busy === "think") {
      this.#engine.hurry();
      return;
    }
    if (this.isEngine(session.side)) this.#step();
    else this.#moveFor();
  }

  /** Full strength, or the opponent's level, moves for a person once. */
  async #moveFor() {
    const session = this.#session;
    const { node, side } = session;
    const player = this.isEngine(other(side)) ? this.seat(other(side)) : "level:full";
    const time_ms = Math.round(this.#settings.get("moveTime") * 1000);
    try {
      const answer = await this.#engine.think({ position: session.game.position(), player, time_ms });
      if (answer?.move && session.node === node) session.play(answer.move);
    } catch (error) {
      if (error instanceof Refusal) this.#say(error.message);
    }
  }

  /** Nobody answers until somebody moves or says go. */
  pause() {
    this.#paused = true;
    this.#clock.pause();
  }

  /** The person's last move is taken back, and what came after it. */
  undo() {
    const session = this.#session;
    if (!session.node.parent) return;
    this.#engine.cancel();
    session.reopen();
    const people = this.#people;
    this.pause();
    do session.back();
    while (session.node.parent && people.length === 1 && !people.includes(session.side));
    if (people.includes(session.side)) this.#resume();
  }

  redo() {
    const session = this.#session;
    if (session.node.children.length === 0) return;
    this.#engine.cancel();
    this.pause();
    const people = this.#people;
    do session.forward();
    while (session.node.children.length > 0 && people.length === 1 && !people.includes(session.side));
    if (people.includes(session.side)) this.#resume();
  }

  /** The board was turned to another position by hand. */
  jumped() {
    if (this.#engine.busy === "think") this.#engine.cancel();
    if (this.isEngine(this.#session.side)) this.pause();
    else this.#resume();
  }

  /** A person goes on, and their clock: the position may have arrived while all stood still. */
  #resume() {
    this.#paused = false;
    this.#step();
  }

  /** The side to move gives up; against an engine, the person. */
  resign() {
    const session = this.#session;
    if (session.isOver) return;
    const people = this.#people;
    const loser = people.length === 1 ? people[0] : session.side;
    this.#engine.cancel();
    this.#clock.pause();
    session.end(other(loser), "resignation");
  }

  /** A new game has begun. */
  begin() {
    this.#paused = false;
    const minutes = this.#settings.get("clock") ? this.#settings.get("clockMinutes") : 0;
    this.#clock.set(minutes * 60000, this.#settings.get("clockIncrement") * 1000);
  }
}
