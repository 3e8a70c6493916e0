//! Codex.

use crate::agent::{Agent, below, names, off, same, words};
use crate::house::House;
use crate::tree;
use skillpick::hosts::oracle::{CODEX, Report};

#[test]
fn what_codex_loads_below_a_root() {
    let Some(codex) = Agent::find(&CODEX) else { return };
    let house = House::new("codex-trouble");
    let root = "repo/.agents/skills";
    tree::trouble(&house, root);
    tree::no_texts(&house, root);
    let report = codex.ask(&house, "repo");
    same(&below(&report, &house, root), &words("x"));
}

#[test]
fn where_codex_looks() {
    let Some(codex) = Agent::find(&CODEX) else { return };
    let house = House::new("codex-marks");
    tree::marks(&house);
    same(&names(&codex.ask(&house, "repo/a/b"), "mark-"), &words("x"));
}
