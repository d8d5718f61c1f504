// The board as a drawing: lines, stones, and the cell under the pointer or the cursor.
//
// Events: `choose` a cell was chosen; `hover` the pointer is on another cell (null: none);
// `alternate` the menu of a cell is requested (right button or long press); `aim` a finger is on a cell
// (null: no more). Each has the cell's name as its detail. While `draws` is set, `drawing` and `drawn`: the
// pointer goes, or went, from one cell to another (detail: `{ from, to }`; `to` is null if it left the board).

import { addTo, setContent, svg } from "./dom.js";
import { columnName, nameOf, parseCell, starPoints } from "./notation.js";

/** Units of the drawing for a cell, and around the board. */
export const CELL = 40;
const MARGIN = 38;
const BARE_MARGIN = 24;
/** Duration of a long press, in milliseconds. */
const LONG_PRESS = 500;
/** Time until a finger that rests is magnified, in milliseconds. */
const AIM_TIME = 160;
/** Width of a cell in pixels below which texts become larger and marks simpler. */
const SMALL_CELL = 28;

const LAYERS = [
  "ground", "lines", "zones", "shadows", "stones", "numbers", "marks", "threats", "ghosts", "cursor",
];

export class Board extends EventTarget {
  #root;
  #layers = {};
  #game = null;
  #hovered = null;
  #pressed = null;
  #coordinates = true;
  /** Whether a pointer that goes from one cell to another draws. */
  draws = false;

