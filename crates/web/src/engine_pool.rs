//! A pool of engines. Each tab borrows an engine slot, if possible the one it had before, whose
//! hash table still holds its last search.

use std::sync::{Mutex, MutexGuard};

use crate::response::HttpError;
use tengen::engine::Networks;
use tengen_page_api::EngineSlot;

/// Shares of the memory, one for each slot. The first is large: usually only one tab searches.
const SHARES: [u64; 4] = [5, 1, 1, 1];
/// Sum of the shares.
const ALL_SHARES: u64 = 8;

/// The engine slots not in use.
pub(crate) struct EnginePool {
    /// Search threads of each engine.
    threads: usize,
    /// Bytes of all slots together.
    memory: u64,
    networks: Networks,
    free: Mutex<Vec<PooledSlot>>,
}

/// A slot of the pool.
pub(crate) struct PooledSlot {
    number: usize,
    /// The tab that used the slot last.
    tab: String,
    pub(crate) slot: EngineSlot,
}

impl PooledSlot {
    /// The index of the slot in the pool.
    pub(crate) fn number(&self) -> usize {
        self.number
    }
}

impl EnginePool {
    /// A pool with `memory` bytes. A slot allocates its share when it is first used.
    pub(crate) fn new(threads: usize, memory: u64, networks: Networks) -> EnginePool {
        let pool = EnginePool { threads, memory, networks, free: Mutex::default() };
        let slots = (0..SHARES.len()).map(|number| pool.new_slot(number)).collect();
        *pool.free() = slots;
        pool
    }

    fn new_slot(&self, number: usize) -> PooledSlot {
        let bytes = self.memory / ALL_SHARES * SHARES[number];
        let slot = EngineSlot::new(self.threads, bytes, self.networks.clone());
        PooledSlot { number, tab: String::new(), slot }
    }

    fn free(&self) -> MutexGuard<'_, Vec<PooledSlot>> {
        self.free.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Takes a free slot: the one the tab used last, or the largest.
    ///
    /// # Errors
    /// If all slots are in use.
    pub(crate) fn take(&self, tab: &str) -> Result<PooledSlot, HttpError> {
        let mut free = self.free();
        let rank = |slot: &PooledSlot| (slot.tab != tab, slot.number);
        let best = (0..free.len()).min_by_key(|&index| rank(&free[index]));
        let Some(index) = best else {
            return Err(HttpError::engines_busy(SHARES.len()));
        };
        let mut slot = free.swap_remove(index);
        slot.tab = tab.to_string();
        Ok(slot)
    }

    /// Returns a slot.
    pub(crate) fn put(&self, slot: PooledSlot) {
        self.free().push(slot);
    }

    /// Adds a new slot for one that was lost in a crash.
    pub(crate) fn replace(&self, number: usize) {
        let slot = self.new_slot(number);
        self.put(slot);
    }
}
