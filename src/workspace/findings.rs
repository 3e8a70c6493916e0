//! Findings that need more than the head of a skill: confusable names need all skills of a view,
//! hidden text needs the body, and is no finding if a person has approved it.

use super::{Host, View, Workspace, host_by_word};
use crate::catalog::{Check, Diagnostic, Place, Skill, checks, skeleton};
use crate::files::digest::Digest;
use crate::listing::in_halves;
use crate::policy::{Entry, HostReport};
use crate::scan::{self, KnownFile};
use crate::state::approvals::{Approvals, Subject};
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::sync::Arc;

impl Workspace {
    /// The view after the file of one skill was read to its end.
    #[must_use]
    pub fn with_body(&self, view: View, index: usize) -> View {
        let unread = view.rows.entry(index).filter(|entry| !entry.skill.whole);
        match unread.map(|entry| scan::body_finding(&entry.skill)) {
            Some(Ok(finding)) => self.with_findings(&view, vec![(index, finding)]),
            Some(Err(_)) | None => view,
        }
    }

    /// Notes for later processes which skills hide nothing in their whole files. `hides_nothing` is
    /// asked about skills that are known by their heads.
    pub fn note_whole(&self, hides_nothing: &dyn Fn(&KnownFile) -> bool) {
        if let Some(index) = self.index() {
            index.note_whole(&self.roots(), hides_nothing);
        }
    }

    /// The view after the files of these skills were read to their end, each with what it hides.
    #[must_use]
    pub fn with_findings(&self, view: &View, read: Vec<(usize, Option<Diagnostic>)>) -> View {
        let plain = view.plain.as_ref().map(|plain| {
            let own = read.iter().filter(|(index, _)| *index < plain.rows.len()).cloned();
            Arc::new(self.with_findings(plain, own.collect()))
        });
        let whole = |(index, finding)| Some((index, whole(view.rows.entry(index)?, finding)));
        let (places, mut entries): (Vec<usize>, Vec<Entry>) =
            read.into_iter().filter_map(whole).unzip();
        clear_approved(&mut entries, self.state_dir.as_deref());
        let skills = places.into_iter().zip(entries.into_iter().map(|entry| entry.skill));
        let mut view = View { plain, ..view.clone() };
        view.listing.rows = Arc::new(view.listing.rows.with_skills(skills));
        view
    }
}

/// The entry of a skill whose whole file was read.
fn whole(entry: &Entry, finding: Option<Diagnostic>) -> Entry {
    let mut entry = entry.clone();
    let skill = Arc::make_mut(&mut entry.skill);
    skill.whole = true;
    skill.diagnostics.extend(finding);
    skill.diagnostics.sort_by_key(|diagnostic| diagnostic.place);
    entry
}

/// Adds a finding to every entry whose name is confusable with another one's.
pub(super) fn flag_confusable(entries: &mut [Entry]) {
    let alike = look_alikes(entries);
    flag(entries, &checks::NAME_LOOK_ALIKE, |entries, index| {
        let other = &entries[*alike.get(&index)?];
        let name = trimmed(&entries[index]);
        let (like, path) = (trimmed(other), other.skill.path.display());
        Some(format!("the name '{name}' looks like '{like}', that of {path}"))
    });
}

/// Adds a finding to every entry that a host's own parser refuses, if nothing that we found says
/// why. The host is the view's; in a view through all hosts, it is each one that refuses the skill.
pub(super) fn flag_refused(entries: &mut [Entry], host: &Host, reports: &[HostReport]) {
    let is_it = |check: &Check| check == &checks::HOST_PARSER;
    flag(entries, &checks::HOST_PARSER, |entries, index| {
        let entry = &entries[index];
        let number = u32::try_from(index).ok()?;
        let refuses =
            |report: &&HostReport| report.refusal(number, &entry.skill).is_some_and(is_it);
        let refusing = reports.iter().filter(refuses);
        let refusing = refusing.filter_map(|report| Some(host_by_word(report.host.word())?.name));
        let own = entry.refused.is_some_and(is_it).then_some(host.name);
        let names: Vec<&str> = match reports.is_empty() {
            true => own.into_iter().collect(),
            false => refusing.collect(),
        };
        let leave = if names.len() == 1 { "leaves" } else { "leave" };
        let told = || format!("{} {leave} it out because of its frontmatter", names.join(", "));
        (!names.is_empty()).then(told)
    });
}

/// Gives each entry the finding of this check that it should have, and removes it from those that
/// had it in an earlier view. A skill whose findings stay the same keeps its `Arc`, so that an
/// unchanged view can be recognized.
fn flag(
    entries: &mut [Entry],
    check: &'static Check,
    told: impl Fn(&[Entry], usize) -> Option<String>,
) {
    let known = |index: usize| {
        let mut found = entries[index].skill.diagnostics.iter();
        found.find(|found| found.check == check).map(|found| &found.message)
    };
    let each = (0..entries.len()).map(|index| (index, told(entries, index)));
    let changed: Vec<(usize, Option<String>)> =
        each.filter(|(index, told)| known(*index) != told.as_ref()).collect();
    for (index, told) in changed {
        let diagnostics = &mut Arc::make_mut(&mut entries[index].skill).diagnostics;
        diagnostics.retain(|diagnostic| diagnostic.check != check);
        diagnostics.extend(told.map(|message| Diagnostic::new(check, Place::START, message)));
    }
}

