//! `verify`: what the agents' own programs list, compared with our view.

use super::Out;
use super::parts::{exact, lossy};
use crate::inert;
use crate::policy::Entry;
use crate::text::SafeText;
use crate::text::shell;
use crate::workspace::verify::{Finding, Row, Run, Verified, VerifyError};
use crate::workspace::{HostContext, View};
use schemars::JsonSchema;
use serde::Serialize;
use std::ffi::OsStr;
use std::io;
use std::path::Path;

/// What the agents' own programs list, compared with our view.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct VerifyDocument {
    /// The agents that were asked.
    hosts: Vec<VerifyRow>,
}

/// One agent.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct VerifyRow {
    /// The word for `--host`.
    host: &'static str,
    /// The installed version, if known.
    installed: Option<String>,
    /// The version for which our model of the agent was proved.
    proved: Option<&'static str>,
    /// Whether the installed version is newer than `proved`.
    newer: bool,
    /// The commands that were run: program and arguments.
    ran: Vec<Vec<String>>,
    /// The folder in which they were run.
    folder: Option<String>,
    /// Why there is no comparison: the program gave no usable answer.
    error: Option<String>,
    /// The beginning of what the program printed instead.
    said: Option<String>,
    /// Unreadable settings files: `file:line: why`.
    broken: Vec<String>,
    /// How many skills the program or we list.
    skills: usize,
    /// For how many of them both agree.
    same: usize,
    /// The skills on which both do not agree, or for which this cannot be known.
    findings: Vec<FindingRow>,
    /// Whether the copy in which the program ran is incomplete, because of too many files.
    truncated: bool,
    /// What the program may normally show but the copy does not contain. Empty with `--live`.
    not_copied: &'static str,
}

/// A skill on which the program and we do not agree.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FindingRow {
    /// `only_ours`, `only_theirs`, `differs`, `named`, `described` or `unknown`.
    kind: &'static str,
    /// The name by which the agent knows it.
    name: String,
    /// Path of its SKILL.md.
    path: Option<String>,
    /// The path's bytes in base64, if the path is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_b64: Option<String>,
    /// Both states, both names, or why we do not list it.
    detail: String,
}

pub struct Asked<'a> {
    pub host_context: &'a HostContext,
    pub ran: Vec<Run>,
    pub verified: Result<Verified, VerifyError>,
}

impl VerifyDocument {
    pub fn of(asked: &[Asked<'_>]) -> Self {
        Self { hosts: asked.iter().map(row).collect() }
    }
}

fn row(asked: &Asked<'_>) -> VerifyRow {
    let (host_context, done) = (asked.host_context, asked.verified.as_ref().ok());
    let command = |run: &Run| words(run).map(|word| word.to_string_lossy().into_owned()).collect();
    let rows: &[Row] = done.map_or(&[], |done| &done.rows);
    let differing = rows.iter().filter(|row| row.finding != Finding::Same);
    let failure = asked.verified.as_ref().err();
    VerifyRow {
        host: host_context.host.id.word(),
        installed: version(host_context),
        proved: host_context.host.proof.version(),
        newer: host_context.host.unproved(host_context.installed.as_ref()).is_some(),
        ran: asked.ran.iter().map(command).collect(),
        folder: asked.ran.first().map(|run| lossy(&run.folder).into_owned()),
        error: failure.map(ToString::to_string),
        said: failure.map(VerifyError::words).filter(|said| !said.is_empty()),
        broken: host_context
            .policy
            .alarms
            .iter()
            .map(|it| format!("{}:{}: {}", lossy(&it.file), it.line, it.message))
            .collect(),
        skills: rows.len(),
        same: rows.iter().filter(|row| row.finding == Finding::Same).count(),
        findings: done
            .map_or_else(Vec::new, |done| differing.map(|row| finding(&done.view, row)).collect()),
        truncated: done.is_some_and(|done| done.cut),
        not_copied: done.map_or("", |done| not_copied(host_context, done)),
    }
}

fn not_copied(host_context: &HostContext, done: &Verified) -> &'static str {
    if done.apart { host_context.host.unseen() } else { "" }
}

fn version(host_context: &HostContext) -> Option<String> {
    Some(host_context.installed.as_ref()?.version.as_ref()?.to_string())
}

fn finding(view: &View, row: &Row) -> FindingRow {
    let path = row.path.as_deref();
    FindingRow {
        kind: kind(&row.finding).0,
        name: row.name.clone(),
        path: path.map(|path| lossy(path).into_owned()),
        path_b64: path.and_then(exact),
        detail: detail(view, row),
    }
}

