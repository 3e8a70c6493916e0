//! Google's `generateContent` and its stream, as Gemini CLI speaks it.

use super::{Offer, Said, Turn, by, items, offer, texts};
use serde_json::{Value as Json, json};

pub(super) fn said(body: &Json) -> Vec<Said> {
    let mut said: Vec<Said> = by("system", texts(&body["systemInstruction"]["parts"])).collect();
    for content in items(&body["contents"]) {
        let who = if content["role"] == "model" { "assistant" } else { "user" };
        for part in items(&content["parts"]) {
            match part.get("functionResponse") {
                Some(result) => said.extend(by("tool", vec![result["response"].to_string()])),
                None => said.extend(by(
                    who,
                    part["text"].as_str().map(str::to_owned).into_iter().collect(),
                )),
            }
        }
    }
    said
}

pub(super) fn offers(body: &Json) -> Vec<Offer> {
    items(&body["tools"])
        .iter()
        .flat_map(|group| items(&group["functionDeclarations"]))
        .filter_map(offer)
        .collect()
}

pub(super) fn whole(turn: &Turn) -> Json {
    let part = match turn {
        Turn::Say(text) => json!({ "text": text }),
        Turn::Call(call, _) => {
            json!({ "functionCall": { "name": call.tool, "args": call.arguments } })
        }
    };
    json!({ "candidates": [{ "content": { "role": "model", "parts": [part] }, "finishReason": "STOP", "index": 0 }],
        "usageMetadata": { "promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2 } })
}
