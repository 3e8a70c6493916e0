use super::*;
use proptest::prelude::*;
use std::collections::HashMap;

fn skill(name: &'static str, description: &str) -> ListedSkill<'static> {
    ListedSkill {
        name: name.into(),
        said: name,
        description: description.to_owned().into(),
        scope: Scope::Repo,
        root: Path::new("/r"),
        path: Path::new("/r/s/SKILL.md"),
        name_only: false,
    }
}

fn named<'a>(name: &'a str, description: &'a str) -> ListedSkill<'a> {
    ListedSkill { name: name.into(), said: name, description: description.into(), ..skill("", "") }
}

fn parts(forecast: &Forecast) -> Vec<Part> {
    forecast.portions.iter().map(|portion| portion.part).collect()
}

#[test]
fn what_is_used_most_keeps_its_description() {
    let skills = [skill("a", "12345"), skill("b", "12345"), skill("c", "12")];
    let uses = HashMap::from([("b".to_owned(), 2.0), ("c".to_owned(), 1.0)]);
    let rule = |limit| {
        Budget::ByUse(ByUse {
            limit,
            description: 100,
            own: &[(2, 5)],
            commands: &[(1, 1)],
            uses: uses.clone(),
        })
    };
    let of = |limit| parts(&rule(limit).forecast(&skills));
    // `- a: 12345`, `- b: 12345` and `- c: 12`, nineteen of the agent's own, and the ends of all
    // lines but the last.
    assert_eq!(of(19 + 30 - 1), [Part::Whole; 3]);
    assert_eq!(of(44), [Part::Name, Part::Whole, Part::Whole]);
    assert_eq!(of(34), [Part::Name, Part::Whole, Part::Name]);
    let forecast = rule(44).forecast(&skills);
    assert_eq!((forecast.cut(), forecast.wanted(), forecast.own), (1, 49, 19));
    assert_eq!(rule(34).forecast(&skills).own, 16);
}

#[test]
fn descriptions_are_shortened_in_turns_and_then_skills_are_left_out() {
    let skills = [skill("a", &"x".repeat(40)), skill("b", "yy")];
    let of =
        |limit| Budget::EvenPortions(EvenPortions { limit, description: 1024 }).forecast(&skills);
    // `- a: (file: r0/s/SKILL.md)` and the end of the line are 27 bytes, so 7 tokens.
    assert_eq!(parts(&of(7 + 11 + 8)), [Part::Whole, Part::Whole]);
    assert_eq!(parts(&of(7 + 9)), [Part::Shortened(4), Part::Whole]);
    assert_eq!(parts(&of(14)), [Part::Name, Part::Name]);
    assert_eq!(parts(&of(13)), [Part::Name, Part::Nothing]);
    assert_eq!((of(13).used(), of(13).cut()), (7, 2));
}

#[test]
fn a_long_description_ends_in_dots_that_count() {
    let long = skill("a", &"x".repeat(1_025));
    let exact = skill("a", &"x".repeat(1_024));
    let rule = Budget::EvenPortions(EvenPortions { limit: 10_000, description: 1_024 });
    assert_eq!(rule.forecast(&[long]).portions, rule.forecast(&[exact]).portions);
}

#[test]
fn behind_the_limit_stand_names_and_behind_those_nothing() {
    let skills: Vec<_> = (0..4).map(|_| skill("ab", "<")).collect();
    let rule = Budget::NamesBeyond(NamesBeyond { limit: 110, names: 6 });
    let forecast = rule.forecast(&skills);
    assert_eq!(parts(&forecast), [Part::Whole, Part::Name, Part::Name, Part::Nothing]);
    assert_eq!((forecast.used(), forecast.cut()), (FRAME_OF_ONE, 3));
}

/// `ab`, `&lt;` and `project` in the frame of 87.
const FRAME_OF_ONE: usize = 87 + 2 + 4 + 7;

#[test]
fn the_dearest_come_first_and_what_lost_most_last() {
    let texts = ["1", "123", "1234567890", "12"];
    let skills: Vec<_> = texts.iter().map(|text| named("a", text)).collect();
    let rule = Budget::NamesBeyond(NamesBeyond { limit: 260, names: 1 });
    assert_eq!(rule.forecast(&skills).by_cost(), [1, 0, 2, 3]);
    assert_eq!(Budget::Whole.forecast(&skills).by_cost(), [2, 0, 1, 3]);
}

proptest! {
    #[test]
    fn no_rule_takes_more_than_its_limit_unless_the_names_alone_do(
        texts in prop::collection::vec(("[a-z]{1,12}", ".{0,80}"), 0..30),
        limit in 1_usize..3_000,
    ) {
        let skills: Vec<_> = texts.iter().map(|(name, text)| named(name, text)).collect();
        let names: usize = skills.iter().map(|skill| skill.name.len() + 3).sum();
        for budget in [
            Budget::ByUse(ByUse { limit, description: 60, own: &[], commands: &[], uses: HashMap::new() }),
            Budget::EvenPortions(EvenPortions { limit, description: 60 }),
            Budget::NamesBeyond(NamesBeyond { limit, names: 50 }),
        ] {
            let forecast = budget.forecast(&skills);
            prop_assert_eq!(forecast.portions.len(), skills.len());
            // The last line of Claude Code's list has no end, which is counted.
            prop_assert!(forecast.used() <= (limit + 1).max(names), "{:?}", forecast);
            prop_assert!(forecast.used() <= forecast.wanted());
            prop_assert_eq!(forecast.cut() == 0, forecast.used() == forecast.wanted());
        }
    }
}

proptest! {
    #[test]
    fn a_line_of_codex_costs_its_bytes_whatever_its_characters_are(
        texts in prop::collection::vec(".{0,80}", 1..20),
        limit in 1_usize..600,
    ) {
        let most = 60;
        let skills: Vec<_> = texts.iter().map(|text| named("a", text)).collect();
        let rule = Budget::EvenPortions(EvenPortions { limit, description: most });
        for (portion, text) in rule.forecast(&skills).portions.iter().zip(&texts) {
            let is_long = text.chars().count() > most;
            let listed: String = match is_long {
                true => text.chars().take(most - 3).chain("...".chars()).collect(),
                false => text.clone(),
            };
            let all = listed.chars().count();
            let characters = match portion.part {
                Part::Whole => all,
                Part::Shortened(characters) => characters,
                Part::Name => 0,
                Part::Nothing => continue,
            };
            let tokens = |characters: usize| {
                let text: String = listed.chars().take(characters).collect();
                let blank = if characters > 0 { " " } else { "" };
                // A path takes as much whole as from its root on.
                let line = format!("- a:{blank}{text} (file: /r/s/SKILL.md)\n");
                line.len().div_ceil(BYTES_PER_TOKEN)
            };
            prop_assert_eq!((portion.cost, portion.whole), (tokens(characters), tokens(all)));
            prop_assert_eq!(portion.cut, characters < all);
        }
    }
}
