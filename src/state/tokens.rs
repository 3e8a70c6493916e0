//! The tokens by which the server knows its clients over HTTP. A token is shown once, when it is
//! made: the file has its digest. A revoked one stays in the file, so that a server which needed
//! tokens goes on needing them.

use super::{StateError, bytes_of, rewrite};
use crate::files::digest::sha256_hex;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::hint::black_box;
use std::path::{Path, PathBuf};

const FILE: &str = "tokens.json";
/// The most tokens in the file. Of more, the first that is revoked or has ended is forgotten.
const MAX_ROWS: usize = 1000;
/// A longer file is not ours.
const MAX_BYTES: u64 = 1 << 20;
/// What a token begins with, so that a scanner for secrets can find it.
const PREFIX: &str = "skillpick_";
/// The longest name, in bytes.
pub const MAX_NAME: usize = 64;

/// What a token is good for. Each role includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    Read,
    Write,
    Admin,
}

impl Role {
    pub const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Admin];

    pub fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Admin => "admin",
        }
    }

    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.word() == word)
    }
}

/// What is known of a token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Token {
    pub name: String,
    pub role: Role,
    /// Unix time in milliseconds, as are the others.
    pub created_ms: u64,
    /// From when on it is refused.
    pub expires_ms: Option<u64>,
    /// When it was revoked.
    pub revoked_ms: Option<u64>,
    /// The digest of the token, 64 hex digits.
    sha256: String,
}

impl Token {
    /// Whether it is accepted at this time.
    pub fn holds(&self, now_ms: u64) -> bool {
        self.revoked_ms.is_none() && self.expires_ms.is_none_or(|end| now_ms < end)
    }
}

/// A token as it is shown once. It cannot be printed by accident.
pub struct Secret(String);

impl Secret {
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret")
    }
}

/// Why a token was not made or revoked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    #[error(transparent)]
    State(#[from] StateError),
    #[error("a name has 1 to {MAX_NAME} letters (a-z, A-Z), digits, dots, hyphens or underscores")]
    Name,
    #[error("a token of this name exists; revoke it first, or take another name")]
    Taken,
    #[error("no token of this name is accepted")]
    Unknown,
    #[error("there are {MAX_ROWS} tokens; revoke one first")]
    Full,
    #[error("the operating system has no random numbers")]
    Random,
}

#[derive(Serialize, Deserialize)]
struct Document<R> {
    version: u32,
    tokens: R,
}

/// All tokens, the oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    rows: Vec<Token>,
}

impl Tokens {
    /// Reads the tokens in this directory; none if there is no file.
    ///
    /// # Errors
    /// [`StateError`]: there is a file, and it cannot be read. Nobody is let in then.
    pub fn load(directory: &Path) -> Result<Self, StateError> {
        let file = directory.join(FILE);
        let read = match bytes_of(&file, MAX_BYTES).map_err(of_tokens)? {
            None if !file.is_symlink() => return Ok(Self::default()),
            bytes => bytes.and_then(|bytes| Self::parse(&bytes)),
        };
        read.ok_or(StateError::BrokenTokens { path: file })
    }

    /// Where they are kept.
    pub fn file(directory: &Path) -> PathBuf {
        directory.join(FILE)
    }

    pub fn all(&self) -> &[Token] {
        &self.rows
    }

    /// Whether any token is accepted at this time.
    pub fn any_holds(&self, now_ms: u64) -> bool {
        self.rows.iter().any(|token| token.holds(now_ms))
    }

    /// The token that this is, if it is accepted at this time. The time that this takes does not
    /// depend on how much of a digest fits.
    pub fn find(&self, secret: &str, now_ms: u64) -> Option<&Token> {
        let digest = sha256_hex(secret.as_bytes());
        let same = |token: &&Token| equal(token.sha256.as_bytes(), digest.as_bytes());
        self.rows.iter().filter(same).find(|token| token.holds(now_ms))
    }

