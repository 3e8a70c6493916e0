//! One settings file as it was read: its values with their lines, and its switches and rules in
//! file order.

use super::VERSION;
use super::inputs::Inputs;
use super::origin::{Origin, Problem, Setting, Written};
use super::personal::{self, WrittenKey};
use super::reader::{Listed, Reader, Unknown};
use super::recover;
use super::rules::{WrittenRule, read_rule};
use super::scripts::WrittenScripts;
use super::source::{Source, read};
use super::values::{FORMATS, FULL, PRECEDENCES, PREVIEWS, THEMES};
use crate::catalog::Permission;
use crate::catalog::validate::LARGE_BYTES;
use crate::policy::{Layer, Target};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toml_edit::{Document, TableLike};

/// One `[[skills.config]]` entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenSwitch {
    /// One target; none or two if the entry is faulty.
    pub targets: Vec<Target>,
    /// `None` if it cannot be read.
    pub enabled: Option<bool>,
    /// Whether the entry has no fault.
    pub sound: bool,
    /// Whether a person wrote a comment into it or right above it.
    pub commented: bool,
    /// From 1; 0 for what is planned and not yet written.
    pub line: u32,
}

/// The values of a file that are one word or number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Plain {
    pub(super) host: Option<Written<String>>,
    pub(super) theme: Option<Written<&'static str>>,
    pub(super) format: Option<Written<&'static str>>,
    pub(super) ascii: Option<Written<bool>>,
    pub(super) mouse: Option<Written<bool>>,
    pub(super) preview: Option<Written<&'static str>>,
    pub(super) index: Option<Written<bool>>,
    pub(super) history: Option<Written<bool>>,
    pub(super) skills_enabled: Option<Written<bool>>,
    pub(super) file_size: Option<Written<usize>>,
    pub(super) max_entries: Option<Written<usize>>,
    pub(super) max_bytes: Option<Written<usize>>,
    pub(super) default_limit: Option<Written<usize>>,
    pub(super) max_limit: Option<Written<usize>>,
    pub(super) max_skill_md: Option<Written<usize>>,
    pub(super) max_resource: Option<Written<usize>>,
    pub(super) max_active: Option<Written<usize>>,
    pub(super) when_full: Option<Written<&'static str>>,
    pub(super) permission: Option<Written<Permission>>,
    pub(super) store: Option<Written<String>>,
    pub(super) project: Option<Written<String>>,
    pub(super) precedence: Option<Written<&'static str>>,
    pub(super) author: Option<Written<String>>,
}

/// How large a file of a skill may be, by default, in MiB.
pub const FILE_SIZE: usize = 16;
/// What settings can make of [`FILE_SIZE`] at most. A file that is loaded is held in memory.
pub const MAX_FILE_SIZE: usize = 256;
/// Entries of a catalog for a prompt, by default.
pub(super) const MAX_ENTRIES: usize = 200;
/// Bytes of the same.
pub(super) const MAX_BYTES: usize = 32_768;
/// Results of a search, by default.
pub(super) const DEFAULT_LIMIT: usize = 8;
/// Results of a search at most, by default.
pub(super) const MAX_LIMIT: usize = 50;
/// Bytes of a `SKILL.md` that are given, by default; beyond that it is cut with a mark.
pub(super) const MAX_SKILL_MD: usize = LARGE_BYTES;
/// Bytes of a resource, by default.
pub(super) const MAX_RESOURCE: usize = 2_000_000;
/// How many skills a conversation has loaded at once, by default.
pub const MAX_ACTIVE: usize = 8;

