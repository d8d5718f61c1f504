//! The JSON output of the workbench, compared with the schemas that describe it.

mod analyses;
mod answers;
mod games;
mod generated;
mod reviews;
mod validate;

use std::process::Command;

use serde_json::Value;

use validate::Schema;

/// The objects that a call of the workbench prints, one a line.
pub fn objects(arguments: &[&str]) -> Vec<Value> {
    let output = Command::new(env!("CARGO_BIN_EXE_tengen")).args(arguments).output().unwrap();
    // Feature files of unfinished games come with a note.
    let notes = String::from_utf8_lossy(&output.stderr);
    let is_expected = notes.lines().all(|note| note.starts_with("no result is known"));
    assert!(output.status.success() && is_expected, "{arguments:?}: {output:?}");
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

#[test]
fn levels_are_what_their_schema_says() {
    let schema = Schema::of(include_str!("../../../../schemas/levels.schema.json"));
    let printed = objects(&["levels", "--json"]);
    let [list] = &printed[..] else { panic!("one line: {printed:?}") };
    assert_eq!(schema.fault(list), None);
    assert!(list["levels"].as_array().is_some_and(|levels| levels.len() >= 11));
    let mut odd = list.clone();
    odd["levels"][0]["overlooks"]["five"] = 101.into();
    assert!(schema.fault(&odd).is_some());
}
