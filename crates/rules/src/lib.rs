//! Rules of Gomoku and Renju: boards, positions with incremental patterns, exact fouls, threats.

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
