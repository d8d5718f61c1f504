//! Writes the text forms of games.

use std::io::{self, Write};

use serde::Serialize;

use super::GameText;
use super::read::PISKVORK;
use crate::board::Board;
use crate::types::{Notation, Rule};

pub(super) fn moves(game: &GameText, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", game.moves)
}

pub(super) fn notation(game: &GameText, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", Notation::new(game.size).names(game.moves.0.iter().copied()))
}

#[derive(Serialize)]
struct JsonGame<'a> {
    size: String,
    moves: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    black: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    white: Option<&'a str>,
    #[serde(skip_serializing_if = "<[u64]>::is_empty")]
    times_ms: &'a [u64],
}

pub(super) fn json(game: &GameText, out: &mut dyn Write) -> anyhow::Result<()> {
    let player = |index: usize| game.players.as_ref().map(|names| names[index].as_str());
    let line = serde_json::to_string(&JsonGame {
        size: game.size.to_string(),
        moves: game.moves.to_string(),
        black: player(0),
        white: player(1),
        times_ms: &game.times,
    })?;
    writeln!(out, "{line}")?;
    Ok(())
}

/// The file that Piskvork opens: coordinates from 1, times in ms, and -1 for no result stored.
pub(super) fn piskvork(game: &GameText, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{PISKVORK}{}, 11:11, 0", game.size)?;
    let untimed = game.moves.0.len().saturating_sub(game.times.len());
    let times = std::iter::repeat_n(&0, untimed).chain(&game.times);
    for (at, time) in game.moves.0.iter().zip(times) {
        writeln!(out, "{},{},{time}", at.x + 1, at.y + 1)?;
    }
    let [black, white] = match &game.players {
        Some([black, white]) => [black.as_str(), white],
        None => ["black", "white"],
    };
    writeln!(out, "{black}\n{white}\n-1")
}

pub(super) fn diagram(game: &GameText, out: &mut dyn Write) -> io::Result<()> {
    let mut board = Board::new(game.size, Rule::Freestyle);
    let points = game.moves.0.iter().filter_map(|at| game.size.point(at.x, at.y));
    for point in points {
        board.place(point, board.side_to_move());
    }
    write!(out, "{board}")
}
