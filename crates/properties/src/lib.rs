//! Properties of the readers and of the protocol that hold for any bytes. The fuzz targets in
//! `fuzz/` call them, and the tests of this crate replay the corpus in `fuzz/corpus` with them.
//!
//! A property panics if it does not hold.

mod conversation;
mod files;
mod network;
mod session;
mod shard;

pub use files::{detected, piskvork, renlib, sgf};
pub use network::network;
pub use session::session;
pub use shard::shard;

/// A function that panics when the bytes break its property.
pub type Property = fn(&[u8]);

/// All properties, each with the name of its fuzz target and its folder in `fuzz/corpus`.
pub const PROPERTIES: [(&str, Property); 7] = [
    ("sgf", sgf),
    ("renlib", renlib),
    ("piskvork", piskvork),
    ("detected", detected),
    ("shard", shard),
    ("network", network),
    ("session", session),
];
