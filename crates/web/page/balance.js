// Balanced moves: those after which both sides have about the same chances, as for swap rules; and pairs
// of them, one for each side.

import { isAbort, ServerError } from "./transport.js";
import { errorText } from "./errors.js";
import { percentOf } from "./marks.js";
import { t } from "./words.js";

/** Lines and time of the search. */
const LINES = 50;
const TIME = 8000;
/** Number of moves shown. */
const SHOWN = 5;

/** @typedef {import("./engine.js").Line} Line */

/**
 * The lines nearest to even chances, the most balanced first.
 * @param {Line[]} lines
 */
export function balanced(lines) {
  const distance = (/** @type {Line} */ { rate }) => Math.abs(rate - 0.5);
  return lines.filter(({ forced }) => forced === null).sort((a, b) => distance(a) - distance(b)).slice(0, SHOWN);
}

/**
 * The parts of the page that a search for balanced moves needs.
 * @typedef {object} Parts
 * @property {import("./session.js").Session} session
 * @property {Pick<import("./engine.js").Engine, "analyse" | "balance" | "wasStopped">} engine
 * @property {View} view
 * @property {(text: string, isProblem?: boolean) => void} notify
 */

/**
 * @typedef {object} View
 * @property {(points: { at: string, text: string }[], kind: string) => void} showPoints
 * @property {(moves: string[], side: import("./tree.js").Color, isFixed?: boolean) => void} showLine
 * @property {() => void} hideLine
 */

/**
 * Searches the position, and tells in words what was found.
 * @template Found
 * @param {Pick<Parts, "session" | "engine" | "notify">} parts
 * @param {"balance" | "balance.pairs"} words first part of the keys of its texts
 * @param {(isCurrent: () => boolean) => Promise<Found[] | null>} search
 * @param {(found: Found) => string} nameOf
 */
async function look({ session, engine, notify }, words, search, nameOf) {
  if (session.isOver) {
    notify(t("problem.over"), true);
    return;
  }
  const { node } = session;
  const key = (/** @type {string} */ end) => (words === "balance" ? `${words}.${end}` : `${words}-${end}`);
  notify(t(key("working")));
  try {
    const found = await search(() => session.node === node);
    if (!found || session.node !== node) return;
    const moves = found.map(nameOf).join(", ");
    // A search that was stopped before it found anything says nothing about the position.
    const none = engine.wasStopped ? "" : t(key("none"));
    notify(moves ? t(key("found"), { moves }) : none);
  } catch (error) {
    if (!isAbort(error) && error instanceof ServerError) notify(errorText(error), true);
  }
}

/**
 * Looks for balanced moves and shows them on the board.
 * @param {Parts} parts
 */
export function showBalanced(parts) {
  const { session, engine, view } = parts;
  return look(parts, "balance", async (isCurrent) => {
    /** @param {import("./engine.js").Found} found */
    const show = (found) => {
      const lines = balanced(found.lines);
      if (isCurrent()) view.showPoints(lines.map(({ moves, rate }) => ({ at: moves[0], text: percentOf(rate) })), "hold");
      return lines;
    };
    const answer = await engine.analyse({ position: session.game.position(), lines: LINES, time_ms: TIME }, show);
    return answer && show(answer);
  }, ({ moves, rate }) => `${moves[0]} (${percentOf(rate)} %)`);
}

/**
 * Looks for balanced pairs of moves, one for each side, and shows the best one on the board.
 * @param {Parts} parts
 */
export function showBalancedPairs(parts) {
  const { session, engine, view } = parts;
  const { side } = session;
  view.hideLine();
  return look(parts, "balance.pairs", async (isCurrent) => {
    /** @param {import("./engine.js").Pair[]} pairs */
    const show = (pairs) => {
      if (isCurrent() && pairs.length > 0) view.showLine(pairs[0].moves, side, true);
      return pairs;
    };
    const answer = await engine.balance({ position: session.game.position(), time_ms: TIME }, show);
    return answer && show(answer);
  }, ({ moves, rate }) => `${moves.join(" ")} (${percentOf(rate)} %)`);
}
