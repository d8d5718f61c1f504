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

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(json: &str) -> Limits {
        serde_json::from_str::<SearchLimits>(json).unwrap().to_engine().unwrap()
    }

    #[test]
    fn clock_and_increment_reach_the_engine() {
        let (ms, most) = (Duration::from_millis, 6 * 3_600_000);
        let timed = limits(r#"{ "time_ms": 500, "left_ms": 9000, "increment_ms": 70 }"#);
        assert_eq!(
            (timed.turn, timed.left, timed.increment),
            (Some(ms(500)), Some(ms(9000)), ms(70))
        );
        let none = limits("{}");
        assert_eq!((none.turn, none.left, none.increment), (Some(ms(most)), None, ms(0)));
        let long = limits(&format!(r#"{{ "time_ms": {}, "left_ms": {} }}"#, u64::MAX, most + 1));
        assert_eq!((long.turn, long.left), (Some(ms(most)), Some(ms(most))));
    }
}
