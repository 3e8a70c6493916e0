//! The Skills extension (SEP-2640): each skill with its frontmatter and the digests of its files.

use super::resources::{files, page};
use super::shelf::Seen;
use super::uri;
use crate::runtime::{SOFT_RESOURCE_BYTES, bytes};
use rmcp::ErrorData;
use rmcp::model::{
    GetSkillResult, ListSkillsResult, PaginatedRequestParams, Skill, SkillFrontmatter, SkillResource, SkillResources,
};
use serde_json::{Map, Value};

/// The most bytes of one skill's files of which digests are made; a larger skill is given as `dynamic`.
const MOST: u64 = 16 << 20;

/// `skills/list`.
pub(super) fn list(seen: &Seen, request: Option<PaginatedRequestParams>) -> Result<ListSkillsResult, ErrorData> {
    let (page, next) = page(seen.shown(), request)?;
    let mut result =
        ListSkillsResult::with_all_items(page.into_iter().filter_map(|index| skill(seen, index)).collect());
    result.next_cursor = next;
    Ok(result)
}

/// `skills/get`.
pub(super) fn get(seen: &Seen, address: &str) -> Result<GetSkillResult, ErrorData> {
    let found = uri::find(seen, address).filter(|(index, _)| uri::main(&uri::base(seen, *index)) == address);
    let skill = found.and_then(|(index, _)| skill(seen, index));
    skill.map(GetSkillResult::new).ok_or_else(|| ErrorData::invalid_params("there is no such skill", None))
}

/// A skill; none where it cannot be read, or its name cannot stand in an address as it is.
fn skill(seen: &Seen, index: usize) -> Option<Skill> {
    let known = &seen.view.entries[index].skill;
    let base = uri::base(seen, index);
    if !base.ends_with(&format!("/{}/", known.name)) {
        return None;
    }
    let mut frontmatter = SkillFrontmatter::new(known.name.clone(), known.description.clone());
    let properties = &known.properties;
    for (key, value) in [("license", &properties.license), ("compatibility", &properties.compatibility)] {
        if let Some(value) = value {
            frontmatter = frontmatter.with_field(key, value.as_str());
        }
    }
    if !properties.metadata.is_empty() {
        let rows = properties.metadata.iter().map(|(key, value)| (key.clone(), Value::from(value.as_str())));
        frontmatter = frontmatter.with_field("metadata", rows.collect::<Map<_, _>>());
    }
    if !properties.allowed_tools.is_empty() {
        frontmatter = frontmatter.with_field("allowed-tools", properties.allowed_tools.join(" "));
    }
    let resources = manifest(seen, index, &base).map_or(SkillResources::Dynamic, SkillResources::Files);
    Some(Skill::new(uri::main(&base), frontmatter, resources))
}

/// The digests of all files; none where there are too many, or one is not given whole.
fn manifest(seen: &Seen, index: usize, base: &str) -> Option<Vec<SkillResource>> {
    let known = &seen.view.entries[index].skill;
    let (files, more) = files(seen, index);
    let sizes: u64 = files.iter().map(|(_, size)| size).sum();
    if more || sizes > MOST {
        return None;
    }
    let resource = |address: String, path: Option<&std::path::Path>| {
        let content = bytes(known, path, SOFT_RESOURCE_BYTES).ok().filter(|content| !content.cut)?;
        Some(SkillResource::from_bytes(address, &content.bytes))
    };
    let main = resource(uri::main(base), None);
    let others = files.iter().map(|(path, _)| resource(uri::file(base, path), Some(path)));
    std::iter::once(main).chain(others).collect()
}
