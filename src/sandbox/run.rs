//! The caller's side of a run: starts the launcher, collects what the script writes, and waits for
//! a bounded time.

use super::capture::Collector;
use super::launcher::processes;
use super::pinned::{FileMark, HeldPath};
use super::plan::{self, Plan, Report, send};
use super::{Captured, Left, Part, Prepared, Ran, RunError, Sandbox};
use crate::text::not_started;
use std::io::{self, Read};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How often the caller is asked whether to go on.
const ASK: Duration = Duration::from_millis(50);

/// The launcher counts as failed this long after its own deadlines. It is generous: on a busy
/// machine many processes that end at once take seconds.
const SLACK: Duration = Duration::from_secs(10);

/// How long the streams may stay open after the last process has ended.
const DRAIN: Duration = Duration::from_millis(500);

impl Prepared {
    /// Runs the script and waits for its end: at most the timeout, 2 s after TERM, and 10 s after
    /// KILL.
    ///
    /// # Errors
    /// Except after [`RunError::Launcher`], nothing of the script was run.
    pub fn run(self) -> Result<Ran, RunError> {
        self.run_while(&|| true)
    }

    /// Like [`Prepared::run`], and ends the script as soon as `go_on` is false. It is called twenty
    /// times a second.
    pub fn run_while(self, go_on: &dyn Fn() -> bool) -> Result<Ran, RunError> {
        if self.sandbox == Sandbox::Bubblewrap && self.start.bubblewrap.is_none() {
            return Err(RunError::Sandbox {
                part: Part::Bubblewrap,
                reason: "it is not on the PATH".to_owned(),
            });
        }
        let program = self.command.first().map(String::as_str).unwrap_or_default();
        if FileMark::of(Path::new(program)) != self.start.interpreter {
            return Err(RunError::Interpreter { program: program.to_owned() });
        }
        let started = Instant::now();
        let mut watch = Watch::start(&self)
            .map_err(|error| RunError::Launcher { reason: not_started(&error) })?;
        let limit = self.timeout + self.start.launcher.grace() + SLACK;
        let report = watch.report(started + limit, go_on);
        if report.is_err() {
            watch.end_all();
        }
        let goes_on = matches!(report, Err(_) | Ok(Report::Ended { all_ended: false, .. }));
        let (stdout, stderr) = watch.end(goes_on);
        let (exit, stragglers, all_ended, survivors) = match report? {
            Report::Ended { exit, stragglers, all_ended, survivors } => {
                (exit, stragglers, all_ended, survivors)
            }
            Report::Refused { part, reason } => return Err(RunError::Sandbox { part, reason }),
            Report::NotStarted { reason } => return Err(RunError::Start { reason }),
            Report::Ready => {
                return Err(RunError::Launcher { reason: "it ended too early".to_owned() });
            }
        };
        let duration = started.elapsed();
        let left = Left::of(self.start.fresh.path(), all_ended, self.limits.file_size);
        let mut entries = self.start.fresh.path().read_dir();
        let is_empty = entries.as_mut().is_ok_and(|entries| entries.next().is_none());
        let kept = (!is_empty).then(|| self.start.fresh.keep());
        Ok(Ran { exit, stdout, stderr, duration, stragglers, all_ended, survivors, kept, left })
    }

    fn plan(&self) -> Plan {
        let script = self.start.copy.path().join(&self.start.relative);
        let mut words = self.words(&script).into_iter();
        let places = |held: &[HeldPath]| held.iter().map(|held| held.pinned.clone()).collect();
        Plan {
            program: words.next().unwrap_or_default(),
            arguments: words.collect(),
            environment: self.start.variables.clone(),
            directory: self.directory.clone().into(),
            sandbox: self.sandbox,
            system: self.start.system.iter().map(|place| place.clone().into()).collect(),
            read: places(&self.start.read),
            write: places(&self.start.write),
            bubblewrap: self.start.bubblewrap.clone().map(Into::into),
            timeout_ms: millis(self.timeout),
            limits: self.limits,
            grace_ms: millis(self.start.launcher.grace()),
            lacking: self.start.launcher.lacking().to_vec(),
            newest_landlock: self.start.launcher.newest_landlock(),
        }
    }
}

