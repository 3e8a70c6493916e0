//! Skills as an aligned plain table.

use super::{Out, seen};
use crate::catalog::Enablement;
use crate::inert;
use crate::policy::StatusKind;
use crate::text::SafeText;
use crate::workspace::{ALL, View};
use std::io;

/// The largest width of the column of names.
const NAME: usize = 40;

/// The signs of a table: glyphs or ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signs {
    /// Whether only ASCII is used.
    pub ascii: bool,
}

impl Signs {
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

    /// The line as it is printed, with ASCII in place of glyphs if wanted.
    pub fn shown(self, line: &SafeText) -> SafeText {
        if self.ascii { line.in_ascii() } else { line.clone() }
    }
}

/// Prints these entries of a view, one on a line: state, name, scope, description or error. In a
/// view through all hosts, each line also has a sign for every host.
///
/// # Errors
/// Those of stdout.
pub fn print(out: &mut Out, view: &View, indexes: &[usize], signs: Signs) -> io::Result<()> {
    let entries = || indexes.iter().filter_map(|index| Some((*index, view.rows.entry(*index)?)));
    let names: Vec<SafeText> =
        entries().map(|(_, entry)| SafeText::line(&entry.skill.full_name())).collect();
    let every = (view.host.id.word() == ALL && !indexes.is_empty())
        .then(|| seen::Columns::of(view, out.columns()));
    let widest = names.iter().map(SafeText::width).max().unwrap_or(0);
    let name_columns = widest.clamp(4, NAME.min(out.columns() / 3).max(4));
    let scopes = entries().map(|(_, entry)| entry.skill.scope.word().len());
    let scope_columns = scopes.max().unwrap_or(0).max("system".len());
    if let Some(header) = every.as_ref().and_then(seen::Columns::header) {
        let (name, scope) = (SafeText::fixed("name"), SafeText::fixed("scope"));
        let line =
            inert!("  {}  {}  {} what", name.pad(name_columns), scope.pad(scope_columns), header);
        out.line(line)?;
    }
    for ((index, entry), name) in entries().zip(&names) {
        let scope = SafeText::fixed(entry.skill.scope.word()).pad(scope_columns);
        let state = SafeText::fixed(Signs::of(entry.status()));
        let name = SafeText::join([state, name.pad(name_columns)], " ");
        let mut line = SafeText::join([name, scope, SafeText::default()], "  ");
        if let Some(columns) = &every {
            line.push(&SafeText::join([columns.signs(index), SafeText::default()], " "));
        }
        let rest = out.columns().saturating_sub(line.width());
        let word = entry.skill.root.word.as_ref().map(|word| word.briefly());
        let about = word.into_iter().chain([SafeText::line(entry.about().trim_end())]);
        let about = SafeText::join(about.filter(|part| !part.is_empty()), " · ");
        line.push(&about.cut(rest));
        out.line(signs.shown(&line.trim_end()))?;
    }
    every.map_or(Ok(()), |columns| out.line(signs.shown(&columns.legend())))
}

/// Prints the limits that cut the scan.
///
/// # Errors
/// Those of stdout.
pub fn print_cuts(out: &mut Out, view: &View) -> io::Result<()> {
    for cut in view.cuts.iter() {
        out.line(inert!("cut: {}; {}", SafeText::line(&cut.message()), cut.help()))?;
    }
    Ok(())
}
