//! Codelia: read from its source. It looks in `.agents/skills` from its own kind of root down to
//! the working directory. Settings only say whether a skill may be loaded: its switch is kept in
//! memory.

mod head;

use super::{
    Candidates, Context, Control, Detect, Duplicates, FileEdit, Folder, Host, Limits, MentionForm,
    Proof, Reading, SettingsFile, SettingsPath, Wanted, WantedRules, shapes,
};
use crate::catalog::{Enablement, HostId, Permission, Root, Scope, Walk};
use crate::policy::budget::FirstThatFit;
use crate::policy::change::{NewRule, Refusal};
use crate::policy::{
    Budget, Denied, Evaluation, Layer, Names, Order, Pattern, PatternKind, Policy, Profile, Rule,
    RuleForms, Ruling, Tool, is_kebab,
};
use crate::settings::{Edit, Format, Kind, Node, entry};
use std::path::{Path, PathBuf};

const FOLDER: &str = ".agents/skills";

/// The version of its settings files. Codelia does not start with another version.
const VERSION: i64 = 1;

pub const CODELIA: Host = Host {
    id: HostId("codelia"),
    name: "Codelia",
    detect: Detect {
        programs: &["codelia"],
        folders: &[Folder::fixed(".codelia")],
        ..Detect::NEVER
    },
    proof: Proof::Source("3fe5dc9"),
    settings_paths,
    roots,
    duplicates: Duplicates::Ambiguous,
    evaluation: Evaluation {
        rules: Order::Strictest,
        denied: Denied::Kept,
        forms: RuleForms {
            ask: &[],
            names: Names::Kebab,
            ..RuleForms::each(&[PatternKind::Any, PatternKind::Exact])
        },
        profile: Profile { refuses: REFUSES, takes: &[] },
        head: Some(&head::READER),
        ..Evaluation::HOST
    },
    rulings,
    control: Control {
        layers: &[Layer::User, Layer::Project],
        states: &[Enablement::On, Enablement::UserOnly],
        switch: Some(switch),
        by_rule: true,
        rules: Some(rules),
        because: "Codelia joins the deny rules of its files, and none takes back another's",
        ..Control::NONE
    },
    budget: |reading, _| budget(reading),
    mention: MentionForm::Dollar { link: false },
    limits: Limits {
        entries: Some(ENTRIES),
        bytes: Some(BYTES),
        found: Some(8),
        most_found: Some(50),
        ..Limits::NONE
    },
    ..Host::PLAIN
};

/// The most skills of its catalog, and their bytes, unless its settings say otherwise.
const ENTRIES: usize = 200;
const BYTES: usize = 32_768;

/// Its reader requires `---` as the very first bytes.
pub(super) const REFUSES: &[&str] = &[
    "file-case",
    "bom",
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

/// The whole tree without links, since it asks each entry whether it is a folder or a file.
const WALK: Walk = Walk { modules: true, links: false, linked_file: false, ..Walk::BROWSE };

/// The person's file (`CODELIA_CONFIG_PATH`, or by `CODELIA_LAYOUT=xdg` below the platform's
/// folder), and that of the working directory.
fn settings_paths(context: &Context) -> Vec<SettingsPath> {
    let location = |path, layer| SettingsPath {
        fresh: vec![Edit::set(&[], "version", VERSION)],
        ..shapes::file(path, layer, Format::Json)
    };
    let own = own_file(context).map(|path| location(path, Layer::User));
    own.into_iter()
        .chain([location(context.cwd.join(".codelia/config.json"), Layer::Project)])
        .collect()
}

fn own_file(context: &Context) -> Option<PathBuf> {
    if let Some(named) = said(context, "CODELIA_CONFIG_PATH") {
        return Some(context.resolve(named));
    }
    if said(context, "CODELIA_LAYOUT").is_some_and(|layout| layout.eq_ignore_ascii_case("xdg")) {
        let folder = Folder { variable: "XDG_CONFIG_HOME", default: ".config", tilde: false };
        return context.folder(folder).map(|folder| folder.join("codelia/config.json"));
    }
    context.home.as_ref().map(|home| home.join(".codelia/config.json"))
}

/// A variable without the blanks around it. Codelia takes a variable of blanks for unset.
fn said<'a>(context: &'a Context, variable: &str) -> Option<&'a str> {
    context.variable(variable)?.to_str().map(str::trim).filter(|text| !text.is_empty())
}

