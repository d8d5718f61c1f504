import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { openPlay } from "./play-support.js";
import { cells, newGame, openFacts, serverError, settle } from "./support.js";

let time;
let engine;
let session;
let settings;
let clock;
let play;
let reply;
let said;

beforeEach(async (t) => {
  said = [];
  ({ time, engine, session, settings, clock, play, reply } = await openPlay(t, (text) => said.push(text)));
});

async function place(at) {
  const isPlaced = play.place(at);
  await settle();
  return isPlaced;
}

const moves = () => cells(session.game.path().slice(1));

describe("endings and accidents", () => {
  test("two passes in a row end the game as a draw", async () => {
    settings.set("white", "me");
    await place("h8");
    await place(null);
    assert.equal(session.isOver, false);
    await place(null);
    assert.deepEqual(session.verdict, { winner: null, reason: "passes" });
    assert.deepEqual([session.game.result, session.game.reason], ["draw", "passes"]);
  });

  test("a refused reply is tried again when an engine is free", async () => {
    await place("h8");
    const refusal = serverError("4 boards are searching already");
    refusal.isBusy = true;
    engine.last.reject(refusal);
    await settle();
    assert.equal(play.isPaused, false);
    time.pass(1100);
    assert.equal(engine.asked.length, 2);
    await reply("i9");
    assert.deepEqual(moves(), ["h8", "i9"]);
  });
});

