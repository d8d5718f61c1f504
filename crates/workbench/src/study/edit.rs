//! `tengen study label`, `comment` and `prune`: manual changes.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::ValueEnum;
use tengen_rules::board::Board;
use tengen_rules::types::{Notation, ParseMoveError, Point};
use tengen_store::{Games, Key, Record, Store};
use tengen_study::database::{Pruned, edit_texts, forget_imports, has_counted_games, recompute};

use super::filter::FilterArgs;
use super::position::{PositionArgs, describe};
use super::{count, now, open};

/// Arguments of `tengen study label`.
#[derive(clap::Args, Debug)]
pub struct LabelArgs {
    /// The database
    #[arg(value_name = "DATABASE")]
    store: PathBuf,
    /// The label, one line; without it the label is removed
    #[arg(value_name = "LABEL")]
    label: Option<String>,
    #[command(flatten)]
    position: PositionArgs,
    /// Add the position if the database does not have it
    #[arg(long)]
    add: bool,
}

/// Arguments of `tengen study comment`.
#[derive(clap::Args, Debug)]
pub struct CommentArgs {
    /// The database
    #[arg(value_name = "DATABASE")]
    store: PathBuf,
    /// The text; without it the comment or the text on the cell is removed
    #[arg(value_name = "TEXT")]
    text: Option<String>,
    /// Write the text on this cell, such as h8
    #[arg(long, value_name = "CELL")]
    at: Option<String>,
    #[command(flatten)]
    position: PositionArgs,
    /// Add the position if the database does not have it
    #[arg(long)]
    add: bool,
}

/// Arguments of `tengen study prune`.
#[derive(clap::Args, Debug)]
pub struct PruneArgs {
    /// The database
    #[arg(value_name = "DATABASE")]
    store: PathBuf,
    #[command(flatten)]
    filter: FilterArgs,
    /// Delete only this part of the records and keep the positions; can be repeated
    #[arg(long, value_enum, value_name = "PART")]
    part: Vec<Part>,
    /// Select all positions of the rule and board
    #[arg(long)]
    all: bool,
    /// Count the positions and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Print the count as one JSON object
    #[arg(long)]
    json: bool,
}

impl PruneArgs {
    /// What happens to the positions.
    fn verb(&self) -> &'static str {
        if self.part.is_empty() { "deleted" } else { "changed" }
    }
}

/// A part of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// The result
    Result,
    /// The evaluation and the tree value
    Evaluation,
    /// The counts of games
    Games,
    /// Label, comment and texts on cells
    Texts,
}

impl Part {
    fn clear(self, record: &mut Record) {
        match self {
            Part::Result => record.result = None,
            Part::Evaluation => {
                record.evaluation = None;
                record.tree = None;
            }
            Part::Games => record.games = Games::default(),
            Part::Texts => {
                record.label.clear();
                record.comment.clear();
                record.texts.clear();
            }
        }
    }
}

/// Number of positions per batch.
const BATCH: usize = 50_000;

/// Sets the label.
///
/// # Errors
/// When the database cannot be written, has no such position, or the label is too long.
pub fn label(args: &LabelArgs, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    let mut store = open(&args.store, notes)?;
    let board = known_board(&store, &args.position, args.add, notes)?;
    let label = args.label.clone().unwrap_or_default();
    edit_texts(&mut store, &board, |record| record.label = label, now())?;
    writeln!(out, "{}: {}", describe(&board), changed("label", args.label.is_some()))?;
    Ok(())
}

/// Sets the comment or a text on a cell.
///
/// # Errors
/// When the database cannot be written, has no such position, or the text is too long.
pub fn comment(
    args: &CommentArgs,
    out: &mut dyn Write,
    notes: &mut dyn Write,
) -> anyhow::Result<()> {
    let mut store = open(&args.store, notes)?;
    let board = known_board(&store, &args.position, args.add, notes)?;
    let cell = args.at.as_ref().map(|name| cell(&board, name)).transpose()?;
    let text = args.text.clone().unwrap_or_default();
    let change = |record: &mut Record| match cell {
        None => record.comment = text,
        Some(point) if text.is_empty() => drop(record.texts.remove(&point)),
        Some(point) => drop(record.texts.insert(point, text)),
    };
    edit_texts(&mut store, &board, change, now())?;
    let what = if cell.is_some() { "text" } else { "comment" };
    writeln!(out, "{}: {}", describe(&board), changed(what, args.text.is_some()))?;
    Ok(())
}

