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
    /// Stops the search of the last request if it has not begun yet.
    announced: StopSwitch,
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

    /// Registers a request for a search whose position is not replayed yet, so that it can be
    /// stopped already. An earlier request that has not begun is stopped.
    ///
    /// # Errors
    /// If the name is invalid.
    pub(crate) fn announce(&self, name: &str) -> Result<StopSwitch, HttpError> {
        check_name(name)?;
        let stop = StopSwitch::new();
        let mut state = self.state();
        let tab = state.used(name);
        std::mem::replace(&mut tab.announced, stop.clone()).press();
        state.drop_oldest();
        Ok(stop)
    }

    /// Stops the search of a tab and waits until it has ended. `stop` comes from
    /// [`Tabs::announce`]; if it is pressed, a running search continues.
    pub(crate) async fn begin(&self, name: &str, stop: StopSwitch) -> SearchPermit {
        let running = {
            let mut state = self.state();
            let tab = state.used(name);
            if !stop.is_pressed() {
                tab.announced = StopSwitch::new();
                std::mem::replace(&mut tab.stop, stop.clone()).press();
            }
            let running = Arc::clone(&tab.running);
            state.drop_oldest();
            running
        };
        SearchPermit { stop, _running: running.lock_owned().await }
    }

    /// Stops the search of a tab. Unknown tabs are ignored.
    pub(crate) fn stop(&self, name: &str) {
        if let Some(tab) = self.state().tabs.get(name) {
            tab.press();
        }
    }

    /// Stops all searches.
    pub(crate) fn stop_all(&self) {
        self.state().tabs.values().for_each(Tab::press);
    }
}

impl Tab {
    /// Stops its searches.
    fn press(&self) {
        self.stop.press();
        self.announced.press();
    }
}

fn check_name(name: &str) -> Result<(), HttpError> {
    let is_plain = name.chars().all(|letter| letter.is_ascii_alphanumeric());
    if name.is_empty() || name.len() > NAME_LENGTH || !is_plain {
        let expected = format!("expected 1 to {NAME_LENGTH} letters and digits");
        return Err(HttpError::new(format!("invalid name of a tab {name:?}: {expected}")));
    }
    Ok(())
}

impl State {
    /// The tab of this name, as the one used last.
    fn used(&mut self, name: &str) -> &mut Tab {
        self.clock += 1;
        let tab = self.tabs.entry(name.to_string()).or_default();
        tab.last_used = self.clock;
        tab
    }

    /// Drops the tab used longest ago if there are too many.
    fn drop_oldest(&mut self) {
        if self.tabs.len() > MAX_TABS {
            let oldest = self.tabs.iter().min_by_key(|(_, tab)| tab.last_used);
            if let Some(name) = oldest.map(|(name, _)| name.clone())
                && let Some(tab) = self.tabs.remove(&name)
            {
                tab.press();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tab_used_longest_ago_makes_room() {
        let tabs = Tabs::new();
        let announce = |number| tabs.announce(&format!("tab{number}")).expect("a valid name");
        let stops: Vec<StopSwitch> = (0..=MAX_TABS).map(announce).collect();
        assert_eq!(tabs.state().tabs.len(), MAX_TABS);
        assert!(stops[0].is_pressed() && !stops[1].is_pressed());
    }
}
