//! Reads the blocks of a shard, and finds the undamaged ones after damage.

use std::fmt;

use anyhow::{Context, ensure};

use super::header::ShardHeader;
use super::{BLOCK_BYTES, BLOCK_MAGIC, CHECKSUM_BYTES, HEADER_BYTES, MAGIC, VERSION};
use crate::checksums::Checksums;
use crate::training_game::TrainingGame;

/// Damage of a shard.
#[derive(Debug)]
pub struct ShardFault {
    /// Bytes from the start of the file.
    pub at: usize,
    /// The damage.
    pub what: String,
}

impl fmt::Display for ShardFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.at, self.what)
    }
}

/// Consecutive games.
#[derive(Debug)]
pub struct ShardBlock {
    /// Number of the first game.
    pub first: u64,
    /// The games.
    pub records: Vec<TrainingGame>,
}

/// The bytes of a shard, with its header read.
#[derive(Debug)]
pub struct Shard {
    bytes: Vec<u8>,
    /// Offset of the first block.
    pub(super) start: usize,
    /// The header.
    pub header: ShardHeader,
}

impl Shard {
    /// Whether the bytes start with the magic number of shards.
    pub fn has_magic(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Reads the header of a shard; [`Shard::blocks`] reads the blocks.
    ///
    /// # Errors
    /// When the bytes are not a shard of this version.
    pub fn parse(bytes: Vec<u8>) -> anyhow::Result<Shard> {
        ensure!(Shard::has_magic(&bytes), "not a shard");
        ensure!(bytes.len() >= HEADER_BYTES, "incomplete header");
        let version = u16::from_le_bytes(array(&bytes, 4));
        ensure!(version == VERSION, "unsupported version {version} (expected {VERSION})");
        let length = u32::from_le_bytes(array(&bytes, 6)) as usize;
        let end = HEADER_BYTES.saturating_add(length);
        let start = end.saturating_add(CHECKSUM_BYTES);
        ensure!(bytes.len() >= start, "incomplete header");
        let sum = u32::from_le_bytes(array(&bytes, end));
        ensure!(sum == crc32fast::hash(&bytes[..end]), "the header is damaged");
        let header =
            serde_json::from_slice(&bytes[HEADER_BYTES..end]).context("unsupported header")?;
        Ok(Shard { bytes, start, header })
    }

    /// The blocks in order. After damage the next undamaged block follows.
    pub fn blocks(&self) -> ShardBlocks<'_> {
        ShardBlocks { shard: self, at: self.start, scan: None }
    }

    /// The position of the checksum of the block at `at`, if the block ends within the file.
    fn checksum_place(&self, at: usize) -> Option<usize> {
        let bytes = self.bytes.get(at..)?;
        if bytes.len() < BLOCK_BYTES || !bytes.starts_with(BLOCK_MAGIC) {
            return None;
        }
        let end = BLOCK_BYTES.saturating_add(u32::from_le_bytes(array(bytes, 16)) as usize);
        (bytes.len() >= end.saturating_add(CHECKSUM_BYTES)).then_some(at + end)
    }

    /// The block that starts at `at`, and its end.
    fn block(&self, at: usize) -> anyhow::Result<(ShardBlock, usize)> {
        let bytes = &self.bytes[at..];
        ensure!(bytes.len() >= BLOCK_BYTES, "incomplete block");
        ensure!(bytes.starts_with(BLOCK_MAGIC), "not a block");
        let first = u64::from_le_bytes(array(bytes, 4));
        let games = u32::from_le_bytes(array(bytes, 12));
        let length = u32::from_le_bytes(array(bytes, 16)) as usize;
        let end = BLOCK_BYTES.saturating_add(length);
        ensure!(bytes.len() >= end.saturating_add(CHECKSUM_BYTES), "incomplete block");
        let sum = u32::from_le_bytes(array(bytes, end));
        ensure!(sum == crc32fast::hash(&bytes[..end]), "wrong checksum");
        let mut payload = &bytes[BLOCK_BYTES..end];
        let mut records = Vec::new();
        let end_of_games = first.checked_add(games.into()).context("game number out of range")?;
        for game in first..end_of_games {
            let record = TrainingGame::read(self.header.size, &mut payload);
            records.push(record.with_context(|| format!("game {game}"))?);
        }
        ensure!(payload.is_empty(), "the block is longer than its games");
        Ok((ShardBlock { first, records }, at + end + CHECKSUM_BYTES))
    }
}

/// The `N` bytes at `at`.
///
/// # Panics
/// When they lie outside `bytes`.
fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    std::array::from_fn(|index| bytes[at + index])
}

/// Iterator over the blocks of a shard.
pub struct ShardBlocks<'a> {
    shard: &'a Shard,
    at: usize,
    /// State of the search for undamaged blocks, created at the first damage.
    scan: Option<BlockScan>,
}

/// A search for undamaged blocks in linear time: any four bytes may look like the start of a block
/// that reaches to the end of the file.
struct BlockScan {
    checksums: Checksums,
    /// Number of bytes that may still be read from blocks that turn out to be invalid, since a
    /// checksum can be forged.
    budget: usize,
}

/// Maximum number of bytes to read from blocks that turn out to be invalid, as a multiple of the
/// file's size.
const SCAN_EFFORT: usize = 4;

impl ShardBlocks<'_> {
    /// The start of the next undamaged block from `from`; the end of the file if there is none.
    fn find_whole(&mut self, from: usize) -> usize {
        let Shard { bytes, .. } = self.shard;
        let scan = self.scan.get_or_insert_with(|| BlockScan {
            checksums: Checksums::of(bytes),
            budget: bytes.len().saturating_mul(SCAN_EFFORT),
        });
        for at in from..bytes.len() {
            let Some(end) = self.shard.checksum_place(at) else { continue };
            let sum = u32::from_le_bytes(array(bytes, end));
            if scan.checksums.of_range(bytes, at..end) != sum {
                continue;
            }
            if self.shard.block(at).is_ok() {
                return at;
            }
            let Some(budget) = scan.budget.checked_sub(end - at) else { break };
            scan.budget = budget;
        }
        bytes.len()
    }

    /// Offset of the next block in the file.
    pub fn place(&self) -> usize {
        self.at
    }
}

impl Iterator for ShardBlocks<'_> {
    type Item = Result<ShardBlock, ShardFault>;

    fn next(&mut self) -> Option<Result<ShardBlock, ShardFault>> {
        let bytes = &self.shard.bytes;
        let at = self.at;
        if at >= bytes.len() {
            return None;
        }
        match self.shard.block(at) {
            Ok((block, end)) => {
                self.at = end;
                Some(Ok(block))
            }
            Err(error) => {
                self.at = self.find_whole(at + 1);
                Some(Err(ShardFault { at, what: format!("{error:#}") }))
            }
        }
    }
}
