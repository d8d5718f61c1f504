// Browser tests of games: what is kept of them, and the questions that they ask.

import assert from "node:assert/strict";
import {
  beginReview, clickCell, newGame, placeOf, playMoves, reloaded, savingTo, settled, stones, tapCell, textOf,
  unfold, wait, waitForStatus, waitForStones,
} from "./browser.mjs";
import { OPEN, PHONE, WON } from "./positions.mjs";

/** The smallest phones in use, within the bars of the browser. */
const PHONES = [[360, 640], [390, 664]];

/** Plays by two taps. */
async function playByTaps(page, at) {
  await tapCell(page, at);
  await page.waitForFunction((name) => document.getElementById("confirm").textContent.endsWith(` ${name}`), {}, at);
  await page.click("#confirm");
  await page.waitForSelector("#confirm", { hidden: true });
}

/** Fails unless the elements and the board are visible without scrolling. */
async function assertVisible(page, selector) {
  await wait(300);
  const found = await page.evaluate((it) => {
    const bottom = document.querySelector(".tabs").getBoundingClientRect().top + 1;
    const all = [...document.querySelectorAll(it)].filter((element) => element.checkVisibility());
    const hidden = all.filter((element) => {
      const box = element.getBoundingClientRect();
      return box.top < 0 || box.bottom > bottom || box.left < 0 || box.right > innerWidth;
    });
    return { count: all.length, hidden: hidden.map((element) => element.textContent), board: document.getElementById("board").clientWidth };
  }, selector);
  assert.deepEqual(found.hidden, [], JSON.stringify(found));
  assert.ok(found.count > 0 && found.board > 270, JSON.stringify(found));
}

