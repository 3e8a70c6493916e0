//! Every combination of few rules and switches, against a reference in the plainest code.

use super::*;

/// The reference: what the documentation says, in the plainest code.
mod reference {
    use crate::catalog::Permission::{self, Allow, Ask, Deny};

    /// `(effect, covers the skill)`.
    pub(super) type SimpleRule = (Permission, bool);

    fn says(rules: &[SimpleRule], effect: Permission) -> bool {
        rules.iter().any(|(own, covers)| *own == effect && *covers)
    }

    /// deny > ask > allow > default, and a project file may only tighten.
    pub(super) fn permission(
        default: Permission,
        user: &[SimpleRule],
        project: &[SimpleRule],
    ) -> Permission {
        let mine = if says(user, Deny) {
            Deny
        } else if says(user, Ask) {
            Ask
        } else if says(user, Allow) {
            Allow
        } else {
            default
        };
        if mine == Deny || says(project, Deny) {
            Deny
        } else if mine == Ask || says(project, Ask) {
            Ask
        } else {
            Allow
        }
    }

    /// A rule, and which parts of it fit the skill. For a skill that a repository brings, an allow
    /// rule without a path and a digest does not count. Where it is about loading, and names the
    /// skill's path, it asks if nothing else is said.
    pub(super) struct Binding {
        pub(super) effect: Permission,
        pub(super) covers_name: bool,
        /// Whether it names a path, and whether that is the skill's.
        pub(super) path: Option<bool>,
        /// Whether it names a digest, and whether that is the files'.
        pub(super) digest: Option<bool>,
    }

    pub(super) fn counts(rule: &Binding, brought: bool) -> bool {
        let is_meant = rule.covers_name && rule.path != Some(false) && rule.digest != Some(false);
        is_meant && (rule.effect != Allow || !brought || rule.digest.is_some())
    }

    /// Whether it once allowed loading this very skill, and does so no longer; or, with files and
    /// one name, another skill of that name, for which a default that allows would not ask.
    pub(super) fn lapsed(
        rule: &Binding,
        one_name: bool,
        default: Permission,
        brought: bool,
    ) -> bool {
        let has_files = rule.digest.is_some();
        let by_path = rule.path == Some(true) && (rule.covers_name || has_files);
        let by_name = one_name && rule.covers_name && has_files && default == Allow;
        rule.effect == Allow && (by_path || by_name) && !counts(rule, brought)
    }

    /// `(by path, on)`: within a file a path beats a name and off beats on; off in any file is off.
    pub(super) fn on(user: &[(bool, bool)], project: &[(bool, bool)]) -> bool {
        [user, project].iter().all(|file| {
            let paths: Vec<_> = file.iter().filter(|(by_path, _)| *by_path).collect();
            if paths.is_empty() {
                file.iter().all(|(_, on)| *on)
            } else {
                paths.iter().all(|(_, on)| *on)
            }
        })
    }
}

/// Every list of at most two of `options`.
fn lists<T: Clone>(options: &[T]) -> Vec<Vec<T>> {
    let ones = options.iter().map(|one| vec![one.clone()]);
    let twos = options
        .iter()
        .flat_map(|one| options.iter().map(move |two| vec![one.clone(), two.clone()]));
    std::iter::once(Vec::new()).chain(ones).chain(twos).collect()
}

