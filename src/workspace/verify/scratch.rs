//! A copy of what a host reads, in a folder where its program may write.
//!
//! Every path is copied below one folder (`/home/me` is `<scratch>/home/me`), so that relative
//! positions stay. Of a skill, only the `SKILL.md` and the folders around it are copied. Links are
//! made again.

use crate::catalog::plain_path;
use crate::catalog::{GIT, Root, SingleFiles};
use crate::files::digest::{Digest, Hashed, TreeDigest, Type};
use crate::files::git::main_tree;
use crate::files::scratch::{self, Purpose};
use crate::scan::{is_ignore_file, is_markdown, skill_path};
use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The most entries that are copied.
const ENTRIES: usize = 20_000;

/// The most bytes that are copied of all files.
const BYTES: u64 = 256 << 20;

/// The longest chain of links.
const LINKS: usize = 40;

/// A branch without a commit.
const HEAD: &str = "ref: refs/heads/main\n";

/// Folders by which some host recognizes a repository.
const MARKERS: [&str; 5] = [GIT, ".jj", ".hg", ".sl", ".codelia"];

/// The copy. It is deleted when the value is dropped.
pub(super) struct Scratch {
    /// Deletes the folder when it is dropped.
    _folder: scratch::Scratch,
    top: PathBuf,
    /// Folders of the person's whose paths are rewritten in settings, the longest first.
    own: Vec<PathBuf>,
    /// The real path of each copied file.
    files: HashMap<PathBuf, PathBuf>,
    visited: HashSet<PathBuf>,
    entries: usize,
    bytes: u64,
    /// Of all that was copied, by its real path.
    sum: TreeDigest,
    summed: HashSet<PathBuf>,
}

impl Scratch {
    /// An empty copy below `place`. Paths below `own` are rewritten in settings.
    pub(super) fn new(place: &Path, own: Vec<PathBuf>) -> io::Result<Self> {
        scratch::sweep_in(place);
        let folder = scratch::Scratch::new_in(place, Purpose::Asked)?;
        let top = fs::canonicalize(folder.path())?;
        let mut own: Vec<PathBuf> =
            own.into_iter().filter(|path| path.components().count() > 1).collect();
        own.sort_by_key(|path| std::cmp::Reverse(path.as_os_str().len()));
        own.dedup();
        let (files, visited, summed) = (HashMap::new(), HashSet::new(), HashSet::new());
        let (sum, entries, bytes) = (TreeDigest::default(), 0, 0);
        Ok(Self { _folder: folder, top, own, files, visited, entries, bytes, sum, summed })
    }

    /// The digest of all that was copied: paths, links, and the bytes of files as they were before
    /// paths in settings were rewritten. Two copies with one digest are the same but for their
    /// place.
    pub(super) fn digest(&self) -> Digest {
        self.sum.clone().finish()
    }

    fn sum(&mut self, real: &Path, what: Type, bytes: &[u8]) {
        let hashed = Hashed { digest: Digest::of(bytes), length: bytes.len() as u64 };
        self.sum_hashed(real, what, hashed);
    }

    fn sum_hashed(&mut self, real: &Path, what: Type, hashed: Hashed) {
        if self.summed.insert(real.to_owned()) {
            self.sum.add_hashed(real, what, 0, hashed);
        }
    }

    /// Whether a limit was reached, so that not everything was copied.
    pub(super) fn is_cut(&self) -> bool {
        self.entries > ENTRIES || self.bytes > BYTES
    }

    /// The path in the copy for a real path.
    pub(super) fn like(&self, path: &Path) -> PathBuf {
        let below = path.components().filter(|part| matches!(part, Component::Normal(_)));
        self.top.join(below.collect::<PathBuf>())
    }

    /// A folder for temporary files.
    pub(super) fn temporary(&self) -> io::Result<PathBuf> {
        let path = self.top.join("tmp");
        fs::create_dir_all(&path)?;
        Ok(path)
    }

    /// Creates a folder and all above it, with links as links, and the markers of repositories.
    pub(super) fn stand(&mut self, folder: &Path) -> io::Result<()> {
        self.lay(folder, 0)?;
        fs::create_dir_all(self.like(folder))?;
        for above in folder.ancestors() {
            for marker in MARKERS.into_iter().filter(|marker| above.join(marker).exists()) {
                match main_tree(above).filter(|_| marker == GIT) {
                    Some(main) => self.link_worktree(above, &main)?,
                    None => self.mark(above, marker)?,
                }
            }
        }
        Ok(())
    }

    fn mark(&mut self, folder: &Path, marker: &str) -> io::Result<()> {
        let like = self.like(folder).join(marker);
        fs::create_dir_all(&like)?;
        self.sum(&folder.join(marker), Type::Directory, &[]);
        if marker == GIT { fill_repository(&like) } else { Ok(()) }
    }

