//! Runs a script of a skill: checks whether scripts are on, whether this one may run and whether a
//! person must be asked, then runs it and logs the run.

mod error;
mod extra;
mod places;
mod shown;

pub use error::LaunchError;
pub use extra::Extra;

use super::by_bytes::Contents;
use super::call_context::{By, CallContext, since};
use super::consent_gate::{ConsentGate, Reply};
use super::fetch::FetchError;
use super::judge::Asker;
use super::listed::listed;
use super::nested::NestedSkills;
use super::session::Session;
use crate::catalog::{Permission, Skill};
use crate::config;
use crate::files::beneath::{Refusal, SkillDir};
use crate::files::digest::Digest;
use crate::files::whole;
use crate::policy::{Entry, Origin, Ruling, Run, Shortfall, Tool};
use crate::sandbox::{
    Exit, Interpreters, Launcher, Limits, PrepareError, Prepared, Ran, Request, Route, Sandbox,
    WorkDir, route,
};
use crate::state::StateError;
use crate::state::activity::{Call, CallKind};
use crate::state::approvals::{Approval, Approvals, Subject};
use crate::workspace::clock::now_ms;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The longest time of a script, whatever the caller requests.
pub const MAX_TIMEOUT: Duration = Duration::from_secs(config::MAX_TIMEOUT as u64);

#[derive(Clone, Debug)]
pub struct RunRequest<'a> {
    /// `None` means the newest active skill.
    pub skill: Option<&'a str>,
    /// Relative to the skill, or as our lists name it.
    pub script: &'a str,
    pub arguments: &'a [String],
    /// Variables beyond the few that every script gets.
    pub environment: &'a [(String, String)],
    pub directory: WorkDir,
    /// `None` means the limit in the settings.
    pub timeout: Option<Duration>,
    /// Whether it runs without a sandbox, which is logged.
    pub unshielded: bool,
}

/// Whether a person must be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clearance {
    /// A rule of the person's own allows it.
    Allowed,
    /// Exactly this run was approved before, and no other rule asks since.
    Remembered,
    /// A person must be asked: show [`Launch::prepared`].
    Ask,
}

/// A run that is ready, and whether a person must be asked. Nothing has been run.
#[derive(Debug)]
pub struct Launch {
    pub skill: Arc<Skill>,
    /// Everything that consent needs to show.
    pub prepared: Prepared,
    pub clearance: Clearance,
    /// What the rules say of the run, if it had nothing that no rule allows.
    pub permission: Permission,
    pub origin: Origin,
    /// What it has that no rule allows.
    pub extras: Vec<Extra>,
    /// Why an allow rule for scripts of this name does not allow this run.
    pub shortfall: Option<Shortfall>,
    /// Relative to the skill.
    pub script: String,
}

