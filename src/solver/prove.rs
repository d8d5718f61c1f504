//! Depth-first proof-number search (A. Nagai, "Df-pn algorithm for searching AND/OR trees and
//! its applications", 2002).
//!
//! Every node has two numbers from the point of view of the side to move: `phi`, the least work to
//! reach its goal, and `delta`, the least work for the other side. The search descends where the
//! least work is missing and returns when a number exceeds its limit. There are no cycles, because
//! stones are only added, but many transpositions. A sum over the moves would count the same
//! positions many times; so a node takes the largest number of its moves, plus one for each other
//! move.

use super::expand::{Child, Expander, Expansion, Width};
use super::line::below;
use super::table::{INFINITE, ProofEntry, ProofTable, SURE, UNSURE};
use super::{Budget, Fours, Verdict};
use crate::eval::network::Networks;
use tengen_rules::position::Position;
use tengen_rules::types::{Color, Point};

/// Any number of stones.
pub(super) const ANY_STONES: u16 = u16::MAX;

/// A move is searched until its number exceeds that of the second best by this fraction (1/8): with
/// less, the search would alternate between the two; with more, it would waste work on the wrong
/// one (lab/0096).
const SLACK: u32 = 8;

/// A position on the path to the current one.
struct Frame {
    entry: ProofEntry,
    children: Vec<Child>,
    limit_phi: u32,
    limit_delta: u32,
    /// Plies within which moves that are not among the children lose.
    floor: u16,
    stones: u16,
}

/// Proves and refutes wins by threats.
pub(super) struct Prover {
    pub(super) expander: Expander,
    table: ProofTable,
    frames: Vec<Frame>,
    /// The side whose win is searched for.
    attacker: Color,
}

impl Prover {
    /// A prover with empty tables of about `bytes`.
    pub(super) fn new(width: Width, bytes: u64, networks: Networks) -> Prover {
        let fours = Fours::new((bytes / 32).max(1).ilog2().min(26));
        Prover {
            expander: Expander::new(fours, width, networks),
            table: ProofTable::new(bytes / 4 * 3),
            frames: Vec::new(),
            attacker: Color::Black,
        }
    }

    /// Whether `attacker` wins with at most `stones` more stones of its own; either side may be to
    /// move.
    pub(super) fn prove(
        &mut self,
        position: &mut Position,
        attacker: Color,
        stones: u16,
        budget: &mut Budget<'_>,
    ) -> Verdict {
        self.attacker = attacker;
        self.frames.clear();
        let mut result = self.enter(position, stones, INFINITE, INFINITE, budget);
        while !self.frames.is_empty() {
            result = self.step(position, budget);
        }
        let attacking = position.side_to_move() == attacker;
        let missing = if attacking { result.phi } else { result.delta };
        let refuting = if attacking { result.delta } else { result.phi };
        match (missing, refuting) {
            (0, _) => Verdict::Win(result.plies),
            (_, 0) if result.plies == SURE => Verdict::None,
            _ => Verdict::Unknown,
        }
    }

    /// The table entry for the position with this key and for `attacker`'s win.
    pub(super) fn known(&self, key: u64, attacker: Color, stones: u16) -> Option<ProofEntry> {
        self.table.get(salted(key, attacker, stones))
    }

    /// Expands the position: opens a frame for it, or decides it and stores the entry.
    fn enter(
        &mut self,
        position: &mut Position,
        stones: u16,
        limit_phi: u32,
        limit_delta: u32,
        budget: &mut Budget<'_>,
    ) -> ProofEntry {
        let key = salted(position.board().key(), self.attacker, stones);
        let known = self.table.get(key);
        if let Some(entry) = known.filter(ProofEntry::is_decided) {
            return entry;
        }
        let mut entry = known.unwrap_or(ProofEntry { key, phi: 1, delta: 1, work: 0, plies: 0 });
        if !budget.spend() {
            return entry;
        }
        entry.work = entry.work.saturating_add(1);
        let attacking = position.side_to_move() == self.attacker;
        let expansion = if attacking {
            self.expander.attack(position, stones, budget)
        } else {
            self.expander.defend(position, stones, budget)
        };
        if budget.is_over() {
            return entry;
        }
        let decide = |entry: &mut ProofEntry, mover_wins: bool| {
            (entry.phi, entry.delta) = if mover_wins { (0, INFINITE) } else { (INFINITE, 0) };
        };
        match expansion {
            Expansion::Win(plies) => {
                entry.plies = plies;
                decide(&mut entry, attacking);
            }
            Expansion::Fail { sure } => {
                entry.plies = if sure { SURE } else { UNSURE };
                decide(&mut entry, !attacking);
            }
            Expansion::Open { children, floor } => {
                self.frames.push(Frame { entry, children, limit_phi, limit_delta, floor, stones });
                return entry;
            }
        }
        self.table.put(entry);
        entry
    }

