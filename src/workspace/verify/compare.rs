//! Compares our view with the program's answer, skill by skill.

use crate::catalog::{Enablement, Permission, Plugin, Skill};
use crate::hosts::probe::{AgentProbe, Report, Shows, SkillReport};
use crate::hosts::{Duplicates, FETCHED};
use crate::policy::{Entry, Origin};
use crate::text::fold::one_line;
use crate::workspace::View;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The result for one skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    Same,
    OnlyOurs,
    OnlyTheirs,
    /// Both list it, and differ in whether it is on.
    Differs {
        ours: bool,
        theirs: bool,
    },
    /// Both list it, by different names; the program's name.
    Named(String),
    /// Both list it, with different descriptions; the program's description.
    Described(String),
    /// The program's output cannot show it; why.
    Unknown(&'static str),
}

impl Finding {
    pub fn is_difference(&self) -> bool {
        !matches!(self, Self::Same | Self::Unknown(_))
    }
}

/// One skill that either side lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its name in the host; other people's text.
    pub name: String,
    /// Its file; `None` if only the program lists it and names no paths.
    pub path: Option<PathBuf>,
    /// The entry of the view with this file, listed or not.
    pub entry: Option<usize>,
    pub finding: Finding,
}

const CHANCE: &str = "it lists one of several of this name, and another each time";
const LINK_BESIDE: &str = "a link beside it has another name; which one counts is chance";
const FETCHED_AGAIN: &str = "it asks the skill's address first, and has no network here";
const BEYOND: &str = "it looked beyond the copy in which it was asked (--live asks it in place)";
const RULE: &str = "it has a rule that we do not understand";
const OFF: &str = "it does not say of a skill that is off whether it refuses it";
const OWN_WORD: &str = "it does not list what only the model may call";

/// The program's answer, indexed.
struct Indexed<'a> {
    by_path: BTreeMap<&'a Path, &'a SkillReport>,
    by_name: BTreeMap<&'a str, &'a SkillReport>,
    callable: BTreeSet<&'a str>,
    beyond: BTreeSet<&'a Path>,
}

impl Indexed<'_> {
    /// Whether the program should have named a copy of this file. What comes with it is nowhere
    /// else.
    fn is_beyond(&self, reported: &SkillReport, entry: Option<&Entry>) -> bool {
        let plugin = entry.and_then(|entry| entry.skill.root.plugin.as_deref());
        let comes_with_it = plugin.is_some_and(|plugin| plugin.kind == Plugin::BUILT_IN);
        !comes_with_it && reported.path.as_deref().is_some_and(|path| self.beyond.contains(path))
    }
}

/// Every skill that either side lists.
pub(in crate::workspace) fn compare(view: &View, probe: &AgentProbe, report: &Report) -> Vec<Row> {
    let indexed = Indexed {
        by_path: report
            .skills
            .iter()
            .filter_map(|reported| Some((reported.path.as_deref()?, reported)))
            .collect(),
        by_name: report.skills.iter().map(|reported| (reported.name.as_str(), reported)).collect(),
        callable: report.callable.iter().map(String::as_str).collect(),
        beyond: report.beyond.iter().map(PathBuf::as_path).collect(),
    };
    let taken = view.rows.entries().filter(|entry| entry.taken() && is_on(probe, entry));
    let on: BTreeSet<String> = taken.map(|entry| name_of(view, &entry.skill)).collect();
    let mut rows = Vec::new();
    let mut met: BTreeSet<(&str, Option<&Path>)> = BTreeSet::new();
    for (index, entry) in view.rows.entries().enumerate().filter(|(_, entry)| entry.taken()) {
        let name = name_of(view, &entry.skill);
        // A name without a path is that of the skill which is on.
        let is_others = !probe.paths && !is_on(probe, entry) && on.contains(&name);
        let reported = if is_others {
            None
        } else if probe.paths {
            let path = &*entry.skill.path;
            let lossy = || report.skills.iter().find(|reported| is_at(&entry.skill, reported));
            let lossy = || path.to_str().is_none().then(lossy).flatten();
            indexed.by_path.get(path).copied().or_else(lossy)
        } else {
            indexed.by_name.get(&*name).copied()
        };
        met.extend(reported.map(|reported| (reported.name.as_str(), reported.path.as_deref())));
        let finding = match reported {
            Some(reported) if indexed.is_beyond(reported, Some(entry)) => Finding::Unknown(BEYOND),
            Some(reported) => both(probe, entry, (&name, &described(view, entry)), reported),
            None if !is_others && indexed.callable.contains(&*name) => both_by_name(entry),
            None => ours(view, probe, entry, &indexed),
        };
        let path = Some(entry.skill.path.clone());
        rows.push(Row { name, path, entry: Some(index), finding });
    }
    let others = report.skills.iter().filter(|reported| !reported.bundled);
    let others = others
        .filter(|reported| !met.contains(&(reported.name.as_str(), reported.path.as_deref())));
    rows.extend(others.map(|reported| theirs(view, probe, reported, &indexed)));
    rows
}

