//! Which runs of a skill's scripts a rule covers: by script and by arguments.

use super::Bound;
use crate::catalog::{Permission, decomposed};

/// A run that is judged.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The script's path relative to the skill, with links resolved; `None` if it is not UTF-8.
    pub script: Option<&'a str>,
    /// Other paths that lead to it: the one that was asked for, and each link on the way.
    pub names: &'a [String],
    pub arguments: &'a [String],
    /// The digest of all files of the skill, 64 hex digits; `None` if it is not known.
    pub digest: Option<&'a str>,
}

/// The runs that a rule about `skill_script` covers; by default all.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Runs {
    /// `None` means every script.
    pub script: Option<ScriptPath>,
    /// Exactly these arguments; `None` means any.
    pub arguments: Option<Vec<String>>,
}

impl Runs {
    pub const ANY: Self = Self { script: None, arguments: None };

    pub fn is_any(&self) -> bool {
        *self == Self::ANY
    }

    /// Whether a rule with this effect covers the run. A rule that names a script or arguments does
    /// not cover an unknown run. A deny or ask rule covers the script by every path that leads to
    /// it, so that a rule that names a link has an effect, its letters composed or not, and covers
    /// scripts whose path is not UTF-8. An allow rule covers the real path only.
    pub fn cover(&self, run: Option<&Run<'_>>, effect: Permission) -> bool {
        if self.is_any() {
            return true;
        }
        let Some(run) = run else { return false };
        let strict = effect != Permission::Allow;
        let by = |path: &ScriptPath| match (strict, run.script) {
            (false, script) => script.is_some_and(|script| path.covers(script)),
            (true, None) => true,
            (true, Some(script)) => {
                let names = run.names.iter().map(String::as_str);
                names.chain([script]).any(|name| path.covers_any_form(name))
            }
        };
        self.script.as_ref().is_none_or(by)
            && self.arguments.as_deref().is_none_or(|arguments| arguments == run.arguments)
    }

    /// The text that follows the skill's name: `scripts/fill.py ["--dry-run"]`. Other people's
    /// text.
    pub fn text(&self) -> String {
        let arguments = self.arguments.as_ref().map(|arguments| format!("{arguments:?}"));
        self.script
            .as_ref()
            .map(ScriptPath::text)
            .into_iter()
            .chain(arguments)
            .collect::<Vec<_>>()
            .join(" ")
    }
}

/// A run that a rule covers and that a narrower rule most likely does not, to try the rule with.
#[derive(Clone, Debug)]
pub struct SampleRun {
    script: String,
    arguments: Vec<String>,
    digest: Option<String>,
}

impl SampleRun {
    /// `None` if the rule covers every run.
    pub fn of(runs: &Runs, bound: Option<&Bound>) -> Option<Self> {
        const LAST: &str = "\u{10ffff}";
        let script = match &runs.script {
            None => LAST.to_owned(),
            Some(ScriptPath::Exact(path)) => path.clone(),
            Some(ScriptPath::Prefix(prefix)) => format!("{prefix}{LAST}"),
        };
        let arguments = runs.arguments.clone().unwrap_or_else(|| vec![LAST.to_owned()]);
        let digest = bound.and_then(|bound| bound.digest.clone());
        (!runs.is_any() || digest.is_some()).then_some(Self { script, arguments, digest })
    }

    pub fn run(&self) -> Run<'_> {
        let (script, digest) = (Some(&*self.script), self.digest.as_deref());
        Run { script, names: &[], arguments: &self.arguments, digest }
    }
}

/// The scripts that a rule names, relative to the skill.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ScriptPath {
    Exact(String),
    /// Every script with this beginning of its path.
    Prefix(String),
}

/// Why a script's path cannot be read; the sentence quotes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScriptPathError {
    #[error("a script's path is empty")]
    Empty,
    #[error("a script's path is relative to its skill, without `..`")]
    Outside,
    #[error("only one `*`, at the end, is understood in a script's path")]
    Glob,
    /// Backslashes, which would match nothing.
    #[error("a script's path is written with `/`")]
    Backslash,
    /// A folder, which would match nothing.
    #[error("this is a folder; write `*` behind it for all scripts in it")]
    Folder,
}

impl ScriptPath {
    /// Reads a settings text: a path relative to the skill, or a beginning and `*`.
    ///
    /// # Errors
    /// [`ScriptPathError`] if it could mean something else, or nothing; the caller fails closed.
    pub fn read(text: &str) -> Result<Self, ScriptPathError> {
        let (path, prefix) = text.strip_suffix('*').map_or((text, false), |path| (path, true));
        if path.starts_with('/') || path.split('/').any(|part| part == "..") {
            return Err(ScriptPathError::Outside);
        }
        if path.contains('\\') {
            return Err(ScriptPathError::Backslash);
        }
        if path.contains(['*', '?', '[', ']', '{', '}', '!', '\0']) {
            return Err(ScriptPathError::Glob);
        }
        let (folder, last) =
            path.rsplit_once('/').map_or(("", path), |(folder, last)| (folder, last));
        let folder = tidy(folder);
        let joined = if folder.is_empty() { last.to_owned() } else { format!("{folder}/{last}") };
        match last {
            _ if prefix => Ok(Self::Prefix(joined)),
            "" | "." if folder.is_empty() => Err(ScriptPathError::Empty),
            "" | "." => Err(ScriptPathError::Folder),
            _ => Ok(Self::Exact(joined)),
        }
    }

