//! Files with positions.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use serde_json::{Map, Value};

use tengen_cli::args::PositionArgs;
use tengen_rules::game::Game;
use tengen_rules::moves::MoveText;
use tengen_study::PositionInput;

/// A position of a file.
pub(super) struct Entry {
    /// The name of the position in the file.
    pub(super) id: Option<String>,
    /// `line 7`.
    pub(super) place: String,
    pub(super) game: Game,
}

/// Reads a position from each line: a JSON object, or moves on the board of the arguments. Empty
/// lines and lines that begin with `#` are skipped.
///
/// # Errors
/// If a line is invalid or its game is over. The message names the line.
pub(super) fn read(path: &Path, args: &PositionArgs) -> anyhow::Result<Vec<Entry>> {
    let bytes = fs::read(path)?;
    let text = String::from_utf8(bytes).context("not UTF-8 text")?;
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
    ensure!(!entries.is_empty(), "no positions in the file");
    Ok(entries)
}

fn entry(line: &str, args: &PositionArgs) -> anyhow::Result<(Option<String>, Game)> {
    if line.starts_with('{') {
        let mut fields: Map<String, Value> =
            serde_json::from_str(line).context("not a position")?;
        let id = fields.remove("id").unwrap_or_default();
        let id: Option<String> = serde_json::from_value(id).context("id")?;
        let mut position = PositionInput::take_from(&mut fields).context("not a position")?;
        position.turn = position.turn.or(args.side.map(|side| side.name().to_string()));
        let game = position.game()?;
        if let Some(ending) = game.ending() {
            bail!("the game is over: {ending}");
        }
        return Ok((id, game));
    }
    let moves: MoveText = line.parse()?;
    let args = PositionArgs { moves, ..args.clone() };
    Ok((None, args.game()?))
}
