//! Reads the rows of an SQLite page without SQLite. The format is described on
//! sqlite.org/fileformat2.html, sections 1.6 and 2.

use std::collections::HashSet;

use crate::record::MAX_TEXT;

/// Maximum length of a row: a text on every cell of the largest board.
const LONGEST: usize = (36 * 36 + 2) * MAX_TEXT;

/// A column of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Column {
    /// Bytes.
    Blob(Vec<u8>),
    /// Text; bytes that are not UTF-8 are replaced.
    Text(String),
    /// Any other type.
    Other,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// The row id, in tables that have one.
    pub id: Option<u64>,
    /// The columns.
    pub columns: Vec<Column>,
}

/// The kind of a page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Index { interior: bool },
    TableLeaf,
}

/// The rows of a page; `None` for unreadable cells. Empty for pages of other kinds. `start` is
/// the offset of the page header: 100 on the first page. `other_page` reads a page by its number.
pub(super) fn rows(
    page: &[u8],
    start: usize,
    other_page: &mut impl FnMut(u32) -> Option<Vec<u8>>,
) -> Vec<Option<Row>> {
    let kind = match page.get(start) {
        Some(2) => Kind::Index { interior: true },
        Some(10) => Kind::Index { interior: false },
        Some(13) => Kind::TableLeaf,
        _ => return Vec::new(),
    };
    let header = if kind == (Kind::Index { interior: true }) { 12 } else { 8 };
    let Some(cells) = short(page, start + 3) else { return Vec::new() };
    // A larger number is damaged: every cell takes at least four bytes.
    let cells = cells.min(page.len() / 4);
    (0..cells)
        .map(|cell| {
            let at = short(page, start + header + 2 * cell)?;
            row(page, at, kind, other_page)
        })
        .collect()
}

fn row(
    page: &[u8],
    at: usize,
    kind: Kind,
    other_page: &mut impl FnMut(u32) -> Option<Vec<u8>>,
) -> Option<Row> {
    let left_child = if kind == (Kind::Index { interior: true }) { 4 } else { 0 };
    let mut rest = page.get(at + left_child..)?;
    let length = usize::try_from(varint(&mut rest)?).ok()?;
    let id = if kind == Kind::TableLeaf { Some(varint(&mut rest)?) } else { None };
    let payload = payload(page.len(), rest, length, kind, other_page)?;
    Some(Row { id, columns: columns(&payload)? })
}

/// The bytes of a cell, which begin in the page and continue in a chain of overflow pages.
fn payload(
    page_size: usize,
    cell: &[u8],
    length: usize,
    kind: Kind,
    other_page: &mut impl FnMut(u32) -> Option<Vec<u8>>,
) -> Option<Vec<u8>> {
    let most = match kind {
        Kind::TableLeaf => page_size - 35,
        Kind::Index { .. } => (page_size - 12) * 64 / 255 - 23,
    };
    if length <= most {
        return Some(cell.get(..length)?.to_vec());
    }
    let least = (page_size - 12) * 32 / 255 - 23;
    let local = least + (length - least) % (page_size - 4);
    let local = if local <= most { local } else { least };
    if length > LONGEST {
        return None;
    }
    let mut payload = cell.get(..local)?.to_vec();
    let mut next = number(cell, local)?;
    let mut seen = HashSet::new();
    // A damaged chain could contain a cycle.
    while payload.len() < length && seen.insert(next) {
        let page = other_page(next).filter(|page| page.len() == page_size)?;
        let wanted = (length - payload.len()).min(page_size - 4);
        payload.extend_from_slice(&page[4..4 + wanted]);
        next = number(&page, 0)?;
    }
    (payload.len() == length).then_some(payload)
}

fn columns(payload: &[u8]) -> Option<Vec<Column>> {
    let mut rest = payload;
    let header = usize::try_from(varint(&mut rest)?).ok()?;
    let mut types = payload.get(payload.len() - rest.len()..header)?;
    let mut content = payload.get(header..)?;
    let mut columns = Vec::new();
    while !types.is_empty() {
        let kind = varint(&mut types)?;
        let length = match kind {
            0 | 8 | 9 => 0,
            1..=4 => kind,
            5 => 6,
            6 | 7 => 8,
            10 | 11 => return None,
            _ => (kind - 12) / 2,
        };
        let (bytes, left) = content.split_at_checked(usize::try_from(length).ok()?)?;
        content = left;
        columns.push(match kind {
            0..12 => Column::Other,
            _ if kind % 2 == 0 => Column::Blob(bytes.to_vec()),
            _ => Column::Text(String::from_utf8_lossy(bytes).into_owned()),
        });
    }
    Some(columns)
}

/// A number of one to nine bytes, highest first.
fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for index in 0..9 {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        if index == 8 {
            return Some(value << 8 | u64::from(byte));
        }
        value = value << 7 | u64::from(byte & 0x7f);
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

fn short(bytes: &[u8], at: usize) -> Option<usize> {
    Some(usize::from(u16::from_be_bytes([*bytes.get(at)?, *bytes.get(at + 1)?])))
}

/// The number in four bytes.
pub(super) fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}
