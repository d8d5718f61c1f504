// Runs crates/wasm/site/worker.js in a worker of Node.js, which has other names for the same things.

import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";
import { Worker as NodeWorker, parentPort } from "node:worker_threads";

const SCRIPT = new URL("../../crates/wasm/site/worker.js", import.meta.url);

/** A worker with the interface of browsers. */
export class Worker {
  onmessage = null;
  onerror = null;
  #worker = new NodeWorker(new URL(import.meta.url));

  constructor() {
    this.#worker.on("message", (data) => this.onmessage?.({ data }));
    this.#worker.on("error", (error) => this.onerror?.({ message: error.message, preventDefault() {} }));
    this.#worker.unref();
  }

  postMessage(message) {
    this.#worker.ref();
    this.#worker.postMessage(message);
  }

  terminate() {
    this.#worker.terminate();
  }
}

if (parentPort) {
  const scope = globalThis;
  Object.assign(scope, {
    Worker, onmessage: null, location: { href: "" },
    postMessage: (message) => parentPort.postMessage(message),
  });
  runInThisContext(readFileSync(SCRIPT, "utf8"), { filename: SCRIPT.pathname });
  parentPort.on("message", (data) => {
    // For tests.
    if (data.evaluate) runInThisContext(data.evaluate);
    else scope.onmessage({ data });
  });
}
