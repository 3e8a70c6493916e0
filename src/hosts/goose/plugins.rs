//! Goose's plugins: folders in `~/.agents/plugins`, each with skills. Goose writes the plugin's
//! name into the names of the skills when it installs one (`tools:alpha`), so nothing stands before
//! them. Read from the source (`plugins/mod.rs`, `plugins/formats/open_plugins.rs`): the `plugins`
//! of its `config.yaml`, which switch a plugin's hooks, do not count for its skills.

use super::{GOOSE, WALK};
use crate::catalog::{Plugin, Root, Scope, plain_path};
use crate::hosts::{Context, Reading, SettingsPath, shapes};
use crate::settings::{Kind, Node, Reader};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

const FOLDER: &str = ".agents/plugins";

/// What a plugin says of itself; the first that is there counts.
const MANIFESTS: [&str; 3] = [".goose-plugin/plugin.json", ".plugin/plugin.json", "plugin.json"];

fn folders(context: &Context) -> Vec<PathBuf> {
    context.home.as_ref().map_or_else(Vec::new, |home| shapes::children(&home.join(FOLDER)))
}

fn manifest(plugin: &Path) -> Option<PathBuf> {
    MANIFESTS.iter().map(|file| plugin.join(file)).find(|path| path.is_file())
}

/// The manifests.
pub(super) fn files(context: &Context) -> Vec<SettingsPath> {
    let file = |path| SettingsPath { reader: Reader::Strict, ..shapes::plugin_file(path) };
    folders(context).iter().filter_map(|plugin| manifest(plugin)).map(file).collect()
}

/// The folders of skills of each plugin. Goose takes the plugins in the order of the file system,
/// we by their folders' names.
pub(super) fn roots(reading: &Reading) -> Vec<Root> {
    let of_plugin = |folder: PathBuf| {
        let path = manifest(&folder);
        let file = path.as_ref().and_then(|path| reading.plugin_file(path));
        let manifest = file.and_then(|file| file.effective());
        let is_sound = path.is_none() || manifest.is_some_and(is_sound);
        let text = |key| manifest.and_then(|it| it.text_of(key)).filter(|text| !text.is_empty());
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let plugin = Arc::new(Plugin {
            kind: "plugin",
            id: text("name").map_or(name, str::to_owned),
            prefix: String::new(),
            version: text("version").map(str::to_owned),
            commit: None,
        });
        let places = match is_sound {
            true => places(&folder, manifest.and_then(|it| it.get("skills"))),
            false => vec![folder.join("skills")],
        };
        let root = move |path| Root::new(path, Scope::User, GOOSE.id, WALK).of_plugin(&plugin);
        places.into_iter().filter(|path| path.is_dir()).map(root)
    };
    shapes::once(folders(&reading.context).into_iter().flat_map(of_plugin))
}

/// Whether Goose can read a manifest. Of one that it cannot, `skills` beside it counts alone.
fn is_sound(manifest: &Node) -> bool {
    let is_text = |key| match manifest.get(key).map(|node| &node.kind) {
        None | Some(Kind::Null | Kind::Text(_)) => true,
        Some(_) => false,
    };
    matches!(manifest.kind, Kind::Table(_)) && is_text("name") && is_text("version")
}

/// The folders in which a plugin has skills: `skills`, and those that its manifest names; the
/// plugin itself if it is one skill.
fn places(plugin: &Path, said: Option<&Node>) -> Vec<PathBuf> {
    let usual = plugin.join("skills");
    let said = said.filter(|node| node.kind != Kind::Null);
    if said.is_none() && !usual.is_dir() && plugin.join("SKILL.md").is_file() {
        return vec![plugin.to_owned()];
    }
    let named = said.and_then(named).unwrap_or_default();
    let places = named.iter().map(|path| plain_path(&plugin.join(path)));
    [usual].into_iter().chain(places).collect()
}

