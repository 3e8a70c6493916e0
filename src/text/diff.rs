//! A change of a file as a unified diff, for `--dry-run` and for the question before a write.

use super::wrap::{self, Indent};
use super::{DiffKind, DocLine, DocSpan, Role, SafeText};
use similar::{ChangeTag, TextDiff};
use std::collections::HashSet;
use std::ops::Range;
use std::path::PathBuf;

/// Lines of context around a change.
const CONTEXT: usize = 3;

/// Characters of a long line that stay before and after what differs.
const AROUND: usize = 120;

/// Follows a last line without an end, as in every unified diff. It has the kind of its line.
const NO_END: &str = "\\ No newline at end of file";

/// A further row of a line begins so many columns behind the first, so that it has no mark of its
/// own.
const HANGING: usize = 2;

/// The bytes of a file before and after a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// Links are followed when it is written.
    pub path: PathBuf,
    /// `None` if there is no file.
    pub before: Option<Vec<u8>>,
    pub after: Vec<u8>,
}

impl FileChange {
    /// The unified diff.
    pub fn diff(&self) -> Vec<Line> {
        self.diff_called(&self.path.to_string_lossy())
    }

    /// The unified diff, with another name for the file.
    pub fn diff_called(&self, name: &str) -> Vec<Line> {
        unified(name, self.before.as_deref(), &self.after)
    }
}

/// One line of a diff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub kind: DiffKind,
    /// With the mark of a unified diff (`+`, `-`, blank) and without the line end. Other people's
    /// text: show it only through [`super::SafeText`].
    pub text: String,
}

/// The unified diff of two versions of a file; empty if they are equal. `old` is `None` if the file
/// does not exist yet. Bytes that are not UTF-8 become replacement characters.
pub fn unified(name: &str, old: Option<&[u8]>, new: &[u8]) -> Vec<Line> {
    let before = String::from_utf8_lossy(old.unwrap_or_default());
    let after = String::from_utf8_lossy(new);
    if old == Some(new) {
        return Vec::new();
    }
    let header = |text| Line { kind: DiffKind::Header, text };
    let from = if old.is_some() { name } else { "/dev/null" };
    let mut lines = vec![header(format!("--- {from}")), header(format!("+++ {name}"))];
    let diff = TextDiff::from_lines(before.as_ref(), after.as_ref());
    for group in diff.grouped_ops(CONTEXT) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let old_lines = first.old_range().start..last.old_range().end;
        let new_lines = first.new_range().start..last.new_range().end;
        lines.push(header(format!("@@ -{} +{} @@", place(&old_lines), place(&new_lines))));
        for operation in &group {
            let changes: Vec<_> = diff.iter_changes(operation).collect();
            let removed = changes.iter().filter(|change| change.tag() == ChangeTag::Delete);
            let removed: HashSet<&str> =
                removed.map(|change| without_end(change.value())).collect();
            let is_in_both = |text: &str| removed.contains(without_end(text));
            let added = changes.iter().filter(|change| change.tag() == ChangeTag::Insert);
            // Where only the end of a line differs, the end is shown.
            let shows_ends = added.map(|change| change.value()).any(is_in_both);
            for change in changes {
                let (kind, mark) = match change.tag() {
                    ChangeTag::Equal => (DiffKind::Context, ' '),
                    ChangeTag::Insert => (DiffKind::Added, '+'),
                    ChangeTag::Delete => (DiffKind::Removed, '-'),
                };
                let whole = change.value();
                let line = whole.strip_suffix('\n');
                let text = line.filter(|_| shows_ends).unwrap_or_else(|| without_end(whole));
                lines.push(Line { kind, text: format!("{mark}{text}") });
                if line.is_none() {
                    lines.push(Line { kind, text: NO_END.to_owned() });
                }
            }
        }
    }
    lines
}

fn without_end(line: &str) -> &str {
    line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line))
}

/// The lines as a screen shows them. Where a line is long and the same before and after the change,
/// only the part next to what differs is left: a settings file may be one line.
pub fn shown(mut lines: Vec<Line>) -> Vec<(DiffKind, SafeText)> {
    let mut start = 0;
    while start < lines.len() {
        let run = |from: usize, kind| lines[from..].iter().take_while(|it| it.kind == kind).count();
        let removed = run(start, DiffKind::Removed);
        let added = run(start + removed, DiffKind::Added);
        let (old, new) = lines[start..start + removed + added].split_at_mut(removed);
        if removed == added {
            old.iter_mut().zip(new).for_each(|(old, new)| shorten(&mut old.text, &mut new.text));
        }
        start += (removed + added).max(1);
    }
    lines.iter().map(|line| (line.kind, SafeText::clean(&line.text))).collect()
}

/// Leaves out what is far from the difference of two lines; each begins with its mark.
fn shorten(old: &mut String, new: &mut String) {
    let same = |(one, other): &(char, char)| one == other;
    let bytes = |(one, _): (char, char)| one.len_utf8();
    let start: usize = old.chars().zip(new.chars()).skip(1).take_while(same).map(bytes).sum();
    let start = start + 1;
    let ends = old[start..].chars().rev().zip(new[start..].chars().rev());
    let end: usize = ends.take_while(same).map(bytes).sum();
    for text in [old, new] {
        let after = text.len() - end;
        if let Some(kept) = kept(text[after..].chars()) {
            text.replace_range(after + kept.., "…");
        }
        if let Some(kept) = kept(text[1..start].chars().rev()) {
            text.replace_range(1..start - kept, "…");
        }
    }
}

