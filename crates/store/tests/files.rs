//! Files: creating, rejecting, concurrent access, damage and repair.

mod common;

use std::path::Path;
use std::time::Duration;

use common::{comment, numbered, played, proved, record_of, square};
use tengen_rules::Rule;
use tengen_store::{BoardStats, Error, Filter, GameValue, Key, Options, Store, repair};

/// A store with this number of positions.
fn filled(path: &Path, positions: u64) -> Store {
    let mut store = Store::create(path).unwrap();
    let mut batch = store.batch().unwrap();
    for number in 0..positions {
        batch.put(&numbered(number), &record_of(number)).unwrap();
    }
    batch.set_property("root", "h8").unwrap();
    batch.commit().unwrap();
    store
}

fn refusal(path: &Path) -> Error {
    let error = Store::open(path).err().expect("refused");
    let read_only = Store::open_read_only(path).err().expect("refused for reading");
    assert_eq!(error.to_string(), read_only.to_string());
    assert!(error.to_string().starts_with(&path.display().to_string()), "{error}");
    error
}

#[test]
fn committed_records_persist_after_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.tdb");
    drop(filled(&path, 500));
    for open in [Store::open_read_only, Store::open] {
        let store = open(&path).unwrap();
        for number in 0..500 {
            assert_eq!(store.get(&numbered(number)).unwrap(), Some(record_of(number)));
        }
    }
    let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(names.len(), 1, "no log is left behind: {names:?}");
}

#[test]
fn creating_never_replaces_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.tdb");
    assert!(matches!(Store::open(&path), Err(Error::NotFound { .. })));
    std::fs::write(&path, "a letter").unwrap();
    assert!(matches!(Store::create(&path), Err(Error::AlreadyExists { .. })));
    assert_eq!(std::fs::read(&path).unwrap(), b"a letter");
    let missing = folder.path().join("missing").join("x.tdb");
    let parent = missing.parent().unwrap();
    let refused = Store::create(&missing);
    assert!(matches!(refused, Err(Error::NotFound { path }) if path == parent));
    let new = folder.path().join("new.tdb");
    let options = Options::default();
    Store::open_or_create(&new, &options).unwrap().put(&numbered(1), &comment("x")).unwrap();
    let again = Store::open_or_create(&new, &options).unwrap();
    assert_eq!(again.get(&numbered(1)).unwrap(), Some(comment("x")));
}

#[test]
fn foreign_files_are_rejected_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.tdb");
    for (content, reason) in [
        (&b""[..], "the file is empty"),
        (b"hello", "the file begins with bytes 68656c6c6f"),
        (&[4, 0x22, 0x4d, 0x18].repeat(2_000), "the file begins with bytes 04224d18"),
    ] {
        std::fs::write(&path, content).unwrap();
        let error = refusal(&path);
        assert!(matches!(error, Error::NotAStore { .. }), "{error:?}");
        assert!(error.to_string().contains(reason), "{error}");
        let repaired = repair(&path, folder.path().join("new.tdb"));
        assert!(matches!(repaired, Err(Error::NotAStore { .. })), "{repaired:?}");
        assert!(!folder.path().join("new.tdb").exists());
    }
    let error = refusal(folder.path());
    assert!(error.to_string().ends_with("not a database of positions: a folder"), "{error}");
    let other = folder.path().join("other.sqlite");
    let conn = rusqlite::Connection::open(&other).unwrap();
    conn.execute_batch("CREATE TABLE letter(text)").unwrap();
    drop(conn);
    let error = refusal(&other);
    assert!(error.to_string().contains("an SQLite database of another program"), "{error}");
}

