//! Types of `config.toml` (0.171.0, each tried): one value of a wrong type, and Codex loads no
//! settings and no skills. These are the keys that people set; those of other features, and whether
//! files and providers that it names are there, are not known here.

use super::{CODEX, SETTINGS};
use crate::hosts::{Reading, SettingsFile};
use crate::policy::Layer;
use crate::settings::{Kind, Node};
use Type::{
    Any, Count, Each, Filled, Flag, Flags, Gone, Number, Positive, Table, Text, TextMap, Texts,
    Word,
};

/// What a value must be, where it is there.
enum Type {
    Flag,
    Text,
    /// A text that is not empty.
    Filled,
    Texts,
    /// A whole number.
    Number,
    /// A whole number that is not negative.
    Count,
    Positive,
    Word(&'static [&'static str]),
    Table,
    /// A table of texts.
    TextMap,
    /// A table of flags and tables.
    Flags,
    /// A table of tables with these keys, exactly one of the second ones in each if there are any.
    Each(&'static [(&'static str, Type)], &'static [&'static str]),
    Any(&'static [Type]),
    /// No longer accepted, whatever it is; what to do instead.
    Gone(&'static str),
}

/// From this version on [`Type::Gone`] is known to be refused, and words of older versions.
const SINCE: &str = "0.171.0";

#[rustfmt::skip]
const KEYS: &[(&[&str], Type)] = &[
    (&["model"], Text),
    (&["review_model"], Text),
    (&["model_provider"], Text),
    (&["model_providers"], Each(
        &[("name", Filled), ("base_url", Text), ("wire_api", Word(&["responses"]))],
        &["name"],
    )),
    (&["model_context_window"], Number),
    (&["model_auto_compact_token_limit"], Number),
    (&["model_reasoning_effort"], Filled),
    (&["plan_mode_reasoning_effort"], Filled),
    (&["model_reasoning_summary"], Word(&["auto", "concise", "detailed", "none"])),
    (&["model_verbosity"], Word(&["low", "medium", "high"])),
    (&["personality"], Word(&["none", "friendly", "pragmatic"])),
    (&["service_tier"], Text),
    (&["profile"], Gone("`--profile NAME` with NAME.config.toml takes its place")),
    (&["profiles"], Each(&[("model", Text)], &[])),
    (&["approval_policy"], Any(&[Word(&["on-failure", "on-request", "never"]), Table])),
    (&["approvals_reviewer"], Word(&["user", "auto_review", "guardian_subagent"])),
    (&["sandbox_mode"], Word(&["read-only", "workspace-write", "danger-full-access"])),
    (&["sandbox_workspace_write"], Table),
    (&["sandbox_workspace_write", "writable_roots"], Texts),
    (&["sandbox_workspace_write", "network_access"], Flag),
    (&["sandbox_workspace_write", "exclude_tmpdir_env_var"], Flag),
    (&["sandbox_workspace_write", "exclude_slash_tmp"], Flag),
    (&["shell_environment_policy"], Table),
    (&["shell_environment_policy", "inherit"], Word(&["core", "all", "none"])),
    (&["shell_environment_policy", "set"], TextMap),
    (&["shell_environment_policy", "exclude"], Texts),
    (&["allow_login_shell"], Flag),
    (&["notify"], Texts),
    (&["instructions"], Text),
    (&["developer_instructions"], Text),
    (&["model_instructions_file"], Text),
    (&["hide_agent_reasoning"], Flag),
    (&["show_raw_agent_reasoning"], Flag),
    (&["project_doc_max_bytes"], Count),
    (&["project_doc_fallback_filenames"], Texts),
    (&["project_root_markers"], Texts),
    (&["projects"], Each(&[("trust_level", Word(&["trusted", "untrusted"]))], &[])),
    (&["tool_output_token_limit"], Count),
    (&["web_search"], Word(&["disabled", "cached", "indexed", "live"])),
    (&["tools"], Table),
    (&["tools", "web_search"], Any(&[Flag, Table])),
    (&["mcp_servers"], Each(
        &[("command", Text), ("args", Texts), ("env", TextMap), ("url", Text), ("enabled", Flag)],
        &["command", "url"],
    )),
    (&["plugins"], Each(&[("enabled", Flag)], &[])),
    (&["marketplaces"], Each(&[], &[])),
    (&["features"], Flags),
    (&["skills", "include_instructions"], Flag),
    (&["skills", "max_context_tokens"], Positive),
    (&["agents"], Table),
    (&["memories"], Table),
    (&["hooks"], Table),
    (&["history"], Table),
    (&["history", "persistence"], Word(&["save-all", "none"])),
    (&["tui"], Table),
    (&["tui", "notifications"], Any(&[Flag, Texts])),
    (&["tui", "animations"], Flag),
    (&["tui", "theme"], Text),
    (&["tui", "status_line"], Texts),
    (&["tui", "alternate_screen"], Word(&["auto", "always", "never"])),
    (&["notice"], Table),
    (&["otel"], Table),
    (&["analytics"], Table),
    (&["analytics", "enabled"], Flag),
    (&["feedback"], Table),
    (&["feedback", "enabled"], Flag),
    (&["file_opener"], Word(&["vscode", "vscode-insiders", "windsurf", "cursor", "none"])),
    (&["forced_login_method"], Word(&["chatgpt", "api"])),
    (&["cli_auth_credentials_store"], Word(&["file", "keyring", "auto", "ephemeral"])),
    (&["mcp_oauth_credentials_store"], Word(&["auto", "file", "keyring"])),
    (&["chatgpt_base_url"], Text),
    (&["openai_base_url"], Text),
    (&["check_for_update_on_startup"], Flag),
    (&["disable_paste_burst"], Flag),
    (&["suppress_unstable_features_warning"], Flag),
];

/// Words that were accepted before [`SINCE`]: in older versions they are sound.
const OLD_WORDS: &[&str] = &["untrusted", "chat"];

/// What Codex leaves out of a project's file before it looks at the rest.
const NOT_OF_PROJECTS: &[&str] = &[
    "chatgpt_base_url",
    "model_provider",
    "model_providers",
    "notify",
    "openai_base_url",
    "otel",
    "profile",
    "profiles",
];

impl Type {
    /// The first node that is something else.
    fn refused<'a>(&self, node: &'a Node) -> Option<&'a Node> {
        let fits = match self {
            Flag => node.flag().is_some(),
            Text => node.text().is_some(),
            Filled => node.text().is_some_and(|text| !text.is_empty()),
            Number => node.number::<i64>().is_some(),
            Count => node.number::<u64>().is_some(),
            Positive => node.number::<u64>().is_some_and(|number| number > 0),
            Word(words) => node.text().is_some_and(|text| words.contains(&text)),
            Table => matches!(node.kind, Kind::Table(_)),
            Any(types) => types.iter().any(|one| one.refused(node).is_none()),
            Gone(_) => false,
            Texts => match &node.kind {
                Kind::List(items) => return items.iter().find_map(|item| Text.refused(item)),
                _ => false,
            },
            TextMap | Flags | Each(..) => match &node.kind {
                Kind::Table(fields) => {
                    return fields.iter().find_map(|field| self.refused_within(&field.node));
                }
                _ => false,
            },
        };
        (!fits).then_some(node)
    }

    /// The same for what stands in a table.
    fn refused_within<'a>(&self, node: &'a Node) -> Option<&'a Node> {
        match self {
            TextMap => Text.refused(node),
            Flags => (node.flag().is_none() && node.fields().is_empty()).then_some(node),
            Each(keys, needed) => Table.refused(node).or_else(|| {
                let has = |key: &&&str| node.get(key).is_some();
                let wrong = keys.iter().find_map(|(key, one)| one.refused(node.get(key)?));
                let lacks = !needed.is_empty() && needed.iter().filter(has).count() != 1;
                wrong.or(lacks.then_some(node))
            }),
            _ => None,
        }
    }

    /// Whether the tables of several files are joined, so that no file takes the place of another.
    fn is_joined(&self) -> bool {
        matches!(self, Table | TextMap | Flags | Each(..))
    }
}

