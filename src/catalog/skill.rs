//! A skill, and all of them.

use super::validate::FILE_NAME;
use super::{
    Compared, Cut, Diagnostic, Head, HeadReader, Plugin, Properties, Root, RootReport, Scope,
    Severity, SkillRoot, Stored, checks, normalized,
};
use crate::text::{SafeText, shell};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::borrow::{Borrow, Cow};
use std::ffi::OsStr;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A skill's identity for other programs: the first 24 hex digits of the SHA-256 of its canonical
/// path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct SkillId(String);

impl SkillId {
    const DIGITS: usize = 24;

    /// The id of the skill whose `SKILL.md` has this canonical path.
    pub fn of(path: &Path) -> Self {
        let hash = Sha256::digest(path.as_os_str().as_encoded_bytes());
        let mut id = String::with_capacity(Self::DIGITS);
        for byte in hash.iter().take(12) {
            let digit = |half: u8| char::from_digit(half.into(), 16).unwrap_or_default();
            id.extend([digit(byte >> 4), digit(byte & 15)]);
        }
        Self(id)
    }

    /// The 24 hex digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// This canonical path as a word of a shell, or its id if the path cannot be shown exactly.
    pub fn shell_word(path: &Path) -> SafeText {
        shell::word(path).unwrap_or_else(|| SafeText::line(Self::of(path).as_str()))
    }
}

/// What the skill itself says about who may invoke it. Each host reads only some of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invocation {
    /// `disable-model-invocation: true`: the model does not load it by its own decision.
    pub not_by_model: bool,
    /// `user-invocable: false`: a person does not call it.
    pub not_by_user: bool,
    /// `policy.allow_implicit_invocation: false` in `agents/openai.yaml` beside the `SKILL.md`.
    pub not_implicitly: bool,
    /// `policy.products` there names products, and Codex is not among them.
    pub other_products: bool,
}

/// The directories in which a skill was found; see [`Skill::locations`]. The default is its own
/// directory alone, as for most skills, and takes no memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Locations(Option<Box<[PathBuf]>>);

impl Locations {
    /// Of a skill in `directory`; at least one.
    pub fn of(places: Vec<PathBuf>, directory: &Path) -> Self {
        let is_own = places.iter().all(|place| place.as_os_str() == directory.as_os_str());
        Self((!is_own).then(|| places.into()))
    }
}

/// What a change of a file is noticed by, besides its size. Times are in nanoseconds since 1970; 0
/// is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    pub device: u64,
    pub inode: u64,
    pub mtime_ns: i64,
    /// When the inode was changed last. No program can set it.
    pub ctime_ns: i64,
}

/// One directory with a `SKILL.md`, or a Markdown file without a directory of its own. Its identity
/// is the canonical path of that file, never its name.
///
/// `name`, `description` and [`Properties`] are other people's text: raw, to be shown only through
/// [`crate::text::SafeText`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    /// The frontmatter's name, trimmed, or the directory's name if there is none.
    pub name: String,
    /// The frontmatter's description; empty if there is none.
    pub description: String,
    /// Canonical path of the `SKILL.md`, or of the single file.
    pub path: PathBuf,
    pub locations: Locations,
    /// Whose skill it is: the scope of [`Skill::root`].
    pub scope: Scope,
    /// Whether its canonical path lies in a repository or in the working directory.
    pub in_repository: bool,
    /// The root where it was found. Of several the one that counts; see
    /// [`super::PlaceThatCounts`].
    pub root: Arc<SkillRoot>,
    /// By what a change of the file is noticed, as it was before the file was read.
    pub stamp: Stamp,
    /// Size of the `SKILL.md` in bytes.
    pub bytes: u64,
    /// Whether the file was read to its end. Otherwise what its body hides is not known.
    pub whole: bool,
    pub properties: Properties,
    pub invocation: Invocation,
    /// Everything that was found wrong with it, in file order.
    pub diagnostics: Vec<Diagnostic>,
    /// The file's beginning, if parsers may read it differently.
    pub head: Option<Arc<Head>>,
    /// If it comes from a store. Then its files are on the disk only after [`Skill::provide`].
    pub stored: Option<Arc<Stored>>,
}

