//! Codex. Checked with its program (`codex app-server`, `skills/list`; `just differ codex`) and its
//! source (`core-skills/src/{loader,config_rules}.rs`).
//!
//! Its settings are in [`layers`]; of these `skills.config` counts only in the person's file.

mod head;
mod layers;
mod plugins;
mod typed;

use super::{
    Candidates, Context, Control, Detect, Duplicates, Folder, Host, MentionForm, Proof, Reading,
    SettingsFile, Wanted, built_in, shapes,
};
use crate::catalog::{Enablement, Hidden, HostId, Root, Scope, SingleFiles, Walk};
use crate::policy::budget::EvenPortions;
use crate::policy::change::Refusal;
use crate::policy::{Budget, Evaluation, InvocationFields, Layer, Policy, Profile, Ruling, Target};
use crate::settings::{Edit, Kind, Node, entry, keys};
use std::path::{Path, PathBuf};

const HOME: Folder = Folder { variable: "CODEX_HOME", default: ".codex", tilde: false };

const SETTINGS: &str = "settings";

/// Six folders deep, without hidden ones. A `SKILL.md` that is a link is left out.
const WALK: Walk = Walk {
    depth: 6,
    itself: true,
    hidden: Hidden::Skipped,
    modules: true,
    nested: true,
    links: true,
    linked_file: false,
    ignores: false,
    single_files: SingleFiles::PassedOver,
};

pub const CODEX: Host = Host {
    id: HostId("codex"),
    name: "Codex",
    detect: Detect {
        programs: &["codex"],
        packages: &["@openai/codex"],
        folders: &[HOME],
        inside: &["CODEX_THREAD_ID", "CODEX_SANDBOX"],
        ..Detect::NEVER
    },
    proof: Proof::Program("0.171.0"),
    settings_paths: layers::settings_paths,
    roots,
    duplicates: Duplicates::Ambiguous,
    evaluation: Evaluation {
        reads: InvocationFields { implicit: true, products: true, ..InvocationFields::NONE },
        // A file that is not UTF-8, by the `errors` of skills/list; its parser says the rest.
        head: Some(&head::READER),
        profile: Profile {
            refuses: &[
                "file-case",
                "path-encoding",
                "bom",
                "encoding",
                "yaml:duplicate-key",
                "name-length",
            ],
            takes: &[],
        },
        ..Evaluation::HOST
    },
    rulings,
    control: Control {
        layers: &[Layer::User],
        states: Control::ON_OFF,
        switch: Some(switch),
        launch: Some(launch_line),
        ..Control::NONE
    },
    mention: MentionForm::Dollar { link: true },
    budget,
    prompt: super::PromptArgument::Last,
    line: super::LineOptions {
        switches: &[
            "--all",
            "--dangerously-bypass-approvals-and-sandbox",
            "--full-auto",
            "--json",
            "--last",
            "--no-alt-screen",
            "--oss",
            "--search",
            "--skip-git-repo-check",
            "--yolo",
        ],
        prompts: &[],
    },
    probe: Some(&super::probe::CODEX),
    ..Host::PLAIN
};

/// In the order of its source: the projects' own folders, nearest first; the person's; Codex's own;
/// the administrator's; `.agents/skills` from the project's root down; the plugins'. Each folder
/// once.
fn roots(reading: &Reading) -> Vec<Root> {
    let context = &*reading.context;
    let chain = layers::chain(reading);
    let root = |path: PathBuf, scope| Root::new(path, scope, CODEX.id, WALK);
    let own = context.folder(HOME);
    let mut roots: Vec<Root> = Vec::new();
    let projects = chain
        .iter()
        .map(|folder| folder.join(".codex"))
        .filter(|folder| own.as_ref() != Some(folder));
    roots.extend(projects.map(|folder| root(folder.join("skills"), Scope::Repo)));
    if let Some(own) = &own {
        roots.push(root(own.join("skills"), Scope::User));
    }
    roots.extend(context.home.iter().map(|home| root(home.join(".agents/skills"), Scope::User)));
    if let Some(own) = &own {
        let walk = Walk { links: false, ..WALK };
        let closed =
            bundled_off(reading).then_some("its own skills are switched off ([skills.bundled])");
        let version = CODEX.detect.look(context).and_then(|installed| installed.version);
        let version = version.map(|version| version.to_string());
        let folder = own.join("skills/.system");
        roots.push(Root { closed, ..built_in::root(&CODEX, version, folder, walk) });
    }
    roots.push(root(Path::new(layers::MACHINE).join("skills"), Scope::System));
    roots.extend(chain.iter().rev().map(|folder| root(folder.join(".agents/skills"), Scope::Repo)));
    roots.extend(plugins::roots(reading));
    shapes::once(roots)
}

fn bundled_off(reading: &Reading) -> bool {
    let said = layers::said(reading, &["skills", "bundled", "enabled"]);
    said.and_then(|(_, node)| node.flag()) == Some(false)
}

/// The context window of its models, unless the settings say another one.
const WINDOW: usize = 272_000;

/// The most tokens that the settings may give to skills.
const MAX_TOKENS: usize = 10_000;

