//! The rules screen.

use crate::model::catalog::{self, TestCatalog};
use crate::model::screen::{draw, text};
use crate::model::script::update;
use crate::model::script::{self, draft, effects, go_to, notice, script, shop, top};
use ratatui::layout::Position;
use skillpick::catalog::{Permission, Scope};
use skillpick::policy::{Alarm, Layer, Pattern, PatternKind, RuleForms};
use skillpick::text::SafeText;
use skillpick::tui::app::{Mouse, Msg, Rules, RulesMode, Screen, State, hints};
use skillpick::tui::view::Palette;
use std::path::Path;
use std::sync::Arc;

pub(super) fn rules(state: &State) -> &Rules {
    match state.screens.last() {
        Some(Screen::Rules(rules)) => rules,
        _ => panic!("the rules are not on top"),
    }
}

pub(super) fn drafts(state: &State) -> Vec<String> {
    rules(state).drafts.iter().map(draft).collect()
}

/// The rules, opened on a skill.
pub(super) fn on(name: &str) -> State {
    let mut state = shop();
    go_to(&mut state, name);
    script(&mut state, "<ctrl-r>");
    state
}

#[test]
fn without_a_rule_the_keys_that_need_one_say_so() {
    let mut catalog = TestCatalog::shop();
    catalog.policy.rules.clear();
    let mut state = script::open((100, 30), catalog.view());
    script(&mut state, "<ctrl-r>");
    for key in ["<enter>", "<space>", "i", "d"] {
        assert!(effects(&mut state, key).is_empty());
        assert_eq!(notice(&state), "no rule here: a adds one", "{key}");
        script(&mut state, "j");
    }
    script(&mut state, "a");
    assert_eq!(drafts(&state).len(), 1);
}

#[test]
fn cod_14_the_rules_open_at_the_one_that_decides_the_current_skill() {
    assert_eq!(rules(&on("internal-deploy")).list.cursor, 0);
    assert_eq!(rules(&on("pdf-forms")).list.cursor, 1);
    assert_eq!(rules(&on("pdf")).list.cursor, 0, "none decides: the first");
}

#[test]
fn cod_8_1_a_rule_is_added_for_the_current_skill_and_saved() {
    let mut state = on("pdf");
    assert_eq!(
        effects(&mut state, "a<enter><ctrl-s>"),
        ["plan deny internal-* user; allow pdf-forms user; deny pdf user"],
        "the project's own stay as they are"
    );
    assert!(rules(&state).is_unsaved(), "until it has been written");
}

#[test]
fn the_outcome_follows_every_letter() {
    let mut state = on("pdf");
    script(&mut state, "a<ctrl-u>pdf-m");
    let changed = rules(&state).outcome.changed;
    assert_eq!(changed, 0, "no skill is called pdf-m");
    script(&mut state, "*");
    assert_eq!(rules(&state).outcome.changed, 1);
    script(&mut state, "<esc>");
    assert_eq!(
        (rules(&state).outcome.changed, drafts(&state).len()),
        (0, 3),
        "leaving the line takes the rule away"
    );
}

/// A catalog of 40 skills, with a rule about one kind and one about all.
fn many() -> State {
    let skills = (0..40).map(|n| catalog::skill(Scope::User, &format!("s{n:02}"), "A skill."));
    let mut catalog = TestCatalog::of(skills.collect());
    catalog.policy.rules = vec![
        catalog::rule(Layer::User, 3, Permission::Ask, "*"),
        catalog::rule(Layer::User, 4, Permission::Deny, "s3*"),
    ];
    let mut state = script::open((100, 30), catalog.view());
    script(&mut state, "<ctrl-r>g");
    state
}

#[test]
fn cod_8_1_every_effect_can_be_read_those_of_the_current_rule_first() {
    let mut state = many();
    let pane = |state: &State| -> Vec<String> {
        let right = |row: &String| row.split('│').nth(1).unwrap_or_default().trim().to_owned();
        text(&draw(state, Palette::Ansi)).iter().map(right).collect()
    };
    let first =
        |state: &State| pane(state)[3].split_whitespace().next().unwrap_or_default().to_owned();
    assert_eq!(first(&state), "s00");
    assert!(pane(&state).iter().any(|row| row == "1–24 of 40"), "{:#?}", pane(&state));
    script(&mut state, "<shift-down>");
    assert_eq!(first(&state), "s01");
    script(&mut state, "<ctrl-f><ctrl-f>");
    assert!(pane(&state).iter().any(|row| row == "17–40 of 40"), "{:#?}", pane(&state));
    script(&mut state, "<ctrl-b><ctrl-b>");
    assert_eq!(first(&state), "s00");
    script(&mut state, "<ctrl-f>j");
    assert_eq!(first(&state), "s30", "what the current rule decides comes first, from its start");
    update(&mut state, Msg::Mouse(Mouse::WheelDown(Position::new(80, 10))));
    assert_eq!((first(&state).as_str(), rules(&state).list.cursor), ("s33", 1));
    update(&mut state, Msg::Mouse(Mouse::WheelUp(Position::new(10, 10))));
    assert_eq!(rules(&state).list.cursor, 0, "over the rules it moves by a rule");
}

