//! What can still be read of a file that is not valid TOML.
//!
//! The parser stops at the first fault, so the faulty line is blanked and the rest is parsed again.
//! The blanked line could have said anything. If it may belong to a rule, by its words or by the
//! header above it, it counts as a rule that denies everything.

use super::file::SettingsFile;
use super::inputs::Inputs;
use super::origin::Written;
use super::reader::Reader;
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

/// The line of a rule, or its header, has at least one of these words.
const RULE_WORDS: [&str; 5] = ["permissions", "deny", "ask", "tool", "skill_name"];

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
        if RULE_WORDS.iter().any(|word| fault.contains(word) || header.contains(word)) {
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

/// The line around `offset`, without its end; `None` if it is blank, since blanking it again would
/// not help.
fn line_around(text: &str, offset: usize) -> Option<Range<usize>> {
    let offset = offset.min(text.len());
    let start = text.get(..offset)?.rfind('\n').map_or(0, |end| end + 1);
    let end = text.get(offset..)?.find('\n').map_or(text.len(), |length| offset + length);
    (!text.get(start..end)?.trim().is_empty()).then_some(start..end)
}
