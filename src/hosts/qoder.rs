//! Qoder CLI: lists of disabled names, joined over its settings files. Its source is not readable,
//! so that this is what its program does (`qodercli skills list`).
//!
//! Not modelled: plugins, its own skills; `$VARIABLE` in its settings; that it lists 500 skills at
//! most; `skillOverrides`, which governs what a session shows, and of which the list says nothing.

mod head;

use super::shapes::{self, SETTINGS};
use super::{
    Candidates, Content, Context, Control, Detect, Folder, Host, Proof, Reading, SettingsFile,
    SettingsPath, Siblings, Wanted,
};
use crate::catalog::{Hidden, HostId, PlaceThatCounts, Root, Scope, Walk};
use crate::policy::{Evaluation, Fold, Identity, Layer, Order, Policy, Profile, Ruling};
use crate::settings::Format;
use std::path::PathBuf;

const HOME: Folder = Folder { variable: "QODER_CONFIG_DIR", default: ".qoder", tilde: false };

/// The disabled names.
const DISABLED: &[&str] = &["skills", "disabled"];

/// Whether there are skills at all.
const ENABLED: &[&str] = &["skills", "enabled"];

/// Whether it also reads the folders that agents share.
const SHARED: &[&str] = &["skills", "loadFromAgentsDirectory"];

/// Four folders deep, hidden folders too, but not inside skills.
const WALK: Walk =
    Walk { depth: 4, itself: false, hidden: Hidden::Entered, nested: false, ..Walk::STANDARD };

/// It takes almost every file; see [`head`].
const TAKES: &[&str] =
    &["no-frontmatter", "unclosed", "not-mapping", "yaml:syntax", "desc-missing", "desc-empty"];

/// The role of the file that is not shared with others.
const OWN: &str = "local settings";

pub const QODER: Host = Host {
    id: HostId("qoder"),
    name: "Qoder",
    detect: Detect {
        programs: &["qodercli"],
        packages: &["@qoder-ai/qodercli"],
        folders: &[HOME],
        ..Detect::NEVER
    },
    proof: Proof::Program("1.1.52"),
    settings_paths,
    roots,
    // It reads its folders from the last to the first, those of a root level by level, and each
    // file once.
    place: PlaceThatCounts::LastAsListed,
    siblings: Siblings::ListedLast,
    evaluation: Evaluation {
        switches: Order::Strictest,
        fold: Fold::SwitchesWithBlanks,
        identity: Identity::Directory,
        profile: Profile { refuses: &["file-case", "path-encoding"], takes: TAKES },
        head: Some(&head::READER),
        ..Evaluation::HOST
    },
    rulings,
    control: Control {
        layers: &[Layer::User, Layer::Project],
        states: Control::ON_OFF,
        switch: Some(switch),
        because: "Qoder joins the lists of all its settings files",
        expands: super::gemini::names_variable,
        ..Control::NONE
    },
    probe: Some(&super::probe::QODER),
    ..Host::PLAIN
};

/// The person's settings, and two files of the working directory's.
fn settings_paths(context: &Context) -> Vec<SettingsPath> {
    let file = |path, layer| shapes::file(path, layer, Format::JsonComments);
    let own = context.folder(HOME).map(|home| file(home.join("settings.json"), Layer::User));
    let mut settings_paths: Vec<SettingsPath> = own.into_iter().collect();
    if context.home.as_ref() != Some(&context.cwd) {
        for (name, role) in [("settings.json", SETTINGS), ("settings.local.json", OWN)] {
            let path = context.cwd.join(".qoder").join(name);
            let remark = shapes::only_here(context, "Qoder CLI");
            settings_paths.push(SettingsPath { role, remark, ..file(path, Layer::Project) });
        }
    }
    settings_paths
}

/// The person's, then the working directory's, each `.qoder` before `.agents`. Within one of them
/// the skill of a name that is listed last is taken. The highest file that says true or false
/// decides about `.agents`.
fn roots(reading: &Reading) -> Vec<Root> {
    let context = &*reading.context;
    let shares = said(reading, SHARED).is_none_or(|(shares, ..)| shares);
    let why = "shared skills are switched off (skills.loadFromAgentsDirectory)";
    let root = |path: PathBuf, scope| {
        let is_shared = path.ends_with(".agents/skills");
        Root {
            closed: (is_shared && !shares).then_some(why),
            ..Root::new(path, scope, QODER.id, WALK)
        }
    };
    let own = context.folder(HOME).map(|home| home.join("skills"));
    let shared = context.home.as_ref().map(|home| home.join(".agents/skills"));
    let here = [".qoder/skills", ".agents/skills"].map(|folder| context.cwd.join(folder));
    let own = own.into_iter().chain(shared).map(|path| root(path, Scope::User));
    shapes::once(own.chain(here.into_iter().map(|path| root(path, Scope::Repo))))
}

