//! A prompt that is being written: text, and pills. A pill is a skill that the person has chosen;
//! it keeps the skill's path, so that no other skill of its name can take its place.

use super::exact_path;
use crate::inert;
use crate::text::{SafeText, counted};
use serde::{Deserialize, Serialize};
use std::mem;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// The largest prompt, in bytes of its text. What would be longer is refused as a whole.
pub const MAX_PROMPT: usize = 4 << 20;

/// The characters that stand for pills in an editor: the end of the last private plane, which no
/// font or program is known to use. One in a text becomes U+FFFD.
pub const PILL_SIGNS: RangeInclusive<u32> = 0x0010_F000..=0x0010_FFFD;

/// The text without control characters, other than line ends and tabs, and how many were left out.
pub fn cleaned(text: &str) -> (String, usize) {
    let mut out = String::with_capacity(text.len());
    let mut dropped = 0;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\r' => {
                characters.next_if_eq(&'\n');
                out.push('\n');
            }
            '\n' | '\t' => out.push(character),
            _ if character.is_control() => dropped += 1,
            _ => out.push(as_typed(character)),
        }
    }
    (out, dropped)
}

/// The character, or U+FFFD for one that stands for a pill.
pub fn as_typed(character: char) -> char {
    let is_sign = PILL_SIGNS.contains(&u32::from(character));
    if is_sign { char::REPLACEMENT_CHARACTER } else { character }
}

/// What is said of control characters that were left out; `None` if there were none.
pub fn left_out(dropped: usize) -> Option<SafeText> {
    let were = if dropped == 1 { "was" } else { "were" };
    (dropped > 0).then(|| inert!("{} {} left out", counted(dropped, "control character"), were))
}

/// A chosen skill in a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pill {
    pub name: String,
    /// The canonical path of its `SKILL.md`.
    #[serde(flatten, with = "exact_path")]
    pub path: PathBuf,
}

/// A part of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Piece {
    Text(String),
    Pill(Pill),
}

/// A prompt as a person writes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Form", into = "Form")]
pub struct Draft {
    pub pieces: Vec<Piece>,
    /// Whether it stays out of the history, whoever sends it.
    pub private: bool,
}

/// How it is kept.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Form {
    Plain(Vec<Piece>),
    Private { private: Vec<Piece> },
}

impl From<Form> for Draft {
    fn from(form: Form) -> Self {
        match form {
            Form::Plain(pieces) => Self { pieces, private: false },
            Form::Private { private: pieces } => Self { pieces, private: true },
        }
    }
}

impl From<Draft> for Form {
    fn from(Draft { pieces, private }: Draft) -> Self {
        if private { Self::Private { private: pieces } } else { Self::Plain(pieces) }
    }
}

impl Draft {
    pub fn of_text(text: &str) -> Self {
        let mut draft = Self::default();
        draft.push_text(text);
        draft
    }

    /// Adds text at the end; neighbouring texts are one piece.
    pub fn push_text(&mut self, text: &str) {
        match self.pieces.last_mut() {
            _ if text.is_empty() => {}
            Some(Piece::Text(last)) => last.push_str(text),
            _ => self.pieces.push(Piece::Text(text.to_owned())),
        }
    }

