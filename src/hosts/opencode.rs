//! opencode, the V1 line. Checked with its program (`opencode debug agent build`, `debug skill`)
//! and the source in it.
//!
//! A permission rule hides a skill from the model, so the switch is such a rule: a person may still
//! call a denied skill. The last rule that matches decides, in the order of the keys in the merged
//! settings.

mod family;
mod flags;
mod head;
mod kilo;
mod merge;
mod plan;
mod typed;

pub use kilo::KILO;

use super::settings_file::MARK;
use super::{
    Context, Control, Detect, Duplicates, Folder, Host, Proof, Reading, SettingsFile, shapes,
};
use crate::catalog::{
    Enablement, Hidden, HostId, Permission, Plugin, Root, Scope, SingleFiles, Walk,
};
use crate::policy::{
    Alarm, Budget, Denied, Evaluation, Layer, Names, PatternKind, Policy, Profile, RuleForms,
    Subject, Tool,
};
use crate::settings::store;
use family::{Family, Files, Folders, folders_above};
use flags::Flags;
use merge::Source;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const FAMILY: Family = Family {
    content: "OPENCODE_CONFIG_CONTENT",
    permission: "OPENCODE_PERMISSION",
    agents: &["build"],
    nulls: false,
    rulings,
    flags: Flags {
        others: "OPENCODE_DISABLE_EXTERNAL_SKILLS",
        claude_code: ["OPENCODE_DISABLE_CLAUDE_CODE", "OPENCODE_DISABLE_CLAUDE_CODE_SKILLS"],
    },
    folders: Folders {
        own: "opencode",
        names: &[".opencode"],
        variable: "OPENCODE_CONFIG_DIR",
        managed: if cfg!(target_os = "macos") {
            "/Library/Application Support/opencode"
        } else {
            "/etc/opencode"
        },
        project,
        main_tree: |_| Vec::new(),
    },
    files: Files {
        main: "opencode.json",
        schema: "https://opencode.ai/config.json",
        in_own: &["config.json", "opencode.json", "opencode.jsonc"],
        in_others: &["opencode.json", "opencode.jsonc"],
        above: &[&["opencode.json", "opencode.jsonc"]],
        of_agent: &[
            ("agent/build.md", AGENT),
            ("agents/build.md", AGENT),
            ("mode/build.md", MODE),
            ("modes/build.md", MODE),
        ],
        variable: "OPENCODE_CONFIG",
        closed: ("OPENCODE_DISABLE_PROJECT_CONFIG", "OPENCODE_DISABLE_PROJECT_CONFIG is set"),
    },
};

/// The role of the file for a layer's first change.
const MAIN: &str = "settings";

/// What is said of fetched skills in place of a plugin.
pub const FETCHED: &str = "download";

/// The key of rules.
const PERMISSION: &str = "permission";

/// The role of every other file.
const FURTHER: &str = "further settings";

/// The role of an agent's own file, which is not edited.
const AGENT: &str = "agent";

/// The role of a file of modes. One with a wrong type is passed over.
const MODE: &str = "mode";

/// Any depth, `node_modules` too, but not hidden folders.
const WALK: Walk = Walk {
    depth: 64,
    itself: true,
    hidden: Hidden::Skipped,
    modules: true,
    nested: true,
    links: true,
    linked_file: true,
    ignores: false,
    single_files: SingleFiles::PassedOver,
};

/// In folders that other agents share: hidden folders too, even `.git`.
const EXTERNAL: Walk = Walk { hidden: Hidden::Git, ..WALK };

/// What its reader skips without a message.
const REFUSES: &[&str] =
    &["file-case", "path-encoding", "name-missing", "name-empty", "yaml:duplicate-key"];

/// A key is a name or a glob; any text is one.
const FORMS: RuleForms = RuleForms {
    wildcards: &['*', '?'],
    names: Names::Any,
    ..RuleForms::each(&[PatternKind::Any, PatternKind::Exact, PatternKind::Glob])
};

