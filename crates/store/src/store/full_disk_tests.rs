//! Simulates a full disk with a size limit of the file, and checks that commits are synced. See also
//! `tests/crash.rs`.

use rusqlite::types::Value;
use tengen_rules::{Board, BoardSize, Point, Rule};

use super::{Filter, Store};
use crate::record::{Origin, Provenance};
use crate::{Error, Evidence, GameValue, KnownResult, Record};

/// A different position for each number.
fn numbered(number: u64) -> Board {
    let size = BoardSize::square(15).unwrap();
    let mut board = Board::new(size, Rule::Renju);
    for bit in 0..16 {
        if number >> bit & 1 == 1 {
            board.place(Point::new(bit % 15, bit / 15), board.side_to_move()).unwrap();
        }
    }
    board.place(Point::new(0, 14), board.side_to_move()).unwrap();
    board.place(Point::new(5, 14), board.side_to_move()).unwrap();
    board
}

fn long() -> Record {
    let origin = Origin { source: "solver".to_string(), version: "1".to_string() };
    let result = KnownResult {
        value: GameValue::Draw,
        distance: None,
        evidence: Evidence::Claimed,
        best: None,
        provenance: Provenance { origin: Some(origin.into()), time: 1 },
    };
    Record { result: Some(result), comment: "x".repeat(900), ..Record::default() }
}

/// Writes a batch of ten positions.
fn write(store: &mut Store, first: u64) -> Result<(), Error> {
    let mut batch = store.batch()?;
    for number in first..first + 10 {
        batch.put(&numbered(number), &long())?;
    }
    batch.commit()
}

#[test]
fn failed_batch_changes_nothing_and_keeps_the_store_usable() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.tdb");
    let mut store = Store::create(&path).unwrap();
    store.conn.execute_batch("PRAGMA max_page_count = 40").unwrap();
    let mut written = 0;
    let error = loop {
        match write(&mut store, written) {
            Ok(()) => written += 10,
            Err(error) => break error,
        }
    };
    assert!(matches!(error, Error::DiskFull { .. }), "{error:?}");
    assert!(error.to_string().contains("the disk is full"), "{error}");
    // After a failure the batch cannot be committed.
    let mut batch = store.batch().unwrap();
    let errors = (written..).find_map(|number| batch.put(&numbered(number), &long()).err());
    assert!(matches!(errors, Some(Error::DiskFull { .. })), "{errors:?}");
    let error = batch.put(&numbered(0), &Record::default()).unwrap_err();
    assert!(matches!(error, Error::BatchFailed { .. }), "{error:?}");
    assert!(matches!(batch.commit(), Err(Error::BatchFailed { .. })));

    store.conn.execute_batch("PRAGMA max_page_count = 1000000").unwrap();
    write(&mut store, written).unwrap();
    drop(store);
    let store = Store::open(&path).unwrap();
    assert_eq!(store.check().unwrap().problems, [] as [&str; 0]);
    assert_eq!(store.reader().len().unwrap(), written + 10);
    assert!(
        store.reader().entries(&Filter::default()).all(|entry| entry.unwrap().record == long())
    );
}

/// A failure of the power cannot be simulated.
#[test]
fn commits_are_synced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.tdb");
    for store in [Store::create(&path).unwrap(), Store::open(&path).unwrap()] {
        let pragma = |name: &str| store.conn.pragma_query_value(None, name, |row| row.get(0));
        assert_eq!(pragma("synchronous"), Ok(Value::Integer(2)), "FULL");
        assert_eq!(pragma("journal_mode"), Ok(Value::Text("wal".to_string())));
    }
}
