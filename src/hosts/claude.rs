//! Claude Code. Checked with its program: the list of `claude -p`, and a stand-in for the model
//! that calls its `Skill` tool.
//!
//! A skill has its folder's name. Its state is in `skillOverrides`, where the highest file wins.
//! `permissions` governs only the model's loading: deny beats ask beats allow, in whatever file a
//! rule is.

mod budget;
mod forms;
pub(super) mod head;
mod managed;
mod modes;
mod plugins;
mod rules;

use super::{
    Candidates, Content, Context, Control, Detect, Duplicates, FileEdit, Folder, Host, Proof,
    Reading, SettingsFile, SettingsPath, TakesEffect, Wanted, shapes,
};
use crate::catalog::{Enablement, Hidden, HostId, Root, Scope, SingleFiles, Walk};
use crate::files::git::main_tree;
use crate::policy::change::Refusal;
use crate::policy::{
    Denied, Evaluation, Identity, InvocationFields, Layer, Order, PatternKind, Policy, Profile,
    RuleForms, Ruling, Target,
};
use crate::settings::{Edit, Format, Kind, Reader};
use std::path::{Path, PathBuf};

const HOME: Folder = Folder { variable: "CLAUDE_CONFIG_DIR", default: ".claude", tilde: false };

/// The person's folder. Unlike others, Claude Code takes a variable with nothing in it for the
/// working directory.
fn home(context: &Context) -> Option<PathBuf> {
    match context.environment.get(HOME.variable).is_some_and(|said| said.is_empty()) {
        true => Some(context.cwd.clone()),
        false => context.folder(HOME),
    }
}

const FOLDER: &str = ".claude";

const SETTINGS: &str = "settings";

const OVERRIDES: &str = "skillOverrides";

/// Immediate children, hidden ones too.
const WALK: Walk = Walk {
    depth: 1,
    itself: false,
    hidden: Hidden::Entered,
    modules: true,
    nested: false,
    links: true,
    linked_file: true,
    ignores: false,
    single_files: SingleFiles::PassedOver,
};

pub const CLAUDE: Host =
    Host { older: &[("2.1.330", &OLDER)], settings_paths, duplicates: Duplicates::First, ..OLDER };

/// Version 2.1.197: two skills with one name are both listed, and the repository's local file
/// counts only at its root.
const OLDER: Host = Host {
    id: HostId("claude"),
    name: "Claude Code",
    detect: Detect {
        programs: &["claude"],
        packages: &["@anthropic-ai/claude-code"],
        folders: &[HOME],
        inside: &["CLAUDECODE"],
        ..Detect::NEVER
    },
    proof: Proof::Program("2.1.332"),
    settings_paths: |context| stores_with(context, Vec::new()),
    roots,
    duplicates: Duplicates::Ambiguous,
    evaluation: EVALUATION,
    rulings,
    control: Control {
        layers: &[Layer::Local, Layer::User, Layer::Project],
        states: &Enablement::ALL,
        switch: Some(switch),
        rules: Some(rules::plan),
        launch: Some(launch_line),
        ..Control::NONE
    },
    budget: budget::budget,
    takes_effect: TakesEffect::Now,
    prompt: super::PromptArgument::Last,
    line: super::LineOptions {
        switches: &[
            "-p",
            "--print",
            "-c",
            "--continue",
            "--dangerously-skip-permissions",
            "--allow-dangerously-skip-permissions",
            "--fork-session",
            "--ide",
            "--strict-mcp-config",
            "--verbose",
        ],
        prompts: &[],
    },
    probe: Some(&super::probe::CLAUDE),
    ..Host::PLAIN
};

/// It accepts any text that is called `SKILL.md`. Without a description it takes the first
/// paragraph.
const TAKES: &[&str] = &[
    "file-empty",
    "no-frontmatter",
    "unclosed",
    "not-mapping",
    "yaml:syntax",
    "desc-missing",
    "desc-empty",
];

/// It can ask about the whole tool only, and deny by a glob.
const FORMS: RuleForms = RuleForms {
    ask: &[PatternKind::Any],
    deny: &[PatternKind::Any, PatternKind::Exact, PatternKind::Prefix, PatternKind::Glob],
    ..RuleForms::STANDARD
};

const EVALUATION: Evaluation = Evaluation {
    rules: Order::Strictest,
    identity: Identity::Directory,
    denied: Denied::Listed,
    reads: InvocationFields { model: true, user: true, ..InvocationFields::NONE },
    asks_for_tools: true,
    profile: Profile { refuses: &["file-case", "path-encoding", "directory-name"], takes: TAKES },
    reserved: &["synced", "anthropic-skills"],
    most_bytes: 1_000_000,
    head: Some(&head::READER),
    calls: Some(&head::CALLS),
    forms: FORMS,
    ..Evaluation::HOST
};

