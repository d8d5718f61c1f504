import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { Session } from "../page/session.js";
import {
  FakeElement, FakeEngine, TERMS, addMoves, addressBar, deferred, fakeDocument, newGame, openFacts, serverError, settle, withGlobals,
} from "./support.js";

/** The element with every id, and the listeners of the document. */
let element;
let listeners;

beforeEach((t) => {
  element = Object.assign(new FakeElement("div"), { style: {}, hidden: true });
  listeners = {};
  class Field {}
  withGlobals(t, {
    ...addressBar(), HTMLInputElement: Field, HTMLTextAreaElement: Field, HTMLSelectElement: Field,
    document: {
      ...fakeDocument(), activeElement: null, getElementById: () => element, querySelectorAll: () => [],
      addEventListener: (kind, listener) => {
        listeners[kind] = listener;
      },
    },
  });
});

describe("keys", () => {
  test("a key that answers a dialog does not act on the page", async () => {
    const [{ press }, { listenToKeys }] = await Promise.all([import("../page/dialogs.js"), import("../page/keys.js")]);
    const pressed = [];
    const actions = new Proxy({}, { get: (_, name) => () => pressed.push(name) });
    listenToKeys(actions, { cursor: null }, { get: () => true });
    const answer = { dataset: { key: "c" }, checkVisibility: () => true, click: () => pressed.push("answer") };
    for (const key of ["c", "l"]) {
      const event = {
        key, target: null, defaultPrevented: false,
        preventDefault() {
          this.defaultPrevented = true;
        },
      };
      press({ querySelectorAll: () => [answer] }, event);
      listeners.keydown(event);
    }
    assert.deepEqual(pressed, ["answer", "numbers"]);
  });
});

describe("actions", () => {
  test("a puzzle is not changed by moves of a game", async () => {
    const { createActions } = await import("../page/actions.js");
    const called = [];
    const modes = Object.assign(new EventTarget(), { current: "puzzles" });
    const play = Object.fromEntries(["go", "swap", "place", "resign"].map((name) => [name, () => called.push(name)]));
    const session = Object.assign(new EventTarget(), { isOver: true, mayPass: true, game: newGame(), load: () => called.push("empty") });
    const actions = createActions({ session, modes, play, opening: { isActive: false }, notify: (text) => called.push(text) });
    const all = () => ["go", "swap", "pass", "resign", "empty"].forEach((name) => actions[name]());
    all();
    assert.deepEqual(called, []);
    modes.current = "play";
    all();
    assert.deepEqual(called, ["go", "swap", "place", "problem.over", "empty"]);
  });
});

describe("a move before the facts of its position", () => {
  /** A position after h8 whose facts arrive by `answer`, and the chosen cells and messages. */
  async function early(mode = "play") {
    const { createActions } = await import("../page/actions.js");
    const engine = new FakeEngine();
    const facts = deferred();
    engine.facts = () => facts.promise;
    const session = new Session(engine, newGame());
    session.play("h8");
    const done = [];
    const add = (text) => done.push(text);
    const view = { cursor: null, hideMenu: () => {}, hidePending: () => {} };
    const play = { isEngine: () => false, place: add };
    Object.assign(engine, { finishSearch: () => {} });
    const actions = createActions({
      session, engine, play, view, modes: Object.assign(new EventTarget(), { current: mode }), opening: { isActive: false },
      status: { announce: () => {}, draw: () => {} }, notify: add, analysis: {}, cards: { hide: () => {} }, panels: { puzzles: { choose: add } },
    });
    return { actions, session, engine, view, done, async answer(state) {
      facts.resolve(state instanceof Error ? state : { ...openFacts(), state });
      await settle();
    } };
  }

  test("is refused if the game is over, a pass too", async () => {
    const { actions, done, answer } = await early();
    actions.choose("i9");
    actions.pass();
    await answer("five");
    assert.deepEqual(done, []);
    actions.choose("i9");
    assert.deepEqual(done, ["problem.over"]);
  });

  for (const mode of ["play", "puzzles"]) {
    test(`gives way to the last one (${mode})`, async () => {
      const { actions, view, done, answer } = await early(mode);
      actions.pass();
      for (const cell of ["i9", "j9"]) actions.choose(cell);
      assert.equal(view.cursor, "j9");
      await answer("open");
      assert.deepEqual([view.cursor, done], [null, ["j9"]]);
    });
  }

  test("ends with Esc", async () => {
    for (const name of ["pass", "choose"]) {
      const { actions, done, answer } = await early();
      actions[name]("i9");
      actions.stop();
      await answer("open");
      assert.deepEqual(done, []);
    }
  });

  test("a pass takes the place of a cell", async () => {
    const { actions, view, done, answer } = await early();
    actions.choose("i9");
    actions.pass();
    assert.equal(view.cursor, null);
    await answer("open");
    assert.deepEqual(done, [null]);
  });

  test("is made when the server refuses the facts, and the next ones immediately", async () => {
    const { actions, done, answer } = await early();
    actions.choose("i9");
    await answer(Object.assign(serverError("locked"), { isTemporary: true }));
    actions.choose("j9");
    assert.deepEqual(done, ["i9", "j9"]);
  });

  test("is forgotten with the position, and does not wait without a connection", async () => {
    const { actions, session, engine, done, answer } = await early();
    actions.choose("i9");
    session.back();
    await answer("open");
    assert.deepEqual(done, []);
    session.play("i10");
    session.node.facts = null;
    engine.connected = false;
    actions.choose("j9");
    assert.deepEqual(done, ["j9"]);
  });
});

