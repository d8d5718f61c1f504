// The game on the board: the current node, its facts, and all changes.
//
// Events: `game` another game; `position` another node or another board; `tree` the moves have
// changed; `facts` the facts of the position have arrived; `refused` the server has not sent them; `notes`
// evaluations or marks; `lost` a game or moves were replaced or removed, which `restore` brings back.

import { Game, other } from "./tree.js";
import { errorText } from "./errors.js";
import { ServerError } from "./transport.js";
import { writeAddress } from "./address.js";
import { EditHistory } from "./edit-history.js";

/** @typedef {import("./tree.js").GameNode} GameNode */
/** @typedef {import("./tree.js").Color} Color */
/** @typedef {import("./tree.js").FileMark} FileMark */

/** @typedef {"black" | "white" | "walls" | "clear"} EditTool */

/** @type {EditTool[]} */
const EDIT_TOOLS = ["black", "white", "walls", "clear"];

export class Session extends EventTarget {
  #engine;
  /** @type {GameNode[]} */
  #redo = [];
  /**
   * The game to which belongs what was removed last, and how it is brought back.
   * @type {{ game: Game, restore: () => void } | null}
   */
  #lost = null;
  #edits = new EditHistory();
  /** The results of files by the last nodes of their main lines. @type {WeakMap<GameNode, Pick<Game, "result" | "reason">>} */
  #results = new WeakMap();
  /** Whether the last request for the facts of the position has failed, which `refreshFacts` repeats. */
  isRefused = false;

  /**
   * @param {Pick<import("./engine.js").Engine, "look">} engine
   * @param {import("./tree.js").Terms} terms
   */
  constructor(engine, terms) {
    super();
    this.#engine = engine;
    this.game = new Game(terms);
  }

