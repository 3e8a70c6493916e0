//! Turns a line into a message, or into the protocol's error for it.

use rmcp::RoleServer;
use rmcp::model::{
    ClientRequest, ErrorCode, ErrorData, GetMeta, JsonRpcRequest, PaginatedRequestParams,
    ProtocolVersion, RequestId,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use serde::Serialize;
use serde_json::Value;
use std::io;

/// The longest message in bytes. A longer one is answered with an error and dropped.
pub(super) const MAX_LINE: usize = 16 << 20;

/// Methods without required parameters. If their parameters were invalid, they would count as
/// absent.
const LISTS: [&str; 5] =
    ["tools/list", "prompts/list", "resources/list", "resources/templates/list", "skills/list"];

pub(super) enum Frame {
    Message(Box<RxJsonRpcMessage<RoleServer>>),
    /// No message: the error that answers it.
    Wrong(Box<TxJsonRpcMessage<RoleServer>>),
    /// Several messages.
    Batch(Vec<Frame>),
    Nothing,
}

/// Reads one line, without its end; `batched` says whether the protocol has batches.
pub(super) fn read(line: &[u8], batched: bool) -> Frame {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    // The blanks of JSON: a form feed, which is one of ASCII, is not among them.
    if line.iter().all(|byte| b" \t\r\n".contains(byte)) {
        return Frame::Nothing;
    }
    let read = serde_json::from_slice(line).or_else(|error| {
        paired(line).and_then(|line| serde_json::from_slice(&line).ok()).ok_or(error)
    });
    let value: Value = match read {
        Ok(value) => value,
        Err(error) => {
            let deep = error.to_string().starts_with("recursion limit");
            let why = if deep { "the message is nested too deeply" } else { "this is not JSON" };
            return wrong(None, ErrorData::parse_error(why, None));
        }
    };
    match value {
        Value::Array(_) if !batched => {
            invalid(None, "batches are not part of this version of the protocol")
        }
        Value::Array(parts) if parts.is_empty() => invalid(None, "a batch is not empty"),
        Value::Array(parts) => {
            Frame::Batch(parts.into_iter().map(|part| message(part, true)).collect())
        }
        value => message(value, false),
    }
}

/// The line with U+FFFD for each half of a pair of escapes that stands alone, as JavaScript writes
/// it for a text that was cut within a character; `None` if there is none. Such a line has no
/// reading, and so no id by which it could be answered.
pub(super) fn paired(line: &[u8]) -> Option<Vec<u8>> {
    let mut paired: Option<Vec<u8>> = None;
    let mut at = 0;
    while let Some(next) = line.get(at..)?.iter().position(|byte| *byte == b'\\') {
        let here = at + next;
        at = match half(line, here) {
            None => here + 2,
            Some(Half::First) if half(line, here + ESCAPE) == Some(Half::Second) => {
                here + 2 * ESCAPE
            }
            Some(_) => {
                let paired = paired.get_or_insert_with(|| line.to_vec());
                paired[here..here + ESCAPE].copy_from_slice(br"\ufffd");
                here + ESCAPE
            }
        };
        at = at.min(line.len());
    }
    paired
}

/// The bytes of an escape, as `\ud83d`.
const ESCAPE: usize = 6;

#[derive(PartialEq, Eq)]
enum Half {
    First,
    Second,
}

/// Which half of a pair is escaped at this place, if any.
fn half(line: &[u8], at: usize) -> Option<Half> {
    let [b'\\', b'u', b'd' | b'D', kind, rest @ ..] = line.get(at..at + ESCAPE)? else {
        return None;
    };
    match kind.to_ascii_lowercase() {
        _ if !rest.iter().all(u8::is_ascii_hexdigit) => None,
        b'8' | b'9' | b'a' | b'b' => Some(Half::First),
        b'c'..=b'f' => Some(Half::Second),
        _ => None,
    }
}

fn message(value: Value, in_batch: bool) -> Frame {
    let Value::Object(object) = &value else {
        return invalid(None, "a message is an object");
    };
    let method = object.get("method").and_then(Value::as_str);
    let is_answer = !object.contains_key("method")
        && (object.contains_key("result") || object.contains_key("error"));
    if is_answer && object.get("id").is_some_and(Value::is_null) {
        // The client could not read something of ours. An error is not answered with an error,
        // since two such peers would never stop.
        return Frame::Nothing;
    }
    let id = object.get("id").map(|id| serde_json::from_value::<RequestId>(id.clone()).ok());
    // The id of an answer is one of ours. An error with it would end the client's request with the
    // same id.
    let id = id.filter(|id| !is_answer || id.is_none());
    if let Some(None) = id {
        return invalid(None, "an id is a string or a number");
    }
    if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return invalid(id.flatten(), "`jsonrpc` is \"2.0\"");
    }
    let begins = method == Some("initialize");
    if begins && in_batch {
        return invalid(id.flatten(), "`initialize` is not part of a batch");
    }
    let is_list = method.is_some_and(|method| LISTS.contains(&method));
    if is_list
        && serde_json::from_value::<Option<PaginatedRequestParams>>(
            object.get("params").cloned().unwrap_or_default(),
        )
        .is_err()
    {
        let why = "the parameters are not those of this method: a cursor is a string";
        return wrong(id.flatten(), ErrorData::invalid_params(why, None));
    }
    match serde_json::from_value(value) {
        // A method with invalid parameters is read as an unknown one. Before the first request
        // nobody else reports that.
        Ok(RxJsonRpcMessage::<RoleServer>::Request(JsonRpcRequest {
            request: ClientRequest::CustomRequest(_),
            ..
        })) if begins => {
            let why = "`initialize` takes protocolVersion, capabilities and clientInfo";
            wrong(id.flatten(), ErrorData::invalid_params(why, None))
        }
        Ok(message) => Frame::Message(Box::new(message)),
        Err(_) => invalid(id.flatten(), "this is no request, notification or response"),
    }
}

