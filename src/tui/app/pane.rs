//! A pane of text that is read elsewhere: keyed by everything that changes it, newest wins (house
//! rule 7).

use super::{Effect, PreviewKey, Timer, Unseen};
use crate::text::Doc;
use std::sync::Arc;

/// How long an old text stays before the pane says that it is reading, in milliseconds.
const PATIENCE_MS: u64 = 100;

/// What a pane shows, and what it waits for.
#[derive(Clone, Debug, Default)]
pub struct TextPane {
    wanted: Option<PreviewKey>,
    shown: Option<(PreviewKey, Result<Arc<Doc>, Unseen>)>,
    /// Counts the wishes, so that a timer knows whether it has been overtaken.
    number: u64,
    slow: bool,
    scroll: usize,
}

impl TextPane {
    /// Asks for `key`, unless it is asked for already. The text that is there stays until the new
    /// one comes.
    pub fn want(&mut self, key: Option<PreviewKey>) -> Vec<Effect> {
        if self.wanted == key {
            return Vec::new();
        }
        let same_text = match (&self.wanted, &key) {
            (Some(before), Some(now)) => before.path == now.path && before.file == now.file,
            _ => false,
        };
        if !same_text {
            self.scroll = 0;
        }
        self.number += 1;
        self.slow = false;
        self.wanted.clone_from(&key);
        match key {
            Some(key) => vec![
                Effect::Preview(key),
                Effect::Wait(Timer::SlowPreview(self.number), PATIENCE_MS),
            ],
            None => {
                self.shown = None;
                Vec::new()
            }
        }
    }

    /// Takes a text if it is the wanted one; a text that was overtaken is dropped.
    pub fn arrived(&mut self, key: &PreviewKey, text: Result<Arc<Doc>, Unseen>) {
        if self.wanted.as_ref() == Some(key) {
            self.slow = false;
            self.shown = Some((key.clone(), text));
        }
    }

    /// The patience for the wish with this number has run out.
    pub fn slow(&mut self, number: u64) {
        if number == self.number && self.is_waiting() {
            self.slow = true;
        }
    }

    fn is_waiting(&self) -> bool {
        self.wanted.is_some() && self.shown.as_ref().map(|(key, _)| key) != self.wanted.as_ref()
    }

    /// Whether the pane should say that it is reading instead of showing an old text.
    pub fn is_slow(&self) -> bool {
        self.slow
    }

    pub fn wanted(&self) -> Option<&PreviewKey> {
        self.wanted.as_ref()
    }

    /// What can be shown: the wanted text, or for a moment the one before.
    pub fn text(&self) -> Option<&Result<Arc<Doc>, Unseen>> {
        self.shown.as_ref().map(|(_, text)| text)
    }

    /// The document, where the text is one.
    pub fn doc(&self) -> Option<&Arc<Doc>> {
        self.text().and_then(|text| text.as_ref().ok())
    }

    /// How many lines there are.
    pub fn lines(&self) -> usize {
        self.doc().map_or(0, |doc| doc.lines.len())
    }

    /// The first line shown.
    pub fn scroll(&self) -> usize {
        self.scroll
    }

    /// The line of the file to open an editor at: the first one shown, or the file's first while
    /// nothing is scrolled.
    pub fn source_line(&self) -> u32 {
        let shown =
            self.doc().filter(|_| self.scroll > 0).and_then(|doc| doc.lines.get(self.scroll));
        shown.map_or(1, |line| line.source.max(1))
    }

    /// Scrolls, and stays within the text for a pane of `height` rows.
    pub fn scroll_by(&mut self, lines: isize, height: usize) {
        self.scroll_to(self.scroll.saturating_add_signed(lines), height);
    }

    /// Scrolls so that `line` is the first, as far as the text reaches.
    pub fn scroll_to(&mut self, line: usize, height: usize) {
        self.scroll = line.min(self.lines().saturating_sub(height));
    }
}

#[cfg(test)]
mod tests {
    use super::super::PreviewStyle;
    use super::*;
    use crate::text::{DocLine, Role, SafeText};
    use std::path::Path;

    fn key(path: &str) -> PreviewKey {
        let path = Arc::from(Path::new(path));
        PreviewKey {
            path,
            epoch: 0,
            file: None,
            style: PreviewStyle::Rendered,
            columns: 40,
            wrap: true,
        }
    }

    fn doc(lines: u32) -> Result<Arc<Doc>, Unseen> {
        let line = |source| DocLine::of(SafeText::fixed("x"), Role::Plain, source);
        Ok(Arc::new(Doc { lines: (1..=lines).map(line).collect(), cut: None }))
    }

    #[test]
    fn a_text_that_was_overtaken_is_dropped() {
        let mut pane = TextPane::default();
        assert_eq!(pane.want(Some(key("/a"))).len(), 2);
        pane.arrived(&key("/a"), doc(9));
        pane.want(Some(key("/b")));
        pane.want(Some(key("/c")));
        pane.arrived(&key("/b"), doc(5));
        assert_eq!(pane.lines(), 9, "the old text stays until the wanted one comes");
        pane.arrived(&key("/c"), doc(3));
        assert_eq!(pane.lines(), 3);
    }

    #[test]
    fn only_the_last_wish_can_be_slow() {
        let mut pane = TextPane::default();
        pane.want(Some(key("/a")));
        pane.want(Some(key("/b")));
        pane.slow(1);
        assert!(!pane.is_slow());
        pane.slow(2);
        assert!(pane.is_slow());
        pane.arrived(&key("/b"), doc(1));
        assert!(!pane.is_slow());
    }

    #[test]
    fn scrolling_stays_within_the_text() {
        let mut pane = TextPane::default();
        pane.want(Some(key("/a")));
        pane.arrived(&key("/a"), doc(10));
        pane.scroll_by(99, 4);
        assert_eq!(pane.scroll(), 6);
        pane.scroll_by(-99, 4);
        assert_eq!(pane.scroll(), 0);
        pane.scroll_by(5, 20);
        assert_eq!(pane.scroll(), 0);
    }
}
