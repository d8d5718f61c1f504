// Tests of the package's scripts without the WebAssembly module. scripts/web/check-page lays them out in
// the folder PACKAGE.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const PACKAGE = resolve(process.env.PACKAGE);
const script = (path) => import(pathToFileURL(join(PACKAGE, path)));
const { Brain, Engine, EngineError } = await script("index.js");
const { movesOf } = await script("moves.js");

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
  for (const [text, ...moves] of [
    [""],
    ["h8i9", "h8", "i9"],
    ["H8 PASS i9", "h8", "pass", "i9"],
    ["7,7 8,6", "7,7", "8,6"],
    ["7,7,8,6; h1\n", "7,7", "8,6", "h1"],
    ["1. h8 i9 2. j10", "h8", "i9", "j10"],
    ["1.h8 1... i9 2) j10", "h8", "i9", "j10"],
    ["1 h8 2 i9", "h8", "i9"],
    ["1. 7,7 2.8,6", "7,7", "8,6"],
    ["(7,7) (8,6)", "7,7", "8,6"],
    ["7,7/8,6", "7,7", "8,6"],
    ["h8-i9-j10", "h8", "i9", "j10"],
    ["[h8] | \"i9\"! → j10?", "h8", "i9", "j10"],
    ["B: h8 W: i9 black j10", "h8", "i9", "j10"],
    ["第1手：h8，第2手：i9 黑j10", "h8", "i9", "j10"],
  ]) {
    assert.deepEqual(movesOf(text), moves, text);
  }
  const engine = new Engine({ workers: [] });
  for (const [moves, unknown] of [
    ["hello", "hello"],
    ["7,7 8, 8", "8"],
    ["h8 i9 j", "j"],
    ["h8 resign i9", "resign"],
    ["7,7 8,8,120", "120"],
    ["7,7 8,-8", "8"],
    ["h8 b", "b"],
    ["h8 Ünbekannt", "Ünbekannt"],
  ]) {
    const message = `invalid moves "${moves}": "${unknown}" (expected h8, 7,7 or pass)`;
    await assert.rejects(engine.judge({ moves }), (error) => error instanceof EngineError && error.message === message);
  }
});

/** A brain whose engine answers with `replies`, and the requested positions. */
function conversation(...replies) {
  const positions = [];
  const lines = [];
  const engine = {
    async play(position) {
      positions.push(position);
      const move = replies.shift();
      if (move instanceof Error) throw move;
      return { move };
    },
  };
  const brain = new Brain(engine, (line) => lines.push(line));
  const send = async (...commands) => {
    lines.length = 0;
    let isOpen = true;
    for (const command of commands) isOpen = await brain.line(command);
    return isOpen ? lines.join("|") : "left";
  };
  return { positions, send };
}

test("a refused BOARD leaves the game unchanged", async () => {
  const { positions, send } = conversation("7,7", new Error("taken"), "1,1");
  await send("START 15", "BEGIN");
  assert.equal(await send("BOARD", "1,1,1", "1,1,2", "DONE"), "ERROR taken");
  assert.equal(await send("TURN 0,0"), "1,1");
  assert.deepEqual(positions.at(-1), { rule: "freestyle", width: 15, height: 15, moves: ["7,7", "0,0"] });
});

test("a refused TURN leaves the game unchanged", async () => {
  const { positions, send } = conversation("7,7", new Error("taken"), "1,1");
  await send("START 15", "BEGIN", "TURN 7,7", "TURN 0,0");
  assert.deepEqual(positions.at(-1).moves, ["7,7", "0,0"]);
});

test("cells out of play in BOARD", async () => {
  const { positions, send } = conversation("0,0", "0,0");
  await send("START 15");
  assert.equal(await send("BOARD", "4,4,3", "5,5,2", "", "DONE"), "0,0");
  const { walls, black, white, side } = positions[0];
  assert.deepEqual({ walls, black, white, side }, { walls: ["4,4"], black: [], white: ["5,5"], side: "black" });
  assert.match(await send("BOARD", "4,4,4", "DONE"), /^ERROR invalid line of BOARD/);
});

test("a command ends an unclosed BOARD", async () => {
  const { positions, send } = conversation("0,0");
  assert.equal(await send("START 15 20", "BOARD", "5,5,2", "BEGIN"), "OK|ERROR the last block was not closed by DONE|0,0");
  assert.deepEqual([positions[0].width, positions[0].height, positions[0].moves], [15, 20, []]);
  assert.equal(await send("BOARD", "INFO rule 4", "5,5,2", "END"), "left");
});

test("a malformed address does not end the server", async (t) => {
  mkdirSync(join(PACKAGE, "site"), { recursive: true });
  writeFileSync(join(PACKAGE, "site", "index.html"), "board");
  const server = spawn(process.execPath, [join(PACKAGE, "tengen.js"), "board", "--port=0"], { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => server.kill());
  const [line] = await once(server.stdout, "data");
  const address = String(line).trim();
  for (const path of ["%ff", "%", "/"]) {
    assert.equal((await fetch(address + path)).status, 400, path);
  }
  assert.equal(await (await fetch(address)).text(), "board");
});

test("invalid arguments are refused", () => {
  const run = (...words) => spawnSync(process.execPath, [join(PACKAGE, "tengen.js"), ...words], { encoding: "utf8" });
  for (const words of [["--prot", "80"], ["--port="], ["boards"], ["board", "x"]]) {
    const { status, stderr } = run(...words);
    assert.equal(status, 2, words.join(" "));
    assert.match(stderr, /^tengen: .+\n\n.*Usage:\n/, words.join(" "));
  }
  assert.match(run("--version").stdout, /^\d+\.\d+\.\d+\n$/);
});
