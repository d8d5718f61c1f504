//! Evaluation of positions without a static result.
//!
//! An [`Evaluator`] values positions and scores moves; the search has no other source of such
//! numbers. They come from a trained [`network`].

pub mod network;

use network::{NetworkEvaluator, Networks};
use tengen_rules::position::{LastStones, Position};
use tengen_rules::types::{Point, Rule, Score};

/// A hash of all embedded weights.
pub fn weights_hash() -> u64 {
    network::weights_hash()
}

/// Values positions and scores moves under one rule.
///
/// Caches intermediate results of the last positions, so that a position a few moves later costs
/// little. The results do not depend on the cache.
pub struct Evaluator {
    rule: Rule,
    network: NetworkEvaluator,
}

impl Evaluator {
    /// An evaluator for positions under this rule, with the embedded network.
    pub fn new(rule: Rule) -> Evaluator {
        Evaluator::with_networks(rule, &Networks::embedded())
    }

    /// An evaluator for positions under this rule, with one of these networks.
    pub fn with_networks(rule: Rule, networks: &Networks) -> Evaluator {
        Evaluator { rule, network: NetworkEvaluator::new(rule, networks) }
    }

    /// The evaluator in `kept`, replaced by a new one if its rule differs.
    pub fn of<'a>(
        kept: &'a mut Option<Evaluator>,
        rule: Rule,
        networks: &Networks,
    ) -> &'a mut Evaluator {
        kept.take_if(|it| it.rule != rule);
        kept.get_or_insert_with(|| Evaluator::with_networks(rule, networks))
    }

    /// The rule of the positions.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The static value of the position for the side to move.
    #[inline]
    pub fn value(&mut self, position: &Position) -> Score {
        self.network.value(position)
    }

    /// Scores the empty cells `points` as moves of the side to move: fills `scores` with one number
    /// each, higher for better moves (1/256 of the natural logarithm of odds). The score includes
    /// the offsets from the `last` stones, if there are any.
    #[inline]
    pub fn score_moves(
        &mut self,
        position: &Position,
        last: LastStones,
        points: &[Point],
        scores: &mut Vec<i32>,
    ) {
        self.network.score_moves(position, last, points, scores);
    }
}