#[test]
fn files_of_other_versions_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.tdb");
    drop(filled(&path, 3));
    let conn = rusqlite::Connection::open(&path).unwrap();
    conn.pragma_update(None, "user_version", 0).unwrap();
    let error = refusal(&path).to_string();
    assert!(error.ends_with("not a database of positions: schema version 0"), "{error}");
    conn.pragma_update(None, "user_version", 7).unwrap();
    drop(conn);
    let error = refusal(&path);
    assert!(matches!(error, Error::Newer { found: 7, supported: 1, .. }), "{error:?}");
    let repaired = repair(&path, folder.path().join("new.tdb"));
    assert!(matches!(repaired, Err(Error::Newer { found: 7, .. })), "{repaired:?}");
}

#[test]
fn truncated_files_are_rejected_with_the_size() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.tdb");
    drop(filled(&path, 2_000));
    let whole = std::fs::read(&path).unwrap();
    for length in [1, 15, 16, 50, 99, 100, 511, 512, 4_095, 4_096, 8_192, whole.len() - 1] {
        std::fs::write(&path, &whole[..length]).unwrap();
        let error = refusal(&path);
        let Error::Truncated { expected, found, .. } = error else {
            panic!("{length} bytes: {error:?}");
        };
        assert_eq!(found, length as u64);
        assert!(expected == whole.len() as u64 || length < 100, "{length}: {expected}");
    }
    std::fs::write(&path, &whole).unwrap();
    assert!(Store::open(&path).is_ok());
}

#[test]
fn second_writer_waits_and_then_fails() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.tdb");
    let mut first = filled(&path, 10);
    let options = Options { busy_timeout: Duration::from_millis(20) };
    let mut second = Store::open_with(&path, &options).unwrap();
    let mut batch = first.batch().unwrap();
    batch.put(&numbered(100), &comment("first")).unwrap();
    let error = second.put(&numbered(101), &comment("second")).unwrap_err();
    assert!(matches!(error, Error::Busy { waited, .. } if waited == options.busy_timeout));
    assert!(matches!(second.try_batch(), Err(Error::Busy { waited, .. }) if waited.is_zero()));
    assert!(error.to_string().ends_with("another program is writing (waited 0.0 s)"), "{error}");
    batch.commit().unwrap();
    second.put(&numbered(101), &comment("second")).unwrap();
    assert_eq!(first.get(&numbered(101)).unwrap(), Some(comment("second")));
    // A writer that finishes within the waiting time does not cause an error.
    let mut patient = Store::open(&path).unwrap();
    let mut batch = first.batch().unwrap();
    batch.put(&numbered(102), &comment("third")).unwrap();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| patient.put(&numbered(103), &comment("fourth")));
        batch.commit().unwrap();
        waiting.join().unwrap().unwrap();
    });
    assert_eq!(first.reader().len().unwrap(), 14);
}

#[test]
fn readers_are_not_blocked_by_a_writer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.tdb");
    let mut writer = filled(&path, 1_000);
    let reader = Store::open_read_only(&path).unwrap();
    let snapshot = reader.snapshot().unwrap();
    let mut batch = writer.batch().unwrap();
    for number in 0..2_000 {
        batch.put(&numbered(number), &comment("new")).unwrap();
    }
    let other = Store::open(&path).unwrap();
    assert_eq!(other.get(&numbered(5)).unwrap(), Some(record_of(5)), "not committed yet");
    batch.commit().unwrap();
    assert_eq!(other.get(&numbered(5)).unwrap(), Some(comment("new")));
    assert_eq!(snapshot.get(&numbered(5)).unwrap(), Some(record_of(5)), "the old state");
    assert_eq!(snapshot.len().unwrap(), 1_000);
    assert_eq!(snapshot.entries(&Filter::default()).count(), 1_000);
    drop(snapshot);
    assert_eq!(reader.reader().len().unwrap(), 2_000);
}

