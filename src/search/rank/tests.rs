use super::*;
use crate::catalog::{HostId, Permission, Scope, Skill};
use crate::search::item::tests::{item, skill};
use crate::search::{Filter, Ranker, Standing, Traits, WordKind};
use proptest::prelude::*;
use std::sync::Arc;

fn found<'a>(items: &'a [Item], query: &str) -> Vec<(&'a str, Reason)> {
    let hits = rank(items, &Query::parse(query), &Context::PLAIN);
    hits.iter().map(|hit| (items[hit.index as usize].skill().name.as_str(), hit.reason)).collect()
}

fn placed(skill: Skill, scope: Scope, path: &str) -> Item {
    Item::new(&Arc::new(Skill { scope, path: path.into(), ..skill }), Traits::default())
}

#[test]
fn cod_5_5_exact_path_exact_name_prefix_name_description() {
    let items = [
        item("unrelated", "Opens /home/me/skills/pdf"),
        item("forms", "Fills a pdf"),
        item("my-pdf", ""),
        item("pdf-tools", ""),
        item("PDF", ""),
    ];
    let expected = [
        ("PDF", Reason::ExactName),
        ("pdf-tools", Reason::Prefix),
        ("my-pdf", Reason::Name),
        ("forms", Reason::Description),
        ("unrelated", Reason::Description),
    ];
    assert_eq!(found(&items, "pdf"), expected);
    let by_path = [("PDF", Reason::ExactPath), ("unrelated", Reason::Description)];
    for path in ["/home/me/skills/PDF", "/home/me/skills/PDF/SKILL.md", "\"/home/me/skills/PDF\""] {
        let hits = found(&items, path);
        assert_eq!(hits[..1], by_path[..1], "{path}");
    }
}

#[test]
fn cod_5_5b_ties_go_by_scope_then_path() {
    let items = [
        placed(skill("pdf", ""), Scope::System, "/a/SKILL.md"),
        placed(skill("pdf", ""), Scope::User, "/c/SKILL.md"),
        placed(skill("pdf", ""), Scope::User, "/b/SKILL.md"),
        placed(skill("pdf", ""), Scope::Repo, "/z/SKILL.md"),
    ];
    let order = |query| {
        rank(&items, &Query::parse(query), &Context::PLAIN)
            .iter()
            .map(|h| h.index)
            .collect::<Vec<_>>()
    };
    assert_eq!(order("pdf"), [3, 2, 1, 0]);
    assert_eq!(order(""), [3, 2, 1, 0]);
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
    let items = [item("pdf", "Fill a form"), item("pdf-form", ""), item("form", "nothing")];
    assert_eq!(
        found(&items, "pdf form"),
        [("pdf-form", Reason::Name), ("pdf", Reason::Description)]
    );
}

#[test]
fn any_name_hit_stands_above_any_description_hit_and_scattered_letters_are_none() {
    let items =
        [item("code-review", ""), item("other", "Review review review"), item("marxexvxixexw", "")];
    let expected = [("code-review", Reason::Name), ("other", Reason::Description)];
    assert_eq!(found(&items, "review"), expected);
    assert_eq!(found(&items, "cdrvw"), [("code-review", Reason::Name)]);
}

#[test]
fn a_word_start_in_the_description_comes_before_a_part() {
    let items = [item("a", "subform"), item("b", "formal"), item("c", "a form.")];
    assert_eq!(found(&items, "form").iter().map(|hit| hit.0).collect::<Vec<_>>(), ["c", "b", "a"]);
}

#[test]
fn typing_errors_are_forgiven_below_everything_else() {
    let items =
        [item("kubernetes-helm", ""), item("quokka", ""), item("other", "the kuberentes typo")];
    let expected = [("other", Reason::Description), ("kubernetes-helm", Reason::Typo)];
    assert_eq!(found(&items, "kuberentes"), expected);
    assert_eq!(found(&items, "qoukka"), [("quokka", Reason::Typo)]);
    assert!(found(&items, "'qoukka").is_empty(), "an exact word is exact");
    let strict = Context { typos: false, ..Context::PLAIN };
    assert!(rank(&items, &Query::parse("qoukka"), &strict).is_empty());
}

#[test]
fn typing_errors_are_not_looked_for_where_hits_are_many() {
    let mut items: Vec<Item> = (0..FEW).map(|number| item(&format!("test-{number}"), "")).collect();
    items.push(item("tset", ""));
    assert_eq!(found(&items, "test").len(), FEW);
    items.swap_remove(0);
    assert_eq!(found(&items, "test").len(), FEW);
}

