// The parts around the board that follow the game: players, buttons, the list of moves, the graph.

import { byId } from "./dom.js";
import { t } from "./words.js";
import { Graph } from "./graph.js";
import { Moves } from "./moves.js";
import { clockText } from "./clock.js";
import { endingText, openingName, seatName } from "./names.js";
import { COLORS } from "./tree.js";

export class Controls {
  #page;
  #graph;
  #moves;
  #isFrameDue = false;
  #areMovesDue = false;

  constructor(page) {
    this.#page = page;
    const { session, engine, analysis, review, opening, play, clock, status, modes } = page;
    const goTo = (node) => page.jump(() => session.goTo(node));
    this.#graph = new Graph(byId("graph"), session, goTo);
    this.#moves = new Moves(byId("moves"), session, goTo);
    session.addEventListener("position", () => {
      document.body.dataset.settled = "false";
      this.drawButtons();
      this.drawLists();
      if (page.view.cursor === null) byId("confirm").hidden = true;
      byId("comment").value = session.node.comment;
      const { node } = session;
      if (node.at) status.announce(t("spoken.move", { color: t(`color.${node.color}`), at: node.at }));
    });
    session.addEventListener("tree", () => this.drawLists());
    session.addEventListener("notes", () => this.drawLists());
    session.addEventListener("facts", () => {
      document.body.dataset.settled = "true";
      this.drawButtons();
      status.draw();
      this.drawOpening();
      const ending = endingText(session);
      if (ending) status.announce(ending);
    });
    session.addEventListener("game", () => this.drawPlayers());
    engine.addEventListener("busy", () => this.drawButtons());
    analysis.addEventListener("update", () => {
      this.drawButtons();
      this.#drawGraph();
    });
    opening.addEventListener("change", () => this.drawButtons());
    review.addEventListener("change", () => this.drawLists());
    clock.addEventListener("tick", () => this.drawPlayers());
    play.addEventListener("seats", () => this.drawPlayers());
    modes.addEventListener("change", () => {
      this.#placeGraph();
      this.drawButtons();
    });
  }

  drawPlayers() {
    const { session, engine, play, clock, modes } = this.#page;
    // Outside of a game there are the names of a file, or none.
    const isGame = modes.current === "play";
    for (const color of COLORS) {
      const strip = byId(`player-${color}`);
      const named = session.game.players[color];
      strip.querySelector(".name").textContent = isGame ? seatName(play, color) : named ?? t(`color.${color}`);
      strip.querySelector(".clock").textContent = clock.enabled ? clockText(clock.left(color)) : "";
      const isTurn = session.side === color && !session.isOver;
      const name = strip.querySelector(".name").textContent;
      strip.setAttribute("aria-label", `${t(`color.${color}`)}: ${name}${isTurn ? `, ${t("player.turn")}` : ""}`);
      strip.classList.toggle("turn", isTurn);
      strip.classList.toggle("thinking", isTurn && engine.busy === "think");
    }
  }

  /** Draws the list of moves and the graph in the next frame. */
  drawLists() {
    this.#areMovesDue = true;
    this.#drawGraph();
  }

  #drawGraph() {
    if (this.#isFrameDue) return;
    this.#isFrameDue = true;
    requestAnimationFrame(() => {
      this.#isFrameDue = false;
      const { review, view, modes } = this.#page;
      if (this.#areMovesDue) this.#moves.draw({ hideGrades: review.guessing && modes.current === "review" });
      this.#areMovesDue = false;
      this.#graph.draw();
      const isReview = modes.current === "review";
      byId("graph").toggleAttribute("hidden", view.hidesHints || !(isReview || modes.current === "analyse"));
      document.querySelector("main").toggleAttribute("data-graph", isReview && review.found !== null);
    });
  }

  /** While the engine works, Stop takes the place of Analyse; the focus goes with it. */
  #drawStop(isBusy) {
    const [stop, analyse] = [byId("stop"), byId("analyse")];
    const had = document.activeElement;
    stop.disabled = !isBusy;
    stop.hidden = !isBusy;
    analyse.hidden = isBusy;
    if (isBusy && had === analyse) stop.focus();
    if (!isBusy && had === stop) analyse.focus();
  }

  /** Places the graph: in a review below the board, else above the moves. */
  #placeGraph() {
    const isReview = this.#page.modes.current === "review";
    const next = document.querySelector(isReview ? ".controls" : ".moves-head");
    if (next.previousElementSibling !== byId("graph")) next.before(byId("graph"));
  }

  /** The name of the opening, from the third move on. */
  drawOpening() {
    const { facts, node } = this.#page.session;
    const line = byId("opening-name");
    if (facts?.opening) line.textContent = openingName(facts.opening, document.documentElement.lang);
    else if (node.depth < 3 || facts) line.textContent = "";
  }

  drawButtons() {
    const { session, engine, analysis, opening, solved } = this.#page;
    this.#drawStop(engine.busy !== null);
    byId("analyse").setAttribute("aria-pressed", analysis.isOn);
    const isFixed = opening.isActive;
    // Puzzles have buttons of their own, which keep the solution.
    const isPuzzle = this.#page.modes.current === "puzzles";
    for (const id of ["undo", "hint-button"]) byId(id).hidden = isPuzzle;
    if (isPuzzle) byId("analyse").hidden = true;
    byId("back").disabled = byId("to-start").disabled = isFixed || !session.node.parent;
    // The analysis shows the best moves.
    byId("hint-button").disabled = analysis.isOn;
    byId("undo").disabled = byId("back").disabled || solved.isAtStart;
    byId("forward").disabled = byId("to-end").disabled = isFixed || session.node.children.length === 0;
    byId("promote").disabled = byId("remove").disabled = isFixed || !session.node.parent;
    this.drawPlayers();
  }
}
