//! Whether a request is meant for this server, and not sent by a page of somebody else: a browser
//! sends requests to this machine for any page that it shows, under a name of the page's choice.

use hyper::header::{HOST, ORIGIN};
use hyper::http::request::Parts;
use hyper::http::uri::{Authority, Uri};
use std::net::IpAddr;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Foreign {
    /// There is no `Host`, several, or none that can be read.
    NoHost,
    Host,
    Origin,
}

pub(super) struct Guard {
    /// Whether only this machine can connect.
    is_local: bool,
    hosts: Vec<String>,
    origins: Vec<String>,
}

/// A name by which requests may be sent, as `Host` has it without a port; in lower case.
///
/// # Errors
/// What a name looks like, for the message: no request could have this text.
pub fn host_name(text: &str) -> Result<String, &'static str> {
    let name = text.strip_suffix('.').unwrap_or(text);
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "-._".contains(sign);
    match !name.is_empty() && name.chars().all(is_plain) {
        true => Ok(name.to_ascii_lowercase()),
        false => Err("a name alone, such as skills.example: no scheme, no port, no *"),
    }
}

/// A page's origin as `Origin` has it, in lower case.
///
/// # Errors
/// What an origin looks like, for the message: no request could have this text.
pub fn origin(text: &str) -> Result<String, &'static str> {
    let origin = text.strip_suffix('/').unwrap_or(text).to_ascii_lowercase();
    let parts = origin.split_once("://");
    let is_whole = parts.is_some_and(|(scheme, rest)| {
        let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "+-.".contains(sign);
        let is_scheme = !scheme.is_empty() && scheme.chars().all(is_plain);
        is_scheme && !rest.contains('*') && authority(rest).is_some()
    });
    match is_whole {
        true => Ok(origin),
        false => Err("a scheme and a name, such as https://app.example: no path, no *"),
    }
}

impl Guard {
    /// `hosts` are of [`host_name`], `origins` of [`origin`].
    pub(super) fn new(is_local: bool, hosts: Vec<String>, origins: Vec<String>) -> Self {
        Self { is_local, hosts, origins }
    }