/// Every directory from its root down to the working directory, then the person's own. The home
/// directory may be the root, since Codelia's settings are in `~/.codelia`: then the person's own
/// skills have the repository's scope.
fn roots(reading: &Reading) -> Vec<Root> {
    let context = &reading.context;
    let root = |folder: &Path, scope| Root::new(folder.join(FOLDER), scope, CODELIA.id, WALK);
    let chain = chain(context);
    let own = context.home.as_ref().map(|home| root(home, Scope::User));
    shapes::once(chain.iter().map(|folder| root(folder, Scope::Repo)).chain(own))
}

/// From its root down. The root is what `CODELIA_AGENTS_ROOT` names, or the nearest folder with a
/// marker, which `CODELIA_AGENTS_MARKERS` may list. Empty if the root is not above the working
/// directory.
fn chain(context: &Context) -> Vec<PathBuf> {
    let mut folders = match said(context, "CODELIA_AGENTS_ROOT") {
        Some(named) => {
            let top = context.resolve(named);
            context
                .cwd
                .ancestors()
                .take_while(|folder| folder.starts_with(&top))
                .map(Path::to_owned)
                .collect()
        }
        None => {
            let markers = said(context, "CODELIA_AGENTS_MARKERS")
                .unwrap_or_default()
                .split(',')
                .map(str::trim);
            let markers: Vec<&str> = markers.filter(|marker| !marker.is_empty()).collect();
            context.chain_to(if markers.is_empty() {
                &[".codelia", ".git", ".jj"]
            } else {
                &markers
            })
        }
    };
    folders.reverse();
    folders
}

/// Rules of all files are joined; the highest file that says `skills.enabled` decides.
fn rulings(reading: &Reading, policy: &mut Policy) {
    for file in &reading.files {
        let Some(top) = file.effective() else { continue };
        unsupported(file, top, policy);
        for (list, effect) in LISTS {
            for (index, node) in file.items(&["permissions", list]).iter().enumerate() {
                let Some(written) = Written::read(node) else {
                    if node.text_of("tool").is_none_or(str::is_empty) {
                        let message =
                            format!("Codelia ignores rule {} of permissions.{list}", index + 1);
                        file.report(policy, node.line, message);
                    }
                    continue;
                };
                if written.vague {
                    let message = "the rule's skill_name is no name, so it is about every skill";
                    file.report(policy, node.line, message);
                }
                policy.rules.extend(written.rule(effect, file));
            }
        }
        let limits = limits(file, policy);
        policy.limits = limits.or(policy.limits);
        let Some(enabled) = file.at(&["skills", "enabled"]) else { continue };
        match enabled.flag() {
            Some(on) => {
                policy.skills_enabled =
                    Ruling::new(on, file.origin(enabled.line, format!("skills.enabled {on}")))
            }
            None => {
                let message = "Codelia ignores a skills.enabled that is not true or false";
                file.report(policy, enabled.line, message);
            }
        }
    }
}

/// COD-9.2 and 9.3.
fn limits(file: &SettingsFile, policy: &mut Policy) -> Limits {
    let mut amount = |table, key| file.amount(&["skills", table, key], policy);
    Limits {
        entries: amount("initial", "maxEntries"),
        bytes: amount("initial", "maxBytes"),
        found: amount("search", "defaultLimit"),
        most_found: amount("search", "maxLimit"),
        ..Limits::NONE
    }
}

fn budget(reading: &Reading) -> Budget {
    let limits = CODELIA.policy(reading).limits;
    let (entries, bytes) = (limits.entries.unwrap_or(ENTRIES), limits.bytes.unwrap_or(BYTES));
    Budget::FirstThatFit(FirstThatFit { entries, bytes })
}

/// Its lists of rules.
const LISTS: [(&str, Permission); 2] = [("allow", Permission::Allow), ("deny", Permission::Deny)];

/// Codelia does not start with a file of another version, so nothing may be loaded.
fn unsupported(file: &SettingsFile, top: &Node, policy: &mut Policy) {
    let version = top.get("version");
    if version.is_some_and(|node| node.kind == Kind::Number(VERSION.to_string())) {
        return;
    }
    let line = version.map_or(1, |node| node.line);
    let origin = file.unreadable(line, "unsupported version");
    policy.rules.push(Rule::loading(Pattern::Any, Permission::Deny, origin, file.location.layer));
    let message = format!("Codelia does not start with settings whose version is not {VERSION}");
    file.report(policy, line, message);
}

struct Written {
    /// `None` for a rule about the whole tool.
    name: Option<String>,
    /// Whether its name is invalid, so that Codelia ignores the name.
    vague: bool,
    line: u32,
}

