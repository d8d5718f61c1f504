// The panel for puzzles: which ones, what to do, hints and the solution.

import { addTo, byId, el, setContent } from "./dom.js";
import { loadPuzzles } from "./data-files.js";
import { t, translate } from "./words.js";
import { daily, PuzzleStore } from "./puzzle-store.js";
import { difficultyOf, PuzzleSession, readPuzzles } from "./puzzles.js";
import { COLORS, stonesOfColor } from "./tree.js";

const DIFFICULTIES = ["easy", "medium", "hard"];
const OWN = "own";

export class PuzzlesPanel {
  #root = byId("panel-puzzles");
  #page;
  #puzzles;
  #store;
  #all = [];
  #text = el("p", { class: "box", "aria-live": "polite", id: "puzzle-text" });
  #buttons = el("div", { class: "row-of asks" });
  #record = el("p", { class: "soft", id: "puzzle-record" });
  /** The game that was on the board before the puzzles. */
  #before = null;

  constructor(page, rules) {
    this.#page = page;
    this.#store = new PuzzleStore(undefined, () => page.notify(t("storage.refused"), true));
    this.#puzzles = new PuzzleSession(page);
    const { settings, modes, review } = page;
    const select = (id, label, values, name, setting) => {
      const box = el("select", { id, "data-key": "N", "data-t-label": label, onchange: (event) => {
        settings.set(setting, event.target.value);
        this.next();
      } }, ...values.map((it) => el("option", { value: it, "data-t": name(it) })));
      box.value = settings.get(setting);
      return box;
    };
    addTo(this.#root,
      el("div", { class: "row-of" },
        select("puzzle-rule", "new.rule", ["any", ...rules.filter((it) => it !== "caro-overline")], (it) => (it === "any" ? "puzzle.any-rule" : `rule.${it}`), "puzzleRule"),
        select("puzzle-level", "puzzle.level", [...DIFFICULTIES, OWN], (it) => `puzzle.level.${it}`, "puzzleLevel")),
      el("div", { class: "panel-body question" }, this.#text, this.#buttons), this.#record);
    this.#puzzles.addEventListener("change", () => {
      const { puzzle, isClean } = this.#puzzles;
      if (this.isOpen && puzzle && isClean) this.#store.solve(puzzle.id);
      this.draw();
    });
    this.#store.addEventListener("change", () => this.#drawRecord());
    modes.addEventListener("change", () => this.#modeChanged());
    review.addEventListener("change", () => this.#collect());
  }

  /** The game that comes back after the puzzles; null without puzzles. */
  get kept() {
    return this.#before?.game ?? null;
  }

  get isOpen() {
    return this.#page.modes.current === "puzzles";
  }

  async #modeChanged() {
    const { session } = this.#page;
    if (this.isOpen) {
      if (this.#before) return;
      this.#before = { game: session.game, node: session.node };
      await this.#load();
      if (this.isOpen) this.next();
    } else if (this.#before) {
      const { game, node } = this.#before;
      this.#before = null;
      session.load(game, node, true);
    }
  }

  async #load() {
    if (this.#all.length > 0) return;
    try {
      this.#all = readPuzzles(await loadPuzzles());
    } catch {
      this.#page.notify(t("puzzle.none"), true);
    }
  }

  /** The puzzles of the chosen rule and difficulty. */
  get #chosen() {
    const { settings } = this.#page;
    const [rule, level] = [settings.get("puzzleRule"), settings.get("puzzleLevel")];
    const list = level === OWN ? this.#store.own : this.#all.filter((it) => difficultyOf(it) === level);
    return list.filter((it) => rule === "any" || it.rule === rule);
  }

  /** Shows the next puzzle that is not solved; the first of a day is the same for everyone. */
  next() {
    const chosen = this.#chosen;
    const current = chosen.indexOf(this.#puzzles.puzzle);
    const start = current >= 0 ? current + 1 : chosen.length > 0 ? daily(new Date(), chosen.length) : 0;
    const order = [...chosen.slice(start), ...chosen.slice(0, start)];
    const puzzle = order.find(({ id }) => !this.#store.isSolved(id)) ?? order[0];
    if (puzzle) {
      this.#puzzles.begin(puzzle);
    } else {
      this.#puzzles.puzzle = null;
      this.draw();
    }
  }

  /** Plays a move in the puzzle. */
  choose(at) {
    this.#puzzles.play(at);
  }

  undo() {
    this.#puzzles.undo();
  }

  redo() {
    this.#puzzles.redo();
  }

  /** Keeps the missed wins of a review as puzzles. */
  #collect() {
    const { session, review } = this.#page;
    if (!review.found) return;
    const { rule, width, height } = session.game;
    if (width !== 15 || height !== 15) return;
    for (const { number, finding, best, color } of review.found.moves) {
      const node = review.nodeOf(number - 1);
      if (finding?.kind !== "missed-win" || !best || !node) continue;
      const { stones, walls } = session.game.board(node);
      if (walls.size > 0) continue;
      const [black, white] = COLORS.map((it) => stonesOfColor(stones, it));
      this.#store.addOwn({
        id: `${rule}:${black.join("")}:${white.join("")}`, rule, side: color, black, white, kind: "vct",
        first: best, plies: finding.plies,
      });
    }
  }

