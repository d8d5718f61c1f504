import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { Engine } from "../page/engine.js";
import { ConnectionError } from "../page/transport.js";
import { deferred, record, serverError, settle } from "./support.js";

/** A transport whose streams wait until the test answers them. */
class FakeTransport {
  streams = [];
  stops = [];
  answer = async () => ({});

  ask(path, question) {
    return this.answer(path, question);
  }

  stream(path, question, progress, signal) {
    const it = { path, question, progress, signal, ...deferred() };
    signal.addEventListener("abort", () => it.reject(Object.assign(new Error("aborted"), { name: "AbortError" })));
    this.streams.push(it);
    return it.promise;
  }

  stop() {
    const it = deferred();
    this.stops.push(it);
    return it.promise;
  }
}

const POSITION = { rule: "freestyle", width: 15, height: 15, moves: [] };
/** A question to the engine about the empty board. */
const QUESTION = { position: POSITION };

let transport;
let engine;

beforeEach(() => {
  transport = new FakeTransport();
  engine = new Engine(transport);
});

describe("searches", () => {
  test("think is busy until the answer", async () => {
    const answer = engine.think({ ...QUESTION, player: "level:club" });
    assert.equal(engine.busy, "think");
    await settle();
    transport.streams[0].resolve({ move: "7,7", state: "open", stopped: false });
    assert.deepEqual(await answer, { move: "h8", wins: false });
    assert.equal(engine.busy, null);
  });

  test("analyse replaces a running search, which returns null", async () => {
    const first = engine.think(QUESTION);
    await settle();
    const second = engine.analyse(QUESTION);
    assert.equal(await first, null);
    assert.equal(transport.streams[0].signal.aborted, true);
    assert.equal(engine.busy, "analyse");
    transport.streams[1].resolve({ lines: [] });
    assert.deepEqual(await second, { lines: [] });
  });

  test("progress of a replaced search is discarded", async () => {
    const counts = [];
    const progress = (nodes) => ({ lines: [], nodes, ms: 1 });
    engine.analyse(QUESTION, (it) => counts.push(it.nodes));
    await settle();
    transport.streams[0].progress(progress(1));
    engine.analyse(QUESTION, (it) => counts.push(it.nodes));
    await settle();
    transport.streams[0].progress(progress(2));
    transport.streams[1].progress(progress(3));
    assert.deepEqual(counts, [1, 3]);
  });

  test("a search in the person's time is not busy, and ends before any other", async () => {
    engine.ponder(POSITION);
    assert.equal(engine.busy, null);
    await settle();
    const answer = engine.think(QUESTION);
    assert.equal(transport.streams[0].signal.aborted, true);
    assert.equal(engine.busy, "think");
    engine.stopPondering();
    await settle();
    transport.streams[1].resolve({ move: "7,7" });
    assert.deepEqual(await answer, { move: "h8", wins: false });
    const other = engine.ponder(POSITION);
    await settle();
    engine.stopPondering();
    await other;
    assert.equal(transport.streams[2].signal.aborted, true);
  });

  test("balance returns pairs of cells", async () => {
    const seen = [];
    const answer = engine.balance(QUESTION, (pairs) => seen.push(pairs));
    await settle();
    transport.streams[0].progress({ pairs: [{ moves: ["0,0", "1,0"], win_rate: 0.5 }] });
    transport.streams[0].resolve({ state: "open", pairs: [{ moves: ["7,7", "8,6"], win_rate: 0.52 }] });
    assert.deepEqual(await answer, [{ moves: ["h8", "i9"], rate: 0.52 }]);
    assert.deepEqual(seen, [[{ moves: ["a15", "b15"], rate: 0.5 }]]);
  });

  test("solve and analyse name the cells of progress and answers", async () => {
    const seen = [];
    const answer = engine.solve(QUESTION, (it) => seen.push(it));
    await settle();
    transport.streams[0].progress({ judged: 1, of: 2, found: ["0,0"] });
    transport.streams[0].resolve({ result: "win", line: [{ at: "7,7", name: "five" }] });
    assert.deepEqual(await answer, { result: "win", line: [{ at: "h8", name: "five" }] });
    assert.deepEqual(seen, [{ judged: 1, of: 2, found: ["a15"] }]);
    const analysed = engine.analyse(QUESTION, undefined, "study-analyse");
    await settle();
    assert.equal(transport.streams[1].path, "study-analyse");
    transport.streams[1].resolve({ lines: [{ pv: ["7,7"], score: 1, win_rate: 0.5, forced: null }] });
    assert.deepEqual((await analysed).lines[0].moves, ["h8"]);
  });

  test("review returns the win rates of evaluations", async () => {
    const answer = engine.review(QUESTION);
    await settle();
    transport.streams[0].resolve({ evaluations: [{ text: "Tengen: score +M3", score: null, win_rate: 1, forced: 3, line: ["h8"] }] });
    assert.deepEqual((await answer).evaluations, [{ text: "Tengen: score +M3", rate: 1 }]);
  });

  test("look and opening name cells", async () => {
    transport.answer = async () => ({ moves: ["7,7"], question: { kind: "place", color: "black", reach: 0 } });
    const named = { moves: ["h8"], question: { kind: "place", color: "black", reach: 0 } };
    assert.deepEqual(await engine.look(POSITION), named);
    assert.deepEqual(await engine.opening({ opening: "swap2", rule: "freestyle", width: 15, height: 15, answers: [] }), named);
  });

  test("cancel ends a search with null", async () => {
    const answer = engine.review({});
    await settle();
    const busy = record(engine, "busy");
    engine.cancel();
    assert.equal(engine.busy, null);
    assert.equal(await answer, null);
    assert.deepEqual(busy, ["busy"]);
  });

  test("cancel without a search emits no event", () => {
    const busy = record(engine, "busy");
    engine.cancel();
    assert.deepEqual(busy, []);
  });

  test("solve throws the error of the server and is not busy", async () => {
    const answer = engine.solve(QUESTION);
    await settle();
    transport.streams[0].reject(serverError("no such question"));
    await assert.rejects(answer, { message: "no such question" });
    assert.equal(engine.busy, null);
    assert.equal(engine.connected, true);
  });

  test("a search after finishSearch waits for the stop of the first", async () => {
    engine.think(QUESTION);
    await settle();
    engine.finishSearch();
    engine.analyse(QUESTION);
    await settle();
    assert.equal(transport.streams.length, 1);
    transport.stops[0].resolve();
    await settle();
    assert.equal(transport.streams.length, 2);
  });

  test("finishSearch without a search sends nothing", () => {
    engine.finishSearch();
    assert.equal(transport.stops.length, 0);
  });
});

