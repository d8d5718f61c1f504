import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, describe, test } from "node:test";

import { dayOf } from "../page/day.js";
import { PuzzleStore, daily } from "../page/puzzle-store.js";
import { PuzzleSession, difficultyOf, gameOf, readPuzzles } from "../page/puzzles.js";
import { Session } from "../page/session.js";
import { FakeEngine, addressBar, cells, openFacts, settle, withGlobals, withStorage } from "./support.js";

const [PUZZLE] = readPuzzles([["freestyle", "b", "hhhiih", "ggkkaa", "vcf", "hj", 5]]);

describe("readPuzzles", () => {
  test("readPuzzles names cells from the lower left", () => {
    assert.deepEqual(PUZZLE.black, ["h8", "h7", "i8"]);
    assert.deepEqual([PUZZLE.side, PUZZLE.first, PUZZLE.plies], ["black", "h6", 5]);
    const board = gameOf(PUZZLE).board();
    assert.equal(board.side, "black");
    assert.equal(board.stones.get("a15").color, "white");
  });

  test("difficultyOf goes by the length of the win", () => {
    assert.deepEqual([5, 9, 11].map((plies) => difficultyOf({ plies })), ["easy", "medium", "hard"]);
  });

  test("every puzzle of the page has disjoint stones and a free first move", () => {
    const list = JSON.parse(readFileSync(new URL("../page/puzzles.json", import.meta.url), "utf8"));
    const puzzles = readPuzzles(list);
    assert.ok(puzzles.length >= 500, `${puzzles.length} puzzles`);
    assert.equal(new Set(puzzles.map(({ id }) => id)).size, puzzles.length);
    for (const { id, black, white, first, kind, plies, side } of puzzles) {
      const all = [...black, ...white, first];
      assert.equal(new Set(all).size, all.length, id);
      assert.ok(["vcf", "vct"].includes(kind) && plies >= 3 && ["black", "white"].includes(side), id);
      assert.ok(Math.abs(black.length - white.length) <= 1, id);
    }
  });
});

