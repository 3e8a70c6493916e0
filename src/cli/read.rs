//! `skillpick read`.

use super::choice::{Choices, one_of};
use super::{Exit, Failure, Place, open, support, target};
use crate::output::Out;
use crate::output::resource::ReadDocument;
use crate::policy::{Entry, Origin};
use crate::runtime::{
    By, CallContext, ConsentGate, Contents, Encoding, FetchError, Fetched, ResourceBody, WantedFile,
};
use clap::Args;

const ENCODINGS: Choices<Encoding> = &[
    ("text", "As UTF-8 text; anything else is an error", Encoding::Text),
    ("binary", "Unchanged; in JSON as base64", Encoding::Binary),
];

#[derive(Debug, Args)]
pub(super) struct Options {
    /// A skill's name, path or mention, and a file of it; with --session the skill may be left out
    #[arg(required = true, num_args = 1..=2, value_names = ["SKILL", "PATH"])]
    what: Vec<String>,
    /// How the file is returned
    #[arg(long, value_parser = one_of(ENCODINGS), default_value = "text")]
    encoding: Encoding,
    /// The conversation
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Answer yes if a rule asks
    #[arg(long)]
    yes: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = open::checked(place, &[], out)?;
    let view = workspace.view();
    open::warn_about_store(&view, out);
    let caller = support::caller(place, &workspace, &view, options.session.as_deref());
    let (skill, path) = match options.what.as_slice() {
        [skill, path] => (Some(skill.as_str()), path.as_str()),
        [path] if options.session.is_some() => (None, path.as_str()),
        _ => {
            return Err(Failure::failed("name a skill and one of its files, or give --session"));
        }
    };
    let fetched = fetch(&caller, options, WantedFile { skill, path })?;
    if options.json {
        out.json(&ReadDocument::of(&fetched, path))?;
    } else {
        match &fetched.resource.body {
            ResourceBody::Text(text) => support::text(out, text)?,
            ResourceBody::Binary(_) if out.is_terminal() => {
                return Err(Failure::failed(
                    "bytes are not printed on a terminal; use a pipe or --json",
                ));
            }
            ResourceBody::Binary(bytes) => out.exact(bytes)?,
        }
    }
    fetched.notice().into_iter().for_each(|notice| out.say(&notice));
    Ok(Exit::Done)
}

fn fetch(
    caller: &CallContext<'_>,
    options: &Options,
    wanted: WantedFile<'_>,
) -> Result<Fetched, Failure> {
    let session = support::session(caller, options.session.as_deref())?;
    // A yes counts only for the skill that the question names.
    let mut consent = |entry: &Entry, origin: &Origin, _: Contents| {
        support::consent(caller, entry, origin, options.yes)
    };
    let mut gate = ConsentGate::new(session.as_ref(), By::Model, &mut consent);
    caller.read(wanted, options.encoding, &mut gate).map_err(|error| {
        let failure = Failure::from(caller.file_refusal(&error, wanted));
        match (&error, wanted.skill) {
            (FetchError::Skill(error), Some(skill)) => {
                target::not_loaded(caller, skill, error, failure)
            }
            _ => failure,
        }
    })
}
