// The only way to the engine. Whatever offers `ask`, `stream` and `stop` can take its place: an
// engine compiled into the page, for example.

/** What the engine said instead of an answer. */
export class Refusal extends Error {
  /** Whether this browser has no access to the server (status 403). */
  locked = false;
}

/** Nobody is there to answer. */
export class Disconnected extends Error {}

/**
 * Whether a request failed because the page ended it.
 * @param {unknown} error
 */
export function isAbort(error) {
  return error instanceof Error && error.name === "AbortError";
}

/** Speaks to the server that this page comes from. */
export class HttpTransport {
  constructor() {
    const bytes = crypto.getRandomValues(new Uint8Array(12));
    /** Tells this tab from others. */
    this.tab = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
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
      throw lost(error);
    }
    if (response.ok) return response;
    const text = await whole(response.text());
    let reason = text;
    try {
      reason = JSON.parse(text).error ?? text;
    } catch {
      // It is words already.
    }
    const refusal = new Refusal(reason.trim());
    refusal.locked = response.status === 403;
    throw refusal;
  }

  /**
   * One question, one answer.
   * @param {string} path
   * @param {object} question
   */
  async ask(path, question) {
    const response = await this.#post(path, question);
    return whole(response.json());
  }

  /**
   * A question that takes a while: `news` hears what is known so far.
   * @param {string} path
   * @param {object} question
   * @param {(value: any) => void} [news]
   * @param {AbortSignal} [signal]
   */
  async stream(path, question, news, signal) {
    const response = await this.#post(path, { ...question, tab: this.tab }, signal);
    if (!response.body) throw new Disconnected("the answer is empty");
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      let part;
      try {
        part = await reader.read();
      } catch (error) {
        throw lost(error);
      }
      if (part.done) throw new Disconnected("the stream broke off");
      const lines = (rest + part.value).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const value = JSON.parse(line);
        if (value === null) continue;
        if (value.error !== undefined) throw new Refusal(value.error);
        if (value.done !== undefined) return value.done;
        news?.(value);
      }
    }
  }

  /** Ends what this tab searches. */
  async stop() {
    await this.ask("stop", { tab: this.tab });
  }
}

/**
 * What to throw where a request failed: that the connection is lost, unless the page ended it.
 * @param {unknown} error
 */
function lost(error) {
  if (!(error instanceof Error)) return new Disconnected(String(error));
  return isAbort(error) ? error : new Disconnected(error.message);
}

/**
 * The body of an answer; it may break off after the answer has begun.
 * @template T
 * @param {Promise<T>} body
 */
async function whole(body) {
  try {
    return await body;
  } catch (error) {
    throw lost(error);
  }
}
