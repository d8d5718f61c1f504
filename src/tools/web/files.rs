//! Files: the page sends their bytes and gets trees, or sends a tree and gets bytes. Nothing here
//! touches the disk.

use std::path::Path;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};

use super::answer::Fault;
use super::tree::GameTree;
use crate::record::{Form, Reading, read, write};
use crate::types::BoardSize;

/// Games of a file that a page shows.
const MOST_GAMES: usize = 500;

/// Asks what is in a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Read {
    /// The file's name, which may tell its form.
    name: Option<String>,
    /// The file in base 64.
    data: String,
    /// The board where the file does not tell.
    size: Option<String>,
}

/// Asks for a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Write {
    form: String,
    game: GameTree,
}

/// The games of a file, and what of it is left out.
///
/// # Errors
/// When it is no file of any form.
pub(super) fn read_file(ask: &Read) -> Result<Value, Fault> {
    let bytes = BASE64_STANDARD.decode(&ask.data).map_err(|_| Fault::new("it is no base 64"))?;
    let mut reading = Reading { name: ask.name.as_deref().map(Path::new), ..Reading::default() };
    if let Some(size) = &ask.size {
        reading.size = size.parse::<BoardSize>().map_err(Fault::new)?;
    }
    let mut games = read(&bytes, &reading).map_err(Fault::new)?;
    if games.list.len() > MOST_GAMES {
        games.left_out.insert(format!("{} games", games.list.len() - MOST_GAMES));
        games.list.truncate(MOST_GAMES);
    }
    let trees = games
        .list
        .iter()
        .zip(1..)
        .map(|(record, number)| {
            GameTree::of(record).map_err(|fault| fault.at(format!("game {number}")))
        })
        .collect::<Result<Vec<_>, _>>()?;
    Ok(json!({ "games": trees, "left_out": games.left_out }))
}

/// The bytes of a file with this game, and what the form cannot hold.
///
/// # Errors
/// When there is no such form, or it cannot hold the game at all.
pub(super) fn write_file(ask: &Write) -> Result<Value, Fault> {
    let named = Form::ALL.into_iter().find(|form| form.name() == ask.form);
    let form = named.ok_or_else(|| Fault::new(format!("{:?} is no form of file", ask.form)))?;
    let record = ask.game.record()?;
    let mut bytes = Vec::new();
    let lost = write(&[record], form, &mut bytes).map_err(Fault::new)?;
    let lost: Vec<&str> = lost.0.iter().map(|feature| feature.name()).collect();
    Ok(json!({ "data": BASE64_STANDARD.encode(bytes), "lost": lost }))
}