  #drawRecord() {
    this.#record.textContent = [
      t("puzzle.solved", { count: this.#store.solvedCount }),
      this.#store.streak > 0 ? t("puzzle.streak", { days: this.#store.streak }) : "",
    ].filter(Boolean).join(" · ");
  }

  draw() {
    translate(this.#root);
    const { puzzle, state, hints, refuted } = this.#puzzles;
    const button = (id, key, label, run, isPrimary = false) => el("button", {
      type: "button", id, "data-key": key, class: isPrimary ? "primary" : "", onclick: run,
    }, t(label));
    const isOver = ["solved", "shown"].includes(state);
    this.#drawRecord();
    if (!puzzle) {
      this.#text.textContent = t(this.#page.settings.get("puzzleLevel") === OWN ? "puzzle.no-own" : "puzzle.none");
      this.#buttons.replaceChildren();
      return;
    }
    const color = t(`color.${puzzle.side}`);
    const texts = {
      open: t("puzzle.open", { color, plies: puzzle.plies }), thinking: t("puzzle.thinking"),
      solved: t("puzzle.right"), shown: t("puzzle.shown"), wrong: t("puzzle.wrong", refuted),
    };
    const tips = [hints > 0 && t(`puzzle.hint.${puzzle.kind}`), hints > 1 && t("puzzle.hint.point", { at: puzzle.first })];
    setContent(this.#text, el("span", {}, `${t(`rule.${puzzle.rule}`)}. `), texts[state],
      ...(state === "open" ? tips.filter(Boolean).map((tip) => ` ${tip}`) : []));
    this.#text.classList.toggle("warn", state === "wrong");
    setContent(this.#buttons, ...[
      state === "wrong" ? button("puzzle-back", "u", "teach.take-back", () => this.#puzzles.takeBack(), true) : null,
      isOver || state === "wrong" ? null : button("puzzle-hint", "h", "action.hint", () => this.#puzzles.hint()),
      isOver ? button("puzzle-retry", "r", "puzzle.retry", () => this.#puzzles.retry()) : button("puzzle-show", "v", "puzzle.show", () => this.#puzzles.show()),
      button("puzzle-analyse", "a", "action.analyse", () => this.#analyse()),
      button("puzzle-next", "n", "puzzle.next", () => this.next(), isOver),
    ].filter(Boolean));
  }

  /** Analyses the position; the game from before can be brought back. */
  #analyse() {
    const { modes, session, actions } = this.#page;
    const before = this.#before;
    this.#before = null;
    this.#puzzles.leave();
    modes.set("analyse");
    if (before) session.lose(before.game, () => session.load(before.game, before.node));
    if (!this.#page.analysis.isOn) actions.analyse();
  }
}
