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

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};

use super::checksums::Checksums;
use super::training_game::TrainingGame;
use tengen_cli::atomic_file;
use tengen_rules::types::{BoardSize, Rule};

const MAGIC: &[u8] = b"TGSP";
const VERSION: u16 = 1;
const BLOCK_MAGIC: &[u8] = b"TGBL";
/// Bytes of a header before its text.
const HEADER_BYTES: usize = 10;
/// Bytes of a block before its records.
const BLOCK_BYTES: usize = 20;
const CHECKSUM_BYTES: usize = 4;

/// The header of a shard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardHeader {
    #[serde(with = "as_text")]
    pub rule: Rule,
    #[serde(with = "as_text")]
    pub size: BoardSize,
    /// Number of the first game.
    pub first: u64,
    /// Games that the shard holds when it is complete.
    pub games: u64,
    pub origin: ShardOrigin,
}

/// The origin of the games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ShardOrigin {
    /// `tengen selfplay`. A game depends on these settings and its number.
    Selfplay {
        /// Seed of the random numbers.
        seed: u64,
        /// Nodes for a move.
        nodes: u64,
        /// Openings are balanced within this score.
        balance: i32,
        /// Percentage of games that start from a position in a search tree.
        #[serde(default)]
        tree_starts: u32,
        /// Labelled positions from the search trees of a game.
        labels: usize,
        /// Nodes for a label.
        label_nodes: u64,
        /// Cutoffs from the search trees of a game.
        cutoffs: usize,
        /// The signature of search and weights, which `tengen bench` prints.
        signature: u64,
    },
    /// Merged by `tengen data` from other files.
    Files,
}

impl ShardHeader {
    /// Whether both shards are parts of one run of `tengen selfplay`, apart from the signature.
    pub(super) fn is_same_run(&self, other: &ShardHeader) -> bool {
        let mut like = other.origin.clone();
        if let (
            ShardOrigin::Selfplay { signature, .. },
            ShardOrigin::Selfplay { signature: to, .. },
        ) = (&self.origin, &mut like)
        {
            *to = *signature;
        }
        let is_made = matches!(self.origin, ShardOrigin::Selfplay { .. });
        is_made && self.origin == like && (self.rule, self.size) == (other.rule, other.size)
    }

    /// The first field that differs, with both values; `None` if the headers are equal. The number of
    /// games does not count: it can grow.
    pub(super) fn difference(&self, other: &ShardHeader) -> Option<String> {
        let fields = |header: &ShardHeader| {
            let mut fields = BTreeMap::new();
            flatten(serde_json::to_value(header).unwrap_or_default(), "", &mut fields);
            fields.remove("games");
            fields
        };
        let (own, others) = (fields(self), fields(other));
        let missing = serde_json::Value::Null;
        own.keys().chain(others.keys()).find_map(|key| {
            let values = [&own, &others].map(|fields| fields.get(key).unwrap_or(&missing));
            let [own, other] = values;
            (own != other).then(|| format!("{key} is {own}, expected {other}"))
        })
    }
}

/// Collects the fields of objects in objects under their own names.
fn flatten(value: serde_json::Value, name: &str, fields: &mut BTreeMap<String, serde_json::Value>) {
    match value {
        serde_json::Value::Object(object) => {
            object.into_iter().for_each(|(name, value)| flatten(value, &name, fields));
        }
        value => drop(fields.insert(name.to_string(), value)),
    }
}

/// Serializes values of a header as the text that the command line reads.
mod as_text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<T: Display, S: Serializer>(
        value: &T,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_str(value)
    }

    pub(super) fn deserialize<'de, T, D>(from: D) -> Result<T, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

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
    start: usize,
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

/// A shard that is being written.
#[derive(Debug)]
pub struct ShardWriter {
    path: PathBuf,
    file: File,
    size: BoardSize,
    /// Bytes up to the end of the last complete block that is kept.
    length: u64,
    /// Number of the next game.
    next: u64,
    /// Where the last block starts, and its games.
    last: Option<(u64, ShardBlock)>,
    /// Whether a block follows in the file that the next block replaces.
    is_reopened: bool,
}

