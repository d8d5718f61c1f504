// The status line, announcements for screen readers, and the state of the connection.

import { byId } from "./dom.js";
import { t } from "./words.js";
import { endingText, playerName } from "./names.js";

/** Interval of attempts to reconnect, in milliseconds. */
const RETRY_INTERVAL = 1500;
/** Interval of connection checks, in milliseconds. */
const CHECK_INTERVAL = 10000;

export class Status {
  #line = byId("status");
  #spoken = byId("spoken");
  #session;
  #engine;
  #play;
  #message = null;
  #mode = "play";
  #retry = null;

  constructor({ session, engine, play }) {
    this.#session = session;
    this.#engine = engine;
    this.#play = play;
    session.addEventListener("position", () => {
      this.#message = null;
    });
    session.addEventListener("facts", () => this.draw());
    engine.addEventListener("busy", () => this.draw());
    engine.addEventListener("connection", () => this.#connection());
    const isSeen = () => document.visibilityState === "visible";
    setInterval(() => engine.connected && isSeen() && this.#checkConnection(), CHECK_INTERVAL);
  }

  set mode(mode) {
    this.#mode = mode;
    this.draw();
  }

  /** Shows a message on one line until the position changes. */
  notify(message, isProblem = false) {
    this.#message = { message: message.replaceAll("\n", " · "), isProblem };
    this.draw();
  }

  /** Announces a text to screen readers. */
  announce(text) {
    this.#spoken.textContent = text;
  }

  draw() {
    const ending = endingText(this.#session);
    const message = this.#message?.message ?? (ending || this.#turn());
    if (this.#line.textContent !== message) this.#line.textContent = message;
    this.#line.classList.toggle("over", ending !== "" && !this.#message);
    this.#line.classList.toggle("problem", Boolean(this.#message?.isProblem));
  }

  #turn() {
    const { side } = this.#session;
    const color = t(`color.${side}`);
    const busy = this.#engine.busy;
    if (busy === "think") return t("status.thinking", { who: playerName(this.#play.seat(side)) });
    if (busy === "opening-answer") return t("status.opening");
    if (this.#mode === "play" && this.#play.isPaused && this.#play.isEngine(side)) {
      return t("status.paused", { color });
    }
    return t("status.to-move", { color });
  }

  #connection() {
    const banner = byId("connection");
    banner.hidden = this.#engine.connected;
    if (this.#engine.connected) return;
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
      this.#session.refreshFacts();
    } catch (error) {
      const banner = byId("connection");
      if (error.locked) {
        banner.hidden = false;
        banner.textContent = t("status.locked");
      }
      if (!this.#engine.connected) this.#scheduleCheck();
    }
  }
}
