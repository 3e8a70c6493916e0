//! The frontmatter of a `SKILL.md`: turns bytes into fields with their places.
//!
//! It is lenient, so that one mistake does not hide a skill: it gives what can be read and says
//! what is wrong. It knows YAML and the lines `---`. Which fields a skill should have is judged by
//! [`super::validate`].

mod cut;
mod json;
mod repair;
mod tree;
mod value;
pub(in crate::catalog) mod yaml;

pub use json::verbatim;
pub use tree::{
    Pairs, Tree, core_tag, javascript_tree, libyaml_tree, pyyaml_tree, single, split_merges, tree,
};
pub use value::Value;
pub use yaml::Library;

use super::{Cause, Diagnostic, Place, checks};
pub(in crate::catalog) use cut::{Frontmatter, cut};
pub(in crate::catalog) use repair::{is_content, looks_like_field};
use std::borrow::Cow;
pub(in crate::catalog) use yaml::lines;
use yaml::{Broken, Oddity, Origin, Parsed, Shape};

/// The longest frontmatter that is read, in bytes.
pub const FRONTMATTER_LIMIT: usize = 64 * 1024;

/// The first line, where a finding about the whole frontmatter points.
pub(in crate::catalog) const OPENER: Place = Place { line: 1, column: 1, width: 3 };

/// One top-level `key: value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub key: String,
    pub key_place: Place,
    pub value: Value,
    /// The first line of the value, with its quotes.
    pub value_place: Place,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// In file order, with duplicate keys.
    pub fields: Vec<Field>,
    /// The byte at which the body starts: 0, the whole file, if there is no closed frontmatter.
    pub body: usize,
    /// The body's first line, from 1.
    pub body_line: u32,
    /// What is wrong with the frontmatter as a whole, in the order in which it was found.
    pub findings: Vec<Diagnostic>,
    uncertain: bool,
    /// Whether a value may hold lines of another field, or of the body: only the author knows.
    pub(in crate::catalog) torn: bool,
}

impl Reading {
    /// Whether more bytes of the file could change the answer: the closing `---` is missing, or is
    /// the last line and has no line end. For a whole file the findings say it all.
    pub fn unclosed(&self) -> bool {
        self.uncertain
    }

    /// The field with this key. Of several it is the last, as for most readers.
    pub fn field(&self, key: &str) -> Option<&Field> {
        self.fields.iter().rfind(|field| field.key == key)
    }
}

/// What follows the frontmatter, which is not parsed: a cheap way to search many bodies. Without a
/// closed frontmatter it is the whole text.
pub fn body(bytes: &[u8]) -> &[u8] {
    match cut(bytes).frontmatter {
        Frontmatter::Closed { body, .. } => bytes.get(body..).unwrap_or_default(),
        Frontmatter::Absent | Frontmatter::Unclosed(_) | Frontmatter::TooLong(_) => bytes,
    }
}

/// Reads the frontmatter of a file or of its beginning. It never fails: what cannot be read is in
/// [`Reading::findings`]. [`FRONTMATTER_LIMIT`] and the limits on nodes, depth and aliases always
/// hold.
pub fn read(bytes: &[u8]) -> Reading {
    let parts = cut(bytes);
    let mut reading = Reading {
        fields: Vec::new(),
        body: 0,
        body_line: 1,
        findings: Vec::new(),
        uncertain: parts.uncertain,
        torn: false,
    };
    if parts.mark > 0 {
        reading.findings.push(Diagnostic::new(
            &checks::BOM,
            Place::START,
            "the file begins with a byte order mark",
        ));
    }
    match parts.frontmatter {
        Frontmatter::Absent => {
            reading.findings.push(no_frontmatter(bytes));
        }
        Frontmatter::Unclosed(_) => {
            let message = "no further line is ---, so the frontmatter never ends";
            reading.findings.push(Diagnostic::new(&checks::UNCLOSED, OPENER, message));
        }
        Frontmatter::TooLong(range) => {
            let message = format!("the frontmatter has more than {} KiB", FRONTMATTER_LIMIT / 1024);
            reading.findings.push(Diagnostic::new(&checks::FRONTMATTER_SIZE, OPENER, message));
            reading.repair(&String::from_utf8_lossy(&bytes[range]));
        }
        Frontmatter::Closed { yaml, body, body_line } => {
            (reading.body, reading.body_line) = (body, body_line);
            reading.parse(&bytes[yaml]);
        }
    }
    reading
}