#[test]
fn origins_written_by_others_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.tdb");
    let mut first = filled(&path, 1);
    let second = Store::open(&path).unwrap();
    assert!(second.get(&numbered(0)).unwrap().is_some());
    let mut record = proved(GameValue::Win, 3);
    record.result.as_mut().unwrap().provenance = common::provenance("a new engine", 9);
    // The dropped batch frees its number, which another origin gets.
    let mut batch = first.batch().unwrap();
    batch.put(&numbered(7), &record).unwrap();
    drop(batch);
    let mut other = record.clone();
    other.result.as_mut().unwrap().provenance = common::provenance("another engine", 9);
    let mut third = Store::open(&path).unwrap();
    third.put(&numbered(8), &other).unwrap();
    first.put(&numbered(7), &record).unwrap();
    for store in [&first, &second, &third] {
        assert_eq!(store.get(&numbered(7)).unwrap(), Some(record.clone()));
        assert_eq!(store.get(&numbered(8)).unwrap(), Some(other.clone()));
    }
}

#[test]
fn stores_opened_for_reading_reject_changes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.tdb");
    drop(filled(&path, 1));
    let mut store = Store::open_read_only(&path).unwrap();
    let error = store.put(&numbered(1), &comment("x")).unwrap_err();
    assert!(matches!(error, Error::ReadOnly { .. }), "{error:?}");
    assert!(matches!(store.compact(), Err(Error::ReadOnly { .. })));
}

/// Names of the files in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn last_reader_removes_log_and_shared_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.tdb");
    drop(filled(&path, 3));
    let open = || {
        let store = Store::open_read_only(&path).unwrap();
        assert_eq!(store.reader().len().unwrap(), 3);
        store
    };
    let (first, second) = (open(), open());
    assert_eq!(names(folder.path()).len(), 3);
    drop(first);
    assert_eq!(names(folder.path()).len(), 3, "in use");
    drop(second);
    assert_eq!(names(folder.path()), ["x.tdb"]);
    // A writer that is still open needs its log.
    let mut writer = Store::open(&path).unwrap();
    drop(open());
    writer.put(&numbered(7), &comment("x")).unwrap();
    assert_eq!(Store::open_read_only(&path).unwrap().reader().len().unwrap(), 4);
    drop(writer);
    assert_eq!(names(folder.path()), ["x.tdb"]);
}

#[cfg(unix)]
#[test]
fn write_protected_files_are_refused_with_the_reason() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.tdb");
    drop(filled(&path, 1));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o444)).unwrap();
    assert_eq!(Store::open_read_only(&path).unwrap().reader().len().unwrap(), 1);
    // Permissions do not restrict root.
    if let Err(error) = Store::open(&path) {
        let reason = "cannot be opened for writing: Permission denied";
        assert!(error.to_string().contains(reason), "{error}");
    }
}

/// The log lies next to the linked file.
#[cfg(unix)]
#[test]
fn linked_file_is_not_truncated_while_its_end_is_in_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let [path, link] = ["x.tdb", "link.tdb"].map(|name| folder.path().join(name));
    let mut writer = filled(&path, 1);
    std::os::unix::fs::symlink(&path, &link).unwrap();
    for number in 0..100 {
        writer.put(&numbered(number), &comment(&"long text ".repeat(300))).unwrap();
    }
    let pages = std::fs::metadata(&path).unwrap().len() / 4_096;
    assert!(pages < 50, "{pages} pages are not in the log");
    assert_eq!(Store::open_read_only(&link).unwrap().reader().len().unwrap(), 100);
    drop(writer);
    assert_eq!(Store::open_read_only(&link).unwrap().reader().len().unwrap(), 100);
    assert_eq!(names(folder.path()).len(), 2);
}

