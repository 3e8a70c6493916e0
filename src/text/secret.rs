//! Passwords in addresses, which are shown nowhere: also not where a person wrote the address into
//! a wrong place.

/// Options of an address that hold no secret, and without which another server may be meant.
const HARMLESS: [&str; 4] = ["sslmode", "sslrootcert", "hostaddr", "connect_timeout"];

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

/// A text as it is, or without its password if somebody wrote an address there.
pub fn unless_address(text: &str) -> String {
    if text.contains("://") { shown_as_written(text) } else { text.to_owned() }
}

/// A URL without its password, and without options that may be one too.
///
/// A password may hold `@`, `/`, `?` and `#` that nobody has escaped, so all before the last `@` is
/// secret but for the name of the user. An option may hold an `@` as well: where the last one may
/// be an option's, nothing behind it is shown either.
pub fn without_secrets(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("postgres", url));
    let (before, after) = rest.rsplit_once('@').unwrap_or(("", rest));
    let user = before.split([':', '/', '?', '#', '@']).next().unwrap_or_default();
    let at = if user.is_empty() { "" } else { "@" };
    if before.split_once(['?', '#']).is_some_and(|(_, end)| end.contains('=')) {
        return format!("{scheme}://{user}{at}…");
    }
    let place = after.split(['?', '#']).next().unwrap_or_default();
    let options = after.strip_prefix(place).and_then(|rest| rest.strip_prefix('?'));
    let is_harmless = |option: &&str| {
        let (key, value) = option.split_once('=').unwrap_or_default();
        HARMLESS.contains(&key) && !value.contains(['?', '#'])
    };
    let shown: Vec<&str> = options.unwrap_or_default().split('&').filter(is_harmless).collect();
    let mark = if shown.is_empty() { "" } else { "?" };
    format!("{scheme}://{user}{at}{place}{mark}{}", shown.join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn what_should_be_no_address_is_left_as_it_is_unless_it_is_one() {
        for (text, shown) in [
            ("me@host", "me@host"),
            ("ctrl-=", "ctrl-="),
            ("postgres://me:secret@host/team", "postgres://me@host/team"),
        ] {
            assert_eq!(unless_address(text), shown);
        }
    }
}
