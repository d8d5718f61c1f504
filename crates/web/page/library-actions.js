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

  function keep(game) {
    if (!library.keep(game, names(game))) notify(t("storage.refused"), true);
    else notify(t("library.kept"));
  }

  return {
    keepGame: () => (session.game.isEmpty ? notify(t("library.empty"), true) : keep(session.game)),
    /** Keeps a finished game, without a message. */
    keepFinished: () => library.keep(session.game, names(session.game)),
    openKept: (id) => {
      const game = library.open(id);
      if (!game) return;
      if (modes.current === "play") modes.set("analyse");
      session.load(game, game.continuation(game.root).at(-1) ?? game.root);
    },
    exportGames: () => files.downloadAll(library.entries.map(({ id }) => library.open(id)).filter(Boolean)),
    importGames: async () => {
      const count = await files.readAll((game) => library.keep(game, { black: game.players.black ?? "", white: game.players.white ?? "" }));
      if (count !== null) notify(t("library.imported", { count }));
    },
  };
}
