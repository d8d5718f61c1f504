//! Files to which a run appends its results, so that a later run continues them.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::atomic_file::ensure_regular_file;

/// A file that one process at a time appends to. Other processes may read it.
///
/// A failed write, as on a full disk, leaves the file as it was before the write.
#[derive(Debug)]
pub struct AppendFile {
    file: File,
    path: PathBuf,
    length: u64,
    /// The length before the last write.
    before: u64,
}

impl AppendFile {
    /// Opens or creates a file. Returns it with its content.
    ///
    /// # Errors
    /// When the file cannot be read or written, is not a regular file, or is in use by another
    /// process. The message does not name the file.
    pub fn open(path: &Path) -> anyhow::Result<(AppendFile, Vec<u8>)> {
        let mut file = open_alone(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let length = bytes.len() as u64;
        Ok((AppendFile { file, path: path.to_path_buf(), length, before: length }, bytes))
    }

    /// Shortens the file to this length, to remove an incomplete end.
    ///
    /// # Errors
    /// When the file cannot be written. The message does not name the file.
    pub fn truncate(&mut self, length: u64) -> anyhow::Result<()> {
        self.file.set_len(length)?;
        (self.length, self.before) = (length, length);
        Ok(())
    }

    /// Appends to the file.
    ///
    /// # Errors
    /// When the file cannot be written. The message names the file.
    pub fn append(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.before = self.length;
        append_whole(&mut self.file, self.length, bytes)
            .with_context(|| self.path.display().to_string())?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Removes the bytes of the last [`AppendFile::append`].
    ///
    /// # Errors
    /// When the file cannot be written. The message names the file.
    pub fn undo(&mut self) -> anyhow::Result<()> {
        self.truncate(self.before).with_context(|| self.path.display().to_string())
    }
}

/// Writes to the end of a file of this length. If that fails, the file keeps its length.
///
/// # Errors
/// When the file cannot be written.
pub fn append_whole(file: &mut File, length: u64, bytes: &[u8]) -> std::io::Result<()> {
    let written = file.seek(SeekFrom::Start(length)).and_then(|_| file.write_all(bytes));
    if written.is_err() {
        // An incomplete end is removed by the next run if this fails, too.
        let _ = file.set_len(length);
    }
    written
}

/// Opens or creates a file for reading and exclusive writing. Other processes may read it.
///
/// # Errors
/// When the file cannot be opened, is not a regular file, or is in use by another process. The message
/// does not name the file.
pub fn open_alone(path: &Path) -> anyhow::Result<File> {
    ensure_regular_file(path)?;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    // A lock would also exclude readers.
    #[cfg(windows)]
    std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, 1 /* FILE_SHARE_READ */);
    let file = options.open(path)?;
    #[cfg(not(windows))]
    lock(&file)?;
    // A process that replaces its file holds the lock of the new one.
    #[cfg(unix)]
    anyhow::ensure!(is_file_at(&file, path)?, IN_USE);
    Ok(file)
}

/// Whether the path still names this file.
#[cfg(unix)]
fn is_file_at(file: &File, path: &Path) -> std::io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let id = |file: std::fs::Metadata| (file.dev(), file.ino());
    Ok(id(file.metadata()?) == id(std::fs::metadata(path)?))
}

#[cfg(not(windows))]
const IN_USE: &str = "the file is in use by another process";

/// Excludes other writers, if the file system has locks.
#[cfg(not(windows))]
fn lock(file: &File) -> anyhow::Result<()> {
    use std::fs::TryLockError::WouldBlock;
    use std::time::{Duration, Instant};

    // While a child process starts, it briefly holds its parent's files, even closed ones.
    let end = Instant::now() + Duration::from_secs(1);
    while matches!(file.try_lock(), Err(WouldBlock)) {
        anyhow::ensure!(Instant::now() < end, IN_USE);
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn file_is_continued_by_one_process_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let (mut file, content) = AppendFile::open(&path).unwrap();
        assert_eq!(content, b"");
        file.append(b"one\n").unwrap();
        file.append(b"two\n").unwrap();
        assert!(AppendFile::open(&path).is_err());
        file.undo().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\n");
        file.append(b"thr").unwrap();
        drop(file);
        let (mut file, content) = AppendFile::open(&path).unwrap();
        assert_eq!(content, b"one\nthr");
        file.truncate(4).unwrap();
        file.append(b"four\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\nfour\n");
        assert!(AppendFile::open(folder.path()).is_err());
    }

    /// The lock of a replaced file is free, but the new file may have another writer.
    #[cfg(unix)]
    #[test]
    fn replaced_files_are_recognized() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let file = open_alone(&path).unwrap();
        assert!(is_file_at(&file, &path).unwrap());
        fs::write(folder.path().join("b"), "").unwrap();
        fs::rename(folder.path().join("b"), &path).unwrap();
        assert!(!is_file_at(&file, &path).unwrap());
    }
}