/// Whether a connection can begin with this request: `initialize` or, since protocol 2026-07-28,
/// any request with the client's details except the one that asks for the server's.
pub(super) fn begins(request: &JsonRpcRequest<ClientRequest>) -> bool {
    match &request.request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        other => {
            let version = other.get_meta().protocol_version();
            let missing = other.get_meta().missing_required_keys(&ProtocolVersion::V_2026_07_28);
            missing.is_empty()
                && version.is_some_and(|version| ProtocolVersion::KNOWN_VERSIONS.contains(&version))
        }
    }
}

/// What a line that was too long is.
pub(super) fn too_long() -> Frame {
    invalid(None, "the message is longer than 16 MiB")
}

/// The error for a request whose id is in use by another one.
pub(super) fn asked_twice(id: RequestId) -> TxJsonRpcMessage<RoleServer> {
    let error = ErrorData::invalid_request("a request of this id is being answered", None);
    TxJsonRpcMessage::<RoleServer>::error(error, Some(id))
}

/// The error for a request that comes while too much waits for an answer.
pub(super) fn too_much(id: RequestId) -> TxJsonRpcMessage<RoleServer> {
    let why = "too many bytes of requests wait for an answer; send it again after those";
    // The first of the codes that the protocol leaves to servers.
    let error = ErrorData::new(ErrorCode(-32000), why, None);
    TxJsonRpcMessage::<RoleServer>::error(error, Some(id))
}

fn invalid(id: Option<RequestId>, why: &'static str) -> Frame {
    wrong(id, ErrorData::invalid_request(why, None))
}

fn wrong(id: Option<RequestId>, error: ErrorData) -> Frame {
    Frame::Wrong(Box::new(TxJsonRpcMessage::<RoleServer>::error(error, id)))
}

