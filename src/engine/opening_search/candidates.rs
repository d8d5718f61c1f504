//! Candidate openings and moves.

use crate::random::Random;
use tengen_rules::board::Board;
use tengen_rules::types::{BoardSize, Point, Symmetry};

/// Random openings for one decision, in addition to the known ones.
const DRAWN_OPENINGS: usize = 40;
/// Random pairs of moves for one decision.
const DRAWN_PAIRS: usize = 128;
/// Largest distance of a move of a pair from a stone.
const PAIR_REACH: u8 = 4;
/// Largest distance of a single move from a stone.
const SINGLE_REACH: u8 = 3;

/// The most even of 500 random openings according to this engine, at 200,000 nodes each on 15x15
/// (standard, renju) and 20x20 (freestyle): black, white, black, as distances from two edges that
/// meet in a corner.
const KNOWN: [[(u8, u8); 3]; 12] = [
    [(3, 1), (1, 3), (0, 4)],
    [(4, 0), (4, 4), (3, 4)],
    [(0, 4), (4, 4), (5, 5)],
    [(2, 3), (1, 3), (2, 0)],
    [(1, 2), (4, 0), (2, 0)],
    [(0, 1), (0, 4), (3, 1)],
    [(4, 3), (3, 4), (2, 0)],
    [(1, 2), (0, 4), (0, 0)],
    [(4, 0), (3, 5), (3, 6)],
    [(0, 0), (2, 0), (0, 4)],
    [(1, 4), (5, 2), (4, 0)],
    [(1, 0), (1, 2), (1, 4)],
];

/// Openings of three stones: the known ones that fit, in random order and with random symmetries,
/// then random ones. There is always at least one.
pub(super) fn openings(size: BoardSize, random: &mut Random) -> Vec<[Point; 3]> {
    let mut openings: Vec<[Point; 3]> = KNOWN
        .iter()
        .filter(|stones| {
            let shorter_side = size.width().min(size.height());
            stones.iter().all(|&(across, down)| across.max(down) < shorter_side)
        })
        .map(|stones| {
            let turn = Symmetry::ALL[random.index(Symmetry::ALL.len())];
            let turned = turn.size(size);
            stones.map(|(across, down)| turn.point(turned, Point::new(across, down)))
        })
        .collect();
    random.shuffle(&mut openings);
    openings.extend((0..DRAWN_OPENINGS).filter_map(|_| drawn_opening(size, random)));
    openings
}

/// A black stone anywhere, a white one near it, and a second black one near both. Stones near an
/// edge are included, because the advantage of the first move is smaller there.
fn drawn_opening(size: BoardSize, random: &mut Random) -> Option<[Point; 3]> {
    let mut below = |side: u8| random.below(side.into()) as u8;
    let first = Point::new(below(size.width()), below(size.height()));
    let near = |reach: u8, others: &[Point]| -> Vec<Point> {
        size.points()
            .filter(|point| {
                others.iter().all(|other| (1..=reach).contains(&point.distance(*other)))
            })
            .collect()
    };
    let second = *random.choose(&near(4, &[first]))?;
    let third = *random.choose(&near(5, &[first, second]))?;
    Some([first, second, third])
}

/// Every move near a stone that is not excluded; if there is none, every move that is not excluded.
pub(super) fn single_moves(board: &Board, excluded: &[Point]) -> Vec<Point> {
    near_stones(board, SINGLE_REACH, excluded)
}

/// Pairs of different moves near the stones, none of them excluded.
pub(super) fn pairs(board: &Board, excluded: &[Point], random: &mut Random) -> Vec<[Point; 2]> {
    let cells = near_stones(board, PAIR_REACH, excluded);
    if cells.len() < 2 {
        return Vec::new();
    }
    let pair = |_| {
        let first = random.index(cells.len());
        // One of the other cells.
        let second = (first + 1 + random.index(cells.len() - 1)) % cells.len();
        [cells[first], cells[second]]
    };
    (0..DRAWN_PAIRS).map(pair).collect()
}

/// The empty cells within `reach` of a stone that are not excluded; if there are none, all empty
/// cells that are not excluded.
fn near_stones(board: &Board, reach: u8, excluded: &[Point]) -> Vec<Point> {
    let is_near =
        |point: &Point| board.history().iter().any(|stone| stone.point.distance(*point) <= reach);
    let free: Vec<Point> = board.empty_points().filter(|cell| !excluded.contains(cell)).collect();
    let near: Vec<Point> = free.iter().copied().filter(is_near).collect();
    if near.is_empty() { free } else { near }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::types::Rule;

    #[test]
    fn openings_fit_every_board() {
        let mut random = Random::new(7);
        for (width, height) in [(5, 5), (5, 36), (15, 15), (20, 20)] {
            let size = BoardSize::new(width, height).unwrap();
            let openings = openings(size, &mut random);
            assert!(openings.len() > DRAWN_OPENINGS);
            for [first, second, third] in openings {
                assert!([first, second, third].iter().all(|&point| size.contains(point)));
                assert!(first != second && second != third && first != third);
            }
        }
    }

    #[test]
    fn moves_lie_near_the_stones() {
        let mut random = Random::new(7);
        let mut board = Board::new(BoardSize::square(20).unwrap(), Rule::Freestyle);
        assert_eq!(single_moves(&board, &[]).len(), 400);
        board.place(Point::new(0, 0), board.side_to_move()).unwrap();
        assert_eq!(single_moves(&board, &[]).len(), 15);
        assert_eq!(single_moves(&board, &[Point::new(1, 1)]).len(), 14);
        let near = single_moves(&board, &[]);
        assert_eq!(single_moves(&board, &near).len(), 400 - 1 - 15, "those farther away");
        for [first, second] in pairs(&board, &[], &mut random) {
            assert!(first != second && board.is_empty(first) && board.is_empty(second));
            assert!(first.distance(Point::new(0, 0)) <= PAIR_REACH);
        }
        for pair in pairs(&board, &near, &mut random) {
            assert!(pair.iter().all(|cell| !near.contains(cell)));
        }
    }
}
