//! The inside of brackets: elements between commas, on one line or on many, with comments among them.

use super::lines;
use std::ops::Range;

/// A bracketed list in a text.
pub(super) struct Commas<'t> {
    text: &'t str,
    /// Offset of the opening bracket.
    open: usize,
    /// Offset of the closing bracket.
    close: usize,
    /// The elements, without commas and blanks.
    items: Vec<Range<usize>>,
}

impl<'t> Commas<'t> {
    /// `span` is that of the brackets, `ends` says where each element ends, in the order of the text.
    pub(super) fn new(text: &'t str, span: Range<usize>, ends: &[usize]) -> Self {
        let close = span.end.saturating_sub(1);
        let mut from = span.start + 1;
        let mut items = Vec::new();
        for end in ends {
            items.push(skip(text, from)..*end);
            from = comma(text, *end).map_or(*end, |comma| comma + 1);
        }
        Self { text, open: span.start, close, items }
    }

    /// The text with one more element at the end.
    pub(super) fn pushed(&self, element: &str, pad: &str) -> String {
        let Some(last) = self.items.last() else { return self.first(element, pad) };
        let separator = comma(self.text, last.end);
        let after = separator.map_or(last.end, |comma| comma + 1);
        if !self.text[after..self.close].contains('\n') {
            let new = if separator.is_some() { format!(" {element},") } else { format!(", {element}") };
            return self.with(&[(after..after, &new)]);
        }
        let own_line = self.text[lines::start(self.text, last.start)..last.start].trim().is_empty();
        let indent = if own_line { lines::indent(self.text, last.start).to_owned() } else { self.deeper() };
        let at = lines::content_end(self.text, after);
        let ending = lines::ending(self.text, after);
        let trailing = if separator.is_some() { "," } else { "" };
        let line = format!("{ending}{indent}{element}{trailing}");
        match separator {
            Some(_) => self.with(&[(at..at, &line)]),
            // The comma belongs right after the element, before the comment of its line.
            None => self.with(&[(after..after, ","), (at..at, &line)]),
        }
    }

    /// The text without one of the elements; with the comment of its own line, if it has that line for itself.
    pub(super) fn removed(&self, index: usize) -> String {
        let Some(item) = self.items.get(index) else { return self.text.to_owned() };
        let text = self.text;
        let separator = comma(text, item.end);
        let after = separator.map_or(item.end, |comma| comma + 1);
        let previous = index.checked_sub(1).and_then(|index| self.items.get(index));
        // The last of several without a comma: the comma before it goes with it.
        let orphan = previous.filter(|_| separator.is_none()).and_then(|previous| comma(text, previous.end));
        let line = lines::start(text, item.start)..lines::end(text, after);
        let alone = text[line.start..item.start].trim().is_empty() && {
            let rest = text[after..lines::content_end(text, after)].trim_start();
            (rest.is_empty() || rest.starts_with('#')) && line.start > self.open && line.end <= self.close
        };
        let cut = if alone {
            line
        } else if let Some(next) = self.items.get(index + 1).filter(|next| !text[after..next.start].contains('\n')) {
            item.start..next.start
        } else {
            text[..item.start].trim_end_matches([' ', '\t']).len()..after
        };
        let changed = match orphan {
            Some(comma) if comma < cut.start => self.with(&[(comma..comma + 1, ""), (cut.clone(), "")]),
            Some(comma) => self.with(&[(comma..cut.end, "")]),
            None => self.with(&[(cut.clone(), "")]),
        };
        if self.items.len() > 1 { changed } else { self.closed(&changed) }
    }

    /// Brackets that hold nothing but blanks are drawn together.
    fn closed(&self, changed: &str) -> String {
        let close = changed.len() - (self.text.len() - self.close);
        match changed.get(self.open + 1..close) {
            Some(inside) if inside.trim().is_empty() => format!("{}{}", &changed[..=self.open], &changed[close..]),
            _ => changed.to_owned(),
        }
    }

    fn first(&self, element: &str, pad: &str) -> String {
        let inside = self.open + 1..self.close;
        if self.text[inside.clone()].trim().is_empty() {
            return self.with(&[(inside, &format!("{pad}{element}{pad}"))]);
        }
        // Only comments: the element goes below them, on the line before the closing bracket.
        let ending = lines::ending(self.text, self.open);
        let start = lines::start(self.text, self.close);
        let deeper = self.deeper();
        self.with(&[(start..start, &format!("{deeper}{element},{ending}"))])
    }

    fn deeper(&self) -> String {
        format!("{}  ", lines::indent(self.text, self.open))
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

/// The comma that follows, if nothing but blanks and comments stand before it.
fn comma(text: &str, from: usize) -> Option<usize> {
    let at = skip(text, from);
    text[at..].starts_with(',').then_some(at)
}

/// Past blanks, line ends and comments.
fn skip(text: &str, mut at: usize) -> usize {
    loop {
        at = text.len() - text[at..].trim_start_matches([' ', '\t', '\r', '\n']).len();
        if !text[at..].starts_with('#') {
            return at;
        }
        at = lines::end(text, at);
    }
}
