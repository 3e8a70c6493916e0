//! Edits inside brackets: elements between commas, on one line or several, with comments among
//! them.

use super::lines;
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comments {
    /// `# …` (TOML, YAML).
    Hash,
    /// `// …` and `/* … */` (JSON in its lenient dialects).
    Slashes,
}

/// How a file writes brackets, as far as the brackets themselves do not show it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style<'t> {
    pub(super) comments: Comments,
    /// Whether the only element on a line of its own gets a comma.
    pub(super) trailing: bool,
    /// What follows a comma on the same line.
    pub(super) gap: &'t str,
    /// One step of indentation.
    pub(super) unit: &'t str,
}

/// A bracketed list in a text.
pub(super) struct Commas<'t> {
    style: Style<'t>,
    text: &'t str,
    /// Offset of the opening bracket.
    open: usize,
    /// Offset of the closing bracket.
    close: usize,
    /// The elements, without commas and blanks.
    items: Vec<Range<usize>>,
}

impl<'t> Commas<'t> {
    /// `span` includes the brackets; `ends` are the ends of the elements in the order of the text.
    pub(super) fn new(style: Style<'t>, text: &'t str, span: Range<usize>, ends: &[usize]) -> Self {
        let close = span.end.saturating_sub(1);
        let mut from = span.start + 1;
        let mut items = Vec::new();
        for end in ends {
            items.push(style.comments.skip(text, from)..*end);
            from = style.comments.comma(text, *end).map_or(*end, |comma| comma + 1);
        }
        Self { style, text, open: span.start, close, items }
    }

    /// Whether the brackets have no element and no comment.
    pub(super) fn is_blank(&self) -> bool {
        self.text[self.open + 1..self.close].trim().is_empty()
    }

    /// The indentation of a new element at an index, if it gets a line of its own.
    pub(super) fn line_for(&self, index: usize) -> Option<String> {
        if let Some(item) = self.items.get(index) {
            return self.on_own_line(item).then(|| lines::indent(self.text, item.start).to_owned());
        }
        match self.items.last() {
            Some(last) if !self.text[self.after(last)..self.close].contains('\n') => None,
            Some(last) if self.on_own_line(last) => {
                Some(lines::indent(self.text, last.start).to_owned())
            }
            None if self.is_blank() || !self.text[self.open..self.close].contains('\n') => None,
            _ => Some(self.deeper()),
        }
    }

    /// The text with one more element, before the one with this index or at the end. `pad` goes
    /// between empty brackets and their first element.
    pub(super) fn inserted(&self, index: usize, element: &str, pad: &str) -> String {
        let ending = lines::ending(self.text, self.open);
        let indent = self.line_for(index);
        if let Some(next) = self.items.get(index) {
            let Some(indent) = indent else {
                return self
                    .with(&[(next.start..next.start, &format!("{element},{}", self.gap()))]);
            };
            let before = index.checked_sub(1).and_then(|index| self.items.get(index));
            let at = self
                .style
                .comments
                .tail(self.text, before.map_or(self.open + 1, |before| self.after(before)));
            return self.with(&[(at..at, &format!("{ending}{indent}{element},"))]);
        }
        let Some(last) = self.items.last() else { return self.first(element, pad) };
        let separator = self.style.comments.comma(self.text, last.end);
        let after = self.after(last);
        let trailing = if separator.is_some() { "," } else { "" };
        let Some(indent) = indent else {
            let (before, gap) = (if separator.is_some() { "" } else { "," }, self.gap());
            return self.with(&[(after..after, &format!("{before}{gap}{element}{trailing}"))]);
        };
        let at = self.style.comments.tail(self.text, after);
        let line = format!("{ending}{indent}{element}{trailing}");
        match separator {
            Some(_) => self.with(&[(at..at, &line)]),
            // The comma belongs right after the element, before the comment of its line.
            None => self.with(&[(after..after, ","), (at..at, &line)]),
        }
    }

    /// The text with one more element at the end.
    pub(super) fn pushed(&self, element: &str, pad: &str) -> String {
        self.inserted(self.items.len(), element, pad)
    }

    /// The text with a first element on a line of its own.
    pub(super) fn opened(&self, element: &str) -> String {
        let ending = lines::ending(self.text, self.open);
        let (deeper, outer) = (self.deeper(), lines::indent(self.text, self.open));
        self.with(&[(
            self.open + 1..self.close,
            &format!("{ending}{deeper}{element}{ending}{outer}"),
        )])
    }

    fn on_own_line(&self, item: &Range<usize>) -> bool {
        let start = lines::start(self.text, item.start);
        start > self.open && self.text[start..item.start].trim().is_empty()
    }

    /// After an element and its comma.
    fn after(&self, item: &Range<usize>) -> usize {
        self.style.comments.comma(self.text, item.end).map_or(item.end, |comma| comma + 1)
    }

    /// The blanks between a comma and the next element.
    fn gap(&self) -> &str {
        let [.., before, last] = self.items.as_slice() else { return self.style.gap };
        let gap = &self.text[self.after(before)..last.start];
        if gap.bytes().all(|byte| byte == b' ' || byte == b'\t') { gap } else { self.style.gap }
    }

