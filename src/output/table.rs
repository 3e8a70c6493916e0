//! Skills as an aligned plain table.

use super::Out;
use crate::inert;
use crate::policy::Entry;
use crate::text::SafeText;
use crate::workspace::View;
use std::io;

/// The widest a name's column grows.
const NAME: usize = 40;

/// The signs of a table: glyphs, or ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signs {
    /// Whether only ASCII is used.
    pub ascii: bool,
}

impl Signs {
    /// The state's sign: on, off, or cannot be offered.
    pub fn state(self, entry: &Entry) -> SafeText {
        SafeText::fixed(match (entry.offered(), entry.is_on(), self.ascii) {
            (false, _, false) => "✗",
            (false, _, true) => "x",
            (true, true, false) => "✓",
            (true, true, true) => "+",
            (true, false, false) => "○",
            (true, false, true) => "o",
        })
    }
}

/// Prints these entries of a view, one a line: state, name, scope, description or what is wrong.
///
/// # Errors
/// Those of stdout.
pub fn print(out: &mut Out, view: &View, indexes: &[usize], signs: Signs) -> io::Result<()> {
    let entries = || indexes.iter().filter_map(|index| view.entries.get(*index));
    let names: Vec<SafeText> = entries().map(|entry| SafeText::line(&entry.skill.name)).collect();
    let widest = names.iter().map(SafeText::width).max().unwrap_or(0);
    let name_columns = widest.clamp(4, NAME.min(out.columns() / 3).max(4));
    for (entry, name) in entries().zip(&names) {
        let scope = SafeText::fixed(entry.skill.scope.word());
        let head = inert!("{} {}  {}  ", signs.state(entry), name.pad(name_columns), scope.pad("system".len()));
        let rest = out.columns().saturating_sub(head.width());
        let line = inert!("{}{}", head, about(entry).cut(rest));
        out.line(&SafeText::clean(line.as_str().trim_end()))?;
    }
    Ok(())
}

/// What there is to say of a skill: what is wrong where it cannot be offered, else what it does.
fn about(entry: &Entry) -> SafeText {
    use crate::catalog::Severity;
    let error = entry.skill.diagnostics.iter().find(|diagnostic| diagnostic.severity() == Severity::Error);
    SafeText::line(error.map_or(entry.skill.description.as_str(), |error| error.message.as_str()))
}

/// Prints what was not looked at, and which roots could not be read: a cut is shown (house rule 6).
///
/// # Errors
/// Those of stdout.
pub fn print_cuts(out: &mut Out, view: &View) -> io::Result<()> {
    for cut in view.cuts.iter() {
        let place = SafeText::path(&cut.path);
        out.line(&inert!(
            "cut by the limit of {} {}: {} or more left out, first at {}",
            cut.value,
            cut.limit.word(),
            cut.dropped,
            place
        ))?;
    }
    Ok(())
}
