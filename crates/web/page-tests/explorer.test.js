import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { shownOf } from "../page/answers.js";
import { BrowserStudy } from "../page/browser-study.js";
import { Explorer, ServerStudy } from "../page/explorer.js";
import { TextFields, labelOf } from "../page/explorer-view.js";
import { ConnectionError } from "../page/transport.js";
import { Session } from "../page/session.js";
import { FakeEngine, TERMS, addMoves, addressBar, deferred, newGame, record, serverError, settle, withGlobals } from "./support.js";

/** A table in memory. */
class Table {
  rows = new Map();
  refuses = false;

  async all() {
    return new Map(this.rows);
  }

  async write(changes) {
    if (this.refuses) throw new Error("full");
    for (const [key, record] of changes) {
      if (record === null) this.rows.delete(key);
      else this.rows.set(key, record);
    }
  }
}

const place = (moves, terms = {}) => {
  const game = newGame({ rule: "renju", ...terms });
  game.node = addMoves(game, moves);
  return { position: game.position(), board: game.board() };
};

const found = (scores, nodes, depth = 9) => ({
  nodes, ms: 5,
  lines: scores.map(([at, score]) => ({ moves: [at], score, rate: 0.5, forced: null, depth })),
});

describe("BrowserStudy", () => {
  let table;
  let study;
  let answer;

  beforeEach(() => {
    table = new Table();
    answer = found([["i9", 20], ["g7", -4]], 500);
    study = new BrowserStudy({ analyse: async () => answer }, table, () => 7000);
  });

  test("records of other tabs stay, removed ones do not come back", async () => {
    const otherTab = new BrowserStudy({}, table);
    const [h8, i9] = [place(["h8"]), place(["h8", "i9"])];
    await study.show(h8);
    await otherTab.edit(h8, { label: "main" });
    assert.deepEqual(await study.edit(h8, { comment: "long" }).then(({ label, comment }) => [label, comment]), ["main", "long"]);
    await otherTab.edit(i9, { label: "old" });
    await study.analyse(i9, {}, () => {});
    assert.equal((await study.show(i9)).label, "old");
    assert.equal(table.rows.size, 2);
    table.rows.clear();
    await otherTab.edit(i9, { label: "new" });
    await study.analyse(i9, {}, () => {});
    assert.deepEqual([...table.rows.values()].map(({ label }) => label), ["new"]);
  });

  test("mirror images and orders of moves share a record", async () => {
    await study.edit(place(["h8", "i9", "a1"]), { label: "main", comment: "long" });
    for (const moves of [["a1", "i9", "h8"], ["h8", "g9", "o1"], ["h8", "g7", "o15"], ["h8", "i7", "a15"]]) {
      const shown = await study.show(place(moves));
      assert.deepEqual([shown.known, shown.label, shown.comment], [true, "main", "long"], moves.join());
    }
    assert.equal((await study.show(place(["h8", "i9", "a2"]))).known, false);
    assert.equal((await study.show(place(["h8", "i9", "a1"], { rule: "standard" }))).known, false);
    assert.equal(table.rows.size, 1);
    await study.edit(place(["h8", "g9", "o1"]), { label: "" });
    assert.deepEqual((await study.show(place(["h8", "i9", "a1"]))).comment, "long", "an absent text stays");
    await study.remove(place(["h8", "g7", "o15"]));
    assert.equal(table.rows.size, 0);
  });

  test("boards with different sides have no diagonal images", async () => {
    const terms = { width: 15, height: 9 };
    await study.edit(place(["b1"], terms), { label: "x" });
    const images = await Promise.all(["b1", "n1", "b9", "n9"].map((at) => study.show(place([at], terms))));
    assert.ok(images.every((it) => it.known));
    assert.equal((await study.show(place(["a2"], terms))).known, false);
  });

  test("moves are listed best first, from the view of the side that plays them", async () => {
    answer = found([["a1", -60]], 500);
    await study.analyse(place(["h8", "i9"]), {}, () => {});
    answer = found([["a1", 29990]], 500);
    await study.analyse(place(["h8", "h9"]), {}, () => {});
    await study.edit(place(["h8", "j10"]), { label: "tried" });
    const { known, moves } = await study.show(place(["h8"]));
    assert.equal(known, false);
    assert.deepEqual(moves.filter((it) => ["i9", "h9", "j10"].includes(it.at)).map((it) => [it.at, it.score]), [["i9", 60], ["h9", -29989], ["j10", null]]);
    assert.equal(moves.length, 12, "all mirror images");
    assert.equal(moves.at(-1).label, "tried");
    const won = moves.find((it) => it.at === "i9");
    assert.ok(won.rate > 0.55 && won.rate < 0.6, `${won.rate}`);
  });

  test("values propagate to earlier positions after analyses and deletions", async () => {
    // The first stone is on no axis of symmetry.
    const line = ["g11", "h8", "d6"];
    answer = found([["a1", 40], ["b2", 35]], 500);
    await study.analyse(place(line.slice(0, 1)), {}, () => {});
    answer = found([["a1", 90]], 500);
    await study.analyse(place(line), {}, () => {});
    const first = async () => (await study.show(place(line.slice(0, 1)))).evaluation;
    assert.deepEqual([(await first()).score, (await first()).best], [40, "a1"], "the position between is missing");
    await study.edit(place(line.slice(0, 2)), { label: "between" });
    assert.deepEqual([(await first()).score, (await first()).best], [90, "h8"]);
    const between = await study.show(place(line.slice(0, 2)));
    assert.deepEqual([between.evaluation.score, between.evaluation.best], [-90, "d6"]);
    // The bad answer is known now, so that White's first search counts again.
    answer = found([["a1", -29990]], 600);
    await study.analyse(place(line), {}, () => {});
    assert.deepEqual([(await first()).score, (await first()).best], [40, "a1"]);
    await study.remove(place(line));
    assert.equal((await study.show(place(line.slice(0, 2)))).evaluation, null);
    assert.equal([...table.rows.values()].filter((it) => it.tree).length, 0);
  });

  test("a search with fewer nodes or without an iteration is not kept", async () => {
    await study.analyse(place(["h8"]), {}, () => {});
    answer = found([["a1", 900]], 499);
    await study.analyse(place(["h8"]), {}, () => {});
    answer = found([["a1", 900]], 5000, 0);
    await study.analyse(place(["h8"]), {}, () => {});
    answer = null;
    assert.equal(await study.analyse(place(["h8"]), {}, () => {}), null);
    const { evaluation } = await study.show(place(["h8"]));
    assert.deepEqual(evaluation, { score: 20, depth: 9, nodes: 500, best: "i9" });
  });

  test("best moves are turned with the board", async () => {
    await study.analyse(place(["h8", "a2"]), {}, () => {});
    const mirrored = await study.show(place(["h8", "o2"]));
    assert.equal(mirrored.evaluation.best, "g9");
  });

  test("export and import keep everything", async () => {
    await study.analyse(place(["h8", "a2"]), {}, () => {});
    await study.edit(place(["h8", "a2"]), { label: "main" });
    const text = await study.exported();
    const line = JSON.parse(text);
    assert.deepEqual([line.rule, line.width, line.height, line.side_to_move], ["renju", 15, 15, "black"]);
    assert.deepEqual(line.evaluation.by, { name: "Tengen", version: "", time: 7 });
    const other = new BrowserStudy({}, new Table());
    assert.equal(await other.imported(text + "\n"), 1);
    assert.equal(await other.exported(), text);
    assert.deepEqual(await other.show(place(["h8", "a2"])), await study.show(place(["h8", "a2"])));
  });

  test("lines of tengen study are read with results, games and texts", async () => {
    const line = '{"rule":"renju","width":15,"height":15,"black":["7,7"],"white":["8,6"],"side_to_move":"black",'
      + '"result":{"value":"win","evidence":"proved","plies":9,"best":"6,6","by":null},"games":{"black":2,"draws":0,"white":1,"unknown":0},'
      + '"texts":[{"at":"9,9","text":"A"}]}';
    await study.imported(line);
    const shown = await study.show(place(["h8", "i9"]));
    assert.deepEqual(shown.result, { value: "win", evidence: "proved", plies: 9 });
    assert.deepEqual(shown.texts, [{ at: "j6", text: "A" }]);
    const [move] = (await study.show(place(["h8"]))).moves;
    assert.deepEqual(move.result, { value: "loss", evidence: "proved", plies: 10 });
    assert.deepEqual([move.games, move.rate], [3, 0]);
  });

  test("lines that are no positions are refused with their number", async () => {
    const good = '{"rule":"renju","width":15,"height":15,"black":[],"white":[],"side_to_move":"black"}';
    for (const bad of ["{", "null", "{}", good.replace('"black":[]', '"black":["15,0"]'), good.replace("}", ',"texts":[{"at":"99,9","text":"A"}]}')]) {
      await assert.rejects(study.imported(`${good}\n${bad}\n`), /^Error: line 2: /);
    }
    assert.equal(table.rows.size, 0, "nothing is written");
  });

  test("a refused write changes nothing", async () => {
    table.refuses = true;
    await assert.rejects(study.edit(place(["h8"]), { label: "x" }));
    table.refuses = false;
    assert.equal((await study.show(place(["h8"]))).known, false);
  });
});

