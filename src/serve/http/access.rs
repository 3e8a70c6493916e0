//! Whose token a request has. Tokens are read for each request, so that one that was revoked a
//! moment ago is refused.

use crate::workspace::tokens::{Bearer, Role, Tokens};
use hyper::HeaderMap;
use hyper::header::AUTHORIZATION;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unknown {
    /// A token is needed, and there is none.
    NoToken,
    /// It was never made, was revoked, or has ended.
    Token,
    /// The tokens cannot be read, so nobody is known.
    Unreadable,
}

pub(super) struct Access {
    /// The state directory.
    directory: Option<PathBuf>,
    /// Whether everybody needs a token: others can connect, or there has been a token. It stays
    /// needed, since whoever revokes the last token does not mean to let in everybody.
    needed: AtomicBool,
}

impl Access {
    pub(super) fn new(directory: Option<PathBuf>, needed: bool) -> Self {
        Self { directory, needed: AtomicBool::new(needed) }
    }

    /// Who sends this request; `None` on this machine while there are no tokens.
    pub(super) fn bearer(&self, headers: &HeaderMap) -> Result<Option<Bearer>, Unknown> {
        let tokens = self.tokens()?;
        if !tokens.all().is_empty() {
            self.needed.store(true, Ordering::Relaxed);
        }
        if !self.needed.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let secret = secret(headers).ok_or(Unknown::NoToken)?;
        Bearer::among(&tokens, secret).map(Some).ok_or(Unknown::Token)
    }

    /// Whether this one may go on.
    pub(super) fn still_holds(&self, bearer: &Bearer) -> bool {
        self.tokens().is_ok_and(|tokens| bearer.holds(&tokens))
    }

    fn tokens(&self) -> Result<Tokens, Unknown> {
        let Some(directory) = &self.directory else { return Ok(Tokens::default()) };
        Tokens::load(directory).map_err(|_| Unknown::Unreadable)
    }
}

/// Whether this one may do what needs this role. Without tokens there is only this machine.
pub(super) fn may(bearer: Option<&Bearer>, needed: Role) -> bool {
    bearer.is_none_or(|bearer| bearer.role >= needed)
}

/// The one token of a request.
fn secret(headers: &HeaderMap) -> Option<&str> {
    let mut given = headers.get_all(AUTHORIZATION).iter();
    let (Some(header), None) = (given.next(), given.next()) else { return None };
    let (scheme, secret) = header.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::HeaderValue;

    fn headers(values: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(AUTHORIZATION, HeaderValue::from_str(value).unwrap());
        }
        headers
    }

    #[test]
    fn without_tokens_this_machine_needs_none_and_others_do() {
        let temp = tempfile::tempdir().unwrap();
        let state = || Some(temp.path().to_owned());
        assert_eq!(Access::new(state(), false).bearer(&headers(&[])), Ok(None));
        assert_eq!(Access::new(state(), true).bearer(&headers(&[])), Err(Unknown::NoToken));
    }

    #[test]
    fn once_there_was_a_token_one_is_needed_even_after_the_last_was_revoked() {
        let temp = tempfile::tempdir().unwrap();
        let access = Access::new(Some(temp.path().to_owned()), false);
        let secret = Tokens::create(temp.path(), "ci", Role::Read, None, 1).unwrap();
        let bearer = format!("bEaReR {}", secret.reveal());
        assert_eq!(access.bearer(&headers(&[])), Err(Unknown::NoToken));
        let known = access.bearer(&headers(&[&bearer])).unwrap().unwrap();
        assert_eq!((known.name.as_str(), known.role), ("ci", Role::Read));
        assert!(access.still_holds(&known));
        for wrong in [&[&bearer[..], &bearer][..], &["Basic x"], &["Bearer"], &["Bearer "]] {
            assert!(access.bearer(&headers(wrong)).is_err(), "{wrong:?}");
        }
        Tokens::revoke(temp.path(), "ci", 2).unwrap();
        assert_eq!(access.bearer(&headers(&[&bearer])), Err(Unknown::Token));
        assert!(!access.still_holds(&known));
        std::fs::remove_file(Tokens::file(temp.path())).unwrap();
        assert_eq!(access.bearer(&headers(&[])), Err(Unknown::NoToken), "until it starts again");
        std::fs::write(Tokens::file(temp.path()), "{").unwrap();
        assert_eq!(access.bearer(&headers(&[&bearer])), Err(Unknown::Unreadable));
    }

    #[test]
    fn a_role_includes_those_before_it() {
        let bearer = |role| Bearer { name: "x".to_owned(), role, created_ms: 0 };
        for (number, role) in Role::ALL.into_iter().enumerate() {
            for (needed_number, needed) in Role::ALL.into_iter().enumerate() {
                assert_eq!(may(Some(&bearer(role)), needed), number >= needed_number);
            }
        }
        assert!(may(None, Role::Admin));
    }
}
