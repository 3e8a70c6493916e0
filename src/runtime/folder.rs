//! The folder of a skill, where its files are opened.

use crate::catalog::{Skill, frontmatter, validate};
use crate::files::beneath::{Refusal, SkillDir};
use std::path::Path;

/// Opens the folder of a skill. That of a stored skill is made first, or compared with its digest.
///
/// # Errors
/// [`Refusal`]; [`Refusal::of_stored`] if the files of a stored skill cannot be had.
pub(super) fn open(skill: &Skill) -> Result<SkillDir, Refusal> {
    skill.provide().map_err(|error| Refusal::of_stored(&error))?;
    SkillDir::open(skill.dir())
}

/// Refuses the text of a skill's own file if the name in it is not the one that was judged, since
/// rules go by names. A stored skill needs no check: its files are compared with their digest.
///
/// # Errors
/// [`Refusal::Renamed`].
pub(super) fn require_same_name(skill: &Skill, file: &Path, text: &[u8]) -> Result<(), Refusal> {
    if file != skill.file() || skill.stored.is_some() {
        return Ok(());
    }
    let reading = frontmatter::read(text);
    match validate::own_name(&reading) {
        Some(name) if name != skill.name => Err(Refusal::Renamed),
        _ => Ok(()),
    }
}
