//! Asks a host's own program what it sees, and compares the answer with our view.
//!
//! Agents write into their home directory even when they only list, and some run what a repository
//! tells them to. So the program runs in a copy of what it reads ([`scratch`]), without a network
//! if the system can do that, with only the part of the environment that decides what it sees, and
//! with addresses of model services at which nothing listens. Its answer is kept under the digest
//! of that copy ([`kept`]). One that differs from our view is not taken again.

mod compare;
mod kept;
mod place;
mod scratch;

pub use crate::files::child::Run;
pub use crate::hosts::probe::Patience;
pub use compare::{Finding, Row};
pub(super) use compare::{compare, is_on};

use super::clock::now_ms;
use super::{HostContext, View, Workspace};
use crate::files::child::Failure;
use crate::files::digest::Digest;
use crate::files::git::main_tree;
use crate::hosts::probe::{AgentProbe, ProbeError, Report, Surroundings, without_network};
use crate::scan::skill_path;
use kept::Kept;
use scratch::Scratch;
use std::cmp::Reverse;
use std::ffi::OsString;
use std::io;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// An address at which nothing listens.
const NOBODY: &str = "http://127.0.0.1:9";

/// Variables that name a proxy or a model's service.
const NETWORK_VARIABLES: [&str; 10] = [
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "ANTHROPIC_BASE_URL",
    "OPENAI_BASE_URL",
    "GOOGLE_GEMINI_BASE_URL",
    "GOOGLE_VERTEX_BASE_URL",
];

pub struct Asking<'a> {
    /// Whether to run it in the real place with the real environment, instead of in a copy.
    pub live: bool,
    pub patience: Patience,
    /// Called for every run before the first one begins. Not called if the answer was kept.
    pub told: &'a mut dyn FnMut(&Run),
}

/// Our view, and what the program says about it.
#[derive(Debug)]
pub struct Verified {
    pub view: View,
    /// Every skill that either sees, in the order of the view; then what the program alone sees, by
    /// name.
    pub rows: Vec<Row>,
    /// What the program says, with the real files of the skills.
    pub report: Report,
    /// Whether the copy is incomplete, because there are too many files.
    pub cut: bool,
    /// When the program gave this answer, if it was kept from an earlier time: Unix time in
    /// milliseconds.
    pub kept_from_ms: Option<u64>,
    /// Whether the program ran in a copy, which has nothing of [`crate::hosts::Host::unseen`].
    pub apart: bool,
}

/// Why a program was not asked, or gave no usable answer.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The host has no program that can be asked.
    #[error("no command of its program lists skills")]
    NoProbe,
    /// Its program is not on this machine.
    #[error("its program is not on PATH")]
    NotInstalled,
    /// There is no home directory of which a copy could be made.
    #[error("there is no home directory, so there is no copy of its settings to ask it in")]
    NoHome,
    /// Every place for a copy lies in a folder of which it would be a copy.
    #[error("no temporary folder lies outside the home directory and the working directory")]
    NoPlace,
    /// The copy could not be made.
    #[error("a copy of its settings and skills could not be made; the operating system says: {0}")]
    Copy(#[from] io::Error),
    /// The program did not say what it sees.
    #[error(transparent)]
    ProbeError(#[from] ProbeError),
}

impl VerifyError {
    /// What the program printed, shortened; other people's text. May be empty.
    pub fn words(&self) -> String {
        match self {
            Self::ProbeError(unheard) => unheard.words(),
            Self::NoProbe | Self::NotInstalled | Self::NoHome | Self::NoPlace | Self::Copy(_) => {
                String::new()
            }
        }
    }

    /// What a person can do about it, without a full stop; `None` if nobody knows.
    pub fn cure(&self) -> Option<&'static str> {
        match self {
            Self::NoProbe => None,
            Self::NotInstalled => Some("install it, or add the folder of its program to PATH"),
            Self::NoHome | Self::NoPlace | Self::Copy(_) => {
                Some("ask it with --live, which needs no copy")
            }
            Self::ProbeError(ProbeError::Silent(Failure::TimedOut { .. })) => Some(
                "start it once by hand, since it may want a login; or give it more time with \
                 --timeout",
            ),
            Self::ProbeError(ProbeError::Silent(Failure::Stopped)) => None,
            Self::ProbeError(_) => Some("start it once by hand, and see what it says"),
        }
    }
}

/// Why a host's program cannot be asked; `None` if it can.
pub fn unasked(host_context: &HostContext) -> Option<VerifyError> {
    askable(host_context).err()
}

pub(super) fn askable(
    host_context: &HostContext,
) -> Result<(&'static AgentProbe, &Path), VerifyError> {
    let probe = host_context.host.probe.ok_or(VerifyError::NoProbe)?;
    let installed =
        host_context.installed.as_ref().and_then(|installed| installed.program.as_deref());
    Ok((probe, installed.ok_or(VerifyError::NotInstalled)?))
}

