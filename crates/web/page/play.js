// A game between people and players of this program: turns, replies, endings.
//
// Events: `seats` the players have changed; `state` the game was paused or continues; `teach` a move was
// a mistake (detail: the evaluations).

import { COLORS, other } from "./tree.js";
import { errorText } from "./errors.js";
import { isAbort, ServerError } from "./transport.js";
import { PROOF, WINNER } from "./solved.js";

/** Loss of win rate that counts as a mistake. */
const MISTAKE = 0.12;
/** Nodes of the teacher for the positions before and after a move. */
const TEACHER_NODES = 30000;
/** Minimum time before a reply is shown, in milliseconds. */
const MIN_REPLY_TIME = 280;
/** Time until the next attempt if all engines of the server are in use, in milliseconds. */
const BUSY_RETRY = 1000;

const ME = "me";
/** The player whose searches share a table with those in the time of the person. */
const FULL = "level:full";

/** @typedef {import("./tree.js").Color} Color */
/** @typedef {import("./tree.js").Game} Game */
/** @typedef {import("./tree.js").GameNode} GameNode */
/** @typedef {import("./opening.js").Opening} Opening */

/**
 * The times left when the nodes of a game were reached, in the order of the nodes.
 * @typedef {(Record<Color, number> | null)[]} Earlier
 */

/**
 * What belongs to a game in addition to its moves. `clock` is null without a clock.
 * @typedef {object} PlayState
 * @property {Record<Color, string>} seats
 * @property {boolean} isPaused
 * @property {{ times: Record<Color, number>, increment: number } | null} clock
 */

export class Play extends EventTarget {
  #session;
  #engine;
  #settings;
  #clock;
  #notify;
  #solved;
  #turnSince = performance.now();
  /** Whether players of this program wait for a move or `go`. */
  #paused = false;
  #enabled = true;
  /** The game on the board, and the states of the games before it. @type {Game} */
  #game;
  #states = /** @type {WeakMap<Game, PlayState>} */ (new WeakMap());
  /** The games that were begun here. @type {WeakSet<Game>} */
  #begun = new WeakSet();
  /** The node whose move the teacher checks. */
  #taught = /** @type {GameNode | null} */ (null);
  /** The node of a mistake that the person may take back. */
  #mistake = /** @type {GameNode | null} */ (null);
  /** The times left when a position was reached first. */
  #times = /** @type {WeakMap<GameNode, Record<Color, number>>} */ (new WeakMap());
  /** The moves that were taken back here, and not looked at since. @type {WeakSet<GameNode>} */
  #takenBack = new WeakSet();
  /**
   * The position that a player of this program searches.
   * @type {GameNode | null}
   */
  #searchedNode = null;
  /** @type {Opening | null} */
  #opening = null;

