//! What a client is told at the start, for its model: the rules for the use of skills, and the
//! first skills of the catalog.

use crate::failpoint::patience;
use crate::policy::Limits;
use crate::runtime::dialect::{Dialect, Job};
use crate::runtime::prompt::{Style, loaded_rule, prompt, rules};
use crate::runtime::session::SavedSkill;
use crate::serve::catalog_cache::Snapshot;
use std::time::Duration;
use tokio::time::sleep;

/// How long the first answer waits for a catalog that can be searched. Whoever starts the server
/// waits as well.
const SOON: Duration = Duration::from_millis(10);
/// How long it waits where the model has no other way to learn of a skill, or where skills were
/// loaded before: only the catalog says whether one of them is denied by now.
const LONG: Duration = Duration::from_secs(2);
/// The most bytes. Clients put this text before every conversation, and some cut it.
const MAX_BYTES: usize = 8 << 10;

/// Where the rules and the catalog are, if the model has both already.
pub(super) fn elsewhere(dialect: Dialect) -> Option<String> {
    let tool = dialect.tool(Job::Load).filter(|_| dialect == Dialect::Kodelet)?;
    // This system has the catalog in the description of its tool, and no text is given twice.
    Some(format!(
        "The skills, and the rules for their use, are in the description of the tool {tool}."
    ))
}

/// Ends when the catalog is not waited for any more.
/// `is_resumed` says that skills are loaded.
pub(super) async fn late(dialect: Dialect, is_resumed: bool) {
    let is_searched = dialect.tool(Job::Search).is_some() && !is_resumed;
    sleep(patience(if is_searched { SOON } else { LONG })).await;
}

/// The rules and as much of the catalog as there is room for; a cut is told.
pub(super) fn with_catalog(snapshot: &Snapshot, dialect: Dialect, active: &[SavedSkill]) -> String {
    let limits = snapshot.view.limits();
    let bytes = limits.bytes.map_or(MAX_BYTES, |bytes| bytes.min(MAX_BYTES));
    let limits = Limits { bytes: Some(bytes), ..limits };
    let style = Style { active, ..dialect.into() };
    let catalog = prompt(&snapshot.view, None, style, limits);
    if catalog.included.is_empty() && !catalog.truncated() {
        return "There are no skills.".to_owned();
    }
    catalog.text
}

/// The rules and what is loaded, while the catalog is still being read.
pub(super) fn without_catalog(dialect: Dialect, active: &[SavedSkill]) -> String {
    let find = |tool| format!(" Call {tool} to find those that match a task.");
    let find = dialect.tool(Job::Search).map(find).unwrap_or_default();
    let unread = format!("The skills are still being read, so none is listed here.{find}");
    let more: Vec<String> = loaded_rule(active).into_iter().chain([unread]).collect();
    format!("{}\n- {}", rules(dialect, false), more.join("\n- "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn without_a_list_no_rule_speaks_of_one_and_the_search_is_named() {
        for dialect in Dialect::ALL.into_iter().filter(|dialect| *dialect != Dialect::Kodelet) {
            let told = without_catalog(dialect, &[]);
            assert!(told.contains("still being read"), "{told}");
            assert!(!told.contains("Only the skills") && !told.contains("Loaded in"), "{told}");
            let search = dialect.tool(Job::Search);
            assert_eq!(told.contains("to find those"), search.is_some(), "{told}");
        }
        assert!(without_catalog(Dialect::Codelia, &[]).contains("Call skill_search to find"));
    }

    #[test]
    fn a_catalog_is_waited_for_longest_where_nothing_else_finds_a_skill() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let waited = |dialect, is_resumed| {
            let start = Instant::now();
            runtime.block_on(late(dialect, is_resumed));
            start.elapsed()
        };
        assert!((SOON..LONG).contains(&waited(Dialect::Codelia, false)));
        assert!(waited(Dialect::Codelia, true) >= LONG, "one may be denied by now");
        assert!(waited(Dialect::Spec0027, false) >= LONG);
    }
}
