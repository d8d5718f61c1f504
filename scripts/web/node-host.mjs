// The WebAssembly modules in Node.js: a host for the page's transport.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { Worker } from "./node-worker.mjs";

const WEIGHTS = fileURLToPath(new URL("../../src/eval/network/weights", import.meta.url));
export const RULES = ["freestyle", "standard", "renju", "caro", "caro-overline"];

/** The network of a rule. */
export async function network(rule) {
  const bytes = readFileSync(join(WEIGHTS, `${rule}.net`));
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
}

/**
 * A host of the transport. With several threads, the memory is shared.
 * @param {string} folder of the modules
 */
export function nodeHost(folder, { threads = 0, mebibytes = 64 } = {}) {
  const module = WebAssembly.compile(readFileSync(join(folder, threads ? "engine-threads.wasm" : "engine.wasm")));
  const plan = { threads: threads || 1, mebibytes, maximum: threads ? 448 : null };
  const workers = [];
  const worker = () => {
    workers.push(new Worker());
    return workers.at(-1);
  };
  return { workers, network, program: async () => ({ module: await module, plan, worker }) };
}

export const hasThreads = (folder) => existsSync(join(folder, "engine-threads.wasm"));
