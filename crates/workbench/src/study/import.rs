//! `tengen study import`: adds the positions of game files to a database.

use std::borrow::Cow;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use serde_json::Value;
use sha2::{Digest, Sha256};
use tengen_rules::types::Rule;
use tengen_store::{Origin, Provenance, Store};
use tengen_study::database::{
    Changes, ImportCounts, ImportSource, Importer, StoredPosition, yixin,
};

use super::{count, now, open_or_create, update_values};
use crate::games::GameFiles;

/// Arguments of `tengen study import`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The database; created if it does not exist
    #[arg(value_name = "DATABASE")]
    store: PathBuf,
    #[command(flatten)]
    input: GameFiles,
    /// Do not count the games at their positions
    #[arg(long)]
    no_games: bool,
    /// Read files again that were imported before; a game is counted only once
    #[arg(long)]
    again: bool,
    /// Name of the source of results and evaluations; default: the name of each file
    #[arg(long, value_name = "NAME")]
    source: Option<String>,
    /// Print the counts as one JSON object
    #[arg(long)]
    json: bool,
}

/// First bytes of RenLib's libraries.
const LIBRARY: &[u8] = b"\xffRenLib\xff";

/// The database, and the positions whose values the import changed.
struct Target {
    store: Store,
    changes: Changes,
}

impl Target {
    fn importer(&mut self, source: ImportSource) -> Result<Importer<'_>, tengen_store::Error> {
        Ok(Importer::new(&mut self.store, source)?.with_changes(&mut self.changes))
    }
}

/// Imports the files one by one.
///
/// # Errors
/// When a file cannot be read or has a bad game, or the database cannot be written. Data
/// imported before the error is kept.
pub fn run(args: &Args, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    let paths = args.input.paths()?;
    // A misspelt name leaves neither an empty database nor a part of the files behind.
    // With --skip-bad, one of several files may be unreadable.
    let is_optional = args.input.skips_bad() && paths.len() > 1;
    let is_checked = |path: &&PathBuf| !is_optional && *path != Path::new("-");
    for path in paths.iter().filter(is_checked) {
        std::fs::File::open(path).with_context(|| path.display().to_string())?;
    }
    let store = open_or_create(&args.store, notes)?;
    let mut target = Target { store, changes: Changes::default() };
    let imported = import_all(args, &paths, &mut target, notes);
    // Also after an error, which keeps the data before it.
    let updated = update_values(&mut target.store, target.changes);
    let total = imported?;
    updated?;
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&total)?)?;
        return Ok(());
    }
    let ImportCounts { games, counted_games, nodes, inserted, changed, .. } = total;
    let (games, nodes) = (count(games, "game"), count(nodes, "node"));
    let repeated = match total.repeated_games {
        0 => String::new(),
        repeated => format!("; {repeated} counted before"),
    };
    writeln!(out, "read {games} with {nodes}, counted the results of {counted_games}{repeated}")?;
    writeln!(out, "{} new, {changed} changed", count(inserted, "position"))?;
    report(&total, notes)
}

fn import_all(
    args: &Args,
    paths: &[PathBuf],
    target: &mut Target,
    notes: &mut dyn Write,
) -> anyhow::Result<ImportCounts> {
    let mut total = ImportCounts::default();
    for path in paths {
        let read = crate::games::contents(path).and_then(|(bytes, name)| {
            let counts = import(args, target, path, &bytes, notes);
            Ok((counts.with_context(|| name.clone())?, name))
        });
        let read = args.input.sound_file(split_store_errors(read)?, paths.len(), notes)?;
        let Some((counts, name)) = read else { continue };
        if counts.games > 0 && counts.known_games == counts.games {
            writeln!(notes, "{name}: imported before; skipped (--again reads it again)")?;
        }
        add(&mut total, &counts);
    }
    Ok(total)
}

/// Reports the data that was not stored unchanged.
pub fn report(counts: &ImportCounts, notes: &mut dyn Write) -> anyhow::Result<()> {
    let cut = match counts.cut_lines {
        1 => "ended before its last move, by a five, a full board or a foul",
        _ => "ended before their last move, by a five, a full board or a foul",
    };
    let problems = [
        (counts.cut_lines, "line", cut),
        (
            counts.claims_conflicts,
            "claim",
            "contradicted another result; proofs and later claims were kept",
        ),
        (counts.proofs_conflicts, "proof", "contradicted another proof: one of the two is wrong"),
        (counts.texts_dropped, "position", "lost a label or a part of a text"),
    ];
    for (number, word, what) in problems {
        if number > 0 {
            writeln!(notes, "{} {what}", count(number, word))?;
        }
    }
    Ok(())
}

