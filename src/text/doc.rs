//! [`Doc`]: a document as lines of (text, role), ready to be coloured by a view.

use super::SafeText;
use crate::inert;

/// Lines of output that a document may have; more is cut with a mark.
pub(super) const MAX_LINES: usize = 50_000;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doc {
    pub lines: Vec<DocLine>,
    /// The first limit that was reached. A line at that place says so.
    pub cut: Option<Cutoff>,
    /// Where its links lead, by their numbers. Other people's text.
    pub links: Vec<String>,
}

/// One line of a [`Doc`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocLine {
    /// The text, in parts of one role each.
    pub spans: Vec<DocSpan>,
    /// Its line in the source, from 1.
    pub source: u32,
}

/// Text of one role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocSpan {
    pub text: SafeText,
    pub role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiffKind {
    /// `---`, `+++` or `@@`.
    Header,
    Context,
    Added,
    Removed,
}

/// What a span means. A theme decides how that looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    #[default]
    Plain,
    /// A heading, of level 1 to 6.
    Heading(u8),
    Strong,
    Emphasis,
    /// Strong and emphasized.
    StrongEmphasis,
    Strike,
    /// Code inside a sentence.
    Code,
    /// A code block without highlighting.
    CodeBlock,
    /// The label of a code block, mostly its language.
    CodeLabel,
    /// The bar of a quotation.
    Quote,
    /// A bullet or number of a list, or the label of a footnote.
    Bullet,
    /// The box of a task that is done.
    TaskDone,
    /// The box of a task that is open.
    TaskOpen,
    /// The text of a link or image, with the number of its target in [`Doc::links`].
    Link(u16),
    /// Where a link leads, shown in full.
    LinkTarget,
    /// The lines of a table.
    TableRule,
    /// A cell in a table's head.
    TableHead,
    Rule,
    /// HTML, shown as text.
    Html,
    /// Two pixels of a picture, one above the other, as red, green and blue: in the colour of the
    /// character, and of its background if that is a pixel too.
    Pixels([u8; 3], Option<[u8; 3]>),
    /// Our own words, such as marks of cuts.
    Muted,
    Syntax(Syntax),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Syntax {
    Comment,
    Keyword,
    String,
    Number,
    Constant,
    Function,
    Type,
    Variable,
    Operator,
    Punctuation,
    Tag,
    Attribute,
    Escape,
    Inserted,
    Deleted,
    Heading,
}

/// A limit that was reached: part of the source is not shown, or not in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cutoff {
    pub limit: Limit,
    /// The first source line that is not shown in full, from 1.
    pub source: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// The source is longer than 1 MiB.
    Bytes,
    /// There are more than 10,000 blocks of markdown, or more inline parts than anyone writes.
    Blocks,
    /// There are more lines than [`MAX_LINES`].
    Lines,
    /// A line is longer than 2,000 characters.
    LineLength,
}

impl Cutoff {
    /// The message at the place of the cut.
    pub fn note(&self) -> SafeText {
        match self.limit {
            Limit::Bytes => inert!("… cut at line {}: only the first 1 MiB is shown", self.source),
            Limit::Blocks => inert!("… cut at line {}: too much markdown", self.source),
            Limit::Lines => inert!("… cut at line {}: too many lines", self.source),
            Limit::LineLength => inert!("… line {} is cut: it is too long", self.source),
        }
    }
}

impl DocSpan {
    /// Text with its role.
    pub fn new(text: SafeText, role: Role) -> Self {
        Self { text, role }
    }

    /// For our own words.
    pub fn fixed(words: &'static str, role: Role) -> Self {
        Self::new(SafeText::fixed(words), role)
    }
}

impl DocLine {
    /// A line of one span.
    pub fn of(text: SafeText, role: Role, source: u32) -> Self {
        Self { spans: vec![DocSpan::new(text, role)], source }
    }

    /// Columns. Spans are drawn one after the other, so this is the sum of theirs.
    pub fn width(&self) -> usize {
        self.spans.iter().map(|span| span.text.width()).sum()
    }

    /// Its text without roles.
    pub fn plain(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }
}

impl Doc {
    /// The text of all lines without roles, each line ended with a line break.
    pub fn text(&self) -> String {
        self.lines.iter().map(|line| line.plain() + "\n").collect()
    }

    /// Remembers the cut, unless an earlier one is known.
    pub(super) fn note_cut(&mut self, limit: Limit, source: u32) {
        self.cut.get_or_insert(Cutoff { limit, source });
    }

    /// Adds a line. Returns `false` and notes a cut if there is no room.
    pub(super) fn push(&mut self, line: DocLine) -> bool {
        if self.lines.len() < MAX_LINES {
            self.lines.push(line);
            return true;
        }
        self.note_cut(Limit::Lines, line.source);
        false
    }

    /// Says at the end that only the first part of the text was read, unless the document was cut
    /// before.
    pub fn end_early(&mut self, columns: usize) {
        let is_cut = self.cut.is_some_and(|cut| cut.limit != Limit::LineLength);
        let last = self.lines.last().map_or(1, |line| line.source);
        if !is_cut {
            self.end(Some(Cutoff { limit: Limit::Bytes, source: last }), columns);
        }
    }

    /// Ends the document. If a limit cut it, now or while it was filled, the last line says so.
    pub(super) fn end(&mut self, cut: Option<Cutoff>, columns: usize) {
        let full = self.cut.filter(|cut| matches!(cut.limit, Limit::Lines | Limit::Blocks));
        if let Some(cut) = full.or(cut) {
            self.note_cut(cut.limit, cut.source);
            self.lines.push(DocLine::of(cut.note().cut(columns.max(1)), Role::Muted, cut.source));
        }
    }
}
