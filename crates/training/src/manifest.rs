//! The manifest of a folder of shards: contents, hash and origin of each, as JSON lines.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};

use super::data::DataCounts;
use super::shard::{Shard, ShardHeader};
use tengen::engine::Networks;
use tengen_cli::overwrite::existing_file;
use tengen_cli::sha256;

/// The file next to the shards. If a shard has several lines, the last one counts.
const NAME: &str = "manifest.jsonl";

/// One shard.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ManifestEntry {
    /// Name of the file.
    pub(super) file: String,
    /// SHA-256 of the first `bytes` bytes of the file in hexadecimal digits.
    pub(super) sha256: String,
    /// Length of the listed start of the file.
    pub(super) bytes: u64,
    pub(super) header: ShardHeader,
    pub(super) counts: DataCounts,
    /// Version of the program that wrote the shard.
    pub(super) version: String,
    /// The commit that the program was built from, or `unknown`.
    pub(super) commit: String,
    /// Hash of the networks; without `--network` the one that `tengen bench` prints.
    pub(super) weights: String,
}

/// The commit in manifests of builds without a commit.
const UNKNOWN: &str = "unknown";

fn manifest_of(shard: &Path) -> PathBuf {
    shard.with_file_name(NAME)
}

impl ManifestEntry {
    /// The entry of a shard in its present state. The shard was written by this program, built from
    /// `commit`, with these networks.
    ///
    /// # Errors
    /// When the shard cannot be read.
    pub(super) fn of(
        path: &Path,
        header: &ShardHeader,
        commit: &str,
        networks: &Networks,
    ) -> anyhow::Result<ManifestEntry> {
        ManifestEntry::of_start(path, u64::MAX, header, commit, networks)
    }

    /// Like [`ManifestEntry::of`], for the first `length` bytes of the shard. It is listed before
    /// the bytes after it are replaced, so that an interruption leaves an entry that agrees with
    /// the file.
    ///
    /// # Errors
    /// When the shard cannot be read.
    pub(super) fn of_start(
        path: &Path,
        length: u64,
        header: &ShardHeader,
        commit: &str,
        networks: &Networks,
    ) -> anyhow::Result<ManifestEntry> {
        let mut bytes = Vec::new();
        File::open(path)?.take(length).read_to_end(&mut bytes)?;
        let mut entry = ManifestEntry {
            file: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            sha256: sha256(&bytes),
            bytes: bytes.len() as u64,
            header: header.clone(),
            counts: DataCounts::default(),
            version: env!("CARGO_PKG_VERSION").to_string(),
            commit: commit.to_string(),
            weights: format!("{:016x}", networks.hash()),
        };
        if length > 0 {
            for block in Shard::parse(bytes)?.blocks() {
                let block = block.map_err(|fault| anyhow::anyhow!("{fault}"))?;
                block.records.iter().for_each(|record| entry.counts.add(record));
            }
        }
        Ok(entry)
    }

    /// The entry of a shard in the manifest, if there is one. The shard may have more blocks than the
    /// entry: a run that was killed could not list them.
    ///
    /// # Errors
    /// When the manifest cannot be read, or the shard is not the one that the manifest describes.
    pub(super) fn find(path: &Path) -> anyhow::Result<Option<ManifestEntry>> {
        let found = ManifestEntry::last(path)?;
        if let Some(entry) = &found {
            let bytes = std::fs::read(path)?;
            let listed = bytes.get(..entry.bytes as usize);
            let is_same = listed.is_some_and(|listed| sha256(listed) == entry.sha256);
            ensure!(is_same, "the file differs from its entry in {}", manifest_of(path).display());
        }
        Ok(found)
    }

    /// The last entry of a shard in the manifest, without comparing it with the shard.
    ///
    /// # Errors
    /// When the manifest cannot be read.
    pub(super) fn last(path: &Path) -> anyhow::Result<Option<ManifestEntry>> {
        let list = manifest_of(path);
        let name = || list.display().to_string();
        if existing_file(&list).with_context(name)?.is_none() {
            return Ok(None);
        }
        let text = std::fs::read_to_string(&list).with_context(name)?;
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let mut found = None;
        for (number, line) in (1..).zip(text.lines()) {
            let place = || format!("{}: line {number}", list.display());
            match serde_json::from_str::<ManifestEntry>(line) {
                Ok(entry) if entry.file == file => found = Some(entry),
                Ok(_) => {}
                // A full disk may leave an incomplete entry.
                Err(error) if error.is_eof() => {}
                Err(error) => return Err(error).with_context(place),
            }
        }
        Ok(found)
    }

    /// Whether the shard comes from another commit than `commit`; false if either is unknown.
    pub(super) fn is_of_other_build(&self, commit: &str) -> bool {
        self.commit != commit && [&self.commit, commit].iter().all(|&it| it != UNKNOWN)
    }

    /// Appends the entry to the manifest next to the shard.
    ///
    /// # Errors
    /// When the manifest cannot be written.
    pub(super) fn append(&self, shard: &Path) -> anyhow::Result<()> {
        let path = manifest_of(shard);
        let line = serde_json::to_string(self)? + "\n";
        let write = || {
            let mut file = OpenOptions::new().append(true).read(true).create(true).open(&path)?;
            // An incomplete entry stays on its own line.
            let mut last = [b'\n'];
            if file.metadata()?.len() > 0 {
                file.seek(SeekFrom::End(-1))?;
                file.read_exact(&mut last)?;
            }
            let start = if last == [b'\n'] { "" } else { "\n" };
            file.write_all(format!("{start}{line}").as_bytes())
        };
        write().with_context(|| format!("cannot write {}", path.display()))
    }
}
