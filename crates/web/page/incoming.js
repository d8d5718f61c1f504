// Games that come from outside: chosen files, dropped and pasted ones, addresses.

import { byId, isTyping } from "./dom.js";
import { addressOf, historyMark, readAddress, writeAddress } from "./address.js";

export function listenToIncoming({ files, session, modes, panels, terms }) {
  byId("file").addEventListener("change", (event) => {
    if (event.target.files[0]) files.open(event.target.files[0]);
    event.target.value = "";
  });
  document.addEventListener("paste", (event) => {
    if (isTyping(event.target)) return;
    const [file] = event.clipboardData.files;
    if (file) files.open(file);
    else files.paste(event.clipboardData.getData("text"));
  });
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) document.body.classList.remove("dropping");
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    const [file] = event.dataTransfer.files;
    if (file) files.open(file);
    else files.paste(event.dataTransfer.getData("text"));
  });
  // Back and Forward bring a game itself, not only its position. The entry of a new link has no mark.
  const games = new Map();
  addEventListener("popstate", () => {
    const { game: shown } = session;
    // The entry of a puzzle brings the game from before the puzzles.
    games.set(historyMark(shown), panels.puzzles.kept ?? shown);
    const isShown = location.hash === addressOf(shown);
    const game = games.get(history.state?.game) ?? (isShown ? shown : readAddress(location.hash, terms));
    if (!game) return;
    if (game === shown) {
      writeAddress(game);
      return;
    }
    modes.leave("play", "puzzles");
    session.load(game, game.node);
  });
}
