import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { Opening } from "../page/opening.js";
import { openPlay } from "./play-support.js";
import { cells, newGame, serverError, settle } from "./support.js";

let engine;
let session;
let settings;
let play;
let said;

beforeEach(async (t) => {
  said = [];
  ({ engine, session, settings, play } = await openPlay(t, (text) => said.push(text)));
});

const moves = () => cells(session.game.path().slice(1));

describe("openings", () => {
  let opening;
  let states;

  beforeEach(() => {
    opening = new Opening({ session, engine, settings, notify: (text) => said.push(text) });
    play.opening = opening;
    states = [];
    engine.opening = async (request) => {
      const state = states.shift();
      engine.calls.push(request.answers.join(" "));
      if (state instanceof Error) throw state;
      return { offers: [], allowed: [], question: null, black: "first", ...state };
    };
  });

  test("begin waits for a person's answer", async () => {
    states = [{ moves: [], asked: "first" }];
    await opening.begin("swap2");
    assert.equal(opening.asksPerson, true);
    assert.equal(play.awaitsEngine, false);
    assert.equal(engine.asked.length, 0);
  });

  test("the engine answers the next question", async () => {
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

  test("said tells two more stones from an offer of fifth moves", async () => {
    for (const [rule, expected] of [["swap2", "extend"], ["taraguchi-10", "offer"]]) {
      states = [{ moves: [], asked: "second" }, { moves: [], asked: "first" }];
      const details = [];
      opening.addEventListener("said", ({ detail }) => details.push(detail));
      opening.begin(rule);
      await settle();
      engine.last.resolve({ answers: ["extend"] });
      await settle();
      assert.equal(details[0], expected);
    }
  });

  test("a refused answer does not count and shows a message", async () => {
    states = [{ moves: [], asked: "first" }, serverError("outside the zone"), { moves: ["h8"], asked: "first" }];
    await opening.begin("swap2");
    await opening.answer("a1");
    assert.deepEqual(said, ["outside the zone"]);
    await opening.answer("h8");
    assert.equal(engine.calls.at(-1), "h8");
  });

  test("the end of the opening applies a swap of colours", async () => {
    states = [{ moves: [], asked: "first" }, { moves: ["h8"], asked: null, black: "second" }];
    await opening.begin("swap2");
    await opening.answer("swap");
    assert.equal(opening.isActive, false);
    assert.deepEqual([play.seat("black"), play.seat("white")], ["level:beginner", "me"]);
    assert.equal(session.game.opening, 1);
  });

  test("another game ends the opening, which continues when its game is back", async () => {
    states = [{ moves: [], asked: "first" }, { moves: ["h8"], asked: "second" }, { moves: ["h8"], asked: "second" }];
    await opening.begin("swap2");
    opening.answer("h8");
    await settle();
    const { game, node } = session;
    const before = engine.last;
    session.load(newGame());
    assert.equal(opening.isActive, false);
    assert.deepEqual(opening.ongoingIn(game).request.answers, ["h8"]);
    assert.equal(opening.ongoingIn(session.game), null);
    session.load(game, node);
    await settle();
    assert.deepEqual([opening.name, opening.state.asked, engine.calls.at(-1)], ["swap2", "second", "h8"]);
    // The answer to the question from before is late.
    before.resolve({ answers: ["i9"] });
    await settle();
    assert.equal(engine.calls.at(-1), "h8");
  });
});
