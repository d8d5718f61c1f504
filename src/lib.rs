//! Tengen: a Gomoku and Renju engine.
//!
//! # Use
//!
//! In `Cargo.toml`, next to a copy of the repository (or with `git = "..."` and its address):
//!
//! ```toml
//! [dependencies]
//! tengen = { path = "../tengen" }
//! tengen-rules = { path = "../tengen/crates/rules" }
//! tengen-record = { path = "../tengen/crates/record" }
//! tengen-study = { path = "../tengen/crates/study" }
//!
//! # Debug builds without these lines search about 40 times slower.
//! [profile.dev.package.tengen]
//! opt-level = 3
//! [profile.dev.package.tengen-rules]
//! opt-level = 3
//! ```
//!
//! `tengen` alone is enough for games, engine and solver: it re-exports the types of `tengen-rules`
//! that it uses. Examples of those types that begin with `use tengen_rules::` also work with
//! `use tengen::`.
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
//! // Under a referee, black loses by playing there.
//! game.play(game.point("h8")?);
//! assert_eq!(game.winner(), Some(Color::White));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The engine's move, and a proof of a win:
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
//! let best = engine.best_move(&game, Limits::nodes(1_000)).expect("the game is not over");
//! assert!([game.point("g8")?, game.point("k8")?].contains(&best));
//!
//! let mut solver = Solver::new(16 << 20);
//! let (side, limits) = (game.side_to_move(), SolveLimits::nodes(10_000));
//! let report = solver.solve(&game, side, WinKind::Vcf, &limits, &StopSwitch::new());
//! assert_eq!(report.verdict, Verdict::Win(3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! More: observe and stop a search with [`Engine::analyze_with`]; set up boards and diagrams with
//! [`Game::from_board`] and [`Game::from_diagram`]; the result of a game is [`Game::ending`];
//! [`Game::threats`] and [`Game::prospects`] list the fives, fours and threes on the board and
//! those that one more stone makes. [`players`] has opponents of every strength, [`opening`] has
//! opening rules, and [`Options::with_network`] takes a trained network from a file.
//!
//! The folder `examples` of the package has the programs `play`, `analyze` and `solve`. The crate
//! `tengen-record` reads and writes game files, and `tengen-study` turns positions into feature
//! planes; both have examples, too.
//!
//! # Versions
//!
//! Versions follow semantic versioning. The names at the root of the crate and the modules
//! [`players`] and [`opening`] are stable: within a minor version before 1.0, later within a major
//! version, programs that use them keep compiling and games keep their meaning. The other modules
//! are internals of the engine and can change in any version, as can the moves that it chooses. A
//! method of a stable type that takes a [`Position`] requires a position whose game is not over
//! and cells that are empty; the variants that take a [`Game`] accept every game.
//!
//! The oldest supported compiler is the `rust-version` of the package; only minor versions change
//! it.
//!
//! # Map
//!
//! Rules, boards, positions and threats are in the crate `tengen-rules`, whose main type is
//! [`Game`]; this crate re-exports the names it needs. Each module of this crate uses only the
//! modules above it.
//!
//! | module | | contents |
//! |---|---|---|
//! | [`random`] | internal | random numbers that are the same on every machine |
//! | [`memory`] | internal | what happens when the system refuses memory |
//! | [`moment`] | internal | the clock, also on WebAssembly |
//! | [`eval`] | internal | the value of a position, the score of a move; networks |
//! | [`movegen`] | internal | the moves to try, by static result |
//! | [`solver`] | internal, except [`Solver`] | proofs of forced wins |
//! | [`search`] | internal | iterative-deepening principal-variation search |
//! | [`engine`] | internal, except [`Engine`] | time, memory, threads; openings |
//! | [`opening`] | stable | opening rules: placements, swaps, offers |
//! | [`players`] | stable | levels that play like people, and textbook players |
//! | [`mod@book`] | internal | opening books: small files of moves to play |
//! | [`proved`] | internal | positions that are proved to be won, as embedded books |
//! | [`database`] | internal | databases of positions, as the protocol uses them |
//! | [`mod@bench`] | internal | the positions of `tengen bench` and their signature |
//! | [`protocol`] | internal | the brain: commands, session, replies, threads and streams |
//!
//! # Data flow
//!
//! ```text
//! line -> decoder -> command -> session -> Engine::think -> Report -> reply -> one write
//! ```
//!
//! The module `search` describes the techniques of the search.
//!
//! # Words
//!
//! Most terms are those of gomoku and renju (five, straight four, four, open three, overline, foul,
//! VCF, VCT) and of chess programs (ply, PV, transposition table). Terms of this code:
//!
//! | term | meaning |
//! |---|---|
//! | window | the cells of one line around a cell, encoded as one number |
//! | line pattern | what a stone in the middle of a window makes on that line ([`LinePattern`]) |
//! | line key | the line patterns of the four lines through a cell, by direction |
//! | pattern code | the same four patterns regardless of direction, as one number: an index of
//! tables |
//! | shape | the class of a cell by its four line patterns: what a stone there makes |
//! | static result | a win, a loss or a forced answer that counts of shapes prove without search |
//! | move score | estimate of a move before it is searched, in log-odds; elsewhere called policy |
//! | move-score pruning | skipping moves whose score is far below the best one of their node |
//! | VCF at the horizon | a short VCF search where the depth ends, in the role of a quiescence
//! search |
//! | eye | a cell where one more stone turns a three into a straight four |
//! | foul candidate | a cell whose lines look like a foul of black's; only renju's recursion
//! decides |
//! | foul trap | a four whose only answers are fouls for the opponent |
//! | zone | the cells where a stone of the defender could disturb a VCF |
//! | view | an empty cell from one colour's point of view: the numbers of the network's first step
//! |
//! | prospect | what one more stone would make ([`Prospect`]); a [`Threat`] is already on the board
//! |

#![allow(rustdoc::private_intra_doc_links)]

pub mod bench;
pub mod book;
pub mod database;
pub mod engine;
pub mod eval;
pub mod file_size;
pub mod memory;
pub mod moment;
pub mod movegen;
pub mod opening;
pub mod players;
mod prefetch;
pub mod protocol;
pub mod proved;
pub mod random;
pub mod search;
pub mod solver;
mod stop;

pub use engine::{
    Engine, FileError, KnownValue, Limits, Line, LoadedNetwork, NetworkError, Networks, Observer,
    Options, Progress, Report, Request, Silent, StopSwitch,
};
pub use solver::{
    Attack, Judged, Reply, Shortest, SolveLimits, SolveReport, Solver, Verdict, WinKind,
};
pub use tengen_rules::{
    Board, BoardSize, ByColor, Cell, Color, Coordinates, DIRECTIONS, DiagramError, Direction,
    Ending, Explanation, Foul, FoulLine, FoulPart, Game, LinePattern, NotEmpty, Notation, Offence,
    ParseMoveError, Point, Position, Prospect, RowOne, Rule, Score, SizeError, Stone, Symmetry,
    Threat, ThreatKind,
};

/// The commit that this program is built from, with the suffix `-dirty` if files were changed
/// since; `unknown` in test builds and outside a repository.
pub const COMMIT: &str = env!("TENGEN_COMMIT");
