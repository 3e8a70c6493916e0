//! Messages of the protocol's log for a person who operates an agent: settings that cannot be read,
//! skills that cannot be offered, what was cut, what was refused, and which rule a consent has
//! written.
//!
//! Since protocol 2026-07-28, which calls the log deprecated, each request sets the level of the
//! messages that it wants, and gets none without a level. Older protocols set a level for the
//! connection; until then it is `warning`. Every text is already cleaned.
#![expect(
    deprecated,
    reason = "deprecated is not gone: clients of every version so far know no other log"
)]

use super::catalog_cache::Snapshot;
use crate::catalog::{NAMED_AND_MISSING, RootState};
use crate::policy::{Entry, Reader};
use crate::text::SafeText;
use crate::workspace::View;
use rmcp::RoleServer;
use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam, ProtocolVersion};
use rmcp::service::{Peer, RequestContext};
use serde_json::json;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The most skills that are reported at once.
const SKILLS: usize = 20;

/// What somebody else is told of the owner's settings.
const OTHERS: &str = "a settings file of the server's owner cannot be read whole; until its owner \
                      mends it, skills may be denied or missing";

/// The name of the logger in each message.
const LOGGER: &str = "skillpick";

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Line {
    weight: Weight,
    code: String,
    message: String,
    path: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Weight {
    Info,
    Warning,
    Error,
}

impl Weight {
    fn level(self) -> LoggingLevel {
        match self {
            Self::Info => LoggingLevel::Info,
            Self::Warning => LoggingLevel::Warning,
            Self::Error => LoggingLevel::Error,
        }
    }
}

impl Line {
    fn new(weight: Weight, code: &str, message: String) -> Self {
        Self { weight, code: code.to_owned(), message: message.replace('\n', " "), path: None }
    }

    fn about(self, path: &Path) -> Self {
        Self { path: Some(SafeText::path(path).to_string()), ..self }
    }

    fn told_to(self, reader: &Reader) -> Self {
        let message = reader.text(&self.message);
        Self { message, path: self.path.map(|path| reader.text(&path)), ..self }
    }

    /// A refusal, with its tool or method and the reason.
    pub(super) fn refused(by: &str, code: &str, text: &str) -> Self {
        Self::new(Weight::Warning, code, format!("{by}: {text}"))
    }

    /// The result of an *always*.
    pub(super) fn remembered(notes: &[String]) -> Vec<Self> {
        notes.iter().map(|note| Self::new(Weight::Info, "remembered", note.clone())).collect()
    }

    /// A text that is given only in part.
    pub(super) fn cut(cut: &CutText) -> Self {
        let CutText { path, given, total } = cut;
        Self::new(Weight::Warning, "cut", format!("only {given} of {total} bytes are given"))
            .about(path)
    }

    /// A call that could not be logged.
    pub(super) fn unlogged(news: &str) -> Self {
        Self::new(Weight::Warning, "unlogged", news.to_string())
    }

    fn is_for(&self, from: LoggingLevel) -> bool {
        self.weight.level() as u8 >= from as u8
    }

    fn said(self) -> LoggingMessageNotificationParam {
        let mut data = json!({ "code": self.code, "message": self.message });
        if let Some(path) = self.path {
            data["path"] = path.into();
        }
        LoggingMessageNotificationParam::new(self.weight.level(), data).with_logger(LOGGER)
    }
}

/// The log of one connection.
#[derive(Clone)]
pub(super) struct Log(Arc<Mutex<State>>);

struct State {
    /// The level for requests that set none.
    from: LoggingLevel,
    /// Problems that exist and were reported.
    told: HashSet<Line>,
    /// Files that were given in part, which is reported once for each.
    cut: HashSet<PathBuf>,
}

/// A file of which only the first part is given.
#[derive(Debug)]
pub(super) struct CutText {
    pub(super) path: PathBuf,
    /// Bytes.
    pub(super) given: usize,
    /// Bytes of the whole file.
    pub(super) total: u64,
}

impl Default for Log {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(State {
            from: LoggingLevel::Warning,
            told: HashSet::new(),
            cut: HashSet::new(),
        })))
    }
}

