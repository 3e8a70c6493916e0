//! Presses keys, `script(&mut state, "pdf<tab><enter>")`, and says in words what the model
//! requests.

use super::catalog::{TestCatalog, skill};
use ratatui::layout::Rect;
use skillpick::catalog::{Draft, HostId, Listed, Permission, Refuses, Scope};
use skillpick::policy::change::{FileChange, FileKind, NewRule, PlannedEffect, PlannedFile};
use skillpick::policy::{Layer, Origin, Rule, Ruling, Verdict};
use skillpick::search::Ranker;
use skillpick::text::SafeText;
use skillpick::tui::app::Screen;
use skillpick::tui::app::{
    self, ChangeAnswer, ChangeJob, ChangeRequest, Effect, Exit, MendRequest, Msg, Options, Plan,
    ProjectTask, Ranking, State, StoredDraft, StoredRequest, Timer, Viewed,
};
use skillpick::tui::keymap::{Chord, Keymap, Meaning};
use std::path::Path;
use std::sync::{Arc, LazyLock};

static KEYMAP: LazyLock<Keymap> = LazyLock::new(Keymap::default);

/// Applies a message, and answers at once what the list asks for, as the shell's worker does.
pub(crate) fn update(state: &mut State, msg: Msg) -> Vec<Effect> {
    let mut effects = app::update(state, msg);
    let is_rank = |effect: &Effect| matches!(effect, Effect::Rank(_) | Effect::Complete(_));
    while let Some(at) = effects.iter().position(is_rank) {
        let (question, answer): (_, fn(u64, Box<Ranking>) -> Msg) = match effects.remove(at) {
            Effect::Rank(question) => (question, Msg::Ranked),
            Effect::Complete(question) => (question, Msg::Completed),
            _ => continue,
        };
        let ranking = question.answer(&mut Ranker::default(), &|| true).unwrap();
        effects.extend(app::update(state, answer(question.number, Box::new(ranking))));
    }
    effects
}

/// A picker of 100 × 30 with the shop's catalog.
pub(crate) fn shop() -> State {
    open((100, 30), TestCatalog::shop().view())
}

/// A picker with a view.
pub(crate) fn open((columns, rows): (u16, u16), viewed: Viewed) -> State {
    let mut state = unopened((columns, rows), false);
    update(&mut state, Msg::Viewed(Box::new(viewed)));
    state
}

/// A picker before the first view.
pub(crate) fn unopened((columns, rows): (u16, u16), ascii: bool) -> State {
    let bindings = KEYMAP.bindings(ascii);
    let options = Options {
        multi: true,
        ascii,
        host: "agents",
        hosts: vec![HostId::AGENTS, HostId("codelia"), HostId("remcochat")],
        refuses: Refuses(|host, _, check| {
            check.code.starts_with("name-") && ["codelia", "remcochat"].contains(&host.word())
        }),
        mouse: true,
        home: Some("/home/ada".into()),
        here: "/code/shop".into(),
        bindings,
        format: "mention",
        ..Options::default()
    };
    State::new(Rect::new(0, 0, columns, rows), options, "", None)
}

/// Presses keys: characters as they stand, others as `<name>`: `<enter>`, `<ctrl-x>`, `<lt>` for
/// `<`.
pub(crate) fn script(state: &mut State, keys: &str) -> Vec<Effect> {
    split(keys).iter().flat_map(|key| press(state, key)).collect()
}

pub(crate) fn press(state: &mut State, key: &str) -> Vec<Effect> {
    match meaning(state, key) {
        Meaning::Action(action) => update(state, Msg::Action(action)),
        Meaning::Text(character) => update(state, Msg::Text(character)),
        Meaning::Nothing => Vec::new(),
    }
}

pub(crate) fn meaning(state: &State, key: &str) -> Meaning {
    KEYMAP.meaning(state.context(), Chord::read(key).unwrap_or_else(|| panic!("{key} is no key")))
}

pub(crate) fn split(keys: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = keys;
    while let Some(first) = rest.chars().next() {
        let (name, after) = match rest.strip_prefix('<').and_then(|inner| inner.split_once('>')) {
            Some((name, after)) => (name.to_owned(), after),
            None => (first.to_string(), &rest[first.len_utf8()..]),
        };
        names.push(match name.as_str() {
            "lt" => "<".to_owned(),
            " " => "space".to_owned(),
            _ => name,
        });
        rest = after;
    }
    names
}

