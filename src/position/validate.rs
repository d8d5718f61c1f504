//! The slow twin: everything a position keeps, worked out again from the stones.

use super::Position;
use crate::board::{Cell, makes_five};
use crate::pattern::{PatternCode, Shape};
use crate::types::{Color, DIRECTIONS};

impl Position {
    /// Compares every incremental structure with a computation from scratch.
    ///
    /// # Panics
    /// When they differ.
    pub(crate) fn validate(&self) {
        let space = self.tables.space();
        let half = space.half() as isize;
        let (mut close, mut remote) = (Vec::new(), Vec::new());
        let mut counts = [[0usize; crate::pattern::SHAPES]; 2];
        for point in self.board.size().points() {
            assert_eq!(self.cell(point), self.board.cell(point));
            if !self.is_empty(point) {
                continue;
            }
            let steps = |stone: &crate::board::Stone| {
                let (dx, dy) =
                    (stone.point.x().abs_diff(point.x()), stone.point.y().abs_diff(point.y()));
                (dx.max(dy), dx == 0 || dy == 0 || dx == dy)
            };
            let mut stones = self.board.history().iter().map(steps);
            if stones.clone().any(|(steps, _)| steps <= 2) {
                close.push(point);
            } else if stones.any(|(steps, on_line)| steps <= 3 || steps == 4 && on_line) {
                remote.push(point);
            }
            for color in Color::ALL {
                let lines = DIRECTIONS.map(|direction| {
                    let reach = |sign: isize| {
                        (1..=half)
                            .take_while(|d| {
                                self.board.cell(point.shift(direction, sign * d)) != Cell::Wall
                            })
                            .count()
                    };
                    let (left, right) = (reach(-1), reach(1));
                    let mut window = space.empty(left, right);
                    for offset in -(left as isize)..=right as isize {
                        if let (true, Some(stone)) =
                            (offset != 0, self.board.cell(point.shift(direction, offset)).color())
                        {
                            window += space.weight(offset) * (1 + stone.index() as u32);
                        }
                    }
                    assert_eq!(self.window(point, direction.axis()), window, "{point}");
                    self.tables.line(window, color)
                });
                let shape = Shape::combine(lines, self.rule().has_fouls(color));
                assert_eq!(self.lines(point, color).lines(), lines, "{point} {color:?}");
                assert_eq!(self.shape(point, color), shape, "{point} {color:?}");
                assert_eq!(
                    shape == Shape::Five,
                    makes_five(&self.board, point, color),
                    "{point} {color:?}\n{:?}",
                    self.board
                );
                let code = PatternCode::of(self.lines(point, color));
                assert_eq!(self.code(point, color), code, "{point} {color:?}");
                counts[color.index()][shape as usize] += 1;
                assert!(shape < Shape::OpenThree || close.last() == Some(&point), "{point}");
            }
        }
        for color in Color::ALL {
            for shape in Shape::ALL {
                assert_eq!(
                    self.count(color, shape),
                    counts[color.index()][shape as usize],
                    "{color:?} {shape:?}"
                );
            }
        }
        assert_eq!(self.close_candidates().collect::<Vec<_>>(), close);
        assert_eq!(self.remote_candidates().collect::<Vec<_>>(), remote);
        let mut near = [close, remote].concat();
        near.sort_by_key(|point| (point.y(), point.x()));
        assert_eq!(self.candidates().collect::<Vec<_>>(), near);
    }
}

#[cfg(test)]
mod tests {
    use crate::board::Board;
    use crate::pattern::PatternCode;
    use crate::position::Position;
    use crate::reference::random_walk;
    use crate::types::{BoardSize, Point, Rule};

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
                board.wall(Point::new(x, y));
            }
            validate_walk(board, 42 + rule.index() as u64, 500);
        }
    }

    #[test]
    fn set_up_stones_give_the_turn_back_as_on_the_board() {
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

    /// Whoever follows the published changes knows the code of every empty cell.
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
                for color in crate::types::Color::ALL {
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
}
