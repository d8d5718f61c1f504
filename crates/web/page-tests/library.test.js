import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { balanced, showBalancedPairs } from "../page/balance.js";
import { dayOf } from "../page/day.js";
import { Library, MOST, gameId, setGameId } from "../page/library.js";
import { detailsOf, libraryActions } from "../page/library-actions.js";
import { LibraryView } from "../page/library-view.js";
import { openingName } from "../page/names.js";
import { Session } from "../page/session.js";
import { Game } from "../page/tree.js";
import { FakeElement, FakeEngine, addMoves, addressBar, cells, fakeDocument, newGame, openFacts, record, settle, withGlobals, withStorage } from "./support.js";

/** A game of one move. */
function gameWith(at, info = {}) {
  const game = newGame();
  game.node = addMoves(game, [at]);
  game.info = info;
  return game;
}

const NAMES = { black: "Ann", white: "Bob" };

describe("the actions of the library", () => {
  /** Finishes a game and imports three; returns the messages and the number of kept games. */
  async function finishAndImport(t, isFull) {
    withStorage(t, { isFull });
    const library = new Library();
    const said = [];
    const files = {
      readAll: async () => ["h8", "i9", "j10"].map((at) => gameWith(at)),
    };
    const actions = libraryActions({
      session: new Session(new FakeEngine(), newGame()), play: { isBegun: () => false }, modes: {}, files, library,
      notify: (text, isProblem = false) => said.push([text, isProblem]),
    });
    actions.keepFinished();
    await actions.importGames();
    return { said, count: library.entries.length };
  }

  test("an import says how many games it kept, a finished game is kept without a message", async (t) => {
    const { said, count } = await finishAndImport(t, false);
    assert.deepEqual(said, [["library.imported", false]]);
    assert.equal(count, 4);
  });

  test("an import says what it left out", async (t) => {
    withStorage(t);
    const said = [];
    const files = { readAll: async () => Array.from({ length: MOST + 2 }, () => gameWith("h8")) };
    const actions = libraryActions({ files, library: new Library(), notify: (...parts) => said.push(parts) });
    await actions.importGames();
    assert.deepEqual(said, [["library.imported · library.full", true]]);
    files.readAll = async () => null;
    await actions.importGames();
    assert.equal(said.length, 1);
    files.readAll = async () => [gameWith("h8"), gameWith("a1")];
    await actions.importGames();
    assert.deepEqual(said[1], ["library.imported · library.known · library.full", true]);
  });

  test("a full storage is reported after a game and after an import", async (t) => {
    const { said, count } = await finishAndImport(t, true);
    assert.deepEqual(said, [["storage.refused", true], ["storage.refused", true]]);
    assert.equal(count, 0);
  });
});

describe("the list of kept games", () => {
  /** Keeps a game of one move and removes it from the list. */
  function removeOne(t) {
    const { fill } = withStorage(t);
    withGlobals(t, addressBar());
    const library = new Library(() => 1000);
    const said = [];
    const session = new Session(new FakeEngine(), newGame());
    const actions = libraryActions({ session, library, play: { isBegun: () => false }, notify: (text) => said.push(text) });
    session.play("h8");
    actions.keepGame();
    actions.removeKept(library.entries[0].id);
    return { fill, library, said, session, actions };
  }

  test("a removed game does not replace a later state of it", (t) => {
    const { library, session, actions } = removeOne(t);
    session.play("i9");
    actions.keepGame();
    session.restore();
    assert.deepEqual(library.entries.map(({ moves }) => moves), [2]);
  });

  test("a removed game that the browser has no room for is reported", (t) => {
    const { fill, library, said, session } = removeOne(t);
    fill();
    session.restore();
    assert.deepEqual([library.entries.length, said], [0, ["library.kept", "storage.refused"]]);
  });

  test("a removed game can be brought back, and the focus goes to the next one", (t) => {
    withStorage(t);
    withGlobals(t, { ...addressBar(), document: { ...fakeDocument(), documentElement: { lang: "en" } } });
    const library = new Library(() => 1000);
    library.add(Array.from({ length: 60 }, (_, index) => Object.assign(gameWith("h8", { date: `${1900 + index}` }), { players: { black: `Ann ${index}`, white: null } })));
    const session = new Session(new FakeEngine(), newGame());
    const actions = libraryActions({ session, library });
    const view = new LibraryView(library, actions);
    view.draw();
    const list = [...view.element.all()].find(({ attributes }) => attributes.id === "kept-games");
    const names = () => library.entries.map(({ black }) => black);
    const before = names();
    assert.equal(list.children.length, 60);
    const [, remove] = list.children[1].children;
    assert.match(remove.attributes["aria-label"], /library\.remove: Ann 58/);
    remove.listeners.click();
    assert.deepEqual(names(), before.filter((it) => it !== "Ann 58"));
    assert.match(FakeElement.focused.attributes["aria-label"], /Ann 57/);
    session.restore();
    assert.deepEqual(names(), before);
    for (let left = 60; left > 0; left--) list.children[left - 1].children[1].listeners.click();
    assert.equal(FakeElement.focused.tag, "summary");
  });
});

