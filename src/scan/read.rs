//! Reads a skill: opens its file without blocking, reads as far as the frontmatter goes, and
//! validates it.

use super::body::{self, CountingReader};
use super::folder::Look;
use super::handles::noted;
use super::index::Indexes;
use super::listing::is_loop;
use super::place::{FoundFile, Kind};
use super::stamp::stamp_of;
use super::walk::SILENT;
use super::{Known, Options};
use crate::catalog::validate::{self, Examined, FILE_NAME, Sidecar, TooLarge, Unreadable};
use crate::catalog::{
    Diagnostic, Head, Invocation, Locations, Properties, Root, Skill, SkillRoot, Stamp, checks,
    directory_of, hidden_by_escapes,
};
use crate::text::{is_nothing, reason};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

/// Bytes that are read at first: more than the frontmatter of 99.9% of real skills.
const FIRST: u64 = 8 << 10;

/// Room for it, and for one byte that shows that there is more.
const ROOM: usize = (8 << 10) + 1;

/// Bytes that are read if the frontmatter does not end in the first part: the limit of frontmatter,
/// and some more to see that it is exceeded.
const WHOLE: u64 = (64 << 10) + 1024;

pub(super) struct Read {
    pub(super) root: usize,
    /// Whether the file's folder may be the top of a repository.
    pub(super) may_be_top: bool,
    pub(super) skill: Found,
}

pub(super) enum Found {
    New(Arc<Skill>),
    /// From an earlier scan, or from the index.
    Known(Arc<Skill>),
}

impl Found {
    pub(super) fn skill(&self) -> &Skill {
        match self {
            Self::New(skill) => skill,
            Self::Known(skill) => skill,
        }
    }
}

/// What is known of skills before their files are read.
pub(super) struct Sources {
    pub(super) roots: Arc<[Root]>,
    pub(super) options: Options,
    pub(super) indexes: Indexes,
}

/// What a worker reads files with.
#[derive(Default)]
pub(super) struct Reader {
    /// Counts the reads.
    pub(super) beat: Arc<AtomicUsize>,
    /// The buffer for all its files. With one for each file, the texts that are kept of a file
    /// would lie between the buffers, which fragments the memory.
    bytes: Vec<u8>,
}

impl Reader {
    pub(super) fn new(beat: Arc<AtomicUsize>) -> Self {
        Self { beat, bytes: Vec::new() }
    }
}

/// Reads the skill at a place. Never fails: an unreadable file is a skill with a diagnostic.
pub(super) fn skill(place: &FoundFile, sources: &Sources, reader: &mut Reader) -> Read {
    let options = &sources.options;
    if let Some(mut skill) = unchanged(place, sources) {
        let said = told(skill.invocation, beside(place, skill.dir()));
        if !skill.locations().eq([place.location.as_path()]) {
            let changed = Arc::make_mut(&mut skill);
            changed.locations = locations(&changed.path, place);
        }
        if skill.invocation != said {
            Arc::make_mut(&mut skill).invocation = said;
        }
        return read_as(place, Found::Known(skill));
    }
    let mut skill = match source(place) {
        Ok((path, file)) => read(path, (file, reader), place, options),
        Err((path, (kind, why))) => broken(path, place, kind, why),
    };
    skill.invocation = told(skill.invocation, beside(place, skill.dir()));
    read_as(place, Found::New(Arc::new(skill)))
}

/// A skill whose file does not answer.
pub(super) fn silent(place: &FoundFile) -> Read {
    let skill = broken(place.path.clone(), place, Unreadable::Refused, SILENT.to_owned());
    read_as(place, Found::New(Arc::new(skill)))
}

fn read_as(place: &FoundFile, skill: Found) -> Read {
    Read { root: place.root, may_be_top: place.may_be_top, skill }
}

/// The one place where it was found so far.
fn locations(path: &Path, place: &FoundFile) -> Locations {
    Locations::of(vec![place.location.clone()], directory_of(path))
}

/// The name of the directory as it was found; that of a single file without `.md`.
fn directory(place: &FoundFile) -> String {
    if place.kind == Kind::Single {
        return place.location.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    }
    let name = place.location.file_name().or_else(|| place.canonical().file_name());
    name.unwrap_or_default().to_string_lossy().into_owned()
}

/// What an earlier scan has read, or an earlier process.
fn unchanged(place: &FoundFile, sources: &Sources) -> Option<Arc<Skill>> {
    if !matches!(place.kind, Kind::File | Kind::Single) {
        return None;
    }
    let options = &sources.options;
    let path = &place.path;
    // What is or was too large is read again: the limit may be another one now.
    let suffices = |skill: &Arc<Skill>| {
        let is_read = skill.whole || !options.bodies;
        let was_too_large = skill.diagnostics.iter().any(|found| found.check == &checks::FILE_SIZE);
        is_read && !was_too_large && skill.bytes <= options.file_limit
    };
    let look = || match &place.folder {
        Some(folder) => folder.look(place.file()),
        None => Look::at(path),
    };
    let of = |known: &Known| known.unchanged(path, &place.location, look).filter(suffices);
    of(&options.known).or_else(|| sources.indexes.of(place.root).and_then(of))
}

