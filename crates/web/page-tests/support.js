// Helpers of several tests: games, an engine that answers on command, and the parts of a browser that
// the tested modules use.

import { Game } from "../page/tree.js";
import { ServerError } from "../page/transport.js";

export const TERMS = { rule: "freestyle", sides: [5, 20], rules: ["freestyle", "standard", "renju", "caro"] };

/** An empty game, by default on a 15x15 board. */
export function newGame(terms = {}) {
  return new Game({ rule: "freestyle", width: 15, height: 15, ...terms });
}

/** Appends moves of alternating colours after a node; null is a pass. Returns the last node. */
export function addMoves(game, moves, from = game.root) {
  let node = from;
  for (const at of moves) node = game.childBy(node, game.board(node).side, at);
  return node;
}

/** The game h8 i9 j8 with the variation i8 h9 instead of i9, at the start. */
export function branchedGame() {
  const game = newGame();
  const end = addMoves(game, ["h8", "i9", "j8"]);
  const [h8] = game.root.children;
  return { game, h8, end, variation: addMoves(game, ["i8", "h9"], h8) };
}

/** Loads that game into a session. */
export function loadBranched(session) {
  const branched = branchedGame();
  session.load(branched.game);
  return branched;
}

/** The cells of a line of nodes. */
export const cells = (nodes) => nodes.map((node) => node.at);

/** Facts of a position in an unfinished game. */
export const openFacts = () => ({ state: "open", fouls: [], row: [] });

/** Runs the code that waits for settled promises. */
export async function settle() {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}

/** A promise with its resolving functions. */
export function deferred() {
  const it = {};
  it.promise = new Promise((resolve, reject) => Object.assign(it, { resolve, reject }));
  return it;
}

/** An engine whose searches wait in `asked` until the test answers them. */
export class FakeEngine extends EventTarget {
  busy = null;
  connected = true;
  asked = [];
  looked = [];
  calls = [];
  /** The facts of a position; tests can replace it. */
  facts = () => openFacts();

  /** The rules whose proofs of openings are wanted. */
  wantedProofs = new Set();

  useProofs({ rule }) {
    const isNew = !this.wantedProofs.has(rule);
    this.wantedProofs.add(rule);
    return isNew;
  }

  async look(position) {
    this.looked.push(position);
    const facts = await this.facts(position);
    if (facts instanceof Error) throw facts;
    return facts;
  }

  #search(kind, question, progress) {
    this.busy = kind;
    this.dispatchEvent(new Event("busy"));
    const answer = deferred();
    this.asked.push({ kind, question, progress, ...answer });
    return answer.promise.finally(() => {
      if (this.asked.at(-1)?.promise !== answer.promise) return;
      this.busy = null;
      this.dispatchEvent(new Event("busy"));
    });
  }

  think(question, progress) {
    return this.#search("think", question, progress);
  }

  analyse(question, progress) {
    return this.#search("analyse", question, progress);
  }

  review(question, progress) {
    return this.#search("review", question, progress);
  }

  openingAnswer(question, progress) {
    return this.#search("opening-answer", question, progress);
  }

  balance(question, progress) {
    return this.#search("balance", question, progress);
  }

  ponder(position) {
    this.calls.push(`ponder ${position.moves.join(" ")}`);
  }

  stopPondering() {
    this.calls.push("stopPondering");
  }

  finishSearch() {
    this.calls.push("finishSearch");
  }

  cancel() {
    this.calls.push("cancel");
    this.asked.at(-1)?.resolve(null);
    this.busy = null;
    this.dispatchEvent(new Event("busy"));
  }

  /** The last requested search. */
  get last() {
    return this.asked.at(-1);
  }
}

export const serverError = (reason) => new ServerError(reason);

/** Records the names of the events of `target` from now on. */
export function record(target, ...kinds) {
  const events = [];
  for (const kind of kinds) target.addEventListener(kind, () => events.push(kind));
  return events;
}

const originals = new Map();

