//! Iterates over a store in key order.

use std::collections::VecDeque;

use rusqlite::params;
use tengen_rules::{Board, BoardSize, Rule};

use super::{Filter, Reader};
use crate::Error;
use crate::key::{Canonical, Key};
use crate::record::Record;

/// Number of rows per query. The file is not locked between queries.
const ROWS: usize = 512;

/// A position and its record, both in canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The position; [`Key::board`] returns its board.
    pub key: Key,
    /// The record.
    pub record: Record,
}

impl Entry {
    /// The entry of a board, turned to the canonical form.
    ///
    /// # Errors
    /// [`Error::InvalidRecord`] if the record does not fit the board.
    pub fn new(board: &Board, record: Record) -> Result<Entry, Error> {
        record.validate(board.size())?;
        let Canonical { key, symmetry } = Canonical::of(board);
        Ok(Entry { key, record: record.turned(board.size(), symmetry) })
    }
}

/// An iterator over positions, see [`Reader::entries`]. Without a [`super::Snapshot`] it includes
/// positions that are written during the iteration, if their keys are still ahead.
///
/// After a damaged record, returned as an error, the iteration continues; after an error of the
/// file it ends.
pub struct Entries<'a> {
    reader: Reader<'a>,
    filter: Filter,
    rows: VecDeque<Result<Entry, RowError>>,
    /// The remaining keys are at least `lower` and less than `upper`.
    lower: Vec<u8>,
    upper: Vec<u8>,
    ended: bool,
}

/// An error of an iteration.
pub(super) enum RowError {
    /// A damaged row, with its rule and board if they are readable.
    Row(Option<(Rule, BoardSize)>, Error),
    /// The file cannot be read further.
    File(Error),
}

impl<'a> Entries<'a> {
    pub(super) fn new(reader: Reader<'a>, filter: Filter) -> Entries<'a> {
        let (lower, upper) = filter.key_range();
        Entries { reader, filter, rows: VecDeque::new(), lower, upper, ended: false }
    }

    /// Skips all entries up to and including `key`. Call it before the first entry, to resume an
    /// iteration that ended at this key.
    pub fn resume_after(&mut self, key: &Key) {
        self.lower = just_after(key.as_bytes());
    }

    /// Like [`Iterator::next`], with the board of a damaged row.
    pub(super) fn next_row(&mut self) -> Option<Result<Entry, RowError>> {
        loop {
            if let Some(row) = self.rows.pop_front() {
                return Some(row);
            }
            if self.ended {
                return None;
            }
            if let Err(error) = self.fill() {
                self.ended = true;
                self.rows.push_back(Err(RowError::File(error)));
            }
        }
    }

    fn fill(&mut self) -> Result<(), Error> {
        let convert = |error| self.reader.context.error(error);
        let select = "SELECT key, data FROM position WHERE key >= ?1 AND key < ?2
             ORDER BY key LIMIT ?3";
        let mut select = self.reader.conn.prepare_cached(select).map_err(convert)?;
        let mut rows =
            select.query(params![self.lower, self.upper, ROWS as i64]).map_err(convert)?;
        let mut count = 0;
        let mut last = Vec::new();
        while let Some(row) = rows.next().map_err(convert)? {
            let blob = |index| row.get_ref(index)?.as_blob().map_err(rusqlite::Error::from);
            let (key, data) = (blob(0).map_err(convert)?, blob(1).map_err(convert)?);
            // In a damaged file the iteration could be endless.
            if key <= &last[..] || key < &self.lower[..] {
                let key = crate::key::hex(key);
                return Err(self.reader.context.damaged(format!("key {key}: wrong order")));
            }
            count += 1;
            last.clear();
            last.extend_from_slice(key);
            if let Some(entry) = entry(&self.reader, &self.filter, key, data).transpose() {
                self.rows.push_back(entry.map_err(|error| RowError::Row(Key::terms(key), error)));
            }
        }
        self.ended = count < ROWS;
        if count > 0 {
            self.lower = just_after(&last);
        }
        Ok(())
    }
}

/// The entry of a row, or `None` if the filter excludes it.
fn entry(
    reader: &Reader<'_>,
    filter: &Filter,
    key: &[u8],
    data: &[u8],
) -> Result<Option<Entry>, Error> {
    let Some(key) = Key::of_any_image(key) else {
        let key = crate::key::hex(key);
        return Err(reader.context.damaged(format!("key {key}: not a position")));
    };
    if !filter.matches_key(&key) {
        return Ok(None);
    }
    let record = reader.decode(key.as_bytes(), key.size(), data)?;
    Ok(filter.matches_record(&record).then_some(Entry { key, record }))
}

impl Iterator for Entries<'_> {
    type Item = Result<Entry, Error>;

    fn next(&mut self) -> Option<Result<Entry, Error>> {
        let row = self.next_row()?;
        Some(row.map_err(|(RowError::Row(_, error) | RowError::File(error))| error))
    }
}

/// The smallest key after these bytes.
fn just_after(bytes: &[u8]) -> Vec<u8> {
    [bytes, &[0]].concat()
}
