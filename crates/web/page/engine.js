// Questions to the engine. One search at a time: a new one ends the one before.

import { Disconnected } from "./transport.js";

/** Answers questions about positions; `connection` says that the server has come or gone. */
export class Engine extends EventTarget {
  #transport;
  #search = 0;
  #connected = true;
  #busy = null;
  #abort = null;
  #hurrying = Promise.resolve();

  constructor(transport) {
    super();
    this.#transport = transport;
  }

  /** What is searched now: `think`, `analyse`, `solve`, `review`, `opening-answer`; null if nothing. */
  get busy() {
    return this.#busy;
  }

  get connected() {
    return this.#connected;
  }

  #mark(connected) {
    if (connected === this.#connected) return;
    this.#connected = connected;
    this.dispatchEvent(new Event("connection"));
  }

  async #ask(path, question) {
    try {
      const answer = await this.#transport.ask(path, question);
      this.#mark(true);
      return answer;
    } catch (error) {
      if (error instanceof Disconnected) this.#mark(false);
      else this.#mark(true);
      throw error;
    }
  }

  /** Searches; null when another search took its place. */
  async #run(path, question, news) {
    this.#abort?.abort();
    const own = ++this.#search;
    const abort = new AbortController();
    this.#abort = abort;
    this.#setBusy(path);
    const current = () => own === this.#search;
    try {
      // A word to the search before must not reach this one.
      await this.#hurrying;
      if (!current()) return null;
      const heard = (value) => current() && news?.(value);
      const answer = await this.#transport.stream(path, question, heard, abort.signal);
      this.#mark(true);
      return current() ? answer : null;
    } catch (error) {
      if (!current()) return null;
      if (error instanceof Disconnected) this.#mark(false);
      throw error;
    } finally {
      if (current()) this.#setBusy(null);
    }
  }

  #setBusy(what) {
    this.#busy = what;
    this.dispatchEvent(new Event("busy"));
  }

  hello() {
    return this.#ask("hello", {});
  }

  /** State, winner, row, fouls, threats of a position. */
  look(position) {
    return this.#ask("look", { position });
  }

  read(file) {
    return this.#ask("read", file);
  }

  write(form, game) {
    return this.#ask("write", { form, game });
  }

  /** A GIF of the moves of a position. */
  replay(position, options) {
    return this.#ask("replay", { position, ...options });
  }

  opening(told) {
    return this.#ask("opening", told);
  }

  think(question, news) {
    return this.#run("think", question, news);
  }

  analyse(question, news) {
    return this.#run("analyse", question, news);
  }

  solve(question, news) {
    return this.#run("solve", question, news);
  }

  review(question, news) {
    return this.#run("review", question, news);
  }

  openingAnswer(question, news) {
    return this.#run("opening-answer", question, news);
  }

  /** Lets a search answer with what it has. */
  hurry() {
    if (this.#busy) this.#hurrying = this.#transport.stop().catch(() => this.#mark(false));
    return this.#hurrying;
  }

  /** Ends the search; its answer is not wanted any more. */
  cancel() {
    this.#abort?.abort();
    this.#abort = null;
    this.#search += 1;
    if (this.#busy) this.#setBusy(null);
  }
}
