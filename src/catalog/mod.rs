//! The types that all other modules share: skill, scope, root, host, frontmatter, diagnostic,
//! mention.
//!
//! Nothing here reads files or a clock, or knows a terminal.

mod axes;
mod call;
pub mod checks;
mod confusable;
pub mod diagnostic;
pub mod exact_path;
pub mod fix;
pub mod frontmatter;
mod head;
mod hidden;
pub mod mention;
mod own_word;
mod pane;
mod pill;
mod plain_path;
pub mod private_places;
mod properties;
pub mod risk;
mod root;
mod scope;
mod skill;
mod stored;
mod uses;
pub mod validate;

pub use axes::{Enablement, Listed, Permission};
pub use call::{Call, CallKind};
pub use confusable::{canonically_equal, decomposed, skeleton};
pub use diagnostic::{Cause, Check, Diagnostic, Place, Refuses, Severity};
pub use exact_path::ExactPath;
pub use head::{CallReader, Calls, Compared, Head, HeadReader, HostHead, single_file};
pub use hidden::{hidden_by_escapes, hidden_in, shown_in};
pub use mention::{Mention, MentionForm, MentionRefusal, mentions};
pub use own_word::OwnWord;
pub use pane::{Multiplexer, Pane};
pub use pill::{Draft, MAX_PROMPT, PILL_SIGNS, Piece, Pill, as_typed, cleaned, left_out};
pub use plain_path::{below_home, plain_path, written_path};
pub use properties::Properties;
pub use root::{
    Cut, Hidden, HostId, LAST_READ, Limit, NAMED_AND_MISSING, NamedBy, PlaceThatCounts, Plugin,
    Root, RootReport, RootState, SingleFiles, SkillRoot, Walk,
};
pub(crate) use root::{GIT, is_hidden};
pub use scope::Scope;
pub(crate) use skill::directory_of;
pub use skill::{ByPath, Catalog, Invocation, Locations, Skill, SkillId, Stamp};
pub use stored::{FileSource, Precedence, Stored, normalized, short_version};
pub use uses::{Use, Uses};
