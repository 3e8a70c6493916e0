//! Skills as an aligned plain table.

use super::signs::Signs;
use super::{Out, seen};
use crate::inert;
use crate::text::SafeText;
use crate::workspace::{ALL, View};
use std::io;

/// The widest a name's column grows.
const NAME: usize = 40;

/// Prints these entries of a view, one a line: state, name, scope, what each host makes of it where
/// it is seen through all, description or what is wrong.
///
/// # Errors
/// Those of stdout.
pub fn print(out: &mut Out, view: &View, indexes: &[usize], signs: Signs) -> io::Result<()> {
    let entries = || indexes.iter().filter_map(|index| Some((*index, view.rows.entry(*index)?)));
    let names: Vec<SafeText> =
        entries().map(|(_, entry)| SafeText::line(&entry.skill.name)).collect();
    let every = view.host.id.word() == ALL;
    let widest = names.iter().map(SafeText::width).max().unwrap_or(0);
    let name_columns = widest.clamp(4, NAME.min(out.columns() / 3).max(4));
    for ((index, entry), name) in entries().zip(&names) {
        let scope = SafeText::fixed(entry.skill.scope.word()).pad("system".len());
        let state = Signs::of(entry.status());
        let head = match every {
            true => inert!(
                "{} {}  {}  {}  ",
                state,
                name.pad(name_columns),
                scope,
                seen::signs(view, index)
            ),
            false => inert!("{} {}  {}  ", state, name.pad(name_columns), scope),
        };
        let rest = out.columns().saturating_sub(head.width());
        let line = inert!("{}{}", head, SafeText::line(entry.about()).cut(rest));
        out.line(&signs.shown(&SafeText::clean(line.as_str().trim_end())))?;
    }
    if every && !indexes.is_empty() { out.line(&signs.shown(&seen::legend(view))) } else { Ok(()) }
}

/// Prints what was not looked at, and which roots could not be read: a cut is shown.
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