#[test]
fn damage_is_reported_with_its_location_and_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.tdb");
    drop(filled(&path, 3_000));
    assert_eq!(Store::open(&path).unwrap().check().unwrap().problems, [] as [&str; 0]);
    let whole = std::fs::read(&path).unwrap();
    let pages = whole.len() / 4_096;
    // Overwrite a page with zeros or noise, or change one bit of a record.
    for case in 0..4 {
        let mut damaged = whole.clone();
        let page = &mut damaged[pages / 2 * 4_096..][..4_096];
        match case {
            0 => page.fill(0),
            1 => page.iter_mut().enumerate().for_each(|(at, byte)| *byte = (at * 7) as u8),
            _ => {
                let key = Key::of(&numbered(case));
                let places: Vec<usize> = whole
                    .windows(key.as_bytes().len())
                    .enumerate()
                    .filter_map(|(at, bytes)| (bytes == key.as_bytes()).then_some(at))
                    .collect();
                let length = key.as_bytes().len();
                places.iter().for_each(|at| damaged[at + length + case as usize] ^= 4);
            }
        }
        std::fs::write(&path, &damaged).unwrap();
        let store = Store::open(&path).unwrap();
        let report = store.check().unwrap();
        assert!(!report.problems.is_empty(), "case {case}");
        let found = |number| store.get(&numbered(number));
        let errors: Vec<Error> = (0..3_000).filter_map(|number| found(number).err()).collect();
        assert!(!errors.is_empty(), "case {case}");
        assert!(errors.iter().all(|error| matches!(error, Error::Damaged { .. })));
        drop(store);

        let new = folder.path().join("new.tdb");
        let report = repair(&path, &new).unwrap();
        let store = Store::open(&new).unwrap();
        assert_eq!(store.check().unwrap().problems, [] as [&str; 0]);
        let mut kept = 0;
        for number in 0..3_000 {
            let record = store.get(&numbered(number)).unwrap();
            assert!(record.is_none() || record == Some(record_of(number)));
            kept += u64::from(record.is_some());
        }
        assert_eq!(report.positions, kept);
        // A page holds fewer than a hundred records.
        assert!((2_900..3_000).contains(&kept), "case {case}: {kept}");
        assert_eq!(store.reader().property("root").unwrap().as_deref(), Some("h8"));
        assert!(matches!(repair(&path, &new), Err(Error::AlreadyExists { .. })));
        drop(store);
        std::fs::remove_file(&new).unwrap();
    }
}

#[test]
fn repair_recovers_files_without_header_or_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.tdb");
    drop(filled(&path, 3_000));
    let whole = std::fs::read(&path).unwrap();
    let new = folder.path().join("new.tdb");
    let mut headless = whole.clone();
    headless[..100].fill(0);
    std::fs::write(&path, &headless).unwrap();
    assert!(Store::open(&path).is_err());
    let report = repair(&path, &new).unwrap();
    assert_eq!((report.positions, report.damaged_rows, report.lost_origins), (3_000, 0, 0));
    assert_eq!(report.missing_pages, 0);
    let pages = report.pages;
    std::fs::remove_file(&new).unwrap();
    std::fs::write(&path, &whole[..whole.len() / 2 - 1_000]).unwrap();
    let report = repair(&path, &new).unwrap();
    assert!((1_000..2_000).contains(&report.positions), "{report:?}");
    assert_eq!(report.missing_pages, pages - report.pages);
    assert!(report.missing_pages > 0);
}

#[test]
fn repair_of_an_intact_file_copies_everything() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.tdb");
    let mut store = filled(&path, 2_000);
    // Long texts take several pages; deleted records leave free pages.
    let mut batch = store.batch().unwrap();
    for number in 0..1_500 {
        batch.delete(&numbered(number)).unwrap();
    }
    for number in 2_000..2_020 {
        batch.put(&numbered(number), &comment(&"long text ".repeat(3_000))).unwrap();
    }
    batch.commit().unwrap();
    let entries = |store: &Store| -> Vec<_> {
        store.reader().entries(&Filter::default()).map(Result::unwrap).collect()
    };
    let before = entries(&store);
    // The last changes are in the log only: copy both files as a crash would leave them.
    let crashed = folder.path().join("crashed.tdb");
    std::fs::copy(&path, &crashed).unwrap();
    std::fs::copy(folder.path().join("x.tdb-wal"), folder.path().join("crashed.tdb-wal")).unwrap();
    let report = repair(&crashed, folder.path().join("new.tdb")).unwrap();
    assert_eq!((report.positions, report.damaged_rows), (520, 0));
    assert_eq!(entries(&Store::open(folder.path().join("new.tdb")).unwrap()), before);
    #[cfg(unix)]
    {
        // The log has the name of the file, not that of the link.
        let (link, new) = (folder.path().join("link.tdb"), folder.path().join("new3.tdb"));
        std::os::unix::fs::symlink(&crashed, &link).unwrap();
        let report = repair(&link, &new).unwrap();
        assert_eq!((report.positions, report.damaged_rows), (520, 0));
        assert_eq!(entries(&Store::open(&new).unwrap()), before);
    }
    drop(store);
    let report = repair(&path, folder.path().join("new2.tdb")).unwrap();
    assert_eq!((report.positions, report.damaged_rows), (520, 0));
    assert_eq!(entries(&Store::open(folder.path().join("new2.tdb")).unwrap()), before);
}