impl Log {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `logging/setLevel`.
    pub(super) fn set(&self, from: LoggingLevel) {
        self.state().from = from;
    }

    /// The level of the messages that this request wants; `None` if it wants none.
    pub(super) fn level(&self, context: &RequestContext<RoleServer>) -> Option<LoggingLevel> {
        if context
            .protocol_version()
            .is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
        {
            return context.meta.log_level();
        }
        Some(self.state().from)
    }

    /// Whether a warning would be sent for this request.
    pub(super) fn warns(&self, context: &RequestContext<RoleServer>) -> bool {
        self.level(context).is_some_and(|from| from as u8 <= LoggingLevel::Warning as u8)
    }

    pub(super) async fn tell(&self, context: &RequestContext<RoleServer>, lines: Vec<Line>) {
        let Some(from) = self.level(context) else { return };
        send(&context.peer, lines.into_iter().filter(|line| line.is_for(from)).collect()).await;
    }

    /// Reports a text that is given in part, once for each file (REM-11.1).
    pub(super) async fn tell_cut(&self, context: &RequestContext<RoleServer>, cut: &CutText) {
        if self.warns(context) && self.state().cut.insert(cut.path.clone()) {
            self.tell(context, vec![Line::cut(cut)]).await;
        }
    }

    /// Reports new problems of a snapshot to a client of an older protocol.
    pub(super) async fn announce(&self, peer: &Peer<RoleServer>, snapshot: &Snapshot) {
        if peer.peer_info().is_some() {
            let from = self.state().from;
            send(peer, self.news(snapshot, from)).await;
        }
    }

    /// The problems of at least this level that were not reported, which then count as reported. A
    /// problem that disappears is reported again when it comes back.
    pub(super) fn news(&self, snapshot: &Snapshot, from: LoggingLevel) -> Vec<Line> {
        let now = findings(snapshot);
        let mut state = self.state();
        let holds: HashSet<&Line> = now.iter().collect();
        state.told.retain(|line| holds.contains(line));
        let news: Vec<Line> = now
            .into_iter()
            .filter(|line| line.is_for(from) && state.told.insert(line.clone()))
            .collect();
        shortened(news)
    }
}

/// Keeps at most [`SKILLS`] lines about skills, and adds the number of the others.
fn shortened(lines: Vec<Line>) -> Vec<Line> {
    let (skills, mut rest): (Vec<Line>, Vec<Line>) =
        lines.into_iter().partition(|line| line.path.is_some());
    let more = skills.len().saturating_sub(SKILLS);
    rest.extend(skills.into_iter().take(SKILLS));
    if more > 0 {
        let message =
            format!("and {more} more skills cannot be offered; `skillpick check` names them all");
        rest.push(Line::new(Weight::Warning, "more", message));
    }
    rest
}

async fn send(peer: &Peer<RoleServer>, lines: Vec<Line>) {
    for line in lines {
        let _ = peer.notify_logging_message(line.said()).await;
    }
}

/// What is wrong with settings files, by file and line, and what follows. Somebody who is not the
/// owner is only told that something is.
pub(super) fn settings(snapshot: &Snapshot) -> Vec<String> {
    let view = &snapshot.view;
    let whole = settings_of(view);
    if whole.is_empty() || snapshot.workspace.reader.is_owner() {
        whole
    } else {
        vec![OTHERS.to_owned()]
    }
}

