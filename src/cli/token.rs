//! `skillpick token`.

use super::{Exit, Failure, Place, open};
use crate::inert;
use crate::output::Out;
use crate::output::token::TokenDocument;
use crate::text::SafeText;
use crate::workspace::Workspace;
use crate::workspace::clock::now_ms;
use crate::workspace::tokens::{Role, Secret, TokenError};
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(super) struct Options {
    #[command(subcommand)]
    action: Action,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Make a token and print it, this once
    Create(Create),
    /// Print which tokens there are
    List,
    /// Refuse a token from now on
    Revoke {
        /// Its name
        #[arg(value_name = "NAME")]
        name: String,
    },
}

#[derive(Debug, Args)]
struct Create {
    /// A name for it, by which it is listed, logged and revoked
    #[arg(value_name = "NAME")]
    name: String,
    /// What it is good for; each role includes those before it
    #[arg(long, value_name = "ROLE", default_value = "read",
          value_parser = PossibleValuesParser::new(Role::ALL.map(Role::word)))]
    role: String,
    /// How long it is accepted: 12h, 90d, 52w [default: until it is revoked]
    #[arg(long, value_name = "TIME", value_parser = milliseconds)]
    expires: Option<u64>,
}

pub(super) fn run(place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = open::open(place, &[], None)?;
    let (action, secret) = match &options.action {
        Action::Create(create) => {
            let role = Role::from_word(&create.role).unwrap_or(Role::Read);
            let made = workspace.create_token(&create.name, role, create.expires);
            ("create", Some(made.map_err(|error| refused(&create.name, &error))?))
        }
        Action::Revoke { name } => {
            workspace.revoke_token(name).map_err(|error| refused(name, &error))?;
            ("revoke", None)
        }
        Action::List => ("list", None),
    };
    let told = report(&workspace, options, (action, secret.as_ref()), out);
    match (&options.action, told) {
        (Action::Create(create), Err(failure)) => Err(unshown(&workspace, &create.name, failure)),
        (_, told) => told,
    }
}

/// A token that nobody has seen is of no use, and its name is taken.
fn unshown(workspace: &Workspace, name: &str, failure: Failure) -> Failure {
    let why = match failure {
        Failure::Output(error) => inert!("stdout cannot be written: {}", error.to_string()),
        failure => return failure,
    };
    let shown = SafeText::line(name);
    match workspace.revoke_token(name) {
        Ok(()) => Failure::failed(inert!("{}: {}", shown, why)).with("the token is revoked again"),
        Err(error) => Failure::failed(inert!("{}: {}", shown, why)).with(inert!(
            "the token is valid all the same, since it cannot be revoked: {}",
            SafeText::line(&error.to_string())
        )),
    }
}

fn report(
    workspace: &Workspace,
    options: &Options,
    (action, secret): (&'static str, Option<&Secret>),
    out: &mut Out,
) -> Result<Exit, Failure> {
    let tokens = workspace.tokens().map_err(|error| Failure::failed(error.to_string()))?;
    let document = TokenDocument::of(action, secret, tokens.all(), now_ms());
    if options.json {
        out.json(&document)?;
    } else if action != "revoke" {
        document.print(out)?;
    }
    match &options.action {
        Action::Create(create) => {
            out.deliver()?;
            let name = SafeText::line(&create.name);
            out.say(inert!("made the token '{}' ({}); it is not shown again", name, *create.role));
        }
        Action::Revoke { name } => out.say(inert!("revoked the token '{}'", SafeText::line(name))),
        Action::List if tokens.all().is_empty() => out.say("there are no tokens"),
        Action::List => {}
    }
    Ok(Exit::Done)
}

fn refused(name: &str, error: &TokenError) -> Failure {
    let message = inert!("{}: {}", SafeText::line(name), SafeText::line(&error.to_string()));
    if *error == TokenError::Unknown { Failure::missing(message) } else { Failure::failed(message) }
}

/// The longest time that a token is accepted for. It ends in a year of four digits, as times are
/// written.
const LONGEST: u64 = 1_000 * 365 * 24 * 60 * 60_000;

/// A length of time as milliseconds: a number and one of `m`, `h`, `d`, `w`.
fn milliseconds(text: &str) -> Result<u64, String> {
    let wrong = || "a number and m, h, d or w, such as 90d".to_owned();
    let unit = text.chars().last().ok_or_else(wrong)?;
    let minutes = match unit {
        'm' => 1,
        'h' => 60,
        'd' => 24 * 60,
        'w' => 7 * 24 * 60,
        _ => return Err(wrong()),
    };
    let count: u64 = text[..text.len() - 1].parse().map_err(|_| wrong())?;
    let time = count.saturating_mul(minutes * 60_000);
    match time {
        0 => Err(wrong()),
        1..=LONGEST => Ok(time),
        _ => Err("at most 1000 years, 365000d; without --expires it has no end".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::milliseconds;

    #[test]
    fn a_length_of_time_is_a_number_and_a_unit() {
        assert_eq!(milliseconds("1m"), Ok(60_000));
        assert_eq!(milliseconds("12h"), Ok(43_200_000));
        assert_eq!(milliseconds("2w"), Ok(14 * 86_400_000));
        for wrong in ["", "d", "1", "0d", "-1d", "1.5d", "1y", "1\u{fc}"] {
            assert!(milliseconds(wrong).is_err(), "{wrong}");
        }
        assert_eq!(milliseconds("365000d"), Ok(365_000 * 86_400_000));
        for long in ["365001d", "99999999999d", "99999999999999999w"] {
            assert!(milliseconds(long).is_err_and(|why| why.contains("365000d")), "{long}");
        }
    }
}
