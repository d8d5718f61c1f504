// Builds the page and connects its parts.

import { byId, el, isTyping } from "./dom.js";
import { HttpTransport } from "./transport.js";
import { Engine } from "./engine.js";
import { Settings } from "./settings.js";
import { Game } from "./tree.js";
import { Session } from "./session.js";
import { Clock, clockText } from "./clock.js";
import { Play } from "./play.js";
import { Opening } from "./opening.js";
import { Analysis } from "./analysis.js";
import { Review } from "./review.js";
import { Files } from "./files.js";
import { Graph } from "./graph.js";
import { Moves } from "./moves.js";
import { View } from "./view.js";
import { Status } from "./status.js";
import { PlayPanel } from "./panel-play.js";
import { AnalysePanel } from "./panel-analyse.js";
import { ReviewPanel } from "./panel-review.js";
import { EditPanel, FilesPanel } from "./panel-files.js";
import { KEYS, listenToKeys } from "./keys.js";
import { askNewGame, chooseForm, chooseGame, showKeys } from "./dialogs.js";
import { LANGUAGES, preferredLanguage, setLanguage, t } from "./words.js";
import { endingText, playerName } from "./names.js";

const MODES = ["play", "analyse", "review", "files", "edit"];
const THEMES = ["auto", "light", "dark"];
/** Time for a hint, in milliseconds. */
const HINT_TIME = 1500;

const settings = new Settings();
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