fn changed(what: &str, is_set: bool) -> String {
    format!("{what} {}", if is_set { "set" } else { "removed" })
}

/// The board of a position. An error if the database does not have it, unless `add` is set.
fn known_board(
    store: &Store,
    position: &PositionArgs,
    add: bool,
    notes: &mut dyn Write,
) -> anyhow::Result<Board> {
    let reader = store.reader();
    let board = position.board(&reader, notes)?;
    let is_known = add || reader.contains(&board)?;
    ensure!(is_known, "the database has no such position: {} (--add adds it)", describe(&board));
    Ok(board)
}

fn cell(board: &Board, name: &str) -> anyhow::Result<Point> {
    let size = board.size();
    let at = Notation::new(size).parse(name)?;
    match size.point(at.x, at.y) {
        Some(point) => Ok(point),
        None => Err(ParseMoveError::outside(name, size).into()),
    }
}

/// Deletes positions, or parts of their records, and recomputes the values that depend on them.
///
/// # Errors
/// When no condition is given, or the database cannot be read or written.
pub fn prune(args: &PruneArgs, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    ensure!(
        args.all || !args.filter.is_empty(),
        "prune needs a condition such as --below or --result; --all selects every position"
    );
    let mut store = open(&args.store, notes)?;
    let keys = selected(&store, &args.filter)?;
    let pruned = Pruned { positions: keys.len() as u64, done: !args.dry_run };
    if pruned.done {
        for keys in keys.chunks(BATCH) {
            let mut batch = store.batch()?;
            for key in keys {
                if args.part.is_empty() {
                    batch.delete_key(key)?;
                } else {
                    batch.edit_key(key, |record| {
                        args.part.iter().for_each(|part| part.clear(record));
                    })?;
                }
            }
            batch.commit()?;
        }
        if args.part.is_empty() || args.part.contains(&Part::Games) {
            forget_games(args, &mut store, notes)?;
        }
        let has_values = |part: &Part| matches!(part, Part::Result | Part::Evaluation);
        if args.part.is_empty() || args.part.iter().any(has_values) {
            recompute_values(&mut store, &keys).with_context(|| {
                let what = count(pruned.positions, "position");
                format!(
                    "{what} {}, but the values that depend on them were not updated (tengen study \
                     analyze updates them)",
                    args.verb()
                )
            })?;
        }
    }
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&pruned)?)?;
        return Ok(());
    }
    let verb = if pruned.done { "" } else { "would be " };
    writeln!(out, "{} {verb}{}", count(pruned.positions, "position"), args.verb())?;
    Ok(())
}

/// Recomputes the values of the boards of these keys, which are sorted by board.
fn recompute_values(store: &mut Store, keys: &[Key]) -> Result<(), tengen_store::Error> {
    let mut boards: Vec<_> = keys.iter().map(|key| (key.rule(), key.size())).collect();
    boards.dedup();
    for (rule, size) in boards {
        recompute(store, rule, size, now())?;
    }
    Ok(())
}

/// Forgets the imports if the counts of all games were deleted. Otherwise notes that the games are
/// not counted again.
fn forget_games(args: &PruneArgs, store: &mut Store, notes: &mut dyn Write) -> anyhow::Result<()> {
    if args.filter.selects_all() {
        let mut batch = store.batch()?;
        forget_imports(&mut batch)?;
        batch.commit()?;
    } else if has_counted_games(&store.reader())? {
        writeln!(
            notes,
            "imports do not count the games again whose counts were deleted (prune --all --part \
             games deletes all counts, then imports count them)"
        )?;
    }
    Ok(())
}

fn selected(store: &Store, filter: &FilterArgs) -> anyhow::Result<Vec<Key>> {
    let snapshot = store.snapshot()?;
    let mut keys = Vec::new();
    filter.selection(&snapshot)?.each(&snapshot, |entry| {
        keys.push(entry.key);
        Ok(true)
    })?;
    Ok(keys)
}
