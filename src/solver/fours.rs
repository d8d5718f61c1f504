//! Exact search for victories by continuous fours of any length.
//!
//! The defender has to answer every four, nearly always on one cell, so the search goes straight
//! down and returns only from dead ends. These are cached, because the same fours in another order
//! lead to the same position. Every move is tried, including the several answers to one four in
//! caro, so that "none" is a proof. [`Vcf`](super::Vcf) is a faster search that may miss wins; its
//! documentation explains why there are two.

use super::Budget;
use super::table::zeroed;
use tengen_rules::pattern::Shape;
use tengen_rules::position::Position;
use tengen_rules::threat::{answers_to_five, five_cell, fours_anywhere, is_foul, makes_four};
use tengen_rules::types::{Color, Point};

/// The result of a search for continuous fours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoursResult {
    /// A win; see [`Fours::line`].
    Win,
    /// There is none; everything was tried.
    None,
    /// The limits ended the search first.
    Unknown,
}

/// Searches for continuous fours and caches positions without a win.
pub struct Fours {
    /// Positions proved to have no win: the key with its low 16 bits replaced by the number of
    /// fours that do not suffice. The slot index is the key's low bits, so no bit of the key is
    /// lost.
    failures: Box<[u64]>,
    /// The fours still to be tried at every level of the recursion, concatenated.
    fours: Vec<Point>,
    /// The winning moves of both sides, last move first.
    line: Vec<Point>,
    nodes: u64,
    most_nodes: u64,
    aborted: bool,
}

/// Binary logarithm of the minimum number of cached failures.
const MIN_SLOT_BITS: u32 = 16;

/// Bits of a failure that hold the number of fours.
const LENGTH_MASK: u64 = 0xFFFF;

impl Fours {
    /// A search with an empty cache of `2^slot_bits` failures of 8 bytes each, at least `2^16`, or
    /// fewer if the allocation fails.
    pub fn new(slot_bits: u32) -> Fours {
        Fours {
            failures: zeroed(0, 1 << slot_bits.max(MIN_SLOT_BITS), 1 << MIN_SLOT_BITS),
            fours: Vec::new(),
            line: Vec::new(),
            nodes: 0,
            most_nodes: 0,
            aborted: false,
        }
    }

    /// The last win found, from its first four to the five or to a four that cannot be answered. If
    /// several answers stop a four (caro), it has the longest defence.
    pub fn line(&self) -> impl DoubleEndedIterator<Item = Point> + '_ {
        self.line.iter().rev().copied()
    }

    /// Stones that the winner of the last line places, including the five.
    pub fn stones(&self, position: &Position) -> u16 {
        let attacks = self.line.len().div_ceil(2) as u16;
        let wins_now = position.count(position.side_to_move(), Shape::Five) > 0;
        attacks + u16::from(!wins_now)
    }

    /// Whether the side to move wins by at most `length` fours in a row, or by an immediate five.
    /// Visits at most `nodes` nodes, which count against the budget.
    ///
    /// The recursion is as deep as the number of fours in a row, which the board bounds.
    pub fn solve(
        &mut self,
        position: &mut Position,
        length: u16,
        nodes: u64,
        budget: &mut Budget<'_>,
    ) -> FoursResult {
        self.nodes = 0;
        self.most_nodes = nodes;
        self.aborted = false;
        self.fours.clear();
        let won = self.attack(position, length, budget);
        match (won, self.aborted) {
            (true, _) => FoursResult::Win,
            (false, true) => FoursResult::Unknown,
            (false, false) => FoursResult::None,
        }
    }

    fn attack(&mut self, position: &mut Position, length: u16, budget: &mut Budget<'_>) -> bool {
        self.nodes += 1;
        let side = position.side_to_move();
        if position.count(side, Shape::Five) > 0 {
            self.wins_with(position, Shape::Five);
            return true;
        }
        if length == 0 {
            return false;
        }
        let threatened = position.count(side.opponent(), Shape::Five) > 0;
        if !threatened && position.count(side, Shape::StraightFour) > 0 {
            self.wins_with(position, Shape::StraightFour);
            return true;
        }
        let key = position.board().key();
        let slot = key as usize & (self.failures.len() - 1);
        let known = self.failures[slot];
        if (known ^ key) & !LENGTH_MASK == 0 && known & LENGTH_MASK >= u64::from(length) {
            return false;
        }
        if !budget.spend() || self.nodes > self.most_nodes {
            self.aborted = true;
            return false;
        }
        let first = self.fours.len();
        self.list_fours(position, side, threatened);
        let mut won = false;
        for index in first..self.fours.len() {
            won = self.try_four(position, self.fours[index], length, budget);
            if won || self.aborted {
                break;
            }
        }
        self.fours.truncate(first);
        if !won && !self.aborted {
            self.failures[slot] = key & !LENGTH_MASK | u64::from(length);
        }
        won
    }

    fn wins_with(&mut self, position: &Position, shape: Shape) {
        self.line.clear();
        self.line.extend(position.cells_with(position.side_to_move(), shape).next());
    }

    /// Plays the four and its answers; returns whether all of them lose.
    fn try_four(
        &mut self,
        position: &mut Position,
        four: Point,
        length: u16,
        budget: &mut Budget<'_>,
    ) -> bool {
        let won = position.with_move(four, |after| self.refute_answers(after, length - 1, budget));
        if won {
            self.line.push(four);
        }
        won
    }

    fn refute_answers(
        &mut self,
        position: &mut Position,
        length: u16,
        budget: &mut Budget<'_>,
    ) -> bool {
        let defender = position.side_to_move();
        let attacker = defender.opponent();
        if position.count(defender, Shape::Five) > 0 {
            return false;
        }
        if !position.rule().five_rule(attacker).counts_enclosure() {
            let only = five_cell(position, attacker)
                .filter(|_| position.count(attacker, Shape::Five) == 1)
                .filter(|&cell| !is_foul(position, cell, defender));
            let Some(answer) = only else {
                self.line.clear();
                return true;
            };
            return self.refute_answer(position, answer, length, budget);
        }
        let mut longest = Vec::new();
        for answer in answers_to_five(position, defender) {
            if !self.refute_answer(position, answer, length, budget) {
                return false;
            }
            if self.line.len() > longest.len() {
                longest.clone_from(&self.line);
            }
        }
        self.line = longest;
        true
    }

    fn refute_answer(
        &mut self,
        position: &mut Position,
        answer: Point,
        length: u16,
        budget: &mut Budget<'_>,
    ) -> bool {
        let won = position.with_move(answer, |after| self.attack(after, length, budget));
        if won {
            self.line.push(answer);
        }
        won
    }

    /// Appends every legal four of `side`, most forcing first; if the opponent's five must be
    /// stopped, only the fours that stop it.
    fn list_fours(&mut self, position: &Position, side: Color, threatened: bool) {
        let first = self.fours.len();
        if threatened {
            let stops = answers_to_five(position, side);
            self.fours.extend(stops.into_iter().filter(|&cell| makes_four(position, cell, side)));
        } else {
            let fours = fours_anywhere(position, side);
            self.fours.extend(fours.filter(|&cell| !is_foul(position, cell, side)));
        }
        self.fours[first..].sort_by_key(|&cell| std::cmp::Reverse(position.shape(cell, side)));
    }
}