impl CallContext<'_> {
    /// Prepares a run: judges, copies the skill, and finds out whether a person must be asked.
    /// `session` is the conversation in which the skill must be active; a person at the command
    /// line has none, and names the skill.
    ///
    /// # Errors
    /// [`LaunchError`]. A refusal is logged.
    pub fn prepare(
        &self,
        session: Option<&Session>,
        by: By,
        wanted: &RunRequest<'_>,
    ) -> Result<Launch, LaunchError> {
        if !self.view.config.values.scripts.enabled.value {
            self.note_off(session, wanted);
            return Err(LaunchError::ScriptsOff);
        }
        let must = session.is_some() || by == By::Model;
        let named = self.named(session, wanted.skill);
        let named = named.map_err(|error| if must { error.where_active() } else { error });
        let entry = self.entry(named?);
        let skill = Arc::clone(&entry.skill);
        let script = script_of(&skill, wanted.script);
        let wanted = &RunRequest { script: &script, ..wanted.clone() };
        // A person was asked when the skill was loaded.
        let mut nobody = |_: &Entry, _: &Origin, _: Contents| Reply::Nobody;
        let mut gate = ConsentGate::new(session, by, &mut nobody);
        let launch = Self::active(session, must, &skill)
            .and_then(|()| self.judge_file(entry, Path::new(wanted.script), None, &mut gate))
            .map_err(|error| LaunchError::Skill(error.of(&skill, wanted.skill)))
            .and_then(|()| self.judge_owner(&skill, wanted.script, session))
            .and_then(|()| self.prepared(&skill, &self.nested(&skill, session), wanted));
        if let Err(error) = &launch {
            self.refused(CallKind::Run, &skill, Some(wanted.script), error.code());
        }
        launch
    }

    /// Logs a run that is refused because scripts are off, if its skill is known.
    fn note_off(&self, session: Option<&Session>, wanted: &RunRequest<'_>) {
        let Ok(index) = self.named(session, wanted.skill) else { return };
        let skill = &self.entry(index).skill;
        self.refused(CallKind::Run, skill, Some(wanted.script), LaunchError::ScriptsOff.code());
    }

    /// Nested skills: scripts read their files only if a model could load them. That a person runs
    /// the script changes nothing, since rules about it are bound to the same files.
    fn nested(&self, skill: &Skill, session: Option<&Session>) -> NestedSkills {
        NestedSkills::of(self, skill, |entry| self.as_model(entry, session))
    }

    fn as_model(&self, entry: &Entry, session: Option<&Session>) -> Asker {
        Asker { by: By::Model, consented: self.consents(session, &entry.skill) }
    }

    /// Judges the nested skill of a script. Unless it may be loaded, the script is not in the copy.
    fn judge_owner(
        &self,
        skill: &Skill,
        script: &str,
        session: Option<&Session>,
    ) -> Result<(), LaunchError> {
        let Some(owner) = self.inner(skill, script) else { return Ok(()) };
        let files = || self.files(&owner.skill, None);
        self.judge_files(owner, self.as_model(owner, session), files)
            .map_err(|error| LaunchError::Nested { skill: Arc::clone(&owner.skill), error })
    }

    fn prepared(
        &self,
        skill: &Arc<Skill>,
        nested: &NestedSkills,
        wanted: &RunRequest<'_>,
    ) -> Result<Launch, LaunchError> {
        // Hidden text in the skill must be approved before anything of it runs.
        self.read_text(skill).map_err(FetchError::from)?;
        let original = route(skill.dir(), wanted.script);
        let met = self.ruling(skill, None, wanted, original.as_ref());
        if met.value == Permission::Deny {
            return Err(LaunchError::Denied(met.origin));
        }
        let scripts = &self.view.config.values.scripts;
        let usual = Duration::from_secs(scripts.timeout.value as u64);
        let rows = scripts.interpreters.iter().rev().map(|setting| &setting.value);
        let interpreters =
            rows.fold(Interpreters::default(), |table, row| table.with(&row.extension, &row.words));
        let sandbox = match (wanted.unshielded, scripts.sandbox.value) {
            (true, _) => Sandbox::Off,
            (false, "bubblewrap") => Sandbox::Bubblewrap,
            (false, _) => Sandbox::On,
        };
        let request = Request {
            skill,
            may_copy: &|path| nested.gives(path),
            script: wanted.script,
            arguments: wanted.arguments,
            environment: wanted.environment,
            directory: &wanted.directory,
            timeout: wanted.timeout.unwrap_or(usual).min(MAX_TIMEOUT),
            limits: Limits {
                memory: (scripts.memory.value as u64) << 20,
                processes: scripts.processes.value as u64,
                file_size: (scripts.file_size.value as u64) << 20,
            },
            sandbox,
            interpreters: &interpreters,
            untrusted: &self.untrusted_folders(skill),
            private: &self.workspace.private_folders(),
            launcher: &Launcher::default(),
        };
        let prepared = request.prepare()?;
        let copied = prepared.route().ok_or(PrepareError::Script(Refusal::NotFound))?;
        // The copy runs. The original may have changed since, so both must be allowed.
        let digest = Some(prepared.digest.to_string());
        let digest = digest.as_deref();
        let met = self.ruling(skill, digest, wanted, original.as_ref());
        let Ruling { value: permission, origin } =
            stricter(met, self.ruling(skill, digest, wanted, Some(&copied)));
        if permission == Permission::Deny {
            return Err(LaunchError::Denied(origin));
        }
        let shortfall = self.shortfall(skill, digest, wanted, &copied);
        let (skill, script) = (Arc::clone(skill), wanted.script.to_owned());
        let (clearance, extras) = (Clearance::Ask, Extra::of(wanted, &prepared, usual));
        let mut launch =
            Launch { skill, prepared, clearance, permission, origin, extras, shortfall, script };
        let remembered =
            || self.approved(Subject::Run, &launch.prepared.script, &launch.fingerprint());
        launch.clearance = match permission {
            Permission::Allow if launch.extras.is_empty() => Clearance::Allowed,
            _ if remembered() => Clearance::Remembered,
            _ => Clearance::Ask,
        };
        Ok(launch)
    }

    /// The repositories around the person and around the skill: whoever wrote the skill may have
    /// written there.
    fn untrusted_folders(&self, skill: &Skill) -> Vec<PathBuf> {
        let home = self.workspace.context.home.as_deref();
        let is_repository = |folder: &&Path| {
            [".git", ".jj"].iter().any(|name| folder.join(name).exists()) && Some(*folder) != home
        };
        let around = skill.dir().ancestors().find(is_repository).map(Path::to_owned);
        self.workspace.context.repo_root.iter().cloned().chain(around).collect()
    }

    /// What the rules say about a run of the script that this path resolves to. If there is no such
    /// script, only rules about all scripts count, since nothing will run. The strictest counts of
    /// the host's rules and our own, for the skill and for the nested skill to which the script
    /// belongs.
    fn ruling(
        &self,
        skill: &Skill,
        digest: Option<&str>,
        wanted: &RunRequest<'_>,
        route: Option<&Route>,
    ) -> Ruling<Permission> {
        let both = |skill: &Skill, run: Option<&Run<'_>>| {
            stricter(self.view.policy.run(skill, run), self.view.config.policy.run(skill, run))
        };
        let Some(Route { real, names }) = route else { return both(skill, None) };
        let judged = |skill: &Skill, digest: Option<&str>, within: &Path| {
            let seen = |path: &Path| {
                path.strip_prefix(within).ok().map(|path| path.to_string_lossy().into_owned())
            };
            let names: Vec<String> = names.iter().filter_map(|name| seen(name)).collect();
            let script = real.strip_prefix(within).ok().and_then(Path::to_str);
            both(skill, Some(&Run { script, names: &names, arguments: wanted.arguments, digest }))
        };
        let inner = self.inner(skill, real).map(|entry| {
            let within = entry.skill.dir().strip_prefix(skill.dir()).unwrap_or(Path::new(""));
            // The digest is that of the outer skill's files, so it does not fit rules that are
            // bound to the inner skill.
            judged(&entry.skill, None, within)
        });
        inner.into_iter().fold(judged(skill, digest, Path::new("")), stricter)
    }

    /// Why one of the person's own allow rules for scripts of this name does not allow this run.
    fn shortfall(
        &self,
        skill: &Skill,
        digest: Option<&str>,
        wanted: &RunRequest<'_>,
        route: &Route,
    ) -> Option<Shortfall> {
        let (script, arguments) = (route.real.to_str(), wanted.arguments);
        let run = Run { script, names: &[], arguments, digest };
        self.view.config.policy.shortfall(Tool::SkillScript, skill, Some(&run))
    }

    /// The digest of the files that a script of the skill gets. A rule about its scripts is bound
    /// to it.
    ///
    /// # Errors
    /// [`PrepareError`].
    pub fn script_digest(&self, skill: &Skill) -> Result<Digest, PrepareError> {
        let (dir, nested) = (skill.dir(), self.nested(skill, None));
        let given = |path: &Path| nested.gives(&dir.join(path));
        Ok(whole::digest(&SkillDir::open(dir)?, &given, None)?)
    }

    /// Remembers that a person consented to exactly this run.
    ///
    /// # Errors
    /// [`StateError`]. Then a person is asked again.
    pub fn remember_consent(&self, launch: &Launch) -> Result<(), StateError> {
        let state = self.workspace.state_dir.as_deref().ok_or(StateError::Nowhere)?;
        let approval = Approval {
            subject: Subject::Run,
            path: launch.prepared.script.clone(),
            digest: launch.fingerprint(),
            details: launch.details(),
            at_ms: now_ms(),
        };
        Approvals::add(state, approval)?;
        self.note(CallKind::Approve, &launch.skill, |call| {
            call.file = Some(launch.script.clone());
            call.digest = Some(launch.prepared.digest.to_string());
        });
        Ok(())
    }

    /// Runs what was prepared. `consented` says whether a person consented, if that is needed. The
    /// run ends when `go_on` returns false. Without a sandbox it is logged before it begins, since
    /// the script, or a full disk, may keep its end out of the log.
    ///
    /// # Errors
    /// [`LaunchError::NeedsConsent`], [`LaunchError::Unlogged`], [`LaunchError::Run`].
    pub fn launch(
        &self,
        launch: Launch,
        consented: bool,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Ran, LaunchError> {
        let start = Instant::now();
        let Launch { skill, prepared, clearance, script, .. } = launch;
        let (digest, sandbox) = (prepared.digest.to_string(), prepared.sandbox.word());
        let fill = |call: &mut Call| {
            call.file = Some(script);
            (call.digest, call.sandbox) = (Some(digest), Some(sandbox.to_owned()));
        };
        let may_run = consented || clearance != Clearance::Ask;
        if may_run && prepared.sandbox == Sandbox::Off {
            let fill = fill.clone();
            self.note_first(CallKind::Run, &skill, |call| {
                fill(call);
                call.begun = true;
            })?;
        }
        let ran = match may_run {
            true => prepared.run_while(go_on).map_err(LaunchError::from),
            false => Err(LaunchError::NeedsConsent),
        };
        self.note(CallKind::Run, &skill, |call| {
            fill(call);
            call.duration_ms = since(start);
            match &ran {
                Ok(ran) => {
                    let streams = [&ran.stdout, &ran.stderr];
                    let bytes = streams.iter().map(|stream| {
                        (stream.head.len() + stream.tail.len()) as u64 + stream.dropped
                    });
                    call.bytes = Some(bytes.sum());
                    call.truncated = streams.iter().any(|stream| stream.dropped > 0);
                    call.exit = Some(exit_code(ran.exit));
                }
                Err(error) => call.error = Some(error.code().to_owned()),
            }
        });
        ran
    }
}

/// The path of a script relative to its skill. A path that does not lead to it may be one under
/// which it is listed: absolute, or with marks. No other form is understood, and rules and consent
/// are about the relative path.
fn script_of<'a>(skill: &Skill, written: &'a str) -> Cow<'a, str> {
    let is_relative = Path::new(written).is_relative();
    if is_relative && route(skill.dir(), written).is_some() {
        return Cow::Borrowed(written);
    }
    let found = listed(skill, written).and_then(|path| path.into_os_string().into_string().ok());
    found.map_or(Cow::Borrowed(written), Cow::Owned)
}

fn stricter(one: Ruling<Permission>, other: Ruling<Permission>) -> Ruling<Permission> {
    if other.value >= one.value { other } else { one }
}

/// The exit code for a way to end: 128 + n for signal n, 124 if the time was up, 130 if the caller
/// cancelled, 137 if it took more than it may.
pub fn exit_code(exit: Exit) -> i32 {
    match exit {
        Exit::Code(code) => code,
        Exit::Signal(signal) => 128 + signal,
        Exit::TimedOut => 124,
        Exit::Cancelled => 130,
        Exit::Over(_) => 137,
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
