//! The variables by which opencode and Kilo Code leave out the skills of other agents. Each must be
//! one of ten words; otherwise the program stops.

use super::super::{Context, Reading};
use super::stop;
use crate::policy::Policy;

const ON: [&str; 5] = ["true", "yes", "on", "1", "y"];
const OFF: [&str; 5] = ["false", "no", "off", "0", "n"];

/// The names of the variables.
pub(super) struct Flags {
    /// Leaves out all other agents.
    pub(super) others: &'static str,
    /// Each leaves out Claude Code.
    pub(super) claude_code: [&'static str; 2],
}

impl Flags {
    /// The folders of other agents that it reads.
    pub(super) fn shared(&self, context: &Context) -> &'static [&'static str] {
        let is_on = |name: &str| is_one_of(context, name, ON);
        if is_on(self.others) {
            &[]
        } else if self.claude_code.into_iter().any(is_on) {
            &[".agents"]
        } else {
            &[".claude", ".agents"]
        }
    }

    /// Denies everything if one of them has another word.
    pub(super) fn check(&self, reading: &Reading, policy: &mut Policy, why: &str) {
        let is_odd = |name: &&str| {
            let has_value = reading.context.variable(name).is_some();
            has_value && ![ON, OFF].iter().any(|words| is_one_of(&reading.context, name, *words))
        };
        let all = [self.others].into_iter().chain(self.claude_code);
        all.filter(is_odd).for_each(|name| stop(policy, name, why));
    }
}

fn is_one_of(context: &Context, name: &str, words: [&str; 5]) -> bool {
    context.variable(name).is_some_and(|value| words.iter().any(|word| value == *word))
}
