//! Amp: no switch for one skill, but a list of permissions of which the first match decides.
//! Checked with its program (`amp skill list --json`, `amp permissions test`).
//!
//! Not modelled: skills of toolboxes and of its own plugins, built-in skills, and a workspace's
//! `.amp/settings.json`, whose permissions Amp ignored, as it did those of the administrator's
//! file. A `delegate` asks a program, so it counts as a deny.

mod head;
mod permissions;

pub(super) use permissions::pattern;

use super::{
    Content, Context, Control, Detect, Folder, Host, MentionForm, Proof, Reading, SettingsPath,
    Siblings, shapes,
};
use crate::catalog::{Hidden, HostId, Root, Scope, Walk};
use crate::policy::{Denied, Evaluation, Layer, Order, PatternKind, Policy, Profile, RuleForms};
use crate::settings::{Format, Kind, Node};
use std::path::{Path, PathBuf};

/// The platform's folder for settings.
const CONFIG: Folder = Folder { variable: "XDG_CONFIG_HOME", default: ".config", tilde: false };

/// The role of the administrator's file.
const MANAGED: &str = "managed settings";

const MACHINE: &str =
    if cfg!(target_os = "macos") { "/Library/Application Support/ampcode" } else { "/etc/ampcode" };

/// Further folders, with colons between them.
const PATH: &str = "amp.skills.path";

/// Five directories deep, also in skills and hidden folders.
const WALK: Walk = Walk { depth: 5, hidden: Hidden::Entered, ..Walk::STANDARD };

pub const AMP: Host = Host {
    id: HostId("amp"),
    name: "Amp",
    detect: Detect {
        programs: &["amp"],
        packages: &["@ampcode/cli", "@sourcegraph/amp"],
        folders: &[Folder::fixed(".config/amp")],
        inside: &["AMP_CURRENT_THREAD_ID"],
        ..Detect::NEVER
    },
    proof: Proof::Program("0.0.1790142911"),
    settings_paths,
    roots,
    siblings: Siblings::Listed,
    evaluation: Evaluation {
        rules: Order::FirstMatch,
        denied: Denied::Listed,
        head: Some(&head::READER),
        profile: Profile {
            refuses: &[
                "path-encoding",
                "name-missing",
                "name-empty",
                "name-length",
                "name-case",
                "name-hyphen-edge",
                "name-double-hyphen",
                "name-chars",
                "name-ascii",
                "yaml-repaired",
                "yaml:duplicate-key",
            ],
            takes: &["file-name"],
        },
        forms: RuleForms::each(&[
            PatternKind::Any,
            PatternKind::Exact,
            PatternKind::Prefix,
            PatternKind::Glob,
        ]),
        ..Evaluation::HOST
    },
    rulings,
    control: Control { layers: &[Layer::User], rules: Some(permissions::plan), ..Control::NONE },
    mention: MentionForm::Prose("Use the ", " skill to "),
    probe: Some(&super::probe::AMP),
    ..Host::PLAIN
};

fn settings_paths(context: &Context) -> Vec<SettingsPath> {
    paths(context, Path::new(MACHINE))
}

/// The file that the variable names; otherwise `settings.json`, or `settings.jsonc` if only that
/// exists. Above it the administrator's, in this folder.
fn paths(context: &Context, machine: &Path) -> Vec<SettingsPath> {
    let folder = context.folder(CONFIG).map(|folder| folder.join("amp"));
    let usual = |folder: PathBuf| {
        let (json, jsonc) = (folder.join("settings.json"), folder.join("settings.jsonc"));
        if jsonc.exists() && !json.exists() { jsonc } else { json }
    };
    let named = context.variable("AMP_SETTINGS_FILE").map(|file| context.cwd.join(file));
    let path = named.or_else(|| folder.map(usual));
    let own = path.map(|path| shapes::file(path, Layer::User, Format::Jsonc));
    let managed = machine.join("managed-settings.json");
    let managed = SettingsPath {
        role: MANAGED,
        ignored: shapes::marked(&managed),
        remark: Some("its permissions do not count".to_owned()),
        ..shapes::file(managed, Layer::Managed, Format::Jsonc)
    };
    own.into_iter().chain([managed]).collect()
}

