// Tests of the explorer of databases in a browser. See browser-test.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clearData, openPage, reloaded, settled, startServer, stones, textOf, unfold } from "./browser.mjs";

const LINE = "#rule=renju&size=15x15&moves=h8i9j8";

/** The texts of the listed moves. */
const moves = (page) => page.$$eval("#explorer-moves li", (all) => all.map((it) => it.textContent));

const waitForMoves = (page, count) =>
  page.waitForFunction((it) => document.querySelectorAll("#explorer-moves li").length === it, {}, count);

const waitForAbout = (page, pattern) => page.waitForFunction(
  (source) => new RegExp(source).test(document.getElementById("explorer-about").textContent), {}, pattern.source);

/** Labels the position, finds it from the position before it, walks there, analyses and deletes it. */
async function walk(page) {
  await page.keyboard.press(";");
  await page.waitForSelector("#explorer[open]");
  await waitForAbout(page, /does not have/);
  assert.equal(await page.$eval("#explorer-delete", (it) => it.disabled), true);
  await page.type("#explorer-label", "main line");
  await page.type("#explorer-comment", "the usual answer");
  await page.click("#explorer-save");
  await waitForAbout(page, /without a value/);
  await page.keyboard.press("Escape");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("ArrowLeft");
  await settled(page);
  // The move and its mirror image at the diagonal.
  await waitForMoves(page, 2);
  assert.match((await moves(page)).join(), /j8–\[main line\] · the usual answer/);
  assert.equal(await page.$eval("#explorer-label", (it) => it.value), "", "the text of another position");
  await page.$$eval("#explorer-moves button", (all) => all.find((it) => it.dataset.at === "j8").click());
  await settled(page);
  assert.deepEqual(await stones(page), ["h8", "i9", "j8"]);
  await page.waitForFunction(() => document.getElementById("explorer-comment").value === "the usual answer");
  await page.$eval("#explorer-seconds", (it) => {
    it.value = "1";
  });
  await page.click("#explorer-analyse");
  await waitForAbout(page, /Score .*depth [1-9]/);
  await page.waitForFunction(() => /keeps the analysis/.test(document.getElementById("status").textContent));
}

/** `open` opens the page of the server of all tests. */
export function explorerTests({ open, browser, binary, folder }) {
  return {
    async "the database in the browser"() {
      const { page, problems, close } = await open({ hash: LINE });
      await walk(page);
      await reloaded(page);
      await page.click("#tab-analyse");
      await unfold(page, "#explorer");
      await waitForAbout(page, /Score/);
      await page.click("#explorer-delete");
      await page.click("#confirm-action");
      await waitForAbout(page, /does not have/);
      await close();
      return problems;
    },

    async "the database in the browser is removed while another tab has it open"() {
      const { page, problems, close } = await open({ hash: LINE });
      await walk(page);
      const { page: other, problems: more } = await open({ hash: LINE, beside: page });
      await other.keyboard.press(";");
      await waitForAbout(other, /Score/);
      await clearData(other);
      await other.keyboard.press(";");
      await waitForAbout(other, /does not have/);
      await close();
      return [...problems, ...more];
    },

    async "the database of the server"() {
      const temporary = mkdtempSync(join(tmpdir(), "explorer-"));
      const server = await startServer(binary, 0, "--study", join(temporary, "own.tdb"));
      try {
        const first = await openPage(browser(), server.address, { folder, hash: LINE });
        await walk(first.page);
        assert.match(await textOf(first.page, "#explorer"), /own\.tdb/);
        await first.close();
        // Another browser sees the same.
        const second = await openPage(browser(), server.address, { folder, hash: LINE });
        await second.page.keyboard.press(";");
        await waitForAbout(second.page, /Score/);
        await second.page.click("#explorer-delete");
        await second.page.click("#confirm-action");
        await waitForAbout(second.page, /does not have/);
        await second.close();
        return [...first.problems, ...second.problems];
      } finally {
        server.stop();
        rmSync(temporary, { recursive: true });
      }
    },

    async "texts of the database and values of earlier positions"() {
      const temporary = mkdtempSync(join(tmpdir(), "explorer-"));
      const [file, database] = [join(temporary, "line.sgf"), join(temporary, "own.tdb")];
      writeFileSync(file, "(;GM[4]SZ[15]RU[renju];B[hh];W[ig]LB[jf:best];B[jh])");
      execFileSync(binary, ["study", "import", database, file]);
      const server = await startServer(binary, 0, "--study", database);
      try {
        const { page, problems, close } = await openPage(browser(), server.address, { folder, hash: LINE });
        await page.keyboard.press(";");
        await waitForAbout(page, /./);
        await page.$eval("#explorer-seconds", (it) => {
          it.value = "1";
        });
        await page.click("#explorer-analyse");
        await waitForAbout(page, /Score .*depth [1-9]/);
        await page.waitForFunction(() => /keeps the analysis/.test(document.getElementById("status").textContent));
        await waitForAbout(page, /Score .*depth [1-9]/);
        const score = Number((await textOf(page, "#explorer-about")).match(/Score (-?\d+)/)?.[1]);
        await page.keyboard.press("ArrowLeft");
        await settled(page);
        // Its value comes from the position after it, by this move or its mirror image.
        await waitForAbout(page, new RegExp(`Score ${-score},.*best (j8|h10)`));
        await page.waitForFunction(() => [...document.querySelectorAll("#board text.sign-text")].some((it) => it.textContent === "be…"));
        await close();
        return problems;
      } finally {
        server.stop();
        rmSync(temporary, { recursive: true });
      }
    },
  };
}
