//! Positions that were analysed.

use std::fs;

use serde_json::Value;

use super::objects;
use super::validate::Schema;

#[test]
fn analyses_are_what_their_schema_says() {
    let schema = Schema::of(include_str!("../../../../schemas/analyze.schema.json"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let boards = path.with_extension("boards");
    // A game that is won; a drawn board with a cell out of play, and a full one.
    fs::write(&path, "a1 a2 b1 b2 c1 c2 d1 d2 e1\n").unwrap();
    fs::write(&boards, "X . #\n. O .\n\nX O\n").unwrap();
    let files = [path.to_str().unwrap(), boards.to_str().unwrap()];
    let fouls = "9,7 0,14 9,8 2,14 7,6 4,14 8,6 6,14";
    let calls: [&[&str]; 5] = [
        &["--moves", "h8", "--lines", "3", "--cells"],
        &["--rule", "renju", "--moves", fouls, "--cells"],
        &["--rule", "caro", "--size", "9x30", "--moves", "a1 b1 a2"],
        &["--size", "1x1"],
        &["--every", files[0], files[1]],
    ];
    let mut met = Vec::new();
    for call in calls {
        let common = ["analyze", "--json", "--nodes", "2000"];
        for object in objects(&[&common, call].concat()) {
            assert_eq!(schema.fault(&object), None, "{call:?}");
            met.push(object);
        }
    }
    let endings: Vec<&Value> = met.iter().filter_map(|it| it["ending"].get("reason")).collect();
    assert_eq!(endings, ["five", "full"]);
    assert_eq!(met.len(), 4 + 10 + 2);
    assert_eq!(met[0]["lines"].as_array().map(Vec::len), Some(3));
    assert_eq!(met[0]["cells"].as_array().map(Vec::len), Some(224));
    let prospects = met[1]["prospects"].as_array().unwrap();
    assert!(prospects.iter().any(|it| it["foul"] == true && it["kind"] == "double-three"));
    assert_eq!(met[4]["moves"].as_array().map(Vec::len), Some(0));

    // The schema refuses what it should.
    let mut odd = met[0].clone();
    odd["side_to_move"] = "red".into();
    assert!(schema.fault(&odd).is_some());
    let mut odd = met[0].clone();
    odd["unknown"] = 1.into();
    assert!(schema.fault(&odd).is_some());
}
