// Tests of the WebAssembly modules in Node.js, through the page's transport:
//
//   node --test scripts/web/wasm-test.mjs
//
// The folder of the modules is WASM_FOLDER, or target/dist/wasm. They are built by
// scripts/build-wasm.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { WorkerTransport } from "../../crates/web/page/transport-worker.js";
import { ServerError } from "../../crates/web/page/transport.js";
import { RULES, hasThreads, nodeHost } from "./node-host.mjs";

const folder = process.env.WASM_FOLDER ?? fileURLToPath(new URL("../../target/dist/wasm", import.meta.url));
const position = (moves = "h8 i9 j8", rule = "freestyle") =>
  ({ rule, width: 15, height: 15, moves: moves.split(" ").filter(Boolean) });
/** Black to move with an open three. */
const THREE = "h8 a1 i8 a3 j8 a5";

function started(t, options) {
  const host = nodeHost(folder, options);
  t.after(host.close);
  return { host, transport: new WorkerTransport(host) };
}

/** A search that runs until it is stopped or aborted, and its first update. */
function endless(transport, signal) {
  let seen;
  const first = new Promise((resolve) => { seen = resolve; });
  const result = transport.stream("analyse", { position: position(), lines: 2 }, seen, signal);
  return { first, result };
}

const builds = { "one thread": {} };
if (hasThreads(folder)) builds["two threads"] = { threads: 2 };
for (const [name, options] of Object.entries(builds)) {
  describe(name, () => {
    test("requests without a search", async (t) => {
      const { transport } = started(t, options);
      const hello = await transport.ask("hello", {});
      assert.deepEqual(hello.rules, RULES);
      const facts = await transport.ask("look", { position: position("h8 a1 i8 a3 j9 a5 j10 a7", "renju") });
      assert.equal(facts.fouls[0].kind, "double-three");
      const { games } = await transport.ask("read", { data: Buffer.from("h8i9j10").toString("base64") });
      assert.equal(games.length, 1);
      const { data } = await transport.ask("write", { format: "sgf", game: games[0] });
      assert.match(Buffer.from(data, "base64").toString(), /^\(;/);
      const gif = await transport.ask("replay", { position: position(), numbers: true, coordinates: true });
      assert.equal(Buffer.from(gif.data, "base64").toString("latin1", 0, 6), "GIF89a");
      const opening = { opening: "swap2", rule: "freestyle", width: 15, height: 15, answers: [] };
      assert.equal((await transport.ask("opening", opening)).asked, "first");
      await assert.rejects(transport.ask("look", { position: position("z99") }), /move 1 \(z99\)/);
    });

    test("proofs of openings are used once they are wanted", async (t) => {
      const { transport } = started(t, options);
      const { proofs } = await transport.ask("hello", {});
      const reply = position("h8 h9");
      assert.equal((await transport.ask("look", { position: reply })).proved, undefined);
      // There are books for what the engine offers, and for nothing else.
      assert.deepEqual(proofs.map((it) => transport.useProofs(it)), proofs.map(() => true));
      assert.deepEqual(proofs.map((it) => transport.useProofs(it)), proofs.map(() => false));
      assert.equal(transport.useProofs({ rule: "caro", width: 15, height: 15 }), false);
      for (const { rule, opening } of proofs) {
        const { proved: lost } = await transport.ask("look", { position: position(opening.join(" "), rule) });
        assert.equal(lost.winner, "black", rule);
      }
      const { proved } = await transport.ask("look", { position: reply });
      assert.equal(proved.winner, "black");
      const { move } = await transport.stream("think", { position: reply, player: "level:full", proved: true });
      assert.equal(move, proved.best);
    });

    test("searches of all kinds and rules", async (t) => {
      const { transport } = started(t, options);
      for (const rule of RULES) {
        const player = rule === "caro" ? "bot:one-ply" : "level:first-steps";
        const { move } = await transport.stream("think", { position: position("h8", rule), player, nodes: 1000 });
        assert.match(move, /^\d+,\d+$/, rule);
      }
      const updates = [];
      const found = await transport.stream("analyse", { position: position(), lines: 3, nodes: 20000 }, (it) => updates.push(it));
      assert.equal(found.lines.length, 3);
      assert.ok(updates.length > 0 && found.nodes > 1000);
      const solved = await transport.stream("solve", { position: position(THREE), question: "win", time_ms: 60000 });
      assert.equal(solved.result, "win");
      const { review } = await transport.stream("review", { position: position(THREE), nodes: 1000 });
      assert.equal(review.moves.length, 6);
      const opening = { opening: "swap", rule: "freestyle", width: 15, height: 15, answers: [] };
      const { answers } = await transport.stream("opening-answer", { opening, time_ms: 300 });
      assert.equal(answers.length, 3);
    });

    test("a stopped analysis keeps its last lines", async (t) => {
      const { transport } = started(t, options);
      const { first, result } = endless(transport);
      assert.ok((await first).lines.length > 0);
      await transport.stop();
      const found = await result;
      assert.ok(found.lines.length > 0 && found.nodes > 0);
      assert.equal(found.state, "open");
    });

    test("an aborted search frees the engine", async (t) => {
      const { transport } = started(t, options);
      const abort = new AbortController();
      const { first, result } = endless(transport, abort.signal);
      await first;
      abort.abort();
      await assert.rejects(result, { name: "AbortError" });
      const { move } = await transport.stream("think", { position: position(), player: "level:full", nodes: 1000 });
      assert.match(move, /^\d+,\d+$/);
    });

    test("openings are answered although they are stopped", async (t) => {
      const { transport } = started(t, options);
      const opening = { opening: "swap2", rule: "freestyle", width: 15, height: 15, answers: ["h8", "i9", "j11"] };
      const result = transport.stream("opening-answer", { opening, time_ms: 60000 });
      await transport.stop();
      const { answers } = await result;
      assert.ok(["swap", "stay", "extend"].includes(answers[0]), answers.join());
    });

    test("crashed workers are replaced", async (t) => {
      const { host, transport } = started(t, options);
      await transport.ask("hello", {});
      // Reads outside of the memory.
      const broken = "{ const { ask } = engine; engine = { ...engine, ask: () => ask(0, -64, 64, 0) }; }";
      for (const worker of host.workers) worker.postMessage({ evaluate: broken });
      // A request without a search is repeated.
      assert.deepEqual((await transport.ask("hello", {})).rules, RULES);
      const search = () => transport.stream("think", { position: position(), player: "level:full", nodes: 1000 });
      await assert.rejects(search(), (error) => error instanceof ServerError && error.code === "engine-crashed");
      assert.match((await search()).move, /^\d+,\d+$/);
    });
  });
}
