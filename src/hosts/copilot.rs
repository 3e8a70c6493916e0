//! GitHub Copilot CLI: one list of disabled names, only in the person's settings. Checked with its
//! program (`tests/hosts`).
//!
//! It has no rule for one skill: `--deny-tool` does not keep a skill from the model. Not modelled:
//! plugins; built-in skills; a `SKILL.md` directly in a root, which hides all others there; the
//! place of `skillDirectories` in the order (we say last); the refusal of names that begin with a
//! hyphen. While it writes its settings it keeps a `settings.json.lock` beside them; we do not wait
//! for that.

use super::shapes::{self, SETTINGS};
use super::{
    Candidates, Content, Context, Control, Detect, Folder, Host, MentionForm, Proof, Reading,
    SettingsPath, TakesEffect, Wanted,
};
use crate::catalog::{HostId, Root, Scope, Walk};
use crate::policy::budget::NamesBeyond;
use crate::policy::{
    Budget, Evaluation, Identity, InvocationFields, Layer, Order, Policy, Profile,
};
use crate::settings::Format;

const HOME: Folder = Folder { variable: "COPILOT_HOME", default: ".copilot", tilde: false };

/// The disabled names.
const DISABLED: &[&str] = &["disabledSkills"];

/// Any depth, but not inside skills; `node_modules` too.
const WALK: Walk = Walk { depth: 64, modules: true, nested: false, ..Walk::STANDARD };

pub const COPILOT: Host = Host {
    id: HostId("copilot"),
    name: "Copilot CLI",
    detect: Detect {
        programs: &["copilot"],
        packages: &["@github/copilot"],
        folders: &[HOME],
        inside: &["COPILOT_CLI"],
    },
    proof: Proof::Program("1.0.102"),
    settings_paths,
    roots,
    evaluation: Evaluation {
        switches: Order::Strictest,
        identity: Identity::Hyphened(&[' ']),
        reads: InvocationFields { model: true, user: false, implicit: false },
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
    let own = context
        .folder(HOME)
        .map(|home| shapes::file(home.join("settings.json"), Layer::User, Format::Jsonc));
    let repository = context.repo_root.as_ref().map(|root| SettingsPath {
        ignored: Some("Copilot reads disabledSkills from the user file only"),
        ..shapes::file(root.join(".github/copilot/settings.json"), Layer::Project, Format::Jsonc)
    });
    own.into_iter().chain(repository).collect()
}

/// From the working directory up: all `.github`, nearest first, then all `.agents`, then all
/// `.claude`; then the person's. If the home directory is on that way, its `.agents` counts there,
/// and its `.claude` not at all.
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
    let own = context.folder(HOME).map(|home| home.join("skills"));
    roots.extend(own.into_iter().chain(shared).map(|path| root(path, Scope::User)));
    for file in &reading.files {
        let further = shapes::texts(file, &["skillDirectories"]).unwrap_or_default();
        let further = further.into_iter().filter_map(|(text, _)| context.path(text, &context.cwd));
        roots.extend(further.map(|path| root(path, Scope::User).named()));
    }
    shapes::once(roots)
}

/// Copilot ignores a file that it cannot read; that is reported.
fn rulings(reading: &Reading, policy: &mut Policy) {
    for file in &reading.files {
        if let Content::Broken { line, reason, malformed: true } = &file.content {
            file.report(policy, *line, format!("{reason}: Copilot CLI ignores the whole file"));
        }
    }
    shapes::names_off(reading, policy, DISABLED);
}

fn switch(reading: &Reading, wanted: &Wanted<'_>) -> Candidates {
    let file = reading.writable(wanted.layer, SETTINGS)?;
    Ok(shapes::switch_by_list(file, DISABLED, wanted, false))
}

#[cfg(test)]
mod tests;
