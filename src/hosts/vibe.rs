//! Mistral Vibe: lists of names and patterns, joined over its settings files; folders that must be
//! trusted. From the source in its package (`core/skills`, `core/config`,
//! `core/trusted_folders.py`), tried on its program (`vibe-acp`).
//!
//! Not modelled: plugins, its own among them; skills that its registry has fetched; other settings
//! with a wrong type, with which it does not start; `strict_config`; settings in `~/.vibe/.env`, of
//! its agents' profiles and of an administrator; `--add-dir`; a fault in `agents/openai.yaml`, for
//! which it keeps a skill from the model; in an ACP session, a skill with the name of a command;
//! skills called `vibe` and `skill-creator`, which it lists there and may keep for itself
//! elsewhere.

mod head;
mod patterns;

use super::shapes::{self, SETTINGS, TRUST};
use super::{
    Candidates, Content, Context, Control, Detect, Folder, Host, Proof, Reading, SettingsFile,
    SettingsPath, Siblings, Wanted,
};
use crate::catalog::{Enablement, Hidden, HostId, Root, Scope, Walk};
use crate::policy::change::Refusal;
use crate::policy::{
    Evaluation, Fold, InvocationFields, Layer, Order, Origin, Policy, Profile, Switch, Target,
};
use crate::settings::{Edit, Format, Kind};
use patterns::{Covered, covered};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

const HOME: Folder = Folder { variable: "VIBE_HOME", default: ".vibe", tilde: true };

/// Further folders.
const FURTHER: &str = "skill_paths";

/// If this list has something, only the skills in it are enabled.
const ENABLED: &str = "enabled_skills";

/// It counts if the other list is empty.
const DISABLED: &str = "disabled_skills";

/// The lists of folders in the file about trust, of which the first counts before the other.
const TRUST_LISTS: [&str; 2] = ["trusted", "untrusted"];

/// Immediate children with any name; links are followed.
const WALK: Walk = Walk {
    depth: 1,
    itself: false,
    hidden: Hidden::Git,
    modules: true,
    nested: false,
    ..Walk::STANDARD
};

/// Findings for which it refuses a file that every parser reads alike, or that say why it refuses
/// one.
const REFUSES: &[&str] = &[
    "file-case",
    "name-missing",
    "name-empty",
    "name-length",
    "name-case",
    "name-hyphen-edge",
    "name-double-hyphen",
    "name-chars",
    "name-ascii",
    "desc-length",
    "yaml-repaired",
];

pub const VIBE: Host = Host {
    id: HostId("mistral-vibe"),
    name: "Mistral Vibe",
    detect: Detect {
        programs: &["vibe-acp", "vibe"],
        python: "mistral_vibe",
        folders: &[HOME],
        ..Detect::NEVER
    },
    proof: Proof::Program("3.0.2"),
    settings_paths,
    roots,
    siblings: Siblings::Listed,
    evaluation: Evaluation {
        switches: Order::LastMatch,
        fold: Fold::Switches,
        reads: InvocationFields { model: true, user: true, implicit: true, products: false },
        head: Some(&head::READER),
        calls: Some(&head::CALLS),
        profile: Profile { refuses: REFUSES, takes: &[] },
        ..Evaluation::HOST
    },
    rulings,
    control: Control {
        layers: &[Layer::User, Layer::Project],
        states: Control::ON_OFF,
        switch: Some(switch),
        because: "Mistral Vibe joins the lists of all its settings files",
        ..Control::NONE
    },
    probe: Some(&super::probe::VIBE),
    ..Host::PLAIN
};

/// The person's settings, the project's, the trusted folders.
fn settings_paths(context: &Context) -> Vec<SettingsPath> {
    let Some(home) = context.folder(HOME) else { return Vec::new() };
    let file = |path, layer| shapes::file(path, layer, Format::Toml);
    let mut settings_paths = vec![file(home.join("config.toml"), Layer::User)];
    if !is_home(context, &home) {
        let path = project_settings(context, &home);
        let is_trusted = path.parent().is_some_and(|folder| trusts(&home, folder));
        let ignored = (!is_trusted).then_some(shapes::UNTRUSTED);
        settings_paths.push(SettingsPath { ignored, ..file(path, Layer::Project) });
    }
    settings_paths.push(SettingsPath { role: TRUST, ..file(trust_file(&home), Layer::User) });
    settings_paths
}