describe("a finished game", () => {
  test("keepFinished keeps the line that ended the game, with its winner", async (t) => {
    withStorage(t);
    withGlobals(t, addressBar());
    const library = new Library();
    const engine = new FakeEngine();
    engine.facts = () => ({ state: "five", winner: "black", fouls: [], row: [] });
    const session = new Session(engine, newGame());
    addMoves(session.game, ["h8", "a1", "o15"]);
    session.goTo(addMoves(session.game, ["i8"], session.game.root.children[0]));
    await settle();
    const actions = libraryActions({
      session, play: { isBegun: () => true, seat: (color) => (color === "black" ? "me" : "level:club") },
      modes: {}, library, notify: () => {},
    });
    actions.keepFinished();
    const [entry] = library.entries;
    assert.deepEqual([entry.moves, entry.result, entry.black, entry.white], [2, "black", "player.me", "level.club"]);
    const opened = library.open(entry.id);
    assert.deepEqual(cells(opened.continuation(opened.root)), ["h8", "i8"]);
    assert.deepEqual(cells(opened.root.children[0].children), ["i8", "a1"], "the abandoned line is a variation");
    // Its end counts, also from an earlier position.
    session.back();
    engine.facts = () => openFacts();
    await settle();
    actions.keepGame();
    assert.equal(library.entries[0].result, "black");
  });

  test("detailsOf names the players here only in a game that was begun here", () => {
    const play = { isBegun: () => true, seat: () => "me" };
    const now = () => new Date(2026, 4, 31).getTime();
    const game = newGame();
    assert.deepEqual(detailsOf(game, play, now), { black: "color.black", white: "color.white", date: "2026-05-31" }, "two people");
    assert.deepEqual(detailsOf(game, { ...play, isBegun: () => false }), { black: null, white: null, date: null });
    game.players.white = "Bob";
    game.info = { date: "1999" };
    play.seat = (color) => (color === "black" ? "me" : "proof");
    assert.deepEqual(detailsOf(game, play), { black: "player.me", white: "Bob", date: "1999" });
  });

  test("a game with the identifier from before a reload replaces its entry", (t) => {
    withStorage(t);
    const library = new Library();
    const game = newGame();
    library.keep(game, NAMES);
    const again = newGame();
    setGameId(again, gameId(game));
    library.keep(again, NAMES);
    assert.equal(library.entries.length, 1);
    library.keep(library.open(gameId(game)), NAMES);
    assert.equal(library.entries.length, 1, "an opened game is the same game");
    setGameId(again, undefined);
    library.keep(again, NAMES);
    assert.equal(library.entries.length, 2);
  });
});

