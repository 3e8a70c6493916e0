//! `skillpick compose`: write a prompt with skills in it, and print it or start its agent with it.

use super::pick::preferred;
use super::{Exit, Failure, Place, linear, open, support};
use crate::catalog::{Draft, HostId, MAX_PROMPT, cleaned};
use crate::inert;
use crate::output::terminal::Lines;
use crate::output::{Out, terminal};
use crate::panes;
use crate::text::{SafeText, human_size};
use crate::tui;
use crate::tui::front::{ComposeStart, Composed, Outcome, Pick, Way};
use crate::workspace::{Workspace, host_of_command, prompts};
use clap::Args;
use std::fs::File;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Debug, Args)]
pub(super) struct Options {
    #[command(flatten)]
    given: Given,
    /// Write for this agent; in the screen, Tab changes it
    #[arg(long = "for", value_name = "AGENT")]
    preferred: Option<String>,
    /// Talk line by line instead of drawing a screen; the variable ACCESSIBLE does the same
    #[arg(long)]
    linear: bool,
    /// Start the agent with the prompt, instead of printing it
    #[arg(long)]
    exec: bool,
    /// Write this file's text and put it back into the file: for an agent that opens its prompt in
    /// `$VISUAL`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["text", "file", "exec"])]
    edit: Option<PathBuf>,
}

/// What a prompt begins with; the dock has the same options.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct Given {
    /// Begin with this text in place of the draft
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    text: Option<String>,
    /// Begin with the text of this file; `-` is stdin
    #[arg(long, value_name = "FILE", conflicts_with = "text")]
    file: Option<PathBuf>,
    /// Put the texts of the skills before the prompt
    #[arg(long)]
    inject: bool,
    /// Do not keep the prompt in the history of this repository
    #[arg(long)]
    no_history: bool,
}

impl Given {
    pub(super) fn text(text: &str) -> Self {
        Self { text: Some(text.to_owned()), ..Self::default() }
    }

    /// What a screen begins with.
    pub(super) fn start(&self, workspace: &Workspace, way: Way) -> Result<ComposeStart, Failure> {
        let text = self.draft()?;
        let remember = !self.no_history && workspace.config.values.history.value;
        let inject = self.inject;
        Ok(ComposeStart { text, inject, way, alone: true, remember, submit: false })
    }
}

pub(super) fn run(place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    if let Some(file) = &options.edit {
        return edit(place, options, file, out);
    }
    let workspace = open(place, options.preferred.as_deref(), out)?;
    let way = if options.exec { Way::Start } else { Way::Print };
    let start = options.given.start(&workspace, way)?;
    let remember = start.remember;
    match write(place, &workspace, start, options.linear)? {
        Outcome::Composed(composed) => hand_over(&workspace, &composed, remember, out),
        Outcome::Signal(number) => Ok(Exit::Signal(number)),
        Outcome::Picked(..) | Outcome::Left => Ok(Exit::Left),
    }
}

/// Is an agent's editor: what is written goes into the file. To leave without it is no failure, as
/// it is none of an editor.
fn edit(place: &Place, options: &Options, file: &Path, out: &mut Out) -> Result<Exit, Failure> {
    let mut workspace = open(place, options.preferred.as_deref(), out)?;
    if options.preferred.is_none() {
        let (environment, cwd) = (&workspace.context.environment, &workspace.context.cwd);
        let callers = panes::callers(environment, cwd.clone());
        let agent = callers.iter().find_map(|line| host_of_command(line.split_whitespace()));
        let agent = agent.and_then(|(host, _)| preferred(&workspace, host.id.word()).ok());
        workspace.preferred = agent.or(workspace.preferred);
    }
    // One that nobody writes to would be waited for.
    if file.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return Err(Failure::failed(inert!("{} is no regular file", SafeText::path(file))));
    }
    let before = read(file)?;
    let is_crlf = ends_in_crlf(&before);
    let (text, end) = before.split_at(without_last_end(&before).len());
    let given = Given { text: Some(text.to_owned()), ..options.given.clone() };
    let unchanged = cleaned(text).0;
    let put = |_: &mut Out, text: &str| {
        // What nobody changed keeps what a prompt cannot hold.
        if text == unchanged {
            return Ok(());
        }
        let end = if text.is_empty() { "" } else { end };
        // Only the texts of skills have carriage returns.
        let text = match is_crlf {
            true => text.replace("\r\n", "\n").replace('\n', "\r\n"),
            false => text.to_owned(),
        } + end;
        prompts::put_back(file, &before, &text).map_err(|error| {
            Failure::failed(inert!("{}: {}", SafeText::path(file), error.to_string()))
        })
    };
    let start = given.start(&workspace, Way::Back)?;
    Ok(match put_back(place, &workspace, (start, options.linear), put, out)? {
        Exit::Left => Exit::Done,
        exit => exit,
    })
}

