//! The loop: events and answers in, the model updated, the screen drawn, effects carried out.

use super::device::{self, Device, Screen};
use super::jobs::{Answer, Answers, Jobs};
use super::signals::{Signals, hook_panics, watch_for_hang_up};
use super::start::{first_palette, inline_area, no_colour, true_colour};
use super::{Height, Outcome, Pick, ask, convert, editor, typed};
use crate::catalog::{RootReport, RootState};
use crate::inert;
use crate::scan::watch::{Watch, Watched};
use crate::text::SafeText;
use crate::tui::app::{Mouse, Msg, Notice, Options, State, Timer, update};
use crate::tui::keymap::{self, Chord, Keymap, Meaning};
use crate::tui::view::{self, Palette, Theme};
use crate::workspace::{View, Workspace, edit, watched};
use crossterm::event::{Event, EventStream, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use crossterm::{cursor, queue};
use ratatui::layout::Rect;
use rustix::process::{Signal, getpid, kill_process};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_stream::StreamExt;

/// Two clicks on one cell within this time are a double click.
const DOUBLE_CLICK: Duration = Duration::from_millis(400);

/// How long changes of files are gathered before the catalog is scanned again.
const SETTLE: Duration = Duration::from_millis(120);

/// What the loop wakes up for besides keys.
pub(super) enum Wake {
    Answer(Answer),
    Waited(Timer),
    /// Something in the roots or the settings changed.
    Changed,
    /// It has been quiet since.
    Settled,
}

/// Everything that the loop holds.
pub(super) struct Loop {
    pub(super) state: State,
    pub(super) theme: Theme,
    pub(super) keymap: Keymap,
    pub(super) device: Device,
    pub(super) screen: Screen,
    pub(super) height: Option<Height>,
    pub(super) jobs: Jobs,
    pub(super) wake: UnboundedSender<Wake>,
    pub(super) workspace: Workspace,
    pub(super) view: Option<View>,
    pub(super) plan: Option<(u64, Workspace, edit::Plan)>,
    /// What is watched, and which of its roots were there then: one that appears is watched anew.
    pub(super) watched: Option<(Watched, Vec<bool>)>,
    pub(super) watch: Option<Watch>,
    pub(super) changed: Arc<AtomicBool>,
    pub(super) scanned: bool,
    pub(super) generation: u64,
    pub(super) last_click: Option<(Instant, u16, u16)>,
    pub(super) outcome: Option<Outcome>,
    pub(super) keys_paused: bool,
    pub(super) editing: Option<(PathBuf, u32)>,
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
            watched: None,
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
    pub(super) fn repaint(&mut self, area: Rect) -> io::Result<()> {
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
            Wake::Answer(Answer::Watch(watch)) => {
                self.watch = Some(watch);
                Ok(())
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
        let viewed = convert::viewed(&view, self.generation);
        self.workspace = workspace;
        if view.complete {
            self.watch(&view.roots);
        }
        self.view = Some(view);
        self.update(Msg::Viewed(Box::new(viewed)))
    }

    /// Watches what the view was made of, on a thread of its own: to watch ten thousand folders takes a while. Where
    /// the view was made of the same as before, nothing changes.
    fn watch(&mut self, roots: &[RootReport]) {
        let watched = watched(&self.workspace);
        let there: Vec<bool> = roots.iter().map(|root| root.state != RootState::Missing).collect();
        if self.watched.as_ref().is_some_and(|(old, then)| *old == watched && *then == there) {
            return;
        }
        let (wake, pending) = (self.wake.clone(), Arc::clone(&self.changed));
        let changed = move || {
            // One word is enough until it has been acted on.
            if !pending.swap(true, Ordering::Relaxed) {
                let _ = wake.send(Wake::Changed);
            }
        };
        self.jobs.watch(watched.clone(), changed);
        self.watched = Some((watched, there));
    }

    pub(super) fn update(&mut self, msg: Msg) -> io::Result<()> {
        let effects = update(&mut self.state, msg);
        self.carry_out(effects)
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

async fn next_event(keys: &mut Option<EventStream>) -> io::Result<Event> {
    match keys {
        Some(keys) => keys.next().await.unwrap_or_else(|| Err(io::Error::other("the terminal went away"))),
        None => std::future::pending().await,
    }
}
