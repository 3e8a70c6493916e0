//! The drivers of the fuzz targets, without a fuzzer: over the kept inputs of `fuzz/corpus`, and
//! over inputs that are made from them by seeded changes.

#[path = "../../fuzz/drivers.rs"]
mod drivers;

use crate::env::bar;
use crate::env::random::Random;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// A busy machine takes a moment; a parser that hangs takes longer.
const DEADLINE: Duration = Duration::from_secs(10);

/// The longest input that a change makes.
const LONGEST: usize = 4_096;

/// What a parser may stumble over.
const ODD: [&[u8]; 16] = [
    b"\0",
    b"\n",
    b"\r\n",
    b"\"",
    b"'",
    b"\\",
    b": ",
    b"[[",
    b"}",
    b"#",
    b"\xff",
    b"\xc3",
    b"\xe2\x80\xae",
    b"\xef\xbb\xbf",
    b"\x1b]0;",
    b"9999999999999999999",
];

/// One of the inputs, changed in a few places.
fn changed(inputs: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut bytes = random.pick(inputs).clone();
    for _ in 0..=random.below(6) {
        let range = random.range(&bytes);
        let piece = match random.below(5) {
            0 => Vec::new(),
            1 => random.pick(&ODD).to_vec(),
            2 => vec![u8::try_from(random.below(256)).unwrap()],
            3 => bytes[range.clone()].repeat(1 + random.below(20)),
            _ => {
                let other = random.pick(inputs);
                other[random.range(other)].to_vec()
            }
        };
        bytes.splice(range, piece);
    }
    bytes.truncate(LONGEST);
    bytes
}

/// The input that is tried; shown if the driver panics.
struct Tried<'a>(&'a [u8]);

#[expect(clippy::print_stderr, reason = "the runner shows it for a test that fails")]
impl Drop for Tried<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the input is b\"{}\"", self.0.escape_ascii());
        }
    }
}

fn hold(name: &str) {
    let (_, driver) = *drivers::TARGETS.iter().find(|(target, _)| *target == name).unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let kept: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).unwrap()).collect();
    assert!(kept.len() >= 8, "{name} has {} inputs", kept.len());
    let mut random = Random::new(name.len() as u64);
    let rounds = bar::share(100_000);
    for round in 0..kept.len() + rounds {
        let input = kept.get(round).cloned().unwrap_or_else(|| changed(&kept, &mut random));
        let begun = Instant::now();
        let tried = Tried(&input);
        driver(&input);
        assert!(begun.elapsed() < DEADLINE, "{:?}", begun.elapsed());
        drop(tried);
    }
    bar::tried(rounds);
}

#[test]
fn each_fuzz_target_has_a_driver() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/targets");
    let mut targets: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let mut drivers = drivers::TARGETS.map(|(name, _)| name.to_owned());
    targets.sort();
    drivers.sort();
    assert_eq!(targets, drivers);
}

#[test]
fn random_frontmatter_is_read_without_a_panic() {
    hold("frontmatter");
}

#[test]
fn random_queries_are_read_without_a_panic() {
    hold("query");
}

#[test]
fn no_random_project_file_allows_more() {
    hold("rules");
}

#[test]
fn any_edit_of_random_settings_is_readable_and_made_once() {
    hold("settings");
}

#[test]
fn random_markdown_fits_and_is_inert() {
    hold("markdown");
}

#[test]
fn random_text_is_cleaned_once_and_for_all() {
    hold("cleaning");
}

#[test]
fn random_frames_are_json_or_refused() {
    hold("frames");
}

#[test]
fn random_text_has_its_mentions_in_order() {
    hold("mentions");
}
