// Tests of the page in a browser. See browser-test.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import {
  beginReview, clickCell, inEachLanguage, load, newGame, openPage, paste, placeOf, playMoves, ready, reloaded,
  savingTo, setMoveTime, settled, startBrowser, startServer, startSite, stones, stopped, textOf, unfold, wait,
  waitForStatus, waitForStones,
} from "./browser.mjs";
import { FOUL, GAME, OPEN, WON } from "./positions.mjs";
import { boardTests } from "./browser-board.mjs";
import { dataTests } from "./browser-data.mjs";
import { designTests } from "./browser-design.mjs";
import { essentialTests } from "./browser-essential.mjs";
import { explorerTests } from "./browser-explorer.mjs";
import { gameTests } from "./browser-games.mjs";
import { siteTests } from "./site-tests.mjs";
import { solvedTests } from "./browser-solved.mjs";

const { values: options } = parseArgs({
  options: {
    binary: { type: "string" }, browser: { type: "string" }, modules: { type: "string" },
    page: { type: "string" }, shots: { type: "string" }, site: { type: "string" },
    threads: { type: "boolean", default: false }, firefox: { type: "boolean", default: false }, single: { type: "string" },
  },
});

/** A library of RenLib: h8, i9 or i8, and after that g7. */
const LIBRARY = Buffer.from([
  0xff, 0x52, 0x65, 0x6e, 0x4c, 0x69, 0x62, 0xff, 3, 4, ...Array(10).fill(0xff),
  0x78, 0x00, 0x69, 0xc0, 0x79, 0x00, 0x87, 0x40,
]);
/** File formats. The board of the last one is always 20x20. */
const FORMS = ["sgf", "psq", "pos", "sav", "lib", "jsonl", "notation", "moves", "diagram", "rec"];
const LANGUAGES = {
  "zh-Hans": "对局", "zh-Hant": "對局", ja: "対局", ko: "대국", vi: "Chơi", cs: "Hra", ru: "Игра", en: "Play",
};

let server;
let browser;

const open = (more = {}) =>
  openPage(browser, server.address, { folder: options.page && resolve(options.page), isolated: options.threads, ...more });

async function picture(page, name) {
  if (!options.shots) return;
  mkdirSync(options.shots, { recursive: true });
  await page.screenshot({ path: join(options.shots, `${name}.png`) });
}

/** Accessibility problems found by axe-core. */
async function faults(page) {
  const source = load(options.modules, "axe-core").source;
  // The Content-Security-Policy blocks other scripts; `evaluate` bypasses it.
  await page.evaluate(source);
  return page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
    return violations
      .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ") + " " + (node.any[0]?.message ?? "")).join("; ")}`);
  });
}