    /// Makes a linked working tree (`git worktree`) one in the copy too: Claude Code and Kilo Code
    /// also read the main one.
    fn link_worktree(&mut self, tree: &Path, main: &Path) -> io::Result<()> {
        self.lay(main, 0)?;
        let folder = main.join(GIT);
        // A bare repository has no folder of this name.
        let common = self.like(if folder.exists() { &folder } else { main });
        let own = common.join("worktrees/tree");
        fs::create_dir_all(&own)?;
        fill_repository(&common)?;
        let file = self.like(tree).join(GIT);
        fs::write(own.join("HEAD"), HEAD)?;
        fs::write(own.join("commondir"), "../..\n")?;
        write_path(&own.join("gitdir"), "", &file)?;
        write_path(&file, "gitdir: ", &own)?;
        self.sum(&tree.join(GIT), Type::Link, main.as_os_str().as_encoded_bytes());
        Ok(())
    }

    /// Makes a repository of the whole copy. A program that looks in every folder above the working
    /// directory until there is a repository sees the same folders then as without one: it ends at
    /// the top of the copy, which stands for that of the file system, and does not leave it.
    pub(super) fn enclose(&self) -> io::Result<()> {
        let like = self.top.join(GIT);
        fs::create_dir_all(&like)?;
        fill_repository(&like)
    }

    /// Copies a settings file, with the person's paths in it rewritten. It may be missing.
    pub(super) fn settings(&mut self, file: &Path) -> io::Result<()> {
        let bytes = match fs::metadata(file) {
            Ok(meta) if meta.is_file() && meta.len() <= BYTES => fs::read(file)?,
            Ok(_) | Err(_) => return Ok(()),
        };
        let like = self.like(file);
        if let Some(folder) = file.parent() {
            self.lay(folder, 0)?;
            fs::create_dir_all(self.like(folder))?;
        }
        self.sum(file, Type::File, &bytes);
        fs::write(like, self.rewritten(&bytes))
    }

    /// Copies the skills of a root.
    pub(super) fn root(&mut self, root: &Root) -> io::Result<()> {
        if root.closed.is_none() && root.path.is_dir() {
            self.lay(&root.path, 0)?;
            self.tree(&root.path)?;
        }
        if root.closed.is_none() && root.walk.single_files != SingleFiles::PassedOver {
            let entries = fs::read_dir(&root.path).into_iter().flatten().flatten();
            // A root may be such a file itself.
            let paths = entries.map(|entry| entry.path()).chain([root.path.clone()]);
            let is_single = |path: &PathBuf| path.file_name().is_some_and(is_markdown);
            let mut files = paths.filter(|path| is_single(path) && path.is_file());
            files.try_for_each(|file| self.lay(&file, 0))?;
        }
        Ok(())
    }

    /// Copies the folders on the way to a real path, and its last part: a folder, a file, or a link
    /// with its target.
    fn lay(&mut self, path: &Path, links: usize) -> io::Result<()> {
        let mut real = PathBuf::new();
        for part in path.components() {
            real.push(part);
            let like = self.like(&real);
            if matches!(part, Component::RootDir | Component::Prefix(_))
                || like.symlink_metadata().is_ok_and(|meta| is_link(&meta))
            {
                continue;
            }
            let Ok(meta) = real.symlink_metadata() else { return Ok(()) };
            if is_link(&meta) {
                let said = fs::read_link(&real)?;
                self.sum(&real, Type::Link, said.as_os_str().as_encoded_bytes());
                let target = plain_path(&real.parent().unwrap_or(&real).join(said));
                link(&self.like(&target), &like)?;
                if links < LINKS {
                    self.lay(&target, links + 1)?;
                }
            } else if meta.is_dir() {
                self.sum(&real, Type::Directory, &[]);
                fs::create_dir_all(&like)?;
            } else if meta.is_file() {
                self.file(&real, &like, meta.len())?;
            }
        }
        Ok(())
    }

    /// Copies everything below a real folder that matters for finding skills. No folder is read
    /// twice.
    fn tree(&mut self, folder: &Path) -> io::Result<()> {
        let mut waiting = vec![folder.to_owned()];
        while let Some(folder) = waiting.pop() {
            let real = fs::canonicalize(&folder)?;
            // The scan reports folders that cannot be read.
            let Ok(entries) = fs::read_dir(&real) else { continue };
            if !self.visited.insert(real.clone()) {
                continue;
            }
            self.lay(&real, 0)?;
            for entry in entries.filter_map(Result::ok) {
                self.entries += 1;
                if self.is_cut() {
                    return Ok(());
                }
                let path = entry.path();
                let Ok(kind) = entry.file_type() else { continue };
                if kind.is_dir() {
                    self.sum(&path, Type::Directory, &[]);
                    fs::create_dir_all(self.like(&path))?;
                    waiting.push(path);
                } else if kind.is_symlink() && (path.is_dir() || counts(&path)) {
                    self.lay(&path, 0)?;
                    waiting.extend(path.is_dir().then_some(path));
                } else if kind.is_file() && counts(&path) {
                    self.file(
                        &path,
                        &self.like(&path),
                        entry.metadata().map_or(0, |meta| meta.len()),
                    )?;
                }
            }
        }
        Ok(())
    }

