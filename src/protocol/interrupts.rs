//! Decides which input lines end which search.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::engine::StopSwitch;
use crate::moment::Instant;

/// The number of an input and the time of its arrival.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// Its number in the order of arrival, from 1.
    pub number: u64,
    /// When its last line was read.
    pub received: Instant,
}

/// State shared by the reader thread and the worker thread.
///
/// Inputs are numbered in the order of arrival. A stop ends exactly the requests with smaller
/// numbers: it is not lost if their search has not started yet, and it does not end a request that
/// came after it.
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

/// The worker's activity, with the number of its input.
#[derive(Clone, Copy, Debug, Default)]
enum Activity {
    #[default]
    Idle,
    /// Searching for a request; ended by a later stop.
    Thinking(u64),
    /// Searching in the opponent's time; ended by any later input.
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
    /// The state before any input.
    pub fn new() -> Interrupts {
        Interrupts::default()
    }

    /// Registers the arrival of input `number`; `ends_thinking` if it is a stop.
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

    /// Ends every request, including future ones.
    pub fn end_everything(&self) {
        self.arrived(u64::MAX, true);
    }

    /// Starts the search for the request with this number.
    pub fn think(&self, number: u64) -> Running<'_> {
        self.begin(Activity::Thinking(number))
    }

    /// Starts a search in the opponent's time, after the input with this number.
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

/// A running search; it ends when this is dropped.
#[derive(Debug)]
pub struct Running<'a>(&'a Interrupts);

impl Running<'_> {
    /// The stop switch for the engine.
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
    fn stop_ends_only_earlier_requests() {
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
    fn stop_while_idle_has_no_effect() {
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
