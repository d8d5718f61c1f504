//! What a search may still spend.

use std::time::Instant;

/// Nodes between two looks at the clock and the stop signal.
const INTERVAL: u64 = 64;

/// Counts nodes and says when to end: at a number of them, at a time, or when asked to.
pub struct Budget<'a> {
    nodes: u64,
    most: u64,
    until: Option<Instant>,
    stop: &'a dyn Fn() -> bool,
    ended: bool,
    /// Ended by the clock or the signal.
    stopped: bool,
}

impl<'a> Budget<'a> {
    /// At most `most` nodes, none after `until`, none once `stop` says so.
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

    /// Lets `search` spend at most `nodes` of what is left.
    pub(super) fn share<T>(&mut self, nodes: u64, search: impl FnOnce(&mut Self) -> T) -> T {
        let most = self.most;
        self.most = most.min(self.nodes.saturating_add(nodes));
        let found = search(self);
        // Only this share may be spent, not the whole.
        self.ended &= self.stopped || self.nodes >= most;
        self.most = most;
        found
    }

    /// Counts one node; false when it should not be searched any more.
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
