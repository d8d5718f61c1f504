//! Games in files.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail, ensure};

use crate::games::say_left_out;
use tengen_cli::whole::write_whole;
use tengen_record::replay::{Replayed, replay};
use tengen_record::{Form, GameRecord, GameResult, Reading, read, write};
use tengen_rules::game::Game;
use tengen_rules::types::{BoardSize, Rule};

/// Reads the one game of a file, and says in `notes` what of it is left out. Rule and size are for
/// files that do not tell them.
///
/// # Errors
/// When the file cannot be read, holds another number of games, or a move in it is not allowed.
pub(super) fn load(
    path: &Path,
    rule: Rule,
    size: Option<BoardSize>,
    notes: &mut dyn Write,
) -> anyhow::Result<Game> {
    let name = || path.display().to_string();
    let bytes = fs::read(path).with_context(name)?;
    let reading = Reading { name: Some(path), size, ..Reading::default() };
    let games = read(&bytes, &reading).with_context(name)?;
    let [record] = &games.list[..] else {
        bail!("{} holds {} games, and one is needed", name(), games.list.len());
    };
    say_left_out(&games, path, notes)?;
    if let Some(game) = from_moves(record, rule) {
        return Ok(game);
    }
    let Replayed { mut game, lost_by, .. } = replay(record, rule).with_context(name)?;
    if let Some((point, _)) = lost_by {
        game.play(point);
    }
    Ok(game)
}

/// The game where it can be played from the empty board: a set-up that alternates counts as moves.
fn from_moves(record: &GameRecord, rule: Rule) -> Option<Game> {
    let mut game = Game::new(record.size, record.rule.unwrap_or(rule));
    let moves = record.moves().ok()?;
    moves.into_iter().all(|point| game.try_play(point).is_ok()).then_some(game)
}

/// Writes the game with its result and the reason; the form is that of the file's name. Says what
/// the form does not keep. Another file of that name is replaced only if `replace` says so.
///
/// # Errors
/// When the name has no known ending, the form cannot hold the game, or the file exists already
/// or cannot be written.
pub(super) fn save(
    path: &Path,
    game: &Game,
    verdict: Option<(GameResult, &str)>,
    replace: bool,
) -> anyhow::Result<String> {
    let form = form_of(path)?;
    let mut record = GameRecord::of_moves(game.size(), game.moves())?;
    ensure!(from_empty_board(game), "only games from the empty board can be saved");
    record.rule = Some(game.rule());
    record.result = verdict.map(|(result, _)| result);
    record.reason = verdict.map(|(_, reason)| reason.to_string());
    let mut bytes = Vec::new();
    let lost = write(&[record], form, &mut bytes)?.to_string();
    let name = || path.display().to_string();
    if !replace {
        fs::File::create_new(path).with_context(name)?;
    }
    if let Err(error) = write_whole(path, &bytes) {
        // A new file with nothing in it would be in the way of another try.
        if !replace {
            fs::remove_file(path).with_context(name)?;
        }
        return Err(error).with_context(name);
    }
    Ok(lost)
}

/// Whether its moves lead there from the empty board, black first.
fn from_empty_board(game: &Game) -> bool {
    let replayed = Game::replay(game.size(), game.rule(), game.moves());
    replayed.board().key() == game.board().key()
}

fn form_of(path: &Path) -> anyhow::Result<Form> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    Ok(match ending.to_ascii_lowercase().as_str() {
        "sgf" => Form::Sgf,
        "psq" => Form::Psq,
        "jsonl" | "json" => Form::JsonLines,
        "txt" => Form::Notation,
        _ => bail!("{}: expected a name that ends in .sgf, .psq, .jsonl or .txt", path.display()),
    })
}
