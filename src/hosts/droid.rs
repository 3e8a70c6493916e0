//! Droid, Factory's CLI: lists of disabled names, joined over its settings files. Checked with its
//! program (`droid.list_skills` of its JSON-RPC, and the commands of `droid exec --output-format
//! acp`) and the source in it (0.215.0).
//!
//! A skill that it refuses still shadows those of its name in later folders.
//!
//! Not modelled: plugins, its own skills, those of automations and missions; folders of skills
//! below the working directory, which it takes when it touches a file there; what an organisation's
//! account, `/etc/factory`, `--settings` and feature flags say.

mod head;

use super::shapes::{self, SETTINGS};
use super::{
    Candidates, Context, Control, Detect, Folder, Host, Proof, Reading, SettingsFile, SettingsPath,
    Siblings, Wanted,
};
use crate::catalog::{Enablement, Hidden, HostId, Root, Scope, Walk};
use crate::policy::{Evaluation, Fold, InvocationFields, Layer, Order, Policy, Profile};
use crate::settings::{Edit, Format, Kind, Reader};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The folder with the person's `.factory`, `.agents` and `.agent`: the variable's, or the home
/// directory.
const HOME: Folder = Folder { variable: "FACTORY_HOME_OVERRIDE", default: "", tilde: false };

/// Its folder in each directory, with settings and skills.
const OWN_FOLDER: &str = ".factory";

/// The folders with skills in a directory, in its order.
const FOLDERS: [&str; 3] = [".factory/skills", ".agents/skills", ".agent/skills"];

/// The disabled names.
const DISABLED: &[&str] = &["disabledSkills"];

/// The role of the files whose keys replace those of the settings beside them.
const LOCAL: &str = "local settings";

/// As deep as one likes, in hidden folders too, but not inside skills.
const WALK: Walk = Walk {
    depth: 64,
    itself: false,
    hidden: Hidden::Git,
    modules: true,
    nested: false,
    ..Walk::STANDARD
};

const EVALUATION: Evaluation = Evaluation {
    switches: Order::Strictest,
    fold: Fold::Slugs,
    reads: InvocationFields { model: true, user: true, ..InvocationFields::NONE },
    head: Some(&head::READER),
    calls: Some(&head::CALLS),
    refused_blocks_name: true,
    profile: Profile {
        refuses: &[
            "file-case",
            "path-encoding",
            "bom",
            "name-missing",
            "name-empty",
            "name-case",
            "name-chars",
            "name-ascii",
        ],
        takes: &[],
    },
    ..Evaluation::HOST
};

pub const DROID: Host = Host {
    id: HostId("droid"),
    name: "Droid",
    detect: Detect {
        programs: &["droid"],
        packages: &["droid"],
        folders: &[Folder::fixed(OWN_FOLDER)],
        ..Detect::NEVER
    },
    proof: Proof::Program("0.215.0"),
    settings_paths,
    roots,
    siblings: Siblings::Words,
    evaluation: EVALUATION,
    rulings,
    control: Control {
        layers: &[Layer::User, Layer::Project],
        states: Control::ON_OFF,
        switch: Some(switch),
        because: "Droid joins the lists of all its settings files",
        ..Control::NONE
    },
    probe: Some(&super::probe::DROID),
    ..Host::PLAIN
};

/// The directories that it looks into.
struct Places {
    /// From the working directory up to the repository's root, which is not among them; none
    /// without a repository.
    below: Vec<PathBuf>,
    /// The repository's root; without a repository the working directory. `None` if that is the
    /// person's.
    project: Option<PathBuf>,
    person: Option<PathBuf>,
}

fn places(context: &Context) -> Places {
    let person = context.folder(HOME);
    let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let is_persons = |path: &Path| {
        person.as_deref().is_some_and(|person| path == person || real(path) == real(person))
    };
    let is_top = |folder: &&Path| folder.join(".git").exists();
    let top = context.cwd.ancestors().find(is_top);
    let below = context.cwd.ancestors().take_while(|folder| top.is_some_and(|top| *folder != top));
    let below = below.filter(|folder| Some(*folder) != person.as_deref()).map(Path::to_owned);
    let project = Some(top.unwrap_or(&context.cwd)).filter(|project| !is_persons(project));
    Places { below: below.collect(), project: project.map(Path::to_owned), person }
}

