//! `tengen study query` and `stats`: lists and counts positions that satisfy conditions.

use std::io::Write;
use std::path::PathBuf;

use tengen_cli::printable::printable;
use tengen_rules::board::Board;
use tengen_rules::types::Notation;
use tengen_store::{Filter, Record};
use tengen_study::database::{DatabaseStats, ResultCounts, StoredPosition};

use super::filter::FilterArgs;
use super::position::stones;
use super::show::words;
use super::{count, open_reading};

/// Arguments of `tengen study query`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The database
    #[arg(value_name = "DATABASE")]
    store: PathBuf,
    #[command(flatten)]
    filter: FilterArgs,
    /// Stop after this many positions
    #[arg(long, value_name = "N", value_parser = tengen_cli::units::positive_count)]
    limit: Option<u64>,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

/// Arguments of `tengen study stats`.
#[derive(clap::Args, Debug)]
pub struct StatsArgs {
    /// The database
    #[arg(value_name = "DATABASE")]
    store: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Prints the positions in the order of rule, board and number of stones.
///
/// # Errors
/// When the database cannot be read or a record is damaged.
pub fn run(args: &Args, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    let store = open_reading(&args.store, notes)?;
    let snapshot = store.snapshot()?;
    let limit = args.limit.unwrap_or(u64::MAX);
    let mut found = 0;
    args.filter.selection(&snapshot)?.each(&snapshot, |entry| {
        if found == limit {
            writeln!(notes, "more positions satisfy the conditions (--limit {limit})")?;
            return Ok(false);
        }
        found += 1;
        let board = entry.key.board();
        if args.json {
            let stored = StoredPosition::new(&board, &entry.record);
            writeln!(out, "{}", serde_json::to_string(&stored)?)?;
        } else {
            writeln!(out, "{}", printable(&line(&board, &entry.record)))?;
        }
        Ok(true)
    })?;
    if !args.json {
        writeln!(out, "{}", count(found, "position"))?;
    }
    Ok(())
}

/// Rule, board and stones of a position, and the most important parts of its record.
fn line(board: &Board, record: &Record) -> String {
    let position = format!("{} {}: {}", board.rule(), board.size(), stones(board));
    [position].into_iter().chain(record_parts(board, record)).collect::<Vec<_>>().join("; ")
}

/// The most important parts of a record.
pub(crate) fn record_parts(board: &Board, record: &Record) -> Vec<String> {
    let notation = Notation::new(board.size());
    let mut parts = Vec::new();
    if let Some(result) = &record.result {
        parts.push(words(result));
    } else if let Some(value) = record.value() {
        parts.push(format!("score {value}"));
    }
    if let Some(best) = record.best() {
        parts.push(format!("best {}", notation.name(best)));
    }
    if record.games.total() > 0 {
        parts.push(count(record.games.total(), "game"));
    }
    if !record.label.is_empty() {
        parts.push(format!("[{}]", record.label));
    }
    if let Some(first) = record.comment.lines().next() {
        parts.push(format!("\"{first}\""));
    }
    parts
}

/// Prints the counts for each rule and board size.
///
/// # Errors
/// When the database cannot be read.
pub fn stats(args: &StatsArgs, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    let store = open_reading(&args.store, notes)?;
    let stats = DatabaseStats::from(&store.snapshot()?.stats(&Filter::default())?);
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&stats)?)?;
        return Ok(());
    }
    for board in &stats.boards {
        let (rule, width, height) = (board.rule, board.width, board.height);
        let stones = match (board.by_stones.first(), board.by_stones.last()) {
            (Some(first), Some(last)) => format!(", {} to {} stones", first.stones, last.stones),
            _ => String::new(),
        };
        writeln!(out, "{rule} {width}x{height}: {}{stones}", count(board.positions, "position"))?;
        for (name, results) in [("proved", board.proved), ("claimed", board.claimed)] {
            let ResultCounts { win, draw, loss } = results;
            if win + draw + loss > 0 {
                writeln!(
                    out,
                    "  {name:<10} {win} won, {draw} drawn, {loss} lost by the side to move"
                )?;
            }
        }
        if board.evaluated > 0 {
            writeln!(out, "  evaluated  {} with {}", board.evaluated, count(board.nodes, "node"))?;
        }
        if board.in_games > 0 {
            writeln!(out, "  in games   {}", board.in_games)?;
        }
        let texts =
            [(board.labels, "label"), (board.comments, "comment"), (board.texts, "text on a cell")];
        let texts: Vec<String> = texts
            .iter()
            .filter(|(number, _)| *number > 0)
            .map(|&(number, word)| match word {
                "text on a cell" if number > 1 => format!("{number} texts on cells"),
                _ => count(number, word),
            })
            .collect();
        if !texts.is_empty() {
            writeln!(out, "  texts      {}", texts.join(", "))?;
        }
        if board.damaged > 0 {
            writeln!(out, "  damaged    {}", count(board.damaged, "record"))?;
        }
    }
    if stats.damaged > 0 {
        let records = count(stats.damaged, "damaged record");
        writeln!(out, "{records} with an unreadable rule or board")?;
    }
    writeln!(out, "{}, {} of them free", count(stats.file_bytes, "byte"), stats.free_bytes)?;
    Ok(())
}
