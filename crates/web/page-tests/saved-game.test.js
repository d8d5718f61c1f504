import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { SavedGame, pack, unpack } from "../page/saved-game.js";
import { addMoves, cells, newGame, withGlobals } from "./support.js";

/** A game with a variation, a comment, an evaluation and a resignation, at its second move. */
function played() {
  const game = newGame({ rule: "renju" });
  const end = addMoves(game, ["h8", "i9", "j8"]);
  const [h8] = game.root.children;
  addMoves(game, ["i8"], h8);
  end.comment = "strong";
  end.evaluation = { rate: 0.7, text: "Tengen: ..." };
  end.review = { grade: "best" };
  game.ended = { node: end, winner: "black", reason: "resignation" };
  game.node = end.parent;
  return game;
}

describe("saved games", () => {
  test("unpack restores the tree, the position and the end", () => {
    const game = unpack(JSON.parse(JSON.stringify(pack(played()))));
    assert.equal(game.rule, "renju");
    assert.equal(game.node.at, "i9");
    assert.deepEqual(cells(game.node.parent.children), ["i9", "i8"]);
    const [end] = game.node.children;
    assert.deepEqual([end.comment, end.evaluation.rate, end.review.grade], ["strong", 0.7, "best"]);
    assert.equal(game.ended.node, end);
  });

  const storage = (test, values = {}) => {
    const sessionStorage = {
      getItem: (name) => values[name] ?? null,
      setItem(name, text) {
        values[name] = text;
      },
    };
    withGlobals(test, { sessionStorage, addEventListener() {} });
    return values;
  };

  test("read returns the game of its address only", (t) => {
    storage(t);
    new SavedGame(() => ({ ...pack(played()), address: "#a", mode: "play" }), () => {}).write();
    assert.equal(SavedGame.read("#a").mode, "play");
    assert.equal(SavedGame.read("").mode, "play");
    assert.equal(SavedGame.read("#b"), null);
  });

  test("read ignores what is broken", (t) => {
    storage(t, { "tengen-game": "{" });
    assert.equal(SavedGame.read(""), null);
  });

  test("a full storage is reported once", (t) => {
    const sessionStorage = {
      setItem() {
        throw new Error("full");
      },
    };
    withGlobals(t, { sessionStorage, addEventListener() {} });
    let failures = 0;
    const saved = new SavedGame(() => ({}), () => failures++);
    saved.write();
    saved.write();
    assert.equal(failures, 1);
  });
});
