//! Anthropic's `/messages`, as Claude Code speaks it.

use super::{Said, Turn, by, items, result, texts};
use serde_json::{Value as Json, json};

pub(super) fn said(body: &Json) -> Vec<Said> {
    let mut said: Vec<Said> = by("system", texts(&body["system"])).collect();
    for message in items(&body["messages"]) {
        let who = message["role"].as_str().unwrap_or("unknown");
        if message["content"].is_string() {
            said.extend(by(who, texts(&message["content"])));
        }
        for part in items(&message["content"]) {
            match part["type"].as_str() {
                Some("tool_result") => said.extend(result(&part["content"])),
                _ => said.extend(by(
                    who,
                    part["text"].as_str().map(str::to_owned).into_iter().collect(),
                )),
            }
        }
    }
    said
}

fn block(turn: &Turn) -> (Json, &'static str) {
    match turn {
        Turn::Say(text) => (json!({ "type": "text", "text": text }), "end_turn"),
        Turn::Call(call, id) => (
            json!({ "type": "tool_use", "id": id.0, "name": call.tool, "input": call.arguments }),
            "tool_use",
        ),
    }
}

pub(super) fn whole(turn: &Turn) -> Json {
    let (block, stop) = block(turn);
    json!({ "type": "message", "id": "msg_1", "role": "assistant", "model": "mock", "content": [block],
        "stop_reason": stop, "stop_sequence": null, "usage": { "input_tokens": 1, "output_tokens": 1 } })
}

pub(super) fn events(turn: &Turn) -> Vec<Json> {
    let (mut block, stop) = block(turn);
    let delta = match turn {
        Turn::Say(text) => json!({ "type": "text_delta", "text": text }),
        Turn::Call(call, _) => {
            json!({ "type": "input_json_delta", "partial_json": call.arguments.to_string() })
        }
    };
    // A block starts empty; its delta fills it.
    match turn {
        Turn::Say(_) => block["text"] = json!(""),
        Turn::Call(..) => block["input"] = json!({}),
    }
    let mut message = whole(turn);
    message["content"] = json!([]);
    message["stop_reason"] = Json::Null;
    vec![
        json!({ "type": "message_start", "message": message }),
        json!({ "type": "content_block_start", "index": 0, "content_block": block }),
        json!({ "type": "content_block_delta", "index": 0, "delta": delta }),
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "message_delta", "delta": { "stop_reason": stop, "stop_sequence": null },
            "usage": { "output_tokens": 1 } }),
        json!({ "type": "message_stop" }),
    ]
}
