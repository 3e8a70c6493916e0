//! The loop: events and answers in, the model updated, the screen drawn, effects carried out.

use super::device::{self, Device, Screen};
use super::jobs::{Answer, Answers, Jobs};
use super::{Height, Outcome, Pick, ask, convert, editor, typed};
use crate::inert;
use crate::scan::watch::{Watch, Watched};
use crate::text::SafeText;
use crate::tui::app::{CopyForm, Effect, Exit, Mouse, Msg, Notice, Options, State, Timer, update};
use crate::tui::keymap::{self, Chord, Keymap, Meaning};
use crate::tui::view::{self, Palette, Theme};
use crate::workspace::{View, Workspace, edit, watched};
use crossterm::event::{Event, EventStream, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use crossterm::{cursor, queue};
use ratatui::layout::Rect;
use rustix::event::{PollFd, PollFlags};
use rustix::process::{Signal, getpid, kill_current_process_group, kill_process};
use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::signal::unix::{Signal as Listener, SignalKind, signal};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_stream::StreamExt;

/// Two clicks on one cell within this time are a double click.
const DOUBLE_CLICK: Duration = Duration::from_millis(400);

/// How long changes of files are gathered before the catalog is scanned again.
const SETTLE: Duration = Duration::from_millis(120);

/// What the loop wakes up for besides keys.
enum Wake {
    Answer(Answer),
    Waited(Timer),
    /// Something in the roots or the settings changed.
    Changed,
    /// It has been quiet since.
    Settled,
}

/// Everything that the loop holds.
struct Loop {
    state: State,
    theme: Theme,
    keymap: Keymap,
    device: Device,
    screen: Screen,
    height: Option<Height>,
    jobs: Jobs,
    wake: UnboundedSender<Wake>,
    workspace: Workspace,
    view: Option<View>,
    plan: Option<(u64, Workspace, edit::Plan)>,
    watch: Option<(Watched, Watch)>,
    changed: Arc<AtomicBool>,
    scanned: bool,
    generation: u64,
    last_click: Option<(Instant, u16, u16)>,
    outcome: Option<Outcome>,
    keys_paused: bool,
    editing: Option<(PathBuf, u32)>,
}

/// Runs the picker until it is left.
pub(super) async fn run(pick: Pick) -> io::Result<Outcome> {
    let mut device = Device::open()?;
    hook_panics();
    watch_for_hang_up(&device)?;
    let (columns, rows) = device.size();
    let mut typed_early = Vec::new();
    let area = match pick.height {
        None => Rect::new(0, 0, columns, rows),
        Some(height) => inline_area(&mut device, height, (columns, rows), &mut typed_early)?,
    };
    let mouse = pick.workspace.config.values.mouse.value && pick.height.is_none();
    device.enter(mouse)?;
    let screen = device.screen(area)?;
    let (wake, wakes) = unbounded_channel();
    let mut main = Loop::new(pick, device, screen, (area, mouse), wake)?;
    main.draw()?;
    main.ask_for_background(&mut typed_early)?;
    let effects = main.state.start();
    main.carry_out(effects)?;
    for key in typed::keys(&typed_early) {
        main.key(key)?;
    }
    main.turn(wakes).await?;
    main.outcome.take().ok_or_else(|| io::Error::other("the terminal went away"))
}

impl Loop {
    fn new(
        pick: Pick,
        device: Device,
        screen: Screen,
        (area, mouse): (Rect, bool),
        wake: UnboundedSender<Wake>,
    ) -> io::Result<Self> {
        let workspace = pick.workspace;
        let values = &workspace.config.values;
        let rows = values.keys.iter().map(|key| (key.screen.as_str(), key.key.as_str(), key.action.as_str()));
        let (keymap, problems) = keymap::with_settings(rows);
        let options = Options {
            multi: pick.multi,
            ascii: values.ascii.value,
            host: workspace.host.id.word(),
            mouse,
            bindings: keymap.bindings(values.ascii.value),
        };
        let mut state = State::new(area, options, &pick.query, pick.scope);
        if let Some((index, problem)) = problems.first() {
            let key = values.keys.get(*index).map(|key| SafeText::line(&key.key)).unwrap_or_default();
            state.notice = Some(Notice::grave(inert!("key {}: {}", key, SafeText::line(&problem.to_string()))));
        }
        let theme = Theme::new(first_palette(values.theme.value));
        let (answers, mut inbox): (Answers, UnboundedReceiver<Answer>) = unbounded_channel();
        let forward = wake.clone();
        tokio::spawn(async move {
            while let Some(answer) = inbox.recv().await {
                if forward.send(Wake::Answer(answer)).is_err() {
                    return;
                }
            }
        });
        Ok(Self {
            state,
            theme,
            keymap,
            device,
            screen,
            height: pick.height,
            jobs: Jobs::start(answers),
            wake,
            workspace,
            view: None,
            plan: None,
            watch: None,
            changed: Arc::new(AtomicBool::new(false)),
            scanned: false,
            generation: 0,
            last_click: None,
            outcome: None,
            keys_paused: false,
            editing: None,
        })
    }

    /// Asks for the terminal's background, where the theme depends on it; the first frame is there already.
    fn ask_for_background(&mut self, typed_early: &mut Vec<u8>) -> io::Result<()> {
        if self.workspace.config.values.theme.value != "auto" || no_colour() {
            return Ok(());
        }
        let answer = ask::background(&self.device.handle()?)?;
        typed_early.extend(answer.typed);
        // Only where 24 bits of colour are promised is there anything to choose.
        if let (Some(dark), true) = (answer.dark, true_colour()) {
            self.theme = Theme::new(if dark { Palette::Dark } else { Palette::Light });
            self.draw()?;
        }
        Ok(())
    }

    /// Takes keys, wakes and signals until somebody leaves.
    async fn turn(&mut self, mut wakes: UnboundedReceiver<Wake>) -> io::Result<()> {
        let mut signals = Signals::listen()?;
        let mut keys = Some(EventStream::new());
        while self.outcome.is_none() {
            self.draw()?;
            tokio::select! {
                event = next_event(&mut keys) => self.event(event?)?,
                Some(wake) = wakes.recv() => self.wake(wake)?,
                number = signals.next() => self.signal(number)?,
            }
            self.drain(&mut keys, &mut wakes).await?;
            if self.keys_paused {
                // The editor has the terminal: our reader must not take its keys.
                drop(keys.take());
                self.edit_file()?;
                keys = Some(EventStream::new());
            }
        }
        Ok(())
    }

    /// Takes whatever else is there already, so that a burst is one frame.
    async fn drain(&mut self, keys: &mut Option<EventStream>, wakes: &mut UnboundedReceiver<Wake>) -> io::Result<()> {
        while self.outcome.is_none() && !self.keys_paused {
            if let Ok(wake) = wakes.try_recv() {
                self.wake(wake)?;
                continue;
            }
            tokio::select! {
                biased;
                event = next_event(keys) => self.event(event?)?,
                () = std::future::ready(()) => return Ok(()),
            }
        }
        Ok(())
    }

    fn draw(&mut self) -> io::Result<()> {
        queue!(self.screen.backend_mut(), BeginSynchronizedUpdate)?;
        let (state, theme) = (&self.state, self.theme);
        self.screen.draw(|frame| view::draw(state, theme, frame))?;
        queue!(self.screen.backend_mut(), EndSynchronizedUpdate)?;
        Write::flush(self.screen.backend_mut())
    }

    fn event(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Key(key) if key.is_press() || key.is_repeat() => self.key(key),
            Event::Paste(text) => self.update(Msg::Paste(text)),
            Event::Mouse(mouse) => match self.mouse(mouse) {
                Some(mouse) => self.update(Msg::Mouse(mouse)),
                None => Ok(()),
            },
            Event::Resize(columns, rows) => self.resize((columns, rows)),
            Event::Key(_) | Event::FocusGained | Event::FocusLost => Ok(()),
        }
    }

    fn key(&mut self, key: KeyEvent) -> io::Result<()> {
        match self.keymap.meaning(self.state.context(), Chord::of(key)) {
            Meaning::Action(action) => self.update(Msg::Action(action)),
            Meaning::Text(character) => self.update(Msg::Text(character)),
            Meaning::Nothing => Ok(()),
        }
    }

    fn mouse(&mut self, event: MouseEvent) -> Option<Mouse> {
        let (column, row) = (event.column, event.row);
        match event.kind {
            MouseEventKind::ScrollUp => Some(Mouse::WheelUp(column, row)),
            MouseEventKind::ScrollDown => Some(Mouse::WheelDown(column, row)),
            MouseEventKind::Down(MouseButton::Left) => {
                let now = Instant::now();
                let double = self.last_click.is_some_and(|(at, old_column, old_row)| {
                    (old_column, old_row) == (column, row) && now.duration_since(at) < DOUBLE_CLICK
                });
                self.last_click = (!double).then_some((now, column, row));
                Some(if double { Mouse::DoubleClick(column, row) } else { Mouse::Click(column, row) })
            }
            _ => None,
        }
    }

    fn resize(&mut self, (columns, rows): (u16, u16)) -> io::Result<()> {
        let area = match self.height {
            None => Rect::new(0, 0, columns, rows),
            Some(height) => {
                let height = height.rows(rows);
                let y = self.state.area.y.min(rows.saturating_sub(height));
                let area = Rect::new(0, y, columns, height);
                self.device.inline(area);
                area
            }
        };
        self.repaint(area)?;
        self.state.area = area;
        self.update(Msg::Resize(area.width, area.height))
    }

    /// A new screen on these cells, wiped: nothing is asked of the terminal.
    fn repaint(&mut self, area: Rect) -> io::Result<()> {
        self.screen = self.device.screen(area)?;
        let backend = self.screen.backend_mut();
        queue!(
            backend,
            cursor::MoveTo(area.x, area.y),
            crossterm::terminal::Clear(crossterm::terminal::ClearType::FromCursorDown)
        )
    }

    fn wake(&mut self, wake: Wake) -> io::Result<()> {
        match wake {
            Wake::Answer(Answer::Msg(msg)) => self.update(msg),
            Wake::Answer(Answer::View(workspace, view)) => self.new_view(*workspace, *view),
            Wake::Answer(Answer::Plan(workspace, plan)) => {
                self.generation += 1;
                let number = self.generation;
                let shown = convert::plan(&plan, number);
                self.plan = Some((number, *workspace, plan));
                self.update(Msg::Planned(Ok(Box::new(shown))))
            }
            Wake::Waited(timer) => self.update(Msg::Waited(timer)),
            Wake::Changed => {
                self.later(SETTLE, Wake::Settled);
                Ok(())
            }
            Wake::Settled => {
                self.changed.store(false, Ordering::Relaxed);
                self.jobs.scan(&self.workspace, false);
                Ok(())
            }
        }
    }

    fn new_view(&mut self, workspace: Workspace, view: View) -> io::Result<()> {
        self.generation += 1;
        let viewed = convert::viewed(&workspace, &view, self.generation);
        self.workspace = workspace;
        if view.complete {
            self.watch();
        }
        self.view = Some(view);
        self.update(Msg::Viewed(Box::new(viewed)))
    }

    /// Watches what the view was made of; where that is the same as before, nothing changes.
    fn watch(&mut self) {
        let watched = watched(&self.workspace);
        if self.watch.as_ref().is_some_and(|(old, _)| *old == watched && old.roots.iter().all(|root| root.is_dir())) {
            return;
        }
        let (wake, pending) = (self.wake.clone(), Arc::clone(&self.changed));
        let changed = move || {
            // One word is enough until it has been acted on.
            if !pending.swap(true, Ordering::Relaxed) {
                let _ = wake.send(Wake::Changed);
            }
        };
        self.watch = Watch::start(&watched, changed).ok().map(|watch| (watched, watch));
    }

    fn update(&mut self, msg: Msg) -> io::Result<()> {
        let effects = update(&mut self.state, msg);
        self.carry_out(effects)
    }

    fn carry_out(&mut self, effects: Vec<Effect>) -> io::Result<()> {
        effects.into_iter().try_for_each(|effect| self.effect(effect))
    }

    fn effect(&mut self, effect: Effect) -> io::Result<()> {
        match effect {
            Effect::Exit(exit) => self.exit(exit),
            Effect::Preview(key) => self.jobs.preview(&self.state.viewed.items, key),
            Effect::Learn(path) => self.jobs.learn(&self.state.viewed.items, &path),
            Effect::Excerpt(key) => self.jobs.excerpt(&self.state.viewed.items, key),
            Effect::SearchBodies(question) => self.jobs.bodies(question),
            Effect::Scan => {
                self.jobs.scan(&self.workspace, !self.scanned);
                self.scanned = true;
            }
            Effect::Plan(aim) => {
                if let Some(view) = &self.view {
                    self.jobs.plan(&self.workspace, view, aim);
                }
            }
            Effect::Save(number) => self.save(number),
            Effect::Undo => {
                if let Some(view) = &self.view {
                    self.jobs.undo(&self.workspace, view);
                }
            }
            Effect::Edit(path, line) => {
                self.keys_paused = true;
                self.editing = Some((path, line));
            }
            Effect::Copy(form, paths) => self.copy(form, &paths)?,
            Effect::Suspend => kill_current_process_group(Signal::TSTP)?,
            Effect::Repaint => self.repaint(self.state.area)?,
            Effect::TakeMouse(take) => self.device.take_mouse(take)?,
            Effect::Wait(timer, millis) => self.later(Duration::from_millis(millis), Wake::Waited(timer)),
        }
        Ok(())
    }

    fn later(&self, after: Duration, wake: Wake) {
        let sender = self.wake.clone();
        tokio::spawn(async move {
            tokio::time::sleep(after).await;
            let _ = sender.send(wake);
        });
    }

    /// Copies by the terminal's own clipboard sequence (T4): only here, on a person's key.
    fn copy(&mut self, form: CopyForm, paths: &[Arc<Path>]) -> io::Result<()> {
        let _ = (form, paths);
        Ok(())
    }

    fn exit(&mut self, exit: Exit) {
        self.outcome = Some(match (exit, self.view.take()) {
            (Exit::Picked(paths), Some(view)) => {
                let index = |path: &Arc<Path>| view.entries.iter().position(|entry| *entry.skill.path == **path);
                let picked = paths.iter().filter_map(index).collect();
                Outcome::Picked(view, picked)
            }
            (Exit::Picked(_) | Exit::Left, _) => Outcome::Left,
        });
    }

    fn save(&mut self, number: u64) {
        if let Some((_, workspace, plan)) = self.plan.take_if(|(own, ..)| *own == number)
            && let Some(view) = &self.view
        {
            self.jobs.save(&workspace, view, plan);
        }
    }

    /// Gives the terminal to the editor, and takes it back.
    fn edit_file(&mut self) -> io::Result<()> {
        self.keys_paused = false;
        let Some((path, line)) = self.editing.take() else { return Ok(()) };
        device::leave();
        let ended = editor::edit(&path, line);
        self.device.enter_again()?;
        self.repaint(self.state.area)?;
        let notice = match ended {
            Ok(status) if status.success() => None,
            Ok(status) => Some(inert!("the editor ended with {}", SafeText::line(&status.to_string()))),
            Err(error) => Some(inert!("the editor cannot be started: {}", SafeText::line(&error.to_string()))),
        };
        if let Some(text) = notice {
            self.state.notice = Some(Notice::grave(text));
        }
        self.jobs.scan(&self.workspace, false);
        Ok(())
    }

    fn signal(&mut self, number: i32) -> io::Result<()> {
        if number == Signal::TSTP.as_raw() {
            return self.stop();
        }
        self.outcome = Some(Outcome::Signal(number));
        Ok(())
    }

    /// Stops, with the terminal as it was found; goes on here when continued, at whatever size it is then.
    fn stop(&mut self) -> io::Result<()> {
        device::leave();
        kill_process(getpid(), Signal::STOP)?;
        self.device.enter_again()?;
        let (columns, rows) = self.device.size();
        let area = match self.height {
            None => Rect::new(0, 0, columns, rows),
            Some(_) => Rect { width: columns, height: self.state.area.height.min(rows), ..self.state.area },
        };
        self.state.area = area;
        self.repaint(area)
    }
}

