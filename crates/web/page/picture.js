// The board as a self-contained picture, for other programs and for print.

import { connection, gradeOf, verdictOf } from "./marks.js";
import { columnName, nameOf, parseCell, starPoints } from "./notation.js";

const CELL = 40;
const MARGIN = 40;
/** Height of the title. */
const TITLE = 24;

/**
 * The position as an SVG document.
 * @param {import("./tree.js").Game} game
 * @param {object} look
 * @param {boolean} look.numbers
 * @param {boolean} look.coordinates
 * @param {string[]} [look.row] the winning row
 * @param {string} [look.title] a line over the board
 * @param {import("./engine.js").Line[]} [look.lines] the best moves of an analysis
 */
export function boardSvg(game, { numbers, coordinates, row = [], title = "", lines = [] }) {
  const { stones, walls } = game.board();
  const [width, height] = [game.width, game.height];
  const right = MARGIN + (width - 1) * CELL;
  const bottom = MARGIN + (height - 1) * CELL;
  const top = title ? TITLE : 0;
  const [full, tall] = [right + MARGIN, bottom + MARGIN + top];
  const out = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 ${-top} ${full} ${tall}" ` +
      `width="${full}" height="${tall}" font-family="sans-serif" text-anchor="middle">`,
    '<defs><radialGradient id="b" cx=".36" cy=".3" r=".75"><stop offset="0" stop-color="#777"/>' +
      '<stop offset=".5" stop-color="#2b2b2b"/><stop offset="1" stop-color="#0b0b0b"/></radialGradient>' +
      '<radialGradient id="w" cx=".36" cy=".3" r=".75"><stop offset="0" stop-color="#fff"/>' +
      '<stop offset=".6" stop-color="#f2f0ea"/><stop offset="1" stop-color="#c9c4b8"/></radialGradient></defs>',
    `<rect y="${-top}" width="${full}" height="${tall}" fill="#e3b96f"/>`,
  ];
  if (title) out.push(text(full / 2, 4, escaped(title), 18, "#3c2a12"));
  const grid = [];
  for (let x = 0; x < width; x++) grid.push(`M${MARGIN + x * CELL} ${MARGIN}V${bottom}`);
  for (let y = 0; y < height; y++) grid.push(`M${MARGIN} ${MARGIN + y * CELL}H${right}`);
  out.push(`<path d="${grid.join("")}" stroke="#5b4220" stroke-width="1" fill="none"/>`);
  for (const { x, y } of starPoints(width, height)) {
    out.push(`<circle cx="${MARGIN + x * CELL}" cy="${MARGIN + y * CELL}" r="4" fill="#5b4220"/>`);
  }
  if (coordinates) {
    for (let x = 0; x < width; x++) {
      out.push(text(MARGIN + x * CELL, bottom + 28, columnName(x), 13, "#5b4220"));
    }
    for (let y = 0; y < height; y++) {
      out.push(text(MARGIN - 27, MARGIN + y * CELL + 4.5, height - y, 13, "#5b4220"));
    }
  }
  /** @param {string} at */
  const spot = (at) => {
    const { x, y } = parseCell(at, height) ?? { x: 0, y: 0 };
    return { x: MARGIN + x * CELL, y: MARGIN + y * CELL };
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = nameOf(x, y, height);
      const [cx, cy] = [MARGIN + x * CELL, MARGIN + y * CELL];
      const stone = stones.get(at);
      if (walls.has(at)) {
        out.push(`<rect x="${cx - 15}" y="${cy - 15}" width="30" height="30" rx="4" fill="#8a6a3a"/>`);
      }
      if (!stone) continue;
      const isBlack = stone.color === "black";
      out.push(
        `<circle cx="${cx}" cy="${cy}" r="18" fill="url(#${isBlack ? "b" : "w"})" stroke="${isBlack ? "#000" : "#a39c8c"}" stroke-width=".8"/>`,
      );
      if (numbers && stone.number > 0) {
        out.push(text(cx, cy + 5.5, stone.number, stone.number > 99 ? 13 : 16, isBlack ? "#fff" : "#111"));
        if (at === game.node.at) out.push(`<circle cx="${cx}" cy="${cy}" r="18.6" fill="none" stroke="#d1342f" stroke-width="2"/>`);
      } else if (at === game.node.at) {
        out.push(`<circle cx="${cx}" cy="${cy}" r="5" fill="#d1342f"/>`);
      }
    }
  }
  if (row.length > 1) {
    const [first, last] = row.map(spot).sort((a, b) => a.x - b.x || a.y - b.y).filter((_, index, all) => index === 0 || index === all.length - 1);
    out.push(`<line x1="${first.x}" y1="${first.y}" x2="${last.x}" y2="${last.y}" stroke="#e0312a" stroke-width="5" stroke-linecap="round" opacity=".75"/>`);
  }
  for (const line of lines) out.push(...candidate(line, lines[0], spot));
  for (const mark of game.node.marks) out.push(...drawnMark(mark, spot));
  out.push("</svg>");
  return out.join("\n");
}

