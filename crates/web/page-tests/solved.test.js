import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { Clock } from "../page/clock.js";
import { Play } from "../page/play.js";
import { pack, unpack } from "../page/saved-game.js";
import { Session } from "../page/session.js";
import { Settings } from "../page/settings.js";
import { SolvedGame } from "../page/solved.js";
import { FakeEngine, FakeTime, addressBar, cells, cookieJar, newGame, openFacts, settle, withGlobals } from "./support.js";

let time;
let engine;
let session;
let settings;
let solved;
let play;

const PROVED = { winner: "black", best: null, losing: [] };
const WHOLE = { rule: "freestyle", width: 15, height: 15, opening: ["h8"] };
const LATER = { rule: "standard", width: 15, height: 15, opening: ["h8", "h9", "i9"] };

beforeEach(async (t) => {
  time = new FakeTime().install(t);
  withGlobals(t, { ...addressBar(), document: cookieJar() });
  engine = new FakeEngine();
  engine.facts = () => ({ ...openFacts(), proved: null });
  settings = new Settings();
  session = new Session(engine, { rule: "freestyle", width: 15, height: 15 });
  solved = new SolvedGame({ session, engine, settings, proofs: [WHOLE, LATER] });
  play = new Play({ session, engine, settings, clock: new Clock(), notify: () => {}, solved });
  begin();
  await settle();
});

function begin(proof = WHOLE) {
  const game = solved.begin(proof);
  session.load(game, game.node);
  play.begin();
}

/** Plays a move of the person and the answer. The last answer makes five. */
async function exchange(at, answer, { wins = false, isLast = false } = {}) {
  play.place(at);
  await settle();
  if (isLast) engine.facts = () => ({ ...openFacts(), state: "five", winner: "black" });
  engine.last.resolve({ move: answer, wins });
  await settle();
  time.pass(1000);
  await settle();
}

describe("the game that is solved", () => {
  test("the proof answers for black", async () => {
    settings.set("clock", true);
    settings.set("teaching", true);
    begin();
    await settle();
    assert.deepEqual(cells(session.game.path().slice(1)), ["h8"]);
    assert.deepEqual([play.seat("black"), play.seat("white")], ["proof", "me"]);
    play.place("a1");
    await settle();
    assert.deepEqual(engine.asked.map(({ kind }) => kind), ["think"]);
    const { player, proved, left_ms } = engine.last.question;
    assert.deepEqual([player, proved, left_ms], ["level:full", true, undefined]);
    assert.deepEqual([...engine.wantedProofs], ["freestyle"]);
  });

  test("all facts are requested again when the engine knows more", async () => {
    const known = engine.looked.length;
    session.lookAgain();
    await settle();
    assert.equal(engine.looked.length, known + 1);
    session.back();
    await settle();
    assert.equal(engine.looked.length, known + 2);
  });

  test("another game has the players of the settings", () => {
    session.load(newGame());
    assert.equal(solved.isOn, false);
    assert.equal(play.seat("white"), settings.get("white"));
  });

  test("the opening is not taken back", async () => {
    for (const proof of [WHOLE, LATER]) {
      begin(proof);
      await settle();
      const { length } = proof.opening;
      play.undo();
      assert.equal(session.node.depth, length);
      await exchange("a1", "j10");
      play.undo();
      assert.equal(session.node.depth, length);
    }
  });

  test("each proof has its rule, its opening and its record", async () => {
    await exchange("a1", "j10");
    await exchange("c1", "k11", { isLast: true });
    engine.facts = () => openFacts();
    assert.deepEqual([solved.recordOf(WHOLE), solved.recordOf(LATER)], [2, 0]);
    begin(LATER);
    await settle();
    assert.deepEqual([session.game.rule, solved.proof, solved.record], ["standard", LATER, 0]);
    assert.deepEqual(cells(session.game.path().slice(1)), LATER.opening);
    assert.deepEqual([...engine.wantedProofs], ["freestyle", "standard"]);
    await exchange("a1", "j10", { isLast: true });
    assert.deepEqual([solved.moves, solved.isRecord], [1, true]);
    assert.deepEqual([solved.recordOf(WHOLE), solved.recordOf(LATER)], [2, 1]);
    // An opening that was proved later has a record of its own.
    assert.equal(solved.recordOf({ ...LATER, opening: ["h8"] }), 0);
  });

  test("records of other tabs stay", async () => {
    const otherTab = new Settings();
    otherTab.set("solvedRecords", { "freestyle 15x15 h8": 1, "standard 15x15 h8 h9 i9": 30 });
    await exchange("a1", "j10");
    await exchange("c1", "k11", { isLast: true });
    assert.deepEqual([solved.recordOf(WHOLE), solved.recordOf(LATER)], [2, 30]);
    otherTab.set("solvedRecords", { ...otherTab.solvedRecords, "freestyle 15x15 h8": 40 });
    engine.facts = () => openFacts();
    begin();
    await settle();
    await exchange("a1", "j10");
    await exchange("c1", "k11");
    await exchange("e1", "l12", { isLast: true });
    assert.deepEqual([solved.isRecord, solved.record], [false, 40]);
  });

  test("replies to a proved position are proved, moves of black are not", async () => {
    const { node } = session;
    assert.equal(solved.isWon(node), false);
    node.facts.proved = { winner: null, best: null, losing: ["a1"] };
    assert.deepEqual([solved.loses(node, "a1"), solved.loses(node, "b1")], [true, false]);
    engine.facts = () => ({ ...openFacts(), proved: PROVED });
    await exchange("a1", "j10");
    engine.facts = () => openFacts();
    const quiet = session.node;
    assert.equal(solved.isWon(quiet), true);
    await exchange("c1", "d1");
    assert.equal(solved.isWon(session.node.parent), true);
    assert.equal(solved.isWon(session.node), false);
    assert.equal(solved.loses(quiet, "o15"), true);
  });

  test("a win that the search announces is proved, also after a reload", async () => {
    await exchange("a1", "j10", { wins: true });
    assert.equal(solved.isWon(session.node), true);
    const kept = JSON.parse(JSON.stringify({ ...pack(session.game), solved: solved.ongoing(session.game) }));
    const game = unpack(kept);
    solved.continue(game, kept.solved);
    session.load(game, game.node);
    assert.equal(solved.isOn, true);
    assert.deepEqual(solved.proof, WHOLE);
    assert.equal(solved.isWon(session.node), true);
    assert.equal(solved.isWon(session.node.parent), false);
  });

  test("the end counts moves and sets the record", async () => {
    await exchange("a1", "j10");
    await exchange("c1", "k11", { isLast: true });
    assert.deepEqual([solved.moves, solved.record, solved.isRecord], [2, 2, true]);
    engine.facts = () => openFacts();
    begin();
    await settle();
    await exchange("a1", "j10", { isLast: true });
    assert.deepEqual([solved.moves, solved.record, solved.isRecord], [1, 2, false]);
  });

  test("help and moves taken back do not count", async () => {
    solved.isRecord = true;
    await exchange("a1", "j10");
    play.undo();
    await settle();
    await exchange("c1", "k11", { isLast: true });
    assert.deepEqual([solved.isClean, solved.record, solved.isRecord], [false, 0, false]);
    engine.facts = () => openFacts();
    begin();
    await settle();
    engine.analyse({});
    engine.cancel();
    await exchange("a1", "j10", { isLast: true });
    assert.deepEqual([solved.isClean, solved.record], [false, 0]);
  });
});