/// `name` must be a text. A skill without a description is not listed to the model.
const EVALUATION: Evaluation = Evaluation {
    denied: Denied::Hidden,
    forms: FORMS,
    profile: Profile { refuses: REFUSES, takes: &["desc-missing", "desc-empty"] },
    head: Some(&head::READER),
    unlisted: &["desc-missing"],
    ..Evaluation::HOST
};

pub const OPENCODE: Host = Host {
    id: HostId("opencode"),
    name: "opencode",
    detect: Detect {
        programs: &["opencode"],
        packages: &["opencode-ai"],
        folders: &[
            Folder { variable: "OPENCODE_CONFIG_DIR", default: ".config/opencode", tilde: false },
            Folder::fixed(".opencode"),
        ],
        inside: &["OPENCODE"],
        ..Detect::NEVER
    },
    proof: Proof::Program("1.18.33"),
    settings_paths: |context| FAMILY.settings_paths(context),
    roots,
    budget: |_, _| Budget::Whole,
    duplicates: Duplicates::Random,
    evaluation: EVALUATION,
    rulings,
    control: Control {
        layers: &[Layer::User, Layer::Project],
        states: &[Enablement::On, Enablement::UserOnly],
        switch: Some(|reading, wanted| plan::switch(&FAMILY, reading, wanted)),
        by_rule: true,
        rules: Some(|reading, wanted, layer| plan::rules(&FAMILY, reading, (wanted, layer))),
        because: "in opencode the last rule that matches decides; a rule keeps the place that the first file gives it, and those of the agent build come last",
        launch: Some(launch_line),
        expands: family::has_reference,
    },
    prompt: super::PromptArgument::Option("--prompt"),
    line: super::LineOptions {
        switches: &["-c", "--continue", "--fork", "--print-logs", "--share"],
        prompts: &["--prompt"],
    },
    probe: Some(&super::probe::OPENCODE),
    ..Host::PLAIN
};

/// In a repository its root, otherwise the working directory.
fn project(context: &Context) -> &Path {
    let top = folders_above(context).last().copied();
    top.filter(|top| top.join(".git").exists()).unwrap_or(&context.cwd)
}

/// The shared folders, then its own, then those that the settings name, and what it has fetched.
/// Which of two skills with one name it takes is random.
fn roots(reading: &Reading) -> Vec<Root> {
    let context = &*reading.context;
    let root = |path: PathBuf, scope, walk| Root::new(path, scope, OPENCODE.id, walk);
    let mut roots: Vec<Root> = Vec::new();
    let homes = context.home.iter().map(|home| (home.as_path(), Scope::User));
    let above = folders_above(context).into_iter().map(|folder| (folder, Scope::Repo));
    for (folder, scope) in homes.chain(above) {
        roots.extend(
            FAMILY
                .flags
                .shared(context)
                .iter()
                .map(|name| root(folder.join(name).join("skills"), scope, EXTERNAL)),
        );
    }
    for (folder, layer) in FAMILY.directories(context) {
        let scope = if layer == Layer::Project { Scope::Repo } else { Scope::User };
        if scope == Scope::User || FAMILY.closed(context).is_none() {
            roots.extend(["skill", "skills"].map(|name| root(folder.join(name), scope, WALK)));
        }
    }
    let named = merge::skill_paths(&FAMILY, reading)
        .0
        .into_iter()
        .filter_map(|path| context.path(&path, &context.cwd));
    roots.extend(named.map(|path| root(path.clone(), context.scope(&path), WALK).named()));
    roots.extend(fetched(reading));
    shapes::once(roots)
}

