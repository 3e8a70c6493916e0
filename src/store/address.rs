//! Where a store is: `sqlite:PATH` or `postgres://…`.

use crate::text::SafeText;
use std::fmt;
use std::path::{Path, PathBuf};

/// Where a store is.
#[derive(Clone, PartialEq, Eq)]
pub enum Address {
    /// A file.
    Sqlite(PathBuf),
    /// A server, as a URL. It may hold a password, so it is shown only by [`Address::shown`].
    Postgres(String),
}

/// Why a text is no address. It is not quoted, since it may hold a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    #[error("a store is written `sqlite:PATH` or `postgres://USER@HOST/DATABASE`")]
    Unknown,
    #[error("the path after `sqlite:` is empty")]
    NoPath,
    #[error("the path after `sqlite:` must be absolute, or begin with ~/")]
    Relative,
}

impl Address {
    /// Reads an address. A relative path begins at `base`, one with `~/` at `home`.
    ///
    /// # Errors
    /// [`AddressError`].
    pub fn parse(
        text: &str,
        base: Option<&Path>,
        home: Option<&Path>,
    ) -> Result<Self, AddressError> {
        let text = text.trim();
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Ok(Self::Postgres(text.to_owned()));
        }
        let path = text.strip_prefix("sqlite:").ok_or(AddressError::Unknown)?;
        let path = path.strip_prefix("//").unwrap_or(path);
        if path.is_empty() {
            return Err(AddressError::NoPath);
        }
        let joined = match (path.strip_prefix("~/"), home, base) {
            (Some(rest), Some(home), _) => home.join(rest),
            (None, _, Some(base)) => base.join(path),
            (None, _, None) if Path::new(path).is_absolute() => PathBuf::from(path),
            _ => return Err(AddressError::Relative),
        };
        Ok(Self::Sqlite(joined))
    }

    /// For people and logs: without a password.
    pub fn shown(&self) -> String {
        match self {
            Self::Sqlite(path) => format!("sqlite:{}", path.display()),
            Self::Postgres(url) => without_secrets(url),
        }
    }

    /// The same as safe text.
    pub fn inert(&self) -> SafeText {
        SafeText::line(&self.shown())
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.shown())
    }
}

/// What is written for an address, without a password; also of what is none.
pub fn shown_as_written(text: &str) -> String {
    match text.split_once("://") {
        _ if text.starts_with("sqlite:") => text.to_owned(),
        Some(_) => without_secrets(text),
        // `user:password@host`, or the options of a server: nobody knows which of them is secret.
        None => match text.find(['@', '=', '?', '#']) {
            Some(end) => format!("{}…", text[..end].split(':').next().unwrap_or_default()),
            None => text.to_owned(),
        },
    }
}

/// A URL without password and options: an option may be a password too.
///
/// A password may hold `@`, `/`, `?` and `#` that nobody has escaped, so all before the last `@` is
/// secret but for the name of the user. An option may hold an `@` as well: where the last one may
/// be an option's, nothing behind it is shown either.
fn without_secrets(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("postgres", url));
    let (before, after) = rest.rsplit_once('@').unwrap_or(("", rest));
    let user = before.split([':', '/', '?', '#', '@']).next().unwrap_or_default();
    let has_options = before.split_once(['?', '#']).is_some_and(|(_, end)| end.contains('='));
    let place = after.split(['?', '#']).next().filter(|_| !has_options).unwrap_or("…");
    let at = if user.is_empty() { "" } else { "@" };
    format!("{scheme}://{user}{at}{place}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_file_or_a_server() {
        let parse = |text| Address::parse(text, None, Some(Path::new("/home/me")));
        assert_eq!(parse("sqlite:/srv/a.db"), Ok(Address::Sqlite("/srv/a.db".into())));
        assert_eq!(parse("sqlite:///srv/a.db"), Ok(Address::Sqlite("/srv/a.db".into())));
        assert_eq!(parse(" sqlite:~/a.db "), Ok(Address::Sqlite("/home/me/a.db".into())));
        assert_eq!(parse("sqlite:a.db"), Err(AddressError::Relative));
        assert_eq!(parse("sqlite:"), Err(AddressError::NoPath));
        assert_eq!(parse("mysql://h/d"), Err(AddressError::Unknown));
        assert_eq!(
            Address::parse("sqlite:a.db", Some(Path::new("/srv")), None),
            Ok(Address::Sqlite("/srv/a.db".into()))
        );
        assert!(matches!(parse("postgresql://h/d"), Ok(Address::Postgres(_))));
    }

    #[test]
    fn no_password_is_shown() {
        for (url, shown) in [
            ("postgres://me:secret@host:5432/team", "postgres://me@host:5432/team"),
            ("postgres://me:se@cret@host/team?x=secret", "postgres://me@host/team"),
            ("postgres://host/team?password=secret&user=me", "postgres://host/team"),
            ("postgres://me:secret@host", "postgres://me@host"),
            ("postgres://me:se/cret@host:1/db", "postgres://me@host:1/db"),
            ("postgres://me:se?cret@host/db?x=y", "postgres://me@host/db"),
            ("postgres://me:se#cret@host/db", "postgres://me@host/db"),
            ("postgres://:se/cret@host/db", "postgres://host/db"),
            ("postgres://me@host/db?password=se@cret", "postgres://me@…"),
            ("postgres://host/db?password=se@cret", "postgres://host@…"),
            ("postgres://host/db", "postgres://host/db"),
        ] {
            let address = Address::parse(url, None, None).unwrap();
            assert_eq!((address.shown(), format!("{address:?}")), (shown.into(), shown.into()));
        }
    }
    proptest::proptest! {
        #[test]
        fn no_part_of_a_password_is_shown(
            password in "[A-Z/?#@:=&%]{0,24}[A-Z]",
            option in "(\\?[a-z]=[A-Z@/?#=&]{1,8})?",
        ) {
            let url = format!("postgres://me:{password}@host:1/db{option}");
            let shown = Address::parse(&url, None, None).unwrap().shown();
            let leaks = shown.chars().any(|letter| letter.is_ascii_uppercase());
            proptest::prop_assert!(!leaks && shown.starts_with("postgres://me@"), "{} {}", url, shown);
        }
    }

    #[test]
    fn what_is_no_address_is_shown_as_it_is_written_but_for_a_password() {
        for (text, shown) in [
            ("mysql:x", "mysql:x"),
            ("", ""),
            ("/srv/a.db", "/srv/a.db"),
            ("mysql://me:secret@host/team", "mysql://me@host/team"),
            ("me:secret@host", "me…"),
            ("host=h password=secret", "host…"),
            ("sqlite:/srv/a=b.db", "sqlite:/srv/a=b.db"),
        ] {
            assert_eq!(shown_as_written(text), shown);
        }
    }
}
