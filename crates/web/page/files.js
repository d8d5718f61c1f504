// Files: opened from disk, dropped, or pasted; saved as downloads. The server converts the formats
// and does not access the disk.

import { readAddress } from "./address.js";
import { addTo } from "./dom.js";
import { boardSvg, toPng } from "./picture.js";
import { Game } from "./tree.js";
import { errorText } from "./errors.js";
import { cellsOnLines } from "./notation.js";
import { ServerError } from "./transport.js";
import { hasText, t } from "./words.js";

/** Maximum size of a file, in bytes. */
const MAX_BYTES = 5 << 20;

/** @type {Record<string, string>} */
const KINDS = {
  sgf: "application/x-go-sgf",
  psq: "text/plain",
  rec: "text/plain",
  pos: "application/octet-stream",
  sav: "text/plain",
  lib: "application/octet-stream",
  jsonl: "application/json",
  notation: "text/plain",
  moves: "text/plain",
  diagram: "text/plain",
};

/** The formats of downloads: game files and pictures. */
export const FORMS = [...Object.keys(KINDS), "svg", "png", "gif"];

/** Forms that have a button of their own; the others are folded. */
export const USUAL_FORMS = ["sgf", "png", "gif"];

/** Forms that hold the names of the players and the day. */
const NAMING_FORMS = ["sgf", "jsonl"];

/** The number of Gomoku and Renju among the games of SGF. */
const SGF_GAME = "4";

/**
 * The name of a format, with what it is for.
 * @param {string} form
 */
export function formName(form) {
  return t(`form.${form}`);
}

/**
 * Another game for which a file in SGF is made, by its number; null if it is for this one.
 * @param {Uint8Array} bytes
 */
export function otherGame(bytes) {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 2000));
  const [, number] = /^\s*\(\s*;[^;]*?\bGM\s*\[\s*(\d+)\s*\]/.exec(start) ?? [];
  return number === undefined || number === SGF_GAME ? null : number;
}

/**
 * File extensions that differ from the name of the format.
 * @type {Record<string, string>}
 */
const ENDINGS = { notation: "txt", moves: "txt", diagram: "txt" };

/** @typedef {import("./tree.js").GameFile} GameFile */

/**
 * How to read a file, where the user chose it.
 * @typedef {{ encoding?: string, rule?: string, size?: string }} Reading
 */

/** @typedef {{ black: string | null, white: string | null, date: string | null }} Details */

/** Encodings that the user can choose: those of the languages in which Gomoku files are written. */
export const ENCODINGS = ["UTF-8", "GB18030", "Big5", "Shift_JIS", "EUC-JP", "EUC-KR", "windows-1251",
  "KOI8-R", "windows-1250", "windows-1252", "windows-1258", "UTF-16LE"];

/** Fires `read` when a file was read or could not be read. */
export class Files extends EventTarget {
  /**
   * The last file, for another reading. `guessed` is its encoding where the server guessed it.
   * @type {{ name: string | null, bytes: Uint8Array, guessed: string | null } | null}
   */
  last = null;
  #session;
  #engine;
  #settings;
  #notify;
  #choose;
  #beforeOpen;
  #terms;
  #analysis;
  #details;

  /**
   * @param {object} parts
   * @param {import("./session.js").Session} parts.session
   * @param {import("./engine.js").Engine} parts.engine
   * @param {import("./settings.js").Settings} parts.settings
   * @param {(text: string, isProblem?: boolean) => void} parts.notify
   * @param {(games: GameFile[]) => Promise<number | null>} parts.choose lets the user choose one of
   * several games; null for none
   * @param {() => void} parts.beforeOpen called before a game is opened
   * @param {import("./address.js").AddressTerms} parts.terms defaults for addresses
   * @param {Pick<import("./analysis.js").Analysis, "found">} [parts.analysis] whose best moves pictures show
   * @param {(game: Game) => Details} [parts.details]
   */
  constructor({
    session, engine, settings, notify, choose, beforeOpen, terms, analysis = { found: null },
    details = ({ players, info }) => ({ ...players, date: info.date ?? null }),
  }) {
    super();
    this.#session = session;
    this.#engine = engine;
    this.#settings = settings;
    this.#notify = notify;
    this.#choose = choose;
    this.#beforeOpen = beforeOpen;
    this.#terms = terms;
    this.#analysis = analysis;
    this.#details = details;
  }

  /**
   * Opens a file.
   * @param {File} file
   */
  async open(file) {
    const bytes = await this.#bytesOf(file);
    if (bytes) await this.#read(file.name, bytes);
  }

