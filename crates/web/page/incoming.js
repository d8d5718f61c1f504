// Games that come from outside: chosen files, dropped and pasted ones, addresses.

import { byId, isTyping } from "./dom.js";
import { addressOf, readAddress } from "./address.js";

export function listenToIncoming({ files, session, modes, terms }) {
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
  // Back and Forward bring a game itself, not only its position.
  const replaced = new Set();
  addEventListener("hashchange", () => {
    const known = [...replaced].find((game) => addressOf(game) === location.hash);
    const game = known ?? readAddress(location.hash, terms);
    if (!game) return;
    modes.leave("play", "puzzles");
    replaced.add(session.game);
    session.load(game, game.node);
  });
}
