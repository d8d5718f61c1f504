// The actions of the buttons in the list of kept games.

import { dayOf } from "./day.js";
import { MOST } from "./library.js";
import { seatName } from "./names.js";
import { t } from "./words.js";

/**
 * The names of the players of a game and its day: those of its file. A game that was begun here has the
 * names of the players here.
 */
export function detailsOf(game, play, now = Date.now) {
  const isHere = play.isBegun(game);
  const name = (color) => game.players[color] ?? (isHere ? seatName(play, color) : null);
  return { black: name("black"), white: name("white"), date: game.info.date ?? (isHere ? dayOf(now()) : null) };
}

/** The actions by name. */
export function libraryActions({ session, modes, play, files, library, notify }) {
  const names = (game) => {
    const { black, white } = detailsOf(game, play);
    return { black: black ?? "", white: white ?? "" };
  };

  /** The result of the game on the board: the page does not store those that follow from the stones. */
  const resultHere = () => {
    const { result, end } = session.game;
    if (result || !end.facts || end.facts.state === "open") return result;
    return end.facts.winner ?? "draw";
  };

  /** Shows a message if the browser has refused to keep something. */
  function report(isKept) {
    if (!isKept) notify(t("storage.refused"), true);
    return isKept;
  }

  const keep = (game, players, result) => report(library.keep(game, players, result));

  return {
    keepGame: () => {
      if (session.game.isEmpty) notify(t("library.empty"), true);
      else if (keep(session.game, names(session.game), resultHere())) notify(t("library.kept"));
    },
    /** Keeps a finished game, with the line that ended it as main line; a success needs no message. */
    keepFinished: () => {
      if (session.node !== session.game.end) session.promote();
      return keep(session.game, names(session.game), resultHere());
    },
    openKept: (id) => {
      const game = library.open(id);
      if (!game) return;
      modes.leave("play", "puzzles");
      session.load(game, game.continuation(game.root).at(-1) ?? game.root);
    },
    /** Removes a game of the list; `restore` puts it back. */
    removeKept: (id) => {
      const entry = library.entries.find((it) => it.id === id);
      library.remove(id);
      if (entry) session.lose(session.game, () => report(library.putBack(entry)));
    },
    exportGames: () => files.downloadAll(library.entries.map(({ id }) => library.open(id)).filter(Boolean)),
    importGames: async () => {
      const games = await files.readAll();
      if (!games) return;
      const counts = library.add(games);
      if (!counts) {
        notify(t("storage.refused"), true);
        return;
      }
      const { added, known, left } = counts;
      const parts = [
        t("library.imported", { count: added }),
        known > 0 && t("library.known", { count: known }),
        left > 0 && t("library.full", { left, most: MOST }),
      ];
      notify(parts.filter(Boolean).join(" · "), left > 0);
    },
  };
}
