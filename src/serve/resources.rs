//! Skills as resources: every file of the skills that the model may know of, under `skill://`.

use super::catalog_cache::Snapshot;
use super::error::{RequestError, ToolError};
use super::page::{self, List};
use super::server::Access;
use super::tools::fetch;
use super::uri;
use crate::policy::Entry;
use crate::runtime::dialect::Job;
use crate::runtime::{
    self, Asker, Encoding, EntryKind, FileEntry, LinkEnd, NestedSkills, PathRefusal, ReadError,
    ResourceBody, WantedFile, listed_media_type, tree,
};
use crate::text::SafeText;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rmcp::ErrorData;
use rmcp::model::{
    DIRECTORY_MIME_TYPE, ListResourcesResult, PaginatedRequestParams,
    ReadResourceDirectoryRequestParams, ReadResourceResult, Resource, ResourceContents,
};
use std::path::{Path, PathBuf};

/// Which of a skill's files are listed: those of nested skills only if they would be read without a
/// question, or after the one about `asked`.
pub(super) fn within(access: &Access<'_>, index: usize, asked: Option<&Entry>) -> NestedSkills {
    let consented = |entry: &Entry| {
        let now = asked.is_some_and(|asked| asked.skill.path == entry.skill.path);
        now || access.caller.consents(access.session.as_ref(), &entry.skill)
    };
    NestedSkills::of(&access.caller, &access.entry(index).skill, |entry| Asker {
        consented: consented(entry),
        ..Asker::MODEL
    })
}

/// The files of a skill beside its main one that are served: none of a nested skill that is
/// withheld.
#[derive(Hash)]
pub(super) struct Files {
    /// Path and size of each regular file that is given.
    pub(super) files: Vec<(PathBuf, u64)>,
    /// Whether there are more than are looked at.
    pub(super) more: bool,
}

pub(super) fn files(snapshot: &Snapshot, index: usize, within: &NestedSkills) -> Files {
    let skill = &snapshot.view.rows[index].entry.skill;
    let Ok(tree) = tree(skill) else { return Files { files: Vec::new(), more: true } };
    let own = uri::own(snapshot, index, Path::new("SKILL.md"));
    let mut files = Vec::new();
    for entry in &tree.entries {
        let size = match &entry.kind {
            EntryKind::File { size, .. } => *size,
            EntryKind::Link { end: LinkEnd::File(size), .. } => *size,
            _ => continue,
        };
        // A path that is not UTF-8 has no address.
        if entry.path == own || entry.path.to_str().is_none() {
            continue;
        }
        if within.gives(&skill.place_of(&entry.path)) {
            files.push((entry.path.clone(), size));
        }
    }
    Files { files, more: tree.cut }
}

/// `resources/list`. If a rule asks about a skill, only its main file is listed until it is loaded.
pub(super) fn list(
    access: &Access<'_>,
    request: Option<PaginatedRequestParams>,
) -> Result<ListResourcesResult, ErrorData> {
    let snapshot = access.snapshot;
    let (resources, next) = page::page(
        snapshot,
        "resources/list",
        uri::addressable(snapshot),
        page::SKILLS,
        request,
        |index| listed(access, index),
    )?;
    let mut result = ListResourcesResult::with_all_items(resources);
    result.next_cursor = next;
    Ok(result)
}

/// The most resources of one skill that are listed. Hosts need not take more; the others are
/// reached by reading directories.
pub(super) const LISTED: usize = 512;

/// The resources of a skill, as many as a page of its own has room for: its main file in any case.
/// The files of a nested skill are that skill's, if their addresses begin with its own.
fn listed(access: &Access<'_>, index: usize) -> Vec<Resource> {
    let (entry, base) = (access.entry(index), uri::base(access.snapshot, index));
    let name = SafeText::line(&entry.skill.name).to_string();
    let main = Resource::new(uri::main(&base), name.clone())
        .with_description(SafeText::line(entry.description()).to_string())
        .with_size(entry.skill.bytes)
        .with_mime_type("text/markdown");
    let mut room = page::ROOM.saturating_sub(page::bytes(&main));
    let mut resources = vec![main];
    if !access.hands_over(entry) {
        return resources;
    }
    let files = files(access.snapshot, index, &within(access, index, None)).files;
    let addressed = files.into_iter().map(|(path, size)| (uri::file(&base, &path), path, size));
    let is_own = |address: &str| {
        uri::find(access.snapshot, address).is_some_and(|(owner, _)| owner == index)
    };
    let own = addressed.filter(|(address, ..)| is_own(address));
    for (address, path, size) in own.take(LISTED - 1) {
        let title = format!("{name}/{}", SafeText::path(&path));
        let resource = with_type(Resource::new(address, title).with_size(size), entry, &path);
        let bytes = page::bytes(&resource);
        if bytes > room {
            break;
        }
        room -= bytes;
        resources.push(resource);
    }
    resources
}

