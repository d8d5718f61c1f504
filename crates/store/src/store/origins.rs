//! Names of origins and their numbers in a store.

use std::collections::HashMap;
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension};

use crate::record::{Origin, Record};

/// The origins read or written so far. They stay valid because rows are never changed or removed,
/// except when a batch is rolled back: see [`Origins::clear`].
#[derive(Default)]
pub(super) struct Origins {
    by_number: HashMap<u64, Arc<Origin>>,
    numbers: HashMap<Arc<Origin>, u64>,
}

impl Origins {
    /// The origin with this number, if it was loaded.
    pub fn get(&self, number: u64) -> Option<Arc<Origin>> {
        self.by_number.get(&number).cloned()
    }

    /// The number of an origin; 0 if it was not loaded.
    pub fn number(&self, origin: &Arc<Origin>) -> u64 {
        self.numbers.get(origin).copied().unwrap_or(0)
    }

    /// Reads the table.
    pub fn load(&mut self, conn: &Connection) -> rusqlite::Result<()> {
        let mut select = conn.prepare_cached("SELECT id, source, version FROM origin")?;
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            let origin = Arc::new(Origin { source: row.get(1)?, version: row.get(2)? });
            self.insert(row.get::<_, i64>(0)? as u64, origin);
        }
        Ok(())
    }

    /// Assigns numbers to the origins of a record, within a write transaction.
    pub fn register(&mut self, conn: &Connection, record: &Record) -> rusqlite::Result<()> {
        let result = record.result.iter().filter_map(|result| result.provenance.origin.as_ref());
        let found = record.evaluation.iter().filter_map(|found| found.provenance.origin.as_ref());
        for origin in result.chain(found) {
            if !self.numbers.contains_key(origin) {
                self.add(conn, origin)?;
            }
        }
        Ok(())
    }

    /// Forgets all origins. Needed after a rollback, since it frees their numbers.
    pub fn clear(&mut self) {
        *self = Origins::default();
    }

    fn add(&mut self, conn: &Connection, origin: &Arc<Origin>) -> rusqlite::Result<()> {
        let names = (&origin.source, &origin.version);
        let mut select =
            conn.prepare_cached("SELECT id FROM origin WHERE source = ?1 AND version = ?2")?;
        let id: Option<i64> = select.query_row(names, |row| row.get(0)).optional()?;
        let id = match id {
            Some(id) => id,
            None => {
                conn.prepare_cached("INSERT INTO origin(source, version) VALUES (?1, ?2)")?
                    .execute(names)?;
                conn.last_insert_rowid()
            }
        };
        self.insert(id as u64, Arc::clone(origin));
        Ok(())
    }

    fn insert(&mut self, number: u64, origin: Arc<Origin>) {
        self.by_number.insert(number, Arc::clone(&origin));
        self.numbers.insert(origin, number);
    }
}