impl Skill {
    /// The finding that says why its own file could not be read; `None` if it was.
    pub fn unread(&self) -> Option<&Diagnostic> {
        let checks = [
            &checks::FILE_KIND,
            &checks::FILE_UNREADABLE,
            &checks::LINK_DANGLING,
            &checks::LINK_FILE,
        ];
        self.diagnostics.iter().find(|found| checks.contains(&found.check))
    }

    /// Sees to it that the files of a stored skill are on the disk, as they are in the store. Other
    /// skills need nothing.
    ///
    /// # Errors
    /// See [`super::FileSource::provide`].
    pub fn provide(&self) -> std::io::Result<()> {
        self.stored.as_ref().map_or(Ok(()), |stored| stored.source.provide(self, stored))
    }

    /// Its name for people: after that of its plugin, if one brings it. Other people's text.
    pub fn full_name(&self) -> Cow<'_, str> {
        match self.root.plugin.as_ref().map(|plugin| &*plugin.prefix) {
            Some(prefix) if !prefix.is_empty() => format!("{prefix}{}", self.name).into(),
            _ => self.name.as_str().into(),
        }
    }

    /// The plugin that brings it, unless it is built in.
    pub fn plugin(&self) -> Option<&Plugin> {
        self.root.plugin.as_deref().filter(|plugin| !plugin.is_built_in())
    }

    /// The plugin or the version of a store that it comes from, or by whose word it is known, in a
    /// few words; `None` for the files of a person or a repository.
    pub fn source(&self) -> Option<SafeText> {
        let stored = self.stored.as_ref().map(|stored| stored.words());
        let plugin = || self.root.plugin.as_ref().map(|plugin| plugin.words());
        stored.or_else(plugin).or_else(|| self.root.word.as_ref().map(|word| word.words()))
    }

    /// Modification time of its `SKILL.md`, milliseconds since 1970; 0 if unknown.
    pub fn mtime_ms(&self) -> u64 {
        u64::try_from(self.stamp.mtime_ns / 1_000_000).unwrap_or_default()
    }

    /// The skill's directory: the parent of its `SKILL.md`. A single file stands for its own, since
    /// what lies beside it belongs to others.
    pub fn dir(&self) -> &Path {
        directory_of(&self.path)
    }

    /// Whether it is a Markdown file without a directory of its own.
    pub fn is_single_file(&self) -> bool {
        is_single_file(&self.path)
    }

    /// The name of its main file: `SKILL.md`, `skill.md`, or that of a single file.
    pub fn file(&self) -> &Path {
        Path::new(self.path.file_name().unwrap_or_default())
    }

    /// The whole path of one of its files, of which `relative` is the path within the skill.
    pub fn place_of(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.path.parent().unwrap_or(&self.path).join(relative)
    }

    /// The directories in which it was found, as met (not canonical); never empty. The one that
    /// counts is the first.
    pub fn locations(&self) -> impl Iterator<Item = &Path> + Clone {
        let own = self.locations.0.is_none().then(|| self.dir());
        own.into_iter().chain(self.locations.0.iter().flatten().map(PathBuf::as_path))
    }

    /// Whether it was found in one directory.
    pub fn has_one_location(&self) -> bool {
        self.locations.0.as_ref().is_none_or(|places| places.len() == 1)
    }

    /// The directory in which it was found; of several the one that counts.
    pub fn location(&self) -> &Path {
        self.locations().next().unwrap_or(self.dir())
    }

    /// Whether `path` is exactly that of its file or directory, or a place where it was found.
    pub fn is_at(&self, path: &Path) -> bool {
        let is_found_there = |place: &Path| place == path || place.join(self.file()) == path;
        self.path == path || self.dir() == path || self.locations().any(is_found_there)
    }

    /// What a host's own parser makes of its file; `None` if every parser reads it alike.
    pub fn read_by(&self, reader: Option<&'static HeadReader>) -> Option<Compared> {
        let (reader, head) = (reader?, self.head.as_ref()?);
        let place = if reader.real_folder { self.dir() } else { self.location() };
        let directory = match self.is_single_file() {
            false => place.file_name().unwrap_or_default().to_string_lossy(),
            true => {
                let folder = place.parent().and_then(Path::file_name).unwrap_or_default();
                let own = place.file_stem().unwrap_or_default();
                format!("{}/{}", folder.to_string_lossy(), own.to_string_lossy()).into()
            }
        };
        let own = (self.name.trim(), &*self.description);
        Some(head.read(reader, &directory, own))
    }

    /// Its id for other programs.
    pub fn id(&self) -> SkillId {
        SkillId::of(&self.path)
    }

    /// Whether this is its id.
    pub fn has_id(&self, text: &str) -> bool {
        text.len() == SkillId::DIGITS && self.id().as_str() == text
    }

    /// Its path as a word of a shell, or its id if the path cannot be shown exactly.
    pub fn shell_word(&self) -> SafeText {
        SkillId::shell_word(&self.path)
    }

    /// Whether others bring it: it was found as the repository's, or lies in one, whatever links
    /// lead to it, or it comes from a store.
    pub fn is_brought(&self) -> bool {
        self.in_repository || matches!(self.scope, Scope::Repo | Scope::Project)
    }

    /// Whether it is the skill of this name whose file was at `path`. A stored skill stays the same
    /// one, though its path has its version: `PROJECT/VERSION/NAME/SKILL.md`.
    pub fn was_at(&self, path: &Path, name: &str) -> bool {
        let project = |path: &Path| path.ancestors().nth(3).map(Path::to_owned);
        self.path.as_os_str() == path.as_os_str()
            || self.stored.is_some()
                && project(&self.path) == project(path)
                && normalized(&self.name) == normalized(name)
    }

    /// Whether it lies deeper than any agent here looks.
    pub fn is_too_deep(&self) -> bool {
        self.diagnostics.iter().any(|found| found.check == &checks::TOO_DEEP)
    }

    /// Whether any host could be offered it: it has no diagnostic of severity error.
    pub fn offerable(&self) -> bool {
        self.diagnostics.iter().all(|diagnostic| diagnostic.severity() != Severity::Error)
    }
}

