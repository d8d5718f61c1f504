//! Hints to the processor about memory that will be read soon.

#![allow(unsafe_code)]

/// Prefetches the memory at `place`. Only a hint: it affects speed, not results.
///
/// WebAssembly cannot prefetch. There `read` loads a word of it, which is not used: the processor
/// goes on before the load is complete.
#[inline]
pub(crate) fn prefetch<T>(place: &T, read: impl FnOnce(&T) -> u64) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch only takes an address and never faults; SSE is part of x86-64.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>((&raw const *place).cast());
    }
    #[cfg(target_arch = "wasm32")]
    let _ = std::hint::black_box(read(place));
    #[cfg(not(target_arch = "wasm32"))]
    let _ = read;
    #[cfg(not(any(target_arch = "x86_64", target_arch = "wasm32")))]
    let _ = place;
}
