//! The containers of a block, and how blocks become lines.

use super::super::wrap::fitting;
use super::*;
use crate::inert;

/// Bullets by depth.
const BULLETS: [&str; 3] = ["• ", "◦ ", "▪ "];

/// A container with a prefix for each of its lines.
pub(super) enum Container {
    Quote,
    /// An item of a list or a footnote, with a marker before its first line.
    Item {
        marker: DocSpan,
        pending: bool,
        width: usize,
    },
}

/// The containers of the current block, outermost first.
#[derive(Default)]
pub(super) struct Containers {
    pub(super) open: Vec<Container>,
    /// For each list around it the number of the next item, if it is numbered.
    pub(super) lists: Vec<Option<u64>>,
}

impl Containers {
    pub(super) fn open_item(&mut self) {
        let depth = self.lists.len().saturating_sub(1);
        let text = match self.lists.last_mut() {
            Some(Some(number)) => {
                let text = inert!("{}. ", *number);
                *number = number.saturating_add(1);
                text
            }
            _ => SafeText::fixed(BULLETS[depth % BULLETS.len()]),
        };
        self.open_marked(text);
    }

    pub(super) fn open_marked(&mut self, text: SafeText) {
        let width = text.width();
        self.open.push(Container::Item {
            marker: DocSpan::new(text, Role::Bullet),
            pending: true,
            width,
        });
    }

    /// Puts the box of a task in place of the item's bullet. Returns it if the item has a number
    /// instead.
    pub(super) fn mark_task(&mut self, span: DocSpan) -> Option<DocSpan> {
        match (self.open.last_mut(), self.lists.last()) {
            (Some(Container::Item { marker, pending: true, .. }), Some(None)) => {
                *marker = span;
                None
            }
            _ => Some(span),
        }
    }

    /// The prefix of the next block's lines; its markers count as shown. Containers beyond half of
    /// the columns get no columns. The innermost marker of those is returned separately.
    fn indent(&mut self, columns: usize) -> (Indent, Option<DocSpan>) {
        let mut indent = Indent::default();
        let mut room = columns / 2;
        for container in &mut self.open {
            let (first, rest) = match container {
                Container::Quote => (quote(), quote()),
                Container::Item { marker, pending, width } => {
                    let rest = DocSpan::new(SafeText::spaces(*width), Role::Plain);
                    (if *pending { marker.clone() } else { rest.clone() }, rest)
                }
            };
            let Some(left) = room.checked_sub(rest.text.width()) else { break };
            room = left;
            indent.first.push(first);
            indent.rest.push(rest);
            if let Container::Item { pending, .. } = container {
                *pending = false;
            }
        }
        let apart = match self.open.last_mut() {
            Some(Container::Item { marker, pending, .. }) if *pending => {
                *pending = false;
                Some(marker.clone())
            }
            _ => None,
        };
        (indent, apart)
    }

    /// The prefix of a blank line: the bars of quotations, without the space at the end.
    fn blank(&self, columns: usize) -> Vec<DocSpan> {
        let spans = self.open.iter().take(columns).map(|container| match container {
            Container::Quote => quote(),
            Container::Item { width, .. } => DocSpan::new(SafeText::spaces(*width), Role::Plain),
        });
        let mut spans = fitting(&spans.collect::<Vec<_>>(), columns);
        while spans.last().is_some_and(|span| span.role == Role::Plain) {
            spans.pop();
        }
        if let Some(bar) = spans.last_mut() {
            bar.text = bar.text.trim_end();
        }
        spans
    }
}

fn quote() -> DocSpan {
    DocSpan::fixed("│ ", Role::Quote)
}

