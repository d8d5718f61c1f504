// The explorer in the panel for analysis: the record of the position in a database, and the moves to
// other positions of it. A click on a move walks there.

import { addTo, byId, el, setContent } from "./dom.js";
import { t, translate } from "./words.js";
import { percentOf } from "./marks.js";
import { nameOf } from "./notation.js";
import { provedText } from "./names.js";
import { saveFile } from "./files.js";

/** Default time of an analysis in seconds, and the maximum. */
const SECONDS = 10;
const MOST_SECONDS = 3600;
const LINES = 3;

/** Maximum number of listed moves that are not proved to lose. */
const MOST_OPEN = 8;

/** Maximum length of a label in a database, in bytes of UTF-8. */
const MOST_LABEL_BYTES = 64;

const SIGNS = { win: "✓", draw: "=", loss: "✗" };

/** A result in short form: `✓9` is a proved win in 9 plies, `✗?` a claimed loss. */
export function resultSign({ value, evidence, plies }) {
  return `${SIGNS[value]}${value === "draw" ? "" : plies ?? ""}${evidence === "proved" ? "" : "?"}`;
}

/** A typed label without spaces at its ends, and without the characters that are too many for a database. */
export function labelOf(text) {
  const letters = [...text.trim()];
  while (new TextEncoder().encode(letters.join("")).length > MOST_LABEL_BYTES) letters.pop();
  return letters.join("").trimEnd();
}

/**
 * The fields of the texts of a record. A typed text that is not saved stays until another position is
 * shown.
 */
export class TextFields {
  #fields;
  #place = "";
  /** The texts that the fields got last, by their names. */
  #drawn = {};

  /** @param {Record<string, { value: string }>} fields by the names of their texts */
  constructor(fields) {
    this.#fields = fields;
  }

