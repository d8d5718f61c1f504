// Requests to an engine inside the page, compiled to WebAssembly. Two workers answer them: one the
// requests that need no search, one the searches, so that neither waits for the other.

import { ConnectionError, ServerError } from "./transport.js";

/** Minimum time between two updates of a search, in milliseconds. */
const UPDATE_INTERVAL = 50;
/** Pages of shared memory at the start, of 64 KiB each. */
const INITIAL_PAGES = 64;
/** Most search threads. */
const MAX_THREADS = 8;
const PAGES_PER_MIB = 16;
/** The smallest limit of shared memory that is tried, in MiB. */
const LEAST_MEBIBYTES = 48;

/**
 * The addresses of the engine's files. All but the script of the worker are compressed by gzip,
 * whatever their names.
 * @typedef {object} EngineFiles
 * @property {string} worker
 * @property {string} module for one thread
 * @property {string | null} threads the module for several threads
 * @property {Record<string, string>} networks by rule
 */

/**
 * What the browser provides.
 * @typedef {object} Host
 * @property {() => Promise<WebAssembly.Module>} module
 * @property {(rule: string) => Promise<ArrayBuffer>} network
 * @property {() => Worker} worker a new worker
 * @property {Plan} plan
 */

/**
 * The resources of the searches. With several threads, the memory is shared: `maximum` is its
 * limit.
 * @typedef {{ threads: number, mebibytes: number, maximum: number | null }} Plan
 */

/** The worker of a request crashed. It does not answer any more. */
class Crash extends Error {}

/** The worker of a request was ended by the page. */
class Ended extends Error {}

/** @typedef {{ end?: true, stops?: number[], line?: string, failed?: string }} WorkerMessage */

/** One worker. It handles its messages one after the other. */
class EngineWorker {
  /** @type {Worker} */
  #worker;
  /** @type {WebAssembly.Memory | null} */
  #memory;
  /** @type {number[]} */
  #stops = [];
  /** @type {Promise<unknown>} */
  #turn = Promise.resolve();
  /** @type {Error | null} */
  #failure = null;
  /** The panic message of the engine, which precedes a crash. */
  #panic = "";
  /** @type {{ resolve: (last: string | null) => void, reject: (error: Error) => void, last: string | null, onLine?: (line: string) => void } | null} */
  #open = null;

  /**
   * @param {Host} host
   * @param {WebAssembly.Module} module
   * @param {Plan} plan
   */
  constructor(host, module, { threads, mebibytes, maximum }) {
    this.#memory = maximum === null ? null : sharedMemory(maximum);
    this.#worker = host.worker();
    this.#worker.onmessage = ({ data }) => this.#hear(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(new Crash(event.message || "the worker cannot be started"));
    };
    this.#worker.onmessageerror = () => this.#fail(new Crash("the worker cannot read its messages"));
    /** Networks that this worker has. @type {Set<string>} */
    this.networks = new Set();
    const start = { module, memory: this.#memory, threads, mebibytes };
    /** Fulfilled when the worker is started. */
    this.ready = this.#exchange({ start });
    this.ready.catch(() => {});
  }

  /** Whether a search can be stopped without ending the worker. */
  get isShared() {
    return this.#memory !== null;
  }

  /** @param {WorkerMessage} message */
  #hear({ line, end, stops, failed }) {
    if (failed !== undefined) {
      this.#fail(new Crash(this.#panic || failed));
    } else if (line !== undefined) {
      if (line.startsWith('{"panic":')) this.#panic = JSON.parse(line).panic;
      if (!this.#open) return;
      this.#open.last = line;
      this.#open.onLine?.(line);
    } else if (end) {
      if (stops) this.#stops = stops;
      const open = this.#open;
      this.#open = null;
      open?.resolve(open.last);
    }
  }

  /** @param {Error} error */
  #fail(error) {
    if (this.#failure) return;
    this.#failure = error;
    this.#worker.terminate();
    this.#open?.reject(error);
    this.#open = null;
  }

