//! The settings that are not part of the policy, merged: options over environment over project over
//! user over defaults.

use super::file::{
    DEFAULT_LIMIT, MAX_ACTIVE, MAX_BYTES, MAX_ENTRIES, MAX_LIMIT, Plain, SettingsFile,
};
use super::inputs::Inputs;
use super::origin::{Origin, Problem, Setting, Written};
use super::scripts::Scripts;
use super::suggest::did_you_mean;
use crate::policy::{self, Layer, Ruling};
use std::path::PathBuf;

/// The words of `theme`.
pub const THEMES: [&str; 5] = ["auto", "dark", "light", "ansi", "none"];

/// The words of `format`.
pub const FORMATS: [&str; 7] = ["mention", "name", "link", "slash", "path", "block", "json"];

/// The environment variables that we read.
const VARIABLES: [&str; 7] = [
    "SKILLPICK_CONFIG",
    "SKILLPICK_HOST",
    "SKILLPICK_THEME",
    "SKILLPICK_ASCII",
    "SKILLPICK_MOUSE",
    "SKILLPICK_FORMAT",
    "SKILLPICK_SKILLS_ENABLED",
];

/// A further folder with skills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootSetting {
    /// Absolute, not canonical.
    pub path: PathBuf,
    pub layer: Layer,
    pub origin: Origin,
}

/// A key binding of the person's file; the keymap checks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySetting {
    pub screen: String,
    pub key: String,
    pub action: String,
    pub origin: Origin,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    /// The agent whose view commands and picker show, as written. There may be no such agent.
    pub host: Setting<String>,
    /// One of [`THEMES`].
    pub theme: Setting<&'static str>,
    /// Whether only ASCII characters are drawn.
    pub ascii: Setting<bool>,
    pub mouse: Setting<bool>,
    /// One of [`FORMATS`].
    pub format: Setting<&'static str>,
    /// The person's, then the project's.
    pub roots: Vec<RootSetting>,
    /// The most entries of a catalog in a prompt.
    pub max_entries: Setting<usize>,
    /// The most bytes of a catalog in a prompt.
    pub max_bytes: Setting<usize>,
    /// How many results a search gives by default.
    pub default_limit: Setting<usize>,
    /// The most results that a search can be asked for.
    pub max_limit: Setting<usize>,
    /// How many skills a conversation has loaded at once.
    pub max_active: Setting<usize>,
    pub scripts: Scripts,
    /// Of the person's file only.
    pub keys: Vec<KeySetting>,
}

pub(super) struct Overrides {
    host: Option<Setting<String>>,
    theme: Option<Setting<&'static str>>,
    format: Option<Setting<&'static str>>,
    ascii: Option<Setting<bool>>,
    mouse: Option<Setting<bool>>,
    /// The switch for all skills.
    pub(super) skills: Option<Ruling<bool>>,
    pub(super) problems: Vec<Problem>,
}

impl Overrides {
    pub(super) fn read(inputs: &Inputs) -> Self {
        let mut problems = unknown(inputs);
        let mut variable = |name: &'static str, kind: &str, sound: &dyn Fn(&str) -> bool| {
            let value = inputs.environment.get(name).filter(|value| !value.is_empty())?;
            match value.to_str().filter(|value| sound(value)) {
                Some(value) => {
                    Some(Setting { value: value.to_owned(), origin: Origin::Environment(name) })
                }
                None => {
                    problems.push(outside(
                        format!("{name} must be {kind}"),
                        "change or unset it",
                        true,
                    ));
                    None
                }
            }
        };
        let truth = |value: &str| parse_bool(value).is_some();
        let host = variable("SKILLPICK_HOST", "a word", &|_| true);
        let theme =
            variable("SKILLPICK_THEME", &format!("one of {}", THEMES.join(", ")), &|word| {
                THEMES.contains(&word)
            });
        let format =
            variable("SKILLPICK_FORMAT", &format!("one of {}", FORMATS.join(", ")), &|word| {
                FORMATS.contains(&word)
            });
        let ascii = variable("SKILLPICK_ASCII", "true or false", &truth);
        let mouse = variable("SKILLPICK_MOUSE", "true or false", &truth);
        let skills = variable("SKILLPICK_SKILLS_ENABLED", "true or false", &truth);
        let flags = &inputs.flags;
        let host_flag =
            flags.host.clone().map(|value| Setting { value, origin: Origin::Flag("--host") });
        let boolean =
            |set: bool, value, name| set.then_some(Setting { value, origin: Origin::Flag(name) });
        let mut session = Self {
            host: host_flag.or(host),
            theme: word(theme, &THEMES),
            format: word(format, &FORMATS),
            ascii: boolean(flags.ascii, true, "--ascii").or_else(|| truth_of(ascii)),
            mouse: boolean(flags.no_mouse, false, "--no-mouse").or_else(|| truth_of(mouse)),
            skills: truth_of(skills)
                .map(|skills| session_switch(skills.value, "SKILLPICK_SKILLS_ENABLED")),
            problems,
        };
        session.flag_words(inputs);
        session
    }

    fn flag_words(&mut self, inputs: &Inputs) {
        let flags = &inputs.flags;
        for (given, name, words, slot) in [
            (&flags.theme, "--theme", &THEMES[..], &mut self.theme),
            (&flags.format, "--format", &FORMATS[..], &mut self.format),
        ] {
            let Some(given) = given else { continue };
            let setting = Setting { value: given.clone(), origin: Origin::Flag(name) };
            match word(Some(setting), words) {
                Some(setting) => *slot = Some(setting),
                None => {
                    let message = format!("{name} must be one of {}", words.join(", "));
                    self.problems.push(outside(message, suggestion(given, words), true));
                }
            }
        }
        if flags.no_skills {
            self.skills = Some(session_switch(false, "--no-skills"));
        }
    }
}

