//! Why a call of a tool, or another request, is not answered.

use super::consent::Question;
use super::page::{self, NoCursor};
use crate::policy::Refusal;
use rmcp::ErrorData;
use serde_json::json;

/// Why a call of a tool is not answered.
#[derive(Debug)]
pub(super) enum ToolError {
    /// A person must be asked first.
    Ask(Box<Question>),
    Refused {
        code: &'static str,
        /// For the model.
        text: String,
    },
}

impl ToolError {
    pub(super) fn refused(code: &'static str, text: impl Into<String>) -> Self {
        Self::Refused { code, text: text.into() }
    }
}

impl From<NoCursor> for ToolError {
    fn from(_: NoCursor) -> Self {
        Self::refused(page::CODE, NoCursor::TEXT)
    }
}

impl From<Refusal> for ToolError {
    fn from(refusal: Refusal) -> Self {
        // An invalid id is one reason why a conversation cannot be saved. Clients know all of them
        // by this code.
        let code = if refusal.code == "session_id" { "state" } else { refusal.code };
        Self::refused(code, refusal.for_model())
    }
}

/// Why a request other than a tool call is not answered.
#[derive(Debug)]
pub(super) enum RequestError {
    /// A person must be asked first.
    Ask(Box<Question>),
    Error(ErrorData),
}

impl From<ErrorData> for RequestError {
    fn from(error: ErrorData) -> Self {
        Self::Error(error)
    }
}

impl From<ToolError> for RequestError {
    fn from(refused: ToolError) -> Self {
        match refused {
            ToolError::Ask(question) => Self::Ask(question),
            ToolError::Refused { code, text } => Self::Error(error(code, text)),
        }
    }
}

impl From<Refusal> for RequestError {
    fn from(refusal: Refusal) -> Self {
        ToolError::from(refusal).into()
    }
}

/// A refusal as an error of the protocol: text for the model, and a stable code for programs.
pub(super) fn error(code: &str, text: String) -> ErrorData {
    let data = Some(json!({ "skillpick/code": code }));
    match code {
        "not_found" => ErrorData::resource_not_found("there is no such resource", data),
        _ => ErrorData::invalid_params(text, data),
    }
}

/// The stable code of a refusal in a protocol error.
pub(super) fn code(error: &ErrorData) -> Option<&str> {
    error.data.as_ref()?.get("skillpick/code")?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SafeText;
    use rmcp::model::ErrorCode;

    fn refused(code: &'static str) -> ErrorData {
        let refusal = Refusal::new(code, SafeText::fixed("why"));
        match RequestError::from(refusal) {
            RequestError::Error(error) => error,
            RequestError::Ask(question) => panic!("{question:?}"),
        }
    }

    #[test]
    fn the_code_of_a_refusal_stands_in_the_error() {
        for word in ["denied", "not_found", "ambiguous"] {
            assert_eq!(code(&refused(word)), Some(word));
        }
        assert_eq!(code(&ErrorData::invalid_params("x", None)), None);
    }

    #[test]
    fn only_what_is_not_there_has_the_protocols_own_code() {
        assert_eq!(refused("not_found").code, ErrorCode::RESOURCE_NOT_FOUND);
        assert_eq!(refused("denied").code, ErrorCode::INVALID_PARAMS);
        assert_eq!(refused("denied").message, "why");
    }

    #[test]
    fn a_bad_id_has_the_word_of_what_cannot_be_kept() {
        assert_eq!(code(&refused("session_id")), Some("state"));
    }
}
