//! Look-up of positions.

use std::ops::Deref;

use rusqlite::{Connection, Transaction};
use tengen_rules::position::Position;
use tengen_rules::threat::is_foul;
use tengen_rules::{Board, BoardSize, Point, Rule};

use super::{Context, Entries, Filter};
use crate::Error;
use crate::key::{Canonical, Key};
use crate::record::Record;
use crate::record::codec::{DecodeError, decode};

/// A move from a position to a position of the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Child {
    /// The move.
    pub point: Point,
    /// The record of the position after it, turned to the board of the call.
    pub record: Record,
}

/// Reads a store.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    pub(super) conn: &'a Connection,
    pub(super) context: &'a Context,
}

impl<'a> Reader<'a> {
    /// The record of a position, with points and texts turned to the given board.
    ///
    /// If the board itself is symmetric, such as the empty board, a point may be returned as one of
    /// its symmetric images.
    ///
    /// # Errors
    /// When the file cannot be read or the record is damaged.
    pub fn get(&self, board: &Board) -> Result<Option<Record>, Error> {
        let Canonical { key, symmetry } = Canonical::of(board);
        let Some(record) = self.get_key(&key)? else { return Ok(None) };
        Ok(Some(record.turned(symmetry.size(board.size()), symmetry.inverse())))
    }

    /// The record of a key, in canonical form.
    ///
    /// # Errors
    /// The errors of [`Reader::get`].
    pub fn get_key(&self, key: &Key) -> Result<Option<Record>, Error> {
        let convert = |error| self.context.error(error);
        let mut select = self
            .conn
            .prepare_cached("SELECT data FROM position WHERE key = ?1")
            .map_err(convert)?;
        let mut rows = select.query([key.as_bytes()]).map_err(convert)?;
        let Some(row) = rows.next().map_err(convert)? else { return Ok(None) };
        let data = row.get_ref(0).map_err(convert)?.as_blob();
        let data =
            data.map_err(|error| self.context.damaged(format!("record {key:?}: {error}")))?;
        self.decode(key.as_bytes(), key.size(), data).map(Some)
    }

