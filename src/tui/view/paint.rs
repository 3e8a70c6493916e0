//! The only file that writes text into cells. It takes [`SafeText`] alone, so that other people's
//! text cannot control the terminal.

use super::theme::{Meaning, Theme};
use crate::text::{Doc, DocLine, Role, SafeText};
use crate::tui::app::{ListPane, PairLayout};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// In fewer columns nothing is shown beside a title.
const LEAST_BESIDE: usize = 6;

/// How a text looks: by what it means or by its role in a document; and whether it was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    kind: Kind,
    found: bool,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Meaning(Meaning),
    Role(Role),
}

impl From<Meaning> for Look {
    fn from(meaning: Meaning) -> Self {
        Self { kind: Kind::Meaning(meaning), found: false }
    }
}

impl From<Role> for Look {
    fn from(role: Role) -> Self {
        Self { kind: Kind::Role(role), found: false }
    }
}

/// Texts with their looks, from left to right.
#[derive(Clone, Debug, Default)]
pub(super) struct Strip {
    parts: Vec<(SafeText, Look)>,
}

impl Strip {
    pub(super) fn of(text: SafeText, look: impl Into<Look>) -> Self {
        let mut strip = Self::default();
        strip.push(text, look);
        strip
    }

    /// The start of a list's row: the sign of the cursor on the current one.
    pub(super) fn row(current: bool) -> Self {
        Self::of(SafeText::fixed(if current { "▌" } else { " " }), Meaning::Accent)
    }

    /// Parts with a dot between them.
    pub(super) fn dotted(parts: impl IntoIterator<Item = (SafeText, Meaning)>) -> Self {
        let mut strip = Self::default();
        for (index, (text, meaning)) in parts.into_iter().enumerate() {
            strip.fixed(if index > 0 { " · " } else { "" }, Meaning::Muted).push(text, meaning);
        }
        strip
    }

    pub(super) fn push(&mut self, text: SafeText, look: impl Into<Look>) -> &mut Self {
        if !text.is_empty() {
            self.parts.push((text, look.into()));
        }
        self
    }

    pub(super) fn append(&mut self, other: Self) -> &mut Self {
        self.parts.extend(other.parts);
        self
    }

    pub(super) fn fixed(&mut self, words: &'static str, look: impl Into<Look>) -> &mut Self {
        self.push(SafeText::fixed(words), look)
    }

    pub(super) fn gap(&mut self, count: usize) -> &mut Self {
        self.push(SafeText::spaces(count), Meaning::Text)
    }

    /// Adds a text in which some byte ranges were found.
    pub(super) fn matched(
        &mut self,
        text: &SafeText,
        ranges: &[Range<usize>],
        look: impl Into<Look>,
    ) -> &mut Self {
        let plain = look.into();
        let hit = Look { found: true, ..plain };
        let mut part = String::new();
        let mut part_hit = false;
        for (at, grapheme) in text.as_str().grapheme_indices(true) {
            let is_hit =
                ranges.iter().any(|range| range.start < at + grapheme.len() && at < range.end);
            if is_hit != part_hit && !part.is_empty() {
                self.push(SafeText::clean(&part), if part_hit { hit } else { plain });
                part.clear();
            }
            part_hit = is_hit;
            part.push_str(grapheme);
        }
        self.push(SafeText::clean(&part), if part_hit { hit } else { plain })
    }

    fn is_blank(&self) -> bool {
        self.parts.iter().all(|(text, _)| text.as_str().trim().is_empty())
    }

    pub(super) fn width(&self) -> usize {
        self.parts.iter().map(|(text, _)| text.width()).sum()
    }

    /// Adds spaces up to a column.
    pub(super) fn until(&mut self, column: usize) -> &mut Self {
        let missing = column.saturating_sub(self.width());
        self.gap(missing)
    }
}

pub(super) struct Painter<'a> {
    pub(super) cells: &'a mut Buffer,
    pub(super) theme: Theme,
    pub(super) ascii: bool,
}

