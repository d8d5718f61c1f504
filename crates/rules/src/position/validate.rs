//! The slow twin: all incremental state recomputed from the stones.

use super::Position;
use crate::board::{Cell, makes_five};
use crate::pattern::{PatternCode, Shape};
use crate::types::{Color, DIRECTIONS};

impl Position {
    /// Compares every incremental structure with a computation from scratch. Slow: for tests.
    ///
    /// # Panics
    /// When they differ.
    pub fn validate(&self) {
        let space = self.tables.space();
        let half = space.half() as isize;
        let (mut near, mut far) = (Vec::new(), Vec::new());
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
                near.push(point);
            } else if stones.any(|(steps, on_line)| steps <= 3 || steps == 4 && on_line) {
                far.push(point);
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
                assert!(shape < Shape::OpenThree || near.last() == Some(&point), "{point}");
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
        assert_eq!(self.near_candidates().collect::<Vec<_>>(), near);
        assert_eq!(self.far_candidates().collect::<Vec<_>>(), far);
        let mut candidates = [near, far].concat();
        candidates.sort_by_key(|point| (point.y(), point.x()));
        assert_eq!(self.candidates().collect::<Vec<_>>(), candidates);
    }
}
