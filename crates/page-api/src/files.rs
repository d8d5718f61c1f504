//! Game files: the page sends bytes and receives game trees, or sends a tree and receives bytes.
//! Nothing here accesses the disk.

use std::path::Path;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::RequestError;
use tengen_record::{Format, ReadOptions, read, write};
use tengen_rules::game::Game;
use tengen_rules::types::{BoardSize, counted};
use tengen_study::parse_name;
use tengen_study::tree::GameTree;

/// Maximum number of games of a file. Those after it are not kept while the file is read.
const MAX_GAMES: usize = 500;

/// Requests the games of a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Read {
    /// The name of the file, a hint at its format.
    name: Option<String>,
    /// The bytes of the file in base64.
    data: String,
    /// The board size for files that have none.
    size: Option<String>,
    /// The rule; overrides the one in the file.
    rule: Option<String>,
    /// The encoding of a text without a byte order mark; guessed if absent.
    encoding: Option<String>,
}

impl Read {
    /// # Errors
    /// If the size, the rule or the encoding is unknown.
    fn options(&self) -> Result<ReadOptions<'_>, RequestError> {
        let mut options = ReadOptions {
            name: self.name.as_deref().map(Path::new),
            numbers: Some(1..=MAX_GAMES),
            ..ReadOptions::default()
        };
        if let Some(size) = &self.size {
            options.size = Some(size.parse::<BoardSize>().map_err(RequestError::new)?);
        }
        if let Some(rule) = &self.rule {
            options.rule = Some(parse_name(rule)?);
        }
        if let Some(encoding) = &self.encoding {
            options.encoding = Some(encoding.parse().map_err(RequestError::new)?);
        }
        Ok(options)
    }
}

/// Requests a file with a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Write {
    format: String,
    game: GameTree,
}

/// Reads the games of a file. The response lists what is left out, and names the encoding where it
/// was guessed.
///
/// # Errors
/// If the format is unknown or the file invalid.
pub(crate) fn read_file(request: &Read) -> Result<Value, RequestError> {
    let bytes = BASE64_STANDARD
        .decode(&request.data)
        .map_err(|_| RequestError::new("invalid base64 data"))?;
    let reading = request.options()?;
    let mut games = read(&bytes, &reading)?;
    if games.count > MAX_GAMES {
        games.left_out.insert(counted(games.count - MAX_GAMES, "game"));
    }
    let trees = games
        .list
        .iter()
        .zip(1..)
        .map(|(record, number)| {
            GameTree::of(record)
                .map_err(|error| RequestError::from(error.at(format!("game {number}"))))
        })
        .collect::<Result<Vec<_>, _>>()?;
    Ok(json!({
        "games": trees,
        "left_out": games.left_out,
        "guessed": games.guessed.map(|encoding| encoding.to_string()),
    }))
}

/// Writes a file with a game. The response lists what the format cannot hold.
///
/// # Errors
/// If the format is unknown or cannot hold the game.
pub(crate) fn write_file(request: &Write) -> Result<Value, RequestError> {
    let unknown = || RequestError::new(format!("unknown file format {:?}", request.format));
    let format = Format::from_name(&request.format).ok_or_else(unknown)?;
    let mut record = request.game.record()?;
    // The page sends only results that do not follow from the stones.
    if record.result.is_none()
        && let Some(ending) = Game::from_board(&record.end()).ending()
    {
        record.result = Some(ending.into());
        record.reason = Some(ending.reason().to_string());
    }
    let mut bytes = Vec::new();
    let lost = write(&[record], format, &mut bytes).map_err(RequestError::new)?;
    let lost: Vec<&str> = lost.0.iter().map(|feature| feature.name()).collect();
    Ok(json!({ "data": BASE64_STANDARD.encode(bytes), "lost": lost }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree_of(text: &str) -> Value {
        let data = BASE64_STANDARD.encode(text);
        let request = serde_json::from_value(json!({ "name": "x.sgf", "data": data })).unwrap();
        let found = read_file(&request).unwrap();
        assert_eq!(found["left_out"], json!([]), "{found}");
        found["games"][0].clone()
    }

    fn written(game: &Value) -> Result<String, RequestError> {
        let request = serde_json::from_value(json!({ "format": "sgf", "game": game })).unwrap();
        let data = write_file(&request)?["data"].as_str().unwrap().to_string();
        Ok(String::from_utf8(BASE64_STANDARD.decode(data).unwrap()).unwrap())
    }

    #[test]
    fn arrows_lines_and_other_properties_survive() {
        let mut game =
            tree_of("(;GM[4]FF[4]SZ[15];B[hh]AR[hh:ii][aa:oo]LN[ha:hc]CR[dd]HO[1]XX[a\\]b][c])");
        let node = &game["nodes"][1];
        assert_eq!(node["marks"][0], json!({ "at": "d12", "sign": "circle" }));
        assert_eq!(node["marks"][1], json!({ "at": "h8", "to": "i7", "sign": "arrow" }));
        assert_eq!(node["marks"][3], json!({ "at": "h15", "to": "h13", "sign": "line" }));
        assert_eq!(node["properties"][1], json!({ "name": "XX", "values": ["a\\]b", "c"] }));
        let text = written(&game).unwrap();
        for part in ["AR[hh:ii][aa:oo]", "LN[ha:hc]", "CR[dd]", "HO[1]", "XX[a\\]b][c]"] {
            assert!(text.contains(part), "{text}");
        }
        for (key, value, named) in [
            ("marks", json!([{ "at": "h8", "to": "h8", "sign": "arrow" }]), "mark on h8"),
            ("marks", json!([{ "at": "h8", "to": "p1", "sign": "line" }]), "p1"),
            ("marks", json!([{ "at": "h8", "to": "i7", "sign": "circle" }]), "mark on h8"),
            ("properties", json!([{ "name": "XX", "values": ["a]"] }]), "value of XX"),
            ("properties", json!([{ "name": "XX", "values": ["a\\"] }]), "value of XX"),
            ("properties", json!([{ "name": "XX", "values": [] }]), "no value"),
            ("properties", json!([{ "name": "B", "values": ["aa"] }]), "property \"B\""),
            ("properties", json!([{ "name": "C];", "values": ["aa"] }]), "property"),
        ] {
            let before = std::mem::replace(&mut game["nodes"][1][key], value);
            let reason = written(&game).unwrap_err().to_string();
            assert!(reason.contains("node 1") && reason.contains(named), "{reason}");
            game["nodes"][1][key] = before;
        }
    }

    #[test]
    fn arrows_off_the_board_stay_as_they_are() {
        let game = tree_of("(;GM[4]FF[4]SZ[9];B[ee]AR[aa:oo])");
        assert_eq!(game["nodes"][1]["properties"][0]["name"], "AR");
        assert!(written(&game).unwrap().contains("AR[aa:oo]"));
    }

    #[test]
    fn write_file_adds_the_result_on_the_board() {
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
            let request = serde_json::from_value(json!({ "format": "sgf", "game": game })).unwrap();
            let data = write_file(&request).unwrap()["data"].as_str().unwrap().to_string();
            String::from_utf8(BASE64_STANDARD.decode(data).unwrap()).unwrap()
        };
        assert!(file(9, "{}").contains("RE[B+]TGWHY[five]"));
        assert!(!file(8, "{}").contains("RE["));
        let resigned = file(8, r#"{ "result": "white", "reason": "resignation" }"#);
        assert!(resigned.contains("RE[W+R]"), "{resigned}");
    }
}