impl ShardWriter {
    /// Starts a shard, or continues it after removing an incomplete last block.
    ///
    /// # Errors
    /// When the file cannot be read or written, is not a shard, has another header, or is damaged
    /// before its end.
    pub fn open(path: &Path, header: &ShardHeader) -> anyhow::Result<ShardWriter> {
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let text = serde_json::to_vec(header)?;
        let mut start = MAGIC.to_vec();
        start.extend(VERSION.to_le_bytes());
        start.extend((text.len() as u32).to_le_bytes());
        start.extend(text);
        start.extend(crc32fast::hash(&start).to_le_bytes());
        let mut writer = ShardWriter {
            path: path.to_path_buf(),
            file,
            size: header.size,
            length: 0,
            next: header.first,
            last: None,
            is_reopened: false,
        };
        if start.starts_with(&bytes) && bytes.len() < start.len() {
            writer.append(&start)?;
            return Ok(writer);
        }
        let shard = Shard::parse(bytes)?;
        if let Some(difference) = shard.header.difference(header) {
            bail!("different header: {difference}");
        }
        let mut blocks = shard.blocks();
        writer.length = blocks.place() as u64;
        loop {
            let place = blocks.place() as u64;
            let Some(block) = blocks.next() else { break };
            match block {
                Ok(block) => {
                    ensure!(
                        block.first == writer.next,
                        "game {}, expected game {}",
                        block.first,
                        writer.next
                    );
                    writer.next += block.records.len() as u64;
                    writer.length = blocks.place() as u64;
                    writer.last = Some((place, block));
                }
                Err(fault) => {
                    ensure!(blocks.next().is_none(), "{fault}, before undamaged blocks");
                }
            }
        }
        writer.file.set_len(writer.length)?;
        if shard.header.games < header.games {
            writer.grow(shard.start as u64, start)?;
        }
        Ok(writer)
    }

    /// Writes the header of a shard for more games, which may be longer than the present one of
    /// `before` bytes: all blocks move.
    fn grow(&mut self, before: u64, header: Vec<u8>) -> anyhow::Result<()> {
        let moved = |place: u64| place - before + header.len() as u64;
        let length = moved(self.length);
        if let Some((place, _)) = &mut self.last {
            *place = moved(*place);
        }
        let mut bytes = header;
        self.file.seek(SeekFrom::Start(before))?;
        self.file.read_to_end(&mut bytes)?;
        self.replace(&bytes)?;
        self.length = length;
        Ok(())
    }

    /// Replaces the file. A full disk or an interruption leaves the old content.
    fn replace(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        atomic_file::write(&self.path, bytes)?;
        self.file = OpenOptions::new().read(true).write(true).open(&self.path)?;
        Ok(())
    }

    /// Takes back the last block if it has fewer than `games` games, so that [`ShardWriter::write`]
    /// replaces it by a longer one that begins with the same games, which are returned. The file keeps
    /// them until then.
    pub(super) fn reopen_last_block(&mut self, games: u64) -> Vec<TrainingGame> {
        match self.last.take() {
            Some((place, block)) if (block.records.len() as u64) < games => {
                (self.length, self.next) = (place, block.first);
                self.is_reopened = true;
                block.records
            }
            _ => Vec::new(),
        }
    }

    /// Number of the next game.
    pub fn next_game(&self) -> u64 {
        self.next
    }

    /// Number of bytes before the next block.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Writes a block.
    ///
    /// # Errors
    /// When the block cannot be written; the file then ends with the previous block.
    pub fn write(&mut self, records: &[TrainingGame]) -> anyhow::Result<()> {
        let mut payload = Vec::new();
        records.iter().for_each(|record| record.write(self.size, &mut payload));
        let mut bytes = BLOCK_MAGIC.to_vec();
        bytes.extend(self.next.to_le_bytes());
        bytes.extend((records.len() as u32).to_le_bytes());
        bytes.extend(u32::try_from(payload.len()).context("block too long")?.to_le_bytes());
        bytes.extend(payload);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        if self.is_reopened {
            self.replace_last_block(&bytes)?;
        } else {
            self.append(&bytes)?;
        }
        self.next += records.len() as u64;
        Ok(())
    }

