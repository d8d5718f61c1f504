//! Rules of Gomoku and Renju: boards, positions with incremental patterns, exact fouls, threats.
//!
//! [`Game`] is the front door: moves that are checked, fouls, endings, undo, diagrams.
//!
//! ```
//! use tengen_rules::{BoardSize, Color, Ending, Game, Offence, Rule};
//!
//! let mut game = Game::new(BoardSize::square(15)?, Rule::Renju);
//! game.try_play(game.point("h8")?)?;
//! assert_eq!(game.try_play(game.point("h8")?), Err(Offence::Occupied));
//! for at in ["a1", "i8", "a3", "j8", "a5", "k8", "a7", "l8"] {
//!     game.try_play(game.point(at)?)?;
//! }
//! assert_eq!(game.ending(), Some(Ending::Five(Color::Black)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing here panics on input: cells and texts that make no sense are errors. The exceptions
//! are named under `Panics`: literal cells ([`Point::new`]), and the methods of [`Position`] for
//! searches, which expect an empty cell ([`Position::try_play`] does not).
//!
//! # Map
//!
//! Each module uses only those above it. Stable are the names at the root of the crate and the
//! modules [`types`], [`board`], [`game`] and [`moves`]; [`pattern`], [`position`] and [`threat`]
//! also hold what the engine needs, and that can change with every version.
//!
//! | module | what it is |
//! |---|---|
//! | [`types`] | colour, point, size, rule, score, notation: words that need no board |
//! | [`board`] | stones, side to move, history, hash key; rows and the end of the game; diagrams |
//! | [`pattern`] | what a stone makes on one line and on four |
//! | [`position`] | a board with incremental patterns: play, undo, counts, candidates |
//! | [`threat`] | fouls, answers to threats, forced results, threats by name |
//! | [`game`] | a game with its moves, fouls and ending |
//! | [`moves`] | moves as text |

pub mod board;
pub mod game;
pub mod moves;
pub mod pattern;
pub mod position;
pub mod threat;
pub mod types;

pub use board::{Board, Cell, DiagramError, NotEmpty, Stone};
pub use game::{Ending, Game, Offence};
pub use moves::{MoveList, MoveText};
pub use pattern::LinePattern;
pub use position::Position;
pub use threat::{Explanation, Foul, FoulLine, FoulPart, Prospect, Threat, ThreatKind};
pub use types::{
    BoardSize, Color, Coordinates, DIRECTIONS, Direction, Notation, ParseMoveError, Point, RowOne,
    Rule, Score, SizeError, Symmetry,
};
