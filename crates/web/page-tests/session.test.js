import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { Session } from "../page/session.js";
import {
  FakeEngine, TERMS, addMoves, addressBar, cells, deferred, newGame, openFacts, record, serverError, settle, withGlobals,
} from "./support.js";

let engine;
let session;
let bar;

beforeEach((t) => {
  bar = addressBar();
  withGlobals(t, bar);
  engine = new FakeEngine();
  session = new Session(engine, { rule: "freestyle", width: 15, height: 15 });
});

/** Loads h8 i9 j8 with the variation i8 h9 instead of i9; the board stands at the start. */
function loadBranched() {
  const game = newGame();
  const end = addMoves(game, ["h8", "i9", "j8"]);
  const [h8] = game.root.children;
  const variation = addMoves(game, ["i8", "h9"], h8);
  session.load(game);
  return { game, h8, end, variation };
}

const at = () => session.node.at;

describe("playing", () => {
  test("play, stones by turns, the colours alternate and the board follows", () => {
    for (const cell of ["h8", "i9", "j8"]) session.play(cell);
    assert.deepEqual(cells(session.game.path()), [null, "h8", "i9", "j8"]);
    assert.equal(session.side, "white");
    assert.equal(at(), "j8");
  });

  test("play, time of the move, kept with the move", () => {
    assert.equal(session.play("h8", 1234).timeMs, 1234);
    assert.equal(session.play("i9").timeMs, null);
  });

  test("play, a move that is there already, no second node and its time stays", () => {
    const first = session.play("h8", 1234);
    session.back();
    assert.equal(session.play("h8"), first);
    assert.equal(first.timeMs, 1234);
  });

  test("play, a pass, the other side is to move", () => {
    session.play(null);
    assert.equal(session.side, "white");
    assert.equal(session.board().stones.size, 0);
  });

  test("play, a stone, the tree and the position have changed and the address holds it", () => {
    const heard = record(session, "game", "tree", "position");
    session.play("h8");
    assert.deepEqual(heard, ["tree", "position"]);
    assert.match(bar.location.hash, /moves=h8$/);
  });

  test("play, at the end of a game with a result, the result is forgotten", () => {
    const { game, end } = loadBranched();
    Object.assign(game, { result: "white", reason: "resignation" });
    session.goTo(end);
    session.play("a1");
    assert.deepEqual([game.result, game.reason], [null, null]);
  });

  test("play, a variation inside a game with a result, the result stays", () => {
    const { game, h8 } = loadBranched();
    Object.assign(game, { result: "white", reason: "resignation" });
    session.goTo(h8);
    session.play("a1");
    assert.equal(game.result, "white");
    assert.equal(h8.children.length, 3);
  });

  test("keep, a line, is in the tree and the board stays", () => {
    const { game } = loadBranched();
    const heard = record(session, "tree", "position");
    const last = session.keep(["h8", "a1", "b2"]);
    assert.deepEqual(cells(game.path(last)), [null, "h8", "a1", "b2"]);
    assert.deepEqual(game.path(last).map((node) => node.color), [null, "black", "white", "black"]);
    assert.equal(session.node, game.root);
    assert.deepEqual(heard, ["tree"]);
  });
});