/// The paths that a manifest names; `None` if one of them is none, or leads out of the plugin: then
/// none counts. `exclusive` has no effect: `skills` is looked into in any case.
fn named(node: &Node) -> Option<Vec<&str>> {
    let paths = if matches!(node.kind, Kind::Table(_)) { node.get("paths")? } else { node };
    if node.get("exclusive").is_some_and(|exclusive| exclusive.flag().is_none()) {
        return None;
    }
    let paths: Vec<&str> = match &paths.kind {
        Kind::Text(path) => vec![path],
        Kind::List(items) => items.iter().map(Node::text).collect::<Option<_>>()?,
        _ => return None,
    };
    let is_within = |path: &&str| {
        let leads_up = Path::new(path).components().any(|part| part == Component::ParentDir);
        path.starts_with("./") && !leads_up
    };
    paths.iter().all(is_within).then_some(paths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::fixture::TestWorkspace;

    /// The names and plugins of what Goose takes, with these manifests.
    fn taken(skills: &[(&str, &str)], manifests: &[(&str, &str)]) -> Vec<String> {
        let test = TestWorkspace::with(skills);
        for (path, text) in manifests {
            let path = test.env.top.join("home/.agents/plugins").join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let view = test.through(&GOOSE, &[], "repo").view();
        let word = |entry: &crate::policy::Entry| {
            let plugin = entry.skill.root.plugin.as_deref();
            let plugin = plugin.map_or_else(String::new, |plugin| plugin.words().to_string());
            format!("{} {plugin}", entry.skill.name).trim().to_owned()
        };
        view.rows.entries().filter(|entry| entry.verdict.enabled()).map(word).collect()
    }

    #[test]
    fn a_plugin_brings_its_folder_of_skills_and_those_that_it_names() {
        let skills = [
            ("home/.agents/plugins/tools/skills/pdf", "tools:pdf"),
            ("home/.agents/plugins/tools/more/deep/zip", "tools:zip"),
            ("home/.agents/plugins/tools/other/csv", "tools:csv"),
            ("home/.agents/plugins/plain/skills/map", "map"),
            ("home/.agents/plugins/single", "single"),
            ("repo/.agents/skills/map", "map"),
            ("repo/.agents/plugins/no/skills/not", "not"),
        ];
        let manifests = [
            ("tools/.plugin/plugin.json", r#"{"name":"tools","version":"1.2","skills":"./more"}"#),
            ("tools/plugin.json", r#"{"name":"later","skills":"./other"}"#),
        ];
        let expected = [
            "map",
            "single plugin single",
            "tools:pdf plugin tools 1.2",
            "tools:zip plugin tools 1.2",
        ];
        assert_eq!(taken(&skills, &manifests), expected);
    }

    #[test]
    fn a_manifest_that_cannot_be_read_leaves_the_usual_folder_alone() {
        let skills =
            [("home/.agents/plugins/p", "one"), ("home/.agents/plugins/p/more/zip", "zip")];
        let usual = ("home/.agents/plugins/q/skills/pdf", "pdf");
        for broken in ["{", "[]", r#"{"version":5}"#, r#"{"name":["p"],"skills":"./more"}"#] {
            let manifests = [("p/plugin.json", broken), ("q/plugin.json", broken)];
            let names = taken(&[skills[0], skills[1], usual], &manifests);
            assert_eq!(names, ["pdf plugin q"], "{broken}");
        }
    }

    #[test]
    fn one_wrong_path_takes_them_all_away_and_the_usual_folder_stays() {
        let skills = [
            ("home/.agents/plugins/p/skills/pdf", "pdf"),
            ("home/.agents/plugins/p/more/zip", "zip"),
        ];
        for (skills_of_it, more) in [
            (r#""./more""#, true),
            (r#"["./more"]"#, true),
            (r#"{"paths":["./more"],"exclusive":true}"#, true),
            (r#"{"paths":"./more","exclusive":"yes"}"#, false),
            (r#"["./more","more"]"#, false),
            (r#"".//more""#, true),
            (r#""./.""#, true),
            (r#"["./more","./../p/more"]"#, false),
            (r#"["./more",5]"#, false),
            ("null", false),
            ("5", false),
        ] {
            let manifest = format!(r#"{{"name":"p","skills":{skills_of_it}}}"#);
            let names = taken(&skills, &[("p/plugin.json", &manifest)]);
            let expected: &[&str] =
                if more { &["pdf plugin p", "zip plugin p"] } else { &["pdf plugin p"] };
            assert_eq!(names, expected, "{skills_of_it}");
        }
    }
}
