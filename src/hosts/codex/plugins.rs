//! Codex's plugins: folders in its cache that its settings name, of whichever layer. Tried with the
//! program, 0.171.0, and a marketplace on the disk.

use super::{CODEX, HOME, WALK, layers};
use crate::catalog::{Plugin, Root, Scope};
use crate::hosts::{Context, Reading, SettingsFile, SettingsPath, shapes};
use crate::policy::Policy;
use crate::settings::{Kind, Node, Reader};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

const PLUGINS: &str = "plugins";

/// The version that counts before all others: a plugin under development.
const LOCAL: &str = "local";

/// Where a plugin describes itself; the first that is there.
const MANIFESTS: [&str; 2] = [".codex-plugin/plugin.json", ".claude-plugin/plugin.json"];

/// The manifests of all plugins in the cache.
pub(super) fn files(context: &Context) -> Vec<SettingsPath> {
    let cache = context.folder(HOME).map(|home| home.join("plugins/cache"));
    let markets = cache.iter().flat_map(|cache| shapes::children(cache));
    let plugins = markets.flat_map(|market| shapes::children(&market));
    let manifest = |plugin: PathBuf| {
        let folder = newest(&plugin)?;
        MANIFESTS.into_iter().map(|name| folder.join(name)).find(|file| file.exists())
    };
    let file = |path| SettingsPath { reader: Reader::Strict, ..shapes::plugin_file(path) };
    plugins.filter_map(manifest).map(file).collect()
}

/// The folder of the version that counts: `local`, else the highest.
fn newest(plugin: &Path) -> Option<PathBuf> {
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let rank = |one: &PathBuf, other: &PathBuf| {
        let (one, other) = (name(one), name(other));
        (one == LOCAL).cmp(&(other == LOCAL)).then_with(|| by_parts(&one, &other))
    };
    shapes::children(plugin).into_iter().max_by(rank)
}

/// Compares versions: numbers as numbers, so that `1.10` is above `1.9`.
fn by_parts(one: &str, other: &str) -> Ordering {
    let part = |text: &str| match text.parse::<u64>() {
        Ok(number) => (number, String::new()),
        Err(_) => (0, text.to_owned()),
    };
    let parts = |text: &str| text.split(['.', '-', '+']).map(part).collect::<Vec<_>>();
    parts(one).cmp(&parts(other))
}

/// The settings that name plugins, and each plugin with its folders of skills.
struct Found<'a> {
    file: &'a SettingsFile,
    line: u32,
    enabled: bool,
    plugin: Plugin,
    places: Vec<PathBuf>,
}

fn found(reading: &Reading) -> Vec<Found<'_>> {
    let Some(home) = reading.context.folder(HOME) else { return Vec::new() };
    let cache = home.join("plugins/cache");
    let settings = reading.of_role(super::SETTINGS).filter_map(|file| file.at(&[PLUGINS]));
    let named: BTreeSet<&str> =
        settings.flat_map(Node::fields).map(|field| field.key.as_str()).collect();
    let plugin = |id: &str| {
        let path = [PLUGINS, id, "enabled"];
        let (file, entry) =
            layers::said(reading, &path).or_else(|| layers::said(reading, &path[..2]))?;
        let (name, market) = id.rsplit_once('@')?;
        let folder = newest(&cache.join(market).join(name))?;
        let manifest = manifest(reading, &folder)?;
        let version = folder.file_name()?.to_string_lossy().into_owned();
        let called = manifest.text_of("name").filter(|name| !name.trim().is_empty());
        Some(Found {
            file,
            line: entry.line,
            enabled: entry.flag() != Some(false),
            plugin: Plugin {
                kind: "plugin",
                id: id.to_owned(),
                prefix: format!("{}:", called.unwrap_or(&version)),
                version: Some(version),
                commit: None,
            },
            places: places(&folder, manifest),
        })
    };
    named.into_iter().filter_map(plugin).collect()
}

fn manifest<'a>(reading: &'a Reading, folder: &Path) -> Option<&'a Node> {
    let mut files = reading.of_role(shapes::PLUGINS);
    files.find(|file| file.location.path.starts_with(folder))?.effective()
}