/** The tests by name. `open` opens a page. */
export const gameTests = ({ open }) => ({
  async "the teacher warns"() {
    const { page, problems, close } = await open();
    await newGame(page, { rule: "freestyle", black: "me", white: "level:first-steps" });
    await page.click("#teaching");
    // Both have an open three: black to move wins, but not by a distant move.
    await page.select("#seat-white", "me");
    await playMoves(page, ["h8", "h5", "i8", "i5", "j8", "j5"]);
    await page.select("#seat-white", "level:first-steps");
    await clickCell(page, "o15");
    await page.waitForSelector("#take-back");
    await clickCell(page, "k8");
    await waitForStatus(page, /Take the move back, or play on/);
    assert.equal((await stones(page)).length, 7, "the question must be answered first");
    await page.click("#take-back");
    await settled(page);
    assert.equal((await stones(page)).length, 6);
    await close();
    return problems;
  },

  async "a game with a take-back is kept once, as it was played"() {
    const { page, problems, close } = await open();
    await newGame(page, { rule: "freestyle", black: "me", white: "me" });
    await playMoves(page, ["h8", "a1", "o15"]);
    await page.click("#undo");
    await settled(page);
    await playMoves(page, ["i8", "c1", "j8", "e1", "k8", "g1", "l8"]);
    await page.waitForSelector("#card:not([hidden])");
    assert.doesNotMatch(await textOf(page, "body"), /null|undefined/);
    await reloaded(page);
    await wait(300);
    assert.ok(await page.$eval("#card", (it) => it.hidden), "the end is shown once");
    await page.click("#tab-files");
    await unfold(page, "#library");
    assert.deepEqual(await page.$$eval(".kept", (all) => all.map((it) => /9 moves · Black wins/.test(it.textContent))), [true]);
    const downloads = await savingTo(page);
    assert.match(String(await downloads.saved("#save-sgf")), /PB\[Black\]PW\[White\]RE\[B\+\]TGWHY\[five\]DT\[\d{4}-\d\d-\d\d\].*;B\[hh\][^;]*;W\[ao\][^;]*\(;B\[ih\]/s);
    downloads.remove();
    await page.click(".kept button");
    await page.waitForSelector('.stone[data-at="l8"]');
    await close();
    return problems;
  },

  async "a game with a clock waits while puzzles are solved, and a new game can follow them"() {
    const { page, problems, close } = await open();
    const clock = () => page.$eval("#player-white .clock", (it) => it.textContent);
    const puzzle = async () => {
      await page.click("#tab-puzzles");
      await page.waitForFunction(() => /to move/.test(document.getElementById("puzzle-text").textContent));
    };
    await newGame(page, { rule: "freestyle", black: "me", white: "me", clock: true });
    await playMoves(page, ["h8", "i9"]);
    const before = await clock();
    assert.match(before, /^\d+:\d\d$/);
    await puzzle();
    assert.equal(await clock(), "");
    await reloaded(page);
    await page.waitForFunction(() => /to move/.test(document.getElementById("puzzle-text").textContent));
    await page.click("#tab-play");
    await settled(page);
    assert.deepEqual(await stones(page), ["h8", "i9"]);
    assert.equal(await clock(), before);

    // A file is not the puzzle.
    await puzzle();
    await page.evaluate(() => {
      location.hash = "rule=freestyle&size=15x15&moves=a1b2c3";
    });
    await page.waitForSelector("#panel-analyse:not([hidden])");
    await settled(page);
    assert.deepEqual(await stones(page), ["a1", "b2", "c3"]);
    assert.equal(await clock(), "");
    await page.keyboard.press("U");
    await settled(page);
    assert.deepEqual(await stones(page), ["h8", "i9"]);
    assert.equal(await clock(), before);

    // A new game is played, and the game before keeps its players.
    await puzzle();
    await newGame(page, { rule: "renju", black: "level:first-steps", white: "me" });
    await waitForStones(page, 1);
    assert.deepEqual(await stones(page), ["h8"]);
    assert.match(await page.evaluate(() => location.hash), /renju/);
    await page.keyboard.press("U");
    await settled(page);
    assert.deepEqual(await stones(page), ["h8", "i9"]);
    assert.equal(await page.$eval("#seat-black", (it) => it.value), "me");
    await close();
    return problems;
  },

  async "a reload keeps the players of the game, the pause and a missing clock"() {
    const { page, problems, close } = await open();
    await newGame(page, { rule: "freestyle", black: "me", white: "level:first-steps" });
    await clickCell(page, "h8");
    await waitForStones(page, 2);
    await page.keyboard.press("ArrowLeft");
    await waitForStatus(page, /the engine waits/);
    await page.evaluate(() => {
      // Another tab has begun a game with other players and a clock.
      const cookie = /tengen-settings=([^;]*)/.exec(document.cookie)?.[1];
      const text = cookie ? decodeURIComponent(cookie) : localStorage.getItem("tengen-settings");
      const settings = JSON.stringify({ ...JSON.parse(text), black: "level:full", white: "me", clock: true });
      if (!cookie) localStorage.setItem("tengen-settings", settings);
      else document.cookie = `tengen-settings=${encodeURIComponent(settings)}; path=/; samesite=strict`;
    });
    await reloaded(page);
    await wait(1000);
    assert.deepEqual(await stones(page), ["h8"]);
    assert.deepEqual(await page.$$eval("#seat-black, #seat-white", (all) => all.map((it) => it.value)), ["me", "level:first-steps"]);
    assert.equal(await page.$eval("#player-white .clock", (it) => it.textContent), "");
    await close();
    return problems;
  },

  async "an opening continues after puzzles"() {
    const { page, problems, close } = await open();
    await newGame(page, { rule: "freestyle", opening: "swap", black: "me", white: "me" });
    await playMoves(page, ["h8", "i9", "j11"]);
    await page.waitForSelector('#panel-play .asks [data-key="2"]');
    await page.click("#tab-puzzles");
    await page.waitForFunction(() => /to move/.test(document.getElementById("puzzle-text").textContent));
    await page.click("#tab-play");
    await page.waitForSelector('#panel-play .asks [data-key="2"]');
    assert.deepEqual(await stones(page), ["h8", "i9", "j11"]);
    await page.keyboard.press("2");
    await waitForStatus(page, /The opening is over/);
    await close();
    return problems;
  },

  async "the card at the end leaves the winning row visible"() {
    const all = [];
    const rows = { middle: ["h6", "h7", "h8", "h9", "h10"], top: ["c13", "d13", "e13", "f13", "g13"] };
    const others = ["a1", "c1", "e1", "g1"];
    for (const view of [{ width: 360, height: 640 }, { width: 640, height: 360 }, { width: 1280, height: 800 }]) {
      const { page, problems, close } = await open({ view });
      for (const row of Object.values(rows)) {
        await newGame(page, { rule: "freestyle", black: "me", white: "me" });
        await playMoves(page, row.flatMap((at, index) => [at, others[index]]).filter(Boolean));
        await page.waitForSelector("#card:not([hidden])");
        await wait(300);
        const card = await page.$eval("#card", (it) => it.getBoundingClientRect().toJSON());
        for (const at of row) {
          const { x, y } = await placeOf(page, at);
          const isCovered = x > card.left && x < card.right && y > card.top && y < card.bottom;
          assert.ok(!isCovered, `${at} at ${view.width}x${view.height}: ${JSON.stringify(card)}`);
        }
        assert.ok(card.left >= 0 && card.top >= 0 && card.right <= view.width && card.bottom <= view.height, JSON.stringify(card));
        await page.keyboard.press("Escape");
      }
      await close();
      all.push(...problems);
    }
    return all;
  },

  async "large text needs no sideways scroll"() {
    const all = [];
    for (const view of [PHONE, { width: 1280, height: 800 }]) {
      for (const size of [24, 32]) {
        const { page, problems, close } = await open({ view });
        const client = await page.createCDPSession();
        await client.send("Page.setFontSizes", { fontSizes: { standard: size, fixed: size } });
        await reloaded(page);
        const check = async (step) => {
          await wait(200);
          const found = await page.evaluate(() => {
            const buttons = [...document.querySelectorAll("#card button, dialog button, .bar button")].filter((it) => it.checkVisibility());
            const boxes = buttons.map((it) => it.getBoundingClientRect());
            const off = buttons.filter((_, index) => boxes[index].left < -1 || boxes[index].right > innerWidth + 1);
            return { width: document.documentElement.scrollWidth, off: off.map((it) => it.id || it.textContent) };
          });
          assert.deepEqual(found, { width: view.width, off: [] }, `${step} at ${view.width} with ${size}`);
        };
        await check("first card");
        for (const key of ["g", ","]) {
          await page.keyboard.press("Escape");
          await page.keyboard.press(key);
          await check(`dialog ${key}`);
        }
        await page.keyboard.press("Escape");
        for (const tab of ["analyse", "review", "puzzles", "files", "edit"]) {
          await page.click(`#tab-${tab}`);
          await check(tab);
        }
        await close();
        all.push(...problems);
      }
    }
    return all;
  },

  async "a printed page has the board, the result and the moves"() {
    const { page, problems, close } = await open();
    await newGame(page, { rule: "freestyle", black: "me", white: "me" });
    await playMoves(page, WON);
    await page.emulateMediaType("print");
    const shown = (selector) => page.$eval(selector, (it) => it.checkVisibility());
    for (const selector of ["#board", "#status", "#moves", ".player"]) assert.ok(await shown(selector), selector);
    for (const selector of [".bar", ".controls", "#panel-play", "#card", "#comment"]) assert.ok(!await shown(selector), selector);
    await close();
    return problems;
  },

  async "names and words are not cut on phones"() {
    const { page, problems, close } = await open({ view: { width: 640, height: 360, hasTouch: true, isMobile: true } });
    await newGame(page, { rule: "freestyle", black: "level:full", white: "level:grandmaster" });
    const isCut = (selector) => page.$$eval(selector, (all) => all.filter((it) => it.scrollWidth > it.clientWidth + 1).map((it) => it.textContent));
    assert.deepEqual(await isCut(".player .name"), []);
    await close();
    const review = await open({ hash: OPEN, view: PHONE });
    await beginReview(review.page, "10000");
    await review.page.waitForSelector("#review-body table");
    const right = await review.page.$$eval("#review-body th", (all) => Math.max(...all.map((it) => it.getBoundingClientRect().right)));
    assert.ok(right <= 360, `${right}`);
    await review.close();
    return [...problems, ...review.problems];
  },

  async "questions are visible on small phones"() {
    const all = [];
    for (const [width, height] of PHONES) {
      const { page, problems, close } = await open({ view: { width, height, hasTouch: true, isMobile: true } });
      await newGame(page, { rule: "freestyle", opening: "swap2", black: "level:beginner", white: "me" });
      await page.waitForFunction(() => document.querySelectorAll("#panel-play .question button").length === 3);
      await assertVisible(page, "#panel-play .question, #panel-play .question button");

      await newGame(page, { rule: "freestyle", opening: "none", black: "me", white: "me" });
      for (const at of ["h8", "h5", "i8", "i5", "j8", "j5"]) await playByTaps(page, at);
      await page.$eval("#teaching", (it) => it.click());
      await page.select("#seat-white", "level:first-steps");
      await playByTaps(page, "o15");
      await page.waitForSelector("#take-back");
      await assertVisible(page, "#panel-play .question, #panel-play .question button");

      await page.click("#tab-puzzles");
      await page.waitForFunction(() => /to move/.test(document.getElementById("puzzle-text").textContent));
      await assertVisible(page, "#puzzle-text, #panel-puzzles .question button");
      await playByTaps(page, "a1");
      await page.waitForSelector("#puzzle-back");
      await assertVisible(page, "#puzzle-text, #panel-puzzles .question button");
      await close();
      all.push(...problems);
    }
    const [[width, height]] = PHONES;
    const { page, problems, close } = await open({ hash: OPEN, view: { width, height, hasTouch: true, isMobile: true } });
    await beginReview(page, "10000");
    await page.waitForSelector("#review-body table");
    await page.keyboard.press("i");
    for (const key of ["Home", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
    await assertVisible(page, "#review-move");
    await playByTaps(page, "a1");
    await assertVisible(page, "#review-move");
    await close();
    return [...all, ...problems];
  },
});
