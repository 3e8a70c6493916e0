//! Random keys, pastes, clicks, sizes, editors and stops over a hostile tree. However they follow
//! each other, the program answers, and has the terminal in its hands when it does.

use super::setup::{PROGRAM, Setup};
use super::terminal::Terminal;
use crate::env::random::Random;
use crate::env::{TestEnv, bar};
use std::fmt::Write as _;
use std::fs;
use std::time::{Duration, Instant};

/// Runs the picker as a job, and continues it each time it is stopped, as a person does with `fg`.
const JOB: &str = "trap : INT QUIT TSTP; set -m; exec 3>&2 2>/dev/null
\"$SKILLPICK\" $HEIGHT 2>&3; code=$?
while [ $code = 147 ] || [ $code = 148 ]; do fg >/dev/null; code=$?; done; exit $code";

/// Reads the file, as editors do, and ends. Each third time it stops first; then it also writes. It
/// starts no program: a `^Z` that stops one before its first instruction holds up its shell for
/// good, under every shell.
const EDITOR: &str = r#"
read -r line <"$1"
count=0; [ -e "$HOME/edits" ] && read -r count <"$HOME/edits"; echo $((count + 1)) >"$HOME/edits"
[ $((count % 3)) = 2 ] || exit 0
kill -TSTP $$
echo edited >>"$1"
"#;

/// Keys that a person may press, the frequent ones more than once. Few of them leave the picker.
const KEYS: &str = "a d e e f g i n o p q r s t u w x y / ? <enter> <tab> <backtab> <esc> <esc> \
     <space> <backspace> <up> <down> <down> <right> <right> <left> <home> <end> <f1> <f2> <f2> \
     <f3> <f4> <f5> <f6> <f7> <f8> <^d> <^f> <^g> <^l> <^o> <^o> <^q> <^r> <^s> <^s> <^t> <^u> <^v> \
     <^x> <^y> <^z> <^z> <f9> % w ] [ m <alt-u> <alt-z> <alt-x> <alt-[> <alt-O>";

/// The pickers that run beside each other.
const PICKERS: u64 = 4;

/// So many inputs come at once at most.
const MOST_AT_ONCE: usize = 60;

/// After so many letters of keys a run is ended, so that others begin.
const LONGEST_RUN: usize = 20_000;

/// A frame comes within 16 ms. What takes so long on a busy machine too does not answer.
const SLOW: Duration = Duration::from_secs(1);

/// One run: what was sent so far, for the report of a failure.
struct Driver {
    /// The seed of this picker's runs.
    seed: u64,
    random: Random,
    sent: String,
    terminal: Terminal,
}

/// Prints what was sent if the test fails.
#[expect(clippy::print_stderr, reason = "the runner shows it for a test that fails")]
impl Drop for Driver {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let ps = std::process::Command::new("ps")
                .args(["-eo", "pid,ppid,pgid,tpgid,tty,stat,wchan:20,args", "--forest"])
                .output()
                .unwrap();
            eprintln!("{}", String::from_utf8_lossy(&ps.stdout));
            eprintln!("SKILLPICK_SEED={}, sent: {}", self.seed, self.sent);
        }
    }
}

impl Driver {
    /// Starts a run: one in three without a shell around it, one in two inline.
    fn new(env: &TestEnv, seed: u64, run: u32) -> Self {
        let inline: &[&str] = if run.is_multiple_of(2) { &[] } else { &["--height=12"] };
        let setup = match run % 3 {
            0 => Setup::new(env, inline),
            _ => Setup::program(env, &["/bin/sh", "-c", JOB]).env("SKILLPICK", PROGRAM),
        };
        let setup = setup.env("HEIGHT", &inline.concat());
        let editor = format!("/bin/sh {}", env.text("editor"));
        // These keys come faster than the terminal reads: without care, a `^Z` would drop what a
        // picker that leaves has just written.
        let terminal = setup.env("EDITOR", &editor).lossless().start();
        terminal.see_bytes(0, b"\x1b[?2026l");
        let random = Random::new(seed.wrapping_add(u64::from(run) << 32));
        Self { seed, random, sent: String::new(), terminal }
    }

    /// Sends some inputs without a wait between them, then waits until the program has drawn a
    /// frame and has the terminal, or has ended. Returns how many it has answered: none of those in
    /// which it ended, since nobody reads what comes behind its end.
    fn step(&mut self, keys: &[&str]) -> usize {
        let before = self.terminal.mark();
        let most = *self.random.pick(&[6, MOST_AT_ONCE]);
        let count = 1 + self.random.below(most);
        for _ in 1..count {
            self.input(keys);
        }
        // Whatever began before it, a key that is no part of a sequence is answered. An editor may
        // have taken the end of a paste.
        self.terminal.send(b"\x1b[201~");
        self.key("<down>");
        self.terminal.answers(before);
        if self.terminal.runs() { count } else { 0 }
    }