fn settings_of(view: &View) -> Vec<String> {
    let problems = view.config.problems().filter(|problem| problem.grave).map(|problem| {
        let place = problem
            .spot
            .as_ref()
            .map(|spot| format!("{}:{}: ", SafeText::path(&spot.file), spot.line));
        let (what, help) = (SafeText::line(&problem.message), SafeText::line(&problem.help));
        let then = if view.config.user_broken() {
            "; until it is read, every skill is denied"
        } else {
            ""
        };
        format!("{}{what}{then}. {help}", place.unwrap_or_default())
    });
    let alarms = view.host_alarms().map(|(host_context, alarm)| {
        let (file, what) = (SafeText::path(&alarm.file), SafeText::line(&alarm.message));
        format!("{}: {file}:{}: {what}", host_context.host.name, alarm.line)
    });
    problems.chain(alarms).collect()
}

/// The problems of a snapshot.
fn findings(snapshot: &Snapshot) -> Vec<Line> {
    let view = &snapshot.view;
    let settings = settings(snapshot).into_iter();
    let settings = settings.map(|problem| Line::new(Weight::Error, "settings", problem));
    let roots = view.roots.iter().filter_map(|report| {
        let reader = &snapshot.workspace.reader;
        let path = SafeText::path(&reader.root(&report.root));
        let what = match &report.state {
            RootState::Failed(why) => {
                let why = reader.fault(&report.root, why);
                format!("{path} cannot be read: {}", SafeText::line(&why))
            }
            RootState::Missing if report.root.named => format!("{path}: {NAMED_AND_MISSING}"),
            RootState::Closed { why, there: true } => format!("{path}: {why}"),
            RootState::Missing | RootState::Read | RootState::Closed { .. } => return None,
        };
        Some(Line::new(Weight::Warning, "root", what))
    });
    let cuts = view.cuts.iter().map(|cut| {
        let message =
            format!("the list is cut: {}; {}", SafeText::line(&cut.message()), cut.help());
        Line::new(Weight::Warning, "cut", message)
    });
    let faults = view.rows.entries().filter(|entry| !entry.offered()).map(fault);
    let all = settings.chain(roots).chain(cuts).chain(faults);
    all.map(|line| line.told_to(&snapshot.workspace.reader)).collect()
}

/// A skill that cannot be offered.
fn fault(entry: &Entry) -> Line {
    let skill = &entry.skill;
    let (code, what) =
        entry.fault().map_or(("refused", ""), |fault| (fault.check.code, fault.message.as_str()));
    let (name, what) = (SafeText::line(&skill.name), SafeText::line(what));
    Line::new(Weight::Warning, code, format!("the skill '{name}' cannot be offered: {what}"))
        .about(&skill.path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::fixture::TestServer;

    #[test]
    fn a_line_is_for_its_level_and_those_below() {
        let line = Line::refused("skill_load", "denied", "why\nso");
        assert!(line.is_for(LoggingLevel::Debug) && line.is_for(LoggingLevel::Warning));
        assert!(!line.is_for(LoggingLevel::Error));
        let said = line.said();
        assert_eq!(said.data, json!({ "code": "denied", "message": "skill_load: why so" }));
    }

    #[test]
    fn beyond_twenty_skills_their_number_is_reported() {
        let line = |number: usize| {
            let line = Line::new(Weight::Warning, "x", number.to_string());
            line.about(Path::new("/x"))
        };
        assert_eq!(shortened((0..SKILLS).map(line).collect()).len(), SKILLS);
        let short = shortened((0..SKILLS + 3).map(line).collect());
        assert_eq!(short.len(), SKILLS + 1);
        assert!(short[SKILLS].message.starts_with("and 3 more"), "{:?}", short[SKILLS]);
    }

    #[test]
    fn a_problem_is_reported_once_and_again_when_it_comes_back() {
        let server = TestServer::with(&[], "");
        let log = Log::default();
        let news = |settings: &str| {
            server.test.env.settings(settings);
            log.news(&server.catalogs.refresh(), LoggingLevel::Error).len()
        };
        assert_eq!(news(""), 0);
        assert_eq!(news("= broken"), 1);
        assert_eq!(news("= broken"), 0);
        assert_eq!(news(""), 0);
        assert_eq!(news("= broken"), 1);
    }
}
