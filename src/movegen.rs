//! L6: which points are tried in which situation.

use crate::pattern::Shape;
use crate::position::Position;
use crate::threat::{self, FOURS, Situation};
use crate::types::{Color, Point};

/// Fills `moves` with those worth trying for the side to move. Outside a free situation these are all
/// the moves that do not lose at once; in renju some may still be fouls, which the caller
/// checks when it plays them.
pub fn generate(position: &Position, situation: Situation, moves: &mut Vec<Point>) {
    moves.clear();
    let side = position.side_to_move();
    match situation {
        Situation::Won(plies) => moves.extend(winning_cell(position, side, plies)),
        Situation::AnswerFive(cell) => moves.push(cell),
        Situation::Lost(_) => moves.extend(position.cells_with(side.opponent(), Shape::Five)),
        Situation::AnswerFiveSomehow => {
            moves.extend(threat::answers_to_five(position, side));
        }
        Situation::AnswerStraightFour => {
            threat::answers_to_straight_four(position, side, moves);
            let fours = position.candidates().filter(|&cell| makes_four(position, cell, side));
            for cell in fours {
                if !moves.contains(&cell) {
                    moves.push(cell);
                }
            }
        }
        Situation::Free if position.board().history().is_empty() => {
            moves.extend(any_move(position))
        }
        Situation::Free => moves.extend(position.candidates()),
    }
}

/// Whether a stone of `side` on the empty cell makes a four of any kind.
#[inline]
pub fn makes_four(position: &Position, cell: Point, side: Color) -> bool {
    let shape = position.shape(cell, side);
    FOURS.contains(&shape)
        || shape == Shape::StraightFour
        || shape == Shape::FoulCandidate
            && position.lines(cell, side).lines().iter().any(|line| line.is_four())
}

/// Whether the move makes an open three or more, or takes a cell where the opponent would make
/// an open three and something besides.
#[inline]
pub fn stops_or_makes_three(position: &Position, cell: Point, side: Color) -> bool {
    position.shape(cell, side) >= Shape::OpenThree
        || position.shape(cell, side.opponent()) >= Shape::OpenThreePlus
}

/// The move that a win in so many plies starts with.
fn winning_cell(position: &Position, side: Color, plies: usize) -> Option<Point> {
    let shapes: &[Shape] = match plies {
        1 => &[Shape::Five],
        3 => &[Shape::StraightFour],
        _ => &[Shape::FourThree, Shape::DoubleOpenThree],
    };
    shapes.iter().find_map(|&shape| position.cells_with(side, shape).next())
}

/// Some move for a position where nothing else is left to choose from: the most urgent legal
/// cell, or a foul when there are only fouls. The middle of an empty board; `None` on a full one.
pub fn any_move(position: &Position) -> Option<Point> {
    let side = position.side_to_move();
    let center = position.board().size().center();
    let opening = position.board().history().is_empty();
    position.board().empty_points().max_by_key(|&cell| {
        (
            !threat::is_foul(position, cell, side),
            if opening { 0 } else { position.urgency(cell, side) },
            -i32::from(cell.distance(center)),
        )
    })
}
