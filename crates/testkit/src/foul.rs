//! Renju fouls, word for word from the International Rules of Renju (RIF 1996, 9.2 and 9.3).
//!
//! A judged stone is actually placed on the board, and so is the stone on every eye in the recursion.
//! The recursion ends because the board fills up.

use std::collections::BTreeSet;

use tengen_rules::board::{Board, Cell};
use tengen_rules::threat::Foul;
use tengen_rules::types::{Color, DIRECTIONS, Direction, Point};

/// Stones of one line, in the order of [`Point`].
type Stones = BTreeSet<Point>;

/// The verdict on a black stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The stone makes exactly five on some line: black wins, even if it also makes a foul.
    Five,
    /// The stone is forbidden.
    Foul(Foul),
    /// The stone is legal and does not win.
    Legal,
}

/// A row that looks like a three, and a point that turns it into a straight four.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Eye {
    /// The three black stones.
    pub three: Stones,
    /// The point that makes the straight four.
    pub point: Point,
    /// The verdict on a black stone there; only if it is legal, the three is real.
    pub verdict: Verdict,
}

/// The foul of a black stone on the empty cell `point`, if it is one. `None` outside renju.
pub fn foul_at(board: &Board, point: Point) -> Option<Foul> {
    if !board.rule().has_fouls(Color::Black) {
        return None;
    }
    match judge(&mut board.clone(), point) {
        Verdict::Foul(foul) => Some(foul),
        Verdict::Five | Verdict::Legal => None,
    }
}

/// All points that are forbidden to black, row by row.
pub fn fouls(board: &Board) -> Vec<(Point, Foul)> {
    board.empty_points().filter_map(|point| Some((point, foul_at(board, point)?))).collect()
}

/// Judges a black stone on the empty cell `point` by the rules of renju. The board is unchanged
/// afterwards.
pub fn judge(board: &mut Board, point: Point) -> Verdict {
    with_stone(board, point, |board| {
        let rows = DIRECTIONS.map(|direction| row(board, point, direction).len());
        if rows.contains(&5) {
            Verdict::Five
        } else if rows.iter().any(|&length| length > 5) {
            Verdict::Foul(Foul::Overline)
        } else if fours(board, point).len() > 1 {
            Verdict::Foul(Foul::DoubleFour)
        } else if real_threes(board, point) > 1 {
            Verdict::Foul(Foul::DoubleThree)
        } else {
            Verdict::Legal
        }
    })
}

/// The fours that the black stone on `point` belongs to: four stones of a line that one more
/// stone turns into exactly five. `_XXXX_` is one four, `X_XXX_X` are two.
pub fn fours(board: &mut Board, point: Point) -> BTreeSet<Stones> {
    let mut fours = BTreeSet::new();
    for direction in DIRECTIONS {
        for gap in nearby_gaps(board, point, direction) {
            let mut five = with_stone(board, gap, |board| row(board, gap, direction));
            if five.len() == 5 && five.contains(&point) {
                five.remove(&gap);
                fours.insert(five);
            }
        }
    }
    fours
}

/// Number of threes through the black stone on `point` that have a legal eye.
fn real_threes(board: &mut Board, point: Point) -> usize {
    let real = eyes(board, point).into_iter().filter(|eye| eye.verdict == Verdict::Legal);
    real.map(|eye| eye.three).collect::<BTreeSet<Stones>>().len()
}

/// All ways to turn three stones of a line, including the black stone on `point`, into a straight
/// four by one more stone. That stone is judged by the same rules.
pub fn eyes(board: &mut Board, point: Point) -> Vec<Eye> {
    let mut eyes = Vec::new();
    for direction in DIRECTIONS {
        for gap in nearby_gaps(board, point, direction) {
            let four = with_stone(board, gap, |board| straight_four(board, gap, direction));
            if let Some(mut three) = four.filter(|four| four.contains(&point)) {
                three.remove(&gap);
                eyes.push(Eye { three, point: gap, verdict: judge(board, gap) });
            }
        }
    }
    eyes
}

/// The unbroken four through the black stone on `point`, if each end makes it exactly five.
fn straight_four(board: &mut Board, point: Point, direction: Direction) -> Option<Stones> {
    let four = row(board, point, direction);
    if four.len() != 4 {
        return None;
    }
    let ends = [four.first()?.shift(direction, -1), four.last()?.shift(direction, 1)];
    let straight = ends.into_iter().all(|end| {
        board.is_empty(end) && with_stone(board, end, |board| row(board, end, direction).len() == 5)
    });
    straight.then_some(four)
}

/// The unbroken row of black stones through the one on `point`.
fn row(board: &Board, point: Point, direction: Direction) -> Stones {
    let stones = |sign: isize| {
        (1..)
            .map(move |distance| point.shift(direction, sign * distance))
            .take_while(|&cell| board.cell(cell) == Cell::Black)
    };
    stones(-1).chain([point]).chain(stones(1)).collect()
}

/// The empty cells of the line within four steps, which are the ones that can share a five with
/// `point`.
fn nearby_gaps(board: &Board, point: Point, direction: Direction) -> Vec<Point> {
    [-1, 1]
        .into_iter()
        .flat_map(|sign| {
            (1..5)
                .map(move |distance| point.shift(direction, sign * distance))
                .take_while(|&cell| board.cell(cell) != Cell::Wall)
        })
        .filter(|&cell| board.is_empty(cell))
        .collect()
}

/// Calls `look` with a black stone on the empty cell `point`, and removes the stone.
pub fn with_stone<T>(board: &mut Board, point: Point, look: impl FnOnce(&mut Board) -> T) -> T {
    board.with_stone(point, Color::Black, look)
}