/// Whether the working directory's `.vibe` is the person's own folder: then nothing is a project's.
fn is_home(context: &Context, home: &Path) -> bool {
    real(&context.cwd.join(".vibe")) == real(home)
}

fn real(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The nearest file from the working directory up, but not beside the person's own folder. Without
/// one, the working directory's.
fn project_settings(context: &Context, home: &Path) -> PathBuf {
    let file = |folder: &Path| folder.join(".vibe/config.toml");
    let above = context.cwd.ancestors().take_while(|folder| home.parent() != Some(*folder));
    above.map(file).find(|file| file.is_file()).unwrap_or_else(|| file(&context.cwd))
}

fn trust_file(home: &Path) -> PathBuf {
    home.join("trusted_folders.toml")
}

/// Whether a folder is trusted: the nearest folder above it that one of the two lists names
/// decides.
fn trusts(home: &Path, folder: &Path) -> bool {
    let file = trust_file(home);
    let lists = shapes::on_disk(&file, Format::Toml).filter(|_| !shapes::has_mark(&file));
    let Some(lists) = lists else { return false };
    // Vibe calls Python's `list()`, which takes the letters of a text and the keys of a table.
    let has = |list: &str, folder: &Path| match lists.at(&[list]).map(|node| &node.kind) {
        Some(Kind::List(items)) => {
            items.iter().any(|item| item.text().is_some_and(|text| folder.as_os_str() == text))
        }
        Some(Kind::Table(fields)) => fields.iter().any(|field| folder.as_os_str() == &*field.key),
        Some(Kind::Text(text)) => folder.as_os_str() == "/" && text.contains('/'),
        _ => false,
    };
    let folder = real(folder);
    let named = |above: &Path| TRUST_LISTS.into_iter().find(|list| has(list, above));
    folder.ancestors().find_map(named) == Some(TRUST_LISTS[0])
}

/// The folders that the settings name, the working directory's, then the person's.
fn roots(reading: &Reading) -> Vec<Root> {
    let context = &*reading.context;
    let Some(home) = context.folder(HOME) else { return Vec::new() };
    let root = |path, scope| Root::new(path, scope, VIBE.id, WALK);
    let shared = context.home.as_ref().map(|home| home.join(".agents/skills"));
    let own: Vec<PathBuf> = [home.join("skills")].into_iter().chain(shared).collect();
    let further = texts(reading, FURTHER).into_iter();
    let further = further.filter_map(|said| context.path(&said.text, &context.cwd));
    let further = further.map(|path| {
        let path = context.resolve(path);
        let scope = context.scope(&path);
        root(path, scope).named()
    });
    let closed = (!trusts(&home, &context.cwd)).then_some(shapes::UNTRUSTED);
    let here = [".vibe/skills", ".agents/skills"].map(|folder| context.cwd.join(folder));
    let here = here
        .into_iter()
        .filter(|path| !is_home(context, &home) && (closed.is_none() || !own.contains(path)));
    let here = here.map(|path| {
        let scope = if own.contains(&path) { Scope::User } else { Scope::Repo };
        Root { closed, ..root(path, scope) }
    });
    let own = own.iter().map(|path| root(path.clone(), Scope::User));
    shapes::once(further.chain(here).chain(own))
}

/// One text of a list.
struct Said<'a> {
    text: String,
    /// The file and the line; `None` for a text of a variable.
    place: Option<(&'a SettingsFile, u32)>,
}

impl Said<'_> {
    /// The switch that it makes in the list of this key.
    fn switch(&self, key: &str, target: Target, state: Enablement) -> Switch {
        match self.place {
            Some((file, line)) => {
                let text = format_args!("{key} \"{}\"", self.text);
                file.switch(target, state, line, text)
            }
            None => {
                let origin = Origin::Session(variable(key).into());
                Switch { target, within: None, state, origin, layer: Layer::Managed }
            }
        }
    }
}

/// The variable with a list of JSON, which is joined with the files' lists. Its name may have any
/// upper and lower case.
fn variable(key: &str) -> String {
    format!("VIBE_{}", key.to_uppercase())
}

