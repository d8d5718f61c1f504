//! A position after every move and undo, compared with a recomputation from the stones.

use tengen_rules::board::Board;
use tengen_rules::pattern::PatternCode;
use tengen_rules::position::Position;
use tengen_rules::types::{BoardSize, Point, Rule};
use tengen_testkit::random_walk;

/// A random walk that ends where it began.
fn validate_walk(board: Board, seed: u64, steps: usize) {
    let start = Position::from_board(&board);
    let mut position = start.clone();
    random_walk(&mut position, seed, steps, Position::validate);
    while position.undo().is_some() {
        position.validate();
    }
    assert_eq!(
        (position.board().key(), position.side_to_move()),
        (start.board().key(), start.side_to_move())
    );
}

#[test]
fn incremental_state_equals_the_slow_twin() {
    for (width, height) in [(15, 15), (20, 20), (5, 5), (36, 36), (9, 30)] {
        let size = BoardSize::new(width, height).unwrap();
        for rule in Rule::ALL {
            let seed = 1000 * width as u64 + height as u64 + 7 * rule.index() as u64;
            validate_walk(Board::new(size, rule), seed, 150_000 / size.area().max(100));
        }
    }
}

#[test]
fn cells_out_of_play_end_every_line() {
    for rule in Rule::ALL {
        let mut board = Board::new(BoardSize::square(15).unwrap(), rule);
        for (x, y) in [(7, 7), (8, 3), (2, 12), (0, 0), (14, 6), (10, 10)] {
            board.wall(Point::new(x, y)).unwrap();
        }
        validate_walk(board, 42 + rule.index() as u64, 500);
    }
}

#[test]
fn undo_of_set_up_stones_restores_the_side_as_on_the_board() {
    for rule in Rule::ALL {
        let mut walked = Position::new(BoardSize::square(9).unwrap(), rule);
        random_walk(&mut walked, 11 + rule.index() as u64, 60, |_| ());
        let mut board = walked.board().clone();
        let mut position = Position::from_board(&board);
        while board.undo().is_some() {
            position.undo();
            assert_eq!(position.board().key(), board.key(), "{board:?}");
        }
    }
}

/// Every scoped move restores the position, for either side to move.
#[test]
fn scoped_moves_restore_the_position() {
    for rule in Rule::ALL {
        let mut position = Position::new(BoardSize::square(9).unwrap(), rule);
        assert_eq!(position.without_last(|_| ()), None);
        for seed in 0..20 {
            random_walk(&mut position, 100 * seed + rule.index() as u64, 7, |_| ());
            for side in tengen_rules::types::Color::ALL {
                if position.side_to_move() != side {
                    position.pass();
                }
                let start = position.board().clone();
                let same = |position: &Position| {
                    position.validate();
                    assert_eq!(position.board().key(), start.key());
                    assert_eq!(position.board().history(), start.history());
                };
                let free: Vec<Point> = start.empty_points().take(3).collect();
                let key = position.with_move(free[0], |after| after.board().key());
                assert_eq!(key, start.key_after(free[0], side));
                same(&position);
                let added = position.with_rollback(|after| {
                    free.iter().for_each(|&point| after.play(point));
                    after.validate();
                    after.board().history().len() - start.history().len()
                });
                assert_eq!(added, free.len());
                same(&position);
                let before = position.without_last(|before| {
                    before.validate();
                    before.board().history().len() + 1
                });
                assert!(before.is_none_or(|stones| stones == start.history().len()));
                same(&position);
                let mut board = start.clone();
                let color = side.opponent();
                let cell = board.with_stone(free[0], color, |after| after.cell(free[0]));
                assert_eq!(cell, tengen_rules::board::Cell::stone(color));
                assert_eq!(board.key(), start.key());
            }
        }
    }
}

/// The changes give the code of every empty cell before and after each stone.
#[test]
fn changes_lead_from_each_board_of_the_history_to_the_next() {
    for rule in Rule::ALL {
        let mut position = Position::new(BoardSize::new(15, 12).unwrap(), rule);
        random_walk(&mut position, 3 + rule.index() as u64, 60, |_| ());
        let length = position.board().history().len();
        assert!(length > 20 && position.key_at(length) == position.board().key());
        let mut after = position.clone();
        while let Some(stone) = position.undo() {
            let at = position.board().history().len();
            let changes = after.changes(at);
            assert_eq!(changes[0].point(), stone.point);
            assert_eq!(after.key_at(at), position.board().key());
            for color in tengen_rules::types::Color::ALL {
                for point in position.board().empty_points() {
                    let change = changes.iter().find(|cell| cell.point() == point);
                    let (was, is) = change.map_or_else(
                        || (after.code(point, color), after.code(point, color)),
                        |change| (change.before(color), change.after(color)),
                    );
                    let now = match point == stone.point {
                        true => PatternCode::NO_CELL,
                        false => after.code(point, color),
                    };
                    assert_eq!(was, position.code(point, color), "{point}");
                    assert_eq!(is, now, "{point}");
                }
            }
            after.undo();
        }
    }
}