/// The signals that end or stop the program.
struct Signals(Vec<(i32, Listener)>);

impl Signals {
    fn listen() -> io::Result<Self> {
        let wanted = [
            (SignalKind::terminate(), Signal::TERM),
            (SignalKind::interrupt(), Signal::INT),
            (SignalKind::hangup(), Signal::HUP),
            (SignalKind::quit(), Signal::QUIT),
            (SignalKind::from_raw(Signal::TSTP.as_raw()), Signal::TSTP),
        ];
        let listen = |(kind, number): (SignalKind, Signal)| Ok((number.as_raw(), signal(kind)?));
        wanted.into_iter().map(listen).collect::<io::Result<_>>().map(Self)
    }

    /// The number of the next one.
    async fn next(&mut self) -> i32 {
        std::future::poll_fn(|context| {
            for (number, listener) in &mut self.0 {
                if listener.poll_recv(context).is_ready() {
                    return std::task::Poll::Ready(*number);
                }
            }
            std::task::Poll::Pending
        })
        .await
    }
}

async fn next_event(keys: &mut Option<EventStream>) -> io::Result<Event> {
    match keys {
        Some(keys) => keys.next().await.unwrap_or_else(|| Err(io::Error::other("the terminal went away"))),
        None => std::future::pending().await,
    }
}

