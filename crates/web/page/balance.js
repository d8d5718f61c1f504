// Balanced moves: those after which both sides have about the same chances, as for swap rules.

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
 * Looks for balanced moves and shows them on the board.
 * @param {object} page
 * @param {import("./session.js").Session} page.session
 * @param {Pick<import("./engine.js").Engine, "analyse">} page.engine
 * @param {{ showPoints: (points: { at: string, text: string }[], kind: string) => void }} page.view
 * @param {(text: string, isProblem?: boolean) => void} page.notify
 */
export async function showBalanced({ session, engine, view, notify }) {
  if (session.isOver) {
    notify(t("problem.over"), true);
    return;
  }
  const { node } = session;
  notify(t("balance.working"));
  /** @param {import("./engine.js").Found} found */
  const show = (found) => {
    if (session.node !== node) return [];
    const lines = balanced(found.lines);
    view.showPoints(lines.map(({ moves, rate }) => ({ at: moves[0], text: percentOf(rate) })), "hold");
    return lines;
  };
  try {
    const answer = await engine.analyse({ position: session.game.position(), lines: LINES, time_ms: TIME }, show);
    if (!answer || session.node !== node) return;
    const moves = show(answer).map((line) => `${line.moves[0]} (${percentOf(line.rate)} %)`).join(", ");
    notify(moves ? t("balance.found", { moves }) : t("balance.none"));
  } catch (error) {
    if (!isAbort(error) && error instanceof ServerError) notify(errorText(error), true);
  }
}
