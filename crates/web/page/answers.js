// Converts responses of the server to the types of the page: cells become names such as h8, scores
// are for the side to move.

import { nameOf, parseCell } from "./notation.js";

/** @typedef {import("./tree.js").Color} Color */

/**
 * A line in a response of the server, with names of cells.
 * @typedef {object} ServerLine
 * @property {number} score
 * @property {number} win_rate
 * @property {{ winner: Color, plies: number } | null} forced
 * @property {number} depth
 * @property {number} selective_depth
 * @property {string[]} pv
 */

/** @typedef {{ lines: ServerLine[], nodes: number, ms: number, state?: string }} ServerFound */

/**
 * A function that converts x,y to h8 on a board with `height` rows.
 * @param {number} height
 * @returns {(cell: string) => string}
 */
function namer(height) {
  return (cell) => {
    const at = parseCell(cell, height);
    return at ? nameOf(at.x, at.y, height) : cell;
  };
}

/**
 * A value in which each cell as x,y has its name, such as h8.
 * @param {any} value
 * @param {number} height rows of the board
 * @returns {any}
 */
export function named(value, height) {
  if (typeof value === "string") return /^\d+,\d+$/.test(value) ? namer(height)(value) : value;
  if (Array.isArray(value)) return value.map((it) => named(it, height));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, named(it, height)]));
}

/**
 * @param {{ pairs: { moves: string[], win_rate: number }[] }} answer
 * @returns {import("./engine.js").Pair[]}
 */
export const pairsOf = ({ pairs }) => pairs.map(({ moves, win_rate }) => ({ moves, rate: win_rate }));

/**
 * @param {ServerFound} found
 * @returns {import("./engine.js").Found}
 */
export function foundOf({ lines, ...rest }) {
  return {
    ...rest,
    lines: lines.map((line) => ({
      moves: line.pv,
      score: line.score,
      rate: line.win_rate,
      // A score below zero is a loss of the side to move.
      forced: line.forced && (line.score < 0 ? -line.forced.plies : line.forced.plies),
      depth: line.depth,
      reach: line.selective_depth,
    })),
  };
}

/**
 * The move of a player, and whether its search announced a win.
 * @param {{ move: string | null, line?: ServerLine | null }} choice
 */
export function choiceOf({ move, line }) {
  return { move, wins: Boolean(line?.forced) && (line?.score ?? 0) > 0 };
}

/**
 * @param {{ text: string, win_rate: number }} evaluation
 * @returns {import("./engine.js").Evaluation}
 */
export const evaluationOf = ({ text, win_rate }) => ({ text, rate: win_rate });

/**
 * The record of a position in a database.
 * @param {{ known: boolean, position: any, moves: any[] }} answer
 * @param {number} height
 * @returns {import("./explorer.js").Shown}
 */
export function shownOf({ known, position, moves }, height) {
  const name = namer(height);
  /** @param {any} result @returns {import("./explorer.js").Result | null} */
  const resultOf = (result) => result && { value: result.value, evidence: result.evidence, plies: result.plies ?? null };
  const { result, evaluation, tree, games, label, comment, texts } = position;
  const best = tree?.best ?? evaluation?.moves[0]?.at ?? null;
  return {
    known,
    result: resultOf(result ?? null),
    evaluation: evaluation || tree ? {
      score: tree?.score ?? evaluation.score, depth: evaluation?.depth ?? tree.plies, nodes: evaluation?.nodes ?? 0,
      best: best && name(best),
    } : null,
    games: games ?? null,
    label: label ?? "",
    comment: comment ?? "",
    texts: (texts ?? []).map((/** @type {any} */ it) => ({ at: name(it.at), text: it.text })),
    moves: moves.map((move) => ({
      at: name(move.at), score: move.score, rate: move.win_rate, result: resultOf(move.result ?? null),
      games: move.games, label: move.label, comment: move.comment,
    })),
  };
}
