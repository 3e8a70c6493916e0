//! Random keys, pastes, clicks, sizes, editors and stops over a hostile tree. However they follow
//! each other, the program answers, and has the terminal in its hands when it does.

use super::setup::{PROGRAM, Setup};
use super::terminal::Terminal;
use crate::env::{TestEnv, bar};
use std::fmt::Write as _;
use std::fs;

/// Runs the picker as a job, and continues it each time it is stopped, as a person does with `fg`.
/// The shell itself writes nothing, so that it is never held up by a `^s`.
const JOB: &str = "trap : INT QUIT TSTP; set -m; exec 3>&2 2>/dev/null
\"$SKILLPICK\" $HEIGHT 2>&3; code=$?
while [ $code = 147 ] || [ $code = 148 ]; do fg >/dev/null; code=$?; done; exit $code";

/// Reads the file, as editors do, and ends. Each third time it stops first; then it also writes.
const EDITOR: &str = r#"
head -c 1 "$2" >/dev/null
count=$(cat "$HOME/edits" 2>/dev/null); echo $((count + 1)) >"$HOME/edits"
[ $((count % 3)) = 2 ] || exit 0
kill -TSTP $$
echo edited >>"$2"
"#;

/// Keys that a person may press, the frequent ones more than once. Few of them leave the picker.
const KEYS: &str = "a d e e f g i n o p q r s t u w x y / ? <enter> <tab> <backtab> <esc> <esc> \
     <space> <backspace> <up> <down> <down> <right> <right> <left> <home> <end> <f1> <f2> <f2> \
     <f3> <f4> <f5> <f6> <f7> <^d> <^f> <^g> <^l> <^o> <^o> <^q> <^r> <^s> <^s> <^t> <^u> <^v> \
     <^x> <^y> <^z> <^z> <alt-u> <alt-x> <alt-[> <alt-O>";

/// Random numbers that are the same for the same seed (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u16) -> u16 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        u16::try_from((mixed ^ (mixed >> 31)) % u64::from(bound)).unwrap()
    }
}

/// One run: what was sent so far, for the report of a failure.
struct Driver {
    /// The seed of all runs.
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
        let terminal = setup.env("EDITOR", &editor).start();
        terminal.see_bytes(0, b"\x1b[?2026l");
        let random = Random(seed.wrapping_add(u64::from(run) << 32));
        Self { seed, random, sent: String::new(), terminal }
    }

    /// Sends some inputs without a wait between them, then waits until the program has drawn a
    /// frame and has the terminal, or has ended. Returns how many it sent.
    fn step(&mut self, keys: &[&str]) -> u32 {
        let before = self.terminal.mark();
        let count = 1 + self.random.below(6);
        for _ in 1..count {
            self.input(keys);
        }
        // Whatever began before it, a key that is no part of a sequence is answered.
        self.key("<down>");
        self.terminal.answers(before);
        u32::from(count)
    }

    fn input(&mut self, keys: &[&str]) {
        let (column, row) = (self.random.below(150), self.random.below(50));
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
                let button = [0, 64, 65][usize::from(self.random.below(3))];
                write!(self.sent, "<mouse {button} {column},{row}>").unwrap();
                self.terminal.mouse(button, (column, row));
            }
            _ => {
                let index = usize::from(self.random.below(u16::try_from(keys.len()).unwrap()));
                self.key(keys[index]);
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

/// Sends random keys until there were this many, in runs of the picker that end by themselves.
fn drive(seed: u64, most: u32) {
    let keys: Vec<&str> = KEYS.split_whitespace().collect();
    let env = hostile_tree();
    let (mut sent, mut run) = (0, 0);
    while sent < most {
        let mut driver = Driver::new(&env, seed, run);
        while sent < most && driver.terminal.runs() {
            sent += driver.step(&keys);
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
}

/// `SKILLPICK_SEED` and `SKILLPICK_KEYS` choose another sequence; a thousand keys take five seconds.
#[test]
fn random_keys_over_a_hostile_tree_keep_the_terminal_intact() {
    let number = |name| std::env::var(name).ok().and_then(|value| value.parse().ok());
    let keys = number("SKILLPICK_KEYS").unwrap_or(if bar::is_thorough() { 100_000 } else { 3_000 });
    drive(number("SKILLPICK_SEED").map_or(15, u64::from), keys);
    bar::tried(keys as usize);
}
