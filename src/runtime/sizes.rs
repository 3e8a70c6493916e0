//! How large a file may be, and how much of it is given.

use crate::workspace::View;

/// The limits for a file of a skill, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeLimits {
    /// A larger file is refused.
    pub file: u64,
    /// Of a larger file the first part is given, with a notice.
    pub given: u64,
}

impl SizeLimits {
    /// The limits for a `SKILL.md` in this view.
    pub fn of_skill_md(view: &View) -> Self {
        Self::of(view, view.limits().skill_md)
    }

    /// The limits for another file in this view.
    pub fn of_resource(view: &View) -> Self {
        Self::of(view, view.limits().resource)
    }

    fn of(view: &View, given: Option<usize>) -> Self {
        let file = view.config.values.file_limit();
        Self { file, given: given.map_or(file, |given| given as u64) }
    }
}
