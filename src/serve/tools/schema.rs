//! Rewrites the schemas of the tools for clients: without formats that only Rust has, and with one
//! type in each place.
//!
//! Clients complain to the person about an unknown `format` (opencode does, for every tool), and
//! not every client understands several types in one place (Gemini's dialect has one type and no
//! `null`).

use rmcp::model::{JsonObject, Tool};
use serde_json::{Value, json};
use std::sync::Arc;

/// Keys that belong to the whole schema and not to one of its types.
const BESIDE: [&str; 4] = ["description", "title", "default", "$schema"];

/// The formats of `schemars` for Rust's numbers.
const NUMBERS: [&str; 8] = ["uint", "uint8", "uint16", "uint32", "uint64", "int", "int8", "int16"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// A value that may be `null` becomes an optional one.
    In,
    /// A `null` is written, so the type stays.
    Out,
}

/// The tool with equivalent, plainer schemas.
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

/// The only type that a schema has besides `null`.
fn several(schema: &JsonObject) -> Option<Value> {
    let types = schema.get("type")?.as_array()?;
    match types.iter().filter(|one| **one != json!("null")).collect::<Vec<_>>().as_slice() {
        [one] if types.len() == 2 => Some((*one).clone()),
        _ => None,
    }
}

/// `null`, or the type with the rest of the schema.
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
