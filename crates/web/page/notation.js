// Names of cells: in h8 the column is counted from the left, the row from the bottom.

/**
 * The letters of a column, counted from 0: a ... z, aa, ab ...
 * @param {number} x
 */
export function columnName(x) {
  let name = "";
  for (let rest = x + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(97 + ((rest - 1) % 26)) + name;
  }
  return name;
}

/**
 * The name of a cell. `x` is counted from the left and `y` from the top, both from 0.
 * @param {number} x
 * @param {number} y
 * @param {number} height rows of the board
 */
export function nameOf(x, y, height) {
  return `${columnName(x)}${height - y}`;
}

/**
 * The cell named `h8` or `7,7`; null for other texts.
 * @param {string} text
 * @param {number} height rows of the board
 * @returns {{ x: number, y: number } | null}
 */
export function parseCell(text, height) {
  const wire = /^(\d+),(\d+)$/.exec(text);
  if (wire) return { x: Number(wire[1]), y: Number(wire[2]) };
  const named = /^([a-z]{1,2})(\d+)$/i.exec(text);
  if (!named) return null;
  let x = 0;
  for (const letter of named[1].toLowerCase()) x = x * 26 + letter.charCodeAt(0) - 96;
  return { x: x - 1, y: height - Number(named[2]) };
}

/**
 * The cells of `h8i9j8` or `h8 i9 7,7`; null if the text contains anything else.
 * @param {string} text
 * @returns {string[] | null}
 */
export function splitCells(text) {
  const cells = text.match(/[a-z]{1,2}\d+|\d+,\d+/gi) ?? [];
  const rest = text.replace(/[a-z]{1,2}\d+|\d+,\d+/gi, "").trim();
  return rest === "" ? cells.map((cell) => cell.toLowerCase()) : null;
}

/**
 * The cells of a text with one cell on each line, with or without a separator at its end, as programs write
 * moves; null for other texts. The reader of files joins only four or more such lines.
 * @param {string} text
 * @returns {string[] | null}
 */
export function cellsOnLines(text) {
  const lines = text.trim().split(/\s*\n\s*/).map((line) => line.replace(/\s*[,;–—-]$/, ""));
  return lines.every((line) => /^([a-z]{1,2}\d+|\d+,\d+)$/i.test(line)) ? lines : null;
}

/**
 * The star points of a board, as most programs draw them.
 * @param {number} width
 * @param {number} height
 */
export function starPoints(width, height) {
  /** @param {number} side */
  const near = (side) => (side >= 13 ? 3 : side >= 9 ? 2 : null);
  const [x, y] = [near(width), near(height)];
  const points = [];
  if (x !== null && y !== null) {
    for (const column of [x, width - 1 - x]) {
      for (const row of [y, height - 1 - y]) points.push({ x: column, y: row });
    }
  }
  if (width % 2 === 1 && height % 2 === 1) {
    points.push({ x: (width - 1) / 2, y: (height - 1) / 2 });
  }
  return points;
}