fn import(
    args: &Args,
    target: &mut Target,
    path: &Path,
    bytes: &[u8],
    notes: &mut dyn Write,
) -> anyhow::Result<ImportCounts> {
    let mut source = source(args, path, bytes);
    // The main line of a library is analysis, not a game.
    source.counts_games &= !bytes.starts_with(LIBRARY) && path.extension() != Some("lib".as_ref());
    if let Some((text, remark)) = positions(args, bytes) {
        if let Some(remark) = remark {
            writeln!(notes, "{}: {remark}", path.display())?;
        }
        return import_positions(args, target, source, (path, &text), notes);
    }
    // As a game it would lose all but stones and comment.
    if begins_with_position(bytes) {
        bail!("positions of a database must be one per line, as `jq -c` prints them");
    }
    let plain = yixin::unpacked(bytes).context("not an intact LZ4 frame")?;
    if yixin::is_database(&plain) {
        return import_records(args, target, source, (path, &plain), notes);
    }
    // The games are imported while they are read, since a file may be larger than the memory.
    let mut importer = target.importer(source)?;
    let mut written = Ok(());
    let games = args.input.visit_bytes(bytes, path, notes, &mut |_, game| {
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

/// Returns errors of the database as the outer result, since `--skip-bad` leaves out unreadable data
/// only. The inner result is that of reading a file or a part of it.
///
/// # Errors
/// When the database cannot be read or written.
fn split_store_errors<T>(read: anyhow::Result<T>) -> anyhow::Result<anyhow::Result<T>> {
    let of_store = |error: &anyhow::Error| {
        let error = error.downcast_ref();
        error.is_some_and(|error| !matches!(error, tengen_store::Error::InvalidRecord { .. }))
    };
    if read.as_ref().is_err_and(of_store) { read.map(Ok) } else { Ok(read) }
}

/// Number of lines to examine to recognise positions. The first ones may be damaged.
const EXAMINED: usize = 100;

/// The text of a file that consists of the JSON lines that `export --to jsonl` writes, with a remark
/// if its encoding was guessed.
fn positions<'a>(args: &Args, bytes: &'a [u8]) -> Option<(Cow<'a, str>, Option<String>)> {
    let lines = bytes.split_inclusive(|&byte| byte == b'\n').take(EXAMINED);
    let start = &bytes[..lines.map(<[u8]>::len).sum()];
    let (start, _) = text(args, start).ok()?;
    if !start.lines().any(|line| serde_json::from_str(line).is_ok_and(|it| is_position(&it))) {
        return None;
    }
    text(args, bytes).ok()
}

/// The text of a file, with a remark if its encoding was guessed. The stated encoding is that of the
/// game files beside an export, which is UTF-8.
fn text<'a>(
    args: &Args,
    bytes: &'a [u8],
) -> Result<(Cow<'a, str>, Option<String>), tengen_record::RecordError> {
    match std::str::from_utf8(bytes) {
        Ok(_) => tengen_record::decode(bytes, None),
        Err(_) => args.input.text(bytes),
    }
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

fn import_positions(
    args: &Args,
    target: &mut Target,
    source: ImportSource,
    (path, text): (&Path, &str),
    notes: &mut dyn Write,
) -> anyhow::Result<ImportCounts> {
    let mut importer = target.importer(source)?;
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let added = serde_json::from_str::<StoredPosition>(line)
            .map_err(anyhow::Error::from)
            .and_then(|stored| Ok((stored.board()?, stored.record())))
            .and_then(|(board, record)| Ok(importer.position(&board, record)?));
        let added = added.with_context(|| format!("line {number}"));
        args.input.sound(number, split_store_errors(added)?, path, notes)?;
    }
    Ok(importer.finish()?)
}

/// Imports a database of Yixin-Board or Rapfi.
fn import_records(
    args: &Args,
    target: &mut Target,
    source: ImportSource,
    (path, bytes): (&Path, &[u8]),
    notes: &mut dyn Write,
) -> anyhow::Result<ImportCounts> {
    let provenance = source.provenance.clone();
    let mut importer = target.importer(source)?;
    for (number, record) in (1..).zip(yixin::Records::new(bytes, &provenance)) {
        let added = record
            .map_err(anyhow::Error::from)
            .and_then(|(board, record)| Ok(importer.position(&board, record)?));
        args.input.sound(number, split_store_errors(added)?, path, notes)?;
    }
    Ok(importer.finish()?)
}

/// The source of a file, identified by its content and the options of the import.
fn source(args: &Args, path: &Path, bytes: &[u8]) -> ImportSource {
    let mut hash = Sha256::new();
    hash.update(bytes);
    hash.update(args.input.reading_options());
    let id = hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let file_name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = args.source.clone().or(file_name).unwrap_or_default();
    let origin = Arc::new(Origin { source: name, version: String::new() });
    ImportSource {
        id,
        provenance: Provenance { origin: Some(origin), time: now() },
        rule: args.input.rule().unwrap_or(Rule::Freestyle),
        counts_games: !args.no_games,
        again: args.again,
    }
}

fn add(total: &mut ImportCounts, counts: &ImportCounts) {
    total.games += counts.games;
    total.known_games += counts.known_games;
    total.counted_games += counts.counted_games;
    total.repeated_games += counts.repeated_games;
    total.nodes += counts.nodes;
    total.inserted += counts.inserted;
    total.changed += counts.changed;
    total.cut_lines += counts.cut_lines;
    total.claims_conflicts += counts.claims_conflicts;
    total.proofs_conflicts += counts.proofs_conflicts;
    total.texts_dropped += counts.texts_dropped;
}
