//! The memory for request bodies, a part of `--memory`.
//!
//! A body counts from before it is received until it is handled. Bodies for which there is no
//! memory wait, and are refused after some time. Short requests have memory of their own, so that
//! uploads do not delay them.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Maximum size of a request body, in bytes.
pub(crate) const REQUEST_BYTES: usize = 256 << 10;
/// Maximum size of a request body that holds a file or a whole game tree, in bytes.
pub(crate) const FILE_BYTES: usize = 8 << 20;

/// Divisor of the server's memory for bodies that hold files.
const FILE_DIVISOR: u64 = 8;
/// Divisor of the server's memory for other bodies.
const REQUEST_DIVISOR: u64 = 16;
/// The unit that is counted, in bytes.
const UNIT: u64 = 1 << 10;
/// Time to wait for memory.
const WAIT: Duration = Duration::from_secs(20);

/// Memory for the bodies of all requests.
pub(crate) struct BodyBudget {
    files: Arc<Semaphore>,
    requests: Arc<Semaphore>,
    wait: Duration,
}

/// Memory for one body. Dropping it returns the memory.
#[derive(Debug)]
pub(crate) struct BodyMemory {
    _permit: OwnedSemaphorePermit,
}

impl BodyBudget {
    /// A part of the server's `memory`, in bytes; at least one body of each kind fits.
    pub(crate) fn new(memory: u64) -> BodyBudget {
        BodyBudget::with_wait(memory, WAIT)
    }

    fn with_wait(memory: u64, wait: Duration) -> BodyBudget {
        let part = |divisor: u64, least: usize| {
            let units = (memory / divisor).max(least as u64) / UNIT;
            let units = usize::try_from(units).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS);
            Arc::new(Semaphore::new(units))
        };
        BodyBudget {
            files: part(FILE_DIVISOR, FILE_BYTES),
            requests: part(REQUEST_DIVISOR, REQUEST_BYTES),
            wait,
        }
    }

    /// Bytes of `memory` that remain for searches.
    pub(crate) fn rest_of(memory: u64) -> u64 {
        memory - memory / FILE_DIVISOR - memory / REQUEST_DIVISOR
    }

    /// Memory for a body of `bytes`, which is at most `max_bytes`; `None` if there is none for some
    /// time.
    pub(crate) async fn take(&self, bytes: usize, max_bytes: usize) -> Option<BodyMemory> {
        let budget = if max_bytes > REQUEST_BYTES { &self.files } else { &self.requests };
        let units = u32::try_from((bytes as u64).div_ceil(UNIT)).ok()?;
        let permit = Arc::clone(budget).acquire_many_owned(units);
        timeout(self.wait, permit).await.ok()?.ok().map(|permit| BodyMemory { _permit: permit })
    }
}

#[cfg(test)]
mod tests {
    use tokio::runtime;

    use super::*;

    #[test]
    fn bodies_share_the_memory() {
        let runtime = runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let memory = 128 << 20;
        let budget = BodyBudget::with_wait(memory, Duration::ZERO);
        assert_eq!(BodyBudget::rest_of(memory), 104 << 20);
        let take = |bytes, max_bytes| runtime.block_on(budget.take(bytes, max_bytes));
        let first = take(FILE_BYTES, FILE_BYTES).unwrap();
        let second = take(FILE_BYTES - 1024, FILE_BYTES).unwrap();
        assert!(take(1025, FILE_BYTES).is_none());
        let third = take(1024, FILE_BYTES).unwrap();
        let short: Vec<_> = (0..32).map(|_| take(REQUEST_BYTES, REQUEST_BYTES).unwrap()).collect();
        assert!(take(1, REQUEST_BYTES).is_none());
        drop((second, short));
        assert!(take(FILE_BYTES, FILE_BYTES).is_none());
        drop((first, third));
        assert!(take(FILE_BYTES, FILE_BYTES).is_some());
        assert!(take(REQUEST_BYTES, REQUEST_BYTES).is_some());
    }

    #[test]
    fn largest_body_fits_in_the_smallest_memory() {
        let runtime = runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let budget = BodyBudget::with_wait(1, Duration::ZERO);
        assert!(runtime.block_on(budget.take(FILE_BYTES, FILE_BYTES)).is_some());
    }
}
