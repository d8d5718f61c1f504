import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { choiceOf, foundOf, named } from "../page/answers.js";

const line = (changes) => ({
  rank: 1, move: "h9", score: 30, win_rate: 0.53, forced: null, depth: 3, selective_depth: 9, pv: ["h9", "a1"],
  ...changes,
});

describe("answers of the server", () => {
  test("named names cells at any depth and keeps other values", () => {
    const answer = {
      state: "open", winner: null, nodes: 5, stopped: false, row: ["7,7"], opening: { code: "D7", names: { romaji: "Kagetsu" } },
      tree: { at: "0,14", replies: [{ at: "14,0", then: { at: "9,9", name: "five", cut: 3 } }] },
    };
    assert.deepEqual(named(answer, 15), {
      ...answer, row: ["h8"], tree: { at: "a1", replies: [{ at: "o15", then: { at: "j6", name: "five", cut: 3 } }] },
    });
    assert.equal(named("0,9", 10), "a1");
  });

  test("foundOf renames properties", () => {
    const found = foundOf({ lines: [line()], nodes: 5, ms: 1, state: "open" });
    assert.deepEqual(found, {
      lines: [{ moves: ["h9", "a1"], score: 30, rate: 0.53, forced: null, depth: 3, reach: 9 }],
      nodes: 5, ms: 1, state: "open",
    });
  });

  test("foundOf negates the plies of a forced loss", () => {
    const forced = { winner: "black", plies: 4 };
    const lines = [line({ score: 29996, forced }), line({ score: -29996, forced })];
    const found = foundOf({ lines, nodes: 1, ms: 1 });
    assert.deepEqual(found.lines.map((it) => it.forced), [4, -4]);
  });

  test("choiceOf returns null without a legal move", () => {
    assert.deepEqual(choiceOf({ move: null }), { move: null, wins: false });
  });

  test("choiceOf distinguishes announced wins from losses", () => {
    const forced = { winner: "black", plies: 5 };
    const wins = (score) => choiceOf({ move: "h9", line: line({ score, forced }) }).wins;
    assert.deepEqual([wins(29995), wins(-29995)], [true, false]);
  });
});
