// The essential browser tests, for any browser: a game, an analysis, a review, a file, languages, a reload.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  beginReview, clickCell, inEachLanguage, newGame, playMoves, reloaded, settled, stones, stopped,
  waitForStatus, waitForStones,
} from "./browser.mjs";
import { GAME, OPEN } from "./positions.mjs";

const FILE = "(;GM[4]FF[4]SZ[15];B[hh];W[ig]AR[hh:ii](;B[jh])(;B[gh]))";

/** The tests by name. `open` opens a page; `languages` are the words of a tab by language. */
export const essentialTests = ({ open, languages }) => ({
  async "essential: a game"() {
    const { page, problems, close } = await open();
    await newGame(page, { rule: "freestyle", black: "me", white: "level:first-steps" });
    await clickCell(page, "h8");
    await waitForStones(page, 2);
    await waitForStatus(page, /Black to move/);
    await page.select("#seat-white", "me");
    const taken = await stones(page);
    await playMoves(page, ["a1", "b3", "c5"].filter((at) => !taken.includes(at)).slice(0, 2));
    assert.equal((await stones(page)).length, 4);
    await page.keyboard.press("u");
    await settled(page);
    assert.equal((await stones(page)).length, 3);
    await close();
    return problems;
  },

  async "essential: an analysis"() {
    const { page, problems, close } = await open({ hash: OPEN });
    await page.click("#tab-analyse");
    await page.click("#analyse");
    await page.waitForFunction(() => document.querySelectorAll("#lines li").length === 5);
    assert.equal((await page.$$(".candidate")).length, 5);
    await page.click("#stop");
    await stopped(page);
    assert.equal((await page.$$("#lines li")).length, 5, "the last lines stand");
    await close();
    return problems;
  },

  async "essential: a review"() {
    const { page, problems, close } = await open({ hash: GAME });
    await beginReview(page, "10000");
    await page.waitForSelector("#review-body table");
    await waitForStatus(page, /accuracy/);
    await close();
    return problems;
  },

  async "essential: a file"() {
    const { page, problems, close } = await open();
    const folder = mkdtempSync(join(tmpdir(), "tengen-browser-"));
    const path = join(folder, "game.sgf");
    writeFileSync(path, FILE);
    const input = await page.$("#file");
    await input.uploadFile(path);
    await waitForStatus(page, /Read/);
    await settled(page);
    assert.deepEqual(await stones(page), ["h8", "i9", "j8"]);
    assert.equal((await page.$$(".variation")).length, 1);
    rmSync(folder, { recursive: true });
    await close();
    return problems;
  },

  async "essential: languages"() {
    const { page, problems, close } = await open();
    await inEachLanguage(page, languages);
    await close();
    return problems;
  },

  async "essential: a reload"() {
    const { page, problems, close } = await open();
    await newGame(page, { rule: "renju", black: "me", white: "me" });
    await playMoves(page, ["h8", "i9"]);
    await page.keyboard.press("ArrowLeft");
    await settled(page);
    await playMoves(page, ["g7"]);
    // The first reload of the page without a server isolates it. Firefox then starts another process, which
    // does not have what was written when the page was left.
    await page.waitForFunction(() => sessionStorage.getItem("tengen-game")?.includes("g7"));
    await reloaded(page);
    assert.deepEqual(await stones(page), ["g7", "h8"]);
    assert.equal((await page.$$(".variation")).length, 1);
    await close();
    return problems;
  },
});