/** Replaces global names for one test. */
export function withGlobals(test, values) {
  for (const [name, value] of Object.entries(values)) {
    if (!originals.has(name)) {
      originals.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
      test.after(() => {
        const before = originals.get(name);
        originals.delete(name);
        if (before) Object.defineProperty(globalThis, name, before);
        else delete globalThis[name];
      });
    }
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
}

/**
 * Time controlled by the test: `performance.now`, timeouts and intervals. Mock timers of Node.js 20
 * continue after a `clearInterval` in the interval's own callback.
 */
export class FakeTime {
  now = 0;
  #timers = new Map();
  #next = 1;

  /** Replaces the real time until the test ends. */
  install(test) {
    const add = (call, ms, every) => {
      this.#timers.set(this.#next, { call, due: this.now + ms, every });
      return this.#next++;
    };
    const remove = (id) => this.#timers.delete(id);
    withGlobals(test, {
      performance: { now: () => this.now },
      setTimeout: (call, ms) => add(call, ms, null),
      setInterval: (call, ms) => add(call, ms, ms),
      clearTimeout: remove,
      clearInterval: remove,
    });
    return this;
  }

  /** Advances the time and calls due timers in order. */
  pass(ms) {
    const end = this.now + ms;
    for (;;) {
      const due = [...this.#timers].filter(([, it]) => it.due <= end).sort((a, b) => a[1].due - b[1].due);
      if (due.length === 0) break;
      const [id, timer] = due[0];
      this.now = Math.max(this.now, timer.due);
      if (timer.every === null) this.#timers.delete(id);
      else timer.due += timer.every;
      timer.call();
    }
    this.now = end;
  }

  /** Advances the time while the browser delays all timers. */
  passSilently(ms) {
    this.now += ms;
  }
}

/** A browser's address bar: `location.hash` and `history.state`, as `history.replaceState` writes them. */
export function addressBar(hash = "") {
  const location = { hash };
  const history = {
    state: null,
    replaceState(state, _title, address) {
      history.state = state;
      location.hash = address;
    },
  };
  return { location, history };
}

/**
 * Gives a test a local storage. `tell` says to the parts of the page that another tab changed a value, as
 * the browser does. `fill` leaves no room.
 */
export function withStorage(test, { values = {}, isFull = false } = {}) {
  const listeners = [];
  withGlobals(test, {
    localStorage: {
      getItem: (name) => values[name] ?? null,
      setItem(name, text) {
        if (isFull) throw new Error("full");
        values[name] = text;
      },
      removeItem: (name) => delete values[name],
    },
    addEventListener: (kind, listener) => kind === "storage" && listeners.push(listener),
  });
  const tell = (key) => listeners.forEach((it) => it({ key }));
  return { values, tell, fill: () => {
    isFull = true;
  } };
}

/** A document that keeps cookies: a new one replaces the old one of the same name. */
export function cookieJar(cookies = {}) {
  return {
    get cookie() {
      return Object.entries(cookies).map(([name, value]) => `${name}=${value}`).join("; ");
    },
    set cookie(text) {
      const [pair] = text.split("; ");
      const cut = pair.indexOf("=");
      cookies[pair.slice(0, cut)] = pair.slice(cut + 1);
    },
  };
}

/** A few methods of elements, enough to build lists and to look at them. */
export class FakeElement {
  /** The element that got the focus last. @type {FakeElement | null} */
  static focused = null;
  children = [];
  attributes = {};
  listeners = {};
  scrollTop = 0;
  offsetTop = 0;
  clientHeight = 0;

  constructor(tag) {
    this.tag = tag;
  }

  /** As in a browser, anything else than an element becomes text. */
  append(...children) {
    this.children.push(...children.map((it) => (it instanceof FakeElement ? it : String(it))));
  }

  replaceChildren(...children) {
    this.children = [];
    this.append(...children);
  }

  setAttribute(name, value) {
    this.attributes[name] = String(value);
  }

  addEventListener(kind, listener) {
    this.listeners[kind] = listener;
  }

  focus() {
    FakeElement.focused = this;
  }

  /** The element and everything in it, outer before inner. */
  *all() {
    yield this;
    for (const child of this.children) if (child instanceof FakeElement) yield* child.all();
  }

  /** Only selectors of one attribute: `[name]`. */
  querySelector(selector) {
    const name = selector.slice(1, -1);
    return [...this.all()].find((it) => name in it.attributes) ?? null;
  }

  set textContent(text) {
    this.replaceChildren(text);
  }

  get textContent() {
    return this.children.map((it) => (it instanceof FakeElement ? it.textContent : it)).join("");
  }
}

export const fakeDocument = () => ({
  createElement: (tag) => new FakeElement(tag),
  createElementNS: (_space, tag) => new FakeElement(tag),
});
