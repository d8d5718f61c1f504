//! The stones within three steps of a cell on a line, as one number.
//!
//! A pattern code describes what a stone could make on a line, but not where the stones are. That
//! makes no difference to the value, but it does to the choice of a move.

use std::sync::OnceLock;

use tengen_rules::pattern::{HALF_SHORT, WindowSpace};
use tengen_rules::position::Position;
use tengen_rules::types::{ByColor, Color, DIRECTIONS, Point};

/// Steps on each side of the cell.
const REACH: u32 = 3;
/// Number of sides that reach fewer cells before a wall: `1 + 3 + 9`.
const CLIPPED: usize = (3usize.pow(REACH) - 1) / 2;
/// Number of sides that reach all cells.
const WHOLE: usize = 3usize.pow(REACH);
/// Number of different sides.
const SIDES: usize = CLIPPED + WHOLE;
/// Number of pairs of sides, regardless of their order.
pub const FLANK_PAIRS: usize = SIDES * (SIDES + 1) / 2;

/// Largest number in a row (1 = 127): the rows of four lines add up to at most 124, so that their
/// sum, which saturates at a byte, does not depend on the order of the lines.
pub const FLANK_LIMIT: i8 = 31;

/// The pair of sides in every window of one half length, from each player's point of view. Tables
/// of sides and of pairs would take 5 KB instead of up to 530, but need a division for each line
/// and make the search slower.
pub struct Flanks(Box<[ByColor<u16>]>);

impl Flanks {
    /// The flanks for this numbering of windows, built on first use.
    pub fn of(space: WindowSpace) -> &'static Flanks {
        static SHORT: OnceLock<Flanks> = OnceLock::new();
        static LONG: OnceLock<Flanks> = OnceLock::new();
        let flanks = if space.half() == HALF_SHORT { &SHORT } else { &LONG };
        flanks.get_or_init(|| Flanks::build(space))
    }

    fn build(space: WindowSpace) -> Flanks {
        // Compute the few sides first, because this delays the first move.
        let of_sides = |viewer| (0..space.sides()).map(|side| seen(side, viewer)).collect();
        let of_sides: ByColor<Vec<usize>> = ByColor::from_fn(of_sides);
        let pair = |(left, right): (usize, usize), viewer: Color| {
            let (left, right) = (of_sides[viewer][left], of_sides[viewer][right]);
            let (more, less) = (left.max(right), left.min(right));
            (more * (more + 1) / 2 + less) as u16
        };
        let pairs = |window| {
            let sides = space.sides_of(window);
            ByColor::from_fn(|viewer| pair(sides, viewer))
        };
        Flanks((0..space.count()).map(pairs).collect())
    }

    /// The pair on each line through the empty cell, from the point of view of `viewer`; below
    /// [`FLANK_PAIRS`].
    #[inline]
    pub fn pairs(&self, position: &Position, point: Point, viewer: Color) -> [usize; 4] {
        DIRECTIONS.map(|direction| {
            let window = position.window(point, direction.axis());
            usize::from(self.0[window as usize][viewer])
        })
    }
}

/// The part within reach of the side with this number (see [`WindowSpace`]), with the viewer's
/// stones as black ones.
fn seen(side: usize, viewer: Color) -> usize {
    // The longer sides come in blocks of `WHOLE`, which agree on the cells within reach.
    let within = if side < CLIPPED { side } else { CLIPPED + (side - CLIPPED) % WHOLE };
    match viewer {
        Color::Black => within,
        Color::White => swapped(within),
    }
}

/// The side with the colours swapped.
fn swapped(side: usize) -> usize {
    let (mut start, mut cells) = (0, 1);
    while side >= start + cells {
        start += cells;
        cells *= 3;
    }
    let (mut digits, mut place, mut result) = (side - start, 1, start);
    while place < cells {
        result += (3 - digits % 3) % 3 * place;
        digits /= 3;
        place *= 3;
    }
    result
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use tengen_rules::board::Cell;
    use tengen_rules::types::{BoardSize, Direction, Rule};
    use tengen_testkit::random_walk;

    /// The cells on one side: 0 empty, 1 the viewer's, 2 the opponent's; nothing past a wall.
    fn side(
        position: &Position,
        point: Point,
        direction: Direction,
        sign: isize,
        viewer: Color,
    ) -> Vec<u8> {
        let cell = |steps: isize| position.board().cell(point.shift(direction, sign * steps));
        let cells = (1..=REACH as isize).map(cell).take_while(|&cell| cell != Cell::Wall);
        cells.map(|cell| cell.color().map_or(0, |color| 1 + u8::from(color != viewer))).collect()
    }

    #[test]
    fn pairs_correspond_to_the_cells_on_both_sides_in_either_order() {
        let (mut by_pair, mut by_cells) = (HashMap::new(), HashMap::new());
        for rule in Rule::ALL {
            let size = BoardSize::new(12, 9).unwrap();
            let mut walk = Position::new(size, rule);
            let flanks = Flanks::of(walk.tables().space());
            random_walk(&mut walk, 3, 300, |position| {
                for point in position.board().empty_points() {
                    for viewer in Color::ALL {
                        let pairs = flanks.pairs(position, point, viewer);
                        for direction in DIRECTIONS {
                            let mut cells =
                                [-1, 1].map(|sign| side(position, point, direction, sign, viewer));
                            cells.sort();
                            let pair = pairs[direction.axis()];
                            assert!(pair < FLANK_PAIRS);
                            assert_eq!(*by_pair.entry(pair).or_insert(cells.clone()), cells);
                            assert_eq!(*by_cells.entry(cells).or_insert(pair), pair);
                        }
                    }
                }
            });
        }
        assert!(by_pair.len() > FLANK_PAIRS / 2, "{}", by_pair.len());
    }
}