describe("Library", () => {
  test("a game over plain HTTP, without randomUUID, gets an identifier", (t) => {
    const { crypto } = globalThis;
    withGlobals(t, { crypto: { getRandomValues: (bytes) => crypto.getRandomValues(bytes), randomUUID: undefined } });
    const game = newGame();
    assert.match(gameId(game), /^[0-9a-f]{24}$/);
    assert.equal(gameId(game), gameId(game));
    assert.notEqual(gameId(newGame()), gameId(game));
  });

  test("a kept game outlives the page and opens with its moves and names", (t) => {
    withStorage(t);
    const game = newGame({ rule: "renju" });
    game.node = addMoves(game, ["h8", "i9", "j8"]);
    new Library(() => 1000).keep(game, NAMES);
    const library = new Library();
    const [entry] = library.entries;
    assert.deepEqual([entry.date, entry.moves, entry.black], [1000, 3, "Ann"]);
    const opened = library.open(entry.id);
    assert.deepEqual(cells(opened.continuation(opened.root)), ["h8", "i9", "j8"]);
    assert.deepEqual([opened.rule, opened.players.white, opened.info.date], ["renju", "Bob", dayOf(1000)]);
  });

  test("a game that goes on replaces its earlier state", (t) => {
    withStorage(t);
    const library = new Library(() => 1);
    const game = newGame();
    const node = addMoves(game, ["h8"]);
    library.keep(game, NAMES);
    addMoves(game, ["i9"], node);
    library.keep(game, NAMES);
    library.keep(newGame(), NAMES);
    assert.deepEqual(library.entries.map(({ moves }) => moves), [0, 2]);
    library.remove(library.entries[0].id);
    assert.equal(library.entries.length, 1);
    Library.forget();
    assert.equal(new Library().entries.length, 0);
  });

  test("games of other tabs stay", (t) => {
    withStorage(t);
    const library = new Library(() => 1);
    const otherTab = new Library(() => 2);
    const [first, second, third] = ["h8", "i9", "j10"].map((at) => gameWith(at));
    const ids = () => new Library().entries.map(({ id }) => id);
    otherTab.keep(first, NAMES);
    library.keep(second, NAMES);
    assert.deepEqual(ids(), [gameId(second), gameId(first)]);
    library.keep(first, NAMES);
    otherTab.remove(gameId(second));
    assert.deepEqual(ids(), [gameId(first)]);
    otherTab.keep(second, NAMES);
    library.add([third]);
    assert.equal(ids().length, 3);
    const full = new Library();
    otherTab.add(Array.from({ length: MOST - 3 }, () => gameWith("h8")));
    assert.equal(full.add([gameWith("a1")]).left, 1, "the room is that of now");
    Library.forget();
    library.keep(third, NAMES);
    assert.deepEqual(ids(), [gameId(third)], "removed data do not come back");
  });

  test("a change in another tab is shown", (t) => {
    const { tell } = withStorage(t);
    const library = new Library();
    const changes = record(library, "change");
    new Library().keep(gameWith("h8"), NAMES);
    tell("tengen-puzzles");
    assert.deepEqual([changes.length, library.entries.length], [0, 0]);
    tell("tengen-games");
    assert.deepEqual([changes.length, library.entries.length], [1, 1]);
    Library.forget();
    tell(null);
    assert.deepEqual([changes.length, library.entries.length], [2, 0]);
  });

  test("added games have their dates and keep their order", (t) => {
    withStorage(t);
    const library = new Library(() => new Date(2026, 4, 31, 12).getTime());
    library.keep(gameWith("a1"), NAMES);
    const dates = ["2026-05-30", "2026-05-30", undefined, "2027", "1999-12", "unknown"];
    const counts = library.add(dates.map((date, index) => gameWith(`b${index + 1}`, date ? { date } : {})));
    assert.deepEqual(counts, { added: 6, known: 0, left: 0 });
    const shown = library.entries.map(({ date, game }) => [dayOf(date), game.file.nodes[1].at]);
    assert.deepEqual(shown, [
      ["2027-01-01", "b4"], ["2026-05-31", "b3"], ["2026-05-31", "b6"], ["2026-05-31", "a1"],
      ["2026-05-30", "b1"], ["2026-05-30", "b2"], ["1999-12-01", "b5"],
    ]);
  });

  test("added games replace no kept ones", (t) => {
    withStorage(t);
    const library = new Library(() => 1);
    const own = gameWith("a1");
    library.keep(own, NAMES);
    const many = Array.from({ length: MOST }, () => gameWith("h8"));
    assert.deepEqual(library.add(many), { added: MOST - 1, known: 0, left: 1 });
    assert.equal(library.entries.length, MOST);
    assert.ok(library.open(gameId(own)));
    assert.equal(library.open(gameId(many.at(-1))), null);
    assert.deepEqual(library.add([gameWith("b1")]), { added: 0, known: 0, left: 1 });
  });

  test("an export that is imported again adds nothing", (t) => {
    withStorage(t);
    const library = new Library(() => new Date(2026, 4, 31, 12).getTime());
    const played = newGame({ rule: "renju" });
    const end = addMoves(played, ["h8", "i9"]);
    Object.assign(end, { comment: "strong\n", marks: [{ at: "a1", text: "A" }, { at: "h8", to: "j10", sign: "arrow" }] });
    library.keep(played, NAMES, "black");
    const setUp = newGame();
    setUp.root.setUp = { black: ["h8"], white: ["i9"], walls: [], clear: [], side: "black" };
    library.keep(setUp, { black: "", white: "" });
    library.add([gameWith("a1"), gameWith("a1", { date: "1999" })]);
    /** The games as an import returns them: a file has other identifiers and another order of fields. */
    const exported = () => library.entries.map(({ id, result }) => {
      const file = structuredClone(library.open(id).toFile());
      for (const node of file.nodes) {
        node.comment = node.comment?.trimEnd();
        node.marks?.reverse();
        if (node.set_up) node.set_up = Object.fromEntries(Object.entries(node.set_up).reverse());
      }
      return Game.fromFile({ ...file, result }, "freestyle");
    });
    assert.deepEqual(library.add(exported()), { added: 0, known: 4, left: 0 });
    assert.deepEqual(library.add([gameWith("a1")]), { added: 0, known: 1, left: 0 }, "without a day, too");
    const others = exported();
    addMoves(others[0], ["o15"], others[0].end);
    others[1].players.black = "Zoe";
    others[2].end.comment = "new";
    others[3].info.date = "1998";
    assert.equal(library.add(others).added, 4);
  });

  test("a full storage is said and changes nothing", (t) => {
    withStorage(t, { isFull: true });
    const library = new Library(() => 1);
    assert.equal(library.keep(newGame(), NAMES), false);
    assert.equal(library.add([gameWith("h8")]), null);
    assert.deepEqual(library.entries, []);
  });
});