#[test]
fn broken_settings_are_reported_and_their_rules_stay() {
    let mut catalog = TestCatalog::of(vec![catalog::skill(Scope::User, "pdf", "Extract text.")]);
    let alarm = Alarm {
        file: Arc::from(Path::new(catalog::USER_FILE)),
        line: 2,
        message: "not TOML".into(),
    };
    catalog.policy.rules.extend(alarm.denials(Layer::User));
    let mut state = script::open((100, 30), catalog.view());
    script(&mut state, "<ctrl-r>");
    let said =
        "the settings cannot be read (config.toml:2): every skill is denied until that is fixed";
    let rows = text(&draw(&state, Palette::Ansi));
    assert!(
        rows.iter()
            .all(|row| !row.contains("allowed by default") && !row.contains("default allow")),
        "{rows:#?}"
    );
    assert!(
        rows.iter().any(|row| row.contains("the settings cannot be read (config.toml:2)")),
        "{rows:#?}"
    );
    for key in ["a", "<enter>", " ", "i", "d", "<ctrl-s>"] {
        assert!(effects(&mut state, key).is_empty());
        assert_eq!((notice(&state), drafts(&state).len()), (said, 0), "{key}");
    }
    script(&mut state, "tpdf");
    let tested = text(&draw(&state, Palette::Ansi)).join(" ");
    assert!(tested.contains("deny (broken settings)"), "{tested}");
    // What a project's file names is denied; other rules can still be written.
    catalog.policy.rules = vec![alarm.denials(Layer::Project)[0].clone()];
    catalog.policy.rules[0].pattern = Pattern::Exact("pdf".into());
    let mut state = script::open((100, 30), catalog.view());
    script(&mut state, "<ctrl-r>");
    assert!(text(&draw(&state, Palette::Ansi)).join(" ").contains("what they name is"));
    script(&mut state, "a<enter>");
    assert_eq!(drafts(&state), ["deny pdf user"]);
}

#[test]
fn a_malformed_pattern_is_refused_and_the_line_stays_open() {
    for pattern in ["pdf-*-x", "a/b", "[ab]"] {
        let mut state = on("pdf");
        script(&mut state, "a<ctrl-u>");
        script(&mut state, pattern);
        script(&mut state, "<enter>");
        assert!(notice(&state).starts_with("not a pattern"), "{pattern}: {}", notice(&state));
        assert!(matches!(rules(&state).mode, RulesMode::Pattern { .. }));
    }
}

#[test]
fn a_rule_is_edited_and_the_edit_cancelled() {
    let mut state = on("internal-deploy");
    script(&mut state, "<enter><backspace>x<esc>");
    assert_eq!(drafts(&state)[0], "deny internal-* user", "esc takes back what was typed");
    script(&mut state, "<enter><ctrl-u>secret-*<enter> id");
    assert_eq!(drafts(&state), ["ask pdf-forms project", "allow pdf-forms user"]);
    script(&mut state, "u");
    assert_eq!(drafts(&state)[0], "ask secret-* project");
    script(&mut state, "u");
    assert_eq!(drafts(&state)[0], "ask secret-* user");
    script(&mut state, "uu");
    assert_eq!(drafts(&state)[0], "deny internal-* user");
    assert!(!rules(&state).is_unsaved());
    assert_eq!(
        effects(&mut state, "u"),
        ["undo"],
        "nothing left here: what was saved last is taken back"
    );
}

#[test]
fn the_effect_key_cycles() {
    let mut state = on("internal-deploy");
    let mut seen = Vec::new();
    for _ in 0..3 {
        script(&mut state, " ");
        seen.push(rules(&state).drafts[0].effect);
    }
    assert_eq!(seen, [Permission::Ask, Permission::Allow, Permission::Deny]);
}

#[test]
fn a_missing_project_file_is_reported() {
    let mut view = TestCatalog::shop().view();
    view.files.rules.truncate(1);
    let mut state = script::open((100, 30), view);
    script(&mut state, "<ctrl-r>i");
    assert!(notice(&state).contains("no repository"));
}