/// How many bytes stay of a part that is the same; `None` if it is too short to be cut.
fn kept(part: impl Iterator<Item = char> + Clone) -> Option<usize> {
    let is_long = part.clone().nth(2 * AROUND).is_some();
    is_long.then(|| part.take(AROUND).map(char::len_utf8).sum())
}

/// The rows of a line, none wider than `columns`. Nothing of it is lost.
pub fn rows(line: &SafeText, columns: usize) -> Vec<SafeText> {
    if line.width() <= columns {
        return vec![line.clone()];
    }
    let hanging = DocSpan::new(SafeText::spaces(HANGING), Role::Plain);
    let indent = Indent { first: Vec::new(), rest: vec![hanging] };
    let line = DocLine::of(line.clone(), Role::Plain, 1);
    let rows = wrap::hard(&line, columns, &indent);
    rows.iter().map(|row| SafeText::clean(&row.plain())).collect()
}

/// A range of lines as a unified diff writes it: from 1, or from 0 if it is empty.
fn place(lines: &Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        length => format!("{},{length}", lines.start + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(old: Option<&str>, new: &str) -> Vec<String> {
        unified("f", old.map(str::as_bytes), new.as_bytes())
            .into_iter()
            .map(|line| line.text)
            .collect()
    }

    #[test]
    fn a_change_is_shown_with_what_is_around_it() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n";
        let new = "1\n2\n3\n4\nfive\n6\n7\n8\n";
        let lines = [
            "--- f",
            "+++ f",
            "@@ -2,7 +2,7 @@",
            " 2",
            " 3",
            " 4",
            "-5",
            "+five",
            " 6",
            " 7",
            " 8",
        ];
        assert_eq!(shown(Some(old), new), lines);
        assert_eq!(
            unified("f", Some(b"a"), b"b")[3],
            Line { kind: DiffKind::Removed, text: "-a".to_owned() }
        );
    }

    #[test]
    fn line_ends_are_shown_where_nothing_else_differs() {
        assert_eq!(shown(Some("a\r\nb\r\n"), "a\nb\n")[3..], ["-a\r", "-b\r", "+a", "+b"]);
        assert_eq!(shown(Some("a\r\n"), "b\r\n")[3..], ["-a", "+b"]);
        assert_eq!(shown(Some("a"), "a\n")[3..], ["-a", NO_END, "+a"]);
        assert_eq!(shown(Some("a"), "b")[3..], ["-a", NO_END, "+b", NO_END]);
    }

    #[test]
    fn of_a_long_line_the_part_around_the_difference_is_shown() {
        let folders: Vec<String> = (0..30).map(|number| format!("\"/srv/{number:03}\"")).collect();
        let text = |off: &str| {
            let folders = folders.join(",");
            format!("{{\"folders\":[{folders}],\"off\":[{off}],\"more\":[{folders}]}}\n")
        };
        let (old, new) = (text(""), text("\"pdf\""));
        let lines = super::shown(unified("f", Some(old.as_bytes()), new.as_bytes()));
        let (removed, added) = (lines[3].1.as_str(), lines[4].1.as_str());
        assert!(removed.starts_with("-…") && removed.ends_with('…'), "{removed}");
        assert!(added.starts_with("+…") && added.ends_with('…'), "{added}");
        assert!(removed.contains("],\"off\":[],") && added.contains("],\"off\":[\"pdf\"],"));
        assert_eq!(added.chars().count(), 1 + 2 * (AROUND + 1) + "\"pdf\"".len());
        // Nor is one whole that has no end.
        let ends = [old.trim_end(), new.trim_end()].map(str::as_bytes);
        let lines = super::shown(unified("f", Some(ends[0]), ends[1]));
        assert_eq!((lines.len(), lines[5].1.as_str()), (7, added), "{lines:?}");
        // One that is not so long, and a new one, are whole.
        let short = "x".repeat(2 * AROUND);
        for (old, new) in [(short.clone(), format!("{short}y")), ("a".to_owned(), "x".repeat(999))]
        {
            let lines = super::shown(unified("f", Some(old.as_bytes()), new.as_bytes()));
            assert_eq!(lines[5].1.as_str(), format!("+{new}"));
        }
    }

    #[test]
    fn all_of_a_line_is_in_its_rows_and_only_the_first_has_the_mark() {
        let rows = rows(&SafeText::fixed("+    \"skill\": { \"pdf\": \"deny\" }"), 14);
        let rows: Vec<&str> = rows.iter().map(SafeText::as_str).collect();
        assert_eq!(rows, ["+    \"skill\": ", "  { \"pdf\": \"de", "  ny\" }"]);
        assert_eq!(super::rows(&SafeText::default(), 9).len(), 1);
    }

    #[test]
    fn new_files_and_equal_ones() {
        assert_eq!(shown(None, "a\r\n"), ["--- /dev/null", "+++ f", "@@ -0,0 +1 @@", "+a"]);
        assert!(shown(Some("a"), "a").is_empty());
        assert_eq!(unified("f", Some(b"\xff"), b"").len(), 5);
    }
}
