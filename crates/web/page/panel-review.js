// The panel for reviews: progress, accuracy, the worst moves, guessing.

import { addTo, byId, el, setContent } from "./dom.js";
import { percentOf } from "./marks.js";
import { SIGNS } from "./moves.js";
import { COLORS } from "./tree.js";
import { t, translate } from "./words.js";

const EFFORTS = [10000, 50000, 200000, 1000000];

export class ReviewPanel {
  #root = byId("panel-review");
  #review;
  #session;
  #body;
  #verdict;
  #again;

  constructor({ review, session, settings, actions }) {
    this.#review = review;
    this.#session = session;
    const effort = el("select", {
      id: "review-nodes",
      "data-key": "X",
      onchange: (event) => settings.set("reviewNodes", Number(event.target.value)),
    }, ...EFFORTS.map((nodes) => el("option", { value: nodes, "data-t": `review.effort.${nodes}` })));
    effort.value = settings.get("reviewNodes");
    this.#body = el("div", { class: "panel-body", id: "review-body" });
    this.#again = el("div", { class: "row-of", hidden: true }, el("button", {
      type: "button", id: "try-again", "data-key": "H", "data-t": "review.try-again", onclick: actions.tryAgain,
    }));
    this.#verdict = el("p", { class: "box question", id: "review-move", "aria-live": "polite", hidden: true });
    addTo(this.#root,
      el("div", { class: "row-of" },
        el("button", { type: "button", class: "primary", id: "review-run", "data-key": "E", "data-t": "review.run", onclick: actions.review }),
        el("label", { class: "unseen", for: "review-nodes", "data-t": "review.effort" }), effort),
      el("div", { class: "row-of" },
        el("button", { type: "button", "data-key": "N", id: "mistake-previous", "data-t": "review.previous", onclick: () => actions.mistake(-1) }),
        el("button", { type: "button", "data-key": "n", id: "mistake-next", "data-t": "review.next", onclick: () => actions.mistake(1) }),
        el("label", { class: "check" },
          el("input", { type: "checkbox", id: "guessing", "data-key": "i", onchange: (event) => actions.guess(event.target.checked) }),
          el("span", { "data-t": "review.guess" }))),
      this.#verdict,
      this.#again,
      this.#body,
    );
    review.addEventListener("change", () => this.draw());
    session.addEventListener("position", () => (review.guessing ? this.draw() : this.#move()));
  }

  draw() {
    translate(this.#root);
    byId("guessing").checked = this.#review.guessing;
    const { progress, found } = this.#review;
    if (progress) {
      setContent(this.#body,
        el("progress", { max: progress.of, value: progress.judged, "aria-label": t("review.working") }),
        el("p", { class: "soft" }, t("review.progress", { done: progress.judged, of: progress.of })));
    } else if (found && this.#review.isHidden) {
      // The lists would spoil the guess.
      this.#body.replaceChildren();
    } else if (found) {
      setContent(this.#body, this.#table(found), ...this.#lists());
    } else {
      setContent(this.#body, el("p", { class: "soft" }, t("review.about")));
    }
    this.#move();
  }

  #table(found) {
    const row = (color) => {
      const own = found.moves.filter((move) => move.color === color);
      const of = (grade) => own.filter((move) => move.grade === grade).length;
      const accuracy = found.accuracy[color];
      return el("tr", {},
        el("th", { scope: "row" }, t(`color.${color}`)),
        el("td", {}, percentText(accuracy)),
        el("td", {}, of("inaccuracy")), el("td", {}, of("mistake")), el("td", {}, of("blunder")));
    };
    const grades = Object.entries(SIGNS).map(([grade, sign]) => `${t(`grade.${grade}`)} ${sign}`);
    const head = [t("review.accuracy"), ...grades].map((text) => el("th", { scope: "col" }, text));
    return el("table", {}, el("thead", {}, el("tr", {}, el("td"), ...head)), el("tbody", {}, row("black"), row("white")));
  }

  #lists() {
    return COLORS.flatMap((color) => {
      const worst = this.#review.worst(color).slice(0, 12);
      if (worst.length === 0) return [];
      return [
        el("h3", {}, t("review.worst", { color: t(`color.${color}`) })),
        el("ol", { class: "worst" }, ...worst.map((move) => el("li", {}, el("button", {
          type: "button",
          onclick: () => this.#session.goTo(this.#review.nodeOf(move.number - 1)),
        }, `${move.number}. ${move.at} `, el("span", { class: `sign ${move.grade}` }, SIGNS[move.grade]), this.#chances(move))))),
      ];
    });
  }

  /** The chances of the player before and after a move. */
  #chances({ number, loss }) {
    const before = this.#review.nodeOf(number - 1)?.evaluation?.rate;
    if (before === undefined) return t("review.loss", { loss: (loss * 100).toFixed(0) });
    return t("review.chances", { before: percentOf(before), after: percentOf(before - loss) });
  }

  /** Shows the judgement of the move that was played, or asks for a guess. */
  #move() {
    const review = this.#review;
    const move = review.next;
    this.#verdict.hidden = !move;
    this.#again.hidden = !move || review.isHidden;
    if (!move) return;
    if (review.isHidden) {
      this.#verdict.textContent = t("review.ask", { color: t(`color.${move.color}`) });
      return;
    }
    const parts = [];
    if (review.guess) {
      const key = review.guess === move.best ? "review.guess.best" : review.guess === move.at ? "review.guess.played" : "review.guess.other";
      parts.push(t(key, { guess: review.guess }));
    }
    if (!move.grade) {
      parts.push(t("review.given", { number: move.number, at: move.at }));
      this.#verdict.textContent = parts.join(" ");
      return;
    }
    const grade = t(`grade.${move.grade}`);
    parts.push(t("review.played", { number: move.number, at: move.at, grade, chances: this.#chances(move) }));
    if (move.offence) parts.push(t("review.forbidden", { foul: t(`foul.${move.offence}`) }));
    if (move.best && move.best !== move.at) parts.push(t("review.better", { best: move.best, line: move.line.slice(0, 10).join(" ") }));
    if (move.finding) {
      // The position was almost lost before the move.
      const wasHopeless = move.finding.kind === "missed-defence" && ["best", "good"].includes(move.grade);
      parts.push(t(wasHopeless ? "finding.hopeless" : `finding.${move.finding.kind}`, { plies: move.finding.plies }));
    }
    this.#verdict.textContent = parts.join(" ");
  }
}

/** The result of a review in one line. */
export function accuracyText({ accuracy }) {
  const of = (color) => `${t(`color.${color}`)} ${percentText(accuracy[color])}`;
  return `${t("review.accuracy")}: ${of("black")}, ${of("white")}`;
}

/** A share in percent; null: unknown. */
const percentText = (share) => (share === null ? "–" : `${(share * 100).toFixed(0)} %`);
