// Cards over the board: the first visit, and the end of a game.

import { CELL } from "./board.js";
import { byId, el, setContent } from "./dom.js";
import { focusBoard } from "./focus.js";
import { t } from "./words.js";
import { EASY, levelLabel } from "./new-game.js";
import { endingText } from "./names.js";
import { COLORS } from "./tree.js";
import { WINNER } from "./solved.js";

/** The levels of the first card. */
const FIRST = { easy: EASY, medium: "casual", strong: "strong" };

/** Space between a card and the cells or the edge of the board beside it, in pixels. */
const MARGIN = 6;

/**
 * The top of a card that does not cover cells, in pixels below that of the board: in the larger part of
 * the board above or below them, and beyond its edge where that is too small.
 * @param {{ top: number, bottom: number }} cells
 * @param {number} card height of the card
 * @param {number} board height of the board
 */
function topFor(cells, card, board) {
  if (cells.top > board - cells.bottom) return Math.min(cells.top - MARGIN - card, 2 * MARGIN);
  return Math.max(cells.bottom + MARGIN, board - card - 2 * MARGIN);
}

export class Cards {
  #page;
  #root = byId("card");
  /** The nodes whose ends were shown, so that a closed card does not come again. */
  #shown = new WeakSet();

  constructor(page) {
    this.#page = page;
    const { session, modes } = page;
    session.addEventListener("facts", () => this.#drawEnd());
    session.addEventListener("position", () => this.hide());
    modes.addEventListener("change", () => modes.current !== "play" && this.hide());
  }

  /** The indices of the nodes whose ends were shown, among the nodes of a game. */
  shownIn(game) {
    return [...game.nodes()].flatMap((node, index) => (this.#shown.has(node) ? [index] : []));
  }

  /** Does not show ends again that were shown before a reload. */
  setShown(game, indices = []) {
    const nodes = [...game.nodes()];
    for (const index of indices) if (nodes[index]) this.#shown.add(nodes[index]);
  }

  hide() {
    if (this.#root.hidden) return;
    const hadFocus = this.#root.contains(document.activeElement);
    if (this.#root.classList.contains("welcome")) this.#page.settings.set("visited", true);
    this.#root.hidden = true;
    if (hadFocus) focusBoard();
  }

  #show(classes, ...content) {
    const close = el("button", {
      type: "button", class: "icon quiet close", "data-key": "Esc", "aria-label": t("action.close"),
      onclick: () => this.hide(),
    }, "✕");
    this.#root.className = `card ${classes}`;
    setContent(this.#root, ...content, close);
    this.#root.style.top = "";
    this.#root.hidden = false;
  }

  /** Draws the first card in another language; the card of an end is closed. */
  draw() {
    if (this.#root.hidden) return;
    if (this.#root.classList.contains("welcome")) this.welcome();
    else this.hide();
  }

  /** Offers a game, an analysis or a file to someone who has never been here. */
  welcome() {
    const { offer, settings, actions } = this.#page;
    const rule = settings.get("rule");
    const game = ([name, level], index) => {
      const [label, elo] = levelLabel(offer, level, rule);
      return el("button", {
        type: "button", class: index === 0 ? "primary" : "", "data-key": String(index + 1), id: `welcome-${name}`,
        onclick: () => this.#begin({ black: "me", white: `level:${level}` }),
      }, t(`welcome.${name}`), el("small", {}, [label, elo].filter(Boolean).join(" · ")));
    };
    this.#show("welcome",
      el("h2", {}, t("welcome.title")),
      el("p", {}, t("welcome.text")),
      el("div", { class: "choices asks-quietly" }, ...Object.entries(FIRST).map(game)),
      el("div", { class: "row-of" },
        el("button", { type: "button", "data-key": "a", id: "welcome-analyse", onclick: () => this.#page.modes.set("analyse") }, t("action.analyse")),
        el("button", { type: "button", "data-key": "o", id: "welcome-open", onclick: actions.open }, t("files.open")),
        el("button", { type: "button", "data-key": "g", id: "welcome-more", onclick: actions.newGame }, t("welcome.more"))),
      el("p", { class: "soft" }, t("privacy")));
  }

  #begin(terms) {
    const { settings, begin, session } = this.#page;
    const { width, height } = session.game;
    const all = { rule: settings.get("rule"), width, height, opening: "none", clock: false, ...terms };
    settings.set("clock", all.clock);
    begin(all);
  }

  /** At the end of a game that was played here: who won and why, and what comes next. */
  #drawEnd() {
    const { session, modes, play, solved } = this.#page;
    const { node, facts } = session;
    // A game that goes on here can end here again.
    if (!session.isOver) this.#shown.delete(node);
    const text = endingText(session);
    if (!session.isOver || !text || modes.current !== "play" || !play.isGame || this.#shown.has(node)) return;
    if (facts?.state === "only-fouls" || facts?.state === "impossible") return;
    this.#shown.add(node);
    this.#page.actions.keepFinished();
    const seats = COLORS.map((color) => play.seat(color));
    const winner = session.verdict ? session.verdict.winner : facts?.winner ?? null;
    const person = COLORS[seats.indexOf("me")];
    const isAlone = person && seats.filter((it) => it === "me").length === 1;
    const isLost = solved.isOn && winner === WINNER;
    const title = !winner ? t("end.draw") : isLost ? t("solved.lasted", { count: solved.moves }) : isAlone ? t(winner === person ? "end.you-win" : "end.you-lose") : t("end.wins", { winner: t(`color.${winner}`) });
    this.#show("ending at-top",
      el("h2", {}, winner ? el("span", { class: `dot ${winner}`, "aria-hidden": "true" }) : null, title),
      el("p", {}, text),
      isLost ? el("p", { class: "soft" }, this.#record()) : null,
      el("div", { class: "row-of" }, ...(solved.isOn ? this.#nextSolved() : this.#next(seats, isAlone ? person : null, winner))));
    this.#uncover(facts?.row?.length ? facts.row : [node.at].filter(Boolean));
  }

  /** Moves the card off these cells. */
  #uncover(cells) {
    const { board } = this.#page.view;
    if (cells.length === 0) return;
    const frame = this.#root.parentElement.getBoundingClientRect();
    const [, top, width] = board.viewBox;
    const scale = frame.width / width;
    const all = cells.map((at) => (board.center(at).y - top) * scale);
    const half = CELL * scale / 2;
    const row = { top: Math.min(...all) - half, bottom: Math.max(...all) + half };
    this.#root.style.top = `${topFor(row, this.#root.offsetHeight, frame.height)}px`;
  }

  /** The record against the proof, and whether this game set it. */
  #record() {
    const { solved } = this.#page;
    if (solved.isRecord) return t("solved.new-record");
    const record = solved.record > 0 ? t("solved.record", { count: solved.record }) : "";
    return [record, solved.isClean ? "" : t("solved.uncounted")].filter(Boolean).join(". ");
  }

  /** What comes after a game against the proof. */
  #nextSolved() {
    const { beginSolved, panels, solved } = this.#page;
    const buttons = [el("button", { type: "button", id: "solved-again", "data-key": "1", class: "primary", onclick: () => beginSolved(solved.proof) }, t("solved.again"))];
    if (panels.solved.hasReply) buttons.push(el("button", { type: "button", id: "end-why", "data-key": "w", onclick: () => panels.solved.why() }, t("solved.show")));
    return buttons;
  }

  #next(seats, person, winner) {
    const { actions, offer, session } = this.#page;
    const button = (id, key, label, run, isPrimary) => el("button", { type: "button", id, "data-key": key, class: isPrimary ? "primary" : "", onclick: run }, label);
    const rematch = () => this.#rematch({ black: seats[1], white: seats[0] });
    const buttons = [button("rematch", "1", t("end.rematch"), rematch, true)];
    const levels = offer.levels.map(({ name }) => name);
    const engine = person && seats[person === "black" ? 1 : 0];
    const index = engine?.startsWith("level:") ? levels.indexOf(engine.slice(6)) : -1;
    const next = index < 0 || !winner ? undefined : levels[index + (winner === person ? 1 : -1)];
    if (next) {
      const [name] = levelLabel(offer, next, session.game.rule);
      const seat = `level:${next}`;
      buttons.push(button("next-level", "2", t(winner === person ? "end.harder" : "end.easier", { level: name }),
        () => this.#rematch(person === "black" ? { black: "me", white: seat } : { black: seat, white: "me" })));
    }
    buttons.push(button("end-review", "E", t("review.run"), () => {
      this.hide();
      actions.review();
    }));
    return buttons;
  }

  #rematch(seats) {
    const { session, settings } = this.#page;
    const { rule, width, height } = session.game;
    this.#begin({ ...seats, rule, width, height, opening: settings.get("opening"), clock: settings.get("clock") });
  }
}
