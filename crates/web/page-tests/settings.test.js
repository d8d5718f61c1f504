import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Settings } from "../page/settings.js";
import { cookieJar, withGlobals } from "./support.js";

const NAME = "tengen-settings";

/** Settings in a browser with this stored text, if any. */
function settingsWith(t, text) {
  const cookies = text === undefined ? {} : { [NAME]: text };
  const document = cookieJar(cookies);
  withGlobals(t, { document });
  return { settings: new Settings(), cookies, document };
}

const stored = (values) => encodeURIComponent(JSON.stringify(values));
const keptIn = (cookies) => JSON.parse(decodeURIComponent(cookies[NAME]));

describe("restoring", () => {
  test("get returns defaults if nothing is stored", (t) => {
    const { settings } = settingsWith(t);
    assert.equal(settings.get("rule"), "freestyle");
    assert.equal(settings.get("width"), 15);
    assert.equal(settings.get("language"), null);
  });

  test("get returns stored values and defaults for the others", (t) => {
    const { settings } = settingsWith(t, stored({ rule: "renju", language: "ja", clock: true }));
    assert.deepEqual(["rule", "language", "clock", "height"].map((it) => settings.get(it)), ["renju", "ja", true, 15]);
  });

  test("get ignores other cookies", (t) => {
    const document = cookieJar({ a: "1", [NAME]: stored({ rule: "caro" }), "tengen-settings-old": "x" });
    withGlobals(t, { document });
    assert.equal(new Settings().get("rule"), "caro");
  });

  for (const text of ["", "%", "{", "null", "7", "%22text%22", "%5B1%2C2%5D"]) {
    test(`get returns defaults for the stored text ${JSON.stringify(text)}`, (t) => {
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
    test(`get returns the default for ${name} ${JSON.stringify(value)}`, (t) => {
      const { settings } = settingsWith(t, stored({ [name]: value, theme: "dark" }));
      const { settings: fresh } = settingsWith(t);
      assert.deepEqual(settings.get(name), fresh.get(name));
      assert.equal(settings.get("theme"), "dark");
    });
  }

  test("get returns default layers if one is missing", (t) => {
    const { settings } = settingsWith(t, stored({ layers: { fouls: false } }));
    assert.deepEqual(settings.get("layers"), { fouls: true, black: false, white: false });
  });

  test("get returns default kinds if one is not a text", (t) => {
    const { settings } = settingsWith(t, stored({ kinds: ["five", null] }));
    assert.equal(settings.get("kinds").length, 7);
  });
});

describe("saving", () => {
  test("set stores a value for the next visit", (t) => {
    const { settings } = settingsWith(t);
    settings.set("rule", "renju");
    settings.set("white", "bot:one-ply; or not");
    const next = new Settings();
    assert.deepEqual([next.get("rule"), next.get("white")], ["renju", "bot:one-ply; or not"]);
  });

  test("set emits the name of the setting", (t) => {
    const { settings } = settingsWith(t);
    const names = [];
    settings.addEventListener("change", (event) => names.push(event.detail));
    settings.set("lines", 3);
    assert.deepEqual(names, ["lines"]);
    assert.equal(settings.get("lines"), 3);
  });

  test("set keeps the changes of another tab", (t) => {
    const { settings, cookies } = settingsWith(t);
    const otherTab = new Settings();
    otherTab.set("theme", "dark");
    settings.set("rule", "renju");
    assert.equal(keptIn(cookies).theme, "dark");
    assert.equal(keptIn(cookies).rule, "renju");
  });

  test("set brings back nothing that another tab removed", (t) => {
    const { settings, cookies } = settingsWith(t, stored({ theme: "dark", solvedRecords: { a: 7 } }));
    assert.deepEqual(settings.solvedRecords, { a: 7 });
    cookies[NAME] = "";
    assert.deepEqual(settings.solvedRecords, {});
    settings.set("rule", "renju");
    assert.deepEqual(keptIn(cookies), { rule: "renju" });
  });

  test("set keeps unknown values of a newer version", (t) => {
    const { settings, cookies } = settingsWith(t, stored({ hologram: "blue" }));
    settings.set("rule", "renju");
    assert.equal(keptIn(cookies).hologram, "blue");
  });

  test("set works without cookies during the visit", (t) => {
    withGlobals(t, { document: { get cookie() { return ""; }, set cookie(_text) {} } });
    const settings = new Settings();
    settings.set("rule", "renju");
    assert.equal(settings.get("rule"), "renju");
    settings.set("solvedRecords", { a: 7 });
    assert.deepEqual(settings.solvedRecords, { a: 7 });
  });
});

describe("a page without a server", () => {
  /** Settings in a page whose local storage is `storage`. */
  function settingsIn(t, localStorage) {
    const document = { documentElement: { dataset: { engine: "worker" } } };
    withGlobals(t, { document, localStorage });
    return new Settings();
  }

  test("settings are kept in the local storage", (t) => {
    const kept = {};
    const storage = {
      getItem: (name) => kept[name] ?? null,
      setItem: (name, text) => { kept[name] = text; },
      removeItem: (name) => delete kept[name],
    };
    const settings = settingsIn(t, storage);
    settings.set("rule", "renju");
    settings.set("width", 19);
    assert.equal(JSON.parse(kept[NAME]).rule, "renju");
    assert.equal(new Settings().get("width"), 19);
    settings.forget();
    assert.deepEqual(kept, {});
  });

  test("settings last until the page is closed if the browser refuses to store them", (t) => {
    const refuse = () => { throw new DOMException("refused", "SecurityError"); };
    const settings = settingsIn(t, { getItem: refuse, setItem: refuse, removeItem: refuse });
    settings.set("rule", "renju");
    assert.equal(settings.get("rule"), "renju");
    assert.equal(new Settings().get("rule"), "freestyle");
    settings.forget();
  });
});
