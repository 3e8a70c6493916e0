//! The loop: takes events and results, updates the model, draws, carries out effects.

use super::ask;
use super::device::{self, Device};
use super::discard::Discard;
use super::frame_wait::FrameWait;
use super::input::Input;
use super::jobs::{JobResult, JobResults, Jobs};
use super::keys::Keys;
use super::pause::{Pause, stoppable};
use super::signals::{SignalEvent, Signals, hang_up_behind, hook_panics, watch_for_hang_up};
use super::start::{first_palette, inline_area, no_colour, true_colour};
use crate::catalog::Refuses;
use crate::failpoint;
use crate::listing::Rows;
use crate::text::is_joined;
use crate::tui::app::{Compose, Msg, Options, PreviewPlace, Screen, State, Timer, update};
use crate::tui::front::{Height, Keeper, Outcome, Pick, own_keys};
use crate::tui::keymap::{Chord, Keymap, Meaning};
use crate::tui::view::{self, Palette, Theme};
use crate::workspace::{View, Workspace, clock, known_hosts, refuses};
use crossterm::event::{KeyEvent, KeyEventKind};
use crossterm::terminal::{BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate};
use crossterm::{cursor, queue};
use ratatui::layout::{Position, Rect};
use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// The least time between two frames, so that a burst of keys, sizes or results is drawn once.
pub(super) const FRAME: Duration = Duration::from_millis(16);

/// Timers of the loop.
pub(super) enum Wake {
    Waited(Timer),
    /// File changes have been collected.
    Settled,
    /// Changes of the log have been collected.
    LogSettled,
    /// A read has taken long while another one waits.
    Relieve,
}

pub(super) struct Loop {
    pub(super) state: State,
    pub(super) theme: Theme,
    pub(super) keymap: Keymap,
    pub(super) device: Device,
    pub(super) screen: device::Screen,
    pub(super) height: Option<Height>,
    pub(super) print0: bool,
    pub(super) jobs: Jobs,
    pub(super) discard: Discard<Arc<Rows>>,
    pub(super) wake: UnboundedSender<Wake>,
    pub(super) workspace: Workspace,
    pub(super) view: Option<View>,
    /// What was looked at before the examples, while they are browsed.
    pub(super) before_examples: Option<Box<Workspace>>,
    /// Draft and history of the prompts written here.
    pub(super) keeper: Keeper,
    /// Counts the drafts that were kept.
    pub(super) drafts: u64,
    pub(super) generation: u64,
    /// When the scan of the view began.
    pub(super) scanned: SystemTime,
    /// Since when the agents were asked whose answers are shown.
    pub(super) reported: Instant,
    pub(super) last_click: Option<(Instant, Position)>,
    pub(super) outcome: Option<Outcome>,
    /// The terminal must be given away.
    pub(super) pause: Option<Pause>,
    /// The next frame is drawn on a cleared screen: its size has changed, its rows may hold what
    /// others wrote or typed there, or the last frame may have left something.
    pub(super) wiped: bool,
    /// Inputs that have not been handled, the oldest first.
    pub(super) held: VecDeque<Input>,
    /// The next frame is not drawn before.
    pub(super) frame_due: Instant,
    /// What the next frame waits for.
    pub(super) frame_wait: FrameWait,
}

struct Inbox {
    wakes: UnboundedReceiver<Wake>,
    results: UnboundedReceiver<JobResult>,
}

pub(super) async fn run(mut pick: Pick) -> io::Result<Outcome> {
    let mut device = Device::open()?;
    hook_panics();
    // Signals must be handled before the terminal is changed.
    let signals = Signals::listen()?;
    watch_for_hang_up(&device)?;
    let size = device.size();
    let mut early = Vec::new();
    let inline = match pick.height {
        None => None,
        Some(height) => inline_area(&mut device, height, size, &mut early)?,
    };
    // Without the cursor's position the picker cannot be inline.
    pick.height = pick.height.filter(|_| inline.is_some());
    let area = inline.unwrap_or(Rect::new(0, 0, size.width, size.height));
    early.extend(device.enter(pick.workspace.config.values.mouse.value && inline.is_none())?);
    failpoint::reach("panic-at-start");
    let (mut main, inbox) = Loop::new(pick, device, area)?;
    main.draw()?;
    main.ask_for_background(&mut early)?;
    let effects = main.state.start();
    main.carry_out(effects)?;
    let keys = Keys::read(main.device.handle()?, &early)?;
    let turned = main.turn(keys, signals, inbox).await;
    // A lost terminal is reported in one way, wherever it is noticed.
    let left = match hang_up_behind(&main.device) {
        Some(signal) if turned.is_err() => Ok(Outcome::Signal(signal)),
        _ => turned
            .and(main.outcome.take().ok_or_else(|| io::Error::other("the terminal went away"))),
    };
    // To free a hundred thousand rows one by one takes a second. The process ends now, so the
    // system frees them at once.
    let is_ours = matches!(left, Ok(Outcome::Left | Outcome::Signal(_)) | Err(_));
    let kept = if is_ours { main.keep_at_the_end() } else { Ok(()) };
    if matches!(left, Ok(Outcome::Left | Outcome::Composed(_))) {
        main.tell_unmade();
    }
    let Loop { state, view, workspace, .. } = main;
    std::mem::forget((state, view, workspace));
    kept.map_err(|why| io::Error::other(why.as_str().to_owned())).and(left)
}

