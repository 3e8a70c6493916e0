//! The glyphs beyond ASCII that we draw with, and their replacements on a terminal that shows only
//! ASCII.

use super::SafeText;

/// Each glyph and its replacement are one column wide.
const GLYPHS: [(char, char); 41] = [
    ('▌', '>'),
    ('●', '*'),
    ('✓', '+'),
    ('◐', '*'),
    ('○', 'o'),
    ('✗', 'x'),
    ('≡', '='),
    ('⇉', '='),
    ('─', '-'),
    ('│', '|'),
    ('┬', '+'),
    ('┴', '+'),
    ('┼', '+'),
    ('├', '+'),
    ('┤', '+'),
    ('…', '~'),
    ('•', '*'),
    ('◦', 'o'),
    ('▪', '*'),
    ('·', '-'),
    ('–', '-'),
    ('❯', '>'),
    ('☐', 'o'),
    ('☑', 'x'),
    ('▸', '>'),
    ('▾', 'v'),
    ('█', '#'),
    ('▐', '#'),
    ('▓', '#'),
    ('░', '.'),
    ('→', '>'),
    ('←', '<'),
    ('↑', '^'),
    ('↓', 'v'),
    ('↵', '<'),
    ('⇥', '>'),
    ('⌫', '<'),
    ('‹', '<'),
    ('›', '>'),
    ('∅', '0'),
    ('×', 'x'),
];

impl SafeText {
    /// Replaces our glyphs by ASCII signs. Other characters stay as they are.
    pub fn in_ascii(&self) -> Self {
        let sign = |glyph| {
            GLYPHS.iter().find(|(known, _)| *known == glyph).map_or(glyph, |(_, sign)| *sign)
        };
        let each = self
            .as_str()
            .chars()
            .map(|character| if character.is_ascii() { character } else { sign(character) });
        Self::clean(&each.collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_is_ascii_and_as_wide_as_its_glyph() {
        for (glyph, sign) in GLYPHS {
            assert!(!glyph.is_ascii() && sign.is_ascii_graphic(), "{glyph}");
            let text = SafeText::clean(&glyph.to_string());
            assert_eq!((text.width(), text.in_ascii().as_str()), (1, sign.to_string().as_str()));
            assert_eq!(GLYPHS.iter().filter(|(other, _)| *other == glyph).count(), 1, "{glyph}");
        }
        assert_eq!(SafeText::fixed("✓ größer … 日本").in_ascii().as_str(), "+ größer ~ 日本");
    }
}
