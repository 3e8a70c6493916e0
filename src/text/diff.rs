//! A change of a file as a unified diff, for `--dry-run` and for the question before a write.

use super::DiffKind;
use similar::{ChangeTag, TextDiff};
use std::ops::Range;
use std::path::PathBuf;

/// Lines of context around a change.
const CONTEXT: usize = 3;

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
        unified(&self.path.to_string_lossy(), self.before.as_deref(), &self.after)
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
        for change in group.iter().flat_map(|operation| diff.iter_changes(operation)) {
            let (kind, mark) = match change.tag() {
                ChangeTag::Equal => (DiffKind::Context, ' '),
                ChangeTag::Insert => (DiffKind::Added, '+'),
                ChangeTag::Delete => (DiffKind::Removed, '-'),
            };
            let text = change.value();
            let text = text
                .strip_suffix('\n')
                .map_or(text, |text| text.strip_suffix('\r').unwrap_or(text));
            lines.push(Line { kind, text: format!("{mark}{text}") });
        }
    }
    lines
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
    fn new_files_and_equal_ones() {
        assert_eq!(shown(None, "a\r\n"), ["--- /dev/null", "+++ f", "@@ -0,0 +1 @@", "+a"]);
        assert!(shown(Some("a"), "a").is_empty());
        assert_eq!(unified("f", Some(b"\xff"), b"").len(), 4);
    }
}
