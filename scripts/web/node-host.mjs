// The WebAssembly modules in Node.js: a host for the page's transport.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

import { Worker } from "./node-worker.mjs";

const WEIGHTS = fileURLToPath(new URL("../../src/eval/network/weights", import.meta.url));
const PROVED = fileURLToPath(new URL("../../src/proved", import.meta.url));
export const RULES = ["freestyle", "standard", "renju", "caro", "caro-overline"];

async function fileBytes(path) {
  const bytes = readFileSync(path);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
}

/** The network of a rule. */
export const network = (rule) => fileBytes(join(WEIGHTS, `${rule}.net`));

/** The proofs of openings by name; none in the npm package. */
const bookNames = existsSync(PROVED) ? readdirSync(PROVED).filter((name) => name.endsWith(".book")) : [];
const proofs = new Map(bookNames.map((name) => [basename(name, ".book"), () => fileBytes(join(PROVED, name))]));

/**
 * A host of the transport. With several threads, the memory is shared.
 * @param {string} folder of the modules
 */
export function nodeHost(folder, { threads = 0, mebibytes = 64 } = {}) {
  const module = WebAssembly.compile(readFileSync(join(folder, threads ? "engine-threads.wasm" : "engine.wasm")));
  const plan = { threads: threads || 1, mebibytes, maximum: threads ? 448 : null };
  const workers = [];
  let isClosed = false;
  const worker = () => {
    if (isClosed) throw new Error("the host was closed");
    workers.push(new Worker());
    return workers.at(-1);
  };
  const close = () => {
    isClosed = true;
    for (const worker of workers) worker.terminate();
  };
  return { workers, network, proofs, close, program: async () => ({ module: await module, plan, worker }) };
}

export const hasThreads = (folder) => existsSync(join(folder, "engine-threads.wasm"));