    pub(super) fn check(&self, parts: &Parts) -> Result<(), Foreign> {
        let mut hosts = parts.headers.get_all(HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else { return Err(Foreign::NoHost) };
        let host = host.to_str().ok().and_then(authority).ok_or(Foreign::NoHost)?;
        // A request to a proxy has the name a second time.
        let target = parts.uri.authority();
        if !self.takes(&host) || target.is_some_and(|target| !self.takes(target)) {
            return Err(Foreign::Host);
        }
        let mut origins = parts.headers.get_all(ORIGIN).iter();
        let origin = match (origins.next(), origins.next()) {
            (None, _) => return Ok(()),
            (Some(origin), None) => origin.to_str().map_err(|_| Foreign::Origin)?,
            (Some(_), Some(_)) => return Err(Foreign::Origin),
        };
        let known = self.origins.iter().any(|known| origin.eq_ignore_ascii_case(known));
        if known || is_own(origin, &host) { Ok(()) } else { Err(Foreign::Origin) }
    }

    /// Whether a request may be sent to this name. An address of numbers cannot be another
    /// machine's name for this one.
    fn takes(&self, authority: &Authority) -> bool {
        let host = authority.host().trim_end_matches('.').to_ascii_lowercase();
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        match bare.parse::<IpAddr>() {
            Ok(address) => {
                address.is_loopback() || !self.is_local || self.hosts.iter().any(|it| it == bare)
            }
            Err(_) => host == "localhost" || self.hosts.contains(&host),
        }
    }
}

fn authority(text: &str) -> Option<Authority> {
    text.parse().ok().filter(|_| !text.contains('@'))
}

/// Whether a page of this origin was sent by the server that the request is for.
fn is_own(origin: &str, host: &Authority) -> bool {
    let Ok(origin) = origin.parse::<Uri>() else { return false };
    let scheme = matches!(origin.scheme_str(), Some("http" | "https"));
    scheme && origin.authority().is_some_and(|origin| origin.as_str() == host.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::Request;

    fn check(guard: &Guard, target: &str, headers: &[(&str, &str)]) -> Result<(), Foreign> {
        let mut request = Request::builder().uri(target);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        guard.check(&request.body(()).unwrap().into_parts().0)
    }

    #[test]
    fn only_names_of_this_machine_are_taken() {
        let hosts = ["Skills.example.", "198.51.100.7"].map(|name| host_name(name).unwrap());
        let guard = |is_local| Guard::new(is_local, hosts.to_vec(), Vec::new());
        let (local, open) = (guard(true), guard(false));
        let host = |guard: &Guard, host: &str| check(guard, "/mcp", &[("host", host)]);
        for known in [
            "localhost",
            "LOCALHOST:80",
            "localhost.",
            "127.0.0.1:9",
            "127.9.9.9",
            "[::1]:9",
            "skills.example:1",
            "198.51.100.7:80",
        ] {
            assert_eq!(host(&local, known), Ok(()), "{known}");
            assert_eq!(host(&open, known), Ok(()), "{known}");
        }
        for foreign in
            ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "xlocalhost"]
        {
            assert_eq!(host(&local, foreign), Err(Foreign::Host), "{foreign}");
            assert_eq!(host(&open, foreign), Err(Foreign::Host), "{foreign}");
        }
        for number in ["192.0.2.1:80", "[2001:db8::1]"] {
            assert_eq!(host(&local, number), Err(Foreign::Host), "{number}");
            assert_eq!(host(&open, number), Ok(()), "{number}");
        }
        for none in ["", "a@localhost", "local host", "localhost:x:y", "\u{fc}"] {
            assert_eq!(host(&local, none), Err(Foreign::NoHost), "{none}");
        }
        assert_eq!(check(&local, "/mcp", &[]), Err(Foreign::NoHost));
        let twice = [("host", "localhost"), ("host", "localhost")];
        assert_eq!(check(&local, "/mcp", &twice), Err(Foreign::NoHost));
        let proxied = check(&local, "http://evil.example/mcp", &[("host", "localhost")]);
        assert_eq!(proxied, Err(Foreign::Host));
    }

    #[test]
    fn what_no_request_can_have_is_no_name_and_no_origin() {
        for wrong in ["", ".", "a b", "*.wild", "skills.example:443", "https://a.example", "a/b"] {
            assert!(host_name(wrong).is_err(), "{wrong}");
        }
        for (text, plain) in [
            ("http://localhost:77", "http://localhost:77"),
            ("HTTPS://App.example/", "https://app.example"),
            ("vscode-webview://1a2b", "vscode-webview://1a2b"),
        ] {
            assert_eq!(origin(text).as_deref(), Ok(plain));
        }
        let wrong =
            ["", "*", "null", "evil", "app.example:443", "https://", "https://a/b", "https://*.a"];
        for wrong in wrong {
            assert!(origin(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_page_of_somebody_else_is_refused() {
        let guard = Guard::new(true, Vec::new(), vec![origin("https://App.example/").unwrap()]);
        let from = |origins: &[&str]| {
            let origins = origins.iter().map(|origin| ("origin", *origin));
            let headers: Vec<_> = [("host", "localhost:77")].into_iter().chain(origins).collect();
            check(&guard, "/mcp", &headers)
        };
        for own in [&[][..], &["http://localhost:77"], &["https://app.example"]] {
            assert_eq!(from(own), Ok(()), "{own:?}");
        }
        for foreign in [
            &["http://evil.example"][..],
            &["null"],
            &[""],
            &["http://localhost:78"],
            &["http://localhost"],
            &["ftp://localhost:77"],
            &["localhost:77"],
            &["https://app.example:444"],
            &["https://app.example.evil.example"],
            &["http://localhost:77", "http://evil.example"],
        ] {
            assert_eq!(from(foreign), Err(Foreign::Origin), "{foreign:?}");
        }
    }
}