  /**
   * The content of a file; null if it is too large or cannot be read, and a message says why.
   * @param {File} file
   */
  async #bytesOf(file) {
    const { name } = file;
    try {
      if (file.size <= MAX_BYTES) return new Uint8Array(await file.arrayBuffer());
      this.#notify(t("files.too-large", { name }), true);
    } catch (error) {
      // A folder, or a file that was removed meanwhile.
      this.#notify(t("files.unreadable", { name, reason: error instanceof Error ? error.message : String(error) }), true);
    }
    return null;
  }

  /**
   * Opens a text: moves, a diagram, the content of a file, or a link to a position.
   * @param {string} text
   */
  async paste(text) {
    if (text.trim() === "") return;
    const [, hash] = /^(?:[a-z]+:\S*?)?(#\S+)$/i.exec(text.trim()) ?? [];
    const linked = hash && readAddress(hash, this.#terms);
    if (linked) {
      this.#beforeOpen();
      this.#session.load(linked, linked.node);
      this.#notify(t("files.read", { name: t("files.text") }));
      return;
    }
    await this.#read(null, new TextEncoder().encode(cellsOnLines(text)?.join(" ") ?? text));
  }

  /**
   * Reads the last file again.
   * @param {Reading} reading
   */
  async readAgain(reading) {
    if (this.last) await this.#read(this.last.name, this.last.bytes, reading);
  }

  /**
   * @param {string | null} name
   * @param {Uint8Array} bytes
   * @param {Reading} [reading]
   */
  async #read(name, bytes, reading = {}) {
    const { width, height } = this.#session.game;
    // The default size is that of the current board, except for Piskvork's archives.
    const usual = /\.rec$/i.test(name ?? "") ? null : `${width}x${height}`;
    const data = toBase64(bytes);
    try {
      const { games, left_out, guessed } = await this.#engine.read({
        name, data, size: reading.size || usual,
        encoding: reading.encoding || null, rule: reading.rule || null,
      });
      this.#remember(name, bytes, guessed);
      const chosen = games.length > 1 ? await this.#choose(games) : 0;
      if (chosen === null) return;
      const game = Game.fromFile(games[chosen], this.#settings.get("rule"));
      const line = game.continuation(game.root);
      this.#beforeOpen();
      this.#session.load(game, line.at(-1) ?? game.root);
      const done = left_out.length > 0
        ? t("files.read-without", { what: left_out.join(", ") })
        : t("files.read", { name: name ?? t("files.text") });
      const other = otherGame(bytes);
      const about = guessed ? `${done} · ${t("files.guessed", { encoding: guessed })}` : done;
      this.#notify(other ? `${about} · ${t("files.other-game", { number: other })}` : about, other !== null);
    } catch (error) {
      if (!(error instanceof ServerError)) return;
      this.#remember(name, bytes, null);
      this.#notify(t("files.unreadable", { name: name ?? t("files.text"), reason: errorText(error) }), true);
    }
  }

  /**
   * @param {string | null} name
   * @param {Uint8Array} bytes
   * @param {string | null} guessed
   */
  #remember(name, bytes, guessed) {
    this.last = { name, bytes, guessed };
    this.dispatchEvent(new Event("read"));
  }

  /**
   * The file name of a download, made from the names of the players.
   * @param {string} ending
   */
  #name(ending) {
    const { players } = this.#session.game;
    const names = [players.black, players.white].filter(Boolean).join("-");
    const plain = names.replace(/[^\p{L}\p{N}-]+/gu, "_").slice(0, 60);
    return `${plain || "game"}.${ending}`;
  }

  /**
   * Downloads the game in a format, or a picture.
   * @param {string} form
   */
  download(form) {
    /** @type {Record<string, () => Promise<void>>} */
    const pictures = { svg: () => this.#svg(), png: () => this.#png(), gif: () => this.#gif() };
    return pictures[form]?.() ?? this.#write(form);
  }

  /**
   * The game as it is written. Only some formats have names and a day.
   * @param {string} form
   */
  #file(form) {
    const { game } = this.#session;
    const file = game.toFile();
    if (!NAMING_FORMS.includes(form)) return file;
    const { black, white, date } = this.#details(game);
    return { ...file, black, white, info: date ? { date, ...file.info } : file.info };
  }

  /** @param {string} form */
  async #write(form) {
    try {
      const { data, lost } = await this.#engine.write(form, this.#file(form));
      const ending = ENDINGS[form] ?? form;
      const name = this.#name(ending);
      saveFile(new Blob([fromBase64(data)], { type: KINDS[form] }), name);
      const missing = lost.map((it) => (hasText(`lost.${it}`) ? t(`lost.${it}`) : it)).join(", ");
      this.#notify(lost.length > 0 ? t("files.lost", { form: formName(form), what: missing }) : t("files.saved", { name }));
    } catch (error) {
      if (error instanceof ServerError) this.#notify(t("files.unwritable", { form: formName(form), reason: errorText(error) }), true);
    }
  }

  /**
   * @param {Blob} blob
   * @param {string} ending
   */
  #save(blob, ending) {
    this.#saveAs(blob, this.#name(ending));
  }

  /**
   * @param {Blob} blob
   * @param {string} name
   */
  #saveAs(blob, name) {
    saveFile(blob, name);
    this.#notify(t("files.saved", { name }));
  }

  get #pictureOptions() {
    return { numbers: this.#settings.get("numbers"), coordinates: this.#settings.get("coordinates") };
  }

  #picture() {
    const { game, facts } = this.#session;
    return boardSvg(game, { ...this.#pictureOptions, row: facts?.row ?? [], title: titleOf(game), lines: this.#analysis.found?.lines });
  }

  async #svg() {
    this.#save(new Blob([this.#picture()], { type: "image/svg+xml" }), "svg");
  }

  async #png() {
    this.#save(await toPng(this.#picture()), "png");
  }

  /** Downloads an animation of the current line, to its end. */
  async #gif() {
    const { game } = this.#session;
    const end = game.continuation(game.node).at(-1) ?? game.node;
    try {
      const { data } = await this.#engine.replay(game.position(end), this.#pictureOptions);
      this.#save(new Blob([fromBase64(data)], { type: "image/gif" }), "gif");
    } catch (error) {
      if (error instanceof ServerError) this.#notify(t("files.unwritable", { form: "GIF", reason: errorText(error) }), true);
    }
  }

  /**
   * Downloads games as one file in SGF.
   * @param {Game[]} games
   */
  async downloadAll(games) {
    try {
      const parts = [];
      for (const game of games) parts.push(fromBase64((await this.#engine.write("sgf", game.toFile())).data), "\n");
      if (parts.length === 0) this.#notify(t("library.none"), true);
      else this.#saveAs(new Blob(parts, { type: KINDS.sgf }), "tengen-games.sgf");
    } catch (error) {
      if (error instanceof ServerError) this.#notify(errorText(error), true);
    }
  }

  /**
   * Lets the user choose a file. Returns its games; null if no file was chosen or it cannot be read.
   * @returns {Promise<Game[] | null>}
   */
  async readAll() {
    const file = await chooseFile();
    const bytes = file && await this.#bytesOf(file);
    if (!file || !bytes) return null;
    try {
      const { games } = await this.#engine.read({ name: file.name, data: toBase64(bytes), size: null, encoding: null, rule: null });
      return games.map((game) => Game.fromFile(game, this.#settings.get("rule")));
    } catch (error) {
      if (error instanceof ServerError) this.#notify(t("files.unreadable", { name: file.name, reason: errorText(error) }), true);
      return null;
    }
  }

  /** Copies the moves as text. */
  async copyMoves() {
    const { moves, black, white, walls } = this.#session.game.position();
    // A list of moves cannot hold passes and set-up stones; the address can.
    if (black || white || walls || moves.includes("pass")) return this.copyLink();
    await copy(moves.join(""));
    this.#notify(t("files.copied"));
  }

  /** Copies a link of gomocalc.com with the moves, which opens on any computer. */
  async copyGomocalc() {
    const { width, height, moves, black, white, walls } = this.#session.game.position();
    if (width !== 15 || height !== 15 || black || white || walls || moves.includes("pass")) {
      this.#notify(t("files.only-moves"), true);
      return;
    }
    await copy(`https://gomocalc.com/#/${moves.join("")}`);
    this.#notify(t("files.copied"));
  }

  /** Copies the address of the position. */
  async copyLink() {
    await copy(location.href);
    this.#notify(t("files.copied"));
  }
}

/**
 * The players of a game as a line over its picture; empty if they have no names.
 * @param {Game} game
 */
function titleOf({ players }) {
  return [players.black, players.white].filter(Boolean).join(" – ");
}

/**
 * Lets the user choose a file; null if the choice is cancelled.
 * @returns {Promise<File | null>}
 */
function chooseFile() {
  const field = document.createElement("input");
  field.type = "file";
  return new Promise((resolve) => {
    field.addEventListener("change", () => resolve(field.files?.[0] ?? null));
    field.addEventListener("cancel", () => resolve(null));
    field.click();
  });
}

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // A browser may refuse access to the clipboard but allow this.
    const field = document.createElement("textarea");
    field.value = text;
    addTo(document.body, field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}

/**
 * @param {Blob} blob
 * @param {string} name
 */
export function saveFile(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  addTo(document.body, link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** @param {Uint8Array} bytes */
function toBase64(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 32768) {
    text += String.fromCharCode(...bytes.subarray(i, i + 32768));
  }
  return btoa(text);
}

/** @param {string} text */
function fromBase64(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
