//! Stopping a search from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A shared switch that stops a running search within a few milliseconds.
#[derive(Clone, Debug, Default)]
pub struct StopSwitch(Arc<AtomicBool>);

impl StopSwitch {
    /// A switch that is not pressed.
    pub fn new() -> StopSwitch {
        StopSwitch::default()
    }

    /// Requests the search to stop.
    pub fn press(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Resets the switch for the next search.
    pub fn release(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether the search should stop.
    #[inline]
    pub fn is_pressed(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