/// Presses keys and returns the effects in words, without requests that only read or wait.
pub(crate) fn effects(state: &mut State, keys: &str) -> Vec<String> {
    in_words(&script(state, keys))
}

/// Effects in words, without those that only read or wait.
pub(crate) fn in_words(effects: &[Effect]) -> Vec<String> {
    effects.iter().filter_map(in_word).collect()
}

fn in_word(effect: &Effect) -> Option<String> {
    Some(match effect {
        Effect::Preview(_)
        | Effect::Learn(_)
        | Effect::Excerpt(_)
        | Effect::Rank(_)
        | Effect::SearchBodies(_)
        | Effect::Wait(..)
        | Effect::FindHosts
        | Effect::CountHosts(_)
        | Effect::ReadActivity
        | Effect::ReadCopies(_)
        | Effect::ReportHosts
        | Effect::Complete(_)
        | Effect::FindPanes
        | Effect::Recall(_) => {
            return None;
        }
        Effect::KeepDraft(draft) => format!("keep {:?}", words(draft)),
        Effect::Remember(draft) => format!("remember {:?}", words(draft)),
        Effect::EditPrompt(draft) => format!("edit {:?}", words(draft)),
        Effect::Send(sending) => {
            let with = if sending.inject { " with texts" } else { "" };
            let (pane, enter) = match &sending.pane {
                Some(pane) => {
                    (format!(" in {}", pane.id), if sending.submit { " and enter" } else { "" })
                }
                None => (String::new(), ""),
            };
            let anyway = if sending.anyway { " anyway" } else { "" };
            let (draft, host) = (words(&sending.draft), sending.host.word());
            format!("send {draft:?} to {host}{with}{pane}{enter}{anyway}")
        }
        Effect::AskAgents => "ask the agents".into(),
        Effect::Exit(Exit::Left) => "left".into(),
        Effect::Exit(Exit::Picked(paths)) => format!("picked {}", names(paths)),
        Effect::Scan => "scan".into(),
        Effect::Change(_, job) => job_words(job),
        Effect::LookThrough(host) => format!("look through {host}"),
        Effect::Share(path, host) => format!("share {} {host}", names(std::slice::from_ref(path))),
        Effect::Unshare(path, host) => {
            format!("unshare {} {host}", names(std::slice::from_ref(path)))
        }
        Effect::Compare(path, None) => format!("compare {}", names(std::slice::from_ref(path))),
        Effect::Compare(path, Some(other)) => {
            format!("compare {} and {}", path.display(), other.display())
        }
        Effect::Examples => "examples".into(),
        Effect::Prefer(host) => format!("prefer {}", host.word()),
        Effect::Budget(key, None) => match key.window {
            None => format!("budget of {}", key.host.word()),
            Some(window) => format!("budget of {} at {window}", key.host.word()),
        },
        Effect::Budget(key, Some(path)) => {
            format!("budget of {} without {}", key.host.word(), names(std::slice::from_ref(path)))
        }
        Effect::Changes(task) => format!("changes: {task:?}").to_lowercase(),
        Effect::Project(task) => format!("project: {}", task_words(task)),
        Effect::Edit(path, line) => format!("edit {}:{line}", path.display()),
        Effect::Copy(form, paths) => format!("copy {form:?} {}", names(paths)),
        Effect::CopyLines(lines) => {
            format!(
                "copy lines {}",
                lines.iter().map(SafeText::as_str).collect::<Vec<_>>().join(" | ")
            )
        }
        Effect::Suspend => "suspend".into(),
        Effect::Repaint => "repaint".into(),
        Effect::TakeMouse(taken) => format!("mouse {taken}"),
    })
}

