//! `tengen study export`: writes positions of a database to a file.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::ValueEnum;
use tengen_cli::atomic_file::{self, is_same_file};
use tengen_cli::overwrite::OverwriteArgs;
use tengen_record::{Format, write};
use tengen_store::{Filter, Store};
use tengen_study::database::{self, ExportCounts, StoredPosition, yixin};

use super::filter::FilterArgs;
use super::position::{describe, drawn, placed};
use super::{count, open_reading};

/// Arguments of `tengen study export`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The database
    #[arg(value_name = "DATABASE")]
    store: PathBuf,
    /// Format to write
    #[arg(long, value_enum, default_value = "sgf")]
    to: Target,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    overwrite: OverwriteArgs,
    /// Drawn board of the first position of a tree, instead of --below; the side to move is that of
    /// the diagram, by default by the number of stones
    #[arg(long, value_name = "FILE", conflicts_with = "below")]
    diagram: Option<PathBuf>,
    #[command(flatten)]
    filter: FilterArgs,
    /// Print the counts as one JSON object
    #[arg(long, requires = "out")]
    json: bool,
}

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Target {
    /// One tree in the Smart Game Format
    Sgf,
    /// One tree as a library of RenLib
    Lib,
    /// One position per line, with all stored data
    Jsonl,
    /// A database of Yixin-Board and Rapfi
    Db,
}

impl Args {
    /// Whether the tool writes a file, not only standard output.
    pub fn writes_file(&self) -> bool {
        self.out.is_some()
    }
}

/// Writes the tree or the lines. `notes` receives the parts that the format cannot represent.
///
/// # Errors
/// When the database cannot be read, a tree has conditions, or the file cannot be written.
pub fn run(args: &Args, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    let store = open_reading(&args.store, notes)?;
    if let Some(path) = args.out.as_deref().filter(|path| is_same_file(path, &args.store)) {
        bail!("{}: the database itself; --out would replace it", path.display());
    }
    if let Some(path) = &args.out {
        args.overwrite.check(path)?;
    }
    let mut bytes = Vec::new();
    let counts = match args.to {
        Target::Jsonl => lines(args, &store, &mut bytes)?,
        Target::Db => records(args, &store, &mut bytes, notes)?,
        Target::Sgf => tree(args, &store, Format::Sgf, &mut bytes, notes)?,
        Target::Lib => tree(args, &store, Format::Lib, &mut bytes, notes)?,
    };
    let Some(path) = &args.out else {
        out.write_all(&bytes)?;
        return Ok(());
    };
    atomic_file::write(path, &bytes).with_context(|| path.display().to_string())?;
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&counts)?)?;
        return Ok(());
    }
    writeln!(out, "wrote {}", count(counts.positions, "position"))?;
    if counts.transpositions > 0 {
        let moves = count(counts.transpositions, "move");
        writeln!(out, "{moves} transpose to positions written elsewhere in the tree")?;
    }
    if counts.unreached > 0 {
        let unreached = count(counts.unreached, "position");
        writeln!(
            notes,
            "{unreached} of the database cannot be reached from the start of the tree"
        )?;
    }
    Ok(())
}

fn lines(args: &Args, store: &Store, bytes: &mut Vec<u8>) -> anyhow::Result<ExportCounts> {
    ensure_without_diagram(args)?;
    let snapshot = store.snapshot()?;
    let mut counts = ExportCounts::default();
    args.filter.selection(&snapshot)?.each(&snapshot, |entry| {
        counts.positions += 1;
        let stored = StoredPosition::new(&entry.key.board(), &entry.record);
        serde_json::to_writer(&mut *bytes, &stored)?;
        bytes.push(b'\n');
        Ok(true)
    })?;
    Ok(counts)
}

fn records(
    args: &Args,
    store: &Store,
    bytes: &mut Vec<u8>,
    notes: &mut dyn Write,
) -> anyhow::Result<ExportCounts> {
    ensure_without_diagram(args)?;
    let snapshot = store.snapshot()?;
    let mut counts = ExportCounts::default();
    let mut writer = yixin::Writer::new();
    args.filter.selection(&snapshot)?.each(&snapshot, |entry| {
        counts.positions += 1;
        writer.add(&entry.key.board(), &entry.record);
        Ok(true)
    })?;
    counts.positions -= writer.skipped;
    if writer.skipped > 0 {
        let skipped = count(writer.skipped, "position");
        writeln!(
            notes,
            "{skipped} skipped: the format holds freestyle, standard and renju on boards up to \
             22x22, with alternating moves and at most one pass, without cells out of play"
        )?;
    }
    if writer.shortened > 0 {
        writeln!(notes, "{} shortened to 64 KiB", count(writer.shortened, "text"))?;
    }
    *bytes = writer.finish();
    Ok(counts)
}

fn ensure_without_diagram(args: &Args) -> anyhow::Result<()> {
    if args.diagram.is_some() {
        bail!("--diagram is for trees; expected --below for positions");
    }
    Ok(())
}

fn tree(
    args: &Args,
    store: &Store,
    form: Format,
    bytes: &mut Vec<u8>,
    notes: &mut dyn Write,
) -> anyhow::Result<ExportCounts> {
    if !args.filter.selects_tree() {
        bail!(
            "a tree cannot leave positions out: expected --rule, --size and --below only, or --to jsonl"
        );
    }
    let snapshot = store.snapshot()?;
    let (rule, size) = args.filter.board(&snapshot)?;
    let start = match &args.diagram {
        None => placed(&args.filter.moves_below(), rule, size)?,
        Some(path) => drawn(path, rule, notes)?,
    };
    if !snapshot.contains(&start)? {
        bail!(
            "the database has no such position: {} (--below MOVES begins the tree elsewhere)",
            describe(&start)
        );
    }
    let (game, mut counts) = database::tree(&snapshot, &start)?;
    if args.diagram.is_none() && args.filter.is_empty() {
        let filter = Filter { rule: Some(rule), size: Some(size), ..Filter::default() };
        let all = snapshot.entries(&filter).count() as u64;
        counts.unreached = all.saturating_sub(counts.positions);
    }
    let lost = write(&[game], form, bytes)?;
    if !lost.is_empty() {
        writeln!(notes, "{} cannot hold {lost}", form.name())?;
    }
    Ok(counts)
}