/// The person's files, then those between the repository's root and the working directory, then
/// the root's, which is the last and so the one that is edited.
fn settings_paths(context: &Context) -> Vec<SettingsPath> {
    let Places { below, project, person } = places(context);
    let person = person.into_iter().map(|folder| (folder, Layer::User));
    let project = below.into_iter().rev().chain(project).map(|folder| (folder, Layer::Project));
    let files = person.chain(project).flat_map(|(folder, layer)| {
        [("settings.json", SETTINGS), ("settings.local.json", LOCAL)].map(|(name, role)| {
            let path = folder.join(OWN_FOLDER).join(name);
            SettingsPath {
                role,
                ignored: shapes::marked(&path),
                // A carriage return alone ends a comment for it.
                reader: Reader::JavaScript,
                ..shapes::file(path, layer, Format::JsonComments)
            }
        })
    });
    files.collect()
}

/// The nearest directory's, up to the repository's root, then the person's.
fn roots(reading: &Reading) -> Vec<Root> {
    let Places { below, project, person } = places(&reading.context);
    let project = below.into_iter().chain(project).map(|folder| (folder, Scope::Repo));
    let person = person.into_iter().map(|folder| (folder, Scope::User));
    shapes::once(project.chain(person).flat_map(|(folder, scope)| {
        FOLDERS.map(|skills| Root::new(folder.join(skills), scope, DROID.id, WALK))
    }))
}

/// The file beside these settings whose keys replace theirs, if it has the list.
fn local<'a>(reading: &'a Reading, file: &SettingsFile) -> Option<&'a SettingsFile> {
    let folder = file.location.path.parent();
    let mut files = reading.of_role(LOCAL);
    files.find(|local| local.location.path.parent() == folder && local.at(DISABLED).is_some())
}

/// It passes over a file that it cannot read. A list that is none, or has something else than
/// texts, stops it: it lists no skill at all. A text instead of a list is one of letters.
fn rulings(reading: &Reading, policy: &mut Policy) {
    for file in &reading.files {
        if let Some((line, reason)) = file.content.fault() {
            file.report(policy, line, format!("{reason}: Droid ignores the whole file"));
        }
    }
    for file in reading.of_role(SETTINGS) {
        let file = local(reading, file).unwrap_or(file);
        match file.at(DISABLED).map(|node| (&node.kind, node.line)) {
            Some((Kind::Text(letters), line)) => {
                // Others are no name, and each is needed once.
                let letters: BTreeSet<char> =
                    letters.chars().filter(char::is_ascii_alphanumeric).collect();
                let letters = letters.into_iter().map(String::from);
                let switches = letters.map(|name| shapes::off(file, DISABLED, &name, line));
                policy.switches.extend(switches);
            }
            _ => {
                for (name, line) in shapes::texts_or_deny(policy, file, DISABLED) {
                    policy.switches.push(shapes::off(file, DISABLED, name, line));
                }
            }
        }
    }
}

/// Adds a name to the file that counts, or removes it there, as its own program does it. If another
/// file disables the skill, the refusal names it.
fn switch(reading: &Reading, wanted: &Wanted<'_>) -> Candidates {
    let file = reading.writable(wanted.layer, SETTINGS)?;
    let file = local(reading, file).unwrap_or(file);
    let is_it = |name: &str| EVALUATION.same(name, wanted.name);
    let edits = match wanted.state {
        Enablement::Off => vec![Edit::push_text(DISABLED, wanted.name)],
        _ => shapes::take_out(file, DISABLED, &is_it),
    };
    Ok(vec![Vec::new(), vec![file.edit(edits)]])
}

#[cfg(test)]
mod tests;
