//! OpenAI's `/chat/completions`, which most agents speak with a service of the user's own.

use super::{Said, Turn, by, items, result, texts};
use serde_json::{Value as Json, json};

pub(super) fn said(body: &Json) -> Vec<Said> {
    let mut said = Vec::new();
    for message in items(&body["messages"]) {
        match message["role"].as_str().unwrap_or("unknown") {
            "tool" => said.extend(result(&message["content"])),
            who => said.extend(by(who, texts(&message["content"]))),
        }
    }
    said
}

fn message(turn: &Turn) -> (Json, &'static str) {
    match turn {
        Turn::Say(text) => (json!({ "role": "assistant", "content": text }), "stop"),
        Turn::Call(call, id) => {
            let function = json!({ "name": call.tool, "arguments": call.arguments.to_string() });
            let call = json!({ "index": 0, "id": id.0, "type": "function", "function": function });
            (json!({ "role": "assistant", "content": null, "tool_calls": [call] }), "tool_calls")
        }
    }
}

fn usage() -> Json {
    json!({ "prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2 })
}

pub(super) fn whole(turn: &Turn) -> Json {
    let (message, finish) = message(turn);
    let choice = json!({ "index": 0, "message": message, "finish_reason": finish });
    json!({ "id": "chat-1", "object": "chat.completion", "created": 1, "model": "mock", "choices": [choice],
        "usage": usage() })
}

pub(super) fn events(turn: &Turn) -> Vec<Json> {
    let (message, finish) = message(turn);
    let chunk = |choices: Json| json!({ "id": "chat-1", "object": "chat.completion.chunk", "created": 1, "model": "mock", "choices": choices });
    let mut last = chunk(json!([{ "index": 0, "delta": {}, "finish_reason": finish }]));
    last["usage"] = usage();
    vec![chunk(json!([{ "index": 0, "delta": message, "finish_reason": null }])), last]
}
