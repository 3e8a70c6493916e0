//! The Skills extension (SEP-2640): each skill with its frontmatter and the digests of its files.

use super::error::RequestError;
use super::page;
use super::resources::{Files, LISTED, files, within};
use super::server::Access;
use super::uri;
use crate::catalog::frontmatter::verbatim;
use crate::catalog::{Skill as Known, checks, hidden_in};
use crate::runtime::{SizeLimits, bytes};
use crate::text::Hidden;
use rmcp::ErrorData;
use rmcp::model::{
    GetSkillResult, ListSkillsResult, PaginatedRequestParams, Skill, SkillFrontmatter,
    SkillResource, SkillResources,
};
use serde_json::Value;

/// The most bytes of a skill's files for which digests are computed. A larger skill is `dynamic`.
const MOST: u64 = 16 << 20;

/// `skills/list`. If a rule asks about a skill, it is `dynamic` until it is loaded.
pub(super) fn list(
    access: &Access<'_>,
    request: Option<PaginatedRequestParams>,
) -> Result<ListSkillsResult, ErrorData> {
    let snapshot = access.snapshot;
    let one = |index: usize| skill(access, index).into_iter().collect();
    let (skills, next) = page::page(
        snapshot,
        "skills/list",
        uri::addressable(snapshot),
        page::SKILLS,
        request,
        one,
    )?;
    let mut result = ListSkillsResult::with_all_items(skills);
    result.next_cursor = next;
    Ok(result)
}

/// `skills/get`.
pub(super) fn get(access: &Access<'_>, address: &str) -> Result<GetSkillResult, RequestError> {
    let missing = || ErrorData::invalid_params("there is no such skill", None);
    let found = uri::find(access.snapshot, address)
        .filter(|(index, _)| uri::main(&uri::base(access.snapshot, *index)) == address);
    let (index, _) = found.ok_or_else(missing)?;
    access.hand_over(access.entry(index)).map_err(RequestError::Ask)?;
    Ok(GetSkillResult::new(skill(access, index).ok_or_else(missing)?))
}

/// A skill; `None` if it is none of the extension's: its name is not valid in an address, or its
/// frontmatter is not sound YAML, or has characters that act or hide. One such entry would make the
/// whole list an error for a strict host, or would be given to a model with what it hides.
fn skill(access: &Access<'_>, index: usize) -> Option<Skill> {
    let known = &access.entry(index).skill;
    let base = uri::base(access.snapshot, index);
    let frontmatter = frontmatter(access, known)?;
    let handed = access.hands_over(access.entry(index)).then_some(());
    let files = handed.and_then(|()| manifest(access, index, &base));
    let resources = files.map_or(SkillResources::Dynamic, SkillResources::Files);
    Some(Skill::new(uri::main(&base), frontmatter, resources))
        .filter(|skill| skill.validate().is_ok())
}

/// The frontmatter of the file as it is now, every key and type kept: a host compares it with the
/// file.
fn frontmatter(access: &Access<'_>, known: &Known) -> Option<SkillFrontmatter> {
    if known.diagnostics.iter().any(|finding| finding.check == &checks::HIDDEN_TEXT) {
        return None;
    }
    let given = SizeLimits::of_skill_md(&access.snapshot.view).given;
    let content = bytes(known, None, given).ok()?;
    let mut fields = verbatim(&content.bytes)?;
    // What a person has approved is given as it is, here as well.
    let approved = || hidden_in(&String::from_utf8_lossy(&content.bytes)).is_some();
    if !fields.iter().all(|(key, value)| is_plain(key) && is_inert(value)) && !approved() {
        return None;
    }
    let mut text = |key: &str| match fields.shift_remove(key) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    };
    let (name, description) = (text("name")?, text("description")?);
    let frontmatter = SkillFrontmatter::new(name, description);
    let rest = fields.into_iter();
    Some(rest.fold(frontmatter, |all, (key, value)| all.with_field(key, value)))
}

pub(super) fn is_plain(text: &str) -> bool {
    !Hidden::of(text).any()
}

/// Whether no text in it, which escapes of YAML may have made, acts or hides.
pub(super) fn is_inert(value: &Value) -> bool {
    match value {
        Value::String(text) => is_plain(text),
        Value::Array(items) => items.iter().all(is_inert),
        Value::Object(map) => map.iter().all(|(key, value)| is_plain(key) && is_inert(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
    }
}

/// The digests of all files of the skill that are served; `None` if there are too many, or one of
/// them cannot be read: a manifest is complete.
fn manifest(access: &Access<'_>, index: usize, base: &str) -> Option<Vec<SkillResource>> {
    let known = &access.entry(index).skill;
    let Files { files, more } = files(access.snapshot, index, &within(access, index, None));
    let sizes: u64 = files.iter().map(|(_, size)| size).sum();
    if more || sizes + known.bytes > MOST || files.len() >= LISTED {
        return None;
    }
    let given = SizeLimits::of_resource(&access.snapshot.view).given;
    let resource = |address: String, path: Option<&std::path::Path>| {
        let content = bytes(known, path, given).ok().filter(|content| !content.cut)?;
        Some(SkillResource::from_bytes(address, &content.bytes))
    };
    let main = resource(uri::main(base), None);
    let others = files.iter().map(|(path, _)| resource(uri::file(base, path), Some(path)));
    std::iter::once(main).chain(others).collect()
}
