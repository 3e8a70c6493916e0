//! The pure nouns: skill, scope, root, host, frontmatter, diagnostic, mention.
//!
//! Nothing here reads a file, asks a clock or knows a terminal. Everything that other rooms say to
//! each other about skills is said in these types.

mod alike;
mod axes;
mod call;
pub mod checks;
pub mod diagnostic;
pub mod frontmatter;
mod host;
pub mod mention;
mod root;
mod scope;
mod skill;
mod uses;
pub mod validate;

pub use alike::{drawn_alike, looks};
pub use axes::{Enablement, Listed, Permission};
pub use call::{Call, Deed};
pub use diagnostic::{Check, Diagnostic, Place, Refusers, Severity};
pub use host::HostId;
pub use mention::{Mention, MentionForm, MentionRefusal, mentions};
pub use root::{Cut, Limit, Root, RootReport, RootState, Walk};
pub use scope::Scope;
pub use skill::{Catalog, Invocation, Properties, Skill, SkillId};
pub use uses::{Use, Uses};
