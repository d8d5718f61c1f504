// Requests to the engine. Only one search runs at a time: a new search replaces the previous one.

import { choiceOf, evaluationOf, foundOf, named, pairsOf, shownOf } from "./answers.js";
import { ConnectionError } from "./transport.js";

/** @typedef {import("./tree.js").Color} Color */

/**
 * A position as the server reads it: set-up stones and the moves after them.
 * @typedef {object} Position
 * @property {string} rule
 * @property {number} width
 * @property {number} height
 * @property {string[]} [black]
 * @property {string[]} [white]
 * @property {string[]} [walls]
 * @property {Color} [side] side to move after the set-up stones
 * @property {string[]} moves cells, or `pass`
 * @property {Color} [turn] side to move after the moves, if the turns do not alternate
 */

/**
 * A line of stones in the explanation of a foul.
 * @typedef {{ kind: string, stones: string[], real: boolean, forbidden: string[], fives: string[] }} FoulPart
 */

/**
 * A forbidden point; `kind` is null if the point is legal.
 * @typedef {{ at: string, kind: string | null, parts: FoulPart[] }} Foul
 */

/**
 * The facts of a position.
 * @typedef {object} Facts
 * @property {string} state `open`, `only-fouls`, `impossible`, or how the game has ended
 * @property {string} [reason] why the position is impossible
 * @property {Color | null} [winner]
 * @property {string[]} row the winning row
 * @property {{ code: string, names: Record<string, string> } | null} [opening] of renju
 * @property {Foul[]} fouls
 * @property {Foul[]} [legal] points that look forbidden
 * @property {{ color: Color, at: string, kind: string, stones: string[] }[]} [prospects]
 * @property {Proved | null} [proved] missing if nothing is proved
 */

/**
 * What the embedded proofs say about a position. `best` is a winning move of the side to move. `losing`
 * are the moves that lose: all moves if the opponent is the winner.
 * @typedef {{ winner: Color | null, best: string | null, losing: string[] }} Proved
 */

/**
 * A rule and a board.
 * @typedef {{ rule: string, width: number, height: number }} Terms
 */

/**
 * A line by which a move loses, the move first. Empty if none is known.
 * @typedef {{ line: { at: string, name: string }[], complete: boolean }} LosingLine
 */

/**
 * A line of moves. `rate` is the win rate of the side to move; `forced` the plies to a
 * proved win, negative to a proved loss.
 * @typedef {object} Line
 * @property {string[]} moves
 * @property {number} score
 * @property {number} rate
 * @property {number | null} forced
 * @property {number} [depth]
 * @property {number} [reach]
 */

/** @typedef {{ lines: Line[], nodes: number, ms: number, state?: string }} Found */

/**
 * An evaluation of a node. Evaluations of files have their text only; `live` ones come from an
 * analysis in the page.
 * @typedef {object} Evaluation
 * @property {string} [text] the line of the comment in files
 * @property {number} [rate] win rate of the side to move
 * @property {boolean} [live]
 */

/**
 * A reviewed move.
 * @typedef {object} ReviewedMove
 * @property {number} number from 1
 * @property {Color} color
 * @property {string} at
 * @property {string | null} best
 * @property {string[]} line
 * @property {number} loss of win rate
 * @property {string | null} grade null for a given move
 * @property {string} [offence] why a last move that lost is forbidden
 * @property {{ kind: string, plies: number } | null} [finding]
 */

/** @typedef {{ moves: ReviewedMove[], accuracy: Record<Color, number | null> }} ReviewFound */

/** @typedef {{ review?: ReviewFound, evaluations: Evaluation[], stopped?: boolean }} ReviewAnswer */

/**
 * An opening: its name, the board, and the answers so far.
 * @typedef {{ opening: string, rule: string, width: number, height: number, answers: string[] }} OpeningRequest
 */

/** @typedef {"first" | "second"} OpeningSeat */

/**
 * The state of an opening. `asked` is null when the opening is over.
 * @typedef {object} OpeningState
 * @property {string[]} moves
 * @property {string[]} offers
 * @property {OpeningSeat} black
 * @property {OpeningSeat | null} asked
 * @property {{ kind: string, color?: Color, reach?: number, most?: number, given?: number, wanted?: number } | null} question
 * @property {string[]} allowed
 */

/**
 * Two moves, one for each side, and the win rate of the side to move after them.
 * @typedef {{ moves: string[], rate: number }} Pair
 */

/**
 * A resource of the searches that the user can choose: its bounds, and its usual value.
 * @typedef {{ least: number, most: number, usual: number }} Range
 */

/**
 * What the user can choose for the searches. `ponder`: whether a search can end and leave its table to the
 * next one.
 * @typedef {{ threads: Range, memory_mib: Range, ponder: boolean }} Choices
 */

