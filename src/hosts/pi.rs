//! pi: paths and globs in a list, in each file for the skills of its own scope. Checked with its
//! source (`core/package-manager.js`, `core/skills.js`) and its program.
//!
//! Markdown files that lie directly in its own folders, and in those that settings or packages
//! name, are skills too, and so are those that are named themselves; not in `.agents/skills`.
//!
//! Not modelled: globs without a sign, which select among the folders that the list names. There is
//! no launch line: `pi --no-skills --skill DIR…` names what stays enabled, not what is disabled.

mod head;
mod packages;

use super::shapes::{self, SETTINGS};
use super::{
    Candidates, Content, Context, Control, Detect, Folder, Host, MentionForm, Proof, Reading,
    SettingsFile, SettingsPath, Wanted,
};
use crate::catalog::{Enablement, HostId, Root, Scope, SingleFiles, Skill, Walk};
use crate::catalog::{plain_path, validate::FILE_NAME};
use crate::policy::change::Refusal;
use crate::policy::{
    Budget, Evaluation, FolderGlob, InvocationFields, Layer, Order, Policy, Profile, Switch,
    Target, Within, path_from,
};
use crate::settings::{Edit, Format, Kind};
use std::path::{Path, PathBuf};

const HOME: Folder = Folder { variable: "PI_CODING_AGENT_DIR", default: ".pi/agent", tilde: true };

/// Folders and files to look in, and the skills in them that are disabled.
const SKILLS: &[&str] = &["skills"];

/// Any depth, but not inside skills.
const WALK: Walk = Walk {
    depth: 64,
    nested: false,
    ignores: true,
    single_files: SingleFiles::Skills,
    ..Walk::STANDARD
};

/// The folders that it has in common with others.
const SHARED: Walk = Walk { single_files: SingleFiles::PassedOver, ..WALK };

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
        off_leaves_name: true,
        reads: InvocationFields { model: true, ..InvocationFields::NONE },
        head: Some(&head::READER),
        profile: Profile {
            refuses: &["file-case", "path-encoding", "bom", "yaml-repaired", "yaml:duplicate-key"],
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
    line: super::LineOptions {
        switches: &[
            "-c",
            "--continue",
            "--no-session",
            "-p",
            "--print",
            "-r",
            "--resume",
            "--verbose",
        ],
        prompts: &[],
    },
    probe: Some(&super::probe::PI),
    ..Host::PLAIN
};

fn settings_paths(context: &Context) -> Vec<SettingsPath> {
    let file = |path: PathBuf, layer| SettingsPath {
        ignored: shapes::marked(&path),
        ..shapes::file(path, layer, Format::Json)
    };
    let own = context.folder(HOME).map(|home| file(home.join("settings.json"), Layer::User));
    let project = file(context.cwd.join(".pi/settings.json"), Layer::Project);
    let project = SettingsPath { remark: shapes::only_here(context, "pi"), ..project };
    let settings: Vec<SettingsPath> = own.into_iter().chain([project]).collect();
    let packages = packages::files(context, &settings);
    settings.into_iter().chain(packages).collect()
}

/// What a file says of skills: the list, or in an older form the folders in a table. Error: the
/// line of something of which pi makes neither, so that it stops.
fn entries(file: &SettingsFile) -> Result<Vec<(&str, u32)>, u32> {
    match file.at(SKILLS).map(|node| &node.kind) {
        Some(Kind::Table(_)) => {
            let folders = ["skills", "customDirectories"];
            let is_list = file.at(&folders).is_some_and(|node| matches!(node.kind, Kind::List(_)));
            if is_list { shapes::texts(file, &folders) } else { Ok(Vec::new()) }
        }
        _ => shapes::texts(file, SKILLS),
    }
}

/// The scope of the skills that a file governs.
fn scope(layer: Layer) -> Scope {
    if layer == Layer::Project { Scope::Repo } else { Scope::User }
}