/// Lets the person write on a text, line by line if `linear` says so, and hands what was written to
/// `put`. If that fails, the draft stays.
pub(super) fn put_back(
    place: &Place,
    workspace: &Workspace,
    (start, linear): (ComposeStart, bool),
    put: impl FnOnce(&mut Out, &str) -> Result<(), Failure>,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let remember = start.remember;
    let composed = match write(place, workspace, start, linear)? {
        Outcome::Composed(composed) => composed,
        Outcome::Signal(number) => return Ok(Exit::Signal(number)),
        Outcome::Picked(..) | Outcome::Left => return Ok(Exit::Left),
    };
    deliver(workspace, &composed, remember, put, out)
}

/// The workspace in which a prompt is written, for this agent if one is named.
pub(super) fn open(place: &Place, word: Option<&str>, out: &mut Out) -> Result<Workspace, Failure> {
    let mut workspace = open::detecting(place, None)?;
    open::check_settings(&workspace.config, out)?;
    let named = word.map(|word| on_this_machine(&workspace, word)).transpose()?;
    workspace.preferred = named.or_else(|| workspace.remembered_agent());
    Ok(workspace)
}

/// The agent of this word. No prompt can be written for one that is not on this machine, since it is
/// not known which skills it would find.
fn on_this_machine(workspace: &Workspace, word: &str) -> Result<HostId, Failure> {
    let host = preferred(workspace, word)?;
    if workspace.host_contexts.iter().any(|host_context| host_context.host.id == host) {
        return Ok(host);
    }
    let failure = Failure::failed(inert!("--for {}: it is not on this machine", word));
    Err(failure.with("skillpick hosts lists the agents that are"))
}

/// Lets the person write; `what` names the screen in a message.
pub(super) fn screen(
    place: &Place,
    workspace: &Workspace,
    start: ComposeStart,
    what: &'static str,
) -> Result<Outcome, Failure> {
    if let Some(why) = terminal::absent() {
        let failure = Failure::failed(inert!("{} needs a terminal: {}", what, why));
        let failure = if what == "compose" { linear::cure(failure) } else { failure };
        return Err(failure.with(OTHERWISE));
    }
    let pick = Pick {
        workspace: workspace.clone().with_unseen(),
        query: String::new(),
        scope: place.scope(),
        multi: true,
        print0: false,
        height: None,
        compose: Some(start),
    };
    tui::run(pick).map_err(|error| Failure::failed(inert!("{}: {}", what, error.to_string())))
}

const OTHERWISE: &str = "without one: skillpick mention SKILL, or resolve --inject for a prompt on \
                         stdin";

/// Lets the person write, on a screen or line by line.
fn write(
    place: &Place,
    workspace: &Workspace,
    start: ComposeStart,
    linear: bool,
) -> Result<Outcome, Failure> {
    if !linear::is_wanted(linear, workspace) {
        return screen(place, workspace, start, "compose");
    }
    let lines = Lines::open();
    let mut lines = lines.ok_or_else(|| Failure::failed("--linear needs a terminal to talk on"))?;
    let composed = linear::compose(workspace, start, &mut lines)
        .map_err(|error| Failure::failed(inert!("the terminal: {}", error.to_string())))?;
    Ok(composed.map_or(Outcome::Left, |composed| Outcome::Composed(Box::new(composed))))
}

impl Given {
    /// The text that was given to begin with.
    fn draft(&self) -> Result<Option<Draft>, Failure> {
        if let Some(text) = &self.text {
            return match text.len() > MAX_PROMPT {
                true => Err(too_large(SafeText::fixed("--text"))),
                false => Ok(Some(Draft::of_text(text))),
            };
        }
        let Some(file) = &self.file else { return Ok(None) };
        Ok(Some(Draft::of_text(without_last_end(&read(file)?))))
    }
}

/// The text of a file, or of stdin.
fn read(file: &Path) -> Result<String, Failure> {
    let is_stdin = file == Path::new("-");
    let from = if is_stdin { SafeText::fixed("stdin") } else { SafeText::path(file) };
    let failed = |error: std::io::Error| Failure::failed(inert!("{}: {}", from, error.to_string()));
    let mut bytes = Vec::new();
    let most = MAX_PROMPT as u64 + 1;
    match is_stdin {
        true => std::io::stdin().take(most).read_to_end(&mut bytes),
        false => File::open(file).and_then(|file| file.take(most).read_to_end(&mut bytes)),
    }
    .map_err(failed)?;
    if bytes.len() > MAX_PROMPT {
        return Err(too_large(from));
    }
    String::from_utf8(bytes).map_err(|_| Failure::failed(inert!("{} is not UTF-8", from)))
}

