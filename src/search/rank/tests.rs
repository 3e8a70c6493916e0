use super::*;
use crate::catalog::{Enablement, HostId, Permission, Scope, Skill, checks};
use crate::listing::fixture::{folded, row, row_of, skill};
use crate::search::{Filter, IsValue, Ranker, WordKind};
use proptest::prelude::*;
use std::sync::Arc;

fn found<'a>(rows: &'a [Row], query: &str) -> Vec<(&'a str, Reason)> {
    let hits = rank(rows, &Query::parse(query), &Context::PLAIN);
    hits.iter().map(|hit| (rows[hit.index as usize].skill().name.as_str(), hit.reason)).collect()
}

fn placed(skill: Skill, scope: Scope, path: &str) -> Row {
    row_of(Skill { scope, path: path.into(), ..skill })
}

#[test]
fn cod_5_5_exact_path_exact_name_prefix_name_description() {
    let rows = [
        row("unrelated", "Opens /home/me/skills/pdf"),
        row("forms", "Fills a pdf"),
        row("my-pdf", ""),
        row("pdf-tools", ""),
        row("PDF", ""),
    ];
    let expected = [
        ("PDF", Reason::ExactName),
        ("pdf-tools", Reason::Prefix),
        ("my-pdf", Reason::Name),
        ("forms", Reason::Description),
        ("unrelated", Reason::Description),
    ];
    assert_eq!(found(&rows, "pdf"), expected);
    let by_path = [("PDF", Reason::ExactPath), ("unrelated", Reason::Description)];
    for path in ["/home/me/skills/PDF", "/home/me/skills/PDF/SKILL.md", "\"/home/me/skills/PDF\""] {
        let hits = found(&rows, path);
        assert_eq!(hits[..1], by_path[..1], "{path}");
    }
}

#[test]
fn cod_5_5b_ties_go_by_scope_then_path() {
    let rows = [
        placed(skill("pdf", ""), Scope::System, "/a/SKILL.md"),
        placed(skill("pdf", ""), Scope::User, "/c/SKILL.md"),
        placed(skill("pdf", ""), Scope::User, "/b/SKILL.md"),
        placed(skill("pdf", ""), Scope::Repo, "/z/SKILL.md"),
    ];
    let order = |query| {
        rank(&rows, &Query::parse(query), &Context::PLAIN)
            .iter()
            .map(|h| h.index)
            .collect::<Vec<_>>()
    };
    assert_eq!(order("pdf"), [3, 2, 1, 0]);
    assert_eq!(order(""), [3, 2, 1, 0]);
}

#[test]
fn a_whole_word_of_a_description_beats_letters_in_the_middle_of_a_names_words() {
    let rows = [
        row("board-games", "Keeps the score"),
        row("keyboards", "Types"),
        row("brand-owners-and-the-reds", "Lists them"),
        row("hub", "Reads the board of messages"),
        row("onboarding", "Welcomes"),
        row("skateboarder", "Shows the skateboarder's tricks"),
        row("bo-ard", "Has its letters at the starts of words and together"),
        row("boxyard", "Has them in the middle"),
    ];
    let names = found(&rows, "board");
    let place = |name: &str| names.iter().position(|(found, _)| *found == name);
    let whole = place("hub").unwrap();
    for name in ["board-games", "keyboards", "onboarding", "skateboarder", "bo-ard"] {
        assert!(place(name).unwrap() < whole, "{name}: {names:?}");
    }
    assert!(place("boxyard").unwrap() > whole, "{names:?}");
    assert_eq!(names[place("boxyard").unwrap()].1, Reason::Name, "why it was found");
    // With the word in its description such a row counts for that.
    let both = [row("boxyard", "A board"), row("hub", "Reads the board of messages")];
    assert_eq!(
        found(&both, "board"),
        [("boxyard", Reason::Description), ("hub", Reason::Description)]
    );
}

#[test]
fn what_is_not_seen_comes_last_in_its_order() {
    let mut rows: Vec<Row> = ["pdf-a", "pdf-b", "pdf-c", "pdf"].map(|name| row(name, "")).into();
    for index in [0, 3] {
        rows[index].entry.refused = Some(&checks::DESC_MISSING);
    }
    let mut hits = rank(&rows, &Query::parse("pdf"), &Context::PLAIN);
    assert_eq!(seen_first(&rows, &mut hits), 2);
    let order: Vec<u32> = hits.iter().map(|hit| hit.index).collect();
    assert_eq!(order, [1, 2, 3, 0]);
    let mut again = hits.clone();
    assert_eq!((seen_first(&rows, &mut again), again), (2, hits));
}

