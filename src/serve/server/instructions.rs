//! What a client is told at the start, for its model: the rules for the use of skills, and the first
//! skills of the catalog.

use crate::runtime::dialect::{Dialect, Job};
use crate::runtime::prompt::{PromptLimits, Style, prompt, rules};
use crate::runtime::session::SavedSkill;
use crate::serve::catalog_cache::Snapshot;
use std::time::Duration;

/// How long the first answer waits for the catalog. Whoever starts the server waits as well.
pub(super) const PATIENCE: Duration = Duration::from_millis(10);
/// The most bytes. Clients put this text before every conversation, and some cut it.
const MAX_BYTES: usize = 8 << 10;

/// The rules and as much of the catalog as there is room for; a cut is told.
pub(super) fn with_catalog(snapshot: &Snapshot, dialect: Dialect, active: &[SavedSkill]) -> String {
    // This system has the catalog in the description of its tool, and no text is given twice.
    if dialect == Dialect::Kodelet {
        return in_the_tool(dialect);
    }
    let limits = PromptLimits::of(&snapshot.view);
    let bytes = limits.bytes.map_or(MAX_BYTES, |bytes| bytes.min(MAX_BYTES));
    let limits = PromptLimits { bytes: Some(bytes), ..limits };
    let style = Style { active, ..dialect.into() };
    let catalog = prompt(&snapshot.view, None, style, limits);
    if catalog.included.is_empty() && !catalog.truncated() {
        return "There are no skills.".to_owned();
    }
    catalog.text
}

/// The rules alone, while the catalog is still being read.
pub(super) fn without_catalog(dialect: Dialect) -> String {
    if dialect == Dialect::Kodelet {
        return in_the_tool(dialect);
    }
    let rules = rules(dialect, false);
    let find = |tool| format!(" Call {tool} to find those that match a task.");
    let find = dialect.tool(Job::Search).map(find).unwrap_or_default();
    format!("{rules}\n- The skills are still being read, so none is listed here.{find}")
}

fn in_the_tool(dialect: Dialect) -> String {
    let tool = dialect.tool(Job::Load).unwrap_or_default();
    format!("The skills, and the rules for their use, are in the description of the tool {tool}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_list_no_rule_speaks_of_one_and_the_search_is_named() {
        for dialect in Dialect::ALL.into_iter().filter(|dialect| *dialect != Dialect::Kodelet) {
            let told = without_catalog(dialect);
            assert!(told.contains("still being read"), "{told}");
            assert!(!told.contains("Only the skills"), "{told}");
            let search = dialect.tool(Job::Search);
            assert_eq!(told.contains("to find those"), search.is_some(), "{told}");
        }
        assert!(without_catalog(Dialect::Codelia).contains("Call skill_search to find"));
    }
}
