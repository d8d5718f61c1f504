//! A list of the shards in a folder, as JSON lines: what is in each, and how to know it again.

use std::fs::OpenOptions;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};

use super::data::Counts;
use super::shard::Header;
use tengen::eval::weights_hash;
use tengen_cli::sha256;

/// The file beside the shards. A shard that grew has several lines: the last one counts.
const NAME: &str = "manifest.jsonl";

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
    /// The commit that it was built from, or `unknown`.
    #[serde(default = "unknown")]
    pub(super) commit: String,
    /// Hash of its networks, as `tengen bench` prints it.
    #[serde(default)]
    pub(super) weights: String,
}

/// What stands for the commit in lists of earlier versions, and of builds that know none.
const UNKNOWN: &str = "unknown";

fn unknown() -> String {
    UNKNOWN.to_string()
}

fn list_beside(shard: &Path) -> PathBuf {
    shard.with_file_name(NAME)
}

impl Entry {
    /// Describes a shard as it stands, which this program writes, built from `commit`.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn of(path: &Path, header: &Header, commit: &str) -> anyhow::Result<Entry> {
        let bytes = std::fs::read(path)?;
        let shard = super::shard::Shard::parse(bytes.clone())?;
        let mut counts = Counts::default();
        for block in shard.blocks() {
            let block = block.map_err(|fault| anyhow::anyhow!("{fault}"))?;
            block.records.iter().for_each(|record| counts.add(record));
        }
        Ok(Entry {
            file: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            sha256: sha256(&bytes),
            bytes: bytes.len() as u64,
            header: header.clone(),
            counts,
            version: env!("CARGO_PKG_VERSION").to_string(),
            commit: commit.to_string(),
            weights: format!("{:016x}", weights_hash()),
        })
    }

    /// The entry of a shard in the list beside it, if there is one. Blocks may have been added to
    /// the shard since: a run that was killed could not list them.
    ///
    /// # Errors
    /// When the list cannot be read, or the shard is not the one that the list describes.
    pub(super) fn find(path: &Path) -> anyhow::Result<Option<Entry>> {
        let found = Entry::last(path)?;
        if let Some(entry) = &found {
            let bytes = std::fs::read(path)?;
            let listed = bytes.get(..entry.bytes as usize);
            let is_same = listed.is_some_and(|listed| sha256(listed) == entry.sha256);
            ensure!(is_same, "it is not the file that {} describes", list_beside(path).display());
        }
        Ok(found)
    }

    /// The last entry of a shard in the list beside it, whatever has become of the shard since.
    ///
    /// # Errors
    /// When the list cannot be read.
    pub(super) fn last(path: &Path) -> anyhow::Result<Option<Entry>> {
        let list = list_beside(path);
        if !list.is_file() {
            return Ok(None);
        }
        let name = || list.display().to_string();
        let text = std::fs::read_to_string(&list).with_context(name)?;
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let mut found = None;
        for (number, line) in (1..).zip(text.lines()) {
            let place = || format!("{}: line {number}", list.display());
            match serde_json::from_str::<Entry>(line) {
                Ok(entry) if entry.file == file => found = Some(entry),
                Ok(_) => {}
                // What a full disk left of an entry.
                Err(error) if error.is_eof() => {}
                Err(error) => return Err(error).with_context(place),
            }
        }
        Ok(found)
    }

    /// Whether a shard comes from another build than one of `commit`, as far as is known.
    pub(super) fn is_of_other_build(&self, commit: &str) -> bool {
        self.commit != commit && [&self.commit, commit].iter().all(|&it| it != UNKNOWN)
    }

    /// Adds the entry to the list beside the shard.
    ///
    /// # Errors
    /// When the list cannot be written.
    pub(super) fn append(&self, shard: &Path) -> anyhow::Result<()> {
        let path = list_beside(shard);
        let line = serde_json::to_string(self)? + "\n";
        let write = || {
            let mut file = OpenOptions::new().append(true).read(true).create(true).open(&path)?;
            // An entry that was cut short stays a line of its own.
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
