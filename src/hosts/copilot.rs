//! GitHub Copilot CLI: one list of disabled names, only in the person's settings. Checked with its
//! program (`tests/hosts`).
//!
//! It has no rule for one skill: `--deny-tool` does not keep a skill from the model. While it
//! writes its settings it keeps a `settings.json.lock` beside them; we do not wait for that.

mod built_in;
mod head;
mod keys;
mod plugins;

use super::shapes::{self, SETTINGS};
use super::{
    Candidates, Content, Context, Control, Detect, Folder, Host, MentionForm, Proof, Reading,
    SettingsFile, SettingsPath, Siblings, TakesEffect, Wanted,
};
use crate::catalog::{Enablement, HostId, Root, Scope, Walk};
use crate::policy::budget::NamesBeyond;
use crate::policy::{
    Budget, Evaluation, Fold, Identity, InvocationFields, Layer, Order, Policy, Profile,
};
use crate::settings::{Format, Reader};
use keys::{DISABLED, FURTHER};

const HOME: Folder = Folder { variable: "COPILOT_HOME", default: ".copilot", tilde: false };

/// Any depth, but not inside skills; a `SKILL.md` in the root itself hides all others there.
/// `node_modules` too.
const WALK: Walk = Walk { depth: 64, modules: true, nested: false, ..Walk::STANDARD };

pub const COPILOT: Host = Host {
    id: HostId("copilot"),
    name: "Copilot CLI",
    detect: Detect {
        programs: &["copilot"],
        packages: &["@github/copilot"],
        folders: &[HOME],
        inside: &["COPILOT_CLI"],
        ..Detect::NEVER
    },
    proof: Proof::Program("1.0.102"),
    settings_paths,
    roots,
    siblings: Siblings::Files,
    evaluation: Evaluation {
        switches: Order::Strictest,
        identity: Identity::Hyphened(&[' ']),
        fold: Fold::NeverWithBlanks,
        reads: InvocationFields { model: true, ..InvocationFields::NONE },
        head: Some(&head::READER),
        plugin_names: true,
        profile: Profile {
            refuses: &[
                "file-case",
                "name-length",
                "name-empty",
                "name-ascii",
                "desc-length",
                "yaml-repaired",
                "yaml:duplicate-key",
            ],
            takes: &["desc-missing", "desc-empty", "not-mapping"],
        },
        ..Evaluation::HOST
    },
    rulings,
    control: Control {
        layers: &[Layer::User],
        states: Control::ON_OFF,
        switch: Some(switch),
        ..Control::NONE
    },
    mention: MentionForm::Prose("Use the /", " skill to "),
    budget,
    takes_effect: TakesEffect::Reload("/skills reload"),
    prompt: super::PromptArgument::Option("--interactive"),
    line: super::LineOptions {
        switches: &[
            "--allow-all",
            "--allow-all-paths",
            "--allow-all-tools",
            "--banner",
            "--continue",
            "--no-color",
            "-s",
            "--silent",
            "--yolo",
        ],
        prompts: &["-i", "--interactive", "-p", "--prompt"],
    },
    probe: Some(&super::probe::COPILOT),
    ..Host::PLAIN
};

/// What stands before the names of the skills that are not listed whole. It counts as they do.
const BEFORE_NAMES: &str = "Additional skills available (invoke by name): ";

/// The variable sets the characters for skills that are listed whole. The window does not matter.
fn budget(reading: &Reading, _: Option<usize>) -> Budget {
    let said = reading.context.variable("SKILL_CHAR_BUDGET").and_then(|text| text.to_str());
    let limit = said.and_then(|text| text.parse().ok()).unwrap_or(15_000);
    Budget::NamesBeyond(NamesBeyond { limit, names: 5_000 - BEFORE_NAMES.len() })
}

/// The person's settings; and the repository's, to which `copilot config --repo` writes without any
/// effect.
fn settings_paths(context: &Context) -> Vec<SettingsPath> {
    let own = context.folder(HOME).map(|home| SettingsPath {
        reader: Reader::JsoncParser,
        ..shapes::file(home.join("settings.json"), Layer::User, Format::Jsonc)
    });
    let repository = context.repo_root.as_ref().map(|root| SettingsPath {
        ignored: Some("Copilot reads disabledSkills from the user file only"),
        ..shapes::file(root.join(".github/copilot/settings.json"), Layer::Project, Format::Jsonc)
    });
    own.into_iter().chain(repository).chain(plugins::files(context)).collect()
}

