//! What variables leave of Claude Code's skills. Tried with its program, 2.1.332.
//!
//! `env` in the administrator's and in the person's settings comes before the environment; a
//! repository's does not reach these.

use crate::catalog::plain_path;
use crate::hosts::javascript::is_yes;
use crate::hosts::{Context, Reading, shapes};
use crate::policy::{Layer, Origin};
use crate::settings::{Format, Kind, Node};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Its minimal mode has no skills but those of plugins, and these only if it is given folders of
/// plugins.
const SIMPLE: &str = "CLAUDE_CODE_SIMPLE";

/// Its safe mode has none.
const SAFE: &str = "CLAUDE_CODE_SAFE_MODE";

/// Folders of plugins, separated as on `PATH`.
const PLUGINS: &str = "CLAUDE_CODE_PLUGIN_DIRS";

/// Where it keeps what it has installed.
const KEPT: &str = "CLAUDE_CODE_PLUGIN_CACHE_DIR";

/// Why a folder of skills is closed.
const SIMPLE_IS_ON: &str = "CLAUDE_CODE_SIMPLE is set";

/// The variable's value and who sets it.
fn variable<'a>(reading: &'a Reading, name: &'static str) -> Option<(Cow<'a, str>, Origin)> {
    let settings = super::sound(reading).into_iter().rev();
    let mut settings =
        settings.filter(|file| matches!(file.location.layer, Layer::Managed | Layer::User));
    let said = settings.find_map(|file| Some((file, file.at(&["env", name])?)));
    if let Some((file, node)) = said {
        let value = value(node)?;
        let origin = file.origin(node.line, format_args!("env.{name}: \"{value}\""));
        return Some((value, origin));
    }
    let value = reading.context.variable(name)?;
    Some((value.to_string_lossy(), Origin::Session(name.into())))
}

/// A value of `env` as the text that it becomes.
fn value(node: &Node) -> Option<Cow<'_, str>> {
    match &node.kind {
        Kind::Number(number) => Some(number.as_str().into()),
        _ => node.text().map(Cow::from).or_else(|| Some(node.flag()?.to_string().into())),
    }
}

/// Who switches this on.
fn switch(reading: &Reading, name: &'static str) -> Option<Origin> {
    let (value, origin) = variable(reading, name)?;
    is_yes(&value).then_some(origin)
}

/// Who switches all skills off, if somebody does.
pub(super) fn all_off(reading: &Reading) -> Option<Origin> {
    let simple = || switch(reading, SIMPLE).filter(|_| plugin_folders(reading).is_empty());
    switch(reading, SAFE).or_else(simple)
}

/// Why all folders of skills but those of plugins are closed, if they are.
pub(super) fn closed(reading: &Reading) -> Option<&'static str> {
    switch(reading, SIMPLE).map(|_| SIMPLE_IS_ON)
}

/// The folders of plugins that a variable names.
pub(super) fn plugin_folders(reading: &Reading) -> Vec<PathBuf> {
    let said = variable(reading, PLUGINS);
    said.map(|(value, _)| folders(&value, &reading.context)).unwrap_or_default()
}

/// The folders of plugins that a variable or these settings files may name.
pub(super) fn possible_plugin_folders(context: &Context, files: &[PathBuf]) -> Vec<PathBuf> {
    let said = possible(PLUGINS, context, files).into_iter();
    said.flat_map(|value| folders(&value, context)).collect()
}

/// Where it keeps what it has installed, if a variable says so.
pub(super) fn folder_kept(reading: &Reading) -> Option<PathBuf> {
    kept(&variable(reading, KEPT)?.0, &reading.context)
}

/// The folders that the environment or these settings files may name for what it has installed.
pub(super) fn possible_folders_kept(context: &Context, files: &[PathBuf]) -> Vec<PathBuf> {
    let said = possible(KEPT, context, files).into_iter();
    said.filter_map(|value| kept(&value, context)).collect()
}

/// The values that the environment and these settings files give a variable.
fn possible(name: &str, context: &Context, files: &[PathBuf]) -> Vec<String> {
    let own = context.variable(name).map(|value| value.to_string_lossy().into_owned());
    let settings = files.iter().filter_map(|file| shapes::on_disk(file, Format::Json));
    let said = settings.filter_map(|node| Some(node.at(&["env", name])?.text()?.to_owned()));
    own.into_iter().chain(said).collect()
}

