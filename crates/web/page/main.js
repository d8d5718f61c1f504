// Builds the page and connects its parts.

import { byId, el } from "./dom.js";
import { HttpTransport } from "./transport.js";
import { Engine } from "./engine.js";
import { Settings } from "./settings.js";
import { Game } from "./tree.js";
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
import { listenToKeys } from "./keys.js";
import { chooseGame } from "./dialogs.js";
import { Modes } from "./modes.js";
import { Controls } from "./controls.js";
import { createActions } from "./actions.js";
import { listenToIncoming } from "./incoming.js";
import { LANGUAGES, preferredLanguage, setLanguage, t } from "./words.js";

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
  const modes = new Modes();
  // An opened game is analysed, not continued by the engine.
  const files = new Files({
    ...shared, terms, choose: chooseGame,
    beforeOpen: () => modes.current === "play" && modes.set("analyse"),
  });
  const view = new View({ session, settings, analysis, review, opening, play });
  const status = new Status({ session, engine, play });
  const page = { ...shared, opening, play, analysis, review, modes, files, view, status, offer, terms, applyTheme, begin };
  const actions = createActions(page);
  page.jump = actions.jump;
  const controls = new Controls(page);
  page.controls = controls;
  const panels = {
    play: new PlayPanel({ ...shared, play, opening, offer, actions }),
    analyse: new AnalysePanel({ ...shared, analysis, view, actions }),
    review: new ReviewPanel({ ...shared, review, actions }),
    files: new FilesPanel({ files, actions, rules: offer.rules }),
    edit: new EditPanel({ session, actions }),
  };
  page.panels = panels;

  modes.addEventListener("change", () => {
    const mode = modes.current;
    view.mode = mode;
    play.enabled = mode === "play";
    if (["play", "review"].includes(mode)) analysis.clear();
    status.mode = mode;
    view.drawMarks();
    view.drawRate();
    controls.drawLists();
  });

  /** Starts a new game with these terms. */
  function begin(terms) {
    engine.cancel();
    session.load(new Game(terms));
    settings.set("rule", terms.rule);
    modes.set("play");
    // After the change of the panel, which pauses the engine.
    play.begin();
    panels.play.draw();
    controls.drawPlayers();
    if (terms.opening !== "none") opening.begin(terms.opening);
  }

  session.addEventListener("game", () => {
    settings.set("rule", session.game.rule);
    analysis.set(false);
    review.fromFile();
  });
  opening.addEventListener("end", () => analysis.restart());
  settings.addEventListener("change", (event) => {
    if (["black", "white"].includes(event.detail)) {
      panels.play.draw();
      controls.drawPlayers();
    }
  });

  view.board.addEventListener("choose", (event) => {
    // A finger covers the cell: the first tap selects, the second plays.
    const isFirst = event.touch && view.cursor !== event.detail && modes.current !== "edit";
    if (isFirst) {
      view.cursor = event.detail;
      byId("confirm").hidden = false;
      byId("confirm").textContent = t("action.confirm", { at: event.detail });
      return;
    }
    actions.choose(event.detail);
  });
  byId("confirm").addEventListener("click", () => view.cursor && actions.choose(view.cursor));
  view.board.addEventListener("alternate", (event) => {
    const at = event.detail;
    if (session.board().stones.has(at)) return;
    view.showMenu(at, [
      [t("menu.why", { at }), () => actions.whyNot(at)],
      [t(analysis.avoid.has(at) ? "menu.take-in" : "menu.leave-out", { at }), () => actions.avoid(at)],
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

  listenToIncoming(page);

  function drawAll() {
    for (const panel of Object.values(panels)) panel.draw();
    view.setGame();
    controls.drawButtons();
    controls.drawLists();
    status.draw();
  }

  modes.set("play");
  drawAll();
  const linked = Session.fromAddress(terms);
  // A link to a position opens the analysis.
  if (linked && linked.node.depth > 0) modes.set("analyse");
  session.load(linked ?? session.game, linked?.node ?? session.game.root);
  play.begin();
  document.body.dataset.ready = "";
}

start();
