//! Kimi Code CLI: folders of the project and of the person, and those that its settings name; no
//! switch for one skill. Checked with its program (`kimi acp`) and the source in its package
//! (`agent-core-v2/src/features/skill`).
//!
//! Markdown files that lie directly in a folder of skills are skills too, with or without a
//! frontmatter.
//!
//! Not modelled: plugins, its own skills; skills within a skill with `has-sub-skill`;
//! `--skills-dir`. If `disable-model-invocation` of one skill is neither true nor false, it offers
//! a person none at all.

mod head;

use super::shapes::{self, SETTINGS};
use super::{
    Content, Context, Detect, Folder, Host, MentionForm, Proof, Reading, SettingsFile,
    SettingsPath, Siblings,
};
use crate::catalog::{Hidden, HostId, Root, Scope, SingleFiles, Walk};
use crate::policy::{Evaluation, Fold, InvocationFields, Layer, Policy, Profile};
use crate::settings::{Format, Node};
use std::path::Path;

const HOME: Folder = Folder { variable: "KIMI_CODE_HOME", default: ".kimi-code", tilde: false };

/// Further folders. It reads `_s` as `S`, and of several spellings takes the last in the file.
const FURTHER: &str = "extraSkillDirs";

/// Nine folders deep, but not inside skills or hidden folders.
const WALK: Walk = Walk {
    depth: 9,
    itself: false,
    hidden: Hidden::Skills,
    nested: false,
    single_files: SingleFiles::SkillsWithoutFolder { links: false },
    ..Walk::STANDARD
};

/// The person's own folders. Another part of it reads them, and follows links there.
const OWN: Walk = Walk { single_files: SingleFiles::SkillsWithoutFolder { links: true }, ..WALK };

pub const KIMI: Host = Host {
    id: HostId("kimi-code-cli"),
    name: "Kimi Code CLI",
    detect: Detect {
        programs: &["kimi"],
        packages: &["@moonshot-ai/kimi-code"],
        folders: &[HOME, Folder::fixed(".kimi")],
        ..Detect::NEVER
    },
    proof: Proof::Program("2.1.0"),
    settings_paths,
    roots,
    siblings: Siblings::SkillsFirst,
    evaluation: Evaluation {
        fold: Fold::Names,
        reads: InvocationFields { model: true, ..InvocationFields::NONE },
        head: Some(&head::READER),
        calls: Some(&head::CALLS),
        profile: Profile {
            refuses: &[
                "file-case",
                "path-encoding",
                "name-missing",
                "name-empty",
                "yaml-repaired",
                "yaml:duplicate-key",
            ],
            takes: &[],
        },
        ..Evaluation::HOST
    },
    rulings,
    mention: MentionForm::Start("/skill:"),
    probe: Some(&super::probe::KIMI),
    ..Host::PLAIN
};

fn settings_paths(context: &Context) -> Vec<SettingsPath> {
    let home = context.folder(HOME).into_iter();
    home.map(|home| shapes::file(home.join("config.toml"), Layer::User, Format::Toml)).collect()
}

/// The two folders of the repository's root (without one, of the working directory), the person's,
/// then those that the settings name.
fn roots(reading: &Reading) -> Vec<Root> {
    let context = &*reading.context;
    let root = |path, scope, walk| Root::new(path, scope, KIMI.id, walk);
    let is_top = |folder: &&Path| folder.join(".git").exists();
    let top = context.cwd.ancestors().find(is_top).unwrap_or(&context.cwd);
    let project = [".kimi-code/skills", ".agents/skills"].map(|folder| top.join(folder));
    let own = context.folder(HOME).map(|home| home.join("skills"));
    let shared = context.home.as_ref().map(|home| home.join(".agents/skills"));
    let further = further(reading).into_iter().filter_map(|text| context.path(text, top));
    let roots = project.into_iter().map(|path| root(path, Scope::Repo, WALK));
    let own = own.into_iter().chain(shared).map(|path| root(path, Scope::User, OWN));
    let further = further.map(|path| root(path, Scope::User, WALK).named());
    shapes::once(roots.chain(own).chain(further))
}

/// The key of further folders, as the file spells it where it counts.
fn key(file: &SettingsFile) -> &str {
    let keys = file.effective().map(Node::fields).unwrap_or_default().iter();
    let mut keys = keys.rev().map(|field| field.key.as_str());
    keys.find(|key| in_one_word(key) == FURTHER).unwrap_or(FURTHER)
}

/// A key with a capital in the place of each small letter after `_`.
fn in_one_word(key: &str) -> String {
    let mut parts = key.split('_');
    let mut word = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.chars().next().filter(char::is_ascii_lowercase) {
            Some(first) => word.extend([&first.to_ascii_uppercase().to_string(), &part[1..]]),
            None => word.extend(["_", part]),
        }
    }
    word
}

/// The folders that the settings name; none if one of them is no text.
fn further(reading: &Reading) -> Vec<&str> {
    let files = reading.of_role(SETTINGS);
    let texts = files.filter_map(|file| shapes::texts(file, &[key(file)]).ok()).flatten();
    texts.map(|(text, _)| text).collect()
}

/// Its settings say nothing of one skill. It passes over a file that it cannot read.
fn rulings(reading: &Reading, policy: &mut Policy) {
    for file in reading.of_role(SETTINGS) {
        if let Content::Broken { line, reason, .. } = &file.content {
            file.report(policy, *line, format!("{reason}: Kimi Code ignores the whole file"));
        }
        if let Err(line) = shapes::texts(file, &[key(file)]) {
            let message = format!("{} is no list of texts: Kimi Code ignores it", key(file));
            file.report(policy, line, message);
        }
    }
}

#[cfg(test)]
mod tests;
