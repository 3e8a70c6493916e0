//! The text of a prompt, with cursor, selection and undo.
//!
//! A pill is one character of the text, from a range that nobody uses, and the pill's number is in
//! it. So whatever moves, deletes, cuts or undoes characters treats a pill as a whole.

use super::edits::{Edit, after, may_have_pill};
use crate::catalog::{Draft, MAX_PROMPT, PILL_SIGNS, Piece, Pill, as_typed, cleaned};
use unicode_segmentation::UnicodeSegmentation;

/// The bytes of texts that undo keeps, and the most edits.
const KEPT_BYTES: usize = 4 * MAX_PROMPT;
const KEPT_EDITS: usize = 1000;

/// A place in the text: a line, and a byte of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    pub line: usize,
    pub byte: usize,
}

/// Where the cursor is to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    Left,
    Right,
    WordLeft,
    WordRight,
    LineStart,
    LineEnd,
    Start,
    End,
}

/// Why a text was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

#[derive(Clone, Debug)]
pub struct Editor {
    /// At least one.
    lines: Vec<String>,
    cursor: Spot,
    /// The other end of the selection.
    anchor: Option<Spot>,
    pills: Vec<Pill>,
    bytes: usize,
    done: Vec<Edit>,
    undone: Vec<Edit>,
    /// Counts the changes of the text.
    version: u64,
    /// The next character begins an edit of its own.
    sealed: bool,
    /// What was cut last.
    cut: String,
    /// The version and the cursor right after a pill was put in with a space behind it.
    spaced: Option<(u64, Spot)>,
}

impl Default for Editor {
    fn default() -> Self {
        Self {
            lines: vec![String::new()],
            cursor: Spot::default(),
            anchor: None,
            pills: Vec::new(),
            bytes: 0,
            done: Vec::new(),
            undone: Vec::new(),
            version: 0,
            sealed: true,
            cut: String::new(),
            spaced: None,
        }
    }
}

impl Editor {
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    pub fn cursor(&self) -> Spot {
        self.cursor
    }

    /// Counts the changes of the text.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The bytes of the text; a pill counts as its sign.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// The pill that a character stands for.
    pub fn pill(&self, character: char) -> Option<&Pill> {
        let number = u32::from(character).checked_sub(*PILL_SIGNS.start())?;
        self.pills.get(number as usize)
    }

    /// The pill that stands in a character as a person sees it, and the bytes before it: a few
    /// letters join what follows them.
    pub fn pill_in(&self, grapheme: &str) -> Option<(&Pill, usize)> {
        let mut letters = grapheme.char_indices();
        letters.find_map(|(at, letter)| Some((self.pill(letter)?, at)))
    }

    /// The chosen skills in the order of the text; one may be there twice.
    pub fn pills(&self) -> impl Iterator<Item = &Pill> {
        let lines = self.lines.iter().filter(|line| may_have_pill(line));
        lines.flat_map(|line| line.chars().filter_map(|character| self.pill(character)))
    }

    /// The selection, its start first; `None` if nothing is selected.
    pub fn selection(&self) -> Option<(Spot, Spot)> {
        let anchor = self.anchor.filter(|anchor| *anchor != self.cursor)?;
        Some((anchor.min(self.cursor), anchor.max(self.cursor)))
    }

    pub fn unselect(&mut self) {
        self.anchor = None;
    }

    /// The text of the line before the cursor.
    pub fn before_cursor(&self) -> &str {
        &self.lines[self.cursor.line][..self.cursor.byte]
    }

    pub fn draft(&self) -> Draft {
        let mut draft = Draft::default();
        for (number, line) in self.lines.iter().enumerate() {
            if number > 0 {
                draft.push_text("\n");
            }
            let mut from = 0;
            let has_any = may_have_pill(line);
            for (at, character) in line.char_indices().take_while(|_| has_any) {
                if let Some(pill) = self.pill(character) {
                    draft.push_text(&line[from..at]);
                    draft.pieces.push(Piece::Pill(pill.clone()));
                    from = at + character.len_utf8();
                }
            }
            draft.push_text(&line[from..]);
        }
        draft
    }

    /// Puts a draft in place of the selection. Returns how many control characters were left out.
    ///
    /// # Errors
    /// The text would be too large. Then nothing changes.
    pub fn insert(&mut self, draft: &Draft) -> Result<usize, TooLarge> {
        let (mut text, mut dropped) = (String::new(), 0);
        for piece in &draft.pieces {
            match piece {
                Piece::Text(part) => {
                    let (part, left_out) = cleaned(part);
                    text.push_str(&part);
                    dropped += left_out;
                }
                Piece::Pill(pill) => match self.sign(pill) {
                    Some(sign) => text.push(sign),
                    None => return Err(TooLarge),
                },
            }
        }
        self.put(&text)?;
        self.sealed = true;
        Ok(dropped)
    }

