//! The outer launcher: keeps the time, adopts orphans, and ends every process that is left.

#[cfg(not(target_os = "linux"))]
use super::NoDomain as Domain;
#[cfg(target_os = "linux")]
use super::domain::Domain;
use super::processes::{self, Living};
use super::{INNER, limits};
use crate::sandbox::pinned::PinnedPath;
use crate::sandbox::plan::{Plan, Report, read_plan, reports, send};
use crate::sandbox::{Ceiling, Exit, Part, Sandbox, bubblewrap};
use crate::text::not_started;
use rustix::process::{
    Pid, Signal, WaitOptions, WaitStatus, getpid, kill_process_group, setsid, wait,
};
use std::collections::HashSet;
use std::io::{self, BufRead, BufReader};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long helpers may go on after the script has ended by itself.
const LINGER: Duration = Duration::from_millis(150);

/// How long the last report may take to come through after the process that sent it has ended. It
/// was written before; only the thread that reads it may be late, on a starved machine.
const LAST_REPORT: Duration = Duration::from_secs(10);

/// Time between TERM and KILL if the caller has cancelled or is gone. It is short, since nobody
/// waits for the result.
const CUT: Duration = Duration::from_millis(200);

/// How long the launcher tries to end what is left.
const SWEEP: Duration = Duration::from_millis(1_500);

/// How long it goes on after its report, if some are left then.
const AFTERWARDS: Duration = Duration::from_secs(60);

/// How often it looks at what the processes take together.
const LOOK: Duration = Duration::from_millis(250);

/// The signal to a process that would make a file larger than it may.
const XFSZ: i32 = Signal::XFSZ.as_raw();

/// What the launcher waits for.
enum Event {
    /// A child or an adopted orphan has ended.
    Ended(Pid, WaitStatus),
    /// No descendant is left.
    Alone,
    /// The inner launcher has sent a report.
    Report(Report),
    /// The inner launcher has become the interpreter, or ended.
    Silent,
    /// The caller has cancelled, or is gone.
    Cut,
}

pub(super) fn main() -> ExitCode {
    close_inherited();
    let Ok(mut caller) = own_stdin() else { return ExitCode::FAILURE };
    let Ok(hearing) = caller.try_clone() else { return ExitCode::FAILURE };
    let mut hearing = BufReader::new(hearing);
    let (report, outer) = match read_plan(&mut hearing) {
        Ok(plan) => launch(&plan, hearing),
        Err(error) => (Report::NotStarted { reason: error.to_string() }, None),
    };
    let sent = send(&mut caller, &report);
    if let Some(mut outer) = outer {
        outer.sweep(Instant::now() + AFTERWARDS);
    }
    if sent.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Closes what our parent left open. The script must not inherit it: a socket would lead out.
fn close_inherited() {
    for place in ["/proc/self/fd", "/dev/fd"] {
        let Ok(entries) = std::fs::read_dir(place) else { continue };
        let open: Vec<i32> = entries
            .flatten()
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .collect();
        // The descriptor of the directory is among them; it is closed by now, and that is harmless.
        for number in open.into_iter().filter(|number| *number > 2) {
            let _ = nix::unistd::close(number);
        }
        return;
    }
}

/// Our stdin, which is a socket to the caller.
fn own_stdin() -> io::Result<UnixStream> {
    Ok(UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?))
}

/// Runs the script; the report, and what still has to be swept.
fn launch(plan: &Plan, caller: BufReader<UnixStream>) -> (Report, Option<Outer>) {
    // Detaches from the terminal, so that its signals and keys do not reach us.
    let _ = setsid();
    let adopted = match plan.lacking.contains(&Part::Orphans) {
        true => Err(io::ErrorKind::Unsupported.into()),
        false => processes::adopt(),
    };
    let adopts = adopted.is_ok();
    if let (Err(error), true) = (adopted, plan.sandbox != Sandbox::Off) {
        return (Report::Refused { part: Part::Orphans, reason: error.to_string() }, None);
    }
    let domain = Domain::of(plan);
    let (sender, events) = channel();
    match start(plan, caller, sender) {
        Ok(main) => {
            let deadline = Instant::now() + Duration::from_millis(plan.timeout_ms);
            let mut outer = Outer {
                main,
                events,
                domain,
                adopts,
                reports_ended: false,
                no_descendants: false,
                last: None,
            };
            let report = outer.see_through(plan, deadline);
            let is_left = !outer.no_descendants;
            (report, is_left.then_some(outer))
        }
        Err(report) => (report, None),
    }
}

