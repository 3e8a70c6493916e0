//! What is asked of every agent alike: what it loads below a root full of trouble, and where it
//! looks. What is expected is data in the agent's own file, and so is a test of what that agent
//! alone does.

use crate::agent::{Agent, Below, below, named, names, same, winners, words};
use crate::env::TestEnv;
use crate::ours;
use crate::tree;
use skillpick::hosts::probe::{AgentProbe, Report};
use std::collections::BTreeSet;

/// One agent's answers. Lists of names and folders are words of one text.
pub(crate) struct Findings {
    pub(crate) probe: &'static AgentProbe,
    /// The root, of the environment, below which every sort of trouble is laid out.
    pub(crate) root: &'static str,
    /// Folders that are not laid out: such trouble is too much for the program.
    pub(crate) spared: &'static [&'static str],
    /// What our view has otherwise, by its folder or, where the agent names no paths, by the
    /// skill's name.
    pub(crate) unmodelled: &'static [&'static str],
    pub(crate) loads: Loads,
    /// Roots without their `skills`, as seen from `repo/a/b`, in its order. Each neighbouring two
    /// have a skill of one name.
    pub(crate) roots: &'static [&'static str],
    pub(crate) same_name: SameName,
    /// The marks that are seen from `repo/a/b`, of those that lie wherever any agent looks.
    pub(crate) marks: &'static str,
}

/// What is listed of all that trouble.
pub(crate) enum Loads {
    /// Told by folders, for an agent that names them.
    Folders {
        /// What was laid out and is not seen.
        unseen: &'static str,
        /// What goes by another name than its folder's, as `folder=name`, with `_` for a space.
        renamed: &'static str,
        /// How many of two of one name, and how many of a skill and a link to it, are seen.
        twins: (usize, usize),
    },
    /// The names of all that is seen, for an agent that says nothing else.
    Names(&'static str),
}

/// What becomes of two skills of one name in two roots.
pub(crate) enum SameName {
    /// The first root's is listed.
    First,
    /// Both are listed.
    All,
    /// Either is listed; or it does not say which.
    Any,
}

/// An agent that has said what it loads, for what else its test wants to know.
pub(crate) struct Asked {
    pub(crate) agent: Agent,
    pub(crate) env: TestEnv,
    /// The folders below the root that hold a `SKILL.md`.
    pub(crate) laid: BTreeSet<String>,
    pub(crate) report: Report,
}

impl Findings {
    /// It loads what is expected below its root, and our own list says the same. Nothing where the
    /// agent is not installed.
    pub(crate) fn hold_below_a_root(&self) -> Option<Asked> {
        let agent = Agent::find(self.probe)?.without_rules();
        let env = TestEnv::for_agents();
        let laid = tree::trouble(&env, self.root, self.spared);
        let report = agent.ask(&env, "repo");
        ours::agree(&agent, &env, "repo", (&report, self.unmodelled));
        let asked = Asked { agent, env, laid, report };
        match self.loads {
            Loads::Folders { unseen, renamed, twins } => {
                let seen = self.seen(&asked);
                same(&seen.unseen(&asked.laid), &words(unseen));
                same(&seen.renamed(), &words(renamed));
                assert_eq!(seen.twins(), twins);
            }
            Loads::Names(seen) => same(&names(&asked.report, ""), &words(seen)),
        }
        Some(asked)
    }

    /// What it sees below its root.
    pub(crate) fn seen(&self, asked: &Asked) -> Below {
        match self.probe.paths {
            true => below(&asked.report, &asked.env, self.root),
            false => named(&asked.report),
        }
    }

    /// It looks into its roots and nowhere else, in their order, and our own list says the same.
    pub(crate) fn hold_of_the_roots(&self) {
        let Some(agent) = Agent::find(self.probe).map(Agent::without_rules) else { return };
        let env = TestEnv::for_agents();
        tree::marks(&env);
        let any = matches!(self.same_name, SameName::Any);
        let lay = if self.probe.paths || any { tree::pairs } else { tree::hidden_pairs };
        lay(&env, self.roots);
        let report = agent.ask(&env, "repo/a/b");
        ours::agree(&agent, &env, "repo/a/b", (&report, &[]));
        same(&names(&report, "mark-"), &words(self.marks));
        let pairs = self.roots.len() - 1;
        let numbered =
            |name: &str| (0..pairs).map(|index| format!("{name}-{index}")).collect::<BTreeSet<_>>();
        match self.same_name {
            SameName::First if self.probe.paths => {
                assert_eq!(winners(&report, &env), self.roots[..pairs])
            }
            // What may be called by a person is listed: the first of each two wins.
            SameName::First => {
                same(&names(&report, "first-"), &numbered("first"));
                same(&names(&report, "second-"), &words(""));
            }
            SameName::All => {
                let kept =
                    report.skills.iter().filter(|reported| reported.name.starts_with("pair-"));
                assert_eq!(kept.count(), 2 * pairs, "all are kept");
            }
            SameName::Any => same(&names(&report, "pair-"), &numbered("pair")),
        }
    }
}
