import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { Clock } from "../page/clock.js";
import { Opening } from "../page/opening.js";
import { Play } from "../page/play.js";
import { Session } from "../page/session.js";
import { Settings } from "../page/settings.js";
import { FakeEngine, FakeTime, addressBar, cells, cookieJar, serverError, settle, withGlobals } from "./support.js";

let time;
let engine;
let session;
let settings;
let clock;
let play;
let said;

beforeEach(async (t) => {
  time = new FakeTime().install(t);
  withGlobals(t, { ...addressBar(), document: cookieJar() });
  engine = new FakeEngine();
  session = new Session(engine, { rule: "freestyle", width: 15, height: 15 });
  settings = new Settings();
  clock = new Clock();
  said = [];
  play = new Play({ session, engine, settings, clock, notify: (text) => said.push(text) });
  session.refreshFacts();
  await settle();
});

/** Lets the engine play this move; `time` passes until its stone is placed. */
async function reply(move) {
  engine.last.resolve({ move });
  await settle();
  time.pass(1000);
  await settle();
}

async function place(at) {
  const isPlaced = play.place(at);
  await settle();
  return isPlaced;
}

const moves = () => cells(session.game.path().slice(1));

describe("against the engine", () => {
  test("place, a person's move, the engine is asked for the answer and plays it", async () => {
    settings.set("moveTime", 3);
    assert.equal(await place("h8"), true);
    assert.equal(engine.last.kind, "think");
    assert.deepEqual(engine.last.question, { position: session.game.position(), player: "level:regular", time_ms: 3000 });
    await reply("i9");
    assert.deepEqual(moves(), ["h8", "i9"]);
  });

  test("place, the engine's turn, refused", async () => {
    await place("h8");
    assert.equal(await place("a1"), false);
    assert.deepEqual(moves(), ["h8"]);
  });

  test("place, thinking times, kept with the moves", async () => {
    time.pass(1500);
    await place("h8");
    time.pass(700);
    await reply("i9");
    const [, h8, i9] = session.game.path();
    assert.deepEqual([h8.timeMs, i9.timeMs], [1500, 700]);
  });

  test("undo, after the answer, both moves are taken back and the person is to move", async () => {
    await place("h8");
    await reply("i9");
    play.undo();
    await settle();
    assert.deepEqual(moves(), []);
    assert.equal(play.isPaused, false);
    play.redo();
    await settle();
    assert.deepEqual(moves(), ["h8", "i9"]);
  });

  test("undo, while the engine thinks, its answer is not played", async () => {
    await place("h8");
    const { resolve } = engine.last;
    play.undo();
    resolve({ move: "i9" });
    await settle();
    time.pass(1000);
    await settle();
    assert.deepEqual(moves(), []);
  });

  test("jumped, to a position of the engine, it waits until it is told to go", async () => {
    await place("h8");
    await reply("i9");
    session.back();
    play.jumped();
    await settle();
    assert.equal(play.isPaused, true);
    const asked = engine.asked.length;
    play.go();
    await settle();
    assert.equal(engine.asked.length, asked + 1);
  });

  test("swap, before the first move, the engine begins", async () => {
    play.swap();
    await settle();
    assert.equal(play.seat("white"), "me");
    assert.equal(engine.last.question.player, "level:regular");
  });

  test("go, the engine thinks already, it answers with what it has", async () => {
    await place("h8");
    play.go();
    assert.deepEqual(engine.calls, ["hurry"]);
  });

  test("go, a person is to move, one move at the opponent's level", async () => {
    play.go();
    await settle();
    assert.equal(engine.last.question.player, "level:regular");
    engine.last.resolve({ move: "h8" });
    await settle();
    assert.deepEqual(moves(), ["h8"]);
  });

  test("refused, the game pauses and says why", async () => {
    await place("h8");
    engine.last.reject(serverError("no such level"));
    await settle();
    assert.equal(play.isPaused, true);
    assert.deepEqual(said, ["no such level"]);
  });

  test("resign, against the engine, the person loses even on the engine's turn", async () => {
    await place("h8");
    play.resign();
    assert.deepEqual(session.verdict, { winner: "white", reason: "resignation" });
  });
});

