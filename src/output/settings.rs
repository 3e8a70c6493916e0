//! `config`: every setting with its origin, the files and their problems.

use super::Out;
use super::change::CoveredRow;
use super::parts::lossy;
use crate::catalog::{Enablement, Permission};
use crate::config::{self, Config, Problem, Setting, SettingsFile, WrittenInterpreter, WrittenKey};
use crate::inert;
use crate::policy::{self, Target, Within};
use crate::text::SafeText;
use crate::text::secret::{shown_as_written, unless_address};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::io;
use std::path::Path;

/// Every setting with its origin.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ConfigDocument<'a> {
    /// Every value. Each entry of a list is a value of its own.
    values: Vec<ValueRow<'a>>,
    /// The settings files.
    files: Vec<FileRow<'a>>,
    /// Errors, and keys that are ignored on purpose.
    problems: Vec<ProblemRow<'a>>,
}

/// A value and where it comes from.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ValueRow<'a> {
    /// The dotted key.
    key: &'static str,
    /// The value.
    value: Value,
    /// The origin of the value.
    origin: SourceRow<'a>,
}

/// Where a value comes from.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SourceRow<'a> {
    /// `default`, `user`, `project`, `file`, `environment`, `flag`, `session` or `alarm`.
    kind: &'static str,
    /// The file.
    file: Option<Cow<'a, str>>,
    /// Its line, from 1.
    line: Option<u32>,
    /// The option or environment variable. Of a broken one, only `an option or a variable`.
    name: Option<&'a str>,
}

/// A settings file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FileRow<'a> {
    /// `user` or `project`.
    layer: &'static str,
    /// Its path, also if it does not exist.
    path: Cow<'a, str>,
    /// `missing`, `read` or `broken`.
    state: &'static str,
}

/// An error, or a key that is ignored on purpose.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProblemRow<'a> {
    /// The file; null for an option or environment variable.
    file: Option<Cow<'a, str>>,
    /// Line, from 1.
    line: Option<u32>,
    /// Column, from 1, in characters.
    column: Option<u32>,
    /// What is wrong.
    message: &'a str,
    /// What to do; may be empty.
    help: &'a str,
    /// Whether it is an error, which makes the settings unusable.
    grave: bool,
}

impl<'a> SourceRow<'a> {
    fn new(kind: &'static str, place: Option<(&'a Path, u32)>, name: Option<&'a str>) -> Self {
        Self { kind, file: place.map(|(file, _)| lossy(file)), line: place.map(|it| it.1), name }
    }

    fn of(origin: &'a config::Origin) -> Self {
        use config::Origin;
        match origin {
            Origin::Default => Self::new("default", None, None),
            Origin::File { layer, file, line } => {
                Self::new(layer.word(), Some((file, *line)), None)
            }
            Origin::Environment(name) => Self::new("environment", None, Some(name)),
            Origin::Flag(name) => Self::new("flag", None, Some(name)),
        }
    }

    fn ruled(origin: &'a policy::Origin, config: &Config) -> Self {
        use policy::Origin;
        let is_project =
            |file: &Path| config.project.as_ref().is_some_and(|project| *project.path == *file);
        let mut files = std::iter::once(&config.user).chain(&config.project);
        let (kind, name) = match origin {
            Origin::Default | Origin::Host(_) | Origin::Skill(_) | Origin::Shadowed(_) => {
                ("default", None)
            }
            Origin::Rule { file, .. } => (if is_project(file) { "project" } else { "user" }, None),
            Origin::Alarm { file, .. } => {
                let is_its = files.any(|one| one.path == *file && one.broken());
                // No file says it.
                if !is_its {
                    return Self::new("alarm", None, Some("an option or a variable"));
                }
                ("alarm", None)
            }
            Origin::Session(name) => ("session", Some(&**name)),
        };
        Self::new(kind, origin.place(), name)
    }

    fn sentence(&self) -> SafeText {
        match (&self.file, self.line, self.name) {
            (Some(file), Some(line), _) => {
                inert!("{} {}:{}", self.kind, file, line)
            }
            (_, _, Some(name)) => inert!("{} {}", self.kind, name),
            _ => SafeText::fixed(self.kind),
        }
    }
}

impl<'a> FileRow<'a> {
    fn of(file: &'a SettingsFile) -> Self {
        let state = match (file.exists, file.broken()) {
            (_, true) => "broken",
            (true, false) => "read",
            (false, false) => "missing",
        };
        Self { layer: file.layer.word(), path: lossy(&file.path), state }
    }
}

impl<'a> ProblemRow<'a> {
    fn of(problem: &'a Problem) -> Self {
        let spot = problem.spot.as_ref();
        Self {
            file: spot.map(|spot| lossy(&spot.file)),
            line: spot.map(|spot| spot.line),
            column: spot.map(|spot| spot.column),
            message: &problem.message,
            help: &problem.help,
            grave: problem.grave,
        }
    }
}

impl<'a> ConfigDocument<'a> {
    pub fn of(config: &'a Config) -> Self {
        Self {
            values: plain(config).into_iter().chain(ruled(config)).collect(),
            files: [config.user_place.then_some(&config.user), config.project.as_ref()]
                .into_iter()
                .flatten()
                .map(FileRow::of)
                .collect(),
            problems: config.problems().map(ProblemRow::of).collect(),
        }
    }

