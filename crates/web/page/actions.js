// The actions of keys and buttons.

import { byId } from "./dom.js";
import { focusBoard } from "./focus.js";
import { t } from "./words.js";
import { Game, other } from "./tree.js";
import { KEYS } from "./keys.js";
import { askOnce, chooseForm } from "./dialogs.js";
import { askNewGame } from "./new-game.js";
import { showHelp } from "./help.js";
import { CONNECTIONS, MARKS } from "./panel-files.js";
import { analysisActions } from "./analysis-actions.js";
import { libraryActions } from "./library-actions.js";
import { THEMES, askSettings } from "./settings-dialog.js";

/** The actions by name. `page` holds the parts of the page; its panels and controls may be added
 * later. */
export function createActions(page) {
  const { session, engine, settings, notify, opening, play, analysis, review, files, view, status, modes, solved } = page;

  /** An action that is disabled during an opening, whose questions are about the current board. */
  const afterOpening = (action) => () => !opening.isActive && action();

  /** An action that makes a move of a game. A puzzle goes on by its own moves only. */
  const inGame = (action) => () => modes.current !== "puzzles" && action();

  function clearCursor() {
    view.cursor = null;
    byId("confirm").hidden = true;
  }

  /**
   * The last action, while it waits for the facts of the position, and its cell.
   * @type {{ run: () => void, at: string | null } | null}
   */
  let waiting = null;

  function forgetWaiting() {
    waiting = null;
  }

  /**
   * Runs an action once the facts of the position have arrived, unless the position or the panel changes first
   * or another action replaces it. Until then the cursor shows its stone. If the server sends no facts it runs
   * immediately.
   */
  function withFacts(run, at = null) {
    if (session.facts !== null || session.isRefused || !engine.connected) {
      waiting = null;
      run();
      return;
    }
    clearCursor();
    view.cursor = at;
    waiting = { run, at };
  }

  function runWaiting() {
    if (!waiting) return;
    const { run, at } = waiting;
    waiting = null;
    if (at !== null) {
      // Another cell was selected.
      if (view.cursor !== at) return;
      clearCursor();
    }
    run();
  }

  session.addEventListener("facts", runWaiting);
  session.addEventListener("refused", runWaiting);
  session.addEventListener("position", forgetWaiting);
  modes.addEventListener("change", forgetWaiting);

  /** Plays at a cell. */
  function placeAt(at) {
    if (modes.current === "play" && play.isEngine(session.side)) tryPlace(at);
    else withFacts(() => tryPlace(at), at);
  }

  /** Plays at a cell, or says why not. */
  function tryPlace(at) {
    const problem = session.problem(at);
    if (problem) {
      notify(problem.foul ? view.foulText(at) : t(problem.key), true);
      status.announce(t(problem.key));
      return;
    }
    if (play.place(at)) return;
    const reason = play.asksAboutMistake ? "status.mistake" : play.waitsForGo ? "status.paused" : "problem.turn";
    notify(t(reason, { color: t(`color.${session.side}`) }), true);
  }

  /** Handles a selected cell, depending on the panel: a stone, a guess, or an answer. */
  function choose(at) {
    view.hideMenu();
    if (modes.current === "edit") {
      const { tool } = page.panels.edit;
      if (MARKS.includes(tool)) session.mark(at, tool);
      else if (CONNECTIONS.includes(tool)) connectTo(at, tool);
      else session.edit(at, tool);
      return;
    }
    if (modes.current === "puzzles") {
      withFacts(() => page.panels.puzzles.choose(at), at);
      return;
    }
    if (modes.current === "review" && review.submitGuess(at)) {
      clearCursor();
      view.drawMarks();
      page.controls.drawLists();
      return;
    }
    if (opening.isActive) {
      if (opening.asksPerson && !opening.asksCell) notify(t("key.answer"), true);
      else opening.answer(at);
      return;
    }
    placeAt(at);
  }

  /** Draws an arrow or a line by two cells, one after the other; the same cell again ends it. */
  function connectTo(at, tool) {
    const from = view.pendingStart;
    view.hidePending();
    if (from === null) {
      view.showPending(at, null, tool);
      notify(t("edit.connect-to", { at }));
      status.announce(t("edit.connect-to", { at }));
    } else if (from !== at) {
      connect(from, at, tool);
    }
  }

  function connect(from, to, tool) {
    view.hidePending();
    session.connect(from, to, tool);
    status.announce(view.describe(from));
    notify("");
  }

  /** Goes to another position. The engine does not move there; an analysis continues there; a review
   * is not affected. */
  function jump(move) {
    if (opening.isActive) return;
    const { node } = session;
    move();
    if (session.node === node) return;
    if (modes.current === "play") play.jumped();
    else if (["think", "solve", "proof"].includes(engine.busy)) engine.cancel();
    if (engine.busy === null) analysis.restart();
  }

  function stop() {
    view.hideMenu();
    page.cards.hide();
    view.hidePending();
    clearCursor();
    forgetWaiting();
    if (engine.busy === "think") {
      engine.cancel();
      play.pause();
      analysis.set(false);
    } else if (analysis.isOn) {
      analysis.stop();
    } else {
      // An opening needs the answer, so the search finishes instead of being cancelled.
      engine.finishSearch();
    }
    status.draw();
  }

  /** Ends the game by resignation, after a confirmation. */
  async function resign() {
    if (session.isOver || play.isLookingBack) {
      notify(t("problem.over"), true);
      return;
    }
    if (await askOnce(t("resign.ask"), t("action.resign"))) play.resign();
    focusBoard();
  }

  /** What takes moves back and repeats them in this panel. */
  const moves = () => (modes.current === "puzzles" ? page.panels.puzzles : play);

  const actions = {
    choose,
    cursor: (dx, dy) => {
      status.announce(view.describe(view.moveCursor(dx, dy)));
      page.panels.solved.draw();
    },
    back: () => jump(() => session.back()),
    forward: () => jump(() => session.forward()),
    toStart: () => jump(() => session.toStart()),
    toEnd: () => jump(() => session.toEnd()),
    variation: (key) => jump(() => session.variation(key === "ArrowUp" ? -1 : 1)),
    undo: afterOpening(() => (modes.current === "edit" && session.undoEdit()) || moves().undo()),
    redo: afterOpening(() => (modes.current === "edit" && session.redoEdit()) || moves().redo()),
    clearMarks: () => session.clearMarks(),
    connect,
    toolChosen: (tool) => {
      view.hidePending();
      view.board.draws = modes.current === "edit" && CONNECTIONS.includes(tool);
    },
    newGame: () => askNewGame({ settings, offer: page.offer, solved, begin: page.begin, beginSolved: page.beginSolved }),
    go: inGame(() => (opening.isActive ? opening.go() : play.go())),
    swap: inGame(afterOpening(() => play.swap())),
    pass: inGame(afterOpening(() => withFacts(() => session.mayPass && play.place(null)))),
    resign: inGame(afterOpening(resign)),
    ...analysisActions(page),
    ...libraryActions(page),
    stop,
    seatBlack: () => modes.goTo("play", "seat-black"),
    seatWhite: () => modes.goTo("play", "seat-white"),
    moveTime: () => {
      byId("move-time-row").hidden = false;
      modes.goTo("play", "move-time");
    },
    text: () => modes.goTo("files", "paste"),
    readAgain: () => files.last && modes.goTo("files", "file-encoding"),
    teaching: () => {
      modes.set("play");
      byId("teaching").click();
    },
    layer: (name, on) => {
      settings.set("layers", { ...settings.get("layers"), [name]: on });
      byId(`layer-${name}`).checked = on;
    },
    layerFouls: () => actions.layer("fouls", !settings.get("layers").fouls),
    layerBlack: () => actions.layer("black", !settings.get("layers").black),
    layerWhite: () => actions.layer("white", !settings.get("layers").white),
    promote: () => session.promote(),
    remove: () => jump(() => session.remove()),
    open: () => byId("file").click(),
    copyMoves: () => files.copyMoves(),
    copyLink: () => files.copyLink(),
    downloadSgf: () => files.download("sgf"),
    downloadPng: () => files.download("png"),
    downloadGif: () => files.download("gif"),
    chooseForm: () => chooseForm(files),
    comment: () => byId("comment").focus(),
    nextTool: () => {
      modes.set("edit");
      page.panels.edit.nextTool();
    },
    side: () => {
      modes.set("edit");
      session.setSide(other(session.side));
    },
    language: () => {
      actions.settings();
      byId("language").focus();
    },
    numbers: () => settings.set("numbers", !settings.get("numbers")),
    coordinates: () => settings.set("coordinates", !settings.get("coordinates")),
    theme: () => {
      settings.set("theme", THEMES[(THEMES.indexOf(settings.get("theme")) + 1) % THEMES.length]);
      notify(t(`theme.${settings.get("theme")}`));
    },
    focusBoard: () => byId("board").focus(),
    readBoard: () => {
      const text = view.describeBoard();
      notify(text);
      status.announce(text);
    },
    nextPanel: () => modes.step(1),
    help: () => showHelp(KEYS),
    settings: () => askSettings({ settings, speak: page.speak, clearData: page.clearData, help: () => actions.help(), choices: page.choices }),
    restore: () => {
      // Moves of the puzzle come back in the panel.
      const { lost, game } = session;
      if (lost && lost !== game) modes.leave("puzzles");
      session.restore();
    },
    empty: inGame(() => session.load(new Game(session.game))),
  };
  return { ...actions, jump };
}