describe("solving", () => {
  let engine;
  let session;
  let puzzles;

  beforeEach((t) => {
    withGlobals(t, addressBar());
    engine = new FakeEngine();
    engine.solve = (question) => engine.think({ ...question, isSolve: true });
    session = new Session(engine, { rule: "freestyle", width: 15, height: 15 });
    puzzles = new PuzzleSession({ session, engine });
    puzzles.begin(PUZZLE);
  });

  /** Answers the search for the defence, then the check that the attack still wins. */
  async function defend(reply, result) {
    await settle();
    engine.last.resolve({ lines: [{ moves: [reply] }] });
    await settle();
    if (result) {
      engine.last.resolve({ result });
      await settle();
    }
  }

  const moves = () => cells(session.game.path().slice(1));

  test("the first move of the solution is answered by the defence", async () => {
    puzzles.play("h6");
    assert.equal(puzzles.state, "thinking");
    await defend("h9");
    assert.equal(puzzles.state, "open");
    assert.deepEqual(moves(), ["h6", "h9"]);
  });

  test("undo takes the reply back, too; redo repeats both", async () => {
    puzzles.play("h6");
    await defend("h9");
    puzzles.undo();
    assert.deepEqual(moves(), []);
    puzzles.redo();
    assert.deepEqual([puzzles.state, ...moves()], ["open", "h6", "h9"]);
    puzzles.play("j8");
    await settle();
    puzzles.undo();
    await settle();
    assert.deepEqual([puzzles.state, ...moves()], ["open", "h6", "h9"]);
  });

  test("redo after wrong moves repeats the last one", async () => {
    for (const [wrong, reply] of [["o15", "a13"], ["n15", "a12"]]) {
      puzzles.play(wrong);
      await defend(reply, "none");
      puzzles.takeBack();
    }
    puzzles.redo();
    assert.deepEqual(moves(), ["n15", "a12"]);
  });

  test("undo without a puzzle takes back one move", async () => {
    puzzles.puzzle = null;
    session.play("h6");
    session.play("h9");
    puzzles.undo();
    assert.deepEqual(moves(), ["h6"]);
  });

  test("the player makes no moves of the defender", async () => {
    puzzles.play("h6");
    await defend("h9");
    session.back();
    await settle();
    puzzles.play("c3");
    assert.deepEqual([puzzles.state, ...moves()], ["open", "h6"]);
  });

  test("undo after a wrong move takes it back", async () => {
    puzzles.play("j8");
    await defend("h9", "none");
    puzzles.undo();
    assert.deepEqual([puzzles.state, ...moves()], ["open"]);
  });

  test("a wrong move is taken back from any position of its line", async () => {
    puzzles.play("h6");
    await defend("h9");
    puzzles.play("o15");
    await defend("a15", "none");
    session.back();
    puzzles.takeBack();
    assert.deepEqual([puzzles.state, ...moves()], ["open", "h6", "h9"]);
  });

  test("another move counts if it still wins", async () => {
    puzzles.play("j8");
    await defend("h9", "win");
    assert.equal(puzzles.state, "open");
    puzzles.play("k8");
    await defend("l8", "none");
    assert.equal(puzzles.state, "wrong");
    assert.deepEqual(puzzles.refuted, { at: "k8", reply: "l8" });
    puzzles.takeBack();
    assert.deepEqual([puzzles.state, ...moves()], ["open", "j8", "h9"]);
  });

  test("a five of the defence refutes the move", async () => {
    puzzles.play("o1");
    await defend("o2");
    engine.last.resolve({ state: "five", stopped: false });
    await settle();
    assert.deepEqual([puzzles.state, puzzles.refuted], ["wrong", { at: "o1", reply: "o2" }]);
    engine.facts = () => ({ ...openFacts(), state: "five", winner: "black" });
    puzzles.takeBack();
    puzzles.play("k8");
    await settle();
    assert.deepEqual([puzzles.state, puzzles.isClean], ["solved", false]);
  });

  test("a stopped check lets the move be repeated, a check without a result lets the attack go on", async () => {
    puzzles.play("j8");
    await defend("h9");
    engine.last.resolve({ result: "unknown", stopped: true });
    await settle();
    assert.deepEqual([puzzles.state, ...moves()], ["open"]);
    puzzles.play("j8");
    await defend("h9", "unknown");
    assert.deepEqual([puzzles.state, ...moves()], ["open", "j8", "h9"]);
    engine.facts = () => ({ ...openFacts(), state: "five", winner: "black" });
    puzzles.play("k8");
    await settle();
    assert.equal(puzzles.isClean, true);
  });

  test("a five solves the puzzle, without help it counts", async () => {
    engine.facts = () => ({ ...openFacts(), state: "five", winner: "black" });
    puzzles.play("h6");
    await settle();
    assert.equal(puzzles.state, "solved");
    assert.equal(puzzles.isClean, true);
  });

  test("a hint or a mistake does not count as solved alone", async () => {
    puzzles.hint();
    engine.facts = () => ({ ...openFacts(), state: "five", winner: "black" });
    puzzles.play("h6");
    await settle();
    assert.equal(puzzles.isClean, false);
  });

  test("a replaced search leaves the puzzle as it was", async () => {
    puzzles.play("h6");
    await settle();
    engine.last.reject(new Error("lost"));
    await settle();
    assert.deepEqual([puzzles.state, ...moves()], ["open"]);
  });

  test("a search lost to another one lets the move be repeated, and is not a mistake", async () => {
    puzzles.play("h6");
    await settle();
    engine.last.resolve(null);
    await settle();
    assert.deepEqual([puzzles.state, ...moves()], ["open"]);
    // Now the check of the attack.
    puzzles.play("j8");
    await defend("h9");
    engine.last.resolve(null);
    await settle();
    assert.deepEqual([puzzles.state, ...moves()], ["open"]);
    puzzles.play("h6");
    await defend("h9");
    engine.facts = () => ({ ...openFacts(), state: "five", winner: "black" });
    puzzles.play("h5");
    await settle();
    assert.equal(puzzles.isClean, true);
  });

  test("a step back while the engine defends opens the puzzle again", async () => {
    puzzles.play("h6");
    await settle();
    session.back();
    await defend("h9");
    assert.deepEqual([puzzles.state, ...moves()], ["open"]);
    // During the check of the attack, too.
    puzzles.play("j8");
    await defend("h9");
    session.back();
    engine.last.resolve({ result: "win" });
    await settle();
    assert.deepEqual([puzzles.state, ...moves()], ["open"]);
  });

  test("a late answer changes neither another puzzle nor a position that was left to others", async () => {
    puzzles.play("h6");
    await settle();
    const { resolve } = engine.last;
    puzzles.begin(PUZZLE);
    puzzles.play("j8");
    resolve(null);
    await settle();
    assert.deepEqual([puzzles.state, ...moves()], ["thinking", "j8"]);
    puzzles.leave();
    engine.last.resolve(null);
    await settle();
    assert.deepEqual(moves(), ["j8"]);
  });

  test("the solution of a search that found none is its first move", async () => {
    puzzles.show();
    await settle();
    engine.last.resolve({ result: "unknown", stopped: true, line: [] });
    await settle();
    assert.deepEqual([puzzles.state, ...moves()], ["shown", "h6"]);
  });

  test("a replaced search for the solution leaves another puzzle as it is", async () => {
    puzzles.show();
    await settle();
    const { reject } = engine.last;
    puzzles.begin(PUZZLE);
    puzzles.play("j8");
    reject(new Error("replaced"));
    await settle();
    assert.equal(puzzles.state, "thinking");
  });
});

