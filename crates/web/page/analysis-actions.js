// The actions of analyses, the solver and reviews.

import { byId } from "./dom.js";
import { t } from "./words.js";
import { other } from "./tree.js";
import { showBalanced, showBalancedPairs } from "./balance.js";
import { setGameId } from "./library.js";
import { percentOf } from "./marks.js";
import { errorText } from "./errors.js";

/** Time for a hint, in milliseconds. */
const HINT_TIME = 1500;

/** The actions by name. `page` is that of `createActions`. */
export function analysisActions(page) {
  const { session, engine, settings, notify, opening, play, analysis, review, view, modes, solved } = page;

  const currentCell = () => view.cursor ?? view.board.hovered;

  function solve(question) {
    modes.set("analyse");
    analysis.set(false);
    page.panels.analyse.solve(question);
  }

  function whyNotAt(at) {
    // Do not interrupt the search for a move of the game.
    if (play.awaitsEngine) notify(t("problem.turn"), true);
    else page.panels.analyse.whyNot(at);
  }

  function avoidAt(at) {
    if (session.board().stones.has(at)) return;
    analysis.toggleAvoid(at);
    view.drawMarks();
  }

  function setCorner(at) {
    analysis.setCorner(at);
    view.drawMarks();
    if (analysis.region && analysis.region[1] === null) notify(t("region.second"));
  }

  async function hint() {
    if (session.isOver) {
      notify(t("problem.over"), true);
      return;
    }
    if (analysis.isOn) return;
    if (play.awaitsEngine) {
      notify(t("problem.turn"), true);
      return;
    }
    const { node } = session;
    notify(t("hint.working"));
    try {
      const answer = await engine.analyse({ position: session.game.position(), lines: 1, time_ms: HINT_TIME });
      const best = answer?.lines[0];
      if (!best || session.node !== node) return;
      view.showPoints([{ at: best.moves[0], text: "!" }], "hold");
      const values = { at: best.moves[0], rate: percentOf(best.rate), plies: Math.abs(best.forced ?? 0), line: best.moves.slice(0, 6).join(" ") };
      notify(t(best.forced === null ? "hint.text" : best.forced > 0 ? "hint.win" : "hint.loss", values));
    } catch (error) {
      notify(errorText(error), true);
    }
  }

  function analyse() {
    if (session.isOver && !analysis.isOn) {
      notify(t("problem.over"), true);
      return;
    }
    // Best moves are a matter of the panel for analysis; in a game they are not shown.
    if (!analysis.isOn && ["files", "edit"].includes(modes.current)) modes.set("analyse");
    if (analysis.isOn) analysis.stop();
    else {
      view.hideLine();
      analysis.set(true);
    }
  }

  /** Shows a field of the solver, which may be folded, and focuses it. */
  function solverField(id) {
    byId("solver").open = true;
    modes.goTo("analyse", id);
  }

  /** Plays on from a position of a review, against a player of this program. */
  function tryAgain() {
    if (solved.isOn) {
      modes.set("play");
      play.jumped();
      return;
    }
    // The game of the review stays in the list of kept games.
    setGameId(session.game, undefined);
    const { side } = session;
    const opponent = other(side);
    const level = play.isEngine(opponent) ? play.seat(opponent) : play.isEngine(side) ? play.seat(side) : "level:full";
    settings.set(side, "me");
    settings.set(opponent, level);
    modes.set("play");
    play.jumped();
    play.dispatchEvent(new Event("seats"));
  }

  const actions = {
    hint: () => !opening.isActive && hint(),
    analyse,
    balance: () => {
      modes.set("analyse");
      analysis.set(false);
      showBalanced(page);
    },
    balancePairs: () => {
      modes.set("analyse");
      analysis.set(false);
      showBalancedPairs(page);
    },
    tryAgain,
    explore: () => {
      modes.set("analyse");
      page.panels.explorer.toggle();
    },
    threat: () => {
      view.hideLine();
      analysis.showThreat(!analysis.threat);
    },
    lineCount: (count) => {
      settings.set("lines", Math.min(50, Math.max(1, Math.round(count) || 1)));
      byId("line-count").value = settings.get("lines");
      analysis.restart();
    },
    moreLines: () => actions.lineCount(settings.get("lines") + 1),
    fewerLines: () => actions.lineCount(settings.get("lines") - 1),
    lines: () => {
      modes.set("analyse");
      byId("lines").querySelector("button")?.focus();
    },
    why: () => {
      if (modes.current === "play" && solved.isOn) page.panels.solved.why();
      else if (currentCell()) whyNotAt(currentCell());
    },
    avoid: () => currentCell() && avoidAt(currentCell()),
    region: () => currentCell() && setCorner(currentCell()),
    solveWin: () => solve("win"),
    solveAll: () => solve("all"),
    solveDefend: () => solve("defend"),
    solveShortest: () => solve("shortest"),
    solveTree: () => solve("tree"),
    choosePoints: () => solverField("points-kind"),
    solveKind: () => solverField("solve-kind"),
    keepProof: () => byId("keep-proof")?.click(),
    effort: () => modes.goTo("review", "review-nodes"),
    review: () => {
      modes.set("review");
      review.run(settings.get("reviewNodes"));
    },
    kind: (key) => {
      modes.set("analyse");
      page.panels.analyse.toggleKind(key);
    },
    nextMistake: () => actions.mistake(1),
    previousMistake: () => actions.mistake(-1),
    mistake: (step) => {
      modes.set("review");
      if (review.progress) return;
      if (!review.found) actions.review();
      else if (!review.toMistake(step)) notify(t("review.no-more"));
    },
    guess: (on) => {
      review.guessing = typeof on === "boolean" ? on : !review.guessing;
      modes.set("review");
      page.panels.review.draw();
      view.drawMarks();
      view.drawRate();
      page.controls.drawLists();
    },
    keep: () => analysis.found?.lines[0] && !analysis.threat && session.keep(analysis.found.lines[0].moves),
    whyNotAt,
    avoidAt,
    setCorner,
  };
  return actions;
}
