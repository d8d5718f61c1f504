//! Victory by continuous fours: a win in which every attacking move makes a four.
//!
//! This is the faster of two implementations. The search uses it at the root and at leaves, with a
//! limit on the nodes and on the distance of the fours, and needs only the plies of a win. It may
//! miss a win, because of the limits or, in caro, because of several answers to a counter-four.
//! [`Fours`](super::Fours) is exact, for users and for proofs by threats: it tries everything,
//! distinguishes "none" from "unknown" and keeps the longest defence. They are separate because the
//! exact one costs more per node, while leaves visit 60 nodes; and because the signature of the
//! search depends on the wins that the faster one finds and on their order.

use super::table::zeroed;
use crate::prefetch::prefetch;
use tengen_rules::pattern::Shape;
use tengen_rules::position::Position;
use tengen_rules::threat::{
    FOURS, StaticResult, answers_to_five, fours_among, fours_anywhere, is_foul, static_result,
};
use tengen_rules::types::{Color, Point, STRIDE};

/// Limits of a VCF search.
#[derive(Clone, Copy, Debug)]
pub struct VcfLimits {
    /// Fours of the attacker in a row.
    pub fours: u32,
    /// Nodes to visit.
    pub nodes: u64,
    /// If given, the first four must lie near this stone, and each other four near the one before
    /// it. A four-three or a double open three after the fours then counts as a win as well.
    pub near: Option<Point>,
}

/// Searches for continuous fours and caches positions without a win.
pub struct Vcf {
    limits: VcfLimits,
    nodes: u64,
    /// Positions without a win within a number of fours, one per slot.
    failures: Box<[Failure]>,
    /// The fours still to be tried at every level of the recursion, concatenated.
    fours: Vec<Four>,
}

/// A cell that makes a four, and its group: lower groups are more forcing.
#[derive(Clone, Copy)]
struct Four {
    group: usize,
    cell: Point,
}

/// Grid steps from a stone to the cells near it: up to two away in every direction and up to
/// four away along a line.
const NEAR: [isize; 40] = {
    let mut steps = [0; 40];
    let mut found = 0;
    let mut dy = -4_isize;
    while dy <= 4 {
        let mut dx = -4_isize;
        while dx <= 4 {
            let (x, y) = (dx.unsigned_abs(), dy.unsigned_abs());
            let on_line = x == 0 || y == 0 || x == y;
            if (on_line || x <= 2 && y <= 2) && x + y > 0 {
                steps[found] = dy * STRIDE as isize + dx;
                found += 1;
            }
            dx += 1;
        }
        dy += 1;
    }
    assert!(found == steps.len());
    steps
};

/// Minimum number of slots of the table of failures.
const MIN_SLOTS: usize = 1 << 8;

#[derive(Clone, Copy, Default)]
struct Failure {
    key: u64,
    fours: u32,
}

