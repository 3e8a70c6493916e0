//! Qwen Code: lists of disabled names, joined over its settings files, and a list of names that are
//! enabled again. Checked with its source (`cli/config/skill-settings.ts`,
//! `core/skills/skill-manager.ts`) and its program.
//!
//! Not modelled: `paths:`, which hides a skill from the model until
//! a file is touched; its permissions; `$VARIABLE` in its settings; `.env` files.

mod called;
mod extensions;
mod head;
mod merged;
mod simple;
mod trust;

use super::javascript::trim;
use super::shapes::{self, SETTINGS, TRUST};
use super::{
    Candidates, Content, Context, Control, Detect, Folder, Host, Proof, Reading, SettingsPath,
    Wanted, built_in,
};
use crate::catalog::{Enablement, Hidden, HostId, Root, Scope, Walk};
use crate::policy::{
    Budget, Evaluation, Fold, InvocationFields, Layer, Order, Policy, Profile, Switch, Target,
};
use crate::settings::{Edit, Format, NOT_A_TABLE};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const HOME: Folder = Folder { variable: "QWEN_HOME", default: ".qwen", tilde: true };

/// The disabled names.
const DISABLED: &[&str] = &["skills", "disabled"];

/// The names that are disabled unless the list of enabled names has them.
const DEFAULT_DISABLED: &[&str] = &["skills", "defaultDisabled"];

/// Of its settings, in a key of their own.
const SETTINGS_VERSION: i64 = 4;

/// The enabled names.
const ENABLED: &[&str] = &["skills", "enabled"];

/// Immediate children, hidden ones too.
const WALK: Walk =
    Walk { depth: 1, itself: false, hidden: Hidden::Entered, modules: true, ..Walk::STANDARD };

pub const QWEN: Host = Host {
    proof: Proof::Program("0.24.4"),
    older: &[("0.15.11", &OLDER)],
    rulings,
    control: Control {
        layers: &[Layer::User, Layer::Project],
        states: Control::ON_OFF,
        switch: Some(switch),
        because: "Qwen Code joins the lists of all its settings files",
        ..Control::NONE
    },
    ..OLDER
};

/// Up to 0.15.10 its settings had nothing about skills. In which version that began was not
/// examined.
const OLDER: Host = Host {
    id: HostId("qwen"),
    name: "Qwen Code",
    detect: Detect {
        programs: &["qwen"],
        packages: &["@qwen-code/qwen-code"],
        folders: &[HOME],
        inside: &["QWEN_CODE"],
        ..Detect::NEVER
    },
    proof: Proof::Program("0.15.10"),
    settings_paths,
    roots,
    budget: |_, _| Budget::Whole,
    evaluation: Evaluation {
        switches: Order::Strictest,
        fold: Fold::Switches,
        reads: InvocationFields { model: true, user: true, ..InvocationFields::NONE },
        head: Some(&head::READER),
        calls: Some(&head::CALLS),
        profile: Profile {
            refuses: &["file-case", "path-encoding", "name-missing", "name-empty"],
            takes: &[],
        },
        ..Evaluation::HOST
    },
    prompt: super::PromptArgument::Option("--prompt-interactive"),
    line: super::LineOptions {
        switches: &["-c", "--continue", "-d", "--debug", "-s", "--sandbox", "-y", "--yolo"],
        prompts: &["-i", "--prompt-interactive", "-p", "--prompt"],
    },
    probe: Some(&super::probe::QWEN),
    ..Host::PLAIN
};

const SYSTEM: &str = if cfg!(target_os = "macos") {
    "/Library/Application Support/QwenCode"
} else {
    "/etc/qwen-code"
};

/// The machine's defaults, the person's settings, the working directory's, the machine's settings;
/// trusted folders, which it reads only if folders must be trusted.
fn settings_paths(context: &Context) -> Vec<SettingsPath> {
    // It writes its version into a file that has none.
    let file = |path, layer| SettingsPath {
        fresh: vec![Edit::set(&[], "$version", SETTINGS_VERSION)],
        ..shapes::file(path, layer, Format::JsonComments)
    };
    let system = |variable: &str, name: &str| {
        let named = context.variable(variable).map(PathBuf::from);
        file(named.unwrap_or_else(|| Path::new(SYSTEM).join(name)), Layer::Managed)
    };
    let mut settings_paths = vec![system("QWEN_CODE_SYSTEM_DEFAULTS_PATH", "system-defaults.json")];
    settings_paths
        .extend(context.folder(HOME).map(|home| file(home.join("settings.json"), Layer::User)));
    let machine = system("QWEN_CODE_SYSTEM_SETTINGS_PATH", "settings.json");
    let outside = [settings_paths.as_slice(), std::slice::from_ref(&machine)].concat();
    let must_be_trusted = shapes::trust_switch(&outside) == Some(true);
    let trusted = !must_be_trusted || trust::is_trusted(context, trust_file(context));
    if context.home.as_ref() != Some(&context.cwd) {
        settings_paths.push(SettingsPath {
            ignored: (!trusted).then_some(shapes::UNTRUSTED),
            remark: shapes::only_here(context, "Qwen Code"),
            ..file(context.cwd.join(".qwen/settings.json"), Layer::Project)
        });
    }
    settings_paths.push(machine);
    settings_paths.extend(trust_file(context).map(|path| SettingsPath {
        role: TRUST,
        ignored: (!must_be_trusted).then_some("folders need not be trusted"),
        fresh: Vec::new(),
        ..file(path, Layer::User)
    }));
    settings_paths.extend(extensions::files(context));
    settings_paths
}

