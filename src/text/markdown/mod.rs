//! Markdown as a readable [`Doc`] that hides nothing of the source.
//!
//! A person can read whatever a model reads in a skill: links show their targets, HTML and comments
//! are text, images have their name and target, and unused reference definitions are listed at the
//! end. Cells beyond the head's columns, which GFM drops, are shown as source in the last cell. The
//! parser is pulldown-cmark. The layout is ours, because no line may be wider than the pane,
//! however deep it is nested.
//!
//! It knows no colours, and highlights only code fences.

mod blocks;
mod inline;
mod table;

use super::wrap::{self, Indent};
use super::{Cutoff, Doc, DocLine, DocSpan, Limit, Role, SafeText, code, source};
use blocks::{Container, Containers};
use inline::Inline;
use pulldown_cmark::{
    CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd, TextMergeWithOffset,
};
use std::collections::HashSet;
use std::ops::Range;
use table::Table;

/// The most blocks that are shown. Rows of tables and items of lists are blocks too.
const MAX_BLOCKS: usize = 10_000;

/// The most parser events that are read. Real files have about 60 in a kilobyte.
const MAX_EVENTS: usize = 100_000;

/// The most signs with a meaning in markdown that are read. The parser keeps about a hundred bytes
/// for each. Real files have 30 to 220 in a kilobyte.
const MAX_SIGNS: usize = 100_000;

/// Whether code fences are highlighted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Paint {
    /// Without highlighting, which is quick: for the first frame.
    #[default]
    Plain,
    /// With highlighting, within the time that [`code::highlight`] gives one document.
    Syntax,
}

/// The extensions of CommonMark that are read.
pub const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS);

/// The byte ranges of all code blocks, fenced or indented, nested or not. They are in order and do
/// not overlap.
pub fn code_blocks(source: &str) -> Vec<Range<usize>> {
    let events = Parser::new_ext(source, OPTIONS).into_offset_iter();
    events
        .filter(|(event, _)| matches!(event, Event::Start(Tag::CodeBlock(_))))
        .map(|(_, range)| range)
        .collect()
}

/// Renders markdown without frontmatter in lines of at most `columns`; 0 counts as 1.
///
/// The first 1 MiB, 10,000 blocks and 100,000 signs of markdown are shown; a cut is marked at the
/// end and in [`Doc::cut`].
pub fn render(source: &str, columns: usize, paint: Paint) -> Doc {
    // A mark of the encoding is no text.
    let (shown, cut) = source::head(source.strip_prefix('\u{feff}').unwrap_or(source));
    let (shown, cut) = readable(shown).map_or((shown, cut), |(head, at)| (head, Some(at)));
    let parser = Parser::new_ext(shown, OPTIONS).into_offset_iter();
    let mut unused: Vec<(Range<usize>, String)> = parser
        .reference_definitions()
        .iter()
        .map(|(label, definition)| (definition.span.clone(), label.to_lowercase()))
        .collect();
    unused.sort_by_key(|(span, _)| span.start);
    let mut renderer = Renderer::new(shown, columns.max(1), paint);
    let mut limit = None;
    for (index, (event, range)) in TextMergeWithOffset::new(parser).enumerate() {
        let line = renderer.line_of(range.start);
        if index >= MAX_EVENTS || renderer.blocks > MAX_BLOCKS {
            limit = Some(Cutoff { limit: Limit::Blocks, source: line });
            break;
        }
        if renderer.full {
            break;
        }
        if let Event::End(TagEnd::TableRow) = event {
            renderer.dropped_cells(range.end, line);
        }
        renderer.event(event, &range, line);
    }
    renderer.flush();
    if limit.is_none() {
        renderer.definitions(unused);
    }
    renderer.doc.links = std::mem::take(&mut renderer.inline.targets);
    let columns = renderer.columns;
    renderer.doc.end(limit.or(cut), columns);
    renderer.doc
}