struct Watch {
    child: Child,
    lifeline: Option<UnixStream>,
    reports: Receiver<Report>,
    streams: [Stream; 2],
}

impl Watch {
    fn start(prepared: &Prepared) -> io::Result<Self> {
        let (mut ours, theirs) = UnixStream::pair()?;
        let mut child = Command::new(prepared.start.launcher.program()?)
            .arg(super::launcher::WORD)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::from(std::os::fd::OwnedFd::from(theirs)))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let heard = ours.try_clone().and_then(|hearing| {
            let streams = [Stream::new(child.stdout.take())?, Stream::new(child.stderr.take())?];
            Ok((streams, hear(hearing)?))
        });
        // Without a plan the launcher runs nothing.
        let (streams, reports) = heard.inspect_err(|_| {
            let _ = child.kill();
            let _ = child.wait();
        })?;
        // If the launcher is gone already, the missing report is the error.
        let _ = send(&mut ours, &prepared.plan());
        Ok(Self { child, lifeline: Some(ours), reports, streams })
    }

    /// Waits for the last report. If `go_on` is false the lifeline is cut, which ends the script.
    fn report(&mut self, limit: Instant, go_on: &dyn Fn() -> bool) -> Result<Report, RunError> {
        let failed = |reason: &str| RunError::Launcher { reason: reason.to_owned() };
        loop {
            let left = limit.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(failed("it did not end in time; processes of the script may be left"));
            }
            match self.reports.recv_timeout(ASK.min(left)) {
                Ok(Report::Ready) => {}
                Ok(report) => return Ok(report),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(failed("it ended without a word"));
                }
                Err(RecvTimeoutError::Timeout) if !go_on() => {
                    if let Some(lifeline) = self.lifeline.take() {
                        let _ = lifeline.shutdown(std::net::Shutdown::Write);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Ends what a failed launcher may have left. Its descendants can be found while it exists.
    fn end_all(&self) {
        processes::end_descendants(rustix::process::Pid::from_child(&self.child));
    }

    /// Ends the launcher, and returns what the script wrote. A launcher that still has processes to
    /// end goes on without us: without it they would be nobody's.
    fn end(mut self, goes_on: bool) -> (Captured, Captured) {
        if let Some(lifeline) = self.lifeline.take() {
            let _ = lifeline.shutdown(std::net::Shutdown::Write);
        }
        if goes_on {
            // Without a thread its end is not taken note of until we end, too.
            let _ = thread::Builder::new().spawn(move || self.child.wait());
        } else {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
        let limit = Instant::now() + DRAIN;
        let [stdout, stderr] = self.streams;
        (stdout.end(limit), stderr.end(limit))
    }
}

/// The launcher's reports, read on a thread of its own.
fn hear(launcher: UnixStream) -> io::Result<Receiver<Report>> {
    let (sender, reports) = channel();
    thread::Builder::new().spawn(move || {
        let _ = plan::reports(launcher).try_for_each(|report| sender.send(report));
    })?;
    Ok(reports)
}

/// A stream of the script, read on a thread of its own. The thread outlives the run only if some
/// process keeps the stream open.
struct Stream {
    collector: Arc<Mutex<Collector>>,
    done: Receiver<()>,
}

impl Stream {
    fn new(source: Option<impl Read + Send + 'static>) -> io::Result<Self> {
        let collector = Arc::new(Mutex::new(Collector::default()));
        let (sender, done) = channel();
        let target = Arc::clone(&collector);
        thread::Builder::new().spawn(move || {
            let mut buffer = vec![0; 64 << 10];
            let Some(mut source) = source else { return };
            loop {
                match source.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(length) => lock(&target).take(&buffer[..length]),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(_) => break,
                }
            }
            let _ = sender.send(());
        })?;
        Ok(Self { collector, done })
    }

    fn end(self, limit: Instant) -> Captured {
        let _ = self.done.recv_timeout(limit.saturating_duration_since(Instant::now()));
        lock(&self.collector).captured()
    }
}

fn lock(collector: &Mutex<Collector>) -> std::sync::MutexGuard<'_, Collector> {
    collector.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
