// An opening by rule: one question after the other. The server knows the rules; people answer
// with the buttons and the board, players of this program by themselves.

import { Refusal } from "./transport.js";

export class Opening extends EventTarget {
  #session;
  #engine;
  #settings;
  #say;
  #told = null;
  /** What the server said of it last. */
  state = null;

  constructor({ session, engine, settings, say }) {
    super();
    this.#session = session;
    this.#engine = engine;
    this.#settings = settings;
    this.#say = say;
    session.addEventListener("game", () => this.stop());
  }

  get isActive() {
    return this.#told !== null;
  }

  /** The rule's name. */
  get name() {
    return this.#told?.opening ?? null;
  }

  /** Begins with the empty board that lies there. */
  async begin(opening) {
    const { rule, width, height } = this.#session.game;
    this.#told = { opening, rule, width, height, answers: [] };
    // Until the end the one who began is called first, whatever the colours.
    this.seats = { first: this.#settings.get("black"), second: this.#settings.get("white") };
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
    return this.state?.asked && this.seats[this.state.asked] === "me";
  }

  async #ask() {
    const told = this.#told;
    let state;
    try {
      state = await this.#engine.opening(told);
    } catch (error) {
      if (this.#told === told && error instanceof Refusal) {
        this.#say(error.message);
        if (told.answers.length > 0) told.answers.pop();
      }
      return;
    }
    if (this.#told !== told) return;
    this.state = state;
    const session = this.#session;
    for (const at of state.moves.slice(session.node.depth)) session.play(at);
    session.game.opening = state.moves.length;
    if (state.asked === null) {
      this.#end();
      return;
    }
    this.dispatchEvent(new Event("change"));
    if (!this.asksPerson) this.#askEngine();
  }

  async #askEngine() {
    const told = this.#told;
    const time_ms = Math.round(this.#settings.get("moveTime") * 1000);
    try {
      const answer = await this.#engine.openingAnswer({ told, time_ms });
      if (!answer || this.#told !== told) return;
      for (const given of answer.answers) {
        if (!/^([a-z]+\d+)$/.test(given)) this.dispatchEvent(new CustomEvent("said", { detail: given }));
      }
      told.answers.push(...answer.answers);
      await this.#ask();
    } catch (error) {
      if (error instanceof Refusal) this.#say(error.message);
    }
  }

  /** A person answers: a cell, `swap`, `stay`, `extend` or a number. */
  async answer(text) {
    if (!this.asksPerson) return;
    this.#told.answers.push(text);
    await this.#ask();
  }

  #end() {
    const { black } = this.state;
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