    pub fn pills(&self) -> impl Iterator<Item = &Pill> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Pill(pill) => Some(pill),
            Piece::Text(_) => None,
        })
    }

    /// Whether there is nothing to send: no pill, and no text but white space.
    pub fn is_blank(&self) -> bool {
        self.pieces.iter().all(|piece| matches!(piece, Piece::Text(text) if text.trim().is_empty()))
    }

    /// The bytes of its text; a pill counts as its name.
    pub fn bytes(&self) -> usize {
        let size = |piece: &Piece| match piece {
            Piece::Text(text) => text.len(),
            Piece::Pill(pill) => pill.name.len(),
        };
        self.pieces.iter().map(size).sum()
    }

    /// Its lines, each as a draft.
    pub fn lines(&self) -> Vec<Self> {
        let (mut lines, mut line) = (Vec::new(), Self::default());
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => {
                    let mut parts = text.split('\n');
                    line.push_text(parts.next().unwrap_or_default());
                    lines.extend(parts.map(|part| mem::replace(&mut line, Self::of_text(part))));
                }
                Piece::Pill(_) => line.pieces.push(piece.clone()),
            }
        }
        lines.push(line);
        lines
    }

    /// As text, with each pill as `shown` makes it.
    pub fn text(&self, mut shown: impl FnMut(&Pill) -> String) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(part) => text.push_str(part),
                Piece::Pill(pill) => text.push_str(&shown(pill)),
            }
        }
        text
    }

    /// Reads back a text in which each of these pills stands as `shown` makes it. A pill that was
    /// changed there is text.
    pub fn read_back(text: &str, pills: &[Pill], shown: impl Fn(&Pill) -> String) -> Self {
        let forms: Vec<(String, &Pill)> = pills.iter().map(|pill| (shown(pill), pill)).collect();
        let mut draft = Self::default();
        let mut rest = text;
        loop {
            let next = forms.iter().filter_map(|(form, pill)| Some((rest.find(form)?, form, pill)));
            // Where two begin at one place, the longer one is meant.
            let Some((at, form, pill)) =
                next.min_by_key(|(at, form, _)| (*at, std::cmp::Reverse(form.len())))
            else {
                draft.push_text(rest);
                return draft;
            };
            draft.push_text(&rest[..at]);
            draft.pieces.push(Piece::Pill((*pill).clone()));
            rest = &rest[at + form.len()..];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pill(name: &str) -> Pill {
        Pill { name: name.to_owned(), path: format!("/s/{name}/SKILL.md").into() }
    }

    fn link(pill: &Pill) -> String {
        format!("[${}]({})", pill.name, pill.path.display())
    }

    #[test]
    fn a_draft_is_read_back_as_it_was_and_a_changed_pill_is_text() {
        let mut draft = Draft::of_text("Use ");
        draft.pieces.push(Piece::Pill(pill("pdf")));
        draft.push_text(", then ");
        draft.pieces.push(Piece::Pill(pill("pdf-forms")));
        let text = draft.text(link);
        let pills: Vec<Pill> = draft.pills().cloned().collect();
        assert_eq!(Draft::read_back(&text, &pills, link), draft);
        let changed = text.replace("[$pdf]", "[$zip]");
        let back = Draft::read_back(&changed, &pills, link);
        assert_eq!(back.pills().count(), 1);
        assert_eq!(back.text(link), changed);
    }

    #[test]
    fn its_lines_are_drafts_that_have_their_pills() {
        let mut draft = Draft::of_text("one\ntwo ");
        draft.pieces.push(Piece::Pill(pill("pdf")));
        draft.push_text("\n\nfour\n");
        let shown = |line: &Draft| line.text(|pill| format!("[{}]", pill.name));
        let lines: Vec<String> = draft.lines().iter().map(shown).collect();
        assert_eq!(lines, ["one", "two [pdf]", "", "four", ""]);
    }

    #[test]
    fn it_is_kept_as_json_and_comes_back() {
        let mut draft = Draft::of_text("a\nb ");
        draft.pieces.push(Piece::Pill(pill("pdf")));
        let json = serde_json::to_string(&draft).unwrap();
        assert_eq!(json, r#"["a\nb ",{"name":"pdf","path":"/s/pdf/SKILL.md"}]"#);
        assert_eq!(serde_json::from_str::<Draft>(&json).unwrap(), draft);
        draft.private = true;
        let json = serde_json::to_string(&draft).unwrap();
        assert!(json.starts_with(r#"{"private":["a\nb ",{"#), "{json}");
        assert_eq!(serde_json::from_str::<Draft>(&json).unwrap(), draft);
    }

    #[test]
    fn white_space_is_nothing_to_send_and_a_pill_is_something() {
        assert!(Draft::of_text(" \n\t").is_blank() && Draft::default().is_blank());
        assert!(!Draft { pieces: vec![Piece::Pill(pill("a"))], private: true }.is_blank());
    }
}
