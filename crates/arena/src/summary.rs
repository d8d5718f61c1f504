//! The result of a match as JSON (`--json`).

use schemars::JsonSchema;
use serde::Serialize;

use super::statistics::{PairCounts, Sprt, SprtDecision};

/// The result of a match.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(title = "The summary of `tengen match --json` and `tengen merge --json`")]
pub struct MatchSummary {
    /// Number of games counted.
    pub games: u64,
    /// The engines, strongest first.
    pub engines: Vec<EngineSummary>,
    /// The results of each pairing of two engines.
    pub pairings: Vec<PairingSummary>,
    /// The sequential test, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSummary>,
    /// The failures of an engine that stopped the match early; absent if the match was not stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
}

/// An engine and its results against all others.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct EngineSummary {
    /// Name.
    pub name: String,
    /// Elo relative to the mean of all engines.
    pub elo: f64,
    /// Half the width of the 95 % interval of `elo`.
    pub elo_error: f64,
    /// Games won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
    /// Number of moves.
    pub moves: u64,
    /// Mean time per move in milliseconds.
    pub ms_per_move: u64,
    /// Longest time of a move in milliseconds.
    pub longest_ms: u64,
    /// Games lost by failures and illegal moves.
    pub offences: Vec<OffenceSummary>,
}

/// Games that an engine lost for one reason.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct OffenceSummary {
    /// The reason, as in the record.
    pub reason: String,
    /// Number of games.
    pub games: u64,
}

/// The results of two engines, counted for the first.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PairingSummary {
    /// Names.
    pub engines: [String; 2],
    /// Games won by the first engine.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost by the first engine.
    pub lost: u64,
    /// Games won by black.
    pub black_won: u64,
    /// Games won by white.
    pub white_won: u64,
    /// Number of pairs of games by points of the first engine: 0, 1/2, 1, 3/2, 2.
    pub pairs: [u64; 5],
    /// The difference in strength; missing before the first complete pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
}

/// A difference in strength. Infinite Elo values are `null`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Difference {
    /// Elo of the first engine over the second.
    pub elo: Option<f64>,
    /// Lower end of the 95 % interval.
    pub low: Option<f64>,
    /// Upper end of the 95 % interval.
    pub high: Option<f64>,
    /// Probability that the first engine is the stronger one.
    pub los: f64,
}

/// The state of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SprtSummary {
    /// Elo of the first hypothesis.
    pub elo0: f64,
    /// Elo of the second hypothesis.
    pub elo1: f64,
    /// Logarithm of the likelihood ratio.
    pub llr: f64,
    /// The test accepts the first hypothesis at this value.
    pub lower: f64,
    /// The test accepts the second hypothesis at this value.
    pub upper: f64,
    /// `H0`, `H1` or `open`.
    #[schemars(extend("enum" = ["H0", "H1", "open"]))]
    pub decision: &'static str,
}

impl Difference {
    /// The difference estimated from these pairs.
    pub(super) fn of(pairs: &PairCounts) -> Option<Difference> {
        let finite = |elo: f64| elo.is_finite().then_some(elo);
        pairs.estimate().map(|it| Difference {
            elo: finite(it.elo),
            low: finite(it.low),
            high: finite(it.high),
            los: it.los,
        })
    }
}

impl SprtSummary {
    /// The state of the test after these pairs.
    pub(super) fn of(sprt: &Sprt, pairs: &PairCounts) -> SprtSummary {
        let (lower, upper) = sprt.bounds();
        SprtSummary {
            elo0: sprt.elo0,
            elo1: sprt.elo1,
            llr: sprt.log_likelihood_ratio(pairs),
            lower,
            upper,
            decision: match sprt.decide(pairs) {
                SprtDecision::H0 => "H0",
                SprtDecision::H1 => "H1",
                SprtDecision::Open => "open",
            },
        }
    }
}