    fn file(&mut self, real: &Path, like: &Path, length: u64) -> io::Result<()> {
        self.bytes += length;
        // The program could not read the file either.
        if !self.is_cut() && fs::copy(real, like).is_ok() {
            self.files.insert(like.to_owned(), skill_path(real)?);
            let hashed = Digest::of_reader(fs::File::open(like)?)?;
            self.sum_hashed(real, Type::File, hashed);
        }
        Ok(())
    }

    /// The text of settings or of a variable, with the person's paths changed to those of the copy.
    pub(super) fn rewritten(&self, bytes: &[u8]) -> Vec<u8> {
        // As they are, and as texts of settings have them.
        let own: Vec<Vec<u8>> =
            self.own.iter().flat_map(|path| [raw(path), escaped(path)]).collect();
        let mut text = Vec::with_capacity(bytes.len());
        let mut at = 0;
        while at < bytes.len() {
            // In pi's settings a path may follow a sign: `-/home/me/x`.
            let begins = at == 0 || bytes[at - 1] == b'-' || !in_path(bytes[at - 1]);
            let found = own.iter().filter(|own| bytes[at..].starts_with(own)).find(|own| {
                let next = bytes.get(at + own.len());
                begins && next.is_none_or(|next| *next == b'/' || !in_path(*next))
            });
            if found.is_some() {
                text.extend_from_slice(self.top.as_os_str().as_encoded_bytes());
            }
            let length = found.map_or(1, Vec::len);
            text.extend_from_slice(&bytes[at..at + length]);
            at += length;
        }
        text
    }

    /// Like [`Scratch::rewritten`], for a variable's value.
    pub(super) fn value(&self, value: &OsStr) -> OsString {
        let text = self.rewritten(value.as_encoded_bytes());
        String::from_utf8(text).map_or_else(|_| value.to_owned(), OsString::from)
    }

    /// What the program printed, with the real paths in place of those in the copy.
    pub(super) fn with_real_paths(&self, said: &str) -> String {
        said.replace(&*self.top.to_string_lossy(), "")
    }

    /// The real path of the skill file that the program named, by itself or by its folder. `Err`
    /// if it is the real file itself, of a folder whose copy the program should have read.
    pub(super) fn real(&self, named: &Path) -> Result<PathBuf, PathBuf> {
        let file = skill_file(named).unwrap_or_else(|| named.to_owned());
        let there = skill_path(&file).unwrap_or(file);
        match (self.files.get(&there), there.strip_prefix(&self.top)) {
            (Some(real), _) => Ok(real.clone()),
            (None, Ok(below)) => Ok(Path::new("/").join(below)),
            (None, Err(_)) if self.own.iter().any(|own| there.starts_with(own)) => Err(there),
            (None, Err(_)) => Ok(there),
        }
    }
}

/// Writes a line with a path, as git's own files have it.
fn write_path(file: &Path, before: &str, path: &Path) -> io::Result<()> {
    fs::write(file, [before.as_bytes(), path.as_os_str().as_encoded_bytes(), b"\n"].concat())
}

/// Git ignores an empty `.git`, so it gets what makes it a repository.
fn fill_repository(like: &Path) -> io::Result<()> {
    ["objects", "refs/heads"].iter().try_for_each(|below| fs::create_dir_all(like.join(below)))?;
    fs::write(like.join("HEAD"), HEAD)?;
    let config = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n";
    fs::write(like.join("config"), config)
}

/// The skill file in a folder.
pub(super) fn skill_file(folder: &Path) -> Option<PathBuf> {
    let exact = folder.join("SKILL.md");
    if exact.exists() {
        return Some(exact);
    }
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).ok()?.filter_map(Result::ok).map(|entry| entry.path()).collect();
    files.sort();
    files.into_iter().find(|file| is_skill(file))
}

fn is_skill(file: &Path) -> bool {
    file.file_name().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md"))
}

/// Whether a file decides how a host sees a skill.
fn counts(file: &Path) -> bool {
    let is_ignore_file = || file.file_name().is_some_and(is_ignore_file);
    is_skill(file) || file.ends_with("agents/openai.yaml") || is_ignore_file()
}

fn is_link(meta: &fs::Metadata) -> bool {
    meta.file_type().is_symlink()
}

/// Whether this byte could continue a path, which would then be another path.
fn in_path(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'_' | b'-' | b'.') || byte >= 0x80
}

#[cfg(unix)]
fn link(target: &Path, link: &Path) -> io::Result<()> {
    match std::os::unix::fs::symlink(target, link) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Systems without links have nothing to copy.
#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> io::Result<()> {
    Ok(())
}

fn raw(path: &Path) -> Vec<u8> {
    path.as_os_str().as_encoded_bytes().to_vec()
}

/// As a text of JSON or TOML has it, without the quotes.
fn escaped(path: &Path) -> Vec<u8> {
    let text = path.to_str().map(|path| serde_json::Value::from(path).to_string());
    let inner = text.as_ref().and_then(|text| text.strip_prefix('"')?.strip_suffix('"'));
    inner.map_or_else(|| raw(path), |inner| inner.as_bytes().to_vec())
}

#[cfg(all(test, unix))]
mod tests;
