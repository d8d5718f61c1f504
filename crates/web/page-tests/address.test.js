import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { addressOf, readAddress, writeAddress } from "../page/address.js";
import { TERMS, addMoves, addressBar, cells, newGame, withGlobals } from "./support.js";

/** The position that an address leads to. */
const positionOf = (hash) => {
  const game = readAddress(hash, TERMS);
  return game && game.position();
};

describe("addressOf", () => {
  test("addressOf writes rule, size and moves", () => {
    const game = newGame({ rule: "renju" });
    game.node = addMoves(game, ["h8", "i9"]);
    assert.equal(addressOf(game), "#rule=renju&size=15x15&moves=h8i9");
  });

  test("addressOf omits moves for an empty board", () => {
    assert.equal(addressOf(newGame({ width: 20, height: 10 })), "#rule=freestyle&size=20x10");
  });

  test("addressOf omits moves after the current position", () => {
    const game = newGame();
    addMoves(game, ["h8", "i9"]);
    [game.node] = game.root.children;
    assert.equal(addressOf(game), "#rule=freestyle&size=15x15&moves=h8");
  });

  test("addressOf writes passes as dashes", () => {
    const game = newGame();
    game.node = addMoves(game, ["h8", null, "j8"]);
    assert.equal(addressOf(game), "#rule=freestyle&size=15x15&moves=h8-j8");
  });
});

describe("readAddress and addressOf", () => {
  const cases = {
    "moves of an oblong board": () => {
      const game = newGame({ width: 19, height: 9 });
      game.node = addMoves(game, ["s9", "a1"]);
      return game;
    },
    "passes": () => {
      const game = newGame();
      game.node = addMoves(game, [null, "h8", null, null]);
      return game;
    },
    "white makes the first move": () => {
      const game = newGame();
      game.node = game.childBy(game.root, "white", "h8");
      return game;
    },
    "stones and walls set up in the middle": () => {
      const game = newGame({ rule: "caro" });
      const setUp = game.setUpAfter(addMoves(game, ["h8", "i9"]));
      Object.assign(setUp.setUp, { black: ["a1"], walls: ["c3"], side: "white" });
      game.node = addMoves(game, ["d4", "e5"], setUp);
      return game;
    },
    "nothing but a side set up": () => {
      const game = newGame();
      game.root.setUp = { black: [], white: [], walls: [], clear: [], side: "white" };
      return game;
    },
  };
  for (const [name, make] of Object.entries(cases)) {
    test(`readAddress restores the position of addressOf: ${name}`, () => {
      const game = make();
      assert.deepEqual(positionOf(addressOf(game)), game.position());
    });
  }
});

describe("readAddress", () => {
  test("readAddress returns null without a hash", () => {
    for (const hash of ["", "#", "#/"]) assert.equal(readAddress(hash, TERMS), null);
  });

  test("readAddress reads bare moves as a 15x15 game at its last move", () => {
    const game = readAddress("#h8i9j8", TERMS);
    assert.deepEqual(cells(game.path()), [null, "h8", "i9", "j8"]);
    assert.deepEqual([game.rule, game.width, game.height], ["freestyle", 15, 15]);
  });

  test("readAddress accepts a slash and spaces around bare moves", () => {
    assert.deepEqual(positionOf("#/h8i9").moves, ["h8", "i9"]);
    assert.deepEqual(positionOf("#h8%20i9").moves, ["h8", "i9"]);
  });

  test("readAddress converts 7,7 to h8", () => {
    assert.deepEqual(positionOf("#size=15x9&moves=0,0").moves, ["a9"]);
    assert.deepEqual(positionOf("#7%2C7").moves, ["h8"]);
  });

  test("readAddress reads an address without a rule as freestyle, whatever was played before", () => {
    assert.equal(readAddress("#moves=h8", { ...TERMS, rule: "renju" }).rule, "freestyle");
  });

  test("readAddress reads one number as the size of a square board", () => {
    const { width, height } = readAddress("#size=19", TERMS);
    assert.deepEqual([width, height], [19, 19]);
  });

  test("readAddress returns null for an invalid size or rule", () => {
    for (const hash of ["#size=4x15", "#size=15x21", "#size=0", "#rule=chess&moves=h8"]) {
      assert.equal(readAddress(hash, TERMS), null, hash);
    }
  });

  test("readAddress stops before a move to an occupied cell", () => {
    assert.deepEqual(positionOf("#moves=h8i9h8j8").moves, ["h8", "i9"]);
  });

  test("readAddress stops before a move off the board", () => {
    assert.deepEqual(positionOf("#moves=h8z99j8").moves, ["h8"]);
  });

  test("readAddress stops before a move to a wall", () => {
    assert.deepEqual(positionOf("#walls=i9&moves=h8i9j8").moves, ["h8"]);
  });

  test("readAddress ignores set-up stones off the board or given twice", () => {
    const { black, white } = positionOf("#size=9&black=a1A1z30&white=b1&side=black");
    assert.deepEqual([black, white], [["a1"], ["b1"]]);
  });

  test("readAddress sets black to move for an unknown side", () => {
    assert.equal(positionOf("#white=b1&side=green").side, "black");
  });

  test("readAddress returns null for a stray percent sign", () => {
    assert.equal(readAddress("#moves=h8%", TERMS), null);
  });

  for (const hash of ["#board", "#section-2", "#h8-i9", "#foo=bar"]) {
    test(`readAddress returns null for ${hash} without a position`, () => {
      assert.equal(readAddress(hash, TERMS), null);
    });
  }
});

describe("writeAddress", () => {
  test("writeAddress replaces the address", (t) => {
    const bar = addressBar("#old");
    withGlobals(t, bar);
    const game = newGame();
    game.node = addMoves(game, ["h8"]);
    writeAddress(game);
    assert.equal(bar.location.hash, "#rule=freestyle&size=15x15&moves=h8");
  });

  test("writeAddress ignores a refusal of the browser", (t) => {
    withGlobals(t, { history: { replaceState() { throw new Error("too many calls"); } } });
    assert.doesNotThrow(() => writeAddress(newGame()));
  });
});