#[test]
fn cod_4_3_reasons_are_words() {
    let words =
        [Reason::ExactPath, Reason::ExactName, Reason::Prefix, Reason::Name, Reason::Description]
            .into_iter()
            .chain([Reason::Body, Reason::Typo])
            .map(|reason| serde_json::to_value(reason).unwrap().as_str().unwrap().to_owned())
            .collect::<Vec<_>>();
    assert_eq!(
        words,
        ["exact_path", "exact_name", "prefix", "name", "description", "body", "typo"]
    );
    assert_eq!(Reason::ExactPath.word(), "exact_path");
}

#[test]
fn a_skill_is_as_good_as_its_weakest_word() {
    let rows = [row("pdf", "Fill a form"), row("pdf-form", ""), row("form", "nothing")];
    assert_eq!(
        found(&rows, "pdf form"),
        [("pdf-form", Reason::Name), ("pdf", Reason::Description)]
    );
}

#[test]
fn any_name_hit_stands_above_any_description_hit_and_scattered_letters_are_none() {
    let rows =
        [row("code-review", ""), row("other", "Review review review"), row("marxexvxixexw", "")];
    let expected = [("code-review", Reason::Name), ("other", Reason::Description)];
    assert_eq!(found(&rows, "review"), expected);
    assert_eq!(found(&rows, "cdrvw"), [("code-review", Reason::Name)]);
}

#[test]
fn a_word_start_in_the_description_comes_before_a_part() {
    let rows = [row("a", "subform"), row("b", "formal"), row("c", "a form.")];
    assert_eq!(found(&rows, "form").iter().map(|hit| hit.0).collect::<Vec<_>>(), ["c", "b", "a"]);
}

#[test]
fn typing_errors_are_forgiven_below_everything_else() {
    let rows = [row("kubernetes-helm", ""), row("quokka", ""), row("other", "the kuberentes typo")];
    let expected = [("other", Reason::Description), ("kubernetes-helm", Reason::Typo)];
    assert_eq!(found(&rows, "kuberentes"), expected);
    assert_eq!(found(&rows, "qoukka"), [("quokka", Reason::Typo)]);
    assert!(found(&rows, "'qoukka").is_empty(), "an exact word is exact");
    let strict = Context { typos: false, ..Context::PLAIN };
    assert!(rank(&rows, &Query::parse("qoukka"), &strict).is_empty());
}

/// A letter too few leaves the others in their order, which is found without forgiveness too.
#[test]
fn the_nearer_name_comes_first_whether_a_letter_is_missing_or_wrong() {
    let names = |rows: &[Row], query| -> Vec<String> {
        found(rows, query).into_iter().map(|(name, _)| name.to_owned()).collect()
    };
    let rows = [row("dataset", ""), row("database", ""), row("comet", ""), row("comment", "")];
    assert_eq!(names(&rows, "databse"), ["database", "dataset"]);
    assert_eq!(names(&rows, "coment"), ["comment", "comet"]);
    let far = [row("code-of-many-experiments", ""), row("comet", "")];
    assert_eq!(names(&far, "coment")[0], "comet", "scattered letters are no near name");
}

#[test]
fn typing_errors_are_not_looked_for_where_hits_are_many() {
    let mut rows: Vec<Row> = (0..FEW).map(|number| row(&format!("test-{number}"), "")).collect();
    rows.push(row("tset", ""));
    assert_eq!(found(&rows, "test").len(), FEW);
    rows.swap_remove(0);
    assert_eq!(found(&rows, "test").len(), FEW);
}

#[test]
fn accents_case_and_scripts() {
    let rows = [row("Café", "日本語の文書"), row("rest", "🦘 hops over Résumé"), row("ΟΔΟΣ", "")];
    assert_eq!(found(&rows, "cafe"), [("Café", Reason::ExactName)]);
    assert_eq!(found(&rows, "CAFE\u{301}"), [("Café", Reason::ExactName)]);
    assert_eq!(found(&rows, "文書"), [("Café", Reason::Description)]);
    assert_eq!(found(&rows, "🦘 resume"), [("rest", Reason::Description)]);
    assert_eq!(found(&rows, "οδος"), [("ΟΔΟΣ", Reason::ExactName)]);
}

#[test]
fn a_name_with_spaces_is_exact_too() {
    let rows = [row("fill form now", ""), row("fill  form", ""), row("form fill", "")];
    assert_eq!(found(&rows, "fill form")[0], ("fill  form", Reason::ExactName));
    assert_eq!(found(&rows, "\"fill form\"")[0], ("fill  form", Reason::ExactName));
}

