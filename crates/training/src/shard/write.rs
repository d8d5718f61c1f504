//! Writes a shard block by block, and continues an incomplete one.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};

use super::header::ShardHeader;
use super::read::{Shard, ShardBlock};
use super::{BLOCK_MAGIC, MAGIC, VERSION};
use crate::training_game::TrainingGame;
use tengen_cli::append_file::open_alone;
use tengen_cli::atomic_file;
use tengen_rules::types::BoardSize;

/// A shard that is being written. Other processes may read it, but not write it.
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
    /// When the file cannot be read or written, is in use by another process, is not a shard, has
    /// another header, or is damaged before its end.
    pub fn open(path: &Path, header: &ShardHeader) -> anyhow::Result<ShardWriter> {
        ShardWriter::open_listed(path, header, || Ok(()))
    }

    /// Like [`ShardWriter::open`]. Calls `before_growth` after all checks, before the header is
    /// replaced by one for more games.
    ///
    /// # Errors
    /// The errors of [`ShardWriter::open`], and the errors of `before_growth`.
    pub(crate) fn open_listed(
        path: &Path,
        header: &ShardHeader,
        before_growth: impl FnOnce() -> anyhow::Result<()>,
    ) -> anyhow::Result<ShardWriter> {
        let mut file = open_alone(path)?;
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
            before_growth()?;
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
        // Windows cannot write a file that is open for one writer.
        if cfg!(windows) {
            self.file = File::open(&self.path)?;
        }
        atomic_file::write(&self.path, bytes)?;
        // If the file was written in place, it is still locked by us: release it first.
        self.file = File::open(&self.path)?;
        self.file = open_alone(&self.path)?;
        Ok(())
    }

    /// Takes back the last block if it has fewer than `games` games, so that [`ShardWriter::write`]
    /// replaces it by a longer one that begins with the same games, which are returned. The file keeps
    /// them until then.
    pub(crate) fn reopen_last_block(&mut self, games: u64) -> Vec<TrainingGame> {
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
    pub(crate) fn length(&self) -> u64 {
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
