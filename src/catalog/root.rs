//! A folder that is scanned for skills, and the result.

use super::{OwnWord, Scope, Severity, short_version};
use crate::text::SafeText;
use crate::words;
use serde::Serialize;
use std::ffi::OsStr;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The short name of a host, as `--host` takes it (`agents`, `codex`, …).
///
/// An id is a static word, since hosts are rows of a static table. [`crate::hosts`] turns text into
/// an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct HostId(pub &'static str);

impl HostId {
    /// The plain Agent Skills standard with our own settings file.
    pub const AGENTS: Self = Self("agents");
    /// All hosts of the machine at once.
    pub const ALL: Self = Self("all");

    pub fn word(self) -> &'static str {
        self.0
    }
}

/// A directory that is scanned for skills, or a single file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// Where it is, as declared (not canonical; it may be a link, and it may not exist).
    pub path: PathBuf,
    /// Whose skills it holds.
    pub scope: Scope,
    pub host: HostId,
    pub walk: Walk,
    /// Why the host does not read a root that it declares, such as an untrusted folder. Such a root
    /// is not scanned.
    pub closed: Option<&'static str>,
    /// Whether a settings file or a variable names it. Then somebody expects it to be there.
    pub named: bool,
    /// The plugin or extension whose skills it holds.
    pub plugin: Option<Arc<Plugin>>,
    /// If set, a link to a folder is followed only if it leads into this folder, which is
    /// canonical.
    pub within: Option<PathBuf>,
    pub named_by: NamedBy,
}

/// What names the skill that the folder of a plugin is itself, to a host that names skills by their
/// folders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NamedBy {
    #[default]
    File,
    /// Like other skills (a folder of commands).
    Folder,
}

/// A plugin or extension of an agent, which brings skills. Its texts are other people's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plugin {
    /// The agent's word for such a thing: `plugin`, `extension`; or [`Plugin::BUILT_IN`].
    pub kind: &'static str,
    /// How the agent's settings name it: `tools@shop`; the agent's name for what is built in.
    pub id: String,
    /// What the agent puts before the names of its skills: `tools:`. May be empty.
    pub prefix: String,
    /// Its version, where the agent has written it down.
    pub version: Option<String>,
    /// The commit that it was installed from, where the agent has written it down.
    pub commit: Option<String>,
}

impl Plugin {
    /// The `kind` of what comes with an agent's program.
    pub const BUILT_IN: &'static str = "built in";

    /// Whether its skills come with the agent's program.
    pub fn is_built_in(&self) -> bool {
        self.kind == Self::BUILT_IN
    }

    /// Its name without that of the marketplace: `tools` of `tools@shop`.
    pub fn name(&self) -> &str {
        self.id.rsplit_once('@').map_or(&self.id, |(name, _)| name)
    }

    /// What stands before the name of one of its skills: `tools:`.
    pub fn before(&self) -> String {
        format!("{}:", self.name())
    }

    /// `plugin tools@shop 1.2.3`, with the commit's first digits.
    pub fn words(&self) -> SafeText {
        let commit = self.commit.as_deref().map(short_version);
        let more = [self.version.as_deref(), commit].into_iter().flatten();
        let parts = [self.kind, &self.id].into_iter().chain(more);
        SafeText::join(parts.map(SafeText::line).collect::<Vec<_>>(), " ")
    }
}

/// The root where a skill was found, as far as each skill keeps it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillRoot {
    /// As declared.
    pub path: PathBuf,
    /// See [`Root::plugin`].
    pub plugin: Option<Arc<Plugin>>,
    pub named_by: NamedBy,
    /// If no root has it, but an agent's program lists it.
    pub word: Option<Arc<OwnWord>>,
}

impl SkillRoot {
    /// The placeholder for a skill whose root is not known yet. It is shared, so that no value is
    /// made for each skill and thrown away.
    pub fn unknown() -> Arc<Self> {
        static UNKNOWN: OnceLock<Arc<SkillRoot>> = OnceLock::new();
        Arc::clone(UNKNOWN.get_or_init(|| Self::plain(Path::new(""))))
    }

    /// A root of no plugin.
    pub fn plain(path: &Path) -> Arc<Self> {
        Arc::new(Self { path: path.to_owned(), ..Self::default() })
    }

    /// `~/.claude` for `~/.claude/skills`: nearly every such folder is called `skills`.
    pub fn agents_folder(&self) -> &Path {
        self.path.parent().filter(|_| self.path.ends_with("skills")).unwrap_or(&self.path)
    }
}