describe("Explorer", () => {
  let session;
  let engine;
  let explorer;
  let asked;
  let said;

  beforeEach((t) => {
    withGlobals(t, addressBar());
    session = new Session(new FakeEngine(), { ...TERMS, width: 15, height: 15 });
    asked = [];
    said = [];
    const ask = (path, question) => {
      const answer = deferred();
      asked.push({ path, question, ...answer });
      return answer.promise;
    };
    engine = { study: ask, analyse: (question, progress, path) => ask(path, { ...question, progress }) };
    const study = new ServerStudy(engine, "x.tdb");
    explorer = new Explorer({ session, study, notify: (text) => said.push(text) });
  });

  const shown = (label = "") => shownOf({ known: true, position: { label }, moves: [] }, 15);

  test("asks only while it is open", async () => {
    session.play("h8");
    assert.equal(asked.length, 0);
    explorer.isOpen = true;
    assert.deepEqual(asked.map((it) => [it.path, it.question.position.moves]), [["study", ["h8"]]]);
    explorer.isOpen = false;
    session.play("i9");
    assert.equal(asked.length, 1);
  });

  test("the answer about a left position is not shown", async () => {
    explorer.isOpen = true;
    session.play("h8");
    asked[1].resolve(shown("new"));
    await settle();
    asked[0].resolve(shown("old"));
    await settle();
    assert.equal(explorer.shown.label, "new");
  });

  test("edits and deletions show the answer", async () => {
    explorer.isOpen = true;
    explorer.edit({ label: "a" });
    assert.deepEqual(asked[1].question.edit, { label: "a" });
    asked[1].resolve(shown("a"));
    await settle();
    assert.equal(explorer.shown.label, "a");
    explorer.remove();
    assert.equal(asked[2].path, "study-delete");
    asked[2].reject(serverError("busy"));
    await settle();
    assert.deepEqual(said, ["busy"]);
    assert.equal(explorer.shown.label, "a");
  });

  test("a lost connection is not a message of the database, a full browser is", async () => {
    explorer.isOpen = true;
    asked[0].reject(new ConnectionError("gone"));
    await settle();
    assert.deepEqual(said, []);
    explorer.edit({ label: "a" });
    asked[1].reject(new Error("no space"));
    await settle();
    assert.deepEqual(said, ["no space"]);
  });

  test("an analysis shows its progress and then what is kept", async () => {
    explorer.isOpen = true;
    asked[0].resolve(shown());
    const events = record(explorer, "progress");
    const done = explorer.analyse({ lines: 3, time_ms: 1000 });
    asked[1].question.progress(found([["h8", 5]], 10));
    assert.deepEqual([events.length, explorer.progress.nodes], [1, 10]);
    asked[1].resolve(found([["h8", 5]], 20));
    await settle();
    assert.equal(asked[2].path, "study");
    asked[2].resolve(shown("kept"));
    assert.equal(await done, true);
    assert.deepEqual([explorer.shown.label, explorer.progress], ["kept", null]);
  });

  test("an analysis of a left position is finished quietly", async () => {
    explorer.isOpen = true;
    const done = explorer.analyse({ lines: 3, time_ms: 1000 });
    session.play("h8");
    const count = asked.length;
    asked[1].question.progress(found([["h8", 5]], 10));
    asked[1].resolve(found([["h8", 5]], 20));
    assert.equal(await done, true);
    assert.deepEqual([asked.length, explorer.progress], [count, null]);
  });
});

