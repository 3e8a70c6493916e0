//! The settings that are not part of the policy, merged: options over environment over project over
//! user over defaults.

use super::file::{
    DEFAULT_LIMIT, FILE_SIZE, MAX_ACTIVE, MAX_BYTES, MAX_ENTRIES, MAX_LIMIT, MAX_RESOURCE,
    MAX_SKILL_MD, Plain, SettingsFile,
};
use super::inputs::Inputs;
use super::origin::{Origin, Problem, Setting, Written};
use super::personal::WrittenKey;
use super::scripts::Scripts;
use super::suggest::did_you_mean;
use crate::policy::{self, Ruling};
use crate::text::secret::shown_as_written;
use std::path::PathBuf;

/// The words of `theme`.
pub const THEMES: [&str; 7] = ["auto", "dark", "light", "gruvbox", "catppuccin", "ansi", "none"];

/// The keys of `[colors]`: the meanings whose colour a person can choose, and `row`, the background
/// of the row with the cursor.
pub const COLOURS: [&str; 10] =
    ["muted", "line", "accent", "match", "mark", "good", "warning", "error", "heading", "row"];

/// The words of `preview`.
pub(super) const PREVIEWS: [&str; 4] = ["auto", "beside", "below", "none"];

/// The words of `format`.
pub const FORMATS: [&str; 7] = ["mention", "name", "link", "slash", "path", "block", "json"];

/// The words of `skills.session.when_full`, the default first.
pub const FULL: [&str; 2] = ["refuse", "drop_oldest"];

/// The words of `store.precedence`.
pub const PRECEDENCES: [&str; 3] = ["over", "under", "error"];

/// The environment variables that we read.
const VARIABLES: [&str; 13] = [
    "SKILLPICK_CONFIG",
    "SKILLPICK_HOST",
    "SKILLPICK_THEME",
    "SKILLPICK_ASCII",
    "SKILLPICK_MOUSE",
    "SKILLPICK_FORMAT",
    "SKILLPICK_INDEX",
    "SKILLPICK_HISTORY",
    "SKILLPICK_PREVIEW",
    "SKILLPICK_STORE",
    "SKILLPICK_PROJECT",
    "SKILLPICK_AUTHOR",
    SKILLS_ENABLED,
];
const SKILLS_ENABLED: &str = "SKILLPICK_SKILLS_ENABLED";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    /// The agent whose view commands and picker show, as written. There may be no such agent.
    pub host: Setting<String>,
    /// One of [`THEMES`].
    pub theme: Setting<&'static str>,
    /// Whether only ASCII characters are drawn.
    pub ascii: Setting<bool>,
    pub mouse: Setting<bool>,
    /// Where the picker shows the text of a skill: one of [`PREVIEWS`].
    pub preview: Setting<&'static str>,
    /// Whether what was read of skills is kept for the next start.
    pub index: Setting<bool>,
    /// Whether the prompts that were sent are kept.
    pub history: Setting<bool>,
    /// One of [`FORMATS`].
    pub format: Setting<&'static str>,
    /// Further folders with skills: the person's, then the project's. Absolute, not canonical.
    pub roots: Vec<Setting<PathBuf>>,
    /// How large a file of a skill may be, in MiB.
    pub file_size: Setting<usize>,
    /// The most entries of a catalog in a prompt.
    pub max_entries: Setting<usize>,
    /// The most bytes of a catalog in a prompt.
    pub max_bytes: Setting<usize>,
    /// How many results a search gives by default.
    pub default_limit: Setting<usize>,
    /// The most results that a search can be asked for.
    pub max_limit: Setting<usize>,
    /// The most bytes of a `SKILL.md` that a load gives.
    pub max_skill_md: Setting<usize>,
    /// The most bytes of another file that a read gives.
    pub max_resource: Setting<usize>,
    /// How many skills a conversation has loaded at once.
    pub max_active: Setting<usize>,
    /// One of [`FULL`]: what a load beyond that does.
    pub when_full: Setting<&'static str>,
    pub scripts: Scripts,
    /// Where a team's skills are; empty for the file in the state folder. It may hold a password. A
    /// project's file cannot say it.
    pub store: Setting<String>,
    /// Whose skills of the store are used; empty for none.
    pub project: Setting<String>,
    /// One of [`PRECEDENCES`]; empty for what the project says.
    pub precedence: Setting<&'static str>,
    /// As whom the person changes the store; empty for the name of user and machine.
    pub author: Setting<String>,
    /// Colours over those of the theme, as a name of [`COLOURS`] and 24 bits. Of the person's file
    /// only.
    pub colours: Vec<Setting<(&'static str, u32)>>,
    /// Of the person's file only.
    pub keys: Vec<Setting<WrittenKey>>,
}

