//! The protocols of the services: their paths, what a request contains in a common form, how an
//! answer is written.

mod chat;
mod gemini;
mod messages;
mod responses;

use super::Asked;
use super::http::Outgoing;
use serde_json::Value as Json;

/// How a service is talked to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Protocol {
    /// OpenAI's `/responses`: Codex.
    Responses,
    /// Anthropic's `/messages`: Claude Code.
    Messages,
    /// Anthropic's count of tokens before a request.
    Count,
    /// OpenAI's `/chat/completions`: opencode, pi, Copilot, Qwen.
    Chat,
    /// Google's `generateContent`: Gemini.
    Gemini,
}

/// What the model answers.
#[derive(Clone, Debug)]
pub(crate) enum Turn {
    /// Words, and the end of its turn.
    Say(String),
    /// A tool is called; its result comes with the next request.
    Call(Call, Id),
}

/// The id of a call and of its result. No two calls of one service share it.
#[derive(Clone, Debug)]
pub(crate) struct Id(pub(crate) String);

/// A call of a tool by its name, with its arguments as an object.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// The tool's name as [`Asked::tools`] gives it: `space/name` for one in a name space.
    pub(crate) tool: String,
    pub(crate) arguments: Json,
}

/// A tool that the model is offered.
#[derive(Clone, Debug)]
pub(crate) struct Offer {
    /// Its name, as a [`Call`] takes it.
    pub(crate) name: String,
    /// What the request says of it, by its protocol's own keys.
    pub(crate) declaration: Json,
}

/// One piece of what the model is told.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Said {
    /// `system`, `developer`, `user`, `assistant` or `tool`.
    pub(crate) who: String,
    pub(crate) text: String,
}

impl Call {
    pub(crate) fn new(tool: &str, arguments: Json) -> Self {
        Self { tool: tool.to_owned(), arguments }
    }
}

impl Protocol {
    /// By the path that the agents' clients put behind their base address.
    pub(crate) fn of(method: &str, target: &str) -> Option<Self> {
        let path = target.split('?').next().unwrap_or_default();
        let ends = |end: &str| path.ends_with(end);
        match () {
            () if method != "POST" => None,
            () if ends("/responses") => Some(Self::Responses),
            () if ends("/messages") => Some(Self::Messages),
            () if ends("/messages/count_tokens") => Some(Self::Count),
            () if ends("/chat/completions") => Some(Self::Chat),
            () if ends("GenerateContent") || ends("generateContent") => Some(Self::Gemini),
            () => None,
        }
    }

    /// What a request says.
    pub(crate) fn said(self, body: &Json) -> Vec<Said> {
        match self {
            Self::Responses => responses::said(body),
            Self::Messages => messages::said(body),
            Self::Chat => chat::said(body),
            Self::Gemini => gemini::said(body),
            Self::Count => Vec::new(),
        }
    }

    /// The tools that a request offers.
    pub(crate) fn offers(self, body: &Json) -> Vec<Offer> {
        match self {
            Self::Responses => responses::offers(body),
            Self::Messages => items(&body["tools"]).iter().filter_map(offer).collect(),
            Self::Chat => {
                items(&body["tools"]).iter().filter_map(|tool| offer(&tool["function"])).collect()
            }
            Self::Gemini => gemini::offers(body),
            Self::Count => Vec::new(),
        }
    }

    /// The answer to a request, as a stream if it wants one.
    pub(crate) fn answer(self, asked: &Asked, turn: &Turn) -> Outgoing {
        let streamed =
            asked.body["stream"] == true || asked.target.contains("streamGenerateContent");
        let events = match self {
            Self::Responses => responses::events(turn),
            Self::Messages if streamed => messages::events(turn),
            Self::Messages => vec![messages::whole(turn)],
            Self::Chat if streamed => chat::events(turn),
            Self::Chat => vec![chat::whole(turn)],
            Self::Gemini => vec![gemini::whole(turn)],
            Self::Count => vec![serde_json::json!({ "input_tokens": 1 })],
        };
        if !streamed {
            return Outgoing::new(200, "application/json", events[0].to_string());
        }
        let mut body = String::new();
        for event in &events {
            if let Some(kind) = event["type"].as_str() {
                body.push_str(&format!("event: {kind}\n"));
            }
            body.push_str(&format!("data: {event}\n\n"));
        }
        if self == Self::Chat {
            body.push_str("data: [DONE]\n\n");
        }
        Outgoing::new(200, "text/event-stream", body)
    }
}

/// The items of an array; none of anything else.
fn items(json: &Json) -> &[Json] {
    json.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// A declaration that has a name.
fn offer(declaration: &Json) -> Option<Offer> {
    Some(Offer { name: declaration["name"].as_str()?.to_owned(), declaration: declaration.clone() })
}

/// The texts of a message's content: a string, or parts that have a `text` each.
fn texts(content: &Json) -> Vec<String> {
    match content {
        Json::String(text) => vec![text.clone()],
        parts => items(parts)
            .iter()
            .filter_map(|part| part["text"].as_str().map(str::to_owned))
            .collect(),
    }
}

/// These texts, said by `who`.
fn by(who: &str, texts: Vec<String>) -> impl Iterator<Item = Said> {
    texts.into_iter().map(move |text| Said { who: who.to_owned(), text })
}

/// The result of a call: one piece, however many parts it came in.
fn result(content: &Json) -> impl Iterator<Item = Said> {
    by("tool", vec![texts(content).join("\n")])
}