impl Plain {
    /// The limits: name, default and value of each.
    pub(super) fn limits(&mut self) -> [(&'static str, usize, &mut Option<Written<usize>>); 8] {
        [
            ("`skills.file_size`", FILE_SIZE, &mut self.file_size),
            ("`skills.initial.max_entries`", MAX_ENTRIES, &mut self.max_entries),
            ("`skills.initial.max_bytes`", MAX_BYTES, &mut self.max_bytes),
            ("`skills.search.default_limit`", DEFAULT_LIMIT, &mut self.default_limit),
            ("`skills.search.max_limit`", MAX_LIMIT, &mut self.max_limit),
            ("`skills.load.max_skill_md_bytes`", MAX_SKILL_MD, &mut self.max_skill_md),
            ("`skills.load.max_resource_bytes`", MAX_RESOURCE, &mut self.max_resource),
            ("`skills.session.max_active`", MAX_ACTIVE, &mut self.max_active),
        ]
    }
}

/// One settings file as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsFile {
    /// Where it is, or would be.
    pub path: Arc<Path>,
    pub layer: Layer,
    pub exists: bool,
    /// What is wrong with it, and what of it is ignored.
    pub problems: Vec<Problem>,
    /// In file order.
    pub switches: Vec<WrittenSwitch>,
    /// List by list: deny, ask, allow; within a list in file order.
    pub rules: Vec<WrittenRule>,
    /// `skills.allowed`; of a faulty list, the names that can be read.
    pub allowed: Option<Written<Vec<String>>>,
    /// Absolute paths.
    pub roots: Vec<Written<PathBuf>>,
    pub colours: Vec<Written<(&'static str, u32)>>,
    pub keys: Vec<Written<WrittenKey>>,
    pub(super) plain: Plain,
    pub(super) scripts: WrittenScripts,
}

impl SettingsFile {
    pub(super) fn empty(path: PathBuf, layer: Layer) -> Self {
        Self {
            path: Arc::from(path),
            layer,
            exists: false,
            problems: Vec::new(),
            switches: Vec::new(),
            rules: Vec::new(),
            allowed: None,
            roots: Vec::new(),
            colours: Vec::new(),
            keys: Vec::new(),
            plain: Plain::default(),
            scripts: WrittenScripts::default(),
        }
    }

    /// Whether it has a fault.
    pub fn broken(&self) -> bool {
        self.problems.iter().any(|problem| problem.grave)
    }

    pub(super) fn said<T: Clone>(&self, written: &Written<T>) -> Setting<T> {
        Setting {
            value: written.value.clone(),
            origin: Origin::written(self.layer, &self.path, written.line),
        }
    }

    /// A value of the file, else the default.
    pub(super) fn setting<T: Clone>(&self, written: Option<&Written<T>>, default: T) -> Setting<T> {
        written.map_or(Setting { value: default, origin: Origin::Default }, |written| {
            self.said(written)
        })
    }

    /// Its rules with this effect, each with its index in that list.
    pub fn rules_of(&self, effect: Permission) -> impl Iterator<Item = (usize, &WrittenRule)> {
        self.rules.iter().filter(move |rule| rule.effect == effect).enumerate()
    }

    /// Reads the file at `path`. A missing file is empty.
    pub(super) fn read(path: PathBuf, layer: Layer, inputs: &Inputs) -> Self {
        let mut file = Self::empty(path, layer);
        match read(&file.path, &inputs.drafts) {
            Source::Missing => return file,
            Source::Unreadable(problem) => {
                let line = problem.spot.as_ref().map_or(1, |spot| spot.line);
                file.rules.push(WrittenRule::unreadable(line));
                file.problems.push(problem);
            }
            Source::Text(text) => {
                let path = Arc::clone(&file.path);
                file = inputs.parsed.file(&path, text, |text| {
                    file.parse(text, inputs);
                    file
                });
            }
        }
        file.exists = true;
        file
    }

    pub(super) fn parse(&mut self, text: &str, inputs: &Inputs) {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut reader = Reader::new(&self.path, text);
        match Document::parse(text) {
            Ok(document) => {
                self.read_top(document.as_table(), &mut reader, inputs);
                self.problems.append(&mut reader.problems);
            }
            Err(error) => {
                let message = format!("not valid TOML: {}", error.message());
                reader.grave(
                    error.span().as_ref(),
                    message,
                    "until it is fixed, the file only denies",
                );
                self.problems.append(&mut reader.problems);
                recover::recover(self, text, inputs);
            }
        }
    }

    pub(super) fn read_top(&mut self, top: &dyn TableLike, reader: &mut Reader, inputs: &Inputs) {
        const KNOWN: [&str; 16] = [
            "version",
            "host",
            "theme",
            "ascii",
            "mouse",
            "preview",
            "index",
            "history",
            "format",
            "roots",
            "skills",
            "scripts",
            "store",
            "permissions",
            "colors",
            "keys",
        ];
        let unknown = reader.keys(top, &KNOWN, "");
        self.deny_for(&unknown);
        if top.contains_key("version") {
            let one =
                |item: &toml_edit::Item| item.as_integer().filter(|number| *number == VERSION);
            reader.value(top, "version", "1, the only version there is", one);
        } else {
            reader.grave(None, "`version` is missing", "write `version = 1` on the first line");
        }
        self.plain.host = reader.string(top, "host");
        self.plain.theme = reader.word(top, "theme", &THEMES);
        self.plain.format = reader.word(top, "format", &FORMATS);
        self.plain.ascii = reader.boolean(top, "ascii");
        self.plain.mouse = reader.boolean(top, "mouse");
        self.plain.preview = reader.word(top, "preview", &PREVIEWS);
        self.plain.index = reader.boolean(top, "index");
        self.plain.history = reader.boolean(top, "history");
        self.read_roots(top, reader, inputs);
        if let Some(skills) = reader.table(top, "skills") {
            self.read_skills(skills, reader, inputs);
        } else if top.contains_key("skills") {
            self.rules.push(WrittenRule::unreadable(1));
        }
        self.scripts = WrittenScripts::read(top, reader);
        if let Some(store) = reader.table(top, "store") {
            self.read_store(store, reader);
        }
        if let Some(permissions) = reader.table(top, "permissions") {
            self.read_permissions(permissions, reader, inputs);
        } else if top.contains_key("permissions") {
            self.rules.push(WrittenRule::unreadable(1));
        }
        if let Some(colours) = reader.table(top, "colors") {
            self.colours = personal::colours(colours, reader);
        }
        if let Some(keys) = reader.table(top, "keys") {
            self.keys = personal::keys(keys, reader);
        }
    }

