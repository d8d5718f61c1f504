// A small database of positions in the browser, in IndexedDB, with import and export of the JSON lines
// of `tengen study`. A position is kept once for all its mirror images.

import { shownOf } from "./answers.js";
import { parseCell } from "./notation.js";
import { COLORS, other, stonesOfColor } from "./tree.js";

/** @typedef {import("./explorer.js").Place} Place */
/** @typedef {import("./explorer.js").Study} Study */
/** @typedef {{ x: number, y: number }} Cell */
/** @typedef {(cell: Cell) => Cell} Turn */

/**
 * The data of a position as `tengen study` writes them, without the board. Cells are texts x,y.
 * @typedef {Record<string, any>} StoredRecord
 */

/** @typedef {{ rule: string, width: number, height: number, black: Cell[], white: Cell[], walls: Cell[], side: import("./tree.js").Color }} Board */

const NAME = "tengen-study";
const TABLE = "positions";
/** Score of an immediate win; one less for each ply. */
const WIN = 30000;
/** Points that multiply the odds by e. */
const POINTS = 200;
const BOARD_FIELDS = ["rule", "width", "height", "black", "white", "walls", "side_to_move"];

/** @param {string} text */
function cellOf(text) {
  const [x, y] = text.split(",").map(Number);
  return { x, y };
}

/** @param {Cell} cell */
const textOf = ({ x, y }) => `${x},${y}`;

/**
 * The symmetries of a board: each turns a cell, and `back` turns it back.
 * @param {number} width
 * @param {number} height
 * @returns {{ turn: Turn, back: Turn }[]}
 */
function symmetries(width, height) {
  /** @type {{ turn: Turn, back: Turn }[]} */
  const all = [];
  for (const flipX of [false, true]) {
    for (const flipY of [false, true]) {
      /** @type {Turn} */
      const mirror = ({ x, y }) => ({ x: flipX ? width - 1 - x : x, y: flipY ? height - 1 - y : y });
      all.push({ turn: mirror, back: mirror });
      if (width !== height) continue;
      /** @type {Turn} */
      const swap = ({ x, y }) => ({ x: y, y: x });
      all.push({ turn: (cell) => swap(mirror(cell)), back: (cell) => mirror(swap(cell)) });
    }
  }
  return all;
}

/**
 * The key of a board, the same for all mirror images, and the symmetry to the image that it names.
 * @param {Board} board
 */
function canonical({ rule, width, height, black, white, walls, side }) {
  let best = null;
  for (const symmetry of symmetries(width, height)) {
    const list = (/** @type {Cell[]} */ cells) => {
      const numbers = cells.map((cell) => {
        const { x, y } = symmetry.turn(cell);
        return y * width + x;
      });
      return numbers.sort((a, b) => a - b).join(" ");
    };
    const key = [rule, `${width}x${height}`, side, list(black), list(white), list(walls)].join("|");
    if (best === null || key < best.key) best = { key, symmetry };
  }
  return /** @type {{ key: string, symmetry: { turn: Turn, back: Turn } }} */ (best);
}

/**
 * The board of a key.
 * @param {string} key
 * @returns {Board}
 */
function boardOf(key) {
  const [rule, size, side, ...lists] = key.split("|");
  const [width, height] = size.split("x").map(Number);
  const cellsOf = (/** @type {string} */ list) => list.split(" ").filter(Boolean)
    .map((number) => ({ x: Number(number) % width, y: Math.floor(Number(number) / width) }));
  const [black, white, walls] = lists.map(cellsOf);
  return { rule, width, height, black, white, walls, side: /** @type {import("./tree.js").Color} */ (side) };
}

/** @param {Board} board */
const stonesOf = ({ black, white }) => black.length + white.length;

/**
 * The key of the position after a move.
 * @param {Board} board
 * @param {Cell} cell
 */
function keyAfter(board, cell) {
  const own = board.side;
  return canonical({ ...board, [own]: [...board[own], cell], side: other(own) }).key;
}

/**
 * The keys of the positions before the last move, each once.
 * @param {Board} board
 */
function keysBefore(board) {
  const mover = other(board.side);
  const stones = board[mover];
  return new Set(stones.map((stone) => canonical({ ...board, [mover]: stones.filter((it) => it !== stone), side: mover }).key));
}

/**
 * The records after the moves from a board, row by row.
 * @param {Board} board
 * @param {Map<string, StoredRecord | null>} records
 */