fn kept(value: &str, context: &Context) -> Option<PathBuf> {
    let value = Some(value.trim()).filter(|value| !value.is_empty())?;
    Some(plain_path(&context.path(value, &context.cwd)?))
}

/// Absolute paths, and those below the home directory; others are passed over.
fn folders(value: &str, context: &Context) -> Vec<PathBuf> {
    let named = std::env::split_paths(value);
    let named = named.filter_map(|path| context.path(path.to_str()?.trim(), Path::new("")));
    named.filter(|path| path.is_absolute()).map(|path| plain_path(&path)).collect()
}

#[cfg(test)]
mod tests {
    use crate::hosts::CLAUDE;
    use crate::hosts::test_support::test;
    use crate::policy::Origin;
    use crate::workspace::fixture::TestWorkspace;

    const SETTINGS: &str = "home/.claude/settings.json";

    /// A skill of the person's and one of a plugin, in an environment.
    fn with(variables: &[(&str, &str)], settings: &[(&str, &str)]) -> TestWorkspace {
        let mut test = test(&CLAUDE, &["home/.claude/skills/own"]);
        test.write("plugin/.claude-plugin/plugin.json", "{\"name\": \"plugin\"}");
        test.env.skill("plugin/skills", "brought", "d");
        settings.iter().for_each(|(file, text)| test.write(file, text));
        let folder = test.text("plugin");
        let variables: Vec<(&str, &str)> = variables
            .iter()
            .map(|(name, value)| (*name, if *value == "FOLDER" { folder.as_str() } else { *value }))
            .collect();
        test.through(&CLAUDE, &variables, "repo")
    }

    fn names(test: &TestWorkspace) -> Vec<String> {
        let view = test.view();
        view.rows.entries().map(|entry| entry.skill.name.to_string()).collect()
    }

    #[test]
    fn minimal_and_safe_mode_have_no_skills_but_those_of_folders_that_are_given() {
        let folder = ("CLAUDE_CODE_PLUGIN_DIRS", "FOLDER");
        let simple = ("CLAUDE_CODE_SIMPLE", "yes");
        let safe = ("CLAUDE_CODE_SAFE_MODE", "1");
        for (variables, expected) in [
            (&[][..], &["own"][..]),
            (&[simple], &[]),
            (&[("CLAUDE_CODE_SIMPLE", "2")], &["own"]),
            (&[safe], &[]),
            (&[folder], &["brought", "own"]),
            (&[simple, folder], &["brought"]),
            (&[safe, folder], &[]),
        ] {
            let mut found = names(&with(variables, &[]));
            found.sort();
            assert_eq!(found, expected, "{variables:?}");
        }
        let origin = |test: &TestWorkspace| {
            test.workspace.host_contexts[0].policy.skills_enabled.origin.clone()
        };
        let by = origin(&with(&[safe], &[]));
        assert_eq!(by, Origin::Session("CLAUDE_CODE_SAFE_MODE".into()));
    }

    #[test]
    fn the_persons_settings_set_variables_and_a_repositorys_do_not() {
        let say = |value: &str| format!("{{\"env\": {{\"CLAUDE_CODE_SIMPLE\": {value}}}}}");
        let on = ("CLAUDE_CODE_SIMPLE", "1");
        for (variables, file, value, are_there) in [
            (&[][..], SETTINGS, "\"1\"", false),
            (&[], SETTINGS, "1", false),
            (&[], SETTINGS, "true", false),
            (&[on], SETTINGS, "\"0\"", true),
            (&[], "repo/.claude/settings.json", "\"1\"", true),
            (&[], "repo/.claude/settings.local.json", "\"1\"", true),
        ] {
            let test = with(variables, &[(file, &say(value))]);
            assert_eq!(!names(&test).is_empty(), are_there, "{file} {value}");
        }
        let test = with(&[], &[(SETTINGS, &say("\"1\""))]);
        let switch = &test.workspace.host_contexts[0].policy.skills_enabled;
        assert_eq!(switch.origin.text(), "env.CLAUDE_CODE_SIMPLE: \"1\"");
    }
}
