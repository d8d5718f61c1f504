// The panel for analysis: best moves, layers, questions to the solver.

import { byId, el } from "./dom.js";
import { t, translate } from "./words.js";
import { percentOf, verdictOf } from "./marks.js";
import { ServerError } from "./transport.js";

const THREATS = ["five", "straight four", "double four", "four-three", "four", "double three", "open three", "closed three"];
/** Keys of the kinds of threats; 1 and 2 choose the side. */
const KIND_KEYS = [..."34567890"];
const POINTS = ["make-four-three", "make-vcf", "stop-vcf", "open-three-points", "straight-four-points", "four-points", "closed-three-points", "double-three-points", "double-four-points", "overline-points"];
/** Time of the solver in milliseconds: for each move of a question about all moves; for others. */
const TIME_EACH = 300;
const TIME_ONE = 20000;

export class AnalysePanel {
  #root = byId("panel-analyse");
  #session;
  #engine;
  #analysis;
  #settings;
  #view;
  #notify;
  #list;
  #rates;
  #effort;
  #result;
  #kind;

  constructor({ session, engine, analysis, settings, view, notify, actions }) {
    this.#session = session;
    this.#engine = engine;
    this.#analysis = analysis;
    this.#settings = settings;
    this.#view = view;
    this.#notify = notify;
    this.#build(actions);
    analysis.addEventListener("update", () => this.drawLines());
    session.addEventListener("position", () => this.#reset());
  }

  #build(actions) {
    const settings = this.#settings;
    const check = (label, checked, change) => el("label", { class: "check" },
      el("input", { type: "checkbox", checked, onchange: (event) => change(event.target.checked) }),
      el("span", { "data-t": label }));
    const layer = (name) => {
      const box = check(`layer.${name}`, settings.get("layers")[name], (on) => actions.layer(name, on));
      box.firstChild.id = `layer-${name}`;
      box.firstChild.dataset.key = { fouls: "f", black: "1", white: "2" }[name];
      return box;
    };
    const kinds = THREATS.map((kind, index) => {
      const box = check(`threat.${kind}`, settings.get("kinds").includes(kind), (on) => {
        settings.set("kinds", THREATS.filter((it) => (it === kind ? on : settings.get("kinds").includes(it))));
      });
      box.firstChild.dataset.key = KIND_KEYS[index];
      return box;
    });
    const ask = (question, key) => el("button", {
      type: "button", "data-key": key, id: `solve-${question}`, "data-t": `solve.${question}`,
      onclick: () => this.solve(question),
    });
    this.#rates = el("p", { class: "soft", id: "rates" });
    this.#list = el("ol", { class: "lines", id: "lines" });
    this.#effort = el("p", { class: "soft", id: "effort" });
    this.#result = el("div", { class: "proof", id: "solve-result", "aria-live": "polite" });
    this.#kind = el("select", { id: "solve-kind", "data-key": "K" },
      ...["any", "vct", "vcf"].map((kind) => el("option", { value: kind, "data-t": `solve.kind.${kind}` })));
    const points = el("select", { id: "points-kind", "data-key": "j", onchange: (event) => event.target.value && this.solve("points", { points: event.target.value }) },
      el("option", { value: "", "data-t": "solve.points" }),
      ...POINTS.map((kind) => el("option", { value: kind, "data-t": `points.${kind}` })));
    this.#root.append(
      el("div", { class: "row-of" },
        el("button", { type: "button", id: "analyse-toggle", "data-key": "a", "aria-pressed": "false", "data-t": "action.analyse", onclick: actions.analyse }),
        el("button", { type: "button", id: "threat-toggle", "data-key": "x", "aria-pressed": "false", "data-t": "action.threat", onclick: actions.threat }),
        el("label", { class: "check" }, el("span", { "data-t": "analyse.lines" }),
          el("input", { type: "number", id: "line-count", "data-key": "+", min: 1, max: 50, value: settings.get("lines"), onchange: (event) => actions.lineCount(Number(event.target.value)) }))),
      this.#rates,
      this.#list,
      this.#effort,
      el("h3", { "data-t": "layer.title" }),
      el("div", { class: "row-of" }, layer("fouls"), layer("black"), layer("white")),
      el("details", { id: "kinds" }, el("summary", { class: "soft", "data-t": "layer.kinds" }), el("div", { class: "row-of" }, ...kinds)),
      el("h3", { "data-t": "solve.title" }),
      el("div", { class: "row-of" }, ask("win", "v"), ask("shortest", "q"), ask("all", "V"), ask("defend", "b"), ask("tree", "Q")),
      el("div", { class: "row-of" },
        el("label", { class: "check", for: "solve-kind" }, el("span", { class: "soft", "data-t": "solve.kind" })), this.#kind,
        el("label", { class: "unseen", for: "points-kind", "data-t": "solve.points" }), points),
      this.#result,
    );
  }

  draw() {
    translate(this.#root);
    this.drawLines();
  }

  /** Shows or hides the kind of threats with this key. */
  toggleKind(key) {
    byId("kinds").open = true;
    byId("kinds").querySelector(`[data-key="${key}"]`).click();
  }

  #reset() {
    this.#result.replaceChildren();
    byId("points-kind").value = "";
  }

  /** Lists the best moves. A click keeps a line, the pointer shows it. */
  drawLines() {
    const analysis = this.#analysis;
    byId("analyse-toggle").setAttribute("aria-pressed", analysis.isOn);
    byId("threat-toggle").setAttribute("aria-pressed", analysis.threat);
    const found = this.#view.hidesHints ? null : analysis.found;
    const rows = (found?.lines ?? []).map((line, index) => {
      const kind = line.forced > 0 ? "win" : line.forced < 0 ? "loss" : "";
      const show = () => this.#view.showLine(line.moves, analysis.side);
      const rate = line.forced === null ? `${percentOf(line.rate, 1)} %` : verdictOf(line);
      return el("li", {}, el("button", {
        type: "button",
        onclick: () => this.#keep(line.moves),
        onpointerenter: show, onfocus: show,
        onpointerleave: () => this.#view.hideLine(), onblur: () => this.#view.hideLine(),
      },
      el("span", { class: "soft" }, `${index + 1}`),
      el("strong", {}, line.moves[0] ?? ""),
      el("span", { class: `rate ${kind}` }, rate),
      el("span", { class: "pv" }, line.moves.slice(1).join(" "))));
    });
    // Keep the row under the pointer while the search updates the list.
    const hovered = this.#list.matches(":hover, :focus-within");
    if (!hovered || rows.length === 0 || !analysis.isOn) this.#list.replaceChildren(...rows);
    this.#rates.textContent = rows.length > 0 ? t("analyse.rates", { color: t(`color.${analysis.side}`) }) : "";
    const { nodes, ms, lines } = found ?? {};
    this.#effort.textContent = nodes
      ? t("analyse.effort", { depth: lines[0] ? `${lines[0].depth}–${lines[0].reach}` : "–", nodes: short(nodes), speed: short((nodes / Math.max(ms, 1)) * 1000) })
      : "";
  }

  #keep(moves) {
    if (this.#analysis.threat) return;
    this.#session.keep(moves);
    this.#notify(t("analyse.kept"));
  }

  /** Sends a question to the solver and shows the answer. */
  async solve(question, more = {}) {
    const session = this.#session;
    const { node } = session;
    if (session.isOver) return;
    const isAboutAll = ["all", "defend", "points"].includes(question);
    const time_ms = isAboutAll ? TIME_EACH : TIME_ONE;
    const ask = { position: session.game.position(), question, kind: this.#kind.value, time_ms, ...more };
    let shown;
    const show = (element) => this.#result.replaceChildren(shown = element);
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
      if (error instanceof ServerError) this.#notify(error.message, true);
    }
  }

  #points(cells, kind) {
    const game = this.#session.game;
    const sign = { win: "✓", hold: "◆", lose: "✗" }[kind];
    this.#view.showPoints(cells.map((at) => ({ at: game.canonical(at), text: sign })), kind);
  }

  #show(question, answer) {
    const name = (at) => this.#session.game.canonical(at);
    const result = this.#result;
    if (question === "all" || question === "defend") {
      const found = (question === "all" ? answer.wins : answer.holds).map(name);
      this.#points(found, question === "all" ? "win" : "hold");
      // Only threats of the kind were tried: that a move begins none of them does not say that it
      // does not win.
      const hasNone = question === "all" && found.length === 0;
      const text = hasNone
        ? t(answer.unknown.length > 0 ? "solve.open" : "solve.none", { kind: this.#kind.value.toUpperCase() })
        : t(`solve.${question}.found`, { count: found.length, moves: found.join(" ") });
      result.replaceChildren(el("p", {}, text));
      if (answer.unknown.length > 0) result.append(el("p", { class: "soft" }, t("solve.unknown", { count: answer.unknown.length, moves: answer.unknown.map(name).slice(0, 30).join(" ") })));
      if (answer.delays?.length > 0) result.append(el("p", { class: "soft" }, t("solve.delays", { moves: answer.delays.map(name).join(" ") })));
      return;
    }
    if (question === "points") {
      const found = answer.points.map(name);
      this.#points(found, "hold");
      result.replaceChildren(el("p", {}, t("solve.points.found", { count: found.length, moves: found.join(" ") })));
      return;
    }
    const moves = (answer.line ?? []).map(({ at }) => name(at));
    if (answer.result === "win") {
      result.replaceChildren(
        el("p", {}, t(answer.shortest === true ? "solve.win.shortest" : "solve.win.found", { plies: answer.plies, kind: answer.kind.toUpperCase() })),
        this.#lineOf(answer.line, moves),
      );
      if (answer.line_cut) result.append(el("p", { class: "soft" }, t("solve.cut")));
      if (answer.tree) result.append(el("ul", {}, this.#branch(answer.tree)));
    } else {
      result.replaceChildren(el("p", {}, t(answer.result === "none" ? "solve.none" : "solve.open", { kind: (answer.kind ?? "").toUpperCase() })));
    }
  }

  /** The line of a proof. The pointer shows it on the board, a button keeps it. */
  #lineOf(line, moves) {
    const { side } = this.#session;
    const show = () => this.#view.showLine(moves, side);
    show();
    return el("div", { class: "row-of" },
      el("span", {}, line.map(({ name }, index) => `${moves[index]} (${t(`name.${name}`)})`).join(" ")),
      el("button", { type: "button", class: "small", id: "keep-proof", "data-key": "J", onpointerenter: show, onfocus: show, onclick: () => this.#keep(moves) }, t("action.keep")));
  }

  #branch(attack) {
    const name = (at) => this.#session.game.canonical(at);
    const item = el("li", {}, `${name(attack.at)} (${t(`name.${attack.name}`)})`);
    const replies = (attack.replies ?? []).map((reply) =>
      el("li", {}, `${name(reply.at)} (${t(`name.${reply.name}`)})`, el("ul", {}, this.#branch(reply.then))));
    if (replies.length > 0) item.append(el("ul", {}, ...replies));
    if (attack.cut) item.append(el("span", { class: "soft" }, ` +${attack.cut}`));
    return item;
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
      const refuted = await this.#engine.solve({ position: game.position(), question: "refute", at, kind: "any", time_ms: 2500 });
      if (!refuted || session.node !== node) return;
      if (refuted.result === "loss") {
        const moves = refuted.line.map((step) => game.canonical(step.at));
        this.#view.showLine([at, ...moves], session.side);
        this.#notify(t("why.loses", { at, plies: refuted.plies, line: moves.join(" ") }));
        return;
      }
      const after = { ...game.position(), moves: [...game.position().moves, at] };
      const judge = (position) => this.#engine.analyse({ position, lines: 1, nodes: 60000 });
      const reply = await judge(after);
      const best = await judge(game.position());
      if (!reply || !best || session.node !== node) return;
      const own = reply.lines[0] ? 1 - reply.lines[0].rate : reply.state === "five" ? 1 : 0.5;
      const values = {
        at, rate: percentOf(own), best: best.lines[0].moves[0], color: t(`color.${session.side}`),
        bestRate: percentOf(best.lines[0].rate), line: (reply.lines[0]?.moves ?? []).slice(0, 8).join(" "),
      };
      this.#notify(t(best.lines[0].moves[0] === at ? "why.best" : "why.weaker", values));
      this.#view.showLine([at, ...(reply.lines[0]?.moves ?? []).slice(0, 8)], session.side);
    } catch (error) {
      if (error instanceof ServerError) this.#notify(error.message, true);
    }
  }
}

/** A number in short form: 1.2M for 1234567. */
function short(number) {
  if (number >= 1e9) return `${(number / 1e9).toFixed(1)}G`;
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)}M`;
  return number >= 1e3 ? `${(number / 1e3).toFixed(0)}k` : String(Math.round(number));
}