type Refused = (PathBuf, (Unreadable, String));

/// The canonical path of the skill file, opened.
fn source(place: &FoundFile) -> Result<(PathBuf, File), Refused> {
    let named = || place.path.clone();
    let (path, opened) = match &place.kind {
        Kind::Broken(kind, why) => (named(), Err((*kind, why.clone()))),
        Kind::File | Kind::Folded | Kind::Single => match &place.folder {
            Some(folder) => (named(), folder.file(place.file()).map_err(|error| unopened(&error))),
            None => (named(), open(&place.path)),
        },
        Kind::Link => {
            let (path, target) = linked(&place.path).map_err(|why| (named(), why))?;
            let opened = open(&target);
            (path, opened)
        }
    };
    match opened {
        Ok(file) => Ok((path, file)),
        Err(why) => Err((path, why)),
    }
}

/// The path of a linked skill file, and the file to read. Links to one skill file make one skill. A
/// file of another name is none by itself, so that its link is the skill.
fn linked(link: &Path) -> Result<(PathBuf, PathBuf), (Unreadable, String)> {
    let shown = || {
        fs::read_link(link).map(|target| target.to_string_lossy().into_owned()).unwrap_or_default()
    };
    let target = fs::canonicalize(link).map_err(|error| match () {
        () if is_nothing(&error) => (Unreadable::Dangling, shown()),
        () if is_loop(&error) => (Unreadable::Dangling, "itself".to_owned()),
        _ => (Unreadable::Refused, reason(&error)),
    })?;
    // To open a device may already do something.
    if !target.is_file() {
        return Err((
            Unreadable::Refused,
            format!("it is a link to {}, which is no file", shown()),
        ));
    }
    Ok((path_of(link, target.clone()), target))
}

/// The path of the skill whose `SKILL.md` is this file, which may be a link. It is canonical, but
/// where links lead to a file of another name, that of the last link is kept: see [`linked`].
pub fn skill_path(file: &Path) -> io::Result<PathBuf> {
    let target = fs::canonicalize(file)?;
    let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else { return Ok(target) };
    Ok(path_of(&fs::canonicalize(folder)?.join(name), target))
}

/// The target of a link, or the link if only that is called `SKILL.md`.
fn path_of(link: &Path, target: PathBuf) -> PathBuf {
    let is_skill =
        |file: &Path| file.file_name().is_some_and(|name| name.eq_ignore_ascii_case(FILE_NAME));
    if is_skill(link) && !is_skill(&target) { link.to_owned() } else { target }
}

/// Opens a regular file. Never blocks on a pipe in its place.
fn open(path: &Path) -> Result<File, (Unreadable, String)> {
    let mut options = fs::OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(
            (rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY).bits().cast_signed(),
        );
    }
    noted(options.open(path)).map_err(|error| unopened(&error))
}

/// Why a file cannot be opened.
fn unopened(error: &io::Error) -> (Unreadable, String) {
    match error.kind() {
        io::ErrorKind::NotFound => (Unreadable::Dangling, String::new()),
        _ => (Unreadable::Refused, reason(error)),
    }
}

/// A file that is being read, and what counts its reads.
struct Opened<'a> {
    file: File,
    beat: &'a AtomicUsize,
}

impl Opened<'_> {
    fn source(&mut self, limit: u64) -> impl io::Read {
        CountingReader { source: self.file.by_ref().take(limit), reads: self.beat }
    }
}

