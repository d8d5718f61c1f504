import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { describe, test } from "node:test";

import { addTo, el, keyOf, setContent } from "../page/dom.js";
import { blackRate } from "../page/graph.js";
import { connection, gradeOf, markOf, percentOf, verdictOf } from "../page/marks.js";
import { Moves } from "../page/moves.js";
import { boardSvg } from "../page/picture.js";
import { FakeElement, addMoves, fakeDocument, newGame, withGlobals } from "./support.js";

describe("children of elements", () => {
  test("el, addTo and setContent leave out null and undefined", (t) => {
    withGlobals(t, { document: fakeDocument() });
    const element = el("p", {}, "a", null);
    addTo(element, null, ["b", undefined]);
    assert.equal(element.textContent, "ab");
    setContent(element, null, "c", undefined);
    assert.equal(element.textContent, "c");
  });

  test("other files of the page add children only by these functions", () => {
    const folder = new URL("../page/", import.meta.url);
    for (const name of readdirSync(folder).filter((it) => it.endsWith(".js") && it !== "dom.js")) {
      const source = readFileSync(new URL(name, folder), "utf8");
      assert.doesNotMatch(source, /\.(append|prepend|replaceChildren)\([^)]/, name);
    }
  });
});

describe("keys of buttons", () => {
  test("press clicks the visible button of a key, also in browsers without checkVisibility", async (t) => {
    withGlobals(t, { document: { ...fakeDocument(), getElementById: () => new FakeElement("dialog") } });
    const { press } = await import("../page/dialogs.js");
    const clicks = [];
    const button = (key, parts) => ({ dataset: { key }, click: () => clicks.push(key), ...parts });
    const rects = (count) => ({ getClientRects: () => Array(count).fill({}) });
    const all = [
      button("a", rects(1)), button("b", rects(0)),
      button("c", { ...rects(1), checkVisibility: () => false }), button("d", { ...rects(0), checkVisibility: () => true }),
    ];
    const box = { querySelectorAll: () => all };
    const pressed = ["a", "b", "c", "d", "e"].map((key) => press(box, { key, preventDefault() {} }));
    assert.deepEqual(pressed, [true, false, false, true, false]);
    assert.deepEqual(clicks, ["a", "d"]);
  });
});

describe("verdictOf", () => {
  const cases = [[0.5, "50"], [0.004, "1"], [0.999, "99"], [0, "1"], [1, "99"]];
  for (const [rate, text] of cases) {
    test(`verdictOf writes the unproved win rate ${rate} as ${text}`, () => {
      assert.equal(verdictOf({ rate, forced: null }), text);
      assert.equal(verdictOf({ rate }), text);
    });
  }

  test("verdictOf writes the plies to a proved win or loss", () => {
    assert.equal(verdictOf({ rate: 1, forced: 5 }), "✓5");
    assert.equal(verdictOf({ rate: 0, forced: -4 }), "✗4");
  });
});

describe("gradeOf", () => {
  const best = { rate: 0.8, forced: null };
  const cases = [[0.8, "best"], [0.75, "good"], [0.7, "doubtful"], [0.5, "bad"]];
  for (const [rate, grade] of cases) {
    test(`gradeOf, ${rate} against 0.8, ${grade}`, () => assert.equal(gradeOf({ rate, forced: null }, best), grade));
  }

  test("gradeOf names proved results", () => {
    assert.equal(gradeOf({ rate: 1, forced: 7 }, best), "winning");
    assert.equal(gradeOf({ rate: 0, forced: -4 }, best), "losing");
  });
});

describe("markOf", () => {
  const cases = [
    ["A", { text: "A" }], ["W12", { text: "W12" }], ["best", { text: "be…" }], ["最善手です", { text: "最善…" }],
    ["○", { sign: "circle" }], ["×", { sign: "cross" }], ["□", { sign: "square" }], ["△", { sign: "triangle" }],
  ];
  for (const [text, mark] of cases) {
    test(`markOf, ${text}`, () => assert.deepEqual(markOf({ at: "h8", text }), { at: "h8", ...mark }));
  }
});

describe("percentOf", () => {
  const cases = [[0.65, 0, "65"], [0.9999, 0, "99"], [0.0001, 0, "1"], [0.9999, 1, "99.9"], [1, 0, "100"], [0, 1, "0.0"]];
  for (const [rate, decimals, text] of cases) {
    test(`percentOf, ${rate} to ${decimals} places, ${text}`, () => assert.equal(percentOf(rate, decimals), text));
  }
});

