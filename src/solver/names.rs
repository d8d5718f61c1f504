//! What a move of a line is called.

use crate::pattern::{LinePattern, Shape};
use crate::position::Position;
use crate::threat::{can_become_four_at, is_foul, is_real_three_at};
use crate::types::{DIRECTIONS, Direction, Point};

/// The field's word for what the side to move makes on the empty cell.
///
/// A four whose only stops are fouls for the opponent is a *foul trap*. A stone that stops a
/// five and makes nothing is an *answer*; what makes nothing of this is a *move*.
pub fn move_name(position: &mut Position, point: Point) -> &'static str {
    let side = position.side_to_move();
    if position.shape(point, side) == Shape::Five {
        return "five";
    }
    let lines = position.lines(point, side).lines();
    let count =
        |wanted: fn(LinePattern) -> bool| lines.iter().filter(|&&line| wanted(line)).count();
    let fours = count(LinePattern::is_four) + count(|line| line == LinePattern::DoubleFour);
    // A row that fouls keep from growing only looks like a three.
    let fouls = position.rule().has_fouls(side);
    let directed = || DIRECTIONS.into_iter().zip(lines);
    let is_open = |&(way, line): &(Direction, LinePattern)| {
        line.is_open_three() && (!fouls || is_real_three_at(position, point, way))
    };
    let is_three = |(way, line): (Direction, LinePattern)| {
        (line == LinePattern::Three || line.is_open_three())
            && (!fouls || can_become_four_at(position, point, way))
    };
    let open_threes = directed().filter(is_open).count();
    let has_three = directed().any(is_three);
    if fours > 0 && leaves_only_fouls(position, point) {
        return "foul trap";
    }
    match (fours, open_threes) {
        (2.., _) => "double four",
        (1, _) if lines.contains(&LinePattern::StraightFour) => "straight four",
        (1, 1..) => "four-three",
        (1, 0) => "four",
        (_, 2..) => "double three",
        (_, 1) => "three",
        _ if position.count(side.opponent(), Shape::Five) > 0 => "answer",
        _ if has_three => "closed three",
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
