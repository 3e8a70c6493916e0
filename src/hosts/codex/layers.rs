//! The settings files of Codex, lowest first: the machine's, the person's, those of a trusted
//! project from its root down to the working directory, and the administrator's. Tables are
//! joined, and of other values the highest counts (`config/src/loader/mod.rs`). Only
//! `skills.config` is taken from the person's file alone.
//!
//! Not modelled: `requirements.toml`, profiles of the command line, and what an enterprise account
//! or a managed device prescribes.

use super::{HOME, SETTINGS, plugins};
use crate::files::git;
use crate::hosts::{Context, Reading, SettingsFile, SettingsPath, shapes};
use crate::policy::Layer;
use crate::settings::{Format, Kind, Node};
use std::path::{Path, PathBuf};

/// The folder of an administrator.
pub(super) const MACHINE: &str = "/etc/codex";

const NAME: &str = "config.toml";

const MARKERS: &str = "project_root_markers";

pub(super) fn settings_paths(context: &Context) -> Vec<SettingsPath> {
    paths(context, Path::new(MACHINE))
}

/// The settings files, with those of the machine in this folder.
pub(super) fn paths(context: &Context, machine: &Path) -> Vec<SettingsPath> {
    let file = |path, layer| shapes::file(path, layer, Format::Toml);
    let without_switches = |path, layer| SettingsPath {
        remark: Some("its skills.config does not count".to_owned()),
        ..file(path, layer)
    };
    let own = context.folder(HOME);
    let mut paths = vec![without_switches(machine.join(NAME), Layer::Managed)];
    paths.extend(own.as_ref().map(|own| file(own.join(NAME), Layer::User)));
    let managed = without_switches(machine.join("managed_config.toml"), Layer::Managed);
    let outside: Vec<Node> = paths
        .iter()
        .chain([&managed])
        .rev()
        .filter_map(|path| shapes::on_disk(&path.path, path.format))
        .collect();
    let chain = project(context, outside.iter().find_map(|node| node.at(&[MARKERS])));
    let trust = Trust::of(context, &outside, chain.last());
    for folder in chain.iter().rev() {
        let place = folder.join(".codex");
        let is_root = Some(folder) == chain.last();
        if own.as_ref() != Some(&place) && (is_root || place.is_dir()) {
            let ignored = (!trust.has(folder)).then_some("Codex does not trust the project");
            let path = without_switches(place.join(NAME), Layer::Project);
            paths.push(SettingsPath { ignored, ..path });
        }
    }
    paths.push(managed);
    paths.extend(plugins::files(context));
    paths
}

/// The folders from the working directory up to the project's root.
fn project(context: &Context, said: Option<&Node>) -> Vec<PathBuf> {
    let markers = markers(said);
    context.chain_to(&markers.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The markers of a project's root. An empty list means that there is no root.
fn markers(said: Option<&Node>) -> Vec<String> {
    let texts = |node: &Node| {
        node.items().iter().map(|item| item.text().map(str::to_owned)).collect::<Option<Vec<_>>>()
    };
    let list = said.filter(|node| matches!(node.kind, Kind::List(_)));
    list.and_then(texts).unwrap_or_else(|| vec![".git".to_owned()])
}

/// The same for the settings as they were read. A project does not say where it begins.
pub(super) fn chain(reading: &Reading) -> Vec<PathBuf> {
    let outside = |file: &&SettingsFile| file.location.layer != Layer::Project;
    let mut files = reading.of_role(SETTINGS).rev().filter(outside);
    project(&reading.context, files.find_map(|file| file.at(&[MARKERS])))
}

/// The value that counts, and its file.
pub(super) fn said<'a>(
    reading: &'a Reading,
    path: &[&str],
) -> Option<(&'a SettingsFile, &'a Node)> {
    reading.of_role(SETTINGS).rev().find_map(|file| Some((file, file.at(path)?)))
}

/// Which folders are trusted (`projects."FOLDER".trust_level`). Of a folder, the project's root and
/// the repository's main working tree the first that is named decides.
struct Trust<'a> {
    /// The settings of the machine and the person, highest first.
    outside: &'a [Node],
    /// The project's root and the repository.
    around: Vec<PathBuf>,
}