/// Lower layers first. The project's file is the working directory's. The local one is that of the
/// repository's main working tree, and below it the working directory's.
fn settings_paths(context: &Context) -> Vec<SettingsPath> {
    let is_home = |folder: &PathBuf| context.home.as_ref() == Some(folder);
    let top = repository(context).map(|top| main_tree(&top).unwrap_or(top));
    stores_with(context, top.filter(|top| !is_home(top)).into_iter().collect())
}

/// The root of the repository around the working directory.
fn repository(context: &Context) -> Option<PathBuf> {
    folders(context).pop().filter(|top| top.join(".git").exists())
}

fn stores_with(context: &Context, also_local: Vec<PathBuf>) -> Vec<SettingsPath> {
    // Windows PowerShell writes UTF-16.
    let location = |path, layer| SettingsPath {
        reader: Reader::JavaScriptOrUtf16,
        ..shapes::file(path, layer, Format::Json)
    };
    let nowhere_else =
        |location| SettingsPath { remark: shapes::only_here(context, "Claude Code"), ..location };
    let here = context.cwd.join(FOLDER);
    let own = home(context).map(|folder| location(folder.join("settings.json"), Layer::User));
    let mut settings_paths: Vec<SettingsPath> = own.into_iter().collect();
    let local = |folder: PathBuf| location(folder.join("settings.local.json"), Layer::Local);
    let project = location(here.join("settings.json"), Layer::Project);
    let further = [project, local(here)].map(nowhere_else).into_iter();
    let further = further.chain(also_local.into_iter().map(|top| local(top.join(FOLDER))));
    let managed = managed::files(Path::new(managed::FOLDER)).into_iter();
    for location in further.chain(managed.map(|path| location(path, Layer::Managed))) {
        if settings_paths.iter().all(|other| other.path != location.path) {
            settings_paths.push(location);
        }
    }
    settings_paths.extend(plugins::files(context));
    settings_paths
}

/// The administrator's; the person's; then from the working directory up to the repository's root,
/// nearest first, without a repository up to the home directory; those of the plugins.
fn roots(reading: &Reading) -> Vec<Root> {
    let context = &*reading.context;
    let (simple, locked) = (modes::closed(reading), managed::Locked::of(reading).skills());
    let closed = simple.or(locked);
    let root = |folder: PathBuf, scope| Root {
        closed,
        ..Root::new(folder.join("skills"), scope, CLAUDE.id, WALK)
    };
    let managed = root(Path::new(managed::FOLDER).join(FOLDER), Scope::System);
    let managed = Root { closed: simple, ..managed };
    let own = home(context).map(|folder| root(folder, Scope::User));
    let chain = folders(context).into_iter().map(|folder| root(folder.join(FOLDER), Scope::Repo));
    let folders = [managed].into_iter().chain(own).chain(chain);
    // A linked working tree without a folder of its own has that of the main one.
    let bare = repository(context).filter(|top| !top.join(FOLDER).join("skills").exists());
    let main = bare.and_then(|top| main_tree(&top));
    let main = main.map(|top| root(top.join(FOLDER), Scope::Repo));
    shapes::once(folders.chain(main).chain(plugins::roots(reading)))
}

/// From the working directory up to the one with `.git`; without one, up to the home directory,
/// which is left out.
fn folders(context: &Context) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for folder in context.cwd.ancestors() {
        if context.home.as_deref() == Some(folder) {
            break;
        }
        folders.push(folder.to_owned());
        if folder.join(".git").exists() {
            break;
        }
    }
    folders
}

fn word(state: Enablement) -> &'static str {
    match state {
        Enablement::On => "on",
        Enablement::NameOnly => "name-only",
        Enablement::UserOnly => "user-invocable-only",
        Enablement::Off => "off",
    }
}

/// The line and reason if Claude Code cannot read a file. It ignores the whole file then.
fn fault(file: &SettingsFile) -> Option<(u32, String)> {
    let ignored = |what: String| format!("{what}: Claude Code ignores the whole file");
    if let Some((line, reason)) = file.content.fault() {
        return Some((line, ignored(reason.to_owned())));
    }
    let overrides = file.at(&[OVERRIDES]).and_then(|overrides| {
        if !matches!(overrides.kind, Kind::Table(_)) {
            return Some((overrides.line, "`skillOverrides` is not an object".to_owned()));
        }
        let known = |text: &str| Enablement::ALL.into_iter().any(|state| word(state) == text);
        let odd = overrides.fields().iter().find(|field| !field.node.text().is_some_and(known))?;
        let words = "a value of `skillOverrides` is not on, name-only, user-invocable-only or off";
        Some((odd.line, words.to_owned()))
    });
    let rules = || rules::odd(file).map(|line| (line, "`permissions` cannot be read".to_owned()));
    let found = overrides.or_else(rules).or_else(|| forms::odd(file));
    found.map(|(line, what)| (line, ignored(what)))
}

