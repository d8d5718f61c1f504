//! Tengen: a Gomoku and Renju engine.
//!
//! # Use
//!
//! A game, its fouls and its winner:
//!
//! ```
//! use tengen::{BoardSize, Color, Foul, Game, Rule};
//!
//! let mut game = Game::new(BoardSize::square(15)?, Rule::Renju);
//! for at in ["h9", "a1", "h10", "c1", "f8", "e1", "g8", "g1"] {
//!     game.try_play(game.point(at)?)?;
//! }
//! // Black would make two threes there.
//! assert_eq!(game.fouls(), [(game.point("h8")?, Foul::DoubleThree)]);
//! // As a referee sees it, whoever plays there loses.
//! game.play(game.point("h8")?);
//! assert_eq!(game.winner(), Some(Color::White));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What the engine plays, and a win that is proved:
//!
//! ```
//! use tengen::{BoardSize, Engine, Game, Limits, Rule, SolveLimits};
//! use tengen::{Solver, StopSwitch, Verdict, WinKind};
//!
//! let mut game = Game::new(BoardSize::square(15)?, Rule::Freestyle);
//! for at in ["h8", "a1", "i8", "a3", "j8", "a5"] {
//!     game.play(game.point(at)?);
//! }
//! let mut engine = Engine::default();
//! let best = engine.best_move(&game, Limits::nodes(1_000)).expect("the game goes on");
//! assert!([game.point("g8")?, game.point("k8")?].contains(&best));
//!
//! let mut solver = Solver::new(16 << 20);
//! let (side, limits) = (game.side_to_move(), SolveLimits::nodes(10_000));
//! let report = solver.solve(&game, side, WinKind::Vcf, &limits, &StopSwitch::new());
//! assert_eq!(report.verdict, Verdict::Win(3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Set-up boards and diagrams: [`Game::from_board`], [`Game::from_diagram`]. Who won, and how:
//! [`Game::ending`]. What stands on the board and what one more stone makes, by name:
//! [`Game::threats`], [`Game::prospects`]. Several best moves with scores: [`Engine::analyze`].
//!
//! [`features`] turns positions into planes of numbers, and [`mod@env`] is a game for programs that
//! learn by playing; both have examples of their own.
//!
//! # Versions
//!
//! Versions follow semantic versioning. What is promised are the names at the root of the crate
//! and the modules [`mod@env`], [`features`], [`players`], [`opening`], [`solver`], `record` and `review`: within
//! a major version (before 1.0 within a minor one) programs that use them go on compiling, and
//! games mean the same. The other modules are the engine's own; they may change with every
//! version, as do the moves that it chooses. The oldest compiler that builds the crate is named in
//! its `rust-version` and changes with minor versions only.
//!
//! # Map
//!
//! Dependencies only point down this list; `scripts/check-layers` sees to it.
//!
//! | layer | module | what it is |
//! |---|---|---|
//! | 0 | [`types`] | colour, point, size, rule, score: words that need no board |
//! | 1 | [`board`] | stones, side to move, history, hash key; rows and the end of the game |
//! | 2 | [`record`] | games on file: a tree of moves, a reader and a writer for each form |
//! | 2 | [`pattern`] | what a stone makes on one line and on four: classification only |
//! | 3 | [`position`] | a board with incremental patterns: play, undo, counts, candidates |
//! | 4 | [`threat`] | renju fouls, answers to threats, forced results |
//! | 5 | [`game`] | the front door: a game with its moves, fouls and ending |
//! | 6 | [`eval`] | numbers: the value of a position, the score of a move; the weights |
//! | 6 | [`features`] | positions as planes of numbers, for programs that learn |
//! | 7 | [`mod@env`] | the game as an environment: reset, step, observation, legal moves, reward |
//! | 7 | [`movegen`] | which points are tried against which threat |
//! | 8 | [`solver`] | forced wins proved: by continuous fours, by threats |
//! | 9 | [`search`] | iterative-deepening principal-variation search |
//! | 10 | [`engine`] | what to search, for how long, with what memory; openings |
//! | 11 | [`opening`] | opening rules: who places what where, and who may swap when |
//! | 12 | [`players`] | levels that play like people, and the players of the textbooks |
//! | 13 | [`review`] | what was missed in a game, where it turned, how well it was played |
//! | 14 | [`protocol`] | the brain: commands, session, replies, threads and streams |
//! | 14 | [`tools`] | the workbench: a file or folder for each subcommand or a group of them |
//!
//! [`mod@reference`] holds slow twins for tests and stands outside: nothing else imports it.
//!
//! # Data flow
//!
//! ```text
//! line -> decoder -> command -> session -> Engine::think -> Report -> reply -> one write
//! ```
//!
//! How a position is searched, technique by technique, is told in the module `search`.
//!
//! # Words
//!
//! Names are those of the field: five, straight four, four, open three, overline, foul, VCF, VCT,
//! ply, PV, and those of chess programs for the search. Words that are ours:
//!
//! | word | what it means |
//! |---|---|
//! | window | the cells of one line around a cell, as one number |
//! | line pattern | what a stone in the middle of a window makes on that line ([`LinePattern`]) |
//! | line key | the line patterns of the four lines through a cell, each in its place |
//! | pattern code | the same four without their places, as one number: what tables are indexed by |
//! | shape | the class of a cell by its four line patterns: what a stone there makes |
//! | static result | a win, a loss or a forced answer that counts of shapes prove without search |
//! | move score | how good a move looks before it is searched, in logarithms of odds; others say policy |
//! | move-score pruning | leaving out moves whose score lies far below the best one of their node |
//! | VCF at the horizon | a short search for continuous fours where the depth ends, as others do captures |
//! | eye | a cell where one more stone makes a straight four of a three |
//! | foul candidate | a cell whose lines look like a foul of black's; only renju's recursion tells |
//! | foul trap | a four whose only stops are fouls for the opponent |
//! | zone | the cells where a stone of the defender could disturb a win by continuous fours |
//! | view | what one colour sees of an empty cell: the numbers of the network's first step |
//! | prospect | what one more stone would make ([`Prospect`]); a [`Threat`] already stands |

#![allow(rustdoc::private_intra_doc_links)]

pub mod bench;
pub mod engine;
pub mod eval;
pub mod movegen;
pub mod opening;
pub mod players;
pub mod protocol;
pub mod random;
pub mod search;
pub mod solver;
mod stop;

pub use engine::{
    Engine, Limits, Line, Observer, Options, Progress, Report, Request, Silent, StopSwitch,
};
pub use solver::{SolveLimits, SolveReport, Solver, Verdict, WinKind};
pub use tengen_rules::{
    Board, BoardSize, Cell, Color, Coordinates, DIRECTIONS, DiagramError, Direction, Ending,
    Explanation, Foul, FoulLine, FoulPart, Game, LinePattern, Notation, Offence, ParseMoveError,
    Point, Prospect, RowOne, Rule, Score, SizeError, Stone, Symmetry, Threat, ThreatKind,
};

/// The commit that this program is built from, with `-dirty` behind it when files were changed
/// since; `unknown` in builds for tests and outside of a repository.
pub const COMMIT: &str = env!("TENGEN_COMMIT");
