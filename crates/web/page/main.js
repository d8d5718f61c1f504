// Builds the page and connects its parts.

import { byId } from "./dom.js";
import { openTransport } from "./transport.js";
import { Engine } from "./engine.js";
import { Settings } from "./settings.js";
import { COLORS } from "./tree.js";
import { Session } from "./session.js";
import { Clock } from "./clock.js";
import { Play } from "./play.js";
import { Opening } from "./opening.js";
import { Analysis } from "./analysis.js";
import { Review } from "./review.js";
import { Files } from "./files.js";
import { View } from "./view.js";
import { Status } from "./status.js";
import { PlayPanel } from "./panel-play.js";
import { AnalysePanel } from "./panel-analyse.js";
import { ReviewPanel } from "./panel-review.js";
import { EditPanel, FilesPanel } from "./panel-files.js";
import { Explorer, ServerStudy } from "./explorer.js";
import { BrowserStudy, BrowserTable } from "./browser-study.js";
import { ExplorerView } from "./explorer-view.js";
import { PuzzlesPanel } from "./panel-puzzles.js";
import { Library } from "./library.js";
import { detailsOf } from "./library-actions.js";
import { PuzzleStore } from "./puzzle-store.js";
import { listenToKeys } from "./keys.js";
import { askOnce, chooseGame, isDialogOpen } from "./dialogs.js";
import { Modes } from "./modes.js";
import { Controls } from "./controls.js";
import { createActions } from "./actions.js";
import { listenToIncoming } from "./incoming.js";
import { LANGUAGES, hasText, preferredLanguage, setLanguage, t } from "./words.js";
import { Cards } from "./card.js";
import { SavedGame } from "./saved-game.js";
import { accuracyText } from "./panel-review.js";
import { leaveButton, watchInput } from "./focus.js";
import { StoneSound } from "./sound.js";
import { SolvedGame } from "./solved.js";
import { SolvedView } from "./solved-view.js";
import { begin, beginSolved } from "./begin.js";
import { listenToBoard } from "./board-input.js";
import { openGame, stateOf } from "./reload.js";
import { watchQuestions } from "./question-room.js";

const settings = new Settings();
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

