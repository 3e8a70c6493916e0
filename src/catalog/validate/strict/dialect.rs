//! Where the reference's YAML differs from YAML 1.2: which characters it accepts, and where lines
//! end.

use super::Refusal;
use crate::catalog::frontmatter::yaml::Origin;
use crate::catalog::{Place, checks};
use granit_parser::{Event, Parser, ScalarStyle};

/// The characters that end a line in YAML 1.1, and in the reference's block scalars.
const FURTHER_BREAKS: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];

/// The text with `\n` for everything that ends a line for the reference: CRLF and a lone CR
/// everywhere (Python reads files so), the further breaks of YAML 1.1 in block scalars. A byte
/// order mark right after the `---` is removed.
pub(super) fn as_reference(source: &str) -> String {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let mut text = source.replace("\r\n", "\n").replace('\r', "\n");
    if !text.contains(FURTHER_BREAKS) {
        return text;
    }
    let events = Parser::new_from_str(&text).map_while(Result::ok);
    let blocks = events.filter(|(event, _)| {
        matches!(event, Event::Scalar(_, ScalarStyle::Literal | ScalarStyle::Folded, ..))
    });
    let blocks: Vec<_> = blocks.filter_map(|(_, span)| span.byte_range()).collect();
    for range in blocks.into_iter().rev() {
        let block = text[range.clone()].replace(FURTHER_BREAKS, "\n");
        text.replace_range(range, &block);
    }
    text
}

/// What the reference refuses before it reads tokens: control characters, on which it crashes, and
/// a line `...` before the first value.
pub(super) fn refused(source: &str, origin: Origin) -> Option<Refusal> {
    if let Some((index, c)) = source.char_indices().find(|&(_, c)| !is_printable(c)) {
        let message = format!("there is a control character, U+{:04X}", u32::from(c));
        return Some((&checks::YAML_CONTROL, place(source, index, origin), message));
    }
    let mut start = 0;
    for line in source.split_inclusive('\n') {
        let content = line.trim_end();
        if content == "..." || content.starts_with("... ") {
            let message = "the document ends here, before its first value";
            return Some((&checks::YAML_SYNTAX, place(source, start, origin), message.to_owned()));
        }
        if !content.is_empty() && !content.trim_start().starts_with('#') {
            break;
        }
        start += line.len();
    }
    None
}

/// Printable by YAML 1.1.
fn is_printable(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{fffd}' | '\u{10000}'..)
}

fn place(source: &str, index: usize, origin: Origin) -> Place {
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let before = &source[..index];
    let line = number(before.matches('\n').count());
    let column = number(before.rsplit('\n').next().unwrap_or_default().chars().count());
    let first = if line == 0 { origin.column } else { 0 };
    Place { line: origin.line + line, column: first + column + 1, width: 1 }
}
