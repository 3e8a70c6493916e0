//! What it costs to find, read and judge skills, with two thousand of them on the disk.

use divan::{Bencher, black_box};
use skillpick::catalog::validate::{examine, strict};
use skillpick::catalog::{HostId, Root, Scope, Walk};
use skillpick::scan::{Known, Options, scan};
use skillpick::text::Hidden;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const SKILLS: usize = 2_000;

fn main() {
    divan::main();
}

fn text(index: usize) -> String {
    let body = "Compare the figures with last week's, and say what changed and why.\n".repeat(60);
    format!(
        "---\nname: skill-{index}\ndescription: Works on thing {index}. Use when thing {index} is to be made, checked or \
         explained to somebody who has not seen it.\nlicense: MIT\nmetadata:\n  author: ada\n---\n# Skill {index}\n\n{body}"
    )
}

fn catalog() -> TempDir {
    let folder =
        tempfile::tempdir().unwrap_or_else(|error| unreachable!("no temporary folder: {error}"));
    for index in 0..SKILLS {
        let skill = folder.path().join(format!("group-{}/skill-{index}", index % 20));
        let written = fs::create_dir_all(&skill)
            .and_then(|()| fs::write(skill.join("SKILL.md"), text(index)));
        assert!(written.is_ok(), "{written:?}");
    }
    folder
}

fn root(path: &Path) -> Root {
    Root::new(path.to_owned(), Scope::User, HostId::AGENTS, Walk::STANDARD)
}

/// Everything from the folders.
#[divan::bench]
fn from_scratch(bencher: Bencher) {
    let folder = catalog();
    bencher.bench_local(|| scan(&[root(folder.path())], &Options::default(), |_| {}).skills.len());
}

/// Whether a text hides something: an ordinary body, one of 1 MiB, and the worst of 1 MiB.
#[divan::bench(args = ["6 KiB", "1 MiB", "1 MiB of marks"])]
fn hidden(bencher: Bencher, what: &str) {
    let line =
        "Compare the figures – “last week’s” – and say ⚠️ what changed, why and since when.\n";
    let text = match what {
        "6 KiB" => line.repeat(70),
        "1 MiB" => line.repeat((1 << 20) / line.len()),
        _ => "x\u{200d}\u{200e}".repeat((1 << 20) / 7),
    };
    bencher.bench_local(|| Hidden::of(black_box(&text)));
}

/// Again, when nothing has changed.
#[divan::bench]
fn again(bencher: Bencher) {
    let folder = catalog();
    let first = scan(&[root(folder.path())], &Options::default(), |_| {});
    let known = Known::new(first.skills.iter().cloned());
    let options = Options { known, ..Options::default() };
    bencher.bench_local(|| scan(&[root(folder.path())], &options, |_| {}).skills.len());
}

/// One file, in the lenient grade.
#[divan::bench]
fn examine_one(bencher: Bencher) {
    let text = text(7);
    bencher.bench_local(|| {
        examine(black_box(text.as_bytes()), "skill-7", "SKILL.md").diagnostics.len()
    });
}

/// One file, as the reference validator would.
#[divan::bench]
fn strict_one(bencher: Bencher) {
    let text = text(7);
    bencher.bench_local(|| {
        strict(black_box(text.as_bytes()), "skill-7", "SKILL.md").diagnostics.len()
    });
}
