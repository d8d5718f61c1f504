// A line of a proof as a row of buttons.

import { el } from "./dom.js";
import { t } from "./words.js";

/**
 * A step of a proof from the position on the board. The pointer, the focus and a click show the line up
 * to it on the board. `path` are the moves of the line up to the step.
 */
export function proofStep({ session, view }, { at, name }, path) {
  const { game, side } = session;
  const show = () => view.showLine(path, side, true);
  return el("button", {
    type: "button", class: "step", onclick: show, onpointerenter: show, onfocus: show,
  }, el("span", { class: "move-number" }, `${game.board().moves + path.length}.`),
  el("strong", {}, at), el("span", { class: "soft" }, t(`name.${name}`)));
}

/** All steps of a line, numbered, and its moves. The line is shown on the board. */
export function proofLine(parts, line) {
  const { session, view } = parts;
  const moves = line.map(({ at }) => at);
  const show = () => view.showLine(moves, session.side, true);
  show();
  const steps = line.map((step, index) => proofStep(parts, step, moves.slice(0, index + 1)));
  return { moves, show, element: el("div", { class: "steps" }, ...steps) };
}
