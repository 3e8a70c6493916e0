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

/// The colours of a theme, 24 bits each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Colours {
    muted: u32,
    line: u32,
    accent: u32,
    hit: u32,
    mark: u32,
    good: u32,
    warning: u32,
    error: u32,
    heading: u32,
    /// The background of the row with the cursor.
    row: u32,
}

const DARK: Colours = Colours {
    muted: 0x9b_a0_b4,
    line: 0x4a_4f_63,
    accent: 0x7d_cf_ff,
    hit: 0xff_d1_66,
    mark: 0xd5_9c_ff,
    good: 0x9e_d8_8a,
    warning: 0xf2_b8_5c,
    error: 0xff_7a_85,
    heading: 0x8a_b4_ff,
    row: 0x2a_2e_3d,
};

const LIGHT: Colours = Colours {
    muted: 0x5c_61_70,
    line: 0xb4_b8_c5,
    accent: 0x00_6d_9c,
    hit: 0x8a_56_00,
    mark: 0x8a_2b_c2,
    good: 0x28_70_19,
    warning: 0x8a_56_00,
    error: 0xb8_1d_2c,
    heading: 0x1f_56_b8,
    row: 0xe4_e7_f0,
};

/// Its red has too little contrast with its background, so this one is lighter.
const GRUVBOX: Colours = Colours {
    muted: 0xa8_99_84,
    line: 0x66_5c_54,
    accent: 0x83_a5_98,
    hit: 0xfa_bd_2f,
    mark: 0xd3_86_9b,
    good: 0xb8_bb_26,
    warning: 0xfe_80_19,
    error: 0xff_6e_5c,
    heading: 0x8e_c0_7c,
    row: 0x32_30_2f,
};

const CATPPUCCIN: Colours = Colours {
    muted: 0xa6_ad_c8,
    line: 0x58_5b_70,
    accent: 0x89_dc_eb,
    hit: 0xf9_e2_af,
    mark: 0xcb_a6_f7,
    good: 0xa6_e3_a1,
    warning: 0xfa_b3_87,
    error: 0xf3_8b_a8,
    heading: 0x89_b4_fa,
    row: 0x31_32_44,
};

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
    pub(super) fn of(self, colours: &Colours) -> u32 {
        match self {
            Self::Muted => colours.muted,
            Self::Line => colours.line,
            Self::Accent => colours.accent,
            Self::Match => colours.hit,
            Self::Mark => colours.mark,
            Self::Good => colours.good,
            Self::Warning => colours.warning,
            Self::Error => colours.error,
            Self::Heading => colours.heading,
            Self::Row => colours.row,
        }
    }

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