describe("a tap", () => {
  test("on a foul is explained by the status, unless the layer of fouls does", async () => {
    const { listenToBoard } = await import("../page/board-input.js");
    const told = [];
    const layers = { fouls: false };
    // The hint of another layer is visible.
    element.hidden = false;
    document.getElementById = (id) => (id === "confirm" ? new FakeElement("button") : element);
    const view = { board: new EventTarget(), cursor: null, look: () => {}, foulText: () => "j8: double three\nthree" };
    listenToBoard({
      view, settings: { get: () => layers }, session: { problem: () => ({ foul: {} }) }, opening: new EventTarget(),
      modes: { current: "analyse" }, panels: { solved: { draw: () => {} } }, notify: (text) => told.push(text),
    });
    for (layers.fouls of [false, true]) view.board.dispatchEvent(Object.assign(new Event("choose"), { detail: "j8", touch: true }));
    assert.deepEqual(told, ["j8: double three\nthree", "j8: double three"]);
  });
});

describe("analyses", () => {
  /** The actions of a page, and their calls. */
  async function parts() {
    const { analysisActions } = await import("../page/analysis-actions.js");
    const called = [];
    const add = (name) => (value) => called.push([name, value].join(" ").trim());
    const review = { found: null, progress: null, run: add("run"), toMistake: () => false };
    const analysis = { isOn: false, threat: false, set: add("set"), showThreat: add("threat") };
    const actions = analysisActions({
      review, analysis, session: {}, settings: { get: () => "" }, modes: { current: "analyse", set: () => {} }, view: { hideLine: add("hide") }, notify: add("told"),
    });
    return { actions, review, called };
  }

  test("the next mistake of a game without a review starts one", async () => {
    const { actions, review, called } = await parts();
    actions.nextMistake();
    review.progress = {};
    actions.nextMistake();
    Object.assign(review, { progress: null, found: {} });
    actions.nextMistake();
    assert.deepEqual(called, ["run", "told review.no-more"]);
  });

  test("an analysis takes the place of a line on the board", async () => {
    const { actions, called } = await parts();
    actions.analyse();
    actions.threat();
    assert.deepEqual(called, ["hide", "set true", "hide", "threat true"]);
  });
});

