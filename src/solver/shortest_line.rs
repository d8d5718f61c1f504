//! The line of a shortest win: after each move of the attacker it still wins with its remaining
//! stones, and after each reply it needs all of them.
//!
//! The line of a proof may be shorter than the proof: the plies of a reply are an upper bound, so
//! the reply with the most plies need not be the longest resistance. Here a reply resists if the
//! attacker has no win with one stone fewer.

use super::line::{Step, any_reply, below, finish};
use super::prove::Prover;
use super::{Budget, Solver, Task, Verdict, WinKind, WinLine};
use crate::solver::SolveLimits;
use tengen_rules::board::makes_five;
use tengen_rules::position::Position;
use tengen_rules::threat::{is_foul, makes_four};
use tengen_rules::types::{Color, Point};

/// Node limit of the search after one reply.
const REPLY_NODES: u64 = 5_000;
/// Maximum number of other empty cells to try if every reply that disturbs the win loses faster.
const MAX_ELSEWHERE: usize = 12;
/// Maximum number of attempts to find a line with as many moves as its win needs.
const MAX_ATTEMPTS: usize = 3;

/// A win and its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShortestLine {
    /// The number of plies within which the win is proved.
    pub plies: u16,
    /// Its line.
    pub line: WinLine,
}

impl Solver {
    /// A shortest win of `attacker`, to move or not, with at most `stones` of its stones: by
    /// threats or, if there is none, of [`WinKind::Any`]. If the limits end before it is known
    /// whether fewer stones suffice, there may be a shorter win, and the line may be shorter than
    /// `plies`. `None` if no win is proved. The limits are for the whole call.
    pub fn shortest_line(
        &mut self,
        position: &Position,
        attacker: Color,
        stones: u16,
        limits: &SolveLimits,
        stop: &dyn Fn() -> bool,
    ) -> Option<ShortestLine> {
        let bounds = limits.begun();
        let mut budget = bounds.budget(stop);
        let mut solve = |stones: u16, kind: WinKind, part: u64| {
            let mut task = Task { position: position.clone(), attacker, stones };
            budget.share(bounds.nodes / part, |budget| match kind {
                WinKind::Any => self.by_any_means(&mut task, budget),
                _ => self.by_threats(&mut task, budget),
            })
        };
        let (mut found, mut kind) = solve(stones, WinKind::Vct, 2);
        if !matches!(found, Verdict::Win(_)) {
            (found, kind) = solve(stones, WinKind::Any, 4);
        }
        let Verdict::Win(mut plies) = found else { return None };
        // Once the result for a number of stones is unknown, a win with more stones would not be
        // known to be the shortest.
        for fewer in 1..plies.div_ceil(2) {
            match solve(fewer, WinKind::Vct, 8) {
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
    /// The line of a win within `plies` plies; computed again if fewer plies turn out to suffice.
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
        for _ in 0..MAX_ATTEMPTS {
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
            // The line may be short because its replies resist poorly.
            let proof = self.prove_within(&mut position, attacker, length.div_ceil(2), budget);
            let Verdict::Win(fewer) = proof else { break };
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

    /// A reply after which the attacker needs all its `stones`. If none is found, the reply with
    /// the longest proved loss. `None` if the budget ended.
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
            !matches!(proof, Verdict::Win(_))
        };
        for reply in &replies {
            if resists(position, reply.point, budget) {
                return Some(reply.point);
            }
        }
        if replies.is_empty() {
            return any_reply(position);
        }
        // Every reply that disturbs the win loses too fast, so try moves elsewhere.
        let side = position.side_to_move();
        let elsewhere: Vec<Point> = position
            .candidates()
            .filter(|&cell| replies.iter().all(|reply| reply.point != cell))
            .filter(|&cell| !makes_four(position, cell, side) && !is_foul(position, cell, side))
            .take(MAX_ELSEWHERE)
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
    ) -> Verdict {
        if stones == 0 {
            return Verdict::None;
        }
        budget.share(REPLY_NODES, |budget| {
            if position.side_to_move() == attacker {
                let fours = self.expander.win_by_fours(position, stones, REPLY_NODES / 2, budget);
                if let Ok(Some(plies)) = fours {
                    return Verdict::Win(plies);
                }
            }
            self.prove(position, attacker, stones, budget)
        })
    }
}
