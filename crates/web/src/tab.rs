//! The boards that are open, one for each tab of the browser. A board has one search at a time:
//! a new one ends the one before.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::{Mutex as Turn, OwnedMutexGuard};

use super::answer::Fault;
use tengen::engine::StopSwitch;

/// Boards that are remembered. The one that asked longest ago is forgotten first.
const MOST: usize = 64;
/// Letters and digits of a board's name.
const NAME_LENGTH: usize = 32;

/// All boards by name.
pub(super) struct Tabs(Mutex<State>);

#[derive(Default)]
struct State {
    boards: BTreeMap<String, Board>,
    /// Counts requests, to know which board asked last.
    clock: u64,
}

#[derive(Default)]
struct Board {
    /// Of the search that runs or ran last.
    stop: StopSwitch,
    turn: Arc<Turn<()>>,
    used: u64,
}

/// The right to search for a board.
pub(super) struct Searching {
    /// Ends the search.
    pub(super) stop: StopSwitch,
    _turn: OwnedMutexGuard<()>,
}

impl Tabs {
    pub(super) fn new() -> Tabs {
        Tabs(Mutex::default())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(|broken| broken.into_inner())
    }

    /// Stops what the board searches and waits until it has ended.
    ///
    /// # Errors
    /// When the name is none.
    pub(super) async fn begin(&self, name: &str) -> Result<Searching, Fault> {
        let plain = |letter: char| letter.is_ascii_alphanumeric();
        if name.is_empty() || name.len() > NAME_LENGTH || !name.chars().all(plain) {
            return Err(Fault::new(format!("{name:?} is no name of a tab")));
        }
        let stop = StopSwitch::new();
        let turn = {
            let mut state = self.state();
            state.clock += 1;
            let used = state.clock;
            let board = state.boards.entry(name.to_string()).or_default();
            board.used = used;
            std::mem::replace(&mut board.stop, stop.clone()).press();
            let turn = Arc::clone(&board.turn);
            state.forget();
            turn
        };
        Ok(Searching { stop, _turn: turn.lock_owned().await })
    }

    /// Stops what the board searches; a board that is not known searches nothing.
    pub(super) fn stop(&self, name: &str) {
        if let Some(board) = self.state().boards.get(name) {
            board.stop.press();
        }
    }

    /// Stops everything.
    pub(super) fn stop_all(&self) {
        self.state().boards.values().for_each(|board| board.stop.press());
    }
}

impl State {
    fn forget(&mut self) {
        if self.boards.len() > MOST {
            let oldest = self.boards.iter().min_by_key(|(_, board)| board.used);
            if let Some(name) = oldest.map(|(name, _)| name.clone())
                && let Some(board) = self.boards.remove(&name)
            {
                board.stop.press();
            }
        }
    }
}
