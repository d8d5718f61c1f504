//! Imports one file of any kind: game files, libraries, lines of JSON, databases of other programs.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::answers::ImportCounts;
use super::changes::Changes;
use super::import::{ImportSource, Importer};
use super::stored::StoredPosition;
use super::yixin;
use tengen_record::{GameRecord, Games, ReadOptions, RecordError, visit_each};
use tengen_rules::board::Board;
use tengen_rules::types::Rule;
use tengen_store::{Origin, Provenance, Record, Store};

/// First bytes of RenLib's libraries.
const LIBRARY: &[u8] = b"\xffRenLib\xff";
/// Number of lines to examine to recognise positions. The first ones may be damaged.
const EXAMINED: usize = 100;
/// Number of nodes of a part of a library. The progress of an import counts parts, so that every
/// program must read the same ones.
pub const LIBRARY_PART: usize = 200_000;

/// A file to import.
#[derive(Clone, Debug)]
pub struct FileImport<'a> {
    /// The content.
    pub bytes: &'a [u8],
    /// How to read its games, and its name.
    pub reading: ReadOptions<'a>,
    /// Name of the source of results and evaluations; default: the name of the file.
    pub source: Option<String>,
    /// Whether games are counted at the positions of their main lines.
    pub counts_games: bool,
    /// Whether to read a file that was already imported. A game is counted only once.
    pub again: bool,
}

/// Reads the games of a file, and receives what is wrong with its positions.
pub trait ImportHandler {
    /// Passes the games to `visit` while they are read, since a file may be larger than the memory;
    /// a library in parts of [`LIBRARY_PART`] nodes unless games are selected.
    ///
    /// # Errors
    /// When a game cannot be read.
    fn games(
        &mut self,
        file: &FileImport<'_>,
        visit: &mut dyn FnMut(GameRecord),
    ) -> anyhow::Result<Games> {
        let library_part = file.reading.numbers.is_none().then_some(LIBRARY_PART);
        let reading = ReadOptions { library_part, ..file.reading.clone() };
        Ok(visit_each(file.bytes, &reading, &mut |_, game| visit(game))?.ensure_valid()?)
    }

    /// Receives a position that cannot be read, with its number, from 1.
    ///
    /// # Errors
    /// To end the import.
    fn bad_position(&mut self, _number: usize, error: anyhow::Error) -> anyhow::Result<()> {
        Err(error)
    }

    /// Receives a remark about positions that were read.
    ///
    /// # Errors
    /// To end the import.
    fn remark(&mut self, _text: &str) -> anyhow::Result<()> {
        Ok(())
    }
}

/// Imports whole files: whatever is wrong is an error.
impl ImportHandler for () {}

/// Adds the positions of a file to a database. `changes` receives the written positions, also before
/// an error.
///
/// # Errors
/// When the file cannot be read, or the database cannot be written; see [`is_store_failure`]. Of a
/// large file, the batches that were already written are kept.
pub fn import_file(
    store: &mut Store,
    changes: &mut Changes,
    file: &FileImport<'_>,
    handler: &mut dyn ImportHandler,
) -> anyhow::Result<ImportCounts> {
    let positions = positions(file);
    // As a game it would lose all but stones and comment.
    if positions.is_none() && begins_with_position(file.bytes) {
        bail!("positions of a database must be one per line, as `jq -c` prints them");
    }
    let plain = yixin::unpacked(file.bytes).context("not an intact LZ4 frame")?;
    let is_foreign = positions.is_none() && yixin::is_database(&plain);
    let source = source(file, positions.is_some() || is_foreign);
    let provenance = source.provenance.clone();
    let mut importer = Importer::new(store, source)?.with_changes(changes);
    if let Some((text, remark)) = positions {
        if let Some(remark) = remark {
            handler.remark(&remark)?;
        }
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let position = position(line).with_context(|| format!("line {number}"));
            add(&mut importer, number, position, handler)?;
        }
        return Ok(importer.finish()?);
    }
    if is_foreign {
        for (number, record) in (1..).zip(yixin::Records::new(&plain, &provenance)) {
            add(&mut importer, number, record.map_err(anyhow::Error::from), handler)?;
        }
        return Ok(importer.finish()?);
    }
    let mut written = Ok(());
    let games = handler.games(file, &mut |game| {
        if written.is_ok() {
            written = importer.game(&game);
        }
    })?;
    written?;
    let mut counts = importer.finish()?;
    if games.repeated_nodes > 0 {
        // The parts of one library.
        let is_new = counts.known_games == 0;
        counts.nodes -= if is_new { games.repeated_nodes } else { 0 };
        counts.known_games = u64::from(counts.known_games == counts.games);
        counts.games = 1;
    }
    Ok(counts)
}