    /// The text without one of the elements. If the element has a line of its own, the comment on
    /// it goes too.
    pub(super) fn removed(&self, index: usize) -> String {
        let Some(item) = self.items.get(index) else { return self.text.to_owned() };
        let text = self.text;
        let comments = self.style.comments;
        let separator = comments.comma(text, item.end);
        let after = self.after(item);
        let previous = index.checked_sub(1).and_then(|index| self.items.get(index));
        // Without the last element, the comma before it would be left.
        let orphan = previous
            .filter(|_| separator.is_none())
            .and_then(|previous| comments.comma(text, previous.end));
        let line = lines::start(text, item.start)..lines::end(text, after);
        let alone =
            self.on_own_line(item) && comments.ends_line(text, after) && line.end <= self.close;
        let cut = if alone {
            line
        } else if self
            .items
            .get(index + 1)
            .is_some_and(|next| !text[after..next.start].contains('\n'))
        {
            item.start
                ..after + text[after..].len() - text[after..].trim_start_matches([' ', '\t']).len()
        } else {
            text[..item.start].trim_end_matches([' ', '\t']).len()..after
        };
        let changed = match orphan {
            Some(comma) if comma < cut.start => {
                self.with(&[(comma..comma + 1, ""), (cut.clone(), "")])
            }
            Some(comma) => self.with(&[(comma..cut.end, "")]),
            None => self.with(&[(cut.clone(), "")]),
        };
        if self.items.len() > 1 { changed } else { self.closed(&changed) }
    }

    /// The text without one of the elements, but with the comment on the element's own line.
    pub(super) fn removed_from_comment(&self, index: usize) -> String {
        let own_line = |item: &&Range<usize>| self.on_own_line(item);
        let Some(item) = self.items.get(index).filter(own_line) else { return self.removed(index) };
        let after = past_blanks(self.text, self.after(item));
        match self.style.comments.end(self.text, after) {
            Some(_) => self.with(&[(item.start..after, "")]),
            None => self.removed(index),
        }
    }

    /// Removes the blanks between empty brackets.
    fn closed(&self, changed: &str) -> String {
        let close = changed.len() - (self.text.len() - self.close);
        match changed.get(self.open + 1..close) {
            Some(inside) if inside.trim().is_empty() => {
                format!("{}{}", &changed[..=self.open], &changed[close..])
            }
            _ => changed.to_owned(),
        }
    }

    fn first(&self, element: &str, pad: &str) -> String {
        let inside = self.open + 1..self.close;
        if self.is_blank() {
            return self.with(&[(inside, &format!("{pad}{element}{pad}"))]);
        }
        if !self.text[inside.clone()].contains('\n') {
            let end = inside.start + self.text[inside].trim_end().len();
            return self.with(&[(end..end, &format!(" {element}"))]);
        }
        // After comments only: on the line before the closing bracket.
        let ending = lines::ending(self.text, self.open);
        let start = lines::start(self.text, self.close);
        let deeper = self.deeper();
        let comma = if self.style.trailing { "," } else { "" };
        if self.text[start..self.close].trim().is_empty() {
            self.with(&[(start..start, &format!("{deeper}{element}{comma}{ending}"))])
        } else {
            self.with(&[(self.close..self.close, &format!("{element}{comma} "))])
        }
    }

    fn deeper(&self) -> String {
        format!("{}{}", lines::indent(self.text, self.open), self.style.unit)
    }

    /// The text with each range replaced; the ranges in order.
    fn with(&self, changes: &[(Range<usize>, &str)]) -> String {
        let mut out = String::with_capacity(self.text.len() + 64);
        let mut from = 0;
        for (range, new) in changes {
            out.push_str(&self.text[from..range.start]);
            out.push_str(new);
            from = range.end;
        }
        out.push_str(&self.text[from..]);
        out
    }
}

impl Comments {
    /// The comma that follows, if nothing but blanks and comments stand before it.
    fn comma(self, text: &str, from: usize) -> Option<usize> {
        let at = self.skip(text, from);
        text[at..].starts_with(',').then_some(at)
    }

    /// The offset after blanks, line ends and comments.
    pub(super) fn skip(self, text: &str, mut at: usize) -> usize {
        loop {
            at = text.len() - text[at..].trim_start_matches([' ', '\t', '\r', '\n']).len();
            match self.end(text, at) {
                Some(end) => at = end,
                None => return at,
            }
        }
    }

    /// The end of the comment that starts here, without its line end.
    fn end(self, text: &str, at: usize) -> Option<usize> {
        let rest = &text[at..];
        let line = if self == Self::Hash { "#" } else { "//" };
        if rest.starts_with(line) {
            return Some(lines::content_end(text, at));
        }
        let block = self == Self::Slashes && rest.starts_with("/*");
        block.then(|| rest[2..].find("*/").map_or(text.len(), |end| at + 2 + end + 2))
    }

    /// Whether only blanks and comments follow on the line, and the comments end on it.
    fn ends_line(self, text: &str, mut at: usize) -> bool {
        let end = lines::content_end(text, at);
        loop {
            at = past_blanks(text, at);
            match self.end(text, at) {
                Some(after) => at = after,
                None => return at == end,
            }
        }
    }

    /// The end of an element's line: after the comments that begin on it, before the line end.
    pub(super) fn tail(self, text: &str, mut at: usize) -> usize {
        loop {
            let next = past_blanks(text, at);
            match self.end(text, next) {
                Some(after) => at = after,
                None if next == lines::content_end(text, next) => return next,
                None => return at,
            }
        }
    }
}

fn past_blanks(text: &str, at: usize) -> usize {
    text.len() - text[at..].trim_start_matches([' ', '\t']).len()
}
