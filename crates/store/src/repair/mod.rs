//! Copies the intact records of a damaged file.
//!
//! The pages of the file and of its log are read one by one, so that a damaged header or page does
//! not affect the other pages. A row is intact if the checksum of its record is correct.

mod page;
mod wal;

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::Error;
use crate::key::Key;
use crate::record::codec::decode;
use crate::record::{GamesRule, Origin, Record};
use crate::store::schema::{self, SCHEMA_VERSION, log_path};
use crate::store::{MAGIC, Store};
use page::{Column, Row, rows};

/// Number of positions per batch.
const BATCH: u64 = 50_000;

/// Statistics of [`repair()`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RepairReport {
    /// Positions in the new file.
    pub positions: u64,
    /// Pages of the damaged file.
    pub pages: u32,
    /// Pages missing at the end of the file, according to its header.
    pub missing_pages: u32,
    /// Rows that could not be read, or whose checksum is wrong.
    pub damaged_rows: u64,
    /// Pages with such rows.
    pub damaged_pages: u32,
    /// Records whose origin lost its name and is now called `unknown origin N`.
    pub lost_origins: u64,
}

/// Copies every intact record of the file `from`, with its log if there is one, to a new store.
///
/// No program may have the file open, including this one: on Unix, closing it here would release
/// the locks of other stores of this process. Deleted records can reappear if the list of free
/// pages is damaged.
///
/// # Errors
/// [`Error::AlreadyExists`] if `to` exists; [`Error::NotAStore`] if the file has neither
/// the header of a store nor records; [`Error::Newer`]; when a file cannot be read or written.
/// After an error `to` does not exist, unless it existed before.
pub fn repair(from: impl AsRef<Path>, to: impl AsRef<Path>) -> Result<RepairReport, Error> {
    let (from, to) = (from.as_ref(), to.as_ref());
    let mut pages = Pages::open(from)?;
    let mut store = Store::create(to)?;
    let report = pages.recover(&mut store);
    drop(store);
    let report = report.and_then(|report| match pages.is_store() || report.positions > 0 {
        true => Ok(report),
        false => Err(Error::NotAStore {
            path: from.to_path_buf(),
            reason: "no header and no records of a store were found".to_string(),
        }),
    });
    if report.is_err() {
        let _ = std::fs::remove_file(to);
    }
    report
}

/// The pages of a damaged file.
struct Pages {
    path: PathBuf,
    file: File,
    log: Option<File>,
    in_log: HashMap<u32, u64>,
    header: Vec<u8>,
    count: u32,
    size: usize,
}

impl Pages {
    fn open(path: &Path) -> Result<Pages, Error> {
        let error = |error| Error::from_io(path, error);
        let file = File::open(path).map_err(error)?;
        let length = file.metadata().map_err(error)?.len();
        let mut header = Vec::new();
        (&file).take(100).read_to_end(&mut header).map_err(error)?;
        let size = match header.get(16..18) {
            Some(&[high, low]) if header.starts_with(MAGIC) => u16::from_be_bytes([high, low]),
            _ => 0,
        };
        // A header without a valid page size is damaged: assume the page size of this crate.
        let size = match usize::from(size) {
            1 => 65_536,
            size if size.is_power_of_two() && size >= 512 => size,
            _ => schema::PAGE_SIZE as usize,
        };
        let log = log_path(path);
        let in_log = wal::committed_pages(&log, size).map_err(error)?;
        let last_in_log = in_log.keys().max().copied().unwrap_or(0);
        let in_file = u32::try_from(length.div_ceil(size as u64)).unwrap_or(u32::MAX);
        let log = if in_log.is_empty() { None } else { Some(File::open(log).map_err(error)?) };
        let path = path.to_path_buf();
        let count = in_file.max(last_in_log);
        let mut pages = Pages { path, file, log, in_log, header, count, size };
        if let Some(page) = pages.read(1) {
            pages.header = page[..100].to_vec();
        }
        pages.refuse_newer()?;
        Ok(pages)
    }

    /// Whether the header is that of a store.
    fn is_store(&self) -> bool {
        let id = page::number(&self.header, 68).map(i64::from);
        self.header.starts_with(MAGIC) && id == Some(schema::APPLICATION_ID)
    }

    /// Number of pages missing at the end of the file, or 0 if the header is damaged.
    fn missing_pages(&self) -> u32 {
        let expected = page::number(&self.header, 28).filter(|_| self.is_store());
        expected.map_or(0, |expected| expected.saturating_sub(self.count))
    }

    fn refuse_newer(&self) -> Result<(), Error> {
        match page::number(&self.header, 60).map(i64::from) {
            Some(found) if self.is_store() && found > SCHEMA_VERSION => {
                let path = self.path.clone();
                Err(Error::Newer { path, found, supported: SCHEMA_VERSION })
            }
            _ => Ok(()),
        }
    }