fn job_words(job: &ChangeJob) -> String {
    match job {
        ChangeJob::Plan(ChangeRequest::Switch { paths, to }) => {
            format!("plan {} {}", to.word(), names(paths))
        }
        ChangeJob::Plan(ChangeRequest::SetRules(files)) => {
            let rules = files.iter().flat_map(|(layer, rules)| {
                rules.iter().map(|rule| in_words_of_a_rule(rule, *layer))
            });
            format!("plan {}", rules.collect::<Vec<_>>().join("; "))
        }
        ChangeJob::PlanThrough(host, ChangeRequest::Switch { paths, to }) => {
            format!("plan in {host} {} {}", to.word(), names(paths))
        }
        ChangeJob::Plan(request) | ChangeJob::PlanThrough(_, request) => {
            format!("plan {request:?}")
        }
        ChangeJob::PlanMend(request) => mend_words(request),
        ChangeJob::PlanStored(request) => format!("project: plan {}", stored_words(request)),
        ChangeJob::Save(plan) => format!("save {}", plan.files[0].line),
        ChangeJob::Mend(mending) => format!("mend: {}", mending.label),
        ChangeJob::Store(plan) => format!("project: {}", plan.label),
        ChangeJob::Undo => "undo".into(),
        ChangeJob::UndoOne(number) => format!("changes: undo({number})"),
        ChangeJob::RedoOne(number) => format!("changes: redo({number})"),
        ChangeJob::UndoStored => "project: undo".into(),
    }
}

fn mend_words(request: &MendRequest) -> String {
    match request {
        MendRequest::New(name) => format!("plan to make {name}"),
        MendRequest::Links(folder) => format!("plan to link {folder}"),
        MendRequest::Keep(path) => format!("plan to keep {}", path.display()),
        MendRequest::Rename(path, name) => format!("plan to rename {} to {name}", path.display()),
        MendRequest::Findings(findings) => {
            let mut codes: Vec<&str> = findings.iter().map(|(_, code)| *code).collect();
            codes.sort_unstable();
            codes.dedup();
            format!("plan to mend {} of {}", codes.join(", "), names(&request.paths()))
        }
    }
}

fn stored_words(request: &StoredRequest) -> String {
    match request {
        StoredRequest::Add(path) => format!("add {}", path.display()),
        StoredRequest::Edited(draft) => format!("edited {}", draft.name),
        StoredRequest::Delete(name) => format!("delete {name}"),
        StoredRequest::Restore(name, None) => format!("restore {name}"),
        StoredRequest::Restore(name, Some(version)) => format!("restore {name} {version}"),
    }
}

fn task_words(task: &ProjectTask) -> String {
    match task {
        ProjectTask::Read(None) => "read".into(),
        ProjectTask::Read(Some(name)) => format!("read with {name}"),
        ProjectTask::Compare(name, None) => format!("compare {name} with its file"),
        ProjectTask::Compare(name, Some(version)) => format!("compare {name} with {version}"),
        ProjectTask::Edit(name, version) => format!("edit {name} {version}"),
    }
}

/// A rule as it would be saved: `deny internal-* user`.
pub(crate) fn draft(draft: &Rule) -> String {
    in_words_of_a_rule(&NewRule::of(draft), draft.layer)
}

fn in_words_of_a_rule(rule: &NewRule, layer: Layer) -> String {
    let pattern = rule.pattern.text().unwrap_or_default();
    format!("{} {} {}", rule.effect.word(), pattern, layer.word())
}

/// A draft as text, each pill as `[name]`.
fn words(draft: &Draft) -> String {
    draft.text(|pill| format!("[{}]", pill.name))
}

fn names<P: AsRef<Path>>(paths: &[P]) -> String {
    let name = |path: &P| {
        path.as_ref().parent().unwrap().file_name().unwrap().to_string_lossy().into_owned()
    };
    paths.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// The names on the picker's rows.
pub(crate) fn rows(state: &State) -> Vec<String> {
    (0..state.picker.hits().len())
        .filter_map(|row| state.picker.entry(row))
        .map(|entry| entry.skill.name.clone())
        .collect()
}

/// The name on the current row.
pub(crate) fn current(state: &State) -> &str {
    state.current().map_or("", |entry| entry.skill.name.as_str())
}

/// Moves the picker's cursor to the first row of this name.
pub(crate) fn go_to(state: &mut State, name: &str) {
    let row = rows(state)
        .iter()
        .position(|row| row == name)
        .unwrap_or_else(|| panic!("{name} has no row"));
    script(state, "<home>");
    for _ in 0..row {
        script(state, "<down>");
    }
    assert_eq!(current(state), name);
}

/// The notice's words; empty if there is none.
pub(crate) fn notice(state: &State) -> &str {
    state.notice.as_ref().map_or("", |notice| notice.text.as_str())
}

/// The topmost screen's name.
pub(crate) fn top(state: &State) -> &'static str {
    match state.screens.last() {
        None => "picker",
        Some(Screen::Detail(_)) => "detail",
        Some(Screen::Problems(_)) => "problems",
        Some(Screen::Rules(_)) => "rules",
        Some(Screen::Help(_)) => "help",
        Some(Screen::Confirm(_)) => "confirm",
        Some(Screen::Copy(_)) => "copy",
        Some(Screen::Hosts(_)) => "hosts",
        Some(Screen::Seen(_)) => "seen",
        Some(Screen::Compare(_)) => "compare",
        Some(Screen::Activity(_)) => "activity",
        Some(Screen::Project(_)) => "project",
        Some(Screen::Changes(_)) => "changes",
        Some(Screen::Budget(_)) => "budget",
        Some(Screen::Prefer(_)) => "prefer",
        Some(Screen::Copies(_)) => "copies",
        Some(Screen::Begin(_)) => "begin",
        Some(Screen::Compose(_)) => "compose",
    }
}