fn read(
    path: PathBuf,
    (file, reader): (File, &mut Reader),
    place: &FoundFile,
    options: &Options,
) -> Skill {
    let Reader { beat, bytes } = reader;
    let mut opened = Opened { file, beat };
    let limit = options.file_limit;
    let meta = match opened.file.metadata() {
        Ok(meta) if meta.is_file() => meta,
        Ok(_) => return broken(path, place, Unreadable::Device, String::new()),
        Err(error) => return broken(path, place, Unreadable::Refused, reason(&error)),
    };
    if meta.len() > limit {
        let why = TooLarge { total: meta.len(), limit }.to_string();
        return Skill {
            bytes: meta.len(),
            stamp: stamp_of(&meta),
            ..broken(path, place, Unreadable::TooLarge, why)
        };
    }
    // With this room, the first part of a file is one read; without, it is nine.
    bytes.clear();
    bytes.shrink_to(ROOM);
    bytes.reserve_exact(ROOM);
    let examined = match examine(&mut opened, bytes, place, meta.len()) {
        Ok(examined) => examined,
        Err(error) => return broken(path, place, Unreadable::Refused, reason(&error)),
    };
    let is_whole = bytes.len() as u64 >= meta.len();
    let head = match place.kind {
        Kind::Single => Some(Head::of_single_file(bytes, examined.body)),
        _ => Head::of(bytes, examined.body, is_whole),
    };
    let head = head.map(Arc::new);
    let mut diagnostics = examined.diagnostics;
    if place.kind == Kind::Single {
        diagnostics.retain(|found| validate::fits_single_file(found.check));
    }
    diagnostics.extend(validate::large(meta.len()));
    diagnostics.extend(validate::path_encoding(&place.location));
    if !diagnostics.iter().any(|found| found.check == &checks::ENCODING) {
        diagnostics.extend(validate::cut_off(bytes, meta.len()));
    }
    if place.kind == Kind::Link && path == place.path {
        diagnostics
            .extend(fs::read_link(&path).iter().map(|target| validate::renamed_link(target)));
    }
    if place.kind == Kind::Folded {
        diagnostics.insert(0, validate::folded(place.file()));
    }
    // The rest is read only to see whether a load would be refused. If the head hides something, it
    // is read at once, so that the finding counts everything. What cannot be read now fails when it
    // is loaded.
    let escaped = hidden_by_escapes(bytes);
    let whole = options.bodies || is_whole || escaped.is_some() || body::head_hides(bytes);
    if whole {
        // The end of a file that was read to its size is not looked for once more.
        let rest = if is_whole && meta.len() > 0 { 0 } else { limit };
        let hidden = body::hidden(opened.source(rest), bytes).ok().flatten().or(escaped);
        diagnostics.extend(hidden.map(|(hidden, at)| validate::hidden_text(&hidden, at)));
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.place);
    diagnostics.shrink_to_fit();
    Skill {
        // Every skill of a catalog keeps them, so they have blocks without room to grow.
        name: examined.name.as_str().to_owned(),
        description: examined.description.as_str().to_owned(),
        locations: locations(&path, place),
        path,
        scope: crate::catalog::Scope::User,
        in_repository: false,
        root: SkillRoot::unknown(),
        stamp: stamp_of(&meta),
        bytes: meta.len(),
        whole,
        properties: examined.properties,
        invocation: examined.invocation,
        head,
        stored: None,
        diagnostics,
    }
}

/// What the whole file of a skill hides, of which only the head was read. A file that has changed
/// since is left to the next scan.
///
/// # Errors
/// The file has changed, or cannot be read.
pub fn body_finding(skill: &Skill) -> io::Result<Option<Diagnostic>> {
    let file = open(&skill.path).map_err(|(_, why)| io::Error::other(why))?;
    let meta = file.metadata()?;
    if !meta.is_file() || meta.len() != skill.bytes || stamp_of(&meta) != skill.stamp {
        return Err(io::Error::other("it has changed"));
    }
    let hidden = body::hidden(file.take(skill.bytes), &mut Vec::new())?;
    Ok(hidden.map(|(hidden, at)| validate::hidden_text(&hidden, at)))
}

/// Reads the first part, and more if the frontmatter does not end in it.
fn examine(
    opened: &mut Opened,
    bytes: &mut Vec<u8>,
    place: &FoundFile,
    size: u64,
) -> io::Result<Examined> {
    let directory = directory(place);
    let is_main = matches!(place.kind, Kind::Folded | Kind::Single);
    let name = if is_main { FILE_NAME } else { place.file() };
    // Some systems have files that say they are empty and are not.
    let size = if size == 0 { u64::MAX } else { size };
    for limit in [FIRST, WHOLE] {
        let missing = limit.min(size).saturating_sub(bytes.len() as u64);
        opened.source(missing).read_to_end(bytes)?;
        let examined = validate::examine(bytes, &directory, name);
        if !examined.unclosed || (bytes.len() as u64) < limit {
            return Ok(examined);
        }
    }
    Ok(validate::examine(bytes, &directory, name))
}

/// What the file says that Codex reads beside a skill.
fn beside(place: &FoundFile, folder: &Path) -> Sidecar {
    let file = place.has_agents.then(|| open(&folder.join("agents/openai.yaml")).ok());
    let Some(file) = file.flatten() else { return Sidecar::default() };
    let regular = file.metadata().is_ok_and(|meta| meta.is_file());
    let mut bytes = Vec::new();
    if regular && file.take(FIRST * 4).read_to_end(&mut bytes).is_ok() {
        Sidecar::read(&bytes)
    } else {
        Sidecar::default()
    }
}

fn told(own: Invocation, beside: Sidecar) -> Invocation {
    let Sidecar { not_implicitly, other_products } = beside;
    Invocation { not_implicitly, other_products, ..own }
}

/// A skill that could not be read, with the reason.
fn broken(path: PathBuf, place: &FoundFile, kind: Unreadable, why: String) -> Skill {
    Skill {
        name: directory(place),
        description: String::new(),
        locations: locations(&path, place),
        path,
        scope: crate::catalog::Scope::User,
        in_repository: false,
        root: SkillRoot::unknown(),
        stamp: Stamp::default(),
        bytes: 0,
        whole: true,
        properties: Properties::default(),
        invocation: Invocation::default(),
        head: None,
        stored: None,
        diagnostics: vec![validate::unreadable(&why, kind)],
    }
}
