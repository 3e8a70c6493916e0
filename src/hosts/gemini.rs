//! Gemini CLI: lists of disabled names, joined over its settings files; policies for loading;
//! folders that must be trusted. Checked with its source and its program (`tests/hosts`).
//!
//! Not modelled: `$VARIABLE` in its settings; trust that an editor gives; policies under other
//! approval modes than the default.

pub(super) mod expression;
mod extensions;
pub(super) mod head;
mod policies;
mod section;

use super::shapes::{self, SETTINGS, TRUST};
use super::{
    Candidates, Content, Context, Control, Detect, Duplicates, Folder, Host, Proof, Reading,
    SettingsPath, Siblings, TakesEffect, Wanted, built_in,
};
use crate::catalog::{Enablement, HostId, Permission, PlaceThatCounts, Root, Scope, Walk};
use crate::policy::{
    Budget, Denied, Evaluation, Fold, Identity, Layer, Order, Origin, PatternKind, Policy, Profile,
    RuleForms, Ruling,
};
use crate::settings::{Format, Kind};
use std::path::{Path, PathBuf};

/// The folder with `.gemini` and `.agents`: the variable's, or the home directory.
const HOME: Folder = Folder { variable: "GEMINI_CLI_HOME", default: "", tilde: false };

/// The disabled names.
const DISABLED: &[&str] = &["skills", "disabled"];

/// `SKILL.md` in the root and in its immediate children; links are followed.
const WALK: Walk = Walk { depth: 1, ..Walk::STANDARD };

/// An expression over the arguments can express a name, a beginning and a glob.
const FORMS: RuleForms = RuleForms {
    wildcards: &['*', '?'],
    ..RuleForms::each(&[
        PatternKind::Any,
        PatternKind::Exact,
        PatternKind::Prefix,
        PatternKind::Glob,
    ])
};

/// There is no launch line: `--policy` takes a file, which replaces the person's own policies.
pub const GEMINI: Host = Host {
    id: HostId("gemini"),
    name: "Gemini CLI",
    detect: Detect {
        programs: &["gemini"],
        packages: &["@google/gemini-cli"],
        folders: &[Folder::fixed(".gemini")],
        inside: &["GEMINI_CLI"],
        ..Detect::NEVER
    },
    proof: Proof::Program("0.61.0"),
    settings_paths,
    roots,
    budget: |_, _| Budget::Whole,
    duplicates: Duplicates::Last,
    place: PlaceThatCounts::Last,
    siblings: Siblings::Backwards,
    evaluation: Evaluation {
        rules: Order::FirstMatch,
        forms: FORMS,
        switches: Order::Strictest,
        fold: Fold::SwitchesWithBlanks,
        denied: Denied::Listed,
        identity: Identity::Hyphened(&[':', '\\', '/', '<', '>', '*', '?', '"', '|']),
        head: Some(&head::READER),
        profile: Profile {
            refuses: &["file-case", "name-missing", "name-empty", "bom"],
            takes: &["desc-empty"],
        },
        ..Evaluation::HOST
    },
    rulings,
    control: Control {
        layers: &[Layer::User, Layer::Project],
        states: Control::ON_OFF,
        switch: Some(switch),
        rules: Some(policies::plan),
        because: "Gemini joins the lists of all its settings files",
        expands: names_variable,
        ..Control::NONE
    },
    takes_effect: TakesEffect::Reload("/skills reload"),
    prompt: super::PromptArgument::Option("--prompt-interactive"),
    line: super::LineOptions {
        switches: &["-d", "--debug", "-s", "--sandbox", "-y", "--yolo"],
        prompts: &["-i", "--prompt-interactive", "-p", "--prompt"],
    },
    probe: Some(&super::probe::GEMINI),
    ..Host::PLAIN
};

/// Whether a text names a variable of the environment, `$NAME` or `${NAME}`. It is expanded if the
/// variable is set.
pub(super) fn names_variable(text: &str) -> bool {
    text.split('$').skip(1).any(|after| match after.strip_prefix('{') {
        Some(braced) => braced.find('}').is_some_and(|end| end > 0),
        None => after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'),
    })
}

const SYSTEM: &str = if cfg!(target_os = "macos") {
    "/Library/Application Support/GeminiCli"
} else {
    "/etc/gemini-cli"
};

/// The machine's defaults, the person's settings, the working directory's (unless that is the home
/// directory), the machine's settings; the trusted folders; the policies.
fn settings_paths(context: &Context) -> Vec<SettingsPath> {
    let file = |path, layer| shapes::file(path, layer, Format::JsonComments);
    let system = |variable: &str, name: &str| {
        let named = context.variable(variable).map(PathBuf::from);
        file(named.unwrap_or_else(|| Path::new(SYSTEM).join(name)), Layer::Managed)
    };
    let home = context.folder(HOME);
    let mut settings_paths =
        vec![system("GEMINI_CLI_SYSTEM_DEFAULTS_PATH", "system-defaults.json")];
    let own = home.as_ref().map(|home| home.join(".gemini/settings.json"));
    settings_paths.extend(own.map(|path| file(path, Layer::User)));
    let machine = system("GEMINI_CLI_SYSTEM_SETTINGS_PATH", "settings.json");
    let outside = [settings_paths.as_slice(), std::slice::from_ref(&machine)].concat();
    let trusted = trusted(context, &outside);
    let is_decided = trust_without_file(context, &outside).is_some();
    if home.as_deref() != Some(&context.cwd) {
        settings_paths.push(SettingsPath {
            ignored: (!trusted).then_some(shapes::UNTRUSTED),
            remark: shapes::only_here(context, "Gemini CLI"),
            ..file(context.cwd.join(".gemini/settings.json"), Layer::Project)
        });
    }
    settings_paths.push(machine);
    settings_paths.extend(trust_file(context).map(|path| SettingsPath {
        role: TRUST,
        ignored: is_decided.then_some("it does not decide about trust"),
        ..file(path, Layer::User)
    }));
    let policies = policies::settings_paths(home.as_deref(), &settings_paths);
    settings_paths.extend(policies);
    settings_paths.extend(extensions::files(context));
    settings_paths
}

