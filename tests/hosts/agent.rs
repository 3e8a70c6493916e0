//! An agent's real program, asked in an environment without a network.

use crate::env::TestEnv;
use skillpick::files::child;
use skillpick::hosts::probe::{
    self, AgentProbe, Patience, ProbeError, Report, SkillReport, Step, Surroundings,
};
use skillpick::hosts::{self, Host};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once};

pub(crate) struct Agent {
    pub(crate) probe: &'static AgentProbe,
    program: PathBuf,
    path: OsString,
    /// Whether its rules are asked for too.
    rules: bool,
}

/// An answer of opencode or Kilo Code without rules.
const NO_RULES: &[u8] = br#"{"permission": []}"#;

impl Agent {
    /// The installed program; where it is missing that is said, on a line that CI counts.
    pub(crate) fn find(probe: &'static AgentProbe) -> Option<Self> {
        let folder = programs();
        let path =
            std::env::join_paths([folder.as_path(), Path::new("/usr/bin"), Path::new("/bin")])
                .unwrap();
        let Some(program) = child::find(probe.program, folder.as_os_str()) else {
            say(&format!("skipped: {} is not installed (.ci/agents)", probe.program));
            return None;
        };
        let agent = Self { probe, program, path, rules: true };
        let version = agent.version();
        if version.is_none() {
            say(&format!("skipped: {} does not run here", probe.program));
        }
        version.map(|_| agent)
    }

    /// The same program behind a script, so that nothing leads to its package.
    pub(crate) fn behind_a_script(&self, env: &TestEnv) -> Self {
        let script = format!("#!/bin/sh\nexec '{}' \"$@\"\n", self.program.display());
        let program = env.write(format!("bin/{}", self.probe.program), script);
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let folders = std::env::split_paths(&self.path).collect::<Vec<_>>();
        let path = std::env::join_paths([vec![env.at("bin")], folders].concat()).unwrap();
        Self { program, path, ..*self }
    }

    /// The program, asked for its skills alone, where no rule is written: opencode and Kilo Code
    /// need seconds more for their rules.
    pub(crate) fn without_rules(self) -> Self {
        Self { rules: !["opencode", "kilo"].contains(&self.probe.program), ..self }
    }