#[test]
fn a_name_is_tested_by_the_rules_as_they_would_be() {
    let mut state = on("internal-deploy");
    script(&mut state, "tinternal-wiki");
    let verdict = |permission, why| Some((permission, SafeText::fixed(why)));
    assert_eq!(rules(&state).test(&state), verdict(Permission::Deny, "rule 1"));
    script(&mut state, "<ctrl-u>nobody");
    assert_eq!(rules(&state).test(&state), verdict(Permission::Allow, "default"));
    script(&mut state, "<enter>");
    assert_eq!((top(&state), rules(&state).test(&state)), ("rules", None));
}

#[test]
fn the_current_rule_is_seen_at_every_size() {
    let mut catalog = TestCatalog::shop();
    catalog.policy.rules = (1..=9)
        .map(|line| catalog::rule(Layer::User, line, Permission::Allow, &format!("idle-{line}")))
        .collect();
    for size in [(40, 8), (40, 10), (60, 20), (80, 9), (100, 30), (160, 45)] {
        let mut state = script::open(size, catalog.view());
        script(&mut state, "<ctrl-r>");
        for keys in ["", "j", "j", "j", "G", "k", "g", "G"] {
            script(&mut state, keys);
            let (rules, height) = (rules(&state), usize::from(Rules::list_area(&state).height));
            let lines: usize =
                (rules.list.top..rules.list.cursor).map(|rule| rules.lines_of(rule, &state)).sum();
            assert!(
                rules.list.top <= rules.list.cursor && lines < height,
                "{size:?}: {} from {}",
                rules.list.cursor,
                rules.list.top
            );
        }
    }
}

#[test]
fn a_host_without_rules_says_so() {
    let mut state = shop();
    Arc::make_mut(&mut state.viewed.listing.policy).order.forms = RuleForms::NONE;
    script(&mut state, "<ctrl-r>");
    assert_eq!(
        (top(&state), notice(&state)),
        ("picker", "agents has no permission rules for one skill")
    );
    let mut state = shop();
    state.options.host = "all";
    script(&mut state, "<ctrl-r>");
    assert_eq!(notice(&state), "every agent has rules of its own: choose one first (^g)");
    assert_eq!(top(&state), "picker");
}

#[test]
fn rules_about_scripts_and_arguments_are_shown_and_kept() {
    use skillpick::policy::{Bound, Rule, Runs, ScriptPath, Tool};
    let mut catalog = TestCatalog::shop();
    let forms = catalog.skills.iter().find(|skill| skill.name == "pdf-forms").unwrap();
    let bound = Some(Bound { path: forms.path.clone(), digest: Some("a".repeat(64)) });
    let runs = Runs {
        script: Some(ScriptPath::read("scripts/fill.py").unwrap()),
        arguments: Some(vec!["-n".into()]),
    };
    let scripts = catalog::rule(Layer::User, 9, Permission::Allow, "pdf-forms");
    let (tool, runs) = (Tool::SkillScript, runs.clone());
    catalog.policy.rules.push(Rule { tool, runs: runs.clone(), bound, ..scripts });
    let mut state = script::open((120, 30), catalog.view());
    script(&mut state, "<ctrl-r>");
    let shown = crate::model::screen::draw(&state, skillpick::tui::view::Palette::Plain);
    let shown = crate::model::screen::text(&shown).join("\n");
    assert!(
        shown.contains("pdf-forms (scripts)") && shown.contains("only scripts/fill.py [\"-n\"]"),
        "{shown}"
    );
    assert_eq!(
        [2, 3].map(|draft| rules(&state).lines_of(draft, &state)),
        [2, 2],
        "an idle one, and this one"
    );
    let last = rules(&state).outcome.rules.last().unwrap();
    assert_eq!(
        (last.decides > 0, last.idle),
        (true, None),
        "it is weighed by a run that it covers"
    );
    // The effect and the place of such a rule are edited here, other rules as well; script and
    // arguments stay.
    script(&mut state, "<end><space>");
    let drafts = &rules(&state).drafts;
    assert_eq!(
        (drafts[3].effect, &drafts[3].runs, drafts[3].tool),
        (Permission::Deny, &runs, Tool::SkillScript)
    );
}

#[test]
fn a_rule_that_allows_is_bound_to_the_skill_on_which_it_was_begun() {
    let mut state = on("pdf");
    let path = state.current().unwrap().skill.path.clone();
    let draft = |state: &State| rules(state).drafts[rules(state).list.cursor].clone();
    script(&mut state, "a<enter>");
    assert_eq!((draft(&state).effect, draft(&state).bound_to()), (Permission::Deny, None));
    script(&mut state, "<space><space>");
    assert_eq!(draft(&state).effect, Permission::Allow);
    assert_eq!(draft(&state).bound_to().map(|bound| &bound.path), Some(&path));
    let shown = text(&draw(&state, Palette::Plain)).join("\n");
    assert!(shown.contains(&format!("only at {}", path.parent().unwrap().display())), "{shown}");
    // Another name is another matter.
    let mut state = on("pdf");
    script(&mut state, "ax<enter><space><space>");
    assert_eq!((draft(&state).effect, draft(&state).bound_to()), (Permission::Allow, None));
}

