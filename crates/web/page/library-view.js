// The list of the games that the browser keeps, in the panel for files.

import { el, setContent } from "./dom.js";
import { t } from "./words.js";

/** Number of games in the list. */
const SHOWN = 50;

export class LibraryView {
  #library;
  #actions;
  #list = el("ol", { class: "worst", id: "kept-games" });
  #about = el("p", { class: "soft" });

  constructor(library, actions) {
    this.#library = library;
    this.#actions = actions;
    const button = (id, label, run) => el("button", { type: "button", id, class: "small", "data-key": "F", "data-t": label, onclick: run });
    this.element = el("details", { id: "library" }, el("summary", { "data-t": "library.title" }),
      el("div", { class: "row-of" },
        button("keep-game", "library.keep", actions.keepGame),
        button("export-games", "library.export", actions.exportGames),
        button("import-games", "library.import", actions.importGames)),
      this.#list, this.#about);
    library.addEventListener("change", () => this.draw());
  }

  draw() {
    const { entries } = this.#library;
    this.#about.textContent = entries.length === 0 ? t("library.none") : t("library.count", { count: entries.length });
    setContent(this.#list, ...entries.slice(0, SHOWN).map((entry) => this.#entry(entry)));
  }

  #entry({ id, date, black, white, result, moves }) {
    const day = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium" }).format(date);
    const winner = result === "black" || result === "white" ? ` · ${t("end.wins", { winner: t(`color.${result}`) })}` : "";
    const text = `${[black, white].filter(Boolean).join(" – ")} · ${t("library.moves", { count: moves })}${winner}`;
    return el("li", { class: "kept" },
      el("button", { type: "button", "data-key": "F", onclick: () => this.#actions.openKept(id) },
        el("span", { class: "soft" }, day), text),
      el("button", {
        type: "button", class: "icon quiet small", "data-key": "F", "aria-label": t("library.remove"),
        onclick: () => this.#library.remove(id),
      }, "✕"));
  }
}