#[test]
fn the_permission_matrix_equals_the_reference() {
    let skill = skill("internal-deploy");
    let patterns = [
        (Pattern::Any, true),
        (exact("internal-deploy"), true),
        (Pattern::Prefix("internal-".into()), true),
        (exact("internal"), false),
    ];
    let options: Vec<_> = [Allow, Ask, Deny]
        .into_iter()
        .flat_map(|effect| patterns.iter().map(move |of| (effect, of.clone())))
        .collect();
    let lists = lists(&options);
    let said = |list: &[(Permission, (Pattern, bool))]| {
        list.iter().map(|of| (of.0, of.1.1)).collect::<Vec<_>>()
    };
    let rules = |layer, list: &[(Permission, (Pattern, bool))]| {
        let written = list.iter().enumerate();
        written
            .map(|(line, of)| rule(layer, line as u32 + 1, of.0, of.1.0.clone()))
            .collect::<Vec<_>>()
    };
    for default in [Allow, Ask, Deny] {
        for user in &lists {
            for project in &lists {
                let mut policy = agents();
                policy.defaults.load.value = default;
                policy.rules = [rules(Layer::User, user), rules(Layer::Project, project)].concat();
                crate::test_env::bar::tried(1);
                let verdict = policy.verdict(&skill);
                let expected = reference::permission(default, &said(user), &said(project));
                assert_eq!(verdict.model.value, expected, "{default:?} {user:?} {project:?}");
                assert_eq!(verdict.enabled(), expected != Deny);
                assert!(verdict.user.value);
                let decider = policy
                    .decider(Tool::SkillLoad, &policy.subject(&skill), None)
                    .map(|index| &policy.rules[index]);
                assert!(decider.is_none_or(
                    |rule| rule.effect == expected && rule.origin == verdict.model.origin
                ));
            }
        }
    }
}

#[test]
fn the_switch_matrix_equals_the_reference() {
    let skill = skill("pdf");
    let options = [(true, true), (true, false), (false, true), (false, false)];
    let write = |layer, list: &[(bool, bool)]| {
        let target = |by_path| {
            if by_path { Target::Path(skill.path.clone()) } else { Target::Name("pdf".into()) }
        };
        list.iter().map(|(by_path, on)| switch(layer, 1, target(*by_path), *on)).collect::<Vec<_>>()
    };
    let allowlist = |names: &[&str]| Allowlist {
        names: names.iter().map(ToString::to_string).collect(),
        origin: origin(Layer::User, 9, "skills.allowed"),
        layer: Layer::User,
    };
    for user in lists(&options) {
        for project in lists(&options) {
            for (lists, admits) in [
                (vec![], true),
                (vec![allowlist(&["pdf", "gone"])], true),
                (vec![allowlist(&["pdf"]), allowlist(&["docx"])], false),
            ] {
                let mut policy = agents();
                policy.switches =
                    [write(Layer::User, &user), write(Layer::Project, &project)].concat();
                policy.allowlists = lists;
                let on = reference::on(&user, &project) && admits;
                let verdict = policy.verdict(&skill);
                assert_eq!(
                    (verdict.enabled(), verdict.user.value),
                    (on, on),
                    "{user:?} {project:?} {admits}"
                );
                assert_eq!(verdict.model.value == Deny, !on);
            }
        }
    }
}

/// Deny over ask over allow over the default, by script, by arguments, in both files.
#[test]
fn the_matrix_of_scripts_and_arguments_equals_the_reference() {
    let skill = skill("pdf");
    let words = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
    let given = words(&["--dry-run", "a"]);
    let run = Run { script: Some("scripts/fill.py"), names: &[], arguments: &given, digest: None };
    let scripts = [(None, true), (Some("scripts/f*"), true), (Some("fill.py"), false)];
    let arguments =
        [(None, true), (Some(given.clone()), true), (Some(words(&["--dry-run"])), false)];
    let mut options = Vec::new();
    for effect in [Allow, Ask, Deny] {
        for (script, this_script) in &scripts {
            for (arguments, these) in &arguments {
                let script = script.map(|script| ScriptPath::read(script).unwrap());
                options.push((
                    effect,
                    Runs { script, arguments: arguments.clone() },
                    *this_script && *these,
                ));
            }
        }
    }
    let rules = |layer, list: &[(Permission, Runs, bool)]| {
        let of = |(effect, runs, _): &(Permission, Runs, bool)| Rule {
            tool: Tool::SkillScript,
            runs: runs.clone(),
            ..rule(layer, 1, *effect, exact("pdf"))
        };
        list.iter().map(of).collect::<Vec<_>>()
    };
    let said = |list: &[(Permission, Runs, bool)], known: bool| -> Vec<reference::SimpleRule> {
        list.iter()
            .map(|(effect, runs, covers)| (*effect, if known { *covers } else { runs.is_any() }))
            .collect()
    };
    let mut seen = 0;
    let lists = lists(&options);
    let short = || lists.iter().filter(|list| list.len() < 2);
    let pairs = lists.iter().flat_map(|user| short().map(move |project| (user, project)));
    for (user, project) in
        pairs.chain(short().flat_map(|user| lists.iter().map(move |project| (user, project))))
    {
        let mut policy = agents();
        policy.rules = [rules(Layer::User, user), rules(Layer::Project, project)].concat();
        let expected =
            |known| reference::permission(Ask, &said(user, known), &said(project, known));
        assert_eq!(policy.run(&skill, Some(&run)).value, expected(true), "{user:?} {project:?}");
        assert_eq!(
            policy.run(&skill, None).value,
            expected(false),
            "nothing known: {user:?} {project:?}"
        );
        assert_eq!(policy.verdict(&skill).model.value, Allow, "running is not loading");
        seen += 1;
    }
    assert!(seen > 40_000, "{seen}");
}

