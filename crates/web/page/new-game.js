// The dialog for a new game: against whom, how strong, which colour, which rule; the rest is folded.

import { byId, el } from "./dom.js";
import { t } from "./words.js";
import { levelName, levelNumber, playerName } from "./names.js";
import { rulePictogram } from "./pictograms.js";
import { closeDialog, show } from "./dialogs.js";
import { COLORS } from "./tree.js";

/** The level of a first game: a beginner wins, but not by accident. */
export const EASY = "beginner";

/** Radio buttons that look like buttons. `content` is the content of a value's label. */
function choices(group, name, values, value, content) {
  return el("div", { class: group, role: "radiogroup" }, ...values.map((it) => el("label", {},
    el("input", { type: "radio", name, value: it, id: `${name}-${it}`, checked: it === value }),
    ...content(it))));
}

/** The chosen value of a radio group. */
const chosen = (form, name) => form.querySelector(`input[name="${name}"]:checked`)?.value;

/**
 * The order of the rules: first the rule that is most common among players of the language.
 * @param {string[]} rules
 */
function inOrder(rules, language) {
  const first = { ja: ["renju"], vi: ["caro", "caro-overline"] }[language] ?? [];
  return [...first.filter((it) => rules.includes(it)), ...rules.filter((it) => !first.includes(it))];
}

class NewGameForm {
  #settings;
  #offer;
  #levels;
  #solved;
  #form;

