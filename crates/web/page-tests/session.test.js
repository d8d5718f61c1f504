import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { readAddress } from "../page/address.js";
import { Session } from "../page/session.js";
import {
  FakeEngine, TERMS, addMoves, addressBar, cells, deferred, loadBranched, newGame, openFacts, record, serverError, settle, withGlobals,
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

const at = () => session.node.at;

describe("what was lost", () => {
  test("restore brings back the replaced game at its position", () => {
    const { game, end } = loadBranched(session);
    session.goTo(end);
    const events = record(session, "lost");
    session.load(newGame());
    assert.deepEqual(events, ["lost"]);
    assert.equal(session.lost, game);
    assert.equal(session.restore(), true);
    assert.equal(session.game, game);
    assert.equal(session.node, end);
  });

  test("an empty game is not offered", () => {
    const events = record(session, "lost");
    session.load(newGame());
    assert.deepEqual(events, []);
    assert.equal(session.restore(), false);
  });

  test("restore brings back removed moves at their place", () => {
    const { game, h8 } = loadBranched(session);
    session.goTo(h8);
    session.remove();
    assert.equal(game.root.children.length, 0);
    assert.equal(session.lost, game);
    session.restore();
    assert.equal(session.lost, null);
    assert.equal(session.node, h8);
    assert.deepEqual(cells(h8.children), ["i9", "i8"]);
  });
});

describe("marks", () => {
  test("mark sets, replaces and removes a mark", () => {
    const events = record(session, "notes");
    session.mark("h8", "circle");
    session.mark("h8", "square");
    assert.deepEqual(session.node.marks, [{ at: "h8", sign: "square" }]);
    session.mark("h8", "square");
    assert.deepEqual(session.node.marks, []);
    assert.equal(events.length, 3);
  });

  test("mark uses the next free letter", () => {
    session.mark("a1", "letter");
    session.mark("b1", "letter");
    session.mark("a1", "letter");
    session.mark("c1", "letter");
    assert.deepEqual(session.node.marks, [{ at: "b1", text: "B" }, { at: "c1", text: "A" }]);
  });
});

describe("arrows and lines", () => {
  test("connect draws, turns and removes an arrow", () => {
    session.connect("h8", "j10", "arrow");
    assert.deepEqual(session.node.marks, [{ at: "h8", to: "j10", sign: "arrow" }]);
    session.connect("j10", "h8", "arrow");
    assert.deepEqual(session.node.marks, [{ at: "j10", to: "h8", sign: "arrow" }]);
    session.connect("j10", "h8", "arrow");
    assert.deepEqual(session.node.marks, []);
  });

  test("a line is the same from both ends, and replaces an arrow", () => {
    session.connect("h8", "j10", "arrow");
    session.connect("h8", "j10", "line");
    assert.deepEqual(session.node.marks, [{ at: "h8", to: "j10", sign: "line" }]);
    session.connect("j10", "h8", "line");
    assert.deepEqual(session.node.marks, []);
  });

  test("a mark at the start of an arrow does not replace it", () => {
    session.connect("h8", "j10", "arrow");
    session.mark("h8", "circle");
    assert.equal(session.node.marks.length, 2);
    session.clearMarks();
    assert.deepEqual(session.node.marks, []);
  });
});

describe("changes by hand", () => {
  test("undoEdit and redoEdit go back and forth through marks", () => {
    session.mark("a1", "circle");
    session.connect("h8", "j10", "arrow");
    assert.equal(session.undoEdit(), true);
    assert.deepEqual(session.node.marks, [{ at: "a1", sign: "circle" }]);
    session.undoEdit();
    assert.deepEqual(session.node.marks, []);
    assert.equal(session.undoEdit(), false);
    assert.equal(session.redoEdit(), true);
    session.redoEdit();
    assert.equal(session.node.marks.length, 2);
    assert.equal(session.redoEdit(), false);
    session.undoEdit();
    session.mark("b1", "cross");
    assert.equal(session.redoEdit(), false, "another change followed");
  });

  test("undoEdit takes back set-up stones, and the node that was made for them", async () => {
    session.play("h8");
    const move = session.node;
    session.edit("c3", "white");
    session.edit("d4", "black");
    session.setSide("black");
    const set = session.node;
    session.undoEdit();
    assert.equal(session.side, "white");
    session.undoEdit();
    assert.deepEqual([...session.board().stones.keys()], ["h8", "c3"]);
    session.undoEdit();
    assert.equal(session.node, move);
    assert.deepEqual(move.children, []);
    session.redoEdit();
    session.redoEdit();
    assert.equal(session.node, set);
    assert.deepEqual([...session.board().stones.keys()].sort(), ["c3", "d4", "h8"]);
    await settle();
  });

  test("undoEdit changes no other position, and no stones before later moves", () => {
    session.edit("c3", "white");
    const set = session.node;
    session.play("h8");
    assert.equal(session.undoEdit(), false);
    session.goTo(set);
    assert.equal(session.undoEdit(), false, "h8 was played after it");
    session.load(newGame());
    assert.equal(session.undoEdit(), false);
  });
});

describe("playing", () => {
  test("play alternates colours", () => {
    for (const cell of ["h8", "i9", "j8"]) session.play(cell);
    assert.deepEqual(cells(session.game.path()), [null, "h8", "i9", "j8"]);
    assert.equal(session.side, "white");
    assert.equal(at(), "j8");
  });

  test("play stores the time of the move", () => {
    assert.equal(session.play("h8", 1234).timeMs, 1234);
    assert.equal(session.play("i9").timeMs, null);
  });

  test("play reuses an existing node and keeps its time", () => {
    const first = session.play("h8", 1234);
    session.back();
    assert.equal(session.play("h8"), first);
    assert.equal(first.timeMs, 1234);
  });

  test("a pass changes the side to move", () => {
    session.play(null);
    assert.equal(session.side, "white");
    assert.equal(session.board().stones.size, 0);
  });

  test("play emits events and updates the address", () => {
    const events = record(session, "game", "tree", "position");
    session.play("h8");
    assert.deepEqual(events, ["tree", "position"]);
    assert.match(bar.location.hash, /moves=h8$/);
  });

  test("play after the end of a game removes its result", () => {
    const { game, end } = loadBranched(session);
    Object.assign(game, { result: "white", reason: "resignation" });
    session.goTo(end);
    session.play("a1");
    assert.deepEqual([game.result, game.reason], [null, null]);
  });

  test("play of a variation keeps the result of the game", () => {
    const { game, h8 } = loadBranched(session);
    Object.assign(game, { result: "white", reason: "resignation" });
    session.goTo(h8);
    session.play("a1");
    assert.equal(game.result, "white");
    assert.equal(h8.children.length, 3);
  });

  test("keep adds a line and stays at the position", () => {
    const { game } = loadBranched(session);
    const events = record(session, "tree", "position");
    const last = session.keep(["h8", "a1", "b2"]);
    assert.deepEqual(cells(game.path(last)), [null, "h8", "a1", "b2"]);
    assert.deepEqual(game.path(last).map((node) => node.color), [null, "black", "white", "black"]);
    assert.equal(session.node, game.root);
    assert.deepEqual(events, ["tree"]);
  });
});

describe("moving through the game", () => {
  test("forward returns to the variation after back", () => {
    const { variation } = loadBranched(session);
    session.goTo(variation);
    session.back(2);
    assert.equal(at(), "h8");
    session.forward();
    assert.equal(at(), "i8");
    session.forward();
    assert.equal(session.node, variation);
  });

  test("forward follows the main line by default", () => {
    const { end } = loadBranched(session);
    session.forward(2);
    assert.equal(at(), "i9");
    session.forward();
    assert.equal(session.node, end);
  });

  test("forward after a jump follows the main line from there", () => {
    const { variation, game } = loadBranched(session);
    session.goTo(variation);
    session.back();
    session.goTo(game.root);
    session.forward();
    assert.equal(at(), "h8");
  });

  test("toEnd after toStart returns to the end of the variation", () => {
    const { variation, game } = loadBranched(session);
    session.goTo(variation);
    session.toStart();
    assert.equal(session.node, game.root);
    session.toEnd();
    assert.equal(session.node, variation);
  });

  test("back at the start and forward at the end have no effect", () => {
    const { end } = loadBranched(session);
    const events = record(session, "position");
    session.back();
    session.toStart();
    assert.equal(session.node, session.game.root);
    session.toEnd();
    session.forward();
    session.toEnd();
    assert.equal(session.node, end);
    assert.equal(events.length, 1);
  });

  test("variation steps through all variations, not beyond", () => {
    const { h8 } = loadBranched(session);
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

  test("variation at the start has no effect", () => {
    const { game } = loadBranched(session);
    session.variation(1);
    session.variation(-1);
    assert.equal(session.node, game.root);
  });

  test("goTo the same node or none emits no event", () => {
    loadBranched(session);
    const events = record(session, "position");
    session.goTo(session.node);
    session.goTo(null);
    session.goTo(undefined);
    assert.deepEqual(events, []);
  });
});

describe("changing the tree", () => {
  test("remove of the current node goes to its parent", () => {
    const { h8, game } = loadBranched(session);
    session.goTo(h8);
    session.remove();
    assert.equal(session.node, game.root);
    assert.deepEqual(game.root.children, []);
  });

  test("forward does not return to a removed node", () => {
    const { h8 } = loadBranched(session);
    const [i9] = h8.children;
    session.goTo(i9);
    session.back();
    session.remove(i9);
    session.forward();
    assert.equal(at(), "i8");
  });

  test("remove of the last move removes the result", () => {
    const { game, end } = loadBranched(session);
    Object.assign(game, { result: "white", reason: "resignation" });
    session.remove(end);
    assert.deepEqual([game.result, game.reason], [null, null]);
  });

  test("remove of a variation keeps the result", () => {
    const { game, variation } = loadBranched(session);
    Object.assign(game, { result: "white", reason: "resignation" });
    session.remove(variation);
    assert.equal(game.result, "white");
  });

  test("promote of a resigned variation sets the result of the game", () => {
    const { game, variation } = loadBranched(session);
    session.goTo(variation);
    session.end("black", "resignation");
    assert.equal(game.result, null);
    session.promote();
    assert.equal(game.end, variation);
    assert.deepEqual([game.result, game.reason], ["black", "resignation"]);
  });

  test("promote of a variation without a result removes the result", () => {
    const { game, variation, end } = loadBranched(session);
    session.goTo(end);
    session.end("black", "resignation");
    session.promote(variation);
    assert.deepEqual([game.result, game.reason], [null, null]);
  });
});

describe("setting positions up", () => {
  test("edit at the start sets up stones without numbers at the root", () => {
    session.edit("h8", "black");
    session.edit("i9", "white");
    session.edit("a1", "walls");
    assert.equal(session.node, session.game.root);
    assert.deepEqual(session.game.position(), {
      rule: "freestyle", width: 15, height: 15, black: ["h8"], white: ["i9"], walls: ["a1"], side: "black", moves: [],
    });
  });

  test("a second edit of a cell replaces the first", () => {
    session.edit("h8", "black");
    session.edit("h8", "white");
    assert.equal(session.board().stones.get("h8").color, "white");
    session.edit("h8", "walls");
    assert.equal(session.board().stones.has("h8"), false);
    assert.equal(session.board().walls.has("h8"), true);
    session.edit("h8", "clear");
    assert.equal(session.board().walls.has("h8"), false);
  });

  test("edit after moves adds a node that replaces and clears stones", () => {
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
    test(`edit replaces ${first} by ${second}`, () => {
      session.edit("h8", first);
      session.play("a1");
      session.edit("h8", second);
      const { stones, walls } = session.board();
      assert.equal(stones.has("h8"), second === "black");
      assert.equal(walls.has("h8"), second === "walls");
    });
  }

  test("edit before later moves adds a variation", () => {
    session.play("h8");
    session.back();
    session.edit("c3", "black");
    assert.deepEqual(session.game.root.children.map((node) => node.at), ["h8", null]);
    assert.deepEqual([...session.board().stones.keys()], ["c3"]);
  });

  test("setSide after a move gives the same side another move", () => {
    session.play("h8");
    session.setSide("black");
    assert.equal(session.side, "black");
    session.play("i9");
    assert.equal(session.node.color, "black");
  });

  test("edit at the end of a game removes its result", () => {
    const { game, end } = loadBranched(session);
    Object.assign(game, { result: "white", reason: "resignation" });
    session.goTo(end);
    session.edit("a1", "walls");
    assert.equal(game.result, null);
  });

  test("edit drops facts and evaluation", async () => {
    session.edit("h8", "black");
    await settle();
    session.node.evaluation = { text: "Tengen: score +1" };
    assert.notEqual(session.facts, null);
    session.edit("i9", "white");
    assert.deepEqual([session.facts, session.node.evaluation], [null, null]);
  });
});

describe("facts of the server", () => {
  test("facts of a new position arrive once", async () => {
    const events = record(session, "facts");
    session.play("h8");
    assert.equal(session.facts, null);
    await settle();
    assert.equal(session.facts.state, "open");
    assert.deepEqual(events, ["facts"]);
    assert.deepEqual(engine.looked, [session.game.position()]);
  });

  test("facts of a known position are not requested again", async () => {
    session.play("h8");
    await settle();
    session.play("i9");
    await settle();
    const events = record(session, "facts");
    session.back();
    await settle();
    assert.equal(engine.looked.length, 2);
    assert.deepEqual(events, ["facts"]);
  });

  test("late facts are stored with their node, without an event", async () => {
    const answers = [];
    engine.facts = () => {
      const answer = deferred();
      answers.push(answer);
      return answer.promise;
    };
    const first = session.play("h8");
    session.play("i9");
    const events = record(session, "facts");
    const facts = openFacts();
    answers[0].resolve(facts);
    await settle();
    assert.equal(first.facts, facts);
    assert.equal(session.facts, null);
    assert.deepEqual(events, []);
  });

  test("facts of an edited position are dropped", async () => {
    const answers = [];
    engine.facts = () => {
      const answer = deferred();
      answers.push(answer);
      return answer.promise;
    };
    session.edit("h8", "black");
    session.edit("i9", "white");
    answers[0].resolve(openFacts());
    await settle();
    assert.equal(session.facts, null);
    const facts = openFacts();
    answers[1].resolve(facts);
    await settle();
    assert.equal(session.facts, facts);
  });

  test("a refused position is impossible, with a reason", async () => {
    engine.facts = () => serverError("two fives");
    session.play("h8");
    await settle();
    assert.equal(session.facts.state, "impossible");
    assert.equal(session.facts.reason, "two fives");
    assert.equal(session.isOver, true);
  });

  const temporary = { "a lost connection": new Error("lost"), "a temporary refusal": Object.assign(serverError("locked"), { isTemporary: true }) };
  for (const [name, error] of Object.entries(temporary)) {
    test(`refreshFacts repeats the request after ${name}`, async () => {
      engine.facts = () => error;
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
  }
});

describe("problem", () => {
  test("problem names stones, walls and cells off the board", async () => {
    session.edit("a1", "walls");
    session.play("h8");
    await settle();
    assert.equal(session.problem("i9"), null);
    assert.deepEqual(session.problem("h8"), { key: "problem.occupied" });
    assert.deepEqual(session.problem("a1"), { key: "problem.occupied" });
    assert.deepEqual(session.problem("z1"), { key: "problem.off-board" });
  });

  test("problem names a foul of black, not of white", async () => {
    const foul = { at: "h8", kind: "double-three", parts: [] };
    engine.facts = ({ moves }) => ({ ...openFacts(), fouls: [foul], moves });
    session.refreshFacts();
    await settle();
    assert.deepEqual(session.problem("h8"), { key: "foul.double-three", foul });
    session.play("a1");
    await settle();
    assert.equal(session.problem("h8"), null);
  });

  test("problem refuses all cells when the game is over", async () => {
    engine.facts = () => ({ ...openFacts(), state: "five", winner: "black" });
    session.play("h8");
    await settle();
    assert.deepEqual(session.problem("a1"), { key: "problem.over" });
    assert.equal(session.mayPass, false);
  });

  test("mayPass is true if black has only fouls", async () => {
    engine.facts = () => ({ ...openFacts(), state: "only-fouls" });
    session.refreshFacts();
    await settle();
    assert.equal(session.isOver, true);
    assert.equal(session.mayPass, true);
  });
});

describe("loading", () => {
  test("load shows a game at a node", () => {
    const events = record(session, "game", "position");
    const game = newGame({ rule: "renju" });
    const node = addMoves(game, ["h8", "i9"]);
    session.load(game, node);
    assert.deepEqual(events, ["game", "position"]);
    assert.equal(session.node, node);
    assert.equal(bar.location.hash, "#rule=renju&size=15x15&moves=h8i9");
  });

  test("load clears the steps of the last game", () => {
    session.play("h8");
    session.back();
    const game = newGame();
    addMoves(game, ["a1"]);
    session.load(game);
    session.forward();
    assert.equal(at(), "a1");
  });

  test("the address restores the last position", () => {
    for (const cell of ["h8", "i9", null]) session.play(cell);
    const position = session.game.position();
    const restored = readAddress(bar.location.hash, TERMS);
    assert.deepEqual(restored.position(), position);
  });
});
