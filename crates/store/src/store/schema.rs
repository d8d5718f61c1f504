//! Tables of the file and their versions.

use std::path::{Path, PathBuf};

use rusqlite::Connection;

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

/// Checks that the file belongs to this crate and that its version is supported.
pub(super) fn check_version(
    conn: &Connection,
    path: &Path,
    options: &Options,
) -> Result<(), Error> {
    let not_a_store = |reason| Error::NotAStore { path: path.to_path_buf(), reason };
    let pragma = |name: &str| conn.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let convert = |error| Error::from_sqlite(path, options.busy_timeout, error);
    let id = pragma("application_id").map_err(convert)?;
    if id != APPLICATION_ID {
        let reason = format!(
            "an SQLite database of another program (application id {id:#x} at byte 68, expected \
             {APPLICATION_ID:#x})"
        );
        return Err(not_a_store(reason));
    }
    let found = pragma("user_version").map_err(convert)?;
    if found < 1 {
        return Err(not_a_store(format!("schema version {found}")));
    }
    if found > SCHEMA_VERSION {
        let path = path.to_path_buf();
        return Err(Error::Newer { path, found, supported: SCHEMA_VERSION });
    }
    Ok(())
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
