//! RemcoChat: read from its source. A server whose skills are off until its `config.toml` turns
//! them on. They are in the folders that this file lists; there is no switch for one skill.

mod head;

use super::{
    Context, Detect, Folder, Host, Limits, Proof, Reading, SettingsPath, Siblings, shapes,
};
use crate::catalog::{HostId, Root, Walk};
use crate::policy::{Evaluation, Layer, Origin, Policy, Profile, Ruling};
use crate::settings::{Format, Kind, Node};
use std::path::PathBuf;

pub const REMCOCHAT: Host = Host {
    id: HostId("remcochat"),
    name: "RemcoChat",
    detect: Detect { programs: &[], folders: &[Folder::fixed(".remcochat")], ..Detect::NEVER },
    proof: Proof::Source("84076e1 and what followed"),
    settings_paths,
    roots,
    evaluation: Evaluation {
        profile: Profile { refuses: REFUSES, takes: &[] },
        head: Some(&head::READER),
        ..Evaluation::HOST
    },
    rulings,
    siblings: Siblings::LastFirst,
    limits: Limits { discovered: Some(200), entries: Some(200), ..Limits::NONE },
    ..Host::PLAIN
};

/// Its reader requires `---` as the very first bytes; its YAML parser refuses duplicate keys and
/// repairs nothing.
const REFUSES: &[&str] = &[
    "file-case",
    "bom",
    "yaml-repaired",
    "yaml:duplicate-key",
    "name-missing",
    "name-empty",
    "name-length",
    "name-case",
    "name-hyphen-edge",
    "name-double-hyphen",
    "name-chars",
    "name-ascii",
    "name-dir-mismatch",
    "desc-length",
];

/// The whole tree without linked folders. Its first version read immediate children only.
const WALK: Walk = Walk { modules: true, links: false, ..Walk::BROWSE };

/// The folders if the file lists none.
const FOLDERS: [&str; 4] =
    ["./.skills", "./.agents/skills", "~/.agents/skills", "~/.remcochat/skills"];

/// `REMCOCHAT_CONFIG_PATH`, else the `config.toml` of the working directory.
fn settings_paths(context: &Context) -> Vec<SettingsPath> {
    let named =
        context.variable("REMCOCHAT_CONFIG_PATH").and_then(|path| path.to_str()).map(str::trim);
    let path = context.cwd.join(named.filter(|path| !path.is_empty()).unwrap_or("config.toml"));
    vec![shapes::file(path, Layer::Project, Format::Toml)]
}

/// The folders that the file lists, in its order: absolute, relative to the working directory, or
/// from home. `.agents/skills` means the folder of that name in every directory up the tree,
/// nearest first.
fn roots(reading: &Reading) -> Vec<Root> {
    let context = &reading.context;
    let listed = reading.files.iter().find_map(|file| file.at(&["app", "skills", "directories"]));
    let listed: Vec<&str> =
        listed.map_or(&[][..], Node::items).iter().filter_map(Node::text).map(str::trim).collect();
    let listed: Vec<&str> = listed.into_iter().filter(|text| !text.is_empty()).collect();
    let root = |path: PathBuf| {
        let scope = context.scope(&path);
        Root::new(path, scope, REMCOCHAT.id, WALK)
    };
    let named = if listed.is_empty() { &FOLDERS[..] } else { &listed };
    let roots = named.iter().flat_map(|text| folders(context, text)).map(root);
    shapes::once(roots.map(|root| Root { named: !listed.is_empty(), ..root }))
}

fn folders(context: &Context, text: &str) -> Vec<PathBuf> {
    let upward = text.trim_end_matches('/').trim_start_matches("./") == ".agents/skills";
    let Some(own) = context.path(text, &context.cwd).map(|path| context.resolve(path)) else {
        return Vec::new();
    };
    let above = || context.cwd.ancestors().skip(1).map(|folder| folder.join(".agents/skills"));
    let own = if upward { context.cwd.join(".agents/skills") } else { own };
    std::iter::once(own).chain(above().filter(|path| upward && path.is_dir())).collect()
}

/// Off until `[app.skills] enabled = true`. Settings for skills with which RemcoChat would not
/// start turn nothing on.
fn rulings(reading: &Reading, policy: &mut Policy) {
    policy.skills_enabled = Ruling::new(false, Origin::Host("RemcoChat's own default"));
    for file in &reading.files {
        let (Some(top), Some(skills)) = (file.effective(), file.at(&["app", "skills"])) else {
            continue;
        };
        let enabled = skills.get("enabled");
        let on = enabled.and_then(Node::flag);
        let line = enabled.map_or(skills.line, |node| node.line);
        let mut amount = |key| file.amount(&["app", "skills", key], policy);
        let skills_limit = amount("max_skills");
        let limits = Limits {
            discovered: skills_limit,
            entries: skills_limit,
            skill_md: amount("max_skill_md_bytes"),
            resource: amount("max_resource_bytes"),
            ..Limits::NONE
        };
        policy.limits = limits;
        if let Some((line, message)) = other_version(top) {
            file.report(policy, line, message);
        }
        if let Some((line, message)) = fault(skills) {
            file.report(policy, line, message);
            policy.skills_enabled = Ruling::new(false, file.unreadable(line, "app.skills"));
        } else if let Some(on) = on {
            let origin = file.origin(line, format_args!("app.skills.enabled {on}"));
            policy.skills_enabled = Ruling::new(on, origin);
        }
    }
}

/// RemcoChat starts with version 2 only. The seed's own example is older, so it is read as well.
fn other_version(top: &Node) -> Option<(u32, &'static str)> {
    let version = top.get("version");
    let is_two = version.is_some_and(|node| node.kind == Kind::Number("2".to_owned()));
    let line = version.map_or(1, |node| node.line);
    (!is_two).then_some((line, "RemcoChat does not start with a version other than 2"))
}

/// The first setting for skills with which RemcoChat would not start.
fn fault(skills: &Node) -> Option<(u32, &'static str)> {
    let texts = |node: &Node| {
        let list = matches!(node.kind, Kind::List(_));
        list && node.items().iter().all(|item| item.text().is_some())
    };
    let enabled = skills.get("enabled").filter(|node| node.flag().is_none());
    let enabled = enabled.map(|node| (node.line, "app.skills.enabled is not true or false"));
    let folders = skills.get("directories").filter(|node| !texts(node));
    enabled.or(folders.map(|node| (node.line, "app.skills.directories is not a list of folders")))
}

#[cfg(test)]
mod tests;
