//! Which stones stand within three steps of a cell on a line, as one number.
//!
//! A pattern code says what a stone could make of a line, not which stones stand where. For the
//! value that makes no difference, for the choice of a move it does.

use std::sync::OnceLock;

use tengen_rules::pattern::{HALF_SHORT, WindowSpace};
use tengen_rules::position::Position;
use tengen_rules::types::{ByColor, Color, DIRECTIONS, Point};

/// Steps on each side of the cell.
const REACH: u32 = 3;
/// Sides that reach fewer cells before a wall: `1 + 3 + 9`.
const CLIPPED: usize = (3usize.pow(REACH) - 1) / 2;
/// Sides that reach all cells.
const WHOLE: usize = 3usize.pow(REACH);
/// What a side can look like.
const SIDES: usize = CLIPPED + WHOLE;
/// Pairs of sides, regardless of their order.
pub const FLANK_PAIRS: usize = SIDES * (SIDES + 1) / 2;

/// Largest number of a row (1 = 127): the rows of four lines add up to at most 124, so that their
/// sum, which is kept within a byte, does not depend on the order of the lines.
pub const FLANK_LIMIT: i8 = 31;

/// What the players see in every window of one half length. Tables of sides and of their pairs, 5 KB
/// in place of up to 530, take a division for each line: `bench` ran 1.06 times as long.
pub struct Flanks(Box<[ByColor<u16>]>);

impl Flanks {
    /// Those of windows that are numbered like this; made when they are first asked for.
    pub fn of(space: WindowSpace) -> &'static Flanks {
        static SHORT: OnceLock<Flanks> = OnceLock::new();
        static LONG: OnceLock<Flanks> = OnceLock::new();
        let flanks = if space.half() == HALF_SHORT { &SHORT } else { &LONG };
        flanks.get_or_init(|| Flanks::build(space))
    }

    fn build(space: WindowSpace) -> Flanks {
        // By side first: there are few, and every game waits for this.
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

    /// For each line through the empty cell what `viewer` sees there, below [`FLANK_PAIRS`].
    #[inline]
    pub fn pairs(&self, position: &Position, point: Point, viewer: Color) -> [usize; 4] {
        DIRECTIONS.map(|direction| {
            let window = position.window(point, direction.axis());
            usize::from(self.0[window as usize][viewer])
        })
    }
}

/// What a viewer sees within reach of a side with this number (see [`WindowSpace`]): its own
/// stones as black ones.
fn seen(side: usize, viewer: Color) -> usize {
    // Sides that reach further come in blocks of as many as those that reach so far.
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
    fn pairs_are_one_to_one_with_what_stands_there_whatever_the_end_it_is_read_from() {
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