impl Workspace {
    /// Asks the program of a host what it sees, or takes what it said of the same copy if that
    /// agrees with our view, and compares.
    ///
    /// # Errors
    /// [`VerifyError`]. Broken settings are no error, unless the program fails because of them: the
    /// view's policy has an alarm for them.
    pub fn verify(
        &self,
        host_context: &HostContext,
        asking: Asking<'_>,
    ) -> Result<Verified, VerifyError> {
        let (probe, program) = askable(host_context)?;
        let view = self.through(host_context.host).view();
        let apart = !asking.live;
        let answer = if asking.live {
            Answer::now(self.ask_here(probe, program, asking)?)
        } else {
            let agrees = |report: &Report| {
                compare(&view, probe, report).iter().all(|row| row.finding == Finding::Same)
            };
            self.answer(host_context, probe, &asking.patience, asking.told, &agrees)?
        };
        let Answer { report, cut, asked_ms, is_kept, .. } = answer;
        let rows = compare(&view, probe, &report);
        let kept_from_ms = is_kept.then_some(asked_ms);
        Ok(Verified { view, rows, report, cut, kept_from_ms, apart })
    }

    /// What the program says in a copy. An answer from an earlier time, to the same question in the
    /// same copy, is taken if it `will_do`.
    pub(super) fn answer(
        &self,
        host_context: &HostContext,
        probe: &'static AgentProbe,
        patience: &Patience,
        told: &mut dyn FnMut(&Run),
        will_do: &dyn Fn(&Report) -> bool,
    ) -> Result<Answer, VerifyError> {
        let (_, program) = askable(host_context)?;
        let copied = self.copy_for(host_context, probe)?;
        let cut = copied.is_cut();
        let kept = Kept::of(self, host_context, &copied).filter(|_| !cut);
        let read = kept.as_ref().and_then(|kept| kept.read(now_ms()));
        if let Some((report, asked_ms)) = read.filter(|(report, _)| will_do(report)) {
            return Ok(Answer { asked_ms, is_kept: true, ..Answer::now(report) });
        }
        let asked_ms = now_ms();
        let report = copied.ask(program, patience, told)?;
        let unkept = kept.and_then(|kept| kept.write(&report, asked_ms).err());
        let unkept = unkept.map(|error| error.to_string());
        Ok(Answer { cut, asked_ms, unkept, ..Answer::now(report) })
    }

    /// Asks in the real place, but without addresses of model services.
    fn ask_here(
        &self,
        probe: &AgentProbe,
        program: &Path,
        asking: Asking<'_>,
    ) -> Result<Report, VerifyError> {
        let own = self
            .context
            .environment
            .iter()
            .filter(|(name, _)| !NETWORK_VARIABLES.contains(&name.as_str()));
        let own = own.map(|(name, value)| (OsString::from(name), value.clone()));
        let environment: Vec<(OsString, OsString)> = own.chain(dead_network()).collect();
        let place = Surroundings {
            program,
            before: without_network(),
            folder: &self.context.cwd,
            environment: &environment,
            patience: &asking.patience,
        };
        let report = asked(probe, &place, asking.told)?;
        let real = |path: &Path| {
            let file = scratch::skill_file(path).unwrap_or_else(|| path.to_owned());
            Ok(skill_path(&file).unwrap_or(file))
        };
        Ok(named_by(report, &real))
    }

    /// A copy of what the host's program reads, in which it can be asked by this probe.
    fn copy_for(
        &self,
        host_context: &HostContext,
        probe: &'static AgentProbe,
    ) -> Result<Copied, VerifyError> {
        let context = &*self.context;
        let home = context.home.as_ref().ok_or(VerifyError::NoHome)?;
        // One with nothing in it may mean something too.
        let given = context.environment.iter().filter(|(name, _)| probe.reads(name));
        let given: Vec<(String, OsString)> =
            given.map(|(name, value)| (name.clone(), value.clone())).collect();
        let named =
            given.iter().map(|(_, value)| PathBuf::from(value)).filter(|path| path.is_absolute());
        let here = context.repo_root.clone().unwrap_or_else(|| context.cwd.clone());
        // The value of the variable may lead through a link.
        let said = context.variable("HOME").map(PathBuf::from).filter(|path| path.is_absolute());
        // A program may name the repository of a linked working tree by its main one.
        let main = main_tree(&here);
        let own: Vec<PathBuf> = named.chain([home.clone(), here]).chain(main).chain(said).collect();
        let roots = host_context.roots(&[]);
        let place = place::of(context, &own, &roots).ok_or(VerifyError::NoPlace)?;
        let mut scratch = Scratch::new(&place, own)?;
        scratch.stand(home)?;
        scratch.stand(&context.cwd)?;
        if probe.climbs {
            scratch.enclose()?;
        }
        host_context
            .reading
            .files
            .iter()
            .try_for_each(|file| scratch.settings(&file.location.path))?;
        roots.iter().try_for_each(|root| scratch.root(root))?;
        let mut environment = vec![
            ("HOME".into(), scratch.like(home).into()),
            ("PATH".into(), context.environment.get("PATH").cloned().unwrap_or_default()),
            ("LANG".into(), "C.UTF-8".into()),
            ("TMPDIR".into(), scratch.temporary()?.into()),
        ];
        environment
            .extend(given.iter().map(|(name, value)| (OsString::from(name), scratch.value(value))));
        environment.extend(dead_network());
        Ok(Copied { folder: scratch.like(&context.cwd), probe, given, scratch, environment })
    }
}

