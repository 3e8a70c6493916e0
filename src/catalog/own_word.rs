//! An agent's own word: its program lists a skill that none of the folders we know has.

use super::HostId;
use crate::inert;
use crate::text::SafeText;

/// By whose word a skill is known, and what follows from that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnWord {
    pub host: HostId,
    /// The agent, for people.
    pub name: &'static str,
    /// Of its program, where it is known. Other people's text.
    pub version: Option<String>,
    /// Whether the program says that it brings the skill itself.
    pub bundled: bool,
    /// Whether the program says that the skill is off, though no setting that we read says so.
    pub off: bool,
    /// Whether the program holds the skill itself: there is no file of it here.
    pub held: bool,
    /// What comes nearest to a switch; `None` if the agent's switch by name works for the skill.
    pub no_switch: Option<&'static str>,
}

impl OwnWord {
    /// `by Gemini CLI's own word (0.61.0)`.
    pub fn words(&self) -> SafeText {
        match &self.version {
            Some(version) => inert!("{} ({})", self.briefly(), version),
            None => self.briefly(),
        }
    }

    /// `by Gemini CLI's own word`.
    pub fn briefly(&self) -> SafeText {
        inert!("by {}'s own word", self.name)
    }

    /// Why nothing switches the skill, and what comes nearest.
    pub fn unswitched(&self) -> Option<SafeText> {
        let nearest = self.no_switch?;
        Some(inert!("{} has no switch for it; nearest: {}", self.name, nearest))
    }
}
