//! Extracts moves from a proof: the attacker's winning moves, and the defender's longest
//! resistance.

use super::fours::FoursResult;
use super::prove::{ANY_STONES, Prover};
use super::{Budget, Verdict, WinLine};
use tengen_rules::board::makes_five;
use tengen_rules::pattern::Shape;
use tengen_rules::position::Position;
use tengen_rules::threat::is_foul;
use tengen_rules::types::{Color, Point};

/// Node limit of a VCF search while a line is extracted.
const PROBE: u64 = 20_000;

/// The attacker's continuation in a won position.
pub(super) enum Step {
    /// A win by fours alone: the moves of both sides, up to the last four or the five.
    Fours(Vec<Point>),
    /// A single winning move.
    Threat(Point),
}

/// A reply and the number of plies in which it loses.
pub(super) struct LostReply {
    pub(super) point: Point,
    pub(super) plies: u16,
}

impl Prover {
    /// The attacker's continuation from a position that [`Prover::prove`] has proved for it, to win
    /// within `most` plies. `None` if the proof has been overwritten in the table and the budget
    /// ends before it is found again. A proof that was found again may take more plies.
    pub(super) fn winning_step(
        &mut self,
        position: &mut Position,
        stones: u16,
        most: u16,
        budget: &mut Budget<'_>,
    ) -> Option<Step> {
        stones.checked_sub(1)?;
        if let Some(fours) = self.fours_within(position, stones, most, budget) {
            return Some(Step::Fours(fours));
        }
        self.threat_step(position, stones, budget)
    }

    /// The first move of a win that has just been proved by fours alone or by threats.
    pub(super) fn first_move(
        &mut self,
        position: &mut Position,
        by_fours: bool,
        stones: u16,
        most: u16,
        budget: &mut Budget<'_>,
    ) -> Option<Point> {
        stones.checked_sub(1)?;
        let step = if by_fours {
            self.winning_step(position, stones, most, budget)?
        } else {
            self.threat_step(position, stones, budget)?
        };
        match step {
            Step::Fours(line) => line.first().copied(),
            Step::Threat(point) => Some(point),
        }
    }

    /// The attacker's move of a win by threats, from the table if it is still there.
    fn threat_step(
        &mut self,
        position: &mut Position,
        stones: u16,
        budget: &mut Budget<'_>,
    ) -> Option<Step> {
        let attacker = position.side_to_move();
        let known = self.known(position.board().key(), attacker, stones);
        if !known.is_some_and(|entry| entry.is_decided())
            && !matches!(self.prove(position, attacker, stones, budget), Verdict::Win(_))
        {
            return None;
        }
        if let Some(point) = self.proved_move(position, stones) {
            return Some(Step::Threat(point));
        }
        if let Some(fours) = self.fours_within(position, stones, u16::MAX, budget) {
            return Some(Step::Fours(fours));
        }
        // The table has the position, but not its best move: prove the moves again, one by one.
        for point in self.expander.attacks(position, stones) {
            let proof = position
                .with_move(point, |after| self.prove(after, attacker, below(stones), budget));
            if matches!(proof, Verdict::Win(_)) {
                return Some(Step::Threat(point));
            }
        }
        None
    }

    /// Fours that win within `most` plies; other wins by fours alone may take longer.
    fn fours_within(
        &mut self,
        position: &mut Position,
        stones: u16,
        most: u16,
        budget: &mut Budget<'_>,
    ) -> Option<Vec<Point>> {
        let length = stones.min(most.div_ceil(2)).checked_sub(1)?;
        let fours = &mut self.expander.fours;
        let is_won = fours.solve(position, length, PROBE, budget) == FoursResult::Win;
        is_won.then(|| fours.line().collect())
    }

    /// The move with the fastest win in the table.
    fn proved_move(&mut self, position: &mut Position, stones: u16) -> Option<Point> {
        let side = position.side_to_move();
        let moves = self.expander.attacks(position, stones);
        let wins = moves.into_iter().filter_map(|point| {
            let key = position.board().key_after(point, side);
            let known = self.known(key, side, below(stones)).filter(|entry| entry.delta == 0)?;
            Some((known.plies, point))
        });
        wins.min_by_key(|&(plies, _)| plies).map(|(_, point)| point)
    }

