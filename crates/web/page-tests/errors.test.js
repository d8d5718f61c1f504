import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { errorText } from "../page/errors.js";
import { ServerError } from "../page/transport.js";
import { setLanguage } from "../page/words.js";
import { withGlobals } from "./support.js";

const WORDS = {
  "error.off-board": "{name} liegt außerhalb", "error.at": "{place}: {error}", "error.place.move": "Zug {number} auf {name}",
  "error.line": "Zeile {line}: {reason}", "error.cell": "{text} ist kein Zug", "error.offence": "{offence}", "error.offence.occupied": "besetzt",
  "error.network-missing": "Daten von {rule} fehlen", "rule.caro-overline": "Caro lang",
};

async function speak(test) {
  const document = { documentElement: { lang: "" }, body: { querySelectorAll: () => [] } };
  withGlobals(test, { document, fetch: async () => ({ ok: true, json: async () => WORDS }) });
  await setLanguage("ja");
}

describe("errorText", () => {
  test("errorText translates a code with its values", async (t) => {
    await speak(t);
    const error = ServerError.of({ error: "z9 lies outside", code: "off-board", values: { name: "z9" } });
    assert.equal(errorText(error), "z9 liegt außerhalb");
  });

  test("errorText translates an error inside another", async (t) => {
    await speak(t);
    const inner = { error: "z9 lies outside", code: "off-board", values: { name: "z9" } };
    const error = ServerError.of({ error: "line 3: z9 lies outside", code: "at", values: { place: "3", error: inner } });
    assert.equal(errorText(error), "3: z9 liegt außerhalb");
  });

  test("errorText translates places and named values", async (t) => {
    await speak(t);
    const inner = { error: "the cell is taken", code: "offence", values: { offence: "occupied" } };
    const error = ServerError.of({ error: "...", code: "at", values: { place: "move 3 (h8)", error: inner } });
    assert.equal(errorText(error), "Zug 3 auf h8: besetzt");
  });

  test("errorText names rules as the page does", async (t) => {
    await speak(t);
    const error = ServerError.of({ error: "...", code: "network-missing", values: { rule: "caro-overline" } });
    assert.equal(errorText(error), "Daten von Caro lang fehlen");
  });

  test("errorText names the language of other reasons", async (t) => {
    await speak(t);
    assert.equal(errorText(ServerError.of({ error: "reason", code: "new-code" })), "reason (English)");
    assert.equal(errorText(ServerError.of({ error: "reason" })), "reason (English)");
    assert.equal(errorText(ServerError.of("plain text\n")), "plain text (English)");
    await setLanguage("en");
    assert.equal(errorText(ServerError.of({ error: "reason" })), "reason");
  });

  test("errorText translates reasons of the readers that have codes", async (t) => {
    await speak(t);
    const line = (reason) => errorText(ServerError.of({ error: "", code: "line", values: { line: 3, reason } }));
    const taken = { error: "h8 is played twice", code: "offence", values: { offence: "occupied" } };
    assert.equal(line({ error: taken.error, code: "at", values: { place: "h8", error: taken } }), "Zeile 3: h8: besetzt");
    assert.equal(line({ error: "...", code: "off-board", values: { name: "p16", size: "15x15" } }), "Zeile 3: p16 liegt außerhalb");
    assert.equal(line({ error: "...", code: "cell", values: { text: "xx" } }), "Zeile 3: xx ist kein Zug");
    assert.equal(line("the file is empty"), "Zeile 3: the file is empty (English)");
  });
});