/// Starts the inner launcher, and threads that send its reports, the end of every process and that
/// the lifeline is cut.
fn start(plan: &Plan, caller: BufReader<UnixStream>, sender: Sender<Event>) -> Result<Pid, Report> {
    let failed = |error: io::Error| Report::NotStarted { reason: not_started(&error) };
    let own = std::env::current_exe().map_err(failed)?;
    let (mut ours, theirs) = UnixStream::pair().map_err(failed)?;
    let mut command = match (plan.sandbox, &plan.bubblewrap) {
        (Sandbox::Bubblewrap, Some(program)) => {
            let mut command = Command::new(PathBuf::from(program));
            let places = |places: &[PinnedPath]| {
                places.iter().map(|place| place.path.clone()).collect::<Vec<_>>()
            };
            let read: Vec<_> = plan.system.iter().cloned().chain(places(&plan.read)).collect();
            command.args(bubblewrap::arguments(&read, &places(&plan.write), &plan.directory, &own));
            command
        }
        _ => Command::new(own),
    };
    let child = command.arg(INNER).env_clear().stdin(Stdio::from(OwnedFd::from(theirs))).spawn();
    // The command holds the other end. Otherwise EOF never arrives.
    drop(command);
    let main = Pid::from_child(&child.map_err(failed)?);
    let watched = ours.try_clone().and_then(|hearing| {
        hear(hearing, sender.clone())?;
        reap(sender.clone())?;
        listen(caller, sender)
    });
    // Without its plan the inner launcher runs nothing, and ends with us.
    watched.map_err(failed)?;
    let _ = send(&mut ours, plan);
    Ok(main)
}

/// Sends the reports of the inner launcher.
fn hear(inner: UnixStream, sender: Sender<Event>) -> io::Result<()> {
    let body = move || {
        for report in reports(inner) {
            let _ = sender.send(Event::Report(report));
        }
        let _ = sender.send(Event::Silent);
    };
    thread::Builder::new().spawn(body).map(drop)
}

/// Sends the end of every process.
fn reap(sender: Sender<Event>) -> io::Result<()> {
    let body = move || {
        loop {
            match wait(WaitOptions::empty()) {
                Ok(Some((pid, status))) => drop(sender.send(Event::Ended(pid, status))),
                Ok(None) | Err(rustix::io::Errno::INTR) => {}
                Err(_) => return drop(sender.send(Event::Alone)),
            }
        }
    };
    thread::Builder::new().spawn(body).map(drop)
}

/// Sends an event when the caller's end of the lifeline is cut.
fn listen(caller: BufReader<UnixStream>, sender: Sender<Event>) -> io::Result<()> {
    let body = move || {
        let _ = caller.lines().map_while(Result::ok).count();
        let _ = sender.send(Event::Cut);
    };
    thread::Builder::new().spawn(body).map(drop)
}

/// The state of a run.
struct Outer {
    main: Pid,
    events: Receiver<Event>,
    /// Where there is none, processes are ended as they are found.
    domain: Option<Domain>,
    /// Whether orphans become our children, so that the kernel tells of their end.
    adopts: bool,
    /// Whether the inner launcher's end of the socket is closed.
    reports_ended: bool,
    /// Whether no descendant is left.
    no_descendants: bool,
    /// The inner launcher's last report.
    last: Option<Report>,
}

impl Outer {
    fn see_through(&mut self, plan: &Plan, deadline: Instant) -> Report {
        let exit = self.until(deadline, plan);
        let grace = Duration::from_millis(plan.grace_ms);
        let grace = match exit {
            Exit::Code(_) | Exit::Signal(_) | Exit::Over(_) => None,
            Exit::TimedOut => Some(grace),
            Exit::Cancelled => Some(grace.min(CUT)),
        };
        if let Some(grace) = grace {
            let _ = kill_process_group(self.main, Signal::TERM);
            let _ = self.until_ended(Instant::now() + grace);
        }
        if !matches!(exit, Exit::Over(_)) {
            self.settle(Instant::now() + LINGER);
        }
        let exit = match exit {
            Exit::Code(1..) | Exit::Signal(_) if limits::was_beyond(plan.limits) => {
                Exit::Over(Ceiling::Memory)
            }
            exit => exit,
        };
        let stragglers = self.sweep(Instant::now() + SWEEP);
        // Our own children and, since we adopt orphans, all descendants are gone only if the
        // kernel has none to wait for. What a look at the processes does not find proves nothing.
        let all_ended = self.no_descendants && self.adopts;
        let survivors = if all_ended { 0 } else { processes::descendants(getpid()).len() };
        let ended = Report::Ended { exit, stragglers, all_ended, survivors };
        self.conclude(exit, ended, plan.sandbox)
    }