/**
 * The resources that the user chose; null: the usual ones.
 * @typedef {{ threads: number | null, memory_mib: number | null }} Chosen
 */

/**
 * The connection to the server.
 * @typedef {object} Transport
 * @property {(path: string, question: object) => Promise<any>} ask
 * @property {(path: string, question: object, onProgress?: (value: any) => void, signal?: AbortSignal) => Promise<any>} stream
 * @property {() => Promise<void>} stop
 * @property {(offer: any) => Promise<Choices | null>} choices what the user can choose, given the answer to `hello`
 * @property {(chosen: Chosen) => void} choose
 * @property {(terms: Terms) => boolean} useProofs lets the next answers use the proofs of openings of a
 * rule and board; whether there are such and that is new
 */

/** @typedef {{ position: Position } & Record<string, unknown>} Question */

/** The search in the time of the person to move. */
const PONDER = "ponder";
/** Its longest time, in milliseconds. */
const PONDER_TIME = 5 * 60 * 1000;

/** Requests about positions. Event: `connection` the connection was lost or restored. */
export class Engine extends EventTarget {
  #transport;
  #search = 0;
  #connected = true;
  /** @type {string | null} */
  #busy = null;
  /** @type {AbortController | null} */
  #abort = null;
  /** @type {Promise<void>} */
  #finishing = Promise.resolve();
  /** The number of the last search that was ended before its time. */
  #stopped = 0;

  /** @param {Transport} transport */
  constructor(transport) {
    super();
    this.#transport = transport;
  }

  /** The running search: `think`, `analyse`, `study-analyse`, `solve`, `review`, `opening-answer`,
   * `balance`, `proof`, or null. A search in the time of the person is not among them: any other replaces it. */
  get busy() {
    return this.#busy === PONDER ? null : this.#busy;
  }

  get connected() {
    return this.#connected;
  }

  /** @param {boolean} connected */
  #mark(connected) {
    if (connected === this.#connected) return;
    this.#connected = connected;
    this.dispatchEvent(new Event("connection"));
  }

