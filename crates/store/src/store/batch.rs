//! Groups of changes that are written atomically.

use std::cell::RefMut;
use std::sync::Arc;

use rusqlite::{Connection, Transaction, TransactionBehavior};
use tengen_rules::Board;

use super::{Context, Entry, Reader};
use crate::Error;
use crate::key::Key;
use crate::record::codec::encode;
use crate::record::{GamesRule, MergeCounts, Merged, Origin, Record};
use crate::store::origins::Origins;

/// A group of changes. [`Batch::commit`] writes all of them durably; a batch that is dropped, or
/// interrupted by a crash, changes nothing. Until then other programs can read, but not write.
pub struct Batch<'a> {
    transaction: Transaction<'a>,
    context: &'a Context,
    bytes: Vec<u8>,
    /// After a failed write the batch can only be dropped.
    failed: bool,
}

impl<'a> Batch<'a> {
    /// The connection must have no other batch: SQLite refuses nested transactions.
    pub(super) fn new(conn: &'a Connection, context: &'a Context) -> Result<Batch<'a>, Error> {
        let transaction = Transaction::new_unchecked(conn, TransactionBehavior::Immediate)
            .map_err(|error| context.error(error))?;
        Ok(Batch { transaction, context, bytes: Vec::new(), failed: false })
    }

    /// Reads the store with the changes of this batch.
    pub fn reader(&self) -> Reader<'_> {
        Reader { conn: &self.transaction, context: self.context }
    }

    /// Replaces the record of a position.
    ///
    /// # Errors
    /// [`Error::InvalidRecord`], which leaves the batch usable; [`Error::DiskFull`] and other
    /// failures of the file, after which the batch cannot be committed.
    pub fn put(&mut self, board: &Board, record: &Record) -> Result<(), Error> {
        let (key, record) = canonical(board, record)?;
        self.write(&key, &record)
    }

    /// Merges a record into that of a position by the rules of [`crate::record`].
    ///
    /// # Errors
    /// The errors of [`Batch::put`].
    pub fn merge(
        &mut self,
        board: &Board,
        record: &Record,
        games: GamesRule,
    ) -> Result<Merged, Error> {
        let (key, record) = canonical(board, record)?;
        self.merge_canonical(&key, record, games)
    }

    /// Like [`Batch::merge`] for a record in canonical form, as [`Reader::entries`] returns it.
    ///
    /// # Errors
    /// The errors of [`Batch::put`].
    pub fn merge_key(
        &mut self,
        key: &Key,
        record: &Record,
        games: GamesRule,
    ) -> Result<Merged, Error> {
        record.validate(key.size())?;
        self.merge_canonical(key, record.clone(), games)
    }

    /// Merges records in key order. Faster than single merges in another order, because each page
    /// of the file is changed only once.
    ///
    /// # Errors
    /// The errors of [`Batch::put`].
    pub fn merge_all(
        &mut self,
        mut entries: Vec<Entry>,
        games: GamesRule,
    ) -> Result<MergeCounts, Error> {
        entries.sort_by(|a, b| a.key.cmp(&b.key));
        self.merge_each(entries, games, |_, _| {})
    }

    /// Like [`Batch::merge_all`], for entries in key order, with a call of `merged` after every
    /// merge. Another order gives the same result more slowly.
    ///
    /// # Errors
    /// The errors of [`Batch::put`].
    pub fn merge_each(
        &mut self,
        entries: impl IntoIterator<Item = Entry>,
        games: GamesRule,
        mut merged: impl FnMut(&Key, Merged),
    ) -> Result<MergeCounts, Error> {
        let mut counts = MergeCounts::default();
        for Entry { key, record } in entries {
            record.validate(key.size())?;
            let outcome = self.merge_canonical(&key, record, games)?;
            counts.add(outcome);
            merged(&key, outcome);
        }
        Ok(counts)
    }

    /// Edits the record of a position; a missing record starts empty.
    ///
    /// # Errors
    /// The errors of [`Batch::put`].
    pub fn edit(&mut self, board: &Board, edit: impl FnOnce(&mut Record)) -> Result<(), Error> {
        let mut record = self.reader().get(board)?.unwrap_or_default();
        edit(&mut record);
        self.put(board, &record)
    }

    /// Like [`Batch::edit`] for a key; points of the record are those of the canonical board.
    ///
    /// # Errors
    /// The errors of [`Batch::put`].
    pub fn edit_key(&mut self, key: &Key, edit: impl FnOnce(&mut Record)) -> Result<(), Error> {
        let mut record = self.reader().get_key(key)?.unwrap_or_default();
        edit(&mut record);
        record.validate(key.size())?;
        self.write(key, &record)
    }

    /// Deletes the record of a position. Returns whether there was one.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn delete(&mut self, board: &Board) -> Result<bool, Error> {
        self.delete_key(&Key::of(board))
    }

    /// Deletes the record of a key. Returns whether there was one.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn delete_key(&mut self, key: &Key) -> Result<bool, Error> {
        let delete = "DELETE FROM position WHERE key = ?1";
        let rows = self.write_with(|batch| {
            batch.transaction.prepare_cached(delete)?.execute([key.as_bytes()])
        })?;
        Ok(rows > 0)
    }

    /// Stores a setting of a tool in the file; an empty value deletes it.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn set_property(&mut self, name: &str, value: &str) -> Result<(), Error> {
        self.write_with(|batch| {
            if value.is_empty() {
                batch.transaction.execute("DELETE FROM property WHERE name = ?1", [name])
            } else {
                let replace = "INSERT OR REPLACE INTO property(name, value) VALUES (?1, ?2)";
                batch.transaction.execute(replace, [name, value])
            }
        })?;
        Ok(())
    }

    /// Deletes the settings whose names begin with `prefix`.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn delete_properties(&mut self, prefix: &str) -> Result<(), Error> {
        self.write_with(|batch| {
            let delete = "DELETE FROM property WHERE substr(name, 1, length(?1)) = ?1";
            batch.transaction.execute(delete, [prefix])
        })?;
        Ok(())
    }

    /// Writes the changes. When this returns `Ok` they survive a crash of the program, of the
    /// system, and a power failure.
    ///
    /// # Errors
    /// [`Error::DiskFull`] and other failures of the file. No change is saved then.
    pub fn commit(mut self) -> Result<(), Error> {
        // The transaction is rolled back when the batch is dropped after a failure.
        self.write_with(|batch| batch.transaction.execute_batch("COMMIT"))
    }

    fn merge_canonical(
        &mut self,
        key: &Key,
        record: Record,
        games: GamesRule,
    ) -> Result<Merged, Error> {
        self.encode(key, &record)?;
        let insert = "INSERT INTO position(key, data) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
        let inserted = self.write_with(|batch| {
            let row = (key.as_bytes(), &batch.bytes);
            batch.transaction.prepare_cached(insert)?.execute(row)
        })?;
        if inserted > 0 {
            let (inserted, changed, values_changed) = (true, true, true);
            return Ok(Merged { inserted, changed, values_changed, ..Merged::default() });
        }
        let mut known = self.reader().get_key(key)?.unwrap_or_default();
        let merged = known.merge(record, games);
        if merged.changed {
            self.write(key, &known)?;
        }
        Ok(merged)
    }

    fn write(&mut self, key: &Key, record: &Record) -> Result<(), Error> {
        self.encode(key, record)?;
        let replace = "INSERT INTO position(key, data) VALUES (?1, ?2) \
                       ON CONFLICT DO UPDATE SET data = excluded.data";
        self.write_with(|batch| {
            let row = (key.as_bytes(), &batch.bytes);
            batch.transaction.prepare_cached(replace)?.execute(row)
        })?;
        Ok(())
    }

    /// Writes the bytes of a record into `self.bytes`.
    fn encode(&mut self, key: &Key, record: &Record) -> Result<(), Error> {
        self.write_with(|batch| {
            let mut origins = batch.context.origins.borrow_mut();
            origins.register(&batch.transaction, record)
        })?;
        let origins: RefMut<'_, Origins> = self.context.origins.borrow_mut();
        let number = |origin: &Arc<Origin>| origins.number(origin);
        self.bytes.clear();
        encode(record, key.as_bytes(), key.size(), &mut self.bytes, &number);
        Ok(())
    }

    /// Runs a statement unless an earlier one failed: SQLite may have ended the transaction then.
    fn write_with<T>(
        &mut self,
        write: impl FnOnce(&mut Self) -> rusqlite::Result<T>,
    ) -> Result<T, Error> {
        if self.failed {
            return Err(Error::BatchFailed { path: self.context.path.clone() });
        }
        write(self).map_err(|error| {
            self.failed = true;
            self.context.error(error)
        })
    }
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        // The transaction is rolled back, so the numbers of new origins become invalid.
        if !self.transaction.is_autocommit() || self.failed {
            self.context.origins.borrow_mut().clear();
        }
    }
}

/// The key of a board and the record turned to the canonical form.
fn canonical(board: &Board, record: &Record) -> Result<(Key, Record), Error> {
    let Entry { key, record } = Entry::new(board, record.clone())?;
    Ok((key, record))
}
