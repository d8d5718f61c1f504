// Requests to an engine inside the page, compiled to WebAssembly. Two workers answer them: one the
// requests that need no search, one the searches, so that neither waits for the other.

import { Crash, Ended, EngineWorker } from "./engine-worker.js";
import { ConnectionError, ServerError } from "./transport.js";

/** @typedef {import("./engine-worker.js").Plan} Plan */
/** @typedef {import("./engine-worker.js").Program} Program */

/** Minimum time between two updates of a search, in milliseconds. */
const UPDATE_INTERVAL = 50;

/**
 * The services of the browser.
 * @typedef {object} Host
 * @property {() => Promise<Program>} program
 * @property {(rule: string) => Promise<ArrayBuffer>} network
 * @property {Map<string, () => Promise<ArrayBuffer>>} proofs of openings, by name
 * @property {number} [most] search threads that the user can choose; those of the plan if absent
 */

/** A search and the updates that it has sent. */
class Search {
  /** @type {string | null} */
  #latest = null;
  #lastUpdate = -Infinity;
  #timer = 0;
  isOver = false;
  /** Whether the page has stopped the search: its results so far are the answer. */
  isStopped = false;

  /**
   * @param {string} path
   * @param {string} body
   * @param {(value: any) => void} [onProgress]
   */
  constructor(path, body, onProgress) {
    this.path = path;
    this.body = body;
    this.onProgress = onProgress;
    /** The last update. @type {any} */
    this.update = null;
    /** @type {EngineWorker | null} */
    this.worker = null;
    /** The number of its request to the worker; null before it is sent. @type {number | null} */
    this.number = null;
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
  /** Answers the requests without a search. @type {Promise<EngineWorker> | null} */
  #clerk = null;
  /** Searches. @type {Promise<EngineWorker> | null} */
  #searcher = null;
  /** @type {Search | null} */
  #search = null;
  /** @type {Set<string>} */
  #networks = new Set();
  /** The resources that the user chose. @type {import("./engine.js").Chosen} */
  #chosen = { threads: null, memory_mib: null };
  /** The proofs of openings that the engine has to know, by name. @type {Set<string>} */
  #proofs = new Set();
  /** Whether the searcher has other resources than the chosen ones. */
  #isOutdated = false;

  /** @param {Host} host */
  constructor(host) {
    this.#host = host;
    // Both are needed soon.
    this.#clerkNow().catch(() => {});
    this.#searcherNow().catch(() => {});
  }

  /** @param {(plan: Plan) => Plan} adapt */
  async #start(adapt) {
    let program;
    try {
      program = await this.#host.program();
    } catch (error) {
      throw new ConnectionError(`the engine cannot be loaded: ${messageOf(error)}`);
    }
    return new EngineWorker(program, adapt(program.plan));
  }

