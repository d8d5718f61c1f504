//! Handles memory shortage: tables shrink, a search ends early, and as a last resort the brain
//! answers with its best move so far and exits, without output on standard error.
//!
//! By default, a Rust program aborts when an allocation fails. Three steps prevent this. Tables and
//! workers first check whether there is [room](has_room), and shrink if not. The allocator of the
//! brain ([`ReserveAllocator`]) keeps a reserve, which it frees when an allocation fails; it
//! [reports](is_low) this, so that searches end and the engine frees its memory. When the reserve
//! is used up as well, the allocator prints the [announced answer](announce) and exits.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System, alloc, dealloc};
use std::cell::Cell;
use std::fs::File;
use std::io::Write;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};

use tengen_rules::types::Point;

/// Memory that tables leave for everything else.
const HEADROOM: usize = 1 << 20;
/// The reserve of the allocator.
const RESERVE: Layout = match Layout::from_size_align(768 << 10, 16) {
    Ok(layout) => layout,
    Err(_) => panic!("a valid layout"),
};
/// The exit status when memory is exhausted.
const EXIT_STATUS: i32 = 1;

thread_local! {
    /// Whether allocations of this thread may fail.
    static IS_OPTIONAL: Cell<bool> = const { Cell::new(false) };
}

static RESERVED: AtomicPtr<u8> = AtomicPtr::new(ptr::null_mut());
static IS_LOW: AtomicBool = AtomicBool::new(false);
static IS_EXITING: AtomicBool = AtomicBool::new(false);
/// The announced answer: its length in the lowest byte, then its bytes; 0 for none.
static ANSWER: AtomicU64 = AtomicU64::new(0);
static OUTPUT: OnceLock<File> = OnceLock::new();

/// Whether the system has room for `bytes` more, plus some for everything else.
///
/// Tries two separate allocations: an allocator may keep freed memory, so sizes that will be
/// allocated later anyway change its behaviour least.
pub(crate) fn has_room(bytes: usize) -> bool {
    let reserve = |bytes| {
        let mut memory = Vec::<u8>::new();
        memory.try_reserve_exact(bytes).ok().map(|()| memory)
    };
    optionally(|| reserve(bytes).is_some_and(|_memory| reserve(HEADROOM).is_some()))
}

/// Halves `max` until a table of this number of units fits in memory, but not below `min`.
pub(crate) fn units_with_room(max: usize, min: usize, bytes_per_unit: usize) -> usize {
    halved(max, min, |units| units.checked_mul(bytes_per_unit).is_some_and(has_room))
}

/// Halves `max` until it `fits`, but not below `min`.
pub(crate) fn halved(mut max: usize, min: usize, fits: impl Fn(usize) -> bool) -> usize {
    while max > min && !fits(max) {
        max /= 2;
    }
    max
}

/// Runs an allocation that may fail.
pub(crate) fn optionally<T>(allocate: impl FnOnce() -> T) -> T {
    let before = IS_OPTIONAL.replace(true);
    let result = allocate();
    IS_OPTIONAL.set(before);
    result
}

/// Whether the allocator has freed its reserve. Searches then end early, and the engine must free
/// memory and call [`restore_reserve`].
#[inline]
pub(crate) fn is_low() -> bool {
    IS_LOW.load(Ordering::Relaxed)
}

/// Fills the reserve again, if the system has the memory.
pub(crate) fn restore_reserve() {
    if HAS_ALLOCATOR.load(Ordering::Relaxed) && RESERVED.load(Ordering::Relaxed).is_null() {
        // SAFETY: the layout is not empty.
        let memory = optionally(|| unsafe { alloc(RESERVE) });
        let old = RESERVED.swap(memory, Ordering::AcqRel);
        // SAFETY: memory stored there by another thread came from the same allocator.
        unsafe { free_reserve(old) };
    }
    IS_LOW.store(false, Ordering::Relaxed);
}

/// Sets the answer to print if memory is exhausted; `None` if no answer is due.
pub(crate) fn announce(answer: Option<Point>) {
    ANSWER.store(answer.map_or(0, packed), Ordering::Relaxed);
}

/// The line of an answer with its length in one word.
fn packed(point: Point) -> u64 {
    let (text, length) = answer_line(point);
    text.iter().rev().fold(0, |packed, &byte| packed << 8 | u64::from(byte)) << 8 | length
}

