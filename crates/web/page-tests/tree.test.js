import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Game, other } from "../page/tree.js";
import { addMoves, branchedGame, cells, newGame } from "./support.js";

test("other returns the other colour", () => {
  assert.deepEqual([other("black"), other("white")], ["white", "black"]);
});

describe("adding moves", () => {
  test("childBy adds a child for a new move", () => {
    const game = newGame();
    const node = game.childBy(game.root, "black", "h8");
    assert.equal(node.parent, game.root);
    assert.equal(node.depth, 1);
    assert.deepEqual(game.root.children, [node]);
  });

  test("childBy returns the node of an existing move", () => {
    const game = newGame();
    const first = game.childBy(game.root, "black", "h8");
    assert.equal(game.childBy(game.root, "black", "h8"), first);
    assert.equal(game.root.children.length, 1);
  });

  test("childBy adds a variation for the other colour", () => {
    const game = newGame();
    const black = game.childBy(game.root, "black", "h8");
    const white = game.childBy(game.root, "white", "h8");
    assert.notEqual(white, black);
    assert.equal(game.root.children.length, 2);
  });

  test("childBy returns the node of an existing pass", () => {
    const game = newGame();
    const pass = game.childBy(game.root, "black", null);
    assert.equal(game.childBy(game.root, "black", null), pass);
  });

  test("childBy adds a path for moves in another order", () => {
    const game = newGame();
    const one = addMoves(game, ["h8", "a1", "i9"]);
    const two = addMoves(game, ["i9", "a1", "h8"]);
    assert.notEqual(one, two);
    assert.equal(game.root.children.length, 2);
    const stones = (node) => [...game.board(node).stones].map(([at, { color }]) => `${color} ${at}`).sort();
    assert.deepEqual(stones(one), stones(two));
    assert.equal(game.board(one).stones.get("h8").number, 1);
    assert.equal(game.board(two).stones.get("h8").number, 3);
  });
});

describe("walking", () => {
  test("path leads from the start to a node of a variation", () => {
    const { game, variation } = branchedGame();
    assert.deepEqual(cells(game.path(variation)), [null, "h8", "i8", "h9"]);
  });

  test("path leads to the current node by default", () => {
    const { game, h8 } = branchedGame();
    game.node = h8;
    assert.deepEqual(game.path(), [game.root, h8]);
  });

  test("continuation follows the first children", () => {
    const { game, h8 } = branchedGame();
    assert.deepEqual(cells(game.continuation(h8)), ["i9", "j8"]);
  });

  test("continuation is empty at the last node", () => {
    const { game, end } = branchedGame();
    assert.deepEqual(game.continuation(end), []);
  });

  test("end is the last node of the main line", () => {
    const { game, end } = branchedGame();
    assert.equal(game.end, end);
  });

  test("nodes yields parents first and the main line before variations", () => {
    const { game } = branchedGame();
    assert.deepEqual(cells([...game.nodes()]), [null, "h8", "i9", "j8", "i8", "h9"]);
  });

  test("nodes has no limit of depth", () => {
    const game = newGame();
    let node = game.root;
    for (let i = 0; i < 20000; i++) node = game.childBy(node, i % 2 === 0 ? "black" : "white", null);
    assert.equal([...game.nodes()].length, 20001);
    assert.equal(game.end, node);
    assert.equal(game.path(node).length, 20001);
  });
});

describe("removing", () => {
  test("remove of a main-line move makes the variation the main line", () => {
    const { game, h8, variation } = branchedGame();
    game.remove(h8.children[0]);
    assert.deepEqual(cells([...game.nodes()]), [null, "h8", "i8", "h9"]);
    assert.equal(game.end, variation);
  });

  test("remove of an ancestor goes to its parent", () => {
    const { game, h8, end } = branchedGame();
    game.node = end;
    game.remove(h8);
    assert.equal(game.node, game.root);
    assert.deepEqual(game.root.children, []);
  });

  test("remove elsewhere keeps the current node", () => {
    const { game, end, variation } = branchedGame();
    game.node = end;
    game.remove(variation);
    assert.equal(game.node, end);
  });

  test("remove of the root has no effect", () => {
    const { game } = branchedGame();
    game.remove(game.root);
    assert.equal([...game.nodes()].length, 6);
  });
});

