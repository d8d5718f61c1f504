//! What a move of a line is called.

use crate::pattern::{LinePattern, Shape};
use crate::position::Position;
use crate::threat::{fours_and_open_threes, is_foul, makes_three};
use crate::types::Point;

/// The field's word for what the side to move makes on the empty cell.
///
/// A four whose only stops are fouls for the opponent is a *foul trap*. A stone that stops a
/// five and makes none of the threats is an *answer*; what does nothing of this is a *move*.
pub fn move_name(position: &mut Position, point: Point) -> &'static str {
    let side = position.side_to_move();
    if position.shape(point, side) == Shape::Five {
        return "five";
    }
    let lines = position.lines(point, side).lines();
    let (fours, open_threes) = fours_and_open_threes(position, point, side);
    if fours > 0 && leaves_only_fouls(position, point) {
        return "foul trap";
    }
    match (fours, open_threes) {
        (2.., _) => "double four",
        (1, _) if lines.contains(&LinePattern::StraightFour) => "straight four",
        (1, 1..) => "four-three",
        (1, 0) => "four",
        (_, 2..) => "double three",
        (_, 1) => "open three",
        _ if position.shape(point, side.opponent()) == Shape::Five => "answer",
        _ if makes_three(position, point, side) => "closed three",
        _ => "move",
    }
}

/// Whether the four has stops, and all of them are fouls for the opponent.
fn leaves_only_fouls(position: &mut Position, four: Point) -> bool {
    let side = position.side_to_move();
    let defender = side.opponent();
    position.with_move(four, |after| {
        let mut fives = after.cells_with(side, Shape::Five).peekable();
        fives.peek().is_some() && fives.all(|cell| is_foul(after, cell, defender))
    })
}
