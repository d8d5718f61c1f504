//! Which points are tried against which threat.

use tengen_rules::pattern::{LinePattern, Shape};
use tengen_rules::position::Position;
use tengen_rules::threat::{self, StaticResult};
use tengen_rules::types::{Color, Point};

/// Fills `moves` with those worth trying for the side to move, given the static `result` of the
/// position. Where a threat has to be answered these are all the moves that do not lose at once,
/// where the result is known those that lead to it (or, lost, the cells that would have to be
/// blocked), and otherwise all cells near a stone. In renju some may be fouls, which the caller
/// checks when it plays them.
pub fn generate(position: &Position, result: StaticResult, moves: &mut Vec<Point>) {
    moves.clear();
    let side = position.side_to_move();
    match result {
        StaticResult::WinIn(plies) => moves.extend(winning_cell(position, side, plies)),
        StaticResult::BlockFour(cell) => moves.push(cell),
        StaticResult::LossIn(_) => moves.extend(position.cells_with(side.opponent(), Shape::Five)),
        StaticResult::BlockFourSomehow => {
            moves.extend(threat::answers_to_five(position, side));
        }
        StaticResult::AnswerStraightFour => {
            threat::answers_to_straight_four(position, side, moves);
            threat::add_fours(position, side, moves);
        }
        StaticResult::AnswerFourThree => {
            threat::answers_to_four_threes(position, side, moves);
            threat::add_fours(position, side, moves);
        }
        StaticResult::NoThreat if position.board().history().is_empty() => {
            moves.extend(first_move(position, &[]))
        }
        StaticResult::NoThreat => moves.extend(position.candidates()),
    }
}

/// The part of [`generate`]'s moves that a node tries first: without a threat to answer the cells
/// within two steps of a stone, otherwise all.
pub fn generate_near(position: &Position, result: StaticResult, moves: &mut Vec<Point>) {
    match result {
        StaticResult::NoThreat if !position.board().history().is_empty() => {
            moves.clear();
            moves.extend(position.near_candidates());
        }
        _ => generate(position, result, moves),
    }
}

/// The moves that [`generate_near`] left out.
pub fn generate_far(position: &Position, result: StaticResult, moves: &mut Vec<Point>) {
    moves.clear();
    if result == StaticResult::NoThreat {
        moves.extend(position.far_candidates());
    }
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
    let first = |shape: Shape| position.cells_with(side, shape).next();
    match plies {
        1 => undisputed_five(position, side),
        3 => first(Shape::StraightFour),
        _ => threat::winning_four_threes(position, side)
            .next()
            .map(|win| win.cell)
            .or_else(|| first(Shape::FourThree))
            .or_else(|| first(Shape::DoubleOpenThree)),
    }
}

/// The first cell that makes a five, if possible without an overline on another line: five and
/// overline at once win by the rules, but not every referee agrees.
fn undisputed_five(position: &Position, side: Color) -> Option<Point> {
    let is_disputed =
        |cell: &Point| position.lines(*cell, side).lines().contains(&LinePattern::Overline);
    position.cells_with(side, Shape::Five).min_by_key(is_disputed)
}

/// The first move on a board without stones: the free cell nearest to the middle, none of those to be
/// `avoided`.
pub fn first_move(position: &Position, avoided: &[Point]) -> Option<Point> {
    let center = position.board().size().center();
    let cells = position.board().empty_points().filter(|cell| !avoided.contains(cell));
    cells.min_by_key(|cell| cell.distance(center))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::board::Board;
    use tengen_rules::types::{Rule, Symmetry};

    /// Five in the row and six in the column at 4,2; the stones `x` make five at 4,6.
    const DRAWING: &str = "
        . . . . X . . .
        . . . . X . . .
        X X X X . . . .
        . . . . X . . .
        . . . . X . . .
        . . . . X . . .
        x x x x . . . .";
    const DISPUTED: Point = Point::new(4, 2);
    const ACCEPTED: Point = Point::new(4, 6);

    fn both(color: Color) -> String {
        DRAWING.to_uppercase().replace('X', if color == Color::Black { "X" } else { "O" })
    }

    /// The winning cell, turned back, of each turned board.
    fn wins(rule: Rule, side: Color, drawing: &str) -> Vec<Point> {
        let mut board = Board::from_diagram(rule, drawing).unwrap();
        board.set_side(side);
        let win = |symmetry: Symmetry| {
            let position = Position::from_board(&board.turned(symmetry));
            let mut moves = Vec::new();
            generate(&position, StaticResult::WinIn(1), &mut moves);
            board.empty_points().find(|&at| [symmetry.point(board.size(), at)] == moves[..])
        };
        Symmetry::ALL.into_iter().map(|symmetry| win(symmetry).unwrap()).collect()
    }

    #[test]
    fn a_five_that_every_referee_accepts_comes_first() {
        for rule in [Rule::Renju, Rule::Standard, Rule::Caro] {
            assert_eq!(wins(rule, Color::Black, &both(Color::Black)), [ACCEPTED; 8], "{rule}");
        }
        assert_eq!(wins(Rule::Standard, Color::White, &both(Color::White)), [ACCEPTED; 8]);
    }

    #[test]
    fn six_is_no_fault_where_it_wins() {
        for rule in [Rule::Renju, Rule::Freestyle] {
            assert_eq!(wins(rule, Color::White, &both(Color::White))[0], DISPUTED, "{rule}");
        }
    }

    #[test]
    fn five_and_overline_at_once_is_better_than_no_five() {
        for rule in [Rule::Renju, Rule::Standard, Rule::Caro] {
            assert_eq!(wins(rule, Color::Black, &DRAWING.replace('x', ".")), [DISPUTED; 8]);
        }
    }
}