/// The texts of a list in all files and in its variable, which Vibe ignores if it has anything
/// else.
fn texts<'a>(reading: &'a Reading, key: &str) -> Vec<Said<'a>> {
    let of_file = |file: &'a SettingsFile| {
        let texts = shapes::texts(file, &[key]).unwrap_or_default().into_iter();
        texts.map(move |(text, line)| Said { text: text.to_owned(), place: Some((file, line)) })
    };
    let value = reading.context.variable_in_any_case(&variable(key)).and_then(OsStr::to_str);
    let list = value.and_then(|value| serde_json::from_str::<Vec<String>>(value).ok());
    let of_variable = list.into_iter().flatten().map(|text| Said { text, place: None });
    reading.of_role(SETTINGS).flat_map(of_file).chain(of_variable).collect()
}

/// `enabled_skills` or, where that is empty, `disabled_skills`.
fn rulings(reading: &Reading, policy: &mut Policy) {
    reading.of_role(SETTINGS).for_each(|file| faults(file, policy));
    reading.of_role(TRUST).for_each(|file| faults_of_trust(file, policy));
    let enabled = texts(reading, ENABLED);
    let all = || Target::Glob("*".to_owned());
    policy.switches.extend(enabled.first().map(|it| it.switch(ENABLED, all(), Enablement::Off)));
    let (key, said, state) = match enabled.is_empty() {
        true => (DISABLED, texts(reading, DISABLED), Enablement::Off),
        false => (ENABLED, enabled, Enablement::On),
    };
    for said in said {
        match covered(&said.text) {
            Covered::Skills(target) => policy.switches.push(said.switch(key, target, state)),
            Covered::Nothing => {}
            // What it covers is unknown: it enables no skill, and disables every one.
            Covered::Unknown => {
                if let Some((file, line)) = said.place {
                    file.report(
                        policy,
                        line,
                        format!("this expression of {key} is not understood"),
                    );
                }
                if state == Enablement::Off {
                    policy.switches.push(said.switch(key, all(), state));
                }
            }
        }
    }
}

/// Where Vibe does not start, everything is denied. An empty table counts as no list.
fn faults(file: &SettingsFile, policy: &mut Policy) {
    if matches!(file.content, Content::Read(_)) && file.mark {
        file.deny_all(policy, 1, "Mistral Vibe takes no file with a byte order mark");
    }
    for key in [FURTHER, ENABLED, DISABLED] {
        let Some(node) = file.at(&[key]) else { continue };
        let is_empty = matches!(&node.kind, Kind::Table(fields) if fields.is_empty());
        if let Err(line) = shapes::texts(file, &[key])
            && !is_empty
        {
            file.deny_all(policy, line, format!("{key} is no list of texts"));
        }
    }
}

/// A file of trusted folders that is not TOML counts as empty. Where a list in it is a number, a
/// date or a truth value, Vibe does not start.
fn faults_of_trust(file: &SettingsFile, policy: &mut Policy) {
    if let Content::Broken { line, reason, malformed: true } = &file.content {
        file.report(policy, *line, format!("{reason}: Mistral Vibe replaces it by an empty file"));
    }
    for list in TRUST_LISTS {
        if let Some(node) = file.at(&[list])
            && matches!(node.kind, Kind::Number(_) | Kind::Flag(_))
        {
            file.deny_all(policy, node.line, format!("{list} is no list"));
        }
    }
}

/// Why the last skill of `enabled_skills` cannot be turned off.
const LAST_ENABLED: &str = "an `enabled_skills` without any skill: an empty one turns all on";

/// Adds a name to a list of the file or removes it. Where `enabled_skills` has something, only that
/// list counts. If it has nothing else, it cannot disable its skill: without it all are enabled.
fn switch(reading: &Reading, wanted: &Wanted<'_>) -> Candidates {
    let file = reading.writable(wanted.layer, SETTINGS)?;
    if texts(reading, ENABLED).is_empty() {
        return Ok(shapes::switch_by_list(file, &[DISABLED], wanted, true));
    }
    let is_it = |text: &str| text.trim().eq_ignore_ascii_case(wanted.name);
    let is_last = || texts(reading, ENABLED).iter().all(|said| is_it(&said.text));
    if wanted.state == Enablement::Off && is_last() {
        return Err(Refusal::Lacks(LAST_ENABLED));
    }
    let edits = match wanted.state {
        Enablement::Off => shapes::take_out(file, &[ENABLED], &is_it),
        _ => vec![Edit::push_text(&[ENABLED], wanted.name)],
    };
    Ok(vec![Vec::new(), vec![file.edit(edits)]])
}

#[cfg(test)]
mod tests;
