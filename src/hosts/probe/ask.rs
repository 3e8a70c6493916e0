//! Runs the steps of a probe.

use super::{AgentProbe, BadAnswer, Report, Step, read};
use crate::files::child::{self, Failure, Output, Run};
use std::ffi::OsString;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// In bytes. High, since opencode prints the whole text of every skill. A longer answer is an
/// error.
const CAP: u64 = 64 << 20;

/// The command that runs a program with a pipe for its output.
const PIPED: [&str; 3] = ["/bin/sh", "-c", "\"$0\" \"$@\" | cat"];

/// Where and how a program is asked.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    pub program: &'a Path,
    /// The command that runs the program (`/usr/bin/unshare -rn`, which has no network); empty to
    /// run it directly.
    pub before: &'a [OsString],
    /// The working directory, canonical.
    pub folder: &'a Path,
    /// The whole environment, without what the probe adds.
    pub environment: &'a [(OsString, OsString)],
    /// How long it may take.
    pub patience: &'a Patience,
}

/// How long a program that is asked may take.
#[derive(Clone, Debug, Default)]
pub struct Patience {
    /// Of each run, instead of the program's usual one.
    pub timeout: Option<Duration>,
    /// Ends it once this is set.
    pub stop: Option<Arc<AtomicBool>>,
}

/// Why there is no report.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProbeError {
    #[error(transparent)]
    Silent(#[from] Failure),
    /// The answer was longer than we read.
    #[error("the program's answer was too long")]
    TooLong,
    #[error(transparent)]
    BadAnswer(#[from] BadAnswer),
}

impl ProbeError {
    /// The same error; what the program printed is changed.
    pub fn reworded(self, change: impl Fn(&str) -> String) -> Self {
        let bytes = |said: Vec<u8>| change(&String::from_utf8_lossy(&said)).into_bytes();
        match self {
            Self::Silent(Failure::TimedOut { after, stdout, stderr }) => {
                let (stdout, stderr) = (bytes(stdout), bytes(stderr));
                Self::Silent(Failure::TimedOut { after, stdout, stderr })
            }
            Self::BadAnswer(BadAnswer(said)) => BadAnswer(change(&said)).into(),
            Self::Silent(_) | Self::TooLong => self,
        }
    }

    /// The end of the program's error output, shortened; other people's text. May be empty.
    pub fn words(&self) -> String {
        let (stderr, stdout) = match self {
            Self::Silent(Failure::TimedOut { stderr, stdout, .. }) => (stderr, stdout),
            Self::BadAnswer(BadAnswer(said)) => return said.clone(),
            Self::Silent(_) | Self::TooLong => return String::new(),
        };
        let said = if stderr.is_empty() { stdout } else { stderr };
        read::bad_answer(&Output { stdout: said.clone(), ..Output::default() }).0
    }
}

/// The command that runs a program without network; empty if the system has none (not every Linux
/// allows `unshare -rn`).
pub fn without_network() -> &'static [OsString] {
    static WORKS: OnceLock<Vec<OsString>> = OnceLock::new();
    WORKS.get_or_init(|| {
        let prefix = ["/usr/bin/unshare", "-rn"].map(OsString::from);
        let trial = Run {
            program: prefix[0].clone().into(),
            arguments: vec![prefix[1].clone(), "true".into()],
            folder: "/".into(),
            environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
            timeout: Duration::from_secs(5),
            cap: 1 << 10,
            ..Run::default()
        };
        let works = child::run(&trial).is_ok_and(|output| output.code == Some(0));
        if works { prefix.to_vec() } else { Vec::new() }
    })
}

impl AgentProbe {
    /// Asks the agent.
    ///
    /// # Errors
    /// [`ProbeError`]: the program did not run or did not end, or its answer was not understood.
    pub fn ask(&self, place: &Surroundings<'_>) -> Result<Report, ProbeError> {
        let run = |step| child::run(&self.run(step, place));
        let outputs: Vec<Output> = self.steps.iter().map(run).collect::<Result<_, _>>()?;
        if outputs.iter().any(|output| output.cut) {
            return Err(ProbeError::TooLong);
        }
        Ok((self.parse)(&outputs, place.folder)?)
    }

    /// The command of a step; also for showing it to a person.
    pub fn run(&self, step: &Step, place: &Surroundings<'_>) -> Run {
        let own = self.environment.iter().map(|(name, value)| ((*name).into(), (*value).into()));
        let mut words: Vec<OsString> = place.before.to_vec();
        words.extend(PIPED.iter().filter(|_| step.piped).map(Into::into));
        words.push(place.program.into());
        words.extend(step.arguments.iter().map(Into::into));
        Run {
            program: words.remove(0).into(),
            arguments: words,
            folder: place.folder.to_owned(),
            environment: place.environment.iter().cloned().chain(own).collect(),
            input: (step.input)(place.folder),
            hold: Duration::from_millis(step.hold),
            enough: step.enough,
            settle: Duration::from_millis(step.settle),
            timeout: place.patience.timeout.unwrap_or(Duration::from_secs(self.timeout)),
            cap: CAP,
            stop: place.patience.stop.clone(),
        }
    }
}