    fn covers(&self, path: &str) -> bool {
        match self {
            Self::Exact(exact) => exact == path,
            Self::Prefix(prefix) => path.starts_with(prefix.as_str()),
        }
    }

    /// Whether it covers the path in some form of its letters, composed or not.
    fn covers_any_form(&self, path: &str) -> bool {
        let forms = match self {
            Self::Exact(exact) => Self::Exact(decomposed(exact)),
            Self::Prefix(prefix) => Self::Prefix(decomposed(prefix)),
        };
        self.covers(path) || forms.covers(&decomposed(path))
    }

    pub fn text(&self) -> String {
        match self {
            Self::Exact(path) => path.clone(),
            Self::Prefix(prefix) => format!("{prefix}*"),
        }
    }
}

/// A relative path without `.` and doubled slashes. Links are not resolved, and `..` stays.
fn tidy(path: &str) -> String {
    path.split('/').filter(|part| !matches!(*part, "" | ".")).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use Permission::{Allow, Ask, Deny};

    #[test]
    fn a_path_that_could_mean_something_else_is_not_read() {
        use ScriptPathError::{Backslash, Empty, Folder, Glob, Outside};
        let exact = |path: &str| Ok(ScriptPath::Exact(path.to_owned()));
        let prefix = |path: &str| Ok(ScriptPath::Prefix(path.to_owned()));
        for (text, read) in [
            ("scripts/fill.py", exact("scripts/fill.py")),
            ("./scripts//./fill.py", exact("scripts/fill.py")),
            ("run.sh", exact("run.sh")),
            (" odd name", exact(" odd name")),
            ("*", prefix("")),
            ("./*", prefix("")),
            ("scripts/*", prefix("scripts/")),
            ("scripts//fi*", prefix("scripts/fi")),
            // Dropping this dot would make the rule wider.
            ("scripts/.*", prefix("scripts/.")),
            ("", Err(Empty)),
            (".", Err(Empty)),
            ("./", Err(Empty)),
            ("scripts/", Err(Folder)),
            ("scripts/.", Err(Folder)),
            ("/scripts/fill.py", Err(Outside)),
            ("/*", Err(Outside)),
            ("../fill.py", Err(Outside)),
            ("scripts/../fill.py", Err(Outside)),
            ("scripts/..*", Err(Outside)),
            ("scripts\\fill.py", Err(Backslash)),
            ("scripts/*.py", Err(Glob)),
            ("scripts/**", Err(Glob)),
            ("scripts/?", Err(Glob)),
            ("!scripts/fill.py", Err(Glob)),
        ] {
            assert_eq!(ScriptPath::read(text), read, "{text:?}");
            if let Ok(path) = read {
                assert_eq!(ScriptPath::read(&path.text()), Ok(path), "{text:?} as it is written");
            }
        }
    }

    #[test]
    fn what_forbids_holds_by_every_path_and_what_allows_by_the_real_one() {
        let runs =
            |path: &str| Runs { script: Some(ScriptPath::read(path).unwrap()), arguments: None };
        let none: [String; 0] = [];
        let names = ["sc/link".to_owned(), "link".to_owned()];
        let run = |script| Run { script, names: &names, arguments: &none, digest: None };
        let linked = run(Some("scripts/fill.py"));
        for (path, allow, deny) in [
            ("scripts/fill.py", true, true),
            ("link", false, true),
            ("sc/*", false, true),
            ("other", false, false),
        ] {
            assert_eq!(runs(path).cover(Some(&linked), Allow), allow, "{path}");
            assert_eq!(
                [Ask, Deny].map(|effect| runs(path).cover(Some(&linked), effect)),
                [deny; 2],
                "{path}"
            );
        }
        let letters = Run { script: Some("cafe\u{301}.sh"), names: &[], ..linked };
        for path in ["caf\u{e9}.sh", "caf\u{e9}*", "cafe\u{301}.sh"] {
            assert!(runs(path).cover(Some(&letters), Deny), "{path}");
            assert_eq!(runs(path).cover(Some(&letters), Allow), path.contains('\u{301}'));
        }
        let unsaid = run(None);
        assert!(!runs("*").cover(Some(&unsaid), Allow) && runs("other").cover(Some(&unsaid), Deny));
        assert!(!runs("*").cover(None, Deny), "nothing is known of the run");
        assert!(Runs::ANY.cover(None, Deny) && SampleRun::of(&Runs::ANY, None).is_none());
        for path in ["scripts/*", "scripts/fill.py"] {
            let runs = Runs { arguments: Some(vec![String::new()]), ..runs(path) };
            assert!(runs.cover(Some(&SampleRun::of(&runs, None).unwrap().run()), Allow));
        }
    }
}
