import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { choiceOf, factsOf, foundOf, openingOf } from "../page/answers.js";

const line = (changes) => ({
  rank: 1, move: "7,6", score: 30, win_rate: 0.53, forced: null, depth: 3, selective_depth: 9, pv: ["7,6", "0,14"],
  ...changes,
});

describe("answers of the server", () => {
  test("foundOf names cells and properties", () => {
    const found = foundOf({ lines: [line()], nodes: 5, ms: 1, state: "open" }, 15);
    assert.deepEqual(found, {
      lines: [{ moves: ["h9", "a1"], score: 30, rate: 0.53, forced: null, depth: 3, reach: 9 }],
      nodes: 5, ms: 1, state: "open",
    });
  });

  test("foundOf negates the plies of a forced loss", () => {
    const forced = { winner: "black", plies: 4 };
    const lines = [line({ score: 29996, forced }), line({ score: -29996, forced })];
    const found = foundOf({ lines, nodes: 1, ms: 1 }, 15);
    assert.deepEqual(found.lines.map((it) => it.forced), [4, -4]);
  });

  test("factsOf names the cells of fouls and prospects", () => {
    const part = { kind: "three", stones: ["7,7"], real: false, forbidden: ["8,7"], fives: ["9,7"] };
    const facts = factsOf({
      state: "open", winner: null, row: [], legal: [],
      fouls: [{ at: "9,6", kind: "double-three", parts: [part] }],
      prospects: [{ color: "black", at: "0,0", kind: "five", foul: false, stones: ["1,0"] }],
    }, 15);
    assert.deepEqual(facts.fouls[0], {
      at: "j9", kind: "double-three",
      parts: [{ kind: "three", stones: ["h8"], real: false, forbidden: ["i8"], fives: ["j8"] }],
    });
    assert.deepEqual(facts.prospects, [{ color: "black", at: "a15", kind: "five", stones: ["b15"] }]);
  });

  test("choiceOf returns null without a legal move", () => {
    assert.deepEqual(choiceOf({ move: null }, 15), { move: null, wins: false });
    assert.deepEqual(choiceOf({ move: "0,9" }, 10), { move: "a1", wins: false });
  });

  test("choiceOf distinguishes announced wins from losses", () => {
    const forced = { winner: "black", plies: 5 };
    const wins = (score) => choiceOf({ move: "7,6", line: line({ score, forced }) }, 15).wins;
    assert.deepEqual([wins(29995), wins(-29995)], [true, false]);
  });

  test("factsOf names the cells of what is proved", () => {
    const facts = (proved) => factsOf({ state: "open", winner: null, row: [], legal: [], fouls: [], prospects: [], proved }, 15);
    assert.equal(facts(undefined).proved, null);
    const proved = facts({ winner: null, best: null, losing: ["7,6"] }).proved;
    assert.deepEqual(proved, { winner: null, best: null, losing: ["h9"] });
    assert.equal(facts({ winner: "black", best: "0,0", losing: [] }).proved.best, "a15");
  });

  test("openingOf names cells and keeps the question", () => {
    const question = { kind: "place", color: "black", reach: 0 };
    const state = { moves: ["7,7"], offers: ["8,7"], black: "first", asked: "first", question, allowed: ["0,0"] };
    assert.deepEqual(openingOf(state, 15), { ...state, moves: ["h8"], offers: ["i8"], allowed: ["a15"] });
  });
});