describe("balanced", () => {
  test("balanced sorts by the distance from even chances, without proved moves", () => {
    const line = (at, rate, forced = null) => ({ moves: [at], rate, forced, score: 0 });
    const lines = [line("a1", 0.9), line("b1", 0.52), line("c1", 0.47), line("d1", 0.5, 9), line("e1", 0.3)];
    assert.deepEqual(balanced(lines).map(({ moves }) => moves[0]), ["b1", "c1", "e1", "a1"]);
  });
});

describe("showBalancedPairs", () => {
  test("the best pair is shown as a line, all are named", async (t) => {
    withGlobals(t, { ...addressBar(), document: { documentElement: {} } });
    const engine = new FakeEngine();
    const session = new Session(engine, { rule: "renju", width: 15, height: 15 });
    session.play("h8");
    await settle();
    const shown = [];
    const said = [];
    const view = { showLine: (...line) => shown.push(line), hideLine: () => shown.push("nothing") };
    const parts = { session, engine, view, notify: (text) => said.push(text) };
    const done = showBalancedPairs(parts);
    engine.last.progress([{ moves: ["a1", "b1"], rate: 0.4 }]);
    engine.last.resolve([{ moves: ["i9", "j8"], rate: 0.51 }, { moves: ["g7", "i7"], rate: 0.47 }]);
    await done;
    assert.deepEqual(shown, ["nothing", [["a1", "b1"], "white", true], [["i9", "j8"], "white", true]]);
    assert.deepEqual(said, ["balance.pairs-working", "balance.pairs-found"]);

    for (const [wasStopped, word] of [[false, "balance.pairs-none"], [true, ""]]) {
      engine.wasStopped = wasStopped;
      const again = showBalancedPairs(parts);
      engine.last.resolve([]);
      await again;
      assert.equal(said.at(-1), word);
    }
  });
});

describe("openingName", () => {
  const kagetsu = { code: "D4", names: { romaji: "Kagetsu", ja: "花月", "zh-Hans": "花月", "zh-Hant": "花月", ko: "화월", ru: "Кагэцу" } };
  const cases = [["en", "D4 Kagetsu 花月"], ["ja", "D4 花月"], ["ko", "D4 화월"], ["ru", "D4 Кагэцу 花月"], ["cs", "D4 Kagetsu 花月"]];
  for (const [language, name] of cases) {
    test(`openingName in ${language} is ${name}`, () => assert.equal(openingName(kagetsu, language), name));
  }
});
