//! pi: paths and globs in a list, in each file for the skills of its own scope. Checked with its
//! source (`core/package-manager.js`, `core/skills.js`) and its program.
//!
//! Not modelled: packages; `*.md` files directly in `.pi/skills`, which pi takes for skills;
//! `.gitignore` and the like, which it obeys; globs without a sign, which select among the folders
//! that the list names. There is no launch line: `pi --no-skills --skill DIR…` names what stays
//! enabled, not what is disabled.

use super::shapes::{self, SETTINGS};
use super::{
    Candidates, Context, Control, Detect, Folder, Host, MentionForm, Proof, Reading, SettingsFile,
    SettingsPath, Wanted,
};
use crate::catalog::{Enablement, HostId, Root, Scope, Skill, Walk};
use crate::policy::change::Refusal;
use crate::policy::{
    Budget, Evaluation, FolderGlob, InvocationFields, Layer, Order, Policy, Profile, Switch,
    Target, path_from,
};
use crate::settings::{Edit, Format};
use std::fs;
use std::path::{Path, PathBuf};

const HOME: Folder = Folder { variable: "PI_CODING_AGENT_DIR", default: ".pi/agent", tilde: true };

/// Folders and files to look in, and the skills in them that are disabled.
const SKILLS: &[&str] = &["skills"];

/// Any depth, but not inside skills.
const WALK: Walk = Walk { depth: 64, nested: false, ..Walk::STANDARD };

pub const PI: Host = Host {
    id: HostId("pi"),
    name: "pi",
    detect: Detect {
        programs: &["pi"],
        packages: &["@mariozechner/pi-coding-agent"],
        folders: &[HOME],
        ..Detect::NEVER
    },
    proof: Proof::Program("0.73.1"),
    settings_paths,
    roots,
    budget: |_, _| Budget::Whole,
    evaluation: Evaluation {
        switches: Order::LastMatch,
        reads: InvocationFields { model: true, user: false, implicit: false },
        profile: Profile {
            refuses: &["file-case", "bom", "yaml-repaired", "yaml:duplicate-key"],
            takes: &[],
        },
        ..Evaluation::HOST
    },
    rulings,
    control: Control {
        layers: &[Layer::User, Layer::Project],
        states: Control::ON_OFF,
        switch: Some(switch),
        ..Control::NONE
    },
    mention: MentionForm::Start("/skill:"),
    prompt: super::PromptArgument::Plain(&['-', '@']),
    probe: Some(&super::probe::PI),
    ..Host::PLAIN
};

fn settings_paths(context: &Context) -> Vec<SettingsPath> {
    let own = context
        .folder(HOME)
        .map(|home| shapes::file(home.join("settings.json"), Layer::User, Format::Json));
    let project = shapes::file(context.cwd.join(".pi/settings.json"), Layer::Project, Format::Json);
    let project = SettingsPath { remark: shapes::only_here(context, "pi"), ..project };
    own.into_iter().chain([project]).collect()
}

/// The scope of the skills that a file governs.
fn scope(layer: Layer) -> Scope {
    if layer == Layer::Project { Scope::Repo } else { Scope::User }
}

/// The folders that the working directory's settings name, its `.pi`, each `.agents` up the tree;
/// then the folders that the person's settings name, and the person's two.
fn roots(reading: &Reading) -> Vec<Root> {
    let context = &reading.context;
    let root = |path, scope| Root::new(path, scope, PI.id, WALK);
    let own = context.home.as_ref().map(|home| home.join(".agents/skills"));
    let named = |layer: Layer| {
        let files = reading.files.iter().filter(move |file| file.location.layer == layer);
        files.flat_map(move |file| {
            let texts = shapes::texts(file, SKILLS).unwrap_or_default().into_iter();
            let plain =
                |text: &&str| !text.starts_with(['!', '+', '-']) && !text.contains(['*', '?']);
            let paths = texts.map(|(text, _)| text).filter(plain);
            paths
                .filter_map(|text| context.path(text, base(file)))
                .map(move |path| root(path, scope(layer)).named())
        })
    };
    let mut roots: Vec<Root> = named(Layer::Project).collect();
    let above = shapes::upwards(context).into_iter().map(|folder| folder.join(".agents/skills"));
    let above = above.filter(|path| own.as_ref() != Some(path));
    let here = [context.cwd.join(".pi/skills")].into_iter().chain(above);
    roots.extend(here.map(|path| root(path, Scope::Repo)));
    roots.extend(named(Layer::User));
    let home = context.folder(HOME).map(|home| home.join("skills"));
    roots.extend(home.into_iter().chain(own).map(|path| root(path, Scope::User)));
    shapes::once(roots)
}

