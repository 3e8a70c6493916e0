//! Styles, by what a piece of the screen means. Only the row with the cursor has a background.

use super::palette::{Palette, Part};
use crate::text::{Role, Syntax};
use ratatui::style::{Color, Modifier, Style};

/// What a piece of the screen means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    Text,
    Muted,
    Line,
    /// The cursor, the prompt, a title.
    Accent,
    Name,
    /// The name on the current row.
    Current,
    /// The cell with the cursor.
    Chosen,
    Match,
    Mark,
    Good,
    Off,
    Warning,
    /// An error, denied, removed.
    Error,
    /// A key in a hint.
    Key,
    /// A heading of a document.
    Heading,
    /// Code in a document.
    Code,
    Link,
    /// A keyword of highlighted code.
    Keyword,
    /// A text of highlighted code.
    Literal,
    /// A name of highlighted code.
    Symbol,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Theme {
    palette: Palette,
    /// What the person's settings say instead, in the order of [`Part::ALL`].
    own: [Option<u32>; Part::ALL.len()],
}

impl Meaning {
    /// Of the text of a list's row.
    pub(super) fn of_row(current: bool) -> Self {
        if current { Self::Current } else { Self::Text }
    }
}

impl Theme {
    pub fn new(palette: Palette) -> Self {
        Self { palette, own: [None; Part::ALL.len()] }
    }

    /// The same with the colours that a person chose, by the names of the settings.
    #[must_use]
    pub fn with(mut self, colours: impl Iterator<Item = (&'static str, u32)>) -> Self {
        for (name, colour) in colours {
            if let Some(part) = Part::from_word(name) {
                self.own[part as usize] = Some(colour);
            }
        }
        self
    }

    /// The same colours of the person's over another theme.
    #[must_use]
    pub fn over(self, palette: Palette) -> Self {
        Self { palette, ..self }
    }

    /// The style of a meaning. A glyph or a modifier says what a colour says, for those who do not
    /// see it.
    pub fn style(self, meaning: Meaning) -> Style {
        let style = Style::new().add_modifier(modifier(meaning));
        match self.colour(meaning) {
            // A colour that is quiet already is not dimmed a second time.
            Some(colour) => style.fg(colour).remove_modifier(Modifier::DIM),
            None => style,
        }
    }

    /// The background of the row with the cursor. The terminal's own colours have none that is sure
    /// to differ a little from its background; there the sign at the row's start must do.
    pub fn current_row(self) -> Option<Color> {
        self.part(Part::Row)
    }

    fn colour(self, meaning: Meaning) -> Option<Color> {
        self.part(part(meaning)?)
    }

    fn part(self, part: Part) -> Option<Color> {
        if self.palette == Palette::Plain {
            return None;
        }
        match (self.own[part as usize], self.palette.colours()) {
            (Some(colour), _) => Some(hex(colour)),
            (None, Some(colours)) => Some(hex(colours[part as usize])),
            (None, None) => part.ansi(),
        }
    }

    pub fn role(self, role: Role) -> Style {
        let bold = Modifier::BOLD;
        match role {
            Role::Plain | Role::Bullet => self.style(Meaning::Text),
            Role::Heading(1) => {
                self.style(Meaning::Heading).add_modifier(bold | Modifier::UNDERLINED)
            }
            Role::Heading(_) => self.style(Meaning::Heading).add_modifier(bold),
            Role::Strong | Role::TableHead => self.style(Meaning::Text).add_modifier(bold),
            Role::Emphasis => self.style(Meaning::Text).add_modifier(Modifier::ITALIC),
            Role::StrongEmphasis => self.style(Meaning::Text).add_modifier(bold | Modifier::ITALIC),
            Role::Strike => self.style(Meaning::Muted).add_modifier(Modifier::CROSSED_OUT),
            Role::Code | Role::CodeBlock => self.style(Meaning::Code),
            Role::Link(_) => self.style(Meaning::Link).add_modifier(Modifier::UNDERLINED),
            Role::LinkTarget | Role::CodeLabel | Role::Html | Role::Muted => {
                self.style(Meaning::Muted)
            }
            Role::Quote | Role::TableRule | Role::Rule => self.style(Meaning::Line),
            Role::TaskDone => self.style(Meaning::Good),
            Role::TaskOpen => self.style(Meaning::Warning),
            Role::Syntax(syntax) => self.syntax(syntax),
            Role::Pixels(character, background) => {
                let rgb = |[red, green, blue]: [u8; 3]| Color::Rgb(red, green, blue);
                let style = Style::new().fg(rgb(character));
                background.map_or(style, |below| style.bg(rgb(below)))
            }
        }
    }

    fn syntax(self, syntax: Syntax) -> Style {
        match syntax {
            Syntax::Comment => self.style(Meaning::Muted).add_modifier(Modifier::ITALIC),
            Syntax::Keyword | Syntax::Tag => self.style(Meaning::Keyword),
            Syntax::String | Syntax::Number | Syntax::Constant | Syntax::Escape => {
                self.style(Meaning::Literal)
            }
            Syntax::Function | Syntax::Type | Syntax::Attribute => self.style(Meaning::Symbol),
            Syntax::Variable | Syntax::Operator | Syntax::Punctuation => self.style(Meaning::Text),
            Syntax::Inserted => self.style(Meaning::Good),
            Syntax::Deleted => self.style(Meaning::Error),
            Syntax::Heading => self.style(Meaning::Heading).add_modifier(Modifier::BOLD),
        }
    }
}

fn modifier(meaning: Meaning) -> Modifier {
    match meaning {
        Meaning::Current | Meaning::Accent | Meaning::Key | Meaning::Mark | Meaning::Error => {
            Modifier::BOLD
        }
        Meaning::Match => Modifier::BOLD.union(Modifier::UNDERLINED),
        Meaning::Muted | Meaning::Line | Meaning::Off => Modifier::DIM,
        Meaning::Chosen => Modifier::REVERSED,
        _ => Modifier::empty(),
    }
}

/// What gives a meaning its colour. Plain text has the terminal's own.
fn part(meaning: Meaning) -> Option<Part> {
    Some(match meaning {
        Meaning::Text | Meaning::Name | Meaning::Chosen => return None,
        Meaning::Muted | Meaning::Off => Part::Muted,
        Meaning::Line => Part::Line,
        Meaning::Accent | Meaning::Current | Meaning::Key => Part::Accent,
        Meaning::Match => Part::Match,
        Meaning::Mark | Meaning::Keyword => Part::Mark,
        Meaning::Good | Meaning::Code | Meaning::Literal => Part::Good,
        Meaning::Warning => Part::Warning,
        Meaning::Error => Part::Error,
        Meaning::Heading | Meaning::Link | Meaning::Symbol => Part::Heading,
    })
}

fn hex(rgb: u32) -> Color {
    let [_, red, green, blue] = rgb.to_be_bytes();
    Color::Rgb(red, green, blue)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Meaning; 8] = [
        Meaning::Text,
        Meaning::Muted,
        Meaning::Accent,
        Meaning::Match,
        Meaning::Warning,
        Meaning::Error,
        Meaning::Keyword,
        Meaning::Key,
    ];

