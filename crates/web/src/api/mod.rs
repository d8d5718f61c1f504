//! The API: one module for each kind of request, and the types that several requests share.

pub(crate) mod analyse;
pub(crate) mod animation;
pub(crate) mod files;
pub(crate) mod look;
pub(crate) mod opening;
pub(crate) mod review;
pub(crate) mod solve;
pub(crate) mod think;

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::response::HttpError;
use tengen::engine::Limits;
use tengen::opening::OpeningRule;
use tengen::players::{Bot, LEVELS};
use tengen_record::Format;
use tengen_rules::types::{MAX_SIDE, MIN_ENGINE_SIDE, Rule};

/// Maximum duration of a search.
const MAX_TIME: Duration = Duration::from_secs(6 * 3600);

/// Stops the search of a tab.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StopRequest {
    pub(crate) tab: String,
}

/// Limits of a search as the page sends them. Threads and memory are not among them: the command
/// line of the server sets those.
#[derive(Clone, Copy, Default, Deserialize)]
pub(crate) struct SearchLimits {
    time_ms: Option<u64>,
    left_ms: Option<u64>,
    increment_ms: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u32>,
}

impl SearchLimits {
    /// The limits for the engine. A search without limits runs until it is stopped, for `MAX_TIME` at
    /// most.
    ///
    /// # Errors
    /// If a limit is 0.
    pub(crate) fn to_engine(self) -> Result<Limits, HttpError> {
        for (name, value) in [("nodes", self.nodes), ("depth", self.depth.map(u64::from))] {
            if value == Some(0) {
                return Err(HttpError::new(format!("{name} is 0: expected 1 or more")));
            }
        }
        let capped = |ms: u64| Duration::from_millis(ms).min(MAX_TIME);
        let mut limits = Limits::turn(self.time_ms.map_or(MAX_TIME, capped));
        limits.left = self.left_ms.map(capped);
        limits.increment = self.increment_ms.map_or(Duration::ZERO, capped);
        limits.nodes = self.nodes;
        limits.depth = self.depth;
        Ok(limits)
    }

    /// Time of each search of the solver.
    pub(crate) fn time_or(self, default: Duration) -> Duration {
        self.time_ms.map_or(default, Duration::from_millis).min(MAX_TIME)
    }

    pub(crate) fn nodes(self) -> Option<u64> {
        self.nodes
    }
}

/// Players, rules, openings and file formats that the page can offer.
pub(crate) fn hello() -> Value {
    let levels = LEVELS.iter().map(|level| json!({ "name": level.name }));
    let forms = Format::ALL.into_iter().filter(|form| form.is_written());
    json!({
        "levels": levels.collect::<Vec<_>>(),
        "bots": Bot::ALL.map(|bot| bot.to_string()),
        "rules": Rule::ALL.map(Rule::name),
        "openings": OpeningRule::ALL.map(OpeningRule::name),
        "forms": forms.map(Format::name).collect::<Vec<_>>(),
        "sides": [MIN_ENGINE_SIDE, MAX_SIDE],
    })
}
