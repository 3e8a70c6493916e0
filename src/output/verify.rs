//! `verify`: what the agents' own programs list, compared with our view.

use super::Out;
use super::parts::{exact, lossy};
use crate::inert;
use crate::policy::Entry;
use crate::text::{SafeText, time};
use crate::workspace::clock::now_ms;
use crate::workspace::verify::{Finding, Row, Run, Verified, VerifyError};
use crate::workspace::{HostContext, View};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io;

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
    /// The commands that were run: program and arguments. None if the answer was kept.
    ran: Vec<Vec<String>>,
    /// The folder in which they were run.
    folder: Option<String>,
    /// If the answer was kept from an earlier time, when the program gave it: Unix time in
    /// milliseconds. Neither its file nor anything that we would copy for it has changed since.
    kept_from_ms: Option<u64>,
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
        kept_from_ms: done.and_then(|done| done.kept_from_ms),
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

/// Says which programs are being asked, before the first answer. It is not known yet whose answers
/// are kept.
pub fn announce(out: &mut Out, host_contexts: &[HostContext], live: bool) {
    let names = host_contexts.iter().map(|it| SafeText::fixed(it.host.id.word()));
    let names = SafeText::join(names.collect::<Vec<_>>(), ", ");
    let place = if live { "here" } else { "in copies of what they read" };
    out.say(inert!("asking {}, {}", names, place));
}

