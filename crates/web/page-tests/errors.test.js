import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { errorText } from "../page/errors.js";
import { ServerError } from "../page/transport.js";
import { setLanguage } from "../page/words.js";
import { withGlobals } from "./support.js";

const WORDS = {
  "error.off-board": "{name} liegt außerhalb", "error.at": "{place}: {error}", "error.place.move": "Zug {number} auf {name}",
  "error.offence": "{offence}", "error.offence.occupied": "besetzt",
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

  test("errorText falls back to the reason", async (t) => {
    await speak(t);
    assert.equal(errorText(ServerError.of({ error: "reason", code: "new-code" })), "reason");
    assert.equal(errorText(ServerError.of({ error: "reason" })), "reason");
    assert.equal(errorText(ServerError.of("plain text\n")), "plain text");
  });
});
