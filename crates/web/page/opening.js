// An opening by rule: one question after the other. The server knows the rules; people answer
// with the buttons and the board, players of this program by themselves.

import { Refusal } from "./transport.js";

/** @typedef {import("./engine.js").OpeningTold} OpeningTold */
/** @typedef {import("./engine.js").OpeningState} OpeningState */

export class Opening extends EventTarget {
  #session;
  #engine;
  #settings;
  #say;
  /** @type {OpeningTold | null} */
  #told = null;
  /**
   * The opening about which a question is on its way: one at a time.
   * @type {OpeningTold | null}
   */
  #asking = null;
  /**
   * What the server said of it last.
   * @type {OpeningState | null}
   */
  state = null;
  /** Who began, and who did not. */
  seats = { first: "", second: "" };

  /**
   * @param {object} parts
   * @param {import("./session.js").Session} parts.session
   * @param {import("./engine.js").Engine} parts.engine
   * @param {import("./settings.js").Settings} parts.settings
   * @param {(text: string) => void} parts.say
   */
  constructor({ session, engine, settings, say }) {
    super();
    this.#session = session;
    this.#engine = engine;
    this.#settings = settings;
    this.#say = say;
    session.addEventListener("game", () => this.stop());
    // Who sets stones up by hand leaves the opening, which knows nothing of them.
    session.addEventListener("position", () => session.node.setUp && this.stop());
    // Whatever took the engine away has ended, or the connection is there again.
    engine.addEventListener("busy", () => this.#resume());
    engine.addEventListener("connection", () => engine.connected && this.#resume());
  }

  get isActive() {
    return this.#told !== null;
  }

  /** The rule's name. */
  get name() {
    return this.#told?.opening ?? null;
  }

  /**
   * Begins with the empty board that lies there.
   * @param {string} opening
   */
  async begin(opening) {
    const { rule, width, height } = this.#session.game;
    this.#told = { opening, rule, width, height, answers: [] };
    // Until the end the one who began is called first, whatever the colours.
    this.seats = { first: this.#settings.get("black"), second: this.#settings.get("white") };
    this.dispatchEvent(new Event("change"));
    await this.#ask();
  }

  stop() {
    if (!this.#told) return;
    this.#told = null;
    this.state = null;
    this.dispatchEvent(new Event("change"));
  }

  /** Whether a person is asked. */
  get asksPerson() {
    const asked = this.state?.asked;
    return Boolean(asked && this.seats[asked] === "me");
  }

  /**
   * The answer, null when another search took its place; undefined when there is none to use.
   * @template T
   * @param {() => Promise<T>} question
   * @returns {Promise<T | undefined>}
   */
  async #put(question) {
    const told = this.#told;
    this.#asking = told;
    try {
      const answer = await question();
      return this.#told === told ? answer : undefined;
    } catch (error) {
      if (this.#told === told && error instanceof Refusal) this.#say(error.message);
      return undefined;
    } finally {
      if (this.#asking === told) this.#asking = null;
    }
  }

  /**
   * Tells the server what was answered, and does what it says comes next.
   * @param {string[]} given
   */
  async #ask(...given) {
    const told = this.#told;
    if (!told) return;
    const answers = [...told.answers, ...given];
    const state = await this.#put(() => this.#engine.opening({ ...told, answers }));
    if (!state) return;
    // What was refused or got lost was never answered.
    told.answers = answers;
    this.state = state;
    this.#lay(state.moves);
    if (state.asked === null) {
      this.#end(state);
      return;
    }
    this.dispatchEvent(new Event("change"));
    if (!this.asksPerson) await this.#askEngine();
  }

  /**
   * Places the stones that are new, wherever somebody has turned the board meanwhile.
   * @param {string[]} moves
   */
  #lay(moves) {
    const session = this.#session;
    const isOnTheWay = session.game.path().slice(1).every(({ at }, index) => at === moves[index]);
    if (!isOnTheWay) session.goTo(session.game.root);
    for (const at of moves.slice(session.node.depth)) session.play(at);
    session.game.opening = moves.length;
  }

  async #askEngine() {
    const told = this.#told;
    const time_ms = Math.round(this.#settings.get("moveTime") * 1000);
    const answer = await this.#put(() => this.#engine.openingAnswer({ told, time_ms }));
    // Another search took its place.
    if (answer === null) this.#resume();
    if (!answer) return;
    await this.#ask(...answer.answers);
    // Not before: the stones that are placed now wipe away what was said.
    for (const given of answer.answers) {
      if (!/^([a-z]+\d+)$/.test(given)) this.dispatchEvent(new CustomEvent("said", { detail: given }));
    }
  }

  /** Asks once more where the answer got lost and nobody of the page is asked. */
  #resume() {
    if (!this.isActive || this.#asking === this.#told || this.asksPerson || this.#engine.busy) return;
    if (this.state) this.#askEngine();
    else this.#ask();
  }

  /** Whoever of this program is asked shall answer now. */
  go() {
    if (this.#engine.busy === "opening-answer") this.#engine.hurry();
    else this.#resume();
  }

  /**
   * A person answers: a cell, `swap`, `stay`, `extend` or a number.
   * @param {string} text
   */
  async answer(text) {
    if (!this.asksPerson || this.#asking === this.#told) return;
    await this.#ask(text);
  }

  /** @param {OpeningState} state */
  #end({ black }) {
    const { first, second } = this.seats;
    // First of all: whoever hears of the seats may ask what the opening asks.
    this.#told = null;
    this.state = null;
    this.#settings.set("black", black === "first" ? first : second);
    this.#settings.set("white", black === "first" ? second : first);
    this.dispatchEvent(new Event("change"));
    this.dispatchEvent(new Event("end"));
  }
}
