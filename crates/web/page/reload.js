// What a reload of the page keeps, and the game that the page opens.

import { namesPosition, readAddress } from "./address.js";
import { gameId, setGameId } from "./library.js";
import { SavedGame, pack, unpack } from "./saved-game.js";
import { t } from "./words.js";

/** The state from which a reload continues. */
export function stateOf({ session, play, opening, modes, panels, cards, solved }) {
  const game = panels.puzzles.kept ?? session.game;
  const { clock, ...more } = play.stateOf(game);
  return {
    ...pack(game), ...more, id: gameId(game), shownEnds: cards.shownIn(game), solved: solved.ongoing(game), address: location.hash, mode: modes.current, isGame: play.isBegun(game),
    clock: clock && { ...clock, earlier: play.timesAt(game) }, opening: opening.ongoingIn(game),
  };
}

/** Continues the game of this tab, or opens the position of the address, or begins an empty game. */
export function openGame({ session, settings, play, opening, modes, cards, solved, terms, notify }) {
  const kept = SavedGame.read(location.hash);
  if (kept) {
    const isPuzzle = kept.mode === "puzzles";
    modes.set(isPuzzle ? "analyse" : kept.mode);
    const game = unpack(kept);
    setGameId(game, kept.id);
    // The card of a game against the proof has the buttons that continue.
    if (kept.solved) solved.continue(game, kept.solved);
    else cards.setShown(game, kept.shownEnds);
    session.load(game, game.node);
    play.restore(kept);
    play.setTimesAt(game, kept.clock?.earlier ?? []);
    play.isGame = kept.isGame;
    if (kept.opening) opening.continue(kept.opening);
    if (isPuzzle) modes.set("puzzles");
    // A reload before the first choice.
    else if (game.isEmpty && kept.mode === "play" && !settings.get("visited")) cards.welcome();
    return;
  }
  const linked = readAddress(location.hash, terms);
  // A link to a position opens the analysis.
  if (linked && linked.node.depth > 0) modes.set("analyse");
  const isWrong = !linked && namesPosition(location.hash);
  session.load(linked ?? session.game, linked?.node ?? session.game.root);
  // An empty board waits for a first stone.
  play.isGame = !linked;
  if (!linked) play.begin();
  if (isWrong) notify(t("problem.address"), true);
  else if (!linked && !settings.get("visited")) cards.welcome();
}