function movesOf(board, records) {
  const taken = new Set([...board.black, ...board.white, ...board.walls].map(textOf));
  const moves = [];
  for (let y = 0; y < board.height && records.size > 0; y++) {
    for (let x = 0; x < board.width; x++) {
      if (taken.has(textOf({ x, y }))) continue;
      const key = keyAfter(board, { x, y });
      const after = records.get(key);
      if (after) moves.push({ cell: { x, y }, key, after });
    }
  }
  return moves;
}

/**
 * The value that follows from the positions after a board: the maximum over the moves to records and
 * the other moves of the board's own search. Undefined if no position after it has a value.
 * @param {Board} board
 * @param {StoredRecord} record
 * @param {Map<string, StoredRecord | null>} records
 */
function treeOf(board, record, records) {
  /** @type {Map<string, { score: number, plies: number, best: string }>} */
  const values = new Map();
  for (const { at, score } of record.evaluation?.moves ?? []) {
    const key = keyAfter(board, cellOf(at));
    if (typeof score === "number" && !values.has(key)) values.set(key, { score, plies: 0, best: at });
  }
  let isKnown = false;
  for (const { cell, key, after } of movesOf(board, records)) {
    const value = valueOf(after);
    if (value === null || values.get(key)?.plies) continue;
    isKnown = true;
    const plies = (after.result ? 0 : after.tree?.plies ?? 0) + 1;
    values.set(key, { score: beforeMove(value), plies, best: textOf(cell) });
  }
  if (!isKnown) return undefined;
  return [...values.values()].reduce((best, it) => (it.score > best.score ? it : best));
}

/**
 * A record with its cells turned.
 * @param {StoredRecord} record
 * @param {Turn} turn
 * @returns {StoredRecord}
 */
function turned(record, turn) {
  const move = (/** @type {any} */ at) => (typeof at === "string" ? textOf(turn(cellOf(at))) : at);
  const copy = structuredClone(record);
  if (copy.result) copy.result.best = move(copy.result.best ?? null);
  if (copy.tree) copy.tree.best = move(copy.tree.best ?? null);
  for (const it of [...(copy.evaluation?.moves ?? []), ...(copy.texts ?? [])]) it.at = move(it.at);
  return copy;
}

/**
 * The value of a record for the side to move.
 * @param {StoredRecord} record
 * @returns {number | null}
 */
function valueOf({ result, tree, evaluation }) {
  if (result) return { win: WIN, draw: 0, loss: -WIN }[/** @type {"win"} */ (result.value)] - Math.sign({ win: 1, draw: 0, loss: -1 }[/** @type {"win"} */ (result.value)]) * (result.plies ?? 0);
  return tree?.score ?? evaluation?.score ?? null;
}

/**
 * The value of a move from that of the position after it.
 * @param {number} after
 */
function beforeMove(after) {
  const isForced = Math.abs(after) > WIN - 2000;
  return isForced ? -(after - Math.sign(after)) : -after;
}

/** @param {number} score */
function rateOf(score) {
  if (Math.abs(score) > WIN - 2000) return score > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-score / POINTS));
}

const OPPOSITE = { win: "loss", draw: "draw", loss: "win" };

/**
 * A move to a position, for the side that plays it.
 * @param {Cell} cell
 * @param {StoredRecord} after
 */
function moveOf(cell, after) {
  const value = valueOf(after);
  const score = value === null ? null : beforeMove(value);
  const { result, games } = after;
  return {
    at: textOf(cell),
    score,
    win_rate: score === null ? null : rateOf(score),
    result: result
      ? { ...result, value: OPPOSITE[/** @type {"win"} */ (result.value)], plies: typeof result.plies === "number" ? result.plies + 1 : null }
      : null,
    games: games ? games.black + games.draws + games.white + games.unknown : 0,
    label: after.label ?? "",
    comment: after.comment ?? "",
  };
}

/**
 * A request of IndexedDB as a promise.
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Keeps the records of this page's database in IndexedDB. */
export class BrowserTable {
  /** @type {Promise<IDBDatabase> | null} */
  #database = null;

