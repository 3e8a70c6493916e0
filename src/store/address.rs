//! Where a store is: `sqlite:PATH` or `postgres://…`.

use crate::text::SafeText;
use crate::text::secret::without_secrets;
use std::ffi::OsString;
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

    /// As an argument of a command; a password is left out.
    pub fn argument(&self) -> OsString {
        match self {
            Self::Sqlite(path) => {
                let mut address = OsString::from("sqlite:");
                address.push(path);
                address
            }
            Self::Postgres(_) => self.shown().into(),
        }
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.shown())
    }
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
            ("postgres://me:se?sslmode=cret@host/db?sslmode=disable", "postgres://me@…"),
            ("postgres://host/db?password=se?sslmode=cret", "postgres://host/db"),
            ("postgres://host/db?sslmode=se#cret", "postgres://host/db"),
            (
                "postgres://me:x@h/d?sslmode=disable&password=secret&hostaddr=1.2.3.4",
                "postgres://me@h/d?sslmode=disable&hostaddr=1.2.3.4",
            ),
            (
                "postgres://h/d?sslrootcert=/etc/ca.pem&connect_timeout=9",
                "postgres://h/d?sslrootcert=/etc/ca.pem&connect_timeout=9",
            ),
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
}
