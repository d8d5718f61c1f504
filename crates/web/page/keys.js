// The keys: one table for actions and help.

import { byId, isTyping, keyOf } from "./dom.js";
import { isDialogOpen, press } from "./dialogs.js";

/**
 * `keys` as shown in the help, `codes` as in events (default: `keys`), `label` the key of the text,
 * `more` a suffix of the text, `action` the name of the action, `group` its group in the help (that of
 * the entry before, if absent). Entries without an action are handled elsewhere.
 */
export const KEYS = [
  { group: "moves", keys: ["←"], codes: ["ArrowLeft"], label: "action.back", action: "back" },
  { keys: ["→"], codes: ["ArrowRight"], label: "action.forward", action: "forward" },
  { keys: ["↑", "↓"], codes: ["ArrowUp", "ArrowDown"], label: "key.variation", action: "variation" },
  { keys: ["Home"], codes: ["Home"], label: "action.start", action: "toStart" },
  { keys: ["End"], codes: ["End"], label: "action.end", action: "toEnd" },
  { keys: ["u"], label: "action.undo", action: "undo" },
  { keys: ["r"], label: "action.redo", action: "redo" },
  { keys: ["U"], label: "action.restore", action: "restore" },
  { group: "game", keys: ["g"], label: "action.new", action: "newGame" },
  { keys: ["Space"], codes: [" "], label: "action.go", action: "go" },
  { keys: ["s"], label: "action.swap", action: "swap" },
  { keys: ["p"], label: "action.pass", action: "pass" },
  { keys: ["R"], label: "action.resign", action: "resign" },
  { keys: ["B"], label: "key.seat-black", action: "seatBlack" },
  { keys: ["W"], label: "key.seat-white", action: "seatWhite" },
  { keys: ["M"], label: "play.move-time", action: "moveTime" },
  { keys: ["T"], label: "play.teaching", action: "teaching" },
  { keys: ["1–9"], codes: [], label: "key.answer" },
  { keys: ["h"], label: "action.hint", action: "hint" },
  { group: "analysis", keys: ["a"], label: "action.analyse", action: "analyse" },
  { keys: ["x"], label: "action.threat", action: "threat" },
  { keys: ["Esc"], codes: ["Escape"], label: "action.stop", action: "stop" },
  { keys: ["+"], label: "key.more-lines", action: "moreLines" },
  { keys: ["-"], label: "key.fewer-lines", action: "fewerLines" },
  { keys: ["A"], label: "key.lines", action: "lines" },
  { keys: ["w"], label: "key.why", action: "why" },
  { keys: ["e"], label: "key.avoid", action: "avoid" },
  { keys: ["]"], label: "key.region", action: "region" },
  { keys: ["="], label: "balance.title", action: "balance" },
  { keys: ["'"], label: "balance.pairs", action: "balancePairs" },
  { keys: [";"], label: "explorer.title", action: "explore" },
  { group: "solver", keys: ["v"], label: "solve.win", action: "solveWin" },
  { keys: ["V"], label: "solve.all", action: "solveAll" },
  { keys: ["b"], label: "solve.defend", action: "solveDefend" },
  { keys: ["q"], label: "solve.shortest", action: "solveShortest" },
  { keys: ["Q"], label: "solve.tree", action: "solveTree" },
  { keys: ["K"], label: "key.solve-kind", action: "solveKind" },
  { keys: ["J"], label: "key.keep-proof", action: "keepProof" },
  { keys: ["j"], label: "solve.points", action: "choosePoints" },
  { group: "layers", keys: ["f"], label: "layer.fouls", action: "layerFouls" },
  { keys: ["1"], label: "layer.black", action: "layerBlack" },
  { keys: ["2"], label: "layer.white", action: "layerWhite" },
  { keys: ["3–9", "0"], codes: [..."34567890"], label: "layer.kinds", action: "kind" },
  { group: "review", keys: ["E"], label: "review.run", action: "review" },
  { keys: ["X"], label: "key.effort", action: "effort" },
  { keys: ["n"], label: "review.next", action: "nextMistake" },
  { keys: ["N"], label: "review.previous", action: "previousMistake" },
  { keys: ["i"], label: "review.guess", action: "guess" },
  { keys: ["H"], label: "review.try-again", action: "tryAgain" },
  { group: "tree", keys: ["m"], label: "action.promote", action: "promote" },
  { keys: ["Del"], codes: ["Delete"], label: "action.remove", action: "remove" },
  { keys: ["k"], label: "key.keep", action: "keep" },
  { keys: ["C"], label: "moves.comment", action: "comment" },
  { group: "files", keys: ["o"], label: "files.open", action: "open" },
  { keys: ["O"], label: "files.again", action: "readAgain" },
  { keys: ["Ctrl V"], codes: [], label: "key.paste" },
  { keys: ["I"], label: "key.text", action: "text" },
  { keys: ["Ctrl Enter"], codes: [], label: "files.read-text" },
  { keys: ["F"], label: "files.download", more: "…", action: "chooseForm" },
  { keys: ["D"], label: "files.download", more: "SGF", action: "downloadSgf" },
  { keys: ["P"], label: "files.download", more: "PNG", action: "downloadPng" },
  { keys: ["G"], label: "files.download", more: "GIF", action: "downloadGif" },
  { keys: ["y"], label: "files.copy-moves", action: "copyMoves" },
  { keys: ["Y"], label: "files.copy-link", action: "copyLink" },
  { group: "edit", keys: ["z"], label: "key.tool", action: "nextTool" },
  { keys: ["S"], label: "edit.side", action: "side" },
  { keys: ["\\"], label: "edit.clear-marks", action: "clearMarks" },
  { keys: ["Z"], label: "edit.empty", action: "empty" },
  { group: "page", keys: ["l"], label: "key.numbers", action: "numbers" },
  { keys: ["c"], label: "key.coordinates", action: "coordinates" },
  { keys: ["d"], label: "settings.theme", action: "theme" },
  { keys: ["L"], label: "action.language", action: "language" },
  { keys: ["t"], label: "key.board", action: "focusBoard" },
  { keys: ["*"], label: "key.read-board", action: "readBoard" },
  { keys: ["."], label: "key.next-panel", action: "nextPanel" },
  { keys: [","], label: "action.settings", action: "settings" },
  { keys: ["Esc"], codes: [], label: "key.leave" },
  { keys: ["?"], label: "action.help", action: "help" },
];

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Whether a key is a letter, a digit or a sign: users can switch these off. */
const isCharacter = (key) => key.length === 1 && key !== " ";