describe("the connection", () => {
  test("a lost connection emits one event until it is restored", async () => {
    const events = record(engine, "connection");
    transport.answer = async () => { throw new ConnectionError("gone"); };
    await assert.rejects(engine.look(POSITION), ConnectionError);
    await assert.rejects(engine.look(POSITION), ConnectionError);
    assert.equal(engine.connected, false);
    assert.equal(events.length, 1);
    transport.answer = async () => ({ state: "open" });
    await engine.hello();
    assert.equal(engine.connected, true);
    assert.equal(events.length, 2);
  });

  test("a refused request does not mean a lost connection", async () => {
    transport.answer = async () => { throw new ConnectionError("gone"); };
    await assert.rejects(engine.hello());
    transport.answer = async () => { throw serverError("impossible"); };
    await assert.rejects(engine.look(POSITION), { message: "impossible" });
    assert.equal(engine.connected, true);
  });

  test("think reports a lost connection and is not busy", async () => {
    const answer = engine.think(QUESTION);
    await settle();
    transport.streams[0].reject(new ConnectionError("gone"));
    await assert.rejects(answer, ConnectionError);
    assert.equal(engine.connected, false);
    assert.equal(engine.busy, null);
  });

  test("a cancelled search reports no lost connection", async () => {
    const answer = engine.think(QUESTION);
    await settle();
    engine.cancel();
    transport.streams[0].reject(new ConnectionError("gone"));
    assert.equal(await answer, null);
    assert.equal(engine.connected, true);
  });
});
