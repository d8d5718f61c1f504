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

  stream(path, question, news, signal) {
    const it = { path, question, news, signal, ...deferred() };
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
  test("think, an answer, busy until it comes", async () => {
    const answer = engine.think({ ...QUESTION, player: "level:club" });
    assert.equal(engine.busy, "think");
    await settle();
    transport.streams[0].resolve({ move: "7,7", state: "open", stopped: false });
    assert.deepEqual(await answer, { move: "h8" });
    assert.equal(engine.busy, null);
  });

  test("analyse, while another search runs, ends that one with null and stays busy", async () => {
    const first = engine.think(QUESTION);
    await settle();
    const second = engine.analyse(QUESTION);
    assert.equal(await first, null);
    assert.equal(transport.streams[0].signal.aborted, true);
    assert.equal(engine.busy, "analyse");
    transport.streams[1].resolve({ lines: [] });
    assert.deepEqual(await second, { lines: [] });
  });

  test("analyse, news of a search that was replaced, not heard", async () => {
    const heard = [];
    const news = (nodes) => ({ lines: [], nodes, ms: 1 });
    engine.analyse(QUESTION, (it) => heard.push(it.nodes));
    await settle();
    transport.streams[0].news(news(1));
    engine.analyse(QUESTION, (it) => heard.push(it.nodes));
    await settle();
    transport.streams[0].news(news(2));
    transport.streams[1].news(news(3));
    assert.deepEqual(heard, [1, 3]);
  });

  test("cancel, a search runs, null and nothing is busy", async () => {
    const answer = engine.review({});
    await settle();
    const busy = record(engine, "busy");
    engine.cancel();
    assert.equal(engine.busy, null);
    assert.equal(await answer, null);
    assert.deepEqual(busy, ["busy"]);
  });

  test("cancel, nothing runs, no event", () => {
    const busy = record(engine, "busy");
    engine.cancel();
    assert.deepEqual(busy, []);
  });

  test("solve, refused, the serverError and nothing is busy", async () => {
    const answer = engine.solve({});
    await settle();
    transport.streams[0].reject(serverError("no such question"));
    await assert.rejects(answer, { message: "no such question" });
    assert.equal(engine.busy, null);
    assert.equal(engine.connected, true);
  });

  test("hurry, then another search, it waits until the server has stopped the first", async () => {
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

  test("hurry, nothing runs, the server is not told", () => {
    engine.finishSearch();
    assert.equal(transport.stops.length, 0);
  });
});

describe("the connection", () => {
  test("look, nobody answers, one event until somebody answers again", async () => {
    const heard = record(engine, "connection");
    transport.answer = async () => { throw new ConnectionError("gone"); };
    await assert.rejects(engine.look(POSITION), ConnectionError);
    await assert.rejects(engine.look(POSITION), ConnectionError);
    assert.equal(engine.connected, false);
    assert.equal(heard.length, 1);
    transport.answer = async () => ({ state: "open" });
    await engine.hello();
    assert.equal(engine.connected, true);
    assert.equal(heard.length, 2);
  });

  test("look, refused, the server is there", async () => {
    transport.answer = async () => { throw new ConnectionError("gone"); };
    await assert.rejects(engine.hello());
    transport.answer = async () => { throw serverError("impossible"); };
    await assert.rejects(engine.look(POSITION), { message: "impossible" });
    assert.equal(engine.connected, true);
  });

  test("think, the connection breaks off, disconnected and nothing is busy", async () => {
    const answer = engine.think(QUESTION);
    await settle();
    transport.streams[0].reject(new ConnectionError("gone"));
    await assert.rejects(answer, ConnectionError);
    assert.equal(engine.connected, false);
    assert.equal(engine.busy, null);
  });

  test("cancel, then the connection breaks off, nobody is told", async () => {
    const answer = engine.think(QUESTION);
    await settle();
    engine.cancel();
    transport.streams[0].reject(new ConnectionError("gone"));
    assert.equal(await answer, null);
    assert.equal(engine.connected, true);
  });
});