/** Calls `actions` for keys. While the board has the focus, arrows move its cursor. */
export function listenToKeys(actions, view, settings) {
  const table = new Map(KEYS.flatMap((entry) => (entry.codes ?? entry.keys).map((code) => [code, entry.action])));
  document.addEventListener("keydown", (event) => {
    // A key that answered a dialog has closed it already.
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isDialogOpen()) return;
    if (isTyping(event.target)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (!settings.get("letterKeys") && isCharacter(keyOf(event))) return;
    // While a question or a card is shown, its answers take the digits.
    if ([...document.querySelectorAll(".asks, #card")].some((box) => press(box, event))) return;
    const isOnBoard = document.activeElement === byId("board");
    if (isOnBoard && ARROWS[event.key]) {
      event.preventDefault();
      actions.cursor(...ARROWS[event.key]);
      return;
    }
    const isPlaying = event.key === "Enter" || (event.key === " " && view.cursor !== null);
    if (isOnBoard && isPlaying) {
      event.preventDefault();
      // Without a cursor, Enter shows it and reads its cell.
      if (view.cursor === null) actions.cursor(0, 0);
      else actions.choose(view.cursor);
      return;
    }
    // These keys press the focused button.
    const isPressing = [" ", "Enter"].includes(event.key) && event.target.closest?.("button, summary, input");
    // Arrows select another button of a focused radio group.
    const isChoosing = ARROWS[event.key] && event.target.type === "radio";
    const key = keyOf(event);
    const action = table.get(key);
    if (!action || isPressing || isChoosing) return;
    event.preventDefault();
    actions[action](key);
  });
}
