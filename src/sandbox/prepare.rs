//! Turns a request into a run that can be shown, approved and started.

use super::environment::{of_script, search_path};
use super::grants::{self, Programs};
use super::interpreter::{Found, Interpreter, NamedBy};
use super::pinned::{FileMark, HeldPath, leads_through_a_process};
use super::request::MAX_WORDS;
use super::secrets::Secrets;
use super::trust::{Surroundings, Trust, trust};
use super::{
    Consent, Digest, Launcher, Limits, PrepareError, Request, Route, Sandbox, WorkDir, route,
};
use crate::catalog::Skill;
use crate::files::beneath::{Refusal, SkillDir};
use crate::files::scratch::{Purpose, Scratch};
use crate::files::snapshot::Snapshot;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

/// A run that has not started: what consent has to show, and the copy that will run.
///
/// The paths, arguments and names are other people's text: show them only through
/// [`crate::text::SafeText`].
#[derive(Debug)]
pub struct Prepared {
    /// The script's real path.
    pub script: PathBuf,
    /// The interpreter, absolute, and its own arguments.
    pub command: Vec<String>,
    /// Whether the script names its interpreter, in a folder that is neither the system's nor a
    /// known toolchain's. No rule covers such a run.
    pub strange_interpreter: bool,
    pub arguments: Vec<String>,
    /// The digest of the bytes that will run: all files in the copy of the skill.
    pub digest: Digest,
    /// Files that are not in the copy, because they lead out of the skill or are not regular files.
    pub left_out: Vec<PathBuf>,
    /// The names of all variables that the script gets; those that the caller added come last.
    pub environment: Vec<String>,
    pub directory: PathBuf,
    /// Which directory was asked for.
    pub start_in: WorkDir,
    /// The directories that it may write to. `None` without a sandbox: wherever the person may.
    pub writes: Option<Vec<PathBuf>>,
    /// What it may read besides the system's files and the copy of the skill, by paths and patterns
    /// with `*`. `None` without a sandbox: whatever the person may.
    pub reads: Option<Vec<PathBuf>>,
    /// Whether it has the network, which is only so without a sandbox.
    pub network: bool,
    pub sandbox: Sandbox,
    pub timeout: Duration,
    pub limits: Limits,
    /// The skill's `allowed-tools`. They are shown and grant nothing.
    pub allowed_tools: Vec<String>,
    pub(super) start: Start,
    consent: Consent,
}

/// What the run needs besides what is shown.
#[derive(Debug)]
pub(super) struct Start {
    pub(super) copy: Snapshot,
    pub(super) relative: String,
    /// The interpreter's file as it was shown.
    pub(super) interpreter: FileMark,
    pub(super) variables: Vec<(OsString, OsString)>,
    pub(super) fresh: Scratch,
    pub(super) bubblewrap: Option<PathBuf>,
    pub(super) launcher: Launcher,
    /// What of the system may be read.
    pub(super) system: Vec<PathBuf>,
    /// What the sandbox grants besides the system's files, held open since it was checked. Empty
    /// without a sandbox.
    pub(super) read: Vec<HeldPath>,
    pub(super) write: Vec<HeldPath>,
}