impl<'a> Trust<'a> {
    fn of(context: &Context, outside: &'a [Node], root: Option<&PathBuf>) -> Self {
        let repository = context.cwd.ancestors().find(|above| git::is_repository(above));
        let main = repository.map(|tree| git::main_tree(tree).unwrap_or_else(|| tree.to_owned()));
        Self { outside, around: root.cloned().into_iter().chain(main).collect() }
    }

    fn has(&self, folder: &Path) -> bool {
        let level = |folder: &Path| {
            let path = ["projects", folder.to_str()?, "trust_level"];
            self.outside.iter().find_map(|node| node.at(&path)?.text())
        };
        let mut places = std::iter::once(folder).chain(self.around.iter().map(PathBuf::as_path));
        places.find_map(level) == Some("trusted")
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CODEX, budget, bundled_off};
    use super::*;
    use crate::catalog::Enablement;
    use crate::config::Inputs;
    use crate::hosts::test_support::{alarms, roots, seen, switch, test};
    use crate::policy::Budget;
    use crate::policy::budget::EvenPortions;
    use crate::workspace::fixture::TestWorkspace;

    const OWN: &str = "home/.codex/config.toml";
    const PROJECT: &str = "repo/.codex/config.toml";
    const NEAR: &str = "repo/sub/.codex/config.toml";
    const SYSTEM: &str = "etc/config.toml";
    const MANAGED: &str = "etc/managed_config.toml";

    /// The settings, with the machine's in `etc`.
    fn reading(test: &TestWorkspace) -> Reading {
        let context = &test.workspace.context;
        Reading::of(paths(context, &test.env.top.join("etc")), context, &Inputs::default())
    }

    fn tokens(number: usize) -> String {
        format!("[skills]\nmax_context_tokens = {number}\n")
    }

    fn limit(reading: &Reading) -> usize {
        let Budget::EvenPortions(EvenPortions { limit, .. }) = budget(reading, None) else {
            panic!()
        };
        limit
    }

    fn trust(test: &TestWorkspace, folder: &str, level: &str) -> String {
        format!("[projects.\"{}\"]\ntrust_level = \"{level}\"\n", test.text(folder))
    }

    /// What the program takes of the machine's, the person's and the projects' files.
    #[test]
    fn every_layer_counts_and_the_highest_decides() {
        let mut test = TestWorkspace::with(&[]).through(&CODEX, &[], "repo/sub");
        for (file, number) in [(SYSTEM, 11), (OWN, 12), (PROJECT, 13), (NEAR, 14), (MANAGED, 15)] {
            let trusted = if file == OWN { trust(&test, "repo", "trusted") } else { String::new() };
            test.write(file, &format!("{}{trusted}", tokens(number)));
            assert_eq!(limit(&reading(&test)), number, "{file}");
        }
        let off = "[skills.bundled]\nenabled = false\n";
        for file in [SYSTEM, MANAGED] {
            let mut test = TestWorkspace::with(&[]).through(&CODEX, &[], "repo");
            test.write(file, off);
            assert!(bundled_off(&reading(&test)), "{file}");
            test.write(OWN, &off.replace("false", "true"));
            assert_eq!(bundled_off(&reading(&test)), file == MANAGED, "{file}");
        }
    }

