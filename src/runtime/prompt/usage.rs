//! What a model must know to use a catalog, in the words of its system, with the tools that it has
//! and no others.

use super::{Style, loaded_rule};
use crate::runtime::dialect::{Dialect, Job};
use crate::state::sessions::SavedSkill;

/// The rules that come with a catalog.
pub(super) struct Usage {
    rules: Vec<String>,
    /// The tool that finds what was left out.
    search: Option<String>,
}

/// The rule that is true only where a whole list follows.
const LISTED: &str = "Only the skills that are listed here exist.";

/// KOD-5c.
const KODELET: [&str; 6] = [
    "BLOCKING REQUIREMENT: when a task matches a skill, or the user names one, invoke this tool IMMEDIATELY, as your \
     first action, before any other answer about the task.",
    "Do not only announce or mention a skill: invoke it.",
    LISTED,
    "Do not invoke a skill that is already running.",
    "A skill's directory is read-only: copy a file before you change it.",
    "Run Python with uv. Do not install anything with the system's pip.",
];

impl Usage {
    /// For a model with these tools. `scripts` says whether scripts may be run at all.
    pub(super) fn of(style: Style, scripts: bool) -> Self {
        let search = style.tool(Job::Search);
        if style.dialect == Dialect::Kodelet && style.commands.is_none() {
            return Self { rules: KODELET.map(str::to_owned).to_vec(), search };
        }
        let load = style.tool(Job::Load).unwrap_or_default();
        let mut use_rule = format!(
            "You MUST call {load} before you use a skill's instructions, resources or scripts."
        );
        if let Some(read) = style.tool(Job::Read) {
            use_rule +=
                &format!(" Read its files with {read}, only where its instructions ask for them.");
        }
        if style.commands.is_some() {
            use_rule += " Type NAME as it is listed, with its quotes if it has any.";
        }
        if let Some(script) = style.tool(Job::Script).filter(|_| scripts) {
            use_rule += &format!(" Run its scripts with {script}.");
        }
        let call = match style.dialect {
            Dialect::Remcochat => "`/name` at the beginning of a message is",
            _ => "`$name` anywhere and `/name` at the beginning of a message are",
        };
        let rules = vec![
            format!(
                "When a task matches a skill's description, or the user names a skill, load it before anything else: \
                 call {load}. Do not only announce it."
            ),
            use_rule,
            format!("{call} the user's explicit call of that skill."),
            LISTED.to_owned(),
            "Relative paths in a skill begin at its directory, which is read-only: copy a file before you change it. \
             Where two loaded skills disagree, the one that was loaded later counts."
                .to_owned(),
        ];
        Self { rules, search }
    }

    /// The rules for a text that lists all skills, or only some or none of them.
    pub(super) fn rules(&self, lists_all: bool) -> Vec<&String> {
        self.rules.iter().filter(|rule| lists_all || *rule != LISTED).collect()
    }

    /// The same, and a rule that lists what is loaded.
    pub(super) fn loaded(mut self, active: &[SavedSkill]) -> Self {
        self.rules.extend(loaded_rule(active));
        self
    }

    /// What is said where `skills` were left out; if that is 0, ends of descriptions were.
    pub(super) fn missing(&self, skills: usize) -> String {
        let left = match skills {
            0 => "Descriptions are shortened.".to_owned(),
            1 => "1 skill is left out.".to_owned(),
            count => format!("{count} skills are left out."),
        };
        let find =
            |tool: &String| format!(" Call {tool} to find further skills and whole descriptions.");
        let find = self.search.as_ref().map(find).unwrap_or_default();
        format!("Not everything is shown here. {left}{find}")
    }
}