/// The word for JSON, and the words for a person.
fn kind(finding: &Finding) -> (&'static str, &'static str) {
    match finding {
        Finding::Same => ("same", "the same"),
        Finding::OnlyOurs => ("only_ours", "only we list it"),
        Finding::OnlyTheirs => ("only_theirs", "only the program lists it"),
        Finding::Differs { .. } => ("differs", "differs"),
        Finding::Named(_) => ("named", "another name"),
        Finding::Described(_) => ("described", "another description"),
        Finding::Unknown(_) => ("unknown", "cannot be known"),
    }
}

/// Details, which may contain other people's text.
fn detail(view: &View, row: &Row) -> String {
    let state = |on: bool| if on { "on" } else { "off" };
    let entry: Option<&Entry> = row.entry.and_then(|index| view.rows.entry(index));
    match (&row.finding, entry) {
        (Finding::Differs { ours, theirs }, _) => {
            format!("we say {}, the program says {}", state(*ours), state(*theirs))
        }
        (Finding::Named(name), _) => format!("the program calls it {name}"),
        (Finding::Described(text), _) => format!("the program describes it as {text}"),
        (Finding::Unknown(why), _) => (*why).to_owned(),
        (Finding::OnlyTheirs, Some(Entry { refused: Some(check), .. })) => {
            format!("we say it is refused: {}", check.code)
        }
        (Finding::OnlyTheirs, Some(Entry { shadowed_by: Some(winner), .. })) => {
            format!("we say it is shadowed by {}", lossy(winner))
        }
        (Finding::OnlyTheirs, None) => "we do not find it".to_owned(),
        (Finding::Same | Finding::OnlyOurs | Finding::OnlyTheirs, _) => String::new(),
    }
}

fn words(run: &Run) -> impl Iterator<Item = &OsStr> {
    std::iter::once(run.program.as_os_str()).chain(run.arguments.iter().map(|word| &**word))
}

/// Reports the command that is about to run, and its folder.
pub fn announce(out: &mut Out, host: &'static str, run: &Run) {
    let words: Vec<SafeText> =
        words(run).map(|word| shell::word(&SafeText::path(Path::new(word)))).collect();
    out.say(inert!("asking {}: {}", host, SafeText::join(&words, " ")));
    out.add(inert!("in {}", run.folder));
}

/// Prints one line for each difference, then how many there are.
///
/// # Errors
/// Those of stdout.
pub fn print(out: &mut Out, asked: &Asked<'_>) -> io::Result<()> {
    let (host, host_context) = (asked.host_context.host.id.word(), asked.host_context);
    let version = version(host_context).map(|version| inert!(" {}", version)).unwrap_or_default();
    let done = match &asked.verified {
        Ok(done) => done,
        Err(error) => {
            out.line(inert!("{}{}: {}", host, version, error.to_string()))?;
            // A program may print any number of lines.
            let words = error.words();
            let said = words.lines().filter(|line| !line.trim().is_empty()).take(8);
            return said
                .map(|line| inert!("  it says: {}", line))
                .try_for_each(|line| out.line(&line));
        }
    };
    let count = |wanted: &dyn Fn(&Finding) -> bool| {
        done.rows.iter().filter(|row| wanted(&row.finding)).count()
    };
    for row in done.rows.iter().filter(|row| row.finding != Finding::Same) {
        let place = row.path.as_deref().map(SafeText::path).unwrap_or_default();
        let line = inert!(
            "{}  {}: {}  {}  {}",
            host,
            kind(&row.finding).1,
            row.name,
            detail(&done.view, row),
            place
        );
        out.line(SafeText::clean(line.as_str().trim_end()))?;
    }
    let (same, differ) = (count(&|it| *it == Finding::Same), count(&Finding::is_difference));
    let unknown = done.rows.len() - same - differ;
    let mut line = inert!("{}{}: {} skills, {} the same", host, version, done.rows.len(), same);
    if differ > 0 {
        line = inert!("{}, {} not", line, differ);
    }
    if unknown > 0 {
        line = inert!("{}, {} that its program does not show", line, unknown);
    }
    out.line(&line)?;
    if done.cut {
        out.line(inert!(
            "{}: too many files: the program was asked in a copy that has not all of them",
            host
        ))?;
    }
    let not_copied = not_copied(host_context, done);
    if !not_copied.is_empty() {
        out.line(inert!(
            "{}: not in the copy, so not asked about: {}; --live asks with them",
            host,
            not_copied
        ))?;
    }
    let remark = host_context.remark();
    if remark.is_empty() { Ok(()) } else { out.line(inert!("{} {}", host, remark)) }
}