  /**
   * @param {string} place of the texts
   * @param {Record<string, any> | null} texts null until they are known
   */
  show(place, texts) {
    const isHere = place === this.#place;
    this.#place = place;
    if (isHere && !texts) return;
    for (const [name, field] of Object.entries(this.#fields)) {
      const text = texts?.[name] ?? "";
      if (!isHere || field.value === this.#drawn[name]) field.value = text;
      this.#drawn[name] = text;
    }
  }
}

export class ExplorerView {
  #explorer;
  #session;
  #engine;
  #analysis;
  #view;
  #actions;
  #notify;
  #ask;
  #about = el("p", { class: "soft", id: "explorer-about" });
  #text = el("p", { id: "explorer-text" });
  #list = el("ol", { class: "lines explorer-moves", id: "explorer-moves" });
  #label = el("input", { id: "explorer-label", "data-key": ";", maxlength: MOST_LABEL_BYTES, spellcheck: "false" });
  #comment = el("textarea", { id: "explorer-comment", "data-key": ";", rows: 2 });
  #texts = new TextFields({ label: this.#label, comment: this.#comment });
  #seconds = el("input", { type: "number", id: "explorer-seconds", "data-key": ";", min: 1, max: MOST_SECONDS, value: SECONDS });
  #remove;
  #file = el("input", { type: "file", id: "explorer-file", accept: ".jsonl", hidden: true, tabindex: -1, "aria-hidden": "true" });

  /** `ask` asks whether to do something that cannot be taken back. */
  constructor({ explorer, session, engine, analysis, view, actions, notify, modes, ask }) {
    this.#explorer = explorer;
    this.#ask = ask;
    this.#session = session;
    this.#engine = engine;
    this.#analysis = analysis;
    this.#view = view;
    this.#actions = actions;
    this.#notify = notify;
    const button = (id, label, onclick, more = {}) => el("button", { type: "button", id, "data-key": ";", "data-t": label, onclick, ...more });
    this.#remove = button("explorer-delete", "explorer.delete", () => this.#delete(), { class: "small quiet" });
    const save = () => {
      this.#label.value = labelOf(this.#label.value);
      explorer.edit({ label: this.#label.value, comment: this.#comment.value });
    };
    const own = explorer.study.name === null ? [
      el("p", { class: "soft", "data-t": "explorer.browser" }),
      el("div", { class: "row-of" },
        button("explorer-import", "library.import", () => this.#file.click(), { class: "small" }),
        button("explorer-export", "library.export", () => this.#export(), { class: "small" }), this.#file),
    ] : [el("p", { class: "soft" }, explorer.study.name)];
    this.#file.addEventListener("change", () => this.#import());
    this.element = el("details", { id: "explorer", ontoggle: () => this.#listen(modes) },
      el("summary", { "data-t": "explorer.title" }),
      this.#about,
      this.#list,
      this.#text,
      el("div", { class: "row-of" },
        button("explorer-analyse", "explorer.analyse", () => this.#analyse()),
        el("label", { class: "check" }, el("span", { "data-t": "explorer.seconds" }), this.#seconds)),
      el("div", { class: "fields" },
        el("label", { for: "explorer-label", "data-t": "explorer.label" }), this.#label,
        el("label", { for: "explorer-comment", "data-t": "moves.comment" }), this.#comment),
      el("div", { class: "row-of" }, button("explorer-save", "explorer.save", save, { class: "small" }), this.#remove),
      ...own);
    addTo(byId("panel-analyse"), this.element);
    explorer.addEventListener("change", () => this.draw());
    session.addEventListener("facts", () => explorer.isOpen && this.#drawMoves());
    explorer.addEventListener("progress", () => this.#drawProgress());
    session.addEventListener("position", () => this.#useProofs());
    modes.addEventListener("change", () => this.#listen(modes));
  }

  /** Opens the explorer while it is visible, so that hidden ones send no requests. */
  #listen(modes) {
    this.#explorer.isOpen = this.element.open && modes.current === "analyse";
    this.#useProofs();
  }

  /** Lets the engine tell what is proved about the position. */
  #useProofs() {
    if (this.#explorer.isOpen && this.#engine.useProofs(this.#session.game)) this.#session.lookAgain();
  }

  /** Unfolds or folds the explorer. */
  toggle() {
    this.element.open = !this.element.open;
    if (this.element.open) this.element.scrollIntoView({ block: "nearest" });
  }

  draw() {
    translate(this.element);
    const { shown } = this.#explorer;
    this.#drawMoves();
    this.#text.textContent = (shown?.texts ?? []).map(({ at, text }) => `${at}: ${text}`).join(" · ");
    this.#view.showTexts(shown?.texts ?? []);
    this.#texts.show(JSON.stringify(this.#session.game.position()), shown);
    this.#remove.disabled = !shown?.known;
  }

  #drawMoves() {
    const { shown } = this.#explorer;
    const moves = shown ? this.#withProof(shown.moves) : [];
    setContent(this.#list, ...moves.map((move) => this.#row(move)));
    this.#about.textContent = this.#summary(shown);
  }

  /** The moves with the results of the embedded proofs, and the proved move if it is missing. */
  #withProof(moves) {
    const { best = null, losing = [] } = this.#session.facts?.proved ?? {};
    const resultOf = (at) => {
      const value = at === best ? "win" : losing.includes(at) ? "loss" : null;
      return value && { value, evidence: "proved", plies: null };
    };
    const isMissing = best !== null && moves.every(({ at }) => at !== best);
    const own = { at: best, rate: null, result: null, games: 0, label: null, comment: null };
    return [...(isMissing ? [own] : []), ...moves].map((move) => {
      const isProved = move.result?.evidence === "proved";
      return { ...move, result: (isProved ? null : resultOf(move.at)) ?? move.result };
    });
  }

  /** What is proved about the position: the winner, or how many moves lose and which are left. */
  #proof() {
    const { game, facts } = this.#session;
    const text = provedText(this.#session);
    if (!text || facts.proved.winner) return text;
    const { stones, walls } = game.board();
    const open = [];
    for (let y = 0; y < game.height; y++) {
      for (let x = 0; x < game.width; x++) {
        const at = nameOf(x, y, game.height);
        if (!stones.has(at) && !walls.has(at) && !facts.proved.losing.includes(at)) open.push(at);
      }
    }
    return open.length > MOST_OPEN ? text : `${text} (${t("proved.open", { moves: open.join(" ") })})`;
  }

  /** The proof, the result, the score and the games of the position. */
  #summary(shown) {
    if (shown === null) return "";
    return [this.#proof(), this.#record(shown)].filter(Boolean).join(" · ");
  }

  #record(shown) {
    if (!shown.known) return t("explorer.none");
    const { result, evaluation, games } = shown;
    const parts = [];
    if (result) parts.push(resultSign(result));
    if (evaluation) parts.push(t("explorer.evaluation", { score: String(evaluation.score), depth: evaluation.depth, best: evaluation.best ?? "–" }));
    if (games) parts.push(t("explorer.games", { black: games.black, draws: games.draws, white: games.white }));
    return parts.join(" · ") || t("explorer.known");
  }

  #drawProgress() {
    const { progress } = this.#explorer;
    const [best] = progress?.lines ?? [];
    if (best) this.#about.textContent = t("explorer.evaluation", { score: String(best.score), depth: best.depth ?? 0, best: best.moves[0] });
  }

  /** A move. The pointer shows it on the board, a click plays it. */
  #row(move) {
    const { at, result, rate, games, label, comment } = move;
    const kind = result?.value ?? "";
    const value = result ? resultSign(result) : rate === null ? "–" : `${percentOf(rate, 1)} %`;
    const words = [label && `[${label}]`, games > 0 && t("explorer.count", { count: games }), comment].filter(Boolean);
    const show = () => this.#view.showLine([at], this.#session.side, true);
    const hide = () => this.#view.hideLine();
    const walk = () => this.#actions.jump(() => this.#session.play(at));
    return el("li", {}, el("button", {
      type: "button", "data-at": at, "data-key": ";", onclick: walk, onpointerenter: show, onfocus: show, onpointerleave: hide, onblur: hide,
    },
    el("strong", {}, at),
    el("span", { class: `rate ${kind === "draw" ? "" : kind}` }, value),
    el("span", { class: "pv" }, words.join(" · "))));
  }

  async #analyse() {
    if (this.#session.isOver) {
      this.#notify(t("problem.over"), true);
      return;
    }
    const seconds = Math.min(MOST_SECONDS, Math.max(1, Math.round(Number(this.#seconds.value)) || SECONDS));
    this.#seconds.value = String(seconds);
    this.#analysis.set(false);
    const isDone = await this.#explorer.analyse({ lines: LINES, time_ms: 1000 * seconds });
    if (isDone) this.#notify(t("explorer.kept"));
  }

  async #delete() {
    const { node } = this.#session;
    // A game that goes on meanwhile shows another position.
    if (await this.#ask(t("explorer.delete-ask"), t("explorer.delete")) && this.#session.node === node) this.#explorer.remove();
  }

  async #export() {
    try {
      const text = await this.#explorer.study.exported();
      saveFile(new Blob([text], { type: "application/jsonl" }), "positions.jsonl");
    } catch (error) {
      this.#notify(error.message, true);
    }
  }

  async #import() {
    const [file] = this.#file.files;
    this.#file.value = "";
    if (!file) return;
    try {
      const count = await this.#explorer.study.imported(await file.text());
      this.#notify(t("explorer.imported", { count }));
    } catch (error) {
      this.#notify(`${file.name}: ${error.message}`, true);
    }
    this.#explorer.refresh();
  }
}
