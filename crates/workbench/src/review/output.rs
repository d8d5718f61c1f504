//! Outputs of a review: text and JSON, the title of the HTML page, the SGF file with its comments.

use std::io::Write;
use std::path::Path;

use super::args::Args;
use super::tasks::Task;
use crate::games::FileGame;
use tengen_cli::atomic_file;
use tengen_cli::printable::printable;
use tengen_record::{Format, GameRecord, write};
use tengen_rules::types::{Color, Notation, counted};
use tengen_study::positions::walk;
use tengen_study::review::{self, Evaluations, Review, ReviewDocument, comment, ended};
use tengen_words::say;

/// Prints the review of the line `number` of a game, which is new from move `from` on: as JSON or as
/// text, with the file and the number of the game if the file has several.
pub(super) fn print(
    args: &Args,
    task: &Task,
    (number, from): (usize, usize),
    review: &Review,
    several: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let words = args.language.words();
    if args.json {
        let is_main = number == 1;
        let document = ReviewDocument {
            origin: task.game.origin(),
            variation: (!is_main).then_some(number),
            from_move: (!is_main).then_some(from),
            ..ReviewDocument::from(review).with_coordinates()
        };
        writeln!(out, "{}", serde_json::to_string(&document)?)?;
    } else {
        if several {
            let path = task.game.path.display().to_string();
            writeln!(out, "{}, game {}", printable(&path), task.game.number)?;
        }
        if number == 1 {
            if let Some(names) = players(&task.game.record) {
                writeln!(out, "{}", printable(&names))?;
            }
            // The file may give the reason of the result.
            writeln!(out, "{}", printable(&review::text(review, words)))?;
        } else {
            let text = review::variation_text(review, from, words);
            let line = say!(words, "review.line", number = number, from = from, text = text);
            writeln!(out, "{line}")?;
        }
    }
    Ok(out.flush()?)
}

/// The names of the players, if both are known.
fn players(record: &GameRecord) -> Option<String> {
    match (&record.players[Color::Black], &record.players[Color::White]) {
        (Some(black), Some(white)) => Some(format!("{black} - {white}")),
        _ => None,
    }
}

/// The names of the players, or the name of the file.
pub(super) fn title(game: &FileGame) -> String {
    let name = || game.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    players(&game.record).unwrap_or_else(name)
}

/// Writes the games with all evaluations that are known of their positions.
pub(super) fn write_sgf(
    args: &Args,
    path: &Path,
    mut records: Vec<GameRecord>,
    known: &Evaluations,
) -> anyhow::Result<()> {
    let rule = args.board.rule();
    for record in &mut records {
        let notation = Notation::new(record.size);
        let mut lines = Vec::new();
        walk(record, rule, |game, node| {
            if let Some(evaluation) = ended(game).or_else(|| known.get(game.board())) {
                let line = comment::line(&evaluation, game.side_to_move(), notation);
                lines.push((node, line));
            }
        });
        for (node, line) in lines {
            comment::put(&mut record.note_mut(node).comment, &line);
        }
        record.rule = Some(record.rule.unwrap_or(rule));
    }
    let mut bytes = Vec::new();
    write(&records, Format::Sgf, &mut bytes)?;
    Ok(atomic_file::write(path, &bytes)?)
}

/// What an interrupted review keeps.
pub(super) fn kept_note(args: &Args, known: &Evaluations) -> String {
    if known.is_empty() {
        return String::new();
    }
    let searched = counted(known.len(), "position");
    match &args.sgf {
        Some(path) => format!("; {} keeps {searched} for --reuse", path.display()),
        None => format!(", {searched} searched so far; --sgf FILE would keep them"),
    }
}
