//! Turns the errors of the runtime into a [`Refusal`], which every front end prints.

use super::allowing;
use super::block::BlockError;
use super::call_context::CallContext;
use super::fetch::FetchError;
use super::judge::LoadError;
use super::launch::{Launch, LaunchError};
use super::read::ReadError;
use super::session::SessionError;
use crate::catalog::{Cut, Diagnostic, Limit, Skill};
use crate::files::beneath::Refusal as PathRefusal;
use crate::inert;
use crate::policy::{Cure, Entry, Origin, Refusal, Shortfall, echo};
use crate::sandbox::PrepareError;
use crate::text::{SafeText, shell};
use crate::workspace::ResolveError;
use std::path::Path;

/// A file of a skill as it was requested.
#[derive(Clone, Copy, Debug)]
pub struct WantedFile<'a> {
    /// `None` means the newest active skill.
    pub skill: Option<&'a str>,
    /// Relative to the skill.
    pub path: &'a str,
}

impl<'a> WantedFile<'a> {
    /// The skill's name in a message.
    fn called(self) -> &'a str {
        self.skill.unwrap_or("the newest active skill")
    }

    /// A message about the path.
    fn with(self, reason: SafeText) -> SafeText {
        if self.path.is_empty() { reason } else { inert!("{}: {}", echo(self.path), reason) }
    }
}

