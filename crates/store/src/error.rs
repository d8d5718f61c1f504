//! Errors of a store.

use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{ErrorCode, ffi};

/// The reason why a store could not be opened, read or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The file does not exist, or the folder of a file to create.
    NotFound {
        /// The file or the folder.
        path: PathBuf,
    },
    /// The file to create exists already.
    AlreadyExists {
        /// The file.
        path: PathBuf,
    },
    /// The file is not a store.
    NotAStore {
        /// The file.
        path: PathBuf,
        /// The content that was found.
        reason: String,
    },
    /// The file was written by a newer version of this crate.
    Newer {
        /// The file.
        path: PathBuf,
        /// Schema version of the file.
        found: i64,
        /// Newest schema version that can be read.
        supported: i64,
    },
    /// The end of the file is missing.
    Truncated {
        /// The file.
        path: PathBuf,
        /// Size in the header of the file.
        expected: u64,
        /// Actual size in bytes.
        found: u64,
    },
    /// The content of the file is inconsistent.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The location and the problem.
        reason: String,
    },
    /// Another writer locked the store for the whole waiting time.
    Busy {
        /// The file.
        path: PathBuf,
        /// The waiting time of this writer.
        waited: Duration,
    },
    /// The disk is full, or a limit of the file system was reached.
    DiskFull {
        /// The file.
        path: PathBuf,
    },
    /// A write to a store that was opened for reading only.
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// A change in a batch after an earlier change failed.
    BatchFailed {
        /// The file.
        path: PathBuf,
    },
    /// A record that a store cannot hold.
    InvalidRecord {
        /// The problem with the record.
        reason: String,
    },
    /// The operating system refused an access.
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// Any other failure of the database library.
    Database {
        /// The file.
        path: PathBuf,
        /// The error of SQLite.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl Error {
    /// The error of SQLite with the name of the file; `waited` is the waiting time for locks.
    pub(crate) fn from_sqlite(path: &Path, waited: Duration, error: rusqlite::Error) -> Error {
        let path = path.to_path_buf();
        let is_wrong_type = matches!(
            error,
            rusqlite::Error::FromSqlConversionFailure(..) | rusqlite::Error::InvalidColumnType(..)
        );
        // The shared memory of the log is a file, too.
        let extended = error.sqlite_error().map(|error| error.extended_code);
        let io = |kind, reason: &str| std::io::Error::new(kind, reason);
        match extended {
            Some(ffi::SQLITE_IOERR_SHMSIZE) => return Error::DiskFull { path },
            Some(ffi::SQLITE_READONLY_DIRECTORY | ffi::SQLITE_READONLY_CANTINIT) => {
                let source = io(ErrorKind::PermissionDenied, "its folder is write-protected");
                return Error::Io { path, source };
            }
            Some(ffi::SQLITE_READONLY_DBMOVED) => {
                let source = io(ErrorKind::NotFound, "moved or deleted while it was open");
                return Error::Io { path, source };
            }
            _ => {}
        }
        match error.sqlite_error_code() {
            None if is_wrong_type => Error::Damaged { path, reason: error.to_string() },
            Some(ErrorCode::NotADatabase) => {
                Error::NotAStore { path, reason: "not an SQLite database".to_string() }
            }
            Some(ErrorCode::DatabaseCorrupt) => Error::Damaged { path, reason: error.to_string() },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                Error::Busy { path, waited }
            }
            Some(ErrorCode::DiskFull) => Error::DiskFull { path },
            Some(ErrorCode::ReadOnly) => Error::ReadOnly { path },
            _ => Error::Database { path, source: Box::new(error) },
        }
    }

    /// The error of the operating system with the name of the file.
    pub(crate) fn from_io(path: &Path, source: std::io::Error) -> Error {
        let path = path.to_path_buf();
        match source.kind() {
            ErrorKind::NotFound => Error::NotFound { path },
            ErrorKind::AlreadyExists => Error::AlreadyExists { path },
            ErrorKind::StorageFull => Error::DiskFull { path },
            _ => Error::Io { path, source },
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotFound { path } => write!(f, "{}: no such file or folder", path.display()),
            Error::AlreadyExists { path } => {
                write!(f, "{}: the file already exists", path.display())
            }
            Error::NotAStore { path, reason } => {
                write!(f, "{}: not a database of positions: {reason}", path.display())
            }
            Error::Newer { path, found, supported } => write!(
                f,
                "{}: schema version {found} is newer than this program (expected {supported})",
                path.display()
            ),
            Error::Truncated { path, expected, found } => write!(
                f,
                "{}: truncated at byte {found} (expected {expected} bytes); repair it to recover \
                 the intact records",
                path.display()
            ),
            Error::Damaged { path, reason } => write!(
                f,
                "{}: damaged: {reason}; repair it to recover the intact records",
                path.display()
            ),
            Error::Busy { path, waited } => write!(
                f,
                "{}: another program is writing (waited {:.1} s)",
                path.display(),
                waited.as_secs_f64()
            ),
            Error::DiskFull { path } => write!(
                f,
                "{}: the disk is full; the last batch is lost, earlier batches are kept",
                path.display()
            ),
            Error::BatchFailed { path } => write!(
                f,
                "{}: an earlier write of the batch failed; none of its changes was saved",
                path.display()
            ),
            Error::ReadOnly { path } => write!(f, "{}: opened for reading only", path.display()),
            Error::InvalidRecord { reason } => write!(f, "invalid record: {reason}"),
            Error::Io { path, source } => write!(f, "{}: {source}", path.display()),
            Error::Database { path, source } => write!(f, "{}: {source}", path.display()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        // The message contains the message of `source`, so the chain continues after it.
        match self {
            Error::Io { source, .. } => source.source(),
            // rusqlite's messages contain those of their sources.
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::error::Error as _;

    fn failed(code: i32) -> Error {
        let error = rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
        Error::from_sqlite(Path::new("x.tdb"), Duration::ZERO, error)
    }

    #[test]
    fn values_of_a_wrong_type_are_damage() {
        let error =
            rusqlite::Error::InvalidColumnType(0, "key".into(), rusqlite::types::Type::Null);
        let error = Error::from_sqlite(Path::new("x.tdb"), Duration::ZERO, error);
        assert!(matches!(error, Error::Damaged { .. }), "{error}");
    }

    #[test]
    fn no_space_for_shared_memory_is_a_full_disk() {
        let error = failed(ffi::SQLITE_IOERR_SHMSIZE);
        assert!(matches!(error, Error::DiskFull { .. }), "{error}");
    }

    #[test]
    fn writes_that_folder_or_file_prevent_state_the_reason() {
        for (code, expected) in [
            (ffi::SQLITE_READONLY_DIRECTORY, "x.tdb: its folder is write-protected"),
            (ffi::SQLITE_READONLY_DBMOVED, "x.tdb: moved or deleted while it was open"),
            (ffi::SQLITE_READONLY, "x.tdb: opened for reading only"),
        ] {
            assert_eq!(failed(code).to_string(), expected);
        }
    }

    #[test]
    fn messages_are_not_repeated_by_the_source() {
        let refused = std::io::Error::new(std::io::ErrorKind::NotSeekable, "cannot seek");
        let error = Error::from_io(Path::new("x.tdb"), refused);
        assert_eq!(error.to_string(), "x.tdb: cannot seek");
        assert!(error.source().is_none());
    }
}