impl Painter<'_> {
    fn style(&self, look: Look) -> Style {
        let style = match look.kind {
            Kind::Meaning(meaning) => self.theme.style(meaning),
            Kind::Role(role) => self.theme.role(role),
        };
        if look.found { style.patch(self.theme.style(Meaning::Match)) } else { style }
    }

    /// Draws strips from the first row of `area` on. If there are more than rows, the last row ends
    /// in a `…`.
    pub(super) fn strips(&mut self, area: Rect, strips: &[Strip]) {
        let used = strips.iter().rposition(|strip| !strip.is_blank()).map_or(0, |last| last + 1);
        let last = usize::from(area.height).saturating_sub(1);
        for (index, (row, strip)) in rows(area).zip(strips).enumerate() {
            if index == last && used > last + 1 {
                let mut cut = strip.clone();
                self.strip(row, cut.fixed(" …", Meaning::Muted));
            } else {
                self.strip(row, strip);
            }
        }
    }

    /// Draws a strip on the first row of `area`, with a `…` if it does not fit.
    pub(super) fn strip(&mut self, area: Rect, strip: &Strip) {
        let area = area.intersection(self.cells.area);
        if area.is_empty() {
            return;
        }
        let last = strip.parts.iter().rposition(|(text, _)| !text.as_str().trim().is_empty());
        let parts = &strip.parts[..last.map_or(0, |last| last + 1)];
        let mut left: usize = parts.iter().map(|(text, _)| text.width()).sum();
        let mut column = area.x;
        for (text, look) in parts {
            let style = self.style(*look);
            let room = usize::from(area.right().saturating_sub(column));
            if left <= room || text.width() < room {
                column = self.put(column, area.y, text, style);
                left -= text.width();
                continue;
            }
            // The rest does not fit, so this part ends in the mark even if it fits itself.
            let mut cut = text.cut(room);
            if cut == *text {
                cut = text.cut(room.saturating_sub(1));
                if !cut.as_str().ends_with('…') {
                    cut.push(&SafeText::fixed("…"));
                }
            }
            self.put(column, area.y, &cut, style);
            return;
        }
    }

    pub(super) fn text(&mut self, area: Rect, text: &SafeText, meaning: Meaning) {
        self.strip(area, &Strip::of(text.clone(), meaning));
    }

    /// Says in a muted line what an area without rows waits for, or why it has none.
    pub(super) fn note(&mut self, area: Rect, words: &'static str) {
        self.text(area, &SafeText::fixed(words), Meaning::Muted);
    }

    /// Draws paragraphs, wrapped, with a margin at each side.
    pub(super) fn words(&mut self, area: Rect, words: &[(SafeText, Meaning)]) {
        let air = inset(area);
        let width = usize::from(air.width).max(1);
        let folded = words.iter().flat_map(|(text, meaning)| {
            let text = if text.is_empty() { vec![text.clone()] } else { text.fold(width) };
            text.into_iter().map(|line| Strip::of(line, *meaning))
        });
        self.strips(air, &folded.collect::<Vec<_>>());
    }

    /// Draws a strip that ends at the right edge of `area`; returns its columns.
    pub(super) fn strip_right(&mut self, area: Rect, strip: &Strip) -> u16 {
        let width = u16::try_from(strip.width()).unwrap_or(u16::MAX).min(area.width);
        self.strip(Rect { x: area.right() - width, width, ..area }, strip);
        width
    }

    /// Draws the lines of a document from `top` on; the link with the number `chosen` stands out.
    pub(super) fn doc(
        &mut self,
        area: Rect,
        doc: &Doc,
        top: usize,
        chosen: Option<u16>,
        ranges: impl Fn(&DocLine) -> Vec<Range<usize>>,
    ) {
        for (row, line) in rows(area).zip(doc.lines.iter().skip(top)) {
            let found = ranges(line);
            let mut strip = Strip::default();
            let mut start = 0;
            for span in &line.spans {
                let end = start + span.text.as_str().len();
                let within: Vec<Range<usize>> = found
                    .iter()
                    .map(|range| range.start.saturating_sub(start)..range.end.saturating_sub(start))
                    .filter(|range| !range.is_empty())
                    .collect();
                match span.role == chosen.map_or(Role::Plain, Role::Link) && chosen.is_some() {
                    true => strip.matched(&span.text, &within, Meaning::Chosen),
                    false => strip.matched(&span.text, &within, span.role),
                };
                start = end;
            }
            self.strip(row, &strip);
        }
    }

    /// A line along `area`, vertical if the area is one column wide.
    pub(super) fn line(&mut self, area: Rect) {
        let upright = area.width == 1;
        let style = self.theme.style(Meaning::Line);
        for row in rows(area) {
            for column in row.x..row.right() {
                self.put(column, row.y, &SafeText::fixed(if upright { "│" } else { "─" }), style);
            }
        }
    }

    /// Draws the name of a screen with the lines between its panes, and at the right `beside`, cut
    /// to the room beside the name.
    pub(super) fn frame(&mut self, panes: &PairLayout, name: &'static str, beside: &SafeText) {
        let mut strip = Strip::default();
        strip.fixed(" ‹ ", Meaning::Muted).fixed(name, Meaning::Accent);
        self.strip(panes.title, &strip);
        // Two columns between them, and one at the end.
        let room = usize::from(panes.title.width).saturating_sub(strip.width() + 3);
        if room >= beside.width().min(LEAST_BESIDE) {
            let mut right = Strip::of(beside.cut(room), Meaning::Muted);
            self.strip_right(panes.title, right.gap(1));
        }
        self.lines(panes);
    }

    /// The lines of a screen of one or two panes.
    pub(super) fn lines(&mut self, panes: &PairLayout) {
        if let Some(rule) = panes.rule {
            self.line(rule);
        }
        if let Some(divider) = panes.divider {
            self.line(divider);
            if let (Some(rule), 1) = (panes.rule, divider.width) {
                self.joint(divider.x, rule.y);
            }
        }
    }

    /// Gives the row with the cursor its background.
    pub(super) fn highlight(&mut self, row: Rect) {
        if let Some(colour) = self.theme.current_row() {
            let row = row.intersection(self.cells.area);
            self.cells.set_style(row, Style::new().bg(colour));
        }
    }

    pub(super) fn clear(&mut self, area: Rect) {
        for position in area.intersection(self.cells.area).positions() {
            self.cells[position].reset();
        }
    }

    /// The joint of a vertical line with the horizontal one above it.
    pub(super) fn joint(&mut self, column: u16, row: u16) {
        let style = self.theme.style(Meaning::Line);
        self.put(column, row, &SafeText::fixed("┬"), style);
    }

    /// A bar at the right edge that shows which part of `total` rows is visible; none if all are.
    pub(super) fn scroll_bar(&mut self, area: Rect, top: usize, total: usize) {
        let height = usize::from(area.height);
        if total <= height || area.is_empty() {
            return;
        }
        let size = (height * height / total).max(1);
        let start = (top * (height - size)).div_ceil((total - height).max(1)).min(height - size);
        let style = self.theme.style(Meaning::Line);
        for offset in start..start + size {
            let row = area.y + u16::try_from(offset).unwrap_or(u16::MAX);
            self.put(area.right() - 1, row, &SafeText::fixed("▐"), style);
        }
    }

    fn put(&mut self, column: u16, row: u16, text: &SafeText, style: Style) -> u16 {
        if !self.cells.area.contains((column, row).into()) {
            return column;
        }
        let room = usize::from(self.cells.area.right() - column);
        if self.ascii {
            return self.cells.set_stringn(column, row, text.in_ascii().as_str(), room, style).0;
        }
        self.cells.set_stringn(column, row, text.as_str(), room, style).0
    }
}