    /// Whether the store has a record of the position.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn contains(&self, board: &Board) -> Result<bool, Error> {
        self.contains_key(&Key::of(board))
    }

    /// Whether the store has a record of this key.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn contains_key(&self, key: &Key) -> Result<bool, Error> {
        let convert = |error| self.context.error(error);
        let mut select =
            self.conn.prepare_cached("SELECT 1 FROM position WHERE key = ?1").map_err(convert)?;
        select.exists([key.as_bytes()]).map_err(convert)
    }

    /// The legal moves to positions of the store, row by row. Includes all of several symmetric
    /// moves. In renju a forbidden move can lead to a position of the store, too: one that another
    /// order of moves reaches.
    ///
    /// # Errors
    /// The errors of [`Reader::get`].
    pub fn children(&self, board: &Board) -> Result<Vec<Child>, Error> {
        let side = board.side_to_move();
        let judged = board.rule().has_fouls(side).then(|| Position::from_board(board));
        let mut next = board.clone();
        let mut children = Vec::new();
        for point in board.empty_points() {
            if judged.as_ref().is_some_and(|position| is_foul(position, point, side)) {
                continue;
            }
            next.place_unchecked(point, side);
            if let Some(record) = self.get(&next)? {
                children.push(Child { point, record });
            }
            next.undo();
        }
        Ok(children)
    }

    /// The rules and board sizes of the positions, in key order. Does not read the whole file.
    ///
    /// # Errors
    /// When the file cannot be read, or holds an invalid key.
    pub fn boards(&self) -> Result<Vec<(Rule, BoardSize)>, Error> {
        let convert = |error| self.context.error(error);
        let mut select = self
            .conn
            .prepare_cached("SELECT key FROM position WHERE key >= ?1 ORDER BY key LIMIT 1")
            .map_err(convert)?;
        let mut boards = Vec::new();
        let mut from = Vec::new();
        loop {
            let mut rows = select.query([&from]).map_err(convert)?;
            let Some(row) = rows.next().map_err(convert)? else { return Ok(boards) };
            let bytes = row.get_ref(0).map_err(convert)?.as_blob();
            let bytes = bytes.map_err(|error| self.context.damaged(format!("a key: {error}")))?;
            let Some(key) = Key::of_any_image(bytes).filter(|_| bytes >= &from[..]) else {
                let key = crate::key::hex(bytes);
                return Err(self.context.damaged(format!("key {key}: not a position")));
            };
            boards.push((key.rule(), key.size()));
            from = Key::range(key.rule(), Some(key.size())).1;
        }
    }

    /// Number of positions. Reads the whole file.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn len(&self) -> Result<u64, Error> {
        let count = "SELECT count(*) FROM position";
        let count = self.conn.query_row(count, [], |row| row.get::<_, i64>(0));
        count.map(i64::cast_unsigned).map_err(|error| self.context.error(error))
    }

    /// Whether the store has no positions.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn is_empty(&self) -> Result<bool, Error> {
        let any = self.conn.prepare("SELECT 1 FROM position LIMIT 1");
        let any = any.and_then(|mut select| select.exists([]));
        any.map(|any| !any).map_err(|error| self.context.error(error))
    }

    /// The positions that a filter selects, in key order: by rule, board and number of stones.
    pub fn entries(&self, filter: &Filter) -> Entries<'a> {
        Entries::new(*self, filter.clone())
    }

    /// A setting that [`super::Batch::set_property`] wrote.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn property(&self, name: &str) -> Result<Option<String>, Error> {
        use rusqlite::OptionalExtension;
        let select = "SELECT value FROM property WHERE name = ?1";
        let value = self.conn.query_row(select, [name], |row| row.get(0)).optional();
        value.map_err(|error| self.context.error(error))
    }

    /// The names of the settings that begin with `prefix`, in order.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn property_names(&self, prefix: &str) -> Result<Vec<String>, Error> {
        let convert = |error| self.context.error(error);
        let select =
            "SELECT name FROM property WHERE substr(name, 1, length(?1)) = ?1 ORDER BY name";
        let mut select = self.conn.prepare_cached(select).map_err(convert)?;
        let names = select.query_map([prefix], |row| row.get(0)).map_err(convert)?;
        names.collect::<rusqlite::Result<_>>().map_err(convert)
    }

    /// Decodes a record and names the key on failure.
    pub(super) fn decode(&self, key: &[u8], size: BoardSize, data: &[u8]) -> Result<Record, Error> {
        let decode =
            || decode(key, size, data, &|number| self.context.origins.borrow().get(number));
        let mut decoded = decode();
        if matches!(decoded, Err(DecodeError::Origin(_))) {
            let loaded = self.context.origins.borrow_mut().load(self.conn);
            loaded.map_err(|error| self.context.error(error))?;
            decoded = decode();
        }
        decoded.map_err(|error| {
            let key = crate::key::hex(key);
            self.context.damaged(format!("record {key}: {error}"))
        })
    }
}

/// A view of the store that later writes do not change. Dereferences to a [`Reader`].
pub struct Snapshot<'a> {
    reader: Reader<'a>,
    /// Ends the read transaction when dropped.
    _transaction: Transaction<'a>,
}

impl<'a> Snapshot<'a> {
    pub(super) fn new(conn: &'a Connection, context: &'a Context) -> Result<Snapshot<'a>, Error> {
        let transaction = conn.unchecked_transaction().map_err(|error| context.error(error))?;
        let reader = Reader { conn, context };
        // The first read fixes the state that the transaction reads.
        reader.is_empty()?;
        Ok(Snapshot { reader, _transaction: transaction })
    }
}

impl<'a> Deref for Snapshot<'a> {
    type Target = Reader<'a>;

    fn deref(&self) -> &Reader<'a> {
        &self.reader
    }
}
