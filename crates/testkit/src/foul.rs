//! Renju fouls, word for word from the International Rules of Renju (RIF 1996, 9.2 and 9.3).
//!
//! A judged stone is really put on the board, and so is the stone on every eye below it: the
//! recursion ends because the board fills up.

use std::collections::BTreeSet;

use tengen_rules::board::{Board, Cell};
use tengen_rules::threat::Foul;
use tengen_rules::types::{Color, DIRECTIONS, Direction, Point};

/// Stones of one line, in the order of [`Point`].
type Stones = BTreeSet<Point>;

/// What a black stone amounts to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It makes exactly five on some line: black wins, whatever else it makes.
    Five,
    /// It is forbidden.
    Foul(Foul),
    /// Neither.
    Legal,
}

/// A three in shape, and a point that turns it into a straight four.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Eye {
    /// The three black stones.
    pub three: Stones,
    /// The point that straightens it.
    pub point: Point,
    /// What a black stone on that point would be; only a legal one makes the three real.
    pub verdict: Verdict,
}

/// Why a black stone on the empty cell `point` would be a foul. `None` outside renju.
pub fn foul_at(board: &Board, point: Point) -> Option<Foul> {
    if !board.rule().has_fouls(Color::Black) {
        return None;
    }
    match judge(&mut board.clone(), point) {
        Verdict::Foul(foul) => Some(foul),
        Verdict::Five | Verdict::Legal => None,
    }
}

/// Every point forbidden to black, row by row.
pub fn fouls(board: &Board) -> Vec<(Point, Foul)> {
    board.empty_points().filter_map(|point| Some((point, foul_at(board, point)?))).collect()
}

/// Judges a black stone on the empty cell `point` by renju's rules; the board comes back as it was.
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

/// Number of threes with the black stone on `point` that have an eye black may play.
fn real_threes(board: &mut Board, point: Point) -> usize {
    let real = eyes(board, point).into_iter().filter(|eye| eye.verdict == Verdict::Legal);
    real.map(|eye| eye.three).collect::<BTreeSet<Stones>>().len()
}

/// Every way to turn three stones of a line, with the black stone on `point`, into a straight
/// four by one more stone, which is judged by the same rules.
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

/// The unbroken four through the black stone on `point`, if either end makes it exactly five.
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

/// The empty cells of the line within four steps: no other shares a five with `point`.
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

/// What `look` sees while a black stone stands on the empty cell `point`.
pub fn with_stone<T>(board: &mut Board, point: Point, look: impl FnOnce(&mut Board) -> T) -> T {
    board.with_stone(point, Color::Black, look)
}
