//! Saving and loading games.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};

use crate::games::GameFiles;
use tengen_cli::args::BoardArgs;
use tengen_cli::atomic_file;
use tengen_cli::overwrite::OverwriteArgs;
use tengen_cli::selection::Selection;
use tengen_record::replay::replay;
use tengen_record::{Format, GameRecord, GameResult, NodeId, write};
use tengen_rules::game::Game;
use tengen_rules::types::{ByColor, Color, Rule};
use time::OffsetDateTime;

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
    let files = GameFiles::known(board, selection).with_files(&[path.to_path_buf()]);
    let games = files.read(notes)?;
    let [record] = &games[..] else {
        bail!("{} holds {} games: expected one (--game N)", name(), games.len());
    };
    if let Some(game) = from_moves(record, rule) {
        return Ok(game);
    }
    let replayed = replay(record, rule).with_context(name)?;
    if let Some(cut) = &replayed.cut {
        writeln!(notes, "{}: {cut}", name())?;
    }
    Ok(replayed.into_game())
}

/// The game if its stones can be played from the empty board. Alternating set-up stones count as
/// moves.
fn from_moves(record: &GameRecord, rule: Rule) -> Option<Game> {
    let mut game = Game::new(record.size, record.rule.unwrap_or(rule));
    let moves = record.moves().ok()?;
    moves.into_iter().all(|point| game.try_play(point).is_ok()).then_some(game)
}

/// A game of a session.
pub(super) struct PlayedGame<'a> {
    pub(super) game: &'a Game,
    pub(super) players: ByColor<String>,
    /// The result and the reason, if the moves do not determine them.
    pub(super) decision: Option<(GameResult, &'a str)>,
    /// Milliseconds of the moves, and perhaps of moves taken back.
    pub(super) times: &'a [Option<u64>],
}

impl PlayedGame<'_> {
    /// The record with players, date, result and times.
    fn record(&self) -> GameRecord {
        let mut record = GameRecord::from_game(self.game);
        if let Some((result, reason)) = self.decision {
            record.result = Some(result);
            record.reason = Some(reason.to_string());
        }
        for color in Color::ALL {
            record.players[color] = Some(self.players[color].clone());
        }
        let date = OffsetDateTime::now_utc().date();
        record.info.insert("date".to_string(), date.to_string());
        let is_move = |&node: &NodeId| record.play_of(node).is_some();
        let nodes: Vec<NodeId> = record.main_line().filter(is_move).collect();
        for (node, &time) in nodes.into_iter().zip(self.times) {
            record.note_mut(node).time_ms = time;
        }
        record
    }
}

/// Writes a game. The extension of the name selects the format. Returns what the format cannot hold.
///
/// # Errors
/// If the extension is unknown, the format cannot hold the game, or the file exists and is not to be
/// replaced or cannot be written.
pub(super) fn save(
    path: &Path,
    played: &PlayedGame<'_>,
    overwrite: OverwriteArgs,
) -> anyhow::Result<String> {
    let form = form_of(path)?;
    let record = played.record();
    let mut bytes = Vec::new();
    let lost = write(&[record], form, &mut bytes)?.to_string();
    overwrite.check(path)?;
    atomic_file::write(path, &bytes).with_context(|| path.display().to_string())?;
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
