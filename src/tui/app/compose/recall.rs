//! The draft that was left here, and the prompts that were sent.

use super::{Compose, Spot, say};
use crate::catalog::{Draft, Piece, Pill, left_out};
use crate::text::SafeText;
use crate::tui::app::{Effect, Notice, State};

/// What becomes of the draft that was left here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OldDraft {
    /// It is written on.
    Shown,
    /// A text was given in its place, so that it goes into the history.
    Remembered,
    /// A text was given in its place, and there is no history: it stays a draft.
    Stays,
}

/// What is remembered for this repository.
#[derive(Clone, Debug, Default)]
pub struct Recalled {
    /// The draft to write on.
    pub draft: Draft,
    /// The prompts that were sent, the oldest first.
    pub sent: Vec<Draft>,
    /// What the person should know of earlier drafts.
    pub said: Option<SafeText>,
    /// Why something could not be read.
    pub why: Option<SafeText>,
}

#[derive(Debug, Default)]
pub(super) struct Memory {
    /// The prompts that were sent, the oldest first.
    sent: Vec<Draft>,
    /// The one that is shown, counted from the newest, and the version of the text with it.
    shown: Option<(usize, u64)>,
    /// Whether draft and prompts have been read.
    pub(super) is_read: bool,
    /// Whether a text was given at the start.
    pub(super) has_text: bool,
    /// The control characters that the given text had.
    pub(super) dropped: usize,
    /// Whether the draft that was left here is private.
    is_private: bool,
}

impl Compose {
    /// What becomes of the draft that was left here.
    pub fn old_draft(&self) -> OldDraft {
        match (self.memory.has_text, self.remember) {
            (false, _) => OldDraft::Shown,
            (true, true) => OldDraft::Remembered,
            (true, false) => OldDraft::Stays,
        }
    }

    /// Keeps the draft; its timer has run out.
    pub(in crate::tui::app) fn keep(&mut self, state: &mut State) {
        self.keeping = false;
        if self.is_changed() && self.memory.is_read {
            self.kept = self.editor.version();
            state.effects.push(Effect::KeepDraft(Box::new(self.draft())));
        }
    }

    /// The prompt as it is, and whether it stays out of the history.
    pub(super) fn draft(&self) -> Draft {
        let private = !self.remember || self.memory.is_private;
        Draft { private, ..self.editor.draft() }
    }

    /// The text as it is, if it may not be kept yet, and what becomes of the earlier draft, if that
    /// was not read yet. What was handed on to be kept may still be unwritten.
    pub fn unkept(&self) -> Option<(Draft, Option<OldDraft>)> {
        let unread = (!self.memory.is_read).then(|| self.old_draft());
        let handed_on = self.editor.version() != self.given && !self.editor.is_empty();
        (self.is_changed() || handed_on).then(|| (self.draft(), unread))
    }

    /// Takes away the marked skills with which it began and that the draft has as well.
    fn drop_repeated(&mut self, draft: &Draft) {
        let begun = self.editor.draft();
        let repeats = |pill: &Pill| draft.pills().any(|old| old.path == pill.path);
        let mut rest = Draft::default();
        let mut pieces = begun.pieces.iter().peekable();
        while let Some(Piece::Pill(pill)) = pieces.peek() {
            let drops = repeats(pill);
            rest.pieces.extend(pieces.next().filter(|_| !drops).cloned());
            // The space that it brought.
            let Some(Piece::Text(text)) = pieces.peek() else { continue };
            let behind = text.strip_prefix(' ').unwrap_or(text);
            rest.push_text(if drops { behind } else { text });
            pieces.next();
            if !behind.is_empty() {
                break;
            }
        }
        rest.pieces.extend(pieces.cloned());
        if rest != begun {
            // It is shorter.
            let _ = self.editor.replace_all(&rest);
        }
    }

    /// Takes what is remembered. What was typed meanwhile stays, behind the draft.
    pub(super) fn recalled(&mut self, recalled: Recalled, state: &mut State) {
        let Recalled { draft, sent, said, why } = recalled;
        let first = !std::mem::replace(&mut self.memory.is_read, true);
        let mut dropped = std::mem::take(&mut self.memory.dropped);
        if first && !draft.is_blank() {
            self.memory.is_private = draft.private;
            if !self.alone {
                self.drop_repeated(&draft);
            }
            let is_new = self.editor.is_empty();
            let (end, start) = (self.editor.cursor(), Spot::default());
            self.editor.jump(start, false);
            // A draft was small enough when it was kept.
            dropped += self.editor.insert(&draft).unwrap_or_default();
            if is_new {
                self.editor.start_here();
                (self.kept, self.given) = (self.editor.version(), self.editor.version());
            } else {
                let Spot { line, byte } = self.editor.cursor();
                let byte = if end.line == 0 { byte + end.byte } else { end.byte };
                self.editor.jump(Spot { line: line + end.line, byte }, false);
            }
        }
        let said: Vec<SafeText> = left_out(dropped).into_iter().chain(said).collect();
        if !said.is_empty() {
            state.say(Notice::neutral(SafeText::join(&said, "; ")));
        }
        if let Some(why) = why {
            state.say(Notice::grave(why));
        }
        self.memory.sent = sent;
    }

    /// Shows an older or a newer prompt, while nothing else is typed; false if there is none to
    /// show.
    pub(super) fn recall(&mut self, state: &mut State, by: isize) -> bool {
        let version = self.editor.version();
        let shown = self.memory.shown.filter(|(_, as_of)| *as_of == version).map(|(at, _)| at);
        let next = match (shown, by) {
            (None, 1) if self.editor.is_empty() => Some(0),
            (None, _) => return false,
            (Some(at), _) => at.checked_add_signed(by),
        };
        let count = self.memory.sent.len();
        let old = next.and_then(|next| count.checked_sub(next + 1));
        let draft = match (next, old) {
            // Below the newest one is the empty prompt.
            (None, _) => Draft::default(),
            (Some(_), Some(old)) => self.memory.sent[old].clone(),
            (Some(_), None) => {
                say(state, "there is no older prompt");
                return true;
            }
        };
        // It was sent, so it is not too large.
        let _ = self.editor.replace_all(&draft);
        self.memory.shown = next.map(|next| (next, self.editor.version()));
        true
    }

    /// The prompt is in the agent's pane. What was typed since then stays.
    pub(super) fn delivered(&mut self, draft: Draft, words: SafeText, state: &mut State) {
        self.sending = false;
        state.say(Notice::plain(words));
        if self.draft() == draft {
            // An empty text is never too large.
            let _ = self.editor.replace_all(&Draft::default());
            self.memory.is_private = false;
            self.keep(state);
        }
        if !draft.private {
            self.memory.sent.retain(|old| *old != draft);
            self.memory.sent.push(draft.clone());
            state.effects.push(Effect::Remember(Box::new(draft)));
        }
    }
}