const tests = {
  async "a game by clicks, undo, a branch"() {
    const { page, problems, close } = await open();
    await newGame(page, { rule: "freestyle", black: "me", white: "me" });
    await playMoves(page, WON);
    await waitForStatus(page, /Black wins/);
    assert.equal((await stones(page)).length, 9);
    assert.equal((await page.$$(".row")).length, 5, "the winning row is marked");
    await clickCell(page, "a8");
    assert.equal((await stones(page)).length, 9, "the game is over");
    await page.click("#undo");
    await settled(page);
    assert.equal((await stones(page)).length, 8);
    await playMoves(page, ["m8"]);
    assert.equal((await page.$$(".variation")).length, 1, "another move is a branch");
    await page.keyboard.press("ArrowDown");
    await settled(page);
    assert.ok((await stones(page)).includes("l8"), "the other branch");
    await page.keyboard.press("Home");
    await settled(page);
    assert.equal((await stones(page)).length, 0);
    await page.keyboard.press("End");
    await settled(page);
    assert.equal((await stones(page)).length, 9);
    await close();
    return problems;
  },

  async "a game by keys"() {
    const { page, problems, close } = await open();
    await newGame(page, { rule: "freestyle", black: "me", white: "me", width: 9, height: 9 });
    await page.keyboard.press("t");
    let [x, y] = [4, 4];
    // Enter shows the cursor in the middle.
    await page.keyboard.press("Enter");
    assert.match(await textOf(page, "#spoken"), /e5/);
    const goTo = async (at) => {
      const [column, row] = [at.charCodeAt(0) - 97, 9 - Number(at.slice(1))];
      const steps = [
        ...Array(Math.abs(column - x)).fill(column > x ? "ArrowRight" : "ArrowLeft"),
        ...Array(Math.abs(row - y)).fill(row > y ? "ArrowDown" : "ArrowUp"),
      ];
      for (const step of steps) await page.keyboard.press(step);
      [x, y] = [column, row];
      await page.keyboard.press("Enter");
      await page.waitForSelector(`.stone[data-at="${at}"]`);
      await settled(page);
    };
    for (const at of ["e5", "a1", "f5", "c1", "g5", "e1", "d5", "g1", "h5"]) await goTo(at);
    await waitForStatus(page, /Black wins/);
    await page.keyboard.press("u");
    await settled(page);
    assert.equal((await stones(page)).length, 8);
    await close();
    return problems;
  },

  async "the cursor stays when the opponent moves"() {
    const { page, problems, close } = await open();
    await setMoveTime(page, "1");
    await newGame(page, { rule: "freestyle", black: "me", white: "level:full" });
    await page.keyboard.press("t");
    for (const key of ["ArrowRight", "Enter"]) await page.keyboard.press(key);
    await page.waitForSelector('.stone[data-at="h8"]');
    // While the opponent thinks: from h8 six to the right.
    for (let i = 0; i < 6; i++) await page.keyboard.press("ArrowRight");
    await waitForStones(page, 2);
    await waitForStatus(page, /Black to move/);
    await page.keyboard.press("Space");
    await page.waitForSelector('.stone[data-at="n8"]');
    await close();
    return problems;
  },

  async "letters of another alphabet"() {
    const { page, problems, close } = await open();
    await newGame(page, { rule: "freestyle", black: "me", white: "me" });
    await playMoves(page, ["h8", "i9"]);
    // The key г of a Russian keyboard is u on a Latin one.
    await page.evaluate(() => {
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "г", code: "KeyU", bubbles: true }));
    });
    await settled(page);
    assert.deepEqual(await stones(page), ["h8"]);
    await close();
    return problems;
  },

  async "a player of this program replies"() {
    const { page, problems, close } = await open();
    await newGame(page, { rule: "renju", black: "me", white: "level:first-steps" });
    for (let move = 0; move < 3; move++) {
      const taken = await stones(page);
      const at = ["h8", "b2", "n13", "c12", "m4", "h14"].find((it) => !taken.includes(it));
      await clickCell(page, at);
      await waitForStones(page, taken.length + 2);
      await waitForStatus(page, /Black to move/);
    }
    assert.ok((await stones(page)).length >= 4);
    await page.keyboard.press("u");
    await settled(page);
    await page.keyboard.press("R");
    await page.waitForSelector("#confirm-action");
    await page.keyboard.press("Enter");
    await waitForStatus(page, /White wins by resignation/);
    await close();
    return problems;
  },

  async "an opening by swap2"() {
    const { page, problems, close } = await open();
    await setMoveTime(page, "0.3");
    await newGame(page, { rule: "freestyle", opening: "swap2", black: "me", white: "level:full" });
    await page.waitForFunction(() => /Swap2/.test(document.getElementById("panel-play").textContent));
    await playMoves(page, ["h8", "i9", "j11"]);
    // The engine swaps, stays, or places two more stones and leaves the choice.
    await page.waitForFunction(() => {
      const panel = document.getElementById("panel-play");
      const asks = [...panel.querySelectorAll("button")].some((it) => it.textContent === "Stay");
      return asks || panel.querySelector(".box").hidden;
    });
    await close();
    return problems;
  },

  async "an opening continues after any key"() {
    const { page, problems, close } = await open();
    const isAsked = () => page.waitForSelector('#panel-play .asks [data-key="1"]', { visible: true });
    await newGame(page, { rule: "freestyle", opening: "swap", black: "level:full", white: "me" });
    await page.waitForFunction(() => !document.getElementById("stop").disabled);
    for (const key of ["u", "r", "s", "h", "a", "x", "R", "Delete", "Escape"]) await page.keyboard.press(key);
    await isAsked();
    assert.equal((await stones(page)).length, 3);
    await page.keyboard.press("u");
    await page.keyboard.press("Delete");
    // The person takes black; the engine continues as white.
    await page.keyboard.press("1");
    await waitForStones(page, 4);

    await newGame(page, { rule: "freestyle", opening: "swap", black: "me", white: "me" });
    await page.waitForSelector("#panel-play .asks h2", { visible: true });
    // A focused button would be pressed.
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("Space");
    await playMoves(page, ["h8", "i9"]);
    assert.deepEqual(await stones(page), ["h8", "i9"]);
    // A lost answer does not count.
    if (!options.site) {
      await page.setOfflineMode(true);
      await clickCell(page, "j11");
      await page.waitForSelector("#connection:not([hidden])");
      await page.setOfflineMode(false);
      await page.waitForSelector("#connection", { hidden: true });
    }
    await playMoves(page, ["a1"]);
    await isAsked();
    assert.deepEqual(await stones(page), ["a1", "h8", "i9"]);
    await close();
    return problems.filter((problem) => !/ERR_INTERNET_DISCONNECTED/.test(problem));
  },

  async "the opponent replies during an analysis"() {
    const { page, problems, close } = await open();
    await newGame(page, { rule: "freestyle", black: "me", white: "level:full" });
    await page.keyboard.press("a");
    await page.waitForSelector(".candidate");
    await playMoves(page, ["h8"]);
    await waitForStones(page, 2);
    await page.waitForSelector(".candidate");
    await clickCell(page, "a1");
    await waitForStatus(page, /thinking/);
    for (const key of ["x", "a", "a", "w"]) await page.keyboard.press(key);
    await waitForStones(page, 4);
    await close();
    return problems;
  },

  async "a game started from another panel, and its clock"() {
    const { page, problems, close } = await open();
    await page.click("#tab-analyse");
    await newGame(page, { rule: "freestyle", black: "level:first-steps", white: "me", clock: true });
    await waitForStones(page, 1);
    await waitForStatus(page, /White to move/);
    await clickCell(page, "a1");
    await waitForStones(page, 3);
    await settled(page);
    // The facts are known already; the clock of the person must run.
    await page.keyboard.press("u");
    await waitForStones(page, 1);
    const time = () => textOf(page, "#player-white .clock");
    const before = await time();
    await page.waitForFunction((it) => document.querySelector("#player-white .clock").textContent !== it, {}, before);
    await close();
    return problems;
  },

  async "best moves in the cells"() {
    const { page, problems, close } = await open({ hash: OPEN });
    await page.click("#analyse");
    await page.waitForFunction(() => document.querySelectorAll(".candidate").length === 5);
    assert.equal((await page.$$("#lines li")).length, 5);
    await wait(1500);
    await picture(page, "analyse");
    await page.click("#stop");
    await stopped(page);
    const at = await page.$eval("#lines strong", (it) => it.textContent);
    const { x, y } = await placeOf(page, at);
    await page.mouse.move(x, y);
    await page.waitForSelector(".ghost-number");
    await picture(page, "line");
    await page.mouse.move(5, 5);
    const before = (await page.$$(".move")).length;
    await page.click("#lines button");
    await page.waitForFunction((count) => document.querySelectorAll(".move").length > count + 1, {}, before);
    await page.keyboard.press("x");
    await page.waitForSelector(".threat-view");
    await page.keyboard.press("Escape");
    await unfold(page, "#solver");
    await page.click("#solve-win");
    await page.waitForFunction(() => /win|decided/i.test(document.getElementById("solve-result").textContent) && !/Searching/.test(document.getElementById("solve-result").textContent));
    // A cancelled question leaves no result. Its answer may come before a second event from here.
    await page.$eval("#solve-all", (button) => {
      button.click();
      button.dispatchEvent(new KeyboardEvent("keydown", { key: "h", bubbles: true }));
    });
    await page.waitForFunction(() => document.getElementById("solve-result").childElementCount === 0);
    await close();
    return problems;
  },

  async "fouls are shown, explained and refused"() {
    const { page, problems, close } = await open({ hash: FOUL });
    await page.waitForSelector(".foul");
    const { x, y } = await placeOf(page, "j8");
    await page.mouse.move(x, y);
    await page.waitForFunction(() => /double three/.test(document.getElementById("hint").textContent));
    await picture(page, "fouls");
    await clickCell(page, "j8");
    await waitForStatus(page, /forbidden/);
    assert.equal((await stones(page)).length, 8);
    await page.keyboard.press("1");
    await page.waitForSelector(".threat.black");
    await picture(page, "threats");
    await close();
    return problems;
  },

  async "a review"() {
    const { page, problems, close } = await open({ hash: GAME });
    await beginReview(page, "10000");
    await page.waitForSelector("#review-body table");
    await page.keyboard.press("Home");
    await settled(page);
    await page.keyboard.press("n");
    await settled(page);
    await page.waitForFunction(() => !document.getElementById("review-move").hidden);
    await picture(page, "review");
    await page.click("#guessing");
    await page.waitForFunction(() => /which move is best/.test(document.getElementById("review-move").textContent));
    assert.equal((await page.$$(".answer, .candidate")).length, 0, "nothing is spoiled");
    await clickCell(page, "a15");
    await page.waitForFunction(() => /a15/.test(document.getElementById("review-move").textContent));
    await page.click("#graph");
    await settled(page);
    assert.deepEqual(await faults(page), []);
    await close();
    return problems;
  },

  async "a review up to the foul that ended the game"() {
    const { page, problems, close } = await open({ hash: `${FOUL}j8` });
    await beginReview(page, "10000");
    await page.waitForSelector("#review-body table");
    await page.keyboard.press("Home");
    await settled(page);
    assert.match(await textOf(page, "#review-move"), /1, h8/);
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    await settled(page);
    assert.match(await textOf(page, "#review-move"), /j8: blunder.*forbidden \(double three\) and lost the game/);
    await close();
    return problems;
  },

  async "a review continues while other positions are shown"() {
    const { page, problems, close } = await open({ hash: GAME });
    await beginReview(page, "50000");
    await page.waitForSelector("#review-body progress");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector("#review-body table");
    await close();
    return problems;
  },

  async "going to an earlier move starts no search"() {
    const { page, problems, close } = await open();
    await newGame(page, { rule: "freestyle", black: "level:first-steps", white: "me" });
    await page.waitForSelector(".stone");
    const free = (taken) => ["h8", "b2"].find((at) => !taken.includes(at));
    await clickCell(page, free(await stones(page)));
    await waitForStones(page, 3);
    await waitForStatus(page, /White to move/);
    const moves = await page.$$(".move");
    await moves[2].click();
    await settled(page);
    await wait(800);
    assert.equal((await stones(page)).length, 2, "black's move is not made again");
    assert.equal((await page.$$(".move")).length, 4, "nor another one");
    await close();
    return problems;
  },

  async "keys without effect do not stop the search"() {
    // A position without a fast result: the search runs until it is stopped.
    const { page, problems, close } = await open({ hash: "#rule=renju&size=15x15&moves=h8i9" });
    await page.keyboard.press("a");
    await page.waitForSelector("#lines button");
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowRight");
    await wait(500);
    assert.equal(await page.$eval("#stop", (it) => it.disabled), false, "it still searches");
    await close();
    return problems;
  },

  async "settings outlive the server"() {
    const { page, problems, close } = await open();
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    for (let i = 0; i < 3 && (await theme()) !== "dark"; i++) await page.keyboard.press("d");
    assert.equal(await theme(), "dark");
    // Another server has another port; only cookies are shared.
    const cookie = (await page.cookies()).find(({ name }) => name === "tengen-settings");
    assert.deepEqual([cookie.path, cookie.sameSite, cookie.session], ["/", "Strict", false]);
    await reloaded(page);
    assert.equal(await theme(), "dark");
    // An older tab changes only its own settings.
    const other = await page.browserContext().newPage();
    await other.goto(server.address);
    await ready(other);
    await page.keyboard.press("d");
    const chosen = await theme();
    assert.notEqual(chosen, "dark");
    await other.keyboard.press("l");
    await reloaded(page);
    assert.equal(await theme(), chosen);
    await close();
    return problems;
  },

  async "a review of a replaced game"() {
    const { page, problems, close } = await open({ hash: GAME });
    await beginReview(page, "200000");
    await page.waitForSelector("#review-body progress");
    await page.keyboard.press("Z");
    await settled(page);
    await stopped(page);
    await wait(500);
    assert.equal(await page.$("#review-body progress, #review-body table"), null);
    await close();
    return problems;
  },

  async "files of all formats"() {
    const { page, problems, close } = await open();
    const files = await savingTo(page);
    await newGame(page, { rule: "renju", black: "me", white: "me" });
    await playMoves(page, ["h8", "i9", "j8"]);
    await page.click("#tab-files");
    await unfold(page, "#more-forms");
    for (const form of FORMS) {
      const file = await files.fetched(() => page.click(`#save-${form}`));
      await page.evaluate(() => {
        document.getElementById("status").textContent = "";
      });
      const input = await page.$("#file");
      await input.uploadFile(file);
      await waitForStatus(page, /Read/);
      await settled(page);
      assert.equal((await stones(page)).length, 3, form);
      rmSync(file);
    }
    await newGame(page, { rule: "renju", black: "me", white: "me", width: 15, height: 15 });
    await page.click("#tab-files");
    await page.$eval("#paste", (field) => {
      field.value = "h8i9j8g7";
    });
    await page.click("#read");
    await page.waitForSelector('.stone[data-at="g7"]');
    assert.match(String(await files.saved("#save-svg")), /^<svg/);
    const png = await files.saved("#save-png");
    assert.equal(png.subarray(1, 4).toString(), "PNG");
    assert.ok(png.length > 5000);
    const gif = await files.saved("#save-gif");
    assert.equal(gif.subarray(0, 6).toString(), "GIF89a");
    const shown = await page.evaluate(async (data) => {
      const image = new Image();
      image.src = `data:image/gif;base64,${data}`;
      await image.decode();
      return [image.width, image.height];
    }, gif.toString("base64"));
    assert.deepEqual(shown, [452, 452]);
    assert.match(page.url(), /moves=h8i9j8g7/);
    files.remove();
    await close();
    return problems;
  },

  async "files by dragging and by pasting"() {
    const { page, problems, close } = await open();
    const folder = mkdtempSync(join(tmpdir(), "tengen-browser-"));
    const client = await page.createCDPSession();
    const drop = async (name, content) => {
      const file = join(folder, name);
      writeFileSync(file, content);
      const data = { items: [], files: [file], dragOperationsMask: 1 };
      for (const type of ["dragEnter", "dragOver"]) {
        await client.send("Input.dispatchDragEvent", { type, x: 400, y: 400, data });
      }
      await page.waitForSelector("body.dropping");
      await client.send("Input.dispatchDragEvent", { type: "drop", x: 400, y: 400, data });
      await page.waitForFunction((it) => document.getElementById("status").textContent.includes(it), {}, name);
      await settled(page);
      assert.equal(await page.$("body.dropping"), null);
    };
    await drop("game.sgf", "(;GM[4]FF[4]SZ[15];B[hh];W[ig](;B[jh])(;B[gh]))");
    assert.deepEqual(await stones(page), ["h8", "i9", "j8"]);
    await drop("lines.lib", LIBRARY);
    assert.deepEqual(await stones(page), ["h8", "i9"]);
    await page.waitForFunction(() => document.querySelectorAll(".variation .move").length === 2);
    await drop("broken.psq", "Piskvorky 15x15, 11:11, 0\n99,99,0\n");
    await waitForStatus(page, /cannot be read/);
    assert.deepEqual(await stones(page), ["h8", "i9"], "the game that was there stays");
    await paste(page, "h8 g7 f6 e5");
    await page.waitForSelector('.stone[data-at="e5"]');
    await paste(page, ". . . . .\n. X . . .\n. . O . .\n. . . X .\n. . . . .\n");
    await page.waitForFunction(() => document.getElementById("board").dataset.height === "5");
    assert.deepEqual(await stones(page), ["b4", "c3", "d2"]);
    rmSync(folder, { recursive: true });
    await close();
    return problems.filter((problem) => !/^400 .api.read: .*line 2: .*outside/.test(problem));
  },

  async "every key of the help"() {
    const { page, problems, close } = await open({ hash: OPEN });
    await page.keyboard.press("?");
    await page.waitForSelector(".keys");
    const top = await page.$eval("#dialog", (dialog) => dialog.scrollTop);
    assert.equal(top, 0, "the help begins with its first line");
    const keys = await page.$$eval(".keys kbd", (all) => all.map((it) => it.textContent));
    await page.keyboard.press("Escape");
    assert.equal(new Set(keys.filter((key) => key !== "Esc")).size, keys.length - 2, "each key once");
    // All buttons and fields. The arrows walk through the moves; the confirm button is Enter on the
    // keyboard.
    const controls = await page.$$eval("button, select, input:not([hidden]), textarea", (all) =>
      all.filter((it) => !["confirm", "sheet-handle"].includes(it.id) && !it.hasAttribute("aria-haspopup") && !it.closest("dialog, #moves")).map((it) => [it.dataset.key, it.id || it.outerHTML]));
    const kinds = [..."34567890"];
    assert.deepEqual(controls.filter(([key]) => ![...keys, ...kinds].includes(key)), []);
    const names = { "←": "ArrowLeft", "→": "ArrowRight", "↑": "ArrowUp", "↓": "ArrowDown", Esc: "Escape", Del: "Delete" };
    // The file dialog of the system cannot be closed here.
    const apart = ["o", "Ctrl V", "Ctrl Enter", "1–9", "3–9", "."];
    for (const key of [...keys.filter((it) => !apart.includes(it)), ...kinds]) {
      await page.keyboard.press(names[key] ?? key);
      await page.evaluate(() => document.activeElement.blur());
      await page.keyboard.press("Escape");
      await page.evaluate(() => document.getElementById("dialog").close());
    }
    await page.click("#tab-edit");
    for (const name of ["play", "analyse", "review", "puzzles", "files", "edit"]) {
      await page.keyboard.press(".");
      await page.waitForSelector(`#panel-${name}:not([hidden])`);
    }
    await close();
    // An empty board cannot be reviewed.
    return problems.filter((problem) => !/^400 .api.review: .*no move/.test(problem));
  },

  async "menus and questions by keys"() {
    const { page, problems, close } = await open();
    const hasFocus = (id) => page.waitForFunction((it) => document.activeElement?.id === it, {}, id);
    const fields = { B: "seat-black", W: "seat-white", M: "move-time", K: "solve-kind", j: "points-kind", X: "review-nodes", I: "paste", L: "language", C: "comment" };
    for (const [key, id] of Object.entries(fields)) {
      await page.keyboard.press(key);
      await hasFocus(id);
      // A focused field takes all keys.
      await page.keyboard.press("Escape");
      await hasFocus("");
    }
    await page.keyboard.press("I");
    await page.keyboard.type("h8i8j8h7i7");
    await page.keyboard.down("Control");
    await page.keyboard.press("Enter");
    await page.keyboard.up("Control");
    await page.waitForSelector('.stone[data-at="i7"]');
    await page.keyboard.press("Escape");
    await page.keyboard.press("S");
    await waitForStatus(page, /Black to move/);
    await page.keyboard.press("7");
    assert.equal(await page.$eval('#kinds [data-key="7"]', (box) => box.checked), false, "fours are not shown");
    await page.keyboard.press("7");
    assert.equal(await page.$eval('#kinds [data-key="7"]', (box) => box.checked), true);
    await page.keyboard.press("+");
    await page.keyboard.press("a");
    await page.waitForSelector("#lines button");
    await page.keyboard.press("Escape");
    await stopped(page);
    const before = (await page.$$(".move")).length;
    await page.keyboard.press("A");
    await page.keyboard.press("Enter");
    await page.waitForFunction((count) => document.querySelectorAll(".move").length > count, {}, before);

    // Digits answer the questions of an opening; otherwise they toggle layers.
    await newGame(page, { rule: "freestyle", opening: "swap", black: "me", white: "me" });
    await playMoves(page, ["h8", "i9", "j11"]);
    await page.waitForSelector('#panel-play .asks [data-key="2"]');
    await page.keyboard.press("2");
    await waitForStatus(page, /The opening is over/);

    const files = await savingTo(page);
    await page.keyboard.press("F");
    await page.waitForSelector("#dialog [data-key='c']");
    assert.deepEqual(await faults(page), []);
    await picture(page, "download");
    const layer = () => page.$eval("#layer-white", (it) => it.checked);
    const isWhite = await layer();
    assert.equal(basename(await files.fetched(() => page.keyboard.press("2"))), "game.psq");
    assert.equal(await layer(), isWhite, "a key that answers a dialog does not act on the page");
    files.remove();
    await close();
    return problems;
  },

  async "positions set up by hand"() {
    const { page, problems, close } = await open();
    await newGame(page, { rule: "renju", black: "me", white: "me" });
    await page.click("#tab-edit");
    for (const at of ["c3", "d4"]) await clickCell(page, at);
    await page.click("#tool-white");
    await clickCell(page, "e5");
    await page.click("#side-black");
    await settled(page);
    assert.deepEqual(await stones(page), ["c3", "d4", "e5"]);
    await waitForStatus(page, /Black to move/);
    await page.click("#tool-clear");
    await clickCell(page, "d4");
    await settled(page);
    assert.deepEqual(await stones(page), ["c3", "e5"]);
    // Arrows select a tool, as in every form.
    const chosen = () => page.$eval("[id^=tool-]:checked", (it) => it.id);
    const before = await chosen();
    await page.focus(`#${before}`);
    await page.keyboard.press("ArrowUp");
    assert.notEqual(await chosen(), before);
    await close();
    return problems;
  },

  async "a cell with a stone goes out of play"() {
    const { page, problems, close } = await open();
    await newGame(page, { rule: "freestyle", black: "me", white: "me" });
    await playMoves(page, ["h8", "i9"]);
    await page.click("#tab-edit");
    await page.click("#tool-walls");
    await clickCell(page, "h8");
    await settled(page);
    assert.deepEqual(await stones(page), ["i9"]);
    await waitForStatus(page, /to move/);
    await close();
    return problems;
  },

  async "languages"() {
    const { page, problems, close } = await open();
    await inEachLanguage(page, LANGUAGES, async (code) => {
      const left = await page.evaluate(() => {
        const keys = /^[a-z-]+\.[a-z-]+(\.[a-z-]+)*$/;
        return [...document.querySelectorAll("[data-t], button, label, option")]
          .map((element) => element.textContent).filter((text) => keys.test(text));
      });
      assert.deepEqual(left, [], code);
      await picture(page, `language-${code}`);
    });
    await close();
    return problems;
  },

  async "accessibility"() {
    const found = [];
    for (const [width, height] of [[1400, 900], [360, 740], [740, 360], [3840, 2160]]) {
      const touch = Math.min(width, height) < 500;
      const view = { width, height, hasTouch: touch, isMobile: touch };
      for (const dark of [false, true]) {
        const { page, problems, close } = await open({ view, dark, hash: FOUL });
        assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), dark ? "dark" : "light");
        const check = async (name) => {
          const look = `${name}-${width}x${height}-${dark ? "dark" : "light"}`;
          await picture(page, look);
          found.push(...(await faults(page)).map((it) => `${look}: ${it}`));
        };
        for (const name of ["play", "analyse", "review", "puzzles", "files", "edit"]) {
          await page.click(`#tab-${name}`);
          await page.$$eval("details", (all) => all.forEach((it) => { it.open = true; }));
          await check(name);
        }
        for (const [key, name, ready] of [["?", "help", ".keys"], [",", "settings", "#language"], ["g", "new", "#new-begin"]]) {
          await page.keyboard.press(key);
          await page.waitForSelector(ready);
          await page.$$eval("dialog details", (all) => all.forEach((it) => { it.open = true; }));
          await check(name);
          await page.$eval("#dialog", (dialog) => {
            dialog.close();
            document.activeElement.blur();
          });
        }
        assert.deepEqual(problems, []);
        await close();
      }
    }
    return found;
  },

  async "a lost connection is shown and restored"() {
    const other = await startServer(options.binary);
    const { page, close } = await openPage(browser, other.address, { folder: options.page && resolve(options.page) });
    const isShown = (shown) => page.waitForFunction((it) => document.getElementById("connection").hidden !== it, {}, shown);
    await newGame(page, { rule: "freestyle", black: "me", white: "me" });
    await page.setOfflineMode(true);
    await clickCell(page, "h8");
    await isShown(true);
    assert.match(await textOf(page, "#connection"), /lost/);
    await page.setOfflineMode(false);
    await isShown(false);
    // The facts of the move played offline are fetched, and the game continues.
    await settled(page);
    await playMoves(page, ["i9"]);
    assert.deepEqual(await stones(page), ["h8", "i9"]);
    await close();
    other.stop();
    return [];
  },
};

