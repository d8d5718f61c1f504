// What the page remembers from one visit to the next, in this browser only.

const KEY = "tengen";

const DEFAULTS = {
  language: null,
  theme: "auto",
  rule: "freestyle",
  width: 15,
  height: 15,
  opening: "none",
  black: "me",
  white: "level:regular",
  moveTime: 2,
  clock: false,
  clockMinutes: 10,
  clockIncrement: 5,
  teaching: false,
  numbers: true,
  coordinates: true,
  confirm: true,
  lines: 5,
  layers: { fouls: true, black: false, white: false },
  kinds: ["five", "straight four", "double four", "four-three", "four", "double three", "open three"],
  reviewNodes: 50000,
};

/** Values by name; `change` is told of with the name. */
export class Settings extends EventTarget {
  #values;

  constructor() {
    super();
    let kept = {};
    try {
      kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    } catch {
      // A browser that keeps nothing, or kept something else.
    }
    this.#values = { ...DEFAULTS, ...kept };
  }

  get(name) {
    return this.#values[name];
  }

  set(name, value) {
    this.#values[name] = value;
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#values));
    } catch {
      // Then it is forgotten with the page.
    }
    this.dispatchEvent(new CustomEvent("change", { detail: name }));
  }
}