  #open() {
    this.#database ??= new Promise((resolve, reject) => {
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(TABLE);
      request.onsuccess = () => {
        const database = request.result;
        // Another tab removes the database, which waits until all have closed it.
        database.onversionchange = () => {
          database.close();
          this.#database = null;
        };
        resolve(database);
      };
      request.onerror = () => reject(request.error);
    });
    return this.#database;
  }

  /** @param {IDBTransactionMode} mode */
  async #table(mode) {
    return (await this.#open()).transaction(TABLE, mode).objectStore(TABLE);
  }

  /**
   * All records by their keys.
   * @returns {Promise<Map<string, StoredRecord>>}
   */
  async all() {
    const table = await this.#table("readonly");
    const [keys, records] = await Promise.all([done(table.getAllKeys()), done(table.getAll())]);
    return new Map(keys.map((key, index) => [String(key), records[index]]));
  }

  /**
   * Writes records; null deletes one.
   * @param {Map<string, StoredRecord | null>} changes
   */
  async write(changes) {
    const table = await this.#table("readwrite");
    const finished = new Promise((resolve, reject) => {
      table.transaction.oncomplete = () => resolve(null);
      table.transaction.onerror = () => reject(table.transaction.error);
      table.transaction.onabort = () => reject(table.transaction.error);
    });
    for (const [key, record] of changes) {
      if (record === null) table.delete(key);
      else table.put(record, key);
    }
    await finished;
  }

  /** Removes all records. */
  static forget() {
    if (typeof indexedDB !== "undefined") indexedDB.deleteDatabase(NAME);
  }
}

/**
 * The database in the browser.
 * @implements {Study}
 */
export class BrowserStudy {
  #engine;
  #table;
  #now;
  /** @type {Promise<Map<string, StoredRecord>> | null} */
  #records = null;
  /** @type {null} */
  name = null;

  /**
   * @param {Pick<import("./engine.js").Engine, "analyse">} engine
   * @param {{ all: () => Promise<Map<string, StoredRecord>>, write: (changes: Map<string, StoredRecord | null>) => Promise<void> }} table
   * @param {() => number} now milliseconds
   */
  constructor(engine, table = new BrowserTable(), now = Date.now) {
    this.#engine = engine;
    this.#table = table;
    this.#now = now;
  }

