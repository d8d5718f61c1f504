//! Answers to questions about a position: who won, what is forbidden, what is forced.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::objects;
use super::validate::{Schema, refuses_changes};

/// Three black stones in a row, black to move; and with white to move.
const THREE: &str = "7,7 0,0 8,7 2,0 9,7 4,0";
const THREATENED: &str = "7,7 0,0 8,7 2,0 9,7";

/// Two crossing open twos and more, without a four.
const QUIET: &str = "7,7 8,8 7,8 9,9 9,7 6,6";

/// The one object of a call, which its schema takes and takes no change of.
fn checked(schema: &Schema, call: &[&str], optional: &[&str]) -> Value {
    let mut printed = objects(call);
    assert_eq!(printed.len(), 1, "{call:?}");
    let object = printed.remove(0);
    refuses_changes(schema, &object, optional);
    object
}

#[test]
fn solutions_are_what_their_schema_says() {
    let schema = Schema::of(include_str!("../../../../schemas/solve.schema.json"));
    let ask = |moves: &str, options: &[&str]| {
        let common = ["solve", "--json", "--nodes", "2000", "--moves", moves];
        let optional = ["id", "tree", "cut", "replies", "shortest", "refutes"];
        checked(&schema, &[&common, options].concat(), &optional)
    };
    assert_eq!(ask(THREE, &[])["result"], "win");
    assert_eq!(ask("7,7", &["--kind", "vcf"])["result"], "none");
    assert!(ask(THREE, &["--tree"])["tree"]["at"].is_string());
    assert_eq!(ask(THREE, &["--shortest"])["shortest"], true);
    assert_eq!(ask(THREE, &["--kind", "vcf", "--all"])["wins"].as_array().map(Vec::len), Some(2));
    let defence = ask(THREATENED, &["--kind", "vcf", "--defend"]);
    assert_eq!(defence["holds"].as_array().map(Vec::len), Some(2));
    assert_eq!(ask("7,7", &["--kind", "vcf", "--defend"])["threat"], "none");
    assert_eq!(ask(THREATENED, &["--refute", "0,14"])["result"], "loss");
    assert!(ask(THREE, &["--points", "open-three-points"])["points"].is_array());
}

#[test]
fn solutions_of_files_have_their_names() {
    let schema = Schema::of(include_str!("../../../../schemas/solve.schema.json"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions");
    let row = r#"{"id":"three","rule":"renju","size":15,"black":["7,7","8,7","9,7"],"white":["0,0","2,0","4,0"]}"#;
    fs::write(&path, format!("{row}\n{QUIET}\n")).unwrap();
    let file = path.to_str().unwrap();
    let undecided = ["--nodes", "1"];
    let printed = objects(&[&["solve", "--json", file], &undecided[..]].concat());
    printed.iter().for_each(|object| refuses_changes(&schema, object, &["id", "file", "game"]));
    assert_eq!(printed[0]["id"], "three");
    assert_eq!((&printed[1]["id"], &printed[1]["result"]), (&Value::Null, &"unknown".into()));
}

#[test]
fn judgements_are_what_their_schema_says() {
    let schema = Schema::of(include_str!("../../../../schemas/judge.schema.json"));
    let judged = |moves| {
        let object = checked(&schema, &["judge", "--rule", "renju", "--moves", moves], &[]);
        object["reason"].as_str().map(str::to_string)
    };
    assert_eq!(judged("7,7 8,8"), None);
    assert_eq!(judged("a1 a2 b1 b2 c1 c2 d1 d2 e1").as_deref(), Some("five"));
    assert_eq!(judged("7,7 7,7").as_deref(), Some("occupied"));
    assert_eq!(judged("9,7 0,14 9,8 2,14 7,6 4,14 8,6 6,14 9,6").as_deref(), Some("double-three"));
}

#[test]
fn fouls_are_what_their_schema_says() {
    let schema = Schema::of(include_str!("../../../../schemas/forbidden.schema.json"));
    let black = "9,7 9,8 7,6 8,6 0,0 1,0 2,0 4,0 5,0 1,12 3,12 5,12 7,12";
    let object = checked(&schema, &["forbidden", "--black", black], &[]);
    assert_eq!(object["forbidden"].as_array().map(Vec::len), Some(3));
}

#[test]
fn checks_of_certificates_are_what_their_schema_says() {
    let schema = Schema::of(include_str!("../../../../schemas/verify.schema.json"));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocol-tests/certificates");
    let printed = objects(&["verify", "--json", "--every-reply", folder.to_str().unwrap()]);
    assert!(printed.len() >= 5, "{printed:?}");
    for object in &printed {
        assert_eq!(schema.fault(object), None);
    }
    refuses_changes(&schema, &printed[0], &["proved", "played"]);

    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("refused.proof");
    let accepted = fs::read(folder.join("renju-white-fours.proof")).unwrap();
    fs::write(&path, &accepted[..accepted.len() - 1]).unwrap();
    let arguments = ["verify", "--json", path.to_str().unwrap()];
    let output = Command::new(env!("CARGO_BIN_EXE_tengen")).args(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(schema.fault(&object), None);
    assert_eq!(object["refused"], "the checksum does not match");
}