  /**
   * Sends a message once the worker has handled those before. Returns the last line of the answer.
   * @param {object} message
   * @param {(line: string) => void} [onLine]
   * @returns {Promise<string | null>}
   */
  #exchange(message, onLine) {
    const result = this.#turn.then(() => new Promise((resolve, reject) => {
      if (this.#failure) {
        reject(this.#failure);
        return;
      }
      this.#open = { resolve, reject, onLine, last: null };
      this.#worker.postMessage(message);
    }));
    this.#turn = result.catch(() => {});
    return result;
  }

  /**
   * Sends a request and returns its answer.
   * @param {{ number: number, path: string, body: string, isStopped?: boolean }} request
   * @param {(line: string) => void} [onLine]
   * @returns {Promise<any>}
   */
  async ask(request, onLine) {
    return JSON.parse(await this.#exchange({ ask: request }, onLine) ?? "null");
  }

  /**
   * Adds the network of a rule.
   * @param {string} rule
   * @param {ArrayBuffer} bytes
   */
  async addNetwork(rule, bytes) {
    if (this.networks.has(rule)) return;
    const answer = JSON.parse(await this.#exchange({ network: { rule, bytes } }) ?? "null");
    if (answer?.error !== undefined) throw new ServerError(answer.error);
    this.networks.add(rule);
  }

  /**
   * Stops the request of this number, which may not have begun. Only with shared memory.
   * @param {number} number
   */
  stop(number) {
    if (!this.#memory || this.#stops.length === 0) return;
    const address = this.#stops[number % this.#stops.length];
    Atomics.store(new Uint8Array(this.#memory.buffer), address, 1);
  }

  /** Ends the worker. Its requests fail. */
  end() {
    this.#fail(new Ended("the search was ended"));
  }
}

/**
 * Shared memory that grows up to `mebibytes`, or to less if the browser refuses that much.
 * @param {number} mebibytes
 * @returns {WebAssembly.Memory}
 */
function sharedMemory(mebibytes) {
  try {
    return new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: mebibytes * PAGES_PER_MIB, shared: true });
  } catch (error) {
    if (mebibytes <= LEAST_MEBIBYTES) throw error;
    return sharedMemory(Math.floor(mebibytes / 2));
  }
}

/** A search and the updates that it has sent. */
class Search {
  /** @type {string | null} */
  #latest = null;
  #lastUpdate = -Infinity;
  #timer = 0;
  isOver = false;
  /** Whether the page wants the results so far. */
  isStopped = false;

  /**
   * @param {number} number
   * @param {string} path
   * @param {string} body
   * @param {(value: any) => void} [onProgress]
   */
  constructor(number, path, body, onProgress) {
    this.number = number;
    this.path = path;
    this.body = body;
    this.onProgress = onProgress;
    /** The last update. @type {any} */
    this.update = null;
    /** @type {EngineWorker | null} */
    this.worker = null;
  }

  /** Receives a line. Of the lines within an interval, the last one is shown.
   * @param {string} line */
  receive(line) {
    this.#latest = line;
    if (this.#timer) return;
    const pause = this.#lastUpdate + UPDATE_INTERVAL - performance.now();
    if (pause <= 0) this.#flush();
    else this.#timer = setTimeout(() => this.#flush(), pause);
  }

  #flush() {
    this.#timer = 0;
    if (this.#latest === null || this.isOver) return;
    const value = this.#read();
    this.#lastUpdate = performance.now();
    if (value) this.onProgress?.(value);
  }

  /** The update in the latest line, if it is one. */
  #read() {
    const value = JSON.parse(this.#latest ?? "null");
    this.#latest = null;
    const isUpdate = value && ["done", "error", "network", "panic"].every((key) => value[key] === undefined);
    if (isUpdate) this.update = value;
    return isUpdate ? value : null;
  }

  /** Ends the search. Returns its last update, or null. */
  finish() {
    this.isOver = true;
    clearTimeout(this.#timer);
    if (this.#latest !== null) this.#read();
    return this.update;
  }
}

/** Sends requests to the engine in this page. */
export class WorkerTransport {
  #host;
  /** The name of this tab, which the engine does not need. */
  tab = "page";
  #number = 0;
  /** Answers the requests without a search. @type {Promise<EngineWorker> | null} */
  #clerk = null;
  /** Searches. @type {Promise<EngineWorker> | null} */
  #searcher = null;
  /** @type {Search | null} */
  #search = null;
  /** @type {Set<string>} */
  #networks = new Set();

  /** @param {Host} host */
  constructor(host) {
    this.#host = host;
    // Both are needed soon.
    this.#clerkNow().catch(() => {});
    this.#searcherNow().catch(() => {});
  }

  /** @param {Plan} plan */
  async #start(plan) {
    const { module, error } = await this.#host.module().then(
      (module) => ({ module, error: null }),
      (error) => ({ module: null, error }),
    );
    if (!module) throw new ConnectionError(`the engine cannot be loaded: ${error.message}`);
    return new EngineWorker(this.#host, module, plan);
  }

  #clerkNow() {
    const { maximum } = this.#host.plan;
    if (!this.#clerk) {
      const clerk = this.#start({ threads: 1, mebibytes: 16, maximum });
      this.#clerk = clerk;
      // The next request tries again to load the engine.
      clerk.catch(() => { if (this.#clerk === clerk) this.#clerk = null; });
    }
    return this.#clerk;
  }

  #searcherNow() {
    if (!this.#searcher) {
      const searcher = this.#start(this.#host.plan);
      this.#searcher = searcher;
      searcher.catch(() => { if (this.#searcher === searcher) this.#searcher = null; });
    }
    return this.#searcher;
  }

  /**
   * Sends a request with a single answer.
   * @param {string} path
   * @param {object} question
   */
  async ask(path, question) {
    const worker = await this.#clerkNow();
    const request = { number: this.#number++, path, body: JSON.stringify(question) };
    try {
      return resultOf(await worker.ask(request));
    } catch (error) {
      if (error instanceof Crash) {
        this.#clerk = null;
        this.#clerkNow().catch(() => {});
      }
      throw refusal(error);
    }
  }

  /**
   * Sends a request for a search. `onProgress` receives the updates.
   * @param {string} path
   * @param {object} question
   * @param {(value: any) => void} [onProgress]
   * @param {AbortSignal} [signal]
   */
  async stream(path, question, onProgress, signal) {
    const body = JSON.stringify({ ...question, tab: this.tab });
    const search = new Search(this.#number++, path, body, onProgress);
    signal?.throwIfAborted();
    this.#search = search;
    /** @type {Promise<never>} */
    const aborted = new Promise((_, reject) => {
      signal?.addEventListener("abort", () => {
        this.#interrupt(search);
        search.finish();
        reject(signal.reason);
      }, { once: true });
    });
    // Nothing waits for it if the search ends before.
    aborted.catch(() => {});
    try {
      return await Promise.race([this.#run(search), aborted]);
    } finally {
      search.finish();
      if (this.#search === search) this.#search = null;
    }
  }

  /**
   * Runs a search on the current worker. If the worker is ended, the answer consists of the last
   * update and of what a new worker answers without a search.
   * @param {Search} search
   */
  async #run(search) {
    for (;;) {
      const worker = await this.#searcherNow();
      search.worker = worker;
      if (search.isOver) throw new Ended();
      try {
        for (const rule of this.#networks) await worker.addNetwork(rule, await this.#network(rule));
        const { number, path, body, isStopped } = search;
        // A search that is stopped from the start has no updates.
        const receive = isStopped ? undefined : (/** @type {string} */ line) => search.receive(line);
        const answer = await worker.ask({ number, path, body, isStopped }, receive);
        if (answer?.network === undefined) {
          const result = resultOf(answer);
          const update = search.finish();
          return isStopped && !worker.isShared ? withUpdate(path, result, update) : result;
        }
        this.#networks.add(answer.network);
      } catch (error) {
        if (error instanceof Ended && search.isStopped) continue;
        if (error instanceof Crash && this.#searcher && worker === await this.#searcher) {
          this.#searcher = null;
          this.#searcherNow().catch(() => {});
        }
        throw refusal(error);
      }
    }
  }

  /** @param {string} rule */
  async #network(rule) {
    try {
      return await this.#host.network(rule);
    } catch (error) {
      throw new ServerError(`the network for ${rule} cannot be loaded: ${messageOf(error)}`);
    }
  }

  /**
   * Frees the worker of a search: by its switch, or by a new worker.
   * @param {Search} search
   */
  #interrupt(search) {
    const { worker } = search;
    if (!worker || search.isOver) return;
    if (worker.isShared) {
      worker.stop(search.number);
      return;
    }
    this.#searcher = null;
    worker.end();
    this.#searcherNow().catch(() => {});
  }

  /** Stops the search. Its results so far are the answer. */
  async stop() {
    const search = this.#search;
    if (!search || search.isStopped) return;
    search.isStopped = true;
    this.#interrupt(search);
  }
}

/**
 * The result in an answer.
 * @param {any} answer
 */
function resultOf(answer) {
  if (answer?.error !== undefined) throw new ServerError(answer.error);
  return answer?.done;
}

/**
 * The answer of a search that was ended: the answer without a search, with the last update.
 * @param {string} path
 * @param {any} result
 * @param {any} update
 */
function withUpdate(path, result, update) {
  if (path === "analyse") return { ...result, ...dropNulls(update) };
  if (path === "think" && update?.lines.length > 0) {
    const [line] = update.lines;
    return { ...result, move: line.move, line };
  }
  return result;
}

/** @param {Record<string, any> | null} value */
function dropNulls(value) {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([, it]) => it !== null && it !== undefined));
}

/**
 * The error to throw for a failed request.
 * @param {unknown} error
 */
function refusal(error) {
  return error instanceof Crash
    ? new ServerError(`the engine crashed and was started again: ${error.message}`)
    : error;
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * A compressed file.
 * @param {string} address
 */
async function load(address) {
  const response = await fetch(address);
  if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
  return response.body.pipeThrough(new DecompressionStream("gzip"));
}

/**
 * Remembers the result of a successful call.
 * @template T
 * @param {() => Promise<T>} load
 */
function once(load) {
  /** @type {Promise<T> | null} */
  let result = null;
  return () => {
    const current = result ?? load();
    result = current;
    current.catch(() => { result = null; });
    return current;
  };
}

/**
 * Threads and memory for this device. Phones get less: they have less memory, and get warm.
 * @param {boolean} isShared whether memory can be shared
 * @returns {Plan}
 */
export function planFor(isShared) {
  const isPhone = matchMedia("(pointer: coarse)").matches && Math.min(screen.width, screen.height) < 600;
  const mebibytes = isPhone ? 64 : 192;
  if (!isShared) return { threads: 1, mebibytes, maximum: null };
  const cores = navigator.hardwareConcurrency ?? 2;
  const threads = Math.max(1, Math.min(MAX_THREADS, isPhone ? Math.floor(cores / 2) : cores - 1));
  return { threads, mebibytes, maximum: isPhone ? 160 : 448 };
}

/**
 * The browser as the host of the workers.
 * @param {EngineFiles} files
 * @returns {Host}
 */
export function browserHost(files) {
  const isShared = files.threads !== null && globalThis.crossOriginIsolated === true;
  const module = once(async () => {
    const body = await load(isShared && files.threads !== null ? files.threads : files.module);
    const headers = { "content-type": "application/wasm" };
    return WebAssembly.compileStreaming(new Response(body, { headers }));
  });
  const networks = new Map(Object.entries(files.networks).map(([rule, address]) =>
    [rule, once(async () => new Response(await load(address)).arrayBuffer())]));
  return {
    module,
    network: async (rule) => {
      const network = networks.get(rule);
      if (!network) throw new Error("unknown rule");
      return network();
    },
    worker: () => new Worker(files.worker),
    plan: planFor(isShared),
  };
}
