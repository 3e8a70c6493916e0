//! `skillpick prompt`.

use super::{Exit, Failure, Place, open, support};
use crate::inert;
use crate::output::Out;
use crate::output::prompt::PromptDocument;
use crate::policy::Limits;
use crate::runtime::dialect::Dialect;
use crate::runtime::prompt::{Format, Style, prompt};
use crate::text::{SafeText, shell};
use crate::workspace::Workspace;
use clap::Args;
use clap::builder::PossibleValuesParser;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// The format [default: that of the dialect, or agentskills]
    #[arg(long, value_name = "FORMAT",
        value_parser = PossibleValuesParser::new(Format::ALL.map(Format::word)))]
    format: Option<String>,
    /// The tools that the rules name, and the host if --host names none [default: the host's own]
    #[arg(long, value_name = "DIALECT",
        value_parser = PossibleValuesParser::new(Dialect::ALL.map(Dialect::word)))]
    dialect: Option<String>,
    /// Let the rules name `skillpick load` and `read` in place of tools, for an agent that types
    /// commands
    #[arg(long, conflicts_with = "dialect")]
    commands: bool,
    /// Include at most N skills
    #[arg(long, value_name = "N")]
    max_entries: Option<usize>,
    /// At most N bytes of text
    #[arg(long, value_name = "N")]
    max_bytes: Option<usize>,
    /// Shorten descriptions to at most N characters
    #[arg(long, value_name = "N")]
    max_description: Option<usize>,
    /// The conversation whose loaded skills the rules list
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Print JSON: the text, and what was left out
    #[arg(long)]
    json: bool,
}

/// The options by which a command that the model types means the same skills and conversation.
fn typed_options(place: &Place, workspace: &Workspace, options: &Options) -> SafeText {
    let scope = place.scope().map(|scope| inert!(" --scope {}", scope.word()));
    let session = options.session.as_ref();
    let session = session.map(|id| inert!(" --session {}", shell::value(id)));
    let (scope, session) = (scope.unwrap_or_default(), session.unwrap_or_default());
    inert!("{}{}{}", workspace.view_options(), scope, session)
}

pub(super) fn run(place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    let dialect = options.dialect.as_deref().and_then(Dialect::from_word);
    let place = place.through(dialect.and_then(Dialect::host));
    let workspace = open::checked(&place, &[], out)?;
    let view = workspace.view();
    open::warn_about_roots(&view, out)?;
    open::warn_about_project(&view, out);
    open::warn_about_off(&view, out);
    let format = options.format.as_deref().and_then(Format::from_word);
    let format = format.or(dialect.map(Dialect::format)).unwrap_or(Format::Agentskills);
    let dialect = dialect.unwrap_or_else(|| Dialect::of_host(workspace.host.id.word()));
    let caller = support::caller(&place, &workspace, &view, options.session.as_deref());
    let session = support::session(&caller, options.session.as_deref())?;
    let active = session.map(|session| caller.usable(&session)).unwrap_or_default();
    let typed = typed_options(&place, &workspace, options);
    let commands = options.commands.then_some(&typed);
    let style = Style { format, dialect, commands, active: &active };
    let asked = Limits {
        entries: options.max_entries,
        bytes: options.max_bytes,
        description: options.max_description,
        ..Limits::NONE
    };
    let catalog = prompt(&view, place.scope(), style, asked.or(view.limits()));
    if options.json {
        out.json(&PromptDocument::of(&catalog, workspace.host.id.word(), format))?;
    } else {
        support::text(out, &catalog.text)?;
    }
    if let Some(most) = catalog.limits.bytes.filter(|most| catalog.text.len() > *most) {
        let length = catalog.text.len();
        out.say(inert!(
            "without any skill the text has {} bytes already, more than {}",
            length,
            most
        ));
    }
    if let Some(most) = catalog.description_limit {
        let what = if catalog.shortened == 1 { "description is" } else { "descriptions are" };
        out.say(inert!("{} {} shortened to {} characters", catalog.shortened, what, most));
    }
    if !catalog.dropped.is_empty() {
        let all = catalog.dropped.len() + catalog.included.len();
        let verb = if catalog.dropped.len() == 1 { "is" } else { "are" };
        out.say(inert!("{} of {} skills {} left out:", catalog.dropped.len(), all, verb));
        for (skill, left) in &catalog.dropped {
            out.add(inert!("{} ({})  {}", skill.name, left.word(), skill.path));
        }
    }
    Ok(Exit::Done)
}
