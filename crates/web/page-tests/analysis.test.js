import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { Analysis, cellsOutside } from "../page/analysis.js";
import { Session } from "../page/session.js";
import { FakeEngine, addressBar, record, serverError, settle, withGlobals } from "./support.js";

let engine;
let session;
let play;
let analysis;
let said;

const line = (more = {}) => ({ moves: ["h8", "i9"], score: 35, rate: 0.6, forced: null, ...more });
const found = (more = {}) => ({ lines: [line(more)], nodes: 1000, ms: 10 });

beforeEach(async (t) => {
  withGlobals(t, addressBar());
  engine = new FakeEngine();
  session = new Session(engine, { rule: "freestyle", width: 15, height: 15 });
  play = { awaitsEngine: false };
  said = [];
  const settings = { get: (name) => ({ lines: 3 })[name] };
  analysis = new Analysis({ session, engine, settings, play, notify: (text) => said.push(text) });
  session.refreshFacts();
  await settle();
});

describe("lines", () => {
  test("a shorter search of the same position keeps the longer line", async () => {
    analysis.set(true);
    engine.last.progress(found({ moves: ["h8", "i9", "j8", "g7"], forced: 9 }));
    analysis.set(false);
    analysis.set(true);
    engine.last.progress(found({ moves: ["h8"], forced: 9 }));
    assert.deepEqual(analysis.found.lines[0].moves, ["h8", "i9", "j8", "g7"]);
    engine.last.progress(found({ moves: ["h8", "h9"] }));
    assert.deepEqual(analysis.found.lines[0].moves, ["h8", "h9"], "another line");
  });

  test("a search that ends by itself is done", async () => {
    analysis.set(true);
    assert.equal(analysis.isDone, false);
    engine.last.resolve(found());
    await settle();
    assert.equal(analysis.isDone, true);
    session.play("a1");
    assert.equal(analysis.isDone, false);
  });
});

describe("region", () => {
  test("cellsOutside lists the cells around a rectangle", () => {
    assert.deepEqual(cellsOutside("b2", "c3", 3, 3), ["a3", "a2", "a1", "b1", "c1"]);
    assert.equal(cellsOutside("o15", "a1", 15, 15).length, 0);
  });

  test("two corners make a region, a third call ends it", async () => {
    analysis.set(true);
    analysis.setCorner("h8");
    analysis.setCorner("g7");
    const { avoid } = engine.last.question;
    assert.equal(avoid.length, 15 * 15 - 4);
    assert.ok(!avoid.includes("g8") && avoid.includes("a1"));
    analysis.setCorner("g7");
    assert.equal(analysis.region, null);
    assert.deepEqual(engine.last.question.avoid, []);
  });
});

describe("searching", () => {
  test("set requests the best moves of the position", () => {
    analysis.set(true);
    assert.deepEqual(engine.last.question, { position: session.game.position(), lines: 3, avoid: [] });
    engine.last.progress(found());
    assert.deepEqual(analysis.found, found());
  });

  test("set waits for the facts of the position", async () => {
    session.play("h8");
    analysis.set(true);
    assert.equal(engine.asked.length, 0);
    await settle();
    assert.equal(engine.asked.length, 1);
  });

  test("set requests nothing when the game is over", async () => {
    engine.facts = () => ({ state: "five", winner: "black", fouls: [], row: [] });
    session.play("h8");
    await settle();
    analysis.set(true);
    assert.equal(engine.asked.length, 0);
  });

  test("set requests nothing while the game waits for the engine", () => {
    play.awaitsEngine = true;
    analysis.set(true);
    assert.equal(engine.asked.length, 0);
  });

  test("a move restarts the analysis at the new position", async () => {
    analysis.set(true);
    engine.last.progress(found());
    session.play("h8");
    assert.equal(analysis.found, null);
    await settle();
    assert.equal(engine.asked.length, 2);
    assert.deepEqual(engine.last.question.position.moves, ["h8"]);
  });

  test("progress of an earlier position is discarded", async () => {
    analysis.set(true);
    const { progress } = engine.last;
    const start = session.node;
    session.play("h8");
    await settle();
    progress(found());
    assert.equal(analysis.found, null);
    assert.equal(start.evaluation, null);
  });

  test("set off ends its own search and keeps the results", () => {
    analysis.set(true);
    engine.last.progress(found());
    analysis.set(false);
    assert.deepEqual(engine.calls, ["cancel"]);
    assert.notEqual(analysis.found, null);
    analysis.clear();
    assert.equal(analysis.found, null);
  });

  test("set off does not end another search", () => {
    analysis.set(true);
    engine.think({});
    analysis.set(false);
    assert.deepEqual(engine.calls, []);
  });

  test("stop shows the results so far", async () => {
    analysis.set(true);
    analysis.stop();
    assert.deepEqual(engine.calls, ["finishSearch"]);
    engine.last.resolve(found());
    await settle();
    assert.deepEqual(analysis.found, found());
    assert.equal(analysis.isOn, false);
  });

  test("analysis continues after another search", async () => {
    analysis.set(true);
    const [first] = engine.asked;
    engine.think({});
    first.resolve(null);
    await settle();
    assert.equal(engine.asked.length, 2);
    engine.last.resolve({ move: null });
    await settle();
    assert.equal(engine.asked.length, 3);
    assert.equal(engine.last.kind, "analyse");
  });

  test("a refused request ends the analysis with a message", async () => {
    analysis.set(true);
    engine.last.reject(serverError("too many lines"));
    await settle();
    assert.equal(analysis.isOn, false);
    assert.deepEqual(said, ["too many lines"]);
  });
});

