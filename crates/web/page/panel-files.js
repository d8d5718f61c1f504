// The panels for files (open, paste, download, share) and for setting up positions.

import { addTo, byId, el } from "./dom.js";
import { t, translate } from "./words.js";
import { ENCODINGS, FORMS, USUAL_FORMS } from "./files.js";
import { LibraryView } from "./library-view.js";
import { COLORS } from "./tree.js";

/** Whether the page comes from a server on this computer: its addresses work only while that runs. */
const isLocal = () => ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);

export class FilesPanel {
  #root = byId("panel-files");
  #files;
  #library;
  /** How to read the last file; hidden until there is one. */
  #again;
  #about = el("p", { class: "soft", id: "file-about" });

  constructor({ files, library, actions, rules }) {
    this.#files = files;
    this.#library = new LibraryView(library, actions);
    const read = () => files.paste(field.value);
    const field = el("textarea", {
      id: "paste", rows: 4, spellcheck: "false", "data-key": "I",
      onkeydown: (event) => event.ctrlKey && event.key === "Enter" && read(),
    });
    // Common formats have keys; the others have keys in the dialog of `F`.
    const keys = { sgf: "D", png: "P", gif: "G" };
    const save = (form) => el("button", {
      type: "button", id: `save-${form}`, class: form === "sgf" ? "primary" : "", "data-key": keys[form] ?? "F",
      "data-t": `form.${form}`, onclick: () => files.download(form),
    });
    const button = (id, label, click, key) => el("button", { type: "button", id, "data-key": key, "data-t": label, onclick: click });
    const labelled = (id, label, control) => [el("label", { for: id, "data-t": label }), control];
    const select = (id, ...options) => el("select", { id, "data-key": "O" }, ...options);
    const usual = (label) => el("option", { value: "", "data-t": label });
    const value = (id) => byId(id).value.trim();
    const again = () => files.readAgain({ encoding: value("file-encoding"), rule: value("file-rule"), size: value("file-size") });
    this.#again = el("div", { hidden: true },
      el("h2", { "data-t": "files.again" }),
      this.#about,
      el("div", { class: "fields" },
        labelled("file-encoding", "files.encoding", select("file-encoding", usual("files.automatic"), ...ENCODINGS.map((it) => el("option", { value: it }, it)))),
        labelled("file-rule", "new.rule", select("file-rule", usual("files.automatic"), ...rules.map((it) => el("option", { value: it, "data-t": `rule.${it}` })))),
        labelled("file-size", "new.size", el("input", { id: "file-size", "data-key": "O", placeholder: "15x15", spellcheck: "false" }))),
      el("div", { class: "row-of" }, button("read-again", "files.read-again", again, "O")));
    addTo(this.#root,
      el("div", { class: "downloads" }, button("open", "files.open", actions.open, "o"), ...USUAL_FORMS.map(save)),
      this.#again,
      el("h2", { "data-t": "files.share" }),
      el("div", { class: "downloads" },
        button("copy-link", "files.copy-link", () => files.copyLink(), "Y"),
        button("copy-moves", "files.copy-moves", () => files.copyMoves(), "y")),
      ...(isLocal() ? [el("p", { class: "soft", "data-t": "files.link-local" })] : []),
      el("label", { for: "paste", class: "soft", "data-t": "files.paste" }),
      field,
      el("div", { class: "row-of" }, button("read", "files.read-text", read, "Ctrl Enter")),
      this.#library.element,
      el("details", { id: "more-forms" }, el("summary", { "data-t": "files.more" }),
        el("div", { class: "downloads" }, ...FORMS.filter((form) => !USUAL_FORMS.includes(form)).map(save),
          button("copy-gomocalc", "files.copy-gomocalc", () => files.copyGomocalc(), "F"))),
      el("p", { class: "soft", "data-t": "files.about" }),
    );
    files.addEventListener("read", () => this.#drawLast());
  }

  #drawLast() {
    const { last } = this.#files;
    this.#again.hidden = last === null;
    if (last === null) return;
    const name = last.name ?? t("files.text");
    this.#about.textContent = last.guessed ? `${name} · ${t("files.guessed", { encoding: last.guessed })}` : name;
  }

  draw() {
    translate(this.#root);
    this.#library.draw();
    this.#drawLast();
  }
}

/** The stones, cells out of play and marks that a click in the panel for set-up can place. */
const TOOLS = ["black", "white", "walls", "clear"];
export const MARKS = ["circle", "cross", "square", "triangle", "letter"];
/** The marks from one cell to another. */
export const CONNECTIONS = ["arrow", "line"];

/** The panel for setting up positions. */
export class EditPanel {
  #root = byId("panel-edit");
  #session;
  #tool = "black";
  #onTool;

  constructor({ session, actions }) {
    this.#session = session;
    this.#onTool = actions.toolChosen;
    const radio = (group, key, value, label, isChecked, change) => el("label", { class: "check" },
      el("input", { type: "radio", name: group, value, id: `${group}-${value}`, checked: isChecked, "data-key": key, onchange: change }),
      el("span", { "data-t": label }));
    addTo(this.#root,
      el("h2", { "data-t": "edit.title" }),
      el("div", { class: "row-of", role: "radiogroup" },
        ...TOOLS.map((tool) => radio("tool", "z", tool, `edit.${tool}`, tool === "black", () => {
          this.tool = tool;
        }))),
      el("h3", { "data-t": "edit.marks" }),
      el("div", { class: "row-of", role: "radiogroup" },
        ...[...MARKS, ...CONNECTIONS].map((tool) => radio("tool", "z", tool, `edit.${tool}`, false, () => {
          this.tool = tool;
        }))),
      el("h3", { "data-t": "edit.side" }),
      el("div", { class: "row-of", role: "radiogroup" },
        ...COLORS.map((side) => radio("side", "S", side, `color.${side}`, false, () => session.setSide(side)))),
      el("div", { class: "row-of" },
        el("button", { type: "button", id: "edit-undo", "data-key": "u", "data-t": "action.undo", onclick: actions.undo }),
        el("button", { type: "button", id: "edit-redo", "data-key": "r", "data-t": "action.redo", onclick: actions.redo }),
        el("button", { type: "button", id: "edit-clear-marks", "data-key": "\\", "data-t": "edit.clear-marks", onclick: actions.clearMarks }),
        el("button", { type: "button", id: "edit-clear", "data-key": "Z", "data-t": "edit.empty", onclick: actions.empty }),
        el("button", { type: "button", id: "edit-pass", "data-key": "p", "data-t": "action.pass", onclick: actions.pass })),
      el("p", { class: "soft", "data-t": "edit.about" }),
      el("p", { class: "soft", "data-t": "edit.about-arrows" }),
    );
    session.addEventListener("position", () => this.#side());
  }

  #side() {
    byId(`side-${this.#session.side}`).checked = true;
  }

  /** The tool of a click, one of `TOOLS`, `MARKS` or `CONNECTIONS`. */
  get tool() {
    return this.#tool;
  }

  set tool(tool) {
    this.#tool = tool;
    this.#onTool(tool);
  }

  /** Selects the next tool. */
  nextTool() {
    const all = [...TOOLS, ...MARKS, ...CONNECTIONS];
    this.tool = all[(all.indexOf(this.tool) + 1) % all.length];
    byId(`tool-${this.tool}`).checked = true;
  }

  draw() {
    translate(this.#root);
    this.#side();
  }
}