impl Loop {
    fn new(pick: Pick, device: Device, area: Rect) -> io::Result<(Self, Inbox)> {
        let workspace = pick.workspace;
        let values = &workspace.config.values;
        let (keymap, wrong_keys) = own_keys::keymap(&workspace);
        let options = Options {
            multi: pick.multi,
            ascii: values.ascii.value,
            pictures: true_colour()
                && first_palette(values.theme.value) != Palette::Plain
                && !values.ascii.value,
            host: workspace.host.id.word(),
            hosts: known_hosts(),
            refuses: Refuses(refuses),
            mouse: device.mouse,
            home: workspace.context.home.clone(),
            here: workspace.place().to_owned(),
            own: workspace.own_folder(),
            preferred: workspace.preferred,
            format: values.format.value,
            bindings: keymap.bindings(values.ascii.value),
        };
        let mut state = State::new(area, options, &pick.query, pick.scope);
        state.picker.place =
            PreviewPlace::from_word(values.preview.value).unwrap_or(PreviewPlace::Auto);
        state.notice = wrong_keys;
        if let Some(start) = pick.compose {
            state.screens.push(Screen::Compose(Box::new(Compose::new(start))));
        }
        let own = values.colours.iter().map(|colour| colour.value);
        let theme = Theme::new(first_palette(values.theme.value)).with(own);
        let (sender, results): (JobResults, UnboundedReceiver<JobResult>) = unbounded_channel();
        let (wake, wakes) = unbounded_channel();
        let main = Self {
            state,
            theme,
            keymap,
            screen: device.screen(area)?,
            device,
            height: pick.height,
            print0: pick.print0,
            jobs: Jobs::start(sender),
            discard: Discard::start(),
            wake,
            workspace,
            view: None,
            before_examples: None,
            keeper: Keeper::default(),
            drafts: 0,
            generation: 0,
            scanned: UNIX_EPOCH,
            reported: Instant::now(),
            last_click: None,
            outcome: None,
            pause: None,
            wiped: pick.height.is_some(),
            held: VecDeque::new(),
            frame_due: Instant::now(),
            frame_wait: FrameWait::default(),
        };
        Ok((main, Inbox { wakes, results }))
    }

    /// Asks for the terminal's background colour if the theme depends on it. The first frame has
    /// been drawn by then.
    fn ask_for_background(&mut self, early: &mut Vec<u8>) -> io::Result<()> {
        if self.workspace.config.values.theme.value != "auto" || no_colour() {
            return Ok(());
        }
        let result = ask::background(&self.device.handle()?)?;
        early.extend(result.typed);
        // The palettes differ only with 24 bits of colour.
        if let (Some(dark), true) = (result.dark, true_colour()) {
            self.theme = self.theme.over(if dark { Palette::Dark } else { Palette::Light });
        }
        Ok(())
    }