fn trust_file(context: &Context) -> Option<PathBuf> {
    let named = context.variable("QWEN_CODE_TRUSTED_FOLDERS_PATH").map(PathBuf::from);
    named.or_else(|| Some(context.folder(HOME)?.join("trustedFolders.json")))
}

/// The working directory's, then the person's, then those of `skills.directories`, the extensions',
/// and its own (`bundled` in its package), without the levels in `skills.disabledLevels`. In safe
/// mode it has its own alone, whatever the settings say.
fn roots(reading: &Reading) -> Vec<Root> {
    let context = &reading.context;
    let root = |path, scope| Root::new(path, scope, QWEN.id, WALK);
    let mut roots = Vec::new();
    let named = |key: &str| {
        merged::texts(reading, key).into_iter().map(|(_, text, _)| text).collect::<Vec<_>>()
    };
    let is_safe = called::is_safe(reading);
    let levels = if is_safe { Vec::new() } else { named("disabledLevels") };
    if context.home.as_ref() != Some(&context.cwd) && !levels.contains(&"project") {
        let folders = [".qwen/skills", ".agents/skills"].map(|folder| context.cwd.join(folder));
        roots.extend(folders.map(|path| root(path, Scope::Repo)));
    }
    if !levels.contains(&"user") {
        let standard = context.home.as_ref().map(|home| home.join(".agents/skills"));
        let further =
            named("directories").into_iter().filter_map(|text| context.path(text, &context.cwd));
        let own = context.folder(HOME).map(|home| home.join("skills")).into_iter();
        let all = own.chain(standard).chain(further);
        roots.extend(all.map(|path| root(path, Scope::User)));
    }
    if !levels.contains(&"extension") {
        roots.extend(extensions::roots(reading));
    }
    if is_safe {
        let why = Some("Qwen Code is in safe mode (QWEN_CODE_SAFE_MODE)");
        roots.iter_mut().for_each(|root: &mut Root| root.closed = why);
    }
    if !levels.contains(&"bundled") {
        roots.extend(built_in::beside_program(&QWEN, context, "bundled", WALK));
    }
    shapes::once(roots)
}

/// `disabled` > `enabled` > `defaultDisabled`, each list joined over all files. Qwen Code skips
/// entries that are no text; that is reported.
fn rulings(reading: &Reading, policy: &mut Policy) {
    let enabled: BTreeSet<String> =
        merged::texts(reading, "enabled").into_iter().map(|(_, name, _)| fold(name)).collect();
    called::rulings(reading, policy);
    let prefixes = extensions::prefixes(reading);
    let lists: &[_] = if called::is_safe(reading) { &[] } else { &[DISABLED, DEFAULT_DISABLED] };
    for path in lists.iter().copied() {
        for (file, name, line) in merged::texts(reading, path[1]) {
            let name = trim(name);
            let is_off = path == DISABLED || !enabled.contains(&fold(name));
            if is_off && !name.is_empty() {
                policy.switches.push(shapes::off(file, path, name, line));
                let full = prefixes.iter().map(|prefix| Target::Name(format!("{prefix}{name}")));
                let off = |target| Switch { target, ..shapes::off(file, path, name, line) };
                policy.switches.extend(full.map(off));
            }
        }
        for file in reading.of_role(SETTINGS) {
            if let Err(line) = shapes::texts(file, path) {
                file.report(policy, line, format!("{} is no list of texts", path.join(".")));
            }
        }
    }
    extensions::rulings(reading, &enabled, policy);
    let settings = reading.files.iter().filter(|file| file.location.role != shapes::PLUGINS);
    for file in settings.filter(|file| file.location.ignored.is_none()) {
        match file.content.fault() {
            // It sets such a file of a project aside, and starts with an empty one.
            Some((line, reason))
                if file.location.layer == Layer::Project && reason != NOT_A_TABLE =>
            {
                let said = format!("{reason}: Qwen Code sets it aside and ignores the whole file");
                file.report(policy, line, said);
            }
            None if file.location.layer != Layer::Project
                && matches!(file.content, Content::Read(_))
                && file.blank =>
            {
                file.deny_all(policy, 1, "Qwen Code takes no empty file");
            }
            _ => {}
        }
    }
}

fn fold(name: &str) -> String {
    trim(name).to_lowercase()
}

/// Adds a name to the file or removes it. A skill that is disabled by default is enabled by name,
/// as the other list spells it.
fn switch(reading: &Reading, wanted: &Wanted<'_>) -> Candidates {
    let plugin = wanted.skill.root.plugin.as_deref();
    if let Some(plugin) = plugin.filter(|_| wanted.state != Enablement::Off)
        && let Some(off) = extensions::off(reading, &plugin.id)
    {
        return Err(shapes::extension_off(&reading.context, ("qwen", &plugin.id), off));
    }
    let file = reading.writable(wanted.layer, SETTINGS)?;
    let is_it = |text: &str| extensions::is_spelled(text, wanted.name, plugin);
    let mut candidates = shapes::switch_by_list(file, DISABLED, wanted, true);
    if wanted.state != Enablement::Off {
        let edits = shapes::take_out(file, DISABLED, &is_it);
        candidates.push(vec![file.edit(edits.clone())]);
        let mut spellings = vec![wanted.name];
        spellings.extend(plugin.and_then(|plugin| wanted.name.strip_prefix(&*plugin.prefix)));
        for count in 1..=spellings.len() {
            let pushed = spellings[..count].iter().map(|name| Edit::push_text(ENABLED, name));
            candidates.push(vec![file.edit(edits.iter().cloned().chain(pushed).collect())]);
        }
    }
    Ok(candidates)
}

#[cfg(test)]
mod tests;