    /// Plays a move from the last frame, or closes the frame and takes its move back; returns the
    /// entry of the closed frame or of the decided position.
    ///
    /// The frames are an explicit stack: a move is played when a frame opens and taken back when it
    /// closes. Elsewhere [`Position::with_move`] does both.
    fn step(&mut self, position: &mut Position, budget: &mut Budget<'_>) -> ProofEntry {
        let attacking = position.side_to_move() == self.attacker;
        let Some(frame) = self.frames.last_mut() else { unreachable!("called with a frame") };
        let below = if attacking { below(frame.stones) } else { frame.stones };
        let choice = frame.choose(&self.table, position, below, attacking);
        let entry = frame.entry;
        let over = entry.is_decided()
            || entry.phi >= frame.limit_phi
            || entry.delta >= frame.limit_delta
            || budget.is_over();
        if over {
            self.table.put(entry);
            self.frames.pop();
            if let Some(parent) = self.frames.last_mut() {
                parent.entry.work = parent.entry.work.saturating_add(entry.work);
                position.undo();
            }
            return entry;
        }
        position.play(choice.point);
        let depth = self.frames.len();
        let (limit_phi, limit_delta) = (choice.limit_phi, choice.limit_delta);
        let entry_below = self.enter(position, below, limit_phi, limit_delta, budget);
        if self.frames.len() == depth {
            position.undo();
        }
        entry_below
    }
}

/// The move to search next, and its limits.
struct Choice {
    point: Point,
    limit_phi: u32,
    limit_delta: u32,
}

impl Frame {
    /// Computes the numbers of the frame from those of its moves, and chooses the move to search.
    fn choose(
        &mut self,
        table: &ProofTable,
        position: &Position,
        stones_below: u16,
        attacking: bool,
    ) -> Choice {
        let side = position.side_to_move();
        let attacker = if attacking { side } else { side.opponent() };
        let (mut best, mut best_delta, mut second_delta) =
            (self.children[0], INFINITE + 1, INFINITE);
        let (mut largest, mut open, mut counted) = (0, false, 0u32);
        for child in &mut self.children {
            let key = position.board().key_after(child.point, side);
            let key = salted(key, attacker, stones_below);
            if let Some(known) = table.get(key) {
                (child.phi, child.delta, child.plies) = (known.phi, known.delta, known.plies);
                child.is_assumed = false;
            }
            if child.delta < best_delta {
                second_delta = best_delta.min(INFINITE);
                best_delta = child.delta;
                best = *child;
            } else {
                second_delta = second_delta.min(child.delta);
            }
            if !child.is_refuted() {
                largest = largest.max(child.phi);
                open = true;
                counted += u32::from(!child.is_assumed);
            }
        }
        let entry = &mut self.entry;
        entry.phi = best_delta.min(INFINITE);
        let others = counted.saturating_sub(1);
        entry.delta = if open { (largest + others).min(INFINITE) } else { 0 };
        if entry.phi == 0 {
            entry.delta = INFINITE;
        }
        if entry.is_decided() {
            self.entry.plies = self.decided_plies(attacking);
        }
        Choice {
            point: best.point,
            limit_phi: self.limit_delta.saturating_sub(others).min(INFINITE),
            limit_delta: self.limit_phi.min(second_delta.saturating_add(1 + second_delta / SLACK)),
        }
    }

    /// The [`ProofEntry::plies`] of a decided frame.
    fn decided_plies(&self, attacking: bool) -> u16 {
        let reached = self.children.iter().filter(|it| it.delta == 0).map(|it| it.plies);
        let failed = self.children.iter().filter(|it| it.phi == 0).map(|it| it.plies);
        match (attacking, self.entry.phi == 0) {
            // A win of the attacker: its best move, or the defender's longest resistance.
            (true, true) => reached.fold(u16::MAX, u16::min).saturating_add(1),
            (false, false) => failed.map(|plies| plies + 1).fold(self.floor, u16::max),
            // Sure if every attack surely fails, or if one reply surely holds.
            (true, false) => failed.fold(SURE, u16::max),
            (false, true) => reached.fold(UNSURE, u16::min),
        }
    }
}

/// Table key of a position where `attacker` may still place `stones` stones; one table serves both
/// attackers.
fn salted(key: u64, attacker: Color, stones: u16) -> u64 {
    let stones = if stones == ANY_STONES { 0 } else { u64::from(stones) + 1 };
    key ^ (2 * stones + attacker.index() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