pub(super) struct Overrides {
    host: Option<Setting<String>>,
    theme: Option<Setting<&'static str>>,
    format: Option<Setting<&'static str>>,
    ascii: Option<Setting<bool>>,
    mouse: Option<Setting<bool>>,
    index: Option<Setting<bool>>,
    history: Option<Setting<bool>>,
    preview: Option<Setting<&'static str>>,
    scripts: Option<Setting<bool>>,
    store: Option<Setting<String>>,
    project: Option<Setting<String>>,
    author: Option<Setting<String>>,
    /// The switch for all skills.
    pub(super) skills: Option<Ruling<bool>>,
    pub(super) problems: Vec<Problem>,
}

impl Overrides {
    pub(super) fn read(inputs: &Inputs) -> Self {
        let mut outside = Outside { inputs, problems: unknown(inputs) };
        let host = outside.variable("SKILLPICK_HOST", "a word", |word| Some(word.to_owned()));
        let theme = outside.variable("SKILLPICK_THEME", &one_of(&THEMES), known(&THEMES));
        let format = outside.variable("SKILLPICK_FORMAT", &one_of(&FORMATS), known(&FORMATS));
        let preview = outside.variable("SKILLPICK_PREVIEW", &one_of(&PREVIEWS), known(&PREVIEWS));
        let mut truth = |name| outside.variable(name, "true or false", parse_bool);
        let (ascii, mouse) = (truth("SKILLPICK_ASCII"), truth("SKILLPICK_MOUSE"));
        let (index, history) = (truth("SKILLPICK_INDEX"), truth("SKILLPICK_HISTORY"));
        let skills = truth(SKILLS_ENABLED);
        let mut text = |name| outside.variable(name, "UTF-8", |word| Some(word.to_owned()));
        let (store, project) = (text("SKILLPICK_STORE"), text("SKILLPICK_PROJECT"));
        let author = text("SKILLPICK_AUTHOR");
        let flags = &inputs.flags;
        Self {
            host: flags.host.clone().map(|value| flag("--host", value)).or(host),
            theme: outside.word("--theme", flags.theme.as_deref(), &THEMES).or(theme),
            format: outside.word("--format", flags.format.as_deref(), &FORMATS).or(format),
            ascii: flags.ascii.then(|| flag("--ascii", true)).or(ascii),
            mouse: flags.no_mouse.then(|| flag("--no-mouse", false)).or(mouse),
            index: flags.no_index.then(|| flag("--no-index", false)).or(index),
            history,
            preview,
            scripts: flags.no_scripts.then(|| flag("--http", false)),
            store: flags.store.clone().map(|value| flag("--store", value)).or(store),
            project: flags.project.clone().map(|value| flag("--project", value)).or(project),
            author,
            skills: match (flags.no_skills, skills) {
                (true, _) => Some(session_switch(false, "--no-skills")),
                (false, skills) => skills.map(|set| session_switch(set.value, SKILLS_ENABLED)),
            },
            problems: outside.problems,
        }
    }
}

/// Reads what is set outside the files.
struct Outside<'a> {
    inputs: &'a Inputs,
    problems: Vec<Problem>,
}