/// Whether an import failed because the database cannot be read or written, and not because of the
/// file.
pub fn is_store_failure(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref();
    error.is_some_and(|error| !matches!(error, tengen_store::Error::InvalidRecord { .. }))
}

/// The current time in seconds since 1970.
pub fn now() -> u32 {
    let time = SystemTime::now().duration_since(UNIX_EPOCH);
    time.ok().and_then(|time| u32::try_from(time.as_secs()).ok()).unwrap_or(0)
}

/// The source of a file, identified by its content and how its games are read. Positions of a
/// database (`is_database`) are the same under all options, and are not counted twice under two rules.
fn source(file: &FileImport<'_>, is_database: bool) -> ImportSource {
    let default = ReadOptions { name: file.reading.name, ..ReadOptions::default() };
    let reading = if is_database { &default } else { &file.reading };
    // No import reads a list of openings, and the parts of a library do not change its positions.
    let ReadOptions {
        format,
        name,
        size,
        rows,
        skips_i,
        rule,
        encoding,
        numbers,
        lists_openings: _,
        library_part: _,
    } = reading;
    let mut hash = Sha256::new();
    hash.update(file.bytes);
    hash.update(format!("{format:?} {size:?} {rule:?} {rows:?} {encoding:?} {numbers:?}"));
    if *skips_i {
        hash.update("skips i");
    }
    let id = hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let file_name = name.and_then(Path::file_name).map(|it| it.to_string_lossy().into_owned());
    let origin = file.source.clone().or(file_name).unwrap_or_default();
    let origin = Arc::new(Origin { source: origin, version: String::new() });
    // The main line of a library is analysis, not a game.
    let is_library =
        file.bytes.starts_with(LIBRARY) || name.and_then(Path::extension) == Some("lib".as_ref());
    ImportSource {
        id,
        provenance: Provenance { origin: Some(origin), time: now() },
        rule: rule.unwrap_or(Rule::Freestyle),
        counts_games: file.counts_games && !is_library,
        again: file.again,
    }
}

/// Adds a position, if it can be read.
fn add(
    importer: &mut Importer<'_>,
    number: usize,
    position: anyhow::Result<(Board, Record)>,
    handler: &mut dyn ImportHandler,
) -> anyhow::Result<()> {
    let added = position.and_then(|(board, record)| Ok(importer.position(&board, record)?));
    match added {
        Err(error) if !is_store_failure(&error) => handler.bad_position(number, error),
        added => added,
    }
}

/// A line that `export --to jsonl` writes.
fn position(line: &str) -> anyhow::Result<(Board, Record)> {
    let stored: StoredPosition = serde_json::from_str(line)?;
    Ok((stored.board()?, stored.record()))
}

/// The text of a file that consists of the JSON lines that `export --to jsonl` writes, with a remark
/// if its encoding was guessed.
fn positions<'a>(file: &FileImport<'a>) -> Option<(Cow<'a, str>, Option<String>)> {
    let lines = file.bytes.split_inclusive(|&byte| byte == b'\n').take(EXAMINED);
    let start = &file.bytes[..lines.map(<[u8]>::len).sum()];
    let (start, _) = text(file, start).ok()?;
    if !start.lines().any(|line| serde_json::from_str(line).is_ok_and(|it| is_position(&it))) {
        return None;
    }
    text(file, file.bytes).ok()
}

/// The text of a file, with a remark if its encoding was guessed. `--encoding` applies to game files
/// only; exports are UTF-8.
fn text<'a>(
    file: &FileImport<'_>,
    bytes: &'a [u8],
) -> Result<(Cow<'a, str>, Option<String>), RecordError> {
    let stated = file.reading.encoding.filter(|_| std::str::from_utf8(bytes).is_err());
    tengen_record::decode(bytes, stated)
}

/// Whether a value is a position of a database, maybe with mistakes or with keys of a later version.
/// Analyses, which have similar keys, are read as game files.
fn is_position(value: &Value) -> bool {
    let has = |key: &str| value.get(key).is_some();
    value["black"].is_array() && has("width") && has("side_to_move") && !has("prospects")
}

