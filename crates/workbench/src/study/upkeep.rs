//! `tengen study merge`, `check`, `repair` and `compact`: maintenance of databases.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{bail, ensure};
use tengen_cli::atomic_file::is_same_file;
use tengen_store::{Filter, GamesRule, Store};
use tengen_study::database::{
    Changes, DatabaseCheck, DatabaseRepair, ImportCounts, copy_counted_games,
};

use super::import::report;
use super::{count, open, open_or_create, open_reading, update_values};

/// Number of positions per batch.
const BATCH: usize = 100_000;

/// Arguments of `tengen study merge`.
#[derive(clap::Args, Debug)]
pub struct MergeArgs {
    /// The database that receives the positions; created if it does not exist
    #[arg(value_name = "DATABASE")]
    store: PathBuf,
    /// The databases to add
    #[arg(required = true, value_name = "OTHER")]
    others: Vec<PathBuf>,
    /// Add the counts of games, for databases of different games; default: the larger counts
    #[arg(long)]
    add_games: bool,
    /// Print the counts as one JSON object
    #[arg(long)]
    json: bool,
}

/// Arguments of `tengen study check`.
#[derive(clap::Args, Debug)]
pub struct CheckArgs {
    /// The database
    #[arg(value_name = "DATABASE")]
    store: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Arguments of `tengen study repair`.
#[derive(clap::Args, Debug)]
pub struct RepairArgs {
    /// The damaged database; no program may have it open
    #[arg(value_name = "DATABASE")]
    store: PathBuf,
    /// The new database
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Arguments of `tengen study compact`.
#[derive(clap::Args, Debug)]
pub struct CompactArgs {
    /// The database
    #[arg(value_name = "DATABASE")]
    store: PathBuf,
}

/// Adds the records of other databases. An interrupted merge can be repeated, unless the counts of
/// games are added.
///
/// # Errors
/// When a database cannot be read or written.
pub fn merge(args: &MergeArgs, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    let games = if args.add_games { GamesRule::Add } else { GamesRule::Largest };
    // Open all files first, so that an invalid file leaves no new or partly merged database.
    let mut others = Vec::new();
    for path in &args.others {
        let is_target = is_same_file(path, &args.store);
        ensure!(!is_target, "{}: the database that receives the positions", path.display());
        others.push(open_reading(path, notes)?);
    }
    let mut store = open_or_create(&args.store, notes)?;
    let mut total = ImportCounts::default();
    let mut changes = Changes::default();
    let added =
        others.iter().try_for_each(|other| add(other, &mut store, games, &mut changes, &mut total));
    // Also after an error, which keeps the records before it.
    let updated = update_values(&mut store, changes);
    added?;
    updated?;
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&total)?)?;
        return Ok(());
    }
    let ImportCounts { nodes, inserted, changed, .. } = total;
    writeln!(out, "read {}", count(nodes, "position"))?;
    writeln!(out, "{} new, {changed} changed", count(inserted, "position"))?;
    report(&total, notes)
}

/// Adds the records of a database in batches.
fn add(
    other: &Store,
    store: &mut Store,
    games: GamesRule,
    changes: &mut Changes,
    total: &mut ImportCounts,
) -> Result<(), tengen_store::Error> {
    let snapshot = other.snapshot()?;
    let mut entries = snapshot.entries(&Filter::default()).peekable();
    while entries.peek().is_some() {
        let batch = entries.by_ref().take(BATCH).collect::<Result<Vec<_>, _>>()?;
        total.nodes += batch.len() as u64;
        total.add(changes.merge(store, batch, games)?);
    }
    copy_counted_games(&snapshot, store)
}

/// Checks structure, keys and records.
///
/// # Errors
/// When the database is damaged or cannot be read.
pub fn check(args: &CheckArgs, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    let store = open_reading(&args.store, notes)?;
    let found = DatabaseCheck::from(store.check()?);
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&found)?)?;
    } else {
        writeln!(out, "{} intact", count(found.positions, "position"))?;
        for problem in &found.problems {
            writeln!(out, "{problem}")?;
        }
    }
    out.flush()?;
    if !found.problems.is_empty() {
        let path = args.store.display();
        bail!("{path}: damaged; tengen study repair copies the intact records");
    }
    Ok(())
}

/// Copies the intact records to a new file.
///
/// # Errors
/// When the new file exists, or no record can be read.
pub fn repair(args: &RepairArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let repaired = tengen_store::repair(&args.store, &args.new)?;
    let repaired = DatabaseRepair::from(repaired);
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&repaired)?)?;
        return Ok(());
    }
    let DatabaseRepair { positions, damaged_rows, damaged_pages, missing_pages, lost_sources } =
        repaired;
    writeln!(out, "{} copied", count(positions, "position"))?;
    let (rows, pages) = (count(damaged_rows, "row"), count(damaged_pages.into(), "page"));
    writeln!(out, "{rows} in {pages} could not be read")?;
    if missing_pages > 0 {
        writeln!(out, "{} missing at the end of the file", count(missing_pages.into(), "page"))?;
    }
    if lost_sources > 0 {
        writeln!(out, "{} lost the name of a source", count(lost_sources, "record"))?;
    }
    Ok(())
}

/// Rewrites the file without free space.
///
/// # Errors
/// When the database cannot be written or the disk is full.
pub fn compact(
    args: &CompactArgs,
    out: &mut dyn Write,
    notes: &mut dyn Write,
) -> anyhow::Result<()> {
    let bytes = || std::fs::metadata(&args.store).map_or(0, |metadata| metadata.len());
    let before = bytes();
    open(&args.store, notes)?.compact()?;
    writeln!(out, "{before} bytes before, {} bytes now", bytes())?;
    Ok(())
}
