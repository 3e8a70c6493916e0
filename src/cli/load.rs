//! `skillpick load`, `unload` and `session`.

use super::choice::{Choices, one_of};
use super::{Exit, Failure, Place, open, support, target};
use crate::inert;
use crate::output::Out;
use crate::output::session::{LoadDocument, SessionDocument, SessionRow};
use crate::policy::{Entry, Origin};
use crate::runtime::session::{self, Admitted, LoadedState, Mode, Rules, SavedSkill, Style};
use crate::runtime::{By, CallContext, ConsentGate, Contents};
use crate::text::SafeText;
use crate::workspace::Workspace;
use clap::Args;

const MODES: Choices<Mode> =
    &[("replace", "Unload them", Mode::Replace), ("add", "Keep them", Mode::Add)];

const STYLES: Choices<Style> = &[
    ("tool-result", "Once, as a tool result", Style::ToolResult),
    ("instructions", "All of them, in the instructions of every call", Style::Instructions),
];

#[derive(Debug, Args)]
pub(super) struct Load {
    /// Names, paths or mentions; all are loaded or none
    #[arg(required = true, value_name = "SKILL")]
    skills: Vec<String>,
    /// The conversation, which remembers the skills
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// What happens to skills loaded before (default: add, with --as instructions replace)
    #[arg(long, value_parser = one_of(MODES), requires = "session")]
    mode: Option<Mode>,
    /// How texts reach the model (default: as before in this conversation, else tool-result)
    #[arg(long = "as", value_name = "STYLE", value_parser = one_of(STYLES), requires = "session")]
    style: Option<Style>,
    /// Loading an unchanged skill again is an error
    #[arg(long, requires = "session")]
    strict: bool,
    /// Answer yes if a rule asks
    #[arg(long)]
    yes: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct Unload {
    /// Names, paths or mentions; those that are not loaded are reported and skipped
    #[arg(required_unless_present = "all", value_name = "SKILL")]
    skills: Vec<String>,
    /// Unload all skills
    #[arg(long, conflicts_with = "skills")]
    all: bool,
    /// The conversation
    #[arg(long, value_name = "ID")]
    session: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct Session {
    /// The conversation
    #[arg(value_name = "ID")]
    session: String,
    /// Record that the conversation was compacted: the next load returns whole texts again
    #[arg(long)]
    compacted: bool,
    /// Print the text for the next call's instructions
    #[arg(long, conflicts_with = "json")]
    instructions: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn load(place: &Place, options: &Load, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = open::checked(place, &[], out)?;
    let view = workspace.view();
    open::warn_about_store(&view, out);
    let caller = support::caller(place, &workspace, &view, options.session.as_deref());
    let mut consent = |entry: &Entry, origin: &Origin, _: Contents| {
        support::consent(&caller, entry, origin, options.yes)
    };
    let refused = |error: session::SessionError| {
        let failure = Failure::from(caller.session_refusal(&error));
        match &error {
            session::SessionError::Load { argument, error } => {
                target::not_loaded(&caller, argument, error, failure)
            }
            session::SessionError::State(_) => failure
                .with("without --session it can be loaded; then nobody remembers that it was"),
            _ => failure,
        }
    };
    // Consent is asked for before the conversation is locked. A conversation that cannot be read
    // gives no consent; the error is reported when it is changed.
    let before = options.session.as_deref().and_then(|id| caller.session(id).ok().flatten());
    let loaded = caller
        .load_all(&options.skills, &mut ConsentGate::new(before.as_ref(), By::Model, &mut consent))
        .map_err(refused)?;
    let Some(id) = options.session.as_deref() else {
        let admitted = Admitted { handed: caller.hand_over_texts(loaded), dropped: Vec::new() };
        hand_over(&workspace, &admitted, None, options.json, out)?;
        return Ok(Exit::Done);
    };
    let values = &workspace.config.values;
    let rules = Rules {
        cap: values.max_active.value,
        strict: options.strict,
        drop_oldest: values.drops_oldest(),
    };
    // A style that an earlier call has chosen does not unload anything by itself.
    let mode = options.mode.unwrap_or(Mode::usual(options.style.unwrap_or_default()));
    let admit = |loaded| {
        caller.change_session(id, |session| {
            if let Some(style) = options.style {
                session.set_style(style);
            }
            let Admitted { handed, dropped } = caller.admit(session, loaded, mode, rules)?;
            Ok((handed, (session.clone(), dropped)))
        })
    };
    let (handed, (session, dropped)) = caller.hand_over(loaded, admit).map_err(refused)?;
    let admitted = Admitted { handed, dropped };
    let states: Vec<LoadedState> =
        session.active().iter().map(|active| caller.state(active)).collect();
    let row = SessionRow::of(id, &session, &states);
    for skill in &admitted.dropped {
        out.say(match mode {
            Mode::Replace => inert!("unloaded: {}", skill.name),
            Mode::Add => {
                let cap = rules.cap;
                inert!("given up, since at most {} are loaded at once: {}", cap, skill.name)
            }
        });
    }
    let printed = hand_over(&workspace, &admitted, Some(row), options.json, out);
    support::finish_handing_over(&caller, id, &admitted.handed, printed, out)
}

fn hand_over(
    workspace: &Workspace,
    admitted: &Admitted,
    session: Option<SessionRow<'_>>,
    json: bool,
    out: &mut Out,
) -> Result<(), Failure> {
    let Admitted { handed, dropped } = admitted;
    if json {
        let repository = workspace.context.repo_root.as_deref();
        out.json(&LoadDocument::of(handed, dropped, repository, session))?;
    }
    for one in handed {
        if !json {
            support::text(out, &one.text(Some("skillpick unload")))?;
        }
        let (name, loaded) = (SafeText::line(&one.loaded().skill.name), one.loaded());
        if loaded.is_cut() {
            out.say(inert!(
                "{}: only {} of {} bytes are loaded",
                name,
                loaded.text.len(),
                loaded.total
            ));
        }
        if loaded.marks > 0 {
            let what = if loaded.marks == 1 { "character" } else { "characters" };
            out.say(inert!("{}: holds {} hidden or control {}", name, loaded.marks, what));
        }
    }
    Ok(())
}

pub(super) fn unload(place: &Place, options: &Unload, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = open::checked(place, &[], out)?;
    let view = workspace.view();
    let id = options.session.as_str();
    let caller = support::caller(place, &workspace, &view, Some(id));
    let which =
        if options.all { session::Unload::All } else { session::Unload::These(&options.skills) };
    let change =
        |session: &mut session::Session| Ok((caller.unload(session, which), session.clone()));
    let changed =
        caller.change_known_session(id, change).map_err(|error| caller.session_refusal(&error))?;
    let (gone, session) = changed.ok_or_else(|| unknown(id))?;
    if options.json {
        print_json(&caller, id, &session, &gone, out)?;
    } else {
        gone.iter().for_each(|skill| out.say(inert!("unloaded: {}", skill.name)));
    }
    let absent = |argument: &&String| !gone.iter().any(|skill| caller.means(argument, skill));
    for argument in options.skills.iter().filter(absent) {
        out.say(inert!("not loaded here: {}", argument));
    }
    Ok(Exit::Done)
}

pub(super) fn session(place: &Place, options: &Session, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = open::checked(place, &[], out)?;
    let view = workspace.view();
    let id = options.session.as_str();
    let caller = support::caller(place, &workspace, &view, Some(id));
    let refused = |error: session::SessionError| Failure::from(caller.session_refusal(&error));
    let Some(mut session) = caller.session(id).map_err(refused)? else {
        return Err(unknown(id));
    };
    if options.compacted {
        let forget = |session: &mut session::Session| {
            session.compacted();
            Ok(session.clone())
        };
        session = caller.change_session(id, forget).map_err(refused)?;
    }
    if options.json {
        print_json(&caller, id, &session, &[], out)?;
        return Ok(Exit::Done);
    }
    let instructions = caller.instructions(&session);
    if options.instructions {
        support::text(out, &instructions.text)?;
    }
    for (active, state) in session.active().iter().zip(&instructions.states) {
        let why = match state {
            LoadedState::Refused(error) => inert!("  ({})", error.to_string()),
            LoadedState::Unseen => SafeText::fixed("  (not visible from this directory)"),
            _ => SafeText::default(),
        };
        let line = inert!("{}  {}  {}{}", active.name, state.word(), active.path, why);
        match (options.instructions, state) {
            (false, _) => out.line(&line)?,
            (true, LoadedState::Current) => {}
            (true, _) => out.say(&line),
        }
    }
    Ok(Exit::Done)
}

fn unknown(id: &str) -> Failure {
    Failure::missing(inert!("no conversation is known as `{}`", id)).coded("unknown")
}

fn print_json(
    caller: &CallContext<'_>,
    id: &str,
    session: &session::Session,
    unloaded: &[SavedSkill],
    out: &mut Out,
) -> Result<(), Failure> {
    let instructions = caller.instructions(session);
    let row = SessionRow::of(id, session, &instructions.states);
    let text = (session.style() == Style::Instructions).then_some(instructions.text.as_str());
    Ok(out.json(&SessionDocument::of(row, text, unloaded))?)
}
