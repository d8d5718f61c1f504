// Questions to the solver and their answers: wins, defences, points, proofs, and why not to play
// somewhere.

import { addTo, byId, el, setContent } from "./dom.js";
import { t } from "./words.js";
import { errorText } from "./errors.js";
import { percentOf } from "./marks.js";
import { ServerError } from "./transport.js";
import { proofLine, proofStep } from "./proof-line.js";

const POINTS = ["make-four-three", "make-vcf", "stop-vcf", "open-three-points", "straight-four-points", "four-points", "closed-three-points", "double-three-points", "double-four-points", "overline-points"];
const KEYS = { win: "v", shortest: "q", all: "V", defend: "b", tree: "Q" };
/** Time of the solver in milliseconds: for each move of a question about all moves; for others. */
const TIME_EACH = 300;
const TIME_ONE = 20000;
/** Plies of a line after "why not". */
const WHY_PLIES = 8;

export class SolverView {
  #session;
  #engine;
  #view;
  #notify;
  #keep;
  /** The parts that the steps of a proof need. */
  #parts;
  #result = el("div", { class: "proof", id: "solve-result", "aria-live": "polite" });
  #kind;

  /** `keep` adds a line of moves to the game. */
  constructor({ session, engine, view, notify, settings }, keep) {
    this.#session = session;
    this.#engine = engine;
    this.#view = view;
    this.#notify = notify;
    this.#keep = keep;
    this.#parts = { session, view };
    const ask = (question) => el("button", {
      type: "button", "data-key": KEYS[question], id: `solve-${question}`, "data-t": `solve.${question}`,
      onclick: () => this.solve(question),
    });
    this.#kind = el("select", { id: "solve-kind", "data-key": "K" },
      ...["any", "vct", "vcf"].map((kind) => el("option", { value: kind, "data-t": `solve.kind.${kind}` })));
    const points = el("select", {
      id: "points-kind", "data-key": "j",
      onchange: (event) => event.target.value && this.solve("points", { points: event.target.value }),
    }, el("option", { value: "", "data-t": "solve.points" }),
    ...POINTS.map((kind) => el("option", { value: kind, "data-t": `points.${kind}` })));
    this.element = el("details", {
      id: "solver", open: settings.get("solverOpen"),
      ontoggle: (event) => settings.set("solverOpen", event.target.open),
    },
    el("summary", { "data-t": "solve.title" }),
    el("div", { class: "row-of" }, ...Object.keys(KEYS).map(ask)),
    el("div", { class: "row-of" },
      el("label", { class: "check", for: "solve-kind" }, el("span", { class: "soft", "data-t": "solve.kind" })), this.#kind,
      el("label", { class: "unseen", for: "points-kind", "data-t": "solve.points" }), points),
    this.#result);
    session.addEventListener("position", () => {
      this.#result.replaceChildren();
      byId("points-kind").value = "";
    });
  }

  /** Sends a question to the solver and shows the answer. */
  async solve(question, more = {}) {
    const session = this.#session;
    const { node } = session;
    this.element.open = true;
    if (session.isOver) {
      this.#notify(t("problem.over"), true);
      return;
    }
    const isAboutAll = ["all", "defend", "points"].includes(question);
    const time_ms = isAboutAll ? TIME_EACH : TIME_ONE;
    const ask = { position: session.game.position(), question, kind: this.#kind.value, time_ms, ...more };
    let shown;
    const show = (element) => setContent(this.#result, shown = element);
    show(el("p", { class: "soft" }, t("solve.working")));
    try {
      const answer = await this.#engine.solve(ask, (progress) => {
        if (session.node !== node || !progress.of) return;
        show(el("progress", { max: progress.of, value: progress.judged, "aria-label": t("solve.working") }));
        this.#points(progress.found, question === "all" ? "win" : "hold");
      });
      if (answer && session.node === node) this.#show(question, answer);
      // Another search replaced this one: remove only what this one has shown.
      else if (!answer) shown.remove();
    } catch (error) {
      this.#result.replaceChildren();
      if (error instanceof ServerError) this.#notify(errorText(error), true);
    }
  }

