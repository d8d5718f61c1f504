import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { Review } from "../page/review.js";
import { Session } from "../page/session.js";
import { FakeEngine, addMoves, addressBar, newGame, openFacts, serverError, settle, withGlobals } from "./support.js";

let engine;
let session;
let review;
let said;

beforeEach((t) => {
  withGlobals(t, addressBar());
  engine = new FakeEngine();
  session = new Session(engine, { rule: "freestyle", width: 15, height: 15 });
  said = [];
  review = new Review({ session, engine, notify: (text) => said.push(text) });
});

/** Loads these moves and goes to the end. */
function load(...moves) {
  const game = newGame();
  const end = addMoves(game, moves);
  session.load(game, end);
  return game.path(end);
}

const GRADES = { "?": "mistake", "??": "blunder", "!": "best" };

/** The server's answer for these grades, black first. */
function answer(...signs) {
  const moves = signs.map((sign, index) => ({
    number: index + 1, color: index % 2 === 0 ? "black" : "white", at: "", best: "a1", line: [],
    loss: (index + 1) / 10, grade: GRADES[sign],
  }));
  const evaluations = [...signs, ""].map((_, index) => ({ text: `evaluation ${index}`, rate: 0.5 }));
  return { review: { moves, accuracy: { black: 1, white: 1 } }, evaluations };
}

async function reviewed(...signs) {
  const done = review.run(1000);
  await settle();
  engine.last.resolve(answer(...signs));
  await done;
}

describe("running", () => {
  test("run reviews the current line and reports progress", async () => {
    load("h8", "i9", "j8");
    const done = review.run(1000);
    assert.deepEqual(review.progress, { judged: 0, of: 4 });
    await settle();
    assert.deepEqual(engine.last.question.position.moves, ["h8", "i9", "j8"]);
    assert.equal(engine.last.question.nodes, 1000);
    engine.last.progress({ judged: 2, of: 4 });
    assert.deepEqual(review.progress, { judged: 2, of: 4 });
    engine.last.resolve(answer("!", "?", "!"));
    await done;
    assert.equal(review.progress, null);
  });

  test("run stores evaluations and grades in the tree", async () => {
    const path = load("h8", "i9", "j8");
    await reviewed("!", "?", "??");
    assert.deepEqual(path.map((node) => node.evaluation.text), [0, 1, 2, 3].map((n) => `evaluation ${n}`));
    assert.deepEqual(path.map((node) => node.review?.grade), [undefined, "best", "mistake", "blunder"]);
  });

  test("run from the middle reviews the whole line", async () => {
    const path = load("h8", "i9", "j8");
    session.goTo(path[1]);
    review.run(1000);
    await settle();
    assert.deepEqual(engine.last.question.position.moves, ["h8", "i9", "j8"]);
  });

  test("run reviews a forbidden last move as well", async () => {
    engine.facts = ({ moves }) => ({ ...openFacts(), state: moves.length === 3 ? "overline" : "open" });
    const path = load("h8", "i9", "j8");
    await reviewed("!", "!", "??");
    assert.deepEqual(engine.last.question.position.moves, ["h8", "i9", "j8"]);
    assert.equal(path[3].review.grade, "blunder");
    assert.equal(path[3].evaluation.text, "evaluation 3");
    assert.equal(review.nodeOf(2), path[2]);
    // In a file the forbidden move has no evaluation.
    path[3].evaluation = null;
    path.slice(0, 3).forEach((node, index) => { node.evaluation = { text: `e${index}` }; });
    review.run(null);
    await settle();
    assert.deepEqual(engine.last.question.evaluations, ["e0", "e1", "e2"]);
  });

  test("run sends the number of given moves", async () => {
    load("h8", "i9", null, "j8", "k9");
    session.game.opening = 4;
    review.run(1000);
    await settle();
    assert.equal(engine.last.question.given, 1);
    load("h8", "i9", "j8");
    session.game.opening = 2;
    review.run(1000);
    await settle();
    assert.equal(engine.last.question.given, 2);
  });

  test("run starts at the last set-up", async () => {
    const game = newGame();
    const setUp = game.setUpAfter(addMoves(game, ["h8", "i9"]));
    const end = addMoves(game, ["j8"], setUp);
    session.load(game, end);
    await reviewed("?");
    assert.equal(end.review.grade, "mistake");
    assert.equal(review.nodeOf(0), setUp);
    assert.equal(game.root.children[0].review, null);
  });

  test("another game cancels the review", async () => {
    load("h8", "i9");
    review.run(1000);
    await settle();
    load("a1");
    assert.deepEqual(engine.calls, ["cancel"]);
    await settle();
    assert.deepEqual([review.progress, review.found], [null, null]);
  });

  test("a second run of the same game keeps its progress", async () => {
    load("h8", "i9");
    review.run(1000);
    await settle();
    const [first] = engine.asked;
    review.run(5000);
    await settle();
    first.resolve(null);
    await settle();
    assert.deepEqual(review.progress, { judged: 0, of: 3 });
    engine.last.resolve(answer("!", "?"));
    await settle();
    assert.equal(review.progress, null);
    assert.equal(review.found.moves.length, 2);
  });

  test("a refused run shows a message and no progress", async () => {
    load("h8");
    const done = review.run(1000);
    await settle();
    engine.last.reject(serverError("too long"));
    await done;
    assert.deepEqual(said, ["too long"]);
    assert.equal(review.progress, null);
  });
});

