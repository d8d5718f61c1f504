import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Game, other } from "../page/tree.js";
import { addMoves, cells, newGame } from "./support.js";

/** A game with variations: h8 i9 j8, and instead of i9 also i8 h9. */
function branched() {
  const game = newGame();
  const end = addMoves(game, ["h8", "i9", "j8"]);
  const [h8] = game.root.children;
  const variation = addMoves(game, ["i8", "h9"], h8);
  return { game, h8, end, variation };
}

test("other, each colour, the other one", () => {
  assert.deepEqual([other("black"), other("white")], ["white", "black"]);
});

describe("adding moves", () => {
  test("childBy, a new move, a child one deeper", () => {
    const game = newGame();
    const node = game.childBy(game.root, "black", "h8");
    assert.equal(node.parent, game.root);
    assert.equal(node.depth, 1);
    assert.deepEqual(game.root.children, [node]);
  });

  test("childBy, a move that is there already, the same node", () => {
    const game = newGame();
    const first = game.childBy(game.root, "black", "h8");
    assert.equal(game.childBy(game.root, "black", "h8"), first);
    assert.equal(game.root.children.length, 1);
  });

  test("childBy, the same cell by the other colour, a variation", () => {
    const game = newGame();
    const black = game.childBy(game.root, "black", "h8");
    const white = game.childBy(game.root, "white", "h8");
    assert.notEqual(white, black);
    assert.equal(game.root.children.length, 2);
  });

  test("childBy, a pass that is there already, the same node", () => {
    const game = newGame();
    const pass = game.childBy(game.root, "black", null);
    assert.equal(game.childBy(game.root, "black", null), pass);
  });

  test("childBy, moves in another order, a path of their own to the same stones", () => {
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
  test("path, a node of a variation, every node from the start to it", () => {
    const { game, variation } = branched();
    assert.deepEqual(cells(game.path(variation)), [null, "h8", "i8", "h9"]);
  });

  test("path, no node given, leads to the node that is looked at", () => {
    const { game, h8 } = branched();
    game.node = h8;
    assert.deepEqual(game.path(), [game.root, h8]);
  });

  test("continuation, a node with variations, follows the first ones", () => {
    const { game, h8 } = branched();
    assert.deepEqual(cells(game.continuation(h8)), ["i9", "j8"]);
  });

  test("continuation, last node, empty", () => {
    const { game, end } = branched();
    assert.deepEqual(game.continuation(end), []);
  });

  test("end, a game with variations, the last node of the main line", () => {
    const { game, end } = branched();
    assert.equal(game.end, end);
  });

  test("nodes, a game with variations, parents first and the main line before variations", () => {
    const { game } = branched();
    assert.deepEqual(cells([...game.nodes()]), [null, "h8", "i9", "j8", "i8", "h9"]);
  });

  test("nodes, a line of 20000 moves, no limit of depth", () => {
    const game = newGame();
    let node = game.root;
    for (let i = 0; i < 20000; i++) node = game.childBy(node, i % 2 === 0 ? "black" : "white", null);
    assert.equal([...game.nodes()].length, 20001);
    assert.equal(game.end, node);
    assert.equal(game.path(node).length, 20001);
  });
});

describe("removing", () => {
  test("remove, a move of the main line, takes what follows and makes the variation the game", () => {
    const { game, h8, variation } = branched();
    game.remove(h8.children[0]);
    assert.deepEqual(cells([...game.nodes()]), [null, "h8", "i8", "h9"]);
    assert.equal(game.end, variation);
  });

  test("remove, the node that is looked at lies behind, the board goes to the parent", () => {
    const { game, h8, end } = branched();
    game.node = end;
    game.remove(h8);
    assert.equal(game.node, game.root);
    assert.deepEqual(game.root.children, []);
  });

  test("remove, the node that is looked at lies elsewhere, the board stays", () => {
    const { game, end, variation } = branched();
    game.node = end;
    game.remove(variation);
    assert.equal(game.node, end);
  });

  test("remove, the root, nothing changes", () => {
    const { game } = branched();
    game.remove(game.root);
    assert.equal([...game.nodes()].length, 6);
  });
});

describe("promoting", () => {
  test("promote, a variation, becomes the main line and keeps the old one", () => {
    const { game, h8, end, variation } = branched();
    game.promote(variation);
    assert.equal(game.end, variation);
    assert.deepEqual(cells(h8.children), ["i8", "i9"]);
    assert.deepEqual(cells(game.path(end)), [null, "h8", "i9", "j8"]);
  });

  test("promote, a variation of a variation, every ancestor comes first", () => {
    const { game, variation } = branched();
    const deep = addMoves(game, ["k9"], variation.parent);
    game.promote(deep);
    assert.equal(game.end, deep);
    assert.deepEqual(cells(game.continuation(game.root)), ["h8", "i8", "k9"]);
  });

  test("promote, the third of three, the others keep their order", () => {
    const game = newGame();
    for (const at of ["a1", "b1", "c1"]) addMoves(game, [at]);
    game.promote(game.root.children[2]);
    assert.deepEqual(cells(game.root.children), ["c1", "a1", "b1"]);
  });

  test("promote, the main line or the root, nothing changes", () => {
    const { game, end } = branched();
    game.promote(end);
    game.promote(game.root);
    assert.deepEqual(cells([...game.nodes()]), [null, "h8", "i9", "j8", "i8", "h9"]);
  });
});

describe("the board", () => {
  test("board, moves by turns, stones with numbers and the side to move", () => {
    const game = newGame();
    const node = addMoves(game, ["h8", "i9", "j8"]);
    const { stones, side, moves } = game.board(node);
    assert.deepEqual([...stones].map(([at, { color, number }]) => [at, color, number]), [
      ["h8", "black", 1], ["i9", "white", 2], ["j8", "black", 3],
    ]);
    assert.equal(side, "white");
    assert.equal(moves, 3);
  });

  test("board, a pass, the turn changes and the next stone has the next number", () => {
    const game = newGame();
    const node = addMoves(game, ["h8", null, "j8"]);
    const { stones, side } = game.board(node);
    assert.deepEqual([...stones.keys()], ["h8", "j8"]);
    assert.equal(stones.get("j8").color, "black");
    assert.equal(stones.get("j8").number, 2);
    assert.equal(side, "white");
  });

  test("board, an earlier node, without what came later", () => {
    const { game, h8 } = branched();
    assert.deepEqual([...game.board(h8).stones.keys()], ["h8"]);
  });

  test("board, stones set up without a side, white to move where black has more", () => {
    const game = newGame();
    game.root.setUp = { black: ["h8"], white: [], side: null };
    assert.equal(game.board().side, "white");
    game.root.setUp.white.push("i9");
    assert.equal(game.board().side, "black");
  });

  test("board, stones set up without a side before a first move, the mover of that move", () => {
    const game = newGame();
    game.root.setUp = { black: ["h8"], white: [], side: null };
    game.childBy(game.root, "black", "a1");
    assert.equal(game.board(game.root).side, "black");
  });

  test("board, stones set up in the middle, replace, clear and wall", () => {
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

  test("board, clear on a wall, the cell is in play again", () => {
    const game = newGame();
    game.root.setUp = { walls: ["a1"], side: "black" };
    const setUp = game.setUpAfter(game.root);
    setUp.setUp.clear.push("a1");
    assert.equal(game.board(setUp).walls.size, 0);
  });

  test("firstMover, a set-up node before the first stone, the colour of that stone", () => {
    const game = newGame();
    const setUp = game.setUpAfter(game.root);
    game.childBy(setUp, "white", "h8");
    assert.equal(game.firstMover(), "white");
  });

  test("firstMover, no moves, undefined", () => {
    assert.equal(newGame().firstMover(), undefined);
  });
});

describe("positions for the server", () => {
  test("position, moves by turns, the cells alone", () => {
    const game = newGame({ rule: "renju" });
    const node = addMoves(game, ["h8", "i9"]);
    assert.deepEqual(game.position(node), { rule: "renju", width: 15, height: 15, moves: ["h8", "i9"] });
  });

  test("position, a pass, written as a move", () => {
    const game = newGame();
    assert.deepEqual(game.position(addMoves(game, ["h8", null, "j8"])).moves, ["h8", "pass", "j8"]);
  });

  test("position, a file where white begins, a pass of black first", () => {
    const game = newGame();
    assert.deepEqual(game.position(game.childBy(game.root, "white", "h8")).moves, ["pass", "h8"]);
  });

  test("position, one colour twice in a row, a pass between them", () => {
    const game = newGame();
    const first = game.childBy(game.root, "black", "h8");
    assert.deepEqual(game.position(game.childBy(first, "black", "i8")).moves, ["h8", "pass", "i8"]);
  });

  test("position, stones set up after moves, those moves are stones of the set-up", () => {
    const game = newGame();
    const setUp = game.setUpAfter(addMoves(game, ["h8", "i9"]));
    setUp.setUp.walls.push("a1");
    const node = addMoves(game, ["j8"], setUp);
    assert.deepEqual(game.position(node), {
      rule: "freestyle", width: 15, height: 15,
      black: ["h8"], white: ["i9"], walls: ["a1"], side: "black", moves: ["j8"],
    });
  });

  test("position, a move of the side that is not to move after a set-up, a pass first", () => {
    const game = newGame();
    game.root.setUp = { black: ["h8"], white: [], walls: [], clear: [], side: "white" };
    const node = game.childBy(game.root, "black", "i9");
    assert.deepEqual(game.position(node).moves, ["pass", "i9"]);
  });
});

describe("files", () => {
  test("toFile and fromFile, a game with variations and notes, the same game", () => {
    const { game, h8, end, variation } = branched();
    Object.assign(game, { result: "black", reason: "resignation", opening: 3, info: { event: "Cup" } });
    game.players = { black: "Ann", white: "Bo" };
    h8.comment = "the centre";
    h8.timeMs = 0;
    end.evaluation = { text: "Tengen: score +1", rate: 0.6, live: true };
    end.marks = [{ at: "a1", sign: "circle" }];
    variation.setUp = { black: [], white: [], walls: ["c3"], clear: [], side: "white" };
    const file = game.toFile();
    const copy = Game.fromFile(JSON.parse(JSON.stringify(file)), "renju");
    assert.deepEqual(copy.toFile(), file);
    assert.equal(copy.rule, "freestyle");
    assert.deepEqual(cells([...copy.nodes()]), cells([...game.nodes()]));
    assert.deepEqual([...copy.nodes()].map((node) => node.depth), [0, 1, 2, 3, 2, 3]);
    assert.equal(copy.root.children[0].timeMs, 0);
  });

  test("toFile, an evaluation, its text alone", () => {
    const { game, end } = branched();
    end.evaluation = { text: "Tengen: score +1", rate: 0.6, live: true };
    assert.deepEqual(game.toFile().nodes[3].evaluation, { text: "Tengen: score +1" });
  });

  test("toFile, a pass, a colour without a cell", () => {
    const game = newGame();
    addMoves(game, [null]);
    assert.deepEqual(game.toFile().nodes, [{ parent: null }, { parent: 0, color: "black" }]);
  });

  test("fromFile, no rule in the file, the given one", () => {
    const file = { ...newGame().toFile(), rule: null };
    assert.equal(Game.fromFile(file, "renju").rule, "renju");
  });

  test("fromFile, notes of the root, kept", () => {
    const file = newGame().toFile();
    file.nodes[0] = { parent: null, comment: "a problem", set_up: { black: ["h8"], side: "white" } };
    const game = Game.fromFile(file, "renju");
    assert.equal(game.root.comment, "a problem");
    assert.deepEqual([...game.board().stones.keys()], ["h8"]);
  });
});

describe("cells", () => {
  test("has, corners of an oblong board, on the board; beyond them, off it", () => {
    const game = newGame({ width: 19, height: 9 });
    assert.deepEqual(["a1", "s9", "0,0", "18,8"].map((at) => game.has(at)), [true, true, true, true]);
    assert.deepEqual(["a0", "a10", "t1", "19,0", "0,9"].map((at) => game.has(at)), [false, false, false, false, false]);
  });

  test("has, text that names no cell, false", () => {
    assert.equal(newGame().has("pass"), false);
  });

  test("canonical, each way to write a cell, the field's name", () => {
    const game = newGame({ width: 19, height: 9 });
    assert.deepEqual(["0,0", "A9", "a09"].map((at) => game.canonical(at)), ["a9", "a9", "a9"]);
  });

  test("canonical, text that names no cell, unchanged", () => {
    assert.equal(newGame().canonical("pass"), "pass");
  });
});

test("forgetResult, a game that was resigned, no result is left", () => {
  const game = newGame();
  Object.assign(game, { result: "black", reason: "resignation", ended: { node: game.root, winner: "black", reason: "resignation" } });
  game.forgetResult();
  assert.deepEqual([game.result, game.reason, game.ended], [null, null, null]);
});
