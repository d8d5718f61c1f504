import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { endingText, playerName } from "../page/names.js";
import { preferredLanguage, setLanguage, t as words } from "../page/words.js";
import { deferred, settle, withGlobals } from "./support.js";

const prefer = (test, ...languages) => {
  withGlobals(test, { navigator: { languages } });
  return preferredLanguage();
};

describe("preferredLanguage", () => {
  const cases = [
    [["ja"], "ja"], [["cs-CZ", "en"], "cs"], [["fr", "ru-RU"], "ru"], [["fr", "de"], "en"], [[], "en"],
    [["zh"], "zh-Hans"], [["zh-CN"], "zh-Hans"], [["zh-SG"], "zh-Hans"], [["zh-TW"], "zh-Hant"],
    [["zh-HK"], "zh-Hant"], [["zh-Hant-HK"], "zh-Hant"], [["zh-Hans-HK"], "zh-Hans"], [["ZH-hans-mo"], "zh-Hans"],
  ];
  for (const [wanted, code] of cases) {
    test(`preferredLanguage is ${code} for ${wanted.join(", ") || "nothing"}`, (t) => {
      assert.equal(prefer(t, ...wanted), code);
    });
  }

  test("preferredLanguage uses a single language of the browser", (t) => {
    withGlobals(t, { navigator: { languages: undefined, language: "ko-KR" } });
    assert.equal(preferredLanguage(), "ko");
  });
});

/** A page with these language files. A file that is a promise arrives later, a number is a status. */
function page(test, files) {
  const document = { documentElement: { lang: "" }, body: { querySelectorAll: () => [] } };
  const fetch = async (address) => {
    const file = await files[/\/languages\/(.+)\.json$/.exec(address.pathname)[1]];
    const status = typeof file === "number" ? file : file ? 200 : 404;
    return { ok: status === 200, status, json: async () => file };
  };
  withGlobals(test, { document, fetch });
  return document;
}

const ENGLISH = {
  "color.black": "Black", "player.me": "Me", "level.club": "Club player", "player.bot": "Bot: {name}",
  "end.resignation": "{winner} wins by resignation", "end.five": "{winner} wins", "end.full": "Draw",
  "end.impossible": "Impossible: {reason}", "two": "{a} and {b} and {a}",
};

describe("speak", () => {
  test("setLanguage loads English and sets the language of the page", async (t) => {
    const document = page(t, { en: ENGLISH });
    await setLanguage("en");
    assert.equal(words("color.black"), "Black");
    assert.equal(document.documentElement.lang, "en");
  });

  test("setLanguage falls back to English for a missing text", async (t) => {
    page(t, { en: ENGLISH, ja: { "color.black": "黒" } });
    await setLanguage("ja");
    assert.equal(words("color.black"), "黒");
    assert.equal(words("player.me"), "Me");
  });

  test("setLanguage falls back to English for an unknown language", async (t) => {
    page(t, { en: ENGLISH });
    await setLanguage("xx");
    assert.equal(words("color.black"), "Black");
  });

  test("setLanguage fails if a file cannot be read now, and can be called again", async (t) => {
    const files = { en: ENGLISH, ja: 503 };
    const document = page(t, files);
    await setLanguage("en");
    await assert.rejects(setLanguage("ja"), { message: "languages/ja.json: status 503", locked: false });
    files.ja = 403;
    await assert.rejects(setLanguage("ja"), { locked: true });
    assert.equal(document.documentElement.lang, "en");
    files.ja = { "color.black": "黒" };
    await setLanguage("ja");
    assert.equal(words("color.black"), "黒");
  });

  test("setLanguage ignores a slower earlier language", async (t) => {
    const slow = deferred();
    const document = page(t, { en: ENGLISH, ja: slow.promise, ko: { "color.black": "흑" } });
    const first = setLanguage("ja");
    await settle();
    await setLanguage("ko");
    slow.resolve({ "color.black": "黒" });
    await first;
    assert.equal(words("color.black"), "흑");
    assert.equal(document.documentElement.lang, "ko");
  });
});

describe("t", () => {
  test("t returns an unknown key", () => assert.equal(words("no.such.key"), "no.such.key"));

  test("t replaces placeholders", async (t) => {
    page(t, { en: ENGLISH });
    await setLanguage("en");
    assert.equal(words("two", { a: 0, b: "x" }), "0 and x and 0");
  });

  test("t selects the plural form of the language", async (t) => {
    const ru = { moves: "за {plies, plural, one {# ход} few {# хода} other {# ходов}}" };
    const ko = { moves: "{plies, plural, other {#수}}" };
    page(t, { en: ENGLISH, ru, ko });
    await setLanguage("ru");
    assert.deepEqual([1, 3, 5, 21].map((plies) => words("moves", { plies })), ["за 1 ход", "за 3 хода", "за 5 ходов", "за 21 ход"]);
    await setLanguage("ko");
    assert.equal(words("moves", { plies: 1 }), "1수");
    await setLanguage("en");
  });

  test("t keeps the placeholder of a missing value", () => assert.equal(words("two", { a: 1 }), "1 and {b} and 1"));

  test("t inserts values with braces and dollar signs unchanged", () => {
    assert.equal(words("two", { a: "{b}", b: "$&" }), "{b} and $& and {b}");
  });
});

describe("names", () => {
  test("playerName names persons, levels and bots", async (t) => {
    page(t, { en: ENGLISH });
    await setLanguage("en");
    assert.deepEqual(["me", "level:club", "bot:one-ply"].map(playerName), ["Me", "Club player", "Bot: one-ply"]);
  });

  test("playerName keeps a colon in the name of a bot", () => {
    assert.equal(playerName("bot:a:b"), "Bot: a:b");
  });

  const facts = (state, more) => ({ verdict: null, facts: { state, ...more } });

  test("endingText is empty if the game is not over or unknown", () => {
    assert.equal(endingText(facts("open")), "");
    assert.equal(endingText({ verdict: null, facts: null }), "");
  });

  test("endingText names the winner by a five", () => {
    assert.equal(endingText(facts("five", { winner: "black" })), "Black wins");
  });

  test("endingText names a draw on a full board", () => {
    assert.equal(endingText(facts("full", { winner: null })), "Draw");
  });

  test("endingText gives the reason of an impossible position", () => {
    assert.equal(endingText(facts("impossible", { reason: "a1 is set up twice" })), "Impossible: a1 is set up twice");
  });

  test("endingText names a resignation", () => {
    const session = { verdict: { winner: "black", reason: "resignation" }, facts: { state: "open" } };
    assert.equal(endingText(session), "Black wins by resignation");
  });
});