    /// Makes a token.
    ///
    /// # Errors
    /// [`TokenError`]. Then there is no new token.
    pub fn create(
        directory: &Path,
        name: &str,
        role: Role,
        expires_ms: Option<u64>,
        now_ms: u64,
    ) -> Result<Secret, TokenError> {
        let known = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
        if name.is_empty() || name.len() > MAX_NAME || !name.bytes().all(known) {
            return Err(TokenError::Name);
        }
        let mut random = [0_u8; 32];
        getrandom::fill(&mut random).map_err(|_| TokenError::Random)?;
        let secret = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(random));
        let token = Token {
            name: name.to_owned(),
            role,
            created_ms: now_ms,
            expires_ms,
            revoked_ms: None,
            sha256: sha256_hex(secret.as_bytes()),
        };
        Self::change(directory, |tokens| {
            if tokens.rows.iter().any(|other| other.name == name && other.holds(now_ms)) {
                return Err(TokenError::Taken);
            }
            if tokens.rows.len() >= MAX_ROWS {
                let over = tokens.rows.iter().position(|other| !other.holds(now_ms));
                tokens.rows.remove(over.ok_or(TokenError::Full)?);
            }
            tokens.rows.push(token);
            Ok(())
        })?;
        Ok(Secret(secret))
    }

    /// Revokes the token of this name.
    ///
    /// # Errors
    /// [`TokenError`]. Then nothing has changed.
    pub fn revoke(directory: &Path, name: &str, now_ms: u64) -> Result<(), TokenError> {
        Self::change(directory, |tokens| {
            let mut known = tokens.rows.iter_mut();
            let token = known.find(|token| token.name == name && token.holds(now_ms));
            token.ok_or(TokenError::Unknown)?.revoked_ms = Some(now_ms);
            Ok(())
        })
    }

    fn change(
        directory: &Path,
        edit: impl FnOnce(&mut Self) -> Result<(), TokenError>,
    ) -> Result<(), TokenError> {
        let mut done = Ok(());
        let written = rewrite(directory, FILE, MAX_BYTES, |old| {
            let mut tokens = Self::load(directory)?;
            done = edit(&mut tokens);
            // What was refused leaves the bytes as they are.
            Ok(match (&done, old) {
                (Err(_), Some(old)) => old.to_vec(),
                _ => tokens.print(),
            })
        });
        done?;
        Ok(written.map_err(of_tokens)?)
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let document: Document<Vec<Token>> = serde_json::from_slice(bytes).ok()?;
        (document.version == 1).then_some(Self { rows: document.tokens })
    }

    fn print(&self) -> Vec<u8> {
        let document = Document { version: 1, tokens: &self.rows };
        serde_json::to_vec(&document).unwrap_or_default()
    }
}

fn of_tokens(error: StateError) -> StateError {
    match error {
        StateError::Broken { path } => StateError::BrokenTokens { path },
        error => error,
    }
}

