//! `skillpick serve`.

use super::{Exit, Failure, Place, open};
use crate::inert;
use crate::output::Out;
use crate::runtime::dialect::Dialect;
use crate::runtime::session::check_id;
use crate::serve::{self, HttpError, HttpOptions};
use crate::text::not_started;
use crate::workspace::Workspace;
use clap::Args;
use clap::builder::PossibleValuesParser;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};

#[derive(Debug, Args)]
pub(super) struct Options {
    /// The names and shapes of the tools, and the host if --host names none [default: our own]
    #[arg(long, value_name = "DIALECT",
          value_parser = PossibleValuesParser::new(Dialect::ALL.map(Dialect::word)))]
    dialect: Option<String>,
    /// Continue the conversation with this id, and remember it
    #[arg(long, value_name = "ID", conflicts_with = "http", value_parser = session)]
    session: Option<String>,
    /// Loading an unchanged skill again is an error
    #[arg(long)]
    strict: bool,
    /// Give answers as data too, and their schemas: for programs, since a model reads a text twice
    #[arg(long)]
    structured: bool,
    /// Serve over HTTP instead: 7331, 127.0.0.1:7331, or with tokens 0.0.0.0:7331; 0 is a free port
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    http: Option<SocketAddr>,
    /// A name of this machine that requests may be sent to, beside localhost
    #[arg(long, value_name = "NAME", requires = "http", value_parser = serve::host_name)]
    allow_host: Vec<String>,
    /// A page from which requests may come, such as https://app.example
    #[arg(long, value_name = "ORIGIN", requires = "http", value_parser = serve::origin)]
    allow_origin: Vec<String>,
}

pub(super) fn run(place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    let dialect = options.dialect.as_deref().and_then(Dialect::from_word);
    let place = place.through(dialect.and_then(Dialect::host));
    let place = place.without_scripts(options.http.is_some());
    let workspace = open::checked(&place, &[], out)?;
    let shapes = serve::Options {
        dialect: dialect.unwrap_or_default(),
        session: options.session.clone(),
        strict: options.strict,
        structured: options.structured,
    };
    let signal = match options.http {
        Some(address) => over_http(workspace, shapes, (address, options), out)?,
        None => {
            let served = Out::duplicate_stdout()
                .and_then(|output| serve::serve(workspace, shapes, io::stdin(), output));
            served.map_err(|error| refused(not_started(&error)))?
        }
    };
    Ok(signal.map_or(Exit::Done, Exit::Signal))
}

fn over_http(
    workspace: Workspace,
    shapes: serve::Options,
    (address, options): (SocketAddr, &Options),
    out: &mut Out,
) -> Result<Option<i32>, Failure> {
    let (hosts, origins) = (options.allow_host.clone(), options.allow_origin.clone());
    let listening = |address: SocketAddr| {
        out.say(inert!("serving on http://{}/mcp", address.to_string()));
    };
    let http = HttpOptions { address, hosts, origins };
    serve::serve_http(workspace, shapes, http, listening).map_err(|error| match &error {
        HttpError::NoToken(_) => Failure::failed(error.to_string())
            .coded("no_token")
            .with("to make one: skillpick token create NAME"),
        HttpError::State(error) => Failure::failed(error.to_string()),
        HttpError::Taken(..) => refused(error.to_string()),
        HttpError::Io(error) => refused(not_started(error)),
    })
}

fn refused(why: String) -> Failure {
    Failure::failed(inert!("the server cannot be started: {}", why))
}

/// The id of a conversation. No call could say what is wrong with it, except to the model.
fn session(text: &str) -> Result<String, String> {
    check_id(text).map(|()| text.to_owned()).map_err(|error| error.to_string())
}

/// An address with a port, or a port of this machine.
fn address(text: &str) -> Result<SocketAddr, String> {
    let here = |port: &str| port.parse().map(|port| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    let port = text.strip_prefix("localhost:").unwrap_or(text);
    let wrong = "an address is numbers and a port, such as 127.0.0.1:7331, or a port alone";
    here(port).or_else(|_| text.parse()).map_err(|_: std::net::AddrParseError| wrong.to_owned())
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn a_port_alone_is_one_of_this_machine() {
        for (text, known) in [
            ("7331", "127.0.0.1:7331"),
            ("localhost:7331", "127.0.0.1:7331"),
            ("0.0.0.0:1", "0.0.0.0:1"),
            ("[::1]:2", "[::1]:2"),
        ] {
            assert_eq!(address(text).unwrap().to_string(), known);
        }
        for wrong in ["", "example.com:80", "127.0.0.1", "70000", ":80", "http://127.0.0.1:80"] {
            assert!(address(wrong).is_err(), "{wrong}");
        }
    }
}
