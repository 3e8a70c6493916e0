//! A terminal for the real program: a pty, a reader that keeps every byte and draws them, answers
//! to questions.
//!
//! A test waits for what it wants to see, and prints the screen if it does not come. Only
//! [`Terminal::agree`] sleeps.

use super::setup::{Answers, Setup};
use super::typing::bytes_of;
use portable_pty::{
    ChildKiller, CommandBuilder, ExitStatus, MasterPty, PtySize, SlavePty, native_pty_system,
};
use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::{InputModes, LocalModes, OptionalActions, tcgetattr, tcsetattr};
use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long a test waits for what it wants: machines are slow.
const PATIENCE: Duration = Duration::from_secs(60);

/// Longer than a new question takes no keys.
const UNMEANT: Duration = Duration::from_millis(400);

struct Shared {
    parser: vt100::Parser,
    raw: Vec<u8>,
    asked: usize,
    status: Option<ExitStatus>,
    /// The reader is to let go of the terminal at the next byte.
    hanging_up: bool,
    /// The reader has ended: nobody holds the other end any more, or it has let go.
    ended: bool,
}

/// The terminal, with the program that runs in it.
pub(super) struct Terminal {
    shared: Arc<(Mutex<Shared>, Condvar)>,
    master: Option<Box<dyn MasterPty + Send>>,
    slave: Option<Box<dyn SlavePty + Send>>,
    writer: Arc<Mutex<Option<Box<dyn Write + Send>>>>,
    killer: Box<dyn ChildKiller + Send + Sync>,
    pid: i32,
    before: String,
    after: Option<String>,
}

fn cells(number: u16) -> NonZeroU16 {
    NonZeroU16::new(number).unwrap_or(NonZeroU16::MIN)
}

fn pty_size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

impl Terminal {
    pub(super) fn start(setup: Setup) -> Self {
        let pair = native_pty_system().openpty(pty_size(setup.columns, setup.rows)).unwrap();
        let mut command = CommandBuilder::new(&setup.command[0]);
        command.args(&setup.command[1..]);
        command.env_clear();
        setup.environment.iter().for_each(|(name, value)| command.env(name, value));
        command.cwd(&setup.folder);
        command.set_controlling_tty(setup.controlling);
        if setup.lossless {
            let tty = File::open(pair.master.tty_name().unwrap()).unwrap();
            let mut modes = tcgetattr(&tty).unwrap();
            modes.input_modes.remove(InputModes::IXON);
            modes.local_modes.insert(LocalModes::NOFLSH);
            tcsetattr(&tty, OptionalActions::Now, &modes).unwrap();
        }
        let before = format!("{:?}", pair.master.get_termios().unwrap());
        let mut child = pair.slave.spawn_command(command).unwrap();
        let pid = i32::try_from(child.process_id().unwrap()).unwrap();
        let parser = vt100::Parser::new(cells(setup.rows), cells(setup.columns), 1000);
        let state = Shared {
            parser,
            raw: Vec::new(),
            asked: 0,
            status: None,
            hanging_up: false,
            ended: false,
        };
        let shared = Arc::new((Mutex::new(state), Condvar::new()));
        let writer = Arc::new(Mutex::new(Some(pair.master.take_writer().unwrap())));
        let killer = child.clone_killer();
        let (watched, told) = (Arc::clone(&shared), setup.answers);
        let (reader, answer) = (pair.master.try_clone_reader().unwrap(), Arc::clone(&writer));
        thread::spawn(move || read(reader, &watched, &answer, told));
        let watched = Arc::clone(&shared);
        thread::spawn(move || {
            let status = child.wait().unwrap();
            watched.0.lock().unwrap().status = Some(status);
            watched.1.notify_all();
        });
        Self {
            shared,
            master: Some(pair.master),
            slave: Some(pair.slave),
            writer,
            killer,
            pid,
            before,
            after: None,
        }
    }

    /// The process that was started.
    pub(super) fn pid(&self) -> i32 {
        self.pid
    }

