// Small drawings of rules, for the choice of a rule and for the help.

import { svg } from "./dom.js";

const CELL = 14;

/**
 * A part of a board.
 * @param {number} columns
 * @param {number} rows
 * @param {{ black?: number[][], white?: number[][], win?: number[][], bad?: number[][], dots?: number[][] }} content
 * cells as column and row; `win` the two ends of a row, `bad` crossed cells, `dots` marked cells
 */
export function pictogram(columns, rows, { black = [], white = [], win = [], bad = [], dots = [] }) {
  const at = (index) => (index + 0.5) * CELL;
  const [width, height] = [columns * CELL, rows * CELL];
  const wires = [
    ...Array.from({ length: columns }, (_, x) => `M${at(x)} 0V${height}`),
    ...Array.from({ length: rows }, (_, y) => `M0 ${at(y)}H${width}`),
  ].join("");
  const stones = (cells, name) => cells.map(([x, y]) => svg("circle", { class: name, cx: at(x), cy: at(y), r: CELL * 0.43 }));
  const crosses = bad.map(([x, y]) => svg("path", { class: "bad", d: `M${at(x) - 4} ${at(y) - 4}l8 8m0 -8l-8 8` }));
  const line = win.length === 2
    ? [svg("line", { class: "win", x1: at(win[0][0]), y1: at(win[0][1]), x2: at(win[1][0]), y2: at(win[1][1]) })]
    : [];
  const marks = dots.map(([x, y]) => svg("circle", { class: "win", cx: at(x), cy: at(y), r: 3 }));
  return svg("svg", { class: "pictogram", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    svg("rect", { class: "ground", width, height }), svg("path", { class: "wires", d: wires }),
    ...stones(black, "b"), ...stones(white, "w"), ...line, ...crosses, ...marks);
}

/** Cells of a row from x to x + count - 1. */
const row = (x, y, count) => Array.from({ length: count }, (_, index) => [x + index, y]);

/**
 * The particular rows of each rule, on eight columns and four rows.
 * @type {Record<string, () => SVGElement>}
 */
const RULES = {
  freestyle: () => pictogram(8, 4, { black: row(1, 1, 6), white: [[2, 2], [4, 2], [5, 3]], win: [[1, 1], [6, 1]] }),
  standard: () => pictogram(8, 4, { black: [...row(2, 0, 5), ...row(1, 3, 6)], win: [[2, 0], [6, 0]], bad: [[4, 3]] }),
  renju: () => pictogram(8, 4, { black: [[2, 2], [3, 2], [4, 0], [4, 1]], white: [[6, 1], [6, 3]], bad: [[4, 2]] }),
  caro: () => pictogram(8, 4, { black: [...row(2, 0, 5), ...row(2, 3, 5)], white: [[1, 3], [7, 3]], win: [[2, 0], [6, 0]], bad: [[4, 3]] }),
  "caro-overline": () => pictogram(8, 4, { black: [...row(1, 0, 6), ...row(2, 3, 5)], white: [[0, 0], [7, 0], [1, 3], [7, 3]], win: [[1, 0], [6, 0]], bad: [[4, 3]] }),
};

/**
 * The drawing of a rule; null for an unknown one.
 * @param {string} rule
 */
export function rulePictogram(rule) {
  return RULES[rule]?.() ?? null;
}

/** The lessons of the help: how the game goes, in pictures. */
export const LESSONS = {
  five: () => pictogram(9, 6, { black: [[2, 4], [3, 3], [4, 2], [5, 1], [6, 0]], white: [[3, 4], [4, 3], [5, 2], [6, 3]], win: [[2, 4], [6, 0]] }),
  four: () => pictogram(9, 6, { black: row(2, 2, 4), white: [[3, 3], [4, 3], [5, 4]], dots: [[1, 2], [6, 2]] }),
  three: () => pictogram(9, 6, { black: row(3, 2, 3), white: [[4, 3], [5, 3]], dots: [[2, 2], [6, 2]] }),
  fork: () => pictogram(9, 6, { black: [[2, 3], [3, 3], [4, 1], [4, 2]], white: [[5, 2], [3, 2]], dots: [[4, 3]] }),
  renju: () => pictogram(9, 6, { black: [[2, 3], [3, 3], [4, 1], [4, 2]], white: [[6, 2], [6, 4]], bad: [[4, 3]] }),
};