/// The part before the first of too many signs, if there are too many.
fn readable(source: &str) -> Option<(&str, Cutoff)> {
    let is_sign = |byte: &u8| b"*_[]<>&`~|\\".contains(byte);
    let (end, _) = source.bytes().enumerate().filter(|(_, byte)| is_sign(byte)).nth(MAX_SIGNS)?;
    let shown = &source[..end];
    let breaks = memchr::memchr_iter(b'\n', shown.as_bytes()).count();
    Some((shown, Cutoff { limit: Limit::Blocks, source: source::number(breaks) }))
}

/// A block whose text is gathered before it is laid out.
enum Gathering {
    Code { label: String, text: String, first: Option<u32> },
    Html { text: String, first: u32 },
}

#[derive(Default)]
struct Renderer<'a> {
    source: &'a str,
    /// The byte at which each line of the source starts.
    starts: Vec<usize>,
    columns: usize,
    paint: Paint,
    budget: code::Budget,
    doc: Doc,
    full: bool,
    blocks: usize,
    containers: Containers,
    inline: Inline,
    gathering: Option<Gathering>,
    table: Option<Table>,
    /// Where the current cell of the table ends in the source.
    cell_end: usize,
    /// Whether a blank line is due before the next block.
    blank: bool,
    /// Labels of definitions, lower-cased, that a link used.
    used: HashSet<String>,
}

impl<'a> Renderer<'a> {
    fn new(source: &'a str, columns: usize, paint: Paint) -> Self {
        let breaks = memchr::memchr_iter(b'\n', source.as_bytes()).map(|at| at + 1);
        Self {
            source,
            starts: std::iter::once(0).chain(breaks).collect(),
            columns,
            paint,
            ..Self::default()
        }
    }

    fn line_of(&self, offset: usize) -> u32 {
        source::number(self.starts.partition_point(|&start| start <= offset).saturating_sub(1))
    }