/// Two of a hundred tokens of the context window, or as many as the settings say.
fn budget(reading: &Reading, window: Option<usize>) -> Budget {
    let amount = |path: &[&str]| {
        let (_, node) = layers::said(reading, path)?;
        node.number().filter(|number: &usize| *number > 0)
    };
    let window = window.or_else(|| amount(&["model_context_window"])).unwrap_or(WINDOW);
    let limit = amount(&["skills", "max_context_tokens"]).map(|most| most.min(MAX_TOKENS));
    let limit = limit.unwrap_or_else(|| (window * 2 / 100).max(1));
    Budget::EvenPortions(EvenPortions { limit, description: 1_024 })
}

/// One entry of `skills.config`.
struct SwitchEntry {
    line: u32,
    /// Its skills, or why it has no effect.
    target: Result<Target, &'static str>,
    /// Its skills as the file writes them.
    said: String,
    enabled: bool,
    /// Whether it has no more than we write into one: no comment, no other key.
    bare: bool,
}

/// Whether an entry has two keys, and no comment in its lines or right above them.
fn is_bare(file: &SettingsFile, node: &Node) -> bool {
    let last = node.fields().iter().map(|field| field.line).max().unwrap_or(node.line);
    let lines = node.line.saturating_sub(1)..=last;
    node.fields().len() == 2 && file.hashes.range(lines).next().is_none()
}

/// The line at which Codex stops reading its settings, and why.
type Fault = (u32, String);

fn fault(node: &Node, what: &str) -> Fault {
    (node.line, format!("{what}: Codex loads no settings, and no skills"))
}

/// The entries of `skills.config`. If Codex cannot read one, it loads no settings and no skills.
fn entries(reading: &Reading, file: &SettingsFile) -> Result<Vec<SwitchEntry>, Fault> {
    if let Some((line, what)) = typed::refused(reading, file) {
        return Err((line, format!("{what}: Codex loads no settings, and no skills")));
    }
    let Some(skills) = file.at(&["skills"]) else { return Ok(Vec::new()) };
    // `[[skills]]` is accepted, and says nothing.
    if matches!(skills.kind, Kind::List(_)) {
        return Ok(Vec::new());
    }
    if !matches!(skills.kind, Kind::Table(_)) {
        return Err(fault(skills, "`skills` is not a table"));
    }
    if let Some(bundled) = skills.get("bundled")
        && (!matches!(bundled.kind, Kind::Table(_))
            || bundled.get("enabled").is_some_and(|node| node.flag().is_none()))
    {
        return Err(fault(bundled, "`skills.bundled` cannot be read"));
    }
    let Some(config) = skills.get("config") else { return Ok(Vec::new()) };
    if !matches!(config.kind, Kind::List(_)) {
        return Err(fault(config, "`skills.config` is not a list"));
    }
    let folder = file.location.path.parent().unwrap_or(&file.location.path);
    let read = |node| {
        let bare = is_bare(file, node);
        Ok(SwitchEntry { bare, ..switch_entry(&reading.context, folder, node)? })
    };
    config.items().iter().map(read).collect()
}

fn switch_entry(context: &Context, folder: &Path, node: &Node) -> Result<SwitchEntry, Fault> {
    let enabled = node.get("enabled").and_then(Node::flag);
    let enabled =
        enabled.ok_or_else(|| fault(node, "an entry of `skills.config` does not say `enabled`"))?;
    let (path, name) = (node.get("path"), node.get("name"));
    if [path, name].into_iter().flatten().any(|node| node.text().is_none()) {
        return Err(fault(
            node,
            "an entry of `skills.config` has a name or a path that is not text",
        ));
    }
    let (path, name) = (path.and_then(Node::text), name.and_then(Node::text).map(str::trim));
    let said = match (path, name) {
        (Some(path), _) => format!("path \"{path}\""),
        (None, Some(name)) => format!("name \"{name}\""),
        (None, None) => String::new(),
    };
    let target = match (path, name) {
        (Some(path), None) => of_path(context, folder, path),
        (None, Some("")) | (None, None) => {
            Err("an entry of `skills.config` names nothing, and has no effect")
        }
        (None, Some(name)) => Ok(Target::Name(name.to_owned())),
        (Some(_), Some(_)) => {
            Err("an entry of `skills.config` has a path and a name, and so no effect")
        }
    };
    Ok(SwitchEntry { line: node.line, target, said, enabled, bare: false })
}

/// A path of a rule: from `~/`, or relative to the settings file's folder; links are followed.
fn of_path(context: &Context, folder: &Path, text: &str) -> Result<Target, &'static str> {
    let path = context
        .path(text, folder)
        .ok_or("a path begins with `~`, and there is no home directory")?;
    let real = std::fs::canonicalize(&path).unwrap_or(path);
    match real.is_dir() {
        true => Err(
            "an entry of `skills.config` names a folder, and has no effect: it must name the SKILL.md",
        ),
        false => Ok(Target::Path(real)),
    }
}

/// Whether the variable names a folder that is not there, so that Codex does not start.
fn is_homeless(context: &Context) -> bool {
    context.variable(HOME.variable).is_some()
        && context.folder(HOME).is_some_and(|folder| !folder.is_dir())
}

