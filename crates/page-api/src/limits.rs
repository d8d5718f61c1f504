//! Limits of searches.

use std::time::Duration;

use serde::Deserialize;

use crate::error::RequestError;
use tengen::engine::Limits;

/// Maximum duration of a search.
const MAX_TIME: Duration = Duration::from_secs(6 * 3600);

/// Limits of a search as the page sends them. Threads and memory are not among them: they belong
/// to the [`EngineSlot`](crate::EngineSlot).
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
    pub(crate) fn to_engine(self) -> Result<Limits, RequestError> {
        for (name, value) in [("nodes", self.nodes), ("depth", self.depth.map(u64::from))] {
            if value == Some(0) {
                return Err(RequestError::new(format!("{name} is 0: expected 1 or more")));
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
