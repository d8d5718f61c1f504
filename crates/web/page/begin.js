// The start of a new game.

import { focusBoard } from "./focus.js";
import { COLORS, Game } from "./tree.js";

/** Starts a new game with these terms. */
export function begin(page, terms) {
  page.settings.set("rule", terms.rule);
  beginGame(page, new Game(terms), terms);
  if (terms.opening !== "none") page.opening.begin(terms.opening);
}

/** Starts the game *It is solved*. */
export function beginSolved(page, proof) {
  beginGame(page, page.solved.begin(proof));
}

/** Starts a game at its position. `seats` are its players; without them they stay. */
function beginGame({ session, engine, settings, play, modes, cards, panels, controls }, game, seats) {
  settings.set("visited", true);
  // First, since the puzzles bring the game before back.
  modes.set("play");
  engine.cancel();
  session.load(game, game.node);
  // After the change of the game: the one before keeps its players.
  for (const color of seats ? COLORS : []) settings.set(color, seats[color]);
  cards.hide();
  play.begin();
  play.isGame = true;
  panels.play.draw();
  controls.drawPlayers();
  focusBoard();
}
