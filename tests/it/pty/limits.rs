//! Files that are many, large or hard to draw: the picker answers meanwhile, and its memory stays
//! bounded.

use super::setup::Setup;
use super::terminal::Terminal;
use crate::env::{TestEnv, bar, hostile};
use crate::process::own_peak;
use crate::program::documents::documents;
use std::fs::{self, File};
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The most memory that the picker may ever take, in KiB: 150 MiB, of which its own file takes up
/// to 20.
const MOST_KIB: u64 = 130 << 10;

/// Presses a key, and measures how long its frame takes.
fn frame(terminal: &Terminal, key: &str) -> Duration {
    let (from, begun) = (terminal.mark(), Instant::now());
    terminal.type_keys(key);
    terminal.see_bytes(from, b"\x1b[?2026l");
    begun.elapsed()
}

/// A frame is wanted within 16 ms, in 99 of 100 cases. The program is not optimised here, and not
/// alone: what is wrong takes seconds.
fn assert_quick(mut times: Vec<Duration>) {
    times.sort();
    let slow = times[times.len() * 95 / 100];
    assert!(slow < Duration::from_millis(500), "{slow:?} of {times:?}");
}

fn leave(mut terminal: Terminal) {
    terminal.type_keys("<^c>");
    assert_eq!(terminal.exit(), 130);
    terminal.assert_restored();
}

#[test]
fn keys_are_answered_while_a_document_is_shown_that_is_hard_to_draw() {
    let env = TestEnv::with_four_skills();
    let documents: Vec<_> = hostile::markdown()
        .into_iter()
        .map(|(name, text)| (format!("{}.md", name.replace(' ', "-")), text))
        .chain(hostile::code().into_iter().map(|(name, text)| (name.to_owned(), text)))
        .collect();
    for (number, (name, text)) in documents.iter().enumerate() {
        env.write(format!("repo/.agents/skills/alpha/{number:02}-{name}"), text);
    }
    let terminal = Setup::new(&env, &[]).size(160, 60).start();
    terminal.see_current("alpha");
    terminal.type_keys("<f3>");
    terminal.see("00-quotes.md");
    let mut times = Vec::new();
    for _ in &documents {
        times.extend(["<down>", "w", "r", "w", "r"].map(|key| frame(&terminal, key)));
        bar::tried(1);
    }
    assert_quick(times);
    let memory = own_peak(terminal.pid());
    assert!(memory < MOST_KIB, "{memory} KiB");
    leave(terminal);
}

/// What a file of 1 MiB takes is what any larger one takes.
#[test]
fn a_huge_a_sparse_and_a_growing_file_take_the_memory_of_what_is_shown() {
    let env = TestEnv::with_four_skills();
    let lines = |name: &str| format!("a line of {name}\n").repeat(60_000);
    let at = |name: &str| env.at("repo/.agents/skills/alpha").join(name);
    for (name, size) in [("a-whole", 0), ("b-huge", 1 << 30), ("c-sparse", 1 << 40), ("d-grows", 0)]
    {
        fs::write(at(name), lines(name)).unwrap();
        if size > 0 {
            File::options().write(true).open(at(name)).unwrap().set_len(size).unwrap();
        }
    }
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let mut growing = File::options().append(true).open(at("d-grows")).unwrap();
        let piece = lines("d-grows");
        let over = &over;
        scope.spawn(move || {
            let mut rounds = 0..1_000;
            while !over.load(Ordering::Relaxed) && rounds.next().is_some() {
                growing.write_all(piece.as_bytes()).unwrap();
            }
        });
        let terminal = Setup::new(&env, &[]).start();
        terminal.see_current("alpha");
        terminal.type_keys("<f3>");
        terminal.see("d-grows");
        let mut memory = Vec::new();
        for name in ["a-whole", "b-huge", "c-sparse", "d-grows"] {
            terminal.type_keys("<down>");
            terminal.see(&format!("a line of {name}"));
            memory.push(own_peak(terminal.pid()));
            bar::tried(1);
        }
        over.store(true, Ordering::Relaxed);
        let grown = memory[3] - memory[0];
        assert!(grown < 20 << 10, "{grown} KiB more: {memory:?}");
        leave(terminal);
    });
}

/// A list is wanted usable within a second; here the program is not optimised and not alone.
#[test]
fn very_many_skills_are_all_found_and_keys_are_answered_meanwhile() {
    let env = TestEnv::with_four_skills();
    let count = bar::share(100_000);
    let top = env.at("repo/.agents/skills");
    for number in 0..count {
        let folder = top.join(format!("group-{}/many-{number}", number / 1_000));
        fs::create_dir_all(&folder).unwrap();
        let text =
            format!("---\nname: many-{number}\ndescription: One of very many.\n---\nText.\n");
        fs::write(folder.join("SKILL.md"), text).unwrap();
    }
    let deep = (0..200).fold(top.join("deep"), |folder, _| folder.join("d"));
    fs::create_dir_all(&deep).unwrap();
    fs::write(deep.join("SKILL.md"), "---\nname: deep\ndescription: d\n---\n").unwrap();
    for (link, target) in [("circle", "."), ("up", "..")] {
        std::os::unix::fs::symlink(target, top.join(link)).unwrap();
    }
    let begun = Instant::now();
    let terminal = Setup::new(&env, &[]).start();
    terminal.see_bytes(0, b"\x1b[?2026l");
    frame(&terminal, "<down>");
    let taken = begun.elapsed();
    assert!(taken < Duration::from_secs(10), "{taken:?}");
    let all = count + 4;
    let found = || terminal.text().contains(&format!("{all} of {all}"));
    let mut times = vec![frame(&terminal, "<down>")];
    while !found() && begun.elapsed() < Duration::from_secs(300) {
        times.push(frame(&terminal, "<down>"));
    }
    assert!(found(), "{}", terminal.text());
    assert_quick(times);
    terminal.type_keys("zebra");
    terminal.see_current("zebra");
    let memory = own_peak(terminal.pid());
    assert!(memory < MOST_KIB, "{memory} KiB");
    leave(terminal);
    bar::tried(count);
}

/// Broken frontmatters may take 20 MiB more than sound ones.
#[test]
fn hostile_documents_take_little_memory() {
    let memory = |is_hostile: bool| {
        let env = TestEnv::with_four_skills();
        let documents = documents();
        for (number, (_, place, text)) in documents.iter().enumerate() {
            let more = if is_hostile { text.as_str() } else { "metadata: {}" };
            let name = format!("doc-{number}");
            if *place == "skill" {
                let frontmatter = format!("name: {name}\ndescription: d\n{more}");
                env.raw_skill(&format!("repo/.agents/skills/{name}"), &frontmatter, "body");
            } else if is_hostile {
                env.write(format!("home/{place}"), text);
            }
        }
        let terminal = Setup::new(&env, &["--host", "all"]).start();
        let all = 4 + documents.iter().filter(|(_, place, _)| *place == "skill").count();
        terminal.see(&format!("{all} of {all}"));
        let memory = own_peak(terminal.pid());
        leave(terminal);
        memory
    };
    let (usual, hostile) = (memory(false), memory(true));
    assert!(hostile < usual + (20 << 10), "{hostile} KiB, where sound ones take {usual}");
}
