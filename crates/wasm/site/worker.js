// Runs one instance of the engine. Each message is answered by lines of JSON, then `end`; by
// `failed` if the engine crashed. The functions of the engine are described in crates/wasm/src/host.rs.

"use strict";

/** Bytes of a helper's stack. */
const STACK = 8 << 20;

let engine = null;
let memory = null;
let module = null;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const bytes = (address, length) => new Uint8Array(memory.buffer, address >>> 0, length);

const page = {
  // The same clock in all workers.
  now: () => performance.timeOrigin + performance.now(),
  // Random bytes cannot be written to shared memory directly.
  random: (address, length) => bytes(address, length).set(crypto.getRandomValues(new Uint8Array(length))),
  say: (address, length) => postMessage({ line: decoder.decode(bytes(address, length).slice()) }),
};

async function instantiate(start) {
  module = start.module;
  const instance = await WebAssembly.instantiate(module, { env: { memory: start.memory }, page });
  engine = instance.exports;
  memory = start.memory ?? engine.memory;
}

/** Writes parts to the engine's memory, where the called function takes them. */
function write(...parts) {
  const chunks = parts.map((part) => (typeof part === "string" ? encoder.encode(part) : new Uint8Array(part)));
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const address = engine.allocate(length);
  let offset = address >>> 0;
  for (const chunk of chunks) {
    bytes(offset, chunk.length).set(chunk);
    offset += chunk.length;
  }
  return [address, length];
}

/** Starts a worker that searches with this one. */
function startHelper() {
  const stack = engine.allocate_aligned(STACK) + STACK;
  const storage = engine.allocate_aligned(Math.max(1, engine.__tls_size.value));
  const helper = new Worker(location.href);
  return new Promise((resolve, reject) => {
    helper.onmessage = ({ data }) => (data.failed === undefined ? resolve() : reject(new Error(data.failed)));
    helper.onerror = (event) => reject(new Error(event.message || "a helper cannot be started"));
    helper.postMessage({ help: { module, memory, stack, storage } });
  }).then(() => {
    // The search waits for a helper that has crashed: all workers have to be started again.
    const fail = (message) => postMessage({ failed: message });
    helper.onmessage = ({ data }) => data.failed !== undefined && fail(data.failed);
    helper.onerror = (event) => fail(event.message);
  });
}

async function start(message) {
  await instantiate(message);
  engine.start(message.threads, message.mebibytes);
  const stops = [];
  const count = engine.switch_count();
  for (let number = 0; number < count; number++) stops.push(engine.stop_address(number) >>> 0);
  if (message.memory && message.threads > 1) {
    // Memory must not grow while helpers use it: a fault of Safari.
    engine.reserve(message.mebibytes);
    const helpers = [];
    for (let number = 1; number < message.threads; number++) helpers.push(startHelper());
    await Promise.all(helpers);
  }
  return { stops };
}

async function handle(message) {
  if (message.start) return start(message.start);
  if (message.add) {
    const { kind, name, bytes } = message.add;
    engine.add(...write(`${kind} ${name}\n`, bytes));
  } else if (message.ask) {
    const { number, path, body, isStopped } = message.ask;
    engine.ask(number, ...write(`${path}\n${body}`), isStopped ? 1 : 0);
  } else if (message.bench) {
    engine.bench(message.bench);
  } else if (message.compare) {
    engine.compare_kernels();
  }
  return {};
}

/** Waits for work of the instance that started this worker, until the page ends it. */
async function help({ stack, storage, ...start }) {
  await instantiate(start);
  engine.__stack_pointer.value = stack;
  engine.__wasm_init_tls(storage);
  postMessage({ end: true });
  engine.help();
}

onmessage = async ({ data }) => {
  try {
    if (data.help) await help(data.help);
    else postMessage({ ...await handle(data), end: true });
  } catch (error) {
    postMessage({ failed: String(error?.message ?? error) });
  }
};
