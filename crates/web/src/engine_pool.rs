//! A pool of engines. Each tab borrows an engine slot, if possible the one it had before, whose
//! hash table still holds its last search.

use std::sync::{Mutex, MutexGuard};

use crate::response::HttpError;
use serde::Deserialize;
use serde_json::{Value, json};
use tengen::engine::Networks;
use tengen_page_api::EngineSlot;

/// Shares of the memory, one for each slot. The first is large: usually only one tab searches.
const SHARES: [u64; 4] = [5, 1, 1, 1];
/// Sum of the shares.
const ALL_SHARES: u64 = 8;

/// The least memory of a slot that a page may choose, in MiB.
const LEAST_MEBIBYTES: u64 = 16;

/// The resources that a page chose for its searches.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(crate) struct Resources {
    threads: Option<usize>,
    memory_mib: Option<u64>,
}

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
        let slot = EngineSlot::new(self.threads, self.share(number), self.networks.clone());
        PooledSlot { number, tab: String::new(), slot }
    }

    fn free(&self) -> MutexGuard<'_, Vec<PooledSlot>> {
        self.free.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The bytes of a slot.
    fn share(&self, number: usize) -> u64 {
        self.memory / ALL_SHARES * SHARES[number]
    }

    /// The most search threads that a page may choose: those of the command line, or one for each
    /// core.
    fn most_threads(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.max(cores)
    }

    /// The resources that a page may choose: the least, the most, and the usual value of each.
    pub(crate) fn choices(&self) -> Value {
        let most = self.share(0) >> 20;
        json!({
            "threads": { "least": 1, "most": self.most_threads(), "usual": self.threads },
            "memory_mib": { "least": LEAST_MEBIBYTES.min(most), "most": most, "usual": most },
        })
    }

    /// Takes a free slot: the one the tab used last, or the largest. It gets the chosen resources, as
    /// far as its share allows.
    ///
    /// # Errors
    /// If all slots are in use.
    pub(crate) fn take(&self, tab: &str, chosen: Resources) -> Result<PooledSlot, HttpError> {
        let mut pooled = self.take_free(tab)?;
        let share = self.share(pooled.number);
        let wanted = chosen.memory_mib.map(|mib| mib.max(LEAST_MEBIBYTES).saturating_mul(1 << 20));
        let threads = chosen.threads.unwrap_or(self.threads).clamp(1, self.most_threads());
        pooled.slot.set_resources(threads, wanted.map_or(share, |bytes| bytes.min(share)));
        Ok(pooled)
    }

    fn take_free(&self, tab: &str) -> Result<PooledSlot, HttpError> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_resources_stay_within_the_share() {
        let pool = EnginePool::new(1, 128 << 20, Networks::default());
        let most = &pool.choices()["memory_mib"]["most"];
        assert_eq!(most, &json!(80));
        assert_eq!(pool.choices()["threads"]["usual"], 1);
        let with = |threads, memory_mib| {
            let pooled = pool.take("a", Resources { threads, memory_mib }).unwrap();
            let resources = pooled.slot.resources();
            pool.put(pooled);
            resources
        };
        let cores = pool.most_threads();
        assert_eq!(with(None, None), (1, 80 << 20));
        assert_eq!(with(Some(1000), Some(32)), (cores, 32 << 20));
        assert_eq!(with(Some(0), Some(0)), (1, LEAST_MEBIBYTES << 20));
        assert_eq!(with(None, Some(u64::MAX)), (1, 80 << 20));
    }
}