    /// The newest image of a page. Bytes past the end of the file are 0.
    fn read(&mut self, number: u32) -> Option<Vec<u8>> {
        let (file, offset) = match (self.in_log.get(&number), &mut self.log) {
            (Some(&offset), Some(log)) => (log, offset),
            _ => (&mut self.file, u64::from(number.checked_sub(1)?) * self.size as u64),
        };
        file.seek(SeekFrom::Start(offset)).ok()?;
        let mut page = Vec::with_capacity(self.size);
        file.take(self.size as u64).read_to_end(&mut page).ok()?;
        if page.is_empty() {
            return None;
        }
        page.resize(self.size, 0);
        Some(page)
    }

    /// The rows of a page.
    fn rows(&mut self, number: u32) -> Vec<Option<Row>> {
        let Some(page) = self.read(number) else { return Vec::new() };
        let start = if number == 1 { 100 } else { 0 };
        rows(&page, start, &mut |number| self.read(number))
    }

    /// Free pages. They may still contain deleted rows.
    fn free_pages(&mut self) -> HashSet<u32> {
        let mut free = HashSet::new();
        let mut next = page::number(&self.header, 32).unwrap_or(0);
        while next != 0 && next <= self.count && free.insert(next) {
            let Some(page) = self.read(next) else { break };
            let leaves = page::number(&page, 4).unwrap_or(0) as usize;
            let leaves = (0..leaves.min(self.size / 4)).map(|leaf| 8 + 4 * leaf);
            free.extend(leaves.filter_map(|at| page::number(&page, at)));
            next = page::number(&page, 0).unwrap_or(0);
        }
        free
    }

    fn recover(&mut self, store: &mut Store) -> Result<RepairReport, Error> {
        let free = self.free_pages();
        let (origins, properties) = self.names(&free);
        let (pages, missing_pages) = (self.count, self.missing_pages());
        let mut report = RepairReport { pages, missing_pages, ..RepairReport::default() };
        let mut batch = store.batch()?;
        for (name, value) in &properties {
            batch.set_property(name, value)?;
        }
        let mut waiting = 0;
        for number in (1..=self.count).filter(|number| !free.contains(number)) {
            let damaged_before = report.damaged_rows;
            for row in self.rows(number) {
                match row.as_ref().map(|row| &row.columns[..]) {
                    Some([Column::Blob(key), Column::Blob(data)]) => {
                        let Some((key, record, lost)) = intact(key, data, &origins) else {
                            report.damaged_rows += 1;
                            continue;
                        };
                        let merged = batch.merge_key(&key, &record, GamesRule::Largest)?;
                        report.positions += u64::from(merged.inserted);
                        report.lost_origins += u64::from(lost);
                        waiting += 1;
                    }
                    None => report.damaged_rows += 1,
                    _ => {}
                }
            }
            report.damaged_pages += u32::from(report.damaged_rows > damaged_before);
            if waiting >= BATCH {
                batch.commit()?;
                batch = store.batch()?;
                waiting = 0;
            }
        }
        batch.commit()?;
        Ok(report)
    }

    /// The origins with their numbers, and the properties.
    fn names(
        &mut self,
        free: &HashSet<u32>,
    ) -> (HashMap<u64, Arc<Origin>>, HashMap<String, String>) {
        let (mut origins, mut properties) = (HashMap::new(), HashMap::new());
        for number in (1..=self.count).filter(|number| !free.contains(number)) {
            for Row { id, columns } in self.rows(number).into_iter().flatten() {
                match (id, &columns[..]) {
                    (Some(id), [Column::Other, Column::Text(source), Column::Text(version)]) => {
                        let (source, version) = (source.clone(), version.clone());
                        origins.insert(id, Arc::new(Origin { source, version }));
                    }
                    (None, [Column::Text(name), Column::Text(value)]) => {
                        properties.insert(name.clone(), value.clone());
                    }
                    _ => {}
                }
            }
        }
        (origins, properties)
    }
}

/// The position and the record of a row if they are intact, and whether an origin is lost.
fn intact(
    key: &[u8],
    data: &[u8],
    origins: &HashMap<u64, Arc<Origin>>,
) -> Option<(Key, Record, bool)> {
    let key = Key::from_bytes(key)?;
    let lost = std::cell::Cell::new(false);
    let origin = |number: u64| {
        Some(origins.get(&number).cloned().unwrap_or_else(|| {
            lost.set(true);
            let source = format!("unknown origin {number}");
            Arc::new(Origin { source, version: String::new() })
        }))
    };
    let record = decode(key.as_bytes(), key.size(), data, &origin).ok()?;
    record.validate(key.size()).ok()?;
    Some((key, record, lost.get()))
}