    /// Prints the values with their origins, then the files.
    ///
    /// # Errors
    /// Those of stdout.
    pub fn print(&self, out: &mut Out) -> io::Result<()> {
        let left: Vec<SafeText> = self
            .values
            .iter()
            .map(|row| inert!("{} = {}", row.key, row.value.to_string()))
            .collect();
        let columns = left.iter().map(SafeText::width).max().unwrap_or(0).min(60);
        for (row, left) in self.values.iter().zip(&left) {
            let missing = SafeText::spaces(columns.saturating_sub(left.width()));
            out.line(inert!("{}{}  # {}", left, missing, row.origin.sentence()))?;
        }
        out.line("")?;
        for file in &self.files {
            out.line(inert!("{} file: {} ({})", file.layer, file.path, file.state))?;
        }
        Ok(())
    }
}

/// The values outside the policy.
fn plain(config: &Config) -> Vec<ValueRow<'_>> {
    fn row<'a, T>(
        key: &'static str,
        setting: &'a Setting<T>,
        value: impl Into<Value>,
    ) -> ValueRow<'a> {
        ValueRow { key, value: value.into(), origin: SourceRow::of(&setting.origin) }
    }
    let values = &config.values;
    let mut rows = vec![
        row("host", &values.host, values.host.value.as_str()),
        row("theme", &values.theme, values.theme.value),
        row("ascii", &values.ascii, values.ascii.value),
        row("mouse", &values.mouse, values.mouse.value),
        row("preview", &values.preview, values.preview.value),
        row("index", &values.index, values.index.value),
        row("history", &values.history, values.history.value),
        row("format", &values.format, values.format.value),
        row("skills.file_size", &values.file_size, values.file_size.value),
        row("skills.initial.max_entries", &values.max_entries, values.max_entries.value),
        row("skills.initial.max_bytes", &values.max_bytes, values.max_bytes.value),
        row("skills.search.default_limit", &values.default_limit, values.default_limit.value),
        row("skills.search.max_limit", &values.max_limit, values.max_limit.value),
        row("skills.load.max_skill_md_bytes", &values.max_skill_md, values.max_skill_md.value),
        row("skills.load.max_resource_bytes", &values.max_resource, values.max_resource.value),
        row("skills.session.max_active", &values.max_active, values.max_active.value),
        row("skills.session.when_full", &values.when_full, values.when_full.value),
        row("store.url", &values.store, shown_as_written(&values.store.value)),
        row("store.project", &values.project, values.project.value.as_str()),
        row("store.precedence", &values.precedence, values.precedence.value),
        row("store.author", &values.author, unless_address(&values.author.value)),
        row("scripts.enabled", &values.scripts.enabled, values.scripts.enabled.value),
        row("scripts.sandbox", &values.scripts.sandbox, values.scripts.sandbox.value),
        row("scripts.timeout", &values.scripts.timeout, values.scripts.timeout.value),
        row("scripts.memory", &values.scripts.memory, values.scripts.memory.value),
        row("scripts.processes", &values.scripts.processes, values.scripts.processes.value),
        row("scripts.file_size", &values.scripts.file_size, values.scripts.file_size.value),
    ];
    rows.extend(values.roots.iter().map(|root| row("roots", root, lossy(&root.value))));
    rows.extend(values.scripts.interpreters.iter().map(|setting| {
        let WrittenInterpreter { extension, words } = &setting.value;
        row("scripts.interpreters", setting, json!({ "extension": extension, "command": words }))
    }));
    rows.extend(values.colours.iter().map(|setting| {
        let (name, colour) = setting.value;
        row("colors", setting, json!({ "name": name, "color": format!("#{colour:06x}") }))
    }));
    rows.extend(values.keys.iter().map(|setting| {
        let WrittenKey { screen, key, action } = &setting.value;
        row("keys", setting, json!({ "screen": screen, "key": key, "action": action }))
    }));
    rows
}

/// The switches, allowlists and rules.
fn ruled(config: &Config) -> Vec<ValueRow<'_>> {
    let policy = &config.policy;
    let row = |key, value: Value, origin| ValueRow {
        key,
        value,
        origin: SourceRow::ruled(origin, config),
    };
    let mut rows = vec![
        row("skills.enabled", policy.skills_enabled.value.into(), &policy.skills_enabled.origin),
        row(
            "permissions.default",
            policy.defaults.load.value.word().into(),
            &policy.defaults.load.origin,
        ),
    ];
    rows.extend(policy.allowlists.iter().map(|list| {
        let names: Vec<&str> = list.names.iter().map(String::as_str).collect();
        row("skills.allowed", names.into(), &list.origin)
    }));
    rows.extend(policy.switches.iter().map(|switch| {
        let (key, target) = match &switch.target {
            Target::Path(path) | Target::Beneath(path) | Target::Place(path) => {
                ("path", lossy(path).into_owned())
            }
            Target::Name(name) | Target::Glob(name) => ("name", name.clone()),
            Target::Expression(expression) => ("name", expression.text().to_owned()),
            Target::Folder(glob) => ("path", glob.pattern.clone()),
        };
        let mut value = json!({ key: target, "enabled": switch.state != Enablement::Off });
        if let Some(Within::Plugin(_, id)) = &switch.within {
            value["plugin"] = json!(id);
        }
        row("skills.config", value, &switch.origin)
    }));
    rows.extend(policy.rules.iter().map(|rule| {
        let key = match rule.effect {
            Permission::Allow => "permissions.allow",
            Permission::Ask => "permissions.ask",
            Permission::Deny => "permissions.deny",
        };
        let covered = CoveredRow::of(rule.tool, &rule.pattern, &rule.runs, rule.bound.as_ref());
        row(key, json!(covered), &rule.origin)
    }));
    rows
}
