//! The inputs of the tools.

use crate::runtime::MAX_TIMEOUT;
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// `skill_search`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchInput {
    /// A name, a path, or words of a description.
    pub(super) query: String,
    /// The most results (default 8, at most 50 unless the settings say otherwise).
    #[serde(default, deserialize_with = "limit")]
    #[schemars(range(min = 1))]
    pub(super) limit: Option<usize>,
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

/// `skill`. Kodelet takes what is missing for an empty name, and ignores other keys.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(super) struct KodeletInput {
    /// The skill's name.
    #[schemars(required)]
    pub(super) skill_name: Option<String>,
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
    #[serde(default, deserialize_with = "max_bytes")]
    #[schemars(range(min = 1))]
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
    let must = format!("timeout must be a whole number of seconds from 1 to {most}");
    number(from, 1..=most, &must)
}

fn limit<'a, D: Deserializer<'a>>(from: D) -> Result<Option<usize>, D::Error> {
    count(from, "limit must be a whole number of at least 1")
}

fn max_bytes<'a, D: Deserializer<'a>>(from: D) -> Result<Option<usize>, D::Error> {
    count(from, "max_bytes must be a whole number of at least 1")
}

/// Whoever reads it takes what is too large for the most.
fn count<'a, D: Deserializer<'a>>(from: D, must: &str) -> Result<Option<usize>, D::Error> {
    let number = number(from, 1..=u64::MAX, must)?;
    Ok(number.map(|number| usize::try_from(number).unwrap_or(usize::MAX)))
}

/// A whole number in this range; otherwise the error is what it `must` be.
fn number<'a, D: Deserializer<'a>>(
    from: D,
    range: RangeInclusive<u64>,
    must: &str,
) -> Result<Option<u64>, D::Error> {
    let Some(value) = Option::<Value>::deserialize(from)? else { return Ok(None) };
    let number = whole(&value).filter(|number| range.contains(number));
    number.map(Some).ok_or_else(|| D::Error::custom(must))
}

/// A whole number however it is written: JSON Schema takes `1.0` for an integer.
fn whole(value: &Value) -> Option<u64> {
    let of_float = || {
        let number = value.as_f64().filter(|number| number.fract() == 0.0 && *number >= 0.0)?;
        Some(format!("{:.0}", number.abs()).parse().unwrap_or(u64::MAX))
    };
    value.as_u64().or_else(of_float)
}

#[cfg(test)]
mod tests {
    use crate::serve::error::ToolError;
    use crate::serve::fixture::TestServer;
    use serde_json::json;

    #[test]
    fn a_number_that_is_not_whole_or_none_is_refused_in_plain_words() {
        let server = TestServer::with(&["pdf"], "");
        for bad in [json!(0), json!(0.0), json!(-1), json!(1.5), json!("1"), json!(-1.0), json!([])]
        {
            for (tool, key) in [("skill_search", "limit"), ("skills_list", "max_bytes")] {
                let mut arguments =
                    if key == "limit" { json!({ "query": "pdf" }) } else { json!({}) };
                arguments[key] = bad.clone();
                let Err(ToolError::Refused { text, .. }) = server.call(tool, arguments) else {
                    panic!("{tool} takes {bad}")
                };
                let must = format!("invalid input: {key} must be a whole number of at least 1");
                assert_eq!(text, must, "{bad}");
            }
        }
        server.call("skills_list", json!({ "max_bytes": 4096.0 })).unwrap();
    }
}
