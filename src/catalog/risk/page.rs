//! A file as the rules see it: lines of normalised text, each with its context and its place.

use super::SHOWN;
use super::context::Context;
use crate::text::{SafeText, is_hidden};
use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization;

/// The most lines that are joined to one, and the most bytes.
const JOINED: (usize, usize) = (40, 16 << 10);

/// A line of commands or of text. A line that goes on in the next one is one line.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) context: Context,
    /// Where it begins, from 1.
    pub(super) number: u32,
    /// Without hidden characters, and in the normal form NFKC.
    pub(super) text: String,
    /// Where in `text` each further line of the file begins.
    breaks: Vec<usize>,
    /// The first character's place in the file's line, from 1.
    column: usize,
    /// The block or script that it belongs to.
    pub(super) block: usize,
}

impl Line {
    /// The line of the file, and the character in it, where this byte is. The character is near
    /// the right one if normalising changed the line's length.
    pub(super) fn place(&self, at: usize) -> (u32, usize) {
        let before = self.breaks.iter().filter(|start| **start <= at).count();
        let start = before.checked_sub(1).map_or(0, |last| self.breaks[last]);
        let first = if before == 0 { self.column } else { 1 };
        let column = self.text.get(start..at).map_or(0, |text| text.chars().count());
        (self.number.saturating_add(u32::try_from(before).unwrap_or(u32::MAX)), first + column)
    }
}

#[derive(Debug)]
pub(super) struct Page<'a> {
    pub(super) context: Context,
    pub(super) lines: Vec<Line>,
    raw: Vec<&'a str>,
    comments: Vec<(u32, usize)>,
    commands: Vec<(u32, usize)>,
}

/// A fence that is open: its sign, and how often that is repeated.
#[derive(Clone, Copy)]
struct Fence {
    sign: char,
    length: usize,
}

impl<'a> Page<'a> {
    pub(super) fn of(text: &'a str, context: Context) -> Self {
        let raw: Vec<&str> = text.split('\n').map(|line| line.trim_end_matches('\r')).collect();
        let mut page =
            Self { context, lines: Vec::new(), raw, comments: Vec::new(), commands: Vec::new() };
        let raw = std::mem::take(&mut page.raw);
        if context == Context::Prose {
            page.markdown(&raw);
        } else {
            for (number, line) in (1..).zip(&raw) {
                page.push(context, number, line, 0);
            }
        }
        page.raw = raw;
        page
    }