/// For each entry with a confusable name the first one whose name is another and is drawn alike.
/// What the host does not look at is confused with nothing.
fn look_alikes(entries: &[Entry]) -> HashMap<usize, usize> {
    let drawn = |index: usize| skeleton(&entries[index].skill.name);
    // Hashes take a tenth of the memory of the names as they are drawn.
    let hasher = RandomState::new();
    let mut hashed = in_halves(entries, |first, part| {
        let indexes = (first..).zip(part).filter(|(_, entry)| !entry.is_elsewhere());
        indexes.map(|(index, _)| (hasher.hash_one(drawn(index)), index)).collect()
    });
    hashed.sort_unstable();
    let mut alike = HashMap::new();
    for group in hashed.chunk_by(|one, other| one.0 == other.0) {
        let first = group[0].1;
        let has_its_name = |index: usize| trimmed(&entries[index]) == trimmed(&entries[first]);
        let is_like_it = |index: &usize| !has_its_name(*index) && drawn(*index) == drawn(first);
        let indexes = || group.iter().map(|(_, index)| *index);
        let Some(second) = indexes().find(is_like_it) else { continue };
        alike.extend(
            indexes().map(|index| (index, if has_its_name(index) { second } else { first })),
        );
    }
    alike
}

fn trimmed(entry: &Entry) -> &str {
    entry.skill.name.trim()
}

/// Removes the finding of hidden text from every skill whose bytes a person has approved. Only
/// files with the finding are read.
pub(super) fn clear_approved(entries: &mut [Entry], state_dir: Option<&Path>) {
    let Some(state_dir) = state_dir else { return };
    let mut hiding = entries.iter_mut().filter(|entry| hides(&entry.skill)).peekable();
    if hiding.peek().is_none() {
        return;
    }
    let approvals = Approvals::load(state_dir);
    for entry in hiding {
        let path = &entry.skill.path;
        let digest = std::fs::read(path).map(|bytes| Digest::of(&bytes).to_string());
        if digest.is_ok_and(|digest| approvals.has(Subject::Text, path, &digest)) {
            let diagnostics = &mut Arc::make_mut(&mut entry.skill).diagnostics;
            diagnostics.retain(|diagnostic| diagnostic.check != &checks::HIDDEN_TEXT);
        }
    }
}

fn hides(skill: &Skill) -> bool {
    skill.diagnostics.iter().any(|diagnostic| diagnostic.check == &checks::HIDDEN_TEXT)
}

#[cfg(test)]
mod tests {
    use crate::catalog::checks::NAME_LOOK_ALIKE;
    use crate::workspace::View;
    use crate::workspace::fixture::TestWorkspace;
    use std::sync::Arc;

    fn flagged(view: &View) -> Vec<&str> {
        let has = |entry: &&crate::policy::Entry| {
            entry
                .skill
                .diagnostics
                .iter()
                .filter(|diagnostic| diagnostic.check == &NAME_LOOK_ALIKE)
                .count()
                == 1
        };
        view.rows.entries().filter(has).map(|entry| entry.skill.name.as_str()).collect()
    }

    #[test]
    fn a_look_alike_is_flagged_on_both_sides_as_long_as_there_are_two() {
        let skills =
            ["repo/.agents/skills/deploy", "home/.agents/skills/deploy", "repo/.agents/skills/pdf"];
        let test = TestWorkspace::with(&[
            (skills[0], "deploy"),
            (skills[1], "dерloy"),
            (skills[2], "pdf"),
        ]);
        let view = test.view();
        assert_eq!(flagged(&view), ["deploy", "dерloy"]);
        let message = &view.rows[0].entry.skill.diagnostics.last().unwrap().message;
        assert!(
            message.contains("'dерloy', that of ")
                && message.contains("/home/.agents/skills/deploy/"),
            "{message}"
        );
        // An unchanged skill keeps its `Arc`, and a skill that is gone flags no other.
        let again = test.workspace.view_after(&view, crate::scan::Options::default());
        assert!(Arc::ptr_eq(&again.rows, &view.rows));
        std::fs::remove_dir_all(test.env.top.join(skills[1])).unwrap();
        let after = test.workspace.view_after(&again, crate::scan::Options::default());
        assert_eq!((flagged(&after).len(), after.rows.len()), (0, 2));
    }

    #[test]
    fn the_same_name_twice_is_no_look_alike() {
        let test = TestWorkspace::with(&[
            ("repo/.agents/skills/deploy", "deploy"),
            ("home/.agents/skills/deploy", "deploy"),
        ]);
        assert!(flagged(&test.view()).is_empty());
    }
}