impl Deref for SkillRoot {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

impl Root {
    pub fn new(path: PathBuf, scope: Scope, host: HostId, walk: Walk) -> Self {
        let (closed, named, named_by) = (None, false, NamedBy::File);
        Self { path, scope, host, walk, closed, named, plugin: None, within: None, named_by }
    }

    /// The same, as a root of a plugin.
    #[must_use]
    pub fn of_plugin(self, plugin: &Arc<Plugin>) -> Self {
        Self { plugin: Some(Arc::clone(plugin)), ..self }
    }

    /// Whether the walk follows a link in it that leads to this canonical folder.
    pub fn follows(&self, target: &Path) -> bool {
        self.walk.links && self.has_within(target)
    }

    /// Whether this canonical path lies in the folder to which the root is confined, if it is.
    pub fn has_within(&self, target: &Path) -> bool {
        self.within.as_ref().is_none_or(|within| target.starts_with(within))
    }

    /// What each of its skills keeps of it.
    pub fn kept(&self) -> Arc<SkillRoot> {
        let (path, plugin) = (self.path.clone(), self.plugin.clone());
        Arc::new(SkillRoot { path, plugin, named_by: self.named_by, word: None })
    }

    /// Whether a skill's folder in it counts: not in one that is itself a skill.
    pub fn takes_folders(&self) -> bool {
        self.walk.depth > 0
    }

    /// The same, named by a settings file or a variable.
    #[must_use]
    pub fn named(self) -> Self {
        Self { named: true, ..self }
    }
}

/// Which place counts of a skill that links make appear in several. The skill has the name and the
/// scope of that one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlaceThatCounts {
    /// The place in the first root: there the skill's own folder, otherwise the first one by path.
    #[default]
    First,
    /// The same in the last root.
    Last,
    /// In the last root, the folder with the fewest folders above it; among equals, the one
    /// that the file system lists first, since agents that read in parallel mostly take that one.
    LastAsListed,
}

/// How a root is walked: where skills are looked for, and what counts as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walk {
    /// How many directories below the root may hold a skill; 1 is an immediate child.
    pub depth: usize,
    /// Whether the root itself may be a skill.
    pub itself: bool,
    pub hidden: Hidden,
    /// Whether `node_modules` is entered.
    pub modules: bool,
    /// Whether skills are looked for below a skill.
    pub nested: bool,
    /// Whether linked folders are entered.
    pub links: bool,
    /// Whether a `SKILL.md` that is itself a link counts.
    pub linked_file: bool,
    /// Whether the root's ignore files, and those below it, are obeyed: `.gitignore`, `.ignore` and
    /// `.fdignore`.
    pub ignores: bool,
    pub single_files: SingleFiles,
}

/// What a walk makes of Markdown files (`*.md`) that lie directly in the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SingleFiles {
    /// They are no skills.
    PassedOver,
    /// Each is a skill that has no folder, unless the root itself is a skill.
    Skills,
    /// The same, but a file is passed over if a skill's folder beside it has its name without
    /// `.md`.
    SkillsWithoutFolder {
        /// Whether links count.
        links: bool,
    },
}

/// What a walk does with folders whose name begins with a dot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hidden {
    Skipped,
    /// One with a `SKILL.md` is a skill; folders in it are not looked at.
    Skills,
    /// Like other folders, but for `.git`.
    Entered,
    /// `.git` too, but for the folders in it that are git's own: they may be thousands.
    Git,
}

/// What belongs to git.
pub(crate) const GIT: &str = ".git";

/// The folders that git makes in it (gitrepository-layout(5)).
const OF_GIT: [&str; 10] = [
    "branches",
    "hooks",
    "info",
    "lfs",
    "logs",
    "modules",
    "objects",
    "refs",
    "rr-cache",
    "worktrees",
];

/// Whether the name of a folder begins with a dot.
pub(crate) fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

impl Hidden {
    /// Whether a walk looks into a folder of this name. `above` is the name of the folder that it
    /// lies in, and `None` if that is the root.
    pub fn sees(self, name: &OsStr, above: Option<&OsStr>) -> bool {
        match self {
            Self::Skipped => !is_hidden(name),
            Self::Skills => name != GIT && !above.is_some_and(is_hidden),
            Self::Entered => name != GIT,
            Self::Git => above.is_none_or(|it| it != GIT) || OF_GIT.iter().all(|own| name != *own),
        }
    }
}

impl Walk {
    /// The plain standard: six directories deep, hidden folders left out, links followed.
    pub const STANDARD: Self = Self {
        depth: 6,
        itself: true,
        hidden: Hidden::Skipped,
        modules: false,
        nested: true,
        links: true,
        linked_file: true,
        ignores: false,
        single_files: SingleFiles::PassedOver,
    };

