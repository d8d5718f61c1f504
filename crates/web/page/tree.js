// The game: a tree of positions. The first child of a node continues the main line, the others are
// variations. Only the page holds the tree.

import { nameOf, parseCell } from "./notation.js";

/** @typedef {"black" | "white"} Color */

/**
 * Stones set up at a node. `side` is the side to move afterwards; null: by the number of stones.
 * @typedef {object} SetUp
 * @property {string[]} [black]
 * @property {string[]} [white]
 * @property {string[]} [walls] cells out of play
 * @property {string[]} [clear] cells emptied first
 * @property {Color | null} [side]
 */

/**
 * A mark in a file: a sign, or letters if `text` is given; an `arrow` or a `line` goes to another cell.
 * @typedef {{ at: string, to?: string, sign?: string, text?: string }} FileMark
 */

/**
 * Another property of a file in SGF, which is only kept.
 * @typedef {{ name: string, values: string[] }} FileProperty
 */

/** @typedef {{ color: Color, number: number, node?: Node }} Stone */

/** @typedef {{ rule: string, width: number, height: number }} Terms */

/** @typedef {Node} GameNode */

/**
 * A node of a game in a file.
 * @typedef {object} FileNode
 * @property {number | null} parent index of the parent; null at the root
 * @property {Color} [color]
 * @property {string} [at] absent for a pass
 * @property {string} [comment]
 * @property {import("./engine.js").Evaluation} [evaluation]
 * @property {number} [time_ms]
 * @property {SetUp} [set_up]
 * @property {FileMark[]} [marks]
 * @property {FileProperty[]} [properties]
 */

/**
 * A game as the server reads and writes it. Parents come before their children.
 * @typedef {object} GameFile
 * @property {number} width
 * @property {number} height
 * @property {string | null} rule null if the file has none
 * @property {string | null} black
 * @property {string | null} white
 * @property {string | null} result `black`, `white`, `draw` or `void`
 * @property {string | null} reason
 * @property {number} opening
 * @property {Record<string, string>} info
 * @property {FileNode[]} nodes
 */

/**
 * The other colour.
 * @param {Color} color
 * @returns {Color}
 */
export const other = (color) => (color === "black" ? "white" : "black");

/** @type {Color[]} */
export const COLORS = ["black", "white"];

/**
 * The cells with stones of a colour.
 * @param {Map<string, { color: Color }>} stones
 * @param {Color} color
 */
export const stonesOfColor = (stones, color) => [...stones].filter(([, stone]) => stone.color === color).map(([at]) => at);

let serial = 0;

/** One position of the game. */
class Node {
  /**
   * @param {Node | null} parent
   * @param {{ color?: Color | null, at?: string | null } | null} play the stone, or a pass if `at`
   * is null
   */
  constructor(parent, play) {
    this.id = serial++;
    this.parent = parent;
    /** @type {Node[]} */
    this.children = [];
    /** @type {Color | null} */
    this.color = play?.color ?? null;
    /** @type {string | null} */
    this.at = play?.at ?? null;
    this.comment = "";
    /** @type {import("./engine.js").Evaluation | null} */
    this.evaluation = null;
    /** @type {number | null} */
    this.timeMs = null;
    /** @type {SetUp | null} */
    this.setUp = null;
    /** @type {FileMark[]} */
    this.marks = [];
    /** @type {FileProperty[]} */
    this.properties = [];
    /** @type {import("./engine.js").Facts | null} */
    this.facts = null;
    /** @type {import("./engine.js").ReviewedMove | null} */
    this.review = null;
    /** @type {number} */
    this.depth = parent ? parent.depth + 1 : 0;
  }
}

