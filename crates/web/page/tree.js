// The game: a tree of positions. The first child of a node is what was played, the others are
// variations. It lives in the page only.

import { nameOf, parseCell } from "./notation.js";

export const other = (color) => (color === "black" ? "white" : "black");

let serial = 0;

/** One position of the game. */
class Node {
  constructor(parent, play) {
    this.id = serial++;
    this.parent = parent;
    this.children = [];
    this.color = play?.color ?? null;
    this.at = play?.at ?? null;
    this.comment = "";
    this.evaluation = null;
    this.timeMs = null;
    this.setUp = null;
    this.marks = [];
    this.facts = null;
    this.review = null;
    this.depth = parent ? parent.depth + 1 : 0;
  }
}

/** A game of any rule and size, with its variations, and the position that is looked at. */
export class Game {
  constructor({ rule, width, height }) {
    this.rule = rule;
    this.width = width;
    this.height = height;
    this.players = { black: null, white: null };
    this.result = null;
    this.reason = null;
    this.opening = 0;
    this.info = {};
    /** Where somebody gave up or ran out of time: node, winner, reason. */
    this.ended = null;
    this.root = new Node(null, null);
    this.node = this.root;
  }

  /** The nodes from the start to `node`, both included. */
  path(node = this.node) {
    const path = [];
    for (let at = node; at; at = at.parent) path.push(at);
    return path.reverse();
  }

  /** The nodes after `node`, each the first child of the one before. */
  continuation(node = this.node) {
    const line = [];
    for (let at = node.children[0]; at; at = at.children[0]) line.push(at);
    return line;
  }

  /** Who makes the first move of the game, where there is one. */
  firstMover() {
    return this.continuation(this.root).find((node) => node.color)?.color;
  }

  /** What stands on the board at `node`: stones by cell, cells out of play, who is to move. */
  board(node = this.node) {
    const stones = new Map();
    const walls = new Set();
    let side = "black";
    let number = 0;
    for (const step of this.path(node)) {
      if (step.setUp) {
        for (const at of step.setUp.clear ?? []) {
          stones.delete(at);
          walls.delete(at);
        }
        for (const color of ["black", "white"]) {
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

  /** The position at `node` as the server reads it. */
  position(node = this.node) {
    const path = this.path(node);
    const start = path.findLastIndex((step) => step.setUp);
    const position = { rule: this.rule, width: this.width, height: this.height, moves: [] };
    let side = "black";
    if (start >= 0) {
      const { stones, walls, side: first } = this.board(path[start]);
      const of = (color) => [...stones].filter(([, it]) => it.color === color).map(([at]) => at);
      Object.assign(position, { black: of("black"), white: of("white"), walls: [...walls] });
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

  /** The continuation of `node` by this stone, made if it is not there yet. */
  childBy(node, color, at) {
    const known = node.children.find((child) => child.color === color && child.at === at);
    if (known) return known;
    const child = new Node(node, { color, at });
    node.children.push(child);
    return child;
  }

  /** The last node of the game, whose variations are none of it. */
  get end() {
    let node = this.root;
    while (node.children.length > 0) [node] = node.children;
    return node;
  }

  /** Nothing is known about how the game ended. */
  forgetResult() {
    this.result = null;
    this.reason = null;
    this.ended = null;
  }

  /** A continuation that sets stones up. */
  setUpAfter(node) {
    const child = new Node(node, null);
    child.setUp = { black: [], white: [], clear: [], walls: [], side: this.board(node).side };
    node.children.push(child);
    return child;
  }

  /** Takes a node and what follows it out of the tree. */
  remove(node) {
    if (!node.parent) return;
    const onPath = this.path().includes(node);
    node.parent.children = node.parent.children.filter((child) => child !== node);
    if (onPath) this.node = node.parent;
  }

  /** Makes the line of a node the one that was played. */
  promote(node) {
    for (let at = node; at.parent; at = at.parent) {
      const siblings = at.parent.children;
      siblings.splice(siblings.indexOf(at), 1);
      siblings.unshift(at);
    }
  }

  /** Every node, parents first, what was played before variations. */
  *nodes() {
    const waiting = [this.root];
    while (waiting.length > 0) {
      const node = waiting.pop();
      yield node;
      for (let i = node.children.length - 1; i >= 0; i--) waiting.push(node.children[i]);
    }
  }

  /** The game as the server writes it into files. */
  toFile() {
    const numbers = new Map();
    const nodes = [];
    for (const node of this.nodes()) {
      numbers.set(node, nodes.length);
      const entry = { parent: node.parent ? numbers.get(node.parent) : null };
      if (node.color) entry.color = node.color;
      if (node.at) entry.at = node.at;
      if (node.comment) entry.comment = node.comment;
      if (node.evaluation?.text) entry.evaluation = { text: node.evaluation.text };
      if (node.timeMs !== null) entry.time_ms = node.timeMs;
      if (node.setUp) entry.set_up = node.setUp;
      if (node.marks.length > 0) entry.marks = node.marks;
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

  /** The game that the server read from a file; `rule` where the file does not say. */
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
        node.parent = nodes[entry.parent];
        node.depth = node.parent.depth + 1;
        node.parent.children.push(node);
      }
      node.comment = entry.comment ?? "";
      node.evaluation = entry.evaluation ?? null;
      node.timeMs = entry.time_ms ?? null;
      node.setUp = entry.set_up ?? null;
      node.marks = entry.marks ?? [];
    });
    return game;
  }

  /** Whether a cell lies on the board. */
  has(at) {
    const cell = parseCell(at, this.height);
    return cell !== null && cell.x >= 0 && cell.y >= 0 && cell.x < this.width && cell.y < this.height;
  }

  /** The field's name of a cell, however it is written. */
  canonical(at) {
    const cell = parseCell(at, this.height);
    return cell ? nameOf(cell.x, cell.y, this.height) : at;
  }
}

function sideByCount(stones) {
  let black = 0;
  for (const { color } of stones.values()) black += color === "black" ? 1 : 0;
  return 2 * black > stones.size ? "white" : "black";
}