  #clerkNow() {
    if (!this.#clerk) {
      const clerk = this.#start((plan) => ({ ...plan, threads: 1, mebibytes: 16 }));
      this.#clerk = clerk;
      // The next request tries again to load the engine.
      clerk.catch(() => { if (this.#clerk === clerk) this.#clerk = null; });
    }
    return this.#clerk;
  }

  #searcherNow() {
    if (!this.#searcher) {
      this.#isOutdated = false;
      const searcher = this.#start((plan) => adapted(plan, this.#chosen, this.#host.most));
      this.#searcher = searcher;
      searcher.catch(() => { if (this.#searcher === searcher) this.#searcher = null; });
    }
    return this.#searcher;
  }

  /**
   * The resources of the searches. Without shared memory there is one thread.
   * @returns {Promise<import("./engine.js").Choices | null>}
   */
  async choices() {
    const { plan: { threads, mebibytes, maximum } } = await this.#host.program();
    const isShared = maximum !== null;
    return {
      threads: { least: 1, most: isShared ? this.#host.most ?? threads : 1, usual: threads },
      memory_mib: { least: LEAST_MEMORY, most: MOST_MEMORY, usual: mebibytes },
      ponder: isShared,
    };
  }

  /**
   * Sets the resources of the next searches. A running one ends with those that it has.
   * @param {import("./engine.js").Chosen} chosen
   */
  choose(chosen) {
    if (chosen.threads === this.#chosen.threads && chosen.memory_mib === this.#chosen.memory_mib) return;
    this.#chosen = chosen;
    this.#isOutdated = true;
    if (!this.#search) this.#renew();
  }

  /** Replaces a searcher that has other resources than the chosen ones. */
  #renew() {
    const searcher = this.#searcher;
    if (!this.#isOutdated || !searcher) return;
    this.#searcher = null;
    searcher.then((worker) => worker.end(), () => {});
    this.#searcherNow().catch(() => {});
  }

  /**
   * Lets the next answers use the proofs of openings of a rule and board, which are fetched first.
   * Returns whether there are such proofs and that is new.
   * @param {import("./engine.js").Terms} terms
   */
  useProofs({ rule, width, height }) {
    const name = `${rule}-${width}x${height}`;
    if (!this.#host.proofs.has(name) || this.#proofs.has(name)) return false;
    this.#proofs.add(name);
    return true;
  }

  /**
   * Adds the proofs of openings to a worker. Without a network it answers without those that are not
   * stored.
   * @param {EngineWorker} worker
   */
  async #addProofs(worker) {
    for (const name of this.#proofs) {
      await worker.add("proofs", name, async () => {
        const load = this.#host.proofs.get(name);
        return load ? load().catch(() => null) : null;
      });
    }
  }

  /**
   * Sends a request with a single answer. If the worker crashes, a new one tries once more: the
   * crash may come from an earlier request.
   * @param {string} path
   * @param {object} question
   * @param {boolean} [isRepeated]
   * @returns {Promise<any>}
   */
  async ask(path, question, isRepeated = false) {
    const worker = await this.#clerkNow();
    const request = { path, body: JSON.stringify(question) };
    try {
      await this.#addProofs(worker);
      return resultOf(await worker.ask(request));
    } catch (error) {
      if (error instanceof Crash) {
        if (this.#clerk && worker === await this.#clerk) this.#clerk = null;
        if (!isRepeated) return this.ask(path, question, true);
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
    const body = JSON.stringify(question);
    const search = new Search(path, body, onProgress);
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
      if (this.#search === search) {
        this.#search = null;
        this.#renew();
      }
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
      search.number = null;
      try {
        for (const rule of this.#networks) await worker.add("network", rule, () => this.#network(rule));
        await this.#addProofs(worker);
        if (search.isOver) throw new Ended();
        const { path, body, isStopped } = search;
        // A search that is stopped from the start has no updates.
        const receive = isStopped ? undefined : (/** @type {string} */ line) => search.receive(line);
        search.number = worker.nextNumber;
        const answer = await worker.ask({ path, body, isStopped }, receive);
        if (answer?.network === undefined) {
          const result = resultOf(answer);
          const update = search.finish();
          return isStopped && !worker.isShared ? withUpdate(path, result, update) : result;
        }
        this.#networks.add(answer.network);
      } catch (error) {
        if (error instanceof Ended && search.isStopped && !search.isOver) continue;
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
      throw ServerError.of({
        error: `the network for ${rule} cannot be loaded: ${messageOf(error)}`, code: "network-missing", values: { rule },
      });
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
      // Before its request is sent, the search reads its own state.
      if (search.number !== null) worker.stop(search.number);
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

/** The memory of a search that the user can choose, in MiB. */
const LEAST_MEMORY = 16;
const MOST_MEMORY = 256;
/** Shared memory in addition to the tables: networks, and stacks of the threads. */
const OTHER_MEMORY = 256;

/**
 * A plan with the resources that the user chose.
 * @param {Plan} plan
 * @param {import("./engine.js").Chosen} chosen
 * @param {number} [most] search threads
 * @returns {Plan}
 */
function adapted(plan, { threads, memory_mib }, most = plan.threads) {
  const isShared = plan.maximum !== null;
  const mebibytes = memory_mib === null ? plan.mebibytes : Math.min(MOST_MEMORY, Math.max(LEAST_MEMORY, memory_mib));
  return {
    threads: isShared && threads !== null ? Math.min(most, Math.max(1, threads)) : plan.threads,
    mebibytes,
    maximum: plan.maximum === null || memory_mib === null ? plan.maximum : mebibytes + OTHER_MEMORY,
  };
}

/**
 * The result in an answer.
 * @param {any} answer
 */
function resultOf(answer) {
  if (answer?.error !== undefined) throw ServerError.of(answer);
  return answer?.done;
}

/**
 * The answer of a search that was ended: the answer without a search, with the last update.
 * @param {string} path
 * @param {any} result
 * @param {any} update
 */
function withUpdate(path, result, update) {
  if (["analyse", "balance"].includes(path)) return { ...result, ...dropNulls(update) };
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
  if (!(error instanceof Crash)) return error;
  return ServerError.of({ error: `the engine crashed and was started again: ${error.message}`, code: "engine-crashed" });
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
