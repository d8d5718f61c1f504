//! Files of games: a header that says how they were made, then blocks with checksums.
//!
//! ```text
//! header:  "TGSP", version (u16), length (u32), JSON of that length, CRC-32 of all before
//! block:   "TGBL", first game (u64), games (u32), length (u32), records of that length,
//!          CRC-32 of all of the block before
//! ```
//!
//! Numbers are little-endian. A block is written at once, so that a stop loses one at most; what
//! a stop left of it is cut off when the shard is continued.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};

use super::record::Record;
use tengen_rules::types::{BoardSize, Rule};

const MAGIC: &[u8] = b"TGSP";
const VERSION: u16 = 1;
const BLOCK_MAGIC: &[u8] = b"TGBL";
/// Bytes of a header before its text.
const HEADER_BYTES: usize = 10;
/// Bytes of a block before its records.
const BLOCK_BYTES: usize = 20;
const CHECKSUM_BYTES: usize = 4;

/// What all games of a shard have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    #[serde(with = "as_text")]
    pub rule: Rule,
    #[serde(with = "as_text")]
    pub size: BoardSize,
    /// Number of the first game.
    pub first: u64,
    /// Games that the shard holds when it is complete.
    pub games: u64,
    pub origin: Origin,
}

/// Where the games come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// Made by `tengen selfplay`: everything that a game depends on, besides its number.
    Selfplay {
        /// Base of the random numbers.
        seed: u64,
        /// Nodes visited for a move.
        nodes: u64,
        /// Openings are level within this score.
        balance: i32,
        /// Share of the games that start from a position inside a tree (percent).
        #[serde(default)]
        tree_starts: u32,
        /// Positions drawn from the trees of a game and labelled.
        labels: usize,
        /// Nodes visited for a label.
        label_nodes: u64,
        /// Cutoffs drawn from the trees of a game.
        cutoffs: usize,
        /// What `tengen bench` prints: the search and the weights.
        signature: u64,
    },
    /// Put together by `tengen data` from other files.
    Files,
}

impl Header {
    /// Whether both shards are parts of one run of `tengen selfplay`, whatever program made them.
    pub(super) fn is_same_run(&self, other: &Header) -> bool {
        let mut like = other.origin.clone();
        if let (Origin::Selfplay { signature, .. }, Origin::Selfplay { signature: to, .. }) =
            (&self.origin, &mut like)
        {
            *to = *signature;
        }
        let is_made = matches!(self.origin, Origin::Selfplay { .. });
        is_made && self.origin == like && (self.rule, self.size) == (other.rule, other.size)
    }
}

/// Numbers and words in a header as the text that the command line reads.
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

/// A place in a file, and what is wrong there.
#[derive(Debug)]
pub struct Fault {
    /// Bytes from the start of the file.
    pub at: usize,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.at, self.what)
    }
}

/// Some games in a row.
#[derive(Debug)]
pub struct Block {
    /// Number of the first game.
    pub first: u64,
    /// The games.
    pub records: Vec<Record>,
}

/// The bytes of a shard, with its header read.
#[derive(Debug)]
pub struct Shard {
    bytes: Vec<u8>,
    /// Where the blocks start.
    start: usize,
    /// How the games were made.
    pub header: Header,
}

impl Shard {
    /// Whether these bytes start like a shard.
    pub fn has_magic(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Reads a shard's header; the blocks are read one by one.
    ///
    /// # Errors
    /// When the bytes are no shard of this version.
    pub fn parse(bytes: Vec<u8>) -> anyhow::Result<Shard> {
        ensure!(Shard::has_magic(&bytes), "not a shard");
        ensure!(bytes.len() >= HEADER_BYTES, "the header is cut short");
        let version = u16::from_le_bytes(array(&bytes, 4));
        ensure!(version == VERSION, "version {version} of the format, not {VERSION}");
        let length = u32::from_le_bytes(array(&bytes, 6)) as usize;
        let end = HEADER_BYTES.saturating_add(length);
        let start = end.saturating_add(CHECKSUM_BYTES);
        ensure!(bytes.len() >= start, "the header is cut short");
        let sum = u32::from_le_bytes(array(&bytes, end));
        ensure!(sum == crc32fast::hash(&bytes[..end]), "the header is damaged");
        let header = serde_json::from_slice(&bytes[HEADER_BYTES..end])
            .context("the header says what this version does not know")?;
        Ok(Shard { bytes, start, header })
    }

    /// The blocks in order. After a fault it goes on with the next whole block.
    pub fn blocks(&self) -> Blocks<'_> {
        Blocks { shard: self, at: self.start }
    }

