//! A list of the shards in a folder, as JSON lines: what is in each, and how to know it again.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::data::Counts;
use super::shard::Header;
use crate::eval::weights_hash;

/// The file beside the shards. A shard that grew has several lines: the last one counts.
pub(super) const NAME: &str = "manifest.jsonl";

/// One shard.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// Name of the file.
    pub(super) file: String,
    /// Of the whole file, in hexadecimal digits.
    pub(super) sha256: String,
    pub(super) bytes: u64,
    pub(super) header: Header,
    pub(super) counts: Counts,
    /// Version of the program that wrote the shard.
    pub(super) version: String,
    /// Hash of its networks, as `tengen bench` prints it.
    #[serde(default)]
    pub(super) weights: String,
}

impl Entry {
    /// Describes a shard that has just been written.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn of(path: &Path, header: &Header) -> anyhow::Result<Entry> {
        let bytes = std::fs::read(path)?;
        let shard = super::shard::Shard::parse(bytes.clone())?;
        let mut counts = Counts::default();
        for block in shard.blocks() {
            let block = block.map_err(|fault| anyhow::anyhow!("{fault}"))?;
            block.records.iter().for_each(|record| counts.add(record));
        }
        let digest = Sha256::digest(&bytes);
        Ok(Entry {
            file: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            sha256: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
            bytes: bytes.len() as u64,
            header: header.clone(),
            counts,
            version: env!("CARGO_PKG_VERSION").to_string(),
            weights: format!("{:016x}", weights_hash()),
        })
    }

    /// Adds the entry to the list in `folder`.
    ///
    /// # Errors
    /// When the list cannot be written.
    pub(super) fn append(&self, folder: &Path) -> anyhow::Result<()> {
        let path = folder.join(NAME);
        let line = serde_json::to_string(self)? + "\n";
        OpenOptions::new()
            .append(true)
            .create(true)
            .open(&path)
            .and_then(|mut file| file.write_all(line.as_bytes()))
            .with_context(|| format!("cannot write {}", path.display()))
    }
}
