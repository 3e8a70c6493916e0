//! Generated trees and settings, on which our view and the agent's own program must say the same.
//!
//! `just differ AGENT TREES SEED` compares a tree with every fault of a file alone, then TREES
//! trees from SEED on, shrinks what differs, and switches a skill of each tree off and on;
//! `BLESS=1` writes its line into `docs/agents.md`. A tree is made from its seed alone, and from
//! real skill files where `target/corpus` has some.
//! `cargo test` runs a few trees of seeds on which the two agree, so that what has been mended
//! stays so; it says nothing about other seeds.

mod agents;
mod compare;
mod heads;
mod places;
mod report;
mod settings;
mod shrink;
mod toggle;
mod tree;

use crate::agent::{Agent, say};
use report::{Run, run};
use std::path::Path;

/// The bar, in percent.
const SKILLS: f64 = 99.5;
const TREES: f64 = 97.0;

/// Compares what `SKILLPICK_DIFFER` says: `AGENT TREES SEED`.
#[test]
#[ignore = "just differ AGENT TREES SEED"]
fn differ() {
    let wanted = std::env::var("SKILLPICK_DIFFER").unwrap_or_default();
    let mut words = wanted.split_whitespace();
    let word = words.next().unwrap_or_default();
    let agent = agents::ALL.iter().find(|agent| agent.host.id.word() == word);
    let agent = agent.unwrap_or_else(|| panic!("SKILLPICK_DIFFER names no agent: {wanted:?}"));
    let mut number = || words.next().and_then(|word| word.parse::<u64>().ok()).unwrap_or(20);
    let (trees, seed) = (number(), number());
    if Agent::find(agent.host.probe.unwrap()).is_none() {
        return;
    }
    say(&report::each(agent));
    let run = run(agent, seed..seed + trees, &report::corpus(), true);
    say(&run.text());
    report::record(agent, &run);
    let (skills, trees) = (run.skills_percent(), run.trees_percent());
    assert!(skills >= SKILLS && trees >= TREES && run.wrong.is_empty(), "below the bar");
}

/// The seeds that agree, without the corpus, so that they are the same on every machine.
#[test]
fn generated_trees_look_the_same_to_us_and_to_each_agent() {
    for agent in agents::ALL.iter().filter(|agent| !agent.seeds.is_empty()) {
        if Agent::find(agent.host.probe.unwrap()).is_some() {
            let run: Run = run(agent, agent.seeds.clone(), &[], false);
            assert!(run.differing.is_empty() && run.wrong.is_empty(), "{}", run.text());
        }
    }
}

/// Where real skill files may be.
fn corpus_folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target/corpus")
}