    /// The block that starts at `at`, and where it ends.
    fn block(&self, at: usize) -> anyhow::Result<(Block, usize)> {
        let bytes = &self.bytes[at..];
        ensure!(bytes.len() >= BLOCK_BYTES, "the block is cut short");
        ensure!(bytes.starts_with(BLOCK_MAGIC), "no block starts here");
        let first = u64::from_le_bytes(array(bytes, 4));
        let games = u32::from_le_bytes(array(bytes, 12));
        let length = u32::from_le_bytes(array(bytes, 16)) as usize;
        let end = BLOCK_BYTES.saturating_add(length);
        ensure!(bytes.len() >= end.saturating_add(CHECKSUM_BYTES), "the block is cut short");
        let sum = u32::from_le_bytes(array(bytes, end));
        ensure!(sum == crc32fast::hash(&bytes[..end]), "the checksum is wrong");
        let mut payload = &bytes[BLOCK_BYTES..end];
        let mut records = Vec::new();
        let end_of_games = first.checked_add(games.into()).context("no game has such a number")?;
        for game in first..end_of_games {
            let record = Record::read(self.header.size, &mut payload);
            records.push(record.with_context(|| format!("game {game}"))?);
        }
        ensure!(payload.is_empty(), "the block is longer than its games");
        Ok((Block { first, records }, at + end + CHECKSUM_BYTES))
    }
}

/// The bytes at `at`, which the caller knows to be there.
fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    std::array::from_fn(|index| bytes[at + index])
}

/// Goes through the blocks of a shard.
pub struct Blocks<'a> {
    shard: &'a Shard,
    at: usize,
}

impl Blocks<'_> {
    /// Where the next block starts, in bytes from the start of the file.
    pub fn place(&self) -> usize {
        self.at
    }
}

impl Iterator for Blocks<'_> {
    type Item = Result<Block, Fault>;

    fn next(&mut self) -> Option<Result<Block, Fault>> {
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
                let is_whole = |&next: &usize| self.shard.block(next).is_ok();
                let starts = at + 1..bytes.len().saturating_sub(BLOCK_MAGIC.len());
                let next =
                    starts.filter(|&start| bytes[start..].starts_with(BLOCK_MAGIC)).find(is_whole);
                self.at = next.unwrap_or(bytes.len());
                Some(Err(Fault { at, what: format!("{error:#}") }))
            }
        }
    }
}

/// A shard that is being written.
#[derive(Debug)]
pub struct Writer {
    file: File,
    size: BoardSize,
    /// Bytes up to the end of the last whole block.
    length: u64,
    /// Number of the next game.
    next: u64,
}

impl Writer {
    /// Starts a shard, or goes on with what there is of it: part of a last block is cut off.
    ///
    /// # Errors
    /// When the file cannot be read or written, is no shard, was made otherwise, or is damaged
    /// before its end.
    pub fn open(path: &Path, header: &Header) -> anyhow::Result<Writer> {
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
        let mut writer = Writer { file, size: header.size, length: 0, next: header.first };
        if start.starts_with(&bytes) && bytes.len() < start.len() {
            writer.append(&start)?;
            return Ok(writer);
        }
        let shard = Shard::parse(bytes)?;
        ensure!(
            shard.header == *header,
            "it was made otherwise: {}, not {}",
            serde_json::to_string(&shard.header)?,
            serde_json::to_string(header)?
        );
        let mut blocks = shard.blocks();
        writer.length = blocks.place() as u64;
        while let Some(block) = blocks.next() {
            match block {
                Ok(block) => {
                    ensure!(
                        block.first == writer.next,
                        "game {} comes where game {} should",
                        block.first,
                        writer.next
                    );
                    writer.next += block.records.len() as u64;
                    writer.length = blocks.place() as u64;
                }
                Err(fault) => {
                    ensure!(blocks.next().is_none(), "{fault}; what follows is whole");
                }
            }
        }
        writer.file.set_len(writer.length)?;
        Ok(writer)
    }

    /// Number of the next game.
    pub fn next_game(&self) -> u64 {
        self.next
    }

    /// Writes a block.
    ///
    /// # Errors
    /// When the file cannot take it; it then ends with the block before.
    pub fn write(&mut self, records: &[Record]) -> anyhow::Result<()> {
        let mut payload = Vec::new();
        records.iter().for_each(|record| record.write(self.size, &mut payload));
        let mut bytes = BLOCK_MAGIC.to_vec();
        bytes.extend(self.next.to_le_bytes());
        bytes.extend((records.len() as u32).to_le_bytes());
        bytes.extend(u32::try_from(payload.len()).context("too long a block")?.to_le_bytes());
        bytes.extend(payload);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        self.append(&bytes)?;
        self.next += records.len() as u64;
        Ok(())
    }

