//! A proof as a tree: the winning move, and the continuation after every reply that could hold.

use super::Budget;
use super::line::{Step, below};
use super::prove::Prover;
use tengen_rules::pattern::Shape;
use tengen_rules::position::Position;
use tengen_rules::types::Point;

/// A winning move and the replies to it. Replies that are not listed lose to the threat of the
/// move.
#[derive(Clone, Debug)]
pub struct Attack {
    /// The move.
    pub at: Point,
    /// The replies that could hold.
    pub replies: Vec<Reply>,
    /// The number of replies that are omitted because the tree is too large, or because the limits
    /// ended before their answers were found; 1 if they ended before the replies were counted.
    pub cut: usize,
}

/// A reply of the defender and the attacker's continuation.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The reply.
    pub at: Point,
    /// The attacker's answer.
    pub then: Attack,
}

impl Attack {
    /// Replies left out in the whole tree.
    pub fn cut_in_all(&self) -> usize {
        self.cut + self.replies.iter().map(|reply| reply.then.cut_in_all()).sum::<usize>()
    }
}

impl Prover {
    /// The proof from a position won by the side to move within `most` plies, of at most `left`
    /// moves. `None` when the budget ended first.
    pub(super) fn tree(
        &mut self,
        position: &mut Position,
        stones: u16,
        most: u16,
        left: &mut usize,
        budget: &mut Budget<'_>,
    ) -> Option<Attack> {
        let at = match self.winning_step(position, stones, most, budget)? {
            Step::Fours(line) => *line.first()?,
            Step::Threat(point) => point,
        };
        let ends = position.shape(at, position.side_to_move()) == Shape::Five;
        *left = left.saturating_sub(1);
        let mut attack = Attack { at, replies: Vec::new(), cut: 0 };
        if !ends {
            position.with_move(at, |after| {
                let most = most.saturating_sub(1);
                self.replies_of(&mut attack, after, below(stones), most, left, budget)
            });
        }
        Some(attack)
    }

    /// Adds the replies to an attack and the continuation after each. Replies beyond the budget or
    /// the number of moves are counted.
    fn replies_of(
        &mut self,
        attack: &mut Attack,
        position: &mut Position,
        stones: u16,
        most: u16,
        left: &mut usize,
        budget: &mut Budget<'_>,
    ) {
        let Some(mut replies) = self.lost_replies(position, stones, most, budget) else {
            attack.cut += 1;
            return;
        };
        // The longest resistance comes first and is omitted last.
        replies.sort_by_key(|reply| std::cmp::Reverse(reply.plies));
        for reply in replies {
            if *left == 0 {
                attack.cut += 1;
                continue;
            }
            *left -= 1;
            let within = reply.plies.saturating_sub(1);
            let then = position
                .with_move(reply.point, |after| self.tree(after, stones, within, left, budget));
            match then {
                Some(then) => attack.replies.push(Reply { at: reply.point, then }),
                None => attack.cut += 1,
            }
        }
    }
}
