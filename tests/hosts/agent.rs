//! An agent's real program, asked in a house without a network.

use crate::house::House;
use skillpick::files::child;
use skillpick::hosts::oracle::{Heard, Oracle, Place, Report, Unheard};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

pub struct Agent {
    oracle: &'static Oracle,
    program: PathBuf,
    path: OsString,
}

impl Agent {
    /// The installed program; where it is missing that is said, on a line that CI counts.
    pub fn find(oracle: &'static Oracle) -> Option<Self> {
        let folder = std::env::var_os("SKILLPICK_AGENTS").map_or_else(
            || Path::new(env!("CARGO_MANIFEST_DIR")).join("target/agents/node_modules/.bin"),
            PathBuf::from,
        );
        let path = std::env::join_paths([folder.as_path(), Path::new("/usr/bin"), Path::new("/bin")]).unwrap();
        let Some(program) = child::find(oracle.program, folder.as_os_str()) else {
            eprintln!("\nskipped: {} is not installed (.ci/agents)", oracle.program);
            return None;
        };
        let agent = Self { oracle, program, path };
        let house = House::new(&format!("version-of-{}", oracle.program));
        let answer = agent.run(&house, "home", &["--version"], &[]);
        match answer {
            Ok(output) if output.code == Some(0) => Some(agent),
            other => {
                eprintln!("\nskipped: {} does not run here ({other:?})", oracle.program);
                None
            }
        }
    }

    fn environment(&self, house: &House, more: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
        let mut environment = child::environment(&house.path("home"), &self.path);
        environment.push(("TMPDIR".into(), house.path("tmp").into()));
        environment.extend(more.iter().map(|(name, value)| ((*name).into(), (*value).into())));
        environment
    }

    /// What the agent sees from this folder of the house.
    pub fn ask(&self, house: &House, folder: &str) -> Report {
        self.try_ask(house, folder, &[]).unwrap_or_else(|error| panic!("{}: {error:?}", self.oracle.program))
    }

    pub fn ask_with(&self, house: &House, folder: &str, more: &[(&str, &str)]) -> Report {
        self.try_ask(house, folder, more).unwrap_or_else(|error| panic!("{}: {error:?}", self.oracle.program))
    }

    pub fn try_ask(&self, house: &House, folder: &str, more: &[(&str, &str)]) -> Result<Report, Unheard> {
        let (folder, environment) = (house.path(folder), self.environment(house, more));
        let place = Place { program: &self.program, before: alone(), folder: &folder, environment: &environment };
        self.oracle.ask(&place)
    }

    /// The program with other arguments, in the oracle's environment.
    pub fn run(
        &self,
        house: &House,
        folder: &str,
        arguments: &[&str],
        more: &[(&str, &str)],
    ) -> Result<child::Output, child::Failure> {
        let (folder, environment) = (house.path(folder), self.environment(house, more));
        let place = Place { program: &self.program, before: alone(), folder: &folder, environment: &environment };
        let mut run = self.oracle.run(&self.oracle.steps[0], &place);
        let keep = run.arguments.len() - self.oracle.steps[0].arguments.len();
        run.arguments.truncate(keep);
        run.arguments.extend(arguments.iter().map(OsString::from));
        (run.input, run.enough, run.hold) = (Vec::new(), None, std::time::Duration::ZERO);
        child::run(&run)
    }
}

/// `unshare -rn` where that works: a process that has no network at all.
fn alone() -> &'static [OsString] {
    static WORKS: OnceLock<Vec<OsString>> = OnceLock::new();
    WORKS.get_or_init(|| {
        let prefix = ["/usr/bin/unshare", "-rn"].map(OsString::from);
        let answer = std::process::Command::new(&prefix[0]).args([&prefix[1], &OsString::from("true")]).status();
        if answer.is_ok_and(|status| status.success()) {
            return prefix.to_vec();
        }
        eprintln!("\nskipped: no network namespace here, the agents could reach the network (unshare -rn)");
        Vec::new()
    })
}

/// The skills below a folder of the house, each by its directory there, with `=name` where it goes by another.
pub fn below(report: &Report, house: &House, root: &str) -> BTreeSet<String> {
    let root = house.path(root);
    let inside = |heard: &Heard| {
        let folder = heard.path.as_ref()?.strip_prefix(&root).ok()?.to_str()?.to_owned();
        let same = folder.rsplit('/').next() == Some(&heard.name);
        Some(if same { folder } else { format!("{folder}={}", heard.name) })
    };
    report.heard.iter().filter_map(inside).collect()
}

/// The names that begin with this, but not those that came with the agent.
pub fn names<'a>(report: &'a Report, prefix: &str) -> BTreeSet<&'a str> {
    let own = report.heard.iter().filter(|heard| !heard.bundled);
    own.map(|heard| heard.name.as_str()).filter(|name| name.starts_with(prefix)).collect()
}

/// The names of what is off.
pub fn off(report: &Report) -> BTreeSet<&str> {
    report.heard.iter().filter(|heard| heard.enabled == Some(false)).map(|heard| heard.name.as_str()).collect()
}

/// Words of a text, as a set: what a test expects is written in the order in which it reads best.
pub fn words(text: &str) -> BTreeSet<&str> {
    text.split_whitespace().collect()
}

/// Both sets, told apart.
#[track_caller]
pub fn same<A: AsRef<str> + Ord, B: AsRef<str> + Ord>(seen: &BTreeSet<A>, expected: &BTreeSet<B>) {
    let seen: BTreeSet<&str> = seen.iter().map(AsRef::as_ref).collect();
    let expected: BTreeSet<&str> = expected.iter().map(AsRef::as_ref).collect();
    let (more, less): (Vec<_>, Vec<_>) = (seen.difference(&expected).collect(), expected.difference(&seen).collect());
    assert!(more.is_empty() && less.is_empty(), "seen but not expected: {more:?}\nexpected but not seen: {less:?}");
}