/// Whether the program names the skill's file; or its file or folder with U+FFFD for what is not
/// UTF-8.
fn is_at(skill: &Skill, reported: &SkillReport) -> bool {
    let Some(path) = reported.path.as_deref() else { return false };
    let is_lossy =
        |own: &Path| own.to_str().is_none() && Path::new(&*own.to_string_lossy()) == path;
    skill.path == path || is_lossy(&skill.path) || is_lossy(skill.dir())
}

fn name_of(view: &View, skill: &Skill) -> String {
    view.policy.order.name_of(skill).to_string()
}

fn described(view: &View, entry: &Entry) -> String {
    view.policy.order.description_of(&entry.skill).into_owned()
}

/// Whether the program would show this entry as on.
pub(in crate::workspace) fn is_on(probe: &AgentProbe, entry: &Entry) -> bool {
    let denied = entry.verdict.model.value == Permission::Deny;
    match probe.shows {
        Shows::Rules => !denied,
        // Settings that cannot be read deny, and leave the switches as they are.
        Shows::OnOff | Shows::OnOnly
            if denied && matches!(entry.verdict.model.origin, Origin::Alarm { .. }) =>
        {
            false
        }
        Shows::OnOff => entry.state != Enablement::Off,
        Shows::OnOnly => entry.verdict.user.value,
    }
}

fn both(
    probe: &AgentProbe,
    entry: &Entry,
    (name, description): (&str, &str),
    reported: &SkillReport,
) -> Finding {
    let (ours, theirs) = (is_on(probe, entry), reported.enabled != Some(false));
    if probe.shows == Shows::Rules && reported.enabled.is_none() {
        Finding::Unknown(RULE)
    } else if ours != theirs {
        Finding::Differs { ours, theirs }
    } else if reported.name.trim() != name.trim() {
        match has_both_names(&entry.skill, [name, &reported.name]) {
            true => Finding::Unknown(LINK_BESIDE),
            false => Finding::Named(reported.name.clone()),
        }
    } else {
        // Programs keep line ends or fold them.
        let other = |text: &&String| one_line(text) != one_line(description);
        let other = reported.description.as_ref().filter(other);
        other.map_or(Finding::Same, |text| Finding::Described(text.clone()))
    }
}

/// Whether two places of a skill, in one folder, have these names. A program that names a skill by
/// its place takes the one that the file system lists first.
fn has_both_names(skill: &Skill, names: [&str; 2]) -> bool {
    let folder = skill.location().parent();
    let beside = skill.locations().filter(|place| place.parent() == folder);
    let found: Vec<&OsStr> = beside.filter_map(Path::file_name).collect();
    names.iter().all(|name| found.contains(&OsStr::new(name)))
}

/// The finding if the skill is not in the program's list, but can be called.
fn both_by_name(entry: &Entry) -> Finding {
    match entry.verdict.user.value {
        true => Finding::Same,
        false => Finding::Differs { ours: false, theirs: true },
    }
}

/// The finding if the program does not name the skill.
fn ours(view: &View, probe: &AgentProbe, entry: &Entry, indexed: &Indexed) -> Finding {
    let name = name_of(view, &entry.skill);
    if view.host.duplicates == Duplicates::Random
        && entry.same_name > 1
        && indexed.by_name.contains_key(&*name)
    {
        return Finding::Unknown(CHANCE);
    }
    let theirs =
        indexed.by_name.get(&*name).and_then(|reported| at(view, reported.path.as_deref()?));
    if theirs.is_some_and(|theirs| view.host.siblings.is_chance(&entry.skill, &theirs.skill)) {
        return Finding::Unknown(CHANCE);
    }
    let plugin = entry.skill.root.plugin.as_deref();
    if plugin.is_some_and(|plugin| plugin.kind == FETCHED) {
        return Finding::Unknown(FETCHED_AGAIN);
    }
    // A program does not list what a plugin would bring that is off.
    if entry.state == Enablement::Off && plugin.is_some() {
        return Finding::Same;
    }
    match (probe.shows, is_on(probe, entry), entry.state) {
        (Shows::OnOnly, false, Enablement::Off) => Finding::Same,
        (Shows::OnOnly, false, _) => Finding::Unknown(OWN_WORD),
        _ => Finding::OnlyOurs,
    }
}

