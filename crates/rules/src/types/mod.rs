//! The basic types of the game. None of them needs a board.

mod bound;
mod color;
mod coordinates;
mod game_value;
mod named;
mod notation;
mod point;
mod rule;
mod scanner;
mod score;
mod size;
mod symmetry;

pub use bound::Bound;
pub use color::{ByColor, Color};
pub use coordinates::{Coordinates, ParseMoveError, integer};
pub use game_value::GameValue;
pub use named::{UnknownName, by_name};
pub use notation::{CellText, Notation, RowOne};
pub use point::{DIRECTIONS, Direction, GRID, ParsePointError, Point, STRIDE};
pub use rule::{FiveRule, Rule};
pub use score::{MAX_PLY, Score, counted, four_places, percent, plies};
pub use size::{BoardSize, MAX_SIDE, MIN_ENGINE_SIDE, MIN_SIDE, SizeError};
pub use symmetry::Symmetry;
