//! Styles, by what a piece of the screen means. Only the row with the cursor has a background.

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

/// Which table of styles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Palette {
    /// The terminal's own 16 colours.
    #[default]
    Ansi,
    Dark,
    Light,
    /// Only bold, dim and underline.
    Plain,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Theme {
    palette: Palette,
}

impl Meaning {
    /// Of the text of a list's row.
    pub(super) fn of_row(current: bool) -> Self {
        if current { Self::Current } else { Self::Text }
    }
}

impl Theme {
    pub fn new(palette: Palette) -> Self {
        Self { palette }
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
        match self.palette {
            Palette::Dark => Some(hex(0x2a_2e_3d)),
            Palette::Light => Some(hex(0xe4_e7_f0)),
            Palette::Ansi | Palette::Plain => None,
        }
    }

    fn colour(self, meaning: Meaning) -> Option<Color> {
        let (ansi, dark, light) = colours(meaning)?;
        match self.palette {
            Palette::Ansi => ansi,
            Palette::Dark => Some(hex(dark)),
            Palette::Light => Some(hex(light)),
            Palette::Plain => None,
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
            Role::Link => self.style(Meaning::Link).add_modifier(Modifier::UNDERLINED),
            Role::LinkTarget | Role::CodeLabel | Role::Html | Role::Muted => {
                self.style(Meaning::Muted)
            }
            Role::Quote | Role::TableRule | Role::Rule => self.style(Meaning::Line),
            Role::TaskDone => self.style(Meaning::Good),
            Role::TaskOpen => self.style(Meaning::Warning),
            Role::Syntax(syntax) => self.syntax(syntax),
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

/// The colours of a meaning: of the terminal's 16, on dark, on light.
fn colours(meaning: Meaning) -> Option<(Option<Color>, u32, u32)> {
    Some(match meaning {
        Meaning::Text | Meaning::Name | Meaning::Chosen => return None,
        // Dim alone in the terminal's own colours.
        Meaning::Muted | Meaning::Off => (None, 0x9b_a0_b4, 0x5c_61_70),
        Meaning::Line => (None, 0x4a_4f_63, 0xb4_b8_c5),
        Meaning::Accent | Meaning::Current | Meaning::Key => {
            (Some(Color::Cyan), 0x7d_cf_ff, 0x00_6d_9c)
        }
        Meaning::Match => (Some(Color::Yellow), 0xff_d1_66, 0x8a_56_00),
        Meaning::Mark | Meaning::Keyword => (Some(Color::Magenta), 0xd5_9c_ff, 0x8a_2b_c2),
        Meaning::Good | Meaning::Code | Meaning::Literal => {
            (Some(Color::Green), 0x9e_d8_8a, 0x28_70_19)
        }
        Meaning::Warning => (Some(Color::Yellow), 0xf2_b8_5c, 0x8a_56_00),
        Meaning::Error => (Some(Color::Red), 0xff_7a_85, 0xb8_1d_2c),
        Meaning::Heading | Meaning::Link | Meaning::Symbol => {
            (Some(Color::Blue), 0x8a_b4_ff, 0x1f_56_b8)
        }
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
    fn the_plain_theme_has_no_colour_but_still_marks_matches() {
        let theme = Theme::new(Palette::Plain);
        for meaning in ALL {
            assert_eq!(theme.style(meaning).fg, None);
        }
        assert_ne!(theme.style(Meaning::Match), theme.style(Meaning::Text));
    }
}
