// The browser as the host of the engine: its files, and threads and memory for this device.

/** Most search threads. */
const MAX_THREADS = 8;

/** @typedef {import("./engine-worker.js").Plan} Plan */
/** @typedef {import("./transport-worker.js").Host} Host */

/**
 * The addresses of the engine's files. All but the script of the worker are compressed by gzip,
 * whatever their names.
 * @typedef {object} EngineFiles
 * @property {string} worker
 * @property {string} module for one thread
 * @property {string | null} threads the module for several threads
 * @property {Record<string, string>} networks by rule
 * @property {Record<string, string>} proofs of openings, by rule and board
 */

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

/** The most search threads of this device: one for each core. */
function mostThreads() {
  return Math.max(1, Math.min(MAX_THREADS, navigator.hardwareConcurrency ?? 2));
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
  /** @param {string} address */
  const compile = async (address) => {
    const headers = { "content-type": "application/wasm" };
    return WebAssembly.compileStreaming(new Response(await load(address), { headers }));
  };
  const program = once(async () => {
    const script = await scriptAddress(files.worker);
    const worker = () => new Worker(script);
    if (files.threads !== null && globalThis.crossOriginIsolated === true) {
      try {
        return { module: await compile(files.threads), plan: planFor(true), worker };
      } catch {
        // Without a network only the other module may be stored.
      }
    }
    return { module: await compile(files.module), plan: planFor(false), worker };
  });
  /** @param {Record<string, string>} addresses */
  const loaders = (addresses) => new Map(Object.entries(addresses).map(([name, address]) =>
    [name, once(async () => new Response(await load(address)).arrayBuffer())]));
  const networks = loaders(files.networks);
  return {
    program,
    most: mostThreads(),
    network: async (rule) => {
      const network = networks.get(rule);
      if (!network) throw new Error("unknown rule");
      return network();
    },
    proofs: loaders(files.proofs),
  };
}

/**
 * The address of a worker's script. A worker of a `data:` address could not receive the module.
 * @param {string} address
 */
async function scriptAddress(address) {
  if (!address.startsWith("data:")) return address;
  const response = await fetch(address);
  return URL.createObjectURL(await response.blob());
}