/// Prints a page: what was asked and how much agrees, what differs, what to do about it, whose
/// answers were kept, and what was not asked about.
///
/// # Errors
/// Those of stdout.
pub fn print(out: &mut Out, asked: &[Asked<'_>]) -> io::Result<()> {
    summary(out, asked)?;
    let differing = |one: &&Asked<'_>| differences(one).next().is_some();
    if asked.iter().any(|one| differing(&one)) {
        out.line("")?;
        out.line("what differs or is unknown")?;
        asked.iter().try_for_each(|one| print_differences(out, one))?;
    }
    let cures = cures(asked);
    if !cures.is_empty() {
        out.line("")?;
        out.line("what to do")?;
        cures.iter().try_for_each(|cure| out.line(inert!("  {}", *cure)))?;
    }
    let kept = kept(asked, now_ms());
    if !kept.is_empty() {
        out.line("")?;
        out.line(
            "not asked again, since nothing that we copy for them has changed (--no-index asks)",
        )?;
        kept.iter().try_for_each(|(age, names)| {
            out.line(inert!("  {}: {}", age, SafeText::join(names.clone(), ", ")))
        })?;
    }
    let not_asked: Vec<SafeText> = asked.iter().filter_map(not_asked).collect();
    if !not_asked.is_empty() {
        out.line("")?;
        out.line("not asked about, since no copy has it (--live asks with it)")?;
        not_asked.iter().try_for_each(|line| out.line(inert!("  {}", line)))?;
    }
    Ok(())
}

/// The width of the names of agents, where they stand alone.
const HOST: usize = 8;

/// The columns of the summary. The last one is the command.
const COLUMNS: [&str; 7] =
    ["agent", "version", "skills", "agree", "differ", "unknown", "asked with"];

/// Those of the columns that hold numbers, which stand at the right.
const NUMBERS: std::ops::Range<usize> = 2..6;

/// One line for each agent.
fn summary(out: &mut Out, asked: &[Asked<'_>]) -> io::Result<()> {
    let head = COLUMNS.map(SafeText::fixed).to_vec();
    let rows: Vec<Vec<SafeText>> = asked.iter().map(cells).collect();
    let widths: Vec<usize> = (0..COLUMNS.len() - 1)
        .map(|at| rows.iter().chain([&head]).map(|cells| cells[at].width()).max().unwrap_or(0))
        .collect();
    let line = |cells: &[SafeText]| {
        let padded = cells.iter().enumerate().map(|(at, cell)| match widths.get(at) {
            Some(width) if NUMBERS.contains(&at) => {
                let missing = width.saturating_sub(cell.width());
                inert!("{}{}", SafeText::default().pad(missing), cell)
            }
            Some(width) => cell.pad(*width),
            None => cell.clone(),
        });
        let line = SafeText::join(padded.collect::<Vec<_>>(), "  ");
        SafeText::clean(line.as_str().trim_end())
    };
    out.line(line(&head))?;
    for (one, cells) in asked.iter().zip(&rows) {
        out.line(line(cells))?;
        if let Err(error) = &one.verified {
            out.line(inert!("  no answer: {}", error.to_string()))?;
            // A program may print any number of lines.
            let words = error.words();
            for line in words.lines().filter(|line| !line.trim().is_empty()).take(8) {
                out.line(inert!("  it says: {}", line))?;
            }
        }
    }
    Ok(())
}

fn cells(asked: &Asked<'_>) -> Vec<SafeText> {
    let number = |count: usize| inert!("{}", count);
    let counts = match &asked.verified {
        Ok(done) => {
            let same = done.rows.iter().filter(|row| row.finding == Finding::Same).count();
            let differ = done.rows.iter().filter(|row| row.finding.is_difference()).count();
            let all = done.rows.len();
            [all, same, differ, all - same - differ].map(number)
        }
        Err(_) => std::array::from_fn(|_| SafeText::fixed("-")),
    };
    let command = asked.host_context.host.probe.map_or("", |probe| probe.what);
    let version = version(asked.host_context).unwrap_or_default();
    [SafeText::fixed(asked.host_context.host.id.word()), SafeText::line(&version)]
        .into_iter()
        .chain(counts)
        .chain([SafeText::fixed(command)])
        .collect()
}

fn differences<'a>(asked: &'a Asked<'_>) -> impl Iterator<Item = &'a Row> {
    let rows = asked.verified.as_ref().map_or(&[][..], |done| &done.rows);
    rows.iter().filter(|row| row.finding != Finding::Same)
}

/// What the program and we do not agree on, or what cannot be known.
fn print_differences(out: &mut Out, asked: &Asked<'_>) -> io::Result<()> {
    let Ok(done) = &asked.verified else { return Ok(()) };
    let host = asked.host_context.host.id.word();
    for row in differences(asked) {
        let detail = detail(&done.view, row);
        let detail = if detail.is_empty() { detail } else { format!("; {detail}") };
        let kind = kind(&row.finding).1;
        out.line(inert!("  {}  {}: {}{}", host, SafeText::line(&row.name), kind, detail))?;
        if let Some(path) = &row.path {
            out.line(inert!("    {}", path))?;
        }
    }
    Ok(())
}

/// What a person can do about the results.
fn cures(asked: &[Asked<'_>]) -> Vec<SafeText> {
    let mut cures = Vec::new();
    for one in asked {
        let host_context = one.host_context;
        let host = host_context.host.id.word();
        let done = match &one.verified {
            Ok(done) => done,
            Err(error) => {
                cures.extend(cure(host_context, error));
                continue;
            }
        };
        if done.cut {
            cures.push(inert!("{}: too many files to copy all of them: ask it with --live", host));
        }
        if done.rows.iter().any(|row| row.finding.is_difference()) {
            cures.push(inert!(
                "{}: its program is right; skillpick show NAME --host {} names the rule by which we judge",
                host,
                host
            ));
        }
        let remark = host_context.remark();
        if !remark.is_empty() {
            cures.push(inert!("{} {}", host, remark));
        }
    }
    cures
}

/// What a person can do where a program gave no answer. Broken settings may be what stopped it.
fn cure(host_context: &HostContext, error: &VerifyError) -> Option<SafeText> {
    let host = host_context.host.id.word();
    match host_context.policy.alarms.first() {
        Some(alarm) if matches!(error, VerifyError::ProbeError(_)) => Some(inert!(
            "{}: mend {}:{} first, since its program may stop at that",
            host,
            alarm.file,
            alarm.line
        )),
        _ => error.cure().map(|cure| inert!("{}: {}", host, cure)),
    }
}

/// Whose answers were kept, by their age in words.
fn kept(asked: &[Asked<'_>], now_ms: u64) -> BTreeMap<String, Vec<SafeText>> {
    let mut kept: BTreeMap<String, Vec<SafeText>> = BTreeMap::new();
    for one in asked {
        let from_ms = one.verified.as_ref().ok().and_then(|done| done.kept_from_ms);
        if let Some(from_ms) = from_ms {
            let names = kept.entry(time::age(now_ms.saturating_sub(from_ms))).or_default();
            names.push(SafeText::fixed(one.host_context.host.id.word()));
        }
    }
    kept
}

fn not_asked(asked: &Asked<'_>) -> Option<SafeText> {
    let done = asked.verified.as_ref().ok()?;
    let what = not_copied(asked.host_context, done);
    let host = SafeText::fixed(asked.host_context.host.id.word()).pad(HOST);
    (!what.is_empty()).then(|| inert!("{}  {}", host, what))
}
