//! Allocation of memory for the transposition table.

#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed};
use std::sync::atomic::AtomicU64;

use crate::memory;

/// Two words of one entry.
pub(super) type Pair = [AtomicU64; 2];

/// Allocates zeroed pairs without touching the memory: filling hundreds of megabytes would take
/// longer than some moves. `None` when the allocation fails.
pub(super) fn zeroed_pairs(count: usize) -> Option<Box<[Pair]>> {
    let layout = Layout::array::<Pair>(count).ok().filter(|layout| layout.size() > 0)?;
    // SAFETY: the layout is that of `count` pairs and not empty; zero is a valid word; the vector
    // frees the memory with the layout it was allocated with.
    let pairs = unsafe {
        let memory = memory::optionally(|| alloc_zeroed(layout));
        if memory.is_null() {
            return None;
        }
        advise_large_pages(memory, layout.size());
        Vec::from_raw_parts(memory.cast::<Pair>(), count, count)
    };
    // Everything else needs memory too.
    memory::has_room(0).then(|| pairs.into_boxed_slice())
}

/// Advises the system to back `bytes` of untouched memory with large pages. Accesses are spread
/// over the whole table: with small pages each one costs a page table walk in addition to its cache
/// line, and each first touch a page fault.
///
/// # Safety
/// The memory must be allocated.
unsafe fn advise_large_pages(memory: *mut u8, bytes: usize) {
    /// Size and alignment of a large page; also a multiple of the size of a small one.
    const LARGE_PAGE: usize = 2 << 20;
    let skipped = memory.align_offset(LARGE_PAGE);
    let Some(whole) = bytes.checked_sub(skipped).map(|rest| rest / LARGE_PAGE * LARGE_PAGE) else {
        return;
    };
    #[cfg(target_os = "linux")]
    // SAFETY: the range lies within the caller's memory; the call is advice and changes no data.
    unsafe {
        libc::madvise(memory.add(skipped).cast(), whole, libc::MADV_HUGEPAGE);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = whole;
}