impl CallContext<'_> {
    /// Why the skill with this argument is not loaded.
    pub fn load_refusal(&self, error: &LoadError, argument: &str) -> Refusal {
        let entry = self.resolve(argument).ok().map(|index| self.entry(index));
        self.refusal(error, entry, argument)
    }

    /// Why this skill is not loaded.
    pub fn entry_refusal(&self, error: &LoadError, entry: &Entry) -> Refusal {
        self.refusal(error, Some(entry), &entry.skill.name)
    }

    fn refusal(&self, error: &LoadError, entry: Option<&Entry>, argument: &str) -> Refusal {
        self.workspace.reader.refusal(self.whole_refusal(error, entry, argument))
    }

    /// The refusal as the owner reads it.
    fn whole_refusal(&self, error: &LoadError, entry: Option<&Entry>, argument: &str) -> Refusal {
        let called = echo(argument);
        let plain = Refusal::new(error.code(), inert!("{}: {}", called, reason(error)));
        let host = self.view.host_label();
        match (error, entry) {
            (LoadError::Unresolved(error), _) => {
                let available = self.available().into_iter().map(str::to_owned).collect();
                let refusal = error.refusal(argument, available);
                let hides = |cut: &&Cut| matches!(cut.limit, Limit::Silent | Limit::Skills);
                let cuts = self.view.cuts.iter().filter(hides);
                let cuts: Vec<String> = cuts.map(Cut::message).collect();
                // The skill may be there.
                if cuts.is_empty() || !matches!(error, ResolveError::Unknown { .. }) {
                    return refusal;
                }
                Refusal { what: inert!("{}: {}", refusal.what, cuts.join("; ")), ..refusal }
            }
            (LoadError::Invalid { .. }, Some(entry)) => Refusal::invalid(entry, host),
            (LoadError::Off(origin), Some(entry)) => {
                self.workspace.cured(self.view, entry, Refusal::off(entry, host, origin))
            }
            (LoadError::NotForPeople(origin), Some(entry)) => {
                Refusal::not_for_people(entry, host, origin)
            }
            (LoadError::Denied(origin), _) => {
                let how = self.how_to_allow(entry, argument);
                plain.decided_by(origin).cure(Cure::Tell {
                    person: inert!("to allow it: {}", how),
                    model: inert!("Only the user can allow it: {}", how),
                })
            }
            (LoadError::NeedsConsent(origin), _) => {
                let how = self.how_to_allow(entry, argument);
                let shortfall = entry.and_then(|entry| allowing::shortfall(self, &entry.skill));
                let shortfall = shortfall.map(|why| why.shown_after(origin));
                Refusal { shortfall, ..plain }.decided_by(origin).cure(Cure::Tell {
                    person: inert!(
                        "agree with --yes or at a terminal; to allow it permanently: {}",
                        how
                    ),
                    model: inert!(
                        "This client cannot ask for it. Tell the user; to allow it permanently: {}",
                        how
                    ),
                })
            }
            (LoadError::Hidden { file, .. }, _) => {
                let what = inert!("{} {}: {}", called, file, reason(error));
                let skill = shell::word(argument).or(entry.map(|entry| entry.skill.shell_word()));
                let words = skill.into_iter().chain(shell::word(file));
                let told = self.workspace.told_options();
                let command = shell::command("skillpick approve", words, &told);
                Refusal { what, ..plain }.cure(Cure::tell(match shell::word(file) {
                    Some(_) => inert!("to look at it: {}", command),
                    None => inert!("add its path, which cannot be shown here, to: {}", command),
                }))
            }
            // The words are KOD-6a's.
            (LoadError::Unreadable(BlockError::Refused(PathRefusal::NotFound)), _) => {
                Refusal::failed(error.code(), inert!("skill '{}' not found", called))
            }
            (LoadError::Unreadable(_), _) => Refusal { failed: true, ..plain },
            (
                LoadError::Invalid { .. }
                | LoadError::Off(_)
                | LoadError::NotForPeople(_)
                | LoadError::Declined(_),
                _,
            ) => Refusal { decided_by: error.origin().cloned(), ..plain },
        }
    }

    /// How a person allows loading this skill: a command, or the obstacle.
    fn how_to_allow(&self, entry: Option<&Entry>, called: &str) -> SafeText {
        match entry {
            Some(entry) => allowing::loading(self, &entry.skill),
            None => allowing::command(self, shell::value(called)),
        }
    }

    /// Why a session is not changed.
    pub fn session_refusal(&self, error: &SessionError) -> Refusal {
        match error {
            SessionError::Load { argument, error } => self.load_refusal(error, argument),
            SessionError::AlreadyActive { name } => {
                let what = inert!("skill '{}' is already active", name);
                Refusal::new(error.code(), what)
            }
            SessionError::TooMany { active, .. } => {
                let refusal = Refusal::new(error.code(), reason(error));
                match (self.session, active.first()) {
                    (Some(id), Some(oldest)) => {
                        let session = inert!(" --session {}", shell::value(id));
                        let oldest = [shell::value(oldest)];
                        let command = shell::command("skillpick unload", oldest, &session);
                        refusal.cure(Cure::tell(inert!("to unload the oldest: {}", command)))
                    }
                    _ => refusal,
                }
            }
            SessionError::Nothing
            | SessionError::Id
            | SessionError::Nowhere
            | SessionError::State(_) => Refusal::failed(error.code(), reason(error)),
        }
    }

    /// Why a file is not read.
    pub fn file_refusal(&self, error: &FetchError, wanted: WantedFile<'_>) -> Refusal {
        let reason = reason(error);
        match error {
            FetchError::Skill(error) => self.load_refusal(error, wanted.called()),
            FetchError::Other { skill, error } => {
                self.refusal(error, self.by_path(&skill.path), &skill.name)
            }
            FetchError::Lost { name, .. } => {
                Refusal::new(error.code(), inert!("{}: {}", echo(name), reason))
            }
            FetchError::NothingActive { .. } | FetchError::NotActive => {
                Refusal::new(error.code(), reason)
            }
            FetchError::File(_) => {
                let failed = error.code() != "not_found";
                Refusal { failed, ..Refusal::new(error.code(), wanted.with(reason)) }
            }
        }
    }

    /// A person said no to a run.
    pub fn declined_run(launch: &Launch) -> Refusal {
        let (script, skill) = (echo(launch.script()), SafeText::line(&launch.skill.name));
        Refusal::new("declined", inert!("running {} of '{}' was declined", script, skill))
    }

    /// Why a run that a person must agree to does not happen.
    pub fn consent_refusal(&self, launch: &Launch) -> Refusal {
        let (script, skill) = (echo(launch.script()), SafeText::line(&launch.skill.name));
        let what = inert!("running {} of '{}' needs the user's consent", script, skill);
        let shortfall = launch.shortfall.as_ref().map(Shortfall::shown);
        let plain = Refusal::new(LaunchError::NeedsConsent.code(), what);
        Refusal { shortfall, ..plain }.cure(Cure::Tell {
            person: SafeText::fixed("agree with --yes or at a terminal"),
            model: inert!(
                "This client cannot ask for it. Tell the user; to allow {}",
                SafeText::line(&allowing::running(self, launch))
            ),
        })
    }

    /// Why a script is not run.
    pub fn run_refusal(&self, error: &LaunchError, wanted: WantedFile<'_>) -> Refusal {
        let reason = reason(error);
        match error {
            // The skill of a script is already loaded, so a person was asked about an earlier text.
            LaunchError::Skill(FetchError::Skill(LoadError::NeedsConsent(origin))) => {
                changed_since(wanted.called(), origin)
            }
            LaunchError::Skill(FetchError::Other {
                skill,
                error: LoadError::NeedsConsent(origin),
            }) => changed_since(&skill.name, origin),
            LaunchError::Skill(error) => self.file_refusal(error, wanted),
            // Nobody is asked about a nested skill when a script is run.
            LaunchError::Nested { skill, error: LoadError::NeedsConsent(origin) } => {
                let how = self.how_to_allow(self.by_path(&skill.path), &skill.name);
                let what = inert!("{}: {}", echo(&skill.name), reason);
                Refusal::new(error.code(), what)
                    .decided_by(origin)
                    .cure(Cure::tell(inert!("to allow it permanently: {}", how)))
            }
            LaunchError::Nested { skill, error } => {
                self.refusal(error, self.by_path(&skill.path), &skill.name)
            }
            LaunchError::Denied(origin) => {
                let what = inert!("{}: {}", echo(wanted.called()), reason);
                let plain = Refusal::new(error.code(), what).decided_by(origin);
                match allowing::denied_run(self, origin) {
                    Some(how) => plain.cure(Cure::Tell {
                        person: inert!("to allow it: {}", how),
                        model: inert!("Only the user can allow it: {}", how),
                    }),
                    None => plain,
                }
            }
            LaunchError::ScriptsOff | LaunchError::NeedsConsent => {
                Refusal::new(error.code(), reason)
            }
            LaunchError::Prepare(PrepareError::Script(_)) => {
                let failed = error.code() != "not_found";
                Refusal { failed, ..Refusal::new(error.code(), wanted.with(reason)) }
            }
            LaunchError::Prepare(_) | LaunchError::Unlogged(_) | LaunchError::Run(_) => {
                Refusal::failed(error.code(), reason)
            }
        }
    }
}

