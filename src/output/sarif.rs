//! `check --format sarif`: the findings as a SARIF 2.1.0 log, for code scanning services.

use super::check::Judged;
use crate::catalog::{Check, Diagnostic, Severity, Skill, checks, fix};
use crate::text::diff::FileChange;
use crate::text::percent;
use crate::workspace::mend::place_of;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::path::Path;

/// What mends the findings of a check in a skill's file.
pub type Mends<'a> = &'a dyn Fn(&Skill, &Check) -> Option<FileChange>;

/// The log of one run. Paths beneath `base` are relative to it.
pub fn log(judged: &[Judged], base: &Path, strict: bool, mends: Mends<'_>) -> Value {
    let result = |one: &Judged| -> Vec<Value> {
        let (skill, mut told) = (&one.skill, HashSet::new());
        let row = |(severity, finding): &(Severity, Diagnostic)| {
            let grade = if strict { Severity::Error } else { *severity };
            let mut row = result(skill, finding, grade, base);
            // One edit mends all findings of a code.
            if let Some(fix) = fix::of(finding.check).filter(|fix| told.insert(fix.check.code))
                && let Some(change) = mends(skill, finding.check)
                && let Some(new) =
                    replacement(change.before.as_deref().unwrap_or_default(), &change.after)
            {
                let artifact = location(&change.path, base);
                row["fixes"] = json!([{
                    "description": { "text": fix.what },
                    "artifactChanges": [{ "artifactLocation": artifact, "replacements": [new] }],
                }]);
            }
            row
        };
        one.findings.iter().map(row).collect()
    };
    let results: Vec<Value> = judged.iter().flat_map(result).collect();
    let driver = json!({
        "name": "skillpick",
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "rules": checks::ALL.iter().map(|check| rule(check)).collect::<Vec<_>>(),
    });
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn rule(check: &Check) -> Value {
    let mends = fix::of(check).map(|fix| format!("; `skillpick check --fix` {}", fix.what));
    json!({
        "id": check.code,
        "shortDescription": { "text": check.help },
        "help": { "text": format!("{}{}", check.help, mends.unwrap_or_default()) },
        "defaultConfiguration": { "level": check.severity.word() },
    })
}

fn result(skill: &Skill, finding: &Diagnostic, grade: Severity, base: &Path) -> Value {
    let place = finding.place;
    let index = checks::ALL.iter().position(|check| *check == finding.check);
    json!({
        "ruleId": finding.code(),
        "ruleIndex": index.map_or(json!(-1), |index| json!(index)),
        "level": grade.word(),
        "message": { "text": finding.message },
        "locations": [{ "physicalLocation": {
            "artifactLocation": location(&place_of(skill, finding), base),
            "region": {
                "startLine": place.line,
                "startColumn": place.column,
                "endColumn": place.column.saturating_add(place.width),
            },
        }}],
    })
}

/// A file: relative to the sources, or absolute if it lies elsewhere.
fn location(path: &Path, base: &Path) -> Value {
    let encoded = |path: &Path| {
        let bytes = path.as_os_str().as_encoded_bytes();
        // Only on Windows is the backslash a separator.
        let bytes: Vec<u8> = match cfg!(windows) {
            true => bytes.iter().map(|byte| if *byte == b'\\' { b'/' } else { *byte }).collect(),
            false => bytes.to_vec(),
        };
        percent::encoded(&bytes)
    };
    match path.strip_prefix(base) {
        Ok(beneath) => json!({ "uri": encoded(beneath), "uriBaseId": "%SRCROOT%" }),
        Err(_) => {
            let path = encoded(path);
            let slash = if path.starts_with('/') { "" } else { "/" };
            json!({ "uri": format!("file://{slash}{path}") })
        }
    }
}

/// The byte order mark, which lines and columns do not count.
const MARK: char = '\u{feff}';

/// The one stretch in which two texts differ.
fn replacement(old: &[u8], new: &[u8]) -> Option<Value> {
    let (old, new) = (std::str::from_utf8(old).ok()?, std::str::from_utf8(new).ok()?);
    let (old, new) = match (old.strip_prefix(MARK), new.strip_prefix(MARK)) {
        (Some(text), None) => {
            let region = json!({ "byteOffset": 0, "byteLength": MARK.len_utf8() });
            return (text == new).then(|| json!({ "deletedRegion": region }));
        }
        (Some(old), Some(new)) => (old, new),
        (None, _) => (old, new),
    };
    let same = |pair: &(char, char)| pair.0 == pair.1;
    let length = |pair: (char, char)| pair.0.len_utf8();
    // No region begins or ends within `\r\n`.
    let splits = |at: usize| usize::from(old[..at].ends_with('\r') && old[at..].starts_with('\n'));
    let start: usize = old.chars().zip(new.chars()).take_while(same).map(length).sum();
    let start = start - splits(start);
    let pairs = old[start..].chars().rev().zip(new[start..].chars().rev());
    let kept: usize = pairs.take_while(same).map(length).sum();
    let kept = kept - splits(old.len() - kept);
    let (start_line, start_column) = place(&old[..start]);
    let (end_line, end_column) = place(&old[..old.len() - kept]);
    Some(json!({
        "deletedRegion": {
            "startLine": start_line,
            "startColumn": start_column,
            "endLine": end_line,
            "endColumn": end_column,
        },
        "insertedContent": { "text": new[start..new.len() - kept] },
    }))
}

/// The line and column behind a text, both counted from 1. A line ends with `\n`, `\r\n` or `\r`.
fn place(before: &str) -> (usize, usize) {
    let ends = before.replace("\r\n", "\n").matches(['\n', '\r']).count();
    let line = before.rsplit(['\n', '\r']).next().unwrap_or_default();
    (ends + 1, line.chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_uri() {
        let base = Path::new("/repo");
        let relative = location(Path::new("/repo/a b/ü:#/SKILL.md"), base);
        assert_eq!(
            relative,
            json!({ "uri": "a%20b/%C3%BC%3A%23/SKILL.md", "uriBaseId": "%SRCROOT%" })
        );
        let elsewhere = location(Path::new("/x/a%/SKILL.md"), base);
        assert_eq!(elsewhere, json!({ "uri": "file:///x/a%25/SKILL.md" }));
    }

    #[test]
    fn a_replacement_has_a_region_of_lines_and_columns() {
        for (old, new, region, text) in [
            ("name: PDF\n", "name: pdf\n", [1, 7, 1, 10], "pdf"),
            ("\u{feff}é日\nx", "\u{feff}é月\nx", [1, 2, 1, 3], "月"),
            ("a\nb\n", "a\n", [2, 1, 3, 1], ""),
            ("aa", "aaa", [1, 3, 1, 3], "a"),
            ("", "x", [1, 1, 1, 1], "x"),
            ("a\rb", "a\rc", [2, 1, 2, 2], "c"),
            // `\r\n` is replaced whole.
            ("a\r\nb", "a\rb", [1, 2, 2, 1], "\r"),
            ("a\r\nb", "a\nb", [1, 2, 2, 1], "\n"),
        ] {
            let [start_line, start_column, end_line, end_column] = region;
            let wanted = json!({
                "deletedRegion": {
                    "startLine": start_line,
                    "startColumn": start_column,
                    "endLine": end_line,
                    "endColumn": end_column,
                },
                "insertedContent": { "text": text },
            });
            assert_eq!(replacement(old.as_bytes(), new.as_bytes()), Some(wanted), "{old:?}");
        }
    }

    /// Lines and columns do not count it, so only bytes can name it.
    #[test]
    fn the_byte_order_mark_is_removed_as_bytes() {
        let made = replacement("\u{feff}a".as_bytes(), b"a");
        let region = json!({ "byteOffset": 0, "byteLength": 3 });
        assert_eq!(made, Some(json!({ "deletedRegion": region })));
        assert_eq!(replacement("\u{feff}a".as_bytes(), b"b"), None);
    }
}