  constructor(root) {
    super();
    this.#root = root;
    // The cursor reads the cells; the drawing has nothing for a screen reader.
    const drawing = svg("g", { id: "board-drawing", "aria-hidden": "true" });
    addTo(root, definitions(), drawing);
    for (const name of LAYERS) {
      this.#layers[name] = svg("g", { class: `layer-${name}` });
      addTo(drawing, this.#layers[name]);
    }
    new ResizeObserver(() => this.#fit()).observe(root);
    root.addEventListener("pointermove", (event) => this.#move(event));
    root.addEventListener("pointerleave", () => this.#hover(null));
    root.addEventListener("pointerdown", (event) => this.#press(event));
    root.addEventListener("pointerup", (event) => this.#release(event));
    root.addEventListener("pointercancel", () => {
      if (this.draws && this.#pressed) this.#endDrawing();
      this.#drop();
    });
    root.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      if (event.pointerType === "touch") return;
      this.#send("alternate", this.#cellAt(event));
    });
  }

  #send(kind, at, more = {}) {
    if (at !== null || kind === "hover") {
      this.dispatchEvent(Object.assign(new CustomEvent(kind, { detail: at }), more));
    }
  }

  /** The SVG group of a layer, for other modules to draw into. */
  layer(name) {
    return this.#layers[name];
  }

  /** Left, top, width and height of the drawing, in its units. */
  get viewBox() {
    const { width, height } = this.#game;
    const right = this.#margin + (width - 1) * CELL;
    const bottom = this.#margin + (height - 1) * CELL;
    if (!this.#coordinates) return [0, 0, right + BARE_MARGIN, bottom + BARE_MARGIN];
    const [left, top] = [2, MARGIN - BARE_MARGIN];
    return [left, top, right + BARE_MARGIN - left, bottom + MARGIN - 4 - top];
  }

  #fit() {
    if (!this.#game) return;
    const cell = (this.#root.getBoundingClientRect().width / this.viewBox[2]) * CELL;
    this.#root.classList.toggle("small", cell > 0 && cell < SMALL_CELL);
  }

  get #margin() {
    return this.#coordinates ? MARGIN : BARE_MARGIN;
  }

  /** The centre of a cell, in units of the drawing. */
  center(at) {
    const { x, y } = parseCell(at, this.#game.height);
    return { x: this.#margin + x * CELL, y: this.#margin + y * CELL };
  }

  /** Draws the empty board of a game. */
  setGame(game, coordinates) {
    this.#game = game;
    this.#coordinates = coordinates;
    const [width, height] = [game.width, game.height];
    const right = this.#margin + (width - 1) * CELL;
    const bottom = this.#margin + (height - 1) * CELL;
    const full = { width: right + this.#margin, height: bottom + this.#margin };
    this.#root.setAttribute("viewBox", this.viewBox.join(" "));
    this.#root.dataset.height = height;
    this.#fit();
    setContent(this.#layers.ground,
      svg("rect", { class: "wood", width: full.width, height: full.height }),
      ...grain(full),
    );
    const lines = [];
    for (let x = 0; x < width; x++) {
      const at = this.#margin + x * CELL;
      lines.push(`M${at} ${this.#margin}V${bottom}`);
    }
    for (let y = 0; y < height; y++) {
      const at = this.#margin + y * CELL;
      lines.push(`M${this.#margin} ${at}H${right}`);
    }
    const frame = {
      class: "frame", x: this.#margin, y: this.#margin,
      width: right - this.#margin, height: bottom - this.#margin,
    };
    const stars = starPoints(width, height).map(({ x, y }) =>
      svg("circle", { class: "star", cx: this.#margin + x * CELL, cy: this.#margin + y * CELL, r: 4.2 }),
    );
    setContent(this.#layers.lines,
      svg("path", { class: "grid", d: lines.join("") }),
      svg("rect", frame),
      ...stars,
      ...(coordinates ? this.#names(width, height, bottom) : []),
    );
    this.#hovered = null;
  }

  #names(width, height, bottom) {
    const names = [];
    for (let x = 0; x < width; x++) {
      names.push(label(this.#margin + x * CELL, bottom + 22, columnName(x)));
    }
    for (let y = 0; y < height; y++) {
      names.push(label(this.#margin - 24, this.#margin + y * CELL, height - y));
    }
    return names;
  }

  /** Draws the stones, with the numbers of the moves if `numbers` is true; `isFresh`: the last one has
   * just been placed. */
  setStones({ stones, walls }, last, numbers, isFresh = false) {
    const shadows = [];
    const discs = [];
    const texts = [];
    for (const at of walls) {
      const { x, y } = this.center(at);
      discs.push(svg("rect", { class: "wall", x: x - 15, y: y - 15, width: 30, height: 30, rx: 4 }));
    }
    for (const [at, stone] of stones) {
      const { x, y } = this.center(at);
      shadows.push(svg("circle", { class: "shadow", cx: x + 1.2, cy: y + 2.6, r: 18.2 }));
      const fresh = isFresh && at === last ? " fresh" : "";
      const disc = svg("circle", { class: `stone ${stone.color}${fresh}`, cx: x, cy: y, r: 18 });
      disc.dataset.at = at;
      discs.push(disc);
      if (numbers && stone.number > 0) {
        const digits = String(stone.number).length;
        const classes = `number on-${stone.color} digits-${digits}${at === last ? " last" : ""}`;
        texts.push(svg("text", { class: classes, x, y }, String(stone.number)));
      }
    }
    if (last && !numbers) {
      const { x, y } = this.center(last);
      texts.push(svg("circle", { class: `last-dot on-${stones.get(last)?.color}`, cx: x, cy: y, r: 5.5 }));
    } else if (last) {
      const { x, y } = this.center(last);
      texts.push(svg("circle", { class: "last-ring", cx: x, cy: y, r: 18.6 }));
    }
    setContent(this.#layers.shadows, ...shadows);
    setContent(this.#layers.stones, ...discs);
    setContent(this.#layers.numbers, ...texts);
  }

  /** Shows where the next stone would be placed; null for nowhere. */
  setCursor(at, color, isFirm) {
    if (at === null || !this.#game.has(at)) {
      this.#layers.cursor.replaceChildren();
      return;
    }
    const { x, y } = this.center(at);
    const classes = `ghost-stone ${color}${isFirm ? " firm" : ""}`;
    const parts = [svg("circle", { class: classes, cx: x, cy: y, r: 18 })];
    if (isFirm) parts.push(svg("rect", { class: "cursor", x: x - 20, y: y - 20, width: 40, height: 40, rx: 6 }));
    setContent(this.#layers.cursor, ...parts);
  }

  #cellAt(event) {
    const matrix = this.#root.getScreenCTM();
    if (!matrix || !this.#game) return null;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const x = Math.round((point.x - this.#margin) / CELL);
    const y = Math.round((point.y - this.#margin) / CELL);
    const isOn = x >= 0 && y >= 0 && x < this.#game.width && y < this.#game.height;
    return isOn ? nameOf(x, y, this.#game.height) : null;
  }

  #hover(at) {
    if (at === this.#hovered) return;
    this.#hovered = at;
    this.#send("hover", at);
  }

  get hovered() {
    return this.#hovered;
  }

  #move(event) {
    if (this.draws && this.#pressed) this.#draw("drawing", this.#cellAt(event));
    if (event.pointerType !== "touch") {
      this.#hover(this.#cellAt(event));
      return;
    }
    const pressed = this.#pressed;
    const at = this.#cellAt(event);
    if (!pressed || pressed.asked || at === pressed.at) return;
    // The finger looks for another cell.
    clearTimeout(pressed.timer);
    pressed.at = at;
    this.#aim(at);
  }

  /** Returns whether the pointer went to another cell. */
  #draw(kind, to) {
    const { from } = this.#pressed;
    if (from === null || to === null || from === to) return false;
    this.dispatchEvent(new CustomEvent(kind, { detail: { from, to } }));
    return true;
  }

  /** Ends a drawing without an end. */
  #endDrawing() {
    this.dispatchEvent(new CustomEvent("drawn", { detail: { from: this.#pressed.from, to: null } }));
  }

  #aim(at) {
    this.dispatchEvent(new CustomEvent("aim", { detail: at }));
  }

  #press(event) {
    this.#drop();
    // With two fingers no cell is meant.
    if (event.button !== 0 || !event.isPrimary) return;
    const at = this.#cellAt(event);
    this.#pressed = { from: at, at, timer: null, aim: null, asked: false };
    // The board learns also where the mouse is released outside of it; a finger is captured anyway.
    if (this.draws) this.#root.setPointerCapture(event.pointerId);
    if (event.pointerType === "touch") {
      const pressed = this.#pressed;
      // A finger is captured by the board, also where it leaves it.
      pressed.aim = setTimeout(() => this.#aim(pressed.at), AIM_TIME);
      // A finger that draws may rest at the start.
      if (this.draws) return;
      pressed.timer = setTimeout(() => {
        pressed.asked = true;
        this.#aim(null);
        this.#send("alternate", at);
      }, LONG_PRESS);
    }
  }

  #release(event) {
    const pressed = this.#pressed;
    const at = this.#cellAt(event);
    const isDrawn = this.draws && pressed && this.#draw("drawn", at);
    if (this.draws && pressed && !isDrawn && at !== pressed.from) this.#endDrawing();
    this.#drop();
    if (!pressed || pressed.asked || isDrawn || event.button !== 0) return;
    if (at === pressed.at) this.#send("choose", at, { touch: event.pointerType === "touch" });
  }

  #drop() {
    if (!this.#pressed) return;
    clearTimeout(this.#pressed.timer);
    clearTimeout(this.#pressed.aim);
    if (this.#pressed.aim !== null) this.#aim(null);
    this.#pressed = null;
  }
}

function label(x, y, text) {
  return svg("text", { class: "coordinate", x, y }, String(text));
}

/** Lines of wood grain, equal each time. */
function grain({ width, height }) {
  const lines = [];
  let seed = 7;
  const random = () => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
  for (let y = 6; y < height; y += 9 + random() * 16) {
    const bend = () => (y + (random() - 0.5) * 16).toFixed(1);
    const d = `M0 ${bend()}C${width * 0.3} ${bend()} ${width * 0.65} ${bend()} ${width} ${bend()}`;
    lines.push(svg("path", { class: "grain", d, opacity: (0.25 + random() * 0.6).toFixed(2) }));
  }
  return lines;
}

/** Gradients of wood and stones. */
function definitions() {
  const stop = (offset, name) => svg("stop", { offset, class: name });
  const light = { cx: "36%", cy: "30%", r: "75%" };
  return svg(
    "defs",
    {},
    svg("linearGradient", { id: "wood", x1: 0, y1: 0, x2: 0.25, y2: 1 }, stop(0, "wood-1"), stop(1, "wood-2")),
    svg("radialGradient", { id: "black-stone", ...light }, stop(0, "black-1"), stop(0.45, "black-2"), stop(1, "black-3")),
    svg("radialGradient", { id: "white-stone", ...light }, stop(0, "white-1"), stop(0.6, "white-2"), stop(1, "white-3")),
  );
}
