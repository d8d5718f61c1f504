//! Generates the moves to try, depending on the static result.

use tengen_rules::pattern::{LinePattern, Shape};
use tengen_rules::position::Position;
use tengen_rules::threat::{self, StaticResult};
use tengen_rules::types::{Color, GRID, Point, Rule};

/// Fills `moves` with the moves worth trying for the side to move, given the static `result` of the
/// position. If a threat must be answered, these are all moves that do not lose immediately; if the
/// result is known, the moves that lead to it (in a lost position, the cells that would have to be
/// blocked); otherwise all cells near a stone, in renju with cells out of play all cells. In renju
/// some may be fouls; the caller checks that when it plays them.
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
        StaticResult::NoThreat if may_run_out_of_moves(position) => {
            moves.extend(position.board().empty_points());
        }
        StaticResult::NoThreat => moves.extend(position.candidates()),
    }
}

/// The part of [`generate`]'s moves that a node tries first: the cells within two steps of a stone
/// if there is no threat to answer, otherwise all moves.
pub fn generate_near(position: &Position, result: StaticResult, moves: &mut Vec<Point>) {
    match result {
        StaticResult::NoThreat if !position.board().history().is_empty() => {
            moves.clear();
            moves.extend(position.near_candidates());
        }
        _ => generate(position, result, moves),
    }
}

/// The moves that [`generate_near`] omits.
pub fn generate_far(position: &Position, result: StaticResult, moves: &mut Vec<Point>) {
    moves.clear();
    if result != StaticResult::NoThreat {
        return;
    }
    if may_run_out_of_moves(position) && !position.board().history().is_empty() {
        let mut is_near = [false; GRID];
        position.near_candidates().for_each(|cell| is_near[cell.index()] = true);
        moves.extend(position.board().empty_points().filter(|cell| !is_near[cell.index()]));
    } else {
        moves.extend(position.far_candidates());
    }
}

/// Whether all cells near the stones may lose although another cell holds. In renju a stone of black
/// may turn its neighbour into a foul, so that the side with a harmless move elsewhere is better off;
/// on a board without cells out of play there is always one near the stones.
fn may_run_out_of_moves(position: &Position) -> bool {
    let board = position.board();
    board.rule() == Rule::Renju && board.empty_count() + board.history().len() < board.size().area()
}

/// Whether the move makes an open three or more, or takes a cell where the opponent would make an
/// open three and something more.
#[inline]
pub fn stops_or_makes_three(position: &Position, cell: Point, side: Color) -> bool {
    position.shape(cell, side) >= Shape::OpenThree
        || position.shape(cell, side.opponent()) >= Shape::OpenThreePlus
}

/// The first move of a static win in this number of plies.
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

/// The first cell that makes a five, if possible without an overline on another line: a five with
/// an overline wins by the rules, but not every referee agrees.
fn undisputed_five(position: &Position, side: Color) -> Option<Point> {
    let is_disputed =
        |cell: &Point| position.lines(*cell, side).lines().contains(&LinePattern::Overline);
    position.cells_with(side, Shape::Five).min_by_key(is_disputed)
}

/// The first move on a board without stones: the empty cell nearest to the middle that is not
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

    /// The winning cell on each turned board, mapped back.
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
    fn undisputed_five_comes_first() {
        for rule in [Rule::Renju, Rule::Standard, Rule::Caro] {
            assert_eq!(wins(rule, Color::Black, &both(Color::Black)), [ACCEPTED; 8], "{rule}");
        }
        assert_eq!(wins(Rule::Standard, Color::White, &both(Color::White)), [ACCEPTED; 8]);
    }

    #[test]
    fn overline_is_not_avoided_where_it_wins() {
        for rule in [Rule::Renju, Rule::Freestyle] {
            assert_eq!(wins(rule, Color::White, &both(Color::White))[0], DISPUTED, "{rule}");
        }
    }

    #[test]
    fn disputed_five_is_better_than_no_five() {
        for rule in [Rule::Renju, Rule::Standard, Rule::Caro] {
            assert_eq!(wins(rule, Color::Black, &DRAWING.replace('x', ".")), [DISPUTED; 8]);
        }
    }
}
