//! Reads and changes the project in its store, each time on a thread of its own.

use super::threads::tell_failed;
use super::{JobResult, JobResults, Jobs, Snapshot, share};
use crate::catalog::short_version;
use crate::inert;
use crate::text::diff::FileChange;
use crate::text::{SafeText, shortened};
use crate::tui::app::{
    ChangeAnswer, Msg, ProjectContent, ProjectTask, StoredDraft, StoredPlan, StoredRequest,
    StoredRow,
};
use crate::workspace::{
    Against, DraftError, Drafts, EditedError, Expected, PlannedOutcome, ProjectPage, ProjectStore,
    SkillDraft, Source, StoreError, StoredChange, StoredVersion, Workspace, file_changes, file_of,
};
use std::path::Path;
use std::sync::Arc;

/// What a failure says.
type Told<T> = Result<T, SafeText>;

/// What is seen, and the texts that are edited here.
#[derive(Clone, Copy)]
struct Place<'a> {
    snapshot: &'a Snapshot,
    drafts: &'a Drafts,
}

impl Jobs {
    /// Reads the project. What is awaited says why it does not come.
    pub(in crate::tui::shell) fn project(&self, snapshot: Snapshot, task: ProjectTask) {
        let drafts = Arc::clone(&self.stored);
        let fails = fails(&task);
        let work = move |results: &JobResults| {
            let place = Place { snapshot: &snapshot, drafts: &drafts };
            let answer = match task {
                ProjectTask::Read(open) => Msg::ProjectRead(read(&snapshot, open).map(Arc::new)),
                ProjectTask::Compare(name, version) => compared(&snapshot, &name, version),
                ProjectTask::Edit(name, version) => match begin_edit(place, name, version) {
                    Ok(draft) => return drop(results.send(JobResult::EditDraft(draft))),
                    Err(why) => tell_failed(why),
                },
            };
            let _ = results.send(JobResult::Msg(answer));
        };
        self.once_or(work, fails);
    }
}

/// What is answered if the task cannot be done, with the reason.
pub(in crate::tui::shell) fn fails(task: &ProjectTask) -> fn(SafeText) -> Msg {
    match task {
        ProjectTask::Read(_) => |why| Msg::ProjectRead(Err(why)),
        ProjectTask::Compare(..) | ProjectTask::Edit(..) => tell_failed,
    }
}

/// What a request would do.
pub(super) fn asked(snapshot: &Snapshot, drafts: &Drafts, request: StoredRequest) -> ChangeAnswer {
    let plan = planned(Place { snapshot, drafts }, request);
    ChangeAnswer::StoredPlanned(plan.map(Box::new))
}

/// Makes a change that was shown.
pub(super) fn written(
    snapshot: &Snapshot,
    drafts: &Drafts,
    asked: &StoredPlan,
    results: &JobResults,
) -> ChangeAnswer {
    ChangeAnswer::Stored(scanned(made(Place { snapshot, drafts }, asked), results))
}

/// Takes back the person's last change.
pub(super) fn undone(snapshot: &Snapshot, results: &JobResults) -> ChangeAnswer {
    ChangeAnswer::StoredUndone(scanned(undo(snapshot), results))
}

/// Scans after a change, so that it is seen even where the store's file cannot be watched.
fn scanned(changed: Told<SafeText>, results: &JobResults) -> Told<SafeText> {
    if changed.is_ok() {
        let _ = results.send(JobResult::Changed);
    }
    changed
}

fn said(error: &impl ToString) -> SafeText {
    SafeText::line(&error.to_string())
}

fn opened(workspace: &Workspace) -> Told<ProjectStore> {
    workspace.project_store().map_err(|error| match workspace.project_name() {
        None => inert!(
            "{}: skillpick project use NAME{}, or --project NAME",
            error.to_string(),
            workspace.place_options()
        ),
        Some(_) => said(&error),
    })
}

fn read(snapshot: &Snapshot, open: Option<Arc<str>>) -> Told<ProjectContent> {
    let store = opened(&snapshot.workspace)?;
    let page = store.page(open.as_deref());
    let page = page.map_err(|error| inert!("{}: {}", store.project, error.to_string()))?;
    Ok(content(snapshot, &store, page, open))
}

