//! Qwen Code's extensions: folders in `~/.qwen/extensions`, each with skills, which go by the
//! extension's name. Plugins of the Agent Plugins format count too. Checked with the source of
//! 0.24.4 (`core/extension/extensionManager.ts`, `extensionStore.ts`) and its program.
//!
//! Not modelled: what the Agent Plugins format demands of a skill beyond other extensions; a list
//! of paths that somebody has edited since the program wrote its own state.

use super::{HOME, QWEN, WALK};
use crate::catalog::{Enablement, Plugin, Root, Scope};
use crate::hosts::{Context, Reading, SettingsFile, SettingsPath, shapes};
use crate::policy::{Policy, Target};
use crate::settings::Node;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const FOLDER: &str = "extensions";
const MANIFEST: &str = "qwen-extension.json";
const INSTALLED: &str = ".qwen-extension-install.json";

/// The manifest of the Agent Plugins format, by its schema, and what other schemas begin with.
const AGENT_PLUGIN: &str = "plugin.json";
const SCHEMA: &str = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json";
const SCHEMAS: &str = "https://agent-plugins.org/schemas/";

/// Where each extension is on, and which of its skills.
const STATE: &str = "extension-store/state.json";

/// The same in an older form, which counts before there is a state.
const ENABLEMENT: &str = "extensions/extension-enablement.json";

/// The state, and what each extension says of itself and of its installation.
pub(super) fn files(context: &Context) -> Vec<SettingsPath> {
    let Some(home) = context.folder(HOME) else { return Vec::new() };
    let mut files = vec![home.join(STATE), home.join(ENABLEMENT)];
    for extension in shapes::children(&home.join(FOLDER)) {
        let source = shapes::extension_source(&extension, INSTALLED);
        files.extend([source.join(AGENT_PLUGIN), source.join(MANIFEST), extension.join(INSTALLED)]);
    }
    files.into_iter().filter(|path| path.exists()).map(shapes::plugin_file).collect()
}

struct Extension<'a> {
    /// Its folder of skills.
    place: PathBuf,
    plugin: Plugin,
    manifest: &'a SettingsFile,
}

fn extensions(reading: &Reading) -> Vec<Extension<'_>> {
    let Some(home) = reading.context.folder(HOME) else { return Vec::new() };
    let extension = |folder: PathBuf| {
        let place = shapes::extension_source(&folder, INSTALLED);
        let manifest = manifest(reading, &place)?;
        let node = manifest.effective()?;
        let is_sign = |sign: char| sign.is_ascii_alphanumeric() || "-_.".contains(sign);
        let name =
            node.text_of("name").filter(|name| !name.is_empty() && name.chars().all(is_sign))?;
        let plugin = Plugin {
            kind: "extension",
            id: name.to_owned(),
            prefix: format!("{name}:"),
            version: node.text_of("version").map(str::to_owned),
            commit: None,
        };
        Some(Extension { place: place.join("skills"), plugin, manifest })
    };
    shapes::children(&home.join(FOLDER)).into_iter().filter_map(extension).collect()
}

/// What an extension says of itself: as an Agent Plugin, if it names a schema of these.
fn manifest<'a>(reading: &'a Reading, folder: &Path) -> Option<&'a SettingsFile> {
    let plugin = reading.plugin_file(&folder.join(AGENT_PLUGIN));
    let schema = plugin.and_then(|file| file.at(&["$schema"])?.text());
    match schema.filter(|schema| schema.starts_with(SCHEMAS)) {
        Some(schema) => plugin.filter(|_| schema == SCHEMA),
        None => reading.plugin_file(&folder.join(MANIFEST)),
    }
}

/// The roots of the extensions.
pub(super) fn roots(reading: &Reading) -> Vec<Root> {
    let root = |extension: Extension<'_>| {
        let root = Root::new(extension.place, Scope::User, QWEN.id, WALK);
        root.of_plugin(&Arc::new(extension.plugin))
    };
    extensions(reading).into_iter().map(root).collect()
}

/// What stands before the names of the skills of each extension. A setting may leave it out.
pub(super) fn prefixes(reading: &Reading) -> Vec<String> {
    extensions(reading).into_iter().map(|extension| extension.plugin.prefix).collect()
}

