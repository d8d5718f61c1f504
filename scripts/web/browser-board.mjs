// Browser tests of drawing on the board, of files and pictures, passes and clocks, and of the engine's settings.

import assert from "node:assert/strict";
import {
  beginReview, clickCell, newGame, paste, placeOf, playMoves, reloaded, savingTo, selectLanguage, setMoveTime,
  settled, stones, stopped, tapCell, textOf, unfold, wait, waitForStatus, waitForStones,
} from "./browser.mjs";
import { GAME, OPEN, PHONE } from "./positions.mjs";

const arrows = (page) => page.$$eval(".sign.stroke", (all) => all.length);
const countArrows = (page, wanted) =>
  page.waitForFunction((it) => document.querySelectorAll(".sign.stroke").length === it, {}, wanted);

/** Opens the settings and sets fields by their ids. */
async function choose(page, values) {
  await page.keyboard.press(",");
  await page.waitForSelector("#language");
  for (const [id, value] of Object.entries(values)) {
    if (typeof value === "boolean") await page.$eval(`#${id}`, (box, it) => box.checked !== it && box.click(), value);
    else await page.select(`#${id}`, value);
  }
  await page.keyboard.press("Escape");
}

/** The tests by name. `open` opens a page; `faults` lists accessibility problems; `isSite`: a page without a
 * server; `threads`: whether it has several. */