/// `x,y` with its line end, at most seven bytes, and their number; without an allocation.
fn answer_line(point: Point) -> ([u8; 7], u64) {
    let mut line = [0; 7];
    let mut rest = &mut line[..];
    // Coordinates have two digits at most.
    let written = writeln!(rest, "{},{}", point.x(), point.y());
    let length = 7 - rest.len() as u64;
    if written.is_ok() { (line, length) } else { ([0; 7], 0) }
}

/// Whether [`ReserveAllocator`] is the allocator of the program.
static HAS_ALLOCATOR: AtomicBool = AtomicBool::new(false);

/// Fills the reserve of a program whose allocator is [`ReserveAllocator`]. The announced answer
/// goes to `output`.
pub fn prepare(output: Option<File>) {
    if let Some(output) = output {
        // Only the first output is used.
        let _ = OUTPUT.set(output);
    }
    HAS_ALLOCATOR.store(true, Ordering::Relaxed);
    restore_reserve();
}

/// The allocator of the brain. It wraps an allocator that may fail.
pub struct ReserveAllocator<A = System>(pub A);

impl<A: GlobalAlloc> ReserveAllocator<A> {
    /// Frees the reserve and repeats a failed allocation. If it fails again, prints the announced
    /// answer and exits. An allocation that may fail returns null instead.
    fn after_refusal(&self, attempt: impl Fn() -> *mut u8) -> *mut u8 {
        if IS_OPTIONAL.get() {
            return ptr::null_mut();
        }
        IS_LOW.store(true, Ordering::Relaxed);
        let reserve = RESERVED.swap(ptr::null_mut(), Ordering::AcqRel);
        // SAFETY: only the thread that swapped it out frees it.
        unsafe { free_reserve(reserve) };
        let memory = attempt();
        if memory.is_null() { exit_with_answer() } else { memory }
    }
}

/// Frees the reserve.
///
/// # Safety
/// The memory must be null or a reserve that no other thread frees.
unsafe fn free_reserve(memory: *mut u8) {
    if !memory.is_null() {
        // SAFETY: it was allocated with this layout by this allocator.
        unsafe { dealloc(memory, RESERVE) };
    }
}

/// Prints the announced answer and exits.
fn exit_with_answer() -> ! {
    if IS_EXITING.swap(true, Ordering::AcqRel) {
        // Another thread is exiting, or this thread allocates while it exits.
        loop {
            std::thread::park();
        }
    }
    let packed = ANSWER.load(Ordering::Relaxed).to_le_bytes();
    if let Some(mut output) = OUTPUT.get() {
        let length = usize::from(packed[0]).min(7);
        // There is no way to handle an error.
        let _ = output.write_all(&packed[1..1 + length]);
    }
    std::process::exit(EXIT_STATUS)
}

// SAFETY: every call goes to the inner allocator with the arguments of the caller, at most twice, and
// the result of the last one is returned.
unsafe impl<A: GlobalAlloc> GlobalAlloc for ReserveAllocator<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: guaranteed by the caller.
        let attempt = || unsafe { self.0.alloc(layout) };
        let memory = attempt();
        if memory.is_null() { self.after_refusal(attempt) } else { memory }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: guaranteed by the caller.
        let attempt = || unsafe { self.0.alloc_zeroed(layout) };
        let memory = attempt();
        if memory.is_null() { self.after_refusal(attempt) } else { memory }
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // SAFETY: guaranteed by the caller; a failed call leaves the old memory unchanged.
        let attempt = || unsafe { self.0.realloc(old, layout, bytes) };
        let memory = attempt();
        if memory.is_null() { self.after_refusal(attempt) } else { memory }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: guaranteed by the caller.
        unsafe { self.0.dealloc(memory, layout) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answer_lines_fit() {
        for (x, y, text) in [(0, 0, "0,0\n"), (7, 12, "7,12\n"), (35, 35, "35,35\n")] {
            let (line, length) = answer_line(Point::new(x, y));
            assert_eq!(&line[..length as usize], text.as_bytes());
        }
    }

    #[test]
    fn announced_answer_is_unpacked_as_it_was() {
        let packed = packed(Point::new(10, 9)).to_le_bytes();
        assert_eq!(&packed[1..1 + usize::from(packed[0])], b"10,9\n");
    }

    #[test]
    fn sizes_are_halved_until_there_is_room() {
        for (fits, units) in [(usize::MAX, 1 << 40), (1 << 20, 1 << 20), (0, 1 << 8)] {
            assert_eq!(halved(1 << 40, 1 << 8, |units| units <= fits), units);
        }
        // More than the address space.
        assert!(!has_room(1 << 62));
        assert!(units_with_room(1 << 62, 1 << 8, 8) < 1 << 62);
    }
}
