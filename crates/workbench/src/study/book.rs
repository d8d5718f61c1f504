//! `tengen study book` and `split`: parts of a database as files of their own.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use tengen_cli::atomic_file::{self, is_same_file};
use tengen_cli::overwrite::OverwriteArgs;
use tengen_rules::board::Board;
use tengen_rules::types::Color;
use tengen_store::{Entry, GamesRule, Key};
use tengen_study::database::{Changes, Graph, book};

use super::position::{PositionArgs, describe};
use super::{count, open_or_create, open_reading, update_values};

/// Number of positions per batch.
const BATCH: usize = 100_000;

/// Arguments of `tengen study book`.
#[derive(clap::Args, Debug)]
pub struct BookArgs {
    /// The database
    #[arg(value_name = "DATABASE")]
    store: PathBuf,
    /// The book to write, such as tengen.book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    #[command(flatten)]
    position: PositionArgs,
    /// Write the moves of this side only, black or white
    #[arg(long, value_name = "SIDE")]
    color: Option<Color>,
    /// Also write moves up to this many points below the best one
    #[arg(long, value_name = "POINTS", default_value_t = 0,
          value_parser = tengen_cli::units::whole::<u32>(0..=1_000_000))]
    margin: u32,
    #[command(flatten)]
    overwrite: OverwriteArgs,
}

/// Arguments of `tengen study split`.
#[derive(clap::Args, Debug)]
pub struct SplitArgs {
    /// The database
    #[arg(value_name = "DATABASE")]
    store: PathBuf,
    /// The database that receives the positions; created if it does not exist
    #[arg(value_name = "NEW")]
    new: PathBuf,
    #[command(flatten)]
    position: PositionArgs,
}

/// Writes an opening book.
///
/// # Errors
/// When the database cannot be read or has no such position, or the book exists or cannot be written.
pub fn write_book(
    args: &BookArgs,
    out: &mut dyn Write,
    notes: &mut dyn Write,
) -> anyhow::Result<()> {
    let store = open_reading(&args.store, notes)?;
    ensure!(
        !is_same_file(&args.book, &args.store),
        "{}: the database itself; expected another file",
        args.book.display()
    );
    args.overwrite.check(&args.book)?;
    let snapshot = store.snapshot()?;
    let start = args.position.board(&snapshot, notes)?;
    let mut graph = Graph::read(&snapshot, start.rule(), start.size(), Some(&start))?;
    let root = graph.find(&Key::of(&start));
    let root = root.with_context(|| format!("no such position: {}", describe(&start)))?;
    graph.update_all();
    let sides = args.color.map_or_else(|| Color::ALL.to_vec(), |color| vec![color]);
    let book = book(&graph, root, &sides, args.margin);
    ensure!(
        !book.is_empty(),
        "no position has a move with a value (tengen study analyze adds them)"
    );
    let bytes = book.to_bytes();
    atomic_file::write(&args.book, &bytes).with_context(|| args.book.display().to_string())?;
    let positions = count(book.len() as u64, "position");
    let moves = count(book.move_count() as u64, "move");
    writeln!(out, "wrote {positions} with {moves}, {} bytes", bytes.len())?;
    Ok(())
}

/// Copies a position, the positions after it and those of the moves to it.
///
/// # Errors
/// When a database cannot be read or written.
pub fn split(args: &SplitArgs, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    ensure!(
        !is_same_file(&args.new, &args.store),
        "{}: the database itself; expected another file",
        args.new.display()
    );
    let store = open_reading(&args.store, notes)?;
    let snapshot = store.snapshot()?;
    let start = args.position.board(&snapshot, notes)?;
    let mut line = Vec::new();
    let mut before = Board::new(start.size(), start.rule());
    for stone in start.history() {
        before.place_unchecked(stone.point, stone.color);
        if before.key() != start.key()
            && let Some(record) = snapshot.get(&before)?
        {
            line.push(Entry::new(&before, record));
        }
    }
    let mut branch = snapshot.branch(&start)?.peekable();
    ensure!(branch.peek().is_some(), "no such position: {}", describe(&start));
    let mut new = open_or_create(&args.new, notes)?;
    let (mut read, mut inserted) = (0, 0);
    let mut changes = Changes::default();
    let mut entries = line.into_iter().chain(branch).peekable();
    let mut copy = || -> Result<(), tengen_store::Error> {
        while entries.peek().is_some() {
            let batch = entries.by_ref().take(BATCH).collect::<Result<Vec<_>, _>>()?;
            read += batch.len() as u64;
            inserted += changes.merge(&mut new, batch, GamesRule::Largest)?.inserted;
        }
        Ok(())
    };
    let copied = copy();
    // Also after an error, which keeps the positions before it.
    let updated = update_values(&mut new, changes);
    copied?;
    updated?;
    writeln!(out, "copied {}, {inserted} of them new", count(read, "position"))?;
    Ok(())
}
