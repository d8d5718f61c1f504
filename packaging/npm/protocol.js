// Gomocup's protocol over the engine: START, RECTSTART, RESTART, BEGIN, TURN, BOARD, TAKEBACK, INFO,
// ABOUT, END. The native engine pbrain-tengen has more commands.

/** Rules by the bits of INFO rule. */
const RULES = { 0: "freestyle", 1: "standard", 4: "renju", 8: "caro-overline", 9: "caro" };
/** Time that is kept back for the way of a move to the manager, in milliseconds. */
const RESERVE = 50;
const DEFAULT_TURN = 5000;
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
      case "START": this.#start(rest[0], rest[1] ?? rest[0]); return true;
      case "RECTSTART": this.#start(...(rest.join("").split(","))); return true;
      case "RESTART":
        if (!this.#size) this.#say("ERROR no game was started");
        else this.#restart();
        return true;
      case "BEGIN": await this.#answer(this.#board, this.#moves); return true;
      case "TURN": {
        const at = this.#cell(rest.join(""));
        if (at) await this.#answer(this.#board, [...this.#moves, at]);
        return true;
      }
      case "BOARD": this.#reading = []; return true;
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

  #start(width, height) {
    const [columns, rows] = [Number(width), Number(height)];
    const isSide = (side) => Number.isInteger(side) && side >= 5 && side <= 36;
    if (!isSide(columns) || !isSide(rows)) {
      this.#say(`ERROR unsupported size ${width}x${height}: sides go from 5 to 36`);
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

  /** A cell on the board, or null after an error. */
  #cell(text) {
    const [x, y] = /^(\d+),(\d+)$/.exec(text)?.slice(1).map(Number) ?? [];
    const isOn = this.#size && x !== undefined && x < this.#size[0] && y < this.#size[1];
    if (!isOn) this.#say(`ERROR ${text || "nothing"} is not a cell of the board, such as 7,7`);
    return isOn ? `${x},${y}` : null;
  }

  /** Lines x,y,1 (own stones), x,y,2 (the opponent's) and x,y,3 (cells out of play) until DONE. */
  async #readBoard(text) {
    if (text.toUpperCase() !== "DONE") {
      if (text) this.#reading.push(text);
      return true;
    }
    const stones = this.#reading.map((line) => /^(\d+,\d+),([123])$/.exec(line.replaceAll(" ", "")));
    this.#reading = null;
    if (stones.some((stone) => !stone || !this.#cell(stone[1]))) {
      this.#say("ERROR invalid line of BOARD: expected x,y,1, x,y,2 or x,y,3");
      return true;
    }
    const of = (who) => stones.filter((stone) => stone[2] === who).map((stone) => stone[1]);
    await this.#answer({ own: of("1"), other: of("2"), walls: of("3") }, []);
    return true;
  }

  /**
   * The position to search. After BOARD black is to move if the own stones are as many as the opponent's.
   * With cells out of play the parity of all lines decides, as in the native engine.
   */
  #position(board, moves) {
    const [width, height] = this.#size;
    const rule = RULES[this.#info.get("rule") ?? 0] ?? "freestyle";
    if (!board) return { rule, width, height, moves };
    const { own, other, walls } = board;
    const lines = own.length + other.length + walls.length;
    const isBlack = walls.length > 0 ? lines % 2 === 0 : own.length >= other.length;
    const [black, white] = isBlack ? [own, other] : [other, own];
    return { rule, width, height, black, white, walls, side: isBlack ? "black" : "white", moves };
  }

  /** Answers with a move in this position, which becomes that of the game. A refused position changes nothing. */
  async #answer(board, moves) {
    if (!this.#size) {
      this.#say("ERROR no game was started");
      return;
    }
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