impl Request<'_> {
    /// Copies the skill, finds the interpreter, and describes the run. Nothing is run.
    pub fn prepare(&self) -> Result<Prepared, PrepareError> {
        self.runnable()?;
        let own = self.launcher.variables();
        let mut variables = of_script(own.iter().cloned(), self.environment)?;
        let path = value_of(&variables, "PATH").map(|path| search_path(&path)).unwrap_or_default();
        let home =
            value_of(&variables, "HOME").and_then(|home| Path::new(&home).canonicalize().ok());
        let dir = self.skill.dir();
        self.skill.provide().map_err(|error| Refusal::of_stored(&error))?;
        let copy = Snapshot::take(&SkillDir::open(dir)?, &|path| (self.may_copy)(&dir.join(path)))?;
        let home = home.as_deref();
        let Interpreter { words: command, from } = self.command(&copy, &path)?;
        let strange_interpreter =
            from == NamedBy::Script && self.is_strange(&command[0], &path, home)?;
        let interpreter_mark = FileMark::of(Path::new(&command[0]));
        let fresh = Scratch::new(Purpose::Run)?;
        let written = fresh.path().canonicalize()?;
        let temporary = copy.folder().canonicalize()?.join("tmp");
        fs::create_dir(&temporary)?;
        variables.insert(0, ("TMPDIR".into(), temporary.clone().into()));
        let shut_in = self.sandbox != Sandbox::Off;
        let secrets = Secrets::of(home, |name| value_of(&own, name), self.private);
        let directory = self.working_directory(&copy, &written, &secrets)?;
        let interpreter = Path::new(&command[0]);
        let system = grants::system(&secrets);
        let needed = Programs { interpreter, path: &path, home, system: &system };
        let programs = grants::programs(&needed, &secrets);
        let mut reads = grants::summary(&programs, home);
        let rest = self.rest(&directory, &reads, interpreter_mark);
        let consent = self.consent(&copy, &command, rest);
        if let WorkDir::At(_) = self.directory {
            reads.push(directory.clone());
        }
        let writes = vec![written, temporary];
        let (read, write) = if shut_in {
            let places = programs.iter().map(PathBuf::as_path);
            hold(places.chain([&*directory, copy.path()]), &writes)?
        } else {
            Default::default()
        };
        Ok(Prepared {
            script: real_path(self.skill, self.script),
            arguments: self.arguments.to_vec(),
            digest: copy.digest,
            left_out: copy.left_out.clone(),
            environment: variables
                .iter()
                .map(|(name, _)| name.to_string_lossy().into_owned())
                .collect(),
            consent,
            writes: shut_in.then_some(writes),
            reads: shut_in.then_some(reads),
            network: !shut_in,
            sandbox: self.sandbox,
            start_in: self.directory.clone(),
            timeout: self.timeout,
            limits: self.limits,
            allowed_tools: self.skill.properties.allowed_tools().map(str::to_owned).collect(),
            start: Start {
                bubblewrap: super::environment::find_program("bwrap", &path),
                relative: self.script.to_owned(),
                interpreter: interpreter_mark,
                launcher: self.launcher.clone(),
                copy,
                variables,
                fresh,
                system,
                read,
                write,
            },
            command,
            strange_interpreter,
            directory,
        })
    }

    /// Whether nothing is known of the folder of a program that the script names.
    ///
    /// # Errors
    /// [`PrepareError::Writable`].
    fn is_strange(
        &self,
        program: &str,
        path: &[PathBuf],
        home: Option<&Path>,
    ) -> Result<bool, PrepareError> {
        let own = self.skill.dir().to_owned();
        let untrusted: Vec<PathBuf> = self.untrusted.iter().cloned().chain([own]).collect();
        let around = Surroundings { path, home, untrusted: &untrusted };
        match trust(Path::new(program), &around) {
            Trust::Known => Ok(false),
            Trust::Strange => Ok(true),
            Trust::Writable => Err(PrepareError::Writable { program: program.to_owned() }),
        }
    }

    /// Checks that there is the sandbox, and that arguments, variables and the script's path can be
    /// shown and passed on.
    fn runnable(&self) -> Result<(), PrepareError> {
        if self.sandbox != Sandbox::Off && !self.launcher.has_sandbox() {
            return Err(PrepareError::NoSandbox);
        }
        if self.arguments.iter().any(|argument| argument.contains('\0')) {
            return Err(PrepareError::Unspeakable);
        }
        let variables = self.environment.iter().map(|(name, value)| name.len() + 1 + value.len());
        if self
            .arguments
            .iter()
            .map(String::len)
            .chain(variables)
            .map(|word| word + 1)
            .sum::<usize>()
            > MAX_WORDS
        {
            return Err(PrepareError::TooLong);
        }
        if Path::new(self.script).components().any(|part| part == Component::ParentDir) {
            return Err(PrepareError::Upward);
        }
        Ok(())
    }

    /// The words before the script. They come from the copy, so that what is shown will run.
    fn command(&self, copy: &Snapshot, path: &[PathBuf]) -> Result<Interpreter, PrepareError> {
        let relative = Path::new(self.script);
        let (file, _) = match SkillDir::open(copy.path())?.open_file(relative) {
            // It is not in the copy. The original shows why.
            Err(Refusal::NotFound) => {
                SkillDir::open(self.skill.dir())?.open_file(relative).and(Err(Refusal::NotFound))?
            }
            found => found?,
        };
        let metadata = file.metadata()?;
        let mut head = Vec::new();
        file.take(512).read_to_end(&mut head)?;
        let found = Found { executable: is_executable(&metadata), path };
        self.interpreters.command(relative, &head, &found)
    }

    fn working_directory(
        &self,
        copy: &Snapshot,
        fresh: &Path,
        secrets: &Secrets,
    ) -> Result<PathBuf, PrepareError> {
        let given = match self.directory {
            WorkDir::Fresh => return Ok(fresh.to_owned()),
            WorkDir::Skill => return Ok(copy.path().to_owned()),
            WorkDir::At(directory) => directory,
        };
        let unusable = |kind| PrepareError::Directory { path: given.clone(), kind };
        let directory = given.canonicalize().map_err(|error| unusable(error.kind()))?;
        if !directory.is_dir() {
            return Err(unusable(io::ErrorKind::NotADirectory));
        }
        let exposing = || secrets.forbid_start(&directory) || leads_through_a_process(given);
        if self.sandbox != Sandbox::Off && exposing() {
            return Err(PrepareError::Exposing);
        }
        Ok(directory)
    }

    /// The digest of everything else that consent is bound to.
    fn rest(&self, directory: &Path, programs: &[PathBuf], interpreter: FileMark) -> Digest {
        let (directory, inode) = match self.directory {
            WorkDir::Fresh => (Path::new("fresh"), 0),
            WorkDir::Skill => (Path::new("skill"), 0),
            WorkDir::At(_) => (directory, inode_of(directory)),
        };
        let mut rest = inode.to_be_bytes().to_vec();
        rest.extend(interpreter.lasting());
        let values = self.environment.iter().map(|(_, value)| value.as_bytes());
        let paths = [self.skill.path.as_os_str(), directory.as_os_str()]
            .map(|path| path.as_encoded_bytes());
        let programs = programs.iter().map(|place| place.as_os_str().as_encoded_bytes());
        for part in
            paths.into_iter().chain(values).chain(programs.filter(|_| self.sandbox != Sandbox::Off))
        {
            rest.extend((part.len() as u64).to_be_bytes());
            rest.extend(part);
        }
        Digest::of(&rest)
    }

    fn consent(&self, copy: &Snapshot, command: &[String], rest: Digest) -> Consent {
        Consent {
            skill: self.skill.id().as_str().to_owned(),
            digest: copy.digest.to_string(),
            script: self.script.to_owned(),
            command: command.to_vec(),
            arguments: self.arguments.to_vec(),
            environment: self.environment.iter().map(|(name, _)| name.clone()).collect(),
            rest: rest.to_string(),
            sandbox: self.sandbox,
            timeout_ms: u64::try_from(self.timeout.as_millis()).unwrap_or(u64::MAX),
            limits: self.limits,
        }
    }
}