fn suggestion(given: &str, words: &[&'static str]) -> String {
    did_you_mean(given, words.iter().copied())
        .map_or_else(String::new, |word| format!("did you mean `{word}`?"))
}

fn outside(message: String, help: impl Into<String>, grave: bool) -> Problem {
    Problem { spot: None, message, help: help.into(), grave }
}

fn session_switch(enabled: bool, by: &str) -> Ruling<bool> {
    Ruling::new(enabled, policy::Origin::Session(by.into()))
}

/// Variables whose names are misspelt.
fn unknown(inputs: &Inputs) -> Vec<Problem> {
    let ours = inputs.environment.keys().filter(|name| name.starts_with("SKILLPICK_"));
    let strange = ours.filter(|name| !VARIABLES.contains(&name.as_str()));
    let remark = |name: &String| {
        let word = did_you_mean(name, VARIABLES)?;
        Some(outside(format!("{name} is no setting"), format!("did you mean {word}?"), false))
    };
    strange.filter_map(remark).collect()
}

fn parse_bool(text: &str) -> Option<bool> {
    match text {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

fn truth_of(given: Option<Setting<String>>) -> Option<Setting<bool>> {
    let Setting { value, origin } = given?;
    parse_bool(&value).map(|value| Setting { value, origin })
}

fn word(given: Option<Setting<String>>, words: &[&'static str]) -> Option<Setting<&'static str>> {
    let Setting { value: given, origin } = given?;
    words.iter().copied().find(|word| *word == given).map(|value| Setting { value, origin })
}

impl Values {
    /// Merges the files and the session. The values of a broken file are ignored.
    pub(super) fn merge(
        user: &SettingsFile,
        project: Option<&SettingsFile>,
        session: &Overrides,
    ) -> Self {
        let files = Files { user, project };
        Self {
            host: files.pick(&session.host, "agents".to_owned(), |plain| plain.host.as_ref()),
            theme: files.pick(&session.theme, "auto", |plain| plain.theme.as_ref()),
            ascii: files.pick(&session.ascii, false, |plain| plain.ascii.as_ref()),
            mouse: files.pick(&session.mouse, true, |plain| plain.mouse.as_ref()),
            format: files.pick(&session.format, "mention", |plain| plain.format.as_ref()),
            roots: files.roots(),
            max_entries: files.pick(&None, MAX_ENTRIES, |plain| plain.max_entries.as_ref()),
            max_bytes: files.pick(&None, MAX_BYTES, |plain| plain.max_bytes.as_ref()),
            default_limit: files.pick(&None, DEFAULT_LIMIT, |plain| plain.default_limit.as_ref()),
            max_limit: files.pick(&None, MAX_LIMIT, |plain| plain.max_limit.as_ref()),
            max_active: files.pick(&None, MAX_ACTIVE, |plain| plain.max_active.as_ref()),
            scripts: Scripts::merge(user, project),
            keys: files.keys(),
        }
    }
}

struct Files<'a> {
    user: &'a SettingsFile,
    project: Option<&'a SettingsFile>,
}

impl Files<'_> {
    fn sound(&self) -> impl Iterator<Item = &SettingsFile> {
        std::iter::once(self.user).chain(self.project).filter(|file| !file.broken())
    }

    fn pick<T: Clone>(
        &self,
        session: &Option<Setting<T>>,
        default: T,
        get: impl Fn(&Plain) -> Option<&Written<T>>,
    ) -> Setting<T> {
        let written = |file: &SettingsFile| Some(file.said(get(&file.plain)?));
        let from_files = || self.sound().filter_map(written).last();
        session
            .clone()
            .or_else(from_files)
            .unwrap_or(Setting { value: default, origin: Origin::Default })
    }

    fn roots(&self) -> Vec<RootSetting> {
        let root = |file: &SettingsFile, written: &Written<PathBuf>| RootSetting {
            path: written.value.clone(),
            layer: file.layer,
            origin: Origin::written(file.layer, &file.path, written.line),
        };
        self.sound()
            .flat_map(|file| file.roots.iter().map(move |written| root(file, written)))
            .collect()
    }

    fn keys(&self) -> Vec<KeySetting> {
        let file = self.user;
        let keys = if file.broken() { &[][..] } else { &file.keys[..] };
        let setting = |written: &super::WrittenKey| KeySetting {
            screen: written.screen.clone(),
            key: written.key.clone(),
            action: written.action.clone(),
            origin: Origin::written(file.layer, &file.path, written.line),
        };
        keys.iter().map(setting).collect()
    }
}