impl Reading {
    fn parse(&mut self, bytes: &[u8]) {
        let text = self.decode(bytes);
        if let Some(index) = text.find("---") {
            let place = Place { width: 3, ..place_after(&text[..index], 2) };
            self.findings.push(Diagnostic::new(
                &checks::FRONTMATTER_CUT,
                place,
                "there is a --- within the frontmatter",
            ));
        }
        let Parsed { root, oddities, broken } = yaml::parse(&text, Origin { line: 2, column: 0 });
        for (oddity, place) in oddities {
            if let Oddity::Duplicate(key) = oddity {
                let message = format!("the key '{key}' is given twice; the last value counts");
                self.findings.push(Diagnostic::new(&checks::YAML_DUPLICATE_KEY, place, message));
            }
        }
        match (broken, root.map(|node| (node.place, node.shape))) {
            (Some(broken), _) => self.recover(&text, broken),
            (None, Some((_, Shape::Mapping(pairs)))) => {
                self.fields = merged(yaml::into_fields(pairs))
            }
            (None, root) => {
                let (place, what) = match root {
                    None => (OPENER, "empty"),
                    Some((place, Shape::Sequence(_))) => (place, "a list"),
                    Some((place, _)) => (place, "plain text"),
                };
                let message = format!("the frontmatter is {what}, not `key: value` pairs");
                self.findings.push(Diagnostic::new(&checks::NOT_MAPPING, place, message));
            }
        }
    }

    /// The text, with U+FFFD for what is not UTF-8 and a finding at the first such byte.
    fn decode<'bytes>(&mut self, bytes: &'bytes [u8]) -> Cow<'bytes, str> {
        if let Err(error) = std::str::from_utf8(bytes) {
            let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            self.findings.push(not_utf8(&before, 2));
        }
        String::from_utf8_lossy(bytes)
    }

    /// Uses the fallback, and reports why it was needed.
    fn recover(&mut self, text: &str, broken: Broken) {
        self.repair(text);
        let check = match (broken.over_limit, self.fields.is_empty()) {
            (true, _) => &checks::YAML_BUDGET,
            (false, true) => &checks::YAML_SYNTAX,
            (false, false) => &checks::YAML_REPAIRED,
        };
        let message = if broken.over_limit {
            broken.message
        } else {
            format!("the frontmatter is not valid YAML: {}", broken.message)
        };
        let is_torn = self.torn && broken.cause == Cause::Usual;
        let cause = if is_torn { Cause::Indent } else { broken.cause };
        self.findings.push(Diagnostic::new(check, broken.place, message).of_cause(cause));
    }

    fn repair(&mut self, text: &str) {
        let repaired = repair::repair(text, 2);
        (self.fields, self.torn) = (repaired.fields, repaired.torn);
        if repaired.dropped > 0 {
            let message = format!(
                "{} fields beyond the first {} were not read",
                repaired.dropped,
                repair::FIELD_LIMIT
            );
            self.findings.push(Diagnostic::new(&checks::YAML_BUDGET, OPENER, message));
        }
    }
}

/// The finding for a file that does not begin with a line `---`.
fn no_frontmatter(bytes: &[u8]) -> Diagnostic {
    let (message, cause) = match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => {
            ("the file is UTF-16, so it has no frontmatter", Cause::Utf16)
        }
        _ => ("the first line is not ---, so there is no frontmatter", Cause::Usual),
    };
    Diagnostic::new(&checks::NO_FRONTMATTER, Place::START, message).of_cause(cause)
}

/// The finding for the first byte that is not UTF-8. It follows `before`, which begins on the
/// file's line `line`.
pub(in crate::catalog) fn not_utf8(before: &str, line: u32) -> Diagnostic {
    let message = "the file is not UTF-8; bad bytes are shown as U+FFFD";
    Diagnostic::new(&checks::ENCODING, place_after(before, line), message)
}

/// The character after `before`, which begins on the file's line `line`.
fn place_after(before: &str, line: u32) -> Place {
    let lines = before.replace("\r\n", "\n");
    let last = lines.rsplit(['\n', '\r']).next().unwrap_or_default();
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let line = line + number(lines.matches(['\n', '\r']).count());
    Place { line, column: number(last.chars().count()) + 1, width: 1 }
}

/// Replaces a merge key `<<` by its fields, except those that the frontmatter has itself.
fn merged(fields: Vec<Field>) -> Vec<Field> {
    if !fields.iter().any(|field| field.key == "<<" && field.value.text().is_none()) {
        return fields;
    }
    let mut result: Vec<Field> = Vec::new();
    let (merges, own): (Vec<_>, Vec<_>) = fields.into_iter().partition(|field| field.key == "<<");
    result.extend(own);
    for Field { key_place, value, value_place, .. } in merges {
        let maps = match value {
            Value::Sequence(items) => items,
            other => vec![other],
        };
        let pairs = maps
            .into_iter()
            .filter_map(|map| if let Value::Mapping(pairs) = map { Some(pairs) } else { None });
        for (key, value) in pairs.flatten() {
            if !result.iter().any(|field| field.key == key) {
                result.push(Field { key, key_place, value, value_place });
            }
        }
    }
    result
}

#[cfg(test)]
mod hostile;
#[cfg(test)]
mod tests;
