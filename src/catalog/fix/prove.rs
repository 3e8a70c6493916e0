//! The proof of a fix: the text before and after it is read, and compared.

use super::Source;
use crate::catalog::frontmatter::{self, Reading, Value};
use crate::catalog::validate::{self, fields};
use crate::catalog::{Check, Diagnostic, Severity, checks};
use crate::text::HiddenSearch;
use std::collections::HashMap;

/// The mark of an edit that moves unknown keys below `metadata`.
pub(super) const MOVED: &[&str] = &["metadata", ""];

/// Findings that hide those of the fields: without them the fields are judged for the first time.
const HIDING: [&Check; 3] = [&checks::NO_FRONTMATTER, &checks::UNCLOSED, &checks::NOT_MAPPING];

/// All findings of a whole file.
pub(super) fn findings(source: Source<'_>) -> Vec<Diagnostic> {
    let Source { bytes, directory, file } = source;
    let mut found = validate::examine(bytes, directory, file).diagnostics;
    found.extend(validate::large(bytes.len() as u64));
    let mut search = HiddenSearch::default();
    search.read(&String::from_utf8_lossy(bytes));
    found.extend(search.end().map(|(hidden, at)| validate::hidden_text(&hidden, at)));
    found
}

/// Whether the new bytes mend the finding and change nothing else.
pub(super) fn holds(
    check: &'static Check,
    changed: &[&str],
    before: Source<'_>,
    after: &[u8],
) -> bool {
    let new = Source { bytes: after, ..before };
    let (old_reading, new_reading) = (frontmatter::read(before.bytes), frontmatter::read(after));
    let hid = HIDING.contains(&check);
    fewer(check, hid, &findings(before), &findings(new))
        && same_body(before.bytes, &old_reading, after, &new_reading)
        && (hid || same_fields(changed, &old_reading, &new_reading))
}

/// Whether this finding is there less often and no other one more often.
fn fewer(check: &Check, hid: bool, before: &[Diagnostic], after: &[Diagnostic]) -> bool {
    // What is hidden and which key is meant is told by the message, not by the code.
    let told = [&checks::HIDDEN_TEXT, &checks::UNEXPECTED_FIELDS];
    let key = |finding: &Diagnostic| {
        let message = told.contains(&finding.check).then(|| finding.message.clone());
        (finding.code(), message)
    };
    let mut counts: HashMap<_, usize> = HashMap::new();
    before.iter().for_each(|finding| *counts.entry(key(finding)).or_default() += 1);
    let known = after.iter().all(|finding| match counts.get_mut(&key(finding)) {
        Some(left) if *left > 0 => {
            *left -= 1;
            true
        }
        _ => hid && is_about_fields(finding),
    });
    let count = |findings: &[Diagnostic]| findings.iter().filter(|one| one.check == check).count();
    known && count(after) < count(before)
}

fn is_about_fields(finding: &Diagnostic) -> bool {
    finding.severity() == Severity::Warning
        && finding.check != &checks::HIDDEN_TEXT
        && finding.check != &checks::FILE_LARGE
}

/// Whether the body is the same; of a file without frontmatter, the end of the file.
fn same_body(before: &[u8], old: &Reading, after: &[u8], new: &Reading) -> bool {
    let unmarked = |bytes: &'_ [u8]| bytes.strip_prefix(b"\xef\xbb\xbf").map_or(0, |_| 3);
    let (old_body, new_body) =
        (&before[old.body.max(unmarked(before))..], &after[new.body.max(unmarked(after))..]);
    if old.body > 0 { old_body == new_body } else { old_body.ends_with(new_body) }
}

/// Whether all fields but these mean the same.
fn same_fields(changed: &[&str], old: &Reading, new: &Reading) -> bool {
    let is_moved = |key: &str| changed == MOVED && fields::is_unknown(key);
    let same = |key: &str| {
        let value = |reading: &Reading| reading.field(key).map(|field| field.value.clone());
        changed.contains(&key) || is_moved(key) || value(old) == value(new)
    };
    let keys = || old.fields.iter().chain(&new.fields).map(|field| field.key.as_str());
    keys().all(same) && same_metadata(changed, old, new)
}

/// Whether metadata has its old pairs with their meaning, and what was moved there, and no more.
fn same_metadata(changed: &[&str], old: &Reading, new: &Reading) -> bool {
    if !changed.contains(&"metadata") {
        return true;
    }
    let pairs = |reading: &Reading| match reading.field("metadata").map(|field| &field.value) {
        Some(Value::Mapping(pairs)) => pairs.clone(),
        _ => Vec::new(),
    };
    let gone = |key: &str| changed == MOVED && new.field(key).is_none() && fields::is_unknown(key);
    let moved = old.fields.iter().filter(|field| gone(&field.key));
    let moved = moved.map(|field| (field.key.clone(), field.value.clone()));
    let wanted: Vec<(String, Value)> = pairs(old).into_iter().chain(moved).collect();
    let means = |(one, other): (&(String, Value), &(String, Value))| {
        let is_joined = super::page::joined(&one.1).map(Value::Scalar);
        one.0 == other.0 && (one.1 == other.1 || is_joined.as_ref() == Some(&other.1))
    };
    let now = pairs(new);
    wanted.len() == now.len() && wanted.iter().zip(&now).all(means)
}
