//! Numbers for positions without a forced result on their face.
//!
//! An [`Evaluator`] answers two questions, what a position is worth and which moves look good;
//! the search asks nobody else for numbers. A learned [`network`] gives the answers.

pub mod network;

use network::{NetworkEvaluator, Networks};
use tengen_rules::position::{LastStones, Position};
use tengen_rules::types::{Point, Rule, Score};

/// A number that names the weights of this program: another one wherever a weight is another.
pub fn weights_hash() -> u64 {
    network::weights_hash()
}

/// Values positions and scores moves under one rule.
///
/// Keeps what it worked out about the positions it saw last, so that one of the next moves costs
/// little. Answers never depend on that.
pub struct Evaluator {
    rule: Rule,
    network: NetworkEvaluator,
}

impl Evaluator {
    /// An evaluator for positions under this rule, by the embedded network.
    pub fn new(rule: Rule) -> Evaluator {
        Evaluator::with_networks(rule, &Networks::embedded())
    }

    /// An evaluator for positions under this rule, by one of these networks.
    pub fn with_networks(rule: Rule, networks: &Networks) -> Evaluator {
        Evaluator { rule, network: NetworkEvaluator::new(rule, networks) }
    }

    /// The evaluator kept for the next question, a new one where the rule is another.
    pub fn of<'a>(
        kept: &'a mut Option<Evaluator>,
        rule: Rule,
        networks: &Networks,
    ) -> &'a mut Evaluator {
        kept.take_if(|it| it.rule != rule);
        kept.get_or_insert_with(|| Evaluator::with_networks(rule, networks))
    }

    /// The rule of the positions that it values.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// What the position is worth to the side to move, by the looks of it.
    #[inline]
    pub fn value(&mut self, position: &Position) -> Score {
        self.network.value(position)
    }

    /// Scores the empty cells `points` as moves of the side to move: fills `scores` with one
    /// number each, the better the move the higher (1/256 of a natural logarithm of odds). A move
    /// counts for more near the `last` stones; without them only its cell counts.
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