fn trust_file(context: &Context) -> Option<PathBuf> {
    let named = context.variable("GEMINI_CLI_TRUSTED_FOLDERS_PATH").map(PathBuf::from);
    named.or_else(|| Some(context.folder(HOME)?.join(".gemini/trustedFolders.json")))
}

/// Whether the working directory is trusted; the file of trusted folders decides if nothing else
/// does, and a folder that it does not name is not trusted.
fn trusted(context: &Context, files: &[SettingsPath]) -> bool {
    trust_without_file(context, files)
        .unwrap_or_else(|| shapes::is_trusted(context, trust_file(context)))
}

/// Two variables decide first. If the settings outside the folder turn trust off
/// (`security.folderTrust.enabled`, on by default), every folder is trusted. `None` if the file of
/// trusted folders decides; otherwise what is wrong in it is only told.
fn trust_without_file(context: &Context, files: &[SettingsPath]) -> Option<bool> {
    let says =
        |variable: &str, word: &str| context.variable(variable).is_some_and(|value| value == word);
    if says("GEMINI_RESTRICTED_MODE", "true") || says("GEMINI_CLI_TRUST_WORKSPACE", "false") {
        return Some(false);
    }
    let is_on =
        !says("GEMINI_CLI_TRUST_WORKSPACE", "true") && shapes::trust_switch(files) != Some(false);
    (!is_on).then_some(true)
}

/// Its own (`builtin` in its bundle), the extensions', the person's, then the working directory's,
/// each `.gemini` before `.agents`: a later skill wins (`skills/skillManager.ts`).
fn roots(reading: &Reading) -> Vec<Root> {
    let context = &reading.context;
    let root = |path, scope| Root::new(path, scope, GEMINI.id, WALK);
    let folders = [".gemini/skills", ".agents/skills"];
    let home = context.folder(HOME);
    let own = home.iter().flat_map(|home| folders.map(|folder| home.join(folder)));
    let outside: Vec<SettingsPath> = reading
        .of_role(SETTINGS)
        .map(|file| file.location.clone())
        .filter(|location| location.layer != Layer::Project)
        .collect();
    let closed = (!trusted(context, &outside)).then_some(shapes::UNTRUSTED);
    let here = folders.map(|folder| context.cwd.join(folder)).into_iter();
    let here = here.map(|path| Root { closed, ..root(path, Scope::Repo) });
    let own = own.map(|path| root(path, Scope::User));
    let built_in = built_in::beside_program(&GEMINI, context, "builtin", WALK);
    shapes::once(built_in.into_iter().chain(extensions::roots(reading)).chain(own).chain(here))
}

/// Sections of its settings in place of which it takes no `null`: it stops there.
const NO_NULL: [&str; 5] = ["advanced", "experimental", "hooksConfig", "security", "tools"];

/// Without a rule, loading asks. Where Gemini itself stops, everything is denied.
fn rulings(reading: &Reading, policy: &mut Policy) {
    policy.defaults.load = Ruling::new(Permission::Ask, Origin::Default);
    section::rulings(reading, policy);
    policies::rules(reading, policy);
    extensions::rulings(reading, policy);
    // So do a settings file that JavaScript's own parser refuses, and one that is no object.
    for file in reading.of_role(SETTINGS).filter(|file| file.location.ignored.is_none()) {
        let Content::Read(node) = &file.content else { continue };
        let is_object = matches!(node.kind, Kind::Table(_));
        if let Some(what) = shapes::no_json(file).or((!is_object).then_some("without an object")) {
            file.deny_all(policy, node.line, format!("Gemini CLI takes no file {what}"));
        }
    }
    for section in NO_NULL {
        let mut files = reading.of_role(SETTINGS).rev();
        if let Some((file, node)) = files.find_map(|file| Some((file, file.at(&[section])?)))
            && node.kind == Kind::Null
        {
            file.deny_all(policy, node.line, format!("Gemini CLI stops where {section} is null"));
        }
    }
    // An unknown level of trust stops it too.
    for file in reading.of_role(TRUST).filter(|file| file.location.ignored.is_none()) {
        let Content::Read(folders) = &file.content else { continue };
        let known = ["TRUST_FOLDER", "TRUST_PARENT", "DO_NOT_TRUST"];
        let unknown = folders
            .fields()
            .iter()
            .find(|field| !field.node.text().is_some_and(|text| known.contains(&text)));
        if let Some(field) = unknown {
            file.deny_all(policy, field.line, "there is no such level of trust");
        }
    }
}

/// Adds a name to the file or removes it. To enable a skill only this file is edited; if another
/// file disables it, the refusal names that file; if its extension is off, what enables that.
fn switch(reading: &Reading, wanted: &Wanted<'_>) -> Candidates {
    let plugin = wanted.skill.root.plugin.as_deref().filter(|_| wanted.state != Enablement::Off);
    if let Some(plugin) = plugin
        && let Some(off) = extensions::off(reading, &plugin.id)
    {
        return Err(shapes::extension_off(&reading.context, ("gemini", &plugin.id), off));
    }
    let file = reading.writable(wanted.layer, SETTINGS)?;
    Ok(shapes::switch_by_list(file, DISABLED, wanted, true))
}

#[cfg(test)]
mod tests;
