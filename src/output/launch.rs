//! `--emit launch`: the command lines of sessions in which skills are off.

use super::skill::VERSION;
use schemars::JsonSchema;
use serde::Serialize;

/// The command lines of sessions in which skills are off.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LaunchDocument<'a> {
    /// 1.
    version: u32,
    /// One for each host that has such a line.
    lines: Vec<LaunchRow<'a>>,
}

/// How one host is started so.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LaunchRow<'a> {
    /// The host.
    host: &'static str,
    /// The line for a shell.
    line: &'a str,
}

impl<'a> LaunchDocument<'a> {
    /// The document of these lines, each with the host's word.
    pub fn of(lines: &'a [(&'static str, String)]) -> Self {
        let lines = lines.iter().map(|(host, line)| LaunchRow { host, line }).collect();
        Self { version: VERSION, lines }
    }
}
