//! Kilo Code's program, which grew out of opencode and has its permissions. Checked with the
//! program (`kilo debug skill`, `debug agent code`) and the source in it.
//!
//! It differs in its folders and files, in that the last skill of a name is taken, and in that it
//! passes over a file with a fault, unless the file is one of the person's main folder or the
//! administrator's. `null` takes a rule of earlier files away. Which of two skills of one name in
//! one folder is the last is chance. In a project's folders it passes over what really lies outside
//! of the project. A linked working tree has the main one's folders too.
//!
//! Not modelled: that a project's skill with `{env:NAME}` in its text is not loaded;
//! `.kilocodemodes`, what an organisation's account says, `skills.urls`.

use super::super::{
    Content, Context, Control, Detect, Duplicates, Folder, Host, Proof, Reading, SettingsFile,
    Siblings, shapes,
};
use super::family::{Family, Files, Folders, folders_above, has_reference};
use super::flags::Flags;
use super::{AGENT, EVALUATION, EXTERNAL, MODE, WALK, is_agent, is_blank, merge, plan};
use crate::catalog::{Enablement, HostId, PlaceThatCounts, Root, Scope, Walk};
use crate::files::git;
use crate::policy::{Budget, Layer, Policy};
use merge::Source;
use std::path::{Path, PathBuf};

const FAMILY: Family = Family {
    content: "KILO_CONFIG_CONTENT",
    permission: "KILO_PERMISSION",
    agents: &["code", "build"],
    nulls: true,
    rulings,
    flags: Flags {
        others: "KILO_DISABLE_EXTERNAL_SKILLS",
        claude_code: ["KILO_DISABLE_CLAUDE_CODE", "KILO_DISABLE_CLAUDE_CODE_SKILLS"],
    },
    folders: Folders {
        own: "kilo",
        names: &[".kilocode", ".kilo"],
        variable: "KILO_CONFIG_DIR",
        managed: if cfg!(target_os = "macos") {
            "/Library/Application Support/kilo"
        } else {
            "/etc/kilo"
        },
        project,
        main_tree,
    },
    files: Files {
        main: "kilo.json",
        schema: "https://app.kilo.ai/config.json",
        in_own: &["config.json", "kilo.json", "kilo.jsonc", "opencode.json", "opencode.jsonc"],
        in_others: &["kilo.jsonc", "kilo.json", "opencode.jsonc", "opencode.json"],
        above: &[&["kilo.json", "kilo.jsonc"], &["opencode.json", "opencode.jsonc"]],
        of_agent: &[
            ("agent/build.md", AGENT),
            ("agent/code.md", AGENT),
            ("agents/build.md", AGENT),
            ("agents/code.md", AGENT),
            ("mode/code.md", MODE),
            ("modes/code.md", MODE),
        ],
        variable: "KILO_CONFIG",
        closed: ("KILO_DISABLE_PROJECT_CONFIG", "KILO_DISABLE_PROJECT_CONFIG is set"),
    },
};

pub const KILO: Host = Host {
    id: HostId("kilo"),
    name: "Kilo Code",
    detect: Detect {
        programs: &["kilo"],
        packages: &["@kilocode/cli"],
        folders: &[Folder::fixed(".kilo"), Folder::fixed(".kilocode"), CONFIG],
        ..Detect::NEVER
    },
    proof: Proof::Program("7.7.7"),
    settings_paths: |context| FAMILY.settings_paths(context),
    roots,
    budget: |_, _| Budget::Whole,
    duplicates: Duplicates::Last,
    place: PlaceThatCounts::Last,
    siblings: Siblings::Chance,
    evaluation: EVALUATION,
    rulings,
    control: Control {
        layers: &[Layer::User, Layer::Project],
        states: &[Enablement::On, Enablement::UserOnly],
        switch: Some(|reading, wanted| plan::switch(&FAMILY, reading, wanted)),
        by_rule: true,
        rules: Some(|reading, wanted, layer| plan::rules(&FAMILY, reading, (wanted, layer))),
        because: "in Kilo Code the last rule that matches decides; a rule keeps the place that the first file gives it, and those of the agent code come last",
        expands: has_reference,
        ..Control::NONE
    },
    prompt: super::super::PromptArgument::Option("--prompt"),
    line: super::OPENCODE.line,
    probe: Some(&super::super::probe::KILO),
    ..Host::PLAIN
};

/// The folder of a person's settings.
const CONFIG: Folder = Folder { variable: "", default: ".config/kilo", tilde: false };

/// The root of the repository around the working directory, by git: a `.git` that is none is passed
/// over if another one lies around it.
fn repository(context: &Context) -> Option<&Path> {
    let mut marked = context.cwd.ancestors().filter(|folder| folder.join(".git").exists());
    marked.clone().find(|folder| git::is_repository(folder)).or_else(|| marked.next())
}

/// In a linked working tree (`git worktree`), the directories of the main one that correspond to
/// those from the working directory up.
fn main_tree(context: &Context) -> Vec<PathBuf> {
    let main = |top: &Path| git::main_tree(top).filter(|main| main.join(".git").exists());
    let Some((top, main)) = repository(context).and_then(|top| Some((top, main(top)?))) else {
        return Vec::new();
    };
    let below = folders_above(context).into_iter().filter_map(|it| it.strip_prefix(top).ok());
    below.map(|below| main.join(below)).collect()
}

