//! Games in which allocations fail: every request is answered with a legal move.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io::{self, Cursor, Write};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use tengen::memory::{ReserveAllocator, prepare};
use tengen::protocol::{Conversation, Reply, Session, serve};
use tengen::search::STACK_BYTES;
use tengen_rules::types::Point;

/// An allocator with a limit in bytes, which can also fail at a single allocation, or at every n-th one.
struct Refusing;

/// Bytes in use.
static USED: AtomicUsize = AtomicUsize::new(0);
/// Bytes that may be in use.
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);
/// Number of allocations until one fails.
static COUNTDOWN: AtomicUsize = AtomicUsize::new(usize::MAX);
/// Number of allocations from one failure to the next; 0 for none.
static PERIOD: AtomicUsize = AtomicUsize::new(0);
/// Number of allocations, while there is a period.
static COUNT: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Whether the last allocation of this thread was refused because of the period. The next one is
    /// its repetition.
    static WAS_REFUSED: Cell<bool> = const { Cell::new(false) };
}

impl Refusing {
    fn admits(bytes: usize) -> bool {
        let is_counted_out = COUNTDOWN.load(Ordering::Relaxed) != usize::MAX
            && COUNTDOWN.fetch_sub(1, Ordering::Relaxed) == 0;
        if is_counted_out {
            COUNTDOWN.store(usize::MAX, Ordering::Relaxed);
            return false;
        }
        let period = PERIOD.load(Ordering::Relaxed);
        let was_refused = WAS_REFUSED.replace(false);
        if period > 0
            && !was_refused
            && COUNT.fetch_add(1, Ordering::Relaxed) % period == period - 1
        {
            WAS_REFUSED.set(true);
            return false;
        }
        let used = USED.fetch_add(bytes, Ordering::Relaxed);
        let fits = used.saturating_add(bytes) <= LIMIT.load(Ordering::Relaxed);
        if !fits {
            USED.fetch_sub(bytes, Ordering::Relaxed);
        }
        fits
    }
}

// SAFETY: all memory comes from the system's allocator and goes back to it with the same layout.
unsafe impl GlobalAlloc for Refusing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: guaranteed by the caller.
        if Refusing::admits(layout.size()) {
            unsafe { System.alloc(layout) }
        } else {
            ptr::null_mut()
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if Refusing::admits(layout.size()) {
            // SAFETY: guaranteed by the caller.
            unsafe { System.alloc_zeroed(layout) }
        } else {
            ptr::null_mut()
        }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: guaranteed by the caller.
        unsafe { System.dealloc(memory, layout) };
        USED.fetch_sub(layout.size(), Ordering::Relaxed);
    }
}

/// If the reserve did not suffice, this would end the test with status 1.
#[global_allocator]
static ALLOCATOR: ReserveAllocator<Refusing> = ReserveAllocator(Refusing);

/// One test at a time changes the limits.
static TURN: Mutex<()> = Mutex::new(());

/// Holds a conversation of a session of its own on a thread with the stack of a search, and returns
/// the moves.
fn moves(text: &str) -> Vec<Point> {
    let text = text.to_string();
    let talk = move || Conversation::new(Session::default()).send(text);
    let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn(talk).unwrap();
    let replies = thread.join().unwrap();
    let found = replies.iter().filter_map(|reply| match reply {
        Reply::Move(point) => Some(*point),
        Reply::Error(text) | Reply::Unknown(text) => panic!("{text}"),
        _ => None,
    });
    found.collect()
}

/// Every kind of request, on small and large boards, with one thread and two, at a level.
const REQUESTS: &str = "START 15\nINFO max_node 1500\nINFO timeout_turn 20000\n\
    BOARD\n7,7,1\n8,8,2\n7,8,1\n8,7,2\n10,9,1\n6,6,2\nDONE\nTURN 0,0\nINFO thread_num 2\nTURN 0,2\n\
    INFO thread_num 1\nINFO checkmate 2\nTURN 0,4\nSTART 36\nBEGIN\nTURN 1,1\nSTART 20\nINFO rule 4\n\
    BEGIN\nTURN 3,3\nINFO strength 50\nTURN 5,5\nINFO strength 100\nTURN 5,7\n";

#[test]
fn every_request_is_answered_at_every_limit() {
    let _turn = TURN.lock().unwrap();
    prepare(None);
    let whole = moves(REQUESTS).len();
    assert_eq!(whole, 10);
    for mib in [5, 6, 7, 8, 10, 12, 16, 20, 24, 32, 48, 64] {
        let used = USED.load(Ordering::Relaxed);
        LIMIT.store(used + (mib << 20), Ordering::Relaxed);
        let found = moves(REQUESTS);
        LIMIT.store(usize::MAX, Ordering::Relaxed);
        assert_eq!(found.len(), whole, "{mib} MiB");
    }
}

/// As many allocations as such a session has, each refused once.
#[test]
fn every_allocation_may_be_refused_once() {
    let _turn = TURN.lock().unwrap();
    prepare(None);
    let text = "START 15\nINFO max_node 300\nBOARD\n7,7,1\n8,8,2\n7,8,1\n8,7,2\nDONE\nTURN 0,0\n";
    let few = moves(text).len();
    for first in 0..4 {
        let mut refused = first;
        loop {
            COUNTDOWN.store(refused, Ordering::Relaxed);
            let found = moves(text);
            let was_refused = COUNTDOWN.swap(usize::MAX, Ordering::Relaxed) == usize::MAX;
            assert_eq!(found.len(), few, "allocation {refused}");
            if !was_refused {
                break;
            }
            refused += 4 + refused / 8;
        }
    }
}

/// Output of a session, shared with the test.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The moves of a whole program: with the start of its threads, and a manager that waits for no answer.
fn served_moves(text: &'static str) -> usize {
    let output = Shared::default();
    serve(Cursor::new(text), output.clone()).unwrap();
    let output = String::from_utf8(output.0.lock().unwrap().clone()).unwrap();
    let lines = || output.lines().filter(|line| !line.starts_with("MESSAGE "));
    assert!(!lines().any(|line| line.starts_with(['E', 'U'])), "{output}");
    lines().filter(|line| line.starts_with(|first: char| first.is_ascii_digit())).count()
}

/// A refused allocation is repeated once the reserve is freed. The repetitions succeed.
#[test]
fn every_nth_allocation_may_be_refused() {
    let _turn = TURN.lock().unwrap();
    prepare(None);
    let whole = moves(REQUESTS).len();
    let start = "START 15\nINFO max_node 300\nBOARD\n7,7,1\n8,8,2\n7,8,1\n8,7,2\nDONE\n";
    assert_eq!(served_moves(start), 1);
    for period in [1, 2, 3, 4, 5, 7, 11, 16, 31, 64, 257, 1000] {
        COUNT.store(0, Ordering::Relaxed);
        PERIOD.store(period, Ordering::Relaxed);
        let (found, served) = (moves(REQUESTS), served_moves(start));
        PERIOD.store(0, Ordering::Relaxed);
        assert!(COUNT.load(Ordering::Relaxed) > 2 * period, "allocations");
        assert_eq!((found.len(), served), (whole, 1), "every allocation number {period}");
    }
}