describe("against the engine", () => {
  test("place plays a person's move and the engine replies", async () => {
    settings.set("moveTime", 3);
    assert.equal(await place("h8"), true);
    assert.equal(engine.last.kind, "think");
    assert.deepEqual(engine.last.question, { position: session.game.position(), player: "level:beginner", time_ms: 3000 });
    await reply("i9");
    assert.deepEqual(moves(), ["h8", "i9"]);
  });

  test("place is refused on the engine's turn", async () => {
    await place("h8");
    assert.equal(await place("a1"), false);
    assert.deepEqual(moves(), ["h8"]);
  });

  test("place is refused while the engine waits for go", async () => {
    settings.set("black", "level:beginner");
    settings.set("white", "me");
    play.go();
    await reply("h8");
    play.undo();
    await settle();
    assert.equal(play.waitsForGo, true);
    assert.equal(await place("a1"), false);
    assert.deepEqual(moves(), []);
  });

  test("place stores thinking times with the moves", async () => {
    time.pass(1500);
    await place("h8");
    time.pass(700);
    await reply("i9");
    const [, h8, i9] = session.game.path();
    assert.deepEqual([h8.timeMs, i9.timeMs], [1500, 700]);
  });

  test("undo takes back the reply and the person's move", async () => {
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

  test("undo and redo go one move in other panels", async () => {
    await place("h8");
    await reply("i9");
    play.enabled = false;
    play.undo();
    await settle();
    assert.deepEqual(moves(), ["h8"]);
    play.undo();
    play.redo();
    await settle();
    assert.deepEqual(moves(), ["h8"]);
  });

  test("moves after undo become the main line of a game, others become variations", async () => {
    play.isGame = true;
    await place("h8");
    await reply("i9");
    play.undo();
    await settle();
    await place("g7");
    await reply("g8");
    const line = () => cells(session.game.continuation(session.game.root));
    assert.deepEqual(line(), ["g7", "g8"]);
    assert.deepEqual(cells(session.game.root.children), ["g7", "h8"]);
    // A game of a file keeps its main line.
    play.isGame = false;
    play.undo();
    await settle();
    await place("a1");
    assert.deepEqual(line(), ["g7", "g8"]);
  });

  test("undo during a search discards its move", async () => {
    await place("h8");
    const { resolve } = engine.last;
    play.undo();
    resolve({ move: "i9" });
    await settle();
    time.pass(1000);
    await settle();
    assert.deepEqual(moves(), []);
  });

  test("after a jump the engine waits for go", async () => {
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

  test("swap before the first move lets the engine begin", async () => {
    play.swap();
    await settle();
    assert.equal(play.seat("white"), "me");
    assert.equal(engine.last.question.player, "level:beginner");
  });

  test("go ends a running search with its best move", async () => {
    await place("h8");
    play.go();
    assert.deepEqual(engine.calls, ["finishSearch"]);
  });

  test("go makes one move for a person at the opponent's level", async () => {
    play.go();
    await settle();
    assert.equal(engine.last.question.player, "level:beginner");
    engine.last.resolve({ move: "h8" });
    await settle();
    assert.deepEqual(moves(), ["h8"]);
  });

  test("a refused request pauses the game with a message", async () => {
    await place("h8");
    engine.last.reject(serverError("no such level"));
    await settle();
    assert.equal(play.isPaused, true);
    assert.deepEqual(said, ["no such level"]);
  });

  test("resign is the person's loss, also on the engine's turn", async () => {
    await place("h8");
    play.resign();
    assert.deepEqual(session.verdict, { winner: "white", reason: "resignation" });
  });
});

describe("by the clock", () => {
  /** A game with ten seconds and one for each move, between persons unless `white` is given. */
  async function start(white = "me") {
    settings.set("white", white);
    settings.set("clock", true);
    settings.set("clockMinutes", 10 / 60);
    settings.set("clockIncrement", 1);
    play.begin();
    await settle();
  }

  test("the first move costs no time", async () => {
    await start();
    time.pass(5000);
    await place("h8");
    assert.equal(clock.left("black"), 10000);
    assert.equal(clock.running, "white");
  });

  test("a later move costs its time and earns the increment", async () => {
    await start();
    await place("h8");
    time.pass(3000);
    await place("i9");
    assert.equal(clock.left("white"), 8000);
    assert.equal(clock.running, "black");
  });

  test("the flag ends the game when a person takes too long", async () => {
    await start();
    await place("h8");
    time.pass(10100);
    assert.deepEqual(session.verdict, { winner: "black", reason: "timeout" });
    assert.equal(clock.running, null);
  });

  test("a move after the time does not count when ticks are late", async () => {
    await start();
    await place("h8");
    time.passSilently(10001);
    assert.equal(await place("i9"), true);
    assert.deepEqual(moves(), ["h8"]);
    assert.deepEqual(session.verdict, { winner: "black", reason: "timeout" });
  });

  test("think sends time and increment; the delay before the stone is not charged", async () => {
    await start("level:full");
    await place("h8");
    assert.equal(engine.last.question.left_ms, 10000);
    assert.equal(engine.last.question.increment_ms, 1000);
    time.pass(100);
    await reply("i9");
    assert.deepEqual(moves(), ["h8", "i9"]);
    assert.equal(clock.left("white"), 10900);
  });

  test("the engine loses when it answers after its time and ticks are late", async () => {
    await start("level:full");
    await place("h8");
    time.passSilently(10001);
    await reply("i9");
    assert.deepEqual(moves(), ["h8"]);
    assert.deepEqual(session.verdict, { winner: "black", reason: "timeout" });
  });

  test("undo after a loss on time gives the time of the position, also after a reload", async () => {
    await start();
    await place("h8");
    time.pass(3000);
    await place("i9");
    const earlier = play.timesAt(session.game);
    time.pass(20000);
    assert.deepEqual(session.verdict, { winner: "white", reason: "timeout" });
    play.setTimesAt(session.game, JSON.parse(JSON.stringify(earlier)));
    play.undo();
    assert.equal(clock.left("white"), 10000);
    await place("j9");
    time.pass(500);
    assert.equal(session.isOver, false);
  });

  test("an earlier position after a loss on time has its times", async () => {
    await start();
    await place("h8");
    await place("i9");
    time.pass(20000);
    session.back();
    play.jumped();
    time.pass(500);
    assert.equal(session.isOver, false);
    assert.deepEqual([clock.left("black"), clock.left("white")], [10000, 9500]);
  });

  /** Plays h8, i9 and j9, which wins. */
  async function win() {
    await start();
    play.isGame = true;
    engine.facts = ({ moves: { length } }) => (length === 3 ? { ...openFacts(), state: "five", winner: "black" } : openFacts());
    for (const at of ["h8", "i9", "j9"]) await place(at);
    assert.equal(session.isOver, true);
  }

  test("looking back at a won game starts no clock and ends nothing", async () => {
    await win();
    session.back(2);
    play.jumped();
    await settle();
    time.pass(20000);
    play.resign();
    const { game } = session;
    assert.deepEqual([session.verdict, game.ended, cells(game.continuation(game.root))], [null, null, ["h8", "i9", "j9"]]);
    // Another move continues the game.
    await place("a1");
    assert.equal(clock.running, session.side);
  });

  /** Waits for the flag, after which the main line still has its three moves. */
  async function flagKeepsMoves() {
    await settle();
    time.pass(20000);
    const { game } = session;
    assert.deepEqual([session.verdict.reason, cells(game.continuation(game.root))], ["timeout", ["h8", "i9", "j9"]]);
  }

  test("a won game keeps its moves when it is lost after undo", async () => {
    await win();
    play.undo();
    await flagKeepsMoves();
  });

  test("a flag while looking back at an unfinished game removes no moves", async () => {
    await start();
    play.isGame = true;
    for (const at of ["h8", "i9", "j9"]) await place(at);
    session.back(2);
    play.jumped();
    await flagKeepsMoves();
  });

  test("restore after undo and a loss on time gives the moves and the time back", async () => {
    await start();
    play.isGame = true;
    for (const at of ["h8", "i9", "j9"]) await place(at);
    play.undo();
    await settle();
    time.pass(20000);
    const { game } = session;
    assert.deepEqual([game.result, cells(game.continuation(game.root))], ["white", ["h8", "i9"]]);
    session.restore();
    time.pass(500);
    assert.deepEqual([session.isOver, game.result, cells(game.continuation(game.root))], [false, null, ["h8", "i9", "j9"]]);
    assert.equal(clock.left("black"), 9500);
  });

  test("another panel stops the clock", async () => {
    await start();
    await place("h8");
    play.enabled = false;
    time.pass(5000);
    assert.equal(clock.left("white"), 10000);
    play.enabled = true;
    time.pass(1000);
    assert.equal(clock.left("white"), 9000);
  });

  test("another game has no clock, and a game that is back has its own", async () => {
    await start();
    await place("h8");
    await place("i9");
    time.pass(3000);
    const { game, node } = session;
    session.load(newGame());
    assert.equal(clock.enabled, false);
    time.pass(3000);
    assert.deepEqual(play.stateOf(game).clock, { times: { black: 7000, white: 11000 }, increment: 1000 });
    session.load(game, node);
    assert.deepEqual([clock.left("black"), clock.increment], [7000, 1000]);
    play.undo();
    assert.equal(clock.left("white"), 10000);
  });

  test("a new game starts with full clocks, and the times of the game before stay", async () => {
    await start();
    await place("h8");
    const { game } = session;
    time.pass(3000);
    session.load(newGame());
    play.begin();
    assert.equal(clock.left("white"), 10000);
    assert.deepEqual(play.timesAt(game).map(({ white }) => white), [10000, 10000]);
  });
});

describe("another game", () => {
  test("a game that is back has its players and its pause", async () => {
    await place("h8");
    play.pause();
    const { game, node } = session;
    session.load(newGame());
    settings.set("black", "level:club");
    settings.set("white", "me");
    play.begin();
    assert.deepEqual(play.stateOf(game), { seats: { black: "me", white: "level:beginner" }, isPaused: true, clock: null });
    session.load(game, node);
    await settle();
    assert.deepEqual([play.seat("black"), play.seat("white"), play.isPaused], ["me", "level:beginner", true]);
  });

  test("restore continues a saved game with its players, and waits if it waited", async () => {
    const saved = JSON.parse(JSON.stringify({ ...play.stateOf(session.game), isPaused: true }));
    settings.set("black", "level:club");
    settings.set("clock", true);
    session.load(newGame());
    play.restore(saved);
    await settle();
    assert.deepEqual([play.seat("black"), play.isPaused, clock.enabled], ["me", true, false]);
  });
});

describe("in the time of the person", () => {
  const pondered = () => engine.calls.filter((call) => call.startsWith("ponder"));

  async function start(opponent) {
    settings.set("white", opponent);
    play.begin();
    await place("h8");
    await reply("i9");
  }

  test("the engine ponders at full strength where it is wanted", async () => {
    settings.set("ponder", true);
    await start("level:full");
    assert.deepEqual(pondered(), ["ponder h8 i9"]);
    play.enabled = false;
    assert.equal(engine.calls.at(-1), "stopPondering");
  });

  test("it does not by default, and levels never do", async () => {
    await start("level:full");
    settings.set("ponder", true);
    session.load(session.game);
    await settle();
    await start("level:club");
    assert.deepEqual(pondered(), []);
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

  test("a mistake causes a lesson before the reply", async () => {
    const [lesson] = await teach(0.6, 0.7);
    assert.equal(lesson.loss.toFixed(2), "0.30");
    assert.equal(play.isPaused, true);
    assert.equal(engine.busy, null);
  });

  test("a small loss causes no lesson", async () => {
    assert.deepEqual(await teach(0.6, 0.45), []);
    assert.equal(engine.last.kind, "think");
  });

  test("the teacher's own best move causes no lesson", async () => {
    assert.deepEqual(await teach(0.6, 0.9, "h8"), []);
  });

  /** Whether the teacher's check has no consequences any more. */
  async function isForgotten(count) {
    for (const { resolve } of engine.asked) resolve({ lines: [{ moves: ["a1"], rate: 0.9 }] });
    await settle();
    return !play.isTeaching && !play.isPaused && !play.asksAboutMistake && engine.asked.length === count;
  }

  for (const [what, change] of [["swap", () => play.swap()], ["a person as opponent", () => play.setSeat("white", "me")]]) {
    test(`${what} ends the check, and the person moves`, async () => {
      settings.set("teaching", true);
      await place("h8");
      assert.equal(play.isTeaching, true);
      change();
      await settle();
      assert.equal(await isForgotten(1), true);
      assert.deepEqual(moves(), ["h8"]);
    });
  }

  test("go ends the check and starts the reply", async () => {
    settings.set("teaching", true);
    await place("h8");
    play.go();
    await settle();
    assert.deepEqual(engine.asked.map(({ kind }) => kind), ["analyse", "think"]);
    assert.equal(await isForgotten(2), true);
    assert.equal(engine.calls.includes("finishSearch"), false);
  });

  test("back and forward end the check", async () => {
    settings.set("teaching", true);
    await place("h8");
    for (const go of [() => session.back(), () => session.forward()]) {
      go();
      play.jumped();
    }
    const { length } = engine.asked;
    for (const { resolve } of engine.asked) resolve({ lines: [{ moves: ["a1"], rate: 0.5 }] });
    await settle();
    assert.deepEqual([play.isPaused, engine.asked.length], [true, length]);
  });
});
