//! A key with its modifiers: as pressed, as settings write it, as people read it.

use crate::text::SafeText;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A key with its modifiers, normalised so that two can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chord {
    code: KeyCode,
    modifiers: KeyModifiers,
}

/// Keys with a name: in settings, as a label, and as an ASCII label.
const NAMED: [(&str, KeyCode, &str, &str); 16] = [
    ("enter", KeyCode::Enter, "↵", "Enter"),
    ("tab", KeyCode::Tab, "⇥", "Tab"),
    ("backtab", KeyCode::BackTab, "Shift-⇥", "Shift-Tab"),
    ("esc", KeyCode::Esc, "esc", "esc"),
    ("space", KeyCode::Char(' '), "Space", "Space"),
    ("backspace", KeyCode::Backspace, "⌫", "Backspace"),
    ("delete", KeyCode::Delete, "Del", "Del"),
    ("insert", KeyCode::Insert, "Ins", "Ins"),
    ("up", KeyCode::Up, "↑", "Up"),
    ("down", KeyCode::Down, "↓", "Down"),
    ("left", KeyCode::Left, "←", "Left"),
    ("right", KeyCode::Right, "→", "Right"),
    ("pageup", KeyCode::PageUp, "PgUp", "PgUp"),
    ("pagedown", KeyCode::PageDown, "PgDn", "PgDn"),
    ("home", KeyCode::Home, "Home", "Home"),
    ("end", KeyCode::End, "End", "End"),
];

/// With Ctrl these are other keys on a terminal, so they cannot be bound: ^h is Backspace, ^i is
/// Tab, ^m is Enter, ^[ is Esc.
const NOT_WITH_CTRL: [char; 4] = ['h', 'i', 'm', '['];

impl Chord {
    /// Normalises an event. Shift is part of a letter and of Tab; elsewhere it is a modifier.
    pub fn of(event: KeyEvent) -> Self {
        let mut modifiers =
            event.modifiers & (KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SHIFT);
        let code = match event.code {
            KeyCode::Tab if modifiers.contains(KeyModifiers::SHIFT) => KeyCode::BackTab,
            KeyCode::Char(character) if modifiers.contains(KeyModifiers::CONTROL) => {
                KeyCode::Char(character.to_ascii_lowercase())
            }
            code => code,
        };
        if matches!(code, KeyCode::Char(_) | KeyCode::BackTab) {
            modifiers -= KeyModifiers::SHIFT;
        }
        Self { code, modifiers }
    }

    /// Reads a key as settings write it: `ctrl-x`, `shift-up`, `?`, `f3`. The case of names does
    /// not matter, that of a letter without Ctrl does.
    pub fn read(text: &str) -> Option<Self> {
        let mut rest = text;
        let mut modifiers = KeyModifiers::NONE;
        for (prefix, modifier) in [
            ("ctrl-", KeyModifiers::CONTROL),
            ("alt-", KeyModifiers::ALT),
            ("shift-", KeyModifiers::SHIFT),
        ] {
            // The dash may be the key itself: `ctrl--`.
            if let Some((before, after)) = rest.split_at_checked(prefix.len())
                && before.eq_ignore_ascii_case(prefix)
                && !after.is_empty()
            {
                modifiers |= modifier;
                rest = after;
            }
        }
        let code = match code(rest)? {
            KeyCode::Char(letter) if modifiers.contains(KeyModifiers::SHIFT) => {
                KeyCode::Char(letter.to_ascii_uppercase())
            }
            code => code,
        };
        let key = Self::of(KeyEvent::new(code, modifiers));
        key.is_sent(modifiers).then_some(key)
    }

    /// Whether a terminal sends the key with these modifiers as a key of its own.
    fn is_sent(self, modifiers: KeyModifiers) -> bool {
        let KeyCode::Char(character) = self.code else { return true };
        let has_ctrl = modifiers.contains(KeyModifiers::CONTROL);
        // Of Shift it sends only what the key types.
        let is_typed = !has_ctrl && character.is_uppercase();
        let is_other =
            self.modifiers == KeyModifiers::CONTROL && NOT_WITH_CTRL.contains(&character);
        !is_other && (is_typed || !modifiers.contains(KeyModifiers::SHIFT))
    }