describe("blackRate", () => {
  test("blackRate is black's win rate for either side to move", () => {
    assert.equal(blackRate({ evaluation: { rate: 0.75 } }, "black"), 0.75);
    assert.equal(blackRate({ evaluation: { rate: 0.75 } }, "white"), 0.25);
  });

  test("blackRate is null without numbers", () => {
    assert.equal(blackRate({ evaluation: null }, "black"), null);
    assert.equal(blackRate({ evaluation: { text: "Tengen: score +1" } }, "black"), null);
  });
});

describe("keyOf", () => {
  const cases = [
    [{ key: "a", code: "KeyQ", shiftKey: false }, "a", "a Latin layout, the letter of the layout"],
    [{ key: "ф", code: "KeyA", shiftKey: false }, "a", "a Russian layout, the Latin letter of the key"],
    [{ key: "Ф", code: "KeyA", shiftKey: true }, "A", "a Russian layout with shift, a capital letter"],
    [{ key: "Process", code: "KeyR", shiftKey: false }, "r", "an input method, the Latin letter"],
    [{ key: "ArrowLeft", code: "ArrowLeft", shiftKey: false }, "ArrowLeft", "an arrow, its name"],
    [{ key: "。", code: "Period", shiftKey: false }, "。", "another sign, itself"],
  ];
  for (const [event, key, name] of cases) test(`keyOf, ${name}`, () => assert.equal(keyOf(event), key));
});

describe("connection", () => {
  test("a line has no head and keeps off the centres", () => {
    assert.equal(connection({ x: 0, y: 0 }, { x: 0, y: 40 }, false), "M0.0 6.0L0.0 34.0");
  });
});

