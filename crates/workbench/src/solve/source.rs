//! Many positions from one file.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use serde::Deserialize;

use tengen_cli::setup::PositionArgs;
use tengen_rules::board::Board;
use tengen_rules::game::Game;
use tengen_rules::moves::MoveText;
use tengen_rules::types::{BoardSize, Color, Notation, Rule};

/// A position of a file.
pub(super) struct Entry {
    /// What the file calls it.
    pub(super) id: Option<String>,
    /// `line 7`.
    pub(super) place: String,
    pub(super) game: Game,
}

/// A position as a JSON object: either the moves of a game or the stones of each side.
#[derive(Deserialize)]
struct Row {
    id: Option<String>,
    rule: String,
    size: Extent,
    to_move: Option<String>,
    moves: Option<Vec<String>>,
    #[serde(default)]
    black: Vec<String>,
    #[serde(default)]
    white: Vec<String>,
    #[serde(default)]
    walls: Vec<String>,
}

/// `15`, or `"9x12"` where the sides differ.
#[derive(Deserialize)]
#[serde(untagged)]
enum Extent {
    Side(i64),
    Text(String),
}

/// Reads the positions, a line each: JSON objects, or moves on the board that the arguments say.
/// Empty lines and lines that begin with `#` are skipped.
///
/// # Errors
/// When a line is no position, or its game is over; the message names the line.
pub(super) fn read(path: &Path, args: &PositionArgs) -> anyhow::Result<Vec<Entry>> {
    let bytes = fs::read(path)?;
    let text = String::from_utf8(bytes).context("it is not UTF-8 text")?;
    let mut entries = Vec::new();
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let place = format!("line {number}");
        let (id, game) = entry(line, args).with_context(|| place.clone())?;
        entries.push(Entry { id, place, game });
    }
    ensure!(!entries.is_empty(), "it holds no position");
    Ok(entries)
}

fn entry(line: &str, args: &PositionArgs) -> anyhow::Result<(Option<String>, Game)> {
    if line.starts_with('{') {
        let row: Row = serde_json::from_str(line).context("not a position")?;
        let game = row.game(args.side)?;
        return Ok((row.id, game));
    }
    let moves: MoveText = line.parse()?;
    let args = PositionArgs { moves, ..args.clone() };
    Ok((None, args.game()?))
}

impl Row {
    /// The position; `side` is to move where the row does not say who is.
    fn game(&self, side: Option<Color>) -> anyhow::Result<Game> {
        let rule: Rule = self.rule.parse().with_context(|| self.rule.clone())?;
        let size: BoardSize = match &self.size {
            Extent::Side(side) => BoardSize::square(*side)?,
            Extent::Text(text) => text.parse()?,
        };
        let mut board = Board::new(size, rule);
        let point = |text: &str| {
            let at = Notation::new(size).parse(text)?;
            let point = size.point(at.x, at.y);
            point.with_context(|| format!("{text} lies outside the {size} board"))
        };
        for text in &self.walls {
            let at = point(text)?;
            ensure!(board.is_empty(at), "{text} is given twice");
            board.wall(at);
        }
        let mut game = Game::from_board(&board);
        for (number, text) in (1..).zip(self.moves.iter().flatten()) {
            if let Some(ending) = game.play(point(text)?) {
                bail!("move {number} ({text}) ends the game: {}", ending.reason());
            }
        }
        let mut board = game.board().clone();
        let black = self.black.iter().map(|stone| (stone, Color::Black));
        let white = self.white.iter().map(|stone| (stone, Color::White));
        for (text, color) in black.chain(white) {
            let at = point(text)?;
            ensure!(board.is_empty(at), "{text} is given twice");
            board.place(at, color);
        }
        let side = match &self.to_move {
            Some(name) => name.parse().context("to_move")?,
            None => side.unwrap_or(board.side_by_count()),
        };
        board.set_side(side);
        let game = Game::from_board(&board);
        if let Some(ending) = game.ending() {
            bail!("the game is over: {ending}");
        }
        Ok(game)
    }
}
