//! The palettes, and the parts that have a colour in each.

use crate::words;
use ratatui::style::Color;

/// Which table of styles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Palette {
    /// The terminal's own 16 colours.
    #[default]
    Ansi,
    Dark,
    Light,
    /// For the dark background of that name.
    Gruvbox,
    /// For the dark background of its flavour Mocha.
    Catppuccin,
    /// Only bold, dim and underline.
    Plain,
}

/// The colours of a theme, 24 bits each, in the order of [`Part::ALL`].
pub(super) type Colours = [u32; Part::ALL.len()];

const DARK: Colours = [
    0x9b_a0_b4, // muted
    0x4a_4f_63, // line
    0x7d_cf_ff, // accent
    0xff_d1_66, // match
    0xd5_9c_ff, // mark
    0x9e_d8_8a, // good
    0xf2_b8_5c, // warning
    0xff_7a_85, // error
    0x8a_b4_ff, // heading
    0x2a_2e_3d, // row
];

const LIGHT: Colours = [
    0x5c_61_70, // muted
    0xb4_b8_c5, // line
    0x00_6d_9c, // accent
    0x8a_56_00, // match
    0x8a_2b_c2, // mark
    0x28_70_19, // good
    0x8a_56_00, // warning
    0xb8_1d_2c, // error
    0x1f_56_b8, // heading
    0xe4_e7_f0, // row
];

/// Its red has too little contrast with its background, so this one is lighter.
const GRUVBOX: Colours = [
    0xa8_99_84, // muted
    0x66_5c_54, // line
    0x83_a5_98, // accent
    0xfa_bd_2f, // match
    0xd3_86_9b, // mark
    0xb8_bb_26, // good
    0xfe_80_19, // warning
    0xff_6e_5c, // error
    0x8e_c0_7c, // heading
    0x32_30_2f, // row
];

const CATPPUCCIN: Colours = [
    0xa6_ad_c8, // muted
    0x58_5b_70, // line
    0x89_dc_eb, // accent
    0xf9_e2_af, // match
    0xcb_a6_f7, // mark
    0xa6_e3_a1, // good
    0xfa_b3_87, // warning
    0xf3_8b_a8, // error
    0x89_b4_fa, // heading
    0x31_32_44, // row
];

impl Palette {
    /// The palette of this name in the settings; that of the terminal's own colours for `auto`.
    pub fn from_word(word: &str) -> Self {
        match word {
            "dark" => Self::Dark,
            "light" => Self::Light,
            "gruvbox" => Self::Gruvbox,
            "catppuccin" => Self::Catppuccin,
            "none" => Self::Plain,
            _ => Self::Ansi,
        }
    }

    pub(super) fn colours(self) -> Option<&'static Colours> {
        match self {
            Self::Dark => Some(&DARK),
            Self::Light => Some(&LIGHT),
            Self::Gruvbox => Some(&GRUVBOX),
            Self::Catppuccin => Some(&CATPPUCCIN),
            Self::Ansi | Self::Plain => None,
        }
    }
}

/// What has a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Muted,
    Line,
    Accent,
    Match,
    Mark,
    Good,
    Warning,
    Error,
    Heading,
    /// The background of the row with the cursor.
    Row,
}

words!(
    Part,
    Muted = "muted",
    Line = "line",
    Accent = "accent",
    Match = "match",
    Mark = "mark",
    Good = "good",
    Warning = "warning",
    Error = "error",
    Heading = "heading",
    Row = "row"
);

impl Part {
    /// Of the terminal's 16. What is muted there is only dimmed.
    pub(super) fn ansi(self) -> Option<Color> {
        match self {
            Self::Muted | Self::Line | Self::Row => None,
            Self::Accent => Some(Color::Cyan),
            Self::Match | Self::Warning => Some(Color::Yellow),
            Self::Mark => Some(Color::Magenta),
            Self::Good => Some(Color::Green),
            Self::Error => Some(Color::Red),
            Self::Heading => Some(Color::Blue),
        }
    }
}