fn content(
    snapshot: &Snapshot,
    store: &ProjectStore,
    page: ProjectPage,
    open: Option<Arc<str>>,
) -> ProjectContent {
    let file = |name: &str| file_of(&snapshot.view, name).map(|skill| skill.location().to_owned());
    let at_ms = |at: i64| u64::try_from(at).unwrap_or_default();
    let there = page.skills.into_iter().map(|skill| StoredRow {
        words: inert!("#{} {} by {}", skill.number, short_version(&skill.version), skill.author),
        at_ms: at_ms(skill.updated_ms),
        file: file(&skill.name),
        version: Some(Arc::from(skill.version)),
        name: Arc::from(skill.name),
    });
    let deleted = page.deleted.into_iter().map(|change| StoredRow {
        words: inert!("#{} deleted by {}", change.number, change.author),
        at_ms: at_ms(change.at_ms),
        file: file(&change.name_norm),
        version: None,
        name: Arc::from(change.name_norm),
    });
    let history = page.history.into_iter().map(|change| StoredRow {
        words: inert!(
            "#{} {} {} by {}",
            change.number,
            change.action.word(),
            change.version.as_deref().map_or("", short_version),
            change.author
        ),
        at_ms: at_ms(change.at_ms),
        file: None,
        version: change.version.map(Arc::from),
        name: Arc::from(change.name_norm),
    });
    let history: Vec<StoredRow> = history.collect();
    ProjectContent {
        about: inert!(
            "{} · {} files · {}",
            store.project,
            page.project.precedence.word(),
            store.pool.address().inert()
        ),
        skills: there.chain(deleted).collect(),
        history: open.map(|name| (name, history)),
    }
}

fn compared(snapshot: &Snapshot, name: &str, version: Option<Arc<str>>) -> Msg {
    let against = match &version {
        Some(version) => Against::Version(version),
        None => Against::File(&snapshot.view),
    };
    let lines = opened(&snapshot.workspace).and_then(|store| {
        let compared = store.compare(name, against);
        let compared = compared.map_err(|error| inert!("{}: {}", name, error.to_string()))?;
        Ok(share::lines(&compared.found))
    });
    Msg::Compared(SafeText::line(name), lines)
}

fn begin_edit(place: Place<'_>, name: Arc<str>, version: Arc<str>) -> Told<StoredDraft> {
    let workspace = &place.snapshot.workspace;
    let store = opened(workspace)?;
    let file = workspace.begin_edit(&store, &name, &version, place.drafts);
    let file = file.map_err(|error| inert!("{} is not edited: {}", &*name, error.to_string()))?;
    Ok(StoredDraft { name, version, file })
}

fn undo(snapshot: &Snapshot) -> Told<SafeText> {
    let store = opened(&snapshot.workspace)?;
    let undone = store.change(&StoredChange::Undo(None));
    let undone = undone.map_err(|error| inert!("nothing was undone: {}", error.to_string()))?;
    Ok(inert!("undone in {}: the last change of {}", store.project, undone.name))
}

/// What a request would do.
fn planned(place: Place<'_>, request: StoredRequest) -> Told<StoredPlan> {
    let snapshot = place.snapshot;
    let store = opened(&snapshot.workspace)?;
    let wanted = Wanted::of(place, &store, &request)?;
    let change = wanted.change(Expected::Anything);
    let plan = store.plan(&change).map_err(|error| kept(snapshot, &request, said(&error)))?;
    if !plan.outcome.put.changed {
        return Err(inert!("{} is so already", plan.outcome.name));
    }
    Ok(shown(&store, &plan, &request, &wanted))
}

/// Makes a change that was shown.
fn made(place: Place<'_>, asked: &StoredPlan) -> Told<SafeText> {
    let (snapshot, request) = (place.snapshot, &asked.request);
    let store = opened(&snapshot.workspace)?;
    let wanted = Wanted::of(place, &store, request)?;
    let refused = |error: &StoreError| kept(snapshot, request, said(error));
    let plan = store.plan(&wanted.change(Expected::Anything)).map_err(|error| refused(&error))?;
    // Nobody has said yes to what was not shown.
    if shown(&store, &plan, request, &wanted) != *asked {
        let why = SafeText::fixed("it has changed meanwhile, so nothing was stored");
        return Err(kept(snapshot, request, why));
    }
    let expected =
        plan.outcome.put.previous.as_deref().map_or(Expected::Nothing, Expected::Version);
    store.change(&wanted.change(expected)).map_err(|error| refused(&error))?;
    let label = asked.label.clone();
    match (request, wanted.draft()) {
        // Saved once more after the yes.
        (StoredRequest::Edited(StoredDraft { name, file, .. }), Some(draft))
            if !place.drafts.end(name, file, &draft.content) =>
        {
            Ok(kept(snapshot, request, label))
        }
        _ => Ok(label),
    }
}

