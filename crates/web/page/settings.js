// Settings, stored in the browser. The page of the local server uses a cookie: all ports of this
// machine share cookies, while other stores belong to one port, and the port changes with each start.
// A page without a server does not send its settings to its host, so it uses the local storage.

const NAME = "tengen-settings";
/** Lifetime of the cookie in seconds. */
const AGE = 365 * 24 * 3600;

/**
 * @typedef {object} Values
 * @property {string | null} language null: the language that the browser prefers
 * @property {string} theme
 * @property {string} rule
 * @property {number} width
 * @property {number} height
 * @property {string} opening
 * @property {string} black `me`, `level:club`, `bot:random`
 * @property {string} white
 * @property {number} moveTime seconds
 * @property {boolean} clock
 * @property {number} clockMinutes
 * @property {number} clockIncrement seconds
 * @property {boolean} teaching
 * @property {boolean} numbers
 * @property {boolean} coordinates
 * @property {number} lines
 * @property {{ fouls: boolean, black: boolean, white: boolean }} layers
 * @property {string[]} kinds
 * @property {number} reviewNodes
 * @property {boolean} visited whether a game was begun or the first card was closed
 * @property {boolean} letterKeys whether letters, digits and signs are keys of the page
 * @property {boolean} sound
 * @property {number} threads of a search; 0: as many as usual
 * @property {number} memory of a search in MiB; 0: as much as usual
 * @property {boolean} ponder whether the engine searches in the time of the person
 * @property {string} board `wood`, `paper`, `green`, `slate`
 * @property {boolean} solverOpen whether the solver is unfolded
 * @property {string} level the last level of an opponent
 * @property {string} puzzleRule the rule of puzzles, or `any`
 * @property {string} puzzleLevel `easy`, `medium`, `hard` or `own`
 * @property {Record<string, number>} solvedRecords most moves against each proof
 */

/** @type {Values} */
const DEFAULTS = {
  language: null,
  theme: "auto",
  rule: "freestyle",
  width: 15,
  height: 15,
  opening: "none",
  black: "me",
  white: "level:beginner",
  moveTime: 2,
  clock: false,
  clockMinutes: 10,
  clockIncrement: 5,
  teaching: false,
  numbers: true,
  coordinates: true,
  lines: 5,
  layers: { fouls: true, black: false, white: false },
  kinds: ["five", "straight four", "double four", "four-three", "four", "double three", "open three"],
  reviewNodes: 50000,
  visited: false,
  letterKeys: true,
  sound: false,
  threads: 0,
  memory: 0,
  ponder: false,
  board: "wood",
  solverOpen: false,
  level: "beginner",
  puzzleRule: "any",
  puzzleLevel: "easy",
  solvedRecords: {},
};

/** The settings by name. Event: `change` a setting was changed (detail: its name). */
export class Settings extends EventTarget {
  /** @type {Values} */
  #values;
  /** Whether the browser stores settings. */
  #isStored;

  constructor() {
    super();
    const values = stored();
    this.#values = { ...DEFAULTS, ...usualHere(), ...values };
    this.#isStored = Object.keys(values).length > 0;
  }

  /**
   * @template {keyof Values} Name
   * @param {Name} name
   * @returns {Values[Name]}
   */
  get(name) {
    return this.#values[name];
  }

  /**
   * The records of all tabs: most moves against each proof.
   * @returns {Values["solvedRecords"]}
   */
  get solvedRecords() {
    const { solvedRecords } = stored();
    return solvedRecords ?? (this.#isStored ? {} : this.#values.solvedRecords);
  }

  /**
   * @template {keyof Values} Name
   * @param {Name} name
   * @param {Values[Name]} value
   */
  set(name, value) {
    this.#values[name] = value;
    // The other settings are as other tabs left them: changed, or removed.
    write(JSON.stringify({ ...stored(), [name]: value }));
    this.#isStored = name in stored();
    this.dispatchEvent(new CustomEvent("change", { detail: name }));
  }

  /** Removes all stored settings. */
  forget() {
    write(null);
  }
}

/**
 * The rule and the board that are most common among players of the browser's language.
 * @returns {Partial<Values>}
 */
function usualHere() {
  const language = globalThis.navigator?.language ?? "";
  if (/^vi/i.test(language)) return { rule: "caro", width: 20, height: 20 };
  return /^ja/i.test(language) ? { rule: "renju" } : {};
}

/** Whether the page is served by `tengen web`. */
export const hasServer = () => document.documentElement?.dataset.engine !== "worker";

/** The stored text; empty if there is none. */
function read() {
  if (!hasServer()) return localStorage.getItem(NAME) ?? "";
  const cookie = document.cookie.split("; ").find((it) => it.startsWith(`${NAME}=`));
  return decodeURIComponent(cookie?.slice(NAME.length + 1) ?? "");
}

/** @param {string | null} text null: nothing is stored any more */
function write(text) {
  if (hasServer()) {
    const age = text === null ? 0 : AGE;
    document.cookie = `${NAME}=${encodeURIComponent(text ?? "")}; path=/; max-age=${age}; samesite=strict`;
    return;
  }
  try {
    if (text === null) localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, text);
  } catch {
    // The browser refuses to store: the settings last until the page is closed.
  }
}

/**
 * The stored settings, without invalid values.
 * @returns {Partial<Values>}
 */
function stored() {
  try {
    const values = JSON.parse(read() || "{}");
    if (typeof values !== "object" || Array.isArray(values)) return {};
    const samples = new Map(Object.entries(DEFAULTS));
    return Object.fromEntries(Object.entries(values)
      .filter(([name, value]) => !samples.has(name) || fits(value, samples.get(name))));
  } catch {
    // No stored settings, or invalid ones.
    return {};
  }
}

/**
 * Whether a value has the type of a default value. The default null allows a text or null.
 * @param {any} value
 * @param {any} sample
 * @returns {boolean}
 */
function fits(value, sample) {
  if (sample === null) return value === null || typeof value === "string";
  if (Array.isArray(sample)) return Array.isArray(value) && value.every((it) => typeof it === "string");
  if (typeof sample !== "object") return typeof value === typeof sample;
  return typeof value === "object" && value !== null
    && Object.entries(sample).every(([name, it]) => fits(value[name], it));
}
