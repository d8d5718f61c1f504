//! `tengen review`: reviews of whole games as text, JSON, an HTML page, or comments in an SGF file.

mod args;
mod known;
mod output;
mod tasks;
#[cfg(test)]
mod tests;

use std::io::Write;

use anyhow::{Context, ensure};
use indicatif::ProgressBar;

pub use args::Args;
use known::{note_known, note_stored};
use output::{kept_note, title, write_sgf};
use tasks::{Line, Task, read_games, tasks};
use tengen::engine::{Engine, Options, StopSwitch};
use tengen_cli::atomic_file::{self, ensure_folder_exists, is_same_file};
use tengen_cli::interrupt::stop_on_interrupt;
use tengen_cli::progress::progress_bar_of_parts;
use tengen_record::GameRecord;
use tengen_record::replay::Replayed;
use tengen_study::review::{self, Evaluations, Review, evaluate};

/// Reviews the games and writes the outputs. Ctrl-C stops after the last complete game.
///
/// # Errors
/// If a file cannot be read or written, a game is invalid, or an option is.
pub fn run(args: &Args, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    review_file(args, out, notes, stop_on_interrupt)
}

/// Like [`run`]; `switch` makes the switch that stops the searches, once the games are read.
fn review_file(
    args: &Args,
    out: &mut dyn Write,
    notes: &mut dyn Write,
    switch: impl FnOnce() -> anyhow::Result<StopSwitch>,
) -> anyhow::Result<()> {
    for path in [&args.html, &args.sgf].into_iter().flatten() {
        args.overwrite.check(path)?;
        ensure_folder_exists(path)?;
    }
    if let (Some(html), Some(sgf)) = (&args.html, &args.sgf) {
        ensure!(!is_same_file(html, sgf), "--html and --sgf are the same file");
    }
    let games = read_games(args, notes)?;
    let (several, count) = (games.len() > 1, games.len());
    ensure!(!several || args.html.is_none(), "{count} games: --html needs one (see --game)");
    // Check all games first: a failure later would lose the reviews before it.
    let mut tasks = tasks(args, games, notes)?;
    let stop = switch()?;
    let (networks, words) = (args.network.networks(), args.language.words());
    let mut engine = Engine::new(Options { networks, ..Options::default() });
    let mut known = known_evaluations(args, &tasks, notes)?;
    let positions = |line: &Line| line.replayed.game.moves().count() + 1;
    let total: usize = tasks.iter().flat_map(|task| &task.lines).map(positions).sum();
    let bar = progress_bar_of_parts(total as u64, "positions");
    let (count, mut page, mut interrupted) = (tasks.len(), None, None);
    let has_several_files = tasks.windows(2).any(|pair| pair[0].game.path != pair[1].game.path);
    'games: for (index, task) in tasks.iter_mut().enumerate() {
        for line in std::mem::take(&mut task.lines) {
            let (number, from) = (line.number, line.from);
            bar.set_message(part(index + 1, count, number));
            let reviewed =
                review_line(args, &task.game.record, line, &mut engine, &mut known, &bar, &stop);
            let Some(review) = reviewed else {
                let (path, number) = (task.game.path.display(), task.game.number);
                interrupted = Some(if has_several_files {
                    format!("{path}, game {number}")
                } else {
                    format!("game {number}")
                });
                break 'games;
            };
            let review = &review;
            bar.suspend(|| output::print(args, task, (number, from), review, several, out))?;
            if number == 1 && args.html.is_some() {
                page = Some(review::html(review, &title(&task.game), words));
            }
        }
    }
    bar.finish_and_clear();
    if let (Some(path), Some(page)) = (&args.html, page) {
        atomic_file::write(path, page.as_bytes()).with_context(|| path.display().to_string())?;
    }
    if let Some(path) = &args.sgf
        && !known.is_empty()
    {
        let records = tasks.into_iter().map(|task| task.game.record).collect();
        write_sgf(args, path, records, &known).with_context(|| path.display().to_string())?;
    }
    if let Some(game) = interrupted {
        writeln!(notes, "interrupted in {game}{}", kept_note(args, &known))?;
    }
    Ok(())
}

/// The evaluations of `--reuse` and `--study`.
fn known_evaluations(
    args: &Args,
    tasks: &[Task],
    notes: &mut dyn Write,
) -> anyhow::Result<Evaluations> {
    let mut known = Evaluations::default();
    if args.reuse {
        tasks.iter().for_each(|task| note_known(args, &task.game.record, &mut known));
    }
    if let Some(path) = &args.study {
        let store = crate::study::open_reading(path, notes)?;
        let snapshot = store.snapshot()?;
        for line in tasks.iter().flat_map(|task| &task.lines) {
            note_stored(args, &line.replayed.game, &snapshot, &mut known)?;
        }
    }
    Ok(known)
}

/// The part of the work that the progress bar shows: a game, and a line other than its main line.
fn part(game: usize, count: usize, line: usize) -> String {
    let line = if line == 1 { String::new() } else { format!(", line {line}") };
    format!("game {game} of {count}{line}")
}

/// Reviews a line of a game; `None` if interrupted.
fn review_line(
    args: &Args,
    record: &GameRecord,
    line: Line,
    engine: &mut Engine,
    known: &mut Evaluations,
    bar: &ProgressBar,
    stop: &StopSwitch,
) -> Option<Review> {
    let Replayed { game, lost_by, .. } = line.replayed;
    engine.new_game();
    let evaluations = evaluate(&game, engine, args.nodes, stop, known, |_| bar.inc(1))?;
    // The result of the file is that of the main line.
    let verdict = record.result.map(|result| (result, record.reason.clone()));
    let review = Review::new(game, evaluations)
        .with_given(given_moves(record))
        .with_illegal(lost_by)
        .with_verdict(verdict.filter(|_| line.number == 1));
    Some(review)
}

/// Number of stones among the moves at the start that were given.
fn given_moves(record: &GameRecord) -> usize {
    record.plays().take(record.opening).filter(|play| play.at.is_some()).count()
}
