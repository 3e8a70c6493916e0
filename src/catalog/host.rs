//! Which coding agent is meant.

use serde::Serialize;

/// The short name of a host, as `--host` takes it (`agents`, `codex`, …).
///
/// Hosts are rows of a static table, so an id is a static word; [`crate::hosts`] turns a user's
/// text into one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct HostId(pub &'static str);

impl HostId {
    /// The plain Agent Skills standard with our own settings file.
    pub const AGENTS: Self = Self("agents");

    pub fn word(self) -> &'static str {
        self.0
    }
}
