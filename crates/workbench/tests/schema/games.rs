//! Games, and what is made of them.

use std::fs;

use super::objects;
use super::validate::{Schema, refuses_changes};

/// A game that ends where black has seen that it wins.
const GAME: &str = "8,5 10,3 4,6 5,4 10,5 7,7 10,7 7,4 7,6 4,4 8,4 6,6 5,5 6,4 3,4 6,7 6,5 8,6 \
                    9,7 5,9 6,8 8,8";

#[test]
fn matches_are_what_their_schema_says() {
    let schema = Schema::of(include_str!("../../../../schemas/match.schema.json"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match");
    let file = path.to_str().unwrap();
    let call = "match -e bot:random -e bot:one-ply --games 2 --size 9 --seed 1 --record";
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(call.split(' ').chain([file]))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    let optional = ["seed", "version", "commit", "sha256"];
    lines.iter().for_each(|line| refuses_changes(&schema, line, &optional));
    let mut lost = lines[1].clone();
    lost["offender"] = "bot:random".into();
    lost["last_lines"] = vec!["ERROR"].into();
    lost["signal"] = 11.into();
    lost["exit_status"] = (-1).into();
    lost["opener"] = "bot:random".into();
    lost["opening_times_ms"] = vec![3].into();
    assert_eq!(schema.fault(&lost), None);
    assert_eq!(lines[1]["game"], 1);
}

#[test]
fn match_summaries_are_what_their_schema_says() {
    let schema = Schema::of(include_str!("../../../../schemas/match-summary.schema.json"));
    let call = "match -e a=bot:random -e b=bot:one-ply -e c=bot:random --games 12 --size 9 --json";
    let printed = objects(&call.split(' ').collect::<Vec<_>>());
    let [summary] = &printed[..] else { panic!("one line: {printed:?}") };
    refuses_changes(&schema, summary, &["difference"]);
    assert_eq!((&summary["games"], summary["pairings"].as_array().unwrap().len()), (&12.into(), 3));
    let two = "match -e a=bot:random -e b=bot:one-ply --games 2 --size 9 --json --sprt 0,100";
    let printed = objects(&two.split(' ').collect::<Vec<_>>());
    refuses_changes(&schema, &printed[0], &["difference", "sprt"]);
}

#[test]
fn game_lines_are_what_their_schema_says() {
    let schema = Schema::of(include_str!("../../../../schemas/games.schema.json"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.sgf");
    let rich = "(;GM[4]SZ[15]RU[renju]PB[a]PW[b]RE[B+]DT[2020-01-01]AB[aa]AW[bb];B[hh]C[x];W[ii])";
    fs::write(&path, format!("{rich}(;GM[4]SZ[15];B[hh])")).unwrap();
    let printed = objects(&["convert", path.to_str().unwrap(), "--to", "jsonl"]);
    let optional = [
        "rule", "set_up", "side", "walls", "result", "reason", "opening", "times_ms", "comments",
        "info", "2", "1", "date",
    ];
    assert_eq!(printed.len(), 2);
    for object in &printed {
        // The players' names may be missing; the stones of a set-up may not.
        assert_eq!(schema.fault(object), None);
        let mut nameless = object.clone();
        let fields = nameless.as_object_mut().unwrap();
        fields.retain(|key, _| key != "black" && key != "white");
        refuses_changes(&schema, &nameless, &optional);
    }
    assert!(printed[0]["set_up"]["black"].is_string() && printed[0]["comments"].is_object());
}

#[test]
fn puzzles_are_what_their_schema_says() {
    let schema = Schema::of(include_str!("../../../../schemas/puzzles.schema.json"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("puzzle.txt");
    fs::write(&path, GAME).unwrap();
    let file = path.to_str().unwrap();
    let printed = objects(&["puzzles", "--rule", "standard", "--nodes", "5000", file]);
    assert_eq!(printed.len(), 1);
    refuses_changes(&schema, &printed[0], &[]);
}

#[test]
fn features_are_what_their_schema_says() {
    let schema = Schema::of(include_str!("../../../../schemas/features.schema.json"));
    let folder = tempfile::tempdir().unwrap();
    let [game, planes] = ["game.txt", "planes.json"].map(|name| folder.path().join(name));
    fs::write(&game, "h8 i9 a1\n").unwrap();
    let call = ["features", game.to_str().unwrap(), "--out", planes.to_str().unwrap()];
    assert!(objects(&[&call[..], &["--labels", "10"]].concat()).is_empty());
    let object = serde_json::from_slice(&fs::read(&planes).unwrap()).unwrap();
    refuses_changes(&schema, &object, &["value", "best"]);
    assert_eq!(object["positions"].as_array().map(Vec::len), Some(4));
}
