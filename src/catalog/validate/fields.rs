//! The fields other than the name: which keys are known, what the values must be, and the optional
//! ones as properties.

use super::name;
use crate::catalog::frontmatter::{Field, Reading, Value};
use crate::catalog::{Cause, Diagnostic, Invocation, Properties, checks, fix};
use strsim::osa_distance;

/// The keys that the specification defines, sorted.
pub(super) const STANDARD_KEYS: [&str; 6] =
    ["allowed-tools", "compatibility", "description", "license", "metadata", "name"];

/// Keys that a known host defines or recommends: no warning.
const HOST_KEYS: [&str; 20] = [
    "agent",
    "argument-hint",
    "arguments",
    "background",
    "context",
    "disable-model-invocation",
    "disallowed-tools",
    "effort",
    "enabled",
    "hooks",
    "isolatedContext",
    "model",
    "paths",
    "shell",
    "slash",
    "tools",
    "type",
    "user-invocable",
    "version",
    "when_to_use",
];

/// The longest description that the specification allows, in characters.
pub(in crate::catalog) const DESCRIPTION_LIMIT: usize = 1_024;
/// The longest compatibility note that the specification allows, in characters.
pub(super) const COMPATIBILITY_LIMIT: usize = 500;

/// The letters of a key in which mistakes are looked for, and how many it may have.
const LONG: usize = 8;
const MISTAKES: usize = 2;

/// Whether nobody defines a key.
pub(in crate::catalog) fn is_unknown(key: &str) -> bool {
    !STANDARD_KEYS.contains(&key) && !HOST_KEYS.contains(&key)
}

/// The known key that an unknown one spells in another way: with capitals, with other signs between
/// its words, or, if it is long, with up to two wrong letters.
pub(in crate::catalog) fn meant(key: &str) -> Option<&'static str> {
    let letters = |key: &str| {
        let letters = key.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect::<String>()
    };
    let mut known = STANDARD_KEYS.into_iter().chain(HOST_KEYS);
    let spelt = letters(key);
    let is_meant = |known: &&str| {
        let known = letters(known);
        known == spelt || (known.len() >= LONG && osa_distance(&known, &spelt) <= MISTAKES)
    };
    known.find(|known| is_unknown(key) && is_meant(known))
}

/// One warning for each key that nobody defines.
pub(super) fn unexpected(reading: &Reading) -> impl Iterator<Item = Diagnostic> {
    reading.fields.iter().filter(|field| is_unknown(&field.key)).map(|field| {
        let key = &field.key;
        // A few agents know other spellings of some keys.
        let (cause, message) = match meant(key) {
            Some(known) => (
                Cause::Spelling,
                format!("most agents do not know the key '{key}'; did you mean '{known}'?"),
            ),
            None => (
                Cause::Usual,
                format!("the key '{key}' is neither in the specification nor known from an agent"),
            ),
        };
        let finding = Diagnostic::new(&checks::UNEXPECTED_FIELDS, field.key_place, message);
        finding.of_cause(cause)
    })
}

/// What is wrong with a description.
pub(super) fn description(field: &Field) -> Option<Diagnostic> {
    let length = match &field.value {
        Value::Scalar(text) if name::strip(text).is_empty() => {
            return Some(Diagnostic::new(
                &checks::DESC_EMPTY,
                field.value_place,
                "the description is empty",
            ));
        }
        Value::Scalar(text) => text.chars().count(),
        other => {
            let message = format!("the description is {}, not text", kind(other));
            return Some(Diagnostic::new(&checks::DESC_EMPTY, field.value_place, message));
        }
    };
    (length > DESCRIPTION_LIMIT).then(|| {
        let message =
            format!("the description has {length} characters, more than {DESCRIPTION_LIMIT}");
        Diagnostic::new(&checks::DESC_LENGTH, field.value_place, message)
    })
}

