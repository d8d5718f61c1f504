// The list of the games that the browser keeps, in the panel for files.

import { el, setContent } from "./dom.js";
import { t } from "./words.js";

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
    const days = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium" });
    setContent(this.#list, ...entries.map((entry, index) => this.#entry(entry, days.format(entry.date), index)));
  }

  #entry({ id, black, white, result, moves }, day, index) {
    const winner = result === "black" || result === "white" ? ` · ${t("end.wins", { winner: t(`color.${result}`) })}` : "";
    const text = `${[black, white].filter(Boolean).join(" – ")} · ${t("library.moves", { count: moves })}${winner}`;
    return el("li", { class: "kept" },
      el("button", { type: "button", "data-key": "F", onclick: () => this.#actions.openKept(id) },
        el("span", { class: "soft" }, day), text),
      el("button", {
        type: "button", class: "icon quiet small", "data-key": "F", "aria-label": `${t("library.remove")}: ${text}`,
        onclick: () => {
          this.#actions.removeKept(id);
          this.#focusEntry(index);
        },
      }, "✕"));
  }

  /** Focuses the button that removes the game at this place, or the last one. */
  #focusEntry(index) {
    const rows = this.#list.children;
    const row = rows[Math.min(index, rows.length - 1)];
    (row ? row.children[1] : this.element.children[0]).focus();
  }
}
