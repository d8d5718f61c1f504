//! The store and its reading and writing handles.

mod batch;
mod check;
mod entries;
mod filter;
#[cfg(test)]
mod full_disk_tests;
#[cfg(test)]
mod migration_tests;
mod open;
mod origins;
mod reader;
pub(crate) mod schema;
mod stats;

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;
use tengen_rules::Board;

pub use batch::Batch;
pub use check::CheckReport;
pub use entries::{Entries, Entry};
pub use filter::Filter;
pub(crate) use open::MAGIC;
pub use reader::{Child, Reader, Snapshot};
pub use schema::SCHEMA_VERSION;
pub use stats::{BoardStats, Stats};

use crate::Error;
use crate::record::{GamesRule, Merged, Record};
use origins::Origins;

/// Options for opening a store.
#[derive(Clone, Debug)]
pub struct Options {
    /// Time that a writer waits for another writer before [`Error::Busy`].
    pub busy_timeout: Duration,
    /// Size of the page cache in bytes.
    pub cache_bytes: usize,
}

impl Default for Options {
    /// Five seconds and 64 MiB.
    fn default() -> Options {
        Options { busy_timeout: Duration::from_secs(5), cache_bytes: 64 << 20 }
    }
}

/// Shared data of readers and writers, except the connection.
struct Context {
    path: PathBuf,
    options: Options,
    origins: RefCell<Origins>,
}

impl Context {
    fn error(&self, error: rusqlite::Error) -> Error {
        Error::from_sqlite(&self.path, self.options.busy_timeout, error)
    }

    fn damaged(&self, reason: String) -> Error {
        Error::Damaged { path: self.path.clone(), reason }
    }
}

/// A database of positions in one file. See the documentation of the crate.
pub struct Store {
    conn: Connection,
    context: Context,
    network_drive: Option<String>,
    backup: Option<PathBuf>,
}

impl Store {
    /// Path of the file.
    pub fn path(&self) -> &Path {
        &self.context.path
    }

    /// The file system if the file lies on a network drive. Warn the user then: SQLite's locks
    /// are unreliable there, so only one program at a time may use the file.
    pub fn network_drive(&self) -> Option<&str> {
        self.network_drive.as_deref()
    }

    /// The backup that was written because opening migrated the file to a new schema.
    pub fn backup(&self) -> Option<&Path> {
        self.backup.as_deref()
    }

    /// A reader whose calls return the current state of the store.
    pub fn reader(&self) -> Reader<'_> {
        Reader { conn: &self.conn, context: &self.context }
    }

    /// A reader of the current state, unaffected by later writes. Look-ups are faster than with
    /// [`Store::reader`], but the file grows while an old snapshot exists.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn snapshot(&self) -> Result<Snapshot<'_>, Error> {
        Snapshot::new(&self.conn, &self.context)
    }

    /// Starts a group of changes. Waits for other writers.
    ///
    /// # Errors
    /// [`Error::Busy`] after the waiting time, [`Error::ReadOnly`].
    pub fn batch(&mut self) -> Result<Batch<'_>, Error> {
        Batch::new(&mut self.conn, &self.context)
    }

    /// The record of a position, turned to the given board. See [`Reader::get`].
    ///
    /// # Errors
    /// When the file cannot be read or the record is damaged.
    pub fn get(&self, board: &Board) -> Result<Option<Record>, Error> {
        self.reader().get(board)
    }

    /// Replaces the record of one position durably. Use a [`Batch`] for several.
    ///
    /// # Errors
    /// As [`Batch::put`] and [`Batch::commit`].
    pub fn put(&mut self, board: &Board, record: &Record) -> Result<(), Error> {
        let mut batch = self.batch()?;
        batch.put(board, record)?;
        batch.commit()
    }

    /// Merges a record into that of one position durably. Use a [`Batch`] for several.
    ///
    /// # Errors
    /// As [`Batch::merge`] and [`Batch::commit`].
    pub fn merge(&mut self, board: &Board, record: &Record) -> Result<Merged, Error> {
        let mut batch = self.batch()?;
        let merged = batch.merge(board, record, GamesRule::Largest)?;
        batch.commit()?;
        Ok(merged)
    }

    /// Rewrites the file without the space of deleted records. Needs free disk space of the size
    /// of the file.
    ///
    /// # Errors
    /// [`Error::Busy`], [`Error::DiskFull`], [`Error::ReadOnly`].
    pub fn compact(&mut self) -> Result<(), Error> {
        let compacted = self.conn.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);");
        compacted.map_err(|error| self.context.error(error))
    }
}
