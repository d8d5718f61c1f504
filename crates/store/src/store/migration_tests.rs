//! Tests migrations to hypothetical versions.

use tengen_rules::{Board, BoardSize, Rule};

use super::open::open_migrated;
use super::schema::{MIGRATIONS, Migration, SCHEMA_VERSION};
use super::{Options, Store};
use crate::{Error, Record};

const NEXT: &[Migration] = &[
    Migration { to: 2, sql: "ALTER TABLE origin ADD COLUMN kind TEXT" },
    Migration { to: 3, sql: "CREATE TABLE later(name TEXT PRIMARY KEY) STRICT" },
];

fn board() -> Board {
    Board::new(BoardSize::square(15).unwrap(), Rule::Renju)
}

fn record() -> Record {
    Record { comment: "kept".to_string(), ..Record::default() }
}

fn files(folder: &tempfile::TempDir) -> Vec<String> {
    let names = std::fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<String> =
        names.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn versions_rise_by_one_to_the_newest() {
    for migrations in [MIGRATIONS, NEXT] {
        let versions = migrations.iter().map(|migration| migration.to);
        assert!(versions.eq((2..).take(migrations.len())));
    }
    assert_eq!(SCHEMA_VERSION, 1 + MIGRATIONS.len() as i64);
}

#[test]
fn older_files_are_copied_and_then_migrated() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.tdb");
    let options = Options::default();
    Store::create(&path).unwrap().put(&board(), &record()).unwrap();
    std::fs::write(folder.path().join("x.tdb.v1-backup"), "another backup").unwrap();
    let store = open_migrated(&path, &options, 3, NEXT).unwrap();
    let backup = store.backup().expect("a backup").to_path_buf();
    assert_eq!(backup, folder.path().join("x.tdb.v1-backup-2"));
    assert_eq!(store.get(&board()).unwrap(), Some(record()));
    let later = store.conn.query_row("SELECT count(*) FROM later", [], |row| row.get::<_, i64>(0));
    assert_eq!(later.unwrap(), 0);
    drop(store);
    // The backup is a store of the old version; the old program rejects the new file.
    assert_eq!(Store::open(&backup).unwrap().get(&board()).unwrap(), Some(record()));
    assert!(matches!(Store::open(&path), Err(Error::Newer { found: 3, supported: 1, .. })));
    // Opening again does not migrate.
    assert_eq!(open_migrated(&path, &options, 3, NEXT).unwrap().backup(), None);
    assert_eq!(files(&folder), ["x.tdb", "x.tdb.v1-backup", "x.tdb.v1-backup-2"]);
}

#[test]
fn a_failed_migration_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.tdb");
    Store::create(&path).unwrap().put(&board(), &record()).unwrap();
    let broken = [
        Migration { to: 2, sql: "CREATE TABLE later(name TEXT)" },
        Migration { to: 3, sql: "DROP TABLE missing" },
    ];
    let error = open_migrated(&path, &Options::default(), 3, &broken).err().expect("refused");
    assert!(error.to_string().contains("missing"), "{error}");
    let store = Store::open(&path).unwrap();
    assert_eq!(store.get(&board()).unwrap(), Some(record()));
    let later = store.conn.prepare("SELECT * FROM later");
    assert!(later.is_err(), "the first step was undone");
}

#[test]
fn migrating_waits_for_a_writer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.tdb");
    let mut store = Store::create(&path).unwrap();
    let batch = store.batch().unwrap();
    let options = Options { busy_timeout: std::time::Duration::ZERO, ..Options::default() };
    let error = open_migrated(&path, &options, 3, NEXT).err().expect("refused");
    assert!(matches!(error, Error::Busy { .. }), "{error:?}");
    drop(batch);
    assert_eq!(files(&folder).iter().filter(|name| name.contains("backup")).count(), 0);
}
