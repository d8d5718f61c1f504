// The position in the address: #rule=renju&size=15x15&moves=h8i9j8. Bare moves, #h8i9, are
// accepted too.

import { Game } from "./tree.js";
import { randomIdentifier } from "./identifier.js";
import { splitCells } from "./notation.js";

/** The parts of an address that describe a position. */
const PARTS = ["rule", "size", "black", "white", "walls", "side", "moves"];

/** The rule of an address that names none: what was played before has no influence. */
const RULE = "freestyle";

/**
 * The minimum and maximum board side, and all rules.
 * @typedef {{ sides: [number, number], rules: string[] }} AddressTerms
 */

/**
 * The part of the address that describes the position.
 * @param {Game} game
 */
export function addressOf(game) {
  const position = game.position();
  const parts = new URLSearchParams({ rule: game.rule, size: `${game.width}x${game.height}` });
  for (const key of /** @type {const} */ (["black", "white", "walls"])) {
    const cells = position[key] ?? [];
    if (cells.length > 0) parts.set(key, cells.join(""));
  }
  if (position.side) parts.set("side", position.side);
  const moves = position.moves.map((at) => (at === "pass" ? "-" : at)).join("");
  if (moves) parts.set("moves", moves);
  return `#${parts}`;
}

/** The numbers of games begin again when the page is loaded, but the browser's history stays. */
const VISIT = randomIdentifier();

/**
 * The mark of a game in the browser's history.
 * @param {Game} game
 */
export const historyMark = (game) => `${VISIT}-${game.root.id}`;

/**
 * Writes the position into the address and the mark of the game into the browser's history, without a new entry.
 * @param {Game} game
 */
export function writeAddress(game) {
  try {
    history.replaceState({ game: historyMark(game) }, "", addressOf(game));
  } catch {
    // Browsers limit the rate of changes; a later change updates the address.
  }
}

/**
 * The decoded text of an address; empty if it is malformed.
 * @param {string} text
 */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/**
 * Whether an address has a part that is meant as a position.
 * @param {string} hash
 */
export function namesPosition(hash) {
  return decoded(hash.replace(/^#\/?/, "")) !== "";
}

/**
 * The game of an address at its last position, or null.
 * @param {string} hash
 * @param {AddressTerms} terms
 */
export function readAddress(hash, terms) {
  const text = decoded(hash.replace(/^#\/?/, ""));
  if (text === "") return null;
  const bare = splitCells(text);
  const parts = bare ? new URLSearchParams({ moves: text }) : new URLSearchParams(text);
  // Ignore addresses without a position.
  if (!PARTS.some((part) => parts.has(part))) return null;
  const size = /^(\d+)(?:x(\d+))?$/.exec(parts.get("size") ?? "15");
  const [width, height] = size ? [Number(size[1]), Number(size[2] ?? size[1])] : [15, 15];
  /** @param {number} side */
  const inRange = (side) => side >= terms.sides[0] && side <= terms.sides[1];
  const rule = parts.get("rule") ?? RULE;
  if (!inRange(width) || !inRange(height) || !terms.rules.includes(rule)) return null;
  const game = new Game({ rule, width, height });
  /** @param {string} key */
  const cells = (key) => {
    const list = splitCells(parts.get(key) ?? "") ?? [];
    return [...new Set(list.map((at) => game.canonical(at)))].filter((at) => game.has(at));
  };
  const setUp = { black: cells("black"), white: cells("white"), walls: cells("walls"), clear: [] };
  const named = parts.get("side");
  const side = named === "black" || named === "white" ? named : null;
  if (side || setUp.black.length + setUp.white.length + setUp.walls.length > 0) {
    game.root.setUp = { ...setUp, side: side ?? "black" };
  }
  for (const token of (parts.get("moves") ?? "").match(/-|[a-z]{1,2}\d+|\d+,\d+/gi) ?? []) {
    const { stones, walls, side: color } = game.board();
    const at = token === "-" ? null : game.canonical(token.toLowerCase());
    if (at !== null && (!game.has(at) || stones.has(at) || walls.has(at))) break;
    game.node = game.childBy(game.node, color, at);
  }
  return game;
}
