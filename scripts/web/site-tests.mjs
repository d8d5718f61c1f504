// Tests of the page without a server. See browser-test.

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import {
  beginPuzzle, beginReview, clickCell, installed, newGame, openPage, paste, playMoves, ready, reloaded,
  savingTo, selectLanguage, settled, startSite, stones, stopped, textOf, waitForStatus, waitForStones,
} from "./browser.mjs";

/** Black has an open three and wins by fours. */
const WINNING = "h8h9i8i9j8a1";

/** Plays against a level, analyses, reviews, solves, and opens and saves a file. */
async function tryAll(page) {
  await newGame(page, { rule: "freestyle", black: "me", white: "level:first-steps" });
  await clickCell(page, "h8");
  await waitForStones(page, 2);
  await page.click("#tab-analyse");
  await page.click("#analyse");
  await page.waitForFunction(() => document.querySelectorAll("#lines li").length > 1);
  await page.click("#stop");
  await stopped(page);
  assert.ok((await page.$$("#lines li")).length > 1, "the last lines stand");
  await beginReview(page, "5000");
  await page.waitForSelector("#review-body table");
  await paste(page, WINNING);
  await waitForStones(page, 6);
  await settled(page);
  await page.keyboard.press("Q");
  await page.waitForSelector("#solve-result .step");
  const files = await savingTo(page);
  await page.click("#tab-files");
  assert.match(String(await files.saved("#save-sgf")), /;B\[hh\]/);
  files.remove();
  const folder = mkdtempSync(join(tmpdir(), "tengen-site-"));
  const path = join(folder, "game.sgf");
  writeFileSync(path, "(;GM[4]FF[4]SZ[15];B[hh];W[ig];B[jf])");
  await (await page.$("#file")).uploadFile(path);
  await page.waitForSelector('.stone[data-at="j10"]');
  rmSync(folder, { recursive: true });
  await page.click("#tab-puzzles");
  // Networks of other rules may not be stored yet.
  await page.select("#puzzle-rule", "freestyle");
  await page.waitForFunction(() => /^Freestyle.*to move and win/.test(document.getElementById("puzzle-text").textContent));
  await beginPuzzle(page);
  assert.match(await textOf(page, "#puzzle-text"), /to move and win/, "the move is accepted");
}

/** A missed win of an own game: a straight four, and then the five. */
const OWN_PUZZLE = {
  id: "own", rule: "freestyle", side: "black", black: ["h8", "i8", "j8"], white: ["h1", "i2", "j1"], kind: "vcf",
  first: "k8", plies: 3,
};

/** Solves a puzzle to its end; it counts as solved. */
async function solveOwnPuzzle(page) {
  await page.evaluate((own) => {
    localStorage.setItem("tengen-puzzles", JSON.stringify({ solved: [], streak: 0, last: "", own: [own] }));
  }, OWN_PUZZLE);
  await reloaded(page);
  await page.click("#tab-puzzles");
  await page.select("#puzzle-level", "own");
  await waitForStones(page, 6);
  await clickCell(page, OWN_PUZZLE.first);
  await waitForStones(page, 8);
  const taken = await stones(page);
  await page.waitForFunction(() => !/defends/.test(document.getElementById("puzzle-text").textContent));
  await clickCell(page, ["g8", "l8"].find((at) => !taken.includes(at)));
  await page.waitForFunction(() => /Solved!/.test(document.getElementById("puzzle-text").textContent));
  assert.match(await textOf(page, "#puzzle-record"), /1 puzzle solved · 1 day in a row/);
}

/** A copy of the site with another version. */
function otherVersion(site, version) {
  const folder = mkdtempSync(join(tmpdir(), "tengen-site-"));
  cpSync(site, folder, { recursive: true });
  const [old] = readdirSync(folder).filter((name) => /^[0-9a-f]{12}$/.test(name));
  renameSync(join(folder, old), join(folder, version));
  for (const name of ["index.html", "service-worker.js"]) {
    const path = join(folder, name);
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(old, version));
  }
  return folder;
}