#[test]
fn the_empty_query_lists_picked_then_on_then_off_then_invalid() {
    let mut rows =
        ["z-invalid", "y-off", "x-on", "b-on", "often", "seldom"].map(|name| row(name, ""));
    rows[0].entry.refused = Some(&checks::DESC_MISSING);
    rows[1].entry.state = Enablement::Off;
    for (row, frecency) in rows.iter_mut().zip([9, 9, 0, 0, 7, 3]) {
        row.frecency = frecency;
    }
    let hits = rank(&rows, &Query::parse(" "), &Context { frecency: true, ..Context::PLAIN });
    assert_eq!(hits.iter().map(|hit| hit.index).collect::<Vec<_>>(), [4, 5, 3, 2, 1, 0]);
    assert!(hits.iter().all(|hit| hit.reason == Reason::Listed && hit.score == 0));
}

#[test]
fn bodies_come_between_descriptions_and_typing_errors() {
    let rows = [row("other", "quokk"), row("quokka", ""), row("body", ""), row("quokkb", "")];
    let query = Query::parse("qoukka");
    let mut hits = rank(&rows, &query, &Context::PLAIN);
    merge_body(&mut hits, &[2, 2], &rows);
    let order = |hits: &[Hit]| hits.iter().map(|hit| (hit.index, hit.reason)).collect::<Vec<_>>();
    assert_eq!(order(&hits), [(2, Reason::Body), (1, Reason::Typo)]);
    merge_body(&mut hits, &[1], &rows);
    assert_eq!(
        order(&hits),
        [(2, Reason::Body), (1, Reason::Body)],
        "one more batch keeps the first"
    );
    let mut hits = rank(&rows, &Query::parse("quokka"), &Context::PLAIN);
    merge_body(&mut hits, &[1], &rows);
    assert_eq!(
        hits[0],
        rank(&rows, &Query::parse("quokka"), &Context::PLAIN)[0],
        "a better hit stays"
    );
}

#[test]
fn ten_thousand_items_stay_small() {
    let row = row("skill-name-of-a-length", &"description ".repeat(24));
    let own = size_of::<Row>() + row.name().len() + folded(&row).len() + 64;
    assert!(own * 10_000 < 10 << 20, "{own} bytes each");
}

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let permission =
        prop_oneof![Just(Permission::Allow), Just(Permission::Ask), Just(Permission::Deny)];
    let hosts = prop_oneof![
        Just(vec![]),
        Just(vec![HostId::AGENTS]),
        Just(vec![HostId("codex"), HostId::AGENTS])
    ];
    let judged = (any::<[bool; 4]>(), permission, hosts);
    let one = ("[abcé-]{1,7}", "[abcé ]{0,12}", 0usize..3, judged);
    prop::collection::vec(one, 0..14).prop_map(|all| {
        let made = all.into_iter().map(|(name, description, scope, judged)| {
            let ([off, shared, invalid, used], permission, hosts) = judged;
            let mut row = row_of(Skill { scope: Scope::ALL[scope], ..skill(&name, &description) });
            row.entry.state = if off { Enablement::Off } else { Enablement::On };
            row.entry.same_name = if shared { 2 } else { 1 };
            row.entry.refused = invalid.then_some(&checks::DESC_MISSING);
            Arc::make_mut(&mut row.entry.verdict).model.value = permission;
            (row.used, row.entry.hosts) = (used, Arc::new(hosts.to_vec()));
            row
        });
        made.collect()
    })
}

const PIECES: [&str; 18] = [
    "is:off",
    "is:on",
    "!is:off",
    "is:invalid",
    "!is:shadowed",
    "is:marked",
    "is:used",
    "is:unused",
    "scope:repo",
    "!scope:user",
    "host:codex",
    "perm:ask",
    "!perm:deny",
    "path:b",
    "is:",
    "is:of",
    "!a",
    "^a",
];

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![4 => "['^!]?[abcé]{1,5}".prop_map(String::from), 2 => prop::sample::select(PIECES.to_vec()).prop_map(String::from)];
    prop::collection::vec(piece, 0..4).prop_map(|pieces| pieces.join(" "))
}

