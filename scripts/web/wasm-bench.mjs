#!/usr/bin/env node
// Measures the WebAssembly module as `tengen bench` measures the program, with the same last line:
//
//   scripts/web/wasm-bench.mjs bench [--depth N] [--threads N] [--folder FOLDER]
//                                    [--browser FILE --modules FOLDER]
//
//   --depth     depth of the searches (18, that of the signature)
//   --threads   use the module for several threads
//   --folder    the folder of the modules (target/dist/wasm)
//   --browser   measure in this browser instead of Node.js, with the npm packages in --modules
//
// scripts/bench-signature compares the last line with the history:
//
//   scripts/bench-signature scripts/web/wasm-bench.mjs

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { startBrowser } from "./browser.mjs";
import { RULES, network } from "./node-host.mjs";
import { Worker } from "./node-worker.mjs";

const { values: options } = parseArgs({
  allowPositionals: true,
  options: {
    depth: { type: "string", default: "18" }, threads: { type: "string" }, browser: { type: "string" },
    modules: { type: "string" },
    folder: { type: "string", default: fileURLToPath(new URL("../../target/dist/wasm", import.meta.url)) },
  },
});
const depth = Number(options.depth);
const threads = Number(options.threads ?? 0);
const file = join(options.folder, threads ? "engine-threads.wasm" : "engine.wasm");

/** Starts a worker, adds the networks, and returns the answer to `bench`. Runs here and in browsers. */
async function measure(worker, { module, networks, threads, depth }) {
  const memory = threads ? new WebAssembly.Memory({ initial: 256, maximum: 7168, shared: true }) : null;
  const exchange = (message) => new Promise((resolve, reject) => {
    let last = null;
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.onmessage = ({ data }) => {
      if (data.failed !== undefined) reject(new Error(`${last ?? ""} ${data.failed}`));
      else if (data.line !== undefined) last = data.line;
      else if (data.end) resolve(last && JSON.parse(last));
    };
    worker.postMessage(message);
  });
  const begun = performance.now();
  await exchange({ start: { module, memory, threads: threads || 1, mebibytes: 64 } });
  const started = performance.now() - begun;
  for (const [name, bytes] of Object.entries(networks)) await exchange({ add: { kind: "network", name, bytes } });
  const compares = WebAssembly.Module.exports(module).some(({ name }) => name === "compare_kernels");
  const kernel = compares ? (await exchange({ compare: true })).done : null;
  return { started, kernel, ...(await exchange({ bench: depth })).done };
}

async function inNode() {
  const module = await WebAssembly.compile(readFileSync(file));
  const networks = {};
  for (const rule of RULES) networks[rule] = await network(rule);
  return measure(new Worker(), { module, networks, threads, depth });
}

async function inBrowser() {
  const script = fileURLToPath(new URL("../../crates/wasm/site/worker.js", import.meta.url));
  const server = createServer(async (request, response) => {
    const name = request.url.slice(1);
    const body = RULES.includes(name) ? Buffer.from(await network(name))
      : name === "engine.wasm" ? readFileSync(file) : name === "worker.js" ? readFileSync(script) : "";
    const kind = { "engine.wasm": "application/wasm", "worker.js": "text/javascript" }[name] ?? "text/html";
    response.writeHead(200, {
      "content-type": kind, "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp",
    });
    response.end(body);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const browser = await startBrowser(options.modules, options.browser);
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    return await page.evaluate(async (measure, rules, threads, depth) => {
      const module = await WebAssembly.compileStreaming(fetch("/engine.wasm"));
      const networks = {};
      for (const rule of rules) networks[rule] = await (await fetch(`/${rule}`)).arrayBuffer();
      const run = new Function(`return ${measure}`)();
      return run(new Worker("/worker.js"), { module, networks, threads, depth });
    }, measure.toString(), RULES, threads, depth);
  } finally {
    await browser.close();
    server.close();
  }
}

const { nodes, ms, kernel, started } = await (options.browser ? inBrowser() : inNode());
// Only a module of `build-wasm --compare` can compare them.
if (kernel) console.log(`kernel ${kernel}, the same results as the plain one`);
console.log(`worker started in ${Math.round(started)} ms`);
console.log(`nodes ${nodes}  seconds ${(ms / 1e3).toFixed(3)}  nodes/second ${Math.round(nodes / ms * 1e3)}`);
console.log(`Bench: ${nodes}`);
process.exit(0);