/// The key of a failure to win by fours near `last`, if given, in the position with this key.
#[inline]
fn failure_key(position: u64, last: Option<Point>) -> u64 {
    let from = last.map_or(0, Point::index) as u64;
    position ^ from.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl Vcf {
    /// A solver with an empty cache of `2^slot_bits` failures, or of as many as the system has room for.
    pub fn new(slot_bits: u32) -> Vcf {
        Vcf {
            limits: VcfLimits { fours: 0, nodes: 0, near: None },
            nodes: 0,
            failures: zeroed(Failure::default(), 1 << slot_bits, MIN_SLOTS),
            fours: Vec::new(),
        }
    }

    /// Clears the cache.
    pub fn clear(&mut self) {
        self.failures.fill(Failure::default());
    }

    /// Nodes visited by the last [`Vcf::solve`].
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The number of plies to the win if the side to move wins by continuous fours.
    ///
    /// Writes the winning line, as far as it consists of fours, to `variation` if given.
    pub fn solve(
        &mut self,
        position: &mut Position,
        limits: VcfLimits,
        variation: Option<&mut Vec<Point>>,
    ) -> Option<usize> {
        self.limits = limits;
        self.nodes = 0;
        let mut line = Vec::new();
        let plies = self.attack(position, limits.fours, limits.near, &mut line)?;
        if let Some(variation) = variation {
            line.reverse();
            *variation = line;
        }
        Some(plies)
    }

    /// Prefetches what [`Vcf::solve`] reads first for the position with this key.
    #[inline]
    pub fn prefetch(&self, key: u64, near: Option<Point>) {
        prefetch(&self.failures[self.slot(failure_key(key, near))], |failure| failure.key);
    }

    /// The slot of a failure with this key.
    #[inline]
    fn slot(&self, key: u64) -> usize {
        key as usize & (self.failures.len() - 1)
    }

    fn attack(
        &mut self,
        position: &mut Position,
        fours: u32,
        last: Option<Point>,
        line: &mut Vec<Point>,
    ) -> Option<usize> {
        self.nodes += 1;
        // If fours have to lie near the last one, a failure depends on that four as well.
        let last = last.filter(|_| self.limits.near.is_some());
        let key = failure_key(position.board().key(), last);
        let slot = self.slot(key);
        let side = position.side_to_move();
        let forced = match static_result(position) {
            StaticResult::WinIn(plies @ (1 | 3)) => {
                let shape = if plies == 1 { Shape::Five } else { Shape::StraightFour };
                let cell = position.cells_with(side, shape).next();
                line.clear();
                line.extend(cell);
                return Some(plies);
            }
            // The horizon does not need the line.
            StaticResult::WinIn(plies) if self.limits.near.is_some() => {
                line.clear();
                return Some(plies);
            }
            StaticResult::LossIn(_) => return None,
            StaticResult::BlockFour(cell) => Some(cell),
            // Rare: in caro the attack ends at a counter-four, which may miss a win.
            StaticResult::BlockFourSomehow => return None,
            StaticResult::WinIn(_)
            | StaticResult::AnswerStraightFour
            | StaticResult::AnswerFourThree
            | StaticResult::NoThreat => None,
        };
        if fours == 0 || self.nodes > self.limits.nodes {
            return None;
        }
        let known = self.failures[slot];
        if known.key == key && known.fours >= fours {
            return None;
        }
        let first = self.fours.len();
        self.list_fours(position, side, forced, last);
        let mut plies = None;
        for index in first..self.fours.len() {
            plies = self.try_four(position, self.fours[index].cell, fours, line);
            if plies.is_some() {
                break;
            }
        }
        self.fours.truncate(first);
        if plies.is_some() {
            return plies;
        }
        if self.nodes <= self.limits.nodes {
            self.failures[slot] = Failure { key, fours };
        }
        None
    }

    /// Plays the four and its answers; returns the plies to the win if all of them lose.
    fn try_four(
        &mut self,
        position: &mut Position,
        cell: Point,
        fours: u32,
        line: &mut Vec<Point>,
    ) -> Option<usize> {
        let plies = position.with_move(cell, |after| self.refute(after, cell, fours, line))?;
        line.push(cell);
        Some(plies + 1)
    }

    /// The longest defence against the four on `cell`; `None` if the defender holds.
    fn refute(
        &mut self,
        position: &mut Position,
        cell: Point,
        fours: u32,
        line: &mut Vec<Point>,
    ) -> Option<usize> {
        match static_result(position) {
            StaticResult::LossIn(plies) => {
                line.clear();
                Some(plies)
            }
            StaticResult::BlockFour(answer) => self.answer(position, answer, cell, fours, line),
            StaticResult::BlockFourSomehow => {
                let mut longest = 2;
                line.clear();
                let mut other = Vec::new();
                for answer in answers_to_five(position, position.side_to_move()) {
                    let plies = self.answer(position, answer, cell, fours, &mut other)?;
                    if plies >= longest {
                        longest = plies;
                        std::mem::swap(line, &mut other);
                    }
                }
                Some(longest)
            }
            _ => None,
        }
    }

    fn answer(
        &mut self,
        position: &mut Position,
        answer: Point,
        cell: Point,
        fours: u32,
        line: &mut Vec<Point>,
    ) -> Option<usize> {
        let key = position.board().key_after(answer, position.side_to_move());
        self.prefetch(key, self.limits.near.and(Some(cell)));
        let plies =
            position.with_move(answer, |after| self.attack(after, fours - 1, Some(cell), line))?;
        line.push(answer);
        Some(plies + 1)
    }

    /// Appends the fours that `side` may try, most forcing first. They include straight fours and
    /// double fours only if the opponent's five must be stopped; otherwise those have won already.
    fn list_fours(
        &mut self,
        position: &Position,
        side: Color,
        forced: Option<Point>,
        last: Option<Point>,
    ) {
        let first = self.fours.len();
        let add = |cell: Point| {
            let group = FOURS.iter().position(|&four| four == position.shape(cell, side));
            if group.is_some() || !is_foul(position, cell, side) {
                self.fours.push(Four { group: group.unwrap_or(0), cell });
            }
        };
        match (forced, last) {
            (Some(cell), _) => fours_among(position, side, [cell].into_iter()).for_each(add),
            (None, Some(last)) => {
                let near = NEAR.iter().map(|&step| last.step(step));
                let free = near.filter(|&cell| position.is_empty(cell));
                fours_among(position, side, free).for_each(add);
            }
            (None, None) => fours_anywhere(position, side).for_each(add),
        }
        self.fours[first..].sort_by_key(|four| four.group);
    }
}