impl Written {
    /// `None` for rules about other tools, and for those about commands, which never match a skill.
    fn read(node: &Node) -> Option<Self> {
        let about_commands = || {
            ["command", "command_glob"]
                .iter()
                .any(|key| node.text_of(key).is_some_and(|text| !text.is_empty()))
        };
        if node.text_of("tool") != Some(Tool::SkillLoad.word()) || about_commands() {
            return None;
        }
        let name = node
            .text_of("skill_name")
            .map(|name| name.trim().to_lowercase())
            .filter(|name| is_kebab(name));
        Some(Self {
            vague: name.is_none() && node.get("skill_name").is_some(),
            name,
            line: node.line,
        })
    }

    /// The rule in our terms. An allow that is not fully understood grants nothing.
    fn rule(&self, effect: Permission, file: &SettingsFile) -> Option<Rule> {
        if self.vague && effect == Permission::Allow {
            return None;
        }
        let pattern = self.pattern();
        let name = self
            .name
            .as_ref()
            .map_or_else(|| Tool::SkillLoad.word().to_owned(), |name| format!("\"{name}\""));
        let text = format_args!("permissions.{} {name}", effect.word());
        Some(file.rule(pattern, effect, self.line, text))
    }

    fn pattern(&self) -> Pattern {
        self.name.clone().map_or(Pattern::Any, Pattern::Exact)
    }
}

/// Codelia keeps its own switch only in memory, so we write the rule that denies loading.
fn switch(reading: &Reading, wanted: &Wanted<'_>) -> Candidates {
    let effect = if wanted.state == Enablement::On { Permission::Allow } else { Permission::Deny };
    permit(reading, effect, &Pattern::Exact(wanted.name.to_owned()), wanted.layer)
}

fn rules(reading: &Reading, wanted: &WantedRules<'_>, layer: Layer) -> Candidates {
    match wanted {
        WantedRules::One(rule) if rule.tool != Tool::SkillLoad => {
            Err(Refusal::Lacks("rules about scripts"))
        }
        WantedRules::One(rule) => permit(reading, rule.effect, &rule.pattern, layer),
        WantedRules::All(rules) => all(reading, rules, layer),
    }
}

/// What no rule denies is allowed: to allow, remove the deny rules; to deny, add one.
fn permit(reading: &Reading, effect: Permission, pattern: &Pattern, layer: Layer) -> Candidates {
    let file = reading.writable(layer, "settings")?;
    let mut candidates = vec![Vec::new()];
    if effect == Permission::Deny {
        candidates.push(vec![file.edit(vec![push(effect, pattern)])]);
        return Ok(candidates);
    }
    let denied = written(file, "deny")
        .filter(|(_, rule)| rule.pattern() == *pattern)
        .map(|(index, _)| index);
    let edits: Vec<Edit> = denied.rev().map(|index| remove("deny", index)).collect();
    if !edits.is_empty() {
        candidates.push(vec![file.edit(edits)]);
    }
    Ok(candidates)
}

/// Replaces the file's rules about loading. Rules about other tools stay.
fn all(reading: &Reading, rules: &[NewRule], layer: Layer) -> Candidates {
    let file = reading.writable(layer, "settings")?;
    if rules.iter().any(|rule| rule.tool != Tool::SkillLoad) {
        return Err(Refusal::Lacks("rules about scripts"));
    }
    let mut edits = Vec::new();
    for (list, effect) in LISTS {
        let mut missing: Vec<&Pattern> =
            rules.iter().filter(|rule| rule.effect == effect).map(|rule| &rule.pattern).collect();
        let mut gone = Vec::new();
        for (index, rule) in written(file, list) {
            match missing
                .iter()
                .position(|pattern| **pattern == rule.pattern())
                .filter(|_| !rule.vague)
            {
                Some(found) => drop(missing.remove(found)),
                None => gone.push(remove(list, index)),
            }
        }
        edits.extend(gone.into_iter().rev());
        edits.extend(missing.into_iter().map(|pattern| push(effect, pattern)));
    }
    let edits: Vec<FileEdit> = if edits.is_empty() { Vec::new() } else { vec![file.edit(edits)] };
    Ok(vec![edits])
}

/// The rules about loading in a list, with their indices.
fn written<'a>(
    file: &'a SettingsFile,
    list: &str,
) -> impl DoubleEndedIterator<Item = (usize, Written)> + use<'a> {
    file.items(&["permissions", list])
        .iter()
        .enumerate()
        .filter_map(|(index, node)| Some((index, Written::read(node)?)))
}

fn remove(list: &str, index: usize) -> Edit {
    Edit::remove_element(&["permissions", list], index)
}

fn push(effect: Permission, pattern: &Pattern) -> Edit {
    let mut entries = vec![entry("tool", Tool::SkillLoad.word())];
    entries.extend(pattern.text().map(|name| entry("skill_name", &*name)));
    Edit::push_table(&["permissions", effect.word()], entries)
}

#[cfg(test)]
mod tests;
