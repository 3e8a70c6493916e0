//! The signs of tables: glyphs, or ASCII.

use crate::catalog::Enablement;
use crate::policy::StatusKind;
use crate::text::SafeText;

/// Which signs a table is printed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signs {
    /// Whether only ASCII is used.
    pub ascii: bool,
}

impl Signs {
    /// The sign of a status: on, in part (in some hosts, or for some uses), off, shadowed, not
    /// taken, or not there.
    pub fn of(status: StatusKind) -> &'static str {
        match status {
            StatusKind::NotThere => "·",
            StatusKind::Refused => "✗",
            StatusKind::Shadowed => "≡",
            StatusKind::Mixed | StatusKind::Is(Enablement::NameOnly | Enablement::UserOnly) => "◐",
            StatusKind::Is(Enablement::Off) => "○",
            StatusKind::Is(Enablement::On) => "✓",
        }
    }

    /// A line as it is printed.
    pub fn shown(self, line: &SafeText) -> SafeText {
        if self.ascii { line.in_ascii() } else { line.clone() }
    }
}