/// The person's settings.
fn own(reading: &Reading) -> Option<&SettingsFile> {
    let mut files = reading.of_role(SETTINGS);
    files.find(|file| file.location.layer == Layer::User && mistyped(file).is_none())
}

/// From the working directory up: all `.github`, nearest first, then all `.agents`, then all
/// `.claude`; then the person's. If the home directory is on that way, its `.agents` counts there,
/// and its `.claude` not at all. Where `COPILOT_HOME` is another folder than `~/.copilot`, the home
/// directory's `.agents` counts on that way only. Last the plugins', those that the settings name,
/// and its own.
fn roots(reading: &Reading) -> Vec<Root> {
    let context = &reading.context;
    let root = |path, scope| Root::new(path, scope, COPILOT.id, WALK);
    let mut roots = Vec::new();
    let at_home = |folder: &str| context.home.as_ref().map(|home| home.join(folder));
    let (shared, not_read) = (at_home(".agents/skills"), at_home(".claude/skills"));
    for folder in [".github/skills", ".agents/skills", ".claude/skills"] {
        for path in shapes::upwards(context).into_iter().map(|above| above.join(folder)) {
            let scope = if Some(&path) == shared.as_ref() { Scope::User } else { Scope::Repo };
            if Some(&path) != not_read.as_ref() {
                roots.push(root(path, scope));
            }
        }
    }
    let own = context.folder(HOME);
    let shared = shared.filter(|_| own == at_home(HOME.default));
    let own = own.map(|home| home.join("skills"));
    roots.extend(own.into_iter().chain(shared).map(|path| root(path, Scope::User)));
    roots.extend(plugins::roots(reading));
    for file in reading.of_role(SETTINGS).filter(|file| mistyped(file).is_none()) {
        let further = shapes::texts(file, &[spelling(file, FURTHER)]).unwrap_or_default();
        let further = further.into_iter().map(|(text, _)| context.cwd.join(text.trim()));
        roots.extend(further.map(|path| root(path, Scope::User).named()));
    }
    roots.extend(built_in::root(context));
    shapes::once(roots)
}

/// Copilot ignores a file that it cannot read, or with a value of a wrong type; that is reported.
fn rulings(reading: &Reading, policy: &mut Policy) {
    plugins::rulings(reading, policy);
    policy.switches.extend(built_in::hidden(&reading.context));
    for file in reading.of_role(SETTINGS) {
        if let Content::Broken { line, reason, malformed: true } = &file.content {
            file.report(policy, *line, format!("{reason}: Copilot CLI ignores the whole file"));
        }
        if let Some(line) = mistyped(file) {
            file.report(policy, line, IGNORED);
        }
        let path = [spelling(file, DISABLED)];
        let names = shapes::texts(file, &path).unwrap_or_default();
        for (name, line) in names.into_iter().filter(|_| mistyped(file).is_none()) {
            policy.switches.push(shapes::off(file, &path, name, line));
        }
    }
}

/// How this file spells a key; see [`keys::spelling`].
fn spelling<'a>(file: &'a SettingsFile, key: &'a str) -> &'a str {
    file.effective().map_or(key, |table| keys::spelling(table, key))
}

/// What a value of a wrong type does.
const IGNORED: &str = "a value has the wrong type: Copilot CLI ignores the whole file";

/// See [`keys::mistyped`].
fn mistyped(file: &SettingsFile) -> Option<u32> {
    file.effective().and_then(keys::mistyped)
}

fn switch(reading: &Reading, wanted: &Wanted<'_>) -> Candidates {
    let file = reading.writable(wanted.layer, SETTINGS)?;
    if let Some(line) = mistyped(file) {
        return Err(file.stopped(line, IGNORED));
    }
    let path = [spelling(file, DISABLED)];
    let by_list = |wanted: &Wanted<'_>| shapes::switch_by_list(file, &path, wanted, false);
    let Some(plugin) = wanted.skill.plugin() else { return Ok(by_list(wanted)) };
    if wanted.state == Enablement::Off {
        return Ok(by_list(&Wanted { name: &plugins::name_alone(wanted, plugin), ..*wanted }));
    }
    let mut candidates = by_list(wanted);
    candidates.extend(plugins::without_names(reading, file, wanted, plugin));
    candidates.extend(plugins::candidate(file, plugin));
    Ok(candidates)
}

#[cfg(test)]
mod tests;
