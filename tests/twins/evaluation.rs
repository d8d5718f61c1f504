//! Invariants of the evaluation: symmetries of the board and exchange of the colours.

use tengen::eval::Evaluator;
use tengen_rules::board::Board;
use tengen_rules::position::{LastStones, Position};
use tengen_rules::types::{BoardSize, Color, Point, Rule, Symmetry};
use tengen_testkit::random_walk;

/// Positions of random play on boards of several shapes.
fn positions(rule: Rule, mut visit: impl FnMut(&Position)) {
    for (number, (width, height)) in [(15, 15), (16, 16), (20, 20), (9, 13)].into_iter().enumerate()
    {
        let size = BoardSize::new(width, height).unwrap();
        let seed = 100 * number as u64 + rule.index() as u64;
        random_walk(&mut Position::new(size, rule), seed, 60, |position| {
            if position.board().empty_count() > 0 {
                visit(position);
            }
        });
    }
}

fn scores(evaluator: &mut Evaluator, position: &Position, last: LastStones) -> Vec<i32> {
    let cells: Vec<Point> = position.board().empty_points().collect();
    let mut scores = Vec::new();
    evaluator.score_moves(position, last, &cells, &mut scores);
    scores.sort();
    scores
}

#[test]
fn evaluation_is_equal_under_all_symmetries() {
    for rule in Rule::ALL {
        let mut evaluator = Evaluator::new(rule);
        positions(rule, |position| {
            let value = evaluator.value(position);
            let near = scores(&mut evaluator, position, position.last_stones());
            for symmetry in Symmetry::ALL {
                let turned = Position::from_board(&position.board().turned(symmetry));
                assert_eq!(evaluator.value(&turned), value, "{:?}", position.board());
                assert_eq!(scores(&mut evaluator, &turned, turned.last_stones()), near);
            }
        });
    }
}

/// The same stones with the colours swapped, the other side to move.
fn swapped(board: &Board) -> Board {
    let mut other = Board::new(board.size(), board.rule());
    for stone in board.history() {
        other.place(stone.point, stone.color.opponent()).unwrap();
    }
    other.set_side(board.side_to_move().opponent());
    other
}

#[test]
fn evaluation_is_equal_for_swapped_colours_under_symmetric_rules() {
    for rule in Rule::ALL.into_iter().filter(|rule| !rule.has_fouls(Color::Black)) {
        let mut evaluator = Evaluator::new(rule);
        positions(rule, |position| {
            let other = Position::from_board(&swapped(position.board()));
            assert_eq!(evaluator.value(position), evaluator.value(&other));
            let last = position.last_stones();
            assert_eq!(
                scores(&mut evaluator, position, last),
                scores(&mut evaluator, &other, last)
            );
        });
    }
}

/// Fouls must make a difference in renju.
#[test]
fn evaluation_differs_for_swapped_colours_in_renju() {
    let mut evaluator = Evaluator::new(Rule::Renju);
    let mut different = 0;
    positions(Rule::Renju, |position| {
        let other = Position::from_board(&swapped(position.board()));
        different += usize::from(evaluator.value(position) != evaluator.value(&other));
    });
    assert!(different > 50, "{different}");
}
