//! What mends one skill: the edit of its file, and what is renamed or unlinked.

use super::held::Held;
use super::taken::Taken;
use super::text::{Asked, NewText, new_text};
use super::{
    MendedSkill, Move, Reach, Stays, canonical_entry, moved, not_lifted, placed, unwritable,
};
use crate::catalog::fix;
use crate::catalog::{Check, Skill, checks};
use crate::files::access::may_write;
use crate::workspace::Workspace;
use std::collections::BTreeMap;
use std::path::Path;

/// Mends the skills of a view, one after the other. It knows which names the view has, and which
/// settings go by them, and remembers the names that it gives.
pub struct Mender<'a> {
    pub(super) workspace: &'a Workspace,
    /// Whose files may be written.
    pub(super) reach: &'a Reach,
    pub(super) taken: Taken<'a>,
    pub(super) held: Held<'a>,
}

impl Mender<'_> {
    /// What is mended of a skill, if the checks are wanted, and why something of it stays.
    ///
    /// # Errors
    /// Why nothing of it is mended.
    pub fn one(
        &self,
        skill: &Skill,
        wanted: &dyn Fn(&Check) -> bool,
    ) -> Result<(Option<MendedSkill>, Option<String>), Stays> {
        let asked = &Asked { wanted, taken: &self.taken, held: &self.held };
        if skill.is_single_file() {
            return Err(fix::SINGLE_FILE.into());
        }
        let mut stays = not_lifted(skill, asked);
        let but_deep = |check: &Check| (asked.wanted)(check) && check != &checks::TOO_DEEP;
        let asked = if stays.is_some() { &Asked { wanted: &but_deep, ..*asked } } else { asked };
        let mut moved = moved(skill, asked.wanted);
        let place = moved.as_ref().and_then(|(moved, _)| placed(skill, moved));
        if let Some(why) = place.and_then(|there| asked.held.lost(skill, &there)) {
            (moved, stays) = (None, Some(why));
        }
        let (moved, moves_gone) = moved.unzip();
        let link = moved.as_ref().filter(|moved| !matches!(moved, Move::Renamed { .. }));
        let place = match link {
            // The link itself is changed, so that its folder decides.
            Some(link) => canonical_entry(link.place()),
            None => skill.path.clone(),
        };
        if let Some(why) = self.workspace.barred(skill, &place, self.reach) {
            return Err(why.into());
        }
        let ends = moved.iter().flat_map(|moved| [Some(moved.place()), moved.after()]).flatten();
        if !ends.filter_map(Path::parent).all(may_write) {
            return Err(unwritable());
        }
        let text = match link {
            Some(_) => NewText::default(),
            None => {
                let limit = self.workspace.config.values.file_limit();
                new_text(skill, moved.is_some(), asked, limit)?
            }
        };
        let mut gone: BTreeMap<&'static str, usize> =
            moves_gone.into_iter().map(|check| (check.code, 1)).collect();
        gone.extend(text.gone.iter().map(|(check, count)| (check.code, *count)));
        let change = text.change;
        let mended = (change.is_some() || moved.is_some()).then(|| MendedSkill {
            gone,
            change,
            moved,
            ..MendedSkill::of(skill)
        });
        Ok((mended, stays.or(text.stays)))
    }
}
