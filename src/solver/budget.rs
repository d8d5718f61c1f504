//! The budget of a search.

use crate::moment::Instant;

/// Nodes between two checks of the clock and the stop signal.
const INTERVAL: u64 = 64;

/// Counts nodes and ends a search at a node limit, at a time limit, or on a stop signal.
pub struct Budget<'a> {
    nodes: u64,
    most: u64,
    until: Option<Instant>,
    stop: &'a dyn Fn() -> bool,
    ended: bool,
    /// Whether the clock or the signal ended it.
    stopped: bool,
}

impl<'a> Budget<'a> {
    /// A budget of at most `most` nodes, until the time `until` or until `stop` returns true.
    pub fn new(most: u64, until: Option<Instant>, stop: &'a dyn Fn() -> bool) -> Budget<'a> {
        Budget { nodes: 0, most, until, stop, ended: false, stopped: false }
    }

    /// Nodes counted so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the search has to end.
    pub fn is_over(&self) -> bool {
        self.ended
    }

    /// Runs `search` with at most `nodes` of the nodes left.
    pub(super) fn share<T>(&mut self, nodes: u64, search: impl FnOnce(&mut Self) -> T) -> T {
        let most = self.most;
        self.most = most.min(self.nodes.saturating_add(nodes));
        let found = search(self);
        // The end of the share is not the end of the whole budget.
        self.ended &= self.stopped || self.nodes >= most;
        self.most = most;
        found
    }

    /// Counts one node; returns false if the search must end instead.
    #[inline]
    pub(super) fn spend(&mut self) -> bool {
        if self.nodes >= self.most {
            self.ended = true;
        } else if self.nodes.is_multiple_of(INTERVAL) {
            self.stopped |= (self.stop)() || self.until.is_some_and(|end| Instant::now() >= end);
            self.ended |= self.stopped;
        }
        self.nodes += u64::from(!self.ended);
        !self.ended
    }
}