/// What is wrong with a compatibility note.
pub(super) fn compatibility(field: &Field) -> Option<Diagnostic> {
    let Some(text) = field.value.text() else {
        let message = format!("compatibility is {}, not text", kind(&field.value));
        let finding = Diagnostic::new(&checks::COMPAT_TYPE, field.value_place, message);
        return Some(finding.of_cause(cause_of(&field.value)));
    };
    let length = text.chars().count();
    (length > COMPATIBILITY_LIMIT).then(|| {
        let message =
            format!("compatibility has {length} characters, more than {COMPATIBILITY_LIMIT}");
        Diagnostic::new(&checks::COMPAT_LENGTH, field.value_place, message)
    })
}

/// What is wrong with metadata, which must be a map from text to text.
pub(super) fn metadata(field: &Field) -> Option<Diagnostic> {
    let (cause, message) = match &field.value {
        Value::Mapping(pairs) => {
            let mut wrong = pairs.iter().filter(|(_, value)| value.text().is_none());
            let (key, first) = wrong.clone().next()?;
            let shaped = wrong.find(|(_, value)| cause_of(value) == Cause::Shape);
            let cause = shaped.map_or(Cause::Usual, |_| Cause::Shape);
            (cause, format!("metadata's '{key}' is {}, not text", kind(first)))
        }
        Value::Scalar(text) if text.is_empty() => return None,
        other => (Cause::Shape, format!("metadata is {}, not a map", kind(other))),
    };
    let finding = Diagnostic::new(&checks::METADATA_TYPE, field.value_place, message);
    Some(finding.of_cause(cause))
}

/// Only a list of texts can be written as one text.
fn cause_of(value: &Value) -> Cause {
    if fix::joined(value).is_some() { Cause::Usual } else { Cause::Shape }
}

/// The kind of a value, for a message.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Scalar(_) => "text",
        Value::Sequence(_) => "a list",
        Value::Mapping(_) => "a map",
    }
}

/// The optional fields as text.
pub(super) fn properties(reading: &Reading) -> Properties {
    let text = |key: &str| {
        let value = reading.field(key)?.value.flow_text();
        (!value.is_empty()).then_some(value)
    };
    let metadata: Vec<(String, String)> = match reading.field("metadata").map(|field| &field.value)
    {
        Some(Value::Mapping(pairs)) => {
            pairs.iter().map(|(key, value)| (key.clone(), value.flow_text())).collect()
        }
        _ => Vec::new(),
    };
    let allowed_tools = match reading.field("allowed-tools").map(|field| &field.value) {
        Some(Value::Scalar(text)) => tools(text),
        Some(Value::Sequence(items)) => items.iter().map(Value::flow_text).collect(),
        Some(other) => vec![other.flow_text()],
        None => Vec::new(),
    };
    let (license, compatibility) = (text("license"), text("compatibility"));
    Properties::new(license.as_deref(), compatibility.as_deref(), &metadata, &allowed_tools)
        .with_when_to_use(text("when_to_use").as_deref())
}

/// Who may invoke it, by its frontmatter.
pub(super) fn invocation(reading: &Reading) -> Invocation {
    let flag = |key: &str| reading.field(key).and_then(|field| field.value.text()).and_then(truth);
    Invocation {
        not_by_model: flag("disable-model-invocation") == Some(true),
        not_by_user: flag("user-invocable") == Some(false),
        not_implicitly: false,
        other_products: false,
    }
}

/// A boolean as hosts read it.
fn truth(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}

/// Splits at blanks and commas outside parentheses: `Bash(git add:*), Read` is two tools.
fn tools(text: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let split = |c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (c == ',' || c.is_whitespace())
    };
    text.split(split).filter(|tool| !tool.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_are_split_outside_parentheses() {
        assert_eq!(
            tools("Bash(git add:*, git rm:*) Read,Write"),
            ["Bash(git add:*, git rm:*)", "Read", "Write"]
        );
        assert_eq!(tools("a)b (c d"), ["a)b", "(c d"]);
    }
}
