//! Simulates what a person overlooks in a position.
//!
//! People overlook lines, not cells: a missed diagonal is missed on its whole length. So every line
//! of the board is noticed or not, separately for each colour, and a cell is judged by the patterns
//! of the noticed lines.

use crate::random::Random;
use tengen_rules::pattern::{LineKey, LinePattern, Shape};
use tengen_rules::position::Position;
use tengen_rules::types::{ByColor, Color, MAX_SIDE, Point};

/// How often a line is overlooked, in percent, by the best pattern that one more stone would make
/// on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sight {
    /// A five.
    pub five: f32,
    /// A straight four, or two fours on the line.
    pub straight_four: f32,
    /// A four.
    pub four: f32,
    /// An open three.
    pub three: f32,
}

impl Sight {
    /// Percentage for a line with this pattern; lines with less than an open three are never
    /// overlooked.
    fn overlooked(self, line: LinePattern) -> f32 {
        match line {
            LinePattern::Five | LinePattern::Overline => self.five,
            LinePattern::StraightFour | LinePattern::DoubleFour => self.straight_four,
            LinePattern::Four => self.four,
            LinePattern::OpenThree | LinePattern::OpenThreeGood => self.three,
            _ => 0.0,
        }
    }
}

/// Factor for diagonals, which are overlooked more often than rows and columns.
const DIAGONAL: f32 = 1.5;
/// Factor for lines of the opponent's last stone, which are overlooked less often.
const FRESH: f32 = 0.5;
/// Factor for own lines, which are overlooked less often.
const OWN: f32 = 0.7;
/// Lines of one direction on the largest board.
const LINES: usize = 2 * MAX_SIDE as usize;

/// The perception of a position in one turn.
pub(super) struct Look<'a> {
    position: &'a Position,
    sight: Sight,
    /// A random number below 100 for each colour, direction and line: a line is overlooked if its
    /// percentage is above its number.
    draws: ByColor<Vec<f32>>,
}

impl<'a> Look<'a> {
    /// Draws the random numbers.
    pub(super) fn new(position: &'a Position, sight: Sight, random: &mut Random) -> Look<'a> {
        let draws = ByColor::from_fn(|_| (0..4 * LINES).map(|_| 100.0 * random.unit()).collect());
        Look { position, sight, draws }
    }

    /// The lines through the empty cell as perceived: overlooked ones are dead.
    fn lines(&self, cell: Point, color: Color) -> LineKey {
        let mut key = self.position.lines(cell, color);
        for axis in 0..4 {
            if self.overlooks(cell, color, axis, key.line(axis)) {
                key = key.with_line(axis, LinePattern::Dead);
            }
        }
        key
    }

    /// The perceived shape of a stone of `color` on the empty cell.
    pub(super) fn shape(&self, cell: Point, color: Color) -> Shape {
        let lines = self.lines(cell, color).lines();
        Shape::combine(lines, self.position.rule().has_fouls(color))
    }

    fn overlooks(&self, cell: Point, color: Color, axis: usize, line: LinePattern) -> bool {
        let mut chance = self.sight.overlooked(line);
        if chance <= 0.0 {
            return false;
        }
        if axis >= 2 {
            chance *= DIAGONAL;
        }
        if color == self.position.side_to_move() {
            chance *= OWN;
        } else if self.is_fresh(cell, axis) {
            chance *= FRESH;
        }
        self.draws[color][axis * LINES + line_number(cell, axis)] < chance
    }

    /// Whether the last stone of the opponent lies on the line, near the cell.
    fn is_fresh(&self, cell: Point, axis: usize) -> bool {
        self.position.board().last().is_some_and(|last| {
            line_number(last.point, axis) == line_number(cell, axis)
                && last.point.distance(cell) <= 4
        })
    }
}

/// The number of the cell's line among the parallel lines of its direction.
fn line_number(cell: Point, axis: usize) -> usize {
    let (x, y) = (usize::from(cell.x()), usize::from(cell.y()));
    match axis {
        0 => y,
        1 => x,
        2 => x + LINES / 2 - y,
        _ => x + y,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::types::{BoardSize, DIRECTIONS, Rule};

    /// Nothing is overlooked.
    const PERFECT: Sight = Sight { five: 0.0, straight_four: 0.0, four: 0.0, three: 0.0 };

    #[test]
    fn numbers_stay_the_same_along_a_line_and_differ_beside_it() {
        let size = BoardSize::square(36).unwrap();
        for point in size.points() {
            for direction in DIRECTIONS {
                let next = point.shift(direction, 1);
                let axis = direction.axis();
                assert!(line_number(point, axis) < LINES);
                if size.points().any(|other| other == next) {
                    assert_eq!(line_number(point, axis), line_number(next, axis));
                    for across in DIRECTIONS.into_iter().filter(|other| *other != direction) {
                        assert_ne!(
                            line_number(point, across.axis()),
                            line_number(next, across.axis())
                        );
                    }
                }
            }
        }
    }

    /// An open three of black's on a row: either both cells that make a straight four are noticed,
    /// or neither.
    #[test]
    fn a_line_is_overlooked_as_a_whole() {
        let mut position = Position::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
        for (x, color) in [(6, Color::Black), (7, Color::Black), (8, Color::Black)] {
            position.place(Point::new(x, 7), color);
        }
        position.place(Point::new(1, 1), Color::White);
        position.place(Point::new(13, 2), Color::White);
        let sight = Sight { straight_four: 40.0, ..PERFECT };
        let mut random = Random::new(5);
        let mut missed = 0;
        for _ in 0..1_000 {
            let look = Look::new(&position, sight, &mut random);
            let seen = |x| look.shape(Point::new(x, 7), Color::Black) == Shape::StraightFour;
            assert_eq!(seen(5), seen(9));
            missed += usize::from(!seen(5));
        }
        // White has moved last, far away: black's own row, 40 percent times OWN.
        assert!((230..330).contains(&missed), "{missed}");
    }

    #[test]
    fn perfect_sight_overlooks_nothing() {
        let mut position = Position::new(BoardSize::square(15).unwrap(), Rule::Renju);
        let mut random = Random::new(6);
        for _ in 0..60 {
            let cells: Vec<Point> = position.board().empty_points().collect();
            position.play(cells[random.index(cells.len())]);
            let look = Look::new(&position, PERFECT, &mut random);
            for cell in position.board().empty_points() {
                for color in Color::ALL {
                    assert_eq!(look.shape(cell, color), position.shape(cell, color));
                }
            }
        }
    }
}
