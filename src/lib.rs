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
//! A search that is watched and stopped: [`Engine::analyze_with`]. Set-up boards and diagrams:
//! [`Game::from_board`], [`Game::from_diagram`]. The result of a game: [`Game::ending`]. Fives,
//! fours and threes on the board, and those that one more stone makes: [`Game::threats`],
//! [`Game::prospects`]. Opponents of any strength: [`players`]. Opening rules: [`opening`]. A
//! trained network from a file: [`Options::with_network`].
//!
//! The folder `examples` of the package has a program for each: `play`, `analyze`, `solve`. Game
//! files are read and written by the crate `tengen-record`, positions become planes of numbers in
//! `tengen-study`; both have examples, too.
//!
//! # Versions
//!
//! Versions follow semantic versioning. Stable are the names at the root of the crate and the
//! modules [`players`] and [`opening`]: within a minor version before 1.0, later within a major
//! version, programs that use them compile and games mean the same. The other modules are the
//! engine's internals and can change with every version, as can the moves that it chooses. A
//! method of a stable type that takes a [`Position`] expects a position whose game is not over
//! and cells that are empty; the forms that take a [`Game`] accept every game.
//!
//! The oldest compiler is the `rust-version` of the package; it changes with minor versions only.
//!
//! # Map
//!
//! Rules, boards, positions and threats are in the crate [`tengen_rules`], whose front door is
//! [`Game`]; the names needed here are exported again. Of the modules of this crate each uses only
//! those above it.
//!
//! | module | | what it is |
//! |---|---|---|
//! | [`random`] | internal | random numbers that are the same on every machine |
//! | [`eval`] | internal | the value of a position, the score of a move; networks |
//! | [`movegen`] | internal | which cells are tried against which threat |
//! | [`solver`] | internal, but for [`Solver`] | proofs of forced wins |
//! | [`search`] | internal | iterative-deepening principal-variation search |
//! | [`engine`] | internal, but for [`Engine`] | time, memory, threads; openings |
//! | [`opening`] | stable | opening rules: who places what where, who may swap |
//! | [`players`] | stable | levels that play like people, and textbook players |
//! | [`mod@bench`] | internal | the positions of `tengen bench` and their signature |
//! | [`protocol`] | internal | the brain: commands, session, replies, threads and streams |
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
    Engine, FileError, Limits, Line, LoadedNetwork, NetworkError, Networks, Observer, Options,
    Progress, Report, Request, Silent, StopSwitch,
};
pub use solver::{ParseWinKindError, SolveLimits, SolveReport, Solver, Verdict, WinKind};
pub use tengen_rules::{
    Board, BoardSize, Cell, Color, Coordinates, DIRECTIONS, DiagramError, Direction, Ending,
    Explanation, Foul, FoulLine, FoulPart, Game, LinePattern, NotEmpty, Notation, Offence,
    ParseMoveError, Point, Position, Prospect, RowOne, Rule, Score, SizeError, Stone, Symmetry,
    Threat, ThreatKind,
};

/// The commit that this program is built from, with `-dirty` behind it when files were changed
/// since; `unknown` in builds for tests and outside of a repository.
pub const COMMIT: &str = env!("TENGEN_COMMIT");