    /// Replaces the reopened block. This writes a whole new file: overwriting the block could lose its
    /// games.
    fn replace_last_block(&mut self, block: &[u8]) -> anyhow::Result<()> {
        let mut bytes = Vec::new();
        self.file.rewind()?;
        (&self.file).take(self.length).read_to_end(&mut bytes)?;
        bytes.extend(block);
        self.replace(&bytes)?;
        self.length = bytes.len() as u64;
        self.is_reopened = false;
        Ok(())
    }

    fn append(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.file.seek(SeekFrom::Start(self.length))?;
        if let Err(error) = self.file.write_all(bytes).and_then(|()| self.file.flush()) {
            // Remove the incomplete block. If this fails, `open` removes it later.
            let _ = self.file.set_len(self.length);
            bail!(error);
        }
        self.length += bytes.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::data_file::DataFile;
    use super::super::training_game::tests::example;
    use super::*;

    fn header() -> ShardHeader {
        ShardHeader {
            rule: Rule::Renju,
            size: BoardSize::square(15).unwrap(),
            first: 10,
            games: 5,
            origin: ShardOrigin::Files,
        }
    }

    /// Writes a shard of two blocks, with three and two games, and returns its bytes and the offsets
    /// of the blocks.
    fn write_whole(path: &Path) -> (Vec<u8>, [usize; 2]) {
        let mut writer = ShardWriter::open(path, &header()).unwrap();
        assert_eq!(writer.next_game(), 10);
        let first = writer.length as usize;
        writer.write(&[example(), example(), example()]).unwrap();
        let second = writer.length as usize;
        writer.write(&[example(), example()]).unwrap();
        (std::fs::read(path).unwrap(), [first, second])
    }

    #[test]
    fn shards_are_read_as_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        write_whole(&path);
        let shard = Shard::parse(std::fs::read(&path).unwrap()).unwrap();
        assert_eq!(shard.header, header());
        let blocks: Vec<ShardBlock> = shard.blocks().map(Result::unwrap).collect();
        let games: Vec<_> = blocks.iter().map(|block| (block.first, block.records.len())).collect();
        assert_eq!(games, [(10, 3), (13, 2)]);
        assert!(blocks.iter().flat_map(|block| &block.records).all(|it| *it == example()));
    }