describe("by the clock", () => {
  /** A game with ten seconds and one for each move, between people unless `white` says otherwise. */
  async function start(white = "me") {
    settings.set("white", white);
    settings.set("clock", true);
    settings.set("clockMinutes", 10 / 60);
    settings.set("clockIncrement", 1);
    play.begin();
    await settle();
  }

  test("place, the first move, costs no time", async () => {
    await start();
    time.pass(5000);
    await place("h8");
    assert.equal(clock.left("black"), 10000);
    assert.equal(clock.running, "white");
  });

  test("place, a later move, costs its time and gets the increment", async () => {
    await start();
    await place("h8");
    time.pass(3000);
    await place("i9");
    assert.equal(clock.left("white"), 8000);
    assert.equal(clock.running, "black");
  });

  test("place, too long, the flag falls and the game is over", async () => {
    await start();
    await place("h8");
    time.pass(10100);
    assert.deepEqual(session.verdict, { winner: "black", reason: "timeout" });
    assert.equal(clock.running, null);
  });

  test("place, after the time while the ticks are late, the move does not count", async () => {
    await start();
    await place("h8");
    time.passSilently(10001);
    assert.equal(await place("i9"), true);
    assert.deepEqual(moves(), ["h8"]);
    assert.deepEqual(session.verdict, { winner: "black", reason: "timeout" });
  });

  test("think, the engine's time and increment are told, the pause before its stone is free", async () => {
    await start("level:full");
    await place("h8");
    assert.equal(engine.last.question.left_ms, 10000);
    assert.equal(engine.last.question.increment_ms, 1000);
    time.pass(100);
    await reply("i9");
    assert.deepEqual(moves(), ["h8", "i9"]);
    assert.equal(clock.left("white"), 10900);
  });

  test("think, the engine answers after its time while the ticks are late, it loses", async () => {
    await start("level:full");
    await place("h8");
    time.passSilently(10001);
    await reply("i9");
    assert.deepEqual(moves(), ["h8"]);
    assert.deepEqual(session.verdict, { winner: "black", reason: "timeout" });
  });

  test("enabled, another panel, the clock stands still", async () => {
    await start();
    await place("h8");
    play.enabled = false;
    time.pass(5000);
    assert.equal(clock.left("white"), 10000);
    play.enabled = true;
    time.pass(1000);
    assert.equal(clock.left("white"), 9000);
  });

  test("load, another game, no clock", async () => {
    await start();
    session.load(session.game);
    assert.equal(clock.enabled, false);
  });
});

describe("with a teacher", () => {
  /** Plays h8 and answers the teacher's questions with these win rates. */
  async function teach(bestRate, replyRate, best = "a1") {
    const lessons = [];
    play.addEventListener("teach", (event) => lessons.push(event.detail));
    settings.set("teaching", true);
    await place("h8");
    engine.last.resolve({ lines: [{ moves: [best], rate: bestRate }] });
    await settle();
    engine.last.resolve({ lines: [{ moves: ["i9"], rate: replyRate }] });
    await settle();
    return lessons;
  }

  test("place, a move that gives much away, a lesson and nobody answers yet", async () => {
    const [lesson] = await teach(0.6, 0.7);
    assert.equal(lesson.loss.toFixed(2), "0.30");
    assert.equal(play.isPaused, true);
    assert.equal(engine.busy, null);
  });

  test("place, a move that gives little away, the engine answers", async () => {
    assert.deepEqual(await teach(0.6, 0.45), []);
    assert.equal(engine.last.kind, "think");
  });

  test("place, the teacher's own best move, no lesson whatever it gives away", async () => {
    assert.deepEqual(await teach(0.6, 0.9, "h8"), []);
  });
});

describe("openings", () => {
  let opening;
  let states;

  beforeEach(() => {
    opening = new Opening({ session, engine, settings, notify: (text) => said.push(text) });
    play.opening = opening;
    states = [];
    engine.opening = async (told) => {
      const state = states.shift();
      engine.calls.push(told.answers.join(" "));
      if (state instanceof Error) throw state;
      return { offers: [], allowed: [], question: null, black: "first", ...state };
    };
  });

  test("begin, a person is asked, waits for the answer and the engine does not move", async () => {
    states = [{ moves: [], asked: "first" }];
    await opening.begin("swap2");
    assert.equal(opening.asksPerson, true);
    assert.equal(play.awaitsEngine, false);
    assert.equal(engine.asked.length, 0);
  });

  test("answer, the engine is asked next, its stones and answers follow", async () => {
    states = [{ moves: [], asked: "first" }, { moves: ["h8"], asked: "second" }, { moves: ["h8", "i9"], asked: "first" }];
    await opening.begin("swap2");
    opening.answer("h8");
    await settle();
    assert.equal(engine.last.kind, "opening-answer");
    assert.equal(play.awaitsEngine, true);
    engine.last.resolve({ answers: ["i9"] });
    await settle();
    assert.deepEqual(moves(), ["h8", "i9"]);
    assert.deepEqual(engine.calls, ["", "h8", "h8 i9"]);
    assert.equal(opening.asksPerson, true);
  });

  test("answer, refused, says why and the answer was never given", async () => {
    states = [{ moves: [], asked: "first" }, serverError("outside the zone"), { moves: ["h8"], asked: "first" }];
    await opening.begin("swap2");
    await opening.answer("a1");
    assert.deepEqual(said, ["outside the zone"]);
    await opening.answer("h8");
    assert.equal(engine.calls.at(-1), "h8");
  });

  test("end, colours were swapped, the players change seats", async () => {
    states = [{ moves: [], asked: "first" }, { moves: ["h8"], asked: null, black: "second" }];
    await opening.begin("swap2");
    await opening.answer("swap");
    assert.equal(opening.isActive, false);
    assert.deepEqual([play.seat("black"), play.seat("white")], ["level:regular", "me"]);
    assert.equal(session.game.opening, 1);
  });

  test("load, another game, the opening is over", async () => {
    states = [{ moves: [], asked: "first" }];
    await opening.begin("swap2");
    session.load(session.game);
    assert.equal(opening.isActive, false);
  });
});
