//! The store and its reading and writing handles.

mod batch;
mod branch;
mod check;
mod entries;
mod filter;
#[cfg(test)]
mod full_disk_tests;
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
pub use branch::{Branch, Deletion};
pub use check::CheckReport;
pub use entries::{Entries, Entry};
pub use filter::Filter;
use open::Leftovers;
pub(crate) use open::MAGIC;
pub use reader::{Child, Reader, Snapshot};
pub use schema::SCHEMA_VERSION;
pub use stats::{BoardStats, Stats};

use crate::Error;
use crate::record::Record;
use origins::Origins;

/// Options for opening a store.
#[derive(Clone, Debug)]
pub struct Options {
    /// Time that a writer waits for another writer before [`Error::Busy`].
    pub busy_timeout: Duration,
}

impl Default for Options {
    /// Five seconds.
    fn default() -> Options {
        Options { busy_timeout: Duration::from_secs(5) }
    }
}

/// Size of the page cache in bytes.
const CACHE_BYTES: usize = 64 << 20;
/// Size of the page cache of [`Store::compact`] in bytes.
const COMPACTING_CACHE_BYTES: usize = 8 << 20;

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
    /// Declared after the connection, and therefore dropped after it.
    #[expect(dead_code, reason = "acts when it is dropped")]
    leftovers: Option<Leftovers>,
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
        Batch::new(&self.conn, &self.context)
    }

    /// Like [`Store::batch`], but does not wait for other writers.
    ///
    /// # Errors
    /// [`Error::Busy`] while another program writes, [`Error::ReadOnly`].
    pub fn try_batch(&mut self) -> Result<Batch<'_>, Error> {
        let set_wait =
            |time| self.conn.busy_timeout(time).map_err(|error| self.context.error(error));
        set_wait(Duration::ZERO)?;
        let batch = Batch::new(&self.conn, &self.context);
        set_wait(self.context.options.busy_timeout)?;
        batch.map_err(|error| match error {
            Error::Busy { path, .. } => Error::Busy { path, waited: Duration::ZERO },
            error => error,
        })
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
    /// The errors of [`Batch::put`] and [`Batch::commit`].
    pub fn put(&mut self, board: &Board, record: &Record) -> Result<(), Error> {
        let mut batch = self.batch()?;
        batch.put(board, record)?;
        batch.commit()
    }

    /// Rewrites the file without the space of deleted records. Needs free disk space of the size
    /// of the file.
    ///
    /// # Errors
    /// [`Error::Busy`], [`Error::DiskFull`], [`Error::ReadOnly`].
    pub fn compact(&mut self) -> Result<(), Error> {
        // The file is rewritten in order, which needs no large cache, but uses two.
        let caches = [COMPACTING_CACHE_BYTES, CACHE_BYTES];
        let [small, usual] = caches.map(|bytes| format!("PRAGMA cache_size = -{};", bytes >> 10));
        let compact = "VACUUM; PRAGMA wal_checkpoint(TRUNCATE);";
        let begun = self.conn.execute_batch(&format!("PRAGMA shrink_memory; {small}"));
        let compacted = begun.and_then(|()| self.conn.execute_batch(compact));
        let ended = self.conn.execute_batch(&usual);
        compacted.and(ended).map_err(|error| self.context.error(error))
    }
}
