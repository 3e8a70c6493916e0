//! OpenAI's `/responses`, as Codex speaks it.

use super::{Call, Id, Offer, Said, Turn, by, items, offer, result, texts};
use serde_json::{Value as Json, json};

pub(super) fn said(body: &Json) -> Vec<Said> {
    let mut said: Vec<Said> = by("system", texts(&body["instructions"])).collect();
    for item in items(&body["input"]) {
        match item["type"].as_str() {
            Some("function_call_output" | "custom_tool_call_output") => {
                said.extend(result(&item["output"]))
            }
            _ => {
                said.extend(by(item["role"].as_str().unwrap_or("unknown"), texts(&item["content"])))
            }
        }
    }
    said
}

/// A tool without a name (web search) goes by its type; the tools of an MCP server stand in a name
/// space.
pub(super) fn offers(body: &Json) -> Vec<Offer> {
    let mut offers = Vec::new();
    for tool in items(&body["tools"]) {
        let name = tool["name"].as_str().or(tool["type"].as_str()).unwrap_or_default();
        let spaced = |it: Offer| Offer { name: format!("{name}/{}", it.name), ..it };
        match tool["tools"].as_array() {
            Some(inner) => offers.extend(inner.iter().filter_map(offer).map(spaced)),
            None => offers.push(Offer { name: name.to_owned(), declaration: tool.clone() }),
        }
    }
    offers
}

pub(super) fn events(turn: &Turn) -> Vec<Json> {
    let item = match turn {
        Turn::Say(text) => json!({ "type": "message", "id": "message-1", "role": "assistant",
            "content": [{ "type": "output_text", "text": text }] }),
        Turn::Call(call, id) => called(call, id),
    };
    let usage = json!({ "input_tokens": 1, "output_tokens": 1, "total_tokens": 2 });
    vec![
        json!({ "type": "response.created", "response": { "id": "response-1" } }),
        json!({ "type": "response.output_item.done", "item": item }),
        json!({ "type": "response.completed", "response": { "id": "response-1", "usage": usage } }),
    ]
}

fn called(call: &Call, id: &Id) -> Json {
    let (space, name) = match call.tool.split_once('/') {
        Some((space, name)) => (Some(space), name),
        None => (None, call.tool.as_str()),
    };
    let mut item = json!({ "type": "function_call", "call_id": id.0, "name": name,
        "arguments": call.arguments.to_string() });
    if let Some(space) = space {
        item["namespace"] = json!(space);
    }
    item
}