/// The area without the column of its scroll bar, if so many rows need one. What is cut there ends
/// in a mark that the bar does not hide.
pub(super) fn beside_bar(area: Rect, total: usize) -> Rect {
    let bar = u16::from(total > usize::from(area.height));
    Rect { width: area.width.saturating_sub(bar), ..area }
}

/// The area without a column at each side.
pub(super) fn inset(area: Rect) -> Rect {
    Rect { x: area.x + 1.min(area.width), width: area.width.saturating_sub(2), ..area }
}

/// The first row of an area.
pub(super) fn first_row(area: Rect) -> Rect {
    Rect { height: 1.min(area.height), ..area }
}

pub(super) fn rows(area: Rect) -> impl Iterator<Item = Rect> {
    (area.y..area.bottom()).map(move |y| Rect { y, height: 1, ..area })
}

/// A visible row of a list.
pub(super) struct Shown<'a, T> {
    pub(super) area: Rect,
    pub(super) item: &'a T,
    pub(super) index: usize,
    /// Whether the cursor is on it.
    pub(super) current: bool,
}

/// The rows of a list that are visible in an area, each beside the scroll bar.
pub(super) fn shown<'a, T>(
    area: Rect,
    list: &ListPane,
    items: &'a [T],
) -> impl Iterator<Item = Shown<'a, T>> {
    let cursor = list.cursor;
    let each = rows(beside_bar(area, items.len())).zip(items.iter().zip(0..).skip(list.top));
    each.map(move |(area, (item, index))| Shown { area, item, index, current: index == cursor })
}