    /// What we know of it.
    pub(crate) fn host(&self) -> &'static Host {
        hosts::every()
            .find(|host| host.probe.is_some_and(|probe| probe.program == self.probe.program))
            .unwrap()
    }

    /// What it calls its version, asked once; nothing when it does not run.
    fn version(&self) -> Option<String> {
        static ASKED: Mutex<BTreeMap<&str, Option<String>>> = Mutex::new(BTreeMap::new());
        let ask = || {
            let output = self.run(&TestEnv::for_agents(), "home", &["--version"], &[]).ok()?;
            let said =
                String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
            if !said.contains(self.probe.proved) {
                let (program, proved) = (self.probe.program, self.probe.proved);
                say(&format!("{program} says it is {}, not {proved}", said.trim()));
            }
            (output.code == Some(0)).then_some(said)
        };
        ASKED.lock().unwrap().entry(self.probe.program).or_insert_with(ask).clone()
    }

    /// The whole environment, but for what the probe adds.
    pub(crate) fn environment(
        &self,
        env: &TestEnv,
        more: &[(&str, &str)],
    ) -> Vec<(OsString, OsString)> {
        let mut environment = child::environment(&env.at("home"), &self.path);
        environment.push(("TMPDIR".into(), env.at("tmp").into()));
        // Node keeps there what it has compiled: half the time of agents of many megabytes.
        let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("node-compiled");
        environment.push(("NODE_COMPILE_CACHE".into(), kept.into()));
        if self.probe.program == "gemini" {
            environment.push(("GEMINI_CLI_TRUST_WORKSPACE".into(), "true".into()));
        }
        environment.extend(more.iter().map(|(name, value)| ((*name).into(), (*value).into())));
        environment
    }

    /// What the agent sees from this folder of the environment.
    pub(crate) fn ask(&self, env: &TestEnv, folder: &str) -> Report {
        self.try_ask(env, folder, &[])
            .unwrap_or_else(|error| panic!("{}: {error:?}", self.probe.program))
    }

    pub(crate) fn try_ask(
        &self,
        env: &TestEnv,
        folder: &str,
        more: &[(&str, &str)],
    ) -> Result<Report, ProbeError> {
        if !self.rules {
            count();
            return self.at((env, folder), more, |place| self.skills(place));
        }
        self.probe.steps.iter().for_each(|_| count());
        self.at((env, folder), more, |place| self.probe.ask(place))
    }

    /// What it says in its first step.
    fn skills(&self, place: &Surroundings) -> Result<Report, ProbeError> {
        let skills = child::run(&self.probe.run(&self.probe.steps[0], place))?;
        let rules = child::Output { stdout: NO_RULES.to_vec(), ..child::Output::default() };
        Ok((self.probe.parse)(&[skills, rules], place.folder)?)
    }

    /// Where the program is run: in this folder of the environment, with this environment, alone.
    fn at<T>(
        &self,
        (env, folder): (&TestEnv, &str),
        more: &[(&str, &str)],
        act: impl FnOnce(&Surroundings) -> T,
    ) -> T {
        let (folder, environment) = (env.at(folder), self.environment(env, more));
        act(&Surroundings {
            program: &self.program,
            before: without_network(),
            folder: &folder,
            environment: &environment,
            patience: &Patience::default(),
        })
    }

    /// The program with other arguments, in the probe's environment and more.
    pub(crate) fn run(
        &self,
        env: &TestEnv,
        folder: &str,
        arguments: &[&str],
        more: &[(&str, &str)],
    ) -> Result<child::Output, child::Failure> {
        self.step((env, folder), &Step::plain(&[]), (arguments, more))
    }

    /// The program by a step that its probe does not have.
    pub(crate) fn step(
        &self,
        place: (&TestEnv, &str),
        step: &Step,
        (arguments, more): (&[&str], &[(&str, &str)]),
    ) -> Result<child::Output, child::Failure> {
        let mut run = self.at(place, &[], |place| self.probe.run(step, place));
        run.arguments.extend(arguments.iter().map(OsString::from));
        run.environment
            .extend(more.iter().map(|(name, value)| (OsString::from(name), OsString::from(value))));
        count();
        child::run(&run)
    }
}

/// Notes that a program has been run: `.ci/run` counts them.
pub(crate) fn count() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("agent-runs");
    let file = std::fs::OpenOptions::new().create(true).append(true).open(file);
    file.unwrap().write_all(b".").unwrap();
}

/// Says it on the stream itself, on a line of its own: the test runner keeps what a test prints
/// that passes.
pub(crate) fn say(line: &str) {
    std::io::stderr().write_all(format!("\n{line}\n").as_bytes()).unwrap();
}

/// Where the agents' programs are: below what `.ci/agents` has installed, or in a folder of
/// programs.
pub(crate) fn programs() -> PathBuf {
    let folder = std::env::var_os("SKILLPICK_AGENTS").map(PathBuf::from);
    let folder =
        folder.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("target/agents"));
    let programs = folder.join("node_modules/.bin");
    if programs.is_dir() { programs } else { folder }
}

/// `unshare -rn` where that works: a process that has no network at all.
fn without_network() -> &'static [OsString] {
    static SAID: Once = Once::new();
    let alone = probe::without_network();
    if alone.is_empty() {
        SAID.call_once(|| say("skipped: no network namespace here, the agents could reach the network (unshare -rn)"));
    }
    alone
}

/// The skills that are seen below a root of the environment.
pub(crate) struct Below {
    pub(crate) folders: BTreeSet<String>,
    /// Those that go by another name than their folder's: `folder=name`, with `_` for a space.
    renamed: BTreeSet<String>,
}

