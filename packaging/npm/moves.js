// Reads texts of moves.

import { ServerError } from "./lib/transport.js";

/**
 * Parts of a text of moves: moves (group 1), move numbers, names of the players, punctuation, and unknown
 * words (group 2). Numbers, names and punctuation are left out, as in `tengen --moves`.
 */
const PARTS = new RegExp([
  "(pass|[a-z]+\\d+|\\d+,\\d+)",
  "\\d+(?:[.):…手수]|(?=\\s+[a-z]))",
  "(?:black|white|[bwxo])(?=[\\s:.[(]+[a-z])",
  "[^\\p{L}\\p{Nd}]|[黑黒白흑백第手수]",
  "([\\p{L}\\p{Nd}]+)",
].join("|"), "giu");

/** The moves of a text. */
export function movesOf(text) {
  const moves = [];
  for (const [, move, unknown] of text.matchAll(PARTS)) {
    if (unknown !== undefined) {
      throw new ServerError(`invalid moves "${text}": "${unknown}" (expected h8, 7,7 or pass)`);
    }
    if (move !== undefined) moves.push(move.toLowerCase());
  }
  return moves;
}
