//! The moves of a search at the root.

use super::RootTask;
use crate::eval::Evaluator;
use crate::movegen;
use tengen_rules::pattern::Shape;
use tengen_rules::position::{LastStones, Position};
use tengen_rules::threat::{StaticResult, is_foul, static_result};
use tengen_rules::types::{GRID, Point, Score};

/// A root move and its results.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) point: Point,
    /// Score of the current iteration; [`Score::MIN`] if the move was only refuted.
    pub(super) score: Score,
    /// Result of its last search in the current iteration: an upper bound of its value, or a lower
    /// bound if it was above the window.
    pub(super) bound: Option<Score>,
    pub(super) nodes: u64,
    pub(super) selective_depth: usize,
    pub(super) pv: Vec<Point>,
}

/// The moves that `task` allows in `position`, most promising first; none only if the board is
/// full.
pub(super) fn root_moves(
    position: &Position,
    evaluator: &mut Evaluator,
    task: &RootTask,
) -> Vec<RootMove> {
    let side = position.side_to_move();
    let legal = |point: &Point| !is_foul(position, *point, side);
    let open = |point: &Point| legal(point) && !task.excluded.contains(point);
    let center = position.board().size().center();
    let cells: Vec<Point> = position.board().empty_points().collect();
    let scores = scores_by_cell(position, evaluator, &cells);
    let mut forced = Vec::new();
    let result = static_result(position);
    if result != StaticResult::NoThreat {
        movegen::generate(position, result, &mut forced);
    }
    // If the search is stopped before any move was searched, a move that wins immediately or
    // answers a threat is the best guess.
    let is_urgent =
        |point: Point| position.shape(point, side) == Shape::Five || forced.contains(&point);
    let rank =
        |&point: &Point| (!is_urgent(point), -scores[point.index()], point.distance(center), point);

    let candidates = worth_trying(position, result, task.lines);
    // Each kind is used only if there is no move of the kinds before it; excluded moves come last.
    let kinds = [(&candidates, true), (&cells, true), (&candidates, false), (&cells, false)];
    let mut points = kinds
        .into_iter()
        .map(|(cells, skips_excluded)| {
            let wanted = |point: &Point| if skips_excluded { open(point) } else { legal(point) };
            cells.iter().copied().filter(wanted).collect::<Vec<_>>()
        })
        .find(|points| !points.is_empty())
        .unwrap_or_else(|| cells.iter().copied().min_by_key(rank).into_iter().collect());
    points.sort_by_key(rank);

    if points.len() < task.lines {
        // More lines are requested than there are moves worth trying.
        let other = |point: &Point| open(point) && !points.contains(point);
        let mut others: Vec<Point> = cells.into_iter().filter(other).collect();
        others.sort_by_key(rank);
        others.truncate(task.lines - points.len());
        points.extend(others);
    }
    points.into_iter().map(RootMove::new).collect()
}

/// The evaluator's score of each of the cells, by [`Point::index`]. On a board without stones it
/// depends only on the edges, so all scores are 0 there and the middle comes first. The offsets
/// from the last stones are left out, because the iterations order the root moves anyway.
fn scores_by_cell(position: &Position, evaluator: &mut Evaluator, cells: &[Point]) -> Vec<i32> {
    let mut by_cell = vec![0; GRID];
    if position.board().history().is_empty() {
        return by_cell;
    }
    let mut scores = Vec::new();
    evaluator.score_moves(position, LastStones::default(), cells, &mut scores);
    for (cell, score) in cells.iter().zip(scores) {
        by_cell[cell.index()] = score;
    }
    by_cell
}

/// The moves that the search would try in any node, including fouls.
fn worth_trying(position: &Position, result: StaticResult, lines: usize) -> Vec<Point> {
    let result = match result {
        // A decided result forces no move, and several lines need several moves.
        StaticResult::LossIn(_) | StaticResult::WinIn(_) => StaticResult::NoThreat,
        _ if lines > 1 => StaticResult::NoThreat,
        other => other,
    };
    let mut points = Vec::new();
    movegen::generate(position, result, &mut points);
    points
}

impl RootMove {
    fn new(point: Point) -> RootMove {
        RootMove {
            point,
            score: Score::MIN,
            bound: None,
            nodes: 0,
            selective_depth: 0,
            pv: vec![point],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::types::{BoardSize, Color, Rule};

    fn moves(position: &Position, lines: usize, excluded: &[Point]) -> Vec<Point> {
        let task = RootTask {
            lines,
            excluded: excluded.to_vec(),
            first_depth: 1,
            last_depth: 1,
            fours_nodes: 0,
        };
        let mut evaluator = Evaluator::new(position.rule());
        root_moves(position, &mut evaluator, &task).iter().map(|root| root.point).collect()
    }

    #[test]
    fn empty_board_offers_the_middle_and_its_neighbours() {
        for rule in Rule::ALL {
            for side in [5, 6, 15, 20] {
                let position = Position::new(BoardSize::square(side).unwrap(), rule);
                let center = position.board().size().center();
                assert_eq!(moves(&position, 1, &[]), [center]);
                let several = moves(&position, 5, &[]);
                assert_eq!((several.len(), several[0]), (5, center));
                assert!(several[1..].iter().all(|point| point.distance(center) == 1));
            }
        }
    }

    /// Regardless of their scores, because the search may be stopped immediately.
    #[test]
    fn fives_and_their_stops_come_first() {
        let mut position = Position::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
        for x in 3..7 {
            position.play(Point::new(x, 7));
            position.play(Point::new(2 * x, if x == 6 { 1 } else { 14 }));
        }
        let ends = [Point::new(2, 7), Point::new(7, 7)];
        for excluded in ends {
            let other = if excluded == ends[0] { ends[1] } else { ends[0] };
            assert_eq!(moves(&position, 1, &[excluded])[0], other);
            assert_eq!(moves(&position, 2, &[excluded])[0], other);
        }
        for lines in [1, 2, 9] {
            for _ in Color::ALL {
                let mut first = moves(&position, lines, &[])[..2].to_vec();
                first.sort();
                assert_eq!(first, ends);
                position.pass();
            }
        }
    }

    #[test]
    fn excluded_moves_are_skipped_unless_no_other_is_left() {
        let mut position = Position::new(BoardSize::square(5).unwrap(), Rule::Freestyle);
        let points: Vec<Point> = position.board().size().points().collect();
        let open = [points[3], points[20]];
        points.iter().filter(|point| !open.contains(point)).for_each(|&point| {
            // Colours alternate in pairs, so that neither side gets a five.
            position.place(point, Color::ALL[usize::from(point.x() + 2 * point.y()) / 2 % 2]);
        });
        assert_eq!(moves(&position, 1, &[open[0]]), [open[1]]);
        let mut all = moves(&position, 1, &open);
        all.sort();
        assert_eq!(all, open);
    }
}