export const boardTests = ({ open, faults, isSite, threads }) => ({
  async "arrows are drawn by mouse and keys, taken back and saved"() {
    const { page, problems, close } = await open();
    await newGame(page, { rule: "freestyle", black: "me", white: "me" });
    await playMoves(page, ["h8"]);
    await page.click("#tab-edit");
    await page.click("#tool-arrow");
    const [from, to] = [await placeOf(page, "d4"), await placeOf(page, "g7")];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await countArrows(page, 1);
    await page.mouse.up();
    // One cell after the other.
    await page.click("#tool-line");
    await clickCell(page, "k4");
    await waitForStatus(page, /From k4/);
    await clickCell(page, "k9");
    await countArrows(page, 2);
    await page.keyboard.press("t");
    for (const key of ["ArrowRight", "Enter", "ArrowUp", "ArrowUp", "Enter"]) await page.keyboard.press(key);
    await countArrows(page, 3);
    assert.match(await textOf(page, "#spoken"), /Line → /);
    assert.deepEqual(await stones(page), ["h8"], "no stone is placed");
    await page.keyboard.press("u");
    await countArrows(page, 2);
    await page.keyboard.press("r");
    await countArrows(page, 3);
    await page.keyboard.press("\\");
    await countArrows(page, 0);
    await page.click("#edit-undo");
    await countArrows(page, 3);
    assert.deepEqual(await faults(page), []);
    // A pointer that leaves the board draws nothing.
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y);
    await page.mouse.move(2, 300);
    await page.mouse.up();
    await countArrows(page, 3);
    await reloaded(page);
    assert.equal(await arrows(page), 3);
    const files = await savingTo(page);
    await page.click("#tab-files");
    const sgf = String(await files.saved("#save-sgf"));
    assert.match(sgf, /AR\[dl:gi\]/);
    assert.match(sgf, /LN\[kl:kg\]\[/);
    await newGame(page, { rule: "freestyle", black: "me", white: "me" });
    await countArrows(page, 0);
    await paste(page, sgf);
    await countArrows(page, 3);
    files.remove();
    await close();
    return problems;
  },

  async "arrows are drawn by a finger"() {
    const { page, problems, close } = await open({ view: PHONE });
    await newGame(page, { rule: "freestyle", black: "me", white: "me" });
    await page.tap("#tab-edit");
    await page.$eval("#tool-arrow", (it) => it.click());
    const [from, to] = [await placeOf(page, "d6"), await placeOf(page, "h9")];
    await page.touchscreen.touchStart(from.x, from.y);
    await wait(700);
    await page.touchscreen.touchMove(to.x, to.y);
    await page.touchscreen.touchEnd();
    await countArrows(page, 1);
    assert.ok(await page.$eval("#menu", (it) => it.hidden), "a finger that rests opens no menu");
    for (const at of ["k6", "k9"]) await tapCell(page, at);
    await countArrows(page, 2);
    assert.deepEqual(await stones(page), []);
    await close();
    return problems;
  },

  async "set-up stones are taken back"() {
    const { page, problems, close } = await open();
    await newGame(page, { rule: "freestyle", black: "me", white: "me" });
    await page.click("#tab-edit");
    for (const at of ["c3", "d4"]) await clickCell(page, at);
    await settled(page);
    await page.keyboard.press("u");
    await settled(page);
    assert.deepEqual(await stones(page), ["c3"]);
    await page.click("#edit-redo");
    await settled(page);
    assert.deepEqual(await stones(page), ["c3", "d4"]);
    await close();
    return problems;
  },

  async "other properties of a file are kept"() {
    const { page, problems, close } = await open();
    await paste(page, "(;GM[4]FF[4]SZ[15];B[hh]HO[1]XX[a\\]b])");
    await page.waitForSelector('.stone[data-at="h8"]');
    const files = await savingTo(page);
    await page.click("#tab-files");
    assert.match(String(await files.saved("#save-sgf")), /HO\[1\]XX\[a\\\]b\]/);
    files.remove();
    await close();
    return problems;
  },

  async "moves as people write them, and games of Go"() {
    const { page, problems, close } = await open();
    const cases = [
      ["7,7\n8,8\n9,9", ["h8", "i7", "j6"]],
      ["1. h8 i9 2. j8", ["h8", "i9", "j8"]],
      ["1.h8 2.i9 3.g7", ["g7", "h8", "i9"]],
    ];
    for (const [text, cells] of cases) {
      await paste(page, text);
      const isRead = (wanted) => [...document.querySelectorAll(".stone")].map((it) => it.dataset.at).sort().join(" ") === wanted;
      await page.waitForFunction(isRead, {}, cells.join(" "));
      await settled(page);
    }
    await paste(page, "(;GM[1]FF[4]SZ[15];B[hh];W[ig])");
    await waitForStatus(page, /another game \(GM 1\)/);
    assert.deepEqual(await stones(page), ["h8", "i9"]);
    await close();
    return problems;
  },

  async "two passes in a row end the game"() {
    const { page, problems, close } = await open();
    await newGame(page, { rule: "freestyle", black: "me", white: "me" });
    await playMoves(page, ["h8"]);
    await page.keyboard.press("p");
    await settled(page);
    await page.keyboard.press("p");
    await waitForStatus(page, /both players passed/);
    await page.keyboard.press("p");
    await settled(page);
    assert.equal((await page.$$(".move")).length, 4, "the start, a move and two passes");
    await close();
    return problems;
  },

  async "undo after a loss on time, also after a reload"() {
    const { page, problems, close } = await open();
    const clocks = () => page.$$eval(".clock", (all) => all.map((it) => it.textContent));
    await page.click("#new-game");
    await page.waitForSelector("#new-begin");
    await unfold(page, "#new-more");
    await page.select("#new-white", "me");
    await page.$eval("#new-clock", (box) => { box.checked = true; });
    await page.$eval("#new-minutes", (field) => { field.value = "0.1"; });
    await page.$eval("#new-increment", (field) => { field.value = "0"; });
    await page.click("#new-begin");
    await settled(page);
    await playMoves(page, ["h8", "i9"]);
    await waitForStatus(page, /White wins on time/);
    await page.keyboard.press("Escape");
    await reloaded(page);
    await page.keyboard.press("u");
    await settled(page);
    assert.ok(!(await clocks()).includes("0.0"), String(await clocks()));
    await playMoves(page, ["j9"]);
    await wait(300);
    await waitForStatus(page, /Black to move/);
    await close();
    return problems;
  },

  async "an opened game has no clock, also after a reload"() {
    const { page, problems, close } = await open();
    await newGame(page, { rule: "renju", black: "me", white: "me", clock: true });
    await page.goto(`${page.url().split("#")[0]}${OPEN}`);
    // The link is opened first, then its game continued.
    for (let count = 0; count < 2; count++) {
      await reloaded(page);
      await page.click("#tab-play");
      await playMoves(page, [["a1", "c1"][count]]);
      assert.deepEqual(await page.$$eval(".clock", (all) => all.map((it) => it.textContent)), ["", ""]);
    }
    await close();
    return problems;
  },

  async "the status says what was saved, and pictures show all"() {
    const { page, problems, close } = await open({ hash: OPEN });
    await page.click("#tab-edit");
    await page.click("#tool-arrow");
    for (const at of ["c3", "c6"]) await clickCell(page, at);
    await page.click("#analyse");
    await page.waitForFunction(() => document.querySelectorAll(".candidate").length === 5);
    await page.click("#stop");
    await stopped(page);
    await page.click("#tab-files");
    await unfold(page, "#more-forms");
    const files = await savingTo(page);
    const svg = String(await files.saved("#save-svg"));
    await waitForStatus(page, /^Saved: game\.svg/);
    assert.match(svg, /stroke="#d1342f"/, "the last move");
    assert.match(svg, />o<\/text>/, "the names of columns");
    assert.equal(svg.match(/r="16"/g).length, 5, "the best moves");
    assert.match(svg, /stroke="#b3261e"/, "the arrow");
    await files.saved("#save-png");
    await waitForStatus(page, /^Saved: game\.png/);
    await files.saved("#save-gif");
    await waitForStatus(page, /^Saved: game\.gif/);
    files.remove();
    await close();
    return problems;
  },

  async "long words fit into narrow windows"() {
    for (const [language, width, height] of [["ru", 360, 740], ["vi", 360, 740], ["cs", 360, 740], ["ru", 901, 700], ["en", 901, 700]]) {
      const touch = width < 500;
      const { page, problems, close } = await open({ view: { width, height, hasTouch: touch, isMobile: touch }, hash: OPEN });
      const name = `${language} ${width}`;
      await page.keyboard.press(",");
      await selectLanguage(page, language);
      await page.keyboard.press("Escape");
      await page.click("#tab-analyse");
      await page.click("#analyse");
      await page.waitForSelector(".candidate");
      const box = (selector) => page.$eval(selector, (it) => it.getBoundingClientRect().toJSON());
      assert.equal((await box("#stop")).top, (await box("#back")).top, `${name}: Stop is beside the other buttons`);
      const lines = await page.$eval("#new-game span", (it) => it.getClientRects().length);
      assert.equal(lines, 1, `${name}: New game is one line`);
      await page.click("#stop");
      await page.click("#new-game");
      await page.waitForSelector("#new-begin");
      await unfold(page, "#new-more");
      const [dialog, field] = [await box("#dialog"), await box("#new-white")];
      assert.ok(field.width >= 0.6 * dialog.width || field.width >= 240, `${name}: ${field.width} of ${dialog.width}`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name);
      assert.deepEqual(problems, []);
      await close();
    }
    return [];
  },

  async "a guess is not spoiled"() {
    const { page, problems, close } = await open({ hash: GAME });
    await beginReview(page, "10000");
    await page.waitForSelector("#review-body table");
    assert.ok((await page.$$("#review-body .worst li")).length > 0);
    await page.click("#guessing");
    await page.keyboard.press("Home");
    for (let move = 0; move < 6; move++) {
      await settled(page);
      const seen = await page.evaluate(() => [
        document.querySelectorAll("#review-body .worst, #review-body table, .moves .sign, .candidate, .answer, .played").length,
        document.getElementById("win-rate").hidden, document.getElementById("graph").checkVisibility(),
        document.getElementById("review-move").textContent.replace(/\D/g, ""),
      ]);
      assert.deepEqual(seen, [0, true, false, ""], `move ${move}`);
      await page.keyboard.press("ArrowRight");
    }
    await close();
    return problems;
  },

  async "balanced pairs of moves are shown"() {
    const { page, problems, close } = await open({ hash: "#rule=renju&size=15x15&moves=h8i9j8" });
    await page.click("#balance-pairs");
    await waitForStatus(page, /^Balanced pairs: \w+ \w+ \(\d+ %\), /);
    assert.equal((await page.$$(".ghost-number")).length, 2);
    // The result so far stands when the search is stopped.
    await page.keyboard.press("'");
    await waitForStatus(page, /^Looking for two moves/);
    await page.waitForSelector(".ghost-number");
    await page.click("#stop");
    await waitForStatus(page, /^Balanced pairs: /);
    // A search that is stopped at once has found nothing, and does not say that there is nothing.
    await page.keyboard.press("'");
    await waitForStatus(page, /^Looking for two moves/);
    assert.equal((await page.$$(".ghost-number")).length, 0);
    await page.click("#stop");
    await waitForStatus(page, /^(?!Looking for)/);
    assert.doesNotMatch(await textOf(page, "#status"), /There are no/);
    await close();
    return problems;
  },

  async "the page can be used by ear and keys"() {
    const { page, problems, close } = await open();
    const names = (selector) => page.$$eval(selector, (all) => all.map((it) => {
      const copy = it.cloneNode(true);
      for (const silent of copy.querySelectorAll("[aria-hidden]")) silent.remove();
      return copy.textContent.replace(/\s+/g, " ").trim();
    }));
    await newGame(page, { rule: "freestyle", black: "me", white: "me" });
    await page.keyboard.press("t");
    for (const key of ["ArrowRight", "Enter", "ArrowUp", "Enter"]) {
      await page.keyboard.press(key);
      await settled(page);
    }
    await page.waitForSelector('.stone[data-at="h9"]');
    assert.match(await textOf(page, "#spoken"), /White h9/);
    await page.keyboard.press("*");
    assert.match(await textOf(page, "#spoken"), /Black: h8\. White: h9\. Black to move/);
    await page.keyboard.press("ArrowDown");
    assert.match(await textOf(page, "#spoken"), /h8, Black 1/);
    assert.deepEqual(await names(".move"), ["Start", "1. Black h8", "2. White h9"]);
    await page.keyboard.press("a");
    await page.waitForSelector("#lines button");
    await page.keyboard.press("A");
    const [name] = await names("#lines button");
    assert.match(name, /^\w+ (\d+\.\d %|wins in|loses in)/);
    assert.deepEqual(await faults(page), []);
    // The focus of a panel that goes comes to the board.
    await page.keyboard.press("Escape");
    await page.keyboard.press("A");
    await page.select("#review-nodes", "10000");
    await page.keyboard.press("E");
    await waitForStatus(page, /accuracy: Black \d+ %, White \d+ %/);
    await page.waitForFunction(() => document.activeElement.id === "board");
    await close();
    return problems;
  },

  async "threads, memory and thinking in my time are settings"() {
    const { page, problems, close } = await open({ hash: OPEN });
    const asked = [];
    page.on("request", (request) => {
      const name = new URL(request.url()).pathname.replace("/api/", "");
      if (["analyse", "think", "ponder"].includes(name)) asked.push([name, JSON.parse(request.postData() ?? "{}").engine]);
    });
    const hasThreads = !isSite || threads;
    await page.keyboard.press(",");
    await page.waitForSelector("#memory");
    const shown = await page.$$eval("#threads, #one-thread, #ponder", (all) => all.map((it) => it.id));
    const cores = await page.evaluate(() => navigator.hardwareConcurrency);
    if (cores > 1) assert.deepEqual(shown, hasThreads ? ["threads", "ponder"] : ["one-thread"]);
    assert.deepEqual(await faults(page), []);
    await page.keyboard.press("Escape");
    await choose(page, { memory: "32", ...(hasThreads && cores > 1 ? { threads: "2" } : {}), ...(hasThreads ? { ponder: true } : {}) });
    await page.click("#analyse");
    await page.waitForSelector(".candidate");
    // A change during a search starts it again.
    await choose(page, { memory: "64" });
    await page.waitForSelector(".candidate");
    await page.click("#stop");
    await stopped(page);
    await setMoveTime(page, "0.3");
    await newGame(page, { rule: "freestyle", black: "me", white: "level:full" });
    for (const at of ["h8", "b2"]) {
      const before = (await stones(page)).length;
      await clickCell(page, at);
      await waitForStones(page, before + 2);
      await settled(page);
      await wait(400);
      assert.ok(await page.$eval("#stop", (it) => it.hidden), "thinking in my time is not shown");
    }
    if (!isSite) {
      assert.ok(asked.some(([name]) => name === "ponder"), JSON.stringify(asked));
      assert.equal(asked.find(([name]) => name === "analyse")[1].memory_mib, 32);
    }
    await reloaded(page);
    await page.keyboard.press(",");
    await page.waitForSelector("#memory");
    assert.equal(await page.$eval("#memory", (it) => it.value), "64");
    await close();
    return problems;
  },
});