Object.assign(tests, designTests({
  open, faults, browser: () => browser, binary: options.binary, folder: options.page && resolve(options.page),
}));
Object.assign(tests, boardTests({ open, faults, isSite: Boolean(options.site), threads: options.threads }));
Object.assign(tests, dataTests({ open }));
Object.assign(tests, gameTests({ open }));
Object.assign(tests, solvedTests({ open, faults }));
Object.assign(tests, explorerTests({
  open, browser: () => browser, binary: options.binary, folder: options.page && resolve(options.page),
}));

/** Tests of the connection to the server. */
const ABOUT_SERVER = [
  "settings outlive the server", "a lost connection is shown and restored", "the notice of a restarted server goes",
  "a game gets an engine when an analysis ends", "the database of the server",
  "texts of the database and values of earlier positions",
];

server = options.site ? await startSite(options.site) : await startServer(options.binary);
browser = await startBrowser(options.modules, options.browser, options.firefox);
if (options.firefox) {
  for (const name of Object.keys(tests)) delete tests[name];
  Object.assign(tests, essentialTests({ open, languages: LANGUAGES }));
} else if (options.site) {
  for (const name of ABOUT_SERVER) delete tests[name];
  const { site, threads, single } = options;
  Object.assign(tests, siteTests({ browser, site, server, open, threads, single }));
}
const only = new RegExp(process.env.ONLY ?? "");
const chosen = Object.entries(tests).filter(([name]) => only.test(name));
let failed = 0;
try {
  assert.ok(chosen.length > 0, `no name of a test matches ONLY=${process.env.ONLY}`);
  for (const [name, test] of chosen) {
    try {
      const problems = await test();
      assert.deepEqual(problems, []);
      console.log(`ok      ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED  ${name}\n${error.stack ?? error}`);
      // A search in a tab that stays open would take an engine from later tests.
      const usual = browser.defaultBrowserContext();
      for (const context of browser.browserContexts().filter((it) => it !== usual)) await context.close();
    }
  }
} finally {
  await browser.close();
  server.stop();
}
console.log(failed === 0 ? "browser-test: all passed" : `browser-test: ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