#[test]
fn an_effect_that_the_host_does_not_have_for_one_skill_is_not_offered() {
    let mut state = shop();
    let policy = Arc::make_mut(&mut state.viewed.listing.policy);
    policy.order.forms.ask = &[PatternKind::Any];
    go_to(&mut state, "pdf");
    script(&mut state, "<ctrl-r>a<enter>");
    let effect = |state: &State| rules(state).drafts.last().unwrap().effect;
    let round = [Permission::Allow, Permission::Deny].into_iter().cycle().take(4);
    for wanted in round {
        script(&mut state, "<space>");
        assert_eq!(effect(&state), wanted);
    }
    // Of every skill it can ask; then the rule is made to be about one.
    script(&mut state, "<enter><ctrl-u><enter><space>");
    assert_eq!(effect(&state), Permission::Ask);
    script(&mut state, "<enter>pdf<enter>");
    assert_eq!(effect(&state), Permission::Deny);
    assert!(
        notice(&state).contains("it asks about every skill (`*`) or none"),
        "{}",
        notice(&state)
    );
    // Where there is no other effect, the key says so.
    let policy = Arc::make_mut(&mut state.viewed.listing.policy);
    policy.order.forms.allow = &[];
    script(&mut state, "<space>");
    assert_eq!(effect(&state), Permission::Deny);
    assert_eq!(notice(&state), "agents has no other effect for a rule with this pattern");
}

#[test]
fn without_rules_the_skills_that_are_not_as_by_default_are_counted() {
    let mut catalog = TestCatalog::shop();
    catalog.policy.rules.clear();
    catalog.turn_off("pdf");
    let mut state = script::open((100, 30), catalog.view());
    script(&mut state, "<ctrl-r>");
    let denied = rules(&state).outcome.counts.deny;
    let shown = text(&draw(&state, Palette::Ansi)).concat();
    assert!(shown.contains("no rules here: allowed by default, but"), "{shown}");
    let words = format!("  {denied} deny: switched off");
    assert!(denied > 0 && shown.contains(&words), "{shown}");
}

#[test]
fn a_rule_in_a_file_that_is_not_written_from_here_says_where_it_stands() {
    let mut catalog = TestCatalog::shop();
    let mut theirs = catalog::rule(Layer::User, 3, Permission::Deny, "pdf");
    let text = "permissions.deny".into();
    let file = Arc::from(Path::new("/etc/agent/more.json"));
    theirs.origin = skillpick::policy::Origin::Rule { file, line: 3, text };
    catalog.policy.rules.push(theirs);
    let mut state = script::open((120, 30), catalog.view());
    script(&mut state, "<ctrl-r><end>");
    let before = drafts(&state);
    for key in ["d", "<space>"] {
        script(&mut state, key);
        assert_eq!(notice(&state), "this rule stands in /etc/agent/more.json:3: change it there");
        assert_eq!(drafts(&state), before);
    }
    let shown = text_of(&state);
    assert!(!shown.contains("delete"), "{shown}");
    script(&mut state, "<home>");
    assert!(text_of(&state).contains("delete"));
}

fn text_of(state: &State) -> String {
    text(&draw(state, Palette::Plain)).join("\n")
}

#[test]
fn a_narrow_screen_says_first_how_unsaved_rules_are_saved() {
    let mut state = script::open((60, 20), TestCatalog::shop().view());
    go_to(&mut state, "pdf");
    script(&mut state, "<ctrl-r>");
    let labels = |state: &State| -> Vec<String> {
        hints::hints(state).iter().map(|hint| hint.label.as_str().to_owned()).collect()
    };
    assert_eq!(labels(&state)[0], "add");
    script(&mut state, "a<enter>");
    assert_eq!(labels(&state)[0], "save");
}

#[test]
fn what_is_typed_first_replaces_the_suggested_name() {
    let mut state = on("pdf");
    script(&mut state, "azip-*<enter>");
    assert_eq!(drafts(&state).last().unwrap(), "deny zip-* user");
    for keep in ["<end>", "<right>"] {
        let mut state = on("pdf");
        script(&mut state, &format!("a{keep}-*<enter>"));
        assert_eq!(drafts(&state).last().unwrap(), "deny pdf-* user", "{keep}");
    }
    let mut state = on("pdf");
    script(&mut state, "a<backspace>zip<enter>");
    assert_eq!(drafts(&state).last().unwrap(), "deny zip user");
}