/// Whether these are equal, in a time that depends on their lengths only.
fn equal(one: &[u8], other: &[u8]) -> bool {
    let differ = one.iter().zip(other).fold(0, |differ, (a, b)| black_box(differ | (a ^ b)));
    one.len() == other.len() && differ == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const NOW: u64 = 1_000_000;

    fn made(directory: &Path, name: &str, expires_ms: Option<u64>) -> Secret {
        Tokens::create(directory, name, Role::Read, expires_ms, NOW).unwrap()
    }

    fn known(directory: &Path, secret: &str, now_ms: u64) -> Option<String> {
        let tokens = Tokens::load(directory).unwrap();
        tokens.find(secret, now_ms).map(|token| token.name.clone())
    }

    #[test]
    fn a_token_is_known_by_itself_alone_until_it_is_revoked() {
        let temp = tempfile::tempdir().unwrap();
        let state = temp.path();
        let (one, other) = (made(state, "one", None), made(state, "other", None));
        assert_ne!(one.reveal(), other.reveal());
        assert_eq!(one.reveal().len(), PREFIX.len() + 43);
        assert_eq!(known(state, one.reveal(), NOW).as_deref(), Some("one"));
        assert_eq!(known(state, other.reveal(), NOW).as_deref(), Some("other"));
        let shorter = &one.reveal()[..one.reveal().len() - 1];
        for wrong in ["", shorter, &format!("{}x", one.reveal()), "one"] {
            assert_eq!(known(state, wrong, NOW), None, "{wrong}");
        }
        Tokens::revoke(state, "one", NOW).unwrap();
        assert_eq!(known(state, one.reveal(), NOW), None);
        assert_eq!(known(state, other.reveal(), NOW).as_deref(), Some("other"));
        assert_eq!(Tokens::revoke(state, "one", NOW), Err(TokenError::Unknown));
        assert_eq!(Tokens::load(state).unwrap().all().len(), 2, "it stays in the file");
    }

    #[test]
    fn a_token_ends_at_its_time() {
        let temp = tempfile::tempdir().unwrap();
        let secret = made(temp.path(), "short", Some(NOW + 10));
        assert!(known(temp.path(), secret.reveal(), NOW + 9).is_some());
        assert_eq!(known(temp.path(), secret.reveal(), NOW + 10), None);
    }

    #[test]
    fn the_file_has_no_token_and_is_the_persons_own() {
        let temp = tempfile::tempdir().unwrap();
        let secret = made(temp.path(), "one", None);
        let text = fs::read_to_string(Tokens::file(temp.path())).unwrap();
        assert!(text.contains(&sha256_hex(secret.reveal().as_bytes())));
        assert!(!text.contains(secret.reveal()) && !text.contains(&secret.reveal()[10..30]));
        assert_eq!(format!("{secret:?}"), "Secret");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = fs::metadata(Tokens::file(temp.path())).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }

    #[test]
    fn a_name_is_one_of_a_token_that_is_accepted() {
        let temp = tempfile::tempdir().unwrap();
        let create = |name: &str| Tokens::create(temp.path(), name, Role::Write, None, NOW);
        for wrong in ["", "a b", "a/b", "\u{fc}", "a\n", &"x".repeat(MAX_NAME + 1)] {
            assert_eq!(create(wrong).unwrap_err(), TokenError::Name, "{wrong:?}");
        }
        create("ci.bot-1_x").unwrap();
        assert_eq!(create("ci.bot-1_x").unwrap_err(), TokenError::Taken);
        Tokens::revoke(temp.path(), "ci.bot-1_x", NOW).unwrap();
        create("ci.bot-1_x").unwrap();
    }

    #[test]
    fn a_file_that_cannot_be_read_lets_nobody_in_and_is_not_overwritten() {
        let temp = tempfile::tempdir().unwrap();
        let file = Tokens::file(temp.path());
        assert_eq!(Tokens::load(temp.path()), Ok(Tokens::default()));
        for text in ["", "{", "{\"version\":2,\"tokens\":[]}", "[]"] {
            fs::write(&file, text).unwrap();
            let broken = StateError::BrokenTokens { path: file.clone() };
            assert_eq!(Tokens::load(temp.path()), Err(broken.clone()), "{text}");
            let made = Tokens::create(temp.path(), "one", Role::Read, None, NOW);
            assert_eq!(made.unwrap_err(), TokenError::State(broken));
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
        }
        let told = Tokens::load(temp.path()).unwrap_err().to_string();
        assert!(told.contains("everybody on this machine") && told.contains("token create"));
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        let made = Tokens::create(temp.path(), "one", Role::Read, None, NOW).unwrap_err();
        assert_eq!(made, TokenError::State(StateError::BrokenTokens { path: file }));
    }

    /// It must not be said of it that it is to be removed: then nobody would need a token.
    #[cfg(unix)]
    #[test]
    fn a_file_that_the_system_refuses_is_not_called_broken() {
        let temp = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("tokens.json", Tokens::file(temp.path())).unwrap();
        let refused = Tokens::load(temp.path());
        assert!(matches!(refused, Err(StateError::At { .. })), "{refused:?}");
        fs::remove_file(Tokens::file(temp.path())).unwrap();
        std::os::unix::fs::symlink("gone", Tokens::file(temp.path())).unwrap();
        assert!(matches!(Tokens::load(temp.path()), Err(StateError::BrokenTokens { .. })));
    }

    #[test]
    fn beyond_the_most_tokens_the_first_that_has_ended_is_forgotten() {
        let temp = tempfile::tempdir().unwrap();
        let row = |number: usize, end: Option<u64>| Token {
            name: format!("n{number}"),
            role: Role::Read,
            created_ms: NOW,
            expires_ms: end,
            revoked_ms: None,
            sha256: String::new(),
        };
        let mut tokens = Tokens { rows: (0..MAX_ROWS).map(|number| row(number, None)).collect() };
        fs::write(Tokens::file(temp.path()), tokens.print()).unwrap();
        let create = || Tokens::create(temp.path(), "new", Role::Read, None, NOW);
        assert_eq!(create().unwrap_err(), TokenError::Full);
        tokens.rows[7] = row(7, Some(NOW));
        fs::write(Tokens::file(temp.path()), tokens.print()).unwrap();
        create().unwrap();
        let rows = Tokens::load(temp.path()).unwrap().rows;
        assert!(rows.len() == MAX_ROWS && rows.iter().all(|token| token.name != "n7"));
    }
}