fn rulings(reading: &Reading, policy: &mut Policy) {
    for file in reading.of_role(SETTINGS) {
        if file.location.layer == Layer::User && is_homeless(&reading.context) {
            file.deny_all(policy, 1, "CODEX_HOME names no folder, so Codex does not start");
        }
        let entries = match entries(reading, file) {
            Ok(entries) => entries,
            Err((line, why)) => {
                file.deny_all(policy, line, why);
                continue;
            }
        };
        if file.location.layer != Layer::User {
            continue;
        }
        for SwitchEntry { line, target, said, enabled, .. } in entries {
            match target {
                Ok(target) => {
                    let text = format_args!("skills.config {said}");
                    policy.switches.push(file.switch(target, enabled.into(), line, text));
                }
                Err(why) => file.report(policy, line, why),
            }
        }
    }
    if let Some((file, node)) = layers::said(reading, &["skills", "include_instructions"])
        && node.flag() == Some(false)
    {
        let origin = file.origin(node.line, "skills.include_instructions false");
        policy.told = Ruling::new(false, origin);
    }
    plugins::rulings(reading, policy);
}

/// A skill is disabled by its path, one of a plugin by its name, since its path changes with each
/// version. It is enabled by taking back what disables it. If that is a name that other skills have
/// too, an entry that enables the path is added after it. Where an entry decides that has more than
/// we write into one, it is turned where it stands.
fn switch(reading: &Reading, wanted: &Wanted<'_>) -> Candidates {
    let file = match wanted.layer {
        Layer::User => reading.writable(Layer::User, SETTINGS)?,
        layer @ Layer::Project => {
            let why = "Codex reads skills.config from the user file only";
            return Err(Refusal::Ignored { layer, why });
        }
        layer => return Err(Refusal::NoPlace(layer)),
    };
    let entries = entries(reading, file).map_err(|(line, why)| file.stopped(line, why))?;
    let path = wanted.skill.path.to_str().ok_or(Refusal::Path)?;
    let off = wanted.state == Enablement::Off;
    let array = &["skills", "config"];
    let by_path = |entry: &SwitchEntry| matches!(&entry.target, Ok(Target::Path(target)) if *target == wanted.skill.path);
    let by_name = |entry: &SwitchEntry| matches!(&entry.target, Ok(Target::Name(name)) if name == wanted.name);
    let turned = |index| {
        let entries = vec![entry("enabled", !off)];
        Edit::SetElement { array: keys(array), index, entries }
    };
    // From the last one on, so that the indices of the others stay valid.
    let back = |covers: &dyn Fn(&SwitchEntry) -> bool| -> Vec<Edit> {
        let against = |entry: &SwitchEntry| entry.enabled == off && covers(entry);
        let all = entries.iter().enumerate().rev().filter(|(_, entry)| against(entry));
        let back = all.map(|(index, entry)| match entry.bare {
            true => Edit::remove_element(array, index),
            false => turned(index),
        });
        back.collect()
    };
    let mut candidates = vec![Vec::new()];
    if !off {
        candidates.push(vec![file.edit(back(&by_path))]);
        if wanted.alone {
            candidates.push(vec![file.edit(back(&|entry| by_path(entry) || by_name(entry)))]);
        }
    }
    let has_prefix = wanted.skill.root.plugin.as_ref().is_some_and(|it| !it.prefix.is_empty());
    let is_named = off && wanted.alone && has_prefix;
    let is_said = |entry: &SwitchEntry| if is_named { by_name(entry) } else { by_path(entry) };
    // Of several entries the last one decides. What is written beside it stays.
    if let Some(index) = entries.iter().rposition(is_said) {
        candidates.push(vec![file.edit(vec![turned(index)])]);
    }
    let moves = |entry: &SwitchEntry| entry.bare && (by_path(entry) || is_said(entry));
    let moved = entries.iter().enumerate().rev().filter(|(_, entry)| moves(entry));
    let mut edits: Vec<Edit> = moved.map(|(index, _)| Edit::remove_element(array, index)).collect();
    let said = if is_named { entry("name", wanted.name) } else { entry("path", path) };
    let (index, new) = (entries.len() - edits.len(), vec![said, entry("enabled", !off)]);
    // An equal entry may stand before the one that decides.
    edits.push(match index {
        0 => Edit::push_table(array, new),
        _ => Edit::InsertTable { array: keys(array), index, entries: new },
    });
    candidates.push(vec![file.edit(edits)]);
    Ok(candidates)
}

/// `codex -c 'skills.config=[{name="noisy",enabled=false}]'`: `-c` counts after the file.
fn launch_line(_: &Reading, names: &[&str]) -> Option<String> {
    let entry = |name: &&str| format!("{{name={},enabled=false}}", shapes::json_text(name));
    let entries: Vec<String> = names.iter().map(entry).collect();
    Some(format!(
        "codex -c {}",
        shapes::shell_word(&format!("skills.config=[{}]", entries.join(",")))?
    ))
}

#[cfg(test)]
mod tests;
