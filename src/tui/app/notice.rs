//! The message above the hints.

use crate::text::SafeText;

pub(super) const MAX_ROWS: usize = 3;

/// Columns around the words: margins, the sign and its gap.
const AROUND: usize = 4;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub text: SafeText,
    pub kind: NoticeKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// Something was done.
    Done,
    /// It informs, or says why a key does nothing.
    Neutral,
    /// An error: it stays until a key is pressed.
    Grave,
}

impl Notice {
    pub fn plain(text: SafeText) -> Self {
        Self { text, kind: NoticeKind::Done }
    }

    /// Nothing was done, and nothing is wrong.
    pub fn neutral(text: SafeText) -> Self {
        Self { text, kind: NoticeKind::Neutral }
    }

    pub fn grave(text: SafeText) -> Self {
        Self { text, kind: NoticeKind::Grave }
    }

    pub fn is_grave(&self) -> bool {
        self.kind == NoticeKind::Grave
    }

    /// The words, wrapped for a screen of this width. If they need more rows than that, paths lose
    /// their start, then the text its end.
    pub fn lines(&self, columns: usize, rows: usize) -> Vec<SafeText> {
        let columns = columns.saturating_sub(AROUND).max(1);
        let mut lines = self.text.fold(columns);
        for path in [columns, columns / 2] {
            if lines.len() > rows {
                lines = short_paths(&self.text, path).fold(columns);
            }
        }
        if lines.len() > rows {
            lines.truncate(rows);
            if let Some(last) = lines.last_mut() {
                *last = last.cut(columns.saturating_sub(1));
                if !last.as_str().ends_with('…') {
                    last.push(&SafeText::fixed("…"));
                }
            }
        }
        lines
    }
}

/// Cuts each path to this width.
fn short_paths(text: &SafeText, columns: usize) -> SafeText {
    let word = |word: &str| {
        let path = word.trim_start_matches('(');
        let (before, path) =
            (SafeText::clean(&word[..word.len() - path.len()]), SafeText::clean(path));
        let room = if path.as_str().contains('/') {
            columns.saturating_sub(before.width())
        } else {
            usize::MAX
        };
        SafeText::join([&before, &path.cut_start(room)], "")
    };
    SafeText::join(text.as_str().split(' ').map(word), " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &'static str, columns: usize, rows: usize) -> Vec<String> {
        let lines = Notice::grave(SafeText::fixed(text)).lines(columns, rows);
        lines.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_notice_is_shown_to_its_end_if_there_is_room() {
        let broken = "the settings file is broken, so nothing is written: see the problems (^d)";
        assert_eq!(lines(broken, 100, 3), [broken]);
        assert_eq!(
            lines(broken, 60, 3),
            ["the settings file is broken, so nothing is written: see", "the problems (^d)"]
        );
    }

    #[test]
    fn the_end_of_a_long_path_is_shown() {
        let text = "it is not edited until that is fixed (/home/ada/a-long-folder/of/another/long/folder/config.toml)";
        assert_eq!(
            lines(text, 60, 3).concat().matches("(/home").count(),
            1,
            "where there is room, all of it"
        );
        let short = lines(text, 60, 2);
        assert_eq!(short.len(), 2);
        assert!(
            short[1].ends_with("folder/config.toml)") && short.concat().contains("(…"),
            "{short:?}"
        );
        let one = lines(text, 40, 1);
        assert!(one.len() == 1 && one[0].ends_with('…'), "{one:?}");
    }
}