describe("promoting", () => {
  test("promote makes a variation the main line and keeps the old one", () => {
    const { game, h8, end, variation } = branchedGame();
    game.promote(variation);
    assert.equal(game.end, variation);
    assert.deepEqual(cells(h8.children), ["i8", "i9"]);
    assert.deepEqual(cells(game.path(end)), [null, "h8", "i9", "j8"]);
  });

  test("promote moves all ancestors of a nested variation first", () => {
    const { game, variation } = branchedGame();
    const deep = addMoves(game, ["k9"], variation.parent);
    game.promote(deep);
    assert.equal(game.end, deep);
    assert.deepEqual(cells(game.continuation(game.root)), ["h8", "i8", "k9"]);
  });

  test("promote keeps the order of the other variations", () => {
    const game = newGame();
    for (const at of ["a1", "b1", "c1"]) addMoves(game, [at]);
    game.promote(game.root.children[2]);
    assert.deepEqual(cells(game.root.children), ["c1", "a1", "b1"]);
  });

  test("promote of the main line or the root has no effect", () => {
    const { game, end } = branchedGame();
    game.promote(end);
    game.promote(game.root);
    assert.deepEqual(cells([...game.nodes()]), [null, "h8", "i9", "j8", "i8", "h9"]);
  });
});

describe("the board", () => {
  test("board has numbered stones and the side to move", () => {
    const game = newGame();
    const node = addMoves(game, ["h8", "i9", "j8"]);
    const { stones, side, moves } = game.board(node);
    assert.deepEqual([...stones].map(([at, { color, number }]) => [at, color, number]), [
      ["h8", "black", 1], ["i9", "white", 2], ["j8", "black", 3],
    ]);
    assert.equal(side, "white");
    assert.equal(moves, 3);
  });

  test("a pass changes the turn but not the numbers", () => {
    const game = newGame();
    const node = addMoves(game, ["h8", null, "j8"]);
    const { stones, side } = game.board(node);
    assert.deepEqual([...stones.keys()], ["h8", "j8"]);
    assert.equal(stones.get("j8").color, "black");
    assert.equal(stones.get("j8").number, 2);
    assert.equal(side, "white");
  });

  test("board of an earlier node has no later stones", () => {
    const { game, h8 } = branchedGame();
    assert.deepEqual([...game.board(h8).stones.keys()], ["h8"]);
  });

  test("board derives the side to move from the number of set-up stones", () => {
    const game = newGame();
    game.root.setUp = { black: ["h8"], white: [], side: null };
    assert.equal(game.board().side, "white");
    game.root.setUp.white.push("i9");
    assert.equal(game.board().side, "black");
  });

  test("board derives the side to move from the first move", () => {
    const game = newGame();
    game.root.setUp = { black: ["h8"], white: [], side: null };
    game.childBy(game.root, "black", "a1");
    assert.equal(game.board(game.root).side, "black");
  });

  test("a set-up replaces, clears and walls cells", () => {
    const game = newGame();
    const node = addMoves(game, ["h8", "i9"]);
    const setUp = game.setUpAfter(node);
    assert.equal(setUp.setUp.side, "black");
    Object.assign(setUp.setUp, { clear: ["i9"], white: ["h8"], walls: ["a1"], side: "white" });
    const { stones, walls, side } = game.board(setUp);
    assert.deepEqual([...stones].map(([at, { color, number }]) => [at, color, number]), [["h8", "white", 0]]);
    assert.deepEqual([...walls], ["a1"]);
    assert.equal(side, "white");
  });

  test("clear removes a wall", () => {
    const game = newGame();
    game.root.setUp = { walls: ["a1"], side: "black" };
    const setUp = game.setUpAfter(game.root);
    setUp.setUp.clear.push("a1");
    assert.equal(game.board(setUp).walls.size, 0);
  });

  test("firstMover is the colour of the first stone after a set-up", () => {
    const game = newGame();
    const setUp = game.setUpAfter(game.root);
    game.childBy(setUp, "white", "h8");
    assert.equal(game.firstMover(), "white");
  });

  test("firstMover is undefined without moves", () => {
    assert.equal(newGame().firstMover(), undefined);
  });
});

