//! Crashes on request, in builds with debug assertions only: what the brain does when a search
//! panics can be tested no other way.
//!
//! `TENGEN_PLANTED_PANIC=main:5000` makes the main thread of every search panic once it has
//! visited 5000 nodes, `helper:5000` every other thread.

use std::sync::LazyLock;

static PLANTED: LazyLock<String> =
    LazyLock::new(|| std::env::var("TENGEN_PLANTED_PANIC").unwrap_or_default());

/// The main thread has visited so many nodes.
pub(super) fn main(nodes: u64) {
    check("main:", nodes);
}

/// A helper has visited so many nodes.
pub(super) fn helper(nodes: u64) {
    check("helper:", nodes);
}

fn check(thread: &str, nodes: u64) {
    let due = PLANTED.strip_prefix(thread).and_then(|count| count.parse::<u64>().ok());
    assert!(due.is_none_or(|count| nodes < count), "a planted panic after {nodes} nodes");
}
