//! `skillpick approve`.

use super::args::Place;
use super::failure::{Exit, Failure};
use super::{hand, open};
use crate::inert;
use crate::output::Out;
use crate::runtime::Suspect;
use crate::text::SafeText;
use clap::Args;

/// Lines that are shown, at most.
const MAX_LINES: usize = 40;

/// Options of `approve`.
#[derive(Debug, Args)]
pub(super) struct Options {
    /// A name, a path or a mention
    #[arg(value_name = "SKILL")]
    skill: String,
    /// One of its files, relative to the skill; else its SKILL.md
    #[arg(value_name = "FILE")]
    file: Option<String>,
    /// Without asking
    #[arg(long)]
    yes: bool,
}

pub(super) fn run(place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = open::sound(place, &[], out)?;
    let view = workspace.view();
    let desk = hand::desk(&workspace, &view, None);
    let file = options.file.as_deref();
    let refused = |error| hand::fetch_failure(&error, (Some(&options.skill), file.unwrap_or_default()));
    let suspect = desk.suspect(&options.skill, file).map_err(refused)?;
    let (name, file) = (SafeText::line(&suspect.skill.name), SafeText::path(&suspect.file));
    if !suspect.hidden.any() {
        out.say(&inert!("{} {}: nothing is hidden, so there is nothing to approve", name, file));
        return Ok(Exit::Done);
    }
    let mut lines = vec![inert!("{} {} hides {}:", name, file, SafeText::line(&suspect.hidden.words()))];
    lines.extend(marked_lines(&suspect));
    if !(options.yes || hand::agrees(&lines, "Let models read exactly this text? [y/N]")) {
        let mut rest = lines.into_iter();
        let first = rest.next().unwrap_or_default();
        let failure = rest.fold(Failure::missing(first), Failure::with);
        return Err(failure.with(SafeText::fixed("not approved; to approve it without a terminal: --yes")));
    }
    desk.approve(&suspect).map_err(|error| Failure::failed(SafeText::line(&error.to_string())))?;
    out.say(&inert!("approved: {} {} (sha256:{})", name, file, SafeText::line(&suspect.digest.to_string())));
    Ok(Exit::Done)
}

/// The lines that hide something, with marks.
fn marked_lines(suspect: &Suspect) -> Vec<SafeText> {
    let lines = suspect.text.lines().zip(1_u32..).filter(|(line, _)| SafeText::marks(line) > 0 || line.len() > 400);
    let mut shown: Vec<SafeText> =
        lines.map(|(line, number)| inert!("{}: {}", number, SafeText::clean(line).cut(400))).collect();
    let more = shown.len().saturating_sub(MAX_LINES);
    shown.truncate(MAX_LINES);
    shown.extend((more > 0).then(|| inert!("… and {} more lines", more)));
    shown
}