/// The finding that says why a file of a skill cannot be read; `None` as a file is its `SKILL.md`.
/// The other files have no findings.
pub fn unread<'a>(skill: &'a Skill, file: Option<&Path>) -> Option<&'a Diagnostic> {
    skill.unread().filter(|_| file.is_none_or(|file| file == skill.file()))
}

/// Why a file of a skill is not shown to a person; `None` is its `SKILL.md`.
pub fn show_refusal(skill: &Skill, file: Option<&Path>, error: &ReadError) -> Refusal {
    let path = file.unwrap_or(&skill.path);
    if let (ReadError::Refused(_), Some(found)) = (error, unread(skill, file)) {
        let what = inert!("{}: {}", path, SafeText::line(&found.message));
        let cure = inert!("to mend it: {}", SafeText::fixed(found.help()));
        return Refusal::failed(error.code(), what).cure(Cure::tell(cure));
    }
    let plain = Refusal::failed(error.code(), inert!("{}: {}", path, reason(error)));
    match error {
        ReadError::Refused(PathRefusal::NotFound) if file.is_none() => {
            let path = skill.shell_word();
            plain.cure(Cure::tell(inert!("to see why: skillpick check {}", path)))
        }
        ReadError::Refused(PathRefusal::NotFound) => {
            // Another skill may have the name.
            let path = skill.shell_word();
            let cure = Cure::tell(inert!("to list its files: skillpick show {} --tree", path));
            Refusal { failed: false, ..plain }.cure(cure)
        }
        ReadError::Binary { .. } => {
            plain.cure(Cure::tell(SafeText::fixed("to get its bytes: --raw into a pipe or a file")))
        }
        ReadError::Refused(_) | ReadError::TooLarge(_) | ReadError::Held(_) => plain,
    }
}

fn changed_since(skill: &str, origin: &Origin) -> Refusal {
    let what = inert!("'{}' has changed since a person allowed it: load it again", echo(skill));
    Refusal::new("needs_consent", what).decided_by(origin)
}

/// An error in its own words, as one line.
fn reason(error: &impl ToString) -> SafeText {
    SafeText::line(&error.to_string())
}
