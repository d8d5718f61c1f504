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
    test(`preferredLanguage, browser wants ${wanted.join(", ") || "nothing"}, ${code}`, (t) => {
      assert.equal(prefer(t, ...wanted), code);
    });
  }

  test("preferredLanguage, browser names one language only, that one", (t) => {
    withGlobals(t, { navigator: { languages: undefined, language: "ko-KR" } });
    assert.equal(preferredLanguage(), "ko");
  });
});

/** A page whose language files are these; a code that is a promise answers later. */
function page(test, files) {
  const document = { documentElement: { lang: "" }, body: { querySelectorAll: () => [] } };
  const fetch = async (path) => {
    const file = await files[/^\/languages\/(.+)\.json$/.exec(path)[1]];
    return { ok: Boolean(file), json: async () => file };
  };
  withGlobals(test, { document, fetch });
  return document;
}

const ENGLISH = {
  "color.black": "Black", "player.me": "Me", "level.club": "Club player", "player.bot": "Textbook: {name}",
  "end.resignation": "{winner} wins by resignation", "end.five": "{winner} wins", "end.full": "Draw",
  "end.impossible": "Impossible: {reason}", "two": "{a} and {b} and {a}",
};

describe("speak", () => {
  test("setLanguage, English, its words and the page's language", async (t) => {
    const document = page(t, { en: ENGLISH });
    await setLanguage("en");
    assert.equal(words("color.black"), "Black");
    assert.equal(document.documentElement.lang, "en");
  });

  test("setLanguage, a language lacks a word, the English one", async (t) => {
    page(t, { en: ENGLISH, ja: { "color.black": "黒" } });
    await setLanguage("ja");
    assert.equal(words("color.black"), "黒");
    assert.equal(words("player.me"), "Me");
  });

  test("setLanguage, no such language, English words", async (t) => {
    page(t, { en: ENGLISH });
    await setLanguage("xx");
    assert.equal(words("color.black"), "Black");
  });

  test("setLanguage, a second language before the first has come, the second stays", async (t) => {
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
  test("t, a key that nothing has, the key", () => assert.equal(words("no.such.key"), "no.such.key"));

  test("t, values, each place is filled", async (t) => {
    page(t, { en: ENGLISH });
    await setLanguage("en");
    assert.equal(words("two", { a: 0, b: "x" }), "0 and x and 0");
  });

  test("t, a value is missing, its place stays", () => assert.equal(words("two", { a: 1 }), "1 and {b} and 1"));

  test("t, a value with braces or a dollar sign, as it is", () => {
    assert.equal(words("two", { a: "{b}", b: "$&" }), "{b} and $& and {b}");
  });
});

describe("names", () => {
  test("playerName, a person, a level, a bot, their names", async (t) => {
    page(t, { en: ENGLISH });
    await setLanguage("en");
    assert.deepEqual(["me", "level:club", "bot:one-ply"].map(playerName), ["Me", "Club player", "Textbook: one-ply"]);
  });

  test("playerName, a bot with a colon in its name, the whole name", () => {
    assert.equal(playerName("bot:a:b"), "Textbook: a:b");
  });

  const facts = (state, more) => ({ verdict: null, facts: { state, ...more } });

  test("endingText, the game goes on or nothing is known, empty", () => {
    assert.equal(endingText(facts("open")), "");
    assert.equal(endingText({ verdict: null, facts: null }), "");
  });

  test("endingText, a five, the winner", () => {
    assert.equal(endingText(facts("five", { winner: "black" })), "Black wins");
  });

  test("endingText, a full board, nobody wins", () => {
    assert.equal(endingText(facts("full", { winner: null })), "Draw");
  });

  test("endingText, an impossible position, why", () => {
    assert.equal(endingText(facts("impossible", { reason: "a1 is set up twice" })), "Impossible: a1 is set up twice");
  });

  test("endingText, a resignation in an open position, by resignation", () => {
    const session = { verdict: { winner: "black", reason: "resignation" }, facts: { state: "open" } };
    assert.equal(endingText(session), "Black wins by resignation");
  });
});