/** Shows the chosen colours. */
function applyTheme() {
  const theme = settings.get("theme");
  const isDark = theme === "dark" || (theme === "auto" && systemIsDark.matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  document.documentElement.dataset.board = settings.get("board");
}

applyTheme();
systemIsDark.addEventListener("change", applyTheme);
settings.addEventListener("change", (event) => ["theme", "board"].includes(event.detail) && applyTheme());

const engine = new Engine(await openTransport());

async function start() {
  let offer;
  try {
    await setLanguage(settings.get("language") ?? preferredLanguage());
    offer = await engine.hello();
  } catch (error) {
    const banner = byId("connection");
    const text = error.locked ? "status.locked" : "status.lost";
    banner.hidden = false;
    // Without the texts of any language the banner has its own.
    if (hasText(text)) banner.textContent = t(text);
    setTimeout(start, 2000);
    return;
  }
  run(offer, await engine.choices(offer).catch(() => null));
}

function run(offer, choices) {
  byId("connection").hidden = true;
  const terms = { sides: offer.sides, rules: offer.rules };
  const session = new Session(engine, { rule: settings.get("rule"), width: settings.get("width"), height: settings.get("height") });
  const clock = new Clock();
  const notify = (text, isProblem) => status.notify(text, isProblem);
  const solved = new SolvedGame({ session, engine, settings, proofs: offer.proofs });
  const shared = { session, engine, settings, clock, notify, solved };
  const opening = new Opening(shared);
  const play = new Play(shared);
  play.opening = opening;
  const analysis = new Analysis({ ...shared, play });
  const review = new Review(shared);
  const modes = new Modes();
  // An opened game is analysed, not continued by the engine and not played as a puzzle.
  const files = new Files({
    ...shared, terms, analysis, choose: chooseGame, details: (game) => detailsOf(game, play),
    beforeOpen: () => modes.leave("play", "puzzles"),
  });
  const view = new View({ session, settings, analysis, review, opening, play });
  const status = new Status({ session, engine, play, solved });
  const library = new Library();
  const page = { ...shared, library, opening, play, analysis, review, modes, files, view, status, offer, choices, terms, speak, clearData };
  page.begin = (chosen) => begin(page, chosen);
  page.beginSolved = (proof) => beginSolved(page, proof);
  const actions = createActions(page);
  page.actions = actions;
  page.jump = actions.jump;
  const controls = new Controls(page);
  page.controls = controls;
  const panels = {
    play: new PlayPanel({ ...shared, play, opening, offer, actions }),
    analyse: new AnalysePanel({ ...shared, analysis, view, actions }),
    review: new ReviewPanel({ ...shared, review, actions }),
    puzzles: new PuzzlesPanel(page, offer.rules),
    files: new FilesPanel({ files, library, actions, rules: offer.rules }),
    edit: new EditPanel({ session, actions }),
    solved: new SolvedView({ ...shared, view, actions }),
  };
  const study = offer.study ? new ServerStudy(engine, offer.study) : new BrowserStudy(engine);
  const explorer = new Explorer({ session, study, notify });
  panels.explorer = new ExplorerView({ ...shared, explorer, analysis, view, actions, modes, ask: askOnce });
  page.panels = panels;
  const cards = new Cards(page);
  page.cards = cards;
  const saved = new SavedGame(() => stateOf(page), () => notify(t("storage.refused"), true));

  modes.addEventListener("change", () => {
    const mode = modes.current;
    view.mode = mode;
    play.enabled = mode === "play";
    if (["play", "review", "puzzles"].includes(mode)) analysis.clear();
    status.mode = mode;
    actions.toolChosen(panels.edit.tool);
    view.drawMarks();
    view.drawRate();
    controls.drawLists();
  });

  /** Changes the language of the page. */
  async function speak(code) {
    try {
      await setLanguage(code);
    } catch (error) {
      const problem = { name: LANGUAGES[code], reason: error.message };
      notify(error.locked ? t("status.locked") : t("files.unreadable", problem), true);
      return;
    }
    // The language of the last call, which this one may not be.
    settings.set("language", document.documentElement.lang);
    drawAll();
  }

  /** Removes all data that this page keeps in the browser, and restarts the page. */
  async function clearData() {
    if (!(await askOnce(t("settings.clear-ask"), t("settings.clear")))) return;
    saved.forget();
    PuzzleStore.forget();
    Library.forget();
    BrowserTable.forget();
    settings.forget();
    location.replace(location.pathname);
  }

  session.addEventListener("game", () => {
    analysis.set(false);
    review.fromFile();
  });
  for (const kind of ["game", "position", "tree", "notes", "facts"]) session.addEventListener(kind, () => saved.changed());
  modes.addEventListener("change", () => saved.changed());
  play.addEventListener("state", () => saved.changed());
  session.addEventListener("lost", () => status.offer(t(session.lost === session.game ? "action.restore" : "action.restore-game"), "U", actions.restore));
  opening.addEventListener("end", () => analysis.restart());
  settings.addEventListener("change", (event) => {
    if (COLORS.includes(event.detail)) {
      panels.play.draw();
      controls.drawPlayers();
    }
  });

  const chooseResources = () => engine.choose({ threads: settings.get("threads") || null, memory_mib: settings.get("memory") || null });
  chooseResources();
  settings.addEventListener("change", ({ detail: name }) => {
    if (name === "ponder") engine.stopPondering();
    if (!["threads", "memory"].includes(name)) return;
    chooseResources();
    analysis.restart();
  });
  document.addEventListener("visibilitychange", () => document.hidden && engine.stopPondering());

  listenToBoard(page);
  const clicks = {
    "new-game": "newGame", settings: "settings", help: "help", "to-start": "toStart", back: "back",
    forward: "forward", "to-end": "toEnd", undo: "undo", "hint-button": "hint", analyse: "analyse",
    stop: "stop", promote: "promote", remove: "remove",
  };
  for (const [id, action] of Object.entries(clicks)) {
    byId(id).addEventListener("click", () => actions[action]());
  }
  listenToKeys(actions, view, settings);
  watchInput();
  document.addEventListener("click", () => !isDialogOpen() && leaveButton());
  byId("dialog").addEventListener("close", leaveButton);
  review.addEventListener("done", () => notify(accuracyText(review.found)));
  byId("comment").addEventListener("input", (event) => {
    session.node.comment = event.target.value;
    session.notesChanged();
  });

  listenToSheet(page);
  listenToIncoming(page);
  soundMoves(page);

  function drawAll() {
    for (const panel of Object.values(panels)) panel.draw();
    view.setGame();
    controls.drawButtons();
    controls.drawLists();
    controls.drawOpening();
    status.draw();
    cards.draw();
  }

  modes.set("play");
  drawAll();
  watchQuestions();
  openGame(page);
  document.body.removeAttribute("data-loading");
  document.body.dataset.ready = "";
}

/** The panel that is pulled over the board on phones. */
function listenToSheet({ modes, view }) {
  function setSheet(isTall) {
    byId("side").classList.toggle("tall", isTall);
    byId("sheet-handle").setAttribute("aria-expanded", isTall);
  }

  byId("sheet-handle").addEventListener("click", () => setSheet(!byId("side").classList.contains("tall")));
  modes.addEventListener("change", () => {
    setSheet(false);
    byId("side").scrollTop = 0;
  });
  view.board.addEventListener("choose", () => setSheet(false));
}

/** Plays a sound for each move to the next position. */
function soundMoves({ session, settings }) {
  const sound = new StoneSound();
  let before = session.node;
  session.addEventListener("position", () => {
    const { node } = session;
    if (settings.get("sound") && node.at && node.parent === before) sound.play();
    before = node;
  });
}

start();
