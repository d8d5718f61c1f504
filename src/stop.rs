//! Ending a search from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A shared switch that ends a running search within a few milliseconds.
#[derive(Clone, Debug, Default)]
pub struct StopSwitch(Arc<AtomicBool>);

impl StopSwitch {
    /// A switch that is not pressed.
    pub fn new() -> StopSwitch {
        StopSwitch::default()
    }

    /// Asks the search to end.
    pub fn press(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Makes the switch fit for the next search.
    pub fn release(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether the search should end.
    #[inline]
    pub fn is_pressed(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
