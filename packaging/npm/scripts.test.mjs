// Tests of the package's scripts without the WebAssembly module. scripts/web/check-page lays them out in
// the folder PACKAGE.

import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const PACKAGE = resolve(process.env.PACKAGE);
const script = (path) => import(pathToFileURL(join(PACKAGE, path)));
const { Engine, EngineError } = await script("index.js");

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

test("a text of moves is read whole or refused", async () => {
  const engine = new Engine({ workers: [], proofs: new Map(), program: () => Promise.reject(new Error("asked")) });
  const answer = (moves) => engine.judge({ moves }).catch((error) => error);
  for (const moves of ["", "h8i9", "h8 pass i9", "7,7 8,6", "7,7,8,6; h1\n"]) {
    assert.ok(!(/invalid moves/.test((await answer(moves)).message)), moves);
  }
  for (const [moves, unknown] of [["hello", "hello"], ["7,7 8, 8", "8"], ["h8 i9 j", "j"], ["h8 resign i9", "resign"]]) {
    const error = await answer(moves);
    assert.ok(error instanceof EngineError, moves);
    assert.equal(error.message, `invalid moves "${moves}": "${unknown}" (expected h8, 7,7 or pass)`);
  }
});
