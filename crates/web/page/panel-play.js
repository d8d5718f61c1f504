// The panel for playing: players, time per move, openings, the teacher.

import { addTo, byId, el, setContent } from "./dom.js";
import { t, translate } from "./words.js";
import { levelNumber, playerName } from "./names.js";
import { percentOf } from "./marks.js";
import { ANSWER_KEYS } from "./dialogs.js";
import { PopupMenu } from "./popup.js";

/** Assigns keys to the answers of a question. */
function withKeys(buttons) {
  for (const [index, button] of buttons.entries()) button.dataset.key = ANSWER_KEYS[index];
  return buttons;
}

export class PlayPanel {
  #root = byId("panel-play");
  #play;
  #opening;
  #session;
  #settings;
  #offer;
  #seats = {};
  #question;
  #teacher;
  #time;
  /** What can be chosen in games other than *It is solved*. */
  #choices;
  #solved;

  /** `offer` is the response to `hello`: levels, bots. */
  constructor({ play, opening, session, settings, offer, actions, notify, solved }) {
    this.#play = play;
    this.#opening = opening;
    this.#session = session;
    this.#settings = settings;
    this.#offer = offer;
    this.#solved = solved;
    this.#build(actions);
    play.addEventListener("seats", () => this.draw());
    play.addEventListener("teach", (event) => this.#teach(event.detail));
    opening.addEventListener("change", () => this.#ask());
    opening.addEventListener("said", ({ detail }) => {
      notify(t(`opening.said.${/^\d+$/.test(detail) ? "number" : detail}`, { number: detail }));
    });
    opening.addEventListener("end", () => notify(t("opening.end")));
    session.addEventListener("position", () => this.#teacher.replaceChildren());
    session.addEventListener("game", () => this.draw());
  }

  #build(actions) {
    const seat = (color) => {
      const select = el("select", {
        id: `seat-${color}`,
        "data-key": { black: "B", white: "W" }[color],
        onchange: (event) => this.#play.setSeat(color, event.target.value),
      });
      this.#seats[color] = select;
      return [
        el("label", { for: `seat-${color}`, class: "check" }, el("span", { class: `dot ${color}`, "aria-hidden": "true" }), el("span", { "data-t": `color.${color}` })),
        select,
      ];
    };
    const number = (id, name, attributes) => el("input", {
      type: "number", id, required: true, ...attributes, value: this.#settings.get(name),
      onchange: (event) => {
        if (event.target.checkValidity()) this.#settings.set(name, Number(event.target.value));
        else event.target.value = this.#settings.get(name);
      },
    });
    this.#question = el("div", { class: "box asks question", hidden: true, "aria-live": "polite" });
    this.#teacher = el("div", { class: "asks question", "aria-live": "polite" });
    this.#time = el("div", { class: "row-of", id: "move-time-row" },
      el("label", { for: "move-time", "data-t": "play.move-time" }),
      number("move-time", "moveTime", { min: 0.1, max: 3600, step: 0.1, "data-key": "M" }),
      el("span", { class: "soft", "data-t": "play.seconds" }));
    const item = (id, key, label, run, more = "") => el("button", {
      type: "button", role: "menuitem", id, "data-key": key, "data-t": label, class: more,
      onclick: () => {
        menu.close();
        run();
      },
    });
    const teaching = el("input", {
      type: "checkbox", id: "teaching", "data-key": "T", checked: this.#settings.get("teaching"),
      onchange: (event) => this.#settings.set("teaching", event.target.checked),
    });
    const menu = new PopupMenu("play-menu", "action.more", [
      item("swap", "s", "action.swap", actions.swap),
      item("pass", "p", "action.pass", actions.pass),
      item("resign", "R", "action.resign", actions.resign, "danger"),
    ]);
    this.#choices = el("div", { class: "choices-of-play" },
      el("div", { class: "fields" }, seat("black"), seat("white")),
      this.#time,
      el("label", { class: "check" }, teaching, el("span", { "data-t": "play.teaching" })),
      el("div", { class: "row-of" },
        el("button", { type: "button", id: "go", "data-key": "Space", "data-t": "action.go", onclick: actions.go }),
        menu.element),
    );
    addTo(this.#root, this.#question, this.#teacher, this.#choices);
  }

  draw() {
    this.#choices.hidden = this.#solved.isOn;
    translate(this.#root);
    if (this.#solved.isOn) return;
    const levels = this.#offer.levels.map(({ name }) => name);
    const name = (who) => (who.startsWith("level:") ? levelNumber(who.slice(6), levels) : playerName(who));
    const players = [
      "me",
      ...levels.map((name) => `level:${name}`),
      ...this.#offer.bots.map((name) => `bot:${name}`),
    ];
    for (const [color, select] of Object.entries(this.#seats)) {
      setContent(select, ...players.map((who) => el("option", { value: who }, name(who))));
      select.value = this.#play.seat(color);
    }
    // Levels have their own limits; only full strength uses the time.
    this.#time.hidden = !Object.keys(this.#seats).some((color) => this.#play.seat(color) === "level:full");
    this.#ask();
  }

  /** Shows the question of an opening with its answers. */
  #ask() {
    const { state } = this.#opening;
    // During an opening its answers decide the colours.
    for (const select of Object.values(this.#seats)) select.disabled = this.#opening.isActive;
    this.#question.hidden = !state;
    if (!state) return;
    const { question } = state;
    const asked = this.#opening.asksPerson && this.#opening.hasOnePerson ? t("opening.you") : t(`opening.${state.asked}`);
    const values = { ...question, color: question.color ? t(`color.${question.color}`) : "", side: 2 * (question.reach ?? 0) + 1, offer: (question.given ?? 0) + 1 };
    const key = question.kind === "place"
      ? question.reach === 0 ? "place-center" : question.reach === 255 ? "place-anywhere" : "place-within"
      : question.kind;
    const answer = (text, label) => el("button", { type: "button", onclick: () => this.#opening.answer(text) }, label);
    const buttons = [];
    if (this.#opening.asksPerson) {
      if (/^swap/.test(question.kind)) buttons.push(answer("swap", t("opening.swap-button")), answer("stay", t("opening.stay-button")));
      if (question.kind === "swap-or-extend") buttons.push(answer("extend", t("opening.extend-button")));
      if (question.kind === "swap-or-offer") buttons.push(answer("extend", t("opening.offer-button")));
      if (question.kind === "number") {
        for (let number = 1; number <= question.most; number++) buttons.push(answer(String(number), String(number)));
      }
    }
    setContent(this.#question,
      el("h2", {}, `${t("opening.title")}: ${t(`opening-rule.${this.#opening.name}`)}`),
      el("p", {}, `${asked}: ${t(`opening.ask.${key}`, values)}`),
      el("div", { class: "row-of" }, ...withKeys(buttons)),
    );
  }

  /** Warns about a mistake and offers to take it back. */
  #teach({ best, reply, loss, after }) {
    const values = {
      move: after.at ?? t("moves.pass"), best: best.moves[0], reply: reply.moves[0],
      before: percentOf(best.rate), after: percentOf(best.rate - loss),
    };
    const key = reply.forced > 0 ? "teach.loses" : best.forced > 0 ? "teach.missed" : "teach.weak";
    setContent(this.#teacher, el("div", { class: "box warn" },
      el("p", {}, t(key, { ...values, plies: Math.abs(reply.forced ?? best.forced ?? 0) })),
      el("div", { class: "row-of" }, ...withKeys([
        el("button", { type: "button", class: "primary", id: "take-back", onclick: () => this.#takeBack(after) }, t("teach.take-back")),
        el("button", { type: "button", id: "play-on", onclick: () => this.#playOn() }, t("teach.play-on")),
        el("button", { type: "button", onclick: (event) => event.target.replaceWith(el("span", {}, t("teach.better", values))) }, t("teach.show")),
      ]))));
  }

  #takeBack(after) {
    this.#teacher.replaceChildren();
    if (this.#session.node === after) this.#play.undo();
  }

  #playOn() {
    this.#teacher.replaceChildren();
    this.#play.go();
  }
}