    /// Replaces the whole text; undo takes it back.
    ///
    /// # Errors
    /// The text would be too large. Then nothing changes.
    pub fn replace_all(&mut self, draft: &Draft) -> Result<usize, TooLarge> {
        let (cursor, anchor) = (self.cursor, self.anchor);
        self.select_all();
        self.insert(draft).inspect_err(|_| (self.cursor, self.anchor) = (cursor, anchor))
    }

    /// Types a character. It takes the place of the space that a pill brought if it is a space as
    /// well, or a sign that stands right behind a word.
    ///
    /// # Errors
    /// The text would be too large.
    pub fn type_character(&mut self, character: char) -> Result<(), TooLarge> {
        if self.spaced.take() == Some((self.version, self.cursor))
            && matches!(character, ' ' | ',' | '.' | ';' | ':' | '!' | '?' | ')')
        {
            self.delete(To::Left);
        }
        // A word that is typed is one edit.
        let begins = self.sealed || character.is_whitespace() || self.selection().is_some();
        let (at, character) = (self.cursor, as_typed(character));
        self.put(character.encode_utf8(&mut [0; 4]))?;
        if let [.., before, last] = self.done.as_mut_slice()
            && !begins
            && last.removed.is_empty()
            && before.end() == at
        {
            before.inserted.push(character);
            self.done.pop();
        }
        self.sealed = character.is_whitespace();
        Ok(())
    }

    /// Puts a pill in place of the text from `from` to the cursor, with a space behind it, and one
    /// before it where it would touch a word.
    ///
    /// # Errors
    /// The text would be too large, or has too many pills.
    pub fn put_pill(&mut self, from: Spot, pill: &Pill) -> Result<(), TooLarge> {
        let sign = self.sign(pill).ok_or(TooLarge)?;
        let line = &self.lines[self.cursor.line];
        let behind = line[self.cursor.byte..].chars().next();
        let mut text = String::from(sign);
        if behind.is_none_or(|next| next.is_alphanumeric() || PILL_SIGNS.contains(&u32::from(next)))
        {
            text.push(' ');
        }
        self.anchor = Some(from);
        self.put(&text)?;
        self.sealed = true;
        self.spaced = text.ends_with(' ').then_some((self.version, self.cursor));
        Ok(())
    }

    /// Removes the selection, else what lies between the cursor and there.
    pub fn delete(&mut self, to: To) {
        if self.selection().is_none() {
            self.anchor = Some(self.cursor);
            self.cursor = self.spot(to);
            if self.selection().is_none() {
                self.anchor = None;
                return;
            }
        }
        // Deleting makes no text larger.
        let _ = self.put("");
        self.sealed = true;
    }

    /// Removes the selection, else the line, and keeps it for [`Self::put_back`].
    pub fn cut(&mut self) {
        if self.selection().is_none() {
            let line = self.cursor.line;
            self.anchor = Some(Spot { line, byte: 0 });
            self.cursor = match line + 1 < self.lines.len() {
                true => Spot { line: line + 1, byte: 0 },
                false => Spot { line, byte: self.lines[line].len() },
            };
        }
        if let Some((start, end)) = self.selection() {
            self.cut = self.text(start, end);
            self.delete(To::Right);
        }
    }

    /// Puts what was cut last in place of the selection.
    ///
    /// # Errors
    /// The text would be too large.
    pub fn put_back(&mut self) -> Result<(), TooLarge> {
        let text = self.cut.clone();
        self.put(&text)?;
        self.sealed = true;
        Ok(())
    }

    /// Moves the cursor; `select` keeps the other end of the selection.
    pub fn go(&mut self, to: To, select: bool) {
        let target = match (self.selection(), to) {
            // An arrow leaves a selection at its end.
            (Some((start, _)), To::Left) if !select => start,
            (Some((_, end)), To::Right) if !select => end,
            _ => self.spot(to),
        };
        self.jump(target, select);
    }

    /// Puts the cursor at a place, which is moved to a whole character.
    pub fn jump(&mut self, to: Spot, select: bool) {
        let line = to.line.min(self.lines.len() - 1);
        let text = &self.lines[line];
        let byte = (0..=to.byte.min(text.len())).rev().find(|byte| text.is_char_boundary(*byte));
        let before = self.cursor;
        self.cursor = Spot { line, byte: byte.unwrap_or_default() };
        self.anchor = select.then(|| self.anchor.unwrap_or(before));
        self.sealed = true;
    }

    pub fn select_all(&mut self) {
        self.cursor = self.spot(To::End);
        self.anchor = Some(Spot::default());
    }