    #[test]
    fn a_projects_settings_count_if_it_or_the_folder_is_trusted() {
        let mut test = TestWorkspace::with(&[]).through(&CODEX, &[], "repo/sub");
        test.write(PROJECT, &tokens(13));
        test.write(NEAR, &tokens(14));
        let plain = limit(&reading(&TestWorkspace::with(&[]).through(&CODEX, &[], "repo")));
        let both = |test: &TestWorkspace, near: &str| {
            format!("{}{}", trust(test, "repo", "trusted"), trust(test, "repo/sub", near))
        };
        for (said, expected) in [
            (String::new(), plain),
            (trust(&test, "", "trusted"), plain),
            (trust(&test, "repo", "trusted"), 14),
            (trust(&test, "repo/sub", "trusted"), 14),
            (both(&test, "untrusted"), 13),
            (format!("project_root_markers = []\n{}", trust(&test, "repo", "trusted")), plain),
        ] {
            test.write(OWN, &said);
            assert_eq!(limit(&reading(&test)), expected, "{said}");
        }
        test.write(SYSTEM, &trust(&test, "repo", "trusted"));
        test.write(OWN, "");
        assert_eq!(limit(&reading(&test)), 14, "the machine may trust it");
    }

    #[test]
    fn where_a_project_begins_it_does_not_say_itself() {
        let nearest = |test: &TestWorkspace| {
            let roots = CODEX.roots(&reading(test), &[]);
            roots.iter().filter(|root| root.path.ends_with("sub/.agents/skills")).count()
                + roots.iter().filter(|root| root.path.ends_with("repo/.agents/skills")).count()
        };
        let mut test = TestWorkspace::with(&[]).through(&CODEX, &[], "repo/sub");
        test.write(OWN, &trust(&test, "repo", "trusted"));
        test.write(PROJECT, "project_root_markers = []\n");
        assert_eq!(nearest(&test), 2);
        for file in [SYSTEM, MANAGED] {
            test.write(file, "project_root_markers = []\n");
            assert_eq!(nearest(&test), 1, "{file}");
            test.write(file, "");
        }
    }

    #[test]
    fn a_trusted_projects_file_stops_codex_as_the_persons_does_and_switches_nothing() {
        let mut test = test(&CODEX, &["repo/.agents/skills/pdf"]);
        test.write(PROJECT, "skills = 5\n");
        assert_eq!(seen(&test), ["pdf on full allow default"], "it is not trusted");
        test.write(OWN, &trust(&test, "repo", "trusted"));
        assert_eq!(seen(&test)[0], "pdf user-only no deny repo/.codex/config.toml:1");
        assert!(alarms(&test)[0].contains("`skills` is not a table"), "{:?}", alarms(&test));
        test.write(PROJECT, "profile = 5\n[[skills.config]]\nname = \"pdf\"\nenabled = false\n");
        assert_eq!(seen(&test), ["pdf on full allow default"]);
        let refusal = switch(&mut test, "pdf", Enablement::Off, Layer::Project).unwrap_err();
        assert!(
            refusal.ends_with("Codex reads skills.config from the user file only"),
            "{refusal}"
        );
        test.write(PROJECT, "[skills.bundled]\nenabled = false\n");
        let closed = |root: &String| root.contains(".system system, its own skills are switched");
        assert!(roots(&test).iter().any(closed), "{:?}", roots(&test));
    }

    #[test]
    fn a_model_that_is_told_of_no_skill_leaves_them_to_the_person() {
        let mut test = test(&CODEX, &["repo/.agents/skills/pdf"]);
        test.write(OWN, "[skills]\ninclude_instructions = false\n");
        let told = "pdf user-only no deny home/.codex/config.toml:2";
        assert_eq!(seen(&test), [told]);
        switch(&mut test, "pdf", Enablement::Off, Layer::User).unwrap();
        assert!(seen(&test)[0].starts_with("pdf off"), "{:?}", seen(&test));
        let request = crate::workspace::fixture::switch(&test.view(), &[0], Enablement::On);
        let plan = test.workspace.plan(&test.view(), &request, None).unwrap();
        test.workspace.apply(&plan).unwrap();
        test.workspace = test.workspace.reread();
        assert_eq!(seen(&test), [told]);
    }
}
