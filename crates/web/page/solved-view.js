// The game *It is solved* in the panel for playing: what it is, the record, and why a reply loses.

import { addTo, byId, el, setContent } from "./dom.js";
import { errorText } from "./errors.js";
import { t } from "./words.js";
import { isAbort, ServerError } from "./transport.js";
import { proofLine } from "./proof-line.js";
import { WINNER } from "./solved.js";

export class SolvedView {
  #parts;
  #about = el("p", { "data-t": "solved.about" });
  #record = el("p", { class: "soft", id: "solved-record" });
  #why;
  #line = el("div", { class: "proof", id: "solved-line", "aria-live": "polite" });

  /** `parts`: session, view, solved, engine, settings, notify, actions. */
  constructor(parts) {
    this.#parts = parts;
    const { session, settings } = parts;
    this.#why = el("button", { type: "button", id: "solved-why", "data-key": "w", onclick: () => this.why() });
    this.element = el("section", { id: "solved", hidden: true },
      el("h2", { "data-t": "solved.title" }),
      this.#about,
      this.#record,
      el("div", { class: "row-of" }, this.#why),
      this.#line);
    byId("panel-play").insertBefore(this.element, byId("panel-play").firstChild);
    session.addEventListener("position", () => {
      this.#line.replaceChildren();
      this.draw();
    });
    session.addEventListener("facts", () => this.draw());
    settings.addEventListener("change", (event) => event.detail === "solvedRecords" && this.draw());
  }

  /** Whether a reply can be explained. */
  get hasReply() {
    return this.#reply() !== null;
  }

  /**
   * The reply to explain, and the position before it: the selected cell, or the reply that was played
   * here, or the last one; at the end of a game the first one. Null if it is not proved to lose.
   */
  #reply() {
    const { session, view, solved } = this.#parts;
    const { node } = session;
    const candidates = [];
    if (session.side !== WINNER && !session.isOver) {
      if (view.cursor !== null && session.problem(view.cursor) === null) candidates.push({ node, at: view.cursor });
      if (session.next?.at) candidates.push({ node, at: session.next.at });
    }
    const replies = session.game.path().filter((it) => solved.isOwn(it) && it.at && it.color !== WINNER);
    const asked = replies.at(session.isOver ? 0 : -1);
    if (asked) candidates.push({ node: asked.parent, at: asked.at });
    return candidates.find((it) => solved.loses(it.node, it.at)) ?? null;
  }

  draw() {
    const { solved } = this.#parts;
    this.element.hidden = !solved.isOn;
    if (!solved.isOn) return;
    this.#about.hidden = !solved.isAtStart;
    this.#record.hidden = solved.record === 0;
    this.#record.textContent = t("solved.record", { count: solved.record });
    const reply = this.#reply();
    this.#why.hidden = reply === null;
    if (reply) this.#why.textContent = t("solved.why", { at: reply.at });
  }

  /** Goes to the position before the reply, and shows the line by which it loses. */
  async why() {
    const { session, engine, notify, actions } = this.#parts;
    const reply = this.#reply();
    if (!reply) return;
    const { at } = reply;
    actions.jump(() => session.goTo(reply.node));
    const { node } = session;
    const soft = (text) => el("p", { class: "soft" }, text);
    setContent(this.#line, soft(t("solve.working")));
    try {
      const answer = await engine.proof({ position: session.game.position(), at });
      if (session.node !== node) return;
      this.#line.replaceChildren();
      if (!answer) return;
      if (answer.line.length === 0) {
        addTo(this.#line, el("p", {}, t("solve.open")));
        return;
      }
      const { element } = proofLine(this.#parts, answer.line);
      const head = el("p", {}, t("solved.loses", { at }));
      addTo(this.#line, head, element);
      if (!answer.complete) addTo(this.#line, soft(t("solve.cut")));
      head.scrollIntoView({ block: "nearest" });
    } catch (error) {
      this.#line.replaceChildren();
      if (!isAbort(error) && error instanceof ServerError) notify(errorText(error), true);
    }
  }
}
