// Tests of the game *It is solved* and of proved moves in the explorer, in a browser. See browser-test.

import assert from "node:assert/strict";
import {
  clickCell, reloaded, setMoveTime, settled, stones, tapCell, textOf, waitForStatus, waitForStones,
} from "./browser.mjs";
import { PHONE } from "./positions.mjs";

/** Replies of White that stop nothing. */
const IDLE = ["a1", "a3", "a5", "a7", "o1", "o3", "o5", "o7", "a15", "c15", "e15"];

/** The rules with proofs, by the choices of the dialog. */
const provedRules = (page) =>
  page.$$eval('input[name="new-proof"]', (all) => all.map((it) => it.parentElement.textContent.trim()));

/** Chooses the game by keys, the rule with this number, and starts it. Returns the stones of its opening. */
async function begin(page, rule = 0) {
  await page.keyboard.press("g");
  await page.waitForSelector("#new-begin");
  await page.focus('input[name="new-against"]:checked');
  while (!await page.$eval("#new-against-proof", (it) => it.checked)) await page.keyboard.press("ArrowRight");
  assert.match(await textOf(page, "#dialog"), /proved to win/);
  for (let count = 0; count < rule; count++) {
    await page.focus('input[name="new-proof"]:checked');
    await page.keyboard.press("ArrowRight");
  }
  const [, opening] = /15×15 · ((?:[a-o]\d+ ?)+)/.exec(await textOf(page, "#new-about-proof"));
  const expected = opening.trim().split(" ");
  assert.equal(await page.$eval("#new-rules", (it) => it.checkVisibility()), false);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !document.getElementById("dialog").open);
  await settled(page);
  await waitForStones(page, expected.length);
  assert.deepEqual(await stones(page), [...expected].sort());
  return expected;
}

const waitForEnd = (page) => page.waitForFunction(() => !document.getElementById("card").hidden);

const isVisible = (page, selector) => page.$eval(selector, (it) => it.checkVisibility());

/** Plays a reply and waits for the answer. */
async function exchange(page, at) {
  const before = await stones(page);
  await clickCell(page, at);
  await waitForStones(page, before.length + 2);
  await settled(page);
  return (await stones(page)).find((it) => it !== at && !before.includes(it));
}

/** Plays replies that stop nothing until Black wins. Returns their number. */
async function lose(page) {
  for (let count = 1; ; count++) {
    const taken = await stones(page);
    await exchange(page, IDLE.find((it) => !taken.includes(it)));
    if (/Black wins: /.test(await textOf(page, "#status")) && !/Proved/.test(await textOf(page, "#status"))) {
      await waitForEnd(page);
      return count;
    }
  }
}