/** @param {{ browser: any, site: string, server: any, open: Function, threads: boolean, single?: string }} context */
export function siteTests({ browser, site, server, open, threads, single }) {
  const tests = {
    async "a crashed engine is replaced, and the game kept"() {
      const { page, problems, close } = await open();
      await newGame(page, { rule: "freestyle", black: "me", white: "me" });
      await playMoves(page, ["h8", "i9"]);
      for (const worker of page.workers()) {
        await worker.evaluate(() => {
          // Reads outside of the memory.
          const { ask } = engine;
          engine = { ...engine, ask: () => ask(0, -64, 64, 0) };
        });
      }
      await page.click("#analyse");
      await waitForStatus(page, /crashed/);
      await stopped(page);
      // A request without a search is repeated.
      await playMoves(page, ["j10", "k11"]);
      assert.deepEqual(await stones(page), ["h8", "i9", "j10", "k11"]);
      await page.click("#tab-analyse");
      if (await page.$eval("#analyse", (it) => it.getAttribute("aria-pressed")) !== "true") await page.click("#analyse");
      await page.waitForSelector("#lines li");
      await close();
      return problems;
    },

    async "the installed page works without a network"() {
      const own = await startSite(site);
      const { page, problems, close } = await openPage(browser, own.address);
      await installed(page);
      await own.stop();
      await reloaded(page);
      await tryAll(page);
      // A network that is not stored cannot be used, and the page shows an error.
      await close();
      return problems.filter((problem) => !/ERR_CONNECTION_REFUSED|Failed to load resource/.test(problem));
    },

    async "a rule without its network is refused, and works later"() {
      const own = await startSite(site);
      const { page, close } = await openPage(browser, own.address);
      await installed(page);
      await own.stop();
      await newGame(page, { rule: "caro", black: "me", white: "me" });
      await playMoves(page, ["h8"]);
      await page.click("#analyse");
      await waitForStatus(page, /data for Caro /);
      const again = await startSite(site, own.port);
      await stopped(page);
      if (await page.$eval("#analyse", (it) => it.getAttribute("aria-pressed")) !== "true") await page.click("#analyse");
      await page.waitForSelector(".candidate");
      await close();
      await again.stop();
      return [];
    },

    async "a new version is offered and installed"() {
      const version = "0123456789ab";
      const folder = otherVersion(site, version);
      const own = await startSite(site);
      const { page, problems, close } = await openPage(browser, own.address);
      await installed(page);
      await page.reload();
      await installed(page);
      own.folder = folder;
      await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
      await page.waitForSelector("#update button");
      assert.match(await textOf(page, "#update"), /new version/);
      const shown = () => page.$eval('script[src$="app.js"]', (script) => script.src);
      assert.ok(!(await shown()).includes(version));
      await Promise.all([page.waitForNavigation(), page.click("#update button")]);
      await ready(page);
      assert.ok((await shown()).includes(version));
      await newGame(page, { rule: "freestyle", black: "me", white: "me" });
      await playMoves(page, ["h8"]);
      const versions = await page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith("tengen-page-")));
      assert.equal(versions.length, 2, "other tabs may still show the version before");
      await close();
      await own.stop();
      rmSync(folder, { recursive: true });
      return problems;
    },

    async "nothing is asked of other hosts"() {
      let asked = 0;
      const other = createServer((_, response) => {
        asked += 1;
        response.writeHead(200, { "access-control-allow-origin": "*" });
        response.end("x");
      });
      await new Promise((done) => other.listen(0, "127.0.0.1", done));
      const address = `http://127.0.0.1:${other.address().port}/x.js`;
      const { page, close } = await open();
      const tried = await page.evaluate(async (address) => {
        const image = new Promise((done) => {
          const element = new Image();
          element.onload = () => done("loaded");
          element.onerror = () => done("refused");
          element.src = address;
        });
        const script = new Promise((done) => {
          const element = document.createElement("script");
          element.onload = () => done("loaded");
          element.onerror = () => done("refused");
          element.src = address;
          document.head.append(element);
        });
        const fetched = fetch(address).then(() => "loaded", () => "refused");
        return Promise.all([image, script, fetched]);
      }, address);
      assert.deepEqual(tried, ["refused", "refused", "refused"]);
      assert.equal(asked, 0);
      await close();
      other.close();
      return [];
    },

    async "a page in a subfolder"() {
      const { page, problems, close } = await open();
      assert.match(page.url(), /\/tengen\//);
      assert.equal(await page.evaluate(() => crossOriginIsolated), threads);
      await tryAll(page);
      const { icons } = await page.evaluate(async () => (await fetch(document.querySelector("link[rel=manifest]").href)).json());
      for (const { src, sizes } of icons) {
        const size = await page.evaluate(async (src) => {
          const image = new Image();
          image.src = src;
          await image.decode();
          return `${image.naturalWidth}x${image.naturalHeight}`;
        }, src);
        assert.equal(size, sizes, src);
      }
      await close();
      assert.ok(server.asked > 0);
      return problems;
    },
  };
  if (single) {
    tests["a page in a single file"] = async () => {
      const { page, problems, close } = await openPage(browser, pathToFileURL(single).href);
      await tryAll(page);
      await solveOwnPuzzle(page);
      await page.keyboard.press(",");
      await selectLanguage(page, "ja");
      await page.waitForFunction(() => document.getElementById("tab-play").textContent === "対局");
      await settled(page);
      await close();
      return problems;
    };
  }
  return tests;
}