/// The settings files that it does not ignore, lower layers first.
fn sound(reading: &Reading) -> Vec<&SettingsFile> {
    reading.of_role(SETTINGS).filter(|file| fault(file).is_none()).collect()
}

/// A file that it ignores has no effect, and that is reported. If Claude Code may read more of a
/// file than we do, or if the file is an administrator's, everything is denied instead.
fn rulings(reading: &Reading, policy: &mut Policy) {
    if let Some(origin) = modes::all_off(reading) {
        policy.skills_enabled = Ruling::new(false, origin);
    }
    let rules_alone = managed::rules_alone(reading);
    for file in reading.of_role(SETTINGS) {
        if let Some((line, why)) = fault(file) {
            let doubtful = matches!(file.content, Content::Broken { malformed: false, .. });
            if doubtful || file.location.layer == Layer::Managed {
                file.deny_all(policy, line, why);
            } else {
                file.report(policy, line, why);
            }
            continue;
        }
        let overrides = file.at(&[OVERRIDES]).map(|node| node.fields()).unwrap_or_default();
        // A name with blanks around it is another name, which no skill has.
        for field in overrides.iter().filter(|field| field.key.trim() == field.key) {
            let said = field.node.text().unwrap_or_default();
            let Some(state) = Enablement::ALL.into_iter().find(|state| word(*state) == said) else {
                continue;
            };
            let text = format_args!("{OVERRIDES} \"{}\": \"{said}\"", field.key);
            let target = Target::Name(field.key.clone());
            policy.switches.push(file.switch(target, state, field.line, text));
        }
        if !rules_alone || file.location.layer == Layer::Managed {
            rules::read(file, policy);
        }
    }
    plugins::rulings(reading, policy);
}

/// The file of a layer for an edit. Claude Code must be able to read it.
fn writable(reading: &Reading, layer: Layer) -> Result<&SettingsFile, Refusal> {
    if layer == Layer::Managed {
        return Err(Refusal::NoPlace(layer));
    }
    let file = reading.writable(layer, SETTINGS)?;
    match fault(file) {
        Some((line, why)) => Err(file.stopped(line, why)),
        None => Ok(file),
    }
}

/// First removes the key; if a lower file has another state, or none has the wanted one, writes it.
fn switch(reading: &Reading, wanted: &Wanted<'_>) -> Candidates {
    let file = writable(reading, wanted.layer)?;
    if let Some(plugin) = &wanted.skill.root.plugin {
        if !Control::ON_OFF.contains(&wanted.state) {
            return Err(Refusal::Lacks("states but on and off for the skills of a plugin"));
        }
        return Ok(plugins::candidates(reading, file, plugin, wanted.state));
    }
    let remove = Edit::remove(&[OVERRIDES], wanted.name);
    let set = Edit::set(&[OVERRIDES], wanted.name, word(wanted.state));
    // The working directory's local file may have the key too.
    let same = reading.of_role(SETTINGS).filter(|file| file.location.layer == wanted.layer);
    let saying = same.filter(|file| file.at(&[OVERRIDES, wanted.name]).is_some());
    let everywhere: Vec<FileEdit> = saying.map(|file| file.edit(vec![remove.clone()])).collect();
    Ok(vec![Vec::new(), vec![file.edit(vec![remove])], everywhere, vec![file.edit(vec![set])]])
}

/// `claude --settings '{"skillOverrides":{"noisy":"off"}}'`, which only the administrator's file
/// overrides. Nothing, if one is a plugin's skill.
fn launch_line(reading: &Reading, names: &[&str]) -> Option<String> {
    if names.iter().any(|name| plugins::has(reading, name)) {
        return None;
    }
    let entries: Vec<String> =
        names.iter().map(|name| format!("{}:\"off\"", shapes::json_text(name))).collect();
    let settings = format!("{{\"{OVERRIDES}\":{{{}}}}}", entries.join(","));
    Some(format!("claude --settings {}", shapes::shell_word(&settings)?))
}

#[cfg(test)]
mod tests;
