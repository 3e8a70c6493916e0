//! The inputs of the tools.

use crate::runtime::MAX_TIMEOUT;
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// `skill_search`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchInput {
    /// A name, a path, or words of a description.
    pub(super) query: String,
    /// The most results (default 8, at most 50 unless the settings say otherwise).
    pub(super) limit: Option<u32>,
    /// Whose skills: `project`, `repo`, `user` or `system`; by default all.
    pub(super) scope: Option<String>,
}

/// `skill_load`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LoadInput {
    /// The skill's name; enough if only one skill has it.
    pub(super) name: Option<String>,
    /// Path of its SKILL.md or directory; takes precedence over the name.
    pub(super) path: Option<String>,
}

/// `skill`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct KodeletInput {
    /// The skill's name.
    pub(super) skill_name: String,
}

/// `skills.load`, `skills.activate`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NameInput {
    /// The skill's name.
    pub(super) name: String,
}

/// What happens to skills that are already loaded.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum ModeWord {
    /// Unload them.
    #[default]
    Replace,
    /// Keep them.
    Add,
}

/// `skills.load`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RunLoadInput {
    /// Names or locations.
    pub(super) names: Vec<String>,
    /// What happens to skills that are already loaded.
    #[serde(default)]
    pub(super) mode: ModeWord,
}

/// `skill_unload`, `skills.unload`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct UnloadInput {
    /// Names or paths; those that are not loaded are ignored.
    #[serde(default)]
    pub(super) names: Vec<String>,
    /// All loaded skills.
    #[serde(default)]
    pub(super) all: bool,
}

/// How the content of a file is returned.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum EncodingWord {
    /// As text.
    #[default]
    Text,
    /// As base64.
    Binary,
}

/// `skill_read`, `skills.read`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReadInput {
    /// The skill's name or path; by default the skill that was loaded last.
    pub(super) skill: Option<String>,
    /// The file, relative to the skill's directory.
    pub(super) path: String,
    /// `text` or `binary` (base64).
    #[serde(default)]
    pub(super) encoding: EncodingWord,
}

/// `skills.readFile`, `skills.readResource`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NamedReadInput {
    /// The skill's name.
    pub(super) name: String,
    /// The file, relative to the skill's directory.
    pub(super) path: String,
}

/// `skills_list`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ListInput {
    /// The directory whose skills are listed: absolute, or relative to the directory of this
    /// server, which is the default. Skills of another directory are only listed: a server that
    /// runs there loads them.
    pub(super) cwd: Option<PathBuf>,
    /// Scan the disk again.
    #[serde(default)]
    pub(super) force_reload: bool,
    /// `next_cursor` of the page before; by default the first page.
    pub(super) cursor: Option<String>,
    /// The most bytes of the answer (default 65536, at most 4194304). At least one skill is given.
    pub(super) max_bytes: Option<usize>,
}

/// `context_inspect`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct InspectInput {
    /// Whether to include the first skills of the catalog.
    #[serde(default)]
    pub(super) include_skills: bool,
}

/// `skill_run_script`, `skills.run_script`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::serve) struct ScriptInput {
    /// The skill's name or path; by default the skill that was loaded last. It must be loaded.
    pub(super) skill: Option<String>,
    /// The script: relative to the skill's directory, or as a list or a skill's text names it.
    pub(super) path: String,
    /// Its arguments.
    #[serde(default)]
    pub(super) args: Vec<String>,
    /// Environment variables for it.
    #[serde(default)]
    pub(super) env: BTreeMap<String, String>,
    /// Its working directory: `fresh` (a new empty directory, the default), `skill`, or a
    /// directory.
    pub(super) workdir: Option<String>,
    /// The time limit in seconds.
    #[serde(default, deserialize_with = "seconds")]
    #[schemars(range(min = 1, max = MAX_TIMEOUT.as_secs()))]
    pub(super) timeout: Option<u64>,
}

/// As on the command line, a value out of range is an error.
fn seconds<'a, D: Deserializer<'a>>(from: D) -> Result<Option<u64>, D::Error> {
    let most = MAX_TIMEOUT.as_secs();
    match Option::<u64>::deserialize(from)? {
        Some(seconds) if !(1..=most).contains(&seconds) => {
            Err(D::Error::custom(format!("timeout: {seconds} is not in 1..={most} seconds")))
        }
        seconds => Ok(seconds),
    }
}