impl Renderer<'_> {
    fn push(&mut self, lines: impl IntoIterator<Item = DocLine>) {
        self.full |= !lines.into_iter().all(|line| self.doc.push(line));
    }

    /// The blank line that is due between blocks, if one is.
    pub(super) fn blank_line(&mut self, source: u32) {
        if std::mem::take(&mut self.blank) && !self.doc.lines.is_empty() {
            let spans = self.containers.blank(self.columns);
            self.push([DocLine { spans, source }]);
        }
    }

    /// Lays out what was gathered.
    pub(super) fn flush(&mut self) {
        match self.gathering.take() {
            Some(Gathering::Code { label, text, first }) => self.code_block(&label, &text, first),
            Some(Gathering::Html { text, first }) => self.html(&text, first),
            None => {}
        }
        if let Some(table) = self.table.take() {
            let cell = self.inline.take().concat();
            self.lay_out(table, cell);
        }
        for part in self.inline.take() {
            self.paragraph(part);
        }
    }

    fn paragraph(&mut self, mut lines: Vec<DocLine>) {
        let (indent, apart) = self.containers.indent(self.columns);
        if let (Some(marker), Some(line)) = (apart, lines.first_mut()) {
            line.spans.insert(0, marker);
        }
        self.push(wrap::words(&lines, self.columns, &indent));
    }

    /// An item without content still shows its marker.
    pub(super) fn empty_item(&mut self, source: u32) {
        if let Some(Container::Item { pending: true, .. }) = self.containers.open.last() {
            self.paragraph(vec![DocLine { spans: Vec::new(), source }]);
        }
    }

    pub(super) fn rule(&mut self, source: u32) {
        self.flush();
        self.blocks += 1;
        self.blank_line(source);
        let (indent, _) = self.containers.indent(self.columns);
        let used = indent.first.iter().map(|span| span.text.width()).sum::<usize>();
        let text = SafeText::line(&"─".repeat(self.columns.saturating_sub(used).max(1)));
        self.push(wrap::hard(&DocLine::of(text, Role::Rule, source), self.columns, &indent));
        self.blank = true;
    }

    fn code_block(&mut self, label: &str, text: &str, first: Option<u32>) {
        let first = first.unwrap_or(1);
        let language = match self.paint {
            Paint::Syntax => label.split([' ', ',', '{', '\t']).next().unwrap_or_default(),
            Paint::Plain => "",
        };
        if !label.trim().is_empty() {
            let label = DocLine::of(
                SafeText::line(label.trim()),
                Role::CodeLabel,
                first.saturating_sub(1).max(1),
            );
            let indent = self.code_indent();
            self.push(wrap::words(&[label], self.columns, &indent));
        }
        for (line, cut) in code::lines(text, language, first, &mut self.budget) {
            if let Some(cut) = cut {
                self.doc.note_cut(cut.limit, cut.source);
            }
            let indent = self.code_indent();
            self.push(code::broken(&line, self.columns, &indent));
            if self.full {
                break;
            }
        }
    }

    /// Code is indented by two more columns.
    fn code_indent(&mut self) -> Indent {
        let (mut indent, apart) = self.containers.indent(self.columns);
        indent.first.extend(apart);
        indent.first.push(DocSpan::fixed("  ", Role::Plain));
        indent.rest.push(DocSpan::fixed("  ", Role::Plain));
        indent
    }

    fn html(&mut self, text: &str, first: u32) {
        for (number, line) in source::lines(text) {
            let (line, cut) =
                source::plain_line(line, Role::Html, first.saturating_add(number - 1));
            if let Some(cut) = cut {
                self.doc.note_cut(cut.limit, cut.source);
            }
            self.paragraph(vec![line]);
            if self.full {
                break;
            }
        }
    }

    fn lay_out(&mut self, mut table: Table, rest: Vec<DocLine>) {
        if !rest.is_empty() {
            table.add_cell(rest);
        }
        let (mut indent, apart) = self.containers.indent(self.columns);
        if let Some(marker) = apart {
            self.push([DocLine {
                spans: fitting(&[marker], self.columns),
                source: table.source(),
            }]);
        }
        let used = indent.rest.iter().map(|span| span.text.width()).sum::<usize>();
        for mut line in table.lines(self.columns.saturating_sub(used).max(1)) {
            let before = std::mem::replace(&mut indent.first, indent.rest.clone());
            line.spans.splice(0..0, before);
            self.push([line]);
            if self.full {
                break;
            }
        }
    }

    /// Lists the reference definitions that no link used, which markdown would hide.
    pub(super) fn definitions(&mut self, all: Vec<(Range<usize>, String)>) {
        for (span, label) in all.into_iter().take(MAX_BLOCKS) {
            if self.full || self.used.contains(&label) {
                continue;
            }
            let source = self.line_of(span.start);
            self.blank_line(source);
            let raw = self.source.get(span).unwrap_or_default();
            self.push(wrap::words(
                &[DocLine::of(SafeText::line(raw.trim_end()), Role::Html, source)],
                self.columns,
                &Indent::default(),
            ));
        }
    }
}
