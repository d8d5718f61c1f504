//! Opening and creating files.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::schema::{self, log_path, with_suffix};
use super::{CACHE_BYTES, Context, Options, Origins, Store};
use crate::Error;
use crate::drive::network_drive;
use crate::key::hex;

/// First bytes of every SQLite database.
pub(crate) const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// Minimum size of a database: SQLite treats shorter files as empty databases.
const MIN_BYTES: u64 = 512;
/// After large batches the write-ahead log is truncated to this size.
const LOG_BYTES: i64 = 64 << 20;
/// Bytes of the file that are mapped into memory for reading, instead of being copied to the cache.
/// The system can drop these pages at any time.
const MAPPED_BYTES: u64 = if cfg!(target_pointer_width = "64") { 1 << 30 } else { 0 };

impl Store {
    /// Opens a store for reading and writing.
    ///
    /// # Errors
    /// When the file is missing, foreign, truncated, damaged, newer, or may not be written.
    pub fn open(path: impl AsRef<Path>) -> Result<Store, Error> {
        Store::open_with(path, &Options::default())
    }

    /// Like [`Store::open`], with options.
    ///
    /// # Errors
    /// The errors of [`Store::open`].
    pub fn open_with(path: impl AsRef<Path>, options: &Options) -> Result<Store, Error> {
        let path = path.as_ref();
        finish(connect_writing(path, options)?, path, options)
    }

    /// Opens a store for reading, also on read-only drives.
    ///
    /// # Errors
    /// When the file is missing, foreign, truncated, damaged or newer.
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Store, Error> {
        let (path, options) = (path.as_ref(), &Options::default());
        // Dropped after the connection.
        let leftovers = Some(Leftovers(path.to_path_buf()));
        let conn = connect_reading(path, options)?;
        Ok(Store { leftovers, ..finish(conn, path, options)? })
    }

    /// Creates an empty store.
    ///
    /// # Errors
    /// [`Error::AlreadyExists`]; when the file cannot be written.
    pub fn create(path: impl AsRef<Path>) -> Result<Store, Error> {
        Store::create_with(path, &Options::default())
    }

    /// Like [`Store::create`], with options.
    ///
    /// # Errors
    /// The errors of [`Store::create`].
    pub fn create_with(path: impl AsRef<Path>, options: &Options) -> Result<Store, Error> {
        let path = path.as_ref();
        if path.try_exists().map_err(|error| Error::from_io(path, error))? {
            return Err(Error::AlreadyExists { path: path.to_path_buf() });
        }
        // Rename the file only when it is complete.
        let part = with_suffix(path, &format!(".new-{}", std::process::id()));
        let written = write_empty(&part, path, options).and_then(|()| {
            move_without_replacing(&part, path).map_err(|error| Error::from_io(path, error))
        });
        if written.is_err() {
            let _ = std::fs::remove_file(&part);
        }
        written?;
        Store::open_with(path, options)
    }

    /// Opens a store, or creates it if the file does not exist.
    ///
    /// # Errors
    /// The errors of [`Store::open`] and [`Store::create`].
    pub fn open_or_create(path: impl AsRef<Path>, options: &Options) -> Result<Store, Error> {
        match Store::open_with(&path, options) {
            Err(Error::NotFound { .. }) => match Store::create_with(&path, options) {
                // Another program created the file in the meantime.
                Err(Error::AlreadyExists { .. }) => Store::open_with(&path, options),
                created => created,
            },
            opened => opened,
        }
    }
}

/// Writes an empty store to the file `part`. Errors name the file `path`.
fn write_empty(part: &Path, path: &Path, options: &Options) -> Result<(), Error> {
    // The error of SQLite does not state why a file cannot be created.
    std::fs::File::create(part).map_err(|error| match error.kind() {
        // The folder is missing.
        ErrorKind::NotFound => Error::from_io(path.parent().unwrap_or(path), error),
        _ => Error::from_io(path, error),
    })?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(part, flags)
        .and_then(|mut conn| schema::create_tables(&mut conn))
        .map_err(|error| Error::from_sqlite(path, options.busy_timeout, error))
}