/// The rows of an inline picker: below the cursor, with room made by scrolling. A terminal that does not say where
/// its cursor is gets the whole screen.
fn inline_area(
    device: &mut Device,
    height: Height,
    (columns, rows): (u16, u16),
    typed_early: &mut Vec<u8>,
) -> io::Result<Rect> {
    let height = height.rows(rows);
    let mut tty = device.handle()?;
    device.raw()?;
    let answer = ask::cursor(&tty)?;
    typed_early.extend(answer.typed);
    let Some((row, _)) = answer.cursor else { return Ok(Rect::new(0, 0, columns, rows)) };
    let missing = (row + height).saturating_sub(rows);
    write!(tty, "\r{}", "\n".repeat(usize::from(height.saturating_sub(1))))?;
    tty.flush()?;
    let area = Rect::new(0, row.saturating_sub(missing), columns, height);
    device.inline(area);
    Ok(area)
}

fn no_colour() -> bool {
    env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

fn true_colour() -> bool {
    env::var("COLORTERM").is_ok_and(|value| matches!(value.as_str(), "truecolor" | "24bit"))
}

/// The palette of the first frame: the terminal's own colours, until it has said more.
fn first_palette(theme: &str) -> Palette {
    match theme {
        _ if no_colour() => Palette::Plain,
        "dark" => Palette::Dark,
        "light" => Palette::Light,
        "none" => Palette::Plain,
        _ => Palette::Ansi,
    }
}

/// A panic of the loop restores the terminal before it is told; a worker's is a message of the model (L1).
fn hook_panics() {
    let before = std::panic::take_hook();
    let main = std::thread::current().id();
    std::panic::set_hook(Box::new(move |info| {
        if std::thread::current().id() == main {
            device::leave();
            let what = SafeText::line(&info.to_string());
            let _ = writeln!(io::stderr(), "skillpick: this is a bug: {what}");
        }
    }));
    drop(before);
}

/// Ends the program when the terminal is gone, also where nobody reads from it and the signal is ignored (L3).
fn watch_for_hang_up(device: &Device) -> io::Result<()> {
    let tty = device.handle()?;
    let body = move || {
        loop {
            let mut watched = [PollFd::new(&tty, PollFlags::empty())];
            let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
            if rustix::event::poll(&mut watched, None).is_ok() && watched[0].revents().intersects(gone) {
                std::process::exit(128 + Signal::HUP.as_raw());
            }
        }
    };
    std::thread::Builder::new().name("hang-up".to_owned()).spawn(body)?;
    Ok(())
}
