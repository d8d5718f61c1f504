import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Settings } from "../page/settings.js";
import { cookieJar, withGlobals } from "./support.js";

const NAME = "tengen-settings";

/** Settings in a browser with this stored text; none is stored without it. */
function settingsWith(t, text) {
  const cookies = text === undefined ? {} : { [NAME]: text };
  const document = cookieJar(cookies);
  withGlobals(t, { document });
  return { settings: new Settings(), cookies, document };
}

const stored = (values) => encodeURIComponent(JSON.stringify(values));
const keptIn = (cookies) => JSON.parse(decodeURIComponent(cookies[NAME]));

describe("restoring", () => {
  test("get, nothing is stored, defaults", (t) => {
    const { settings } = settingsWith(t);
    assert.equal(settings.get("rule"), "freestyle");
    assert.equal(settings.get("width"), 15);
    assert.equal(settings.get("language"), null);
  });

  test("get, some values are stored, those and defaults for the others", (t) => {
    const { settings } = settingsWith(t, stored({ rule: "renju", language: "ja", clock: true }));
    assert.deepEqual(["rule", "language", "clock", "height"].map((it) => settings.get(it)), ["renju", "ja", true, 15]);
  });

  test("get, other cookies before and after, its own is found", (t) => {
    const document = cookieJar({ a: "1", [NAME]: stored({ rule: "caro" }), "tengen-settings-old": "x" });
    withGlobals(t, { document });
    assert.equal(new Settings().get("rule"), "caro");
  });

  for (const text of ["", "%", "{", "null", "7", "%22text%22", "%5B1%2C2%5D"]) {
    test(`get, stored text is ${JSON.stringify(text)}, defaults`, (t) => {
      const { settings } = settingsWith(t, text);
      assert.equal(settings.get("rule"), "freestyle");
      assert.deepEqual(settings.get("layers"), { fouls: true, black: false, white: false });
    });
  }

  const damaged = {
    rule: 7, width: "15", height: null, lines: true, clock: "no", language: 3, layers: null,
    kinds: "five", black: {}, moveTime: [],
  };
  for (const [name, value] of Object.entries(damaged)) {
    test(`get, stored ${name} is ${JSON.stringify(value)}, its default`, (t) => {
      const { settings } = settingsWith(t, stored({ [name]: value, theme: "dark" }));
      const { settings: fresh } = settingsWith(t);
      assert.deepEqual(settings.get(name), fresh.get(name));
      assert.equal(settings.get("theme"), "dark");
    });
  }

  test("get, stored layers lack one, defaults for all layers", (t) => {
    const { settings } = settingsWith(t, stored({ layers: { fouls: false } }));
    assert.deepEqual(settings.get("layers"), { fouls: true, black: false, white: false });
  });

  test("get, stored kinds hold something else than text, default kinds", (t) => {
    const { settings } = settingsWith(t, stored({ kinds: ["five", null] }));
    assert.equal(settings.get("kinds").length, 7);
  });
});

describe("saving", () => {
  test("set, a value, the next visit has it", (t) => {
    const { settings } = settingsWith(t);
    settings.set("rule", "renju");
    settings.set("white", "bot:one-ply; or not");
    const next = new Settings();
    assert.deepEqual([next.get("rule"), next.get("white")], ["renju", "bot:one-ply; or not"]);
  });

  test("set, a value, listeners get its name", (t) => {
    const { settings } = settingsWith(t);
    const names = [];
    settings.addEventListener("change", (event) => names.push(event.detail));
    settings.set("lines", 3);
    assert.deepEqual(names, ["lines"]);
    assert.equal(settings.get("lines"), 3);
  });

  test("set, another tab has changed something else, both changes are stored", (t) => {
    const { settings, cookies } = settingsWith(t);
    const otherTab = new Settings();
    otherTab.set("theme", "dark");
    settings.set("rule", "renju");
    assert.equal(keptIn(cookies).theme, "dark");
    assert.equal(keptIn(cookies).rule, "renju");
  });

  test("set, a newer version has stored a value of its own, it stays", (t) => {
    const { settings, cookies } = settingsWith(t, stored({ sound: "wood" }));
    settings.set("rule", "renju");
    assert.equal(keptIn(cookies).sound, "wood");
  });

  test("set, the browser keeps no cookies, the value holds for this visit", (t) => {
    withGlobals(t, { document: { get cookie() { return ""; }, set cookie(_text) {} } });
    const settings = new Settings();
    settings.set("rule", "renju");
    assert.equal(settings.get("rule"), "renju");
  });
});