    /// Every reply that had to be refuted, with the plies in which it loses: at most `most`, if the
    /// proof is still in the table. `None` if the budget ended.
    pub(super) fn lost_replies(
        &mut self,
        position: &mut Position,
        stones: u16,
        most: u16,
        budget: &mut Budget<'_>,
    ) -> Option<Vec<LostReply>> {
        let attacker = position.side_to_move().opponent();
        let replies = self.expander.replies(position, stones, budget).ok()??;
        let quick = stones.min(most.div_ceil(2));
        let mut lost = Vec::new();
        for point in replies.points {
            let plies = position.with_move(point, |after| {
                let fours = self.expander.win_by_fours(after, quick, PROBE, budget);
                fours.ok().flatten().or_else(|| match self.prove(after, attacker, stones, budget) {
                    Verdict::Win(plies) => Some(plies),
                    Verdict::None | Verdict::Unknown => None,
                })
            });
            lost.push(LostReply { point, plies: plies? + 1 });
        }
        Some(lost)
    }

    /// The moves of both sides from a position that `attacker` has been proved to win within `most`
    /// plies, up to the five; cut when the budget ends.
    pub(super) fn line(
        &mut self,
        position: &mut Position,
        attacker: Color,
        stones: u16,
        most: u16,
        budget: &mut Budget<'_>,
    ) -> WinLine {
        position.with_rollback(|position| {
            let (start, spent) = (position.board().history().len(), budget.nodes());
            self.play_line(position, attacker, stones, most, budget);
            let played = &position.board().history()[start..];
            let is_cut = !played.last().is_some_and(|last| {
                last.color == attacker && makes_five(position.board(), last.point, last.color)
            });
            let moves = played.iter().map(|stone| stone.point).collect();
            WinLine { moves, is_cut, nodes: budget.nodes() - spent }
        })
    }

    /// Plays the moves of [`Prover::line`].
    fn play_line(
        &mut self,
        position: &mut Position,
        attacker: Color,
        stones: u16,
        most: u16,
        budget: &mut Budget<'_>,
    ) {
        let (mut stones, mut most) = (stones, most);
        loop {
            if position.side_to_move() == attacker {
                match self.winning_step(position, stones, most, budget) {
                    None => break,
                    Some(Step::Fours(line)) => {
                        line.into_iter().for_each(|point| position.play(point));
                        finish(position, attacker);
                        break;
                    }
                    Some(Step::Threat(point)) => position.play(point),
                }
                (stones, most) = (below(stones), most.saturating_sub(1));
            }
            let Some(replies) = self.lost_replies(position, stones, most, budget) else { break };
            let longest = replies.into_iter().max_by_key(|reply| reply.plies);
            most = longest.as_ref().map_or(most, |reply| reply.plies).saturating_sub(1);
            let reply = longest.map(|reply| reply.point).or_else(|| any_reply(position));
            let Some(reply) = reply else { break };
            position.play(reply);
        }
    }
}

/// Completes a line of fours: plays an answer and the five.
pub(super) fn finish(position: &mut Position, attacker: Color) {
    let over = position.board().last().is_none_or(|last| {
        last.color != attacker || makes_five(position.board(), last.point, last.color)
    });
    if over {
        return;
    }
    let Some(reply) = any_reply(position) else { return };
    position.play(reply);
    let five = position.cells_with(attacker, Shape::Five).next();
    if let Some(five) = five {
        position.play(five);
    }
}

/// Any legal move in a lost position, preferably on one of the attacker's fives; `None` if there is
/// no legal move.
pub(super) fn any_reply(position: &Position) -> Option<Point> {
    let side = position.side_to_move();
    let fives = position.cells_with(side.opponent(), Shape::Five);
    let elsewhere = position.board().empty_points();
    fives.chain(position.candidates()).chain(elsewhere).find(|&cell| !is_foul(position, cell, side))
}

/// The number of stones that the attacker may place after one more.
pub(super) fn below(stones: u16) -> u16 {
    if stones == ANY_STONES { stones } else { stones.saturating_sub(1) }
}
