// Input on the board: clicks and taps, arrows, the menu of a cell, the wheel.

import { byId } from "./dom.js";
import { t } from "./words.js";

/** Minimum time between two moves by the wheel, in milliseconds. */
const WHEEL_PAUSE = 60;

export function listenToBoard({ session, settings, opening, play, analysis, modes, view, panels, actions, notify }) {
  view.board.addEventListener("choose", (event) => {
    // A finger covers the cell: the first tap selects, the second plays.
    const at = event.detail;
    const isAnswer = !opening.isActive || opening.asksCell;
    const isWaiting = modes.current === "play" && play.waitsForGo;
    const isFirst = event.touch && view.cursor !== at && modes.current !== "edit" && isAnswer && !isWaiting;
    if (isFirst) {
      view.look(at);
      panels.solved.draw();
      const problem = opening.isActive ? null : session.problem(at);
      byId("confirm").hidden = problem !== null;
      byId("confirm").textContent = t("action.confirm", { at });
      const foul = problem?.foul && view.foulText(at);
      // With the layer of fouls the hint beside the point has the rest.
      const text = settings.get("layers").fouls ? foul?.split("\n", 1)[0] : foul;
      if (problem) notify(text ?? t(problem.key), true);
      return;
    }
    actions.choose(event.detail);
  });
  view.board.addEventListener("drawing", ({ detail: { from, to } }) => view.showPending(from, to, panels.edit.tool));
  view.board.addEventListener("drawn", ({ detail: { from, to } }) => {
    if (to === null) view.hidePending();
    else actions.connect(from, to, panels.edit.tool);
  });
  byId("confirm").addEventListener("click", () => view.cursor && actions.choose(view.cursor));
  const regionLabel = () => {
    if (!analysis.region) return "region.first";
    return analysis.region[1] === null ? "region.to" : "region.end";
  };
  view.board.addEventListener("alternate", (event) => {
    const at = event.detail;
    if (session.board().stones.has(at)) return;
    view.showMenu(at, [
      [t("menu.why", { at }), () => actions.whyNotAt(at)],
      [t(analysis.avoid.has(at) ? "menu.take-in" : "menu.leave-out", { at }), () => actions.avoidAt(at)],
      [t(regionLabel(), { at }), () => actions.setCorner(at)],
    ]);
  });
  // A click on the board must not take the focus from the move list.
  byId("board").addEventListener("mousedown", (event) => event.preventDefault());
  document.addEventListener("pointerdown", (event) => {
    if (!event.target.closest("#menu")) view.hideMenu();
  });
  // A cell that was selected before does not answer a question about colours.
  opening.addEventListener("change", () => {
    if (!opening.isActive || opening.asksCell || view.cursor === null) return;
    view.cursor = null;
    byId("confirm").hidden = true;
  });

  let lastWheel = 0;
  byId("board").addEventListener("wheel", (event) => {
    if (event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    if (event.timeStamp - lastWheel < WHEEL_PAUSE) return;
    lastWheel = event.timeStamp;
    actions[event.deltaY > 0 ? "forward" : "back"]();
  }, { passive: false });
}
