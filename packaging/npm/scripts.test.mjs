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

/**
 * An engine whose workers answer each request with itself, but an analysis only after it was stopped.
 */
function echoing() {
  const worker = () => {
    const created = {
      terminate() {},
      postMessage({ ask }) {
        if (ask?.path === "analyse" && !ask.isStopped) return;
        const send = (data) => created.onmessage({ data });
        queueMicrotask(() => {
          if (ask) send({ line: `{"done":${ask.body}}` });
          send({ end: true });
        });
      },
    };
    return created;
  };
  const plan = { threads: 1, mebibytes: 16, maximum: null };
  return new Engine({ proofs: new Map(), close() {}, program: async () => ({ module: null, plan, worker }) });
}

test("positions are passed to the engine as they are", async () => {
  const positionOf = async (position) => (await echoing().judge(position)).position;
  assert.deepEqual(await positionOf(), { rule: "freestyle", size: 15 });
  const position = { rule: "renju", size: "15x20", moves: "h8 -1,3" };
  assert.deepEqual(await positionOf(position), position);
  assert.deepEqual(await positionOf({ width: 9, height: 10 }), { rule: "freestyle", width: 9, height: 10 });
});

test("times are whole numbers, and a move has a time limit", async () => {
  const timesOf = async (options) => {
    const { time_ms, left_ms, increment_ms } = await echoing().play({}, options);
    return [time_ms, left_ms, increment_ms];
  };
  assert.deepEqual(await timesOf({}), [5000, undefined, undefined]);
  assert.deepEqual(await timesOf({ timeMs: 10.6, leftMs: -3.5, incrementMs: 0.2 }), [11, 0, 0]);
  assert.deepEqual(await timesOf({ nodes: 1000 }), [undefined, undefined, undefined]);
  assert.deepEqual(await timesOf({ player: "level:casual" }), [undefined, undefined, undefined]);
});

test("a search that is about to begin can be stopped", async () => {
  const engine = echoing();
  await engine.stop();
  for (const lines of [1, 2]) {
    const analysed = engine.analyse({}, { lines });
    await engine.stop();
    assert.equal((await analysed).lines, lines);
  }
});

test("a closed engine rejects its requests", async () => {
  const engine = echoing();
  const [running, waiting] = [engine.analyse(), engine.play()];
  engine.close();
  for (const request of [running, waiting, engine.judge(), engine.play(), engine.write("sgf", {})]) {
    await assert.rejects(request, (error) => error instanceof EngineError && error.message === "the engine was closed");
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
  for (const line of ["4,4,4", "15,4,1", "4,1", "x"]) {
    assert.equal(await send("BOARD", line, "DONE"), `ERROR invalid line of BOARD: "${line}" (expected x,y,1, x,y,2 or x,y,3)`);
  }
});

test("cells of BOARD on one line", async () => {
  for (const lines of [["BOARD 4,4,1 5,5,2 DONE"], ["BOARD 4,4,1", "5 , 5 , 2 done"], ["BOARD", "4,4,1 5,5,2", "DONE"]]) {
    const { positions, send } = conversation("0,0");
    assert.equal(await send("START 15", ...lines), "OK|0,0", lines);
    const { black, white } = positions[0];
    assert.deepEqual({ black, white }, { black: ["4,4"], white: ["5,5"] });
  }
});

test("numbers of BOARD that are colours", async () => {
  for (const lines of [["4,4,1"], ["4,4,1", "5,5,2", "6,6,1"]]) {
    const { positions, send } = conversation("0,0");
    await send("START 15", "BOARD", ...lines, "DONE");
    assert.deepEqual([positions[0].black[0], positions[0].side], ["4,4", "white"]);
  }
});

test("passes in BOARD", async () => {
  const { positions, send } = conversation("0,0");
  await send("START 15", "BOARD", "4,4,2", "-1,-1,1", "5,5,2", "-1,-1,1", "DONE");
  const { black, white, side } = positions[0];
  assert.deepEqual({ black, white, side }, { black: [], white: ["4,4", "5,5"], side: "black" });
});

test("numbers of rules are combinations of bits", async () => {
  const { positions, send } = conversation();
  await send("START 15");
  const names = { freestyle: [0, 2, 16], standard: [1, 3], renju: [4, 5, 6, 7, 12, 13, 14, 15], "caro-overline": [8, 10], caro: [9, 11] };
  for (const [name, numbers] of Object.entries(names)) {
    for (const number of numbers) {
      await send(`INFO rule ${number}`, "BEGIN");
      assert.equal(positions.at(-1).rule, name, number);
    }
  }
});

test("commands before a game and without a size", async () => {
  const { send } = conversation();
  for (const commands of [["TURN 7,7"], ["TAKEBACK 7,7"], ["BEGIN"], ["RESTART"], ["BOARD", "7,7,1", "DONE"]]) {
    assert.equal(await send(...commands), "ERROR no game was started", commands[0]);
  }
  for (const [command, size] of [["START", ""], ["RECTSTART 15", "15"], ["START 4", "4"], ["RECTSTART 9, 99", "9, 99"]]) {
    assert.equal(await send(command), `ERROR unsupported size "${size}" (expected START 15 or RECTSTART 15,20, sides from 5 to 36)`);
  }
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
