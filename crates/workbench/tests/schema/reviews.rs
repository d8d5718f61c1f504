//! Games that were reviewed.

use std::fs;

use serde_json::Value;

use super::objects;
use super::validate::{Schema, refuses_changes};

/// The reviews of a text of games.
fn reviews(rule: &str, games: &str) -> Vec<Value> {
    let schema = Schema::of(include_str!("../../../../schemas/review.schema.json"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    fs::write(&path, games).unwrap();
    let file = path.to_str().unwrap();
    let printed = objects(&["review", "--json", "--nodes", "2000", "--rule", rule, file]);
    let optional = ["file", "game", "offence", "opening"];
    printed.iter().for_each(|review| refuses_changes(&schema, review, &optional));
    printed
}

#[test]
fn reviews_are_what_their_schema_says() {
    // Black misses a win and white the defence; an unfinished game.
    let games = "h8 a1 i8 a2 j8 o15 k8 o14 l8\nh8\n";
    let printed = reviews("freestyle", games);
    let [won, open] = &printed[..] else { panic!("two games: {printed:?}") };
    assert_eq!((&won["result"], &won["reason"]), (&"black".into(), &"five".into()));
    let findings = won["moves"].as_array().unwrap().iter();
    let kinds: Vec<&Value> = findings.filter_map(|it| it["finding"].get("kind")).collect();
    assert!(kinds.contains(&&"missed-defence".into()), "{won}");
    assert_eq!((&open["result"], &open["losing_move"]), (&Value::Null, &Value::Null));
}

#[test]
fn reviews_of_renju_have_the_opening() {
    let printed = reviews("renju", "h8 i9 i7\n");
    assert_eq!(printed[0]["opening"]["names"]["zh-Hans"], "浦月");
}

#[test]
fn a_review_names_the_foul_that_ended_the_game() {
    let printed = reviews("renju", "9,7 0,14 9,8 2,14 7,6 4,14 8,6 6,14 9,6\n");
    assert_eq!((&printed[0]["foul"], &printed[0]["result"]), (&"9,6".into(), &"white".into()));
    assert_eq!(printed[0]["reason"], "double-three");
}