/// Renames a file unless the new name exists. Without hard links, a file that another
/// program creates at the same moment may be replaced.
fn move_without_replacing(from: &Path, to: &Path) -> std::io::Result<()> {
    match std::fs::hard_link(from, to) {
        Ok(()) => std::fs::remove_file(from),
        Err(error) if error.kind() == ErrorKind::AlreadyExists || to.exists() => {
            Err(ErrorKind::AlreadyExists.into())
        }
        Err(_) => std::fs::rename(from, to),
    }
}

/// Opens a file for writing.
///
/// If that fails, SQLite opens the file for reading and does not report why. The second attempt is
/// for temporary failures.
fn connect_writing(path: &Path, options: &Options) -> Result<Connection, Error> {
    for _ in 0..2 {
        let conn = connect(path, options, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let is_read_only = conn.is_readonly("main");
        if !is_read_only.map_err(|error| Error::from_sqlite(path, options.busy_timeout, error))? {
            return Ok(conn);
        }
        drop(conn);
        ensure_writable(path).map_err(|error| {
            not_writable(path, error.kind(), &format!("cannot be opened for writing: {error}"))
        })?;
    }
    Err(not_writable(path, ErrorKind::Other, "cannot be opened for writing"))
}

fn not_writable(path: &Path, kind: ErrorKind, reason: &str) -> Error {
    Error::Io { path: path.to_path_buf(), source: std::io::Error::new(kind, reason) }
}

/// Checks permissions and drive without opening the file: closing it would release the locks of
/// other connections of this process.
#[cfg(unix)]
fn ensure_writable(path: &Path) -> std::io::Result<()> {
    Ok(rustix::fs::access(path, rustix::fs::Access::WRITE_OK)?)
}

#[cfg(not(unix))]
fn ensure_writable(path: &Path) -> std::io::Result<()> {
    let is_protected = std::fs::metadata(path)?.permissions().readonly();
    if is_protected { Err(ErrorKind::PermissionDenied.into()) } else { Ok(()) }
}

/// Opens a file for reading, without locks if its folder is not writable or has no space.
fn connect_reading(path: &Path, options: &Options) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let refused = match connect(path, options, flags) {
        Err(refused @ (Error::Database { .. } | Error::DiskFull { .. })) => refused,
        other => return other,
    };
    let log = log_length(path).unwrap_or_default();
    let Some(uri) = immutable_uri(path).filter(|_| log == 0) else { return Err(refused) };
    connect_to(path, Path::new(&uri), options, flags | OpenFlags::SQLITE_OPEN_URI)
        .map_err(|_| refused)
}

/// A URI with which SQLite reads the file without locks and log.
fn immutable_uri(path: &Path) -> Option<String> {
    let path = std::path::absolute(path).ok()?;
    let mut uri = "file:".to_string();
    for &byte in path.to_str()?.replace('\\', "/").as_bytes() {
        if byte.is_ascii_alphanumeric() || b"/:._-".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            write!(uri, "%{byte:02X}").ok()?;
        }
    }
    Some(uri + "?immutable=1")
}

fn connect(path: &Path, options: &Options, flags: OpenFlags) -> Result<Connection, Error> {
    connect_to(path, path, options, flags)
}

/// Opens the file `path` under the name `name`. Refuses files of other programs and versions.
fn connect_to(
    path: &Path,
    name: &Path,
    options: &Options,
    flags: OpenFlags,
) -> Result<Connection, Error> {
    let not_a_store =
        |reason: &str| Error::NotAStore { path: path.to_path_buf(), reason: reason.to_string() };
    let metadata = std::fs::metadata(path).map_err(|error| Error::from_io(path, error))?;
    if metadata.is_dir() {
        return Err(not_a_store("a folder"));
    }
    if metadata.len() == 0 {
        return Err(not_a_store("the file is empty"));
    }
    if metadata.len() < MIN_BYTES {
        return Err(explain(path, "too short"));
    }
    let convert = |error: rusqlite::Error| match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
            explain(path, &error.to_string())
        }
        _ => Error::from_sqlite(path, options.busy_timeout, error),
    };
    let conn = Connection::open_with_flags(name, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX);
    let conn = conn.map_err(convert)?;
    conn.busy_timeout(options.busy_timeout).map_err(convert)?;
    let pragma = |name: &str| {
        conn.pragma_query_value(None, name, |row| row.get::<_, i64>(0).map(i64::cast_unsigned))
    };
    let pages = pragma("page_count").map_err(convert)?;
    let expected = pages * pragma("page_size").map_err(convert)?;
    refuse_truncated(path, expected)?;
    schema::check_version(&conn, path, options)?;
    Ok(conn)
}

