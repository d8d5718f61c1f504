//! Rules of Gomoku and Renju: boards, positions with incremental patterns, exact fouls, threats.
//!
//! Start with [`Game`]: checked moves, fouls, endings, undo and diagrams.
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
//! Invalid input is an error, not a panic. The exceptions are documented under `Panics`: literal
//! cells ([`Point::new`]), and the methods of [`Position`] for searches, which require an empty
//! cell ([`Position::try_play`] checks it).
//!
//! # Map
//!
//! Each module uses only the modules above it. The names at the root of the crate and the modules
//! [`types`], [`board`], [`game`] and [`moves`] are stable. The modules [`pattern`], [`position`]
//! and [`threat`] also contain internals of the engine, which can change in any version.
//!
//! | module | contents |
//! |---|---|
//! | [`types`] | colour, point, size, rule, score, notation: types that need no board |
//! | [`board`] | stones, side to move, history, hash key; rows and the end of the game; diagrams |
//! | [`pattern`] | what a stone makes on one line and on four |
//! | [`position`] | a board with incremental patterns: play, undo, counts, candidates |
//! | [`threat`] | fouls, answers to threats, forced results, threats by name |
//! | [`game`] | a game with its moves, fouls and ending |
//! | [`moves`] | moves as text |
//! | [`openings`] | the openings of renju by name |

pub mod board;
pub mod game;
pub mod moves;
pub mod openings;
pub mod pattern;
pub mod position;
pub mod threat;
pub mod types;

pub use board::{Board, Cell, DiagramError, NotEmpty, Stone};
pub use game::{Ending, Game, Offence};
pub use moves::{MoveList, MoveText};
pub use openings::RenjuOpening;
pub use pattern::LinePattern;
pub use position::Position;
pub use threat::{Explanation, Foul, FoulLine, FoulPart, Prospect, Threat, ThreatKind};
pub use types::{
    BoardSize, ByColor, Color, Coordinates, DIRECTIONS, Direction, Notation, ParseMoveError, Point,
    RowOne, Rule, Score, SizeError, Symmetry,
};
