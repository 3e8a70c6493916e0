//! `[scripts]`: whether scripts of skills are run at all, and how. Only the person's own file can
//! allow it, since a script can do much that a repository must not decide.

use super::SettingsFile;
use super::origin::{Origin, Setting, Written};
use super::reader::Reader;
use toml_edit::TableLike;

/// The words of `scripts.sandbox`.
pub const SANDBOXES: [&str; 2] = ["landlock", "bubblewrap"];

/// The default time limit of a script, in seconds.
pub const DEFAULT_TIMEOUT: usize = 120;

/// The longest time limit of a script, in seconds.
pub const MAX_TIMEOUT: usize = 3_600;

/// The default limits of what a script takes: MiB, processes and threads, MiB of one file.
const DEFAULT_MEMORY: usize = 4_096;
const DEFAULT_PROCESSES: usize = 1_024;
const DEFAULT_FILE_SIZE: usize = 1_024;

/// The highest limits that can be set.
const MAX_MIB: usize = 1 << 20;
const MAX_PROCESSES: usize = 1 << 20;

const KEYS: [&str; 7] =
    ["enabled", "sandbox", "timeout", "memory", "processes", "file_size", "interpreters"];

/// The program for scripts with an extension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenInterpreter {
    /// Without its dot.
    pub extension: String,
    /// The program and its first arguments; not empty.
    pub words: Vec<String>,
}

/// `[scripts]` of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct WrittenScripts {
    pub(super) enabled: Option<Written<bool>>,
    pub(super) sandbox: Option<Written<&'static str>>,
    pub(super) timeout: Option<Written<usize>>,
    pub(super) memory: Option<Written<usize>>,
    pub(super) processes: Option<Written<usize>>,
    pub(super) file_size: Option<Written<usize>>,
    pub(super) interpreters: Vec<Written<WrittenInterpreter>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scripts {
    /// Whether they are run at all.
    pub enabled: Setting<bool>,
    /// One of [`SANDBOXES`].
    pub sandbox: Setting<&'static str>,
    /// The time limit in seconds.
    pub timeout: Setting<usize>,
    /// The memory that all processes of a run may take, in MiB.
    pub memory: Setting<usize>,
    /// How many processes and threads a run may have.
    pub processes: Setting<usize>,
    /// The size that a file of a run may have, in MiB.
    pub file_size: Setting<usize>,
    /// Programs besides those that the sandbox knows.
    pub interpreters: Vec<Setting<WrittenInterpreter>>,
}

impl WrittenScripts {
    pub(super) fn read(top: &dyn TableLike, reader: &mut Reader) -> Self {
        let Some(scripts) = reader.table(top, "scripts") else { return Self::default() };
        reader.keys(scripts, &KEYS, "scripts.");
        Self {
            enabled: reader.boolean(scripts, "enabled"),
            sandbox: reader.word(scripts, "sandbox", &SANDBOXES),
            timeout: reader.number(scripts, "timeout", 1..=MAX_TIMEOUT),
            memory: reader.number(scripts, "memory", 64..=MAX_MIB),
            processes: reader.number(scripts, "processes", 1..=MAX_PROCESSES),
            file_size: reader.number(scripts, "file_size", 1..=MAX_MIB),
            interpreters: interpreters(scripts, reader),
        }
    }

    /// Removes from a project's file what only the person may set, and returns its lines and names.
    pub(super) fn tighten(&mut self) -> Vec<(u32, &'static str)> {
        let mut ignored = Vec::new();
        if let Some(written) = self.enabled.take_if(|written| written.value) {
            ignored.push((written.line, "`scripts.enabled`"));
        }
        ignored.extend(self.sandbox.take().map(|written| (written.line, "`scripts.sandbox`")));
        for (number, name) in [
            (&mut self.timeout, "`scripts.timeout`"),
            (&mut self.memory, "`scripts.memory`"),
            (&mut self.processes, "`scripts.processes`"),
            (&mut self.file_size, "`scripts.file_size`"),
        ] {
            ignored.extend(number.take().map(|written| (written.line, name)));
        }
        let first = std::mem::take(&mut self.interpreters).into_iter().next();
        ignored.extend(first.map(|written| (written.line, "`[scripts.interpreters]`")));
        ignored
    }
}

fn interpreters(scripts: &dyn TableLike, reader: &mut Reader) -> Vec<Written<WrittenInterpreter>> {
    let Some(table) = reader.table(scripts, "interpreters") else { return Vec::new() };
    let mut found = Vec::new();
    for (extension, _) in table.iter() {
        let Some(Written { value, line }) = reader.strings(table, extension) else { continue };
        let words: Vec<String> = value.into_iter().map(|word| word.value).collect();
        if words.is_empty() {
            reader.grave_at(
                line,
                format!("`{extension}` names no program"),
                "write [\"deno\", \"run\"]",
            );
        } else {
            let extension = extension.trim_start_matches('.').to_owned();
            found.push(Written { value: WrittenInterpreter { extension, words }, line });
        }
    }
    found
}

impl Scripts {
    /// The effective settings. A broken file switches scripts off, since it might have said so.
    pub(super) fn merge(
        user: &SettingsFile,
        project: Option<&SettingsFile>,
        session: Option<&Setting<bool>>,
    ) -> Self {
        let broken = std::iter::once(user).chain(project).find(|file| file.broken());
        let off = project.filter(|file| file.scripts.enabled.is_some());
        let enabled = match (session, broken, off) {
            (Some(session), ..) => session.clone(),
            (None, Some(file), _) => {
                Setting { value: false, origin: Origin::written(file.layer, &file.path, 1) }
            }
            (None, None, Some(file)) => file.setting(file.scripts.enabled.as_ref(), false),
            (None, None, None) => user.setting(user.scripts.enabled.as_ref(), false),
        };
        let own = if user.broken() { WrittenScripts::default() } else { user.scripts.clone() };
        Self {
            enabled,
            sandbox: user.setting(own.sandbox.as_ref(), SANDBOXES[0]),
            timeout: user.setting(own.timeout.as_ref(), DEFAULT_TIMEOUT),
            memory: user.setting(own.memory.as_ref(), DEFAULT_MEMORY),
            processes: user.setting(own.processes.as_ref(), DEFAULT_PROCESSES),
            file_size: user.setting(own.file_size.as_ref(), DEFAULT_FILE_SIZE),
            interpreters: own.interpreters.iter().map(|written| user.said(written)).collect(),
        }
    }
}
