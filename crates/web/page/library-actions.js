// The actions of the buttons in the list of kept games.

import { playerName } from "./names.js";
import { t } from "./words.js";

/** The actions by name. */
export function libraryActions({ session, modes, play, files, library, notify }) {
  /** The names of a game: those of its file, or of the players here. */
  const names = (game) => ({
    black: game.players.black ?? (play.isGame ? playerName(play.seat("black")) : ""),
    white: game.players.white ?? (play.isGame ? playerName(play.seat("white")) : ""),
  });

  /** False if the browser refuses, which is said. */
  function keep(game, players) {
    const isKept = library.keep(game, players);
    if (!isKept) notify(t("storage.refused"), true);
    return isKept;
  }

  return {
    keepGame: () => {
      if (session.game.isEmpty) notify(t("library.empty"), true);
      else if (keep(session.game, names(session.game))) notify(t("library.kept"));
    },
    /** Keeps a finished game; a success needs no message. */
    keepFinished: () => keep(session.game, names(session.game)),
    openKept: (id) => {
      const game = library.open(id);
      if (!game) return;
      if (modes.current === "play") modes.set("analyse");
      session.load(game, game.continuation(game.root).at(-1) ?? game.root);
    },
    exportGames: () => files.downloadAll(library.entries.map(({ id }) => library.open(id)).filter(Boolean)),
    importGames: async () => {
      let areKept = true;
      const count = await files.readAll((game) => {
        areKept &&= keep(game, { black: game.players.black ?? "", white: game.players.white ?? "" });
      });
      if (count !== null && areKept) notify(t("library.imported", { count }));
    },
  };
}