/** A game of any rule and size with its variations, and the current position. */
export class Game {
  /** @param {Terms} terms */
  constructor({ rule, width, height }) {
    this.rule = rule;
    this.width = width;
    this.height = height;
    /** @type {Record<Color, string | null>} */
    this.players = { black: null, white: null };
    /** @type {string | null} */
    this.result = null;
    /** @type {string | null} */
    this.reason = null;
    this.opening = 0;
    /** @type {Record<string, string>} */
    this.info = {};
    /**
     * The node of a resignation, a loss on time or a draw by passes (without a winner). `isResult`: the
     * game ends there even if moves follow.
     * @type {{ node: Node, winner: Color | null, reason: string, isResult?: boolean } | null}
     */
    this.ended = null;
    this.root = new Node(null, null);
    this.node = this.root;
  }

  /** Whether there are no moves and no stones. */
  get isEmpty() {
    return this.root.children.length === 0 && !this.root.setUp && this.root.comment === "";
  }

  /** The nodes from the start to `node`, both included. */
  path(node = this.node) {
    const path = [];
    for (let at = /** @type {Node | null} */ (node); at; at = at.parent) path.push(at);
    return path.reverse();
  }

  /** The nodes after `node`, each the first child of the one before. */
  continuation(node = this.node) {
    const line = [];
    for (let at = node.children[0]; at; at = at.children[0]) line.push(at);
    return line;
  }

  /** The colour of the first move of the game; undefined without moves. */
  firstMover() {
    return this.continuation(this.root).find((node) => node.color)?.color;
  }

  /** The board at `node`: stones by cell, cells out of play, side to move. */
  board(node = this.node) {
    /** @type {Map<string, Stone>} */
    const stones = new Map();
    /** @type {Set<string>} */
    const walls = new Set();
    /** @type {Color} */
    let side = "black";
    let number = 0;
    for (const step of this.path(node)) {
      if (step.setUp) {
        for (const at of step.setUp.clear ?? []) {
          stones.delete(at);
          walls.delete(at);
        }
        for (const color of COLORS) {
          for (const at of step.setUp[color] ?? []) stones.set(at, { color, number: 0 });
        }
        for (const at of step.setUp.walls ?? []) walls.add(at);
        side = step.setUp.side ?? (step.parent ? side : this.firstMover() ?? sideByCount(stones));
      }
      if (step.color) {
        if (step.at) stones.set(step.at, { color: step.color, number: ++number, node: step });
        side = other(step.color);
      }
    }
    return { stones, walls, side, moves: number };
  }

  /**
   * The position at `node` as the server reads it.
   * @returns {import("./engine.js").Position}
   */
  position(node = this.node) {
    const path = this.path(node);
    const start = path.findLastIndex((step) => step.setUp);
    /** @type {import("./engine.js").Position} */
    const position = { rule: this.rule, width: this.width, height: this.height, moves: [] };
    /** @type {Color} */
    let side = "black";
    if (start >= 0) {
      const { stones, walls, side: first } = this.board(path[start]);
      Object.assign(position, { black: stonesOfColor(stones, "black"), white: stonesOfColor(stones, "white"), walls: [...walls] });
      side = first;
      position.side = side;
    }
    for (const step of path.slice(start + 1)) {
      if (!step.color) continue;
      if (step.color !== side) position.moves.push("pass");
      position.moves.push(step.at ?? "pass");
      side = other(step.color);
    }
    return position;
  }

  /**
   * The child of `node` with this stone, created if missing.
   * @param {Node} node
   * @param {Color} color
   * @param {string | null} at null for a pass
   */
  childBy(node, color, at) {
    const known = node.children.find((child) => child.color === color && child.at === at);
    if (known) return known;
    const child = new Node(node, { color, at });
    node.children.push(child);
    return child;
  }

  /** The last node of the main line. */
  get end() {
    let node = this.root;
    while (node.children.length > 0) [node] = node.children;
    return node;
  }

  /**
   * Adds a child of `node` for set-up stones.
   * @param {Node} node
   */
  setUpAfter(node) {
    const child = new Node(node, null);
    child.setUp = { black: [], white: [], clear: [], walls: [], side: this.board(node).side };
    node.children.push(child);
    return child;
  }

