//! `tengen study`: imports games into a database of positions, shows, analyses and exports them.

mod analyze;
mod book;
mod edit;
mod export;
mod filter;
mod import;
mod position;
pub(crate) mod query;
mod show;
mod upkeep;

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use tengen_store::{Options, Store};
use tengen_study::database::{Changes, now};

/// Arguments of `tengen study`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    /// Add the positions of game files, whole trees with comments and results
    Import(import::Args),
    /// Write positions as a tree (sgf, lib), as JSON lines or as a database of Rapfi (db)
    Export(export::Args),
    /// Show a position and the moves from it
    Show(show::Args),
    /// List the positions that satisfy conditions
    Query(query::Args),
    /// Count positions, results, evaluations and texts
    Stats(query::StatsArgs),
    /// Analyse the positions of a database, the most useful first
    Analyze(analyze::AnalyzeArgs),
    /// Grow a tree from a position: analyse, follow the best moves, repeat
    Grow(analyze::GrowArgs),
    /// Set or remove the label of a position
    Label(edit::LabelArgs),
    /// Set or remove the comment of a position, or a text on a cell
    Comment(edit::CommentArgs),
    /// Delete the positions that satisfy conditions, or parts of their records
    Prune(edit::PruneArgs),
    /// Write an opening book: the moves to play from a position on
    Book(book::BookArgs),
    /// Copy a position and those after it to another database
    Split(book::SplitArgs),
    /// Add the positions of other databases
    Merge(upkeep::MergeArgs),
    /// Check a database for damage
    Check(upkeep::CheckArgs),
    /// Copy the intact records of a damaged database to a new file
    Repair(upkeep::RepairArgs),
    /// Release the space of deleted positions
    Compact(upkeep::CompactArgs),
}

impl Args {
    /// Whether the tool writes a file, and so continues when the output pipe is closed.
    pub fn writes_file(&self) -> bool {
        match &self.command {
            Command::Show(_) | Command::Query(_) | Command::Stats(_) | Command::Check(_) => false,
            Command::Export(args) => args.writes_file(),
            _ => true,
        }
    }
}

/// Runs a command. `notes` receives warnings and reports of skipped data.
///
/// # Errors
/// When an argument is invalid, or a file cannot be read or written.
pub fn run(args: &Args, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    match &args.command {
        Command::Import(args) => import::run(args, out, notes),
        Command::Export(args) => export::run(args, out, notes),
        Command::Show(args) => show::run(args, out, notes),
        Command::Query(args) => query::run(args, out, notes),
        Command::Stats(args) => query::stats(args, out, notes),
        Command::Analyze(args) => analyze::analyze(args, out, notes),
        Command::Grow(args) => analyze::grow(args, out, notes),
        Command::Label(args) => edit::label(args, out, notes),
        Command::Comment(args) => edit::comment(args, out, notes),
        Command::Prune(args) => edit::prune(args, out, notes),
        Command::Book(args) => book::write_book(args, out, notes),
        Command::Split(args) => book::split(args, out, notes),
        Command::Merge(args) => upkeep::merge(args, out, notes),
        Command::Check(args) => upkeep::check(args, out, notes),
        Command::Repair(args) => upkeep::repair(args, out),
        Command::Compact(args) => upkeep::compact(args, out, notes),
    }
}

/// Opens a database for reading.
pub(crate) fn open_reading(path: &Path, notes: &mut dyn Write) -> anyhow::Result<Store> {
    let store = Store::open_read_only(path)?;
    warn(&store, notes)?;
    Ok(store)
}

/// Opens a database for reading and writing.
fn open(path: &Path, notes: &mut dyn Write) -> anyhow::Result<Store> {
    let store = Store::open(path)?;
    warn(&store, notes)?;
    Ok(store)
}

/// Opens a database for reading and writing, or creates it.
fn open_or_create(path: &Path, notes: &mut dyn Write) -> anyhow::Result<Store> {
    let store = Store::open_or_create(path, &Options::default())?;
    warn(&store, notes)?;
    Ok(store)
}

/// Warns of network drives.
fn warn(store: &Store, notes: &mut dyn Write) -> anyhow::Result<()> {
    let path = store.path().display();
    if let Some(drive) = store.network_drive() {
        writeln!(
            notes,
            "{path}: on a network drive ({drive}), where locks do not hold: let only one program \
             use the file at a time"
        )?;
    }
    Ok(())
}

/// Updates the values that depend on written positions.
fn update_values(store: &mut Store, changes: Changes) -> anyhow::Result<()> {
    let old = "the positions are written, but the values that depend on them were not updated (the \
               next import or merge updates them)";
    changes.update(store, now()).context(old)
}

/// A number with a noun, in the plural unless the number is 1.
fn count(number: u64, word: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {word}{plural}")
}