  /** @param {string[]} kinds */
  #emit(...kinds) {
    for (const kind of kinds) this.dispatchEvent(new Event(kind));
  }

  get node() {
    return this.game.node;
  }

  /** The facts of the position; null until the server has sent them. */
  get facts() {
    return this.node.facts;
  }

  board() {
    return this.game.board();
  }

  get side() {
    return this.board().side;
  }

  /** Whether the game is over at this node: by the stones, resignation or time. */
  get isOver() {
    return this.#isOverAt(this.node);
  }

  /** The node where the main line ends: that of a resignation or loss on time, or the last one. */
  get gameEnd() {
    const { end, ended } = this.game;
    return ended && this.#hasEndedBy(end) ? ended.node : end;
  }

  /** Whether the main line ends elsewhere, in the end of the game. */
  get isOverLater() {
    const { gameEnd } = this;
    return gameEnd !== this.node && (this.game.result !== null || this.#isOverAt(gameEnd));
  }

  /**
   * Whether the line to a node ends by resignation, on time or by passes.
   * @param {GameNode} node
   */
  #hasEndedBy(node) {
    const { game } = this;
    const { ended } = game;
    return ended !== null && (ended.node === node || (Boolean(ended.isResult) && game.path(node).includes(ended.node)));
  }

  /** @param {GameNode} node */
  #isOverAt(node) {
    const { facts } = node;
    return this.game.ended?.node === node || (facts !== null && facts.state !== "open");
  }

  /** Whether the side to move may pass. If all moves are forbidden, black must. */
  get mayPass() {
    return !this.isOver || (!this.verdict && this.facts?.state === "only-fouls");
  }

  /** The winner at this node by resignation, time or passes, with the reason; null if there is none. */
  get verdict() {
    const { ended } = this.game;
    return ended?.node === this.node ? { winner: ended.winner, reason: ended.reason } : null;
  }

  /**
   * Replaces the game.
   * @param {Game} game
   * @param {GameNode} node
   * @param {boolean} isQuiet whether the replaced game is kept elsewhere
   */
  load(game, node = game.root, isQuiet = false) {
    const before = { game: this.game, node: this.game.node };
    this.game = game;
    game.node = node;
    this.#redo = [];
    this.#edits.clear();
    this.#emit("game");
    this.#positionChanged();
    if (isQuiet || before.game === game || before.game.isEmpty) return;
    this.lose(before.game, () => this.load(before.game, before.node));
  }

  /**
   * Offers to bring back a game that was replaced, or moves of it that were removed.
   * @param {Game} game
   * @param {() => void} restore
   */
  lose(game, restore) {
    this.#lost = { game, restore };
    this.#emit("lost");
  }

  /** The game to which belongs what can be brought back; null without such a game. */
  get lost() {
    return this.#lost?.game ?? null;
  }

  /** Brings back the game or the moves that were replaced or removed last. Returns false if there is nothing to bring back. */
  restore() {
    const lost = this.#lost;
    this.#lost = null;
    lost?.restore();
    return lost !== null;
  }

  #positionChanged() {
    writeAddress(this.game);
    this.#emit("position");
    this.#fetchFacts();
  }

  async #fetchFacts() {
    const { game, node } = this;
    this.isRefused = false;
    if (node.facts) {
      this.#emit("facts");
      return;
    }
    const position = game.position(node);
    /** @type {import("./engine.js").Facts} */
    let facts;
    try {
      facts = await this.#engine.look(position);
    } catch (error) {
      if (!(error instanceof ServerError) || error.isTemporary) {
        if (this.game !== game || this.node !== node) return;
        this.isRefused = true;
        this.#emit("refused");
        return;
      }
      // Show impossible positions, too.
      facts = { state: "impossible", reason: errorText(error), fouls: [], row: [] };
    }
    // The position was edited in the meantime, and its facts are requested again.
    if (JSON.stringify(game.position(node)) !== JSON.stringify(position)) return;
    node.facts = facts;
    if (this.game === game && this.node === node) this.#emit("facts");
  }

  /** Requests all facts again: the engine knows more now. */
  lookAgain() {
    for (const node of this.game.nodes()) node.facts = null;
    this.#fetchFacts();
  }

  /** Requests missing facts again after a lost connection or a temporary refusal. */
  refreshFacts() {
    if (!this.facts) this.#fetchFacts();
  }

  /**
   * Why a stone cannot be placed at `at`; null if it can.
   * @param {string} at
   * @returns {{ key: string, foul?: import("./engine.js").Foul } | null}
   */
  problem(at) {
    const { stones, walls } = this.board();
    if (!this.game.has(at)) return { key: "problem.off-board" };
    if (walls.has(at) || stones.has(at)) return { key: "problem.occupied" };
    if (this.isOver && this.facts?.state !== "only-fouls") return { key: "problem.over" };
    const foul = this.side === "black" ? this.facts?.fouls.find((it) => it.at === at) : null;
    return foul ? { key: `foul.${foul.kind}`, foul } : null;
  }

  /**
   * Plays a stone of the side to move, or a pass if `at` is null.
   * @param {string | null} at
   * @param {number | null} timeMs thinking time
   * @param {boolean} isMain whether the move continues the game: its line becomes the main line
   */
  play(at, timeMs = null, isMain = false) {
    // A continued game loses its result until the move is removed.
    const node = this.#reshape(() => this.game.childBy(this.node, this.side, at));
    if (timeMs !== null) node.timeMs = timeMs;
    if (isMain) this.#reshape(() => this.game.promote(node));
    this.#redo = [];
    this.game.node = node;
    this.#emit("tree");
    this.#positionChanged();
    return node;
  }

  /**
   * Adds moves as a line after the position, without going there.
   * @param {string[]} moves
   */
  keep(moves) {
    let node = this.node;
    let side = this.side;
    // The result stays, and belongs to the line, too, if it follows the last move.
    this.#rememberResult();
    for (const at of moves) {
      node = this.game.childBy(node, side, at);
      side = other(side);
    }
    this.#emit("tree");
    return node;
  }

  /** @param {GameNode | null} [node] */
  goTo(node) {
    if (!node || node === this.node) return;
    this.game.node = node;
    this.#positionChanged();
  }

  back(steps = 1) {
    let node = this.node;
    for (let i = 0; i < steps && node.parent; i++) {
      this.#redo.push(node);
      node = node.parent;
    }
    this.goTo(node);
  }

  /** The node to which `forward` goes; undefined at the end of the line. */
  get next() {
    return this.#after(this.node);
  }

  /** @param {GameNode} node */
  #after(node) {
    const last = this.#redo.at(-1);
    return last?.parent === node ? last : node.children[0];
  }

  forward(steps = 1) {
    let node = this.node;
    for (let i = 0; i < steps; i++) {
      const next = this.#after(node);
      if (!next) break;
      if (next === this.#redo.at(-1)) this.#redo.pop();
      node = next;
    }
    this.goTo(node);
  }

  toStart() {
    this.back(this.node.depth);
  }

  toEnd() {
    this.forward(Infinity);
  }

  /**
   * The next or previous variation of this move.
   * @param {1 | -1} step
   */
  variation(step) {
    const siblings = this.node.parent?.children ?? [];
    const index = siblings.indexOf(this.node) + step;
    this.goTo(siblings[index]);
  }

  /** Remembers the result of a file for the last move. */
  #rememberResult() {
    const { end, result, reason } = this.game;
    if (result !== null && !this.#hasEndedBy(end)) this.#results.set(end, { result, reason });
  }

  /**
   * Changes the tree and updates the result of the game.
   * @template T
   * @param {() => T} change
   */
  #reshape(change) {
    const { game } = this;
    const before = game.end;
    this.#rememberResult();
    const changed = change();
    const { end, ended } = game;
    if (end !== before) {
      const known = ended && this.#hasEndedBy(end) ? { result: ended.winner ?? "draw", reason: ended.reason } : this.#results.get(end);
      Object.assign(game, known ?? { result: null, reason: null });
    }
    return changed;
  }

  remove(node = this.node) {
    const { game } = this;
    const { parent } = node;
    if (!parent) return;
    const index = parent.children.indexOf(node);
    this.#reshape(() => game.remove(node));
    this.#redo = [];
    this.#emit("tree");
    this.#positionChanged();
    this.lose(game, () => {
      if (this.game !== game) this.load(game);
      this.#reshape(() => parent.children.splice(Math.min(index, parent.children.length), 0, node));
      this.#emit("tree");
      this.goTo(node);
    });
  }

  promote(node = this.node) {
    this.#reshape(() => this.game.promote(node));
    this.#emit("tree");
  }

  /**
   * Sets up a stone or a wall, or clears a cell.
   * @param {string} at
   * @param {EditTool} what
   */
  edit(at, what) {
    this.#setUp((node) => this.#place(node, at, what));
  }

  /**
   * @param {GameNode} node
   * @param {string} at
   * @param {EditTool} what
   */
  #place(node, at, what) {
    const setUp = stonesOf(node);
    for (const kind of EDIT_TOOLS) setUp[kind] = setUp[kind].filter((cell) => cell !== at);
    const before = node.parent ? this.game.board(node.parent) : { stones: new Map(), walls: new Set() };
    // As in SGF, a stone replaces another one. If one of the two is a wall, the cell must be
    // cleared first.
    if (what !== "clear") setUp[what].push(at);
    const isTaken = before.stones.has(at) && ["clear", "walls"].includes(what);
    if (before.walls.has(at) || isTaken) setUp.clear.push(at);
  }

  /**
   * Sets a mark on a cell of the position, or removes it. `letter` is the next free letter.
   * @param {string} at
   * @param {string} kind `circle`, `cross`, `square`, `triangle` or `letter`
   */
  mark(at, kind) {
    const { marks } = this.node;
    const isOld = (/** @type {FileMark} */ mark) => mark.at === at && mark.to === undefined;
    const rest = marks.filter((mark) => !isOld(mark));
    const old = marks.find(isOld);
    const isSame = old && (kind === "letter" ? old.text !== undefined : old.sign === kind);
    const used = new Set(marks.map(({ text }) => text));
    const letter = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find((it) => !used.has(it)) ?? "?";
    const fresh = kind === "letter" ? { at, text: letter } : { at, sign: kind };
    this.#setMarks(isSame ? rest : [...rest, fresh]);
  }

  /**
   * Draws an arrow or a line between two cells, or removes it. Another one between them is replaced.
   * @param {string} at
   * @param {string} to
   * @param {string} sign `arrow` or `line`
   */
  connect(at, to, sign) {
    const { marks } = this.node;
    const isBetween = (/** @type {FileMark} */ mark) => (mark.at === at && mark.to === to) || (mark.at === to && mark.to === at);
    const rest = marks.filter((mark) => !isBetween(mark));
    const isSame = marks.some((mark) => isBetween(mark) && mark.sign === sign && (sign === "line" || mark.at === at));
    this.#setMarks(isSame ? rest : [...rest, { at, to, sign }]);
  }

  /** Removes all marks of the position. */
  clearMarks() {
    if (this.node.marks.length > 0) this.#setMarks([]);
  }

  /** @param {FileMark[]} marks */
  #setMarks(marks) {
    const { node } = this;
    const before = node.marks;
    const set = (/** @type {FileMark[]} */ to) => {
      node.marks = to;
      this.#emit("notes");
    };
    this.#edits.add({ node, undo: () => set(before), redo: () => set(marks) });
    set(marks);
  }

  /** Takes back the last change of this position by hand. False if there is none. */
  undoEdit() {
    return this.#edits.undo(this.node);
  }

  /** Repeats the change that was taken back last. False if there is none at this position. */
  redoEdit() {
    return this.#edits.redo(this.node);
  }

  /**
   * Sets the side to move.
   * @param {Color} side
   */
  setSide(side) {
    this.#setUp((node) => {
      stonesOf(node).side = side;
    });
  }

  /**
   * Changes the set-up stones of this position.
   * @param {(node: GameNode) => void} change
   */
  #setUp(change) {
    const { node: from } = this;
    const before = structuredClone(from.setUp);
    const node = this.#setUpNode();
    change(node);
    const after = structuredClone(node.setUp);
    const isNew = node !== from;
    const set = (/** @type {import("./tree.js").SetUp | null} */ setUp) => {
      node.setUp = structuredClone(setUp);
      this.#changed(node);
    };
    // Moves after the position need its stones.
    this.#edits.add({
      node, before: from, isFixed: () => node.children.length > 0,
      undo: () => (isNew ? this.#drop(node) : set(before)),
      redo: () => (isNew ? this.#putBack(from, node, after) : set(after)),
    });
    this.#changed(node);
  }

  /** @param {GameNode} node */
  #drop(node) {
    this.#reshape(() => this.game.remove(node));
    this.#redo = [];
    this.#emit("tree");
    this.#positionChanged();
  }

  /**
   * @param {GameNode} parent
   * @param {GameNode} node
   * @param {import("./tree.js").SetUp | null} setUp
   */
  #putBack(parent, node, setUp) {
    this.#reshape(() => parent.children.push(node));
    node.setUp = structuredClone(setUp);
    this.game.node = node;
    this.#changed(node);
  }

  /** The node for set-up stones at this position, created if missing. */
  #setUpNode() {
    let node = this.node;
    if (node.children.length > 0 || node.color) {
      node = this.#reshape(() => this.game.setUpAfter(this.node));
    }
    node.setUp ??= { black: [], white: [], clear: [], walls: [], side: this.game.board(node).side };
    this.game.node = node;
    return node;
  }

  /** @param {GameNode} node */
  #changed(node) {
    node.facts = null;
    node.evaluation = null;
    this.#emit("tree");
    this.#positionChanged();
  }

  /**
   * Ends the game or variation here by resignation, on time or by passes.
   * @param {Color | null} winner null: a draw
   * @param {string} reason
   * @param {boolean} isResult whether the game ends here even if moves follow
   * @param {(next: GameNode) => boolean} isRemoved whether a next move is removed from the game that ends
   */
  end(winner, reason, isResult = false, isRemoved = () => false) {
    const { game, node } = this;
    const before = game.ended;
    const ended = { node, winner, reason, isResult: isResult || node === game.end };
    const removed = node.children.filter(isRemoved);
    if (removed.length > 0) {
      node.children = node.children.filter((next) => !removed.includes(next));
      this.#redo = [];
    }
    game.ended = ended;
    if (this.#hasEndedBy(game.end)) Object.assign(game, { result: winner ?? "draw", reason });
    this.#emit("tree", "facts");
    if (removed.length === 0) return;
    this.lose(game, () => {
      if (this.game !== game) this.load(game);
      this.#reshape(() => {
        // Without the end the game is as before; a game that went on keeps its main line.
        const isLast = game.ended === ended;
        if (isLast) game.ended = before;
        node.children = isLast ? [...removed, ...node.children] : [...node.children, ...removed];
      });
      this.#emit("tree");
      if (this.node === node) this.#emit("facts");
      else this.goTo(node);
    });
  }

  /** Takes back the resignation or loss on time by which the game has ended here. */
  reopen() {
    const { game } = this;
    if (!this.#hasEndedBy(this.node)) return;
    const isResult = this.#hasEndedBy(game.end);
    game.ended = null;
    if (isResult) Object.assign(game, { result: null, reason: null });
    this.#emit("tree");
  }

  /** Reports that evaluations, marks or comments in the tree have changed. */
  notesChanged() {
    this.#emit("notes");
  }
}

/**
 * The set-up stones of a node, which has all kinds.
 * @param {GameNode} node
 */
function stonesOf(node) {
  return /** @type {Required<import("./tree.js").SetUp>} */ (node.setUp);
}