/// The person's three folders come before those from the working directory up to the file system's
/// root; a setting leaves out the two that agents share. All `.claude` folders come after all
/// `.agents` folders, then what Claude Code has fetched of plugins, unless a setting leaves them
/// out. The folders of `amp.skills.path` are last.
fn roots(reading: &Reading) -> Vec<Root> {
    let context = &reading.context;
    let setting = |key: &str| reading.highest(&[key]).map(|(_, node)| node);
    if setting(PATH).is_some_and(is_mistyped) {
        return Vec::new();
    }
    let has = |key: &str| !setting(key).is_some_and(is_truthy);
    let claude = has("amp.skills.disableClaudeCodeSkills");
    let shared = has("amp.skills.disableGlobalAgentsSkills");
    let root = |path: PathBuf, scope| Root::new(path, scope, AMP.id, WALK);
    let home = context.home.as_deref();
    let in_home = |folder: &str| home.map(|home| root(home.join(folder), Scope::User));
    let above = |folder: &'static str| {
        let above = context.cwd.ancestors().filter(|above| Some(*above) != home);
        above.map(move |above| root(above.join(folder), Scope::Repo))
    };
    let both = [".config/agents/skills", ".agents/skills"].into_iter().filter(|_| shared);
    let mut roots: Vec<Root> = both.chain([".config/amp/skills"]).filter_map(in_home).collect();
    roots.extend(above(".agents/skills"));
    if claude {
        let in_home = [".claude/skills", ".claude/plugins/cache"].into_iter().filter_map(in_home);
        roots.extend(above(".claude/skills").chain(in_home));
    }
    let named = setting(PATH).and_then(Node::text).unwrap_or_default();
    let named = named.split(':').filter(|text| !text.is_empty());
    let named = named.filter_map(|text| context.path(text, &context.cwd));
    roots.extend(named.map(|path| root(path, Scope::User).named()));
    shapes::once(roots)
}

/// What is no text here hides all skills.
fn is_mistyped(path: &Node) -> bool {
    !matches!(path.kind, Kind::Null | Kind::Text(_))
}

/// Whether JavaScript takes a value for true.
fn is_truthy(node: &Node) -> bool {
    match &node.kind {
        Kind::Null => false,
        Kind::Flag(flag) => *flag,
        Kind::Text(text) => !text.is_empty(),
        Kind::Number(number) => number.parse() != Ok(0.0),
        _ => true,
    }
}

/// Amp stops at a file with a byte order mark, with nothing in it or with `null`. What is JSON
/// otherwise and no object says nothing. Of the administrator's it takes what it can read.
fn rulings(reading: &Reading, policy: &mut Policy) {
    permissions::rules(reading, policy);
    for file in &reading.files {
        let is_managed = file.location.role == MANAGED;
        let json = || shapes::json(&file.location.path);
        let is_passed_over =
            || is_managed || json().is_some_and(|json| !json.is_object() && !json.is_null());
        if let Some((line, reason)) = file.content.fault()
            && file.location.ignored.is_none()
            && is_passed_over()
        {
            file.report(policy, line, format!("{reason}: Amp takes nothing from it"));
        }
        let Content::Read(node) = &file.content else { continue };
        if !is_managed && let Some(what) = shapes::no_json(file) {
            file.deny_all(policy, node.line, format!("Amp takes no file {what}"));
        }
        if let Some(path) = file.at(&[PATH]).filter(|path| is_mistyped(path)) {
            file.report(policy, path.line, format!("{PATH} is no text, so Amp has no skills"));
        }
    }
}

#[cfg(test)]
mod tests;
