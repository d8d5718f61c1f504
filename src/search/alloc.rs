//! Memory for the transposition table, and when it is fetched. Unsafe code is here and in
//! `eval::network::simd`, nowhere else.

#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed};
use std::sync::atomic::AtomicU64;

/// Two words that belong together.
pub(super) type Pair = [AtomicU64; 2];

/// Pairs of zeros, without touching them: filling hundreds of megabytes would take longer than
/// some moves. `None` when the system refuses the memory.
pub(super) fn zeroed_pairs(count: usize) -> Option<Box<[Pair]>> {
    let layout = Layout::array::<Pair>(count).ok().filter(|layout| layout.size() > 0)?;
    // SAFETY: the layout is that of `count` pairs and not empty; zero is a valid word; the vector
    // frees the memory with the layout it was taken with.
    let pairs = unsafe {
        let memory = alloc_zeroed(layout);
        if memory.is_null() {
            return None;
        }
        ask_for_large_pages(memory, layout.size());
        Vec::from_raw_parts(memory.cast::<Pair>(), count, count)
    };
    Some(pairs.into_boxed_slice())
}

/// Asks for the memory of `pairs` before it is read. A hint: without it everything works, but
/// slower.
#[inline]
pub(super) fn prefetch(pairs: &[Pair]) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch only takes an address and never faults; SSE is part of x86-64.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(pairs.as_ptr().cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = pairs;
}

/// Asks the system to back `bytes` of memory that nobody has touched with large pages. Entries
/// lie all over the table: with small pages each one costs a walk through the page tables
/// besides its own cache line, and each first touch a trip into the system.
///
/// # Safety
/// The memory must be allocated.
unsafe fn ask_for_large_pages(memory: *mut u8, bytes: usize) {
    /// Size and alignment of a large page, and at least of a small one.
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
