//! Files: the page sends their bytes and gets trees, or sends a tree and gets bytes. Nothing here
//! touches the disk.

use std::path::Path;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};

use super::tree::GameTree;
use crate::response::HttpError;
use tengen_record::{Form, Reading, read, write};
use tengen_rules::game::Game;
use tengen_rules::types::BoardSize;

/// Games of a file that a page shows.
const MOST_GAMES: usize = 500;

/// Asks what is in a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Read {
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
pub(crate) struct Write {
    form: String,
    game: GameTree,
}

/// The games of a file, and what of it is left out.
///
/// # Errors
/// When it is no file of any form.
pub(crate) fn read_file(request: &Read) -> Result<Value, HttpError> {
    let bytes =
        BASE64_STANDARD.decode(&request.data).map_err(|_| HttpError::new("it is no base 64"))?;
    let mut reading =
        Reading { name: request.name.as_deref().map(Path::new), ..Reading::default() };
    if let Some(size) = &request.size {
        reading.size = Some(size.parse::<BoardSize>().map_err(HttpError::new)?);
    }
    let mut games = read(&bytes, &reading).map_err(HttpError::new)?;
    if games.list.len() > MOST_GAMES {
        games.left_out.insert(format!("{} games", games.list.len() - MOST_GAMES));
        games.list.truncate(MOST_GAMES);
    }
    let trees = games
        .list
        .iter()
        .zip(1..)
        .map(|(record, number)| {
            GameTree::of(record).map_err(|error| error.at(format!("game {number}")))
        })
        .collect::<Result<Vec<_>, _>>()?;
    Ok(json!({ "games": trees, "left_out": games.left_out }))
}

/// The bytes of a file with this game, and what the form cannot hold.
///
/// # Errors
/// When there is no such form, or it cannot hold the game at all.
pub(crate) fn write_file(request: &Write) -> Result<Value, HttpError> {
    let named = Form::ALL.into_iter().find(|form| form.name() == request.form);
    let form =
        named.ok_or_else(|| HttpError::new(format!("{:?} is no form of file", request.form)))?;
    let mut record = request.game.record()?;
    // The page notes only what the stones do not say.
    if record.result.is_none()
        && let Some(ending) = Game::from_board(&record.end()).ending()
    {
        record.result = Some(ending.winner().into());
        record.reason = Some(ending.reason().to_string());
    }
    let mut bytes = Vec::new();
    let lost = write(&[record], form, &mut bytes).map_err(HttpError::new)?;
    let lost: Vec<&str> = lost.0.iter().map(|feature| feature.name()).collect();
    Ok(json!({ "data": BASE64_STANDARD.encode(bytes), "lost": lost }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_stones_say_is_written() {
        let cells = ["h8", "a1", "i8", "c1", "j8", "e1", "k8", "g1", "l8"];
        let colors = ["white", "black"];
        let file = |moves: usize, more: &str| {
            let nodes: Vec<Value> = (0..=moves)
                .map(|number| match number {
                    0 => json!({ "parent": null }),
                    _ => json!({
                        "parent": number - 1,
                        "color": colors[number % 2],
                        "at": cells[number - 1],
                    }),
                })
                .collect();
            let mut game =
                json!({ "width": 15, "height": 15, "rule": "freestyle", "nodes": nodes });
            let more: Value = serde_json::from_str(more).unwrap();
            game.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let request = serde_json::from_value(json!({ "form": "sgf", "game": game })).unwrap();
            let data = write_file(&request).unwrap()["data"].as_str().unwrap().to_string();
            String::from_utf8(BASE64_STANDARD.decode(data).unwrap()).unwrap()
        };
        assert!(file(9, "{}").contains("RE[B+]TGWHY[five]"));
        assert!(!file(8, "{}").contains("RE["));
        let resigned = file(8, r#"{ "result": "white", "reason": "resignation" }"#);
        assert!(resigned.contains("RE[W+R]"), "{resigned}");
    }
}