    fn event(&mut self, event: Event<'_>, range: &Range<usize>, line: u32) {
        match event {
            Event::Start(tag) => self.start(tag, range, line),
            Event::End(tag) => self.end(tag, line),
            Event::Text(text) => self.text(&text, line),
            Event::Html(text) => match &mut self.gathering {
                Some(Gathering::Html { text: html, .. }) => html.push_str(&text),
                _ => self.inline.push(&text, Role::Html, line),
            },
            Event::InlineHtml(text) => self.inline.push(&text, Role::Html, line),
            Event::Code(text) => self.inline.push(&text, Role::Code, line),
            Event::FootnoteReference(label) => {
                self.inline.push(&format!("[^{label}]"), Role::Bullet, line)
            }
            Event::SoftBreak => self.inline.soft_break(line.saturating_add(1)),
            Event::HardBreak => self.inline.hard_break(line.saturating_add(1)),
            Event::Rule => self.rule(line),
            Event::TaskListMarker(done) => self.task(done, line),
            // These extensions are not enabled. Should they occur, they are shown as written.
            Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.inline.push(&text, Role::Code, line)
            }
        }
    }

    fn text(&mut self, raw: &str, line: u32) {
        match &mut self.gathering {
            Some(Gathering::Code { text, first, .. }) => {
                first.get_or_insert(line);
                text.push_str(raw);
            }
            Some(Gathering::Html { text, .. }) => text.push_str(raw),
            None => self.inline.text(raw, line),
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: &Range<usize>, line: u32) {
        match tag {
            Tag::Emphasis => self.inline.emphasis += 1,
            Tag::Strong => self.inline.strong += 1,
            Tag::Strikethrough => self.inline.strike += 1,
            Tag::Link { link_type, dest_url, title, id } => {
                self.used.insert(id.to_lowercase());
                // The text of `<https://…>` is its target.
                let shown = matches!(link_type, LinkType::Autolink | LinkType::Email);
                self.inline.open_link(&dest_url, &title, shown);
            }
            Tag::Image { dest_url, title, id, .. } => {
                self.used.insert(id.to_lowercase());
                self.inline.open_link(&dest_url, &title, false);
                self.inline.mark("[image: ", line);
            }
            Tag::TableHead => self.table_row(true, line),
            Tag::TableRow => self.table_row(false, line),
            Tag::TableCell => self.cell_end = range.end,
            block => self.start_block(block, range, line),
        }
    }

    fn start_block(&mut self, tag: Tag<'_>, range: &Range<usize>, line: u32) {
        self.flush();
        self.blocks += 1;
        if !matches!(tag, Tag::List(_)) {
            self.blank_line(line);
        }
        match tag {
            Tag::Heading { level, .. } => self.inline.heading = Some(level as u8),
            Tag::BlockQuote(_) => self.containers.open.push(Container::Quote),
            Tag::List(first) => self.containers.lists.push(first),
            Tag::Item => self.containers.open_item(),
            Tag::FootnoteDefinition(label) => {
                self.containers.open_marked(SafeText::line(&format!("[^{label}]: ")));
            }
            Tag::Table(alignments) => self.table = Some(Table::new(alignments)),
            Tag::HtmlBlock => {
                self.gathering = Some(Gathering::Html { text: String::new(), first: line })
            }
            Tag::CodeBlock(kind) => {
                let (label, first) = match kind {
                    CodeBlockKind::Fenced(info) => (info.to_string(), None),
                    CodeBlockKind::Indented => (String::new(), Some(self.line_of(range.start))),
                };
                self.gathering = Some(Gathering::Code { label, text: String::new(), first });
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, line: u32) {
        match tag {
            TagEnd::Emphasis => self.inline.emphasis = self.inline.emphasis.saturating_sub(1),
            TagEnd::Strong => self.inline.strong = self.inline.strong.saturating_sub(1),
            TagEnd::Strikethrough => self.inline.strike = self.inline.strike.saturating_sub(1),
            TagEnd::Link => self.inline.close_link(line),
            TagEnd::Image => {
                self.inline.mark("]", line);
                self.inline.close_link(line);
            }
            TagEnd::TableHead | TagEnd::TableRow => self.inline.table_head = false,
            TagEnd::TableCell => {
                let cell = self.inline.take().concat();
                if let Some(table) = &mut self.table {
                    table.add_cell(cell);
                }
            }
            TagEnd::Item | TagEnd::FootnoteDefinition => {
                self.flush();
                self.empty_item(line);
                self.containers.open.pop();
                self.blank |= tag == TagEnd::FootnoteDefinition;
            }
            TagEnd::List(_) => {
                self.containers.lists.pop();
                self.blank |= self.containers.lists.is_empty();
            }
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.containers.open.pop();
                self.blank = true;
            }
            _ => {
                self.flush();
                self.blank = true;
            }
        }
    }

    /// Adds the source of cells beyond the head's columns, for which the parser has no events.
    fn dropped_cells(&mut self, row_end: usize, line: u32) {
        let rest = self.source.get(self.cell_end..row_end).unwrap_or_default().trim();
        if rest.chars().any(|c| c != '|' && !c.is_whitespace())
            && let Some(table) = &mut self.table
        {
            table.add_to_cell(DocLine::of(SafeText::line(&format!(" {rest}")), Role::Html, line));
        }
    }

    fn table_row(&mut self, head: bool, line: u32) {
        self.blocks += 1;
        self.inline.table_head = head;
        if let Some(table) = &mut self.table {
            table.add_row(line);
        }
    }

    fn task(&mut self, done: bool, line: u32) {
        let span = if done {
            DocSpan::fixed("☑ ", Role::TaskDone)
        } else {
            DocSpan::fixed("☐ ", Role::TaskOpen)
        };
        if let Some(span) = self.containers.mark_task(span) {
            self.inline.push(span.text.as_str(), span.role, line);
        }
    }
}

#[cfg(test)]
mod tests;
