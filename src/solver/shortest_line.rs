//! The line of a shortest win: each move of the attacker keeps the win within its stones, and each
//! reply needs all of them.
//!
//! The line of a proof may be shorter than the proof: the plies of a reply are an upper bound, so
//! that the reply with the most plies need not resist longest. Here a reply resists if the attacker
//! has no win with one stone less.

use super::line::{Step, any_reply, below, finish};
use super::prove::{Proof, Prover};
use super::{Budget, Solver, Task, Verdict, WinKind, WinLine};
use crate::solver::SolveLimits;
use tengen_rules::board::makes_five;
use tengen_rules::position::Position;
use tengen_rules::threat::{is_foul, makes_four};
use tengen_rules::types::{Color, Point};

/// Nodes that the question about one reply may cost.
const REPLY_NODES: u64 = 5_000;
/// Empty cells that are tried where every reply that disturbs the win loses sooner.
const MOST_ELSEWHERE: usize = 12;
/// Lines that are written until one has as many moves as its win needs.
const MOST_LINES: usize = 3;

/// A win and its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShortestLine {
    /// Within how many plies the win is proved.
    pub plies: u16,
    /// Its line.
    pub line: WinLine,
}

impl Solver {
    /// A shortest win of `attacker`, to move or not, with at most `stones` of its stones, by
    /// threats and else by any threats of fours. Where the limits leave it open whether fewer
    /// stones suffice, the win may be longer than the shortest, and the line shorter than the win.
    /// `None` where no win is proved within the limits, which hold for everything together.
    pub fn shortest_line(
        &mut self,
        position: &Position,
        attacker: Color,
        stones: u16,
        limits: &SolveLimits,
        stop: &dyn Fn() -> bool,
    ) -> Option<ShortestLine> {
        let bounds = limits.begun();
        let nodes = bounds.nodes.unwrap_or(u64::MAX);
        let mut budget = Budget::new(nodes, bounds.until, stop);
        let mut ask = |stones: u16, kind: WinKind, part: u64| {
            let mut task = Task { position: position.clone(), attacker, stones };
            budget.share(nodes / part, |budget| match kind {
                WinKind::Any => self.by_any_means(&mut task, budget),
                _ => self.by_threats(&mut task, budget),
            })
        };
        let (mut found, mut kind) = ask(stones, WinKind::Vct, 2);
        if !matches!(found, Verdict::Win(_)) {
            (found, kind) = ask(stones, WinKind::Any, 4);
        }
        let Verdict::Win(mut plies) = found else { return None };
        // Where it stays open whether so many stones suffice, more stones say nothing about it.
        for fewer in 1..plies.div_ceil(2) {
            match ask(fewer, WinKind::Vct, 8) {
                (Verdict::None, _) => {}
                (Verdict::Unknown, _) => break,
                (Verdict::Win(shorter), by) => {
                    (plies, kind) = (shorter, by);
                    break;
                }
            }
        }
        Some(self.prover(kind).tight_line(position, attacker, plies, &mut budget))
    }
}

impl Prover {
    /// The line of a win within `plies` plies, written again where it turns out that fewer suffice.
    fn tight_line(
        &mut self,
        position: &Position,
        attacker: Color,
        plies: u16,
        budget: &mut Budget<'_>,
    ) -> ShortestLine {
        let mut position = position.clone();
        let mut found =
            ShortestLine { plies, line: WinLine { is_cut: true, ..WinLine::default() } };
        let begun = budget.nodes();
        for _ in 0..MOST_LINES {
            let line = self.exact_line(&mut position, attacker, found.plies.div_ceil(2), budget);
            let length = line.moves.len() as u16;
            if line.is_cut {
                found.line = if found.line.is_cut { line } else { found.line };
                break;
            }
            found.line = line;
            if length >= found.plies {
                break;
            }
            // The line may be one of poor resistance.
            let proof = self.prove_within(&mut position, attacker, length.div_ceil(2), budget);
            let Proof::Win(fewer) = proof else { break };
            found.plies = fewer.min(found.plies);
            if found.plies == length {
                break;
            }
        }
        found.line.nodes = budget.nodes() - begun;
        found
    }

    /// The line of a win with at most `stones` stones.
    fn exact_line(
        &mut self,
        position: &mut Position,
        attacker: Color,
        stones: u16,
        budget: &mut Budget<'_>,
    ) -> WinLine {
        position.with_rollback(|position| {
            let start = position.board().history().len();
            self.play_exact_line(position, attacker, stones, budget);
            let played = &position.board().history()[start..];
            let is_whole = played.last().is_some_and(|last| {
                last.color == attacker && makes_five(position.board(), last.point, last.color)
            });
            let moves = played.iter().map(|stone| stone.point).collect();
            WinLine { moves, is_cut: !is_whole, nodes: 0 }
        })
    }

    fn play_exact_line(
        &mut self,
        position: &mut Position,
        attacker: Color,
        mut stones: u16,
        budget: &mut Budget<'_>,
    ) {
        while stones > 0 {
            if position.side_to_move() == attacker {
                let most = 2 * stones - 1;
                match self.winning_step(position, stones, most, budget) {
                    None => return,
                    Some(Step::Fours(line)) => {
                        line.into_iter().for_each(|point| position.play(point));
                        return finish(position, attacker);
                    }
                    Some(Step::Threat(point)) => position.play(point),
                }
                stones = below(stones);
            } else {
                let Some(reply) = self.longest_reply(position, attacker, stones, budget) else {
                    return;
                };
                position.play(reply);
            }
        }
    }

    /// A reply after which the attacker needs all its `stones`, or the one that loses last by what
    /// is proved. `None` when the budget ended.
    fn longest_reply(
        &mut self,
        position: &mut Position,
        attacker: Color,
        stones: u16,
        budget: &mut Budget<'_>,
    ) -> Option<Point> {
        let mut replies = self.lost_replies(position, stones, 2 * stones, budget)?;
        replies.sort_by_key(|reply| std::cmp::Reverse(reply.plies));
        let mut resists = |position: &mut Position, point: Point, budget: &mut Budget<'_>| {
            let proof = position
                .with_move(point, |after| self.prove_within(after, attacker, stones - 1, budget));
            !matches!(proof, Proof::Win(_))
        };
        for reply in &replies {
            if resists(position, reply.point, budget) {
                return Some(reply.point);
            }
        }
        if replies.is_empty() {
            return any_reply(position);
        }
        // What disturbs the win loses sooner than what does not.
        let side = position.side_to_move();
        let elsewhere: Vec<Point> = position
            .candidates()
            .filter(|&cell| replies.iter().all(|reply| reply.point != cell))
            .filter(|&cell| !makes_four(position, cell, side) && !is_foul(position, cell, side))
            .take(MOST_ELSEWHERE)
            .collect();
        let other = elsewhere.into_iter().find(|&cell| resists(position, cell, budget));
        other.or_else(|| replies.first().map(|reply| reply.point))
    }

    /// Whether the attacker wins with at most `stones` stones, by fours or by threats.
    fn prove_within(
        &mut self,
        position: &mut Position,
        attacker: Color,
        stones: u16,
        budget: &mut Budget<'_>,
    ) -> Proof {
        if stones == 0 {
            return Proof::None;
        }
        budget.share(REPLY_NODES, |budget| {
            if position.side_to_move() == attacker {
                let fours = self.expander.win_by_fours(position, stones, REPLY_NODES / 2, budget);
                if let Ok(Some(plies)) = fours {
                    return Proof::Win(plies);
                }
            }
            self.prove(position, attacker, stones, budget)
        })
    }
}
