// Browser tests of what people meet first: the start, the end of a game, accidents, phones, looks.

import assert from "node:assert/strict";
import {
  beginPuzzle, beginReview, clickCell, newGame, openPage, paste, placeOf, playMoves, ready, reloaded,
  selectLanguage, settled, startServer, stones, tapCell, textOf, unfold, wait, waitForStatus, waitForStones,
} from "./browser.mjs";
import { FOUL, GAME, OPEN, PHONE, WON } from "./positions.mjs";

/** Black has an open three and wins by fours. */
const WINNING = "#rule=freestyle&size=15x15&moves=h8h9i8i9j8";

/** The contrast of two CSS colours, as WCAG defines it. */
function contrast(first, second) {
  const luminance = (color) => {
    const parts = /rgba?\(([^)]+)\)/.exec(color)[1].split(/[ ,/]+/).slice(0, 3).map((it) => Number(it) / 255);
    const [r, g, b] = parts.map((it) => (it <= 0.04045 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [high, low] = [luminance(first), luminance(second)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

const style = (page, selector, name) =>
  page.$eval(selector, (element, it) => getComputedStyle(element)[it], name);

const isInside = (page, selector) => page.$eval(selector, (element) => {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  return left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
});

const ghosts = (page) => page.$$eval(".ghost-number", (all) => all.length);

/** The tests by name. `open` opens a page; `faults` lists accessibility problems. */
export const designTests = ({ open, faults, browser, binary, folder }) => ({
  async "a game against an easy opponent with two clicks"() {
    const { page, problems, close } = await open();
    await page.click("#welcome-easy");
    await clickCell(page, "h8");
    await waitForStones(page, 2);
    assert.equal(await page.$eval("#seat-white", (it) => it.value), "level:beginner");
    assert.match(await page.title(), /Your move/);
    await reloaded(page);
    assert.ok(await page.$eval("#card", (it) => it.hidden), "the card comes only once");
    await close();
    return problems;
  },

  async "the first card leads to the analysis and to a file"() {
    const { page, problems, close } = await open();
    assert.deepEqual(await faults(page), []);
    await page.keyboard.press(",");
    await selectLanguage(page, "cs");
    await page.waitForFunction(() => /Lehká/.test(document.getElementById("card").textContent));
    await page.keyboard.press("Escape");
    await page.click("#welcome-analyse");
    await page.waitForSelector("#panel-analyse:not([hidden])");
    await close();
    return problems;
  },

  async "the end of a game, a rematch, another level"() {
    const { page, problems, close } = await open();
    await newGame(page, { rule: "freestyle", black: "me", white: "level:beginner" });
    await page.select("#seat-white", "me");
    await playMoves(page, ["h8", "a1", "i8", "c1", "j8", "e1", "k8", "g1"]);
    await page.select("#seat-white", "level:beginner");
    await clickCell(page, "l8");
    await page.waitForSelector("#card:not([hidden])");
    assert.match(await textOf(page, "#card"), /You win!.*five in a row/);
    assert.match(await textOf(page, "#next-level"), /Novice/);
    assert.equal((await page.$$(".row-line")).length, 1);
    assert.deepEqual(await faults(page), []);
    await page.keyboard.press("1");
    await waitForStones(page, 1);
    assert.equal(await page.$eval("#seat-black", (it) => it.value), "level:beginner");
    assert.equal(await page.$eval("#seat-white", (it) => it.value), "me");
    await close();
    return problems;
  },

  async "the computer moves by Space after a click"() {
    const { page, problems, close } = await open();
    await newGame(page, { rule: "freestyle", black: "me", white: "me" });
    await page.keyboard.press("Space");
    await page.waitForSelector(".stone");
    assert.equal(await page.$eval("#dialog", (it) => it.open), false);
    await playMoves(page, ["a1"]);
    await page.click("#undo");
    await settled(page);
    const before = (await stones(page)).length;
    await page.keyboard.press("Space");
    await waitForStones(page, before + 1);
    await close();
    return problems;
  },

  async "a reload keeps the game, its tree, comments, clocks and panel"() {
    const { page, problems, close } = await open();
    await newGame(page, { rule: "renju", black: "me", white: "me", clock: true });
    await playMoves(page, ["h8", "i9", "j8"]);
    await page.click("#comment");
    await page.keyboard.type("good");
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowLeft");
    await settled(page);
    await playMoves(page, ["g7"]);
    await page.waitForFunction(() => document.querySelector("#player-white .clock").textContent !== "10:00");
    const before = await page.$$eval(".clock", (all) => all.map((it) => it.textContent));
    await reloaded(page);
    assert.deepEqual(await stones(page), ["g7", "h8", "i9"]);
    assert.equal((await page.$$(".variation")).length, 1);
    assert.equal(await page.$eval("#tab-play", (it) => it.getAttribute("aria-selected")), "true");
    const after = await page.$$eval(".clock", (all) => all.map((it) => it.textContent));
    assert.notEqual(after[1], "10:00", `${before} and ${after}`);
    await page.keyboard.press("ArrowDown");
    await settled(page);
    assert.equal(await page.$eval("#comment", (it) => it.value), "good", "in the variation");
    // Another link is another game.
    await page.goto(`${page.url().split("#")[0]}${OPEN}`);
    await reloaded(page);
    assert.equal((await stones(page)).length, 6);
    await close();
    return problems;
  },

  async "what was replaced or removed comes back"() {
    const { page, problems, close } = await open();
    await newGame(page, { rule: "freestyle", black: "me", white: "me" });
    await playMoves(page, ["h8", "i9"]);
    await paste(page, "1. a1 b2 2. c3");
    await page.waitForSelector('.stone[data-at="c3"]');
    await page.waitForSelector("#status-action:not([hidden])");
    await page.click("#status-action");
    await page.waitForSelector('.stone[data-at="i9"]');
    await page.keyboard.press("Z");
    await waitForStones(page, 0);
    await page.keyboard.press("U");
    await page.waitForSelector('.stone[data-at="i9"]');
    await page.keyboard.press("Delete");
    await settled(page);
    assert.deepEqual(await stones(page), ["h8"]);
    await page.keyboard.press("U");
    await page.waitForSelector('.stone[data-at="i9"]');
    await close();
    return problems;
  },

  async "F1 to F5 belong to the browser"() {
    const { page, problems, close } = await open({ hash: OPEN });
    const taken = await page.evaluate(() => ["F1", "F2", "F3", "F4", "F5"].filter((key) =>
      !document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }))));
    assert.deepEqual(taken, []);
    await close();
    return problems;
  },

  async "keys of letters can be switched off"() {
    const { page, problems, close } = await open({ hash: OPEN });
    await page.click("#settings");
    await page.click("#letter-keys");
    assert.deepEqual(await faults(page), []);
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await wait(100);
    assert.equal(await page.$eval("#dialog", (it) => it.open), false);
    await page.keyboard.press("ArrowLeft");
    await settled(page);
    assert.equal((await stones(page)).length, 5);
    await close();
    return problems;
  },

  async "a line stays under the pointer while the analysis runs"() {
    const { page, problems, close } = await open({ hash: "#rule=freestyle&size=15x15&moves=f11e8g6" });
    await page.click("#analyse");
    await page.waitForFunction(() => document.querySelectorAll("#lines li").length === 5);
    // The moves change their order, but not the places of the rows.
    const list = await page.$eval("#lines", (it) => it.getBoundingClientRect().toJSON());
    await page.mouse.move(list.x + list.width / 2, list.y + list.height / 4);
    await page.waitForSelector(".ghost-number");
    for (let look = 0; look < 15; look++) {
      await wait(100);
      assert.ok((await ghosts(page)) > 0, `over the row, look ${look}`);
    }
    await page.mouse.move(5, 300);
    await page.waitForFunction(() => document.querySelectorAll(".ghost-number").length === 0);
    const at = await page.$eval("#lines strong", (it) => it.textContent);
    const { x, y } = await placeOf(page, at);
    await page.mouse.move(x, y);
    const isShown = (cell) => document.querySelector(".ghost-number") !== null ||
      [...document.querySelectorAll("#lines strong")].every((it) => it.textContent !== cell);
    await page.waitForFunction(isShown, {}, at);
    for (let look = 0; look < 10; look++) {
      await wait(100);
      assert.ok(await page.evaluate(isShown, at), `over the cell, look ${look}`);
    }
    await close();
    return problems;
  },

  async "the whole board is visible in every window"() {
    const windows = [
      [740, 360, true], [640, 400, false], [360, 740, true], [320, 568, true], [768, 1024, false], [901, 700, false],
      [1280, 800, false], [1920, 1080, false], [3840, 2160, false],
    ];
    for (const [width, height, touch] of windows) {
      const { page, problems, close } = await open({ view: { width, height, hasTouch: touch, isMobile: touch }, hash: OPEN });
      const name = `${width}x${height}`;
      assert.ok(await isInside(page, "#board"), name);
      const board = await page.$eval("#board", (it) => it.getBoundingClientRect().width);
      assert.ok(board >= Math.min(width, height) * 0.55, `${name}: the board has ${board}`);
      assert.ok(await isInside(page, "#lines"), `${name}: the list of moves`);
      for (const id of ["back", "undo", "analyse", "tab-edit", "new-game", "settings"]) {
        assert.ok(await isInside(page, `#${id}`), `${name}: ${id}`);
      }
      const small = await page.$$eval(".controls button, .tabs button", (all) => all
        .map((it) => it.getBoundingClientRect()).filter((it) => it.width > 0 && Math.min(it.width, it.height) < 44).length);
      // 320 pixels are not enough for seven.
      if (touch && width >= 360) assert.equal(small, 0, `${name}: targets of 44 pixels`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name);
      assert.deepEqual(await faults(page), [], name);
      assert.deepEqual(problems, []);
      await close();
    }
    const { page, problems, close } = await open({ view: { width: 1280, height: 800 }, hash: "#rule=freestyle&size=5x36&moves=a1" });
    assert.ok(await isInside(page, "#board"), "a board of 5x36");
    await close();
    return problems;
  },

  async "a finger finds every target of a phone"() {
    const { page, problems, close } = await open({ view: PHONE, hash: OPEN });
    const small = async (place) => {
      await page.$$eval("details", (all) => all.forEach((it) => {
        it.open = true;
      }));
      return page.evaluate((name) => [...document.querySelectorAll("button, select, summary, textarea, input")]
        .filter((it) => it.checkVisibility({ visibilityProperty: true }) && it.getClientRects().length > 0)
        .map((it) => {
          // A choice is tapped by its label.
          const { width, height } = (["radio", "checkbox"].includes(it.type) ? it.labels[0] : it).getBoundingClientRect();
          const around = it.matches(".sheet-handle") ? 20 : 0;
          return [it.id || it.className || it.textContent, Math.round(Math.min(width, height + around))];
        })
        .filter(([, size]) => size > 1 && size < 44)
        .map(([it, size]) => `${name}: ${it}: ${size}`), place);
    };
    const found = [];
    for (const name of ["play", "analyse", "review", "puzzles", "files", "edit"]) {
      await page.tap(`#tab-${name}`);
      await settled(page);
      if (name === "analyse") {
        await page.tap("#analyse");
        await page.waitForSelector("#lines button");
        await page.keyboard.press("Escape");
      }
      found.push(...await small(name));
    }
    for (const [key, ready] of [["g", "#new-begin"], [",", "#language"]]) {
      await page.keyboard.press(key);
      await page.waitForSelector(ready);
      found.push(...await small(ready));
      await page.$eval("#dialog", (it) => it.close());
    }
    assert.deepEqual(found, []);
    await close();
    return problems;
  },

  async "on a touch screen the first tap only shows"() {
    const { page, problems, close } = await open({ view: PHONE, hash: OPEN });
    await page.tap("#analyse");
    await page.waitForSelector(".candidate");
    await wait(500);
    await page.tap("#stop");
    await page.waitForSelector("#stop[hidden]");
    const at = await page.$eval("#lines strong", (it) => it.textContent);
    await tapCell(page, at);
    await page.waitForFunction(() => document.querySelectorAll(".ghost-number").length > 1);
    assert.equal(await textOf(page, "#confirm"), `Play ${at}`);
    assert.ok(!(await stones(page)).includes(at), "no stone is placed");
    const before = await page.$$eval(".move", (all) => all.length);
    await page.tap("#lines button");
    await page.waitForSelector("#lines .keep");
    await wait(100);
    assert.ok((await ghosts(page)) > 1, "the line of the tapped row");
    assert.equal(await page.$$eval(".move", (all) => all.length), before, "nothing is written");
    await page.tap("#lines .keep");
    await page.waitForFunction((count) => document.querySelectorAll(".move").length > count, {}, before);
    await close();
    assert.deepEqual(problems, []);
    const foul = await open({ view: PHONE, hash: FOUL });
    await foul.page.waitForSelector(".foul");
    await tapCell(foul.page, "j8");
    await waitForStatus(foul.page, /double three$/);
    assert.ok(await foul.page.$eval("#confirm", (it) => it.hidden), "a forbidden point cannot be confirmed");
    await foul.close();
    return foul.problems;
  },

  async "a finger that slides finds its cell by the loupe"() {
    const { page, problems, close } = await open({ view: PHONE });
    await newGame(page, { rule: "freestyle", black: "me", white: "me" });
    const [from, to] = [await placeOf(page, "g7"), await placeOf(page, "i9")];
    await page.touchscreen.touchStart(from.x, from.y);
    await page.waitForSelector("#loupe:not([hidden])");
    await page.touchscreen.touchMove(to.x, to.y);
    assert.ok(await isInside(page, "#loupe"));
    await page.touchscreen.touchEnd();
    await page.waitForSelector("#loupe[hidden]");
    assert.equal(await textOf(page, "#confirm"), "Play i9");
    await page.tap("#confirm");
    await page.waitForSelector('.stone[data-at="i9"]');
    await page.tap("#sheet-handle");
    await page.waitForSelector(".side.tall");
    await close();
    return problems;
  },

  async "stones and texts can be told apart in both themes"() {
    for (const dark of [false, true]) {
      const { page, problems, close } = await open({ dark, hash: OPEN });
      await page.waitForSelector(".moves .dot.black");
      const panel = await style(page, ".side .panel:not([hidden])", "backgroundColor");
      const dot = await style(page, ".moves .dot.black", "borderTopColor");
      if (dark) {
        assert.ok(contrast(dot, panel) >= 3, `the ring of a black stone: ${dot} on ${panel}`);
        assert.equal(await style(page, ".moves .dot.black", "backgroundColor"), "rgb(0, 0, 0)");
      }
      await page.click("#analyse");
      await page.waitForSelector(".candidate");
      await page.click("#stop");
      await page.waitForSelector("#stop[hidden]");
      await wait(200);
      for (const grade of ["best", "good", "doubtful", "bad", "winning", "losing", "first threat-view"]) {
        await page.$eval(".candidate", (it, name) => it.setAttribute("class", `candidate ${name}`), grade);
        const [disc, text] = [await style(page, ".candidate-disc", "fill"), await style(page, ".candidate-rate", "fill")];
        assert.ok(contrast(disc, text) >= 4.5, `${grade}: ${disc} and ${text}`);
        assert.equal(await style(page, ".candidate", "opacity"), "1");
      }
      const ground = await style(page, "body", "backgroundColor");
      assert.ok(contrast(await style(page, ".win-rate-text", "color"), ground) >= 4.5);
      assert.deepEqual(problems, []);
      await close();
    }
    return [];
  },

  async "all sizes grow with a large screen"() {
    const { page, problems, close } = await open({ view: { width: 3840, height: 2160 }, hash: OPEN });
    const height = (selector) => page.$eval(selector, (it) => it.getBoundingClientRect().height);
    assert.ok((await height("#back")) >= 60, "buttons");
    assert.ok((await height(".moves .dot.black")) >= 18, "stones in lists");
    await page.keyboard.press("?");
    await page.waitForSelector(".lessons");
    assert.ok((await page.$eval("#dialog", (it) => it.getBoundingClientRect().width)) >= 1500, "help");
    await close();
    return problems;
  },

  async "nothing is certain without a proof"() {
    for (const hash of [OPEN, "#rule=caro&size=20x20&moves=j10k11j12l10i11k12h13"]) {
      const { page, problems, close } = await open({ hash });
      await page.click("#analyse");
      for (let i = 0; i < 10; i++) {
        await wait(200);
        const rates = await page.$$eval("#lines .rate", (all) => all.map((it) => it.textContent));
        assert.deepEqual(rates.filter((it) => ["100.0 %", "0.0 %"].includes(it)), []);
      }
      assert.deepEqual(problems, []);
      await close();
    }
    return [];
  },

  async "a review shows the played and the best move"() {
    const { page, problems, close } = await open({ hash: GAME });
    await beginReview(page, "10000");
    await page.waitForSelector("#review-body table");
    await page.keyboard.press("Home");
    await page.keyboard.press("n");
    await settled(page);
    await page.waitForSelector(".played");
    assert.equal((await page.$$(".answer.win")).length, 1);
    assert.match(await textOf(page, "#review-move"), /win rate \d+ % → \d+ %/);
    assert.ok(await isInside(page, "#graph"), "the graph is beside the board");
    const graph = await page.$eval("#graph", (it) => it.parentElement.className);
    assert.equal(graph, "stage");
    await page.click("#guessing");
    await page.waitForFunction(() => document.querySelector("#review-body").childElementCount === 0);
    await page.click("#guessing");
    await page.click("#try-again");
    await page.waitForSelector("#panel-play:not([hidden])");
    await waitForStatus(page, /to move/);
    await close();
    return problems;
  },

  async "a proof is a numbered line, and folded replies"() {
    const { page, problems, close } = await open({ hash: `${WINNING}a1` });
    await page.keyboard.press("Q");
    await page.waitForSelector("#solve-result .step");
    const steps = await page.$$eval("#solve-result > .steps .step", (all) => all.map((it) => it.textContent));
    assert.match(steps[0], /^7\./);
    await page.click("#solve-result .step");
    await page.waitForFunction(() => document.querySelectorAll(".ghost-number").length === 1);
    const summary = await page.$("#solve-result summary");
    if (summary) {
      await summary.click();
      await page.waitForSelector("#solve-result details[open] .step");
    }
    await close();
    return problems;
  },

  async "marks are drawn and saved, games are kept in the browser"() {
    const { page, problems, close } = await open();
    await newGame(page, { rule: "freestyle", black: "me", white: "me" });
    await playMoves(page, WON);
    await page.click("#tab-edit");
    await page.click("#tool-triangle");
    await clickCell(page, "d4");
    await page.waitForSelector(".sign");
    assert.equal((await stones(page)).length, 9, "no stone is placed");
    await page.click("#tool-letter");
    await clickCell(page, "e4");
    await page.waitForSelector(".sign-text");
    await page.click("#tab-files");
    await unfold(page, "#library");
    // The finished game is kept already.
    assert.equal((await page.$$(".kept")).length, 1);
    await page.click("#keep-game");
    await page.waitForFunction(() => document.querySelectorAll(".kept").length === 1);
    assert.deepEqual(await faults(page), []);
    await newGame(page, { rule: "renju", black: "me", white: "me" });
    await page.click("#tab-files");
    await page.click(".kept button");
    await page.waitForSelector('.stone[data-at="l8"]');
    await page.waitForSelector(".sign-text");
    await close();
    return problems;
  },

  async "an analysis keeps to its region"() {
    const { page, problems, close } = await open({ hash: OPEN });
    for (const at of ["k12", "o15"]) {
      const { x, y } = await placeOf(page, at);
      await page.mouse.move(x, y);
      await page.keyboard.press("]");
    }
    await page.waitForSelector(".region");
    await page.mouse.move(5, 300);
    await page.click("#analyse");
    await page.waitForFunction(() => document.querySelectorAll("#lines li").length === 5);
    const moves = await page.$$eval("#lines strong", (all) => all.map((it) => it.textContent));
    assert.deepEqual(moves.filter((at) => !/^[k-o]1[2-5]$/.test(at)), []);
    await close();
    return problems;
  },

  async "balanced moves are shown"() {
    const { page, problems, close } = await open({ hash: "#rule=renju&size=15x15&moves=h8i9j8" });
    await page.click("#balance");
    await waitForStatus(page, /^Balanced: \w+ \(\d+ %\)/);
    assert.ok((await page.$$(".answer.hold")).length > 0);
    await close();
    return problems;
  },

  async "puzzles are solved against the defence"() {
    const { page, problems, close } = await open();
    await newGame(page, { rule: "freestyle", black: "me", white: "me" });
    await playMoves(page, ["h8"]);
    await page.click("#tab-puzzles");
    await page.waitForFunction(() => document.querySelectorAll(".stone").length > 5);
    assert.deepEqual(await faults(page), []);
    await beginPuzzle(page);
    assert.match(await textOf(page, "#puzzle-text"), /to move and win/, "the move is accepted");
    await page.keyboard.press("v");
    await page.waitForFunction(() => /solution/.test(document.getElementById("puzzle-text").textContent));
    await page.keyboard.press("n");
    await page.waitForFunction(() => /to move and win/.test(document.getElementById("puzzle-text").textContent));
    const shown = await stones(page);
    const far = ["a1", "o15", "a15", "o1"].find((it) => !shown.includes(it));
    await clickCell(page, far);
    await page.waitForFunction(() => /holds/.test(document.getElementById("puzzle-text").textContent));
    await reloaded(page);
    await page.waitForFunction(() => document.querySelectorAll(".stone").length > 5);
    await page.click("#tab-play");
    await settled(page);
    assert.deepEqual(await stones(page), ["h8"], "the game from before");
    await playMoves(page, ["a1", "i8", "c1", "j8", "e1", "k8", "g1", "l8"]);
    await page.waitForSelector("#card:not([hidden])");
    await close();
    return problems;
  },

  async "requests without an effect say why"() {
    const { page, problems, close } = await open({ hash: "#size=99" });
    await waitForStatus(page, /does not name a position/);
    await newGame(page, { rule: "freestyle", black: "me", white: "me" });
    await playMoves(page, WON);
    await page.keyboard.press("h");
    await waitForStatus(page, /The game is over/);
    await page.keyboard.press("ArrowLeft");
    await settled(page);
    await page.keyboard.press("h");
    await waitForStatus(page, /wins in 1 move\./);
    await close();
    return problems;
  },

  async "a game gets an engine when an analysis ends"() {
    const tabs = [];
    for (let i = 0; i < 4; i++) {
      const tab = await open({ hash: "#rule=renju&size=15x15&moves=h8i9" });
      await tab.page.click("#analyse");
      await tab.page.waitForSelector(".candidate");
      tabs.push(tab);
    }
    const { page, close } = await open();
    await newGame(page, { rule: "freestyle", black: "me", white: "level:full" });
    await clickCell(page, "h8");
    await waitForStatus(page, /4/);
    await tabs[0].page.click("#stop");
    await waitForStones(page, 2);
    for (const tab of tabs) await tab.close();
    await close();
    return [];
  },

  async "the notice of a restarted server goes"() {
    const first = await startServer(binary);
    const { page, close } = await openPage(browser(), first.address, { folder });
    first.stop();
    const port = new URL(first.address).port;
    const again = await startServer(binary, port);
    await clickCell(page, "h8").catch(() => {});
    await page.waitForFunction(() => /restarted/.test(document.getElementById("connection").textContent));
    const other = await page.browserContext().newPage();
    await other.goto(again.address);
    await ready(other);
    await page.bringToFront();
    await page.waitForSelector("#connection", { hidden: true });
    again.stop();
    await close();
    return [];
  },

  async "the page does not move while it loads"() {
    const { page, problems, close } = await open();
    await page.evaluateOnNewDocument(() => {
      window.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.shift += entry.value;
      }).observe({ type: "layout-shift", buffered: true });
    });
    await reloaded(page);
    await wait(300);
    assert.ok((await page.evaluate(() => window.shift)) < 0.05);
    const headings = await page.$$eval("h1, h2, h3", (all) => all.filter((it) => it.checkVisibility()).map((it) => Number(it.tagName[1])));
    for (let i = 1; i < headings.length; i++) assert.ok(headings[i] - headings[i - 1] <= 1, String(headings));
    await close();
    return problems;
  },
});
