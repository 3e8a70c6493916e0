//! The schemas of the tools as clients understand them: nothing in them that only Rust knows, and
//! one type for one place.
//!
//! Clients complain to the person of a `format` that they do not know (opencode does, for every
//! tool); and what a client makes of several types at once is its own affair (Gemini's own dialect
//! has one type, and no `null`).

use rmcp::model::{JsonObject, Tool};
use serde_json::{Value, json};
use std::sync::Arc;

/// What stands beside the types and not within one of them.
const BESIDE: [&str; 4] = ["description", "title", "default", "$schema"];

/// The formats that `schemars` makes of Rust's numbers.
const NUMBERS: [&str; 8] = ["uint", "uint8", "uint16", "uint32", "uint64", "int", "int8", "int16"];

/// Whether a schema is of what comes in or of what goes out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// What may be `null` may be left out as well, and that is all that is said of it.
    In,
    /// What is `null` is there.
    Out,
}

/// The tool with schemas that say the same in a plainer way.
pub(super) fn portable(mut tool: Tool) -> Tool {
    tool.input_schema = Arc::new(plain((*tool.input_schema).clone(), Side::In));
    tool.output_schema =
        tool.output_schema.map(|schema| Arc::new(plain((*schema).clone(), Side::Out)));
    tool
}

fn plain(schema: JsonObject, side: Side) -> JsonObject {
    let mut plain: JsonObject =
        schema.into_iter().map(|(word, part)| (word, inner(part, side))).collect();
    if plain.get("format").and_then(Value::as_str).is_some_and(|format| NUMBERS.contains(&format)) {
        plain.shift_remove("format");
    }
    match several(&plain) {
        Some(one) if side == Side::In => {
            plain.insert("type".to_owned(), one);
            if plain.get("default") == Some(&Value::Null) {
                plain.shift_remove("default");
            }
            plain
        }
        Some(one) => either(plain, one),
        None => plain,
    }
}

fn inner(part: Value, side: Side) -> Value {
    match part {
        Value::Object(schema) => Value::Object(plain(schema, side)),
        Value::Array(parts) => {
            Value::Array(parts.into_iter().map(|part| inner(part, side)).collect())
        }
        other => other,
    }
}

/// The one type that a schema has beside `null`.
fn several(schema: &JsonObject) -> Option<Value> {
    let types = schema.get("type")?.as_array()?;
    match types.iter().filter(|one| **one != json!("null")).collect::<Vec<_>>().as_slice() {
        [one] if types.len() == 2 => Some((*one).clone()),
        _ => None,
    }
}

/// `null`, or what all the rest of the schema says of the type.
fn either(schema: JsonObject, one: Value) -> JsonObject {
    let (mut outer, mut own): (JsonObject, JsonObject) =
        schema.into_iter().partition(|(word, _)| BESIDE.contains(&word.as_str()));
    own.insert("type".to_owned(), one);
    outer.insert("anyOf".to_owned(), json!([own, { "type": "null" }]));
    outer
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(schema: Value, side: Side) -> Value {
        Value::Object(plain(schema.as_object().unwrap().clone(), side))
    }

    #[test]
    fn an_optional_input_has_one_type() {
        let given = json!({ "type": "object", "properties": {
            "limit": { "description": "d", "type": ["integer", "null"], "format": "uint32", "minimum": 0, "default": null } } });
        let plain = json!({ "type": "object", "properties": { "limit": { "description": "d", "type": "integer", "minimum": 0 } } });
        assert_eq!(of(given, Side::In), plain);
    }

    #[test]
    fn an_output_that_may_be_null_still_may() {
        let given = json!({ "description": "d", "type": ["array", "null"], "items": { "type": "integer", "format": "uint" } });
        let plain = json!({ "description": "d", "anyOf": [
            { "type": "array", "items": { "type": "integer" } }, { "type": "null" } ] });
        assert_eq!(of(given.clone(), Side::Out), plain);
        for value in [json!(null), json!([1]), json!(["x"]), json!(1)] {
            let valid = |schema: &Value| jsonschema::is_valid(schema, &value);
            assert_eq!(valid(&given), valid(&plain), "{value}");
        }
    }

    #[test]
    fn other_formats_and_types_stay() {
        let given = json!({ "type": "number", "format": "double" });
        assert_eq!(of(given.clone(), Side::In), given);
        let given = json!({ "type": ["string", "integer", "null"] });
        assert_eq!(of(given.clone(), Side::Out), given);
    }
}