/// The directory of the skill with this file; see [`Skill::dir`].
pub(crate) fn directory_of(file: &Path) -> &Path {
    match file.parent() {
        Some(parent) if !is_single_file(file) => parent,
        _ => file,
    }
}

/// Whether a skill's file is not called `SKILL.md`, in upper or lower case. By bytes, since a list
/// asks this several times of each skill.
fn is_single_file(file: &Path) -> bool {
    let bytes = file.as_os_str().as_encoded_bytes();
    let (above, name) = bytes.split_at(bytes.len().saturating_sub(FILE_NAME.len()));
    let is_whole = above.last().is_none_or(|byte| std::path::is_separator(char::from(*byte)));
    !(is_whole && name.eq_ignore_ascii_case(FILE_NAME.as_bytes()))
}

/// A skill with its canonical path as key. Canonical paths are equal if their bytes are. To compare
/// them component by component takes ten times as long.
#[derive(Clone, Debug)]
pub struct ByPath(pub Arc<Skill>);

impl ByPath {
    fn key(&self) -> &OsStr {
        self.0.path.as_os_str()
    }
}

impl Borrow<OsStr> for ByPath {
    fn borrow(&self) -> &OsStr {
        self.key()
    }
}

impl Hash for ByPath {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl PartialEq for ByPath {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for ByPath {}

/// All skills and diagnostics of a set of roots, with what was cut and why.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalog {
    /// Every skill once, by canonical path: ordered by scope, then name, then path.
    pub skills: Vec<Arc<Skill>>,
    /// The result for each root, in the order in which the host reads them.
    pub roots: Vec<RootReport>,
    /// The limits that were reached.
    pub cuts: Vec<Cut>,
    /// Folders of a root that hold further folders, in which its host does not look because they
    /// lie too deep; each with that root.
    pub too_deep: Vec<(PathBuf, Root)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_file_is_its_own_directory() {
        for (file, directory) in [
            ("/a/pdf/SKILL.md", "/a/pdf"),
            ("/a/pdf/skill.MD", "/a/pdf"),
            ("SKILL.md", ""),
            ("/SKILL.md", "/"),
            ("/a/MYSKILL.md", "/a/MYSKILL.md"),
            ("/a/x.md", "/a/x.md"),
            ("/a/größe", "/a/größe"),
            ("", ""),
        ] {
            assert_eq!(directory_of(Path::new(file)), Path::new(directory), "{file}");
        }
    }
}
