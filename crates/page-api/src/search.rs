//! Searches: the engine that they use, and the progress that they report.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

use crate::error::RequestError;
use tengen::engine::{Engine, Networks, Options, StopSwitch};
use tengen::solver::Solver;
use tengen_rules::types::Rule;

/// Divisor of a slot's memory for each of the two tables of its solver.
const SOLVER_DIVISOR: u64 = 8;

type Job = Box<dyn FnOnce(&mut EngineSlot, &ProgressSender) -> Result<Value, RequestError> + Send>;

/// A search that the page requested.
pub struct SearchTask {
    rule: Rule,
    job: Job,
}

impl SearchTask {
    /// A search under `rule`. `job` runs until it has a result or its stop switch is pressed.
    pub(crate) fn new<F>(rule: Rule, job: F) -> SearchTask
    where
        F: FnOnce(&mut EngineSlot, &ProgressSender) -> Result<Value, RequestError> + Send + 'static,
    {
        SearchTask { rule, job: Box::new(job) }
    }

    /// The rule of the position, whose network the search uses.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Searches. The result has the same form if the search is stopped.
    ///
    /// # Errors
    /// If the position does not allow the request.
    pub fn run(
        self,
        slot: &mut EngineSlot,
        progress: &ProgressSender,
    ) -> Result<Value, RequestError> {
        (self.job)(slot, progress)
    }
}

impl fmt::Debug for SearchTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchTask").field("rule", &self.rule).finish_non_exhaustive()
    }
}

/// Reports the progress of a running search.
pub struct ProgressSender {
    send: Box<dyn Fn(Value) + Send>,
    /// Pressed when the search has to end.
    pub(crate) stop: StopSwitch,
}

impl ProgressSender {
    /// Passes updates to `send`. `stop` ends the search.
    pub fn new(send: impl Fn(Value) + Send + 'static, stop: StopSwitch) -> ProgressSender {
        ProgressSender { send: Box::new(send), stop }
    }

    /// Sends an update.
    pub(crate) fn send(&self, update: &impl Serialize) {
        // Updates hold plain values only, which can always be written.
        if let Ok(value) = serde_json::to_value(update) {
            (self.send)(value);
        }
    }

    /// Whether the search has to end.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_pressed()
    }
}

/// An engine and the memory for a solver.
pub struct EngineSlot {
    /// At full strength.
    pub(crate) engine: Engine,
    solver_bytes: u64,
}

impl EngineSlot {
    /// An engine with `threads` search threads and, with its solver, `memory` bytes. They are
    /// allocated when it is first used.
    pub fn new(threads: usize, memory: u64, networks: Networks) -> EngineSlot {
        let engine = Engine::new(Options { networks, ..Options::default() });
        let mut slot = EngineSlot { engine, solver_bytes: 0 };
        slot.set_resources(threads, memory);
        slot
    }

    /// Changes the search threads and, with its solver, the memory in bytes. The engine forgets its
    /// table if they differ.
    pub fn set_resources(&mut self, threads: usize, memory: u64) {
        let solver_bytes = memory / SOLVER_DIVISOR;
        let memory = Some(memory - 2 * solver_bytes);
        let options = self.engine.options();
        if (options.threads, options.memory) != (threads, memory) {
            let options = Options { threads, memory, ..options.clone() };
            self.engine.set_options(options);
        }
        self.solver_bytes = solver_bytes;
    }

    /// The search threads and the bytes of [`EngineSlot::set_resources`].
    pub fn resources(&self) -> (usize, u64) {
        let options = self.engine.options();
        (options.threads, options.memory.unwrap_or_default() + 2 * self.solver_bytes)
    }

    /// A solver with empty tables.
    pub(crate) fn solver(&self) -> Solver {
        Solver::with_networks(self.solver_bytes, self.engine.options().networks.clone())
    }
}
