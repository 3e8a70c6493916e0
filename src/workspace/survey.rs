//! What there is to know of each agent here: its version, where it looks, its settings files.

use super::{HostContext, Workspace};
use crate::catalog::{HostId, RootReport};
use crate::files::access::may_write;
use crate::files::child::{self, Failure, Run};
use crate::hosts::{Content, HOSTS, Host, Installed, Reading, SettingsFile, Version, generic};
use crate::policy::Layer;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a program may take to say its version.
const PATIENCE: Duration = Duration::from_secs(5);

/// More is not read of what it says, bytes.
const MOST: u64 = 64 << 10;

/// One host as it is here.
#[derive(Clone, Debug)]
pub struct HostSurvey {
    /// The row that fits its version.
    pub host: &'static Host,
    /// How it is installed; nothing where it is not on this machine, or is no program.
    pub installed: Option<Installed>,
    /// Who said its version, or why nobody did.
    pub told_by: ToldBy,
    /// How its roots answered, in its order.
    pub roots: Vec<RootReport>,
    /// Its settings files, lower layers first.
    pub files: Vec<FileSurvey>,
}

/// Who said a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToldBy {
    /// Nobody: there is no program.
    Nobody,
    /// The package file beside the program.
    Package,
    /// The program, which was run to say it.
    Program,
    /// The program was run and did not say it; why.
    Silent(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileSurvey {
    /// Where it is, or would be; other people's text.
    pub path: PathBuf,
    pub layer: Layer,
    /// What it is for.
    pub role: &'static str,
    /// What stands in it.
    pub state: FileState,
    /// Why the host does not heed it.
    pub ignored: Option<&'static str>,
    /// When the host heeds it, where that is not always; may quote a path.
    pub remark: Option<String>,
    /// Whether it, or the folder where it would be, may be written.
    pub writable: bool,
}

/// What stands in a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileState {
    Missing,
    /// It can be read.
    Read,
    /// It is there and cannot be read: it is neither empty nor edited (S2).
    Broken {
        /// The line at which reading ended, from 1.
        line: u32,
        /// Why; may quote the file.
        reason: String,
    },
    /// It is there and is not to be had.
    Unreadable {
        reason: String,
    },
}

impl Workspace {
    /// `agents` and the hosts of this machine, or besides them every one with a file of its own, in
    /// the order of the table. A program without a package file is run once with `--version`, in a
    /// scratch home, and given five seconds.
    pub fn survey(&self, all: bool) -> Vec<HostSurvey> {
        let own = HOSTS.iter().filter_map(|host| self.survey_of(host, all));
        own.chain(generic::HOSTS.iter().filter_map(|host| self.survey_of(host, false))).collect()
    }

    fn survey_of(&self, host: &'static Host, all: bool) -> Option<HostSurvey> {
        let mut installed = host.detect.look(&self.context);
        if installed.is_none() && host.id != HostId::AGENTS && !all {
            return None;
        }
        let mut told_by = ToldBy::Nobody;
        if let Some(Installed { program: Some(program), version }) = &mut installed {
            told_by = match version {
                Some(_) => ToldBy::Package,
                None => match self.ask(program) {
                    Ok(found) => {
                        *version = Some(found);
                        ToldBy::Program
                    }
                    Err(why) => ToldBy::Silent(why),
                },
            };
        }
        let host_context = HostContext::new(
            host.fitting(installed.as_ref()),
            installed.clone(),
            (&self.context, &self.inputs),
        );
        let roots = self.catalog_of(&host_context, &[]).roots;
        Some(HostSurvey {
            host: host_context.host,
            installed,
            told_by,
            roots,
            files: files(&host_context.reading),
        })
    }

    /// Asks a program for its version: nothing of the person's home or environment reaches it but
    /// where programs are.
    fn ask(&self, program: &Path) -> Result<Version, String> {
        let failed = |error: std::io::Error| error.kind().to_string();
        let scratch = tempfile::tempdir().map_err(failed)?;
        let path = self.context.environment.get("PATH").cloned().unwrap_or_default();
        let run = Run {
            program: program.to_owned(),
            arguments: vec!["--version".into()],
            folder: scratch.path().to_owned(),
            environment: child::environment(scratch.path(), &path),
            input: Vec::new(),
            hold: Duration::ZERO,
            enough: None,
            timeout: PATIENCE,
            cap: MOST,
        };
        let output = child::run(&run).map_err(|failure| match failure {
            Failure::TimedOut { .. } => "it did not say its version within 5 s".to_owned(),
            other => other.to_string(),
        })?;
        let said = [output.stdout, output.stderr]
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        said.iter()
            .find_map(|text| Version::find(text))
            .ok_or_else(|| "it said no version".to_owned())
    }
}

/// The settings files of a host; those of `agents` are our own.
fn files(reading: &Reading) -> Vec<FileSurvey> {
    reading.files.iter().map(file).chain(own_files(reading)).collect()
}

fn file(file: &SettingsFile) -> FileSurvey {
    let location = &file.location;
    let state = match &file.content {
        Content::Missing => FileState::Missing,
        Content::Read(_) => FileState::Read,
        Content::Broken { line, reason, .. } => {
            FileState::Broken { line: *line, reason: reason.clone() }
        }
        Content::Unreadable { reason } => FileState::Unreadable { reason: reason.clone() },
    };
    FileSurvey {
        path: location.path.clone(),
        layer: location.layer,
        role: location.role,
        state,
        ignored: location.ignored,
        remark: location.remark.clone(),
        writable: may_write(&location.path),
    }
}

/// Our own settings files, where the host reads none of its own.
fn own_files(reading: &Reading) -> Vec<FileSurvey> {
    if !reading.files.is_empty() {
        return Vec::new();
    }
    let config = &reading.config;
    let found = [Layer::User, Layer::Project].into_iter().filter_map(|layer| config.file(layer));
    let file = |file: &crate::config::SettingsFile| {
        let grave = file.problems.iter().find(|problem| problem.grave);
        FileSurvey {
            path: file.path.to_path_buf(),
            layer: file.layer,
            role: "settings",
            state: match grave {
                Some(problem) => FileState::Broken {
                    line: problem.spot.as_ref().map_or(1, |spot| spot.line),
                    reason: problem.message.clone(),
                },
                None if file.exists => FileState::Read,
                None => FileState::Missing,
            },
            ignored: None,
            remark: None,
            writable: may_write(&file.path),
        }
    };
    found.map(file).collect()
}