describe("from a file", () => {
  test("fromFile sends complete evaluations instead of searching", async () => {
    const path = load("h8", "i9");
    path.forEach((node, index) => { node.evaluation = { text: `e${index}` }; });
    review.fromFile();
    await settle();
    assert.deepEqual(engine.last.question.evaluations, ["e0", "e1", "e2"]);
    assert.equal(engine.last.question.nodes, null);
  });

  test("fromFile requests nothing if an evaluation is missing", async () => {
    const path = load("h8", "i9");
    path[0].evaluation = { text: "e0" };
    path[2].evaluation = { text: "e2" };
    await review.fromFile();
    assert.equal(engine.asked.length, 0);
  });

  test("fromFile requests nothing for evaluations of a live analysis, and keeps them", async () => {
    const path = load("h8", "i9");
    path.forEach((node, index) => { node.evaluation = { text: `e${index}`, live: index === 1 }; });
    await review.fromFile();
    assert.equal(engine.asked.length, 0);
    assert.deepEqual(path.map((node) => node.evaluation.text), ["e0", "e1", "e2"]);
  });

  test("fromFile requests nothing for a game without moves", async () => {
    load();
    await review.fromFile();
    assert.equal(engine.asked.length, 0);
  });

  test("run sends the evaluations after the last pass", async () => {
    const path = load("h8", null, "j8");
    path.forEach((node, index) => { node.evaluation = { text: `e${index}` }; });
    review.run(null);
    await settle();
    assert.deepEqual(engine.last.question.evaluations, ["e2", "e3"]);
  });
});

describe("mistakes", () => {
  test("worst sorts the mistakes of a colour by loss", async () => {
    load("h8", "i9", "j8", "k9", "l8");
    await reviewed("?", "??", "??", "!", "!");
    assert.deepEqual(review.worst("black").map((move) => move.number), [3, 1]);
    assert.deepEqual(review.worst("white").map((move) => move.number), [2]);
  });

  test("worst is empty without a review", () => assert.deepEqual(review.worst("black"), []));

  test("toMistake goes to the positions before mistakes, not beyond", async () => {
    const path = load("h8", "i9", "j8", "k9");
    await reviewed("!", "?", "!", "??");
    session.goTo(path[0]);
    assert.equal(review.toMistake(1), true);
    assert.equal(session.node, path[1]);
    assert.equal(review.toMistake(1), true);
    assert.equal(session.node, path[3]);
    assert.equal(review.toMistake(1), false);
    assert.equal(session.node, path[3]);
    assert.equal(review.toMistake(-1), true);
    assert.equal(session.node, path[1]);
    assert.equal(review.toMistake(-1), false);
  });
});

describe("guessing", () => {
  test("submitGuess accepts one guess for each position", async () => {
    const path = load("h8", "i9");
    await reviewed("!", "?");
    review.guessing = true;
    session.goTo(path[1]);
    assert.equal(review.isHidden, true);
    assert.equal(review.submitGuess("a1"), true);
    assert.equal(review.guess, "a1");
    assert.equal(review.isHidden, false);
    assert.equal(review.submitGuess("b1"), false);
    session.goTo(path[0]);
    assert.equal(review.guess, null);
  });

  test("submitGuess refuses without guessing or without a next move", async () => {
    const path = load("h8");
    await reviewed("!");
    session.goTo(path[0]);
    assert.equal(review.submitGuess("a1"), false);
    review.guessing = true;
    session.goTo(path[1]);
    assert.equal(review.submitGuess("a1"), false);
  });
});
