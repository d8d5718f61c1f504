//! The slow twin: everything a position keeps, worked out again from the stones.

use super::Position;
use crate::board::{Cell, makes_five};
use crate::pattern::Shape;
use crate::types::{Color, DIRECTIONS};

impl Position {
    /// Compares every incremental structure with a computation from scratch.
    ///
    /// # Panics
    /// When they differ.
    pub(crate) fn validate(&self) {
        let space = self.tables.space();
        let half = space.half() as isize;
        let mut near = Vec::new();
        let mut counts = [[0usize; crate::pattern::SHAPES]; 2];
        let mut values = 0;
        for point in self.board.size().points() {
            assert_eq!(self.cell(point), self.board.cell(point));
            if !self.is_empty(point) {
                continue;
            }
            let close = |stone: &crate::board::Stone| {
                let (dx, dy) =
                    (stone.point.x().abs_diff(point.x()), stone.point.y().abs_diff(point.y()));
                dx.max(dy) <= 3 || dx.max(dy) == 4 && (dx == 0 || dy == 0 || dx == dy)
            };
            if self.board.history().iter().any(close) {
                near.push(point);
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
                let entry = self.tables.entry(self.lines(point, color), color);
                let other =
                    self.tables.entry(self.lines(point, color.opponent()), color.opponent());
                let pair = self.tables.weights(color).pair(shape, other.shape);
                assert_eq!(
                    self.urgency(point, color),
                    i32::from(entry.attack) + i32::from(other.defence) + i32::from(pair)
                );
                counts[color.index()][shape as usize] += 1;
                values += if color == self.side_to_move() {
                    i32::from(entry.moving)
                } else {
                    -i32::from(entry.waiting)
                };
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
        assert_eq!(self.value(), values);
        assert_eq!(self.candidates().collect::<Vec<_>>(), near);
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::SmallRng;
    use rand::seq::IndexedRandom;
    use rand::{Rng, SeedableRng};

    use crate::board::Board;
    use crate::position::Position;
    use crate::types::{BoardSize, Color, Point, Rule};

    /// Random stones with random steps back; clustered, so that long lines arise.
    fn random_walk(board: Board, seed: u64, steps: usize) {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut position = Position::from_board(&board);
        position.validate();
        let start = (position.board().key(), position.side_to_move());
        for _ in 0..steps {
            let candidates: Vec<Point> = position.candidates().collect();
            let all: Vec<Point> = position.board().empty_points().collect();
            let pool = if candidates.is_empty() || rng.random_bool(0.1) { all } else { candidates };
            match pool.choose(&mut rng) {
                Some(&point) if rng.random_bool(0.75) => {
                    let color = if rng.random_bool(0.8) {
                        position.side_to_move()
                    } else {
                        Color::ALL[rng.random_range(0..2)]
                    };
                    position.place(point, color);
                }
                _ => {
                    position.undo();
                }
            }
            position.validate();
        }
        while position.undo().is_some() {
            position.validate();
        }
        assert_eq!((position.board().key(), position.side_to_move()), start);
    }

    #[test]
    fn incremental_state_equals_the_slow_twin() {
        for (width, height) in [(15, 15), (20, 20), (5, 5), (36, 36), (9, 30)] {
            let size = BoardSize::new(width, height).unwrap();
            for rule in Rule::ALL {
                let seed = 1000 * width as u64 + height as u64 + 7 * rule.index() as u64;
                random_walk(Board::new(size, rule), seed, 150_000 / size.area().max(100));
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
            random_walk(board, 42 + rule.index() as u64, 500);
        }
    }
}
