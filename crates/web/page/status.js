// The status line, announcements for screen readers, and the state of the connection.

import { byId } from "./dom.js";
import { t } from "./words.js";
import { endingText, playerName, provedText } from "./names.js";
import { WINNER } from "./solved.js";
import { other } from "./tree.js";

/** Interval of attempts to reconnect, in milliseconds. */
const RETRY_INTERVAL = 1500;
/** Interval of connection checks, in milliseconds. */
const CHECK_INTERVAL = 10000;
/** Time for which an action is offered, in milliseconds. */
const OFFER_TIME = 10000;

export class Status {
  #line = byId("status");
  #spoken = byId("spoken");
  #session;
  #engine;
  #play;
  #solved;
  #message = null;
  #mode = "play";
  #retry = null;
  #button = byId("status-action");
  /** The action of the button beside the line, and its end time; null without a button. */
  #offer = null;

  constructor({ session, engine, play, solved }) {
    this.#session = session;
    this.#engine = engine;
    this.#play = play;
    this.#solved = solved;
    session.addEventListener("position", () => {
      this.#message = null;
      // Without a connection no facts follow.
      if (engine.connected) this.#setTitle();
      else this.draw();
    });
    session.addEventListener("facts", () => {
      // What was said before the end is about a game in progress.
      if (session.isOver) this.#message = null;
      this.draw();
    });
    play.addEventListener("state", () => this.draw());
    engine.addEventListener("busy", () => {
      // A search was started: the reason why one was refused is obsolete.
      if (engine.busy && this.#message?.isProblem) this.#message = null;
      this.draw();
    });
    this.#button.addEventListener("click", () => {
      const run = this.#offer?.run ?? (() => play.go());
      this.#withdraw();
      run();
    });
    engine.addEventListener("connection", () => this.#connection());
    const isSeen = () => document.visibilityState === "visible";
    setInterval(() => engine.connected && isSeen() && this.#checkConnection(), CHECK_INTERVAL);
  }

  set mode(mode) {
    this.#mode = mode;
    this.draw();
  }

  /** Shows a message on one line until the position changes; an empty one removes it. */
  notify(message, isProblem = false) {
    this.#message = message === "" ? null : { message: message.replaceAll("\n", " · "), isProblem };
    this.draw();
  }

  /** Offers an action beside the line for some seconds. `key` is its key. */
  offer(label, key, run) {
    this.#withdraw();
    this.#offer = { label, key, run, timer: setTimeout(() => this.#withdraw(), OFFER_TIME) };
    this.draw();
  }

  #withdraw() {
    clearTimeout(this.#offer?.timer);
    this.#offer = null;
    this.draw();
  }

  /** Announces a text to screen readers. */
  announce(text) {
    this.#spoken.textContent = text;
  }

  draw() {
    const ending = endingText(this.#session);
    const message = this.#message?.message ?? (ending || [this.#turn(), this.#proof()].filter(Boolean).join(" · "));
    if (this.#line.textContent !== message) this.#line.textContent = message;
    this.#line.classList.toggle("over", ending !== "" && !this.#message);
    this.#line.classList.toggle("problem", Boolean(this.#message?.isProblem));
    this.#drawButton();
    this.#setTitle();
  }

  /** The button offers an action, or makes a paused player of this program move. */
  #drawButton() {
    const waits = this.#mode === "play" && this.#play.waitsForGo && !this.#play.asksAboutMistake;
    this.#button.hidden = !this.#offer && !waits;
    if (this.#button.hidden) return;
    this.#button.textContent = this.#offer?.label ?? t("action.continue");
    this.#button.dataset.key = this.#offer?.key ?? "Space";
    this.#button.title = `${this.#button.textContent} (${this.#button.dataset.key})`;
  }

  /** Shows the side to move in the title of the tab. */
  #setTitle() {
    const { side, isOver } = this.#session;
    const isPerson = this.#mode === "play" && !this.#play.isEngine(side) && this.#play.isEngine(other(side));
    const turn = isPerson ? t("title.your-turn") : t("status.to-move", { color: t(`color.${side}`) });
    const title = isOver ? endingText(this.#session) : turn;
    document.title = title ? `${title} – Tengen` : "Tengen";
  }

  #turn() {
    const { side } = this.#session;
    const color = t(`color.${side}`);
    const busy = this.#engine.busy;
    if (busy === "think") return t("status.thinking", { who: playerName(this.#play.seat(side)) });
    if (busy === "opening-answer") return t("status.opening");
    if (this.#play.isTeaching) return t("status.teaching");
    if (this.#mode === "play" && this.#play.asksAboutMistake) return t("status.mistake");
    if (this.#mode === "play" && this.#play.waitsForGo) return t("status.paused", { color });
    return t("status.to-move", { color });
  }

  /** In the game *It is solved*: whether the position is proved. */
  #proof() {
    const { node, facts } = this.#session;
    if (this.#mode !== "play" || !this.#solved.isOn || !facts) return "";
    const known = this.#solved.isWon(node) ? t("proved.wins", { color: t(`color.${WINNER}`) }) : provedText(this.#session);
    return known || t("proved.none");
  }

  #connection() {
    const banner = byId("connection");
    banner.hidden = this.#engine.connected;
    // The position may have changed without facts.
    this.draw();
    if (this.#engine.connected) {
      clearTimeout(this.#retry);
      return;
    }
    banner.textContent = t("status.lost");
    this.#scheduleCheck();
  }

  /** Schedules the next attempt; only one is pending. */
  #scheduleCheck() {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#checkConnection(), RETRY_INTERVAL);
  }

  /** Checks the connection to the server. */
  async #checkConnection() {
    try {
      await this.#engine.hello();
      byId("connection").hidden = true;
      this.#session.refreshFacts();
    } catch (error) {
      const banner = byId("connection");
      if (error.locked) {
        banner.hidden = false;
        banner.textContent = t("status.locked");
      }
      // Another tab may get access for this browser.
      if (error.locked || !this.#engine.connected) this.#scheduleCheck();
    }
  }
}