/// Every pair of rules, for the person's own skill and for one that a repository brings.
#[test]
fn what_a_repository_brings_is_allowed_by_bound_rules_alone() {
    use reference::{Binding, counts, lapsed};
    let (sum, other) = ("a".repeat(64), "b".repeat(64));
    let elsewhere = Path::new("/skills/elsewhere/SKILL.md");
    let mut options = Vec::new();
    for effect in [Allow, Ask, Deny] {
        for (pattern, covers_name) in [
            (Pattern::Any, true),
            (exact("pdf"), true),
            (Pattern::Prefix("p".into()), true),
            (exact("zip"), false),
        ] {
            let mut bindings = vec![(None, None)];
            if effect == Allow {
                let digests = [None, Some(true), Some(false)];
                let paths = [true, false].map(|path| digests.map(|digest| (Some(path), digest)));
                bindings.extend(paths.concat());
            }
            options.extend(bindings.into_iter().map(|(path, digest)| {
                (pattern.clone(), Binding { effect, covers_name, path, digest })
            }));
        }
    }
    let places = [(Scope::User, false), (Scope::User, true), (Scope::Repo, false)];
    let places = places.map(|place| [Allow, Ask, Deny].map(|default| (place, default))).concat();
    let mut seen = 0;
    for (one, two) in options.iter().flat_map(|one| options.iter().map(move |two| (one, two))) {
        for ((scope, in_repository), default) in places.iter().copied() {
            let skill = Skill { scope, in_repository, ..skill("pdf") };
            let brought = scope == Scope::Repo || in_repository;
            for tool in Tool::ALL {
                let is_script = tool == Tool::SkillScript;
                let rule = |(pattern, of): &(Pattern, Binding)| Rule {
                    tool,
                    bound: of.path.map(|here| Bound {
                        path: if here { skill.path.clone() } else { elsewhere.to_owned() },
                        digest: of.digest.map(|now| if now { sum.clone() } else { other.clone() }),
                    }),
                    ..rule(Layer::User, 1, of.effect, pattern.clone())
                };
                let mut policy = agents();
                policy.defaults.load.value = default;
                policy.defaults.script.value = default;
                policy.rules = vec![rule(one), rule(two)];
                policy.files = [(skill.path.clone(), sum.clone())].into();
                let run = Run { script: None, names: &[], arguments: &[], digest: Some(&sum) };
                let run = is_script.then_some(&run);
                let rules: Vec<reference::SimpleRule> =
                    [one, two].map(|(_, of)| (of.effect, counts(of, brought))).into();
                let asks = [one, two].iter().any(|(pattern, of)| {
                    let one_name = matches!(pattern, Pattern::Exact(_));
                    !is_script && lapsed(of, one_name, default, brought)
                });
                let otherwise = if asks { Ask } else { default };
                let expected = reference::permission(otherwise, &rules, &[]);
                let ruling = policy.permission(tool, &skill, run);
                assert_eq!(ruling.value, expected, "{tool:?} {brought} {:?}", policy.rules);
                assert_eq!(policy.subject(&skill).brought, brought);
                seen += 1;
            }
        }
    }
    assert!(seen > 5_000, "{seen}");
}