/// Relative paths begin at the file's own folder.
fn base(file: &SettingsFile) -> &Path {
    file.location.path.parent().unwrap_or(&file.location.path)
}

/// `-` beats `+` beats `!`, in any order. If the list has something else than texts, pi stops, so
/// everything is denied.
fn rulings(reading: &Reading, policy: &mut Policy) {
    for file in &reading.files {
        let texts = shapes::texts_or_deny(policy, file, SKILLS);
        for sign in ['!', '+', '-'] {
            for (text, line) in texts.iter().copied() {
                let Some(rest) = text.strip_prefix(sign) else { continue };
                let state = Enablement::from(sign == '+');
                let origin = file.origin(line, format_args!("skills \"{text}\""));
                let (layer, within) = (file.location.layer, Some(scope(file.location.layer)));
                let switch = |target, origin| Switch { target, within, state, origin, layer };
                if sign != '!' {
                    policy.switches.extend(exact(file, rest).map(|target| switch(target, origin)));
                } else if let Some(glob) = FolderGlob::read(base(file), rest) {
                    policy.switches.push(switch(Target::Folder(glob), origin));
                } else {
                    // What it excludes is unknown, so all skills of this scope are disabled.
                    let alarm = file.unreadable(line, text);
                    policy.switches.push(switch(Target::Glob("*".to_owned()), alarm));
                    let message = "this glob is not understood, so it switches off every skill";
                    file.report(policy, line, message);
                }
            }
        }
    }
}

/// The skill that `-path` or `+path` names: the exact relative path from the settings' folder to
/// the skill's folder or `SKILL.md`, or the absolute path of one. Any other spelling matches
/// nothing.
fn exact(file: &SettingsFile, text: &str) -> Option<Target> {
    let text = text.strip_prefix("./").unwrap_or(text);
    let base = base(file);
    let path =
        if Path::new(text).is_absolute() { PathBuf::from(text) } else { straight(base, text)? };
    let spelt = if Path::new(text).is_absolute() { whole(&path) } else { path_from(base, &path) };
    if spelt.as_deref() != Some(text) {
        return None;
    }
    let skill = if path.ends_with("SKILL.md") { path } else { path.join("SKILL.md") };
    Some(Target::Path(fs::canonicalize(&skill).unwrap_or(skill)))
}

fn whole(path: &Path) -> Option<String> {
    let straight: PathBuf = path.components().collect();
    straight.to_str().filter(|text| !text.split('/').any(|part| part == "..")).map(str::to_owned)
}

/// `text` below `base`, with each `..` resolved in the text.
fn straight(base: &Path, text: &str) -> Option<PathBuf> {
    let mut path = base.to_owned();
    for part in text.split('/') {
        match part {
            ".." => {
                path.pop();
            }
            "" | "." => return None,
            name => path.push(name),
        }
    }
    Some(path)
}

/// Adds a path to the file of the skill's own scope or removes it.
fn switch(reading: &Reading, wanted: &Wanted<'_>) -> Candidates {
    if scope(wanted.layer) != wanted.skill.scope {
        return Err(Refusal::Ignored {
            layer: wanted.layer,
            why: "each file governs the skills of its own scope",
        });
    }
    let file = reading.writable(wanted.layer, SETTINGS)?;
    let text = spelling(file, wanted.skill).ok_or(Refusal::Path)?;
    let names = |sign: char| {
        move |entry: &str| {
            let named = entry.strip_prefix(sign).and_then(|rest| exact(file, rest));
            named == Some(Target::Path(wanted.skill.path.clone()))
        }
    };
    let take_out = |sign: char| shapes::take_out(file, SKILLS, &names(sign));
    let with = |mut edits: Vec<Edit>, sign: char| {
        edits.push(Edit::push_text(SKILLS, &format!("{sign}{text}")));
        vec![file.edit(edits)]
    };
    Ok(match wanted.state {
        Enablement::Off => {
            vec![Vec::new(), vec![file.edit(take_out('+'))], with(take_out('+'), '-')]
        }
        _ => vec![Vec::new(), vec![file.edit(take_out('-'))], with(take_out('-'), '+')],
    })
}

/// How the file names the skill: the path to its folder, with links not followed.
fn spelling(file: &SettingsFile, skill: &Skill) -> Option<String> {
    path_from(base(file), skill.location())
}

#[cfg(test)]
mod tests;