describe("PuzzleStore", () => {
  const at = (text) => () => new Date(`${text}T12:00:00`);

  test("the streak counts days in a row and ends after a day without", (t) => {
    withStorage(t);
    new PuzzleStore(at("2026-03-01")).solve("a");
    new PuzzleStore(at("2026-03-02")).solve("b");
    const same = new PuzzleStore(at("2026-03-02"));
    same.solve("c");
    assert.deepEqual([same.streak, same.solvedCount], [2, 3]);
    assert.equal(new PuzzleStore(at("2026-03-03")).streak, 2);
    assert.equal(new PuzzleStore(at("2026-03-04")).streak, 0);
  });

  test("the streak outlasts a day of 23 hours", (t) => {
    const { TZ } = process.env;
    process.env.TZ = "Europe/Berlin";
    t.after(() => {
      if (TZ === undefined) delete process.env.TZ;
      else process.env.TZ = TZ;
    });
    withStorage(t);
    new PuzzleStore(at("2026-03-28")).solve("a");
    new PuzzleStore(at("2026-03-29")).solve("b");
    assert.equal(new PuzzleStore(() => new Date(2026, 2, 30, 0, 30)).streak, 2);
  });

  test("own puzzles are kept once, the newest first", (t) => {
    withStorage(t);
    const store = new PuzzleStore(at("2026-03-01"));
    for (const id of ["a", "b", "a"]) store.addOwn({ ...PUZZLE, id });
    assert.deepEqual(new PuzzleStore(at("2026-03-01")).own.map(({ id }) => id), ["b", "a"]);
  });

  test("puzzles of other tabs stay", (t) => {
    const { tell } = withStorage(t);
    const store = new PuzzleStore(at("2026-03-02"));
    const otherTab = new PuzzleStore(at("2026-03-01"));
    otherTab.solve("a");
    otherTab.addOwn({ ...PUZZLE, id: "own a" });
    store.solve("b");
    store.addOwn({ ...PUZZLE, id: "own b" });
    store.addOwn({ ...PUZZLE, id: "own a" });
    const kept = new PuzzleStore(at("2026-03-02"));
    assert.deepEqual([kept.solvedCount, kept.streak], [2, 2]);
    assert.deepEqual(kept.own.map(({ id }) => id), ["own b", "own a"]);
    assert.equal(otherTab.solvedCount, 1);
    tell("tengen-puzzles");
    assert.equal(otherTab.solvedCount, 2);
    PuzzleStore.forget();
    otherTab.solve("c");
    const { solvedCount, streak, own } = new PuzzleStore(at("2026-03-01"));
    assert.deepEqual([solvedCount, streak, own.length], [1, 1, 0], "removed data do not come back");
  });

  test("a puzzle that was refused is stored with the next one", (t) => {
    const { values } = withStorage(t);
    const store = new PuzzleStore(at("2026-03-01"));
    const { setItem } = localStorage;
    localStorage.setItem = () => {
      throw new Error("full");
    };
    store.solve("a");
    localStorage.setItem = setItem;
    store.solve("b");
    assert.deepEqual(JSON.parse(values["tengen-puzzles"]).solved, ["a", "b"]);
  });

  test("a broken or missing storage is no failure", (t) => {
    withStorage(t, { values: { "tengen-puzzles": "{" } });
    assert.equal(new PuzzleStore().solvedCount, 0);
  });

  test("a full storage is reported once and loses nothing of this visit", (t) => {
    withStorage(t, { isFull: true });
    let reports = 0;
    const store = new PuzzleStore(at("2026-03-01"), () => {
      reports += 1;
    });
    for (const id of ["a", "b"]) store.solve(id);
    assert.deepEqual([store.solvedCount, reports], [2, 1]);
  });

  test("the puzzle of a day is the same the whole day", () => {
    assert.equal(daily(new Date(2026, 2, 1, 1), 500), daily(new Date(2026, 2, 1, 23), 500));
    assert.equal(dayOf(new Date(2026, 0, 5)), "2026-01-05");
  });
});