  /**
   * @param {object} parts
   * @param {import("./session.js").Session} parts.session
   * @param {import("./engine.js").Engine} parts.engine
   * @param {import("./settings.js").Settings} parts.settings
   * @param {import("./clock.js").Clock} parts.clock
   * @param {(text: string, isProblem?: boolean) => void} parts.notify
   * @param {import("./solved.js").SolvedGame} parts.solved
   */
  constructor({ session, engine, settings, clock, notify, solved }) {
    super();
    this.#session = session;
    this.#engine = engine;
    this.#settings = settings;
    this.#clock = clock;
    this.#notify = notify;
    this.#solved = solved;
    session.addEventListener("position", () => this.#positionChanged());
    this.#game = session.game;
    session.addEventListener("game", () => this.#gameChanged());
    session.addEventListener("facts", () => this.#step());
    clock.addEventListener("flag", (event) => {
      const loser = /** @type {CustomEvent<Color>} */ (event).detail;
      engine.cancel();
      this.#end(other(loser), "timeout");
    });
  }

  /** Whether the game was begun here: its end is announced, and a rematch offered. */
  get isGame() {
    return this.isBegun(this.#session.game);
  }

  /** @param {Game} game */
  isBegun(game) {
    return this.#begun.has(game);
  }

  set isGame(isGame) {
    if (isGame) this.#begun.add(this.#session.game);
    else this.#begun.delete(this.#session.game);
  }

  /** Whether moves continue a game that was begun here. Others are variations of an opened game. */
  get #isOngoing() {
    return this.#enabled && this.isGame;
  }

  /** The time since the position was reached; null in other panels, where no moves of a game are played. */
  get #timeUsed() {
    return this.#enabled ? Math.round(performance.now() - this.#turnSince) : null;
  }

  /** Whether the person looks back at a game that has ended: nothing runs out or ends there again. */
  get isLookingBack() {
    const { game, gameEnd } = this.#session;
    return this.isGame && this.#hasEnded && !game.path(gameEnd).some((node) => this.#takenBack.has(node));
  }

  /** Whether the game has ended elsewhere. A last move without a time was not played: it ends no game. */
  get #hasEnded() {
    const { game, gameEnd, isOverLater } = this.#session;
    return isOverLater && (game.result !== null || gameEnd.timeMs !== null);
  }

  /**
   * The player of a colour: `me`, `level:club`, `bot:random`, `proof`.
   * @param {Color} color
   */
  seat(color) {
    if (this.#solved.isOn) return color === WINNER ? PROOF : ME;
    return this.#settings.get(color);
  }

  /**
   * @param {Color} color
   * @param {string} who
   */
  setSeat(color, who) {
    this.#settings.set(color, who);
    this.#seatsChanged();
    if (["think", "opening-answer"].includes(this.#engine.busy ?? "")) this.#engine.cancel();
    this.#step();
  }

  #seatsChanged() {
    this.dispatchEvent(new Event("seats"));
    // A person replies: the check would only delay the game.
    if (this.isTeaching && !this.isEngine(this.#session.side)) {
      this.#taught = null;
      this.#engine.cancel();
      this.#setPaused(false);
    }
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

  /** Whether the teacher checks the last move. */
  get isTeaching() {
    return this.#taught !== null;
  }

  /** Whether the person has to decide about a mistake. */
  get asksAboutMistake() {
    return this.#mistake !== null && this.#mistake === this.#session.node;
  }

  /** Whether the game stands still although a player of this program is to move. */
  get waitsForGo() {
    const session = this.#session;
    return this.#paused && !this.isTeaching && !session.isOver && this.isEngine(session.side);
  }

  /** @param {boolean} paused */
  #setPaused(paused) {
    if (paused === this.#paused) return;
    this.#paused = paused;
    this.dispatchEvent(new Event("state"));
  }

  /** Whether the game waits for the engine. Other searches would delay the game. */
  get awaitsEngine() {
    if (this.#opening?.isActive) return !this.#opening.asksPerson;
    if (!this.#enabled || this.#session.isOver) return false;
    return this.isTeaching || (!this.#paused && this.isEngine(this.#session.side));
  }

  /**
   * The opening, which precedes the moves.
   * @param {Opening} opening
   */
  set opening(opening) {
    this.#opening = opening;
    // The facts of the position may have arrived before the end of the opening.
    opening.addEventListener("end", () => this.#step());
  }

  /**
   * Players of this program move only while enabled.
   * @param {boolean} enabled
   */
  set enabled(enabled) {
    if (enabled === this.#enabled) return;
    this.#enabled = enabled;
    if (!enabled) this.#engine.stopPondering();
    if (!enabled) this.#clock.pause();
    else if (this.#engine.busy === "think" && this.#searchedNode === this.#session.node) {
      // Its search is still running.
      this.#runClock();
    } else {
      // After another panel the engine waits for the person.
      if (!this.#opening?.isActive) this.#setPaused(this.isEngine(this.#session.side));
      this.#step();
    }
  }

  /** Exchanges the players of the two colours, which one game fixes. */
  swap() {
    if (this.#solved.isOn) return;
    const [black, white] = [this.seat("black"), this.seat("white")];
    this.#settings.set("black", white);
    this.#settings.set("white", black);
    this.#seatsChanged();
    if (this.#engine.busy === "think") this.#engine.cancel();
    this.#setPaused(false);
    this.#step();
  }

  /** Keeps the state of the game before, and continues with that of this game. */
  #gameChanged() {
    this.#states.set(this.#game, this.#state);
    this.#game = this.#session.game;
    // Only games started here have a clock.
    this.restore(this.#states.get(this.#game) ?? {});
  }

  /** @returns {PlayState} */
  get #state() {
    const [black, white] = COLORS.map((color) => this.#settings.get(color));
    const { enabled, times, increment } = this.#clock;
    // The teacher is not asked again: the reply follows.
    return { seats: { black, white }, isPaused: this.#paused && !this.isTeaching, clock: enabled ? { times, increment } : null };
  }

  /**
   * The state of a game that is or was on the board.
   * @param {Game} game
   */
  stateOf(game) {
    return (game === this.#game ? null : this.#states.get(game)) ?? this.#state;
  }

  /**
   * Continues with a state of the game on the board.
   * @param {Partial<PlayState>} state
   */
  restore({ seats, isPaused = this.#paused, clock = null }) {
    for (const color of COLORS) {
      if (seats && seats[color] !== this.#settings.get(color)) this.#settings.set(color, seats[color]);
    }
    this.#setPaused(isPaused);
    this.#clock.set(clock?.times ?? 0, clock?.increment ?? 0);
  }

  #positionChanged() {
    this.#turnSince = performance.now();
    this.#mistake = null;
    this.#taught = null;
    const { game, node } = this.#session;
    for (const it of game.path()) this.#takenBack.delete(it);
    if (this.#clock.enabled && !this.#times.has(node)) this.#times.set(node, this.#clock.times);
  }

  /** Continues the game at the current position. */
  #step() {
    const session = this.#session;
    if (!this.#enabled || this.#opening?.isActive) return;
    if (session.isOver || session.facts === null) {
      this.#clock.pause();
      return;
    }
    // Where a loss on time was taken back, the times are those from before.
    const isRunOut = COLORS.some((color) => this.#clock.left(color) === 0);
    if (isRunOut && this.#clock.running === null) this.#restoreTimes();
    if (this.#paused) {
      this.#clock.pause();
      return;
    }
    if (session.node.depth > 0 || this.isEngine(session.side)) this.#runClock();
    if (this.isEngine(session.side)) this.#think();
    else this.#ponder();
  }

  #runClock() {
    if (this.isLookingBack) this.#clock.pause();
    else this.#clock.run(this.#session.side);
  }

  /** Searches in the time of the person, if the opponent plays at full strength. */
  #ponder() {
    const session = this.#session;
    const isWanted = this.#settings.get("ponder") && this.seat(other(session.side)) === FULL && session.node.depth > 0;
    if (isWanted && this.#engine.busy === null) this.#engine.ponder(session.game.position());
  }

  async #think() {
    const session = this.#session;
    const { game, node, side } = session;
    /** @type {{ position: import("./engine.js").Position } & Record<string, unknown>} */
    const question = { position: game.position(), ...playerOf(this.seat(side)) };
    if (this.#clock.enabled) {
      question.left_ms = Math.round(this.#clock.left(side));
      question.increment_ms = this.#clock.increment;
    } else {
      question.time_ms = Math.round(this.#settings.get("moveTime") * 1000);
    }
    const begun = performance.now();
    this.#searchedNode = node;
    try {
      const answer = await this.#engine.think(question);
      if (!answer) return;
      const took = Math.round(performance.now() - begun);
      const isHere = () => session.game === game && session.node === node && this.#enabled && !this.#paused;
      // The delay before the stone is shown is not charged.
      if (isHere() && answer.move && !this.#clock.moved()) return;
      const rest = MIN_REPLY_TIME - (performance.now() - begun);
      if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
      if (!isHere() || !answer.move) return;
      const after = session.play(answer.move, took, this.#isOngoing);
      if (answer.wins) this.#solved.noteWin(after);
    } catch (error) {
      if (isAbort(error)) return;
      if (error instanceof ServerError) this.#notify(errorText(error), true);
      if (error instanceof ServerError && error.isBusy) {
        setTimeout(() => session.game === game && session.node === node && !this.#engine.busy && this.#step(), BUSY_RETRY);
        return;
      }
      this.pause();
    }
  }

  /**
   * Plays a person's move, or a pass if `at` is null. False if it is not a person's turn, also while
   * the engine waits or the teacher asks.
   * @param {string | null} at
   */
  place(at) {
    const session = this.#session;
    if (this.isEngine(session.side) && !session.isOver && this.#enabled) return false;
    const [node, side] = [session.node, session.side];
    if (this.isEngine(side)) this.#solved.noteHelp();
    const time = this.#timeUsed;
    this.#setPaused(false);
    // The flag has fallen: the move came too late.
    if (!this.#clock.moved()) return true;
    session.reopen();
    const isTaught = this.#settings.get("teaching") && this.#enabled && this.isEngine(other(side));
    // Where all moves lose, no mistake is possible.
    if (isTaught && !this.#solved.isOn) {
      this.#setPaused(true);
      session.play(at, time, this.#isOngoing);
      this.#teach(node, session.node);
    } else {
      session.play(at, time, this.#isOngoing);
    }
    // Two passes in a row end the game.
    if (at === null && node.color && node.at === null && !session.isOver) this.#end(null, "passes");
    return true;
  }

  /**
   * Checks whether a move was a mistake, before the reply is searched.
   * @param {GameNode} before
   * @param {GameNode} after
   */
  async #teach(before, after) {
    const { game } = this.#session;
    this.#taught = after;
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
      if (this.#taught !== after) return;
      const reply = await judge(after);
      if (best && reply) {
        const loss = best.rate - (1 - reply.rate);
        if (loss >= MISTAKE && best.moves[0] !== after.at) found = { best, reply, loss, after };
      }
    } catch {
      // Continue the game without the teacher.
    }
    if (this.#taught !== after) return;
    this.#taught = null;
    if (found) {
      this.#mistake = after;
      this.dispatchEvent(new CustomEvent("teach", { detail: found }));
      this.dispatchEvent(new Event("state"));
    } else {
      this.#resume();
    }
  }

  /** Makes the side to move play now; the engine moves for a person. */
  go() {
    const session = this.#session;
    if (session.isOver) return;
    this.#mistake = null;
    this.#taught = null;
    this.#setPaused(false);
    if (this.#engine.busy === "think") {
      this.#engine.finishSearch();
      return;
    }
    if (this.isEngine(session.side)) this.#step();
    else this.#moveFor();
  }

  /** Makes one move for a person, at the opponent's level or at full strength. */
  async #moveFor() {
    const session = this.#session;
    const { node, side } = session;
    const { player } = playerOf(this.isEngine(other(side)) ? this.seat(other(side)) : FULL);
    this.#solved.noteHelp();
    const time_ms = Math.round(this.#settings.get("moveTime") * 1000);
    try {
      const answer = await this.#engine.think({ position: session.game.position(), player, time_ms });
      if (answer?.move && session.node === node) session.play(answer.move, this.#timeUsed, this.#isOngoing);
    } catch (error) {
      if (error instanceof ServerError) this.#notify(errorText(error), true);
    }
  }

  /** Makes players of this program wait for a move or `go`. */
  pause() {
    this.#engine.stopPondering();
    this.#clock.pause();
    this.#setPaused(true);
  }

  /** Sets the clocks back to the times of the position. */
  #restoreTimes() {
    const times = this.#times.get(this.#session.node);
    if (times && this.#clock.enabled) this.#clock.restore(times);
  }

  /**
   * The times left when the positions of a game were reached.
   * @param {Game} game
   * @returns {Earlier}
   */
  timesAt(game) {
    return [...game.nodes()].map((node) => this.#times.get(node) ?? null);
  }

  /**
   * Sets the times left when the positions of a game were reached.
   * @param {Game} game
   * @param {Earlier} earlier
   */
  setTimesAt(game, earlier) {
    [...game.nodes()].forEach((node, index) => {
      const times = earlier[index];
      if (times) this.#times.set(node, times);
    });
  }

  /** Whether moves are taken back with the replies to them: one person plays here. */
  get #hasReplies() {
    return this.#enabled && this.#people.length === 1;
  }

  /** Takes back the last move of the person and the moves after it; with two persons one move. */
  undo() {
    const session = this.#session;
    if (!session.node.parent || this.#solved.isAtStart) return;
    this.#engine.cancel();
    session.reopen();
    const people = this.#people;
    this.pause();
    do {
      if (this.#isOngoing) this.#takenBack.add(session.node);
      session.back();
    } while (session.node.parent && this.#hasReplies && !people.includes(session.side));
    this.#restoreTimes();
    if (people.includes(session.side)) this.#resume();
  }

  redo() {
    const session = this.#session;
    if (session.node.children.length === 0) return;
    this.#engine.cancel();
    this.pause();
    const people = this.#people;
    do session.forward();
    while (session.node.children.length > 0 && this.#hasReplies && !people.includes(session.side));
    if (people.includes(session.side)) this.#resume();
  }

  /** Continues after the user went to another position. */
  jumped() {
    if (this.#engine.busy === "think") this.#engine.cancel();
    if (this.isEngine(this.#session.side)) this.pause();
    else this.#resume();
  }

  /** Continues without a pause, during which the facts may have arrived. */
  #resume() {
    this.#setPaused(false);
    this.#step();
  }

  /** Resigns for the side to move, or for the only person. */
  resign() {
    const session = this.#session;
    if (session.isOver || this.isLookingBack) return;
    const people = this.#people;
    const loser = people.length === 1 ? people[0] : session.side;
    this.#engine.cancel();
    this.#clock.pause();
    this.#end(other(loser), "resignation");
  }

  /**
   * Ends a game, or a variation of an opened one, here.
   * @param {Color | null} winner
   * @param {string} reason
   */
  #end(winner, reason) {
    const { opening } = this.#session.game;
    // A game that had ended keeps its moves and its result.
    const isResult = this.#isOngoing && !this.#hasEnded;
    // Against a proof, moves that were taken back must stay: such a game sets no record.
    const isCut = isResult && !this.#solved.isOn;
    // After the opening, moves without a time were not played: they are lines of an analysis.
    const isLine = (/** @type {GameNode} */ next) => next.timeMs === null && next.depth > opening;
    this.#session.end(winner, reason, isResult, (next) => isCut && (this.#takenBack.has(next) || isLine(next)));
  }

  /** Starts the clock of a new game. */
  begin() {
    this.#setPaused(false);
    const isTimed = this.#settings.get("clock") && !this.#solved.isOn;
    const minutes = isTimed ? this.#settings.get("clockMinutes") : 0;
    this.#clock.set(minutes * 60000, this.#settings.get("clockIncrement") * 1000);
    this.#positionChanged();
  }
}

/**
 * A player as the server names it.
 * @param {string} who
 * @returns {{ player: string, proved?: boolean }}
 */
function playerOf(who) {
  return who === PROOF ? { player: FULL, proved: true } : { player: who };
}