/// Switches off the skills of the extensions that are not on here, and single skills that an
/// extension or the state has off, unless their full name is `enabled`.
pub(super) fn rulings(reading: &Reading, enabled: &BTreeSet<String>, policy: &mut Policy) {
    let Some(home) = reading.context.folder(HOME) else { return };
    let here = reading.context.cwd.to_string_lossy();
    for Extension { place, plugin, manifest } in extensions(reading) {
        let kept = kept(reading, &home, &plugin.id);
        if let Some((file, line, text)) = off(reading, &plugin.id) {
            policy.switches.push(file.switch_off_beneath(place, line, text));
        }
        let own = manifest.at(&["skillStates"]).map(|states| (manifest, states));
        let of_here = kept.and_then(|(file, node)| {
            Some((file, node.get("skillWorkspaceOverrides")?.get(&here)?))
        });
        for (file, states) in own.into_iter().chain(of_here) {
            for field in states.fields() {
                let name = format!("{}{}", plugin.prefix, super::fold(&field.key));
                let later = of_here.filter(|(other, _)| other.shown != file.shown);
                let later = later.and_then(|(_, states)| states.get(&super::fold(&field.key)));
                let is_off = later.unwrap_or(&field.node).flag() == Some(false);
                if is_off && !enabled.contains(&name.to_lowercase()) {
                    let text = format!("\"{}\": false", field.key);
                    let target = Target::Name(name);
                    policy.switches.push(file.switch(target, Enablement::Off, field.line, text));
                }
            }
        }
    }
}

/// What the state says of an extension.
fn kept<'a>(reading: &'a Reading, home: &Path, name: &str) -> Option<(&'a SettingsFile, &'a Node)> {
    let file = reading.plugin_file(&home.join(STATE))?;
    let mut known = file.at(&["extensions"])?.fields().iter();
    let field = known.find(|field| field.node.text_of("name") == Some(name))?;
    Some((file, &field.node))
}

/// The line that switches an extension off here: its own entry for this folder, else the last path
/// that applies, else the default.
pub(super) fn off<'a>(reading: &'a Reading, name: &str) -> Option<(&'a SettingsFile, u32, String)> {
    let home = &reading.context.folder(HOME)?;
    let here = reading.context.cwd.to_string_lossy();
    let last = |rules: &'a [Node]| {
        let applies = |rule: &&Node| {
            rule.text().is_some_and(|rule| shapes::path_applies(rule, &reading.context.cwd))
        };
        rules.iter().rfind(applies)
    };
    let Some((file, node)) = kept(reading, home, name) else {
        let file = reading.plugin_file(&home.join(ENABLEMENT))?;
        let rule = last(file.items(&[name, "overrides"]))?;
        let is_off = rule.text()?.starts_with('!');
        return is_off
            .then(|| (file, rule.line, format!("{name} \"{}\"", rule.text().unwrap_or(""))));
    };
    let default = node.get("defaultActivation");
    let overrides = node.get("workspaceOverrides").map_or(&[][..], Node::fields);
    let said = match overrides.iter().find(|field| field.key == here) {
        Some(field) if field.node.text() != Some("inherit") => Some(&field.node),
        Some(_) => default,
        None => last(node.items_of("legacyPathRules")).or(default),
    }?;
    let text = said.text()?;
    let is_off = text == "disabled" || text.starts_with('!');
    is_off.then(|| (file, said.line, format!("{name} \"{text}\"")))
}

