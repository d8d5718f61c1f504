// Tengen's engine for Node.js: an interface to the WebAssembly module. The types are in index.d.ts.

import { fileURLToPath } from "node:url";

import { hasThreads, nodeHost } from "./lib/node-host.mjs";
import { ServerError } from "./lib/transport.js";
import { WorkerTransport } from "./lib/transport-worker.js";

export { Brain } from "./protocol.js";
/** The error of a request: its `message` is in English, `code` names its kind where there is one. */
export { ServerError as EngineError };

/** The modules and networks. */
const FOLDER = fileURLToPath(new URL("./lib", import.meta.url));
const RULES = ["freestyle", "standard", "renju", "caro", "caro-overline"];
export { RULES };

/** Time for a move of the full strength without limits, in milliseconds. */
const DEFAULT_TURN = 5000;

/** A position as the engine reads it. */
function complete({ rule = "freestyle", size, ...more } = {}) {
  const hasSides = more.width !== undefined || more.height !== undefined;
  return { rule, size: hasSides ? size : size ?? 15, ...more };
}

/** A time as the engine reads it: a whole number of milliseconds. */
const whole = (ms) => (typeof ms === "number" ? Math.max(0, Math.round(ms)) : ms);

/** Limits as the engine reads them. */
const limitsOf = ({ timeMs, nodes, depth }) => ({ time_ms: whole(timeMs), nodes, depth });

/** One engine. Its searches follow each other; requests without a search do not wait for them. */
export class Engine {
  #host;
  #transport;
  /** The end of the last search. */
  #turn = Promise.resolve();
  /** The searches that are not over. The first one runs or is about to begin. */
  #searches = [];
  /** The functions that reject the open requests. */
  #open = new Set();
  #isClosed = false;

  /** Starts an engine. */
  static async start({ threads = 1, memory = 64 } = {}) {
    if (threads > 1 && !hasThreads(FOLDER)) throw new Error("this package has no module for several threads");
    const engine = new Engine(nodeHost(FOLDER, { threads: threads > 1 ? threads : 0, mebibytes: memory }));
    try {
      await engine.offer();
    } catch (error) {
      engine.close();
      throw error;
    }
    return engine;
  }

  /** Engines are made by `Engine.start`. */
  constructor(host) {
    this.#host = host;
    this.#transport = new WorkerTransport(host);
  }

  /** The answer of a request, which `close` rejects. */
  #answer(send) {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw new ServerError("the engine was closed");
      this.#open.add(reject);
      send().then(resolve, reject).finally(() => this.#open.delete(reject));
    });
  }

  #ask(path, question) {
    return this.#answer(() => this.#transport.ask(path, question));
  }

  #search(path, question, { onProgress, signal } = {}) {
    return this.#answer(() => {
      const search = { isStopped: false };
      this.#searches.push(search);
      const result = this.#turn.then(() => {
        const answer = this.#transport.stream(path, question, onProgress, signal);
        if (search.isStopped) this.#transport.stop();
        return answer;
      }).finally(() => this.#searches.shift());
      this.#turn = result.catch(() => {});
      return result;
    });
  }

  /** Levels, rules, openings and file formats. */
  offer() {
    return this.#ask("hello", {});
  }

  /** Judges a position without a search: end of the game, winner, forbidden points, threats. */
  async judge(position) {
    return this.#ask("look", { position: complete(position) });
  }

  /** The best moves. */
  async analyse(position, { lines = 1, avoid = [], onProgress, signal, ...limits } = {}) {
    return this.#search("analyse", { position: complete(position), lines, avoid, ...limitsOf(limits) }, { onProgress, signal });
  }

  /** The move of a player: a level, a textbook player, or the full strength. */
  async play(position, { player = "level:full", seed, signal, leftMs, incrementMs, ...limits } = {}) {
    const isEndless = [limits.timeMs, limits.nodes, limits.depth, leftMs].every((limit) => (limit ?? null) === null);
    if (isEndless && player === "level:full") limits.timeMs = DEFAULT_TURN;
    const clock = { left_ms: whole(leftMs), increment_ms: whole(incrementMs) };
    return this.#search("think", { position: complete(position), player, seed, ...clock, ...limitsOf(limits) }, { signal });
  }

  /** A question about forced wins. */
  async solve(position, { question = "win", kind = "any", at, points, onProgress, signal, ...limits } = {}) {
    return this.#search("solve", { position: complete(position), question, kind, at, points, ...limitsOf(limits) }, { onProgress, signal });
  }

  /** Reviews a whole game. */
  async review(position, { nodes, onProgress, signal } = {}) {
    return this.#search("review", { position: complete(position), nodes }, { onProgress, signal });
  }

  /** The games of a file. */
  read(bytes, { name = null, rule = null, size = null, encoding = null } = {}) {
    return this.#ask("read", { name, rule, size, encoding, data: Buffer.from(bytes).toString("base64") });
  }

  /** A game, as `read` returns it, as a file. */
  async write(format, game) {
    const { data, lost } = await this.#ask("write", { format, game });
    return { bytes: new Uint8Array(Buffer.from(data, "base64")), lost };
  }

  /** Stops the running search. Its promise is fulfilled with what was found so far. */
  async stop() {
    if (this.#searches.length === 0) return;
    this.#searches[0].isStopped = true;
    // Nothing runs yet if the search is about to begin.
    await this.#transport.stop();
  }

  /** Ends the engine and its workers. Open requests are rejected. */
  close() {
    this.#isClosed = true;
    this.#host.close();
    for (const reject of this.#open) reject(new ServerError("the engine was closed"));
  }
}