/// The first value of a file that Codex refuses: its line, and what is wrong. One for which a
/// higher file has another does not count.
pub(super) fn refused(reading: &Reading, file: &SettingsFile) -> Option<(u32, String)> {
    let is_overruled = |path: &[&str]| {
        let higher = reading.of_role(SETTINGS).rev();
        let mut higher = higher.take_while(|other| !std::ptr::eq(*other, file));
        higher.any(|other| other.at(path).is_some())
    };
    let is_dropped =
        |path: &[&str]| file.location.layer == Layer::Project && NOT_OF_PROJECTS.contains(&path[0]);
    KEYS.iter().filter(|(path, _)| !is_dropped(path)).find_map(|(path, wanted)| {
        let node = wanted.refused(file.at(path)?)?;
        if !wanted.is_joined() && is_overruled(path) {
            return None;
        }
        let key = path.join(".");
        let old =
            matches!(wanted, Gone(_)) || node.text().is_some_and(|it| OLD_WORDS.contains(&it));
        if old && is_older(reading) {
            return None;
        }
        let what = match wanted {
            Gone(instead) => format!("`{key}` is no longer accepted ({instead})"),
            _ => format!("`{key}` has a value that Codex does not know"),
        };
        Some((node.line, what))
    })
}

/// Whether the program on this machine is known to be older than the one that was tried.
fn is_older(reading: &Reading) -> bool {
    let installed = CODEX.detect.look(&reading.context);
    installed.and_then(|it| it.version).is_some_and(|version| version.is_below(SINCE))
}