/// The folders under `skills` of the manifest, a text or a list, each of which begins with `./` and
/// names something; else `skills`.
fn places(folder: &Path, manifest: &Node) -> Vec<PathBuf> {
    let said = manifest.get("skills");
    let texts: Vec<&str> = match said.map(|node| &node.kind) {
        Some(Kind::List(items)) => items.iter().filter_map(Node::text).collect(),
        _ => said.and_then(Node::text).into_iter().collect(),
    };
    let below = |text: &&str| {
        let inside = |part| matches!(part, Component::CurDir | Component::Normal(_));
        let path = Path::new(text);
        text.starts_with("./") && path.file_name().is_some() && path.components().all(inside)
    };
    let mut places: Vec<PathBuf> = texts
        .iter()
        .filter(|text| below(text))
        .map(|text| folder.join(Path::new(text).strip_prefix(".").unwrap_or(Path::new(""))))
        .collect();
    if places.is_empty() {
        places.push(folder.join("skills"));
    }
    places
}

/// Why no plugin counts, if that is so.
fn off(reading: &Reading) -> bool {
    let said = layers::said(reading, &["features", PLUGINS]);
    said.and_then(|(_, node)| node.flag()) == Some(false)
}

/// The roots of the plugins.
pub(super) fn roots(reading: &Reading) -> Vec<Root> {
    let closed = off(reading).then_some("its plugins are switched off ([features])");
    let root = |plugin: &Arc<Plugin>, place| {
        let root = Root::new(place, Scope::User, CODEX.id, WALK);
        Root { closed, ..root.of_plugin(plugin) }
    };
    let plugins = found(reading).into_iter().flat_map(|found| {
        let plugin = Arc::new(found.plugin);
        found.places.into_iter().map(move |place| root(&plugin, place))
    });
    plugins.collect()
}

