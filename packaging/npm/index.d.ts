/** Rules of the game. */
export type Rule = "freestyle" | "standard" | "renju" | "caro" | "caro-overline";
export const RULES: Rule[];
export type Color = "black" | "white";
/** A cell in answers: column and row from 0, from the upper left, as `7,7`. */
export type Cell = string;

export interface Position {
  /** Default: freestyle. */
  rule?: Rule;
  /** Side of a square board, or `"15x20"`, columns first; default: 15. */
  size?: number | string;
  /** Both sides, instead of `size`. */
  width?: number;
  height?: number;
  /**
   * Moves in playing order: `["h8", "i9"]`, or a text as people paste it, such as `"h8i9"`, `"7,7 8,6"`
   * or `"1. h8 i9"`. `pass` skips a turn.
   */
  moves?: string | string[];
  /** Stones that were set up before the first move. */
  black?: string[];
  white?: string[];
  /** Cells out of play. */
  walls?: string[];
  /** The side of the first move. */
  side?: Color;
}

export interface Limits {
  /** Milliseconds; rounded, and 0 if negative, as are other times. */
  timeMs?: number;
  nodes?: number;
  depth?: number;
}

export interface Search<Progress> {
  onProgress?: (progress: Progress) => void;
  /** Aborts the search: its promise is rejected. */
  signal?: AbortSignal;
}

export interface Line {
  rank: number;
  score: number;
  /** Win rate of the side to move, 0 to 1. */
  win_rate: number;
  forced: { winner: Color; plies: number } | null;
  depth: number;
  selective_depth: number;
  pv: Cell[];
}

export interface Analysis {
  state?: string;
  lines: Line[];
  nodes: number;
  ms: number;
}

export interface Facts {
  /** `open`, or how the game has ended. */
  state: string;
  winner: Color | null;
  side_to_move: Color;
  row: Cell[];
  /** Points that renju forbids to black, with the reason. */
  fouls: { at: Cell; kind: string; parts: object[] }[];
  legal: { at: Cell; kind: null; parts: object[] }[];
  prospects: { color: Color; at: Cell; kind: string; stones: Cell[] }[];
}

export interface Choice {
  /** The move; null if the game is over. */
  move: Cell | null;
  line?: Line;
  stopped: boolean;
}

export interface GameFile {
  width: number;
  height: number;
  rule: Rule | null;
  nodes: object[];
  [property: string]: unknown;
}

export class EngineError extends Error {
  code: string | null;
  values: Record<string, unknown>;
}

export class Engine {
  /** `threads`: search threads; `memory`: MiB of the tables. */
  static start(options?: { threads?: number; memory?: number }): Promise<Engine>;
  /** Levels, textbook players, rules, openings and file formats. */
  offer(): Promise<{
    levels: { name: string }[];
    bots: string[];
    rules: Rule[];
    openings: string[];
    formats: string[];
    sides: [number, number];
  }>;
  /** Judges a position without a search. */
  judge(position?: Position): Promise<Facts>;
  /** The best moves. Without a limit the search goes on until `stop`. */
  analyse(
    position?: Position,
    options?: Limits & Search<Analysis> & { lines?: number; avoid?: string[] },
  ): Promise<Analysis>;
  /**
   * A move. `player` is `level:NAME`, `bot:NAME` or, by default, the full strength, which takes 5 seconds
   * if there is no limit.
   */
  play(
    position?: Position,
    options?: Limits & { player?: string; seed?: number; leftMs?: number; incrementMs?: number; signal?: AbortSignal },
  ): Promise<Choice>;
  /** Forced wins. */
  solve(
    position: Position,
    options?: Limits &
      Search<{ judged: number; of: number; found: Cell[] }> & {
        question?: "win" | "shortest" | "tree" | "all" | "defend" | "refute" | "points";
        kind?: "vcf" | "vct" | "any";
        at?: string;
        points?: string;
      },
  ): Promise<{ state: string; stopped: boolean; result?: string; [property: string]: unknown }>;
  /** Reviews a game, `nodes` for each position. */
  review(
    position: Position,
    options?: { nodes?: number } & Search<{ judged: number; of: number }>,
  ): Promise<{ review?: { moves: object[]; accuracy: Record<Color, number | null> }; evaluations: object[] }>;
  read(
    bytes: Uint8Array | string,
    options?: { name?: string; rule?: Rule; size?: string; encoding?: string },
  ): Promise<{ games: GameFile[]; left_out: string[]; guessed: string | null }>;
  write(format: string, game: GameFile): Promise<{ bytes: Uint8Array; lost: string[] }>;
  /**
   * Stops the running search, whose promise is fulfilled with what was found. Searches that wait for it
   * are not stopped.
   */
  stop(): Promise<void>;
  /** Ends the engine. Open and later requests are rejected with an `EngineError`. */
  close(): void;
}

/** A brain for Gomocup's protocol. */
export class Brain {
  constructor(engine: Engine, say: (line: string) => void);
  /** Handles a line of the manager. False after `END`. */
  line(text: string): Promise<boolean>;
}