describe("addresses", () => {
  const OTHER = "#rule=freestyle&size=15x15&moves=a1";
  let session;
  let puzzles;
  let follow;

  beforeEach(async (t) => {
    withGlobals(t, { addEventListener: (kind, listener) => {
      if (kind === "popstate") follow = (address, state = null) => {
        Object.assign(location, { hash: address });
        Object.assign(history, { state });
        listener();
      };
    } });
    const { listenToIncoming } = await import("../page/incoming.js");
    session = new Session(new FakeEngine(), newGame());
    puzzles = { kept: null };
    const leave = () => puzzles.kept && session.load(puzzles.kept, puzzles.kept.node, true);
    listenToIncoming({ session, files: {}, modes: { leave }, panels: { puzzles }, terms: TERMS });
  });

  /** The entry of the browser's history. */
  const entry = () => [location.hash, history.state];

  test("Back brings the game itself, also where several games have the same address", () => {
    const first = session.game;
    session.play("h8").comment = "mine";
    session.toStart();
    const firstEntry = entry();
    follow(OTHER);
    const second = session.game;
    session.toStart();
    const secondEntry = entry();
    follow("#b2");
    follow(...secondEntry);
    assert.equal(session.game, second);
    follow(...firstEntry);
    assert.deepEqual([session.game, session.game.root.children[0].comment], [first, "mine"]);
  });

  test("a new link makes a new game, unless the board shows its position", () => {
    const { game } = session;
    session.play("h8");
    session.toStart();
    const [address] = entry();
    follow(OTHER);
    follow(address);
    assert.deepEqual([session.game === game, session.game.isEmpty], [false, true]);
    const empty = session.game;
    follow(address);
    assert.deepEqual([session.game, history.state !== null], [empty, true]);
  });

  test("the mark of an earlier visit is not that of a game", () => {
    follow(OTHER, { game: `0-${session.game.root.id}` });
    assert.equal(session.node.at, "a1");
  });

  test("Back to a puzzle brings the game from before it", () => {
    const { game } = session;
    session.play("h8");
    puzzles.kept = game;
    session.load(newGame({ rule: "renju" }), undefined, true);
    const puzzleEntry = entry();
    follow(OTHER);
    puzzles.kept = null;
    follow(...puzzleEntry);
    assert.deepEqual([session.game, session.node.at], [game, "h8"]);
  });
});

describe("the panel for playing", () => {
  test("an empty time per move is invalid", async () => {
    const { PlayPanel } = await import("../page/panel-play.js");
    const parts = ["play", "opening", "session"].map((name) => [name, new EventTarget()]);
    new PlayPanel({ ...Object.fromEntries(parts), settings: { get: () => 2 }, actions: {} });
    const field = [...element.all()].find(({ attributes }) => attributes.id === "move-time");
    assert.equal(field.attributes.required, "");
  });
});

describe("the card at the end of a game", () => {
  let Cards;
  let kept;
  let session;
  let page;
  const engine = new FakeEngine();

  beforeEach(async () => {
    ({ Cards } = await import("../page/card.js"));
    element.parentElement = { getBoundingClientRect: () => ({ width: 1, height: 1 }) };
    Object.assign(element, { contains: () => false, classList: { contains: () => false } });
    kept = [];
    session = new Session(engine, newGame());
    page = {
      modes: Object.assign(new EventTarget(), { current: "play" }), play: { isGame: true, seat: () => "me" },
      solved: { isOn: false }, actions: { keepFinished: () => kept.push(session.node.at) }, offer: { levels: [] },
      settings: {}, view: { board: { viewBox: [0, 0, 1], center: () => ({ x: 0, y: 0 }) } },
    };
  });

  test("an end is shown and kept once, also after another end and after a reload", async () => {
    engine.facts = ({ moves: { length } }) => (length === 3 ? { ...openFacts(), state: "five", winner: "black" } : openFacts());
    const { game } = session;
    const cards = new Cards({ ...page, session });
    const first = addMoves(game, ["h8", "a1", "i8"]);
    const second = addMoves(game, ["j8"], first.parent);
    const look = async (...nodes) => {
      for (const node of nodes) {
        session.goTo(node);
        await settle();
      }
    };
    await look(first, second, first, second);
    assert.deepEqual(kept, ["i8", "j8"]);
    session = new Session(engine, newGame());
    session.load(game);
    new Cards({ ...page, session }).setShown(game, cards.shownIn(game));
    await look(first, second);
    assert.equal(kept.length, 2);
  });

  test("a second end at the same position is shown and kept", async () => {
    engine.facts = () => openFacts();
    new Cards({ ...page, session });
    session.play("h8");
    await settle();
    session.end("white", "resignation");
    session.reopen();
    session.play("i9");
    await settle();
    session.end("black", "resignation");
    session.reopen();
    session.back();
    await settle();
    session.end("white", "resignation");
    session.back();
    session.forward();
    await settle();
    assert.deepEqual(kept, ["h8", "i9", "h8"]);
  });
});