describe("boardSvg", () => {
  const count = (text, pattern) => text.match(pattern)?.length ?? 0;
  const look = { numbers: true, coordinates: true };

  test("boardSvg draws stones and numbers in playing order", () => {
    const game = newGame();
    game.node = addMoves(game, ["h8", "i9", "j8"]);
    const svg = boardSvg(game, { numbers: true, coordinates: false });
    assert.equal(count(svg, /url\(#b\)/g), 2);
    assert.equal(count(svg, /url\(#w\)/g), 1);
    assert.deepEqual([...svg.matchAll(/>(\d+)<\/text>/g)].map((it) => it[1]).sort(), ["1", "2", "3"]);
    assert.equal(count(svg, /#d1342f/g), 1, "a ring around the last stone");
  });

  test("boardSvg draws the winning row and the title, without markup", () => {
    const game = newGame();
    game.node = addMoves(game, ["h8", "i9"]);
    const svg = boardSvg(game, { numbers: true, coordinates: false, row: ["j8", "h8", "i8"], title: "A<b> – C" });
    assert.match(svg, /<line x1="320" y1="320" x2="400" y2="320"/);
    assert.match(svg, /A&#60;b&#62; – C<\/text>/);
    assert.match(svg, /viewBox="0 -24 640 664"/);
  });

  test("boardSvg draws marks, arrows and the best moves", () => {
    const game = newGame();
    game.node.marks = [{ at: "a1", sign: "square" }, { at: "b1", text: "<" }, { at: "h8", to: "k8", sign: "arrow" }];
    const lines = [{ moves: ["c3"], rate: 0.61, forced: null }, { moves: ["d4"], rate: 0.6, forced: 7 }];
    const svg = boardSvg(game, { numbers: true, coordinates: false, lines });
    assert.match(svg, /<path d="M326.0 320.0L434.0 320.0M423.0 326.6L434.0 320.0L423.0 313.4"/);
    assert.match(svg, />&#60;<\/text>/);
    assert.match(svg, />61<\/text>/);
    assert.match(svg, />✓7<\/text>/);
    game.node.marks = [];
    assert.equal(count(boardSvg(game, { numbers: true, coordinates: false }), /b3261e/g), 0);
  });

  test("boardSvg without numbers marks the last stone", () => {
    const game = newGame();
    game.node = addMoves(game, ["h8", "i9"]);
    const svg = boardSvg(game, { numbers: false, coordinates: false });
    assert.equal(count(svg, /<text/g), 0);
    assert.equal(count(svg, /#d1342f/g), 1);
    assert.match(svg, /<circle cx="360" cy="280" r="5" fill="#d1342f"/);
  });

  test("boardSvg writes coordinates of a rectangular board", () => {
    const svg = boardSvg(newGame({ width: 19, height: 9 }), look);
    const texts = [...svg.matchAll(/y="([\d.]+)"[^>]*>([a-z\d]+)<\/text>/g)];
    assert.equal(texts.length, 19 + 9);
    assert.deepEqual(texts.slice(0, 19).map((it) => it[2]).join(""), "abcdefghijklmnopqrs");
    assert.deepEqual(texts.slice(19).map((it) => it[2]), ["9", "8", "7", "6", "5", "4", "3", "2", "1"]);
    assert.match(svg, /width="800" height="400"/);
  });

  test("boardSvg writes no numbers on walls and set-up stones", () => {
    const game = newGame();
    game.root.setUp = { black: ["h8"], walls: ["a1"], side: "white" };
    const svg = boardSvg(game, { numbers: true, coordinates: false });
    assert.equal(count(svg, /fill="#8a6a3a"/g), 1);
    assert.equal(count(svg, /url\(#b\)/g), 1);
    assert.equal(count(svg, /<text/g), 0);
  });
});

/** The list of moves of a game, and how to click on it. */
function list(t, game, options) {
  withGlobals(t, { document: fakeDocument() });
  const root = new FakeElement("div");
  const chosen = [];
  const events = new EventTarget();
  const session = { game, get node() { return game.node; }, addEventListener: (...it) => events.addEventListener(...it) };
  const moves = new Moves(root, session, (node) => chosen.push(node));
  moves.draw(options);
  const click = (id) => root.listeners.click({ target: { closest: () => ({ dataset: { node: String(id) } }) } });
  return { root, moves, events, chosen, click, buttons: [...root.all()].filter((it) => it.tag === "button") };
}

describe("Moves", () => {
  test("draw nests a variation in the main line", (t) => {
    const game = newGame();
    addMoves(game, ["h8", "i9", "j8"]);
    addMoves(game, ["i8", "h9"], game.root.children[0]);
    const { root } = list(t, game);
    assert.equal(root.textContent, "moves.start1. color.black h82. color.white i92. color.white i83. color.black h93. color.black j8");
    const branches = [...root.all()].filter((it) => it.attributes.class === "line variation");
    assert.deepEqual(branches.map((it) => it.textContent), ["2. color.white i83. color.black h9"]);
  });

  test("draw marks the current node", (t) => {
    const game = newGame();
    game.node = addMoves(game, ["h8", "i9"]).parent;
    const current = list(t, game).buttons.filter((it) => it.attributes["aria-current"] === "step");
    assert.deepEqual(current.map((it) => it.textContent), ["1. color.black h8"]);
  });

  test("draw names passes, set-ups and comments", (t) => {
    const game = newGame();
    const pass = addMoves(game, [null]);
    pass.comment = "hm";
    game.setUpAfter(pass);
    assert.equal(list(t, game).root.textContent, "moves.start1. color.black moves.passhmmoves.set-up");
  });

  test("draw numbers moves after a set-up as the stones do", (t) => {
    const game = newGame();
    const set = game.setUpAfter(addMoves(game, ["h8"]));
    addMoves(game, ["i9"], set);
    assert.equal(list(t, game).root.textContent, "moves.start1. color.black h8moves.set-up2. color.white i9");
  });

  test("draw shows grades unless they are hidden", (t) => {
    const game = newGame();
    const end = addMoves(game, ["h8", "i9"]);
    end.review = { grade: "blunder" };
    end.parent.review = { grade: "best" };
    assert.equal(list(t, game).root.textContent, "moves.start1. color.black h82. color.white i9?? grade.blunder");
    assert.equal(list(t, game, { hideGrades: true }).root.textContent, "moves.start1. color.black h82. color.white i9");
  });

  test("draw shortens a line of 2000 moves to the part near the position", (t) => {
    const game = newGame();
    const end = addMoves(game, Array.from({ length: 2000 }, () => null));
    const far = list(t, game);
    assert.equal(far.buttons.length, 601);
    assert.match(far.root.textContent, /…$/);
    game.node = end;
    const near = list(t, game);
    assert.equal(near.buttons.length, 2001);
    assert.doesNotMatch(near.root.textContent, /…/);
  });

  test("draw scrolls to another position or another tree only, and keeps the focus", (t) => {
    const game = newGame();
    const end = addMoves(game, ["h8", "i9"]);
    const { root, moves, events } = list(t, game);
    root.scrollTop = 77;
    root.querySelector = (selector) => (selector === "[aria-current]" ? { offsetTop: 300 } : { dataset: { node: end.id }, focus: () => focused.push(selector) });
    const focused = [];
    moves.draw();
    assert.deepEqual([root.scrollTop, focused], [77, [`[data-node="${end.id}"]`]]);
    game.node = end;
    moves.draw();
    assert.equal(root.scrollTop, 300);
    // Another main line may move the position in the list.
    root.scrollTop = 77;
    events.dispatchEvent(new Event("tree"));
    moves.draw();
    assert.equal(root.scrollTop, 300);
  });

  test("a click on a move goes to its node", (t) => {
    const game = newGame();
    const end = addMoves(game, ["h8", "i9"]);
    const { click, chosen } = list(t, game);
    click(end.parent.id);
    assert.deepEqual(chosen, [end.parent]);
  });
});
