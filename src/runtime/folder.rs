//! The folder of a skill, where its files are opened.

use crate::catalog::Skill;
use crate::files::beneath::{Refusal, SkillDir};

/// Opens the folder of a skill. That of a stored skill is made first, or compared with its digest.
///
/// # Errors
/// [`Refusal`]; [`Refusal::of_stored`] if the files of a stored skill cannot be had.
pub(super) fn open(skill: &Skill) -> Result<SkillDir, Refusal> {
    skill.provide().map_err(|error| Refusal::of_stored(&error))?;
    SkillDir::open(skill.dir())
}
