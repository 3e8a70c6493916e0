//! Each agent of this machine: its version, where it looks, and its settings files.

use super::{HostContext, Workspace};
use crate::catalog::{HostId, RootReport};
use crate::files::access::may_write;
use crate::files::child::{self, Failure, Run};
use crate::hosts::{
    Content, HOSTS, Host, Installed, Reading, SettingsFile, Version, every, generic,
};
use crate::policy::{Layer, Tally, severity};
use crate::scan::Listed;
use crate::text::reason;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a program may take to print its version.
const TIMEOUT: Duration = Duration::from_secs(5);

/// How many bytes of its output are read.
const MOST: u64 = 64 << 10;

/// One host on this machine.
#[derive(Clone, Debug)]
pub struct HostSurvey {
    /// The row that fits its version.
    pub host: &'static Host,
    /// How it is installed; `None` if it is not, or is no program.
    pub installed: Option<Installed>,
    /// How its version is known, or why it is not.
    pub told_by: ToldBy,
    /// In its own order.
    pub roots: Vec<RootReport>,
    /// The skills in them.
    pub tally: Tally,
    /// Lower layers first.
    pub files: Vec<FileSurvey>,
}

/// How a version is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToldBy {
    /// It is not, since there is no program.
    Nobody,
    /// The package file beside the program.
    Package,
    /// The program, which was run with `--version`.
    Program,
    /// The program was run and did not print a version; why.
    Silent(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileSurvey {
    /// Where it is, or would be; other people's text.
    pub path: PathBuf,
    pub layer: Layer,
    /// What it is for.
    pub role: &'static str,
    pub state: FileState,
    /// Why the host does not read it.
    pub ignored: Option<&'static str>,
    /// When the host reads it, if not always; may quote a path.
    pub remark: Option<String>,
    /// Whether it, or the folder where it would be, is writable.
    pub writable: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileState {
    Missing,
    Read,
    /// Its contents are not valid. It does not count as empty, and is not edited.
    Broken {
        /// The line at which reading ended, from 1.
        line: u32,
        /// May quote the file.
        reason: String,
    },
    /// The system does not let us read it.
    Unreadable {
        reason: String,
    },
}

impl Workspace {
    /// `agents` and the hosts of this machine, in the order of the table; with `all`, also every
    /// host that has a file of its own in `hosts`. A program without a package file is run once
    /// with `--version`, in an empty home directory, for at most five seconds.
    pub fn survey(&self, all: bool) -> Vec<HostSurvey> {
        let listed = Listed::default();
        let own = HOSTS.iter().filter_map(|host| self.survey_of(host, all, &listed));
        let others = generic::HOSTS.iter().filter_map(|host| self.survey_of(host, false, &listed));
        own.chain(others).collect()
    }

    /// The host with this word, wherever it is.
    pub fn survey_named(&self, word: &str) -> Option<HostSurvey> {
        let host = every().find(|host| host.id.word() == word)?;
        self.survey_of(host, true, &Listed::default())
    }

    fn survey_of(&self, host: &'static Host, all: bool, listed: &Listed) -> Option<HostSurvey> {
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
        let row = host.fitting(installed.as_ref());
        let host_context = HostContext::new(row, installed.clone(), &self.context, &self.inputs);
        let catalog = self.catalog_of(&host_context, &[], listed);
        let mut tally = Tally::default();
        for skill in &catalog.skills {
            let refused = host_context.policy.refusal(skill);
            let findings = skill.diagnostics.iter();
            tally.add(refused.is_some(), findings.map(|found| severity(refused, found)));
        }
        Some(HostSurvey {
            host: host_context.host,
            installed,
            told_by,
            roots: catalog.roots,
            tally,
            files: files(&host_context.reading),
        })
    }

    /// Asks a program for its version. Of the person's environment it gets only `PATH`, and not
    /// their home directory.
    fn ask(&self, program: &Path) -> Result<Version, String> {
        let failed = |error: std::io::Error| reason(&error);
        let scratch = tempfile::tempdir().map_err(failed)?;
        let path = self.context.environment.get("PATH").cloned().unwrap_or_default();
        let run = Run {
            program: program.to_owned(),
            arguments: vec!["--version".into()],
            folder: scratch.path().to_owned(),
            environment: child::environment(scratch.path(), &path),
            timeout: TIMEOUT,
            cap: MOST,
            ..Run::default()
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
    let settings = reading.files.iter().filter(|file| file.location.role != crate::hosts::PLUGINS);
    settings.map(file).chain(own_files(reading)).collect()
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

/// Our own settings files, if the host has none.
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