    /// A folder that a person names (`--root DIR`): deep, hidden folders included.
    pub const BROWSE: Self = Self { depth: 64, hidden: Hidden::Entered, ..Self::STANDARD };
}

/// What the scan found of a root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootReport {
    pub root: Root,
    pub state: RootState,
    /// How many places with a skill were found below it (duplicates included).
    pub found: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RootState {
    Read,
    /// There is no such directory, which is normal unless settings name it.
    Missing,
    /// It could not be read, or not to its end; the operating system's reason.
    Failed(String),
    /// The host does not look into it.
    Closed {
        why: &'static str,
        /// Whether there is such a directory.
        there: bool,
    },
}

/// Why a root was not read whole where the system lets us open no more files.
const NO_HANDLE: &str = "no file handle is left (see `ulimit -n`)";

impl RootState {
    /// Of a root that was not read whole, since the system lets us open no more files.
    pub fn without_handle() -> Self {
        Self::Failed(NO_HANDLE.to_owned())
    }

    /// Whether it is [`RootState::without_handle`].
    pub fn lacks_handle(&self) -> bool {
        matches!(self, Self::Failed(why) if why == NO_HANDLE)
    }

    /// The word used in JSON.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Missing => "missing",
            Self::Failed(_) => "failed",
            Self::Closed { .. } => "closed",
        }
    }
}

impl RootReport {
    /// How grave its state is; `None` if there is nothing to report.
    pub fn severity(&self) -> Option<Severity> {
        match self.state {
            RootState::Failed(_) => Some(Severity::Error),
            RootState::Closed { there: true, .. } => Some(Severity::Warning),
            // A folder that settings name is expected to be there.
            RootState::Missing if self.root.named => Some(Severity::Warning),
            RootState::Closed { there: false, .. } | RootState::Read | RootState::Missing => None,
        }
    }
}

/// What is said of a missing directory that settings name.
pub const NAMED_AND_MISSING: &str = "settings name it, and there is no such directory";

/// Stands before the age of what is used instead of a store that is away.
pub const LAST_READ: &str = "; used is what was read ";

/// A limit of the scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// Directories below a root.
    Depth,
    /// Entries below a root.
    Entries,
    /// Entries that a link reaches outside its root.
    Link,
    /// Seconds that a folder may take to answer.
    Silent,
    /// Skills that an agent's program lists.
    Answer,
    /// Skills with which an agent ends its search.
    Skills,
}

words!(
    Limit,
    Depth = "depth",
    Entries = "entries",
    Link = "link",
    Silent = "silent",
    Answer = "answer",
    Skills = "skills"
);

/// A limit that was reached, so that something was not examined. It is always shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    pub limit: Limit,
    pub value: usize,
    /// How many directories or entries were left out, as far as could be counted.
    pub dropped: usize,
    /// The first place where it was reached.
    pub path: PathBuf,
}

impl Cut {
    /// What was left out. May quote other people's text.
    pub fn message(&self) -> String {
        let (path, dropped, value) = (self.path.display(), self.dropped, self.value);
        let folders = if dropped == 1 { "folder was" } else { "folders were" };
        match self.limit {
            Limit::Depth => {
                format!("{dropped} {folders} not searched below the depth of {value}, first {path}")
            }
            Limit::Entries => {
                format!("the search of {path} ended after {value} files and folders")
            }
            Limit::Link => format!(
                "the link {path} leads out to more than is searched: {dropped} {folders} left out"
            ),
            Limit::Silent => format!("{path} did not answer in {value} s and was left out"),
            Limit::Answer => {
                format!(
                    "{path} lists more skills than are shown: {dropped} beyond {value} left out"
                )
            }
            Limit::Skills => {
                let skills = if value == 1 { "skill" } else { "skills" };
                format!(
                    "{path} ends its search after {value} {skills}: {dropped} beyond are not seen"
                )
            }
        }
    }

    /// What to do about it.
    pub fn help(&self) -> &'static str {
        match self.limit {
            Limit::Depth => "move the skills up, or look there with --root",
            Limit::Entries => "look at a smaller folder with --root, or move what is no skill away",
            Limit::Link => "let the link lead to the folder of skills itself, or remove it",
            Limit::Silent => "see whether its disk or network is there, then look again",
            Limit::Answer => "ask the agent itself for the others",
            Limit::Skills => "raise the limit in the agent's settings, or keep fewer skills",
        }
    }
}
