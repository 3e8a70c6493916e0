//! Google's `generateContent` and its stream, as Gemini CLI speaks it.

use super::{Said, Turn, by, items, names, texts};
use serde_json::{Value as Json, json};

pub(super) fn said(body: &Json) -> Vec<Said> {
    let mut said: Vec<Said> = by("system", texts(&body["systemInstruction"]["parts"])).collect();
    for content in items(&body["contents"]) {
        let who = if content["role"] == "model" { "assistant" } else { "user" };
        for part in items(&content["parts"]) {
            match part.get("functionResponse") {
                Some(result) => said.extend(by("tool", vec![result["response"].to_string()])),
                None => said.extend(by(who, part["text"].as_str().map(str::to_owned).into_iter().collect())),
            }
        }
    }
    said
}

pub(super) fn tools(body: &Json) -> Vec<String> {
    items(&body["tools"]).iter().flat_map(|group| names(&group["functionDeclarations"], &["name"])).collect()
}

pub(super) fn whole(turn: &Turn) -> Json {
    let part = match turn {
        Turn::Say(text) => json!({ "text": text }),
        Turn::Call(call, _) => json!({ "functionCall": { "name": call.tool, "args": call.arguments } }),
    };
    json!({ "candidates": [{ "content": { "role": "model", "parts": [part] }, "finishReason": "STOP", "index": 0 }],
        "usageMetadata": { "promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2 } })
}