    #[test]
    fn incomplete_shards_continue_after_the_last_complete_block() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let (whole, [first, second]) = write_whole(&path);
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let mut writer = ShardWriter::open(&path, &header()).unwrap();
            assert_eq!(writer.next_game(), if length < second { 10 } else { 13 }, "{length}");
            if length < second {
                assert_eq!(writer.length as usize, first);
                writer.write(&[example(), example(), example()]).unwrap();
            }
            writer.write(&[example(), example()]).unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), whole);
        }
    }

    /// A write that fails or is interrupted must not destroy games of earlier runs.
    #[cfg(unix)]
    #[test]
    fn written_bytes_are_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let (whole, _) = write_whole(&path);
        let read = |file: &mut File| {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).unwrap();
            bytes
        };
        // A longer header, then a longer last block.
        let mut before = File::open(&path).unwrap();
        let mut writer =
            ShardWriter::open(&path, &ShardHeader { games: 1_000, ..header() }).unwrap();
        let grown = std::fs::read(&path).unwrap();
        assert!(grown.len() > whole.len());
        assert_eq!(read(&mut before), whole);
        let mut before = File::open(&path).unwrap();
        let mut games = writer.reopen_last_block(3);
        assert_eq!((games.len(), writer.next_game()), (2, 13));
        assert_eq!(std::fs::read(&path).unwrap(), grown);
        games.push(example());
        writer.write(&games).unwrap();
        assert_eq!(read(&mut before), grown);
        writer.write(&[example()]).unwrap();
        let shard = Shard::parse(std::fs::read(&path).unwrap()).unwrap();
        let blocks = shard.blocks().map(Result::unwrap);
        let games: Vec<_> = blocks.map(|block| (block.first, block.records.len())).collect();
        assert_eq!(games, [(10, 3), (13, 3), (16, 1)]);
    }

    #[test]
    fn damage_is_reported_with_its_offset_and_skipped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let (whole, [first, second]) = write_whole(&path);
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x40;
            std::fs::write(&path, &damaged).unwrap();
            let Ok(shard) = Shard::parse(damaged) else {
                assert!(at < first, "byte {at}");
                assert!(ShardWriter::open(&path, &header()).is_err());
                continue;
            };
            let blocks: Vec<_> = shard.blocks().collect();
            let place = if at < second { first } else { second };
            let faults: Vec<usize> =
                blocks.iter().filter_map(|block| Some(block.as_ref().err()?.at)).collect();
            assert_eq!(faults, [place], "byte {at}");
            assert_eq!(blocks.len(), 2);
            // Damage in the last block may stem from a stop; earlier damage cannot.
            assert_eq!(ShardWriter::open(&path, &header()).is_ok(), at >= second);
        }
    }

    /// Computing the checksum of each candidate separately would take hours.
    #[test]
    fn undamaged_blocks_are_found_among_many_candidates() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let (whole, [first, second]) = write_whole(&path);
        let mut bytes = whole[..first].to_vec();
        let total = first + 8_000_000 + whole.len() - second;
        while bytes.len() < first + 8_000_000 {
            let payload = total - bytes.len() - BLOCK_BYTES - CHECKSUM_BYTES;
            bytes.extend(BLOCK_MAGIC);
            bytes.extend([0; 12]);
            bytes.extend((payload as u32).to_le_bytes());
        }
        bytes.extend(&whole[second..]);
        let shard = Shard::parse(bytes).unwrap();
        let blocks: Vec<_> = shard.blocks().collect();
        assert_eq!(blocks[0].as_ref().unwrap_err().at, first);
        assert_eq!((blocks.len(), blocks[1].as_ref().unwrap().first), (2, 13));
    }

    /// Forged checksums make the scan read invalid blocks, up to its limit.
    #[test]
    fn search_for_blocks_with_forged_sums_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let (whole, [first, _]) = write_whole(&path);
        // Each block contains the next one, followed by its own checksum.
        let mut nested = Vec::new();
        for _ in 0..4_000 {
            let mut block = BLOCK_MAGIC.to_vec();
            block.extend(0u64.to_le_bytes());
            block.extend(u32::MAX.to_le_bytes());
            block.extend((nested.len() as u32).to_le_bytes());
            block.extend(&nested);
            block.extend(crc32fast::hash(&block).to_le_bytes());
            nested = block;
        }
        let shard = Shard::parse([&whole[..first], &nested].concat()).unwrap();
        assert_eq!(shard.blocks().map(|block| block.is_err()).collect::<Vec<_>>(), [true]);
    }

    /// Complete blocks that are duplicated, misplaced or missing.
    #[test]
    fn blocks_out_of_order_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let (whole, [first, second]) = write_whole(&path);
        let read = |parts: &[&[u8]]| {
            std::fs::write(&path, parts.concat()).unwrap();
            let input = DataFile::read(&path).unwrap();
            let numbers: Vec<u64> = input.games.iter().map(|(number, _)| *number).collect();
            (numbers, input.faults)
        };
        let (head, one, two) = (&whole[..first], &whole[first..second], &whole[second..]);
        let all = read(&[&whole]).0;
        let early = read(&[head, one]).0;
        assert!(read(&[&whole]).1.is_empty());
        assert_eq!(read(&[head, one]), (early.clone(), Vec::new()), "a run that was stopped");
        let (numbers, faults) = read(&[head, one, one, two]);
        assert_eq!((numbers, faults.len()), (all.clone(), 1));
        assert!(faults[0].starts_with(&format!("at byte {second}: game")), "{faults:?}");
        let (numbers, faults) = read(&[head, two]);
        assert_eq!(numbers, all[early.len()..]);
        assert!(faults[0].ends_with("are missing"), "{faults:?}");
        let (numbers, faults) = read(&[head, two, one]);
        assert_eq!((numbers, faults.len()), (all[early.len()..].to_vec(), 2));
    }

    #[test]
    fn shards_with_another_header_are_not_continued() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        write_whole(&path);
        let other = ShardHeader { rule: Rule::Standard, ..header() };
        let error = ShardWriter::open(&path, &other).unwrap_err().to_string();
        assert!(error.contains("different header") && error.contains("standard"), "{error}");
        std::fs::write(&path, "a text").unwrap();
        let error = ShardWriter::open(&path, &other).unwrap_err().to_string();
        assert_eq!(error, "not a shard");
        assert_eq!(std::fs::read(&path).unwrap(), b"a text");
    }
}
