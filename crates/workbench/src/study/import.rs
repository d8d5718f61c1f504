//! `tengen study import`: adds the positions of game files to a database.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use tengen_record::{GameRecord, Games};
use tengen_store::Store;
use tengen_study::database::{
    Changes, FileImport, ImportCounts, ImportHandler, import_file, is_store_failure,
};

use super::{count, open_or_create, update_values};
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

/// The database, and the positions whose values the import changed.
struct Target {
    store: Store,
    changes: Changes,
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
        // `--skip-bad` leaves out unreadable data only.
        let read = match read {
            Err(error) if is_store_failure(&error) => return Err(error),
            read => args.input.sound_file(read, paths.len(), notes)?,
        };
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
    let file = FileImport {
        bytes,
        reading: args.input.reading(path),
        source: args.source.clone(),
        counts_games: !args.no_games,
        again: args.again,
    };
    let mut handler = Handler { input: &args.input, path, notes };
    import_file(&mut target.store, &mut target.changes, &file, &mut handler)
}

/// Reads games with the options of the command.
struct Handler<'a> {
    input: &'a GameFiles,
    path: &'a Path,
    notes: &'a mut dyn Write,
}

impl ImportHandler for Handler<'_> {
    fn games(
        &mut self,
        file: &FileImport<'_>,
        visit: &mut dyn FnMut(GameRecord),
    ) -> anyhow::Result<Games> {
        self.input.visit_bytes(file.bytes, self.path, self.notes, &mut |_, game| visit(game))
    }

    fn bad_position(&mut self, number: usize, error: anyhow::Error) -> anyhow::Result<()> {
        self.input.sound(number, Err::<(), _>(error), self.path, self.notes).map(drop)
    }

    fn remark(&mut self, text: &str) -> anyhow::Result<()> {
        Ok(writeln!(self.notes, "{}: {text}", self.path.display())?)
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