/// A message, or the answers of a batch, as a line.
pub(super) fn line(message: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn error(line: &[u8]) -> Value {
        match read(line, false) {
            Frame::Wrong(answer) => serde_json::to_value(&*answer).unwrap(),
            Frame::Message(message) => panic!("{message:?}"),
            Frame::Batch(_) | Frame::Nothing => Value::Null,
        }
    }

    #[test]
    fn each_bad_frame_has_its_error() {
        let deep = "[".repeat(100_000);
        let rows: [(&[u8], i64, Value); 14] = [
            (b"{", -32700, Value::Null),
            (b"\x0c", -32700, Value::Null),
            (b"\x0c{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", -32700, Value::Null),
            (b"\xff\xfe", -32700, Value::Null),
            (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", -32700, Value::Null),
            (deep.as_bytes(), -32700, Value::Null),
            (b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", -32600, Value::Null),
            (b"[]", -32600, Value::Null),
            (b"7", -32600, Value::Null),
            (b"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", -32600, Value::Null),
            (b"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}", -32600, Value::Null),
            (b"{\"jsonrpc\":\"1.0\",\"id\":4,\"method\":\"ping\"}", -32600, Value::from(4)),
            (b"{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":7}", -32600, Value::from("x")),
            (
                b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"initialize\",\"params\":{}}",
                -32602,
                Value::from(5),
            ),
        ];
        for (line, code, id) in rows {
            let answer = error(line);
            let shown = String::from_utf8_lossy(&line[..line.len().min(60)]).into_owned();
            assert_eq!(answer["error"]["code"], code, "{shown}: {answer}");
            assert_eq!(answer.get("id").cloned().unwrap_or_default(), id, "{shown}: {answer}");
        }
    }

    #[test]
    fn a_half_that_stands_alone_is_replaced_and_nothing_else_changes() {
        // Each row is a text of its own, and so are any two with a blank between them.
        let rows = [
            (r"", r""),
            (r"a", r"a"),
            (r"\ud83d", r"\ufffd"),
            (r"\uDBff", r"\ufffd"),
            (r"\ude00", r"\ufffd"),
            (r"\uDFFF", r"\ufffd"),
            (r"\ud83d\ude00", r"\ud83d\ude00"),
            (r"\uD83D\uDE00", r"\uD83D\uDE00"),
            (r"\\ud83d", r"\\ud83d"),
            (r"\\\ud83d", r"\\\ufffd"),
            (r"\n\ud83d\n", r"\n\ufffd\n"),
            (r"\ud7ff\ue000\u00d8", r"\ud7ff\ue000\u00d8"),
            (r"ud83d\\", r"ud83d\\"),
        ];
        for (one, one_read) in rows {
            for (other, other_read) in rows {
                let line = format!("\"{one} {other}\"");
                let wanted = format!("\"{one_read} {other_read}\"");
                let read = paired(line.as_bytes());
                assert_eq!(read.is_some(), line != wanted, "{line}");
                let read = String::from_utf8(read.unwrap_or(line.into_bytes())).unwrap();
                assert_eq!(read, wanted);
                serde_json::from_str::<String>(&read).unwrap();
            }
        }
        // Two first halves, of which the latter has a partner; and escapes that are cut.
        for (line, wanted) in [
            (r"\ud83d\ud83d\ude00", Some(r"\ufffd\ud83d\ude00")),
            (r"\ude00\ud83d", Some(r"\ufffd\ufffd")),
            (r"\ud83d\", Some(r"\ufffd\")),
            (r"\ud83", None),
            (r"\ud8xx", None),
            (r"\", None),
        ] {
            let read = paired(line.as_bytes());
            assert_eq!(read.as_deref(), wanted.map(str::as_bytes), "{line}");
        }
    }

    #[test]
    fn a_request_with_half_a_character_is_read() {
        let line = br#"{"jsonrpc":"2.0","id":"\ud83d","method":"x/y","params":{"a":"b\ud83d"}}"#;
        let Frame::Message(message) = read(line, false) else { panic!("no message") };
        let message = serde_json::to_value(&*message).unwrap();
        assert_eq!(
            (&message["id"], &message["params"]["a"]),
            (&json!("\u{fffd}"), &json!("b\u{fffd}"))
        );
        // What is no JSON for another reason stays so.
        assert_eq!(error(br#"{"id":"\ud83d""#)["error"]["code"], -32700);
    }

    #[test]
    fn what_is_well_formed_is_a_message() {
        for line in [
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
            " \u{feff}{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"no/such\",\"params\":{}}\r"
                .trim_start(),
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}",
        ] {
            assert!(matches!(read(line.as_bytes(), false), Frame::Message(_)), "{line}");
        }
        assert!(matches!(read(b" \r", false), Frame::Nothing));
    }

    #[test]
    fn a_batch_is_read_part_by_part() {
        let line = b"[7,{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},[],{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"initialize\"}]";
        let Frame::Batch(parts) = read(line, true) else { panic!("no batch") };
        let words: Vec<&str> = parts
            .iter()
            .map(|part| match part {
                Frame::Message(_) => "message",
                Frame::Wrong(_) => "wrong",
                Frame::Batch(_) | Frame::Nothing => "other",
            })
            .collect();
        assert_eq!(words, ["wrong", "message", "wrong", "wrong"]);
        assert!(matches!(read(b"[]", true), Frame::Wrong(_)));
    }

    #[test]
    fn an_answer_that_cannot_be_read_is_not_answered_under_its_id() {
        let answer = error(br#"{"jsonrpc":"2.0","id":7,"error":"text"}"#);
        assert_eq!(answer["error"]["code"], -32600, "{answer}");
        assert_eq!(answer.get("id"), None, "{answer}");
    }

    #[test]
    fn an_error_about_no_request_has_no_answer() {
        let line = br#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}"#;
        assert!(matches!(read(line, false), Frame::Nothing));
    }

    #[test]
    fn a_list_with_bad_parameters_is_refused_under_its_id() {
        for method in LISTS {
            let line = json!({ "jsonrpc": "2.0", "id": 3, "method": method,
                "params": { "cursor": 7 } });
            let answer = error(line.to_string().as_bytes());
            assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32602), &json!(3)));
        }
    }
}
