//! Prints a finding as rustc does: code, place, the line with a caret, help.

use super::Out;
use crate::catalog::{Diagnostic, Place, Skill};
use crate::inert;
use crate::text::SafeText;
use crate::workspace::refusers;
use std::borrow::Cow;
use std::io;

/// A file that findings are about.
pub(super) struct Source<'a> {
    pub(super) path: SafeText,
    /// Its raw text; empty if it cannot be read.
    pub(super) text: Cow<'a, str>,
}

/// Prints a finding and a blank line. `grade` is `error` or `warning`.
///
/// # Errors
/// Those of stdout.
pub(super) fn print(
    out: &mut Out,
    (skill, diagnostic): (&Skill, &Diagnostic),
    source: &Source,
    grade: &'static str,
) -> io::Result<()> {
    let Place { line, column, .. } = diagnostic.place;
    out.line(inert!("{}[{}]: {}", grade, diagnostic.code(), diagnostic.message))?;
    let gutter = SafeText::spaces(inert!("{}", line).width());
    out.line(inert!("{}--> {}:{}:{}", gutter, source.path, line, column))?;
    let raw = usize::try_from(line)
        .ok()
        .and_then(|line| source.text.split('\n').nth(line.checked_sub(1)?));
    if let Some(raw) = raw.filter(|_| !source.text.is_empty()) {
        let room = out.columns().saturating_sub(gutter.width() + 3).max(10);
        let (text, carets) = underlined(raw.trim_end_matches('\r'), diagnostic.place, room);
        out.line(inert!("{} |", gutter))?;
        out.line(inert!("{} | {}", line, text))?;
        out.line(inert!("{} | {}", gutter, carets))?;
    }
    out.line(inert!("{} = help: {}", gutter, diagnostic.help()))?;
    let refusers = refusers(skill, diagnostic.check);
    if !refusers.is_empty() {
        let hosts: Vec<SafeText> =
            refusers.into_iter().map(|host| SafeText::fixed(host.word())).collect();
        out.line(inert!("{} = refused by: {}", gutter, SafeText::join(&hosts, ", ")))?;
    }
    out.line("")
}

/// The line and the carets below it, at most `room` columns wide. If the place is far to the right,
/// the start of the line is cut.
fn underlined(raw: &str, place: Place, room: usize) -> (SafeText, SafeText) {
    let characters = |count: u32| usize::try_from(count).unwrap_or(usize::MAX);
    let from = characters(place.column.saturating_sub(1));
    let split =
        |text: &str, count: usize| text.char_indices().nth(count).map_or(text.len(), |(at, _)| at);
    let (before, rest) = raw.split_at(split(raw, from));
    let (meant, after) = rest.split_at(split(rest, characters(place.width)));
    let before = SafeText::clean(before).cut_start(room / 2);
    let meant = SafeText::clean(meant);
    let text = inert!("{}{}{}", before, meant, SafeText::clean(after)).cut(room);
    let carets = meant.width().clamp(1, room.saturating_sub(before.width()).max(1));
    (
        SafeText::clean(text.as_str().trim_end()),
        inert!("{}{}", SafeText::spaces(before.width()), SafeText::clean(&"^".repeat(carets))),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(raw: &str, column: u32, width: u32, room: usize) -> (String, String) {
        let (text, carets) = underlined(raw, Place { line: 1, column, width }, room);
        (text.as_str().to_owned(), carets.as_str().to_owned())
    }

    #[test]
    fn the_carets_stand_below_what_is_meant() {
        assert_eq!(
            shown("name: PDF_Old", 7, 7, 80),
            ("name: PDF_Old".into(), "      ^^^^^^^".into())
        );
        assert_eq!(shown("\tä日: x\u{1b}y", 3, 1, 80), ("    ä日: x^[y".into(), "     ^^".into()));
        assert_eq!(shown("a\u{1b}b", 2, 1, 80), ("a^[b".into(), " ^^".into()));
        assert_eq!(shown("short", 40, 9, 80), ("short".into(), "     ^".into()));
        assert_eq!(shown("", 1, 1, 80), (String::new(), "^".into()));
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let raw = format!("{}here{}", "x".repeat(500), "y".repeat(500));
        let (text, carets) = shown(&raw, 501, 4, 40);
        assert_eq!((text.chars().count(), carets.len()), (40, 24));
        assert!(text.starts_with('…') && text.ends_with('…') && text.contains("xxherey"));
        let (text, carets) = shown(&raw, 1, 1000, 40);
        assert_eq!((text.chars().count(), carets.len()), (40, 40));
    }
}