    /// The character that the key types, if it types one.
    pub fn character(self) -> Option<char> {
        match self.code {
            KeyCode::Char(character) if self.modifiers.is_empty() => Some(character),
            // AltGr arrives as Ctrl+Alt on some terminals, with the composed character.
            KeyCode::Char(character) if !character.is_ascii() => Some(character),
            _ => None,
        }
    }

    /// The label: `^x`, `Shift-↑`; with `ascii` only ASCII characters.
    pub fn label(self, ascii: bool) -> SafeText {
        let mut label = String::new();
        if self.modifiers.contains(KeyModifiers::CONTROL) {
            label.push('^');
        }
        if self.modifiers.contains(KeyModifiers::ALT) {
            label.push_str("Alt-");
        }
        if self.modifiers.contains(KeyModifiers::SHIFT) {
            label.push_str("Shift-");
        }
        match NAMED.iter().find(|(_, code, _, _)| *code == self.code) {
            Some((_, _, glyph, word)) => label.push_str(if ascii { word } else { glyph }),
            None => match self.code {
                KeyCode::Char(character) => label.push(character),
                KeyCode::F(number) => label.push_str(&format!("F{number}")),
                _ => label.push('?'),
            },
        }
        SafeText::line(&label)
    }
}

fn code(text: &str) -> Option<KeyCode> {
    if let Some((_, code, _, _)) = NAMED.iter().find(|(name, ..)| name.eq_ignore_ascii_case(text)) {
        return Some(*code);
    }
    if let Some(number) = text.strip_prefix(['f', 'F']).and_then(|number| number.parse().ok()) {
        return (1..=12).contains(&number).then_some(KeyCode::F(number));
    }
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some(character), None) if !character.is_control() => Some(KeyCode::Char(character)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_as_they_are_pressed() {
        let pressed = |code, modifiers| Chord::of(KeyEvent::new(code, modifiers));
        assert_eq!(Chord::read("ctrl-x"), Some(pressed(KeyCode::Char('x'), KeyModifiers::CONTROL)));
        assert_eq!(Chord::read("G"), Some(pressed(KeyCode::Char('G'), KeyModifiers::SHIFT)));
        assert_eq!(Chord::read("backtab"), Some(pressed(KeyCode::BackTab, KeyModifiers::SHIFT)));
        assert_eq!(Chord::read("shift-up"), Some(pressed(KeyCode::Up, KeyModifiers::SHIFT)));
        assert_eq!(
            Chord::read("ctrl-space"),
            Some(pressed(KeyCode::Char(' '), KeyModifiers::CONTROL))
        );
        assert_eq!(Chord::read("f12"), Some(pressed(KeyCode::F(12), KeyModifiers::NONE)));
    }

    #[test]
    fn the_case_of_names_does_not_matter() {
        for (text, same) in [
            ("Ctrl-X", "ctrl-x"),
            ("CTRL-ALT-x", "ctrl-alt-x"),
            ("Shift-Up", "shift-up"),
            ("Enter", "enter"),
            ("F3", "f3"),
            ("shift-tab", "backtab"),
            ("shift-G", "G"),
            ("alt-shift-g", "alt-G"),
        ] {
            assert!(
                Chord::read(text).is_some() && Chord::read(text) == Chord::read(same),
                "{text}"
            );
        }
        assert_ne!(Chord::read("G"), Chord::read("g"));
    }

    #[test]
    fn keys_that_a_terminal_cannot_tell_apart_are_refused() {
        for text in [
            "ctrl-h",
            "ctrl-i",
            "ctrl-m",
            "Ctrl-M",
            "ctrl-[",
            "ctrl-shift-x",
            "shift-space",
            "shift-1",
            "f13",
            "",
            "ctrl-",
            "xy",
            "hyper-x",
        ] {
            assert_eq!(Chord::read(text), None, "{text}");
        }
    }

    #[test]
    fn labels_have_an_ascii_form() {
        let label = |text: &str, ascii| Chord::read(text).unwrap().label(ascii).as_str().to_owned();
        assert_eq!(label("ctrl-x", false), "^x");
        assert_eq!(label("shift-up", false), "Shift-↑");
        for (name, ..) in NAMED {
            assert!(label(name, true).is_ascii());
        }
    }
}