  constructor({ settings, offer, solved, begin, beginSolved }) {
    this.#settings = settings;
    this.#offer = offer;
    this.#solved = solved;
    this.#levels = offer.levels.map(({ name }) => name);
    this.#form = this.#build();
    this.#form.addEventListener("input", (event) => this.#changed(event.target));
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.#isSolved) {
        closeDialog();
        beginSolved(this.#proof);
        return;
      }
      const terms = this.#terms();
      settings.set("level", this.#levels[Number(byId("new-strength").value)]);
      // The players are set with the game.
      for (const [name, it] of Object.entries(terms)) if (!COLORS.includes(name)) settings.set(name, it);
      closeDialog();
      begin(terms);
    });
  }

  get element() {
    return this.#form;
  }

  /** Whether the game *It is solved* is chosen. */
  get #isSolved() {
    return chosen(this.#form, "new-against") === "proof";
  }

  /** The chosen proof. */
  get #proof() {
    const { proofs } = this.#solved;
    return proofs[Number(chosen(this.#form, "new-proof") ?? 0)];
  }

  /** The seats of the last game in the terms of this form. */
  #last() {
    const seats = COLORS.map((color) => this.#settings.get(color));
    const own = COLORS[seats.indexOf("me")] ?? "black";
    const other = seats[own === "black" ? 1 : 0];
    const level = other.startsWith("level:") ? other.slice(6) : this.#settings.get("level");
    const index = this.#levels.indexOf(level);
    const against = seats.every((it) => it === "me") ? "friend" : "computer";
    return {
      seats, against: this.#solved.isOn ? "proof" : against, color: own,
      strength: index < 0 ? this.#levels.indexOf(EASY) : index,
    };
  }

  #build() {
    const offer = this.#offer;
    const { proofs } = this.#solved;
    const settings = this.#settings;
    const { against, color, strength, seats } = this.#last();
    const players = ["me", ...this.#levels.map((it) => `level:${it}`), ...offer.bots.map((it) => `bot:${it}`)];
    const field = (id, label, control) => [el("label", { for: id }, t(label)), control];
    const select = (id, values, value, name) => {
      const box = el("select", { id }, ...values.map((it) => el("option", { value: it }, name(it))));
      box.value = value;
      return box;
    };
    const [least, most] = offer.sides;
    const number = (id, name, attributes) => el("input", { type: "number", id, required: true, value: settings.get(name), ...attributes, "aria-label": t(`new.${name}`) });
    const side = (id, name) => number(id, name, { min: least, max: most });
    const range = el("input", {
      type: "range", id: "new-strength", min: 0, max: this.#levels.length - 1, step: 1, value: strength,
      "aria-label": t("new.strength"),
    });
    const stone = (it) => el("span", { class: `dot ${it}`, "aria-hidden": "true" });
    const form = el("form", { method: "dialog", class: "new-game" },
      el("fieldset", {}, el("legend", { class: "unseen" }, t("new.against")),
        choices("segments thirds", "new-against", proofs.length > 0 ? ["computer", "friend", "proof"] : ["computer", "friend"], against, (it) => [t(`new.against.${it}`)])),
      el("div", { id: "new-solved" },
        el("p", {}, t("solved.about")),
        el("fieldset", { hidden: proofs.length < 2 }, el("legend", { class: "unseen" }, t("new.rule")),
          choices("segments", "new-proof", proofs.map((_, index) => String(index)), String(proofs.indexOf(this.#solved.proof)), (it) => [t(`rule.${proofs[it].rule}`)])),
        el("p", { class: "soft", id: "new-about-proof" })),
      el("fieldset", { class: "strength", id: "new-computer" },
        el("div", { class: "strength-now" }, el("span", { id: "new-level" }), el("span", { class: "soft", id: "new-elo" })),
        range,
        el("div", { class: "strength-ends soft" }, el("span", {}, t("new.easy")), el("span", {}, t("new.hard")))),
      el("fieldset", { id: "new-colors" }, el("legend", {}, t("new.color")),
        choices("segments", "new-color", [...COLORS, "random"], color, (it) => [it === "random" ? null : stone(it), t(it === "random" ? "new.random" : `color.${it}`)])),
      el("fieldset", { id: "new-rules" }, el("legend", {}, t("new.rule")),
        choices("cards", "new-rule", inOrder(offer.rules, document.documentElement.lang), settings.get("rule"), (it) => [
          rulePictogram(it),
          el("span", {}, el("strong", {}, t(`rule.${it}`)), el("small", {}, t(`rule-about.${it}`)))])),
      el("details", { id: "new-more" }, el("summary", {}, t("new.more")),
        el("div", { class: "fields" },
          field("new-width", "new.size", el("span", { class: "row-of" }, side("new-width", "width"), "×", side("new-height", "height"))),
          field("new-opening", "new.opening", select("new-opening", ["none", ...offer.openings], settings.get("opening"), (it) => t(`opening-rule.${it}`))),
          field("new-black", "color.black", select("new-black", players, seats[0], playerName)),
          field("new-white", "color.white", select("new-white", players, seats[1], playerName)),
          field("new-clock", "new.clock", el("span", { class: "row-of" },
            el("input", { type: "checkbox", id: "new-clock", checked: settings.get("clock") }),
            number("new-minutes", "clockMinutes", { min: 0.1, max: 600, step: 0.1 }), el("span", { class: "soft" }, t("new.minutes")),
            "+", number("new-increment", "clockIncrement", { min: 0, max: 600, step: 1 }), el("span", { class: "soft" }, t("new.increment")))))),
      el("div", { class: "buttons" },
        el("button", { type: "button", onclick: closeDialog }, t("action.cancel")),
        el("button", { type: "submit", class: "primary", id: "new-begin" }, t("new.begin"))));
    return form;
  }

  /** The terms of the game *It is solved*, and the record. */
  #aboutSolved() {
    const { rule, width, height, opening } = this.#proof;
    const record = this.#solved.recordOf(this.#proof);
    const parts = [`${t(`rule.${rule}`)} ${width}×${height}`, opening.join(" "), record > 0 ? t("solved.record", { count: record }) : ""];
    return parts.filter(Boolean).join(" · ");
  }

  /** Draws what depends on the choices. */
  draw() {
    const form = this.#form;
    const level = this.#levels[Number(byId("new-strength").value)];
    const isRenju = chosen(form, "new-rule") === "renju";
    const { renju, freestyle } = this.#offer.levels.find(({ name }) => name === level);
    const elo = isRenju ? renju : freestyle;
    byId("new-level").textContent = levelNumber(level, this.#levels);
    byId("new-elo").textContent = typeof elo === "number" ? t("new.elo", { elo }) : "";
    byId("new-strength").setAttribute("aria-valuetext", levelNumber(level, this.#levels));
    const isSolved = this.#isSolved;
    byId("new-solved").hidden = !isSolved;
    if (isSolved) byId("new-about-proof").textContent = this.#aboutSolved();
    byId("new-rules").hidden = byId("new-more").hidden = isSolved;
    byId("new-computer").hidden = byId("new-colors").hidden = isSolved || chosen(form, "new-against") === "friend";
  }

  #changed(target) {
    // The exact players, below, follow the simple choices above; other players can be chosen there.
    if (["new-against", "new-color"].includes(target.name) || target.id === "new-strength") this.#seat();
    this.draw();
  }

  #seat() {
    const form = this.#form;
    const isFriend = chosen(form, "new-against") === "friend";
    const color = chosen(form, "new-color");
    const engine = `level:${this.#levels[Number(byId("new-strength").value)]}`;
    byId("new-black").value = isFriend || color !== "white" ? "me" : engine;
    byId("new-white").value = isFriend || color === "white" ? "me" : engine;
  }

  #terms() {
    const value = (id) => byId(id).value;
    let [black, white] = [value("new-black"), value("new-white")];
    const isRandom = chosen(this.#form, "new-color") === "random" && chosen(this.#form, "new-against") === "computer";
    if (isRandom && Math.random() < 0.5) [black, white] = [white, black];
    return {
      rule: chosen(this.#form, "new-rule") ?? this.#settings.get("rule"),
      width: Number(value("new-width")), height: Number(value("new-height")),
      opening: value("new-opening"), black, white, clock: byId("new-clock").checked,
      clockMinutes: Number(value("new-minutes")), clockIncrement: Number(value("new-increment")),
    };
  }
}

/** Asks for the terms of a new game and calls `begin` with them. */
export function askNewGame(parts) {
  const form = new NewGameForm(parts);
  show(t("action.new"), form.element);
  form.draw();
}

/** The name of a level with its Elo, for buttons. */
export function levelLabel(offer, name, rule) {
  const level = offer.levels.find((it) => it.name === name);
  const elo = rule === "renju" ? level?.renju : level?.freestyle;
  return [levelName(name), typeof elo === "number" ? t("new.elo", { elo }) : ""];
}
