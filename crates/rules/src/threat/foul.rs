//! Renju fouls by RIF's recursive definition (International Rules of Renju, 9.2 and 9.3).
//!
//! The pattern tables classify overlines and fours exactly. Only threes need a recursion: a three
//! counts if some cell, its *eye*, turns it into a straight four and black may play there, which is
//! the same question one stone later. No stone is placed on the board for this: the recursion
//! passes a linked list of hypothetical stones.

use crate::board::Cell;
use crate::pattern::{LinePattern, Shape};
use crate::position::Position;
use crate::types::{Color, DIRECTIONS, Direction, Point};

/// Why a black move is forbidden. If several fouls apply, the first of this list is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Foul {
    /// Six or more in a row.
    Overline,
    /// Two or more simultaneous fours.
    DoubleFour,
    /// Two or more simultaneous threes.
    DoubleThree,
}

impl Foul {
    /// `overline`, `double-four` or `double-three`.
    pub const fn name(self) -> &'static str {
        match self {
            Foul::Overline => "overline",
            Foul::DoubleFour => "double-four",
            Foul::DoubleThree => "double-three",
        }
    }
}

/// The foul that a black stone on the empty cell `point` would be. Always `None` outside renju.
#[inline]
pub fn foul_at(position: &Position, point: Point) -> Option<Foul> {
    // Only rules with fouls have foul candidates.
    if position.shape(point, Color::Black) != Shape::FoulCandidate {
        return None;
    }
    match judge(position, point, None, &mut |_| {}) {
        Verdict::Foul(foul) => Some(foul),
        Verdict::Five | Verdict::Legal => None,
    }
}

/// Whether `color` may not play on the empty cell `point`.
#[inline]
pub fn is_foul(position: &Position, point: Point, color: Color) -> bool {
    color == Color::Black && foul_at(position, point).is_some()
}

/// Every point forbidden to black, row by row. Empty outside renju.
pub fn fouls(position: &Position) -> Vec<(Point, Foul)> {
    position
        .board()
        .empty_points()
        .filter_map(|point| Some((point, foul_at(position, point)?)))
        .collect()
}

/// The cells that decide whether a black stone on the empty cell `point` would be a foul: the
/// point, the eyes of its threes, the eyes of theirs, and so on. Only stones in the windows of
/// these cells matter.
pub fn cells_judged(position: &Position, point: Point) -> Vec<Point> {
    let mut cells = Vec::new();
    judge(position, point, None, &mut |cell| cells.push(cell));
    cells
}

/// Whether the open three that a black stone on the empty cell `point` makes in `direction` has an
/// eye where black may play.
pub fn is_real_three_at(position: &Position, point: Point, direction: Direction) -> bool {
    is_real_three(position, direction, &Hypothetical { point, earlier: None }, &mut |_| {})
}

/// Whether black, after a stone on the empty cell `point`, could make a four on the line in
/// `direction` with one more stone that is not a foul.
pub fn can_become_four_at(position: &Position, point: Point, direction: Direction) -> bool {
    let stone = Hypothetical { point, earlier: None };
    position.board().size().line(point, direction).any(|cell| {
        cell.distance(point) <= 4
            && position.is_empty(cell)
            && cell != point
            && {
                // Seen from the first stone, which has to be part of the four.
                let next = Hypothetical { point: cell, earlier: None };
                line(position, point, direction, Some(&next)).is_four()
            }
            && !matches!(judge(position, cell, Some(&stone), &mut |_| {}), Verdict::Foul(_))
    })
}

enum Verdict {
    Five,
    Legal,
    Foul(Foul),
}

/// Hypothetical black stones of the recursion, the latest first.
#[derive(Clone, Copy)]
struct Hypothetical<'a> {
    point: Point,
    earlier: Option<&'a Hypothetical<'a>>,
}

impl<'a> Hypothetical<'a> {
    fn iter(stones: Option<&'a Hypothetical<'a>>) -> impl Iterator<Item = Point> + 'a {
        std::iter::successors(stones, |stone| stone.earlier).map(|stone| stone.point)
    }
}

/// Judges a black stone on `point`, with the hypothetical `stones` on the board as well. Calls
/// `visit` for every cell whose lines are read.
fn judge<L: FnMut(Point)>(
    position: &Position,
    point: Point,
    stones: Option<&Hypothetical<'_>>,
    visit: &mut L,
) -> Verdict {
    visit(point);
    let lines = DIRECTIONS.map(|direction| line(position, point, direction, stones));
    if lines.contains(&LinePattern::Five) {
        return Verdict::Five;
    }
    if lines.contains(&LinePattern::Overline) {
        return Verdict::Foul(Foul::Overline);
    }
    if lines.iter().map(|line| line.fours()).sum::<usize>() >= 2 {
        return Verdict::Foul(Foul::DoubleFour);
    }
    if lines.iter().filter(|line| line.is_open_three()).count() < 2 {
        return Verdict::Legal;
    }
    let with_point = Hypothetical { point, earlier: stones };
    let threes = DIRECTIONS
        .into_iter()
        .zip(lines)
        .filter(|&(direction, line)| {
            line.is_open_three() && is_real_three(position, direction, &with_point, visit)
        })
        .take(2)
        .count();
    if threes == 2 { Verdict::Foul(Foul::DoubleThree) } else { Verdict::Legal }
}

/// Whether the three that the latest of `stones` makes in `direction` has an eye where black may
/// play.
fn is_real_three<L: FnMut(Point)>(
    position: &Position,
    direction: Direction,
    stones: &Hypothetical<'_>,
    visit: &mut L,
) -> bool {
    let is_black = |point: Point| {
        position.cell(point) == Cell::Black || Hypothetical::iter(Some(stones)).any(|s| s == point)
    };
    [-1, 1].into_iter().any(|sign| {
        // A straight four is unbroken, so its eye is the first cell past the stones.
        let mut distance = sign;
        while is_black(stones.point.shift(direction, distance)) {
            distance += sign;
        }
        let eye = stones.point.shift(direction, distance);
        visit(eye);
        position.is_empty(eye)
            && line(position, eye, direction, Some(stones)) == LinePattern::StraightFour
            && matches!(judge(position, eye, Some(stones), visit), Verdict::Legal)
    })
}

/// Black's pattern at `point` in one direction, with the hypothetical `stones` on the board.
fn line(
    position: &Position,
    point: Point,
    direction: Direction,
    stones: Option<&Hypothetical<'_>>,
) -> LinePattern {
    let space = position.tables().space();
    let mut window = position.window(point, direction.axis());
    for stone in Hypothetical::iter(stones) {
        if let Some((along, steps)) = position.line_to(point, stone)
            && along == direction
        {
            window += space.stone(steps, Color::Black);
        }
    }
    position.tables().line(window, Color::Black)
}
