//! What the workbench prints as JSON, against the schemas that describe it.

use std::fs;
use std::process::Command;

use serde_json::Value;

/// The part of JSON Schema that our schemas use; a word it does not know is an error.
struct Schema(Value);

impl Schema {
    /// Where and how the object differs from the schema; `None` when it does not.
    fn fault(&self, object: &Value) -> Option<String> {
        self.check(&self.0, object, "")
    }

    fn check(&self, schema: &Value, value: &Value, path: &str) -> Option<String> {
        schema.as_object().expect("a schema").iter().find_map(|(word, rule)| {
            let holds = match word.as_str() {
                "$schema" | "$defs" | "title" | "description" => true,
                "$ref" => {
                    let pointer = rule.as_str().and_then(|text| text.strip_prefix('#'));
                    let target = self.0.pointer(pointer.expect("a pointer")).expect("a target");
                    return self.check(target, value, path);
                }
                "type" => match rule {
                    Value::Array(types) => types.iter().any(|one| has_type(value, one)),
                    one => has_type(value, one),
                },
                "enum" => list(rule).contains(value),
                "anyOf" => list(rule).iter().any(|one| self.check(one, value, path).is_none()),
                "minimum" => value.as_f64().is_none_or(|it| Some(it) >= rule.as_f64()),
                "maximum" => value.as_f64().is_none_or(|it| Some(it) <= rule.as_f64()),
                "pattern" => {
                    // The one pattern that is used: a cell.
                    assert_eq!(rule, "^[0-9]+,[0-9]+$");
                    value.as_str().is_none_or(|text| text.parse::<tengen::Point>().is_ok())
                }
                "required" => value.as_object().is_none_or(|object| {
                    list(rule).iter().all(|key| object.contains_key(key.as_str().expect("a key")))
                }),
                "additionalProperties" => {
                    assert_eq!(rule, false);
                    let known = schema["properties"].as_object().expect("properties");
                    let mut keys = value.as_object().into_iter().flatten();
                    keys.all(|(key, _)| known.contains_key(key))
                }
                "properties" => {
                    return rule.as_object().expect("properties").iter().find_map(|(key, rule)| {
                        let path = format!("{path}/{key}");
                        value.get(key).and_then(|value| self.check(rule, value, &path))
                    });
                }
                "items" => {
                    let mut items = value.as_array().into_iter().flatten();
                    return items.find_map(|item| self.check(rule, item, &format!("{path}/*")));
                }
                other => panic!("the schema says {other:?}, which this check does not know"),
            };
            (!holds).then(|| format!("{path}: {value} against {word} {rule}"))
        })
    }
}

fn list(rule: &Value) -> &[Value] {
    rule.as_array().expect("a list")
}

fn has_type(value: &Value, name: &Value) -> bool {
    match name.as_str().expect("a type") {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        other => panic!("{other:?} is no type"),
    }
}

/// The objects that a call of the workbench prints, one a line.
fn objects(arguments: &[&str]) -> Vec<Value> {
    let output = Command::new(env!("CARGO_BIN_EXE_tengen")).args(arguments).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {output:?}");
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

#[test]
fn analyses_are_what_their_schema_says() {
    let text = include_str!("../schemas/analyze.schema.json");
    let schema = Schema(serde_json::from_str(text).expect("JSON"));
    let path = std::env::temp_dir().join(format!("tengen-schema-{}", std::process::id()));
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
    fs::remove_file(&path).unwrap();
    fs::remove_file(&boards).unwrap();
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

#[test]
fn levels_are_what_their_schema_says() {
    let text = include_str!("../schemas/levels.schema.json");
    let schema = Schema(serde_json::from_str(text).expect("JSON"));
    let printed = objects(&["levels", "--json"]);
    let [list] = &printed[..] else { panic!("one line: {printed:?}") };
    assert_eq!(schema.fault(list), None);
    assert!(list["levels"].as_array().is_some_and(|levels| levels.len() >= 11));
    let mut odd = list.clone();
    odd["levels"][0]["overlooks"]["five"] = 101.into();
    assert!(schema.fault(&odd).is_some());
}