impl Outside<'_> {
    /// A variable of the environment. An empty one counts as unset.
    fn variable<T>(
        &mut self,
        name: &'static str,
        kind: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Option<Setting<T>> {
        let value = self.inputs.environment.get(name).filter(|value| !value.is_empty())?;
        match value.to_str().and_then(read) {
            Some(value) => Some(Setting { value, origin: Origin::Environment(name) }),
            None => {
                let message = format!("{name} must be {kind}");
                self.problems.push(outside(message, "change or unset it", true));
                None
            }
        }
    }

    /// An option that takes one of these words.
    fn word(
        &mut self,
        name: &'static str,
        given: Option<&str>,
        words: &'static [&'static str],
    ) -> Option<Setting<&'static str>> {
        let given = given?;
        let value = known(words)(given);
        if value.is_none() {
            let help = did_you_mean(given, words.iter().copied());
            let help = help.map_or_else(String::new, |word| format!("did you mean `{word}`?"));
            self.problems.push(outside(format!("{name} must be {}", one_of(words)), help, true));
        }
        value.map(|value| flag(name, value))
    }
}

fn flag<T>(name: &'static str, value: T) -> Setting<T> {
    Setting { value, origin: Origin::Flag(name) }
}

fn one_of(words: &[&str]) -> String {
    format!("one of {}", words.join(", "))
}

fn known(words: &'static [&'static str]) -> impl Fn(&str) -> Option<&'static str> {
    |given| words.iter().copied().find(|word| *word == given)
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

impl Values {
    /// Whether a load beyond `max_active` gives up the oldest skills.
    pub fn drops_oldest(&self) -> bool {
        self.when_full.value != FULL[0]
    }

    /// How large a file of a skill may be, in bytes.
    pub fn file_limit(&self) -> u64 {
        (self.file_size.value as u64) << 20
    }

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
            preview: files.pick(&session.preview, PREVIEWS[0], |plain| plain.preview.as_ref()),
            index: files.pick(&session.index, true, |plain| plain.index.as_ref()),
            history: files.pick(&session.history, true, |plain| plain.history.as_ref()),
            format: files.pick(&session.format, "mention", |plain| plain.format.as_ref()),
            roots: files.roots(),
            file_size: files.pick(&None, FILE_SIZE, |plain| plain.file_size.as_ref()),
            max_entries: files.pick(&None, MAX_ENTRIES, |plain| plain.max_entries.as_ref()),
            max_bytes: files.pick(&None, MAX_BYTES, |plain| plain.max_bytes.as_ref()),
            default_limit: files.pick(&None, DEFAULT_LIMIT, |plain| plain.default_limit.as_ref()),
            max_limit: files.pick(&None, MAX_LIMIT, |plain| plain.max_limit.as_ref()),
            max_skill_md: files.pick(&None, MAX_SKILL_MD, |plain| plain.max_skill_md.as_ref()),
            max_resource: files.pick(&None, MAX_RESOURCE, |plain| plain.max_resource.as_ref()),
            max_active: files.pick(&None, MAX_ACTIVE, |plain| plain.max_active.as_ref()),
            when_full: files.pick(&None, FULL[0], |plain| plain.when_full.as_ref()),
            scripts: Scripts::merge(user, project, session.scripts.as_ref()),
            store: files.pick(&session.store, String::new(), |plain| plain.store.as_ref()),
            project: project_name(
                files.pick(&session.project, String::new(), |plain| plain.project.as_ref()),
            ),
            precedence: files.pick(&None, "", |plain| plain.precedence.as_ref()),
            author: files.pick(&session.author, String::new(), |plain| plain.author.as_ref()),
            colours: files.of_user(|file| &file.colours),
            keys: files.of_user(|file| &file.keys),
        }
    }
}

/// The name of a project is shown in many places. An address of a store that somebody wrote instead
/// is no name, so it loses its password here.
fn project_name(name: Setting<String>) -> Setting<String> {
    Setting { value: shown_as_written(&name.value), ..name }
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

    fn roots(&self) -> Vec<Setting<PathBuf>> {
        let roots = self.sound().flat_map(|file| file.roots.iter().map(|root| file.said(root)));
        roots.collect()
    }

    /// What only the person's file may say, if it is sound.
    fn of_user<T: Clone>(&self, of: fn(&SettingsFile) -> &Vec<Written<T>>) -> Vec<Setting<T>> {
        let file = Some(self.user).filter(|file| !file.broken());
        file.into_iter().flat_map(|file| of(file).iter().map(|said| file.said(said))).collect()
    }
}