/// The filters, written again as simply as possible.
fn naive(row: &Row, filter: &Filter, marked: bool) -> bool {
    let entry = &row.entry;
    match filter {
        Filter::Is(IsValue::On) => entry.state == Enablement::On,
        Filter::Is(IsValue::Off) => entry.refused.is_none() && entry.state == Enablement::Off,
        Filter::Is(IsValue::Invalid) => entry.refused.is_some(),
        Filter::Is(IsValue::Marked) => marked,
        Filter::Is(IsValue::Shadowed) => entry.same_name == 2,
        Filter::Is(IsValue::Used) => row.used,
        Filter::Is(IsValue::Unused) => !row.used,
        Filter::Scope(scope) => entry.skill.scope.word() == scope.word(),
        Filter::Host(host) => {
            row.entry.hosts.contains(&HostId::AGENTS) && host == "agents"
                || row.entry.hosts.len() == 2
        }
        Filter::Permission(wanted) => entry.verdict.model.value.word() == wanted.word(),
        Filter::Tool(_) => false,
        Filter::Path(part) => entry.skill.path.to_str().unwrap().contains(part.as_str()),
    }
}

fn marked(index: u32) -> bool {
    index.is_multiple_of(2)
}

/// Whether `text` has the letters of `word` in this order.
fn subsequence(word: &str, text: &str) -> bool {
    let mut rest = text.chars();
    word.chars().all(|letter| rest.any(|other| other == letter))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn an_exact_name_is_always_first(rows in rows(), at in any::<prop::sample::Index>()) {
        prop_assume!(!rows.is_empty());
        let name = at.get(&rows).skill().name.clone();
        let hits = rank(&rows, &Query::parse(&name), &Context::PLAIN);
        prop_assert_eq!(rows[hits[0].index as usize].name(), at.get(&rows).name());
        prop_assert_eq!(hits[0].reason, Reason::ExactName);
    }

    #[test]
    fn every_word_hits_and_no_refused_word_does(rows in rows(), text in text()) {
        let query = Query::parse(&text);
        let context = Context { typos: false, marked: &marked, ..Context::PLAIN };
        for hit in rank(&rows, &query, &context) {
            let row = &rows[hit.index as usize];
            for word in &query.words {
                let inside = row.name().contains(&word.text) || folded(row).contains(&word.text);
                let hits = match word.kind {
                    WordKind::Fuzzy => inside || subsequence(&word.text, row.name()),
                    WordKind::Exact => inside,
                    WordKind::Prefix => row.name().starts_with(&word.text),
                };
                prop_assert!(hits, "{} in {row:?}", word.text);
            }
            for word in query.refused.iter().filter(|word| word.kind != WordKind::Prefix) {
                prop_assert!(!row.name().contains(&word.text) && !folded(row).contains(&word.text));
            }
        }
    }

    #[test]
    fn a_part_of_name_or_description_is_always_found(rows in rows(), word in "[abc]{1,3}") {
        let hits = rank(&rows, &Query::parse(&word), &Context::PLAIN);
        for (index, row) in (0..).zip(&rows) {
            let inside = row.name().contains(&word) || folded(row).contains(&word);
            prop_assert!(!inside || hits.iter().any(|hit| hit.index == index && hit.reason > Reason::Body));
        }
    }

    #[test]
    fn filters_are_the_naive_model(rows in rows(), pieces in prop::collection::vec(prop::sample::select(PIECES[..14].to_vec()), 0..4)) {
        let query = Query::parse(&pieces.join(" "));
        let hits = rank(&rows, &query, &Context { marked: &marked, ..Context::PLAIN });
        let mut indexes: Vec<u32> = hits.iter().map(|hit| hit.index).collect();
        indexes.sort_unstable();
        let admitted = |index: &u32| query.filters.iter().all(|(filter, wanted)| naive(&rows[*index as usize], filter, marked(*index)) == *wanted);
        let expected: Vec<u32> = (0..).take(rows.len()).filter(admitted).collect();
        prop_assert_eq!(indexes, expected);
    }

    #[test]
    fn narrowing_is_ranking_from_scratch(rows in rows(), texts in prop::collection::vec(text(), 1..4)) {
        let mut ranker = Ranker::default();
        let context = Context { marked: &marked, ..Context::PLAIN };
        // Every prefix, as somebody types it, then the next text as a whole.
        for text in texts {
            for (end, letter) in text.char_indices() {
                let query = Query::parse(&text[..end + letter.len_utf8()]);
                prop_assert_eq!(ranker.rank(&rows, &query, &context), Some(rank(&rows, &query, &context)), "{:?}", query.text());
            }
        }
    }

    #[test]
    fn the_order_does_not_depend_on_the_items_order(rows in rows(), text in text()) {
        let names = |rows: &[Row]| {
            let hits = rank(rows, &Query::parse(&text), &Context { typos: false, ..Context::PLAIN });
            hits.iter().map(|hit| (hit.score, rows[hit.index as usize].path_bytes().to_vec())).collect::<Vec<_>>()
        };
        let mut reversed = rows.clone();
        reversed.reverse();
        prop_assert_eq!(names(&rows), names(&reversed));
    }
}
