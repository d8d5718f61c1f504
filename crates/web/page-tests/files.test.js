import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { ENCODINGS, Files, otherGame } from "../page/files.js";
import { TERMS, newGame, serverError, withGlobals } from "./support.js";

/** A file as the server describes it. */
const GAME = { width: 15, height: 15, rule: "renju", nodes: [{ parent: null }, { parent: 0, color: "black", at: "h8" }] };

/** The files of a page whose server answers with `answer`; `asked` lists the questions. */
function openFiles(answer) {
  const asked = [];
  const notes = [];
  const loaded = [];
  const files = new Files({
    session: { game: newGame(), load: (game) => loaded.push(game) },
    engine: { read: async (question) => {
      asked.push(question);
      return answer(question);
    } },
    settings: { get: () => "freestyle" },
    notify: (text) => notes.push(text),
    choose: async () => 0,
    beforeOpen: () => {},
    terms: TERMS,
  });
  return { files, asked, notes, loaded };
}

const gbkFile = () => new File([new Uint8Array([0xb0, 0xd7, 0xbb, 0xa8])], "game.sgf");

describe("written files", () => {
  test("a file in SGF has the names and the day, a list of moves has none", async (t) => {
    const link = { click: () => {}, remove: () => {} };
    withGlobals(t, { document: { createElement: () => link, body: { append: () => {} } } });
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const written = [];
    const files = new Files({
      session: { game: newGame() },
      engine: { write: async (form, game) => {
        written.push(game);
        return { data: "", lost: [] };
      } },
      notify: () => {},
      details: () => ({ black: "Ann", white: "Bob", date: "2026-05-31" }),
    });
    await files.download("sgf");
    await files.download("psq");
    assert.deepEqual(written.map(({ black, white, info }) => [black, white, info.date]), [
      ["Ann", "Bob", "2026-05-31"], [null, null, undefined],
    ]);
  });
});

describe("refused files", () => {
  test("a folder cannot be read, which is said", async () => {
    const { files, asked, notes } = openFiles();
    await files.open({ name: "games", size: 0, arrayBuffer: async () => {
      throw new DOMException("gone", "NotFoundError");
    } });
    assert.deepEqual([asked, notes], [[], ["files.unreadable"]]);
  });

  test("a link of gomocalc.com holds no other board", async () => {
    const notes = [];
    const files = new Files({ session: { game: newGame({ width: 20, height: 20 }) }, notify: (text) => notes.push(text) });
    await files.copyGomocalc();
    assert.deepEqual(notes, ["files.only-moves"]);
  });
});

describe("encodings of files", () => {
  test("guessed encoding is shown and kept", async () => {
    const { files, asked, notes, loaded } = openFiles(() => ({ games: [GAME], left_out: [], guessed: "gb18030" }));
    let fired = 0;
    files.addEventListener("read", () => fired++);
    await files.open(gbkFile());
    assert.deepEqual([asked[0].encoding, asked[0].rule, asked[0].size], [null, null, "15x15"]);
    assert.equal(files.last.guessed, "gb18030");
    assert.match(notes[0], /files\.guessed|gb18030/);
    assert.deepEqual([fired, loaded.length], [1, 1]);
  });

  test("file is read again as the user chose", async () => {
    const { files, asked, loaded } = openFiles(() => ({ games: [GAME], left_out: [], guessed: null }));
    await files.readAgain({ encoding: "Big5" });
    assert.equal(asked.length, 0, "there is no file yet");
    await files.open(gbkFile());
    await files.readAgain({ encoding: "Big5", rule: "standard", size: "9x12" });
    const [first, again] = asked;
    assert.deepEqual([again.encoding, again.rule, again.size], ["Big5", "standard", "9x12"]);
    assert.deepEqual([again.name, again.data], [first.name, first.data]);
    await files.readAgain({ encoding: "", rule: "", size: "" });
    assert.deepEqual(asked[2], first);
    assert.equal(loaded.length, 3);
  });

  test("unreadable file can be read again", async () => {
    const { files, asked, notes, loaded } = openFiles(({ encoding }) => {
      if (encoding === null) throw serverError("the text is not valid");
      return { games: [GAME], left_out: [], guessed: null };
    });
    await files.open(gbkFile());
    assert.deepEqual([notes.length, loaded.length], [1, 0]);
    await files.readAgain({ encoding: ENCODINGS[1] });
    assert.deepEqual([asked.length, loaded.length], [2, 1]);
  });
});

describe("pasted texts", () => {
  for (const address of ["https://x.org/tengen/", "file:///home/u/tengen.html", ""]) {
    test(`a link of ${address || "a bare position"} has its rule and board`, async () => {
      const { files, asked, loaded } = openFiles(() => assert.fail("the address was read as a file"));
      await files.paste(`${address}#rule=renju&size=19x19&moves=h8i9\n`);
      assert.deepEqual([asked.length, loaded[0].rule, loaded[0].width, loaded[0].node.at], [0, "renju", 19, "i9"]);
    });
  }

  test("other texts are read as files, cells on lines as one game", async () => {
    const { files, asked } = openFiles(() => ({ games: [GAME], left_out: [], guessed: null }));
    const texts = ["h8 i9 j10\ng7 f6 e5", "1. h8 i9", "(;GM[4];B[hh]C[https://x.org#moves=h8])", "#hello", "h8\ni9"];
    for (const text of texts) await files.paste(text);
    assert.deepEqual(asked.map(({ data }) => atob(data)), [...texts.slice(0, 4), "h8 i9"]);
  });
});

describe("games of a chosen file", () => {
  /** The page's file field, in which the user chooses `file`. */
  const choose = (t, file) => {
    const field = { files: [file], addEventListener: (kind, done) => kind === "change" && setTimeout(done) };
    withGlobals(t, { document: { createElement: () => ({ ...field, click() {} }) } });
  };

  test("readAll returns all games", async (t) => {
    const { files } = openFiles(() => ({ games: [GAME, GAME], left_out: [], guessed: null }));
    choose(t, gbkFile());
    assert.deepEqual((await files.readAll()).map(({ rule }) => rule), ["renju", "renju"]);
  });

  test("open and readAll refuse a file of more than 5 MiB", async (t) => {
    const { files, asked, notes } = openFiles(() => ({ games: [GAME], left_out: [], guessed: null }));
    const large = { name: "large.sgf", size: (5 << 20) + 1 };
    choose(t, large);
    await files.open(large);
    assert.equal(await files.readAll(), null);
    assert.deepEqual([notes, asked.length], [["files.too-large", "files.too-large"], 0]);
  });
});

describe("otherGame", () => {
  const of = (text) => otherGame(new TextEncoder().encode(text));
  test("otherGame names a file of Go", () => assert.equal(of("(;FF[4]GM[1]SZ[19];B[pd])"), "1"));
  test("otherGame accepts files of Gomoku and files without a game", () => {
    assert.equal(of("(;GM[4]SZ[15];B[hh])"), null);
    assert.equal(of("(;SZ[15];B[hh]C[GM[1\\]])"), null);
    assert.equal(of("h8i9"), null);
  });
});
