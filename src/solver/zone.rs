//! Finds the cells where a stone of the defender could disturb a win by continuous fours.
//!
//! Suppose that the attacker would win by a line of fours if the defender passed. A stone of the
//! defender outside the *zone* of this line that does not make a four itself changes nothing: the
//! same line wins. So only the cells of the zone and the defender's fours have to be tried as
//! defences. The zone contains
//!
//! 1. the cells of the line, and every cell that completes one of its fives: without a stone there,
//!    each four remains a four with the same answers;
//! 2. the cells where the defender could make a four at any point of the line: a stone placed
//!    elsewhere beforehand is not part of any four when the line is played, so no answer gains a
//!    threat from it;
//! 3. under rules that depend on the cells beyond the ends of a five (caro), the cells around each
//!    completing cell: a stone beyond the end of a five changes the answers to it;
//! 4. in renju, every cell that was read to judge a stone of the line: an answer that is a foul
//!    wins for white, and a four of black's that only looks like a foul has to stay legal. All
//!    other fours of black stay legal: a white stone never adds a four, a longer row or a straight
//!    four to a line, and a line that keeps its four cannot become a three.
//!
//! If the defender's stone turns an answer into a foul, or makes a five of the defender too long,
//! the attacker only gains.

use super::points::PointSet;
use super::{Budget, Fours, FoursResult};
use tengen_rules::board::Cell;
use tengen_rules::pattern::{HALF_LONG, Shape};
use tengen_rules::position::Position;
use tengen_rules::threat::{answers_to_five, cells_judged, fours_anywhere, is_foul};
use tengen_rules::types::{Color, DIRECTIONS, Point};

/// The zone of the win by continuous fours that `fours` has just found for the side to move. `None`
/// if a branch of it could not be found again within the budget (caro only).
pub(super) fn zone_of_line(
    position: &mut Position,
    fours: &mut Fours,
    length: u16,
    budget: &mut Budget<'_>,
) -> Option<PointSet> {
    let line: Vec<Point> = fours.line().collect();
    let mut marker = Marker { zone: PointSet::EMPTY, fours, budget };
    marker.attack(position, &line, length).then_some(marker.zone)
}

/// Walks through a win and collects its zone. The methods return false if a branch could not be
/// found again; `length` is the maximum number of fours.
struct Marker<'a, 'b> {
    zone: PointSet,
    fours: &'a mut Fours,
    budget: &'a mut Budget<'b>,
}

impl Marker<'_, '_> {
    /// Collects from the attacker's next four of the line.
    fn attack(&mut self, position: &mut Position, line: &[Point], length: u16) -> bool {
        let Some((&four, rest)) = line.split_first() else { return true };
        let attacker = position.side_to_move();
        let defender = attacker.opponent();
        self.zone.insert(four);
        self.zone.extend(position.cells_with(defender, Shape::Five));
        self.zone.extend(fours_anywhere(position, defender));
        if position.shape(four, attacker) == Shape::Five {
            mark_around(position, four, &mut self.zone);
            return true;
        }
        mark_judged(position, four, attacker, &mut self.zone);
        position.with_move(four, |after| self.answers(after, rest, length - 1))
    }

    /// Collects after a four: the cells that complete it, and every answer with its line.
    fn answers(&mut self, position: &mut Position, line: &[Point], length: u16) -> bool {
        let defender = position.side_to_move();
        let attacker = defender.opponent();
        let completions: Vec<Point> = position.cells_with(attacker, Shape::Five).collect();
        self.zone.extend(completions.iter().copied());
        let enclosure = position.rule().five_rule(attacker).counts_enclosure();
        for &cell in &completions {
            if enclosure {
                mark_around(position, cell, &mut self.zone);
            }
            if is_foul(position, cell, defender) {
                mark_judged(position, cell, defender, &mut self.zone);
            }
        }
        let Some((&answer, rest)) = line.split_first() else { return true };
        self.zone.insert(answer);
        if !position.with_move(answer, |after| self.attack(after, rest, length)) {
            return false;
        }
        let others = if enclosure { answers_to_five(position, defender) } else { Vec::new() };
        others.into_iter().filter(|&other| other != answer).all(|other| {
            self.zone.insert(other);
            position.with_move(other, |after| self.other_attack(after, length))
        })
    }

    /// Collects after another answer to the same four, which may need another line.
    fn other_attack(&mut self, position: &mut Position, length: u16) -> bool {
        if self.fours.solve(position, length, u64::MAX, self.budget) != FoursResult::Win {
            return false;
        }
        let line: Vec<Point> = self.fours.line().collect();
        self.attack(position, &line, length)
    }
}

/// Adds every empty cell that was read to judge whether the stone is a foul.
fn mark_judged(position: &Position, cell: Point, color: Color, zone: &mut PointSet) {
    if position.shape(cell, color) == Shape::FoulCandidate {
        for judged in cells_judged(position, cell) {
            zone.insert(judged);
            mark_around(position, judged, zone);
        }
    }
}

/// Adds the empty cells that share a window with `cell`.
fn mark_around(position: &Position, cell: Point, zone: &mut PointSet) {
    for direction in DIRECTIONS {
        for sign in [-1, 1] {
            let line = (1..=HALF_LONG as isize).map(|steps| cell.shift(direction, sign * steps));
            let inside = line.take_while(|&other| position.cell(other) != Cell::Wall);
            zone.extend(inside.filter(|&other| position.is_empty(other)));
        }
    }
}
