// A worker that runs one instance of the engine, see crates/wasm/site/worker.js.

import { ServerError } from "./transport.js";

/** Pages of shared memory at the start, of 64 KiB each: at least the minimum of the module. */
const INITIAL_PAGES = 256;
const PAGES_PER_MIB = 16;
/** The smallest limit of shared memory that is tried, in MiB. */
const LEAST_MEBIBYTES = 48;

/**
 * The parts of a worker.
 * @typedef {{ module: WebAssembly.Module, plan: Plan, worker: () => Worker }} Program
 */

/**
 * The resources of the searches. With several threads, the memory is shared: `maximum` is its
 * limit.
 * @typedef {{ threads: number, mebibytes: number, maximum: number | null }} Plan
 */

/** The worker of a request crashed. It does not answer any more. */
export class Crash extends Error {}

/** The worker of a request was ended by the page. */
export class Ended extends Error {}

/** @typedef {{ end?: true, stops?: number[], line?: string, failed?: string }} WorkerMessage */

/** One worker. It handles its messages one after the other. */
export class EngineWorker {
  /** @type {Worker} */
  #worker;
  /** @type {WebAssembly.Memory | null} */
  #memory;
  /** The addresses of the switches that stop requests. @type {number[]} */
  #stops = [];
  /** The networks and proofs that this worker has, by kind and name. @type {Set<string>} */
  #files = new Set();
  /** The number of the next request. The switches belong to one worker, so the numbers do, too. */
  #next = 0;
  /** @type {Promise<unknown>} */
  #turn = Promise.resolve();
  /** @type {Error | null} */
  #failure = null;
  /** The panic message of the engine, which precedes a crash. */
  #panic = "";
  /** @type {{ resolve: (last: string | null) => void, reject: (error: Error) => void, last: string | null, onLine?: (line: string) => void } | null} */
  #open = null;

  /**
   * @param {Program} program
   * @param {Plan} plan
   */
  constructor({ module, worker }, { threads, mebibytes, maximum }) {
    this.#memory = maximum === null ? null : sharedMemory(maximum);
    this.#worker = worker();
    this.#worker.onmessage = ({ data }) => this.#hear(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(new Crash(event.message || "the worker cannot be started"));
    };
    this.#worker.onmessageerror = () => this.#fail(new Crash("the worker cannot read its messages"));
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

  /** The number that `ask` gives to the next request. */
  get nextNumber() {
    return this.#next;
  }

  /**
   * Sends a request and returns its answer.
   * @param {{ path: string, body: string, isStopped?: boolean }} request
   * @param {(line: string) => void} [onLine]
   * @returns {Promise<any>}
   */
  async ask(request, onLine) {
    const number = this.#next++;
    return JSON.parse(await this.#exchange({ ask: { number, ...request } }, onLine) ?? "null");
  }

  /**
   * Adds the network of a rule, or proofs of openings, unless this worker has them or `load` returns
   * null.
   * @param {"network" | "proofs"} kind
   * @param {string} name
   * @param {() => Promise<ArrayBuffer | null>} load
   */
  async add(kind, name, load) {
    const file = `${kind} ${name}`;
    if (this.#files.has(file)) return;
    const bytes = await load();
    if (!bytes) return;
    const answer = JSON.parse(await this.#exchange({ add: { kind, name, bytes } }) ?? "null");
    if (answer?.error !== undefined) throw ServerError.of(answer);
    this.#files.add(file);
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
