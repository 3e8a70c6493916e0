//! The signs of tables: glyphs, or ASCII.

use crate::catalog::Enablement;
use crate::policy::Stance;
use crate::text::SafeText;

/// Which signs a table is printed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signs {
    /// Whether only ASCII is used.
    pub ascii: bool,
}

impl Signs {
    /// The sign of a standing: on, in part (in some hosts, or for some uses), off, shadowed, not
    /// taken, or not there.
    pub fn of(stance: Stance) -> &'static str {
        match stance {
            Stance::NotThere => "·",
            Stance::Refused => "✗",
            Stance::Shadowed => "≡",
            Stance::Mixed | Stance::Is(Enablement::NameOnly | Enablement::UserOnly) => "◐",
            Stance::Is(Enablement::Off) => "○",
            Stance::Is(Enablement::On) => "✓",
        }
    }

    /// A line as it is printed.
    pub fn shown(self, line: &SafeText) -> SafeText {
        if self.ascii { line.in_ascii() } else { line.clone() }
    }
}
