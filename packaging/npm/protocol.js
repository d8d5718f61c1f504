// Gomocup's protocol over the engine: START, RECTSTART, RESTART, BEGIN, TURN, BOARD, TAKEBACK, INFO,
// ABOUT, END. The native brain pbrain-tengen knows more commands.

/** Rules by the bits of INFO rule. */
const RULES = { 0: "freestyle", 1: "standard", 4: "renju", 8: "caro-overline", 9: "caro" };
/** Time that is kept back for the way of a move to the manager, in milliseconds. */
const RESERVE = 50;
const DEFAULT_TURN = 5000;

/** One player, which answers the lines of a manager. */
export class Brain {
  #engine;
  #say;
  #info = new Map();
  #size = null;
  /** Cells in playing order. @type {string[]} */
  #moves = [];
  /** Stones that were set up by BOARD: own and the opponent's. */
  #board = null;
  /** Lines of an unfinished BOARD. */
  #reading = null;

  constructor(engine, say) {
    this.#engine = engine;
    this.#say = say;
  }

  async line(text) {
    const [word = "", ...rest] = text.trim().split(/\s+/);
    if (this.#reading) return this.#readBoard(text.trim());
    switch (word.toUpperCase()) {
      case "": return true;
      case "START": this.#start(rest[0], rest[0]); return true;
      case "RECTSTART": this.#start(...(rest.join("").split(","))); return true;
      case "RESTART":
        if (!this.#size) this.#say("ERROR no game was started");
        else this.#restart();
        return true;
      case "BEGIN": await this.#move(); return true;
      case "TURN": {
        const at = this.#cell(rest.join(""));
        if (!at) return true;
        this.#moves.push(at);
        await this.#move();
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

  /** Lines x,y,1 (own stones) and x,y,2 (the opponent's) until DONE. */
  async #readBoard(text) {
    if (text.toUpperCase() !== "DONE") {
      this.#reading.push(text);
      return true;
    }
    const stones = this.#reading.map((line) => /^(\d+,\d+),([12])$/.exec(line.replaceAll(" ", "")));
    this.#reading = null;
    if (stones.some((stone) => !stone || !this.#cell(stone[1]))) {
      this.#say("ERROR invalid line of BOARD: expected x,y,1 or x,y,2");
      return true;
    }
    const of = (who) => stones.filter((stone) => stone[2] === who).map((stone) => stone[1]);
    this.#moves = [];
    this.#board = { own: of("1"), other: of("2") };
    await this.#move();
    return true;
  }

  /** The position to search. With equal numbers of stones black is to move. */
  #position() {
    const [width, height] = this.#size;
    const rule = RULES[this.#info.get("rule") ?? 0] ?? "freestyle";
    if (!this.#board) return { rule, width, height, moves: this.#moves };
    const { own, other } = this.#board;
    const isBlack = own.length === other.length;
    const [black, white] = isBlack ? [own, other] : [other, own];
    return { rule, width, height, black, white, side: isBlack ? "black" : "white", moves: this.#moves };
  }

  async #move() {
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
      const { move } = await this.#engine.play(this.#position(), limits);
      if (move === null) {
        this.#say("ERROR the game is over");
        return;
      }
      this.#moves.push(move);
      this.#say(move);
    } catch (error) {
      // The move that cannot be played is taken back.
      this.#moves.pop();
      this.#say(`ERROR ${error.message}`);
    }
  }
}
