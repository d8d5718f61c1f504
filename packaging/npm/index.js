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

/** A position as the engine reads it. */
function complete({ rule = "freestyle", size, ...more } = {}) {
  const hasSides = more.width !== undefined || more.height !== undefined;
  return { rule, size: hasSides ? size : size ?? 15, ...more };
}

/** Limits as the engine reads them. */
const limitsOf = ({ timeMs, nodes, depth }) => ({ time_ms: timeMs, nodes, depth });

/** One engine. Its searches follow each other; requests without a search do not wait for them. */
export class Engine {
  #host;
  #transport;
  /** The end of the last search. */
  #turn = Promise.resolve();

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

  #search(path, question, { onProgress, signal } = {}) {
    const run = () => this.#transport.stream(path, question, onProgress, signal);
    const result = this.#turn.then(run, run);
    this.#turn = result.catch(() => {});
    return result;
  }

  /** Levels, rules, openings and file formats. */
  offer() {
    return this.#transport.ask("hello", {});
  }

  /** Judges a position without a search: end of the game, winner, forbidden points, threats. */
  async judge(position) {
    return this.#transport.ask("look", { position: complete(position) });
  }

  /** The best moves. */
  async analyse(position, { lines = 1, avoid = [], onProgress, signal, ...limits } = {}) {
    return this.#search("analyse", { position: complete(position), lines, avoid, ...limitsOf(limits) }, { onProgress, signal });
  }

  /** The move of a player: a level, a textbook player, or the full strength. */
  async play(position, { player = "level:full", seed, signal, leftMs, incrementMs, ...limits } = {}) {
    const question = { position: complete(position), player, seed, left_ms: leftMs, increment_ms: incrementMs, ...limitsOf(limits) };
    return this.#search("think", question, { signal });
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
    return this.#transport.ask("read", { name, rule, size, encoding, data: Buffer.from(bytes).toString("base64") });
  }

  /** A game, as `read` returns it, as a file. */
  async write(form, game) {
    const { data, lost } = await this.#transport.ask("write", { form, game });
    return { bytes: new Uint8Array(Buffer.from(data, "base64")), lost };
  }

  /** Stops the running search. Its promise is fulfilled with what was found so far. */
  stop() {
    return this.#transport.stop();
  }

  /** Ends the engine and its workers. */
  close() {
    for (const worker of this.#host.workers) worker.terminate();
  }
}