/// It passes over a file that it cannot read, and over a list that is none.
fn rulings(reading: &Reading, policy: &mut Policy) {
    for file in &reading.files {
        if let Content::Broken { line, reason, .. } = &file.content {
            file.report(policy, *line, format!("{reason}: Qoder ignores the whole file"));
        }
        for item in file.items(DISABLED) {
            if let Some(name) = item.text() {
                policy.switches.push(shapes::off(file, DISABLED, name, item.line));
            }
        }
    }
    if let Some((on, file, line)) = said(reading, ENABLED) {
        let text = format_args!("{} = {on}", ENABLED.join("."));
        policy.skills_enabled = Ruling::new(on, file.origin(line, text));
    }
}

/// What the highest file says that has true or false here, and in which line. Other values count as
/// none.
fn said<'a>(reading: &'a Reading, path: &[&str]) -> Option<(bool, &'a SettingsFile, u32)> {
    let flag = |file: &'a SettingsFile| {
        let node = file.at(path)?;
        Some((node.flag()?, file, node.line))
    };
    reading.files.iter().rev().find_map(flag)
}

/// Adds a name to the file or removes it. If another file disables the skill, the refusal names it.
fn switch(reading: &Reading, wanted: &Wanted<'_>) -> Candidates {
    let file = reading.writable(wanted.layer, SETTINGS)?;
    Ok(shapes::switch_by_list(file, DISABLED, wanted, true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Enablement;
    use crate::hosts::test_support::{self, Project, User, roots, seen, test};

    #[test]
    fn the_persons_come_before_the_working_directorys() {
        let test = test(&QODER, &["home/.agents/skills/one", "repo/.qoder/skills/one"]);
        let expected = [
            "home/.qoder/skills user",
            "home/.agents/skills user",
            "repo/.qoder/skills repo",
            "repo/.agents/skills repo",
        ];
        assert_eq!(roots(&test), expected);
        let off = seen(&test)
            .into_iter()
            .filter(|line| line.ends_with("by home/.agents/skills/one/SKILL.md"));
        assert_eq!(off.count(), 1, "{:?}", seen(&test));
    }

    /// What the program lists.
    #[cfg(unix)]
    #[test]
    fn a_skill_has_the_name_of_the_last_place_that_leads_to_it_and_no_other() {
        let all = ["home/.qoder", "home/.agents", "repo/.qoder", "repo/.agents"];
        for places in [&all[..], &all[..2], &all[1..3], &[all[0], all[2]]] {
            let mut test = test(&QODER, &["store/one"]);
            let name = |place: &str| place.replace("/.", "-");
            for place in places {
                test.env.link("store/one", &format!("{place}/skills/{}", name(place)));
            }
            let last = name(places.last().unwrap());
            let view = test.view();
            assert_eq!(view.policy.order.name_of(&view.rows[0].entry.skill), last);
            test_support::switch(&mut test, "store/one", Enablement::Off, User).unwrap();
            assert!(test.read("home/.qoder/settings.json").contains(&format!("\"{last}\"")));
        }
        let test = test(&QODER, &["store/x", "repo/.qoder/skills/x"]);
        for place in [all[0], all[3]] {
            test.env.link("store/x", &format!("{place}/skills/x"));
        }
        let expected =
            ["x on full allow default", "x off no deny by repo/.qoder/skills/x/SKILL.md"];
        assert_eq!(seen(&test), expected);
    }

    /// What the program lists.
    #[cfg(unix)]
    #[test]
    fn in_one_folder_a_skill_has_the_name_of_its_highest_place_that_is_listed_first() {
        let test = test(&QODER, &["repo/.qoder/skills/group/real"]);
        let name = |test: &crate::workspace::fixture::TestWorkspace| {
            let view = test.workspace.reread().view();
            view.policy.order.name_of(&view.rows[0].entry.skill).to_string()
        };
        let skills = test.env.top.join("repo/.qoder/skills");
        for link in ["m", "b", "z", "a"] {
            test.env
                .link("repo/.qoder/skills/group/real", &format!("repo/.qoder/skills/group/{link}"));
            let mut listed = std::fs::read_dir(skills.join("group")).unwrap();
            let first = listed.next().unwrap().unwrap().file_name();
            assert_eq!(name(&test), first.to_str().unwrap());
        }
        test.env.link("repo/.qoder/skills/group/real", "repo/.qoder/skills/zz");
        assert_eq!(name(&test), "zz");
    }

    #[test]
    fn names_in_three_files_are_off_and_a_file_with_a_fault_is_passed_over() {
        let mut test = test(
            &QODER,
            &["one", "two", "three"]
                .map(|name| ["repo/.qoder/skills/", name].concat())
                .each_ref()
                .map(String::as_str),
        );
        test.write("home/.qoder/settings.json", r#"{"skills":{"disabled":["ONE",5]}}"#);
        test.write("repo/.qoder/settings.json", r#"{"skills":{"disabled":["two",]}}"#);
        test.write("repo/.qoder/settings.local.json", r#"{"skills":{"disabled":["three"]}}"#);
        test.workspace = test.workspace.reread();
        let off: Vec<_> = seen(&test).into_iter().filter(|line| line.contains(" off ")).collect();
        assert!(
            off.len() == 2 && off[0].starts_with("one") && off[1].starts_with("three"),
            "{off:?}"
        );
    }

    /// What the program lists.
    #[test]
    fn the_folders_that_agents_share_are_left_out_where_the_highest_file_says_so() {
        let mut test = test(&QODER, &["repo/.agents/skills/a", "repo/.qoder/skills/q"]);
        let said = |value: &str| format!(r#"{{"skills":{{"loadFromAgentsDirectory":{value}}}}}"#);
        let own = "home/.qoder/settings.json";
        for (file, value, count) in [
            (own, "false", 1),
            ("repo/.qoder/settings.json", "true", 2),
            ("repo/.qoder/settings.local.json", "false", 1),
            ("repo/.qoder/settings.local.json", "\"false\"", 2),
            ("repo/.qoder/settings.json", "0", 1),
            (own, "\"false\"", 2),
        ] {
            test.write(file, &said(value));
            assert_eq!(seen(&test).len(), count, "{file} {value}: {:?}", seen(&test));
        }
        test.write(own, &said("false"));
        let closed = |root: &&String| root.contains(", shared skills are switched off (skills.");
        assert_eq!(roots(&test).iter().filter(closed).count(), 2, "{:?}", roots(&test));
    }

    /// What the program lists.
    #[test]
    fn all_skills_are_off_where_the_highest_file_that_says_true_or_false_says_false() {
        let mut test = test(&QODER, &["repo/.qoder/skills/one"]);
        let (own, project) = ("home/.qoder/settings.json", "repo/.qoder/settings.json");
        for (file, value, on) in [
            (own, "\"false\"", true),
            (own, "0", true),
            (own, "null", true),
            (own, "false", false),
            (project, "\"true\"", false),
            (project, "true", true),
        ] {
            test.write(file, &format!(r#"{{"skills":{{"enabled":{value}}}}}"#));
            assert_eq!(test.view().policy.skills_enabled.value, on, "{file} {value}");
            assert_eq!(test_support::alarms(&test), [""; 0], "{file} {value}");
        }
    }

    #[test]
    fn a_file_with_an_odd_blank_in_a_comment_is_passed_over() {
        let mut test = test(&QODER, &["repo/.qoder/skills/one"]);
        for (blank, is_off) in
            [("\t", true), ("\u{85}", true), ("\u{a0}", false), ("\u{feff}", false)]
        {
            let text = format!("{{ // a{blank}b\n\"skills\": {{\"disabled\": [\"one\"]}}}}");
            test.write("home/.qoder/settings.json", &text);
            let off = seen(&test).iter().any(|line| line.starts_with("one off"));
            assert_eq!(off, is_off, "{blank:?}");
            assert_eq!(test_support::alarms(&test).is_empty(), is_off, "{blank:?}");
        }
    }

    #[test]
    fn a_switch_is_a_name_in_the_layers_file() {
        let mut test = test(&QODER, &["repo/.qoder/skills/one"]);
        for (layer, file) in
            [(Project, "repo/.qoder/settings.json"), (User, "home/.qoder/settings.json")]
        {
            test_support::switch(&mut test, "one", Enablement::Off, Some(layer)).unwrap();
            let text = std::fs::read_to_string(test.env.top.join(file)).unwrap();
            assert!(text.contains("\"one\""), "{text}");
            test_support::switch(&mut test, "one", Enablement::On, Some(layer)).unwrap();
        }
    }
}