    /// A line of the file as it is; empty if there is none.
    pub(super) fn raw(&self, line: u32) -> &'a str {
        let index = usize::try_from(line).unwrap_or(usize::MAX).wrapping_sub(1);
        self.raw.get(index).copied().unwrap_or_default()
    }

    /// The line of the file with marks, cut around this character.
    pub(super) fn around(&self, line: u32, column: usize) -> SafeText {
        let raw = self.raw(line);
        let skip = column.saturating_sub(SHOWN / 2);
        let mut from = raw.char_indices().nth(skip).map_or(0, |(at, _)| at);
        if from > 0 && raw.chars().count() <= SHOWN {
            from = 0;
        }
        let end = raw[from..].char_indices().nth(2 * SHOWN).map_or(raw.len(), |(at, _)| from + at);
        let shown = SafeText::clean(raw[from..end].trim());
        let shown = if from > 0 { crate::inert!("…{}", shown) } else { shown };
        shown.cut(SHOWN)
    }

    /// A comment that begins at this line and character, as one line, cut.
    pub(super) fn comment_at(&self, line: u32, column: usize) -> SafeText {
        let index = usize::try_from(line).unwrap_or(usize::MAX).wrapping_sub(1);
        let lines = self.raw.get(index..).unwrap_or_default();
        let lines = &lines[..lines.len().min(JOINED.0)];
        let begin = self.raw(line).char_indices().nth(column.saturating_sub(1));
        let text = lines.join("\n");
        let text = &text[begin.map_or(0, |(at, _)| at)..];
        let end = match text.find("-->") {
            Some(end) if text.starts_with("<!--") => end + "-->".len(),
            _ => text.find('\n').unwrap_or(text.len()),
        };
        SafeText::line(&text[..text.floor_char_boundary(end.min(4 * SHOWN))]).cut(SHOWN)
    }

    /// Comments of the markup, by line and character.
    pub(super) fn comments(&self) -> impl Iterator<Item = (u32, usize)> {
        self.comments.iter().copied()
    }

    /// Code that some agents run when the text is loaded, by line and character.
    pub(super) fn commands(&self) -> impl Iterator<Item = (u32, usize)> {
        self.commands.iter().copied()
    }

    fn markdown(&mut self, raw: &[&str]) {
        // A block of markdown has blocks of its own, and most authors close these first.
        let mut open: Vec<(Fence, Context)> = Vec::new();
        let (mut block, mut comment) = (0, false);
        for (number, line) in (1..).zip(raw) {
            let trimmed = line.trim_start_matches([' ', '\t', '>']);
            if open.last().is_some_and(|(fence, _)| closes(trimmed, *fence)) {
                open.pop();
                continue;
            }
            let starts = opened(trimmed).filter(|(_, language)| {
                open.last()
                    .is_none_or(|(_, context)| *context == Context::Prose && !language.is_empty())
            });
            if let Some((fence, language)) = starts {
                open.push((fence, Context::of_fence(language)));
                block += 1;
                continue;
            }
            let context = open.last().map_or(Context::Prose, |(_, context)| *context);
            self.push(context, number, line, block);
            if context == Context::Prose {
                self.spans(number, line);
            }
            if open.is_empty() {
                self.comment(number, line, &mut comment);
            }
        }
    }

    /// Adds the code between backticks. In a table, `\|` is `|`.
    fn spans(&mut self, number: u32, line: &str) {
        let mut rest = line;
        while let Some(open) = rest.find('`') {
            let ticks = rest[open..].bytes().take_while(|byte| *byte == b'`').count();
            let inner = &rest[open + ticks..];
            let Some(end) = inner.find(&rest[open..open + ticks]) else { return };
            let column = line[..line.len() - inner.len()].chars().count() + 1;
            if runs_at_load(&line[..line.len() - inner.len() - ticks]) {
                self.commands.push((number, column));
            }
            let text = inner[..end].replace("\\|", "|");
            self.lines.push(Line {
                context: Context::Inline,
                number,
                text: normal(&text).trim().to_owned(),
                breaks: Vec::new(),
                column,
                block: 0,
            });
            rest = &inner[end + ticks..];
        }
    }

    /// Notes where a comment begins: `<!--`, or a definition that no link uses, `[//]: #`.
    fn comment(&mut self, number: u32, line: &str, open: &mut bool) {
        let mut at = 0;
        loop {
            let rest = &line[at..];
            if *open {
                let Some(end) = rest.find("-->") else { return };
                (at, *open) = (at + end + 3, false);
            } else {
                let definition = rest.trim_start().starts_with("[//]:")
                    || rest.trim_start().starts_with("[comment]:");
                let Some(start) = rest.find("<!--").or(definition.then_some(0)) else { return };
                // Between backticks it is shown.
                if line[..at + start].matches('`').count() % 2 == 1 {
                    at += start + 4;
                    continue;
                }
                self.comments.push((number, line[..at + start].chars().count() + 1));
                if definition {
                    return;
                }
                (at, *open) = (at + start + 4, true);
            }
        }
    }

    /// Adds a line, to the one before if that goes on here.
    fn push(&mut self, context: Context, number: u32, line: &str, block: usize) {
        let text = normal(line);
        let open = self.lines.last_mut().filter(|last| {
            let (count, bytes) = JOINED;
            let short = last.breaks.len() < count && last.text.len() < bytes;
            short && last.block == block && last.context == context && goes_on(last)
        });
        let Some(last) = open else {
            return self.lines.push(Line {
                context,
                number,
                text: text.into_owned(),
                breaks: Vec::new(),
                column: 1,
                block,
            });
        };
        if last.text.ends_with(['\\', '`']) {
            last.text.pop();
        }
        last.text.push(' ');
        last.breaks.push(last.text.len());
        last.text.push_str(&text);
    }
}

/// Whether code behind this text is run at the load: behind `!` at the beginning of a word.
fn runs_at_load(before: &str) -> bool {
    let rest = before.strip_suffix('!');
    rest.is_some_and(|rest| rest.is_empty() || rest.ends_with([' ', '\t', '(', '>', '|', ':', '*']))
}

/// Whether the next line belongs to this one.
fn goes_on(line: &Line) -> bool {
    let text = line.text.trim_end();
    match line.context {
        Context::Shell => {
            line.text.ends_with(['\\', '`']) || text.ends_with('|') || text.ends_with("&&")
        }
        Context::Code => line.text.ends_with('\\') || text.ends_with('('),
        _ => false,
    }
}

/// The text without what nobody sees, and with one form for each character.
fn normal(line: &str) -> Cow<'_, str> {
    if line.is_ascii() {
        return Cow::Borrowed(line);
    }
    Cow::Owned(line.chars().filter(|letter| !is_hidden(*letter)).nfkc().collect())
}

/// The fence that a line opens, and its language.
fn opened(line: &str) -> Option<(Fence, &str)> {
    // A fence may stand behind the sign of a list item.
    let line = line.trim_start_matches(['-', '*', '+']).trim_start();
    let sign = line.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
    let length = line.chars().take_while(|letter| *letter == sign).count();
    let rest = line[length..].trim();
    if length < 3 || (sign == '`' && rest.contains('`')) {
        return None;
    }
    let end = rest.find(|letter: char| letter.is_whitespace() || matches!(letter, '{' | ',' | ':'));
    Some((Fence { sign, length }, &rest[..end.unwrap_or(rest.len())]))
}

fn closes(line: &str, open: Fence) -> bool {
    let line = line.trim();
    line.chars().count() >= open.length && line.chars().all(|letter| letter == open.sign)
}