describe("labelOf", () => {
  test("labelOf cuts whole characters from a label of more than 64 bytes", () => {
    assert.equal(labelOf(" main line "), "main line");
    assert.equal(labelOf("x".repeat(64)), "x".repeat(64));
    assert.equal(labelOf("花".repeat(22)), "花".repeat(21));
    assert.equal(labelOf(`x${"😀".repeat(16)}`), `x${"😀".repeat(15)}`);
    assert.equal(labelOf(`${"x".repeat(63)} y`), "x".repeat(63));
  });
});

describe("TextFields", () => {
  let label;
  let comment;
  let fields;
  const values = () => [label.value, comment.value];

  beforeEach(() => {
    [label, comment] = [{ value: "" }, { value: "" }];
    fields = new TextFields({ label, comment });
    fields.show("h8", { label: "main", comment: "" });
  });

  test("a typed text stays while its position is shown again, or hidden", () => {
    comment.value = "typed";
    fields.show("h8", { label: "other", comment: "" });
    fields.show("h8", null);
    fields.show("h8", { label: "other", comment: "" });
    assert.deepEqual(values(), ["other", "typed"]);
  });

  test("another position shows its own texts", () => {
    comment.value = "typed";
    fields.show("i9", null);
    assert.deepEqual(values(), ["", ""]);
    fields.show("i9", { label: "", comment: "old" });
    assert.deepEqual(values(), ["", "old"]);
  });

  test("a deleted record has no texts, a saved one those that were typed", () => {
    comment.value = "typed";
    fields.show("h8", { label: "main", comment: "typed" });
    fields.show("h8", { label: "", comment: "" });
    assert.deepEqual(values(), ["", ""]);
  });
});
