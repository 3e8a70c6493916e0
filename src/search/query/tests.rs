use super::*;
use crate::catalog::Properties;
use crate::listing::fixture::{row, row_of, skill};
use crate::search::{Context, rank};
use proptest::prelude::*;

fn words(query: &Query) -> Vec<(&str, WordKind)> {
    query.words.iter().map(|word| (word.raw.as_str(), word.kind)).collect()
}

#[test]
fn words_and_operators_are_read() {
    let query = Query::parse("pdf 'Form ^skill \"two  words\" !draft !^old !\"not this\"");
    let kinds = [
        ("pdf", WordKind::Fuzzy),
        ("Form", WordKind::Exact),
        ("skill", WordKind::Prefix),
        ("two  words", WordKind::Exact),
    ];
    assert_eq!(words(&query), kinds);
    let refused: Vec<_> =
        query.refused.iter().map(|word| (word.text.as_str(), word.kind)).collect();
    let kinds =
        [("draft", WordKind::Fuzzy), ("old", WordKind::Prefix), ("not this", WordKind::Exact)];
    assert_eq!(refused, kinds);
}

#[test]
fn an_operator_alone_is_nothing_yet() {
    for text in ["", "  ", "!", "'", "^", "\"", "\"\"", "!'", "\u{301}"] {
        assert!(Query::parse(text).is_empty(), "{text:?}");
    }
}

#[test]
fn filters_are_read_with_their_negation() {
    let query =
        Query::parse("IS:Off !is:on scope:repo host:codex perm:ask tool:Bash path:\"my work\" pdf");
    let filters = [
        (Filter::Is(IsValue::Off), true),
        (Filter::Is(IsValue::On), false),
        (Filter::Scope(Scope::Repo), true),
        (Filter::Host("codex".into()), true),
        (Filter::Permission(Permission::Ask), true),
        (Filter::Tool("bash".into()), true),
        (Filter::Path("my work".into()), true),
    ];
    assert_eq!(query.filters, filters);
    assert_eq!(words(&query), [("pdf", WordKind::Fuzzy)]);
    assert!(query.problems.is_empty());
}

#[test]
fn an_unknown_key_is_text_and_an_unknown_value_is_a_problem() {
    let query = Query::parse("foo:bar \"is:off\" 'is:on is:of scope: tool:");
    let plain =
        [("foo:bar", WordKind::Fuzzy), ("is:off", WordKind::Exact), ("is:on", WordKind::Exact)];
    assert_eq!(words(&query), plain);
    let problems: Vec<String> = query.problems.iter().map(ToString::to_string).collect();
    let expected = [
        "is: has no value of; use one of off, on, invalid, marked, shadowed, used, unused",
        "scope: needs one of project, repo, user, system",
        "tool: needs a value",
    ];
    assert_eq!(problems, expected);
    assert!(query.filters.is_empty());
}

#[test]
fn an_unknown_host_is_reported_by_the_caller_who_knows_the_hosts() {
    let query = Query::parse("host:codex !host:cdx");
    let unknown = query.unknown_hosts(&[HostId::AGENTS, HostId("codex")], HostId::ALL);
    assert_eq!(unknown.len(), 1);
    assert_eq!(unknown[0].to_string(), "host: has no value cdx; use one of agents, codex");
}

#[test]
fn an_agent_outside_the_view_is_reported() {
    let (agents, codex) = (HostId::AGENTS, HostId("codex"));
    for text in ["host:codex", "!host:codex"] {
        let told = Query::parse(text).unknown_hosts(&[agents, codex], agents);
        let told: Vec<String> = told.iter().map(ToString::to_string).collect();
        assert_eq!(told, ["host:codex finds nothing in the view of agents"]);
        for viewed in [codex, HostId::ALL] {
            assert!(Query::parse(text).unknown_hosts(&[agents, codex], viewed).is_empty());
        }
    }
}

#[test]
fn a_path_may_begin_as_it_is_shown() {
    let path = |text: &str, home: Option<&str>| {
        let query = Query::parse(text).with_folders(home.map(Path::new), Path::new("/Repo"));
        match query.filters.as_slice() {
            [(Filter::Path(part), _)] => part.clone(),
            _ => query.whole.unwrap_or_default(),
        }
    };
    assert_eq!(path("path:~/Skills", Some("/Me")), "/me/skills");
    assert_eq!(path("path:./Skills", None), "/repo/skills");
    assert_eq!(path("path:./Skills/", None), "/repo/skills/", "not those beside it");
    assert_eq!(path("path:~/skills", None), "~/skills");
    assert_eq!(path("path:~", Some("/Me")), "/me/");
    assert_eq!(path("path:./~/b", Some("/Me")), "/repo/~/b");
    assert_eq!(path("path:a/~/b", Some("/Me")), "a/~/b");
    assert_eq!(path("~/Skills/a b", Some("/Me")), "/Me/Skills/a b");
    assert_eq!(path("\"./Skills\"", None), "/Repo/Skills");
    assert_eq!(path("Skills/a", None), "/Repo/Skills/a");
    assert_eq!(path("../a", None), "/a");
    assert_eq!(path("/Skills/a", None), "/Skills/a");
    assert_eq!(path("pdf", Some("/Me")), "");
}

#[test]
fn of_many_hosts_those_that_are_near_are_offered() {
    const WORDS: [&str; 22] = [
        "agents", "codex", "b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9", "c1", "c2", "c3",
        "c4", "c5", "c6", "c7", "c8", "c9", "last", "beyond",
    ];
    let known = WORDS.map(HostId);
    let sentence =
        |text: &str| Query::parse(text).unknown_hosts(&known, HostId::ALL)[0].to_string();
    assert_eq!(sentence("host:cdoex"), "host: has no value cdoex; did you mean codex");
    let other = sentence("host:quokka");
    assert!(
        other.starts_with("host: has no value quokka; use one of agents, codex, b1")
            && other.ends_with("c9, …")
    );
    assert!(Query::parse("host:beyond").unknown_hosts(&known, HostId::ALL).is_empty());
}

#[test]
fn a_tool_is_found_by_its_beginning() {
    let mut skill = skill("git", "");
    skill.properties = Properties::new(None, None, &[], &["Bash(git:*)".into()]);
    let rows = [row_of(skill), row("other", "Bash")];
    let hits = rank(&rows, &Query::parse("tool:Bash"), &Context::PLAIN);
    assert_eq!(hits.iter().map(|hit| hit.index).collect::<Vec<_>>(), [0]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn any_text_is_a_query(text in "[\\PC\\s!'^\":]{0,40}") {
        let query = Query::parse(&text);
        let words = query.words.iter().chain(&query.refused);
        prop_assert!(words.into_iter().all(|word| !word.text.is_empty()));
        rank(&[row("pdf", "forms"), row(&text, &text)], &query, &Context::PLAIN);
    }

    #[test]
    fn a_quoted_text_is_one_word(text in "[a-z:!'^]{1,6}( [a-z:!'^]{1,6}){0,3}") {
        let query = Query::parse(&format!("\"{text}\""));
        prop_assert_eq!(words(&query), vec![(text.as_str(), WordKind::Exact)]);
    }
}