    /// What has a colour of its own and is read.
    const TEXTS: [Meaning; 13] = [
        Meaning::Muted,
        Meaning::Off,
        Meaning::Accent,
        Meaning::Match,
        Meaning::Mark,
        Meaning::Good,
        Meaning::Warning,
        Meaning::Error,
        Meaning::Key,
        Meaning::Heading,
        Meaning::Code,
        Meaning::Link,
        Meaning::Literal,
    ];

    #[test]
    fn no_theme_paints_the_background() {
        for palette in [Palette::Ansi, Palette::Dark, Palette::Light, Palette::Plain] {
            for meaning in ALL {
                assert_eq!(Theme::new(palette).style(meaning).bg, None);
            }
        }
    }

    /// The relative luminance of WCAG 2.2.
    fn luminance(rgb: u32) -> f64 {
        let [_, red, green, blue] = rgb.to_be_bytes().map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    fn contrast(one: u32, other: u32) -> f64 {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    /// WCAG asks for 4.5 for text. Lines are no text.
    #[test]
    fn every_text_stands_out_on_usual_backgrounds_and_on_the_current_row() {
        let rgb = |colour: Color| match colour {
            Color::Rgb(red, green, blue) => u32::from_be_bytes([0, red, green, blue]),
            _ => panic!("{colour}"),
        };
        for (palette, backgrounds) in [
            (Palette::Dark, [0x00_00_00, 0x1e_1e_2e, 0x28_2c_34]),
            (Palette::Light, [0xff_ff_ff, 0xfa_fa_fa, 0xfd_f6_e3]),
            (Palette::Gruvbox, [0x28_28_28, 0x1d_20_21, 0x00_00_00]),
            (Palette::Catppuccin, [0x1e_1e_2e, 0x18_18_25, 0x11_11_1b]),
        ] {
            let theme = Theme::new(palette);
            let row = theme.current_row().map(rgb);
            for meaning in TEXTS {
                let style = theme.style(meaning);
                assert!(!style.add_modifier.contains(Modifier::DIM), "{meaning:?} is dimmed twice");
                for background in backgrounds.into_iter().chain(row) {
                    let found = contrast(rgb(style.fg.unwrap()), background);
                    assert!(
                        found >= 4.5,
                        "{palette:?} {meaning:?} on {background:06x}: {found:.2}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_persons_colours_stand_over_those_of_every_theme_but_the_plain_one() {
        let own = || [("accent", 0x12_34_56), ("row", 0x65_43_21), ("nothing", 1)].into_iter();
        for palette in [Palette::Ansi, Palette::Dark, Palette::Catppuccin] {
            let theme = Theme::new(Palette::Plain).with(own()).over(palette);
            assert_eq!(theme.style(Meaning::Key).fg, Some(hex(0x12_34_56)));
            assert_eq!(theme.current_row(), Some(hex(0x65_43_21)));
            assert_eq!(theme.style(Meaning::Good).fg, Theme::new(palette).style(Meaning::Good).fg);
        }
        let plain = Theme::new(Palette::Plain).with(own());
        assert_eq!((plain.style(Meaning::Key).fg, plain.current_row()), (None, None));
        let names = Part::ALL.map(Part::word);
        assert_eq!(names, crate::config::COLOURS);
    }

    #[test]
    fn the_plain_theme_has_no_colour_but_still_marks_matches() {
        let theme = Theme::new(Palette::Plain);
        for meaning in ALL {
            assert_eq!(theme.style(meaning).fg, None);
        }
        assert_ne!(theme.style(Meaning::Match), theme.style(Meaning::Text));
    }
}