/// The entry with this file.
fn at<'a>(view: &'a View, path: &Path) -> Option<&'a Entry> {
    view.rows.entries().find(|entry| entry.skill.path == path)
}

/// The row of a skill that only the program names.
fn theirs(view: &View, probe: &AgentProbe, reported: &SkillReport, indexed: &Indexed<'_>) -> Row {
    let is_it = |entry: &Entry| match &reported.path {
        Some(_) => is_at(&entry.skill, reported),
        None => !probe.paths && name_of(view, &entry.skill) == reported.name,
    };
    let entry = view.rows.entries().position(is_it);
    let (name, path) = (reported.name.clone(), reported.path.clone());
    let theirs = entry.and_then(|index| view.rows.entry(index));
    let taken = theirs.and_then(|theirs| at(view, theirs.shadowed_by.as_deref()?));
    let is_chance = theirs
        .zip(taken)
        .is_some_and(|(theirs, taken)| view.host.siblings.is_chance(&theirs.skill, &taken.skill));
    let is_refused = theirs.is_some_and(|entry| entry.refused.is_some());
    let finding = match is_chance {
        true => Finding::Unknown(CHANCE),
        false if indexed.is_beyond(reported, theirs) => Finding::Unknown(BEYOND),
        false if probe.hides_faults && is_refused && reported.enabled == Some(false) => {
            Finding::Unknown(OFF)
        }
        false => Finding::OnlyTheirs,
    };
    Row { name, path, entry, finding }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Locations, SkillRoot};
    use crate::hosts;
    use crate::workspace::fixture::TestWorkspace;

    #[test]
    fn what_a_program_finds_beyond_the_copy_proves_nothing() {
        let test = TestWorkspace::with(&[("home/.config/agents/skills/pdf", "pdf")]);
        let view = test.through(&hosts::AMP, &[], "repo").view();
        let entry = view.rows.entries().next().unwrap();
        let skill = SkillReport {
            name: "pdf".into(),
            path: Some(entry.skill.path.clone()),
            description: None,
            enabled: Some(true),
            bundled: false,
        };
        let elsewhere = SkillReport { path: Some("/home/x/SKILL.md".into()), ..skill.clone() };
        let report = Report { skills: vec![skill, elsewhere], ..Report::default() };
        let findings = |report: &Report| -> Vec<Finding> {
            let rows = compare(&view, &hosts::probe::AMP, report).into_iter();
            rows.map(|row| row.finding).collect()
        };
        assert_eq!(findings(&report), [Finding::Same, Finding::OnlyTheirs]);
        let beyond = report.skills.iter().filter_map(|one| one.path.clone()).collect();
        let report = Report { beyond, ..report };
        assert_eq!(findings(&report), [Finding::Unknown(BEYOND), Finding::Unknown(BEYOND)]);
    }

    #[test]
    fn a_program_that_says_only_off_does_not_say_that_it_takes_a_skill() {
        let test = TestWorkspace::with(&[]);
        test.env.raw_skill("repo/.factory/skills/pdf", "name: pdf\ndescription: ''", "");
        let view = test.through(&hosts::DROID, &[], "repo").view();
        let entry = view.rows.entries().next().unwrap();
        assert!(entry.refused.is_some());
        for (enabled, finding) in [(false, Finding::Unknown(OFF)), (true, Finding::OnlyTheirs)] {
            let skill = SkillReport {
                name: "pdf".into(),
                path: Some(entry.skill.path.clone()),
                description: None,
                enabled: Some(enabled),
                bundled: false,
            };
            let report = Report { skills: vec![skill], ..Report::default() };
            let rows = compare(&view, &hosts::probe::DROID, &report);
            assert_eq!(rows.iter().map(|row| &row.finding).collect::<Vec<_>>(), [&finding]);
        }
    }

    #[test]
    fn a_name_without_a_path_is_that_of_the_skill_which_is_on() {
        let mut test = TestWorkspace::with(&[]);
        let place = test.text("");
        let source = r#"{"source": "directory"}"#;
        let known = ["one", "two"].map(|market| {
            test.env.skill(&format!("{market}/tools/skills"), "alpha", market);
            let plugins = r#"[{"name": "tools", "source": "./tools"}]"#;
            let list = format!(
                r#"{{"name": "{market}", "owner": {{"name": "x"}}, "plugins": {plugins}}}"#
            );
            test.write(&format!("{market}/.claude-plugin/marketplace.json"), &list);
            format!(r#""{market}": {{"source": {source}, "installLocation": "{place}{market}"}}"#)
        });
        let known = format!("{{{}}}", known.join(", "));
        test.write("home/.claude/plugins/known_marketplaces.json", &known);
        let enabled = r#"{"enabledPlugins": {"tools@one": true, "tools@two": false}}"#;
        test.write("home/.claude/settings.json", enabled);
        let view = test.through(&hosts::CLAUDE, &[], "repo").view();
        let alpha = SkillReport {
            name: "tools:alpha".into(),
            path: None,
            description: None,
            enabled: None,
            bundled: false,
        };
        let findings = |report: &Report| -> Vec<Finding> {
            let rows = compare(&view, &hosts::probe::CLAUDE, report).into_iter();
            rows.map(|row| row.finding).collect()
        };
        let callable = vec!["tools:alpha".to_owned()];
        let report = Report { skills: vec![alpha], callable, ..Report::default() };
        assert_eq!(findings(&report), [Finding::Same, Finding::Same]);
        let report = Report { skills: Vec::new(), ..report };
        assert_eq!(findings(&report), [Finding::Same, Finding::Same]);
        let none = findings(&Report::default());
        assert_eq!(none, [Finding::OnlyOurs, Finding::Same]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_path_that_is_not_utf8_is_refused_or_listed_with_marks() {
        use crate::catalog::checks;
        use std::os::unix::ffi::OsStrExt;
        let test = TestWorkspace::with(&[]);
        let folder = test.env.top.join("repo/.agents/skills").join(OsStr::from_bytes(b"caf\xe9"));
        std::fs::create_dir_all(&folder).unwrap();
        let text = "---\nname: cafe\ndescription: d\n---\n";
        std::fs::write(folder.join("SKILL.md"), text).unwrap();
        let test = test.through(&hosts::OPENCODE, &[], "repo");
        let refused = test.view().rows.entries().next().unwrap().refused;
        assert_eq!(refused, Some(&checks::PATH_ENCODING));
        let view = test.through(&hosts::COPILOT, &[], "repo").view();
        let skill = &view.rows.entries().next().unwrap().skill;
        for named in [&*skill.path, skill.dir()] {
            let reported = SkillReport {
                name: "cafe".into(),
                path: Some(named.to_string_lossy().into_owned().into()),
                description: None,
                enabled: Some(true),
                bundled: false,
            };
            let report = Report { skills: vec![reported], ..Report::default() };
            let rows = compare(&view, &hosts::probe::COPILOT, &report);
            assert_eq!(rows.iter().map(|row| &row.finding).collect::<Vec<_>>(), [&Finding::Same]);
        }
    }

    #[test]
    fn which_of_two_comes_first_is_chance_within_one_folder_of_kilo_code() {
        let in_root = |root: &str, folder: &str| {
            let mut skill = crate::policy::fixture::skill_in(folder, "pdf");
            skill.root = SkillRoot::plain(Path::new(root));
            skill
        };
        let one = in_root("/home/.kilo/skill", "a");
        for (root, is_chance) in [
            ("/home/.kilo/skill", true),
            ("/home/.kilo/skills", true),
            ("/home/.agents/skills", false),
        ] {
            let other = in_root(root, "b");
            assert_eq!(hosts::KILO.siblings.is_chance(&one, &other), is_chance, "{root}");
            assert!(!hosts::GEMINI.siblings.is_chance(&one, &other));
        }
    }

    #[test]
    fn two_places_in_one_folder_give_a_skill_two_names() {
        let mut skill = crate::policy::fixture::skill_in("/repo/a/pdf", "pdf");
        let places = ["/repo/a/pdf", "/repo/a/link", "/repo/b/far"].map(PathBuf::from).to_vec();
        skill.locations = Locations::of(places, Path::new("/repo/a/pdf"));
        let has = |other: &str| has_both_names(&skill, ["pdf", other]);
        assert!(has("link") && has("pdf") && !has("far") && !has("other"));
        assert!(!has_both_names(&skill, ["named", "link"]));
    }
}