#[test]
fn accents_case_and_scripts() {
    let items =
        [item("Café", "日本語の文書"), item("rest", "🦘 hops over Résumé"), item("ΟΔΟΣ", "")];
    assert_eq!(found(&items, "cafe"), [("Café", Reason::ExactName)]);
    assert_eq!(found(&items, "CAFE\u{301}"), [("Café", Reason::ExactName)]);
    assert_eq!(found(&items, "文書"), [("Café", Reason::Description)]);
    assert_eq!(found(&items, "🦘 resume"), [("rest", Reason::Description)]);
    assert_eq!(found(&items, "οδος"), [("ΟΔΟΣ", Reason::ExactName)]);
}

#[test]
fn a_name_with_spaces_is_exact_too() {
    let items = [item("fill form now", ""), item("fill  form", ""), item("form fill", "")];
    assert_eq!(found(&items, "fill form")[0], ("fill  form", Reason::ExactName));
    assert_eq!(found(&items, "\"fill form\"")[0], ("fill  form", Reason::ExactName));
}

#[test]
fn the_empty_query_lists_picked_then_on_then_off_then_invalid() {
    let off = Traits { on: false, ..Traits::default() };
    let invalid = Traits { invalid: true, ..Traits::default() };
    let items = [
        item("z-invalid", "").with_traits(invalid),
        item("y-off", "").with_traits(off),
        item("x-on", ""),
        item("b-on", ""),
        item("often", ""),
        item("seldom", ""),
    ];
    let frecency = |index| [9, 9, 0, 0, 7, 3][index as usize];
    let hits = rank(&items, &Query::parse(" "), &Context { frecency: &frecency, ..Context::PLAIN });
    assert_eq!(hits.iter().map(|hit| hit.index).collect::<Vec<_>>(), [4, 5, 3, 2, 1, 0]);
    assert!(hits.iter().all(|hit| hit.reason == Reason::Listed && hit.score == 0));
}

#[test]
fn bodies_come_between_descriptions_and_typing_errors() {
    let items = [item("other", "quokk"), item("quokka", ""), item("body", ""), item("quokkb", "")];
    let query = Query::parse("qoukka");
    let mut hits = rank(&items, &query, &Context::PLAIN);
    merge_body(&mut hits, &[2, 2], &items);
    let order = |hits: &[Hit]| hits.iter().map(|hit| (hit.index, hit.reason)).collect::<Vec<_>>();
    assert_eq!(order(&hits), [(2, Reason::Body), (1, Reason::Typo)]);
    merge_body(&mut hits, &[1], &items);
    assert_eq!(
        order(&hits),
        [(2, Reason::Body), (1, Reason::Body)],
        "one more batch keeps the first"
    );
    let mut hits = rank(&items, &Query::parse("quokka"), &Context::PLAIN);
    merge_body(&mut hits, &[1], &items);
    assert_eq!(
        hits[0],
        rank(&items, &Query::parse("quokka"), &Context::PLAIN)[0],
        "a better hit stays"
    );
}

#[test]
fn ten_thousand_items_stay_small() {
    let item = item("skill-name-of-a-length", &"description ".repeat(24));
    let own = size_of::<Item>() + item.name().len() + item.text().len() + 64;
    assert!(own * 10_000 < 10 << 20, "{own} bytes each");
}

fn traits() -> impl Strategy<Value = Traits> {
    let hosts = prop_oneof![
        Just(vec![]),
        Just(vec![HostId::AGENTS]),
        Just(vec![HostId("codex"), HostId::AGENTS])
    ];
    let permission =
        prop_oneof![Just(Permission::Allow), Just(Permission::Ask), Just(Permission::Deny)];
    (any::<[bool; 4]>(), permission, hosts).prop_map(
        |([on, shadowed, invalid, used], permission, hosts)| Traits {
            on,
            permission,
            shadowed,
            invalid,
            used,
            hosts: hosts.into(),
        },
    )
}