/// Whether a file begins with a position of a database that takes several lines or is in an array.
fn begins_with_position(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii_start();
    let text = text.strip_prefix(b"[").unwrap_or(text);
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<Value>();
    values.next().is_some_and(|first| first.is_ok_and(|first| is_position(&first)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::samples::board;

    fn import(store: &mut Store, name: &str, text: &str, rule: Option<Rule>) -> ImportCounts {
        let reading = ReadOptions { name: Some(Path::new(name)), rule, ..ReadOptions::default() };
        let bytes = text.as_bytes();
        let file = FileImport { bytes, reading, source: None, counts_games: true, again: false };
        import_file(store, &mut Changes::default(), &file, &mut ()).unwrap()
    }

    fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::create(folder.path().join("x.tdb")).unwrap();
        (folder, store)
    }

    const GAME: &str = "(;GM[4]SZ[15]RE[B+];B[hh];W[hg];B[ff])";

    #[test]
    fn file_is_known_by_content_and_rule() {
        let (_folder, mut store) = store();
        assert_eq!(import(&mut store, "a.sgf", GAME, None).known_games, 0);
        assert_eq!(import(&mut store, "b.sgf", GAME, None).known_games, 1);
        assert_eq!(import(&mut store, "a.sgf", GAME, Some(Rule::Renju)).inserted, 4);
    }

    /// The record of the first position of a game, and its line in an export.
    fn exported() -> (Record, String) {
        let (_folder, mut store) = store();
        import(&mut store, "a.sgf", GAME, None);
        let board = board(&[(7, 7)]);
        let first = store.get(&board).unwrap().unwrap();
        let line = serde_json::to_string(&StoredPosition::new(&board, &first)).unwrap();
        (first, line)
    }

    #[test]
    fn exported_positions_keep_their_records() {
        let (first, line) = exported();
        let (_folder, mut other) = store();
        assert_eq!(import(&mut other, "a.jsonl", &line, None).inserted, 1);
        assert_eq!(other.get(&board(&[(7, 7)])).unwrap().unwrap().games, first.games);
    }

    #[test]
    fn exported_positions_are_counted_once_under_two_rules() {
        let (first, line) = exported();
        let (_folder, mut other) = store();
        assert_eq!(import(&mut other, "a.jsonl", &line, None).known_games, 0);
        assert_eq!(import(&mut other, "a.jsonl", &line, Some(Rule::Renju)).known_games, 1);
        assert_eq!(other.get(&board(&[(7, 7)])).unwrap().unwrap().games, first.games);
    }

    #[test]
    fn default_handler_reads_a_library_in_parts() {
        const LEAF: u8 = 0x40;
        const SIBLING: u8 = 0x80;
        // A root, 100 moves, 100 replies to each, and 21 moves after each reply.
        let node = |at: u8, last: u8, flags: u8| {
            [(at / 15) << 4 | (at % 15 + 1), flags | if at < last { SIBLING } else { 0 }]
        };
        let mut bytes = [LIBRARY, &[3, 4], &[0xff; 10], &[0, 0]].concat();
        for first in 0..=99 {
            bytes.extend(node(first, 99, 0));
            for second in 100..=199 {
                bytes.extend(node(second, 199, 0));
                bytes.extend((200..=220).flat_map(|third| node(third, 220, LEAF)));
            }
        }
        let parts = |numbers| {
            let reading = ReadOptions { numbers, ..ReadOptions::default() };
            let bytes = &bytes;
            let file =
                FileImport { bytes, reading, source: None, counts_games: true, again: false };
            let mut parts = 0;
            let games = ().games(&file, &mut |_| parts += 1).unwrap();
            (parts, games.repeated_nodes > 0)
        };
        assert_eq!(parts(None), (2, true));
        assert_eq!(parts(Some(1..=1)), (1, false));
    }

    #[test]
    fn main_line_of_a_library_is_not_counted() {
        let (_folder, mut store) = store();
        let game = "(;GM[4]SZ[15];B[hh];W[aa];B[ih];W[ca];B[jh];W[ea];B[kh];W[ga];B[lh])";
        assert_eq!(import(&mut store, "a.sgf", game, None).counted_games, 1);
        let mut library = Vec::new();
        let games = tengen_record::read(game.as_bytes(), &ReadOptions::default()).unwrap();
        tengen_record::write(&games.list, tengen_record::Format::Lib, &mut library).unwrap();
        let reading = ReadOptions { rule: Some(Rule::Caro), ..ReadOptions::default() };
        let file =
            FileImport { bytes: &library, reading, source: None, counts_games: true, again: false };
        let counts = import_file(&mut store, &mut Changes::default(), &file, &mut ()).unwrap();
        assert_eq!((counts.games, counts.counted_games), (1, 0));
    }
}
