import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { pack, unpack } from "../page/saved-game.js";
import { Session } from "../page/session.js";
import { openPlay } from "./play-support.js";
import { cells, loadBranched, openFacts, settle } from "./support.js";

let time;
let engine;
let session;
let settings;
let clock;
let play;
let reply;

beforeEach(async (t) => {
  ({ time, engine, session, settings, clock, play, reply } = await openPlay(t, assert.fail));
});

async function place(at) {
  time.pass(500);
  play.place(at);
  await settle();
}

/** Goes back or forward as the arrow keys do. */
async function step(count) {
  if (count < 0) session.back(-count);
  else session.forward(count);
  play.jumped();
  await settle();
}

/** The main line. */
const line = () => cells(session.game.continuation(session.game.root));

describe("ends of a game between two persons", () => {
  beforeEach(() => {
    settings.set("white", "me");
    settings.set("clock", true);
    settings.set("clockMinutes", 1);
    settings.set("clockIncrement", 0);
    play.isGame = true;
    play.begin();
  });

  /** Plays four moves and resigns at the third. */
  async function resignBefore() {
    for (const at of ["h8", "i9", "j10", "k11"]) await place(at);
    await step(-1);
    play.resign();
    await settle();
  }

  test("an end at an earlier played position is the result of the game", async () => {
    await resignBefore();
    const { game } = session;
    const [, , , j10] = game.path();
    for (const steps of [-1, 2]) {
      await step(steps);
      time.pass(70000);
      await settle();
      play.resign();
      assert.deepEqual([play.isLookingBack, clock.running, session.isOver], [true, null, false], session.node.at);
    }
    assert.deepEqual([line(), game.ended.node, game.result, game.reason], [["h8", "i9", "j10", "k11"], j10, "black", "resignation"]);
    const copy = new Session(engine, { rule: "freestyle", width: 15, height: 15 });
    copy.load(unpack(JSON.parse(JSON.stringify(pack(game)))));
    assert.deepEqual([copy.gameEnd.at, copy.game.result], ["j10", "black"]);
  });

  test("a move after an earlier end takes it back, and so does undo", async () => {
    await resignBefore();
    await step(1);
    await place("a1");
    const { game } = session;
    assert.deepEqual([line(), game.result, game.ended], [["h8", "i9", "j10", "k11", "a1"], null, null]);
    assert.equal(clock.running, session.side);
    await step(-2);
    play.resign();
    assert.equal(game.result, "black");
    play.undo();
    assert.deepEqual([game.result, game.ended], [null, null]);
  });

  test("an end during the opening keeps its moves", async () => {
    for (const at of ["h8", "i9", "j10"]) session.play(at);
    session.game.opening = 3;
    await settle();
    await place("k11");
    await step(-3);
    play.resign();
    assert.deepEqual([line(), session.game.result], [["h8", "i9", "j10", "k11"], "black"]);
  });

  test("a five of an analysis does not end the game", async () => {
    engine.facts = ({ moves }) => (moves.includes("d1") ? { ...openFacts(), state: "five", winner: "white" } : openFacts());
    for (const at of ["h8", "i9"]) await place(at);
    play.enabled = false;
    for (const at of ["a1", "b1", "c1", "d1"]) await place(at);
    assert.equal(session.isOver, true);
    session.back(4);
    await settle();
    play.enabled = true;
    play.jumped();
    assert.deepEqual([play.isLookingBack, clock.running], [false, "black"]);
    play.resign();
    assert.deepEqual([line(), session.game.result], [["h8", "i9"], "white"]);
  });
});