describe("moving through the game", () => {
  test("back and forward, in a variation, forward returns into it", () => {
    const { variation } = loadBranched();
    session.goTo(variation);
    session.back(2);
    assert.equal(at(), "h8");
    session.forward();
    assert.equal(at(), "i8");
    session.forward();
    assert.equal(session.node, variation);
  });

  test("forward, no steps back before, the main line", () => {
    const { end } = loadBranched();
    session.forward(2);
    assert.equal(at(), "i9");
    session.forward();
    assert.equal(session.node, end);
  });

  test("forward, after a jump elsewhere, the main line of that place", () => {
    const { variation, game } = loadBranched();
    session.goTo(variation);
    session.back();
    session.goTo(game.root);
    session.forward();
    assert.equal(at(), "h8");
  });

  test("toStart and toEnd, from a variation, back to its last node", () => {
    const { variation, game } = loadBranched();
    session.goTo(variation);
    session.toStart();
    assert.equal(session.node, game.root);
    session.toEnd();
    assert.equal(session.node, variation);
  });

  test("back at the start and forward at the end, nothing happens", () => {
    const { end } = loadBranched();
    const heard = record(session, "position");
    session.back();
    session.toStart();
    assert.equal(session.node, session.game.root);
    session.toEnd();
    session.forward();
    session.toEnd();
    assert.equal(session.node, end);
    assert.equal(heard.length, 1);
  });

  test("variation, next and previous, through all and not beyond", () => {
    const { h8 } = loadBranched();
    session.goTo(h8.children[0]);
    session.variation(-1);
    assert.equal(at(), "i9");
    session.variation(1);
    assert.equal(at(), "i8");
    session.variation(1);
    assert.equal(at(), "i8");
    session.variation(-1);
    assert.equal(at(), "i9");
  });

  test("variation, at the start, nothing happens", () => {
    const { game } = loadBranched();
    session.variation(1);
    session.variation(-1);
    assert.equal(session.node, game.root);
  });

  test("goTo, the same node or none, no event", () => {
    loadBranched();
    const heard = record(session, "position");
    session.goTo(session.node);
    session.goTo(null);
    session.goTo(undefined);
    assert.deepEqual(heard, []);
  });
});

describe("changing the tree", () => {
  test("remove, the node on the board, the board goes to the parent", () => {
    const { h8, game } = loadBranched();
    session.goTo(h8);
    session.remove();
    assert.equal(session.node, game.root);
    assert.deepEqual(game.root.children, []);
  });

  test("remove, after a step back into the main line, forward does not return what is removed", () => {
    const { h8 } = loadBranched();
    const [i9] = h8.children;
    session.goTo(i9);
    session.back();
    session.remove(i9);
    session.forward();
    assert.equal(at(), "i8");
  });

  test("remove, the end of a game with a result, the result goes", () => {
    const { game, end } = loadBranched();
    Object.assign(game, { result: "white", reason: "resignation" });
    session.remove(end);
    assert.deepEqual([game.result, game.reason], [null, null]);
  });

  test("remove, a variation of a game with a result, the result stays", () => {
    const { game, variation } = loadBranched();
    Object.assign(game, { result: "white", reason: "resignation" });
    session.remove(variation);
    assert.equal(game.result, "white");
  });

  test("promote, a variation that was resigned, its result becomes that of the game", () => {
    const { game, variation } = loadBranched();
    session.goTo(variation);
    session.end("black", "resignation");
    assert.equal(game.result, null);
    session.promote();
    assert.equal(game.end, variation);
    assert.deepEqual([game.result, game.reason], ["black", "resignation"]);
  });

  test("promote, a variation without a result, the game has none any more", () => {
    const { game, variation, end } = loadBranched();
    session.goTo(end);
    session.end("black", "resignation");
    session.promote(variation);
    assert.deepEqual([game.result, game.reason], [null, null]);
  });
});

