// The parts around the board that follow the game: players, buttons, the list of moves, the graph.

import { byId } from "./dom.js";
import { t } from "./words.js";
import { Graph } from "./graph.js";
import { Moves } from "./moves.js";
import { clockText } from "./clock.js";
import { endingText, playerName } from "./names.js";

export class Controls {
  #page;
  #graph;
  #moves;
  #isListDue = false;

  constructor(page) {
    this.#page = page;
    const { session, engine, analysis, review, opening, play, clock, status } = page;
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
      const ending = endingText(session);
      if (ending) status.announce(ending);
    });
    session.addEventListener("game", () => this.drawPlayers());
    engine.addEventListener("busy", () => this.drawButtons());
    analysis.addEventListener("update", () => this.drawButtons());
    opening.addEventListener("change", () => this.drawButtons());
    review.addEventListener("change", () => this.drawLists());
    clock.addEventListener("tick", () => this.drawPlayers());
    play.addEventListener("seats", () => this.drawPlayers());
  }

  drawPlayers() {
    const { session, engine, play, clock, modes } = this.#page;
    for (const color of ["black", "white"]) {
      const strip = byId(`player-${color}`);
      const named = session.game.players[color];
      strip.querySelector(".name").textContent = named && modes.current !== "play" ? named : playerName(play.seat(color));
      strip.querySelector(".clock").textContent = clock.enabled ? clockText(clock.left(color)) : "";
      const isTurn = session.side === color && !session.isOver;
      strip.classList.toggle("turn", isTurn);
      strip.classList.toggle("thinking", isTurn && engine.busy === "think");
    }
  }

  /** Draws the list of moves and the graph in the next frame. */
  drawLists() {
    if (this.#isListDue) return;
    this.#isListDue = true;
    requestAnimationFrame(() => {
      this.#isListDue = false;
      const { review, view, modes } = this.#page;
      this.#moves.draw({ hideGrades: review.guessing && modes.current === "review" });
      byId("graph").classList.toggle("hidden-hints", view.hidesHints);
      this.#graph.draw();
    });
  }

  drawButtons() {
    const { session, engine, analysis, opening } = this.#page;
    byId("stop").disabled = engine.busy === null;
    byId("analyse").setAttribute("aria-pressed", analysis.isOn);
    const isFixed = opening.isActive;
    byId("back").disabled = byId("to-start").disabled = byId("undo").disabled = isFixed || !session.node.parent;
    byId("forward").disabled = byId("to-end").disabled = isFixed || session.node.children.length === 0;
    byId("remove").disabled = isFixed || !session.node.parent;
    this.drawPlayers();
  }
}