/**
 * Colours of the best moves by their loss.
 * @type {Record<string, string>}
 */
const GRADES = { winning: "#1f7a3a", best: "#20558f", good: "#2b6e4f", doubtful: "#8a5a00", bad: "#98401f", losing: "#8f1f1a" };
/** Colour of the marks. */
const SIGN = "#b3261e";

/** @typedef {(at: string) => { x: number, y: number }} Spot */

/**
 * One of the best moves.
 * @param {import("./engine.js").Line} line
 * @param {import("./engine.js").Line} best
 * @param {Spot} spot
 */
function candidate(line, best, spot) {
  const { x, y } = spot(line.moves[0]);
  const fill = GRADES[gradeOf(line, best)];
  return [`<circle cx="${x}" cy="${y}" r="16" fill="${fill}"/>`, text(x, y + 5, verdictOf(line), 14, "#fff")];
}

/**
 * A mark of the game.
 * @param {import("./tree.js").FileMark} mark
 * @param {Spot} spot
 */
function drawnMark({ at, to, sign, text: letters }, spot) {
  const { x, y } = spot(at);
  const line = (/** @type {string} */ d, width = 2.6) => `<path d="${d}" fill="none" stroke="${SIGN}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
  if (to !== undefined) return [line(connection({ x, y }, spot(to), sign === "arrow"), 3.6)];
  if (sign === "circle") return [`<circle cx="${x}" cy="${y}" r="11" fill="none" stroke="${SIGN}" stroke-width="2.6"/>`];
  if (sign === "cross") return [line(`M${x - 9} ${y - 9}L${x + 9} ${y + 9}M${x + 9} ${y - 9}L${x - 9} ${y + 9}`)];
  if (sign === "square") return [line(`M${x - 9} ${y - 9}H${x + 9}V${y + 9}H${x - 9}Z`)];
  if (sign === "triangle") return [line(`M${x} ${y - 11}L${x + 10} ${y + 7}H${x - 10}Z`)];
  return [`<circle cx="${x}" cy="${y}" r="11" fill="#e3b96f"/>`, text(x, y + 6, escaped(letters ?? ""), 17, SIGN)];
}

/** @param {string} content */
const escaped = (content) => content.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/**
 * @param {number} x
 * @param {number} y
 * @param {string | number} content
 * @param {number} size
 * @param {string} color
 */
function text(x, y, content, size, color) {
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${color}">${content}</text>`;
}

/**
 * Renders SVG as PNG.
 * @param {string} markup
 * @returns {Promise<Blob>}
 */
export async function toPng(markup, scale = 2) {
  const address = URL.createObjectURL(new Blob([markup], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width * scale;
    canvas.height = image.height * scale;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => canvas.toBlob((blob) => {
      if (blob) resolve(blob);
      else reject(new Error("the picture is too large"));
    }, "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}