/// The folders that the working directory's settings name, its `.pi`, each `.agents` up the tree;
/// then the folders that the person's settings name, and the person's two; the packages'.
fn roots(reading: &Reading) -> Vec<Root> {
    let context = &reading.context;
    let root = |path, scope, walk| Root::new(path, scope, PI.id, walk);
    let own = context.home.as_ref().map(|home| home.join(".agents/skills"));
    let named = |layer: Layer| {
        let files = reading.of_role(SETTINGS).filter(move |file| file.location.layer == layer);
        files.flat_map(move |file| {
            let texts = entries(file).unwrap_or_default().into_iter().map(|(text, _)| text);
            let plain =
                |text: &&str| !text.starts_with(['!', '+', '-']) && !text.contains(['*', '?']);
            let paths = texts.filter(plain).filter_map(|text| place(context, base(file), text));
            paths.map(move |path| root_at(path, scope(layer)).named())
        })
    };
    let mut roots: Vec<Root> = named(Layer::Project).collect();
    let above = shapes::upwards(context).into_iter().map(|folder| folder.join(".agents/skills"));
    let above = above.filter(|path| own.as_ref() != Some(path));
    roots.push(root(context.cwd.join(".pi/skills"), Scope::Repo, WALK));
    roots.extend(above.map(|path| root(path, Scope::Repo, SHARED)));
    roots.extend(named(Layer::User));
    let home = context.folder(HOME).map(|home| home.join("skills"));
    roots.extend(home.map(|path| root(path, Scope::User, WALK)));
    roots.extend(own.map(|path| root(path, Scope::User, SHARED)));
    roots.extend(packages::roots(reading));
    shapes::once(roots)
}

/// Where an entry leads: `~` is the home directory, even without a `/` after it.
fn place(context: &Context, base: &Path, text: &str) -> Option<PathBuf> {
    let text = text.trim();
    let path = match text.strip_prefix('~') {
        Some(below) => context.home.as_ref()?.join(below.trim_start_matches('/')),
        None => base.join(text),
    };
    Some(plain_path(&path))
}

/// A folder of skills, or the one skill whose file is named: by its folder if it is a `SKILL.md`.
fn root_at(path: PathBuf, scope: Scope) -> Root {
    let is_file = path.is_file();
    let folder = path.parent().filter(|_| is_file && path.ends_with(FILE_NAME));
    let folder = folder.map(Path::to_owned);
    let depth = if is_file { 0 } else { WALK.depth };
    Root::new(folder.unwrap_or(path), scope, PI.id, Walk { depth, ..WALK })
}

/// Relative paths begin at the file's own folder.
fn base(file: &SettingsFile) -> &Path {
    file.location.path.parent().unwrap_or(&file.location.path)
}

/// pi passes over a file that is no JSON object. `-` beats `+` beats `!`, in any order. If the list
/// has something else than texts, pi stops, so everything is denied.
fn rulings(reading: &Reading, policy: &mut Policy) {
    for file in reading.of_role(SETTINGS) {
        if let Content::Broken { line, reason, .. } = &file.content
            && !shapes::json(&file.location.path).is_some_and(|json| json.is_object())
        {
            file.report(policy, *line, format!("{reason}: pi ignores the whole file"));
        }
        let texts = entries(file).unwrap_or_else(|line| {
            file.deny_all(policy, line, "skills is no list of texts");
            Vec::new()
        });
        for sign in ['!', '+', '-'] {
            for (text, line) in texts.iter().copied() {
                let Some(rest) = text.strip_prefix(sign) else { continue };
                let state = Enablement::from(sign == '+');
                let origin = file.origin(line, format_args!("skills \"{text}\""));
                let layer = file.location.layer;
                let within = Some(Within::Scope(scope(layer)));
                let switch = |target, origin| Switch {
                    target,
                    within: within.clone(),
                    state,
                    origin,
                    layer,
                };
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
    packages::rulings(reading, policy);
}

/// The skill that `-path` or `+path` names: the exact relative path from the settings' folder to
/// the skill's folder or `SKILL.md`, or the absolute path of one. Any other spelling matches
/// nothing. It is compared with the place where pi finds the skill first, links not followed.
fn exact(file: &SettingsFile, text: &str) -> Option<Target> {
    exact_from(base(file), text)
}

/// The same, from this folder.
fn exact_from(base: &Path, text: &str) -> Option<Target> {
    let text = text.strip_prefix("./").unwrap_or(text);
    let path =
        if Path::new(text).is_absolute() { PathBuf::from(text) } else { straight(base, text)? };
    let spelt = if Path::new(text).is_absolute() { whole(&path) } else { path_from(base, &path) };
    if spelt.as_deref() != Some(text) {
        return None;
    }
    let folder = path.parent().filter(|_| path.ends_with(FILE_NAME)).map(Path::to_owned);
    Some(Target::Place(folder.unwrap_or(path)))
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
    if wanted.skill.root.plugin.is_some() {
        let candidates = packages::candidates(reading, file, wanted.skill, wanted.state);
        return candidates.ok_or(Refusal::Path);
    }
    let text = spelling(file, wanted.skill).ok_or(Refusal::Path)?;
    let names = |sign: char| {
        move |entry: &str| {
            let named = entry.strip_prefix(sign).and_then(|rest| exact(file, rest));
            named == Some(Target::Place(wanted.skill.location().to_owned()))
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