#[test]
fn stats_count_damaged_records_of_each_board() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.tdb");
    let mut store = filled(&path, 3);
    let other = played(square(20), Rule::Renju, &[]);
    store.put(&other, &comment("x")).unwrap();
    let before = store.reader().stats(&Filter::default()).unwrap().boards;
    drop(store);
    let conn = rusqlite::Connection::open(&path).unwrap();
    // The first record of all, that of the other board, and a key without a position.
    let key = Key::of(&other);
    let bad_key = [&key.as_bytes()[..3], &[9, 9, 9]].concat();
    conn.execute("UPDATE position SET data = x'ff' WHERE key = ?1", [key.as_bytes()]).unwrap();
    conn.execute("INSERT INTO position(key, data) VALUES (?1, x'')", [bad_key]).unwrap();
    // A rule that does not exist, after all others.
    conn.execute("INSERT INTO position(key, data) VALUES (x'630f0f0001', x'')", []).unwrap();
    let first = "UPDATE position SET data = x'ff' WHERE key = (SELECT min(key) FROM position)";
    conn.execute(first, []).unwrap();
    drop(conn);
    let store = Store::open_read_only(&path).unwrap();
    let after = store.reader().stats(&Filter::default()).unwrap();
    let counts = |boards: &[BoardStats]| -> Vec<_> {
        boards.iter().map(|it| (it.rule, it.size, it.positions, it.damaged)).collect()
    };
    let (small, large) = (square(15), square(20));
    assert_eq!(counts(&before), [(Rule::Renju, small, 3, 0), (Rule::Renju, large, 1, 0)]);
    let damaged = [(Rule::Renju, small, 2, 1), (Rule::Renju, large, 0, 2)];
    assert_eq!(counts(&after.boards), damaged);
    assert_eq!(after.damaged, 1);
}

#[test]
fn random_damage_never_panics_or_gives_wrong_records() {
    use rand::rngs::SmallRng;
    use rand::{Rng, SeedableRng};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.tdb");
    drop(filled(&path, 400));
    let whole = std::fs::read(&path).unwrap();
    let mut rng = SmallRng::seed_from_u64(3);
    for round in 0..25 {
        let mut damaged = whole.clone();
        for _ in 0..rng.random_range(1..200) {
            let at = rng.random_range(0..damaged.len());
            damaged[at] = rng.random();
        }
        std::fs::write(&path, &damaged).unwrap();
        if let Ok(store) = Store::open_read_only(&path) {
            for number in 0..400 {
                if let Ok(Some(record)) = store.get(&numbered(number)) {
                    assert_eq!(record, record_of(number), "round {round}");
                }
            }
            let _ = store.check();
            let _ = store.reader().stats(&Filter::default());
        }
        let new = folder.path().join("new.tdb");
        if let Ok(report) = repair(&path, &new) {
            let store = Store::open(&new).unwrap();
            assert_eq!(store.reader().len().unwrap(), report.positions);
            drop(store);
            std::fs::remove_file(&new).unwrap();
        }
    }
}
