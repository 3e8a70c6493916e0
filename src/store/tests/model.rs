//! Seeded sequences of changes, compared after each step with a naive model in memory.

use super::*;
use crate::test_env::random::Random;
use std::collections::BTreeMap;

const SEQUENCES: u64 = 100;
const STEPS: usize = 24;
const NAMES: [&str; 5] = ["pdf", "PDF", " Deploy", "deploy", "ü"];
const TEXTS: [&str; 4] = ["one", "two", "three", ""];
const AUTHORS: [&str; 3] = ["ann", "bob", "cid"];

pub(super) fn all() -> Vec<Case> {
    let case = |seed: u64| -> Case {
        let run = move |bench: &mut Bench| sequence(bench, seed);
        (format!("a sequence of changes is what a list in memory would be, {seed}"), Box::new(run))
    };
    (0..SEQUENCES).map(case).collect()
}

/// A change, as the model has it.
#[derive(Clone, Debug, PartialEq)]
struct Step {
    author: &'static str,
    action: Action,
    name: String,
    before: Option<String>,
    after: Option<String>,
    undoes: Option<usize>,
}

/// What is there, and how it came so. Versions are contents.
#[derive(Default)]
struct Model {
    live: BTreeMap<String, String>,
    log: Vec<Step>,
}

impl Model {
    fn step(
        &mut self,
        author: &'static str,
        action: Action,
        name: &str,
        after: Option<&str>,
        undoes: Option<usize>,
    ) -> bool {
        let name = normalized(name);
        let before = self.live.get(&name).cloned();
        let after = after.map(str::to_owned);
        if before == after {
            return false;
        }
        match &after {
            Some(text) => drop(self.live.insert(name.clone(), text.clone())),
            None => drop(self.live.remove(&name)),
        }
        self.log.push(Step { author, action, name, before, after, undoes });
        true
    }

    /// What a restore without a version takes.
    fn last_but_now(&self, name: &str) -> Result<String, StoreError> {
        let name = normalized(name);
        let now = self.live.get(&name);
        let of_it = self.log.iter().rev().filter(|step| step.name == name);
        let mut before = of_it.filter_map(|step| step.before.as_ref());
        let none = || if now.is_some() { StoreError::NoEarlier } else { StoreError::NoSkill };
        before.find(|text| Some(*text) != now).cloned().ok_or_else(none)
    }

    fn undoable(&self, author: &str) -> Result<usize, StoreError> {
        let undone: Vec<usize> = self.log.iter().filter_map(|step| step.undoes).collect();
        let found = self.log.iter().enumerate().rev().find(|(at, step)| {
            step.author == author && step.action != Action::Undo && !undone.contains(at)
        });
        let (at, step) = found.ok_or(StoreError::NothingToUndo)?;
        if self.live.get(&step.name) != step.after.as_ref() {
            return Err(StoreError::Changed(None));
        }
        Ok(at)
    }
}

fn sequence(bench: &mut Bench, seed: u64) {
    let (mut random, mut model) = (Random::new(seed), Model::default());
    for _ in 0..STEPS {
        let (name, author) = (*random.pick(&NAMES), *random.pick(&AUTHORS));
        let at_ms = bench.now();
        match random.below(8) {
            0..4 => {
                let text = *random.pick(&TEXTS);
                let put = bench.put_as(author, name, text, Expected::Anything).unwrap();
                assert_eq!(put.changed, model.step(author, Action::Put, name, Some(text), None));
            }
            4 => {
                let there = model.live.contains_key(&normalized(name));
                let delete = |store: &mut Store| {
                    store.delete("shop", name, author, at_ms, Expected::Anything)
                };
                let tried = bench.store.dry_run(delete);
                let gone = delete(&mut bench.store);
                assert_eq!(gone, tried, "what a dry run tells is what comes");
                assert_eq!(gone.is_ok(), there);
                model.step(author, Action::Delete, name, None, None);
            }
            5 | 6 => {
                let wanted = model.last_but_now(name);
                let restore = |store: &mut Store| store.restore("shop", name, None, author, at_ms);
                let tried = bench.store.dry_run(restore);
                let done = restore(&mut bench.store);
                assert_eq!(done, tried);
                assert_eq!(done.as_ref().err(), wanted.as_ref().err());
                if let Ok(text) = wanted {
                    model.step(author, Action::Restore, name, Some(&text), None);
                }
            }
            _ => {
                let wanted = model.undoable(author);
                let tried = bench.store.dry_run(|store| store.undo("shop", None, author, at_ms));
                let done = bench.store.undo("shop", None, author, at_ms);
                assert_eq!(done, tried);
                let codes = (done.as_ref().err(), wanted.as_ref().err());
                assert_eq!(codes.0.map(StoreError::code), codes.1.map(StoreError::code));
                if let Ok(at) = wanted {
                    let Step { name, before, .. } = model.log[at].clone();
                    model.step(author, Action::Undo, &name, before.as_deref(), Some(at));
                }
            }
        }
        compare(bench, &model);
    }
}

fn compare(bench: &mut Bench, model: &Model) {
    let (project, skills) = bench.store.skills("shop").unwrap();
    let version = |text: &String| version_digest(text, &[]);
    let seen: Vec<(&str, &str)> =
        skills.iter().map(|skill| (skill.name_norm.as_str(), skill.version.as_str())).collect();
    let wanted: Vec<(&str, String)> =
        model.live.iter().map(|(name, text)| (name.as_str(), version(text))).collect();
    let wanted: Vec<(&str, &str)> =
        wanted.iter().map(|(name, version)| (*name, version.as_str())).collect();
    assert_eq!(seen, wanted);
    assert_eq!(usize::try_from(project.revision).unwrap(), model.log.len() + 1);
    assert_eq!(project.skills as usize, model.live.len());
    let mut log = bench.store.history("shop", None, 1_000).unwrap();
    log.reverse();
    assert_eq!(log.len(), model.log.len() + 1);
    for (change, step) in log[1..].iter().zip(&model.log) {
        let undoes = step.undoes.map(|at| i64::try_from(at).unwrap() + 2);
        assert_eq!(
            (change.author.as_str(), change.action, change.name_norm.as_str(), change.undoes),
            (step.author, step.action, step.name.as_str(), undoes)
        );
        assert_eq!(change.version, step.after.as_ref().map(version));
        assert_eq!(change.previous, step.before.as_ref().map(version));
    }
}
