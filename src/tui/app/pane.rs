//! A pane of text that a worker reads. Each text has a key, and a text with an outdated key is
//! dropped.

use super::{Effect, PreviewKey, Timer, Unseen};
use crate::text::Doc;
use std::sync::Arc;

/// Milliseconds until the pane replaces an old text with "reading…".
const PATIENCE_MS: u64 = 100;

#[derive(Clone, Debug, Default)]
pub struct TextPane {
    wanted: Option<PreviewKey>,
    shown: Option<(PreviewKey, Result<Arc<Doc>, Unseen>)>,
    /// Counts the requests, so that the timer of an older one is ignored.
    number: u64,
    /// Whether to say that the text is being read instead of showing an old one.
    pub slow: bool,
    /// The first line shown.
    pub scroll: usize,
}

impl TextPane {
    /// Requests the text of `key`, once. The old text stays until the new one comes.
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

    /// Shows a text if its key is still the wanted one.
    pub fn arrived(&mut self, key: &PreviewKey, text: Result<Arc<Doc>, Unseen>) {
        if self.wanted.as_ref() == Some(key) {
            self.slow = false;
            self.shown = Some((key.clone(), text));
        }
    }

    /// The request with this number is late.
    pub fn late(&mut self, number: u64) {
        let shown = self.shown.as_ref().map(|(key, _)| key);
        let waiting = self.wanted.is_some() && shown != self.wanted.as_ref();
        self.slow |= number == self.number && waiting;
    }

    /// Whether the wanted text is shown.
    pub fn is_wanted(&self) -> bool {
        let shown = self.shown.as_ref().map(|(key, _)| key);
        shown.is_some() && shown == self.wanted.as_ref()
    }

    /// The wanted text, or the one before until it comes.
    pub fn text(&self) -> Option<&Result<Arc<Doc>, Unseen>> {
        self.shown.as_ref().map(|(_, text)| text)
    }

    pub fn doc(&self) -> Option<&Arc<Doc>> {
        self.text().and_then(|text| text.as_ref().ok())
    }

    pub fn lines(&self) -> usize {
        self.doc().map_or(0, |doc| doc.lines.len())
    }

    /// The line at which to open an editor: that of the first line shown if the pane is scrolled,
    /// else 1.
    pub fn source_line(&self) -> u32 {
        let shown =
            self.doc().filter(|_| self.scroll > 0).and_then(|doc| doc.lines.get(self.scroll));
        shown.map_or(1, |line| line.source.max(1))
    }

    /// Scrolls by lines, within the text of a pane of `height` rows.
    pub fn scroll_by(&mut self, lines: isize, height: usize) {
        self.scroll_to(self.scroll.saturating_add_signed(lines), height);
    }

    /// Scrolls so that `line` is the first, if the text is long enough.
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
            pictures: false,
        }
    }

    fn doc(lines: u32) -> Result<Arc<Doc>, Unseen> {
        let line = |source| DocLine::of(SafeText::fixed("x"), Role::Plain, source);
        Ok(Arc::new(Doc { lines: (1..=lines).map(line).collect(), ..Doc::default() }))
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
        pane.late(1);
        assert!(!pane.slow);
        pane.late(2);
        assert!(pane.slow);
        pane.arrived(&key("/b"), doc(1));
        assert!(!pane.slow);
    }

    #[test]
    fn scrolling_stays_within_the_text() {
        let mut pane = TextPane::default();
        pane.want(Some(key("/a")));
        pane.arrived(&key("/a"), doc(10));
        pane.scroll_by(99, 4);
        assert_eq!(pane.scroll, 6);
        pane.scroll_by(-99, 4);
        assert_eq!(pane.scroll, 0);
        pane.scroll_by(5, 20);
        assert_eq!(pane.scroll, 0);
    }
}