    fn input(&mut self, keys: &[&str]) {
        let (column, row) = self.random.cell(150, 50);
        match self.random.below(40) {
            0 => {
                write!(self.sent, "<size {column}x{row}>").unwrap();
                self.terminal.resize(column, row);
            }
            1 => {
                write!(self.sent, "<paste>").unwrap();
                self.terminal.paste("pdf \u{202e}\x1b[31m\r\n*:");
            }
            2 | 3 => {
                let button = *self.random.pick(&[0, 64, 65]);
                write!(self.sent, "<mouse {button} {column},{row}>").unwrap();
                self.terminal.mouse(button, (column, row));
            }
            _ => {
                let key = self.random.pick(keys);
                self.key(key);
            }
        }
    }

    fn key(&mut self, key: &str) {
        self.sent.push_str(key);
        self.terminal.type_keys(key);
    }
}

/// Skills that are wrong in every way, beside a few that are right.
fn hostile_tree() -> TestEnv {
    let env = TestEnv::with_four_skills();
    for (name, frontmatter, body) in [
        ("none", "", "no name"),
        ("Twice", "name: pdf-forms\nname: b", "[x](nowhere.md)"),
        ("long", "name: long\ndescription: \"\\u202e\\e[31m\"", &"日本語 *a* `b` ".repeat(3_000)),
        ("deep", "name: deep\ndescription: d", &"> ".repeat(2_000)),
    ] {
        env.raw_skill(&format!("repo/.agents/skills/{name}"), frontmatter, body);
    }
    env.write("repo/.agents/skills/bytes/SKILL.md", b"---\nname: \xff\n---\n\x1b]0;t\x07\xc2");
    env.write("repo/.agents/skills/alpha/picture.png", [0, 1, 2, 255]);
    env.write("repo/.skillpick.toml", "version = 1\n[[oops\n");
    for folder in ["pipe", "zebra/files"] {
        fs::create_dir_all(env.at("repo/.agents/skills").join(folder)).unwrap();
    }
    for pipe in ["pipe/SKILL.md", "zebra/files/pipe"] {
        let pipe = env.at("repo/.agents/skills").join(pipe);
        let made = std::process::Command::new("mkfifo").arg(pipe).status().unwrap();
        assert!(made.success());
    }
    env.link("repo/.agents/skills/nowhere", "repo/.agents/skills/dangling");
    env.write("editor", EDITOR);
    env
}

/// Sends random keys until so many were answered, in runs of the picker that end by themselves.
/// Returns how long each answer took.
fn drive(seed: u64, most: usize) -> Vec<Duration> {
    let keys: Vec<&str> = KEYS.split_whitespace().collect();
    let env = hostile_tree();
    let (mut answered, mut run, mut times) = (0, 0, Vec::new());
    while answered < most {
        let mut driver = Driver::new(&env, seed, run);
        while answered < most && driver.terminal.runs() && driver.sent.len() < LONGEST_RUN {
            let begun = Instant::now();
            answered += driver.step(&keys);
            times.push(begun.elapsed());
        }
        while driver.terminal.runs() {
            let before = driver.terminal.mark();
            driver.key("<^c>");
            driver.terminal.answers(before);
        }
        let code = driver.terminal.exit();
        assert!(matches!(code, 0 | 130), "code {code}");
        driver.terminal.assert_restored();
        run += 1;
    }
    times
}

/// `SKILLPICK_SEED` and `SKILLPICK_KEYS` choose another sequence. Several pickers run beside each
/// other, since most of the time goes to the pause between two frames.
#[test]
fn random_keys_over_a_hostile_tree_keep_the_terminal_intact() {
    let number = |name| std::env::var(name).ok().and_then(|value| value.parse::<u32>().ok());
    let share = if bar::is_thorough() { 100_000 } else { 3_000 };
    let keys = number("SKILLPICK_KEYS").unwrap_or(share) as usize;
    let seed = number("SKILLPICK_SEED").map_or(15, u64::from);
    let mut times = std::thread::scope(|scope| {
        let drive = |picker| move || drive(seed + (picker << 16), keys.div_ceil(PICKERS as usize));
        let pickers: Vec<_> = (0..PICKERS).map(|picker| scope.spawn(drive(picker))).collect();
        let times = pickers.into_iter().map(|picker| picker.join().unwrap());
        times.flatten().collect::<Vec<_>>()
    });
    times.sort();
    let slow = times[times.len() * 99 / 100];
    assert!(slow < SLOW, "one answer of a hundred takes {slow:?} or more");
    bar::tried(keys);
}