/// A plan for one file, as the workspace would send it. Its line is the number by which tests tell
/// plans apart.
pub(crate) fn plan(line: u32, ask: bool) -> Plan {
    let head = "version = 1\n\n# what I never need here\n";
    let before = format!("{head}enabled = true\n");
    let path = "path = \"/code/shop/.agents/skills/pdf-forms/SKILL.md\"\n";
    let after = format!("{head}[[skills.config]]\n{path}enabled = false\n");
    let change = FileChange {
        path: "/code/shop/.skillpick.toml".into(),
        before: Some(before.into_bytes()),
        after: after.into_bytes(),
    };
    Plan {
        label: "turn pdf-forms off".to_owned(),
        files: vec![PlannedFile {
            host: HostId::AGENTS,
            layer: Layer::Project,
            kind: FileKind::Project,
            change,
            line,
        }],
        effects: vec![effect("pdf-forms", (true, Permission::Ask), (false, Permission::Deny))],
        ask,
        ..Plan::default()
    }
}

/// A skill whose enablement and permission change.
pub(crate) fn effect(
    name: &str,
    before: (bool, Permission),
    after: (bool, Permission),
) -> PlannedEffect {
    let verdict = |permission| Verdict {
        listed: Ruling::new(Listed::Full, Origin::Default),
        model: Ruling::new(permission, Origin::Default),
        user: Ruling::new(true, Origin::Default),
    };
    PlannedEffect {
        host: HostId::AGENTS,
        skill: Arc::new(skill(Scope::Repo, name, "")),
        before: verdict(before.1),
        after: verdict(after.1),
        states: (before.0.into(), after.0.into()),
    }
}

/// The number with which the last step of a change was asked for.
pub(crate) fn number(effects: &[Effect]) -> u64 {
    let number = |effect: &Effect| match effect {
        Effect::Change(number, _) => Some(*number),
        _ => None,
    };
    effects.iter().rev().find_map(number).unwrap_or_else(|| panic!("{:?}", in_words(effects)))
}

/// Answers the step of a change that is awaited; if there is none, one is asked for first.
pub(crate) fn answered(state: &mut State, answer: ChangeAnswer) -> Vec<Effect> {
    if state.awaited().is_none() {
        update(state, Msg::StoredEdited(edited()));
    }
    let number = state.awaited().unwrap_or_else(|| panic!("nothing is awaited: {}", top(state)));
    update(state, Msg::Changed(number, answer))
}

/// A text of the project that was edited.
pub(crate) fn edited() -> StoredDraft {
    StoredDraft { name: "pdf".into(), version: "1".into(), file: "/tmp/pdf".into() }
}

/// Sends a plan, and lets it be visible long enough to be confirmed.
pub(crate) fn planned(state: &mut State, number: u32, ask: bool) -> Vec<String> {
    let effects = answered(state, ChangeAnswer::Planned(Ok(Box::new(plan(number, ask)))));
    seen_long_enough(state, &effects);
    in_words(&effects)
}

/// Lets the time pass after which a question can be answered.
pub(crate) fn seen_long_enough(state: &mut State, effects: &[Effect]) {
    for effect in effects {
        if let Effect::Wait(timer @ Timer::Confirm(_), _) = effect {
            update(state, Msg::Waited(*timer));
        }
    }
}