    /// Selects the word at a place.
    pub fn select_word(&mut self, at: Spot) {
        self.jump(at, false);
        let line = &self.lines[self.cursor.line];
        let mut words = line.split_word_bound_indices();
        let byte = self.cursor.byte;
        if let Some((start, word)) = words.find(|(start, word)| byte < start + word.len()) {
            self.anchor = Some(Spot { line: self.cursor.line, byte: start });
            self.cursor.byte = start + word.len();
        }
    }

    /// Takes the last edit back; false if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(edit) = self.done.pop() else { return false };
        self.splice(edit.at, edit.end(), &edit.removed);
        self.cursor = edit.cursor;
        self.anchor = None;
        self.sealed = true;
        self.undone.push(edit);
        true
    }

    /// What is written so far was given: no edit of it is taken back.
    pub(super) fn start_here(&mut self) {
        self.done.clear();
        self.undone.clear();
    }

    /// Makes the edit again that was taken back last; false if there is none.
    pub fn redo(&mut self) -> bool {
        let Some(edit) = self.undone.pop() else { return false };
        let end = after(edit.at, &edit.removed);
        self.cursor = self.splice(edit.at, end, &edit.inserted);
        self.anchor = None;
        self.sealed = true;
        self.done.push(edit);
        true
    }

    /// The sign of a pill; `None` if there are too many.
    fn sign(&mut self, pill: &Pill) -> Option<char> {
        let known = self.pills.iter().position(|known| known == pill);
        let number = known.unwrap_or_else(|| {
            self.pills.push(pill.clone());
            self.pills.len() - 1
        });
        let code = PILL_SIGNS.start() + u32::try_from(number).ok()?;
        PILL_SIGNS.contains(&code).then(|| char::from_u32(code)).flatten()
    }

    /// Puts a text in place of the selection, or at the cursor.
    fn put(&mut self, text: &str) -> Result<(), TooLarge> {
        let (start, end) = self.selection().unwrap_or((self.cursor, self.cursor));
        let removed = self.text(start, end);
        if self.bytes - removed.len() + text.len() > MAX_PROMPT {
            return Err(TooLarge);
        }
        let cursor = self.anchor.filter(|_| self.cursor == start).unwrap_or(self.cursor);
        let inserted = text.to_owned();
        self.done.push(Edit { at: start, removed, inserted, cursor });
        self.undone.clear();
        self.forget_old();
        self.cursor = self.splice(start, end, text);
        self.anchor = None;
        Ok(())
    }

    fn forget_old(&mut self) {
        let mut room = KEPT_BYTES;
        let kept = self.done.iter().rev().take(KEPT_EDITS).take_while(|edit| {
            let fits = edit.bytes() <= room;
            room = room.saturating_sub(edit.bytes());
            fits
        });
        let kept = kept.count();
        let many = self.done.len() - kept;
        self.done.drain(..many);
    }

    /// Replaces what lies between two places; returns the end of the new text.
    fn splice(&mut self, start: Spot, end: Spot, text: &str) -> Spot {
        self.version += 1;
        let removed = self.text_bytes(start, end);
        self.bytes = self.bytes - removed + text.len();
        if start.line == end.line && !text.contains('\n') {
            self.lines[start.line].replace_range(start.byte..end.byte, text);
            return Spot { byte: start.byte + text.len(), ..start };
        }
        let tail = self.lines[end.line][end.byte..].to_owned();
        let mut parts = text.split('\n');
        let first = parts.next().unwrap_or_default();
        self.lines[start.line].truncate(start.byte);
        self.lines[start.line].push_str(first);
        let mut rest: Vec<String> = parts.map(str::to_owned).collect();
        let spot = after(start, text);
        match rest.last_mut() {
            Some(last) => last.push_str(&tail),
            None => self.lines[start.line].push_str(&tail),
        }
        self.lines.splice(start.line + 1..=end.line, rest);
        spot
    }

    fn text_bytes(&self, start: Spot, end: Spot) -> usize {
        if start.line == end.line {
            return end.byte - start.byte;
        }
        let whole = self.lines[start.line + 1..end.line].iter().map(|line| line.len() + 1);
        self.lines[start.line].len() - start.byte + 1 + whole.sum::<usize>() + end.byte
    }

    pub(super) fn text(&self, start: Spot, end: Spot) -> String {
        if start.line == end.line {
            return self.lines[start.line][start.byte..end.byte].to_owned();
        }
        let mut text = self.lines[start.line][start.byte..].to_owned();
        for line in &self.lines[start.line + 1..end.line] {
            text.push('\n');
            text.push_str(line);
        }
        text.push('\n');
        text.push_str(&self.lines[end.line][..end.byte]);
        text
    }

    pub(super) fn end_of(&self, line: usize) -> Spot {
        Spot { line, byte: self.lines[line].len() }
    }
}

#[cfg(test)]
#[path = "editor_tests.rs"]
mod tests;