    /// What is reported: that the script has `ended`, or why it never began.
    fn conclude(&mut self, exit: Exit, ended: Report, sandbox: Sandbox) -> Report {
        if matches!(exit, Exit::Code(_) | Exit::Signal(_)) {
            self.hear_out(Instant::now() + LAST_REPORT);
        }
        match self.last.take() {
            Some(Report::Ready) => ended,
            Some(report) => report,
            // We ended it before it could begin.
            None if matches!(exit, Exit::Cancelled | Exit::TimedOut | Exit::Over(_)) => ended,
            None if sandbox == Sandbox::Bubblewrap => Report::Refused {
                part: Part::Bubblewrap,
                reason: format!("bwrap ended with {exit:?}"),
            },
            None => {
                Report::NotStarted { reason: format!("the inner launcher ended with {exit:?}") }
            }
        }
    }

    /// How the script ended, or why it has to be ended now.
    fn until(&mut self, deadline: Instant, plan: &Plan) -> Exit {
        let mut look = Instant::now() + LOOK;
        loop {
            match self.next(deadline.min(look)) {
                Some(Event::Ended(pid, status)) if pid == self.main => {
                    let signal = status.terminating_signal();
                    return exit_of(status.exit_status(), signal, plan.sandbox);
                }
                Some(Event::Cut) => return Exit::Cancelled,
                _ => {}
            }
            let now = Instant::now();
            if now >= deadline {
                return Exit::TimedOut;
            }
            if now >= look {
                if let Some(ceiling) = limits::exceeded(getpid(), plan.limits) {
                    return Exit::Over(ceiling);
                }
                look = now + LOOK;
            }
        }
    }

    fn until_ended(&mut self, deadline: Instant) -> Option<WaitStatus> {
        loop {
            match self.next(deadline)? {
                Event::Ended(pid, status) if pid == self.main => return Some(status),
                _ => {}
            }
        }
    }

    /// Waits until no process is left and all reports have come, but no longer than this.
    fn settle(&mut self, deadline: Instant) {
        while !(self.no_descendants && self.reports_ended) && self.next(deadline).is_some() {}
    }

    /// Waits until all reports have come.
    fn hear_out(&mut self, deadline: Instant) {
        while !self.reports_ended && self.next(deadline).is_some() {}
    }

    fn next(&mut self, deadline: Instant) -> Option<Event> {
        let event =
            self.events.recv_timeout(deadline.saturating_duration_since(Instant::now())).ok()?;
        match &event {
            Event::Report(report) => self.last = Some(report.clone()),
            Event::Silent => self.reports_ended = true,
            Event::Alone => self.no_descendants = true,
            _ => {}
        }
        Some(event)
    }

    /// Ends every process that is left, and says how many there were.
    fn sweep(&mut self, deadline: Instant) -> usize {
        let mut met: HashSet<Living> = HashSet::new();
        while !self.no_descendants && Instant::now() < deadline {
            match &self.domain {
                Some(domain) => {
                    met.extend(processes::descendants(getpid()));
                    domain.kill_all();
                }
                None => {
                    let _ = kill_process_group(self.main, Signal::KILL);
                    met.extend(processes::end_descendants(getpid()));
                }
            }
            self.settle(deadline.min(Instant::now() + Duration::from_millis(10)));
        }
        met.len()
    }
}

fn exit_of(code: Option<i32>, signal: Option<i32>, sandbox: Sandbox) -> Exit {
    match (code, signal) {
        // bwrap tells of a signal by a code, which a script can also have of itself.
        (Some(code), _) if code == 128 + XFSZ && sandbox == Sandbox::Bubblewrap => {
            Exit::Over(Ceiling::FileSize)
        }
        (None, Some(XFSZ)) => Exit::Over(Ceiling::FileSize),
        (Some(code), _) => Exit::Code(code),
        (None, Some(number)) => Exit::Signal(number),
        (None, None) => Exit::Code(-1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bubblewrap_tells_by_a_code_that_a_file_grew() {
        let (code, grown) = (Some(128 + XFSZ), Exit::Over(Ceiling::FileSize));
        for sandbox in [Sandbox::On, Sandbox::Off] {
            assert_eq!(exit_of(code, None, sandbox), Exit::Code(128 + XFSZ));
            assert_eq!(exit_of(None, Some(XFSZ), sandbox), grown);
        }
        assert_eq!(exit_of(code, None, Sandbox::Bubblewrap), grown);
    }

    #[test]
    fn a_report_that_is_read_after_the_end_of_its_process_counts() {
        let (sender, events) = channel();
        let mut outer = Outer {
            main: getpid(),
            events,
            domain: None,
            adopts: true,
            reports_ended: false,
            no_descendants: true,
            last: None,
        };
        let exit = Exit::Code(0);
        let ended = Report::Ended { exit, stragglers: 0, all_ended: true, survivors: 0 };
        // The kernel has told of the end; the thread that reads the reports is late.
        sender.send(Event::Report(Report::Ready)).unwrap();
        sender.send(Event::Silent).unwrap();
        let told = outer.conclude(exit, ended, Sandbox::On);
        assert!(matches!(told, Report::Ended { exit: Exit::Code(0), .. }), "{told:?}");
    }
}