  /**
   * @param {string} path
   * @param {object} question
   */
  async #ask(path, question) {
    try {
      const answer = await this.#transport.ask(path, question);
      this.#mark(true);
      return answer;
    } catch (error) {
      if (error instanceof ConnectionError) this.#mark(false);
      else this.#mark(true);
      throw error;
    }
  }

  /**
   * Runs a search. The result is null if another search replaced it.
   * @param {string} path
   * @param {object} question
   * @param {(value: any) => void} [onProgress]
   */
  async #run(path, question, onProgress) {
    this.#abort?.abort();
    const own = ++this.#search;
    const abort = new AbortController();
    this.#abort = abort;
    this.#setBusy(path);
    const current = () => own === this.#search;
    try {
      // A stop of the previous search must not reach this one.
      await this.#finishing;
      if (!current()) return null;
      /** @param {any} value */
      const forward = (value) => current() && onProgress?.(value);
      const answer = await this.#transport.stream(path, question, forward, abort.signal);
      this.#mark(true);
      return current() ? answer : null;
    } catch (error) {
      if (!current()) return null;
      if (error instanceof ConnectionError) this.#mark(false);
      throw error;
    } finally {
      if (current()) this.#setBusy(null);
    }
  }

  /** @param {string | null} what */
  #setBusy(what) {
    this.#busy = what;
    this.dispatchEvent(new Event("busy"));
  }

  hello() {
    return this.#ask("hello", {});
  }

  /**
   * The resources that the user can choose; null if there are none.
   * @param {any} offer the answer to `hello`
   */
  choices(offer) {
    return this.#transport.choices(offer);
  }

  /**
   * Sets the resources of the next searches.
   * @param {Chosen} chosen
   */
  choose(chosen) {
    this.#transport.choose(chosen);
  }

  /**
   * Lets the next answers use the proofs of openings of a rule and board. Returns whether there are
   * such proofs and that is new.
   * @param {Terms} terms
   */
  useProofs(terms) {
    return this.#transport.useProofs(terms);
  }

  /**
   * Searches a position in the time of the person to move, for a better answer afterwards.
   * @param {Position} position
   */
  async ponder(position) {
    const timer = setTimeout(() => this.stopPondering(), PONDER_TIME);
    try {
      await this.#run(PONDER, { position });
    } catch {
      // The game does not need it.
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the search in the time of the person. */
  stopPondering() {
    if (this.#busy === PONDER) this.cancel();
  }

  /**
   * Runs a search about a position. Cells in its answers have names.
   * @template T
   * @param {string} path
   * @param {Question} question
   * @param {(answer: any) => T} convert
   * @param {(answer: T) => void} [onProgress]
   * @returns {Promise<T | null>} null if another search replaced it
   */
  async #runAt(path, question, convert, onProgress) {
    const read = (/** @type {any} */ answer) => convert(named(answer, question.position.height));
    const answer = await this.#run(path, question, (value) => onProgress?.(read(value)));
    return answer && read(answer);
  }

  /**
   * Balanced pairs of moves.
   * @param {Question} question
   * @param {(pairs: Pair[]) => void} [onProgress]
   */
  balance(question, onProgress) {
    return this.#runAt("balance", question, pairsOf, onProgress);
  }

  /**
   * State, winner, row, fouls, threats of a position.
   * @param {Position} position
   * @returns {Promise<Facts>}
   */
  async look(position) {
    return named(await this.#ask("look", { position }), position.height);
  }

  /**
   * The games of a file; `data` is in base64. `guessed` is the encoding where it was guessed.
   * @param {{ name: string | null, data: string, size: string | null, encoding: string | null, rule: string | null }} file
   * @returns {Promise<{ games: import("./tree.js").GameFile[], left_out: string[], guessed: string | null }>}
   */
  async read(file) {
    const { games, left_out, guessed } = await this.#ask("read", file);
    for (const { nodes } of games) {
      for (const node of nodes) if (node.evaluation) node.evaluation = evaluationOf(node.evaluation);
    }
    return { games, left_out, guessed };
  }

  /**
   * A game as a file in base64, and what the format cannot hold.
   * @param {string} format
   * @param {import("./tree.js").GameFile} game
   * @returns {Promise<{ data: string, lost: string[] }>}
   */
  write(format, game) {
    return this.#ask("write", { format, game });
  }

  /**
   * A GIF of the moves of a position, in base64.
   * @param {Position} position
   * @param {{ numbers: boolean, coordinates: boolean }} options
   * @returns {Promise<{ data: string }>}
   */
  replay(position, options) {
    return this.#ask("replay", { position, ...options });
  }

  /**
   * The state of an opening.
   * @param {OpeningRequest} request
   * @returns {Promise<OpeningState>}
   */
  async opening(request) {
    return named(await this.#ask("opening", request), request.height);
  }

  /**
   * The move of a player, and whether its search announced a win.
   * @param {Question} question
   */
  think(question) {
    return this.#runAt("think", question, choiceOf);
  }

  /**
   * The best moves. As `study-analyse` the database of the server keeps them.
   * @param {Question} question
   * @param {(found: Found) => void} [onProgress]
   * @param {"analyse" | "study-analyse"} path
   */
  analyse(question, onProgress, path = "analyse") {
    return this.#runAt(path, question, foundOf, onProgress);
  }

  /**
   * @param {Question} question
   * @param {(value: any) => void} [onProgress]
   * @returns {Promise<any>}
   */
  solve(question, onProgress) {
    return this.#runAt("solve", question, (answer) => answer, onProgress);
  }

  /**
   * The line by which a move of the side to move loses.
   * @param {{ position: Position, at: string }} question
   * @returns {Promise<LosingLine | null>}
   */
  proof(question) {
    return this.#runAt("proof", question, (answer) => answer);
  }

  /**
   * @param {object} question
   * @param {(progress: { judged: number, of: number }) => void} [onProgress]
   * @returns {Promise<ReviewAnswer | null>}
   */
  async review(question, onProgress) {
    const answer = await this.#run("review", question, onProgress);
    return answer && { ...answer, evaluations: answer.evaluations.map(evaluationOf) };
  }

  /**
   * The answers of a player to the questions of an opening.
   * @param {object} question
   * @param {(value: any) => void} [onProgress]
   * @returns {Promise<{ answers: string[] } | null>}
   */
  openingAnswer(question, onProgress) {
    return this.#run("opening-answer", question, onProgress);
  }

  /**
   * The record of a position in the database of the server, after a change of it.
   * @param {"study" | "study-edit" | "study-delete"} path
   * @param {{ position: Position, edit?: { label?: string, comment?: string } }} question
   */
  async study(path, question) {
    return shownOf(await this.#ask(path, question), question.position.height);
  }

  /** Ends the search; its results so far are the answer. */
  finishSearch() {
    if (this.#busy) {
      this.#stopped = this.#search;
      this.#finishing = this.#transport.stop().catch(() => this.#mark(false));
    }
    return this.#finishing;
  }

  /** Whether the last search was ended before its time. */
  get wasStopped() {
    return this.#stopped === this.#search;
  }

  /** Ends the search and discards its answer. */
  cancel() {
    this.#abort?.abort();
    this.#abort = null;
    this.#search += 1;
    if (this.#busy) this.#setBusy(null);
  }
}