/// Whether a list of names has this one with or without the extension's name before it.
pub(super) fn is_spelled(text: &str, name: &str, plugin: Option<&Plugin>) -> bool {
    let authored = plugin.and_then(|plugin| name.strip_prefix(&*plugin.prefix));
    [Some(name), authored].into_iter().flatten().any(|name| super::fold(text) == super::fold(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Enablement::{Off, On};
    use crate::hosts::test_support::{User, seen, switch, test};
    use crate::workspace::fixture::TestWorkspace;

    const ONE: &str = "home/.qwen/extensions/tools";
    const USER: &str = "home/.qwen/settings.json";

    fn extended(state: &str) -> TestWorkspace {
        let alpha = format!("{ONE}/skills/alpha");
        let mut test = test(&QWEN, &[&alpha, "linked/skills/far"]);
        test.write(&format!("{ONE}/{MANIFEST}"), r#"{"name": "tools", "version": "1.2.3"}"#);
        let state = state.replace("TOP/", &test.text(""));
        let state = format!(r#"{{"extensions": {{"id": {{"name": "tools", {state}}}}}}}"#);
        test.write(&format!("home/.qwen/{STATE}"), &state);
        test
    }

    fn is_on(test: &TestWorkspace) -> bool {
        seen(test)[0].starts_with("alpha on")
    }

    #[test]
    fn the_folders_own_entry_counts_then_the_last_path_then_the_default() {
        let table = [
            (r#""defaultActivation": "enabled""#, true),
            (r#""defaultActivation": "disabled""#, false),
            (r#""defaultActivation": "enabled", "legacyPathRules": ["!TOP/*"]"#, false),
            (r#""defaultActivation": "enabled", "legacyPathRules": ["!TOP/*", "TOP/repo/"]"#, true),
            (
                r#""defaultActivation": "disabled", "workspaceOverrides": {"TOP/repo": "enabled"}"#,
                true,
            ),
            (
                r#""defaultActivation": "enabled", "workspaceOverrides": {"TOP/repo": "inherit"},
                "legacyPathRules": ["!TOP/*"]"#,
                true,
            ),
            (
                r#""defaultActivation": "enabled",
                "skillWorkspaceOverrides": {"TOP/repo": {"alpha": false}}"#,
                false,
            ),
        ];
        for (state, expected) in table {
            assert_eq!(is_on(&extended(state)), expected, "{state}");
        }
        let mut test = extended("");
        std::fs::remove_file(test.env.at(format!("home/.qwen/{STATE}"))).unwrap();
        let rules = format!(r#"{{"tools": {{"overrides": ["!{}repo/"]}}}}"#, test.text(""));
        test.write(&format!("home/.qwen/{ENABLEMENT}"), &rules);
        assert!(!is_on(&test), "the older list of paths counts before there is a state");
    }

    #[test]
    fn a_skill_is_called_after_its_extension_and_switched_by_that_name() {
        let place = format!("{ONE}/skills/alpha");
        let mut test = extended(r#""defaultActivation": "enabled""#);
        let view = test.view();
        assert_eq!(view.policy.order.name_of(&view.rows[0].entry.skill), "tools:alpha");
        let source = view.rows[0].entry.skill.source().unwrap();
        assert_eq!(source.as_str(), "extension tools 1.2.3");
        switch(&mut test, &place, Off, User).unwrap();
        assert!(test.read(USER).contains("\"tools:alpha\""));
        switch(&mut test, &place, On, User).unwrap();
        for before in [
            r#"{"skills": {"disabled": ["Alpha"]}}"#,
            r#"{"skills": {"defaultDisabled": ["alpha"]}}"#,
            r#"{"skills": {"defaultDisabled": ["tools:alpha"]}}"#,
        ] {
            test.write(USER, before);
            assert!(!is_on(&test), "{before}");
            switch(&mut test, &place, On, User).unwrap();
        }
        test.write(USER, "{}");
        let states = r#"{"name": "tools", "skillStates": {"Alpha": false}}"#;
        test.write(&format!("{ONE}/{MANIFEST}"), states);
        assert!(!is_on(&test));
        switch(&mut test, &place, On, User).unwrap();
        assert!(test.read(USER).contains("enabled"));
        let mut test = extended(r#""defaultActivation": "disabled""#);
        let why = switch(&mut test, &place, On, User).unwrap_err();
        assert!(why.starts_with("it is off with its extension by tools \"disabled\" ("), "{why}");
        assert!(
            why.contains(STATE)
                && why.ends_with(": qwen extensions enable tools --scope workspace"),
            "{why}"
        );
    }

    #[test]
    fn a_name_that_an_extensions_skill_has_too_is_the_reason_and_not_the_extension() {
        let mut test = extended(r#""defaultActivation": "enabled""#);
        let own = "home/.qwen/skills/alpha";
        test.env.skill("home/.qwen/skills", "alpha", "d");
        test.workspace = test.workspace.reread();
        let why = switch(&mut test, own, Off, User).unwrap_err();
        let goes = "it would switch `tools:alpha` too, which in Qwen Code goes with that name";
        assert_eq!(why, goes);
        switch(&mut test, &format!("{ONE}/skills/alpha"), Off, User).unwrap();
    }

    #[test]
    fn an_agent_plugin_is_one_by_its_schema_and_a_linked_extension_is_read_elsewhere() {
        let mut test = extended("");
        let plugin = format!("{ONE}/{AGENT_PLUGIN}");
        let mut source = |text: &str| {
            test.write(&plugin, text);
            let view = test.view();
            let found = view.rows.entries().find_map(|entry| entry.skill.source());
            found.map(|text| text.as_str().to_owned())
        };
        let schema = format!(r#"{{"$schema": "{SCHEMA}", "name": "open", "version": "2"}}"#);
        assert_eq!(source(&schema).as_deref(), Some("extension open 2"));
        assert_eq!(source(&schema.replace("1.0.0", "9.0.0")), None, "a schema that is not known");
        assert_eq!(source(r#"{"name": "x"}"#).as_deref(), Some("extension tools 1.2.3"));
        let linked = format!(r#"{{"type": "link", "source": "{}"}}"#, test.text("linked"));
        test.write(&format!("{ONE}/{INSTALLED}"), &linked);
        test.write(&format!("linked/{MANIFEST}"), r#"{"name": "far", "version": "3"}"#);
        let view = test.view();
        assert_eq!(view.rows[0].entry.skill.source().unwrap().as_str(), "extension far 3");
    }
}