  #points(cells, kind) {
    const sign = { win: "✓", hold: "◆", lose: "✗" }[kind];
    this.#view.showPoints(cells.map((at) => ({ at, text: sign })), kind);
  }

  get #kindName() {
    return t(`solve.kind.${this.#kind.value}`);
  }

  #show(question, answer) {
    const soft = (text) => addTo(this.#result, el("p", { class: "soft" }, text));
    const say = (text) => setContent(this.#result, el("p", {}, text));
    const sayUnknown = ({ unknown }) => {
      if (unknown.length > 0) soft(t("solve.unknown", { count: unknown.length, moves: unknown.slice(0, 30).join(" ") }));
    };
    if (question === "points") {
      const found = answer.points;
      this.#points(found, "hold");
      say(t("solve.points.found", { count: found.length, moves: found.join(" ") }));
      sayUnknown(answer);
      return;
    }
    if (question === "all" || question === "defend") {
      const found = question === "all" ? answer.wins : answer.holds;
      this.#points(found, question === "all" ? "win" : "hold");
      // Only threats of the kind were tried: another move may still win.
      const hasNone = question === "all" && found.length === 0;
      const none = answer.unknown.length > 0 ? "solve.open" : "solve.none";
      say(hasNone ? t(none, { kind: this.#kindName }) : t(`solve.${question}.found`, { count: found.length, moves: found.join(" ") }));
      sayUnknown(answer);
      if (answer.delays?.length > 0) soft(t("solve.delays", { moves: answer.delays.join(" ") }));
      return;
    }
    if (answer.result !== "win") {
      say(t(answer.result === "none" ? "solve.none" : "solve.open", { kind: this.#kindName }));
      return;
    }
    const kind = t(`solve.kind.${answer.kind}`);
    say(t(answer.shortest === true ? "solve.win.shortest" : "solve.win.found", { plies: answer.plies, kind }));
    addTo(this.#result, ...this.#lineOf(answer.line));
    if (answer.line_cut) soft(t("solve.cut"));
    if (answer.tree?.replies?.length) addTo(this.#result, el("h3", {}, t("solve.replies")), this.#branch(answer.tree, []));
  }

  /** The line of a proof, numbered, with a button that keeps it. */
  #lineOf(line) {
    const { moves, show, element } = proofLine(this.#parts, line);
    return [
      element,
      el("div", { class: "row-of" }, el("button", {
        type: "button", class: "small", id: "keep-proof", "data-key": "J",
        onpointerenter: show, onfocus: show, onclick: () => this.#keep(moves),
      }, t("action.keep"))),
    ];
  }

  /** An attack and the defences against it. Single defences continue the line; of several each is
   * folded and built when it is opened. */
  #branch(attack, before) {
    const steps = [];
    let path = before;
    let at = attack;
    const add = (step) => {
      path = [...path, step.at];
      steps.push(proofStep(this.#parts, step, path));
    };
    add(at);
    while (at.replies?.length === 1) {
      const [reply] = at.replies;
      add(reply);
      at = reply.then;
      add(at);
    }
    if (at.cut) steps.push(el("span", { class: "soft" }, `+${at.cut}`));
    const replies = (at.replies ?? []).map((reply) => el("li", {}, this.#reply(reply, path)));
    return el("div", {}, el("div", { class: "steps" }, ...steps), replies.length > 0 ? el("ul", { class: "replies" }, ...replies) : null);
  }

  #reply(reply, before) {
    const { game, side } = this.#session;
    const path = [...before, reply.at];
    const details = el("details", {
      ontoggle: () => {
        if (!details.open) return;
        this.#view.showLine(path, side, true);
        if (details.childElementCount === 1) addTo(details, this.#branch(reply.then, path));
      },
    }, el("summary", {}, `${game.board().moves + path.length}. ${reply.at} `, el("span", { class: "soft" }, t(`name.${reply.name}`))));
    return details;
  }

  /** Shows the line of the embedded proofs after a move. False if there is none. */
  async #showProof(at) {
    const session = this.#session;
    const { node, game, side } = session;
    if (!node.facts?.proved?.losing.includes(at)) return false;
    const answer = await this.#engine.proof({ position: game.position(), at });
    // Another search, or another position, replaced the question.
    if (!answer || session.node !== node) return true;
    if (answer.line.length === 0) return false;
    const moves = answer.line.map((step) => step.at);
    this.#view.showLine(moves, side, true);
    this.#notify(t("why.proved", { at, line: moves.slice(1).join(" ") }));
    return true;
  }

  /** Shows why not to play at a cell: the foul, the refutation, or a better move. */
  async whyNot(at) {
    const session = this.#session;
    const { node, game } = session;
    const problem = session.problem(at);
    if (problem) {
      this.#notify(problem.foul ? this.#view.foulText(at) : t(problem.key), true);
      return;
    }
    this.#notify(t("why.working", { at }));
    try {
      if (await this.#showProof(at)) return;
      const refuted = await this.#engine.solve({ position: game.position(), question: "refute", at, kind: "any", time_ms: 2500 });
      if (!refuted || session.node !== node) return;
      if (refuted.result === "loss") {
        const moves = refuted.line.map((step) => step.at);
        this.#view.showLine([at, ...moves], session.side, true);
        this.#notify(t("why.loses", { at, plies: refuted.plies, line: moves.join(" ") }));
        return;
      }
      const after = { ...game.position(), moves: [...game.position().moves, at] };
      const judge = (position) => this.#engine.analyse({ position, lines: 1, nodes: 60000 });
      const reply = await judge(after);
      const best = await judge(game.position());
      if (!reply || !best || session.node !== node) return;
      const own = reply.lines[0] ? 1 - reply.lines[0].rate : reply.state === "five" ? 1 : 0.5;
      const line = (reply.lines[0]?.moves ?? []).slice(0, WHY_PLIES);
      const values = {
        at, rate: percentOf(own), best: best.lines[0].moves[0], color: t(`color.${session.side}`),
        bestRate: percentOf(best.lines[0].rate), line: line.join(" "),
      };
      this.#notify(t(best.lines[0].moves[0] === at ? "why.best" : "why.weaker", values));
      this.#view.showLine([at, ...line], session.side, true);
    } catch (error) {
      if (error instanceof ServerError) this.#notify(errorText(error), true);
    }
  }
}
