//! What can still be read of a file that is not valid TOML.
//!
//! The parser stops at the first fault, so the faulty line is blanked and the rest is parsed again.
//! The blanked line could have said anything, so it counts as a rule that denies everything. The
//! exception is a value of a key that forbids nothing, such as `theme`. A header is none: it decides
//! what the lines below it mean.

use super::file::SettingsFile;
use super::inputs::Inputs;
use super::origin::Written;
use super::reader::{RULE_WORDS, Reader};
use super::rules::WrittenRule;
use crate::catalog::Permission;
use crate::policy::Pattern;
use std::ops::Range;
use toml_edit::Document;

/// How many lines may be blanked. A file with more faults denies everything.
const MAX_FAULTS: usize = 32;

/// The largest file that is parsed again, in bytes. A larger one denies everything, since it could
/// be made to take long.
const MAX_BYTES: usize = 64 << 10;

/// The keys at the top of a file, and tables, that forbid nothing. A broken file runs no scripts.
const HARMLESS: [&str; 14] = [
    "version", "host", "theme", "ascii", "mouse", "preview", "index", "history", "format", "roots",
    "scripts", "store", "colors", "keys",
];

/// Fills `file` with what can still be read of `text`.
pub(super) fn recover(file: &mut SettingsFile, text: &str, inputs: &Inputs) {
    let mut rest = text.to_owned();
    let mut closed = Vec::new();
    let tries = if text.len() > MAX_BYTES { 0 } else { MAX_FAULTS };
    for _ in 0..tries {
        let span = match Document::parse(rest.as_str()) {
            Ok(document) => {
                let mut reader = Reader::new(&file.path, &rest);
                file.read_top(document.as_table(), &mut reader, inputs);
                // An allow rule without a name could only allow what is not denied; the file is
                // broken, so it may not.
                file.rules.retain(|rule| {
                    rule.effect != Permission::Allow || rule.pattern != Some(Pattern::Any)
                });
                file.rules.extend(closed);
                return;
            }
            Err(error) => error.span(),
        };
        let Some(line) = span.and_then(|span| line_around(&rest, span.start)) else { break };
        let number = rest[..line.start].matches('\n').count() as u32 + 1;
        let fault = &rest[line.clone()];
        let header = text[..line.start]
            .lines()
            .rfind(|line| line.trim_start().starts_with('['))
            .unwrap_or_default();
        if may_forbid(fault, header) {
            closed.push(WrittenRule::unreadable(number));
        }
        if fault.contains("allowed") {
            file.allowed = Some(Written { value: Vec::new(), line: number });
        }
        let blank = " ".repeat(fault.len());
        rest.replace_range(line, &blank);
    }
    file.rules.push(WrittenRule::unreadable(1));
}

/// Whether a line may forbid something. `header` is the one above it, or empty.
fn may_forbid(line: &str, header: &str) -> bool {
    let is_header = line.trim_start().starts_with('[');
    let key = if header.is_empty() { line } else { header }.trim_start_matches([' ', '\t', '[']);
    let end = key.find([' ', '\t', '.', '=', ']']).unwrap_or(key.len());
    is_header
        || !HARMLESS.contains(&&key[..end])
        || RULE_WORDS.iter().any(|word| line.contains(word))
}

/// The line around `offset`, without its end; `None` if it is blank, since blanking it again would
/// not help.
fn line_around(text: &str, offset: usize) -> Option<Range<usize>> {
    let offset = offset.min(text.len());
    let start = text.get(..offset)?.rfind('\n').map_or(0, |end| end + 1);
    let end = text.get(offset..)?.find('\n').map_or(text.len(), |length| offset + length);
    (!text.get(start..end)?.trim().is_empty()).then_some(start..end)
}
