// Draws the board with stones, marks, best moves and hints.

import { byId, el, setContent } from "./dom.js";
import { t } from "./words.js";
import { Board } from "./board.js";
import { Loupe } from "./loupe.js";
import { Marks, markOf, percentOf } from "./marks.js";
import { blackRate } from "./graph.js";
import { nameOf, parseCell } from "./notation.js";
import { COLORS, stonesOfColor } from "./tree.js";

export class View {
  #session;
  #settings;
  #analysis;
  #review;
  #opening;
  #play;
  #marks;
  #cursor = null;
  /** The last cell of the cursor. */
  #lastCursor = null;
  /** The node that is drawn. */
  #drawn = null;
  #points = null;
  /** The line that is shown as ghost stones: its moves, the side of the first, and whether an analysis
   * may extend it; or null. */
  #line = null;
  /** Texts of a database on cells. */
  #texts = [];
  #hint = byId("hint");
  /** The arrow or line that is being drawn; `to` is null before its end is known. */
  #pending = /** @type {{ at: string, to: string | null, sign: string } | null} */ (null);
  /** The mode of the page: `play`, `analyse`, `review`, `files`, `edit`. */
  mode = "play";

  constructor({ session, settings, analysis, review, opening, play }) {
    this.#session = session;
    this.#settings = settings;
    this.#analysis = analysis;
    this.#review = review;
    this.#opening = opening;
    this.#play = play;
    this.board = new Board(byId("board"));
    this.#marks = new Marks(this.board);
    session.addEventListener("game", () => this.setGame());
    session.addEventListener("position", () => this.drawPosition());
    session.addEventListener("facts", () => this.drawMarks());
    session.addEventListener("notes", () => {
      this.drawRate();
      this.drawMarks();
    });
    analysis.addEventListener("update", () => {
      this.#points = null;
      this.#refreshLine();
      this.drawCandidates();
      this.drawRate();
    });
    review.addEventListener("change", () => this.drawMarks());
    opening.addEventListener("change", () => this.drawMarks());
    settings.addEventListener("change", (event) => {
      if (["numbers", "coordinates"].includes(event.detail)) this.setGame();
      if (["layers", "kinds"].includes(event.detail)) this.drawMarks();
    });
    this.board.addEventListener("hover", (event) => this.#hover(event.detail));
    const loupe = new Loupe(byId("loupe"), this.board);
    this.board.addEventListener("aim", ({ detail: at }) => {
      this.board.setCursor(at ?? this.#cursor, session.side, true);
      loupe.show(at);
    });
  }

  setGame() {
    const { game } = this.#session;
    this.board.setGame(game, this.#settings.get("coordinates"));
    const [, , width, height] = this.board.viewBox;
    const ratio = width / height;
    document.querySelector("main").style.setProperty("--board-ratio", ratio.toFixed(4));
    this.drawPosition();
  }

  drawPosition() {
    const { node } = this.#session;
    this.#points = null;
    this.#line = null;
    this.#pending = null;
    // The cursor stays if the opponent moves while the user selects a cell.
    const isNextMove = node.parent !== null && node.parent === this.#drawn;
    this.board.setStones(this.#session.board(), node.at, this.#settings.get("numbers"), isNextMove);
    this.cursor = isNextMove && !this.#session.board().stones.has(this.#cursor) ? this.#cursor : null;
    this.#drawn = node;
    this.#hint.hidden = true;
    this.#marks.explain([]);
    this.drawMarks();
    this.drawRate();
  }

  /** Whether hints would spoil a guess. */
  get hidesHints() {
    return this.mode === "review" && this.#review.isHidden;
  }

  drawMarks() {
    const { node, facts } = this.#session;
    const opening = this.#opening.state;
    const isPoint = opening && ["place", "offer", "pick"].includes(opening.question?.kind);
    const zone = isPoint && opening.question.reach !== 255 && opening.question.kind === "place" ? opening.allowed : [];
    this.#marks.setGround({
      facts,
      layers: this.hidesHints ? { fouls: this.#settings.get("layers").fouls } : this.#settings.get("layers"),
      kinds: this.#settings.get("kinds"),
      marks: [...node.marks, ...this.#textMarks(node.marks), ...this.#pendingMarks()],
      avoid: [...this.#analysis.avoid],
      region: this.#analysis.region,
      offers: opening?.offers ?? [],
      zone,
    });
    this.drawCandidates();
  }

  /** @returns {import("./tree.js").FileMark[]} */
  #pendingMarks() {
    if (!this.#pending) return [];
    const { at, to, sign } = this.#pending;
    return [to === null ? { at, sign: "circle" } : { at, to, sign }];
  }

  /** The start of the arrow or line that is being drawn, or null. */
  get pendingStart() {
    return this.#pending?.at ?? null;
  }

  /** Shows an arrow or line that is being drawn: only its start if `to` is null. */
  showPending(at, to, sign) {
    this.#pending = { at, to, sign };
    this.drawMarks();
  }

  hidePending() {
    if (!this.#pending) return;
    this.#pending = null;
    this.drawMarks();
  }

  /**
   * The texts of a database on the cells that have no mark of the file.
   * @param {import("./tree.js").FileMark[]} marks
   */
  #textMarks(marks) {
    return this.#texts.filter(({ at }) => marks.every((mark) => mark.at !== at)).map(markOf);
  }

  /** Shows texts of a database. */
  showTexts(texts) {
    if (texts.length === 0 && this.#texts.length === 0) return;
    this.#texts = texts;
    this.drawMarks();
  }

  drawCandidates() {
    if (this.#line) {
      this.#marks.showLine(this.#line.moves, this.#line.side);
      return;
    }
    if (this.#points) {
      this.#marks.setPoints(this.#points.points, this.#points.kind);
      return;
    }
    const review = this.#review.next;
    if (this.hidesHints) {
      this.#marks.setCandidates([], false);
    } else if (this.#analysis.found) {
      this.#marks.setCandidates(this.#analysis.found.lines, this.#analysis.threat);
    } else if (this.mode === "review" && review?.best) {
      this.#marks.setReviewed(review.best, review.at);
    } else {
      this.#marks.setCandidates([], false);
    }
  }

  /** Draws the win-rate bar. */
  drawRate() {
    const rate = this.hidesHints ? null : blackRate(this.#session.node, this.#session.side);
    const bar = byId("win-rate");
    bar.hidden = rate === null || (this.mode === "play" && !this.#analysis.found);
    if (rate === null) return;
    const [black, white] = [percentOf(rate), percentOf(1 - rate)];
    bar.querySelector(".win-rate-black").style.width = `${rate * 100}%`;
    const [left, right] = bar.querySelectorAll(".win-rate-text");
    left.textContent = `${black} %`;
    right.textContent = `${white} %`;
    bar.setAttribute("aria-label", t("rate.text", { black, white }));
  }

  /** Shows a line as ghost stones until `hideLine` or another position. An analysis extends it, unless
   * it is fixed. */
  showLine(moves, side, isFixed = false) {
    this.#line = { moves, side, isFixed };
    this.drawCandidates();
  }

  /** Whether a line is shown as ghost stones. */
  get showsLine() {
    return this.#line !== null;
  }

  hideLine() {
    this.#line = null;
    this.drawCandidates();
  }

  /** Shows the newest moves of the shown line, if the analysis has a line with the same first move, or
   * the new line of the cell under the pointer. */
  #refreshLine() {
    const { found, side } = this.#analysis;
    const pointed = !this.#line && !this.hidesHints && found?.lines.find((it) => it.moves[0] === this.board.hovered);
    if (pointed) {
      this.board.setCursor(null);
      this.#line = { moves: pointed.moves, side, isFixed: false };
    }
    if (!this.#line || this.#line.isFixed || this.#line.side !== side) return;
    const line = found?.lines.find((it) => it.moves[0] === this.#line.moves[0]);
    if (line) this.#line.moves = line.moves;
  }

  showPoints(points, kind) {
    this.#line = null;
    this.#points = { points, kind };
    this.drawCandidates();
  }

  /** Selects a cell by a first tap, and shows its line or the reason why it is forbidden. */
  look(at) {
    this.cursor = at;
    this.#hover(at);
    if (!this.#line) this.board.setCursor(at, this.#session.side, true);
  }

  #hover(at) {
    const session = this.#session;
    this.#marks.explain([]);
    this.#hint.hidden = true;
    if (this.#cursor === null) {
      const isFree = at !== null && session.problem(at) === null;
      const isTurn = this.mode !== "play" || !this.#play.isEngine(session.side);
      this.board.setCursor(isFree && isTurn ? at : null, session.side, false);
    }
    const line = this.#analysis.found?.lines.find((it) => it.moves[0] === at);
    if (at !== null && line && !this.hidesHints && !this.#points) {
      this.board.setCursor(null);
      this.showLine(line.moves, this.#analysis.side);
    } else if (this.#line || this.#analysis.found || this.#points) {
      this.hideLine();
    }
    if (at === null) return;
    const isShown = this.#settings.get("layers");
    const foul = this.#explained(at);
    if (foul && isShown.fouls) {
      this.#explain(at, this.foulText(at), foul.parts.map((part) => ({ ...part, at })));
      return;
    }
    const prospects = (session.facts?.prospects ?? []).filter((it) => it.at === at && isShown[it.color]);
    if (prospects.length > 0 && !this.hidesHints) {
      const words = prospects.map(({ color, kind }) => `${t(`color.${color}`)}: ${t(`name.${kind}`)}`);
      this.#explain(at, words.join("\n"), prospects.map(({ stones }) => ({ stones, at, real: true })));
    }
  }

  /** The explanation of a point that is forbidden or only looks so; undefined for other points. */
  #explained(at) {
    const { fouls = [], legal = [] } = this.#session.facts ?? {};
    return fouls.find((it) => it.at === at) ?? legal.find((it) => it.at === at);
  }

  /** Why a point is forbidden or not, as text: the foul, and the threat on each line. */
  foulText(at) {
    const found = this.#explained(at);
    if (!found) return "";
    const parts = found.parts.map(({ kind, stones, real, forbidden, fives }) => {
      const text = t(real ? `part.${kind}` : `part.false-${kind}`, { stones: stones.join(" ") });
      const spoilt = [["part.blocked", forbidden], ["part.five", fives]].filter(([, cells]) => cells.length > 0);
      const reasons = spoilt.map(([key, cells]) => t(key, { at: cells.join(" ") }));
      return reasons.length > 0 ? `${text} (${reasons.join("; ")})` : text;
    });
    const verdict = found.kind
      ? t("foul.at", { at, foul: t(`foul.${found.kind}`) })
      : t("foul.legal", { at });
    return [verdict, ...parts].join("\n");
  }

  #explain(at, text, parts) {
    this.#marks.explain(parts);
    const hint = this.#hint;
    hint.textContent = text;
    hint.hidden = false;
    const frame = hint.parentElement.getBoundingClientRect();
    const { x, y } = this.#place(at, frame);
    const right = x > frame.width / 2;
    hint.style.left = right ? "auto" : `${x + 24}px`;
    hint.style.right = right ? `${frame.width - x + 24}px` : "auto";
    // Below the row of the cell, which the hint is often about.
    hint.style.top = `${Math.min(y + 26, frame.height - 90)}px`;
  }

  /** The place of a cell in the frame, in pixels. */
  #place(at, frame) {
    const { x, y } = this.board.center(at);
    const [left, top, width] = this.board.viewBox;
    const scale = frame.width / width;
    return { x: (x - left) * scale, y: (y - top) * scale };
  }

  /** The selected cell, which a second tap or Enter plays; or null. */
  get cursor() {
    return this.#cursor;
  }

  set cursor(at) {
    this.#cursor = at;
    this.#lastCursor = at ?? this.#lastCursor;
    this.board.setCursor(at, this.#session.side, true);
  }

  /** Moves the cursor by columns and rows from its last cell. The first time it is shown in the middle. */
  moveCursor(dx, dy) {
    const { game } = this.#session;
    const middle = nameOf(Math.floor(game.width / 2), Math.floor(game.height / 2), game.height);
    const last = this.#lastCursor && game.has(this.#lastCursor) ? this.#lastCursor : null;
    const { x, y } = parseCell(last ?? middle, game.height);
    const clamp = (value, most) => Math.min(Math.max(value, 0), most - 1);
    const step = last === null ? 0 : 1;
    this.cursor = nameOf(clamp(x + dx * step, game.width), clamp(y + dy * step, game.height), game.height);
    return this.#cursor;
  }

  /** All stones and the side to move as text, for screen readers. */
  describeBoard() {
    const { stones } = this.#session.board();
    const parts = COLORS.map((color) => `${t(`color.${color}`)}: ${stonesOfColor(stones, color).join(" ") || "–"}`);
    return `${parts.join(". ")}. ${t("status.to-move", { color: t(`color.${this.#session.side}`) })}`;
  }

  /** A cell and its content as text, for screen readers. */
  describe(at) {
    const stone = this.#session.board().stones.get(at);
    const foul = this.#session.facts?.fouls.find((it) => it.at === at);
    const marks = this.#session.node.marks.filter((mark) => mark.at === at).map(markText).join("");
    if (stone) return t("cell.stone", { at, color: t(`color.${stone.color}`), number: stone.number || "" }) + marks;
    return (foul ? t("cell.foul", { at, foul: t(`foul.${foul.kind}`) }) : t("cell.empty", { at })) + marks;
  }

  /** Shows a menu next to a cell. `entries` are pairs of a label and an action. */
  showMenu(at, entries) {
    const menu = byId("menu");
    const frame = menu.parentElement.getBoundingClientRect();
    const { x, y } = this.#place(at, frame);
    setContent(menu, ...entries.map(([label, run]) => el("button", {
      type: "button", role: "menuitem",
      onclick: () => {
        this.hideMenu();
        run();
      },
    }, label)));
    menu.hidden = false;
    const right = x > frame.width / 2;
    menu.style.left = right ? "auto" : `${x + 14}px`;
    menu.style.right = right ? `${frame.width - x + 14}px` : "auto";
    menu.style.top = `${Math.min(y + 8, frame.height - 120)}px`;
    menu.firstElementChild.focus();
  }

  hideMenu() {
    const menu = byId("menu");
    if (menu.contains(document.activeElement)) byId("board").focus({ preventScroll: true });
    menu.hidden = true;
  }
}

/** A mark as text, for screen readers. */
function markText({ to, sign, text }) {
  const name = text ?? t(`edit.${sign}`);
  return to === undefined ? `, ${name}` : `, ${name} → ${to}`;
}