describe("ends by a player or the clock", () => {
  test("end, at the last move, the game has that result and is over", async () => {
    const { game, end } = loadBranched();
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

  test("end, then a step back, the earlier position is not over", async () => {
    const { end } = loadBranched();
    session.goTo(end);
    session.end("white", "timeout");
    session.back();
    await settle();
    assert.equal(session.verdict, null);
    assert.equal(session.isOver, false);
  });

  test("reopen, at the end, no result is left", () => {
    const { game, end } = loadBranched();
    session.goTo(end);
    session.end("white", "timeout");
    session.reopen();
    assert.deepEqual([session.verdict, game.result, game.reason], [null, null, null]);
  });

  test("reopen, elsewhere, the result stays", () => {
    const { game, end, h8 } = loadBranched();
    session.goTo(end);
    session.end("white", "timeout");
    session.goTo(h8);
    session.reopen();
    assert.equal(game.result, "white");
    assert.equal(game.ended.node, end);
  });
});

describe("setting positions up", () => {
  test("edit, the empty start, stones without numbers at the root", () => {
    session.edit("h8", "black");
    session.edit("i9", "white");
    session.edit("a1", "walls");
    assert.equal(session.node, session.game.root);
    assert.deepEqual(session.game.position(), {
      rule: "freestyle", width: 15, height: 15, black: ["h8"], white: ["i9"], walls: ["a1"], side: "black", moves: [],
    });
  });

  test("edit, a cell twice, the last one counts", () => {
    session.edit("h8", "black");
    session.edit("h8", "white");
    assert.equal(session.board().stones.get("h8").color, "white");
    session.edit("h8", "walls");
    assert.equal(session.board().stones.has("h8"), false);
    assert.equal(session.board().walls.has("h8"), true);
    session.edit("h8", "clear");
    assert.equal(session.board().walls.has("h8"), false);
  });

  test("edit, after moves, a node of its own that replaces and clears stones", () => {
    session.play("h8");
    session.play("i9");
    const played = session.node;
    session.edit("h8", "clear");
    session.edit("i9", "black");
    session.edit("c3", "walls");
    assert.equal(session.node.parent, played);
    const { stones, walls } = session.board();
    assert.deepEqual([...stones].map(([cell, { color }]) => [cell, color]), [["i9", "black"]]);
    assert.deepEqual([...walls], ["c3"]);
    assert.equal(session.game.board(played).stones.size, 2);
  });

  for (const [first, second] of [["walls", "black"], ["black", "walls"], ["walls", "walls"], ["walls", "clear"]]) {
    test(`edit, ${second} on ${first} of the position before, stands there alone`, () => {
      session.edit("h8", first);
      session.play("a1");
      session.edit("h8", second);
      const { stones, walls } = session.board();
      assert.equal(stones.has("h8"), second === "black");
      assert.equal(walls.has("h8"), second === "walls");
    });
  }

  test("edit, a position with moves after it, a variation and the moves stay", () => {
    session.play("h8");
    session.back();
    session.edit("c3", "black");
    assert.deepEqual(session.game.root.children.map((node) => node.at), ["h8", null]);
    assert.deepEqual([...session.board().stones.keys()], ["c3"]);
  });

  test("setSide, after a move, the same side moves again", () => {
    session.play("h8");
    session.setSide("black");
    assert.equal(session.side, "black");
    session.play("i9");
    assert.equal(session.node.color, "black");
  });

  test("edit, at the end of a game with a result, the result is forgotten", () => {
    const { game, end } = loadBranched();
    Object.assign(game, { result: "white", reason: "resignation" });
    session.goTo(end);
    session.edit("a1", "walls");
    assert.equal(game.result, null);
  });

  test("edit, a known position, facts and evaluation are dropped", async () => {
    session.edit("h8", "black");
    await settle();
    session.node.evaluation = { text: "Tengen: score +1" };
    assert.notEqual(session.facts, null);
    session.edit("i9", "white");
    assert.deepEqual([session.facts, session.node.evaluation], [null, null]);
  });
});

describe("facts of the server", () => {
  test("play, the server answers, facts of that position arrive once", async () => {
    const heard = record(session, "facts");
    session.play("h8");
    assert.equal(session.facts, null);
    await settle();
    assert.equal(session.facts.state, "open");
    assert.deepEqual(heard, ["facts"]);
    assert.deepEqual(engine.looked, [session.game.position()]);
  });

  test("back, to a known position, the server is not asked again", async () => {
    session.play("h8");
    await settle();
    session.play("i9");
    await settle();
    const heard = record(session, "facts");
    session.back();
    await settle();
    assert.equal(engine.looked.length, 2);
    assert.deepEqual(heard, ["facts"]);
  });

  test("look, an answer after the board has moved on, kept with its node and not announced", async () => {
    const answers = [];
    engine.facts = () => {
      const answer = deferred();
      answers.push(answer);
      return answer.promise;
    };
    const first = session.play("h8");
    session.play("i9");
    const heard = record(session, "facts");
    answers[0].resolve(openFacts("white"));
    await settle();
    assert.equal(first.facts.side, "white");
    assert.equal(session.facts, null);
    assert.deepEqual(heard, []);
  });

  test("look, an answer after the position was edited, dropped", async () => {
    const answers = [];
    engine.facts = () => {
      const answer = deferred();
      answers.push(answer);
      return answer.promise;
    };
    session.edit("h8", "black");
    session.edit("i9", "white");
    answers[0].resolve(openFacts("black"));
    await settle();
    assert.equal(session.facts, null);
    answers[1].resolve(openFacts("white"));
    await settle();
    assert.equal(session.facts.side, "white");
  });

  test("look, the server refuses the position, it is impossible and says why", async () => {
    engine.facts = () => serverError("two fives");
    session.play("h8");
    await settle();
    assert.equal(session.facts.state, "impossible");
    assert.equal(session.facts.reason, "two fives");
    assert.equal(session.isOver, true);
  });

  test("refreshFacts, the connection was lost, the server is asked again", async () => {
    engine.facts = () => new Error("lost");
    session.play("h8");
    await settle();
    assert.equal(session.facts, null);
    engine.facts = () => openFacts();
    session.refreshFacts();
    await settle();
    assert.equal(session.facts.state, "open");
    session.refreshFacts();
    await settle();
    assert.equal(engine.looked.length, 2);
  });
});

describe("problem", () => {
  test("problem, a free cell, null; a stone, a wall or a cell off the board, why", async () => {
    session.edit("a1", "walls");
    session.play("h8");
    await settle();
    assert.equal(session.problem("i9"), null);
    assert.deepEqual(session.problem("h8"), { key: "problem.occupied" });
    assert.deepEqual(session.problem("a1"), { key: "problem.occupied" });
    assert.deepEqual(session.problem("z1"), { key: "problem.off-board" });
  });

  test("problem, a forbidden point, the foul for black and nothing for white", async () => {
    const foul = { at: "h8", kind: "double-three", parts: [] };
    engine.facts = ({ moves }) => ({ ...openFacts(), fouls: [foul], moves });
    session.refreshFacts();
    await settle();
    assert.deepEqual(session.problem("h8"), { key: "foul.double-three", foul });
    session.play("a1");
    await settle();
    assert.equal(session.problem("h8"), null);
  });

  test("problem, the game is over, no cell is possible", async () => {
    engine.facts = () => ({ ...openFacts(), state: "five", winner: "black" });
    session.play("h8");
    await settle();
    assert.deepEqual(session.problem("a1"), { key: "problem.over" });
    assert.equal(session.mayPass, false);
  });

  test("mayPass, black has fouls only, true although nothing else is possible", async () => {
    engine.facts = () => ({ ...openFacts(), state: "only-fouls" });
    session.refreshFacts();
    await settle();
    assert.equal(session.isOver, true);
    assert.equal(session.mayPass, true);
  });
});

describe("loading", () => {
  test("load, a game at a node, events and the board there", () => {
    const heard = record(session, "game", "position");
    const game = newGame({ rule: "renju" });
    const node = addMoves(game, ["h8", "i9"]);
    session.load(game, node);
    assert.deepEqual(heard, ["game", "position"]);
    assert.equal(session.node, node);
    assert.equal(bar.location.hash, "#rule=renju&size=15x15&moves=h8i9");
  });

  test("load, after steps back in another game, forward follows the new game", () => {
    session.play("h8");
    session.back();
    const game = newGame();
    addMoves(game, ["a1"]);
    session.load(game);
    session.forward();
    assert.equal(at(), "a1");
  });

  test("load and fromAddress, a game that was left, the next visit shows its position", () => {
    for (const cell of ["h8", "i9", null]) session.play(cell);
    const position = session.game.position();
    const restored = Session.fromAddress(TERMS);
    assert.deepEqual(restored.position(), position);
  });

  test("fromAddress, a damaged address, null", () => {
    bar.location.hash = "#rule=%E0%A4%A";
    assert.equal(Session.fromAddress(TERMS), null);
  });
});
