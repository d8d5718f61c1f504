//! Shards: files of games with a header, which states their origin, and blocks with checksums.
//!
//! ```text
//! header:  "TGSP", version (u16), length (u32), JSON of that length, CRC-32 of the bytes before
//! block:   "TGBL", first game (u64), games (u32), length (u32), records of that length,
//!          CRC-32 of the block before
//! ```
//!
//! Numbers are little-endian. A block is written in one step, so that a stop loses at most one block.
//! An incomplete block is removed when the shard is continued. A change of written bytes replaces the
//! whole file atomically.

mod header;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use header::{ShardHeader, ShardOrigin};
pub use read::{Shard, ShardFault};
pub use write::ShardWriter;

const MAGIC: &[u8] = b"TGSP";
const VERSION: u16 = 1;
const BLOCK_MAGIC: &[u8] = b"TGBL";
/// Bytes of a header before its text.
const HEADER_BYTES: usize = 10;
/// Bytes of a block before its records.
const BLOCK_BYTES: usize = 20;
const CHECKSUM_BYTES: usize = 4;
