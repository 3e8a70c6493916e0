//! `token`: the tokens of the server over HTTP.

use super::Out;
use crate::inert;
use crate::text::SafeText;
use crate::text::time::utc;
use crate::workspace::tokens::{Secret, Token};
use schemars::JsonSchema;
use serde::Serialize;
use std::io;

/// The tokens, and the new one if one was made.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TokenDocument<'a> {
    /// `create`, `list` or `revoke`.
    action: &'static str,
    /// The token that was made. It is shown this once.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<&'a str>,
    /// All tokens, the oldest first.
    tokens: Vec<TokenRow<'a>>,
}

/// One token.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TokenRow<'a> {
    /// Its name.
    name: &'a str,
    /// `read`, `write` or `admin`.
    role: &'static str,
    /// `valid`, `expired` or `revoked`.
    state: &'static str,
    /// When it was made: Unix time in milliseconds.
    created_ms: u64,
    /// From when on it is refused: Unix time in milliseconds.
    expires_ms: Option<u64>,
    /// When it was revoked: Unix time in milliseconds.
    revoked_ms: Option<u64>,
}

impl<'a> TokenDocument<'a> {
    /// What is known at this time.
    pub fn of(
        action: &'static str,
        secret: Option<&'a Secret>,
        tokens: &'a [Token],
        now_ms: u64,
    ) -> Self {
        let row = |token: &'a Token| TokenRow {
            name: &token.name,
            role: token.role.word(),
            state: match (token.holds(now_ms), token.revoked_ms) {
                (true, _) => "valid",
                (false, Some(_)) => "revoked",
                (false, None) => "expired",
            },
            created_ms: token.created_ms,
            expires_ms: token.expires_ms,
            revoked_ms: token.revoked_ms,
        };
        let tokens = tokens.iter().map(row).collect();
        Self { action, token: secret.map(Secret::reveal), tokens }
    }

    /// Prints the new token alone, or one line for each token.
    ///
    /// # Errors
    /// Those of stdout.
    pub fn print(&self, out: &mut Out) -> io::Result<()> {
        if let Some(token) = self.token {
            return out.line(SafeText::line(token));
        }
        let names: Vec<SafeText> = self.tokens.iter().map(|row| SafeText::line(row.name)).collect();
        let columns = names.iter().map(SafeText::width).max().unwrap_or(0);
        for (row, name) in self.tokens.iter().zip(&names) {
            let end = match (row.revoked_ms, row.expires_ms) {
                (Some(at), _) => inert!("revoked {}", utc(at)),
                (None, Some(at)) if row.state == "expired" => inert!("expired {}", utc(at)),
                (None, Some(at)) => inert!("until {}", utc(at)),
                (None, None) => SafeText::fixed("without end"),
            };
            let role = SafeText::fixed(row.role).pad("admin".len());
            out.line(inert!(
                "{}  {}  made {}  {}",
                name.pad(columns),
                role,
                utc(row.created_ms),
                end
            ))?;
        }
        Ok(())
    }
}
