//! Saving and loading games.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};

use crate::games::{GameFiles, Selection};
use tengen_cli::args::BoardArgs;
use tengen_cli::atomic_file;
use tengen_record::replay::{Replayed, replay};
use tengen_record::{Format, GameRecord, GameResult, write};
use tengen_rules::game::Game;
use tengen_rules::types::Rule;

/// Reads a file with one game, and lists in `notes` what is left out. `board` is the
/// requested board, `usual` the rule if neither it nor the file has one.
///
/// # Errors
/// If the file cannot be read, does not hold exactly one game, or contains an illegal move.
pub(super) fn load(
    path: &Path,
    board: BoardArgs,
    usual: Rule,
    selection: &Selection,
    notes: &mut dyn Write,
) -> anyhow::Result<Game> {
    let name = || path.display().to_string();
    let rule = board.rule.unwrap_or(usual);
    let games = GameFiles::known(board, selection).read_file(path, notes)?;
    let [record] = &games.list[..] else {
        bail!("{} holds {} games: expected one (--game N)", name(), games.list.len());
    };
    if let Some(game) = from_moves(record, rule) {
        return Ok(game);
    }
    let Replayed { mut game, lost_by, cut, .. } = replay(record, rule).with_context(name)?;
    if let Some(cut) = cut {
        writeln!(notes, "{}: {cut}", name())?;
    }
    if let Some(illegal) = lost_by {
        game.play(illegal.at);
    }
    Ok(game)
}

/// The game if its stones can be played from the empty board. Alternating set-up stones count as
/// moves.
fn from_moves(record: &GameRecord, rule: Rule) -> Option<Game> {
    let mut game = Game::new(record.size, record.rule.unwrap_or(rule));
    let moves = record.moves().ok()?;
    moves.into_iter().all(|point| game.try_play(point).is_ok()).then_some(game)
}

/// Writes the game; `result` is how it ended otherwise than by its moves, and why. The extension of the name selects the format.
/// Returns what the format cannot hold. An existing file is replaced only if `replace` is true.
///
/// # Errors
/// If the extension is unknown, the format cannot hold the game, or the file exists already or
/// cannot be written.
pub(super) fn save(
    path: &Path,
    game: &Game,
    result: Option<(GameResult, &str)>,
    replace: bool,
) -> anyhow::Result<String> {
    let form = form_of(path)?;
    let mut record = GameRecord::from_game(game);
    if let Some((result, reason)) = result {
        record.result = Some(result);
        record.reason = Some(reason.to_string());
    }
    let mut bytes = Vec::new();
    let lost = write(&[record], form, &mut bytes)?.to_string();
    let name = || path.display().to_string();
    if !replace {
        fs::File::create_new(path).with_context(name)?;
    }
    if let Err(error) = atomic_file::write(path, &bytes) {
        // Remove the new empty file, or the next try would find an existing file.
        if !replace {
            fs::remove_file(path).with_context(name)?;
        }
        return Err(error).with_context(name);
    }
    Ok(lost)
}

fn form_of(path: &Path) -> anyhow::Result<Format> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    Ok(match ending.to_ascii_lowercase().as_str() {
        "sgf" => Format::Sgf,
        "psq" => Format::Psq,
        "jsonl" | "json" => Format::JsonLines,
        "txt" => Format::Notation,
        _ => bail!("{}: expected a name with extension .sgf, .psq, .jsonl or .txt", path.display()),
    })
}
