// Browser tests of what the page keeps and shares: local data, a full storage, links, names of openings.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  clearData, newGame, paste, playMoves, ready, savingTo, selectLanguage, settled, stones, textOf, unfold,
  waitForStatus, waitForStones,
} from "./browser.mjs";
import { WON } from "./positions.mjs";

const openLibrary = async (page) => {
  await page.click("#tab-files");
  await unfold(page, "#library");
};

/** Waits until the list has this number of games. */
const keptGames = (page, count) =>
  page.waitForFunction((it) => document.querySelectorAll(".kept").length === it, {}, count);

/** The tests by name. `open` opens a page. */
export const dataTests = ({ open }) => ({
  async "local data can be removed"() {
    const { page, problems, close } = await open();
    await newGame(page, { rule: "renju", black: "me", white: "me" });
    await playMoves(page, WON);
    await page.keyboard.press(",");
    await page.waitForSelector("#theme");
    assert.match(await textOf(page, "#dialog"), /Nothing is sent to anyone/);
    await page.select("#theme", "dark");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    await page.keyboard.press("Escape");
    await openLibrary(page);
    assert.equal((await page.$$(".kept")).length, 1);
    await clearData(page);
    await page.waitForSelector("#card:not([hidden])");
    assert.deepEqual(await stones(page), []);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
    await openLibrary(page);
    assert.equal((await page.$$(".kept")).length, 0);
    await close();
    return problems;
  },

  async "two tabs keep each other's games"() {
    const { page, problems, close } = await open();
    const { page: other, problems: more } = await open({ beside: page });
    await openLibrary(other);
    await page.bringToFront();
    await newGame(page, { rule: "freestyle", black: "me", white: "me" });
    await playMoves(page, WON);
    await other.bringToFront();
    await keptGames(other, 1);
    await other.click("#tab-play");
    await newGame(other, { rule: "freestyle", black: "me", white: "me" });
    await playMoves(other, WON);
    await openLibrary(other);
    await keptGames(other, 2);
    await page.bringToFront();
    await clearData(page);
    await other.bringToFront();
    await keptGames(other, 0);
    await other.click("#keep-game");
    await keptGames(other, 1);
    await page.bringToFront();
    await openLibrary(page);
    await keptGames(page, 1);
    await close();
    return [...problems, ...more];
  },

  async "an export that is imported again adds no games"() {
    const { page, problems, close } = await open();
    await newGame(page, { rule: "freestyle", black: "me", white: "me" });
    await playMoves(page, WON.slice(0, 3));
    await page.click("#undo");
    await settled(page);
    await playMoves(page, ["o15", "c1", "i8", "e1", "j8", "g1", "k8", "i1", "l8"]);
    await newGame(page, { rule: "renju", black: "me", white: "me" });
    await playMoves(page, ["h8", "i9"]);
    await openLibrary(page);
    await page.click("#keep-game");
    await keptGames(page, 2);
    const temporary = mkdtempSync(join(tmpdir(), "tengen-export-"));
    const files = await savingTo(page);
    writeFileSync(join(temporary, "games.sgf"), await files.saved("#export-games"));
    files.remove();
    const [chooser] = await Promise.all([page.waitForFileChooser(), page.click("#import-games")]);
    await chooser.accept([join(temporary, "games.sgf")]);
    await waitForStatus(page, /0 games imported · Already in the list: 2/);
    await keptGames(page, 2);
    rmSync(temporary, { recursive: true });
    await close();
    return problems;
  },

  async "a full storage is reported and loses nothing that is shown"() {
    const { page, problems, close } = await open();
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    });
    await newGame(page, { rule: "freestyle", black: "me", white: "me" });
    await waitForStatus(page, /stores nothing here: save the game/);
    await playMoves(page, WON);
    assert.equal((await stones(page)).length, WON.length);
    await waitForStatus(page, /stores nothing here: save the game/);
    const files = await savingTo(page);
    await openLibrary(page);
    assert.equal((await page.$$(".kept")).length, 0);
    assert.match(String(await files.saved("#save-sgf")), /;B\[hh\].*;B\[lh\]/);
    files.remove();
    await close();
    return problems;
  },

  async "a game that was removed from the list can be brought back"() {
    const { page, problems, close } = await open();
    await newGame(page, { rule: "freestyle", black: "me", white: "me" });
    await playMoves(page, WON);
    await openLibrary(page);
    await page.click(".kept .icon");
    await keptGames(page, 0);
    await page.keyboard.press("U");
    await keptGames(page, 1);
    await close();
    return problems;
  },

  async "a language file that does not arrive is requested again"() {
    const { page, problems, close } = await open();
    await page.evaluateOnNewDocument(() => {
      const { fetch } = globalThis;
      let isLost = true;
      globalThis.fetch = (address, ...more) => {
        if (!isLost || !String(address).includes("/languages/")) return fetch(address, ...more);
        isLost = false;
        return Promise.reject(new TypeError("refused"));
      };
    });
    await page.reload();
    await page.waitForSelector("#connection:not([hidden])");
    assert.match(await textOf(page, "#connection"), /^The connection to the engine is lost/);
    await ready(page);
    assert.match(await textOf(page, "#new-game"), /New game/);
    await close();
    return problems;
  },

  async "errors of pasted text are in the language of the page"() {
    const { page, problems, close } = await open();
    await page.keyboard.press(",");
    await selectLanguage(page, "ja");
    await page.keyboard.press("Escape");
    for (const [text, pattern] of [["h8 h8", /[^ ]を読めません: .*h8: すでに石/], ["hello world", /「hello」/], ["h8 z99", /z99/]]) {
      await paste(page, text);
      await waitForStatus(page, pattern);
      assert.doesNotMatch(await textOf(page, "#status"), /played|such as|outside|English/);
    }
    await paste(page, "(;GM[4]SZ[15];B[hh");
    await waitForStatus(page, / \(English\)$/);
    await close();
    return problems.filter((it) => !/^\d+ \/api/.test(it));
  },

  async "a link leads to the position"() {
    const first = await open();
    await newGame(first.page, { rule: "renju", black: "me", white: "me" });
    await playMoves(first.page, ["h8", "h9", "j10"]);
    await first.page.evaluate(() => {
      window.copied = [];
      navigator.clipboard.writeText = async (text) => window.copied.push(text);
    });
    await first.page.keyboard.press("Y");
    await waitForStatus(first.page, /[Cc]opied/);
    const [link] = await first.page.evaluate(() => window.copied);
    await first.close();
    const { page, problems, close } = await open({ hash: new URL(link).hash });
    assert.deepEqual(await stones(page), ["h8", "h9", "j10"]);
    await page.waitForFunction(() => document.getElementById("opening-name").textContent !== "");
    await close();
    return [...first.problems, ...problems];
  },

  async "Back brings each game that a link has replaced"() {
    const { page, problems, close } = await open();
    await newGame(page, { rule: "freestyle", black: "me", white: "me" });
    await playMoves(page, ["h8", "i9"]);
    // At their starts the first two games have the same address.
    for (const link of ["#a1", "#b2"]) {
      await page.keyboard.press("Home");
      await waitForStones(page, 0);
      await page.evaluate((hash) => {
        location.hash = hash;
      }, link);
      await waitForStones(page, 1);
    }
    for (const moves of [["a1"], ["h8", "i9"]]) {
      await page.evaluate(() => new Promise((resolve) => {
        addEventListener("popstate", resolve, { once: true });
        history.back();
      }));
      await waitForStones(page, 0);
      await page.keyboard.press("End");
      await waitForStones(page, moves.length);
      assert.deepEqual(await stones(page), moves);
      await page.keyboard.press("Home");
    }
    await close();
    return problems;
  },

  async "openings have names in the language of the page"() {
    const { page, problems, close } = await open({ hash: "#rule=renju&size=15x15&moves=h8h9i9" });
    const shown = () => textOf(page, "#opening-name");
    await page.waitForFunction(() => document.getElementById("opening-name").textContent !== "");
    assert.match(await shown(), /^D\d+ Kagetsu 花月$/);
    await page.keyboard.press(",");
    await selectLanguage(page, "ja");
    await page.waitForFunction(() => !/Kagetsu/.test(document.getElementById("opening-name").textContent));
    assert.match(await shown(), /^D\d+ 花月$/);
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog:not([open])");
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction(() => document.getElementById("opening-name").textContent === "");
    await close();
    return problems;
  },
});