    /// Handles keys, results, timers and signals until the picker is left. What comes within one
    /// frame's time is drawn once.
    async fn turn(
        &mut self,
        mut keys: Keys,
        mut signals: Signals,
        mut inbox: Inbox,
    ) -> io::Result<()> {
        // Read only now, so that the first frame does not wait for it.
        self.state.zone = crate::text::time::Zone::here();
        // The size may have changed before the signals were handled.
        self.resize()?;
        let mut stale = true;
        loop {
            self.release()?;
            if self.outcome.is_some() {
                return Ok(());
            }
            if let Some(pause) = self.pause.take() {
                self.pause(pause, &mut keys, &mut signals).await?;
                (self.frame_due, stale) = (Instant::now(), true);
                continue;
            }
            if !self.state.picker.is_ranking() && !self.state.awaits_ranking() {
                self.frame_wait.came(Instant::now());
            }
            let due = self.frame_wait.next_frame(self.frame_due);
            if stale && due <= Instant::now() {
                let begun = Instant::now();
                self.draw()?;
                self.frame_wait.drew(begun.elapsed());
                (self.frame_due, stale) = (Instant::now() + FRAME, false);
            }
            tokio::select! {
                inputs = keys.next() => match inputs {
                    Some(inputs) => {
                        self.held.extend(inputs);
                        self.frame_wait.hurry(Instant::now());
                    }
                    None => return Err(io::Error::other("the terminal went away")),
                },
                Some(result) = inbox.results.recv() => self.result(result)?,
                Some(wake) = inbox.wakes.recv() => self.wake(wake)?,
                event = signals.next() => self.signal(event)?,
                () = tokio::time::sleep_until(due.into()), if stale => continue,
            }
            stale = true;
        }
    }

    fn draw(&mut self) -> io::Result<()> {
        if self.state.viewed.complete {
            failpoint::reach("panic-in-draw");
        }
        let wiped = std::mem::take(&mut self.wiped);
        if wiped {
            self.screen = self.device.screen(self.state.area)?;
        }
        self.state.now_ms = clock::now_ms();
        let (state, theme) = (&self.state, self.theme);
        let backend = self.screen.backend_mut();
        queue!(backend, BeginSynchronizedUpdate)?;
        if wiped {
            queue!(
                backend,
                cursor::MoveTo(state.area.x, state.area.y),
                Clear(ClearType::FromCursorDown)
            )?;
        }
        let drawn = self.screen.draw(|frame| view::draw(state, theme, frame))?;
        // Terminals disagree on how many cells a joined sign takes, so parts of it may stay behind.
        // The next frame begins on a cleared screen.
        self.wiped = drawn.buffer.content.iter().any(|cell| is_joined(cell.symbol()));
        self.park()?;
        queue!(self.screen.backend_mut(), EndSynchronizedUpdate)?;
        Write::flush(self.screen.backend_mut())
    }

    pub(super) fn handle(&mut self, input: Input) -> io::Result<()> {
        failpoint::reach("panic-in-input");
        match input {
            Input::Key(key) if key.kind == KeyEventKind::Release => Ok(()),
            Input::Key(key) => self.key(key),
            Input::Paste(text) => self.update(Msg::Paste(text)),
            Input::Mouse(mouse) => match self.mouse(mouse) {
                Some(mouse) => self.update(Msg::Mouse(mouse)),
                None => Ok(()),
            },
        }
    }

    fn signal(&mut self, event: SignalEvent) -> io::Result<()> {
        match event {
            SignalEvent::End(signal) => self.outcome = Some(Outcome::Signal(signal.as_raw())),
            // If nobody could continue us, the system would not stop us either.
            SignalEvent::Stop if stoppable() => self.pause = Some(Pause::Stop),
            SignalEvent::Stop => {}
            SignalEvent::Size => self.resized()?,
        }
        Ok(())
    }

    fn key(&mut self, key: KeyEvent) -> io::Result<()> {
        match self.keymap.meaning(self.state.context(), Chord::of(key)) {
            Meaning::Action(action) => self.update(Msg::Action(action)),
            Meaning::Text(character) => self.update(Msg::Text(character)),
            Meaning::Nothing => Ok(()),
        }
    }

    pub(super) fn update(&mut self, msg: Msg) -> io::Result<()> {
        let read = self.state.shows_activity();
        let rows = |state: &State| [&state.viewed.rows, &state.picker.shown.rows].map(Arc::clone);
        let before = rows(&self.state);
        let effects = update(&mut self.state, msg);
        if let Some(view) = &mut self.view {
            let shown = &self.state.viewed;
            (view.listing.preferred, view.listing.chosen) = (shown.preferred, shown.chosen);
        }
        let now = rows(&self.state);
        for rows in before {
            if !now.iter().any(|kept| Arc::ptr_eq(kept, &rows)) {
                self.discard.take(rows);
            }
        }
        if read && !self.state.shows_activity() {
            self.jobs.leave_activity();
        }
        self.carry_out(effects)
    }
}
