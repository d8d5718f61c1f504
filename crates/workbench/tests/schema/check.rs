//! A check of JSON against a schema.

use serde_json::Value;

/// The part of JSON Schema that our schemas use; a word it does not know is an error.
pub struct Schema(Value);

impl Schema {
    /// The schema that a text says.
    pub fn of(text: &str) -> Schema {
        Schema(serde_json::from_str(text).expect("JSON"))
    }

    /// Where and how the object differs from the schema; `None` when it does not.
    pub fn fault(&self, object: &Value) -> Option<String> {
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
                    let known = schema.get("properties").and_then(Value::as_object);
                    let mut others = value.as_object().into_iter().flatten();
                    others.all(|(key, value)| {
                        known.is_some_and(|known| known.contains_key(key))
                            || rule != false && self.check(rule, value, path).is_none()
                    })
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

/// Makes sure that no object, however deep, may have a field more, or lack one that is not
/// `optional`.
pub fn refuses_changes(schema: &Schema, object: &Value, optional: &[&str]) {
    assert_eq!(schema.fault(object), None);
    for path in objects_in(object, "") {
        let changed = |change: &dyn Fn(&mut serde_json::Map<String, Value>)| {
            let mut odd = object.clone();
            change(odd.pointer_mut(&path).and_then(Value::as_object_mut).expect("an object"));
            schema.fault(&odd)
        };
        let more = changed(&|fields| drop(fields.insert("unknown".into(), 1.into())));
        assert!(more.is_some(), "{path}: one more is taken");
        let fields = object.pointer(&path).and_then(Value::as_object).expect("an object");
        for key in fields.keys() {
            let less = changed(&|fields| drop(fields.remove(key)));
            assert_eq!(less.is_none(), optional.contains(&key.as_str()), "{path}: without {key}");
        }
    }
}

/// The paths of the objects in a value.
fn objects_in(value: &Value, path: &str) -> Vec<String> {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(key, it)| (key.clone(), it)).collect(),
        Value::Array(list) => {
            (0..).zip(list).map(|(at, it): (usize, _)| (at.to_string(), it)).collect()
        }
        _ => Vec::new(),
    };
    let own = value.is_object().then(|| path.to_string());
    let deeper = inner.into_iter().flat_map(|(key, it)| objects_in(it, &format!("{path}/{key}")));
    own.into_iter().chain(deeper).collect()
}