impl Prepared {
    /// All words of the command as the person knows them: the interpreter, the script's real path,
    /// the arguments. The command that runs names the copy instead.
    pub fn argv(&self) -> Vec<OsString> {
        self.words(&self.script)
    }

    pub(super) fn words(&self, script: &Path) -> Vec<OsString> {
        let command = self.command.iter().map(OsString::from);
        command
            .chain([script.as_os_str().to_owned()])
            .chain(self.arguments.iter().map(OsString::from))
            .collect()
    }

    /// The copy that runs. It is removed with this value.
    pub fn copy(&self) -> &Path {
        self.start.copy.path()
    }

    /// The links that lead to the script within the copy.
    pub fn route(&self) -> Option<Route> {
        route(self.start.copy.path(), &self.start.relative)
    }

    pub(super) fn consent(&self) -> Consent {
        self.consent.clone()
    }
}

/// Opens what may be read and what may be written. What may be read and is gone by now is not
/// granted.
fn hold<'a>(
    read: impl Iterator<Item = &'a Path>,
    write: &[PathBuf],
) -> io::Result<(Vec<HeldPath>, Vec<HeldPath>)> {
    let write = write.iter().map(|place| HeldPath::at(place)).collect::<io::Result<_>>()?;
    Ok((read.filter_map(|place| HeldPath::at(place).ok()).collect(), write))
}

fn value_of(variables: &[(OsString, OsString)], name: &str) -> Option<OsString> {
    variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
}

fn real_path(skill: &Skill, script: &str) -> PathBuf {
    let path = skill.place_of(script);
    path.canonicalize().unwrap_or(path)
}

/// Another folder at the same path is another folder. The device is left out, because its number
/// may change when the machine starts again.
#[cfg(unix)]
fn inode_of(directory: &Path) -> u64 {
    fs::metadata(directory).map_or(0, |metadata| std::os::unix::fs::MetadataExt::ino(&metadata))
}

#[cfg(not(unix))]
fn inode_of(_: &Path) -> u64 {
    0
}

#[cfg(unix)]
fn is_executable(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    false
}