    fn append(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.file.seek(SeekFrom::Start(self.length))?;
        if let Err(error) = self.file.write_all(bytes).and_then(|()| self.file.flush()) {
            // What was written of the block is of no use. If even this fails, it is cut off later.
            let _ = self.file.set_len(self.length);
            bail!(error);
        }
        self.length += bytes.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::input::Input;
    use super::super::record::tests::example;
    use super::*;
    use tengen_testkit::Folder;

    fn header() -> Header {
        Header {
            rule: Rule::Renju,
            size: BoardSize::square(15).unwrap(),
            first: 10,
            games: 5,
            origin: Origin::Files,
        }
    }

    /// Writes a shard of two blocks, with three games and two, and returns its bytes and where
    /// its blocks start.
    fn write_whole(path: &Path) -> (Vec<u8>, [usize; 2]) {
        let mut writer = Writer::open(path, &header()).unwrap();
        assert_eq!(writer.next_game(), 10);
        let first = writer.length as usize;
        writer.write(&[example(), example(), example()]).unwrap();
        let second = writer.length as usize;
        writer.write(&[example(), example()]).unwrap();
        (std::fs::read(path).unwrap(), [first, second])
    }

    #[test]
    fn shards_are_read_as_written() {
        let folder = Folder::new("shard-read");
        let path = folder.file("a");
        write_whole(&path);
        let shard = Shard::parse(std::fs::read(&path).unwrap()).unwrap();
        assert_eq!(shard.header, header());
        let blocks: Vec<Block> = shard.blocks().map(Result::unwrap).collect();
        let games: Vec<_> = blocks.iter().map(|block| (block.first, block.records.len())).collect();
        assert_eq!(games, [(10, 3), (13, 2)]);
        assert!(blocks.iter().flat_map(|block| &block.records).all(|it| *it == example()));
    }

    #[test]
    fn a_cut_shard_goes_on_after_its_last_whole_block() {
        let folder = Folder::new("shard-cut");
        let path = folder.file("a");
        let (whole, [first, second]) = write_whole(&path);
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let mut writer = Writer::open(&path, &header()).unwrap();
            assert_eq!(writer.next_game(), if length < second { 10 } else { 13 }, "{length}");
            if length < second {
                assert_eq!(writer.length as usize, first);
                writer.write(&[example(), example(), example()]).unwrap();
            }
            writer.write(&[example(), example()]).unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), whole);
        }
    }

    #[test]
    fn damage_is_named_with_its_place_and_skipped() {
        let folder = Folder::new("shard-damage");
        let path = folder.file("a");
        let (whole, [first, second]) = write_whole(&path);
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x40;
            std::fs::write(&path, &damaged).unwrap();
            let Ok(shard) = Shard::parse(damaged) else {
                assert!(at < first, "byte {at}");
                assert!(Writer::open(&path, &header()).is_err());
                continue;
            };
            let blocks: Vec<_> = shard.blocks().collect();
            let place = if at < second { first } else { second };
            let faults: Vec<usize> =
                blocks.iter().filter_map(|block| Some(block.as_ref().err()?.at)).collect();
            assert_eq!(faults, [place], "byte {at}");
            assert_eq!(blocks.len(), 2);
            // In the last block it may be what a stop left, before that it cannot.
            assert_eq!(Writer::open(&path, &header()).is_ok(), at >= second);
        }
    }

    /// Blocks that are whole, but twice there, in the wrong place or of other games.
    #[test]
    fn blocks_out_of_order_are_named() {
        let folder = Folder::new("shard-order");
        let path = folder.file("a");
        let (whole, [first, second]) = write_whole(&path);
        let read = |parts: &[&[u8]]| {
            std::fs::write(&path, parts.concat()).unwrap();
            let input = Input::read(&path).unwrap();
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
    fn another_shard_is_not_continued() {
        let folder = Folder::new("shard-other");
        let path = folder.file("a");
        write_whole(&path);
        let other = Header { rule: Rule::Standard, ..header() };
        let error = Writer::open(&path, &other).unwrap_err().to_string();
        assert!(error.contains("made otherwise") && error.contains("standard"), "{error}");
        std::fs::write(&path, "a text").unwrap();
        let error = Writer::open(&path, &other).unwrap_err().to_string();
        assert_eq!(error, "not a shard");
        assert_eq!(std::fs::read(&path).unwrap(), b"a text");
    }
}
