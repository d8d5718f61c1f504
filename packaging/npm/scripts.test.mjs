// Tests of the package's scripts without the WebAssembly module. scripts/web/check-page lays them out in
// the folder PACKAGE.

import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const PACKAGE = resolve(process.env.PACKAGE);
const script = (path) => import(pathToFileURL(join(PACKAGE, path)));
const { Engine } = await script("index.js");

test("the package has all its scripts", async () => {
  // All scripts are imported before the module is missing.
  await assert.rejects(Engine.start(), { code: "ENOENT", path: join(PACKAGE, "lib", "engine.wasm") });
  const { Worker } = await script("lib/node-worker.mjs");
  const worker = new Worker();
  const answer = await new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage({ evaluate: "postMessage('started')" });
  });
  worker.terminate();
  assert.equal(answer, "started");
});