fn too_large(from: SafeText) -> Failure {
    let most = human_size(MAX_PROMPT as u64);
    Failure::failed(inert!("{}: a prompt has at most {}; nothing was changed", from, most))
}

fn without_last_end(text: &str) -> &str {
    text.strip_suffix("\r\n").or_else(|| text.strip_suffix('\n')).unwrap_or(text)
}

/// Whether every line ends as on Windows.
fn ends_in_crlf(text: &str) -> bool {
    let count = text.matches("\r\n").count();
    count > 0 && count == text.matches('\n').count() && count == text.matches('\r').count()
}

/// Prints a prompt, or starts its agent. If that fails, the draft stays.
pub(super) fn hand_over(
    workspace: &Workspace,
    composed: &Composed,
    remember: bool,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let Composed { view, sending, written, .. } = composed;
    match sending.way {
        Way::Print | Way::Pane | Way::Back => {
            let put = |out: &mut Out, text: &str| {
                Ok(support::text(out, text).and_then(|()| out.deliver())?)
            };
            deliver(workspace, composed, remember, put, out)
        }
        Way::Start => {
            written.notices.iter().for_each(|notice| out.say(notice));
            let line = workspace.start_line(sending.host, &written.text);
            let (program, arguments) = line.map_err(|error| {
                let failure = Failure::failed(SafeText::line(&error.to_string()));
                not_lost(failure, workspace, composed, out)
            })?;
            composed.sent(workspace, remember).iter().for_each(|notice| out.say(notice));
            workspace.remember(view, &written.skills);
            let mut command = Command::new(&program);
            command.args(arguments);
            start(command).map_err(|error| {
                let program = SafeText::path(&program);
                let what = inert!("{} is not started: {}", program, error.to_string());
                not_lost(Failure::failed(what), workspace, composed, out)
            })
        }
    }
}

/// Hands a prompt to `put`. If that fails, the draft stays.
pub(super) fn deliver(
    workspace: &Workspace,
    composed: &Composed,
    remember: bool,
    put: impl FnOnce(&mut Out, &str) -> Result<(), Failure>,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let Composed { view, written, .. } = composed;
    written.notices.iter().for_each(|notice| out.say(notice));
    put(out, &written.text).map_err(|failure| not_lost(failure, workspace, composed, out))?;
    composed.sent(workspace, remember).iter().for_each(|notice| out.say(notice));
    workspace.remember(view, &written.skills);
    Ok(Exit::Done)
}

/// Keeps a prompt that was not handed over as the draft; if that cannot be, stderr gets it.
fn not_lost(
    failure: Failure,
    workspace: &Workspace,
    composed: &Composed,
    out: &mut Out,
) -> Failure {
    let Err(error) = composed.unsent(workspace) else {
        return failure.with("the prompt is kept as a draft");
    };
    out.quote(&composed.sending.draft.text(|pill| format!("${}", pill.name)));
    failure.with(inert!("the draft is not kept, so the prompt stands above: {}", error.to_string()))
}

/// Runs the agent in place of this process, with the terminal as its input.
fn start(mut command: Command) -> std::io::Result<Exit> {
    if !std::io::stdin().is_terminal() {
        command.stdin(File::options().read(true).write(true).open("/dev/tty")?);
    }
    replace(command)
}

#[cfg(unix)]
fn replace(mut command: Command) -> std::io::Result<Exit> {
    use std::os::unix::process::CommandExt;
    Err(command.exec())
}

#[cfg(not(unix))]
fn replace(mut command: Command) -> std::io::Result<Exit> {
    let status = command.status()?;
    Ok(if status.success() { Exit::Done } else { Exit::Failed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_line_ends_of_windows_if_all_of_its_lines_have() {
        for (text, expected) in [
            ("a\r\nb", true),
            ("a\r\n", true),
            ("a", false),
            ("a\r\nb\n", false),
            ("a\r\rb\r\n", false),
            ("a\nb", false),
        ] {
            assert_eq!(ends_in_crlf(text), expected, "{text:?}");
        }
        assert_eq!(without_last_end("a\r\nb\r\n"), "a\r\nb");
    }
}
