//! `skillpick` without a command: the picker, and its answers without a screen (`-f`, `-1`, `-0`).

use super::linear::{self, Ended, Start};
use super::{Exit, Failure, Place, compose, find, open, support};
use crate::catalog::HostId;
use crate::config::{FORMATS, Origin};
use crate::inert;
use crate::output::selection::{self, Format, Printed};
use crate::output::terminal::Lines;
use crate::output::{Out, terminal};
use crate::policy::Refusal;
use crate::search::{Context, Hit, Query};
use crate::tui;
use crate::tui::front::{Composed, Height, Outcome, Pick};
use crate::workspace::{View, Workspace, one_host};
use clap::Args;
use clap::builder::PossibleValuesParser;
use std::collections::BTreeMap;

#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Picker")]
pub(super) struct Options {
    /// Start with this query
    #[arg(short, long, value_name = "QUERY")]
    query: Option<String>,
    /// Pick without a screen if the query finds exactly one skill that can be picked
    #[arg(short = '1', long)]
    select_1: bool,
    /// End with exit code 1, without a screen, if the query finds nothing
    #[arg(short = '0', long)]
    exit_0: bool,
    /// Print everything that the query finds, best first, without a screen
    #[arg(short, long, value_name = "QUERY", conflicts_with_all = ["query", "select_1", "exit_0"])]
    filter: Option<String>,
    /// Write the pick for this agent's prompt, where several would take it differently
    #[arg(long = "for", value_name = "AGENT")]
    preferred: Option<String>,
    /// The format of a pick
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(FORMATS))]
    format: Option<String>,
    /// End each skill of the selection with NUL
    #[arg(long)]
    print0: bool,
    /// Pick at most one skill
    #[arg(long)]
    no_multi: bool,
    /// Talk line by line instead of drawing a screen, for screen readers and terminals without a
    /// cursor; the variable ACCESSIBLE does the same
    #[arg(long, conflicts_with = "height")]
    linear: bool,
    /// Draw below the shell's prompt, with this many rows or this share of the screen
    #[arg(long, value_name = "N|N%", value_parser = height)]
    height: Option<Height>,
}

fn height(text: &str) -> Result<Height, String> {
    let (number, of): (&str, fn(u16) -> Height) = match text.strip_suffix('%') {
        Some(number) => (number, Height::Percent),
        None => (text, Height::Rows),
    };
    let most = if text.ends_with('%') { 100 } else { u16::MAX };
    match number.parse::<u16>() {
        Ok(number) if (1..=most).contains(&number) => Ok(of(number)),
        _ => Err("write a number of rows, or 1% to 100%".to_owned()),
    }
}

pub(super) fn run(place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    let (mut workspace, told) = opened(place, options)?;
    workspace.for_named = told.is_some();
    workspace.preferred = told.or_else(|| remembered(&workspace));
    if place.ask {
        let waits = options.filter.is_some() || options.select_1 || options.exit_0;
        workspace = match waits || linear::is_wanted(options.linear, &workspace) {
            true => open::asked(&workspace, out)?,
            // The rows come when the answers are there.
            false => workspace.asking(),
        };
    }
    let picker = Picker { workspace: &workspace, place, options };
    if let Some(text) = &options.filter {
        open::check_settings(&workspace.config, out)?;
        let query = find::query(text, &workspace)?;
        return picker.filter(&query, out);
    }
    // Broken settings deny everything, so there is nothing to choose from; the picker reports it.
    if (options.select_1 || options.exit_0) && !workspace.config.user_broken() {
        let query = find::query(options.query.as_deref().unwrap_or_default(), &workspace)?;
        if let Some(exit) = picker.decide(&query, out)? {
            return Ok(exit);
        }
    }
    match picker.choose(out)? {
        Chosen::Picked(view, indexes) => picker.picked(&view, &indexes, out),
        Chosen::Composed(composed) => compose::hand_over(&workspace, &composed, true, out),
        Chosen::Left(exit) => Ok(exit),
    }
}

/// The workspace, and the agent that `--for` names. Where nobody has said through which agent to
/// look, and not every agent's skills are there, it is that one.
fn opened(place: &Place, options: &Options) -> Result<(Workspace, Option<HostId>), Failure> {
    let workspace = open::detecting(place, options.format.clone())?;
    let Some(word) = options.preferred.as_deref() else { return Ok((workspace, None)) };
    let is_named = workspace.config.values.host.origin != Origin::Default;
    let host = named(word)?;
    let workspace = match is_named || workspace.is_every() || workspace.host.id == host {
        true => workspace,
        false => open::detecting(&place.through(Some(host.word())), options.format.clone())?,
    };
    let host = preferred(&workspace, word)?;
    Ok((workspace, Some(host)))
}

/// The agent for which a person picks here, as they said before. A view through one agent says it
/// itself.
fn remembered(workspace: &Workspace) -> Option<HostId> {
    workspace.is_every().then(|| workspace.remembered_agent()).flatten()
}

