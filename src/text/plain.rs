//! Raw text as a [`Doc`]: what an editor would show, made inert.

use super::wrap::{self, Indent};
use super::{Doc, DocLine, DocSpan, Role, SafeText, source};

impl Doc {
    /// The text line by line. If `wrap`, lines are wrapped at `columns`.
    ///
    /// The first 1 MiB, 50,000 lines of output and 2,000 characters of a line are shown; a cut
    /// is marked.
    pub fn plain(source: &str, columns: usize, wrap: bool) -> Self {
        let (shown, cut) = source::head(source);
        let mut doc = Self::default();
        for (number, line) in source::lines(shown) {
            let (line, line_cut) = source::plain_line(line, Role::Plain, number);
            if let Some(cut) = line_cut {
                doc.note_cut(cut.limit, cut.source);
            }
            if !doc.push_wrapped(line, columns, wrap) {
                break;
            }
        }
        doc.end(cut, columns);
        doc
    }

    /// Adds a line of raw text. If `wrap`, it is wrapped below its own indent. Returns `false` if
    /// there is no room.
    pub(super) fn push_wrapped(&mut self, line: DocLine, columns: usize, wrap: bool) -> bool {
        if !wrap {
            return self.push(line);
        }
        let text = line.plain();
        let own = text.len() - text.trim_start_matches(' ').len();
        let indent = Indent {
            first: Vec::new(),
            rest: vec![DocSpan::new(SafeText::spaces(own), Role::Plain)],
        };
        wrap::words(std::slice::from_ref(&line), columns, &indent)
            .into_iter()
            .all(|line| self.push(line))
    }
}

impl SafeText {
    /// The text in lines of at most `columns`, broken between words.
    pub fn fold(&self, columns: usize) -> Vec<Self> {
        let doc = Doc::plain(self.as_str(), columns.max(1), true);
        doc.lines.iter().map(|line| Self::clean(&line.plain())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Cutoff, Limit};
    use super::*;
    use crate::text::safe::tests::hostile;
    use proptest::prelude::*;

    #[test]
    fn line_ends_and_tabs_are_laid_out_and_marks_shown() {
        let doc = Doc::plain("\u{feff}a\r\n\tb\rc\n\nd", 80, true);
        assert_eq!(doc.text(), "<U+FEFF>a\n    b^Mc\n\nd\n");
        assert_eq!(doc.lines.iter().map(|line| line.source).collect::<Vec<_>>(), [1, 2, 3, 4]);
        assert_eq!(doc.cut, None);
    }

    #[test]
    fn a_long_line_is_cut_with_a_mark() {
        let doc = Doc::plain(&format!("ok\n{}", "x".repeat(1_000_000)), 80, false);
        assert_eq!(doc.lines[1].width(), 2_000 + "… 998000 more characters".chars().count());
        assert_eq!(doc.cut, Some(Cutoff { limit: Limit::LineLength, source: 2 }));
    }

    #[test]
    fn a_large_text_is_cut_with_a_mark() {
        let doc = Doc::plain(&"0123456789abcde\n".repeat(100_000), 80, false);
        assert_eq!(doc.cut.map(|cut| cut.limit), Some(Limit::Lines));
        let doc = Doc::plain(&format!("{}\n", "x".repeat(99)).repeat(12_000), 40, false);
        assert_eq!(doc.cut, Some(Cutoff { limit: Limit::Bytes, source: 10_486 }));
        assert_eq!(doc.lines.last().unwrap().plain(), "… cut at line 10486: only the first 1 M…");
    }

    #[test]
    fn wrapped_text_hangs_under_its_own_indent() {
        assert_eq!(Doc::plain("  one two three", 9, true).text(), "  one two\n  three\n");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]
        #[test]
        fn any_text_fits(source in hostile(), columns in 0_usize..12) {
            let doc = Doc::plain(&source, columns, true);
            prop_assert!(doc.lines.iter().all(|line| line.width() <= columns.max(1)), "{:?}", doc);
        }
    }
}
