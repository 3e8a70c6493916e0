//! The search in a list or a text.

use super::{Action, Line};

#[derive(Clone, Debug, Default)]
pub struct Find {
    pub line: Line,
    /// Whether the query is still being typed.
    pub typing: bool,
    /// The rows that match.
    pub rows: Vec<usize>,
}

impl Find {
    pub fn start() -> Self {
        Self { typing: true, ..Self::default() }
    }

    /// Applies an action to the search in a list or text at `row`: `None` if the search has no use
    /// for it, else the row to go to, if any. Back ends the search.
    pub(super) fn act(
        slot: &mut Option<Self>,
        action: Action,
        row: usize,
    ) -> Option<Option<usize>> {
        let find = slot.as_mut()?;
        match action {
            Action::Accept if find.typing => find.typing = false,
            Action::Back => *slot = None,
            Action::Next => return Some(find.after(row)),
            Action::Previous => return Some(find.before(row)),
            _ => return None,
        }
        Some(None)
    }

    /// Searches the rows' texts, ignoring case.
    pub fn look<'a>(&mut self, texts: impl Iterator<Item = std::borrow::Cow<'a, str>>) {
        let needle = self.line.text().to_lowercase();
        self.rows = if needle.is_empty() {
            Vec::new()
        } else {
            texts
                .enumerate()
                .filter(|(_, text)| text.to_lowercase().contains(&needle))
                .map(|(row, _)| row)
                .collect()
        };
    }

    /// The first match at or after `row`, else the first of all.
    pub fn from(&self, row: usize) -> Option<usize> {
        self.rows.iter().find(|found| **found >= row).or(self.rows.first()).copied()
    }

    /// The match after `row`, or the first of all.
    pub fn after(&self, row: usize) -> Option<usize> {
        self.from(row + 1)
    }

    /// The match before `row`, or the last of all.
    pub fn before(&self, row: usize) -> Option<usize> {
        self.rows.iter().rev().find(|found| **found < row).or(self.rows.last()).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn next_and_previous_go_around() {
        let mut find = Find::start();
        find.line.set("PDF");
        find.look(["a", "pdf", "b", "a pdf", "c"].map(std::borrow::Cow::from).into_iter());
        assert_eq!(find.rows, [1, 3]);
        assert_eq!((find.from(0), find.after(1), find.after(3)), (Some(1), Some(3), Some(1)));
        assert_eq!((find.before(3), find.before(1), find.before(0)), (Some(1), Some(3), Some(3)));
        find.line.clear();
        find.look(std::iter::once("x".into()));
        assert_eq!(find.from(0), None);
    }
}