/// Hands the mentions of the skills that a person picks to `put`, or the prompt that was composed
/// instead, for this agent. If that fails, the draft stays.
///
/// # Errors
/// A failure, also that of `put`.
pub(super) fn mentions(
    place: &Place,
    options: &Options,
    agent: Option<HostId>,
    put: impl FnOnce(&mut Out, &str) -> Result<(), Failure>,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let place = place.through(agent.map(HostId::word));
    let mut workspace = open::detecting(&place, Some(Format::Mention.word().to_owned()))?;
    workspace.preferred = remembered(&workspace);
    let picker = Picker { workspace: &workspace, place: &place, options };
    match picker.choose(out)? {
        Chosen::Left(exit) => Ok(exit),
        Chosen::Composed(composed) => compose::deliver(&workspace, &composed, true, put, out),
        Chosen::Picked(view, indexes) => {
            let bytes = picker.printed(&view, &indexes)?.bytes;
            put(out, String::from_utf8_lossy(&bytes).trim_end_matches('\n'))?;
            workspace.remember(&view, &indexes);
            Ok(Exit::Done)
        }
    }
}

/// How the picker was left.
enum Chosen {
    Picked(Box<View>, Vec<usize>),
    /// A prompt was written instead.
    Composed(Box<Composed>),
    Left(Exit),
}

/// The agent for which a pick is written. In a view through one agent it can only be that one.
pub(super) fn preferred(workspace: &Workspace, word: &str) -> Result<HostId, Failure> {
    let host = named(word)?;
    if !workspace.is_every() && workspace.host.id != host {
        let through = workspace.host.id.word();
        let what = inert!("--for {}: the view is that of {}", word, through);
        return Err(Failure::failed(what).with(find::EVERY));
    }
    Ok(host)
}

/// The agent that `--for` names.
fn named(word: &str) -> Result<HostId, Failure> {
    let host = one_host(word).map_err(|unknown| {
        let failure = Failure::failed(inert!("--for {}: {}", word, unknown.to_string()));
        failure.with("skillpick hosts --all lists them")
    })?;
    Ok(host.id)
}

struct Picker<'a> {
    workspace: &'a Workspace,
    place: &'a Place,
    options: &'a Options,
}