/// What it keeps of the skills at the addresses in `skills.urls`: a folder for each skill, whatever
/// address it came from. It lists them only while the address answers, which is not asked here.
fn fetched(reading: &Reading) -> Vec<Root> {
    let addresses = merge::skill_addresses(&FAMILY, reading);
    let cache = Folder { variable: "XDG_CACHE_HOME", default: ".cache", tilde: false };
    let cache = reading.context.folder(cache).filter(|_| !addresses.is_empty());
    let id = addresses.join(" ");
    let root = |folder: PathBuf| {
        let version =
            store::read(&folder.join(".opencode-version")).ok().and_then(|file| file.bytes);
        let version = version.and_then(|bytes| String::from_utf8(bytes).ok());
        let plugin = Plugin {
            kind: FETCHED,
            id: id.clone(),
            prefix: String::new(),
            version: version.map(|text| text.trim().to_owned()),
            commit: None,
        };
        Root::new(folder, Scope::User, OPENCODE.id, WALK).of_plugin(&Arc::new(plugin))
    };
    let folders = cache.map(|cache| shapes::children(&cache.join("opencode/skills")));
    folders.into_iter().flatten().map(root).collect()
}

fn rulings(reading: &Reading, policy: &mut Policy) {
    let session = merge::session(&FAMILY, &reading.context);
    let merged = merge::merged(reading, &session);
    policy.rules.extend(merge::rules(&merged.rules, &reading.context));
    // Last, since the last rule decides.
    for (source, line) in merged.faults {
        match source {
            Source::File(file) => file.deny_all(policy, line, WRONG),
            Source::Variables(name) => stop(policy, name, WRONG),
        }
    }
    let files = reading.files.iter().filter(|file| !is_agent(file));
    for file in files.filter(|file| is_blank(file)) {
        file.deny_all(policy, 1, "the file has no value: opencode stops at it");
    }
    FAMILY.flags.check(reading, policy, WRONG);
}

const WRONG: &str = "a value has a wrong type: opencode stops at it";

/// Whether this is a file of the agent `build`.
fn is_agent(file: &SettingsFile) -> bool {
    [AGENT, MODE].contains(&file.location.role)
}

/// Whether there are only blanks and comments in the file. It may be empty but for a byte order
/// mark.
fn is_blank(file: &SettingsFile) -> bool {
    let is_empty = file.effective().is_some_and(|node| node.fields().is_empty());
    let bytes = || store::read(&file.location.path).ok()?.bytes;
    let has_blanks = |bytes: Vec<u8>| {
        let rest = bytes.strip_prefix(MARK).unwrap_or(&bytes);
        !rest.is_empty() && !rest.contains(&b'{')
    };
    is_empty && bytes().is_some_and(has_blanks)
}

/// Denies everything, since the program stops at the value of this variable.
fn stop(policy: &mut Policy, variable: &str, why: &str) {
    let alarm = Alarm { file: Path::new(variable).into(), line: 1, message: why.to_owned() };
    policy.deny_all(Layer::Managed, alarm);
}

/// `OPENCODE_CONFIG_CONTENT='{"permission":{"skill":{"noisy":"deny"}}}' opencode`, which is merged
/// after the files. None if a rule that comes later decides, or if the variable is in use.
fn launch_line(reading: &Reading, names: &[&str]) -> Option<String> {
    let context = &*reading.context;
    // As a pattern it would match other skills too.
    if names.iter().any(|name| name.contains(['*', '?']))
        || context.variable(FAMILY.content).is_some()
    {
        return None;
    }
    let entries: Vec<String> =
        names.iter().map(|name| format!("{}:\"deny\"", shapes::json_text(name))).collect();
    let content = format!("{{\"permission\":{{\"skill\":{{{}}}}}}}", entries.join(","));
    let mut environment = context.environment.clone();
    environment.insert(FAMILY.content.to_owned(), content.clone().into());
    let then = Context { environment, ..context.clone() };
    let policy = OPENCODE.policy(&Reading { context: Arc::new(then), ..reading.clone() });
    let is_denied = |name: &&str| {
        let ruling = policy.permission_of(Tool::SkillLoad, &Subject::named(name), None);
        ruling.value == Permission::Deny
    };
    if !names.iter().all(is_denied) {
        return None;
    }
    Some(format!("OPENCODE_CONFIG_CONTENT={} opencode", shapes::shell_word(&content)?))
}

#[cfg(test)]
mod tests;
