//! Which skills an agent may use, and who says so: rules, the verdict on three axes, the order of
//! evaluation as data.
//!
//! Everything here is a pure function of a [`Policy`] and a resolved
//! [`Skill`](crate::catalog::Skill). The room knows no file format, no host and no path syntax: a
//! settings reader builds the policy and canonicalises its paths. Because a verdict is asked of the
//! resolved skill and never of the argument that led to it, no spelling of a path or a name can
//! bypass a rule.
//!
//! What is decided here, and why:
//!
//! - The three axes are independent, with two exceptions for the plain standard. A skill that is
//!   *off* is off on all three, because a host that does not see a skill cannot load it. A skill
//!   that is *denied* is not listed to the model either, because the standard hides denied skills.
//!   A person may still invoke it: a permission is about what the model does by itself.
//! - A layer that is not the person's own (a cloned repository's file) may only tighten; see
//!   [`Layers::TightenOnly`].
//! - An allow rule of ours that names a skill applies only to the person's own skills. A skill that
//!   a repository brings is allowed, as its scripts are, by a rule that is bound to its path and to
//!   the digest of its files. See [`Bound`]. If they change, the rule asks. Deny and ask rules go by
//!   name.
//! - What cannot be read fails closed: it becomes a denying rule with [`Origin::Alarm`], which no
//!   order of evaluation can overrule.

mod bound;
pub mod budget;
pub mod change;
mod entry;
#[cfg(test)]
pub(crate) mod fixture;
mod folder;
mod forms;
mod host_status;
mod judge;
mod limits;
mod naming;
mod order;
mod outcome;
mod pattern;
mod reader;
mod refusal;
pub mod replay;
mod rule;
mod runs;
mod tally;
#[cfg(test)]
mod tests;
mod verdict;

pub use bound::{Bound, Shortfall, Subject};
pub use budget::Budget;
pub use entry::{Entry, Interner, Looks, Permissions, StatusKind, Verdicts, described};
pub use folder::{FolderGlob, path_from};
pub use forms::{Names, PatternKind, RuleForms, SUCH_NAMES, is_kebab};
pub use host_status::{Calling, HostReport, HostStatus, Speech, Status, effective_state};
pub use judge::{Alarm, Defaults, Policy};
pub use limits::Limits;
pub use naming::{Fold, Identity};
pub use order::{Denied, Evaluation, InvocationFields, Layers, Order, Profile};
pub use outcome::{Counts, Effect, Idle, Other, Outcome, RuleHits, outcome};
pub use pattern::{Expression, Pattern, PatternError, glob};
pub use reader::{NO_COMMAND, Reader};
pub use refusal::{Choices, Cure, HostLabel, Refusal, echo, is_listed_whole, listed};
pub use rule::{Allowlist, Layer, Rule, Switch, Target, Tool, Within};
pub use runs::{Run, Runs, SampleRun, ScriptPath, ScriptPathError};
pub use tally::{Tally, severity};
pub use verdict::{Origin, Ruling, Verdict};
