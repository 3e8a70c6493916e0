//! The tokens of the server, in the person's state directory.

use super::Workspace;
use super::clock::now_ms;
use std::path::Path;

/// Types in this room's signatures.
pub use crate::state::StateError;
pub use crate::state::tokens::{Role, Secret, Token, TokenError, Tokens};

/// Who shows a token, as it was when it was last read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bearer {
    pub name: String,
    pub role: Role,
    /// When the token was made: with the name, it tells one token from another.
    pub created_ms: u64,
}

impl Bearer {
    /// Who shows this token; `None` if it is not accepted now.
    pub fn among(tokens: &Tokens, secret: &str) -> Option<Self> {
        tokens.find(secret, now_ms()).map(|token| Self {
            name: token.name.clone(),
            role: token.role,
            created_ms: token.created_ms,
        })
    }

    /// Whether this one's token is still accepted.
    pub fn holds(&self, tokens: &Tokens) -> bool {
        let now = now_ms();
        let same = |token: &&Token| token.name == self.name && token.created_ms == self.created_ms;
        tokens.all().iter().find(same).is_some_and(|token| token.holds(now))
    }
}

impl Workspace {
    fn state(&self) -> Result<&Path, StateError> {
        self.state_dir.as_deref().ok_or(StateError::Nowhere)
    }

    /// All tokens, the oldest first.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn tokens(&self) -> Result<Tokens, StateError> {
        // Without a state directory there is no token.
        self.state_dir.as_deref().map_or_else(|| Ok(Tokens::default()), Tokens::load)
    }

    /// Makes a token. `expires_after_ms` is how long it is accepted.
    ///
    /// # Errors
    /// [`TokenError`]. Then there is no new token.
    pub fn create_token(
        &self,
        name: &str,
        role: Role,
        expires_after_ms: Option<u64>,
    ) -> Result<Secret, TokenError> {
        let now = now_ms();
        let end = expires_after_ms.map(|after| now.saturating_add(after));
        Tokens::create(self.state()?, name, role, end, now)
    }

    /// Revokes the token of this name.
    ///
    /// # Errors
    /// [`TokenError`]. Then nothing has changed.
    pub fn revoke_token(&self, name: &str) -> Result<(), TokenError> {
        Tokens::revoke(self.state()?, name, now_ms())
    }
}
