//! The proof of a fix: the text before and after it is read, and compared.

use super::Source;
use super::page::unclosed;
use crate::catalog::frontmatter::{self, Field, Reading, Value, lines};
use crate::catalog::validate::{self, fields};
use crate::catalog::{Check, Diagnostic, Place, Severity, checks, hidden_in};
use std::collections::{HashMap, HashSet};

/// The mark of an edit that moves unknown keys below `metadata`.
pub(super) const MOVED: &[&str] = &["metadata", ""];

/// Findings that hide those of the fields: without them the fields are judged for the first time.
const HIDING: [&Check; 3] = [&checks::NO_FRONTMATTER, &checks::UNCLOSED, &checks::NOT_MAPPING];

/// All findings of a whole file.
pub(super) fn findings(source: Source<'_>) -> Vec<Diagnostic> {
    let Source { bytes, directory, file } = source;
    let mut found = validate::examine(bytes, directory, file).diagnostics;
    found.extend(validate::large(bytes.len() as u64));
    let hidden = hidden_in(&String::from_utf8_lossy(bytes));
    found.extend(hidden.map(|(hidden, at)| validate::hidden_text(&hidden, at)));
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
    let (old, new_one) = ((before.bytes, &old_reading), (after, &new_reading));
    let same = || match old_reading.torn && check != &checks::BOM {
        true => only_indented(old, new_one),
        false => same_fields((check, changed), &old_reading, &new_reading),
    };
    fewer(check, hid, &findings(before), &findings(new))
        && same_body(before.bytes, &old_reading, after, &new_reading)
        && (hid || same() && keeps_words(old, new_one))
}

/// Whether lines differ only by their indent, and each field is there as before, or without what
/// was wrongly read as a part of it. Where nobody knows which line belongs to which field, no other
/// edit is safe.
fn only_indented(old: (&[u8], &Reading), new: (&[u8], &Reading)) -> bool {
    let lines = |(bytes, reading): (&[u8], &Reading)| -> Vec<String> {
        let text = String::from_utf8_lossy(&bytes[..reading.body]);
        lines(&text).map(|line| line.trim_start().to_owned()).collect()
    };
    let is_there = |old: &Field| {
        new.1.field(&old.key).is_some_and(|new| match (old.value.text(), new.value.text()) {
            (Some(old), Some(new)) => old.trim_start_matches(['"', '\'']).starts_with(new),
            _ => old.value == new.value,
        })
    };
    !new.1.torn && lines(old) == lines(new) && old.1.fields.iter().all(is_there)
}

/// Whether every word of the old frontmatter is in the new one. A name may be replaced, but only
/// what stands beside its key: what follows may be a description whose colon was forgotten.
fn keeps_words(old: (&[u8], &Reading), new: (&[u8], &Reading)) -> bool {
    let text = |(bytes, reading): (&[u8], &Reading)| {
        String::from_utf8_lossy(&bytes[..reading.body]).into_owned()
    };
    let (mut old_text, new_text) = (text(old), text(new));
    let is_text = |field: &&Field| field.value.text().is_some_and(|text| !text.is_empty());
    if let Some(name) = old.1.field("name").filter(is_text) {
        old_text = without(&old_text, name.value_place);
    }
    let words = |text: &str| -> HashSet<String> {
        let words = text.split(|c: char| !c.is_alphanumeric());
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    words(&old_text).is_subset(&words(&new_text))
}

/// The text without what is at this place, but with a comment there.
fn without(text: &str, place: Place) -> String {
    let number = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
    let (row, from) = (number(place.line), number(place.column));
    let cut = |(at, line): (usize, &str)| {
        if at + 1 != row {
            return line.to_owned();
        }
        let end = line.find(" #").map_or(usize::MAX, |at| line[..at].chars().count());
        let end = end.min(from - 1 + number(place.width));
        let is_left = |(at, _): &(usize, char)| *at + 1 < from || *at >= end;
        line.chars().enumerate().filter(is_left).map(|(_, c)| c).collect()
    };
    lines(text).enumerate().map(cut).collect()
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

/// Whether all fields but these mean the same. A quote that was not closed may be no part of a text
/// any more.
fn same_fields((check, changed): (&Check, &[&str]), old: &Reading, new: &Reading) -> bool {
    let is_moved = |key: &str| changed == MOVED && fields::is_unknown(key);
    let same = |key: &str| {
        let value = |reading: &Reading| reading.field(key).map(|field| field.value.clone());
        let (old, new) = (value(old), value(new));
        let is_closed = || {
            let behind = old.as_ref().and_then(Value::text).and_then(unclosed);
            let new = new.as_ref().and_then(Value::text);
            check == &checks::YAML_REPAIRED && new.is_some() && behind.map(|(_, text)| text) == new
        };
        changed.contains(&key) || is_moved(key) || old == new || is_closed()
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
