// The panel for analysis: best moves, then the solver and the layers of the board, folded.

import { addTo, byId, el, setContent } from "./dom.js";
import { t, translate } from "./words.js";
import { gradeOf, percentOf, verdictOf } from "./marks.js";
import { SolverView } from "./solver-view.js";

const THREATS = ["five", "straight four", "double four", "four-three", "four", "double three", "open three", "closed three"];
/** Keys of the kinds of threats; 1 and 2 choose the side. */
const KIND_KEYS = [..."34567890"];

export class AnalysePanel {
  #root = byId("panel-analyse");
  #session;
  #analysis;
  #settings;
  #view;
  #notify;
  #solver;
  #list;
  #rates;
  #effort;

  constructor(parts) {
    const { session, analysis, settings, view, notify, actions } = parts;
    this.#session = session;
    this.#analysis = analysis;
    this.#settings = settings;
    this.#view = view;
    this.#notify = notify;
    this.#solver = new SolverView(parts, (moves) => this.#keep(moves));
    this.#build(actions);
    analysis.addEventListener("update", () => this.drawLines());
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
      const box = check(`name.${kind}`, settings.get("kinds").includes(kind), (on) => {
        settings.set("kinds", THREATS.filter((it) => (it === kind ? on : settings.get("kinds").includes(it))));
      });
      box.firstChild.dataset.key = KIND_KEYS[index];
      return box;
    });
    this.#rates = el("p", { class: "soft", id: "rates" });
    this.#list = el("ol", { class: "lines", id: "lines" });
    this.#effort = el("p", { class: "soft", id: "effort" });
    addTo(this.#root,
      this.#rates,
      this.#list,
      this.#effort,
      el("div", { class: "row-of" },
        el("button", { type: "button", id: "balance", "data-key": "=", "data-t": "balance.title", onclick: actions.balance }),
        el("button", { type: "button", id: "balance-pairs", "data-key": "'", "data-t": "balance.pairs", onclick: actions.balancePairs }),
        el("button", { type: "button", id: "threat-toggle", "data-key": "x", "aria-pressed": "false", "data-t": "action.threat", onclick: actions.threat }),
        el("label", { class: "check" }, el("span", { "data-t": "analyse.lines" }),
          el("input", { type: "number", id: "line-count", "data-key": "+", min: 1, max: 50, value: settings.get("lines"), onchange: (event) => actions.lineCount(Number(event.target.value)) }))),
      this.#solver.element,
      el("details", { id: "layers" }, el("summary", { "data-t": "layer.title" }),
        el("div", { class: "row-of" }, layer("fouls"), layer("black"), layer("white")),
        el("p", { class: "soft", "data-t": "layer.kinds" }),
        el("div", { class: "row-of", id: "kinds" }, ...kinds)),
    );
  }

  draw() {
    translate(this.#root);
    this.drawLines();
  }

  /** Shows or hides the kind of threats with this key. */
  toggleKind(key) {
    byId("layers").open = true;
    byId("kinds").querySelector(`[data-key="${key}"]`).click();
  }

  /** Sends a question to the solver. */
  solve(question) {
    this.#solver.solve(question);
  }

  whyNot(at) {
    return this.#solver.whyNot(at);
  }

  /** Lists the best moves. */
  drawLines() {
    const analysis = this.#analysis;
    byId("threat-toggle").setAttribute("aria-pressed", analysis.threat);
    const found = this.#view.hidesHints ? null : analysis.found;
    const lines = found?.lines ?? [];
    this.#arrange(lines);
    this.#rates.textContent = this.#heading(lines);
    const { nodes, ms } = found ?? {};
    const [first] = lines;
    const depth = first ? (first.reach > first.depth ? `${first.depth}/${first.reach}` : `${first.depth}`) : "–";
    const effort = nodes ? t("analyse.effort", { depth, nodes: short(nodes), speed: short((nodes / Math.max(ms, 1)) * 1000) }) : "";
    this.#effort.textContent = effort && analysis.isDone ? `${effort} · ${t("analyse.done")}` : effort;
  }

  /** The meaning of the numbers: chances of the side to move, or threats of the other side. */
  #heading(lines) {
    if (lines.length === 0) return "";
    const { side, threat } = this.#analysis;
    const color = t(`color.${side}`);
    const mover = t(`color.${this.#session.side}`);
    const { forced, moves } = lines[0];
    if (threat && forced > 0) return t("analyse.threat.win", { mover, color, at: moves[0], plies: forced });
    if (threat) return t("analyse.threat", { mover, color });
    const rates = t("analyse.rates", { color });
    return lines.some((line) => line.forced) ? `${rates} · ${t("analyse.legend")}` : rates;
  }

  /** A row. The pointer or the first tap shows its line on the board, a click keeps it. */
  #row(line, lines) {
    const item = el("li", { "data-at": line.moves[0] });
    item.line = line;
    const show = () => this.#view.showLine(item.line.moves, this.#analysis.side);
    const button = el("button", {
      type: "button",
      onclick: (event) => (event.pointerType === "touch" ? this.#open(item, show) : this.#keep(item.line.moves)),
      onpointerenter: (event) => event.pointerType !== "touch" && show(), onfocus: show,
      onpointerleave: (event) => event.pointerType !== "touch" && this.#view.hideLine(),
      // A row that was unfolded by a tap keeps its line: the page takes the focus from pressed buttons.
      onblur: (event) => event.target.getAttribute("aria-expanded") !== "true" && this.#view.hideLine(),
    },
    el("span", { class: "swatch", "aria-hidden": "true" }),
    el("strong", {}, line.moves[0] ?? ""), " ",
    el("span", { class: "rate" }), " ",
    el("span", { class: "pv" }));
    addTo(item, button);
    this.#fill(item, lines);
    return item;
  }

  #fill(item, lines) {
    const { line } = item;
    const [swatch, , rate, pv] = item.firstChild.children;
    const kind = line.forced > 0 ? "win" : line.forced < 0 ? "loss" : "";
    const grade = `${gradeOf(line, lines[0])}${this.#analysis.threat ? " threat-view" : ""}`;
    swatch.className = `swatch ${grade}`;
    swatch.textContent = String(lines.indexOf(line) + 1);
    rate.className = `rate ${kind}`;
    pv.textContent = line.moves.slice(1).join(" ");
    if (line.forced === null) {
      rate.textContent = `${percentOf(line.rate, 1)} %`;
      return;
    }
    // A sign, and its text for screen readers.
    const key = line.forced > 0 ? "analyse.wins" : "analyse.loses";
    setContent(rate,
      el("span", { "aria-hidden": "true" }, verdictOf(line)),
      el("span", { class: "unseen" }, t(key, { plies: Math.abs(line.forced) })),
    );
  }

  /** Updates the rows. The row of a move stays the same element: a click on it may have begun. */
  #arrange(lines) {
    const rows = new Map([...this.#list.children].map((item) => [item.dataset.at, item]));
    const items = lines.map((line) => {
      const item = rows.get(line.moves[0]);
      if (!item) return this.#row(line, lines);
      item.line = line;
      this.#fill(item, lines);
      return item;
    });
    const shown = [...this.#list.children];
    // Rows under the pointer keep their places during the search; their figures change.
    const isHeld = this.#list.matches(":hover, :focus-within") && lines.length > 0 && this.#analysis.isOn;
    if (isHeld) {
      const added = items.filter((item) => !shown.includes(item));
      addTo(this.#list, ...added.slice(0, Math.max(0, items.length - shown.length)));
    } else if (items.length !== shown.length || items.some((item, index) => item !== shown[index])) {
      const focused = /** @type {HTMLElement | null} */ (this.#list.querySelector(":focus"));
      setContent(this.#list, ...items);
      // A row that is moved loses the focus.
      const next = focused?.isConnected ? focused : this.#list.querySelector("button") ?? byId("board");
      if (focused) next.focus({ preventScroll: true });
    }
    this.#showPointed();
  }

  /** Shows the line of the row that has come under the resting pointer. */
  #showPointed() {
    if (this.#view.showsLine || !matchMedia("(hover: hover)").matches) return;
    const item = this.#list.querySelector("li:hover");
    if (item) this.#view.showLine(item.line.moves, this.#analysis.side);
  }

  /** Unfolds a row that was tapped, with a button that keeps its line. */
  #open(item, show) {
    const isOpen = item.firstChild.getAttribute("aria-expanded") === "true";
    for (const other of this.#list.children) {
      other.firstChild.removeAttribute("aria-expanded");
      other.querySelector(".keep")?.remove();
    }
    if (isOpen) {
      this.#view.hideLine();
      return;
    }
    item.firstChild.setAttribute("aria-expanded", "true");
    // Threats are moves after a pass, which the game does not have.
    if (!this.#analysis.threat) addTo(item, el("button", { type: "button", class: "small keep", "data-key": "k", onclick: () => this.#keep(item.line.moves) }, t("action.keep")));
    show();
  }

  #keep(moves) {
    if (this.#analysis.threat) return;
    this.#session.keep(moves);
    this.#notify(t("analyse.kept"));
  }
}

/** A number in short form: 1.2M for 1234567. */
function short(number) {
  if (number >= 1e9) return `${(number / 1e9).toFixed(1)}G`;
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)}M`;
  return number >= 1e3 ? `${(number / 1e3).toFixed(0)}k` : String(Math.round(number));
}