pub(crate) fn below(report: &Report, env: &TestEnv, root: &str) -> Below {
    let root = env.at(root);
    let mut below = Below { folders: BTreeSet::new(), renamed: BTreeSet::new() };
    for reported in &report.skills {
        let Some(Ok(folder)) = reported.path.as_ref().map(|path| path.strip_prefix(&root)) else {
            continue;
        };
        let folder = folder.to_str().unwrap().to_owned();
        if folder.rsplit('/').next() != Some(&reported.name) {
            below.renamed.insert(format!("{folder}={}", reported.name.replace(' ', "_")));
        }
        below.folders.insert(folder);
    }
    below
}

/// The same for agents that name folders only: as if all lay directly below the root.
pub(crate) fn named(report: &Report) -> Below {
    let own = report.skills.iter().filter(|reported| !reported.bundled);
    Below { folders: own.map(|reported| reported.name.clone()).collect(), renamed: BTreeSet::new() }
}

/// Which of several in one root an agent takes may be left to the file system: these are looked at
/// apart.
const UNSETTLED: [&str; 4] = ["plain", "twin", "twice-a", "twice-b"];

impl Below {
    /// What was laid out and is not seen.
    pub(crate) fn unseen(&self, laid: &BTreeSet<String>) -> BTreeSet<String> {
        laid.difference(&self.folders)
            .filter(|folder| !UNSETTLED.contains(&folder.as_str()))
            .cloned()
            .collect()
    }

    /// Those that go by another name than their folder's.
    pub(crate) fn renamed(&self) -> BTreeSet<&str> {
        let renamed = self.renamed.iter().map(String::as_str);
        renamed.filter(|entry| !UNSETTLED.iter().any(|folder| entry.starts_with(folder))).collect()
    }

    /// How many of the two of one name, and how many of a skill and a link to it, are seen.
    pub(crate) fn twins(&self) -> (usize, usize) {
        let count =
            |two: [&str; 2]| two.iter().filter(|folder| self.folders.contains(**folder)).count();
        (count(["twice-a", "twice-b"]), count(["plain", "twin"]))
    }
}

/// The roots (as `repo/.agents`) whose copy is seen, of each pair of neighbours.
pub(crate) fn winners(report: &Report, env: &TestEnv) -> Vec<String> {
    let winner = |reported: &SkillReport| {
        let index: usize = reported.name.strip_prefix("pair-")?.parse().ok()?;
        let path = reported.path.as_ref()?.strip_prefix(env.at("")).ok()?.to_str()?;
        let root = path.rsplit_once("/pair-")?.0.strip_suffix("/skills")?;
        Some((index, root.to_owned()))
    };
    let mut winners: Vec<_> = report.skills.iter().filter_map(winner).collect();
    winners.sort();
    winners.into_iter().map(|(_, root)| root).collect()
}

/// The names that begin with this, but not those that came with the agent.
pub(crate) fn names<'a>(report: &'a Report, prefix: &str) -> BTreeSet<&'a str> {
    let own = report.skills.iter().filter(|reported| !reported.bundled);
    own.map(|reported| reported.name.as_str()).filter(|name| name.starts_with(prefix)).collect()
}

/// The names of what is off.
pub(crate) fn off(report: &Report) -> BTreeSet<&str> {
    report
        .skills
        .iter()
        .filter(|reported| reported.enabled == Some(false))
        .map(|reported| reported.name.as_str())
        .collect()
}

/// Words of a text, as a set: what a test expects is written in the order in which it reads best.
pub(crate) fn words(text: &str) -> BTreeSet<&str> {
    text.split_whitespace().collect()
}

/// Both sets, told apart.
#[track_caller]
pub(crate) fn same<A: AsRef<str> + Ord, B: AsRef<str> + Ord>(
    seen: &BTreeSet<A>,
    expected: &BTreeSet<B>,
) {
    let seen: BTreeSet<&str> = seen.iter().map(AsRef::as_ref).collect();
    let expected: BTreeSet<&str> = expected.iter().map(AsRef::as_ref).collect();
    let (more, less): (Vec<_>, Vec<_>) =
        (seen.difference(&expected).collect(), expected.difference(&seen).collect());
    assert!(
        more.is_empty() && less.is_empty(),
        "seen but not expected: {more:?}\nexpected but not seen: {less:?}"
    );
}
