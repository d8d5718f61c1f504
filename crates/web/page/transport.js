// Requests to the engine: by HTTP to the local server, or to a worker of a page without a server.

import { randomIdentifier } from "./identifier.js";

/** The statuses of refusals that say nothing about the request: no access yet, a slow connection, all
 * engines or connections in use. */
const TEMPORARY = [403, 408, 503];

/** An error response of the server, or of the engine in this page. */
export class ServerError extends Error {
  /** Whether this browser has no access to the server (status 403). */
  locked = false;
  /** Whether all engines are in use (status 503). */
  isBusy = false;
  /** Whether the same request may succeed later: statuses 403, 408 and 503. */
  isTemporary = false;
  /**
   * The kind of the error and its values, for a translation; null: there is only the message.
   * @type {string | null}
   */
  code = null;
  /** @type {Record<string, any>} */
  values = {};

  /** @param {any} answer `{ error, code, values }`, or a text */
  static of(answer) {
    if (typeof answer !== "object" || answer === null) return new ServerError(String(answer).trim());
    const error = new ServerError(String(answer.error ?? "").trim());
    error.code = answer.code ?? null;
    error.values = answer.values ?? {};
    return error;
  }
}

/** The server cannot be reached, or the connection was lost. */
export class ConnectionError extends Error {}

/**
 * Whether a request failed because the page ended it.
 * @param {unknown} error
 */
export function isAbort(error) {
  return error instanceof Error && error.name === "AbortError";
}

/** Sends requests to the server of this page, whose engine has all networks and proofs. */
export class HttpTransport {
  /** The resources that the user chose. @type {import("./engine.js").Chosen} */
  #chosen = { threads: null, memory_mib: null };

  constructor() {
    /** The identifier of this tab. */
    this.tab = randomIdentifier();
  }

  /** @param {import("./engine.js").Terms} _terms */
  useProofs(_terms) {
    return false;
  }

  /**
   * @param {string} path
   * @param {object} question
   * @param {AbortSignal} [signal]
   */
  async #post(path, question, signal) {
    let response;
    try {
      response = await fetch(`/api/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(question),
        credentials: "same-origin",
        signal,
      });
    } catch (error) {
      throw toError(error);
    }
    if (response.ok) return response;
    const text = await readBody(response.text());
    let reason = text;
    try {
      reason = JSON.parse(text);
    } catch {
      // Plain text.
    }
    const serverError = ServerError.of(reason);
    serverError.locked = response.status === 403;
    serverError.isBusy = response.status === 503;
    serverError.isTemporary = TEMPORARY.includes(response.status);
    throw serverError;
  }

  /**
   * The resources that the server offers.
   * @param {any} offer
   * @returns {Promise<import("./engine.js").Choices | null>}
   */
  async choices(offer) {
    return offer.engine ? { ...offer.engine, ponder: true } : null;
  }

  /** @param {import("./engine.js").Chosen} chosen */
  choose(chosen) {
    this.#chosen = chosen;
  }

  get #resources() {
    const { threads, memory_mib } = this.#chosen;
    return threads === null && memory_mib === null ? {} : { engine: this.#chosen };
  }

  /**
   * Sends a request with a single response.
   * @param {string} path
   * @param {object} question
   */
  async ask(path, question) {
    const response = await this.#post(path, question);
    return readBody(response.json());
  }

  /**
   * Sends a request with a streamed response. `onProgress` receives the updates.
   * @param {string} path
   * @param {object} question
   * @param {(value: any) => void} [onProgress]
   * @param {AbortSignal} [signal]
   */
  async stream(path, question, onProgress, signal) {
    const response = await this.#post(path, { ...question, tab: this.tab, ...this.#resources }, signal);
    if (!response.body) throw new ConnectionError("the response has no body");
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      let part;
      try {
        part = await reader.read();
      } catch (error) {
        throw toError(error);
      }
      if (part.done) throw new ConnectionError("the stream is incomplete");
      const lines = (rest + part.value).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const value = JSON.parse(line);
        if (value === null) continue;
        if (value.error !== undefined) throw ServerError.of(value);
        if (value.done !== undefined) return value.done;
        onProgress?.(value);
      }
    }
  }

  /** Stops the search of this tab. */
  async stop() {
    await this.ask("stop", { tab: this.tab });
  }
}

/**
 * The transport of this page. A page without a server has `data-engine="worker"` at its root, and
 * the addresses of the engine's files in the element `engine-files`.
 * @returns {Promise<import("./engine.js").Transport>}
 */
export async function openTransport() {
  if (document.documentElement.dataset.engine !== "worker") return new HttpTransport();
  const [{ WorkerTransport }, { browserHost }] = await Promise.all([import("./transport-worker.js"), import("./engine-host.js")]);
  return new WorkerTransport(browserHost(JSON.parse(document.getElementById("engine-files")?.textContent ?? "{}")));
}

/**
 * The error to throw for a failed request: a `ConnectionError`, unless the page aborted it.
 * @param {unknown} error
 */
function toError(error) {
  if (!(error instanceof Error)) return new ConnectionError(String(error));
  return isAbort(error) ? error : new ConnectionError(error.message);
}

/**
 * Reads the body of a response, which may break off.
 * @template T
 * @param {Promise<T>} body
 */
async function readBody(body) {
  try {
    return await body;
  } catch (error) {
    throw toError(error);
  }
}
