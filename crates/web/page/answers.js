// Converts responses of the server to the types of the page: cells become names such as h8, scores
// are for the side to move.

import { nameOf, parseCell } from "./notation.js";

/** @typedef {import("./tree.js").Color} Color */
/** @typedef {import("./engine.js").Facts} Facts */
/** @typedef {import("./engine.js").Foul} Foul */
/** @typedef {import("./engine.js").Found} Found */
/** @typedef {import("./engine.js").OpeningState} OpeningState */

/**
 * A line in a response of the server. Cells are texts x,y.
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
export function namer(height) {
  return (cell) => {
    const at = parseCell(cell, height);
    return at ? nameOf(at.x, at.y, height) : cell;
  };
}

/**
 * @param {{ pairs: { moves: string[], win_rate: number }[] }} answer
 * @param {number} height
 * @returns {import("./engine.js").Pair[]}
 */
export function pairsOf({ pairs }, height) {
  const name = namer(height);
  return pairs.map(({ moves, win_rate }) => ({ moves: moves.map(name), rate: win_rate }));
}

/**
 * @param {any} facts
 * @param {number} height
 * @returns {Facts}
 */
export function factsOf(facts, height) {
  const name = namer(height);
  /** @param {any} foul @returns {Foul} */
  const named = ({ at, kind, parts }) => ({
    at: name(at),
    kind,
    parts: parts.map((/** @type {any} */ part) => ({
      ...part,
      stones: part.stones.map(name),
      forbidden: part.forbidden.map(name),
      fives: part.fives.map(name),
    })),
  });
  return {
    state: facts.state,
    winner: facts.winner,
    opening: facts.opening ?? null,
    row: facts.row.map(name),
    fouls: facts.fouls.map(named),
    legal: facts.legal.map(named),
    prospects: facts.prospects.map((/** @type {any} */ it) => ({
      color: it.color, at: name(it.at), kind: it.kind, stones: it.stones.map(name),
    })),
    proved: facts.proved ? provedOf(facts.proved, name) : null,
  };
}

/**
 * @param {{ winner: Color | null, best: string | null, losing: string[] }} proved
 * @param {(cell: string) => string} name
 * @returns {import("./engine.js").Proved}
 */
function provedOf({ winner, best, losing }, name) {
  return { winner, best: best && name(best), losing: losing.map(name) };
}

/**
 * @param {ServerFound} found
 * @param {number} height
 * @returns {Found}
 */
export function foundOf({ lines, ...rest }, height) {
  const name = namer(height);
  return {
    ...rest,
    lines: lines.map((line) => ({
      moves: line.pv.map(name),
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
 * @param {number} height
 */
export function choiceOf({ move, line }, height) {
  return { move: move && namer(height)(move), wins: Boolean(line?.forced) && (line?.score ?? 0) > 0 };
}

/**
 * @param {any} state
 * @param {number} height
 * @returns {OpeningState}
 */
export function openingOf(state, height) {
  const name = namer(height);
  const [moves, offers, allowed] = [state.moves, state.offers, state.allowed]
    .map((cells) => cells.map(name));
  return { ...state, moves, offers, allowed };
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