function applyTheme() {
  const theme = settings.get("theme");
  const isDark = theme === "dark" || (theme === "auto" && systemIsDark.matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
}

applyTheme();
systemIsDark.addEventListener("change", applyTheme);

const engine = new Engine(new HttpTransport());

async function start() {
  await setLanguage(settings.get("language") ?? preferredLanguage());
  let offer;
  try {
    offer = await engine.hello();
  } catch (error) {
    const banner = byId("connection");
    banner.hidden = false;
    banner.textContent = t(error.locked ? "status.locked" : "status.lost");
    setTimeout(start, 2000);
    return;
  }
  run(offer);
}

function run(offer) {
  byId("connection").hidden = true;
  const terms = { get rule() { return settings.get("rule"); }, sides: offer.sides, rules: offer.rules };
  const session = new Session(engine, { rule: settings.get("rule"), width: settings.get("width"), height: settings.get("height") });
  const clock = new Clock();
  const notify = (text, isProblem) => status.notify(text, isProblem);
  const shared = { session, engine, settings, clock, notify };
  const opening = new Opening(shared);
  const play = new Play(shared);
  play.opening = opening;
  const analysis = new Analysis({ ...shared, play });
  const review = new Review(shared);
  // An opened game is analysed, not continued by the engine.
  const files = new Files({
    ...shared, terms, choose: chooseGame,
    beforeOpen: () => mode === "play" && setMode("analyse"),
  });
  const view = new View({ session, settings, analysis, review, opening, play });
  const status = new Status({ session, engine, play });
  const goToNode = (node) => jump(() => session.goTo(node));
  const graph = new Graph(byId("graph"), session, goToNode);
  const moves = new Moves(byId("moves"), session, goToNode);
  let mode = "play";

  const currentCell = () => view.cursor ?? view.board.hovered;

  /** An action that is disabled during an opening, whose questions are about the current board. */
  const afterOpening = (action) => () => !opening.isActive && action();

  /** Handles a selected cell, depending on the panel: a stone, a guess, or an answer. */
  function choose(at) {
    view.hideMenu();
    if (mode === "edit") {
      session.edit(at, editPanel.tool);
      return;
    }
    if (mode === "review" && review.submitGuess(at)) {
      view.drawMarks();
      drawLists();
      return;
    }
    if (opening.isActive) {
      opening.answer(at);
      return;
    }
    const problem = session.problem(at);
    if (problem) {
      notify(problem.foul ? view.foulText(at) : t(problem.key), true);
      status.announce(t(problem.key));
      return;
    }
    if (!play.place(at)) notify(t("problem.turn"), true);
  }

  const actions = {
    choose,
    cursor: (dx, dy) => status.announce(view.describe(view.moveCursor(dx, dy))),
    back: () => jump(() => session.back()),
    forward: () => jump(() => session.forward()),
    toStart: () => jump(() => session.toStart()),
    toEnd: () => jump(() => session.toEnd()),
    variation: (key) => jump(() => session.variation(key === "ArrowUp" ? -1 : 1)),
    undo: afterOpening(() => play.undo()),
    redo: afterOpening(() => play.redo()),
    newGame: () => askNewGame({ settings, offer, begin }),
    go: () => (opening.isActive ? opening.go() : play.go()),
    swap: afterOpening(() => play.swap()),
    pass: afterOpening(() => session.mayPass && play.place(null)),
    resign: afterOpening(() => play.resign()),
    hint: afterOpening(hint),
    analyse: () => (analysis.isOn ? analysis.stop() : analysis.set(true)),
    threat: () => analysis.showThreat(!analysis.threat),
    stop,
    lineCount: (count) => {
      settings.set("lines", Math.min(50, Math.max(1, Math.round(count) || 1)));
      byId("line-count").value = settings.get("lines");
      analysis.restart();
    },
    moreLines: () => actions.lineCount(settings.get("lines") + 1),
    fewerLines: () => actions.lineCount(settings.get("lines") - 1),
    lines: () => {
      setMode("analyse");
      byId("lines").querySelector("button")?.focus();
    },
    why: () => currentCell() && whyNot(currentCell()),
    avoid: () => currentCell() && avoid(currentCell()),
    solveWin: () => solve("win"),
    solveAll: () => solve("all"),
    solveDefend: () => solve("defend"),
    solveShortest: () => solve("shortest"),
    solveTree: () => solve("tree"),
    choosePoints: () => goTo("analyse", "points-kind"),
    solveKind: () => goTo("analyse", "solve-kind"),
    keepProof: () => byId("keep-proof")?.click(),
    seatBlack: () => goTo("play", "seat-black"),
    seatWhite: () => goTo("play", "seat-white"),
    moveTime: () => goTo("play", "move-time"),
    effort: () => goTo("review", "review-nodes"),
    text: () => goTo("files", "paste"),
    readAgain: () => files.last && goTo("files", "file-encoding"),
    teaching: () => {
      setMode("play");
      byId("teaching").click();
    },
    review: () => {
      setMode("review");
      review.run(settings.get("reviewNodes"));
    },
    layer: (name, on) => {
      settings.set("layers", { ...settings.get("layers"), [name]: on });
      byId(`layer-${name}`).checked = on;
    },
    kind: (key) => {
      setMode("analyse");
      analysePanel.toggleKind(key);
    },
    layerFouls: () => actions.layer("fouls", !settings.get("layers").fouls),
    layerBlack: () => actions.layer("black", !settings.get("layers").black),
    layerWhite: () => actions.layer("white", !settings.get("layers").white),
    nextMistake: () => actions.mistake(1),
    previousMistake: () => actions.mistake(-1),
    mistake: (step) => {
      setMode("review");
      if (!review.toMistake(step)) notify(t("review.no-more"));
    },
    guess: (on) => {
      review.guessing = typeof on === "boolean" ? on : !review.guessing;
      setMode("review");
      reviewPanel.draw();
      view.drawMarks();
      view.drawRate();
      drawLists();
    },
    promote: () => session.promote(),
    remove: () => jump(() => session.remove()),
    keep: () => analysis.found?.lines[0] && !analysis.threat && session.keep(analysis.found.lines[0].moves),
    open: () => byId("file").click(),
    copyMoves: () => files.copyMoves(),
    copyLink: () => files.copyLink(),
    downloadSgf: () => files.download("sgf"),
    downloadPng: () => files.download("png"),
    downloadGif: () => files.download("gif"),
    chooseForm: () => chooseForm(files),
    comment: () => byId("comment").focus(),
    nextTool: () => {
      setMode("edit");
      editPanel.nextTool();
    },
    side: () => {
      setMode("edit");
      session.setSide(session.side === "black" ? "white" : "black");
    },
    language: () => byId("language").focus(),
    numbers: () => settings.set("numbers", !settings.get("numbers")),
    coordinates: () => settings.set("coordinates", !settings.get("coordinates")),
    theme: () => {
      settings.set("theme", THEMES[(THEMES.indexOf(settings.get("theme")) + 1) % THEMES.length]);
      applyTheme();
      notify(t(`theme.${settings.get("theme")}`));
    },
    focusBoard: () => byId("board").focus(),
    panel: (key) => setMode(MODES[Number(key.slice(1)) - 1]),
    help: () => showKeys(KEYS),
    empty: () => session.load(new Game(session.game)),
  };

  const playPanel = new PlayPanel({ ...shared, play, opening, offer, actions });
  const analysePanel = new AnalysePanel({ ...shared, analysis, view, actions });
  const reviewPanel = new ReviewPanel({ ...shared, review, actions });
  const filesPanel = new FilesPanel({ files, actions, rules: offer.rules });
  const editPanel = new EditPanel({ session, actions });
  const panels = [playPanel, analysePanel, reviewPanel, filesPanel, editPanel];

  /** Goes to another position. The engine does not move there; an analysis continues there; a review
   * is not affected. */
  function jump(move) {
    if (opening.isActive) return;
    const { node } = session;
    move();
    if (session.node === node) return;
    if (mode === "play") play.jumped();
    else if (["think", "solve"].includes(engine.busy)) engine.cancel();
    if (engine.busy === null) analysis.restart();
  }

  function solve(question) {
    setMode("analyse");
    analysis.set(false);
    analysePanel.solve(question);
  }

  function whyNot(at) {
    // Do not interrupt the search for a move of the game.
    if (play.awaitsEngine) notify(t("problem.turn"), true);
    else analysePanel.whyNot(at);
  }

  function avoid(at) {
    if (session.board().stones.has(at)) return;
    analysis.toggleAvoid(at);
    view.drawMarks();
  }

  function stop() {
    view.hideMenu();
    view.cursor = null;
    byId("confirm").hidden = true;
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

  async function hint() {
    if (session.isOver || analysis.isOn || play.awaitsEngine) return;
    const { node } = session;
    try {
      const answer = await engine.analyse({ position: session.game.position(), lines: 1, time_ms: HINT_TIME });
      const best = answer?.lines[0];
      if (!best || session.node !== node) return;
      view.showPoints([{ at: best.moves[0], text: "!" }], "hold");
      const values = { at: best.moves[0], rate: Math.round(best.rate * 100), plies: Math.abs(best.forced ?? 0), line: best.moves.slice(0, 6).join(" ") };
      notify(t(best.forced === null ? "hint.text" : best.forced > 0 ? "hint.win" : "hint.loss", values));
    } catch (error) {
      notify(error.message, true);
    }
  }

  /** Selects a panel. Players of this program move only in the panel for playing. */
  function setMode(next) {
    mode = next;
    view.mode = next;
    for (const name of MODES) {
      const tab = byId(`tab-${name}`);
      tab.setAttribute("aria-selected", name === next);
      tab.tabIndex = name === next ? 0 : -1;
      byId(`panel-${name}`).hidden = name !== next;
    }
    play.enabled = next === "play";
    if (["play", "review"].includes(next)) analysis.clear();
    status.mode = next;
    view.drawMarks();
    view.drawRate();
    drawLists();
  }

  /** Focuses a field of a panel. */
  function goTo(panel, id) {
    setMode(panel);
    byId(id).focus();
  }

  /** Starts a new game with these terms. */
  function begin(terms) {
    engine.cancel();
    session.load(new Game(terms));
    settings.set("rule", terms.rule);
    setMode("play");
    // After `setMode`, which pauses the engine.
    play.begin();
    playPanel.draw();
    drawPlayers();
    if (terms.opening !== "none") opening.begin(terms.opening);
  }

  function drawPlayers() {
    for (const color of ["black", "white"]) {
      const strip = byId(`player-${color}`);
      const named = session.game.players[color];
      strip.querySelector(".name").textContent = named && mode !== "play" ? named : playerName(play.seat(color));
      strip.querySelector(".clock").textContent = clock.enabled ? clockText(clock.left(color)) : "";
      const isTurn = session.side === color && !session.isOver;
      strip.classList.toggle("turn", isTurn);
      strip.classList.toggle("thinking", isTurn && engine.busy === "think");
    }
  }

  let isListDue = false;
  function drawLists() {
    if (isListDue) return;
    isListDue = true;
    requestAnimationFrame(() => {
      isListDue = false;
      moves.draw({ hideGrades: review.guessing && mode === "review" });
      byId("graph").classList.toggle("hidden-hints", view.hidesHints);
      graph.draw();
    });
  }

  function drawControls() {
    const isBusy = engine.busy !== null;
    byId("stop").disabled = !isBusy;
    byId("analyse").setAttribute("aria-pressed", analysis.isOn);
    const isFixed = opening.isActive;
    byId("back").disabled = byId("to-start").disabled = byId("undo").disabled = isFixed || !session.node.parent;
    byId("forward").disabled = byId("to-end").disabled = isFixed || session.node.children.length === 0;
    byId("remove").disabled = isFixed || !session.node.parent;
    drawPlayers();
  }

  session.addEventListener("position", () => {
    document.body.dataset.settled = "false";
    drawControls();
    drawLists();
    if (view.cursor === null) byId("confirm").hidden = true;
    byId("comment").value = session.node.comment;
    const { node } = session;
    if (node.at) status.announce(t("spoken.move", { color: t(`color.${node.color}`), at: node.at }));
  });
  session.addEventListener("tree", drawLists);
  session.addEventListener("notes", drawLists);
  session.addEventListener("facts", () => {
    document.body.dataset.settled = "true";
    drawControls();
    status.draw();
    const ending = endingText(session);
    if (ending) status.announce(ending);
  });
  session.addEventListener("game", () => {
    settings.set("rule", session.game.rule);
    analysis.set(false);
    drawPlayers();
    review.fromFile();
  });
  engine.addEventListener("busy", drawControls);
  analysis.addEventListener("update", drawControls);
  opening.addEventListener("change", drawControls);
  opening.addEventListener("end", () => analysis.restart());
  review.addEventListener("change", drawLists);
  clock.addEventListener("tick", drawPlayers);
  play.addEventListener("seats", drawPlayers);
  settings.addEventListener("change", (event) => {
    if (["black", "white"].includes(event.detail)) {
      playPanel.draw();
      drawPlayers();
    }
  });

  view.board.addEventListener("choose", (event) => {
    // A finger covers the cell: the first tap selects, the second plays.
    const isFirst = event.touch && view.cursor !== event.detail && mode !== "edit";
    if (isFirst) {
      view.cursor = event.detail;
      byId("confirm").hidden = false;
      byId("confirm").textContent = t("action.confirm", { at: event.detail });
      return;
    }
    choose(event.detail);
  });
  byId("confirm").addEventListener("click", () => view.cursor && choose(view.cursor));
  view.board.addEventListener("alternate", (event) => {
    const at = event.detail;
    if (session.board().stones.has(at)) return;
    view.showMenu(at, [
      [t("menu.why", { at }), () => whyNot(at)],
      [t(analysis.avoid.has(at) ? "menu.take-in" : "menu.leave-out", { at }), () => avoid(at)],
    ]);
  });
  // A click on the board must not take the focus from the move list.
  byId("board").addEventListener("mousedown", (event) => event.preventDefault());
  document.addEventListener("pointerdown", (event) => {
    if (!event.target.closest("#menu")) view.hideMenu();
  });

  const clicks = {
    "new-game": "newGame", theme: "theme", help: "help", "to-start": "toStart", back: "back",
    forward: "forward", "to-end": "toEnd", undo: "undo", "hint-button": "hint", analyse: "analyse",
    stop: "stop", promote: "promote", remove: "remove",
  };
  for (const [id, action] of Object.entries(clicks)) {
    byId(id).addEventListener("click", () => actions[action]());
  }
  for (const name of MODES) byId(`tab-${name}`).addEventListener("click", () => setMode(name));
  byId("tab-play").parentElement.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.stopPropagation();
    event.preventDefault();
    setMode(MODES[(MODES.indexOf(mode) + step + MODES.length) % MODES.length]);
    byId(`tab-${mode}`).focus();
  });
  listenToKeys(actions, view);

  const language = byId("language");
  language.append(...Object.entries(LANGUAGES).map(([code, name]) => el("option", { value: code, lang: code }, name)));
  language.value = document.documentElement.lang;
  language.addEventListener("change", async () => {
    settings.set("language", language.value);
    await setLanguage(language.value);
    drawAll();
  });

  byId("comment").addEventListener("input", (event) => {
    session.node.comment = event.target.value;
    session.notesChanged();
  });

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
  addEventListener("hashchange", () => {
    const game = Session.fromAddress(terms);
    if (!game) return;
    if (mode === "play") setMode("analyse");
    session.load(game, game.node);
  });

  function drawAll() {
    for (const panel of panels) panel.draw();
    view.setGame();
    drawControls();
    drawLists();
    status.draw();
  }

  setMode("play");
  drawAll();
  const linked = Session.fromAddress(terms);
  // A link to a position opens the analysis.
  if (linked && linked.node.depth > 0) setMode("analyse");
  session.load(linked ?? session.game, linked?.node ?? session.game.root);
  play.begin();
  document.body.dataset.ready = "";
}

start();
