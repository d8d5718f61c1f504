//! Initial proof numbers from the evaluation.
//!
//! A new position that the evaluation values as won counts as little work to prove and much to
//! refute. This only orders the search; proofs do not depend on it. The policy does not help
//! (lab/0098).

use crate::eval::Evaluator;
use crate::eval::network::Networks;
use tengen_rules::position::Position;

/// Additional nodes to prove a hopeless win compared with a certain one; likewise to refute a
/// certain win compared with a hopeless one.
#[derive(Clone, Copy, Debug)]
pub(super) struct GuessWeights {
    /// After a move of the attacker.
    pub(super) after_attack: i32,
    /// After a move of the defender.
    pub(super) after_reply: i32,
}

/// Score at which the attacker's odds count as three to one.
const CLEAR_SCORE: i32 = 400;

/// Estimates proof numbers of new positions.
pub(super) struct Guesser {
    weights: GuessWeights,
    networks: Networks,
    evaluator: Option<Evaluator>,
}

/// Estimated nodes to prove a win of the attacker, and to refute it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Guess {
    pub(super) prove: u32,
    pub(super) refute: u32,
}

impl Guesser {
    pub(super) fn new(weights: GuessWeights, networks: Networks) -> Guesser {
        Guesser { weights, networks, evaluator: None }
    }

    /// The guess for the position after the attacker's move, to which there are `replies` replies.
    pub(super) fn after_attack(&mut self, position: &Position, replies: u32) -> Guess {
        let (score, whole) = (-self.score(position), self.weights.after_attack);
        Guess { prove: replies + share(whole, -score), refute: 1 + share(whole, score) }
    }

    /// The guess for the position after a hopeless move of the attacker, without an evaluation.
    pub(super) fn after_hopeless_attack(&self, replies: u32) -> Guess {
        Guess { prove: replies + self.weights.after_attack as u32, refute: 1 }
    }

    /// The guess for the position after the defender's move.
    pub(super) fn after_reply(&mut self, position: &Position) -> Guess {
        let (score, whole) = (self.score(position), self.weights.after_reply);
        Guess { prove: 1 + share(whole, -score), refute: 1 + share(whole, score) }
    }

    /// The evaluation for the side to move.
    fn score(&mut self, position: &Position) -> i32 {
        let evaluator = Evaluator::of(&mut self.evaluator, position.rule(), &self.networks);
        evaluator.value(position).value()
    }
}

/// The part of `whole` for a score: half at 0, nearly all of it for a high score. In integer
/// arithmetic, the same on every machine.
fn share(whole: i32, score: i32) -> u32 {
    let spread = score.abs() + CLEAR_SCORE;
    (whole * (spread + score) / (2 * spread)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_grow_with_the_score() {
        let shares = [-20_000, -400, 0, 400, 20_000].map(|score| share(20, score));
        assert_eq!(shares, [0, 5, 10, 15, 19]);
    }
}