    #[track_caller]
    fn wait<T>(&self, what: &str, mut wanted: impl FnMut(&Shared) -> Option<T>) -> T {
        let deadline = Instant::now() + PATIENCE;
        let mut shared = self.shared.0.lock().unwrap();
        loop {
            if let Some(found) = wanted(&shared) {
                return found;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let (status, screen) = (&shared.status, shared.parser.screen().contents());
                let text = format!("waited for: {what}\nstatus: {status:?}\nscreen:\n{screen}");
                drop(shared);
                panic!("{text}");
            }
            shared = self.shared.1.wait_timeout(shared, left).unwrap().0;
        }
    }

    /// Waits until the screen is as wanted.
    #[track_caller]
    pub(super) fn wait_for(&self, what: &str, mut wanted: impl FnMut(&vt100::Screen) -> bool) {
        self.wait(what, |shared| wanted(shared.parser.screen()).then_some(()));
    }

    /// Waits until this text stands on the screen.
    #[track_caller]
    pub(super) fn see(&self, text: &str) {
        self.wait_for(text, |screen| screen.contents().contains(text));
    }

    /// Waits until this text is no more on the screen.
    #[track_caller]
    pub(super) fn miss(&self, text: &str) {
        self.wait_for(&format!("not {text}"), |screen| !screen.contents().contains(text));
    }

    /// Says yes to the question that shows this text. Keys that came before it could be read do not
    /// count, so this waits as a person does.
    #[track_caller]
    pub(super) fn agree(&self, text: &str) {
        self.see("Confirm the change");
        self.see(text);
        thread::sleep(UNMEANT);
        self.type_keys("y");
        self.miss("Confirm the change");
    }

    /// Waits until the cursor's row holds this text.
    #[track_caller]
    pub(super) fn see_current(&self, text: &str) {
        self.wait_for(&format!("the current row: {text}"), |screen| {
            current(screen).is_some_and(|row| row.contains(text))
        });
    }

    /// Waits until the raw bytes behind `from` hold these; gives the position behind them.
    #[track_caller]
    pub(super) fn see_bytes(&self, from: usize, bytes: &[u8]) -> usize {
        let what = format!("bytes {:?}", String::from_utf8_lossy(bytes));
        self.wait(&what, |shared| {
            find(&shared.raw[from..], bytes).map(|at| from + at + bytes.len())
        })
    }

    /// Waits until the program has drawn a frame behind `from` and has the terminal, or until it has
    /// ended.
    #[track_caller]
    pub(super) fn answers(&self, from: usize) {
        self.wait("a frame while the program has the terminal", |shared| {
            let drawn = || find(&shared.raw[from..], b"\x1b[?2026l").is_some();
            let raw = || self.termios() != self.before;
            (shared.status.is_some() || drawn() && raw()).then_some(())
        });
    }

    /// The screen as text.
    pub(super) fn text(&self) -> String {
        self.lock().parser.screen().contents()
    }

    /// The picture, once it has stayed as it is for half a second: a frame comes in pieces, and rows
    /// stream in.
    pub(super) fn still(&self) -> String {
        let (mut before, mut since) = (self.look(picture), Instant::now());
        eventually("a picture that stays", || {
            let now = self.look(picture);
            if now != before {
                (before, since) = (now, Instant::now());
            }
            since.elapsed() > Duration::from_millis(500)
        });
        before
    }

    /// Looks at the screen.
    pub(super) fn look<T>(&self, look: impl FnOnce(&vt100::Screen) -> T) -> T {
        look(self.lock().parser.screen())
    }

    /// Every byte that came.
    pub(super) fn raw(&self) -> Vec<u8> {
        self.lock().raw.clone()
    }

    /// How many bytes came.
    pub(super) fn mark(&self) -> usize {
        self.lock().raw.len()
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.0.lock().unwrap()
    }

