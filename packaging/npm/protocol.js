// Gomocup's protocol over the engine: START, RECTSTART, RESTART, BEGIN, TURN, BOARD, TAKEBACK, INFO,
// ABOUT, END. The native engine pbrain-tengen has more commands.

/** Rules by the bits of INFO rule, without those of renju (4) and of a continuing game (2). */
const RULES = { 0: "freestyle", 1: "standard", 8: "caro-overline", 9: "caro" };
const ruleOf = (bits) => (bits & 4 ? "renju" : RULES[bits & ~2] ?? "freestyle");
/** Time that is kept back for the way of a move to the manager, in milliseconds. */
const RESERVE = 50;
const DEFAULT_TURN = 5000;
/** The cell of a pass. */
const PASS = "-1,-1";
/** Commands that do not come between BOARD and DONE. */
const OUTSIDE_BOARD = ["START", "RECTSTART", "RESTART", "BEGIN", "TURN", "BOARD", "TAKEBACK", "ABOUT", "END"];

/** One player, which answers the lines of a manager. */
export class Brain {
  #engine;
  #say;
  #info = new Map();
  #size = null;
  /** Cells in playing order. @type {string[]} */
  #moves = [];
  /** Position that was set up by BOARD: own stones, the opponent's, and cells out of play. */
  #board = null;
  /** Lines of an unfinished BOARD. */
  #reading = null;

  constructor(engine, say) {
    this.#engine = engine;
    this.#say = say;
  }

  async line(text) {
    const [word = "", ...rest] = text.trim().split(/\s+/);
    const command = word.toUpperCase();
    if (this.#reading && command !== "INFO") {
      if (!OUTSIDE_BOARD.includes(command)) return this.#readBoard(text.trim());
      // The manager has abandoned the block; its next command must not be lost.
      this.#reading = null;
      this.#say("ERROR the last block was not closed by DONE");
    }
    switch (command) {
      case "": return true;
      case "START": this.#start(rest, [rest[0], rest[1] ?? rest[0]]); return true;
      case "RECTSTART": this.#start(rest, rest.join("").split(",")); return true;
      case "RESTART":
        if (this.#isStarted()) this.#restart();
        return true;
      case "BEGIN": await this.#answer(this.#board, this.#moves); return true;
      case "TURN": {
        const at = this.#cell(rest.join(""));
        if (at) await this.#answer(this.#board, [...this.#moves, at]);
        return true;
      }
      case "BOARD": this.#reading = []; return this.#readBoard(rest.join(" "));
      case "TAKEBACK": {
        const at = this.#cell(rest.join(""));
        if (!at) return true;
        if (this.#moves.at(-1) !== at) this.#say(`ERROR ${at} is not the last move`);
        else {
          this.#moves.pop();
          this.#say("OK");
        }
        return true;
      }
      case "INFO": this.#info.set((rest[0] ?? "").toLowerCase(), rest.slice(1).join(" ")); return true;
      case "ABOUT": this.#say('name="Tengen", version="@VERSION@", author="The Tengen authors"'); return true;
      case "END": return false;
      default: this.#say(`UNKNOWN ${word}`); return true;
    }
  }

  #start(words, [width, height]) {
    const [columns, rows] = [Number(width), Number(height)];
    const isSide = (side) => Number.isInteger(side) && side >= 5 && side <= 36;
    if (!isSide(columns) || !isSide(rows)) {
      this.#say(`ERROR unsupported size "${words.join(" ")}" (expected START 15 or RECTSTART 15,20, sides from 5 to 36)`);
      return;
    }
    this.#size = [columns, rows];
    this.#restart();
  }

  #restart() {
    this.#moves = [];
    this.#board = null;
    this.#say("OK");
  }

  /** Whether a game was started; an error if not. */
  #isStarted() {
    if (!this.#size) this.#say("ERROR no game was started");
    return this.#size !== null;
  }

  /** A cell of the board, or null. */
  #cellOf(text) {
    const [x, y] = /^(\d+),(\d+)$/.exec(text)?.slice(1).map(Number) ?? [];
    return x < this.#size[0] && y < this.#size[1] ? `${x},${y}` : null;
  }

  /** A cell of the board, or null after an error. */
  #cell(text) {
    if (!this.#isStarted()) return null;
    const cell = this.#cellOf(text);
    if (cell === null) this.#say(`ERROR ${text || "nothing"} is not a cell of the board, such as 7,7`);
    return cell;
  }

  /**
   * Lines x,y,1 (own stones), x,y,2 (the opponent's) and x,y,3 (cells out of play) until DONE. The cell
   * of a pass is -1,-1. As in Rapfi, several cells and DONE may share a line.
   */
  async #readBoard(text) {
    const words = text.split(/\s+/).filter(Boolean);
    const end = words.findIndex((word) => word.toUpperCase() === "DONE");
    const cells = end < 0 ? words : words.slice(0, end);
    const areLines = cells.filter((word) => /\d,[-\d]/.test(word)).length > 1;
    if (cells.length) this.#reading.push(...(areLines ? cells : [cells.join(" ")]));
    if (end < 0) return true;
    const lines = this.#reading;
    this.#reading = null;
    if (!this.#isStarted()) return true;
    const board = { 1: [], 2: [], 3: [] };
    let numbers = "";
    for (const line of lines) {
      const [, at, who] = /^(.*),([123])$/.exec(line.replaceAll(" ", "")) ?? [];
      const cell = at === PASS && who !== "3" ? PASS : this.#cellOf(at);
      if (cell === null) {
        this.#say(`ERROR invalid line of BOARD: "${line}" (expected x,y,1, x,y,2 or x,y,3)`);
        return true;
      }
      board[who].push(cell);
      numbers += who;
    }
    await this.#answer({ own: board[1], other: board[2], walls: board[3], numbers }, []);
    return true;
  }

  /**
   * The position to search. After BOARD black is to move if the own stones are as many as the opponent's.
   * With cells out of play or passes the parity of all lines decides; otherwise the numbers 1, 2, ..., 1 are
   * colours, and white is to move. All as in the native engine.
   */
  #position(board, moves) {
    const [width, height] = this.#size;
    const rule = ruleOf(Number(this.#info.get("rule") ?? 0));
    if (!board) return { rule, width, height, moves };
    const { own, other, walls, numbers } = board;
    const lines = [...own, ...other, ...walls];
    const hasParity = walls.length > 0 || lines.includes(PASS);
    const isBlack = hasParity ? lines.length % 2 === 0 : own.length >= other.length;
    const areColors = !hasParity && /^1(21)*$/.test(numbers);
    const [black, white] = (isBlack ? [own, other] : [other, own]).map((cells) => cells.filter((at) => at !== PASS));
    return { rule, width, height, black, white, walls, side: isBlack && !areColors ? "black" : "white", moves };
  }

  /** Answers with a move in this position, which becomes that of the game. A refused position changes nothing. */
  async #answer(board, moves) {
    if (!this.#isStarted()) return;
    const number = (name) => (this.#info.has(name) ? Number(this.#info.get(name)) : null);
    const turn = number("timeout_turn") ?? DEFAULT_TURN;
    const left = number("timeout_match") ? number("time_left") : null;
    const limits = { timeMs: Math.max(1, turn - RESERVE) };
    if (left !== null) limits.leftMs = Math.max(1, left - RESERVE);
    try {
      const { move } = await this.#engine.play(this.#position(board, moves), limits);
      this.#board = board;
      this.#moves = move === null ? moves : [...moves, move];
      this.#say(move ?? "ERROR the game is over");
    } catch (error) {
      this.#say(`ERROR ${error.message}`);
    }
  }
}