  #all() {
    this.#records ??= this.#table.all();
    return this.#records;
  }

  /** All records for a change: another tab may have changed or removed some. */
  #latest() {
    this.#records = null;
    return this.#all();
  }

  /**
   * Changes with the values that follow from them: of the changed positions and of those before. Not
   * for imports: they have their values, and thousands of positions take minutes.
   * @param {Map<string, StoredRecord | null>} changed
   */
  async #propagated(changed) {
    const changes = new Map(changed);
    const records = new Map([...(await this.#all()), ...changes]);
    const open = new Set([...changes.keys()].flatMap((key) => [key, ...keysBefore(boardOf(key))]));
    while (open.size > 0) {
      // Positions with more stones first, so that each is computed after those that follow it.
      const key = [...open].reduce((most, it) => (stonesOf(boardOf(it)) > stonesOf(boardOf(most)) ? it : most));
      open.delete(key);
      const record = records.get(key);
      if (!record) continue;
      const board = boardOf(key);
      const tree = treeOf(board, record, records);
      if (JSON.stringify(tree) === JSON.stringify(record.tree)) continue;
      const next = { ...record, tree };
      if (!tree) delete next.tree;
      records.set(key, next);
      changes.set(key, next);
      for (const before of keysBefore(board)) open.add(before);
    }
    return changes;
  }

  /**
   * Writes records to the table and to memory.
   * @param {Map<string, StoredRecord | null>} changes
   */
  async #write(changes) {
    const records = await this.#all();
    await this.#table.write(changes);
    for (const [key, record] of changes) {
      if (record === null) records.delete(key);
      else records.set(key, record);
    }
  }

  /**
   * The board of a place with its cells as numbers.
   * @param {Place} place
   * @returns {Board}
   */
  #board({ position: { rule, width, height }, board: { stones, walls, side } }) {
    const cell = (/** @type {string} */ at) => /** @type {Cell} */ (parseCell(at, height));
    const [black, white] = COLORS.map((color) => stonesOfColor(stones, color).map(cell));
    return { rule, width, height, black, white, walls: [...walls].map(cell), side };
  }

  /** @param {Place} place */
  async show(place) {
    const records = await this.#all();
    const board = this.#board(place);
    const { key, symmetry } = canonical(board);
    const record = records.get(key);
    const moves = movesOf(board, records).map(({ cell, after }) => moveOf(cell, after));
    moves.sort((a, b) => (b.score ?? -Infinity) - (a.score ?? -Infinity) || b.games - a.games);
    const answer = { known: record !== undefined, position: turned(record ?? {}, symmetry.back), moves };
    return shownOf(answer, board.height);
  }

  /**
   * @param {Place} place
   * @param {{ label?: string, comment?: string }} edit
   */
  async edit(place, edit) {
    const { key } = canonical(this.#board(place));
    const known = (await this.#latest()).get(key);
    const changes = new Map([[key, { ...known, ...edit }]]);
    await this.#write(known ? changes : await this.#propagated(changes));
    return this.show(place);
  }

  /** @param {Place} place */
  async remove(place) {
    const { key } = canonical(this.#board(place));
    await this.#latest();
    await this.#write(await this.#propagated(new Map([[key, null]])));
    return this.show(place);
  }

  /**
   * @param {Place} place
   * @param {{ lines: number, time_ms: number }} limits
   * @param {(found: import("./engine.js").Found) => void} onProgress
   */
  async analyse(place, limits, onProgress) {
    const found = await this.#engine.analyse({ position: place.position, ...limits }, onProgress);
    const [first] = found?.lines ?? [];
    if (!found || !first?.depth) return found;
    const board = this.#board(place);
    const { key, symmetry } = canonical(board);
    const known = (await this.#latest()).get(key) ?? {};
    if ((known.evaluation?.nodes ?? -1) > found.nodes) return found;
    const cell = (/** @type {string} */ at) => textOf(/** @type {Cell} */ (parseCell(at, board.height)));
    const evaluation = {
      score: first.score, bound: "exact", depth: first.depth, nodes: found.nodes,
      moves: found.lines.map((line) => ({ at: cell(line.moves[0]), score: line.score })),
      by: { name: "Tengen", version: "", time: Math.floor(this.#now() / 1000) },
    };
    const record = { ...known, ...turned({ evaluation }, symmetry.turn) };
    await this.#write(await this.#propagated(new Map([[key, record]])));
    return found;
  }

  /** Number of positions. */
  async count() {
    return (await this.#all()).size;
  }

  /** All positions as JSON lines. */
  async exported() {
    const lines = [];
    for (const [key, record] of await this.#all()) {
      const { rule, width, height, side, ...cells } = boardOf(key);
      const [black, white, walls] = [cells.black, cells.white, cells.walls].map((list) => list.map(textOf));
      const board = { rule, width, height, black, white, ...(walls.length > 0 ? { walls } : {}), side_to_move: side };
      lines.push(JSON.stringify({ ...board, ...record }));
    }
    return lines.map((line) => `${line}\n`).join("");
  }

  /**
   * Adds the positions of JSON lines. A field that is known and missing there stays. Returns the
   * number of positions.
   * @param {string} text
   */
  async imported(text) {
    const records = await this.#latest();
    /** @type {Map<string, StoredRecord | null>} */
    const changes = new Map();
    const lines = text.split("\n").map((line, index) => ({ line, number: index + 1 }));
    for (const { line, number } of lines.filter((it) => it.line.trim() !== "")) {
      const { board, record } = readLine(line, number);
      const { key, symmetry } = canonical(board);
      changes.set(key, { ...(changes.get(key) ?? records.get(key)), ...turned(record, symmetry.turn) });
    }
    await this.#write(changes);
    return changes.size;
  }
}

/**
 * The board and the record of a line.
 * @param {string} line
 * @param {number} number
 * @returns {{ board: Board, record: StoredRecord }}
 */
function readLine(line, number) {
  let value;
  try {
    value = JSON.parse(line);
  } catch {
    throw new Error(`line ${number}: not JSON`);
  }
  const { rule, width, height, black, white, walls = [], side_to_move: side } = value ?? {};
  const lists = [black, white, walls];
  const isCell = (/** @type {any} */ at) => {
    const [, x, y] = (typeof at === "string" && /^(\d+),(\d+)$/.exec(at)) || [];
    return x !== undefined && Number(x) < width && Number(y) < height;
  };
  const isBoard = typeof rule === "string" && [width, height].every((it) => Number.isInteger(it) && it >= 1 && it <= 36)
    && lists.every((list) => Array.isArray(list) && list.every(isCell)) && COLORS.includes(side);
  if (!isBoard) throw new Error(`line ${number}: not a position of a database`);
  const record = Object.fromEntries(Object.entries(value).filter(([name]) => !BOARD_FIELDS.includes(name)));
  const points = [record.result?.best, record.tree?.best, ...[...(record.evaluation?.moves ?? []), ...(record.texts ?? [])].map((it) => it?.at)];
  if (!points.every((at) => at === undefined || at === null || isCell(at))) throw new Error(`line ${number}: a cell lies off the board`);
  const [blackCells, whiteCells, wallCells] = lists.map((list) => list.map(cellOf));
  return { board: { rule, width, height, black: blackCells, white: whiteCells, walls: wallCells, side }, record };
}
