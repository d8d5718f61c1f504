//! Journals: a long command appends each result to the file `OUTPUT.part`, from which the same command
//! continues after an interruption.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::append_file::AppendFile;
use crate::atomic_file::ensure_folder_exists;
use crate::overwrite::OverwriteArgs;

/// The journal of a command.
#[derive(Debug)]
pub struct Journal {
    file: AppendFile,
    path: PathBuf,
}

impl Journal {
    /// Refuses an output that exists and is not to be replaced, or whose folder is missing. The
    /// output of an interrupted run is replaced by the run that continues it.
    ///
    /// # Errors
    /// When the output is refused, or its state cannot be read.
    pub fn check_output(output: &Path, overwrite: OverwriteArgs) -> anyhow::Result<()> {
        if !path_of(output).exists() {
            overwrite.check(output)?;
        }
        ensure_folder_exists(output)
    }

    /// Opens or creates the journal of a command that writes `output`. `header` identifies input and
    /// options. Returns the results of an earlier run; an incomplete last line is removed.
    ///
    /// # Errors
    /// When the file cannot be read or written, is in use by another process, or is the journal of
    /// another command and not to be replaced.
    pub fn open<T: DeserializeOwned>(
        output: &Path,
        header: &str,
        overwrite: OverwriteArgs,
    ) -> anyhow::Result<(Journal, Vec<T>)> {
        let path = path_of(output);
        let name = || path.display().to_string();
        let (mut file, bytes) = AppendFile::open(&path).with_context(name)?;
        let header = serde_json::to_string(header)? + "\n";
        let is_own = bytes.starts_with(header.as_bytes()) || bytes.is_empty();
        ensure!(
            is_own || overwrite.force,
            "{}: the saved progress belongs to other games, options or another build (--force \
             starts over)",
            name()
        );
        // The last line may be cut within a character.
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        let mut entries = Vec::new();
        let kept = match is_own && !bytes.is_empty() {
            true => {
                for line in bytes[..whole].split_inclusive(|&byte| byte == b'\n').skip(1) {
                    entries.push(serde_json::from_slice(line).with_context(name)?);
                }
                whole
            }
            false => 0,
        };
        file.truncate(kept as u64).with_context(name)?;
        if kept == 0 {
            file.append(header.as_bytes())?;
        }
        Ok((Journal { file, path }, entries))
    }

    /// Appends a result.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn append<T: Serialize>(&mut self, entry: &T) -> anyhow::Result<()> {
        let line = serde_json::to_string(entry)? + "\n";
        self.file.append(line.as_bytes())
    }

    /// Removes the file, once the output is complete.
    ///
    /// # Errors
    /// When the file cannot be removed.
    pub fn remove(self) -> anyhow::Result<()> {
        drop(self.file);
        fs::remove_file(&self.path).with_context(|| self.path.display().to_string())
    }
}

/// The journal of an output.
fn path_of(output: &Path) -> PathBuf {
    output.with_added_extension("part")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn journal_continues_after_a_torn_line() {
        let folder = tempfile::tempdir().unwrap();
        let (output, part) = (folder.path().join("a.npz"), folder.path().join("a.npz.part"));
        let open =
            |header, force| Journal::open::<Option<u32>>(&output, header, OverwriteArgs { force });
        let (mut journal, entries) = open("one", false).unwrap();
        assert_eq!(entries, []);
        journal.append(&Some(7_u32)).unwrap();
        journal.append(&None::<u32>).unwrap();
        drop(journal);
        let text = fs::read_to_string(&part).unwrap();
        fs::write(&part, format!("{text}12")).unwrap();
        let (mut journal, entries) = open("one", false).unwrap();
        assert_eq!(entries, [Some(7), None]);
        journal.append(&Some(9_u32)).unwrap();
        drop(journal);
        assert_eq!(fs::read_to_string(&part).unwrap(), "\"one\"\n7\nnull\n9\n");
        let error = open("two", false).unwrap_err().to_string();
        assert!(error.contains("a.npz.part: the saved progress belongs to other games"), "{error}");
        assert_eq!(open("one", false).unwrap().1.len(), 3);
        assert_eq!(open("two", true).unwrap().1, []);
        // A line that is cut within a character, in an own journal and in another one.
        fs::write(&part, b"\"two\"\n7\n\"\xc3").unwrap();
        assert_eq!(open("two", false).unwrap().1, [Some(7)]);
        assert_eq!(fs::read(&part).unwrap(), b"\"two\"\n7\n");
        fs::write(&part, b"\"one\"\n7\n\"\xc3").unwrap();
        assert!(open("two", false).unwrap_err().to_string().contains("--force"));
        assert_eq!(open("two", true).unwrap().1, []);
        open("two", false).unwrap().0.remove().unwrap();
        assert!(!part.exists());
        // A run that was killed before its header was complete.
        fs::write(&part, "\"on").unwrap();
        let error = open("one", false).unwrap_err().to_string();
        assert!(error.contains("--force"), "{error}");
    }
}