/// A program's answer.
pub(super) struct Answer {
    pub(super) report: Report,
    /// Whether the copy in which it was asked is incomplete, because there are too many files.
    pub(super) cut: bool,
    /// Unix time in milliseconds.
    pub(super) asked_ms: u64,
    /// Whether it was kept from an earlier time.
    is_kept: bool,
    /// Why it could not be kept for the next time.
    pub(super) unkept: Option<String>,
}

impl Answer {
    fn now(report: Report) -> Self {
        Self { report, cut: false, asked_ms: now_ms(), is_kept: false, unkept: None }
    }
}

/// A copy of what a host's program reads.
struct Copied {
    probe: &'static AgentProbe,
    /// The variables of the person's that decide what the program sees.
    given: Vec<(String, OsString)>,
    scratch: Scratch,
    environment: Vec<(OsString, OsString)>,
    /// The working directory in the copy.
    folder: PathBuf,
}

impl Copied {
    /// Asks the program in the copy. The report has the real files of the skills, and an error the
    /// real paths.
    fn ask(
        &self,
        program: &Path,
        patience: &Patience,
        told: &mut dyn FnMut(&Run),
    ) -> Result<Report, ProbeError> {
        let place = Surroundings {
            program,
            before: without_network(),
            folder: &self.folder,
            environment: &self.environment,
            patience,
        };
        let report = asked(self.probe, &place, told)
            .map_err(|error| error.reworded(|said| self.scratch.with_real_paths(said)))?;
        Ok(named_by(report, &|path| self.scratch.real(path)))
    }

    /// Of all that was copied; see [`Scratch::digest`].
    fn digest(&self) -> Digest {
        self.scratch.digest()
    }

    /// Whether the copy is incomplete, because there are too many files.
    fn is_cut(&self) -> bool {
        self.scratch.is_cut()
    }
}

/// At least so many programs are asked at the same time, even on fewer processors, since they
/// mostly wait.
const AT_ONCE: usize = 4;

/// Asks about several hosts at a time, first those that may take longest. The answers have the
/// order of the hosts.
pub fn at_once<'a, T: Send>(
    host_contexts: &'a [HostContext],
    ask: impl Fn(&'a HostContext) -> T + Sync,
) -> Vec<T> {
    let mut order: Vec<(usize, &HostContext)> = host_contexts.iter().enumerate().collect();
    order.sort_by_key(|(_, it)| Reverse(it.host.probe.map(|probe| probe.timeout)));
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some((at, host_context)) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
            done.push((*at, ask(host_context)));
        }
        done
    };
    let mut asked = thread::scope(|scope| {
        let at_once = thread::available_parallelism().map_or(AT_ONCE, |it| it.get().max(AT_ONCE));
        let start = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..at_once.min(host_contexts.len())).filter_map(start).collect();
        let mut asked = work();
        for other in others {
            asked.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        asked
    });
    asked.sort_by_key(|(at, _)| *at);
    asked.into_iter().map(|(_, asked)| asked).collect()
}

/// The network variables with an address at which nothing listens.
fn dead_network() -> impl Iterator<Item = (OsString, OsString)> {
    NETWORK_VARIABLES.iter().map(|name| (OsString::from(name), OsString::from(NOBODY)))
}

fn asked(
    probe: &AgentProbe,
    place: &Surroundings<'_>,
    told: &mut dyn FnMut(&Run),
) -> Result<Report, ProbeError> {
    probe.steps.iter().for_each(|step| told(&probe.run(step, place)));
    probe.ask(place)
}

/// The report with the real files of the skills instead of what the program named. It tells those
/// that the program named itself, though it should have read their copies.
fn named_by(mut report: Report, real: &dyn Fn(&Path) -> Result<PathBuf, PathBuf>) -> Report {
    for reported in &mut report.skills {
        let Some(named) = reported.path.as_deref() else { continue };
        let real = real(named);
        report.beyond.extend(real.as_ref().err().cloned());
        reported.path = Some(real.unwrap_or_else(|path| path));
    }
    report
}
