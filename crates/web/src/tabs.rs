//! The tabs of the browser. A tab has one search at a time: a new search stops the previous one.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

use crate::response::HttpError;
use tengen::engine::StopSwitch;

/// Maximum number of tabs. The one used longest ago is dropped first.
const MAX_TABS: usize = 64;
/// Maximum length of a tab's name.
const NAME_LENGTH: usize = 32;

/// All tabs by name.
pub(crate) struct Tabs(Mutex<State>);

#[derive(Default)]
struct State {
    tabs: BTreeMap<String, Tab>,
    /// Number of searches so far, to order tabs by their last use.
    clock: u64,
}

#[derive(Default)]
struct Tab {
    /// Stops the current or last search.
    stop: StopSwitch,
    /// Held while a search runs.
    running: Arc<AsyncMutex<()>>,
    last_used: u64,
}

/// The permission to search for a tab.
pub(crate) struct SearchPermit {
    /// Stops the search.
    pub(crate) stop: StopSwitch,
    _running: OwnedMutexGuard<()>,
}

impl Tabs {
    pub(crate) fn new() -> Tabs {
        Tabs(Mutex::default())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Stops the search of a tab and waits until it has ended.
    ///
    /// # Errors
    /// If the name is invalid.
    pub(crate) async fn begin(&self, name: &str) -> Result<SearchPermit, HttpError> {
        let is_plain = name.chars().all(|letter| letter.is_ascii_alphanumeric());
        if name.is_empty() || name.len() > NAME_LENGTH || !is_plain {
            let expected = format!("expected 1 to {NAME_LENGTH} letters and digits");
            return Err(HttpError::new(format!("invalid name of a tab {name:?}: {expected}")));
        }
        let stop = StopSwitch::new();
        let running = {
            let mut state = self.state();
            state.clock += 1;
            let last_used = state.clock;
            let tab = state.tabs.entry(name.to_string()).or_default();
            tab.last_used = last_used;
            std::mem::replace(&mut tab.stop, stop.clone()).press();
            let running = Arc::clone(&tab.running);
            state.drop_oldest();
            running
        };
        Ok(SearchPermit { stop, _running: running.lock_owned().await })
    }

    /// Stops the search of a tab. Unknown tabs are ignored.
    pub(crate) fn stop(&self, name: &str) {
        if let Some(tab) = self.state().tabs.get(name) {
            tab.stop.press();
        }
    }

    /// Stops all searches.
    pub(crate) fn stop_all(&self) {
        self.state().tabs.values().for_each(|tab| tab.stop.press());
    }
}

impl State {
    /// Drops the tab used longest ago if there are too many.
    fn drop_oldest(&mut self) {
        if self.tabs.len() > MAX_TABS {
            let oldest = self.tabs.iter().min_by_key(|(_, tab)| tab.last_used);
            if let Some(name) = oldest.map(|(name, _)| name.clone())
                && let Some(tab) = self.tabs.remove(&name)
            {
                tab.stop.press();
            }
        }
    }
}