fn items() -> impl Strategy<Value = Vec<Item>> {
    let one = ("[abcé-]{1,7}", "[abcé ]{0,12}", 0usize..3, traits());
    prop::collection::vec(one, 0..14).prop_map(|all| {
        let made = all.into_iter().map(|(name, description, scope, traits)| {
            let skill = Skill { scope: Scope::ALL[scope], ..skill(&name, &description) };
            Item::new(&Arc::new(skill), traits)
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

/// The filters, said again in the plainest way.
fn naive(item: &Item, filter: &Filter, marked: bool) -> bool {
    let traits = item.traits();
    match filter {
        Filter::Is(standing) => match standing {
            Standing::On | Standing::Off => traits.on == (*standing == Standing::On),
            Standing::Invalid => traits.invalid,
            Standing::Marked => marked,
            Standing::Shadowed => traits.shadowed,
            Standing::Used | Standing::Unused => traits.used == (*standing == Standing::Used),
        },
        Filter::Scope(scope) => item.skill().scope.word() == scope.word(),
        Filter::Host(host) => {
            traits.hosts.contains(&HostId::AGENTS) && host == "agents" || traits.hosts.len() == 2
        }
        Filter::Permission(permission) => traits.permission.word() == permission.word(),
        Filter::Tool(_) => false,
        Filter::Path(part) => item.skill().path.to_str().unwrap().contains(part.as_str()),
    }
}

fn marked(index: u32) -> bool {
    index.is_multiple_of(2)
}

/// Whether the letters of `word` stand in `text` in this order.
fn subsequence(word: &str, text: &str) -> bool {
    let mut rest = text.chars();
    word.chars().all(|letter| rest.any(|other| other == letter))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn an_exact_name_is_always_first(items in items(), at in any::<prop::sample::Index>()) {
        prop_assume!(!items.is_empty());
        let name = at.get(&items).skill().name.clone();
        let hits = rank(&items, &Query::parse(&name), &Context::PLAIN);
        prop_assert_eq!(items[hits[0].index as usize].name(), at.get(&items).name());
        prop_assert_eq!(hits[0].reason, Reason::ExactName);
    }

    #[test]
    fn every_word_hits_and_no_refused_word_does(items in items(), text in text()) {
        let query = Query::parse(&text);
        let context = Context { typos: false, marked: &marked, ..Context::PLAIN };
        for hit in rank(&items, &query, &context) {
            let item = &items[hit.index as usize];
            for word in query.words() {
                let inside = item.name().contains(&word.text) || item.text().contains(&word.text);
                let hits = match word.kind {
                    WordKind::Fuzzy => inside || subsequence(&word.text, item.name()),
                    WordKind::Exact => inside,
                    WordKind::Prefix => item.name().starts_with(&word.text),
                };
                prop_assert!(hits, "{} in {item:?}", word.text);
            }
            for word in query.refused().iter().filter(|word| word.kind != WordKind::Prefix) {
                prop_assert!(!item.name().contains(&word.text) && !item.text().contains(&word.text));
            }
        }
    }

    #[test]
    fn a_part_of_name_or_description_is_always_found(items in items(), word in "[abc]{1,3}") {
        let hits = rank(&items, &Query::parse(&word), &Context::PLAIN);
        for (index, item) in (0..).zip(&items) {
            let inside = item.name().contains(&word) || item.text().contains(&word);
            prop_assert!(!inside || hits.iter().any(|hit| hit.index == index && hit.reason > Reason::Body));
        }
    }

    #[test]
    fn filters_are_the_naive_model(items in items(), pieces in prop::collection::vec(prop::sample::select(PIECES[..14].to_vec()), 0..4)) {
        let query = Query::parse(&pieces.join(" "));
        let hits = rank(&items, &query, &Context { marked: &marked, ..Context::PLAIN });
        let mut indexes: Vec<u32> = hits.iter().map(|hit| hit.index).collect();
        indexes.sort_unstable();
        let admitted = |index: &u32| query.filters().iter().all(|(filter, wanted)| naive(&items[*index as usize], filter, marked(*index)) == *wanted);
        let expected: Vec<u32> = (0..).take(items.len()).filter(admitted).collect();
        prop_assert_eq!(indexes, expected);
    }

    #[test]
    fn narrowing_is_ranking_from_scratch(items in items(), texts in prop::collection::vec(text(), 1..4)) {
        let mut ranker = Ranker::default();
        let context = Context { marked: &marked, ..Context::PLAIN };
        // Every prefix, as somebody types it; then the next text at once.
        for text in texts {
            for (end, letter) in text.char_indices() {
                let query = Query::parse(&text[..end + letter.len_utf8()]);
                prop_assert_eq!(ranker.rank(&items, &query, &context), rank(&items, &query, &context), "{:?}", query.text());
            }
        }
    }

    #[test]
    fn the_order_does_not_depend_on_the_items_order(items in items(), text in text()) {
        let names = |items: &[Item]| {
            let hits = rank(items, &Query::parse(&text), &Context { typos: false, ..Context::PLAIN });
            hits.iter().map(|hit| (hit.score, items[hit.index as usize].path_bytes().to_vec())).collect::<Vec<_>>()
        };
        let mut reversed = items.clone();
        reversed.reverse();
        prop_assert_eq!(names(&items), names(&reversed));
    }
}