    /// An unknown key with something below it that may be a rule counts as a rule that cannot be
    /// read.
    fn deny_for(&mut self, unknown: &[Unknown]) {
        let rules =
            |key: &&Unknown| key.holds_rules || matches!(key.meant, Some("permissions" | "skills"));
        self.rules
            .extend(unknown.iter().filter(rules).map(|key| WrittenRule::unreadable(key.line)));
    }

    /// The folder from which relative paths begin. Only a project's file has one.
    fn base(&self) -> Option<&Path> {
        if self.layer == Layer::Project { self.path.parent() } else { None }
    }

    /// A path as this file names it. A project's file is committed, and another checkout is
    /// elsewhere.
    pub fn spelled<'a>(&self, path: &'a Path) -> &'a Path {
        let below = self.base().and_then(|base| path.strip_prefix(base).ok());
        below.filter(|below| !below.starts_with("~")).unwrap_or(path)
    }

    fn read_roots(&mut self, top: &dyn TableLike, reader: &mut Reader, inputs: &Inputs) {
        for root in reader.strings(top, "roots").map(|roots| roots.value).unwrap_or_default() {
            match inputs.path(&root.value, self.base()) {
                Ok(path) => self.roots.push(Written { value: path, line: root.line }),
                Err(message) => reader.grave_at(
                    root.line,
                    format!("`roots`: {message}"),
                    "write an absolute path",
                ),
            }
        }
    }

    fn read_store(&mut self, store: &dyn TableLike, reader: &mut Reader) {
        reader.keys(store, &["url", "project", "precedence", "author"], "store.");
        self.plain.store = reader.string(store, "url");
        self.plain.project = reader.string(store, "project");
        self.plain.precedence = reader.word(store, "precedence", &PRECEDENCES);
        self.plain.author = reader.string(store, "author");
    }

    fn read_skills(&mut self, skills: &dyn TableLike, reader: &mut Reader, inputs: &Inputs) {
        let unknown = reader.keys(
            skills,
            &["enabled", "allowed", "config", "file_size", "initial", "search", "load", "session"],
            "skills.",
        );
        self.deny_for(&unknown);
        if let Some(misspelt) = unknown.iter().find(|key| key.meant == Some("allowed")) {
            self.allowed = Some(Written { value: Vec::new(), line: misspelt.line });
        }
        self.plain.skills_enabled = reader.boolean(skills, "enabled");
        // A fault in something that may have switched skills off denies all skills to the model.
        let misfit =
            skills.get_key_value("enabled").filter(|_| self.plain.skills_enabled.is_none());
        let misfit = misfit.map(|(key, _)| reader.line(key.span().as_ref()));
        let misspelt = unknown.iter().filter(|key| matches!(key.meant, Some("enabled" | "config")));
        self.rules.extend(misspelt.map(|key| key.line).chain(misfit).map(WrittenRule::unreadable));
        if skills.contains_key("allowed") {
            let line = reader
                .line(skills.get_key_value("allowed").and_then(|(key, _)| key.span()).as_ref());
            let names =
                reader.strings(skills, "allowed").map(|names| names.value).unwrap_or_default();
            self.allowed =
                Some(Written { value: names.into_iter().map(|name| name.value).collect(), line });
        }
        for entry in reader.tables(skills, "config") {
            let switch = self.read_switch(&entry, reader, inputs);
            if !switch.sound && switch.targets.is_empty() && switch.enabled != Some(true) {
                self.rules.push(WrittenRule::unreadable(switch.line));
            }
            self.switches.push(switch);
        }
        self.plain.file_size = reader.number(skills, "file_size", 1..=MAX_FILE_SIZE);
        if let Some(initial) = reader.table(skills, "initial") {
            reader.keys(initial, &["max_entries", "max_bytes"], "skills.initial.");
            self.plain.max_entries = reader.number(initial, "max_entries", 0..=100_000);
            self.plain.max_bytes = reader.number(initial, "max_bytes", 0..=1 << 20);
        }
        if let Some(search) = reader.table(skills, "search") {
            reader.keys(search, &["default_limit", "max_limit"], "skills.search.");
            self.plain.default_limit = reader.number(search, "default_limit", 1..=10_000);
            self.plain.max_limit = reader.number(search, "max_limit", 1..=10_000);
        }
        if let Some(load) = reader.table(skills, "load") {
            reader.keys(load, &["max_skill_md_bytes", "max_resource_bytes"], "skills.load.");
            let bytes = 1..=MAX_FILE_SIZE << 20;
            self.plain.max_skill_md = reader.number(load, "max_skill_md_bytes", bytes.clone());
            self.plain.max_resource = reader.number(load, "max_resource_bytes", bytes);
        }
        if let Some(session) = reader.table(skills, "session") {
            reader.keys(session, &["max_active", "when_full"], "skills.session.");
            self.plain.max_active = reader.number(session, "max_active", 1..=1_000);
            self.plain.when_full = reader.word(session, "when_full", &FULL);
        }
    }

    fn read_switch(
        &self,
        entry: &Listed<'_>,
        reader: &mut Reader,
        inputs: &Inputs,
    ) -> WrittenSwitch {
        let line = reader.line(entry.span.as_ref());
        let before = reader.problems.len();
        let mut targets = Vec::new();
        let mut enabled = None;
        if let Some(table) = entry.table {
            reader.keys(table, &["path", "name", "enabled"], "skills.config.");
            if let Some(name) = reader.string(table, "name") {
                match name.value.trim() {
                    "" => reader.grave_at(name.line, "`name` is empty", ""),
                    name => targets.push(Target::Name(name.to_owned())),
                }
            }
            if let Some(path) = reader.string(table, "path") {
                match inputs.path(&path.value, self.base()) {
                    Ok(path) => targets.push(Target::Path(canonical(path))),
                    Err(message) => reader.grave_at(path.line, format!("`path`: {message}"), ""),
                }
            }
            enabled = reader.boolean(table, "enabled").map(|enabled| enabled.value);
            if reader.problems.len() == before {
                let span = entry.span.as_ref();
                match (targets.len(), enabled) {
                    (1, Some(_)) => {}
                    (1, None) => {
                        reader.grave(span, "`enabled` is missing", "write `enabled = false`")
                    }
                    (0, _) => reader.grave(
                        span,
                        "neither `path` nor `name`",
                        "name the one skill that is meant",
                    ),
                    _ => reader.grave(span, "both `path` and `name`", "keep one of them"),
                }
            }
        }
        WrittenSwitch {
            targets,
            enabled,
            sound: entry.table.is_some() && reader.problems.len() == before,
            commented: reader.has_comment(entry),
            line,
        }
    }

    fn read_permissions(
        &mut self,
        permissions: &dyn TableLike,
        reader: &mut Reader,
        inputs: &Inputs,
    ) {
        let unknown =
            reader.keys(permissions, &["default", "allow", "ask", "deny"], "permissions.");
        self.rules.extend(unknown.iter().map(|key| WrittenRule::unreadable(key.line)));
        let permission = |item: &toml_edit::Item| item.as_str().and_then(Permission::from_word);
        self.plain.permission =
            reader.value(permissions, "default", "one of allow, ask, deny", permission);
        if self.plain.permission.is_none() && permissions.contains_key("default") {
            self.plain.permission = Some(Written { value: Permission::Deny, line: 1 });
        }
        for effect in [Permission::Deny, Permission::Ask, Permission::Allow] {
            for entry in reader.tables(permissions, effect.word()) {
                let path = |text: &str| inputs.path(text, self.base()).map(canonical);
                let rule = read_rule(effect, &entry, reader, &path);
                self.rules.push(rule);
            }
        }
    }
}

/// The canonical path of the `SKILL.md` that `path` means, or `path` if there is no such file. A
/// folder means the `SKILL.md` in it, since people name the folder.
fn canonical(path: PathBuf) -> PathBuf {
    let file = if path.is_dir() { path.join("SKILL.md") } else { path };
    std::fs::canonicalize(&file).unwrap_or(file)
}