/// The root of the repository around the working directory, otherwise this directory.
fn project(context: &Context) -> &Path {
    repository(context).unwrap_or(&context.cwd)
}

/// The shared folders, then its own, then those that the settings name. A later skill wins.
fn roots(reading: &Reading) -> Vec<Root> {
    let context = &*reading.context;
    let project = Project { context, top: project(context), main: main_tree(context) };
    let named = project.named_roots(reading);
    shapes::once([project.shared_roots(), project.own_roots(), named].concat())
}

fn root(path: PathBuf, scope: Scope, walk: Walk) -> Root {
    Root::new(path, scope, KILO.id, walk)
}

struct Project<'a> {
    context: &'a Context,
    top: &'a Path,
    /// The directories of the main working tree.
    main: Vec<PathBuf>,
}

impl Project<'_> {
    /// Those of the home directory, of the main working tree, and of each directory from the
    /// working directory up (outside a repository of that one alone).
    fn shared_roots(&self) -> Vec<Root> {
        let homes = self.context.home.iter().map(|home| (home, Scope::User));
        let chain = self.context.chain_to(&[".git"]);
        let above: Vec<&PathBuf> = self.main.iter().chain(&chain).collect();
        let mut roots: Vec<Root> = Vec::new();
        for (folder, scope) in homes.chain(above.iter().map(|folder| (*folder, Scope::Repo))) {
            for name in FAMILY.flags.shared(self.context) {
                let root = root(folder.join(name).join("skills"), scope, EXTERNAL);
                roots.push(if above.contains(&folder) { self.confine(root) } else { root });
            }
        }
        roots
    }

    fn own_roots(&self) -> Vec<Root> {
        let unconfined = FAMILY.named(self.context);
        let mut roots: Vec<Root> = Vec::new();
        for (folder, layer) in FAMILY.directories(self.context) {
            let is_project = layer == Layer::Project;
            if is_project && FAMILY.closed(self.context).is_some() {
                continue;
            }
            let scope = if is_project { Scope::Repo } else { Scope::User };
            // The person's own folders may lie in the project.
            let is_within = folder.starts_with(self.top) && unconfined.as_ref() != Some(&folder);
            for name in ["skill", "skills"] {
                let root = root(folder.join(name), scope, WALK);
                roots.push(if is_project || is_within { self.confine(root) } else { root });
            }
        }
        roots
    }

    /// Those that the settings name. A relative one must lie in the project.
    fn named_roots(&self, reading: &Reading) -> Vec<Root> {
        let (named, layer) = merge::skill_paths(&FAMILY, reading);
        let named = named.into_iter().filter_map(|path| {
            let is_absolute = path.starts_with('/') || path.starts_with("~/");
            let place = self.context.path(&path, &self.context.cwd)?;
            let scope = self.context.scope(&place);
            let root = root(place, scope, WALK).named();
            Some(match (is_absolute, scope) {
                (false, _) => confined(root, self.top),
                (true, Scope::Repo) => self.confine(root),
                (true, _) => root,
            })
        });
        // A project's settings name nothing outside of it.
        named.filter(|root| layer != Layer::Project || root.scope == Scope::Repo).collect()
    }

    /// The root as one of the project's. A linked working tree may lie in the main one.
    fn confine(&self, root: Root) -> Root {
        let of_main = self.main.iter().find(|folder| root.path.starts_with(folder));
        let of_main = of_main.filter(|_| !root.path.starts_with(self.top));
        confined(root, of_main.map_or(self.top, PathBuf::as_path))
    }
}

/// A root of which nothing counts that really lies outside of a folder.
fn confined(root: Root, within: &Path) -> Root {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    let within = real(within).unwrap_or_else(|| within.to_owned());
    let is_outside = real(&root.path).is_some_and(|path| !path.starts_with(&within));
    let closed =
        is_outside.then_some("it leads out of the project, which Kilo Code does not follow");
    Root { closed, within: Some(within), ..root }
}

fn rulings(reading: &Reading, policy: &mut Policy) {
    let session = merge::session(&FAMILY, &reading.context);
    let merged = merge::merged(reading, &session);
    policy.rules.extend(merge::rules(&merged.rules, &reading.context));
    let main = FAMILY.own(&reading.context);
    let stops = |file: &SettingsFile| {
        let location = &file.location;
        location.layer == Layer::Managed || location.path.parent() == main.as_deref()
    };
    for (source, line) in merged.faults {
        match source {
            Source::File(file) if stops(file) => file.deny_all(policy, line, WRONG),
            Source::File(file) => file.report(policy, line, IGNORED),
            Source::Variables(_) => {}
        }
    }
    let files = reading.files.iter().filter(|file| !is_agent(file));
    for file in files.clone().filter(|file| stops(file) && is_blank(file)) {
        file.deny_all(policy, 1, "the file has no value: Kilo Code stops at it");
    }
    for file in files.filter(|file| !stops(file)) {
        if let Content::Broken { line, reason, .. } = &file.content {
            file.report(policy, *line, format!("{reason}: Kilo Code ignores the whole file"));
        }
    }
    FAMILY.flags.check(reading, policy, WRONG);
}

const WRONG: &str = "a value has a wrong type: Kilo Code stops at it";

const IGNORED: &str = "a value has a wrong type: Kilo Code ignores the whole file";

#[cfg(test)]
mod tests;
