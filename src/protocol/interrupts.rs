//! Which lines end which search.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::engine::StopSwitch;

/// Which input it is, and since when its time runs.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// Its number in the order of arrival, from 1.
    pub number: u64,
    /// When its last line was read.
    pub received: Instant,
}

/// What the reader of the input and the worker that thinks share.
///
/// Inputs are numbered in the order they arrive. A stop ends every request with a smaller number
/// and no other one: it is neither lost when the search has not begun yet, nor does it hit a
/// request that came after it.
#[derive(Clone, Debug, Default)]
pub struct Interrupts {
    state: Arc<Mutex<State>>,
    switch: StopSwitch,
}

#[derive(Debug, Default)]
struct State {
    latest_input: u64,
    latest_stop: u64,
    activity: Activity,
}

/// What the worker does, with the number of the input it belongs to.
#[derive(Clone, Copy, Debug, Default)]
enum Activity {
    #[default]
    Idle,
    /// A request: ends at a later stop.
    Thinking(u64),
    /// The opponent's time: ends at any later input.
    Pondering(u64),
}

impl State {
    fn is_over(&self) -> bool {
        match self.activity {
            Activity::Idle => false,
            Activity::Thinking(number) => self.latest_stop > number,
            Activity::Pondering(number) => self.latest_input > number,
        }
    }
}

impl Interrupts {
    /// Nothing has arrived yet.
    pub fn new() -> Interrupts {
        Interrupts::default()
    }

    /// Input `number` has arrived; `ends_thinking` says that it is a stop.
    pub fn arrived(&self, number: u64, ends_thinking: bool) {
        let mut state = self.lock();
        state.latest_input = state.latest_input.max(number);
        if ends_thinking {
            state.latest_stop = state.latest_stop.max(number);
        }
        if state.is_over() {
            self.switch.press();
        }
    }

    /// Ends every request, those that have not arrived too.
    pub fn end_everything(&self) {
        self.arrived(u64::MAX, true);
    }

    /// Begins to answer the request with this number.
    pub fn think(&self, number: u64) -> Running<'_> {
        self.begin(Activity::Thinking(number))
    }

    /// Begins to think in the opponent's time, after the input with this number.
    pub fn ponder(&self, number: u64) -> Running<'_> {
        self.begin(Activity::Pondering(number))
    }

    fn begin(&self, activity: Activity) -> Running<'_> {
        let mut state = self.lock();
        state.activity = activity;
        if state.is_over() {
            self.switch.press();
        } else {
            self.switch.release();
        }
        Running(self)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is valid after every statement above, even if a thread died in between.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A search that the right lines end; over when dropped.
#[derive(Debug)]
pub struct Running<'a>(&'a Interrupts);

impl Running<'_> {
    /// The switch to hand to the engine.
    pub fn switch(&self) -> &StopSwitch {
        &self.0.switch
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.lock().activity = Activity::Idle;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_ends_the_requests_before_it_only() {
        let interrupts = Interrupts::new();
        interrupts.arrived(1, false);
        let first = interrupts.think(1);
        assert!(!first.switch().is_pressed());
        interrupts.arrived(2, false);
        assert!(!first.switch().is_pressed());
        interrupts.arrived(3, true);
        assert!(first.switch().is_pressed());
        drop(first);
        assert!(interrupts.think(2).switch().is_pressed(), "the stop came after it");
        interrupts.arrived(4, false);
        assert!(!interrupts.think(4).switch().is_pressed(), "the stop came before it");
    }

    #[test]
    fn a_stop_while_idle_hits_nothing() {
        let interrupts = Interrupts::new();
        interrupts.arrived(1, true);
        interrupts.arrived(2, false);
        assert!(!interrupts.think(2).switch().is_pressed());
    }

    #[test]
    fn any_input_ends_pondering() {
        let interrupts = Interrupts::new();
        interrupts.arrived(1, false);
        let pondering = interrupts.ponder(1);
        assert!(!pondering.switch().is_pressed());
        interrupts.arrived(2, false);
        assert!(pondering.switch().is_pressed());
        drop(pondering);
        assert!(interrupts.ponder(1).switch().is_pressed(), "an input is already waiting");
    }
}