describe("ends of a game against the engine", () => {
  /** Takes the last two of four moves of a game back. */
  async function undoOfFour() {
    play.isGame = true;
    for (const [at, answer] of [["h8", "i9"], ["j8", "k9"]]) {
      await place(at);
      await reply(answer);
    }
    play.undo();
    await settle();
  }

  test("resign after undo ends the game there; moves that were taken back can be restored", async () => {
    await undoOfFour();
    play.resign();
    const { game } = session;
    assert.deepEqual([line(), game.result, game.reason, session.next], [["h8", "i9"], "white", "resignation", undefined]);
    session.restore();
    assert.deepEqual([line(), game.result, game.ended, session.isOver], [["h8", "i9", "j8", "k9"], null, null, false]);
  });

  test("an end removes the lines after it that were not played, and keeps earlier ones", async () => {
    play.isGame = true;
    await place("h8");
    session.keep(["c3"]);
    await reply("i9");
    play.enabled = false;
    session.keep(["g7", "f6"]);
    time.pass(1000);
    await place("e5");
    session.back();
    play.enabled = true;
    play.resign();
    const { game, node } = session;
    assert.deepEqual([game.end, game.result, game.reason], [node, "white", "resignation"]);
    assert.deepEqual(cells(node.parent.children), ["i9", "c3"]);
    session.back();
    assert.equal(play.isLookingBack, true);
    session.restore();
    assert.deepEqual([cells(node.children), game.result, game.ended], [["g7", "e5"], null, null]);
  });

  test("an end keeps a move that the engine played for the person", async () => {
    play.isGame = true;
    await place("h8");
    await reply("i9");
    play.go();
    await settle();
    engine.last.resolve({ move: "j8" });
    await settle();
    session.back();
    play.jumped();
    play.resign();
    assert.deepEqual(cells(session.node.children), ["j8"]);
  });

  test("moves that were taken back and repeated are not removed", async () => {
    await undoOfFour();
    play.redo();
    await settle();
    session.back(2);
    play.jumped();
    play.resign();
    assert.deepEqual([cells(session.node.children), session.verdict?.reason], [["j8"], "resignation"]);
  });

  test("resign in a variation of an opened game keeps the main line", async () => {
    await place("h8");
    await reply("i9");
    session.back(2);
    play.resign();
    const { game } = session;
    assert.deepEqual([cells(game.continuation(game.root)), game.result, session.verdict.winner], [["h8", "i9"], null, "white"]);
  });
});

const at = () => session.node.at;

describe("results of opened games", () => {
  test("the result returns when a move after the end is removed, and goes when it is restored", () => {
    const { game, end } = loadBranched(session);
    Object.assign(game, { result: "white", reason: "resignation" });
    session.goTo(end);
    session.play("a1");
    session.play("b1");
    session.remove(end.children[0]);
    assert.deepEqual([session.node, game.result, game.reason], [end, "white", "resignation"]);
    session.restore();
    assert.deepEqual([at(), game.result], ["a1", null]);
    session.promote(game.root.children[0].children[1]);
    session.remove();
    session.promote(end);
    assert.equal(game.result, "white");
  });

  test("a resignation that was taken back does not return", () => {
    const { game, end } = loadBranched(session);
    session.goTo(end);
    session.end("white", "resignation");
    session.reopen();
    session.play("a1");
    session.remove();
    assert.deepEqual([game.result, session.verdict], [null, null]);
  });

  test("a line that is kept after the end keeps the result, also when it is removed", () => {
    const { game, end } = loadBranched(session);
    Object.assign(game, { result: "white", reason: "resignation" });
    session.goTo(end);
    session.keep(["a1", "b1"]);
    assert.deepEqual([session.node, game.result], [end, "white"]);
    session.remove(end.children[0]);
    assert.deepEqual([game.result, game.reason], ["white", "resignation"]);
    session.reopen();
    session.end("black", "resignation");
    session.keep(["a1"]);
    session.remove(end.children[0]);
    session.restore();
    session.back();
    assert.deepEqual([session.node, game.result, session.verdict?.winner], [end, "black", "black"]);
    session.reopen();
    assert.deepEqual([game.result, session.verdict], [null, null]);
  });
});

describe("ends by a player or the clock", () => {
  test("end at the last move sets the result of the game", async () => {
    const { game, end } = loadBranched(session);
    session.goTo(end);
    await settle();
    assert.equal(session.isOver, false);
    session.end("white", "timeout");
    assert.deepEqual(session.verdict, { winner: "white", reason: "timeout" });
    assert.equal(session.isOver, true);
    assert.equal(session.mayPass, false);
    assert.deepEqual([game.result, game.reason], ["white", "timeout"]);
    assert.deepEqual(session.problem("a1"), { key: "problem.over" });
  });

  test("a position before the end is not over", async () => {
    const { end } = loadBranched(session);
    session.goTo(end);
    session.end("white", "timeout");
    session.back();
    await settle();
    assert.equal(session.verdict, null);
    assert.equal(session.isOver, false);
  });

  test("reopen at the end removes the result", () => {
    const { game, end } = loadBranched(session);
    session.goTo(end);
    session.end("white", "timeout");
    session.reopen();
    assert.deepEqual([session.verdict, game.result, game.reason], [null, null, null]);
  });

  test("reopen elsewhere keeps the result", () => {
    const { game, end, h8 } = loadBranched(session);
    session.goTo(end);
    session.end("white", "timeout");
    session.goTo(h8);
    session.reopen();
    assert.equal(game.result, "white");
    assert.equal(game.ended.node, end);
  });
});