/// What a request comes to.
enum Wanted<'a> {
    /// A text, and the version that it was made from.
    Put(Box<SkillDraft>, Option<&'a str>),
    Delete(&'a str),
    Restore(&'a str, Option<&'a str>),
}

impl<'a> Wanted<'a> {
    fn of(place: Place<'_>, store: &ProjectStore, request: &'a StoredRequest) -> Told<Self> {
        let Place { snapshot, drafts } = place;
        let workspace = &snapshot.workspace;
        match request {
            StoredRequest::Delete(name) => Ok(Self::Delete(name)),
            StoredRequest::Restore(name, version) => Ok(Self::Restore(name, version.as_deref())),
            StoredRequest::Add(path) => {
                let gone = || SafeText::fixed("the skill is not there any more");
                let skill = snapshot.view.rows.at(path).map(|row| row.skill()).ok_or_else(gone)?;
                let source = Source { name: &skill.name, from: skill.dir(), description: None };
                let draft = workspace.draft(&source);
                let draft =
                    draft.map_err(|error| inert!("not stored: {}: {}", skill.name, why(&error)))?;
                Ok(Self::Put(Box::new(draft), None))
            }
            StoredRequest::Edited(StoredDraft { name, version, file }) => {
                let not_stored = |error| match error {
                    EditedError::Draft(error) => inert!("not stored: {}", why(&error)),
                    error => inert!("not stored: {}", error.to_string()),
                };
                let draft = workspace.edited_draft(store, (name, version), file, drafts);
                match draft.map_err(|error| kept(snapshot, request, not_stored(error)))? {
                    Some(draft) => Ok(Self::Put(Box::new(draft), Some(version))),
                    None => Err(inert!("{} is as it was", &**name)),
                }
            }
        }
    }

    fn draft(&self) -> Option<&SkillDraft> {
        match self {
            Self::Put(draft, _) => Some(draft),
            Self::Delete(_) | Self::Restore(..) => None,
        }
    }

    /// The change. An edited text expects its version in any case.
    fn change<'b>(&'b self, expected: Expected<'b>) -> StoredChange<'b> {
        match self {
            Self::Put(draft, version) => {
                let expected = version.map_or(expected, Expected::Version);
                StoredChange::Put { draft, expected }
            }
            Self::Delete(name) => StoredChange::Delete { name, expected },
            Self::Restore(name, beginning) => StoredChange::Restore { name, beginning: *beginning },
        }
    }
}

/// Where the text is that was edited and is not stored.
fn kept(snapshot: &Snapshot, request: &StoredRequest, why: SafeText) -> SafeText {
    match request {
        StoredRequest::Edited(StoredDraft { file, .. }) if file.is_file() => {
            let home = snapshot.workspace.context.home.as_deref();
            inert!("{} · your text is kept in {}", why, shortened(file, home))
        }
        _ => why,
    }
}

/// Why a text is not stored, with the place of the first error.
fn why(error: &DraftError) -> SafeText {
    match error {
        DraftError::Unsound(found) => found.first().map_or_else(
            || said(error),
            |found| inert!("line {}: {} [{}]", found.place.line, found.message, found.code()),
        ),
        _ => said(error),
    }
}

fn shown(
    store: &ProjectStore,
    plan: &PlannedOutcome,
    request: &StoredRequest,
    wanted: &Wanted<'_>,
) -> StoredPlan {
    let PlannedOutcome { outcome, before, after } = plan;
    let what = match (wanted, before) {
        (Wanted::Delete(_), _) => "delete",
        (Wanted::Restore(..), _) => "restore",
        (Wanted::Put(..), None) => "store",
        (Wanted::Put(..), Some(_)) => "store a new version of",
    };
    let label = inert!("{} {} in {}", what, outcome.name, store.project);
    let files = file_changes(before.as_ref(), after.as_ref());
    let modes = files.modes.iter().map(|(file, executable)| match executable {
        true => inert!("makes the file executable: {}", file),
        false => inert!("makes the file not executable: {}", file),
    });
    let left_out = wanted.draft().into_iter().flat_map(|draft| &draft.left_out);
    let left_out = left_out.map(|path| inert!("leaves out {}", path));
    let more: Vec<SafeText> = modes.chain(left_out).collect();
    let lists = [
        ("removes the file", files.only_one),
        ("changes the file", files.differing),
        ("adds the file", files.only_other),
    ];
    let files = lists
        .into_iter()
        .flat_map(|(words, files)| files.into_iter().map(move |file| inert!("{} {}", words, file)));
    let warnings =
        wanted.draft().into_iter().flat_map(|draft| &draft.warnings).map(|found| {
            inert!("! line {}: {} [{}]", found.place.line, found.message, found.code())
        });
    // Who stores it answers for what it hides, so that is shown before the yes.
    let hidden = wanted.draft().into_iter().flat_map(|draft| &draft.hidden).flat_map(|found| {
        let head = inert!("! {} hides {}:", found.file, found.hidden.words());
        std::iter::once(head).chain(found.shown.iter().cloned())
    });
    let text = |version: &Option<StoredVersion>| {
        version.as_ref().map(|version| version.content.clone().into_bytes())
    };
    let (old, new) = (text(before), text(after));
    let change = FileChange {
        path: Path::new(&outcome.name).join("SKILL.md"),
        before: old.clone(),
        after: new.clone().unwrap_or_default(),
    };
    let told = hidden.chain(files).chain(more).chain(warnings).collect();
    let changes = if old == new { Vec::new() } else { vec![change] };
    StoredPlan { request: request.clone(), label, told, changes }
}
