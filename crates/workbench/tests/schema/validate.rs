//! Validation of JSON against a schema.

use jsonschema::Validator;
use serde_json::Value;

/// A schema that JSON is validated against.
pub struct Schema(Validator);

impl Schema {
    /// The schema in a text.
    pub fn of(text: &str) -> Schema {
        let schema: Value = serde_json::from_str(text).expect("JSON");
        Schema(jsonschema::validator_for(&schema).expect("a schema"))
    }

    /// Where and how the object differs from the schema; `None` when it does not.
    pub fn fault(&self, object: &Value) -> Option<String> {
        let error = self.0.validate(object).err()?;
        Some(format!("{}: {error}", error.instance_path()))
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
