//! The Skills extension (SEP-2640): each skill with its frontmatter and the digests of its files.

use super::error::RequestError;
use super::page;
use super::resources::{files, within};
use super::server::Access;
use super::uri;
use crate::catalog::Skill as Known;
use crate::runtime::{SizeLimits, bytes};
use crate::text::SafeText;
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
    let (page, next) =
        page::page(snapshot, "skills/list", snapshot.shown(), page::SKILLS, request)?;
    let skills = page.into_iter().filter_map(|index| skill(access, index));
    let mut result = ListSkillsResult::with_all_items(skills.collect());
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

/// A skill; `None` if its name is not valid in an address of the extension, since one such skill
/// would make the whole list an error.
fn skill(access: &Access<'_>, index: usize) -> Option<Skill> {
    let known = &access.entry(index).skill;
    let base = uri::base(access.snapshot, index);
    let mut frontmatter = SkillFrontmatter::new(known.name.clone(), plain(&known.description));
    for (key, value) in optional_fields(known, plain) {
        frontmatter = frontmatter.with_field(key, value);
    }
    let handed = access.hands_over(access.entry(index)).then_some(());
    let files = handed.and_then(|()| manifest(access, index, &base));
    let resources = files.map_or(SkillResources::Dynamic, SkillResources::Files);
    Some(Skill::new(uri::main(&base), frontmatter, resources))
        .filter(|skill| skill.validate().is_ok())
}

/// The frontmatter's optional fields, with each text converted by `word`.
pub(super) fn optional_fields(
    skill: &Known,
    word: fn(&str) -> String,
) -> Vec<(&'static str, Value)> {
    let known = &skill.properties;
    let text = |text: Option<&str>| text.map(|text| Value::from(word(text)));
    let metadata = known.metadata().map(|(key, value)| (word(key), Value::from(word(value))));
    let metadata: serde_json::Map<String, Value> = metadata.collect();
    let tools: Vec<&str> = known.allowed_tools().collect();
    let fields = [
        ("license", text(known.license())),
        ("compatibility", text(known.compatibility())),
        ("metadata", (!metadata.is_empty()).then(|| Value::Object(metadata))),
        ("allowed-tools", (!tools.is_empty()).then(|| word(&tools.join(" ")).into())),
    ];
    fields.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()
}

/// Other people's text with marks for hidden characters: a model reads a description before anybody
/// has approved the text.
fn plain(text: &str) -> String {
    let lines: Vec<String> =
        text.split('\n').map(|line| SafeText::clean(line).to_string()).collect();
    lines.join("\n")
}

/// The digests of all files of the skill; `None` if there are too many, or one of them is withheld.
fn manifest(access: &Access<'_>, index: usize, base: &str) -> Option<Vec<SkillResource>> {
    let known = &access.entry(index).skill;
    let (files, more) = files(access.snapshot, index, &within(access, index, None));
    let sizes: u64 = files.iter().map(|(_, size)| size).sum();
    if more || sizes > MOST {
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