impl Picker<'_> {
    /// Everything that the query finds.
    fn filter(&self, query: &Query, out: &mut Out) -> Result<Exit, Failure> {
        let (view, hits) = self.find(query);
        open::warn_about_roots(&view, out)?;
        if view.rows.is_empty() {
            open::report_no_skills(&view, out);
            return Ok(Exit::Missing);
        }
        if hits.is_empty() {
            return Err(self.nothing(query));
        }
        let indexes: Vec<usize> = hits.iter().map(|hit| hit.index as usize).collect();
        let (mut pickable, others): (Vec<usize>, Vec<usize>) =
            indexes.into_iter().partition(|index| view.rows[*index].entry.pickable());
        called_first(&view, &mut pickable);
        if pickable.is_empty() {
            return Err(support::not_pickable(self.workspace, &view, &others));
        }
        let wanted = if self.options.no_multi { &pickable[..1] } else { &pickable[..] };
        let (format, print0) = self.format();
        let printed = selection::print(&view, wanted, format, print0);
        // A skill that cannot be printed does not keep back the others.
        for (index, why) in &printed.refused {
            out.message(&why.refusal(&view.rows[*index].entry).lines());
        }
        self.hand_over(&printed, out)?;
        Ok(if printed.refused.len() == wanted.len() { Exit::Missing } else { Exit::Done })
    }

    /// What `-1` and `-0` decide without a screen; none if the person has to choose.
    fn decide(&self, query: &Query, out: &mut Out) -> Result<Option<Exit>, Failure> {
        let (view, hits) = self.find(query);
        if hits.is_empty() && self.options.exit_0 {
            return Err(self.nothing(query));
        }
        if !self.options.select_1 || hits.is_empty() {
            return Ok(None);
        }
        let matches = hits.iter().filter(|hit| hit.reason.is_match());
        let indexes = matches.map(|hit| hit.index as usize);
        let (pickable, others): (Vec<usize>, Vec<usize>) =
            indexes.partition(|index| view.rows[*index].entry.pickable());
        match (pickable.as_slice(), others.as_slice()) {
            ([_], _) => self.picked(&view, &pickable, out).map(Some),
            ([], [_]) => Err(support::not_pickable(self.workspace, &view, &others)),
            _ => Ok(None),
        }
    }

    /// Lets the person choose on a screen, or line by line.
    fn choose(&self, out: &mut Out) -> Result<Chosen, Failure> {
        if linear::is_wanted(self.options.linear, self.workspace) {
            return self.line_by_line(out);
        }
        self.screen()
    }

    fn screen(&self) -> Result<Chosen, Failure> {
        if let Some(why) = terminal::absent() {
            let failure = Failure::failed(inert!("the picker needs a terminal: {}", why));
            let cure = "without one: skillpick list, search QUERY, show SKILL, check, or -f QUERY";
            return Err(linear::cure(failure).with(cure));
        }
        let pick = Pick {
            workspace: self.workspace.clone().with_unseen(),
            query: self.options.query.clone().unwrap_or_default(),
            scope: self.place.scope(),
            multi: !self.options.no_multi,
            print0: self.options.print0,
            height: self.options.height,
            compose: None,
        };
        let outcome = tui::run(pick)
            .map_err(|error| Failure::failed(inert!("the picker: {}", error.to_string())))?;
        Ok(match outcome {
            Outcome::Picked(view, indexes) if view.complete => {
                Chosen::Picked(Box::new(view), indexes)
            }
            Outcome::Picked(early, indexes) => {
                // Only a complete view tells whether a name is unique.
                let mut view = self.workspace.view();
                (view.listing.preferred, view.listing.chosen) = (early.preferred, early.chosen);
                let place = |index: &usize| {
                    let path = &early.rows.entry(*index)?.skill.path;
                    view.rows.index_of(path)
                };
                let indexes: Vec<usize> = indexes.iter().filter_map(place).collect();
                Chosen::Picked(Box::new(view), indexes)
            }
            Outcome::Composed(composed) => Chosen::Composed(composed),
            Outcome::Left => Chosen::Left(Exit::Left),
            Outcome::Signal(number) => Chosen::Left(Exit::Signal(number)),
        })
    }

    fn line_by_line(&self, out: &mut Out) -> Result<Chosen, Failure> {
        open::check_settings(&self.workspace.config, out)?;
        let Some(mut lines) = Lines::open() else {
            return Err(Failure::failed("--linear needs a terminal to talk on"));
        };
        let start = Start {
            query: self.options.query.as_deref().unwrap_or_default(),
            scope: self.place.scope(),
            multi: !self.options.no_multi,
        };
        let ended = linear::run(self.workspace.clone(), &start, &mut lines)
            .map_err(|error| Failure::failed(inert!("the terminal: {}", error.to_string())))?;
        Ok(match ended {
            Ended::Picked(view, indexes) => Chosen::Picked(view, indexes),
            Ended::Left => Chosen::Left(Exit::Left),
        })
    }

    /// What the pick prints: all of it or nothing.
    fn printed(&self, view: &View, indexes: &[usize]) -> Result<Printed, Failure> {
        let (format, print0) = self.format();
        let printed = selection::print(view, indexes, format, print0);
        let Some((index, why)) = printed.refused.first() else { return Ok(printed) };
        let refusal = why.refusal(&view.rows[*index].entry);
        Err(Refusal { failed: true, ..refusal }.into())
    }

    /// Prints the whole pick or nothing, and remembers it.
    fn picked(&self, view: &View, indexes: &[usize], out: &mut Out) -> Result<Exit, Failure> {
        let printed = self.printed(view, indexes)?;
        self.hand_over(&printed, out)?;
        self.workspace.remember(view, indexes);
        Ok(Exit::Done)
    }

    fn hand_over(&self, printed: &Printed, out: &mut Out) -> Result<(), Failure> {
        printed.notices("--for").for_each(|notice| out.say(&notice));
        out.exact(&printed.bytes)?;
        out.finish()?;
        Ok(())
    }

    fn find(&self, query: &Query) -> (View, Vec<Hit>) {
        let view = self.workspace.view();
        let hits = find::find(
            &view,
            query,
            self.place.scope(),
            &Context { frecency: true, ..Context::PLAIN },
        );
        (view, hits)
    }

    /// Names the agent if it was chosen by what is installed.
    fn nothing(&self, query: &Query) -> Failure {
        let failure = Failure::missing(inert!("no skill matches `{}`", query.text()));
        let host = self.workspace.host.id.word();
        match self.workspace.config.values.host.value.as_str() == host {
            true => failure,
            false => failure.with(inert!(
                "searched the view of {}, chosen by what is on this machine; --host chooses another",
                host
            )),
        }
    }

    fn format(&self) -> (Format, bool) {
        let word = self.workspace.config.values.format.value;
        (Format::from_word(word).unwrap_or(Format::Mention), self.options.print0)
    }
}

/// Of the skills of one name, those come first that a person may call in the agent for which the
/// pick is written. Other skills keep their places.
fn called_first(view: &View, picks: &mut [usize]) {
    let mut reports = view.reports.iter();
    let Some(report) = reports.find(|report| Some(report.host) == view.preferred) else { return };
    let is_called = |pick: usize| {
        let index = u32::try_from(pick).unwrap_or(u32::MAX);
        report.lets_call(index, view.rows[pick].skill())
    };
    let mut names: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (place, pick) in picks.iter().enumerate() {
        if let Some(first) = view.rows.copies_of(*pick).first() {
            names.entry(*first).or_default().push(place);
        }
    }
    for places in names.values() {
        let mut copies: Vec<usize> = places.iter().map(|place| picks[*place]).collect();
        copies.sort_by_cached_key(|pick| !is_called(*pick));
        for (place, copy) in places.iter().zip(copies) {
            picks[*place] = copy;
        }
    }
}