    /// Sends a signal to the program.
    pub(super) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_raw(self.pid).unwrap(), signal).unwrap();
    }

    /// Types bytes.
    pub(super) fn send(&self, bytes: &[u8]) {
        let mut writer = self.writer.lock().unwrap();
        let writer = writer.as_mut().unwrap();
        writer.write_all(bytes).unwrap();
        writer.flush().unwrap();
    }

    /// Types keys: `pdf<tab><enter>`, `<^x>`, `<alt-u>`.
    pub(super) fn type_keys(&self, keys: &str) {
        self.send(&bytes_of(keys));
    }

    /// Pastes, with marks around it where the program asked for them.
    pub(super) fn paste(&self, text: &str) {
        if self.look(vt100::Screen::bracketed_paste) {
            self.send(format!("\x1b[200~{text}\x1b[201~").as_bytes());
        } else {
            self.send(text.as_bytes());
        }
    }

    /// A mouse event at a cell counted from 0: 0 is the left button, 64 and 65 are the wheel.
    pub(super) fn mouse(&self, button: u8, (column, row): (u16, u16)) {
        let (column, row) = (column + 1, row + 1);
        let press = format!("\x1b[<{button};{column};{row}M");
        let release =
            if button < 64 { format!("\x1b[<{button};{column};{row}m") } else { String::new() };
        self.send(format!("{press}{release}").as_bytes());
    }

    pub(super) fn resize(&self, columns: u16, rows: u16) {
        self.lock().parser.screen_mut().set_size(cells(rows), cells(columns));
        self.master.as_ref().unwrap().resize(pty_size(columns, rows)).unwrap();
    }

    /// What the terminal does to its own picture, as if these bytes had come.
    pub(super) fn paint(&self, bytes: &str) {
        self.lock().parser.process(bytes.as_bytes());
    }

    /// The terminal's modes, as text that can be compared.
    pub(super) fn termios(&self) -> String {
        format!("{:?}", self.master.as_ref().unwrap().get_termios().unwrap())
    }

    /// The modes from before the program was started.
    pub(super) fn termios_before(&self) -> &str {
        &self.before
    }

    /// Where another program finds this terminal.
    pub(super) fn device(&self) -> PathBuf {
        self.master.as_ref().unwrap().tty_name().unwrap()
    }

    /// The group of processes that has the terminal.
    pub(super) fn foreground(&self) -> Option<i32> {
        self.master.as_ref().unwrap().process_group_leader()
    }

    /// Waits until the program has ended and every byte of it is read; its exit code.
    #[track_caller]
    pub(super) fn exit(&mut self) -> u32 {
        let code = self.ended();
        self.after = Some(self.termios());
        self.slave = None;
        self.wait("the end of the output", |shared| shared.ended.then_some(()));
        code
    }

    /// Waits until the program has ended; its exit code. The terminal can be looked at still.
    #[track_caller]
    pub(super) fn ended(&self) -> u32 {
        self.wait("the program's end", |shared| shared.status.as_ref().map(ExitStatus::exit_code))
    }

    /// Whether the program still runs.
    pub(super) fn runs(&self) -> bool {
        self.lock().status.is_none()
    }

    /// Hangs up: the terminal is gone, the program stays alone.
    pub(super) fn hang_up(&mut self) {
        self.lock().hanging_up = true;
        self.slave = None;
        // The reader holds a handle of its own, and lets go of it when something comes.
        self.type_keys("x");
        self.wait("the reader's end", |shared| shared.ended.then_some(()));
        *self.writer.lock().unwrap() = None;
        self.master = None;
    }

    /// Whether it was left as it was found: modes, screen, cursor, mouse, paste, keyboard (L1).
    #[track_caller]
    pub(super) fn assert_restored(&self) {
        let now = self.after.clone().unwrap_or_else(|| self.termios());
        assert_eq!(now, self.before, "termios");
        self.assert_modes_off();
    }

    /// The same by the bytes alone.
    #[track_caller]
    pub(super) fn assert_modes_off(&self) {
        let raw = self.raw();
        for mode in ["1049", "1000", "1002", "1003", "1006", "1015", "2004", "2026"] {
            let last = |sign: &str| rfind(&raw, format!("\x1b[?{mode}{sign}").as_bytes());
            assert!(last("h") <= last("l"), "mode {mode} is left on");
        }
        assert!(
            rfind(&raw, b"\x1b[?25l") <= rfind(&raw, b"\x1b[?25h"),
            "the cursor is left hidden"
        );
        let (pushed, popped) = (count(&raw, b"\x1b[>1u"), count(&raw, b"\x1b[<1u"));
        assert_eq!(pushed, popped, "keyboard flags pushed and popped");
        let hidden = self.look(|screen| {
            (screen.alternate_screen(), screen.hide_cursor(), screen.bracketed_paste())
        });
        assert_eq!(
            hidden,
            (false, false, false),
            "alternate screen, hidden cursor, bracketed paste"
        );
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if !self.runs() {
            return;
        }
        let _ = self.killer.kill();
        // A shell may not end at the hang-up, and then it asks its lost terminal without a pause.
        let shared = self.shared.0.lock().unwrap_or_else(PoisonError::into_inner);
        let runs = |shared: &mut Shared| shared.status.is_none();
        let waited = self.shared.1.wait_timeout_while(shared, Duration::from_secs(1), runs);
        let (shared, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if let (None, Some(pid)) = (&shared.status, Pid::from_raw(self.pid)) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

/// Waits for what no terminal shows.
#[track_caller]
pub(super) fn eventually(what: &str, mut wanted: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !wanted() {
        assert!(Instant::now() < deadline, "waited for: {what}");
        rustix::event::poll(
            &mut [],
            Some(&rustix::event::Timespec { tv_sec: 0, tv_nsec: 10_000_000 }),
        )
        .unwrap();
    }
}

/// The picker's current row.
pub(super) fn current(screen: &vt100::Screen) -> Option<String> {
    let (_, columns) = screen.size();
    screen.rows(0, columns.get()).find(|row| row.starts_with('▌'))
}

/// The screen's rows without the blanks at their ends. Blanks that were written over a longer text
/// look like cells that were never written, but the terminal's own text has only the former.
pub(super) fn picture(screen: &vt100::Screen) -> String {
    let (_, columns) = screen.size();
    let rows = screen.rows(0, columns.get());
    rows.map(|row| row.trim_end().to_owned() + "\n").collect()
}

pub(super) fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

fn rfind(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).rposition(|window| window == wanted)
}

pub(super) fn count(bytes: &[u8], wanted: &[u8]) -> usize {
    bytes.windows(wanted.len()).filter(|window| window == &wanted).count()
}

type Writer = Mutex<Option<Box<dyn Write + Send>>>;

fn read(
    mut reader: Box<dyn Read + Send>,
    shared: &(Mutex<Shared>, Condvar),
    writer: &Writer,
    answers: Answers,
) {
    let mut chunk = [0; 4096];
    loop {
        let length = reader.read(&mut chunk).unwrap_or(0);
        let mut state = shared.0.lock().unwrap();
        if length == 0 || state.hanging_up {
            drop(reader);
            state.ended = true;
            shared.1.notify_all();
            return;
        }
        let mut said = Vec::new();
        // Byte by byte, so that an answer tells the cursor of that moment.
        for byte in &chunk[..length] {
            state.raw.push(*byte);
            state.parser.process(&[*byte]);
            let asked = state.asked;
            let question = &state.raw[asked..];
            let cursor = state.parser.screen().cursor_position();
            let answer = if question.ends_with(b"\x1b[c") {
                answers.attributes.then(|| "\x1b[?62;4c".to_owned())
            } else if question.ends_with(b"\x1b]11;?\x1b\\") {
                answers.background.map(|colour| format!("\x1b]11;{colour}\x1b\\"))
            } else if question.ends_with(b"\x1b[6n") {
                answers.cursor.then(|| format!("\x1b[{};{}R", cursor.0 + 1, cursor.1 + 1))
            } else {
                continue;
            };
            state.asked = state.raw.len();
            said.extend(answer.unwrap_or_default().into_bytes());
        }
        shared.1.notify_all();
        drop(state);
        if let (false, Some(writer)) = (said.is_empty(), writer.lock().unwrap().as_mut()) {
            let _ = writer.write_all(&said);
        }
    }
}
