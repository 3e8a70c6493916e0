//! `share` and `unshare`: making a skill visible to another host, and the reverse.

use super::Out;
use super::parts::{exact, lossy};
use crate::inert;
use crate::text::SafeText;
use crate::text::shell;
use crate::workspace::{How, Share, ShareError};
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;
use std::path::Path;

/// A skill that is shared with a host, or no longer shared.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ShareDocument<'a> {
    /// `share` or `unshare`.
    action: &'static str,
    /// Whether it was done; false with `--dry-run`.
    done: bool,
    /// The host.
    host: &'static str,
    /// `link` or `copy`.
    how: &'static str,
    /// Path of the link or copy.
    place: Cow<'a, str>,
    /// The path's bytes in base64, if the path is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    place_b64: Option<String>,
    /// The skill's own directory.
    source: Cow<'a, str>,
    /// What is not copied, relative to the copy: links that lead out of the skill, and what is
    /// neither a file, a directory nor a link.
    left_out: Vec<Cow<'a, str>>,
    /// When the change takes effect.
    takes_effect: String,
    /// Another place at which the host finds the skill that is no longer shared.
    #[serde(skip_serializing_if = "Option::is_none")]
    still_seen_at: Option<String>,
}

impl<'a> ShareDocument<'a> {
    pub fn of(share: &'a Share, action: &'static str, done: bool) -> Self {
        Self {
            action,
            done,
            host: share.host.id.word(),
            how: share.how().word(),
            place: lossy(&share.place),
            place_b64: exact(&share.place),
            source: lossy(&share.source),
            left_out: share.left_out.iter().map(|path| lossy(path)).collect(),
            takes_effect: super::change::effect(share.host.takes_effect).as_str().to_owned(),
            still_seen_at: None,
        }
    }

    /// The same, with another place at which the host finds the skill.
    #[must_use]
    pub fn still_seen_at(self, place: Option<&Path>) -> Self {
        Self { still_seen_at: place.map(|place| lossy(place).into_owned()), ..self }
    }
}

/// How to remove a share which `unshare` refuses to remove: a command, or words if its place cannot
/// be shown exactly.
pub fn cure(error: &ShareError) -> Option<SafeText> {
    let place = error.places().into_iter().next()?;
    let (verb, options) = match error {
        ShareError::ForAnother { other, .. } => {
            ("skillpick unshare", inert!(" --from {}", shell::value(other)))
        }
        ShareError::ByHand { place: link } | ShareError::Changed { place: link, .. }
            if link.is_symlink() =>
        {
            ("rm", SafeText::default())
        }
        ShareError::Changed { how: How::Copy, .. } => ("rm -r", SafeText::default()),
        _ => return None,
    };
    Some(match shell::word(place) {
        Some(place) => shell::command(verb, [place], &options),
        None => SafeText::fixed("by hand, since its path cannot be shown exactly"),
    })
}

/// Reports what was done or, in a dry run, what would be done.
pub fn report(out: &mut Out, share: &Share, action: &'static str, done: bool) {
    let (host, how) = (share.host.name, share.how().word());
    let verb = match (action, done) {
        ("share", true) => "shared with",
        ("share", false) => "would be shared with",
        (_, true) => "no longer shared with",
        (_, false) => "would no longer be shared with",
    };
    out.say(inert!("{} {}: {} ({} of {})", verb, host, share.place, how, share.source));
    for path in &share.left_out {
        out.add(inert!("left out, for it is no file or leads out of the skill: {}", path));
    }
    if done {
        out.add(inert!("takes effect: {}", super::change::effect(share.host.takes_effect)));
    }
}
