// Tests of the installed package. scripts/build-npm runs them in a folder where it is installed.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { test } from "node:test";

import { Brain, Engine, EngineError, RULES } from "tengen";

/** Black to move with an open three. */
const THREE = { moves: "h8a1i8a3j8a5" };

async function started(t, options) {
  const engine = await Engine.start(options);
  t.after(() => engine.close());
  return engine;
}

const hasThreads = existsSync("node_modules/tengen/lib/engine-threads.wasm");
if (!hasThreads) console.log("skipped: several threads, for which the package has no module");
for (const threads of hasThreads ? [1, 2] : [1]) {
  test(`questions and answers, ${threads} threads`, async (t) => {
    const engine = await started(t, { threads });
    const { levels, rules } = await engine.offer();
    assert.deepEqual(rules, RULES);
    assert.ok(levels.length >= 12);
    const { fouls } = await engine.judge({ rule: "renju", moves: "h8a1i8a3j9a5j10a7" });
    assert.deepEqual(fouls.map(({ at, kind }) => [at, kind]), [["9,7", "double-three"]]);
    const seen = [];
    const { lines } = await engine.analyse({ moves: ["h8", "i9"] }, { lines: 3, nodes: 20000, onProgress: (it) => seen.push(it) });
    assert.equal(lines.length, 3);
    assert.ok(seen.length > 0);
    assert.equal((await engine.solve(THREE, { timeMs: 20000 })).result, "win");
    assert.match((await engine.play({ rule: "renju", moves: "h8" }, { player: "level:beginner" })).move, /^\d+,\d+$/);
    const { review } = await engine.review({ moves: "h8i9j8" }, { nodes: 1000 });
    assert.equal(review.moves.length, 3);
    const { games } = await engine.read("(;GM[4]SZ[15];B[hh];W[ig])");
    const { bytes } = await engine.write("notation", games[0]);
    assert.equal(Buffer.from(bytes).toString().trim(), "h8i9");
    for (const [moves, place] of [["h8h8", /^move 2 \(h8\)/], ["7,7 -1,3", /^move 2 \(-1,3\)/], ["h8 hello", /"hello"/]]) {
      await assert.rejects(engine.judge({ moves }), (error) => error instanceof EngineError && place.test(error.message));
    }
  });

  test(`a stopped and an aborted search, ${threads} threads`, async (t) => {
    const engine = await started(t, { threads });
    let seen;
    const first = new Promise((resolve) => { seen = resolve; });
    const endless = engine.analyse({ rule: "renju", moves: "h8i9" }, { lines: 2, onProgress: seen });
    await first;
    await engine.stop();
    assert.equal((await endless).lines.length > 0, true);
    const stopped = engine.analyse({ moves: "h8" });
    await engine.stop();
    await stopped;
    const aborted = engine.analyse({ moves: "h8" }, { signal: AbortSignal.timeout(200) });
    await assert.rejects(aborted, { name: "TimeoutError" });
    // The next search is not disturbed.
    assert.ok((await engine.play({ moves: "h8" }, { nodes: 1000 })).move);
  });
}

test("a game of the protocol", async (t) => {
  const said = [];
  const brain = new Brain(await started(t), (line) => said.push(line));
  const answer = async (line) => {
    said.length = 0;
    await brain.line(line);
    return said.join("|");
  };
  assert.match(await answer("BEGIN"), /^ERROR/);
  assert.match(await answer("START 99"), /^ERROR unsupported size/);
  assert.equal(await answer("START 15"), "OK");
  assert.equal(await answer("INFO timeout_turn 300"), "");
  assert.equal(await answer("BEGIN"), "7,7");
  assert.match(await answer("TURN 7,8"), /^\d+,\d+$/);
  assert.match(await answer("TURN 7,8"), /^ERROR/);
  assert.match(await answer("TURN 15,0"), /^ERROR/);
  for (const line of ["BOARD", "5,5,1", "6,6,2", "5,6,1", "6,7,2", "5,7,1", "7,6,2", "5,8,1", "8,8,2"]) assert.equal(await answer(line), "");
  assert.match(await answer("DONE"), /^5,(4|9)$/);
  assert.match(await answer("HELLO"), /^UNKNOWN/);
  assert.equal(await brain.line("END"), false);
});

test("the board is served to this machine only", async (t) => {
  const program = spawn("npx", ["--no", "tengen", "board"], { stdio: ["ignore", "pipe", "inherit"], detached: true });
  t.after(() => process.kill(-program.pid));
  const address = String(await new Promise((resolve) => program.stdout.once("data", resolve))).trim();
  const page = await fetch(address);
  assert.equal(page.status, 200);
  assert.equal(page.headers.get("cross-origin-embedder-policy"), "require-corp");
  const text = await page.text();
  for (const [, path] of text.matchAll(/(?:src|href)="\.\/([^"]+)"/g)) {
    assert.equal((await fetch(new URL(path, address))).status, 200, path);
  }
  assert.equal((await fetch(new URL("..%2f..%2fpackage.json", address))).status, 404);
  assert.equal((await fetch(address, { method: "POST" })).status, 404);
});

test("types", { skip: !existsSync("check.ts") && "TypeScript is not installed" }, async () => {
  const { status } = await new Promise((resolve) => {
    const program = spawn(process.execPath, [process.env.TSC, "--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--skipLibCheck", "check.ts"], { stdio: "inherit" });
    program.on("exit", (status) => resolve({ status }));
  });
  assert.equal(status, 0);
});
