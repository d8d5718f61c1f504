//! Tables of the file and their versions.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::Options;
use crate::Error;

/// Identifies the files of this crate in their header: `TGST`.
pub(crate) const APPLICATION_ID: i64 = 0x5447_5354;

/// Version of the tables that this crate writes.
pub const SCHEMA_VERSION: i64 = 1;

/// Bytes of a page.
pub(crate) const PAGE_SIZE: i64 = 4096;

const TABLES: &str = "
    CREATE TABLE position(key BLOB PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID, STRICT;
    CREATE TABLE origin(
        id INTEGER PRIMARY KEY, source TEXT NOT NULL, version TEXT NOT NULL,
        UNIQUE(source, version)
    ) STRICT;
    CREATE TABLE property(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID, STRICT;
";

/// A change of the tables to the next version.
pub(super) struct Migration {
    /// The version after the change. Versions increase by one.
    pub to: i64,
    /// The change.
    pub sql: &'static str,
}

/// All changes since version 1, in order. Each new version of the tables appends one here.
pub(super) const MIGRATIONS: &[Migration] = &[];

/// Writes the tables into an empty database.
pub(super) fn create_tables(conn: &mut Connection) -> rusqlite::Result<()> {
    conn.pragma_update(None, "page_size", PAGE_SIZE)?;
    let transaction = conn.transaction()?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    transaction.execute_batch(TABLES)?;
    transaction.commit()?;
    conn.pragma_update(None, "journal_mode", "wal")
}

/// Version of the tables. Also checks that the file belongs to this crate.
pub(super) fn version(conn: &Connection, path: &Path, options: &Options) -> Result<i64, Error> {
    let pragma = |name: &str| conn.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let convert = |error| Error::from_sqlite(path, options.busy_timeout, error);
    let id = pragma("application_id").map_err(convert)?;
    if id != APPLICATION_ID {
        let reason = format!(
            "an SQLite database of another program (application id {id:#x} at byte 68, expected \
             {APPLICATION_ID:#x})"
        );
        return Err(Error::NotAStore { path: path.to_path_buf(), reason });
    }
    pragma("user_version").map_err(convert)
}

/// Checks that the tables exist.
pub(super) fn check_tables(conn: &Connection, path: &Path) -> Result<(), Error> {
    for table in ["key, data FROM position", "id, source, version FROM origin"] {
        conn.prepare(&format!("SELECT {table}")).map_err(|error| Error::Damaged {
            path: path.to_path_buf(),
            reason: format!("tables of the database: {error}"),
        })?;
    }
    Ok(())
}

/// Brings a file from version `from` to the last version of `migrations`, after a backup.
/// Returns the path of the backup, or `None` if another program migrated the file meanwhile.
pub(super) fn migrate(
    conn: &mut Connection,
    path: &Path,
    options: &Options,
    from: i64,
    migrations: &[Migration],
) -> Result<Option<PathBuf>, Error> {
    let convert = |error| Error::from_sqlite(path, options.busy_timeout, error);
    let transaction =
        conn.transaction_with_behavior(TransactionBehavior::Immediate).map_err(convert)?;
    // From here on the transaction blocks other writers.
    if version(&transaction, path, options)? != from {
        return Ok(None);
    }
    let backup = write_backup(path, from, options)?;
    for migration in migrations.iter().filter(|migration| migration.to > from) {
        transaction.execute_batch(migration.sql).map_err(convert)?;
        transaction.pragma_update(None, "user_version", migration.to).map_err(convert)?;
    }
    transaction.commit().map_err(convert)?;
    Ok(Some(backup))
}

/// Copies the file to `FILE.v1-backup`, or `FILE.v1-backup-N` if this file exists.
fn write_backup(path: &Path, version: i64, options: &Options) -> Result<PathBuf, Error> {
    let mut number = 1;
    let backup = loop {
        let backup = match number {
            1 => with_suffix(path, &format!(".v{version}-backup")),
            _ => with_suffix(path, &format!(".v{version}-backup-{number}")),
        };
        if !backup.try_exists().map_err(|error| Error::from_io(&backup, error))? {
            break backup;
        }
        number += 1;
    };
    // Rename the copy only when it is complete.
    let part = with_suffix(&backup, ".part");
    let written = copy_database(path, &part, options).and_then(|()| {
        let sync = std::fs::OpenOptions::new().write(true).open(&part);
        sync.and_then(|file| file.sync_all())
            .and_then(|()| std::fs::rename(&part, &backup))
            .map_err(|error| Error::from_io(&backup, error))
    });
    if written.is_err() {
        let _ = std::fs::remove_file(&part);
    }
    written.map(|()| backup)
}

/// Copies the committed content of a database to another file.
fn copy_database(from: &Path, to: &Path, options: &Options) -> Result<(), Error> {
    let _ = std::fs::remove_file(to);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let target = to.to_str().ok_or_else(|| Error::Io {
        path: to.to_path_buf(),
        source: std::io::Error::other("the path of the backup is not valid UTF-8"),
    })?;
    Connection::open_with_flags(from, flags)
        .and_then(|conn| conn.execute("VACUUM INTO ?1", [target]))
        .map(drop)
        .map_err(|error| Error::from_sqlite(to, options.busy_timeout, error))
}

/// The path of the write-ahead log of a file.
pub(crate) fn log_path(path: &Path) -> PathBuf {
    // SQLite follows links before it names the log.
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    with_suffix(&target, "-wal")
}

/// The path with a suffix appended.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(suffix);
    PathBuf::from(name)
}