  /**
   * Removes a node and all nodes after it.
   * @param {Node} node
   */
  remove(node) {
    if (!node.parent) return;
    const onPath = this.path().includes(node);
    node.parent.children = node.parent.children.filter((child) => child !== node);
    if (onPath) this.node = node.parent;
  }

  /**
   * Makes the line to a node the main line.
   * @param {Node} node
   */
  promote(node) {
    for (let at = node; at.parent; at = at.parent) {
      const siblings = at.parent.children;
      siblings.splice(siblings.indexOf(at), 1);
      siblings.unshift(at);
    }
  }

  /**
   * All nodes: parents before children, the main line before variations.
   * @returns {Generator<Node, void>}
   */
  *nodes() {
    const waiting = [this.root];
    while (waiting.length > 0) {
      const node = /** @type {Node} */ (waiting.pop());
      yield node;
      for (let i = node.children.length - 1; i >= 0; i--) waiting.push(node.children[i]);
    }
  }

  /**
   * The game in the form that the server writes to files.
   * @returns {GameFile}
   */
  toFile() {
    /** @type {Map<Node, number>} */
    const numbers = new Map();
    /** @type {FileNode[]} */
    const nodes = [];
    for (const node of this.nodes()) {
      numbers.set(node, nodes.length);
      /** @type {FileNode} */
      const entry = { parent: node.parent ? numbers.get(node.parent) ?? null : null };
      if (node.color) entry.color = node.color;
      if (node.at) entry.at = node.at;
      if (node.comment) entry.comment = node.comment;
      if (node.evaluation?.text) entry.evaluation = { text: node.evaluation.text };
      if (node.timeMs !== null) entry.time_ms = node.timeMs;
      if (node.setUp) entry.set_up = node.setUp;
      if (node.marks.length > 0) entry.marks = node.marks;
      if (node.properties.length > 0) entry.properties = node.properties;
      nodes.push(entry);
    }
    return {
      width: this.width,
      height: this.height,
      rule: this.rule,
      black: this.players.black,
      white: this.players.white,
      result: this.result,
      reason: this.reason,
      opening: this.opening,
      info: this.info,
      nodes,
    };
  }

  /**
   * The game that the server read from a file.
   * @param {GameFile} file
   * @param {string} rule the rule if the file has none
   */
  static fromFile(file, rule) {
    const game = new Game({ rule: file.rule ?? rule, width: file.width, height: file.height });
    game.players = { black: file.black, white: file.white };
    game.result = file.result;
    game.reason = file.reason;
    game.opening = file.opening;
    game.info = file.info;
    const nodes = file.nodes.map((entry, index) => {
      if (index === 0) return game.root;
      return new Node(null, { color: entry.color, at: entry.at });
    });
    file.nodes.forEach((entry, index) => {
      const node = nodes[index];
      if (index > 0) {
        const parent = nodes[/** @type {number} */ (entry.parent)];
        node.parent = parent;
        node.depth = parent.depth + 1;
        parent.children.push(node);
      }
      node.comment = entry.comment ?? "";
      node.evaluation = entry.evaluation ?? null;
      node.timeMs = entry.time_ms ?? null;
      node.setUp = entry.set_up ?? null;
      node.marks = entry.marks ?? [];
      node.properties = entry.properties ?? [];
    });
    return game;
  }

  /**
   * Whether a cell is on the board.
   * @param {string} at
   */
  has(at) {
    const cell = parseCell(at, this.height);
    return cell !== null && cell.x >= 0 && cell.y >= 0 && cell.x < this.width && cell.y < this.height;
  }

  /**
   * The name of a cell as `h8`, from any accepted form.
   * @param {string} at
   */
  canonical(at) {
    const cell = parseCell(at, this.height);
    return cell ? nameOf(cell.x, cell.y, this.height) : at;
  }
}

/**
 * The default side to move: black, unless black has more stones.
 * @param {Map<string, Stone>} stones
 * @returns {Color}
 */
function sideByCount(stones) {
  let black = 0;
  for (const { color } of stones.values()) black += color === "black" ? 1 : 0;
  return 2 * black > stones.size ? "white" : "black";
}