/// The resource with the media type of the file.
fn with_type(resource: Resource, entry: &Entry, path: &Path) -> Resource {
    match listed_media_type(&entry.skill, path) {
        Some(media_type) => resource.with_mime_type(media_type),
        None => resource,
    }
}

/// `resources/read`, judged like a read by the model.
pub(super) fn read(access: &Access<'_>, address: &str) -> Result<ReadResourceResult, RequestError> {
    let missing = || ErrorData::resource_not_found("there is no such resource", None);
    let (index, relative) = uri::find(access.snapshot, address).ok_or_else(missing)?;
    let relative = uri::own(access.snapshot, index, &relative);
    let skill = access.entry(index).skill.path.to_string_lossy();
    let wanted = WantedFile { skill: Some(&skill), path: &relative.to_string_lossy() };
    let Access { caller, session, given, .. } = access;
    let fetched = fetch(caller, wanted, Encoding::Either, session.as_ref(), given)?;
    if fetched.resource.cut {
        let mut text = format!("the file has {} bytes", fetched.resource.total);
        match access.dialect.tool(Job::Read) {
            Some(tool) => text.push_str(&format!("; {tool} gives its first part")),
            None => text.push_str(", too many for a resource"),
        }
        return Err(ToolError::refused("too_large", text).into());
    }
    let contents = match fetched.resource.body {
        ResourceBody::Text(text) => ResourceContents::text(text, address),
        ResourceBody::Binary(bytes) => ResourceContents::blob(STANDARD.encode(bytes), address),
    };
    Ok(ReadResourceResult::new(vec![contents.with_mime_type(fetched.resource.media_type)]))
}

/// The most entries of one directory that are looked at. Beyond it, `_meta` says that there are
/// more.
const MAX_ENTRIES: usize = 20_000;

/// `resources/directory/read`: the immediate entries of a directory of a skill.
pub(super) fn directory(
    access: &Access<'_>,
    request: &ReadResourceDirectoryRequestParams,
) -> Result<ListResourcesResult, RequestError> {
    let snapshot = access.snapshot;
    let missing = || ErrorData::resource_not_found("there is no such directory", None);
    let (index, relative) =
        uri::find(snapshot, request.uri.trim_end_matches('/')).ok_or_else(missing)?;
    // `a//b` is `a/b`.
    let relative: PathBuf = relative.components().collect();
    let outer = access.entry(index);
    let inner = access.caller.inner(&outer.skill, &relative);
    for entry in std::iter::once(outer).chain(inner) {
        access.hand_over(entry).map_err(RequestError::Ask)?;
    }
    let within = within(access, index, inner);
    let is_given = |path: &Path| within.gives(&outer.skill.dir().join(path));
    if !relative.as_os_str().is_empty() && !is_given(&relative) {
        return Err(missing().into());
    }
    let refused = |refusal| match refusal {
        PathRefusal::NotFound => RequestError::from(missing()),
        refusal => {
            let error = ReadError::Refused(refusal);
            ToolError::refused(error.code(), error.to_string()).into()
        }
    };
    let listed = runtime::directory(&outer.skill, &relative, MAX_ENTRIES).map_err(refused)?;
    let entries: Vec<&FileEntry> =
        listed.entries.iter().filter(|entry| is_given(&entry.path)).collect();
    let place = outer.skill.dir().join(&relative);
    let list = List { name: "resources/directory/read", of: Some(&place) };
    let (resources, next) = list
        .of_files(&entries, request.cursor.as_deref(), |entry| file(access, index, entry))
        .map_err(ErrorData::from)?;
    let mut result = ListResourcesResult::with_all_items(resources);
    result.next_cursor = next;
    if listed.cut {
        let cut = serde_json::Map::from_iter([("skillpick/cut".to_owned(), true.into())]);
        result.meta = Some(cut.into());
    }
    Ok(result)
}

/// A file or directory of a skill; `None` for what is neither, and what has no address.
fn file(access: &Access<'_>, index: usize, entry: &FileEntry) -> Option<Resource> {
    let snapshot = access.snapshot;
    let (base, own) =
        (uri::base(snapshot, index), uri::own(snapshot, index, Path::new("SKILL.md")));
    entry.path.to_str()?;
    let name = SafeText::line(&entry.path.file_name()?.to_string_lossy()).to_string();
    let address = if entry.path == own { uri::main(&base) } else { uri::file(&base, &entry.path) };
    match &entry.kind {
        EntryKind::Directory => {
            Some(Resource::new(address, name).with_mime_type(DIRECTORY_MIME_TYPE))
        }
        EntryKind::File { size, .. } | EntryKind::Link { end: LinkEnd::File(size), .. } => {
            let resource = Resource::new(address, name).with_size(*size);
            Some(with_type(resource, access.entry(index), &entry.path))
        }
        _ => None,
    }
}
