//! Limits of a solver.

use std::time::Duration;

use super::Budget;
use super::prove::ANY_STONES;
use crate::moment::Instant;

/// The limits of one call of a solver. `None` means unlimited.
///
/// ```
/// use std::time::Duration;
/// use tengen::SolveLimits;
///
/// let limits = SolveLimits::nodes(50_000).with_time(Duration::from_secs(2));
/// assert_eq!(limits.nodes, Some(50_000));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SolveLimits {
    /// Nodes to visit for the verdict; the line of a win may take the same number in addition.
    pub nodes: Option<u64>,
    /// Time from the start of the search, including the line of a win.
    pub time: Option<Duration>,
    /// Stones that the attacker may place, including the five.
    pub stones: Option<u16>,
}

impl SolveLimits {
    /// No limits.
    pub const fn unlimited() -> SolveLimits {
        SolveLimits { nodes: None, time: None, stones: None }
    }

    /// A fixed number of nodes.
    pub const fn nodes(nodes: u64) -> SolveLimits {
        SolveLimits::unlimited().with_nodes(nodes)
    }

    /// A fixed time.
    pub const fn time(time: Duration) -> SolveLimits {
        SolveLimits::unlimited().with_time(time)
    }

    /// The same with at most this many nodes.
    pub const fn with_nodes(self, nodes: u64) -> SolveLimits {
        SolveLimits { nodes: Some(nodes), ..self }
    }

    /// The same with at most this time.
    pub const fn with_time(self, time: Duration) -> SolveLimits {
        SolveLimits { time: Some(time), ..self }
    }

    /// The same with at most this many stones of the attacker, including the five.
    pub const fn with_stones(self, stones: u16) -> SolveLimits {
        SolveLimits { stones: Some(stones), ..self }
    }

    /// The limits that remain after this time.
    pub fn after(self, elapsed: Duration) -> SolveLimits {
        SolveLimits { time: self.time.map(|time| time.saturating_sub(elapsed)), ..self }
    }

    /// The limits of a call whose time starts now.
    pub(super) fn begun(&self) -> Bounds {
        // A time beyond the range of the clock means no limit.
        let until = self.time.and_then(|time| Instant::now().checked_add(time));
        Bounds {
            nodes: self.nodes.unwrap_or(u64::MAX),
            until,
            stones: self.stones.unwrap_or(ANY_STONES),
        }
    }
}

/// The limits of one running call; several searches may share them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) nodes: u64,
    pub(super) until: Option<Instant>,
    pub(super) stones: u16,
}

impl Bounds {
    /// The budget of a search that may use all of them.
    pub(super) fn budget(self, stop: &dyn Fn() -> bool) -> Budget<'_> {
        Budget::new(self.nodes, self.until, stop)
    }

    /// The same with the remaining time divided by `share`.
    pub(super) fn with_share_of_time(self, share: u32) -> Bounds {
        let now = Instant::now();
        let until = self.until.map(|until| now + until.saturating_duration_since(now) / share);
        Bounds { until, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_beyond_the_clock_is_unlimited() {
        assert!(SolveLimits::time(Duration::MAX).begun().until.is_none());
        assert!(SolveLimits::time(Duration::ZERO).begun().until.is_some());
    }
}
