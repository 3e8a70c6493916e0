//! Gathers the text of one block: spans with roles, by source line.

use super::super::{DocLine, DocSpan, Role, SafeText};

/// Links beyond this number lead nowhere.
const MAX_LINKS: u16 = 10_000;

/// A link or image whose text is being read.
struct Link {
    /// Its number.
    number: u16,
    /// What is shown of it after its text; empty if its text is the target.
    target: String,
    /// The text read so far. If it is the target itself, the target is not repeated.
    label: String,
}

/// The inline content of a block.
#[derive(Default)]
pub(super) struct Inline {
    pub(super) emphasis: usize,
    pub(super) strong: usize,
    pub(super) strike: usize,
    pub(super) heading: Option<u8>,
    pub(super) table_head: bool,
    links: Vec<Link>,
    /// Where the links lead, by their numbers.
    pub(super) targets: Vec<String>,
    /// The parts between hard breaks, each by source line.
    parts: Vec<Vec<DocLine>>,
}

impl Inline {
    pub(super) fn text(&mut self, raw: &str, source: u32) {
        let role = self.role();
        self.push(raw, role, source);
    }

    /// Adds text of this role.
    pub(super) fn push(&mut self, raw: &str, role: Role, source: u32) {
        let role = match self.links.last_mut() {
            Some(link) => {
                link.label.push_str(raw);
                Role::Link(link.number)
            }
            None => role,
        };
        self.add(DocSpan::new(SafeText::line(raw), role), source);
    }

    /// Adds words of ours around the text of a link, which are no part of it.
    pub(super) fn mark(&mut self, words: &'static str, source: u32) {
        let role = self.links.last().map_or(Role::Muted, |link| Role::Link(link.number));
        self.add(DocSpan::fixed(words, role), source);
    }

    fn add(&mut self, span: DocSpan, source: u32) {
        if self.parts.is_empty() {
            self.parts.push(Vec::new());
        }
        let Some(part) = self.parts.last_mut() else { return };
        match part.last_mut() {
            Some(line) => line.spans.push(span),
            None => part.push(DocLine { spans: vec![span], source }),
        }
    }

    /// The source continues on line `source`, and the text after a space.
    pub(super) fn soft_break(&mut self, source: u32) {
        if let Some(link) = self.links.last_mut() {
            link.label.push(' ');
        }
        if let Some(part) = self.parts.last_mut() {
            part.push(DocLine { spans: Vec::new(), source });
        }
    }

    /// A new line of the text.
    pub(super) fn hard_break(&mut self, source: u32) {
        self.parts.push(vec![DocLine { spans: Vec::new(), source }]);
    }

    /// Begins a link. Its target and title are shown at its end, unless its text is the target
    /// (`is_target`).
    pub(super) fn open_link(&mut self, target: &str, title: &str, is_target: bool) {
        let title = if title.is_empty() { String::new() } else { format!(" \"{title}\"") };
        let shown = if is_target { String::new() } else { format!("{target}{title}") };
        let number = match u16::try_from(self.targets.len()).ok().filter(|it| *it < MAX_LINKS) {
            Some(number) => {
                self.targets.push(target.to_owned());
                number
            }
            None => MAX_LINKS,
        };
        self.links.push(Link { number, target: shown, label: String::new() });
    }

    /// Ends a link: adds its whole target, unless that is its text.
    pub(super) fn close_link(&mut self, source: u32) {
        let Some(link) = self.links.pop() else { return };
        if let Some(outer) = self.links.last_mut() {
            outer.label.push_str(&link.label);
        }
        if !link.target.is_empty() && link.target != link.label {
            self.add(DocSpan::fixed(" ", Role::Plain), source);
            let shown = SafeText::line(&format!("({})", link.target));
            self.add(DocSpan::new(shown, Role::LinkTarget), source);
        }
    }

    /// Takes everything that was gathered, by part and source line.
    pub(super) fn take(&mut self) -> Vec<Vec<DocLine>> {
        self.heading = None;
        std::mem::take(&mut self.parts)
    }

    fn role(&self) -> Role {
        match (self.heading, self.strong > 0, self.emphasis > 0) {
            (Some(level), _, _) => Role::Heading(level),
            _ if self.table_head => Role::TableHead,
            _ if self.strike > 0 => Role::Strike,
            (None, true, true) => Role::StrongEmphasis,
            (None, true, false) => Role::Strong,
            (None, false, true) => Role::Emphasis,
            (None, false, false) => Role::Plain,
        }
    }
}