describe("positions for the server", () => {
  test("position lists the cells of alternating moves", () => {
    const game = newGame({ rule: "renju" });
    const node = addMoves(game, ["h8", "i9"]);
    assert.deepEqual(game.position(node), { rule: "renju", width: 15, height: 15, moves: ["h8", "i9"] });
  });

  test("position lists a pass as a move", () => {
    const game = newGame();
    assert.deepEqual(game.position(addMoves(game, ["h8", null, "j8"])).moves, ["h8", "pass", "j8"]);
  });

  test("position begins with a pass if white begins", () => {
    const game = newGame();
    assert.deepEqual(game.position(game.childBy(game.root, "white", "h8")).moves, ["pass", "h8"]);
  });

  test("position inserts a pass between two moves of one colour", () => {
    const game = newGame();
    const first = game.childBy(game.root, "black", "h8");
    assert.deepEqual(game.position(game.childBy(first, "black", "i8")).moves, ["h8", "pass", "i8"]);
  });

  test("position turns moves before a set-up into set-up stones", () => {
    const game = newGame();
    const setUp = game.setUpAfter(addMoves(game, ["h8", "i9"]));
    setUp.setUp.walls.push("a1");
    const node = addMoves(game, ["j8"], setUp);
    assert.deepEqual(game.position(node), {
      rule: "freestyle", width: 15, height: 15,
      black: ["h8"], white: ["i9"], walls: ["a1"], side: "black", moves: ["j8"],
    });
  });

  test("position inserts a pass if the other side moves after a set-up", () => {
    const game = newGame();
    game.root.setUp = { black: ["h8"], white: [], walls: [], clear: [], side: "white" };
    const node = game.childBy(game.root, "black", "i9");
    assert.deepEqual(game.position(node).moves, ["pass", "i9"]);
  });
});

describe("files", () => {
  test("fromFile restores the game of toFile", () => {
    const { game, h8, end, variation } = branchedGame();
    Object.assign(game, { result: "black", reason: "resignation", opening: 3, info: { event: "Cup" } });
    game.players = { black: "Ann", white: "Bo" };
    h8.comment = "the centre";
    h8.timeMs = 0;
    end.evaluation = { text: "Tengen: score +1", rate: 0.6, live: true };
    end.marks = [{ at: "a1", sign: "circle" }, { at: "a1", to: "c3", sign: "arrow" }];
    end.properties = [{ name: "XX", values: ["a\\]b"] }];
    variation.setUp = { black: [], white: [], walls: ["c3"], clear: [], side: "white" };
    const file = game.toFile();
    const copy = Game.fromFile(JSON.parse(JSON.stringify(file)), "renju");
    assert.deepEqual(copy.toFile(), file);
    assert.equal(copy.rule, "freestyle");
    assert.deepEqual(cells([...copy.nodes()]), cells([...game.nodes()]));
    assert.deepEqual([...copy.nodes()].map((node) => node.depth), [0, 1, 2, 3, 2, 3]);
    assert.equal(copy.root.children[0].timeMs, 0);
  });

  test("toFile writes only the text of an evaluation", () => {
    const { game, end } = branchedGame();
    end.evaluation = { text: "Tengen: score +1", rate: 0.6, live: true };
    assert.deepEqual(game.toFile().nodes[3].evaluation, { text: "Tengen: score +1" });
  });

  test("toFile writes a pass as a colour without a cell", () => {
    const game = newGame();
    addMoves(game, [null]);
    assert.deepEqual(game.toFile().nodes, [{ parent: null }, { parent: 0, color: "black" }]);
  });

  test("fromFile uses the given rule if the file has none", () => {
    const file = { ...newGame().toFile(), rule: null };
    assert.equal(Game.fromFile(file, "renju").rule, "renju");
  });

  test("fromFile keeps notes of the root", () => {
    const file = newGame().toFile();
    file.nodes[0] = { parent: null, comment: "a problem", set_up: { black: ["h8"], side: "white" } };
    const game = Game.fromFile(file, "renju");
    assert.equal(game.root.comment, "a problem");
    assert.deepEqual([...game.board().stones.keys()], ["h8"]);
  });
});

describe("cells", () => {
  test("has accepts the corners of a rectangular board, not the cells beyond", () => {
    const game = newGame({ width: 19, height: 9 });
    assert.deepEqual(["a1", "s9", "0,0", "18,8"].map((at) => game.has(at)), [true, true, true, true]);
    assert.deepEqual(["a0", "a10", "t1", "19,0", "0,9"].map((at) => game.has(at)), [false, false, false, false, false]);
  });

  test("has is false for a text that is not a cell", () => {
    assert.equal(newGame().has("pass"), false);
  });

  test("canonical converts each notation to h8", () => {
    const game = newGame({ width: 19, height: 9 });
    assert.deepEqual(["0,0", "A9", "a09"].map((at) => game.canonical(at)), ["a9", "a9", "a9"]);
  });

  test("canonical keeps a text that is not a cell", () => {
    assert.equal(newGame().canonical("pass"), "pass");
  });
});
