// Opening rules, question by question. The server applies the rules. People answer with buttons and
// on the board, players of this program by a search.
//
// Events: `change` the state has changed; `said` the engine gave an answer other than a cell (detail:
// the answer, `offer` for an offer of fifth moves); `end` the opening is over.

import { errorText } from "./errors.js";
import { ServerError } from "./transport.js";

/** @typedef {import("./engine.js").OpeningRequest} OpeningRequest */
/** @typedef {import("./engine.js").OpeningState} OpeningState */

/** @typedef {{ request: OpeningRequest, seats: { first: string, second: string } }} Ongoing */

export class Opening extends EventTarget {
  #session;
  #engine;
  #settings;
  #notify;
  /** @type {OpeningRequest | null} */
  #request = null;
  /**
   * The opening of the pending request; only one may be pending.
   * @type {OpeningRequest | null}
   */
  #asking = null;
  /** The game on the board. */
  #game;
  /** The openings that were left for another game. */
  #left = /** @type {WeakMap<import("./tree.js").Game, Ongoing>} */ (new WeakMap());
  /**
   * The last state from the server.
   * @type {OpeningState | null}
   */
  state = null;
  /** The players: the one who began, and the other. */
  seats = { first: "", second: "" };

  /**
   * @param {object} parts
   * @param {import("./session.js").Session} parts.session
   * @param {import("./engine.js").Engine} parts.engine
   * @param {import("./settings.js").Settings} parts.settings
   * @param {(text: string, isProblem?: boolean) => void} parts.notify
   */
  constructor({ session, engine, settings, notify }) {
    super();
    this.#session = session;
    this.#engine = engine;
    this.#settings = settings;
    this.#notify = notify;
    this.#game = session.game;
    session.addEventListener("game", () => this.#gameChanged());
    // Editing the board ends the opening.
    session.addEventListener("position", () => session.node.setUp && this.stop());
    // The engine is free again, or the connection is back.
    engine.addEventListener("busy", () => this.#resume());
    engine.addEventListener("connection", () => engine.connected && this.#resume());
  }

  get isActive() {
    return this.#request !== null;
  }

  /** Whether one of the two players is a person. */
  get hasOnePerson() {
    return (this.seats.first === "me") !== (this.seats.second === "me");
  }

  /**
   * The state from which the opening of a game continues; null without an opening.
   * @param {import("./tree.js").Game} game
   * @returns {Ongoing | null}
   */
  ongoingIn(game) {
    if (game !== this.#game) return this.#left.get(game) ?? null;
    return this.#request && { request: this.#request, seats: this.seats };
  }

  #gameChanged() {
    const left = this.ongoingIn(this.#game);
    if (left) this.#left.set(this.#game, left);
    this.stop();
    this.#game = this.#session.game;
    const back = this.#left.get(this.#game);
    this.#left.delete(this.#game);
    if (back) this.continue(back);
  }

  /**
   * Continues an opening after a reload, or when its game is back.
   * @param {Ongoing} ongoing
   */
  async continue({ request, seats }) {
    // A copy: answers to requests from before do not belong to it.
    this.#request = { ...request };
    this.seats = seats;
    this.dispatchEvent(new Event("change"));
    await this.#ask();
  }

  /** The rule's name. */
  get name() {
    return this.#request?.opening ?? null;
  }

  /**
   * Starts an opening on the empty board.
   * @param {string} opening
   */
  async begin(opening) {
    const { rule, width, height } = this.#session.game;
    this.#request = { opening, rule, width, height, answers: [] };
    // During the opening `first` is the player who began, even after a swap.
    this.seats = { first: this.#settings.get("black"), second: this.#settings.get("white") };
    this.dispatchEvent(new Event("change"));
    await this.#ask();
  }

  stop() {
    if (!this.#request) return;
    this.#request = null;
    this.state = null;
    this.dispatchEvent(new Event("change"));
  }

  /** Whether the question is for a person. */
  get asksPerson() {
    const asked = this.state?.asked;
    return Boolean(asked && this.seats[asked] === "me");
  }

  /** Whether a cell of the board answers the question. */
  get asksCell() {
    return ["place", "offer", "pick"].includes(this.state?.question?.kind ?? "");
  }

  /**
   * Sends a request. The result is null if another search replaced it, undefined if the opening
   * has ended or the request failed.
   * @template T
   * @param {() => Promise<T>} question
   * @returns {Promise<T | undefined>}
   */
  async #send(question) {
    const request = this.#request;
    this.#asking = request;
    try {
      const answer = await question();
      return this.#request === request ? answer : undefined;
    } catch (error) {
      if (this.#request === request && error instanceof ServerError) this.#notify(errorText(error), true);
      return undefined;
    } finally {
      if (this.#asking === request) this.#asking = null;
    }
  }

  /**
   * Sends answers to the server and continues with the next question.
   * @param {string[]} given
   */
  async #ask(...given) {
    const request = this.#request;
    if (!request) return;
    const answers = [...request.answers, ...given];
    const state = await this.#send(() => this.#engine.opening({ ...request, answers }));
    if (!state) return;
    // Answers that were refused or lost do not count.
    request.answers = answers;
    this.state = state;
    this.#placeStones(state.moves);
    if (state.asked === null) {
      this.#end(state);
      return;
    }
    this.dispatchEvent(new Event("change"));
    if (!this.asksPerson) await this.#askEngine();
  }

  /**
   * Places the new stones. First goes back to the line of the opening if the user has left it.
   * @param {string[]} moves
   */
  #placeStones(moves) {
    const session = this.#session;
    const isOnTheWay = session.game.path().slice(1).every(({ at }, index) => at === moves[index]);
    if (!isOnTheWay) session.goTo(session.game.root);
    for (const at of moves.slice(session.node.depth)) session.play(at);
    session.game.opening = moves.length;
  }

  async #askEngine() {
    const request = this.#request;
    const time_ms = Math.round(this.#settings.get("moveTime") * 1000);
    const answer = await this.#send(() => this.#engine.openingAnswer({ opening: request, time_ms }));
    // Another search replaced it.
    if (answer === null) this.#resume();
    if (!answer) return;
    await this.#ask(...answer.answers);
    // Last, since placing stones clears the message.
    for (const given of answer.answers) {
      if (/^([a-z]+\d+)$/.test(given)) continue;
      const detail = given === "extend" && request?.opening === "taraguchi-10" ? "offer" : given;
      this.dispatchEvent(new CustomEvent("said", { detail }));
    }
  }

  /** Repeats a lost request, unless a person has to answer. */
  #resume() {
    if (!this.isActive || this.#asking === this.#request || this.asksPerson || this.#engine.busy) return;
    if (this.state) this.#askEngine();
    else this.#ask();
  }

  /** Makes a player of this program answer now. */
  go() {
    if (this.#engine.busy === "opening-answer") this.#engine.finishSearch();
    else this.#resume();
  }

  /**
   * Gives the answer of a person: a cell, `swap`, `stay`, `extend` or a number.
   * @param {string} text
   */
  async answer(text) {
    if (!this.asksPerson || this.#asking === this.#request) return;
    await this.#ask(text);
  }

  /** @param {OpeningState} state */
  #end({ black }) {
    const { first, second } = this.seats;
    // First, because listeners of `seats` read the state of the opening.
    this.#request = null;
    this.state = null;
    this.#settings.set("black", black === "first" ? first : second);
    this.#settings.set("white", black === "first" ? second : first);
    this.dispatchEvent(new Event("change"));
    this.dispatchEvent(new Event("end"));
  }
}