/// Switches off what belongs to a plugin that is off, whatever an entry for one skill says.
pub(super) fn rulings(reading: &Reading, policy: &mut Policy) {
    for found in found(reading).into_iter().filter(|found| !found.enabled) {
        for place in found.places {
            let text = format_args!("plugins \"{}\" enabled = false", found.plugin.id);
            policy.switches.push(found.file.switch_off_beneath(place, found.line, text));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Enablement::{Off, On};
    use crate::hosts::test_support::{Layer, alarms, seen, switch, test};
    use crate::workspace::fixture::TestWorkspace;

    const CONFIG: &str = "home/.codex/config.toml";
    const FOLDER: &str = "home/.codex/plugins/cache/shop/tools";
    const ENTRY: &str = "[plugins.\"tools@shop\"]\nenabled = true\n";

    fn cached(config: &str, manifest: &str) -> TestWorkspace {
        let skill = |place: &str| format!("{FOLDER}/1.2.3/{place}");
        let skills = [skill("skills/alpha"), skill("skills/deep/er/beta"), skill("extra/gamma")];
        let skills: Vec<&str> = skills.iter().map(String::as_str).collect();
        let mut test = test(&CODEX, &skills);
        if !manifest.is_empty() {
            test.write(&skill(MANIFESTS[0]), manifest);
        }
        test.write(CONFIG, config);
        test
    }

    fn on(test: &TestWorkspace) -> Vec<String> {
        let view = test.view();
        let entries = view.rows.entries().filter(|entry| entry.is_on());
        let mut names: Vec<String> =
            entries.map(|entry| view.policy.order.name_of(&entry.skill).into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn the_skills_of_a_plugin_are_those_that_its_manifest_names() {
        let both = ["tools:alpha", "tools:beta"].as_slice();
        let table: [(&str, &[&str]); 12] = [
            (r#"{"name": "tools"}"#, both),
            (r#"{"name": "other", "version": "9"}"#, &["other:alpha", "other:beta"]),
            (r#"{"name": "tools", "skills": "./extra/"}"#, &["tools:gamma"]),
            (r#"{"name": "tools", "skills": ["./extra/"]}"#, &["tools:gamma"]),
            (r#"{"name": "tools", "skills": "./skills/"}"#, both),
            (r#"{"name": "tools", "skills": "extra"}"#, both),
            (r#"{"name": "tools", "skills": "../x"}"#, both),
            (r#"{"name": "tools", "skills": "./"}"#, both),
            (r#"{"name": "tools", "skills": ["./.", "./extra"]}"#, &["tools:gamma"]),
            ("{}", &["1.2.3:alpha", "1.2.3:beta"]),
            (r#"{"name": "tools",}"#, &[]),
            ("", &[]),
        ];
        for (manifest, expected) in table {
            assert_eq!(on(&cached(ENTRY, manifest)), expected, "{manifest}");
        }
    }

    const PLAIN: &str = r#"{"name": "tools"}"#;

    #[test]
    fn a_plugin_counts_where_the_settings_name_it_and_do_not_switch_it_off() {
        let table = [
            (ENTRY, 2, 2),
            ("[plugins.\"tools@shop\"]\n", 2, 2),
            ("[plugins.\"tools@shop\"]\nenabled = false\n", 2, 0),
            ("", 0, 0),
            ("[plugins.\"tools@other\"]\nenabled = true\n", 0, 0),
            ("[features]\nplugins = false\n[plugins.\"tools@shop\"]\nenabled = true\n", 0, 0),
        ];
        for (config, rows, expected) in table {
            let test = cached(config, PLAIN);
            assert_eq!((test.view().rows.len(), on(&test).len()), (rows, expected), "{config}");
        }
    }

    /// What the program lists.
    #[test]
    fn a_trusted_project_names_plugins_and_switches_them() {
        let mut test = cached("", PLAIN);
        let trust = format!("[projects.\"{}\"]\ntrust_level = \"trusted\"\n", test.text("repo"));
        let project = "repo/.codex/config.toml";
        test.write(project, ENTRY);
        assert!(on(&test).is_empty(), "it is not trusted");
        test.write(CONFIG, &trust);
        assert_eq!(on(&test).len(), 2);
        test.write(CONFIG, &format!("{ENTRY}{trust}"));
        for said in [ENTRY.replace("true", "false").as_str(), "[features]\nplugins = false\n"] {
            test.write(project, said);
            assert!(on(&test).is_empty(), "{said}");
        }
    }

    #[test]
    fn a_broken_manifest_leaves_out_its_plugin_and_nothing_else() {
        let mut test = cached(ENTRY, "{");
        test.env.skill("home/.codex/skills", "own", "d");
        test.write(CONFIG, ENTRY);
        assert_eq!(on(&test), ["own"]);
        assert_eq!(seen(&test), ["own on full allow default"]);
        let said = alarms(&test);
        assert!(said[0].contains("does not count") && said.len() == 1, "{said:?}");
    }

    #[test]
    fn the_highest_version_counts_and_a_local_one_before_it() {
        let mut test = cached(ENTRY, PLAIN);
        for version in ["1.10.0", LOCAL] {
            test.env.skill(&format!("{FOLDER}/{version}/skills"), "newer", "d");
            test.write(&format!("{FOLDER}/{version}/{}", MANIFESTS[1]), PLAIN);
            assert_eq!(on(&test), ["tools:newer"]);
            let source = test.view().rows[0].entry.skill.source().unwrap();
            assert_eq!(source.as_str(), format!("plugin tools@shop {version}"));
        }
    }

    #[test]
    fn one_skill_of_a_plugin_is_switched_unless_the_plugin_is_off() {
        let place = format!("{FOLDER}/1.2.3/skills/alpha");
        let mut test = cached(ENTRY, PLAIN);
        switch(&mut test, &place, Off, Layer::User).unwrap();
        assert_eq!(on(&test), ["tools:beta"]);
        // By its name, so that it stays off in the next version.
        let text = format!("{ENTRY}\n[[skills.config]]\nname = \"tools:alpha\"\nenabled = false\n");
        assert_eq!(test.read(CONFIG), text);
        switch(&mut test, &place, On, Layer::User).unwrap();
        assert_eq!(test.read(CONFIG), ENTRY);
        // What an earlier version of ours wrote is taken back as well, and both.
        let file = test.text(&format!("{place}/SKILL.md"));
        let by_path = format!("\n[[skills.config]]\npath = \"{file}\"\nenabled = false\n");
        for before in [format!("{ENTRY}{by_path}"), format!("{text}{by_path}")] {
            test.write(CONFIG, &before);
            assert_eq!(on(&test), ["tools:beta"]);
            switch(&mut test, &place, On, Layer::User).unwrap();
            assert_eq!(test.read(CONFIG), ENTRY);
        }
        test.write(CONFIG, &format!("{ENTRY}{}", by_path.replace("false", "true")));
        switch(&mut test, &place, Off, Layer::User).unwrap();
        assert_eq!(test.read(CONFIG), text);
        test.write(
            CONFIG,
            &format!("{ENTRY}[[skills.config]]\nname = \"tools:beta\"\nenabled = false\n"),
        );
        assert_eq!(on(&test), ["tools:alpha"]);
        test.write(CONFIG, "[plugins.\"tools@shop\"]\nenabled = false\n");
        let why = switch(&mut test, &place, On, Layer::User).unwrap_err();
        assert!(why.contains("plugins \"tools@shop\" enabled = false"), "{why}");
        assert!(seen(&test)[0].starts_with("alpha off"), "{:?}", seen(&test));
    }
}