/// Rejects a file that is shorter than its header states, unless the log contains the missing
/// pages.
fn refuse_truncated(path: &Path, expected: u64) -> Result<(), Error> {
    let length = || std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    let is_short = || length() < expected;
    if is_short() && log_length(path).unwrap_or_default() == 0 && is_short() {
        let (path, found) = (path.to_path_buf(), length());
        return Err(Error::Truncated { path, expected, found });
    }
    Ok(())
}

/// The length of the write-ahead log, if there is one.
fn log_length(path: &Path) -> Option<u64> {
    Some(std::fs::metadata(log_path(path)).ok()?.len())
}

/// Removes the empty log and the shared memory that a connection for reading leaves next to a
/// database. Drop it after the connection.
pub(super) struct Leftovers(PathBuf);

impl Drop for Leftovers {
    fn drop(&mut self) {
        let Leftovers(path) = self;
        // Locks do not hold on network drives.
        if log_length(path) != Some(0) || network_drive(path).is_some() {
            return;
        }
        // SQLite removes both files when a connection for reading and writing ends as the last one.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let _ = Connection::open_with_flags(path, flags)
            .and_then(|conn| conn.pragma_query_value(None, "user_version", |_| Ok(())));
    }
}

/// The reason why SQLite cannot read the start of a file.
fn explain(path: &Path, detail: &str) -> Error {
    let mut header = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(100).read_to_end(&mut header));
    if let Err(error) = read {
        return Error::from_io(path, error);
    }
    let found = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    let path = path.to_path_buf();
    let start = &header[..header.len().min(MAGIC.len())];
    if !MAGIC.starts_with(start) {
        let start = hex(start);
        let reason = format!("the file begins with bytes {start}, not with \"SQLite format 3\"");
        return Error::NotAStore { path, reason };
    }
    if header.len() < 100 {
        return Error::Truncated { path, expected: schema::PAGE_SIZE as u64, found };
    }
    let number =
        |at: usize| header[at..].iter().take(4).fold(0, |sum, &byte| sum << 8 | u64::from(byte));
    let page_size = u64::from(u16::from_be_bytes([header[16], header[17]]));
    let expected = number(28) * if page_size == 1 { 65_536 } else { page_size };
    if found < expected {
        return Error::Truncated { path, expected, found };
    }
    Error::Damaged { path, reason: format!("header in bytes 0 to 99: {detail}") }
}

/// Sets up an open connection.
fn finish(conn: Connection, path: &Path, options: &Options) -> Result<Store, Error> {
    let network_drive = network_drive(path);
    // A mapped page that cannot be read ends the program.
    let mapped_bytes = if network_drive.is_none() { MAPPED_BYTES } else { 0 };
    let settings = format!(
        "PRAGMA cache_size = -{}; PRAGMA synchronous = FULL; PRAGMA cell_size_check = ON; \
         PRAGMA trusted_schema = OFF; PRAGMA mmap_size = {mapped_bytes}; \
         PRAGMA journal_size_limit = {LOG_BYTES};",
        CACHE_BYTES >> 10
    );
    conn.execute_batch(&settings)
        .map_err(|error| Error::from_sqlite(path, options.busy_timeout, error))?;
    schema::check_tables(&conn, path)?;
    let context = Context {
        path: path.to_path_buf(),
        options: options.clone(),
        origins: RefCell::new(Origins::default()),
    };
    Ok(Store { conn, context, network_drive, leftovers: None })
}