/** `open` opens the page; `faults` are the problems of accessibility. */
export const solvedTests = ({ open, faults }) => ({
  async "solved: the proof answers, also to another reply"() {
    const { page, problems, close } = await open();
    const { length } = await begin(page);
    // All moves of the person lose from the start on.
    await waitForStatus(page, /White to move · Proved: Black wins/);
    assert.equal(await isVisible(page, "#seat-black"), false);
    assert.equal(await isVisible(page, "#solved-why"), false);
    assert.equal(await page.$eval("#undo", (it) => it.disabled), true);
    const first = await exchange(page, "h10");
    // Only after the proved move the position stays proved.
    await waitForStatus(page, /White to move · Proved: Black wins/);
    await page.keyboard.press("u");
    await waitForStones(page, length);
    await settled(page);
    const second = await exchange(page, "a1");
    await waitForStatus(page, /White to move · Proved: Black wins/);
    assert.ok(first && second);
    assert.equal((await page.$$(".variation")).length, 1, "the other reply is a variation");
    await close();
    return problems;
  },

  async "solved: other ways are not proved"() {
    const { page, problems, close } = await open();
    await setMoveTime(page, "0.2");
    const opening = await begin(page);
    for (const id of ["#to-start", "#forward"]) await page.click(id);
    await waitForStones(page, 1);
    await settled(page);
    // One of the replies leads to the proof, if the whole game is not proved.
    await waitForStatus(page, opening.length === 1 ? /White to move · Proved: Black wins/ : /White to move · Proved: \d+ of 224 moves lose/);
    await exchange(page, "a1");
    // A reply may lead to a mirror image of the proved opening.
    await waitForStatus(page, opening.length === 1 ? /White to move · Proved: Black wins/ : /White to move · (Not proved|Proved: \d+ of 222 moves lose)/);
    await close();
    return problems;
  },

  async "solved: the end, the record, and why a reply loses"() {
    const { page, problems, close } = await open();
    const { length } = await begin(page);
    const lasted = await lose(page);
    const words = new RegExp(`You lasted ${lasted} moves`);
    assert.match(await textOf(page, "#card"), words);
    assert.match(await textOf(page, "#card"), /A new record/);
    assert.deepEqual(await faults(page), []);
    await reloaded(page);
    await waitForEnd(page);
    assert.match(await textOf(page, "#card"), words);
    assert.match(await textOf(page, "#solved-record"), new RegExp(`record: ${lasted} moves`));
    await page.click("#end-why");
    await page.waitForSelector("#solved-line .step");
    await waitForStones(page, length);
    const steps = await page.$$eval("#solved-line .step", (all) => all.map((it) => it.textContent));
    assert.match(steps[0], new RegExp(`^${length + 1}\\.a1`));
    assert.match(steps.at(-1), /five$/);
    assert.equal((await page.$$(".ghost-stone")).length, steps.length);
    await page.click("#solved-line .step:nth-child(2)");
    assert.equal((await page.$$(".ghost-stone")).length, 2);
    assert.deepEqual(await faults(page), []);
    // Another reply from here is played on, and does not count.
    await exchange(page, "h10");
    assert.equal(await lose(page) > 0, true);
    assert.match(await textOf(page, "#card"), /does not count/);
    await page.click("#solved-again");
    await waitForStones(page, length);
    await close();
    return problems;
  },

  async "solved: a reload continues the game, a new game leaves it"() {
    const { page, problems, close } = await open();
    const { length } = await begin(page);
    await exchange(page, "b2");
    await reloaded(page);
    assert.equal((await stones(page)).length, length + 2);
    assert.equal(await isVisible(page, "#solved"), true);
    await waitForStatus(page, /Proved: Black wins/);
    await exchange(page, "a1");
    assert.match(await textOf(page, "#player-black"), /The proof/);
    // Another panel and back.
    for (const panel of ["puzzles", "play"]) await page.click(`#tab-${panel}`);
    await waitForStones(page, length + 4);
    await waitForStatus(page, /Proved: Black wins/);
    await page.click("#new-game");
    await page.click("#new-against-computer");
    await page.click("#new-begin");
    await waitForStones(page, 0);
    assert.equal(await isVisible(page, "#solved"), false);
    assert.equal(await isVisible(page, "#seat-black"), true);
    await close();
    return problems;
  },

  async "solved: each rule with a proof can be chosen, and has its own record"() {
    const { page, problems, close } = await open();
    await page.keyboard.press("g");
    await page.waitForSelector("#new-begin");
    const rules = await provedRules(page);
    await page.keyboard.press("Escape");
    for (const [index, rule] of rules.entries()) {
      const { length } = await begin(page, index);
      await waitForStatus(page, /White to move · Proved: Black wins/);
      assert.equal(await isVisible(page, "#solved-record"), false, `no record yet in ${rule}`);
      const lasted = await lose(page);
      assert.match(await textOf(page, "#solved-record"), new RegExp(`record: ${lasted} moves`), rule);
      assert.equal((await stones(page)).length, length + 2 * lasted);
      await page.keyboard.press("g");
      await page.waitForSelector("#new-begin");
      const about = await textOf(page, "#new-about-proof");
      assert.match(about, new RegExp(`^${rule} 15×15 · .*record: ${lasted} moves`, "i"));
      await page.keyboard.press("Escape");
    }
    assert.ok(rules.length > 0);
    await close();
    return problems;
  },

  async "solved: the dialog and the panel on a phone"() {
    const { page, problems, close } = await open({ view: PHONE });
    const { length } = await begin(page);
    await exchange(page, "h10");
    assert.equal(await textOf(page, "#solved-why"), "Why h10 loses");
    // The first tap selects a cell.
    await tapCell(page, "a1");
    assert.equal(await textOf(page, "#solved-why"), "Why a1 loses");
    await page.tap("#solved-why");
    await page.waitForSelector("#solved-line .step");
    assert.equal((await stones(page)).length, length + 2, "from this position");
    assert.deepEqual(await faults(page), []);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    await page.click("#new-game");
    await page.waitForSelector("#new-begin");
    assert.equal(await page.$eval("#new-against-proof", (it) => it.checked), true);
    assert.deepEqual(await faults(page), []);
    await close();
    return problems;
  },

  async "explorer: proved moves are marked"() {
    const { page, problems, close } = await open({ hash: "#rule=freestyle&size=15x15&moves=h8h9i9a1" });
    const about = (pattern) => page.waitForFunction(
      (source) => new RegExp(source).test(document.getElementById("explorer-about").textContent), {}, pattern.source);
    await page.keyboard.press(";");
    await about(/^Proved: Black wins · .*does not have/);
    const rows = () => page.$$eval("#explorer-moves li", (all) => all.map((it) => it.textContent));
    assert.equal((await rows()).length, 1, "the proved move");
    assert.match((await rows())[0], /✓$/);
    await page.type("#explorer-label", "far");
    await page.click("#explorer-save");
    await about(/without a value/);
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("ArrowLeft");
    await settled(page);
    await about(/^Proved: /);
    await page.waitForFunction(() => document.querySelectorAll("#explorer-moves li").length > 0);
    assert.match((await rows()).join("\n"), /^a1✗\[far\]$/m);
    await close();
    return problems;
  },
});
