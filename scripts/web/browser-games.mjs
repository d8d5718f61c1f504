// Browser tests of games: what is kept of them, and the questions that they ask.

import assert from "node:assert/strict";
import {
  newGame, playMoves, reloaded, savingTo, settled, textOf, wait,
} from "./browser.mjs";

/** The tests by name. `open` opens a page. */
export const gameTests = ({ open }) => ({
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
    await page.$eval("#library", (it) => {
      it.open = true;
    });
    assert.deepEqual(await page.$$eval(".kept", (all) => all.map((it) => /9 moves · Black wins/.test(it.textContent))), [true]);
    const downloads = await savingTo(page);
    assert.match(String(await downloads.saved("#save-sgf")), /PB\[Me\]PW\[Me\]RE\[B\+\]TGWHY\[five\]DT\[\d{4}-\d\d-\d\d\].*;B\[hh\][^;]*;W\[ao\][^;]*\(;B\[ih\]/s);
    downloads.remove();
    await page.click(".kept button");
    await page.waitForSelector('.stone[data-at="l8"]');
    await close();
    return problems;
  },
});
