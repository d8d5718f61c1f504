//! The engines: a few desks, each with its part of the memory. A board that searches sits at one,
//! and comes back to the same one if it can, where its last search is still remembered.

use std::sync::{Mutex, MutexGuard};

use hyper::StatusCode;

use super::answer::Fault;
use tengen::engine::{Engine, Options};
use tengen::solver::Solver;

/// The parts of the memory: one board alone, as there mostly is, has most of it.
const SHARES: [u64; 4] = [5, 1, 1, 1];
/// The parts in all.
const WHOLE: u64 = 8;
/// The part of a desk's memory that a solver may take, twice.
const SOLVER_PART: u64 = 8;

/// The desks that are free.
pub(super) struct Desks {
    threads: usize,
    /// Bytes of all desks together.
    memory: u64,
    free: Mutex<Vec<Desk>>,
}

/// Where one board searches.
pub(super) struct Desk {
    number: usize,
    /// Who sat here last.
    board: String,
    /// At full strength.
    pub(super) engine: Engine,
    solver_bytes: u64,
}

impl Desk {
    /// A solver that has seen nothing.
    pub(super) fn solver(&self) -> Solver {
        Solver::new(self.solver_bytes)
    }
}

impl Desks {
    /// Memory is taken when a desk is first used.
    pub(super) fn new(threads: usize, memory: u64) -> Desks {
        let desks = Desks { threads, memory, free: Mutex::default() };
        let all = (0..SHARES.len()).map(|number| desks.make(number)).collect();
        *desks.free() = all;
        desks
    }

    fn make(&self, number: usize) -> Desk {
        let bytes = self.memory / WHOLE * SHARES[number];
        let solver_bytes = bytes / SOLVER_PART;
        let memory = Some(bytes - 2 * solver_bytes);
        let options = Options { threads: self.threads, memory, ..Options::default() };
        Desk { number, board: String::new(), engine: Engine::new(options), solver_bytes }
    }

    fn free(&self) -> MutexGuard<'_, Vec<Desk>> {
        self.free.lock().unwrap_or_else(|broken| broken.into_inner())
    }

    /// A free desk: the board's last one, or the largest.
    ///
    /// # Errors
    /// When all are taken.
    pub(super) fn take(&self, board: &str) -> Result<Desk, Fault> {
        let mut free = self.free();
        let wanted = |desk: &Desk| (desk.board != board, desk.number);
        let best = (0..free.len()).min_by_key(|&index| wanted(&free[index]));
        let Some(index) = best else {
            return Err(Fault::with_status(
                StatusCode::SERVICE_UNAVAILABLE,
                format!("{} boards are searching already: stop one of them", SHARES.len()),
            ));
        };
        let mut desk = free.swap_remove(index);
        desk.board = board.to_string();
        Ok(desk)
    }

    /// Brings a desk back.
    pub(super) fn put(&self, desk: Desk) {
        self.free().push(desk);
    }

    /// Puts a new desk in the place of one that a crash took.
    pub(super) fn replace(&self, number: usize) {
        let desk = self.make(number);
        self.put(desk);
    }
}

impl Desk {
    /// Which one it is.
    pub(super) fn number(&self) -> usize {
        self.number
    }
}
