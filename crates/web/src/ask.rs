//! What several questions have in common, and what the page needs to know at the start.

use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};

use super::answer::Fault;
use tengen::engine::Limits;
use tengen::opening::OpeningRule;
use tengen::players::{Bot, LEVELS};
use tengen_record::Form;
use tengen_rules::types::{MAX_SIDE, MIN_ENGINE_SIDE, Rule};

/// The longest search.
const MOST_TIME: Duration = Duration::from_secs(6 * 3600);

/// Ends what a tab searches.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stop {
    pub(super) tab: String,
}

/// What a search may cost, as the page says it. Nothing about threads or memory: those belong to
/// whoever started the server.
#[derive(Clone, Copy, Default, Deserialize)]
pub(super) struct Cost {
    time_ms: Option<u64>,
    left_ms: Option<u64>,
    increment_ms: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u32>,
}

impl Cost {
    /// The limits, counted from now. Without any the search goes on until it is stopped, for some
    /// hours at most.
    pub(super) fn limits(self) -> Result<Limits, Fault> {
        for (name, value) in [("nodes", self.nodes), ("depth", self.depth.map(u64::from))] {
            if value == Some(0) {
                return Err(Fault::new(format!("{name} is 0: expected 1 or more")));
            }
        }
        let most = |ms: u64| Duration::from_millis(ms).min(MOST_TIME);
        Ok(Limits {
            received: Instant::now(),
            turn: Some(self.time_ms.map_or(MOST_TIME, most)),
            left: self.left_ms.map(most),
            increment: self.increment_ms.map_or(Duration::ZERO, most),
            nodes: self.nodes,
            depth: self.depth,
            analysis: false,
        })
    }

    /// The time for each look of a solver.
    pub(super) fn time_or(self, otherwise: Duration) -> Duration {
        self.time_ms.map_or(otherwise, Duration::from_millis).min(MOST_TIME)
    }

    pub(super) fn nodes(self) -> Option<u64> {
        self.nodes
    }
}

/// What this program has to offer.
pub(super) fn hello() -> Value {
    let levels = LEVELS.iter().map(|level| json!({ "name": level.name }));
    let forms = Form::ALL.into_iter().filter(|form| form.is_written());
    json!({
        "levels": levels.collect::<Vec<_>>(),
        "bots": Bot::ALL.map(|bot| bot.to_string()),
        "rules": Rule::ALL.map(Rule::name),
        "openings": OpeningRule::ALL.map(OpeningRule::name),
        "forms": forms.map(Form::name).collect::<Vec<_>>(),
        "sides": [MIN_ENGINE_SIDE, MAX_SIDE],
    })
}