describe("threats and points to avoid", () => {
  test("showThreat analyses the opponent and stores no evaluation", () => {
    analysis.showThreat(true);
    assert.equal(engine.last.question.position.turn, "white");
    assert.equal(analysis.side, "white");
    engine.last.progress(found());
    assert.notEqual(analysis.found, null);
    assert.equal(session.node.evaluation, null);
  });

  test("a move ends showThreat", async () => {
    analysis.showThreat(true);
    session.play("h8");
    await settle();
    assert.equal(analysis.threat, false);
    assert.equal(engine.last.question.position.turn, undefined);
  });

  test("showThreat is refused while the game waits for the engine", () => {
    play.awaitsEngine = true;
    analysis.showThreat(true);
    assert.equal(analysis.threat, false);
  });

  test("toggleAvoid excludes a cell and includes it again", () => {
    analysis.set(true);
    analysis.toggleAvoid("h8");
    assert.deepEqual(engine.last.question.avoid, ["h8"]);
    engine.last.progress(found());
    assert.equal(session.node.evaluation, null);
    analysis.toggleAvoid("h8");
    assert.deepEqual(engine.last.question.avoid, []);
  });

  test("another game clears the excluded cells", () => {
    analysis.toggleAvoid("h8");
    session.load(session.game);
    assert.equal(analysis.avoid.size, 0);
  });
});

describe("evaluations of the tree", () => {
  /** The text that the tree gets for a line. */
  const noted = (more) => {
    analysis.set(true);
    engine.last.progress(found(more));
    return session.node.evaluation.text;
  };

  const cases = [
    [{}, "Tengen: score +35, win rate 60 % for black, line h8 i9"],
    [{ score: -35, rate: 0.4 }, "Tengen: score -35, win rate 40 % for black, line h8 i9"],
    [{ score: 0, rate: 0.5, moves: [] }, "Tengen: score 0, win rate 50 % for black"],
    [{ forced: 5, rate: 1 }, "Tengen: score +M5, win rate 100 % for black, line h8 i9"],
    [{ forced: -4, rate: 0 }, "Tengen: score -M4, win rate 0 % for black, line h8 i9"],
  ];
  for (const [more, text] of cases) {
    test(`progress ${JSON.stringify(more)} is stored as ${text}`, () => assert.equal(noted(more), text));
  }

  test("progress replaces its own evaluations, not one of a file", () => {
    session.node.evaluation = { text: "Tengen: score +1" };
    analysis.set(true);
    engine.last.progress(found());
    assert.equal(session.node.evaluation.text, "Tengen: score +1");
    session.node.evaluation = null;
    const events = record(session, "notes");
    for (const rate of [0.6, 0.7]) engine.last.progress(found({ rate }));
    assert.equal(session.node.evaluation.rate, 0.7);
    assert.deepEqual(events, [], "the list of moves and the stored game need no update");
  });

  test("progress without lines stores no evaluation", () => {
    analysis.set(true);
    engine.last.progress({ lines: [], nodes: 0, ms: 0 });
    assert.equal(session.node.evaluation, null);
  });
});
