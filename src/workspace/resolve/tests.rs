use super::*;
use crate::workspace::fixture::TestWorkspace;

const REPO: &str = "repo/.agents/skills";
const HOME: &str = "home/.agents/skills";

/// The description of the skill that the argument means.
fn meant(test: &TestWorkspace, argument: &str) -> Result<String, ResolveError> {
    let view = test.view();
    resolve(&view, argument, None, &test.workspace.context.cwd)
        .map(|index| view.rows[index].entry.skill.description.clone())
}

fn duplicates() -> TestWorkspace {
    TestWorkspace::with(&[
        (&format!("{REPO}/deploy"), "deploy"),
        (&format!("{HOME}/deploy"), "deploy"),
        (&format!("{REPO}/pdf"), "pdf"),
    ])
}

#[test]
fn cod_5_4b_a_bare_name_with_several_matches_is_ambiguous_and_lists_them() {
    let test = duplicates();
    let candidates = vec![
        (Scope::Repo, test.env.top.join(REPO).join("deploy/SKILL.md")),
        (Scope::User, test.env.top.join(HOME).join("deploy/SKILL.md")),
    ];
    for argument in ["deploy", "$deploy", "/deploy", "  deploy\n"] {
        assert_eq!(
            meant(&test, argument),
            Err(ResolveError::Ambiguous { candidates: candidates.clone(), names: Vec::new() }),
            "{argument}"
        );
    }
    assert_eq!(meant(&test, "pdf").as_deref(), Ok("in repo/.agents/skills/pdf"));
}

#[test]
fn cod_1_3_every_mention_of_a_skill_means_that_skill() {
    let test = duplicates();
    let view = test.view();
    for (index, entry) in view.rows.entries().enumerate() {
        let unique = entry.same_name == 1;
        let mention =
            Mention::for_pick(&entry.skill.name, &entry.skill.path, unique).unwrap().to_string();
        assert_eq!(
            resolve(&view, &mention, None, &test.workspace.context.cwd),
            Ok(index),
            "{mention}"
        );
    }
}

#[test]
fn a_path_selects_exactly_however_it_is_spelt() {
    let test = duplicates();
    let path = test.text(&format!("{HOME}/deploy/SKILL.md"));
    let dir = test.text(&format!("{HOME}/deploy"));
    for argument in [
        path.clone(),
        dir.clone(),
        format!("{dir}/"),
        format!("{dir}/./SKILL.md"),
        format!("{dir}/../deploy/SKILL.md"),
        "../home/.agents/skills/deploy".to_owned(),
        "~/.agents/skills/deploy".to_owned(),
        "~/.agents/skills/deploy/SKILL.md".to_owned(),
        "[$deploy](~/.agents/skills/deploy/SKILL.md)".to_owned(),
        format!("[$deploy]({path})"),
    ] {
        assert_eq!(
            meant(&test, &argument).as_deref(),
            Ok("in home/.agents/skills/deploy"),
            "{argument}"
        );
    }
}

/// In a real system a harmless name with X's path passed a deny rule for X. Here only the path says
/// which skill is meant, and that skill's rules are applied.
#[test]
fn the_name_of_a_link_is_for_the_reader_only() {
    let mut test = duplicates();
    test.write(
        "home/.config/skillpick/config.toml",
        "version = 1\n[[permissions.deny]]\ntool = \"skill_load\"\nskill_name = \"pdf\"\n",
    );
    let path = test.text(&format!("{REPO}/pdf/SKILL.md"));
    let view = test.view();
    for argument in [format!("[$harmless]({path})"), path.replace("/SKILL.md", "/./SKILL.md"), path]
    {
        let index = resolve(&view, &argument, None, &test.workspace.context.cwd).unwrap();
        assert_eq!(
            view.rows[index].entry.verdict.model.value,
            crate::catalog::Permission::Deny,
            "{argument}"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_a_skill_means_the_skill() {
    let test = duplicates();
    let link = |from: &str, to: &str| {
        std::os::unix::fs::symlink(test.env.top.join(to), test.env.top.join(from)).unwrap()
    };
    link("elsewhere", "repo/.agents/skills/pdf");
    link("file.md", "repo/.agents/skills/pdf/SKILL.md");
    for argument in ["../elsewhere", "../elsewhere/SKILL.md", "../file.md"] {
        assert_eq!(
            meant(&test, argument).as_deref(),
            Ok("in repo/.agents/skills/pdf"),
            "{argument}"
        );
    }
}

#[test]
fn only_what_is_in_the_view_can_be_meant() {
    let test = duplicates();
    let stranger = test.env.top.join("stranger/SKILL.md");
    std::fs::create_dir_all(stranger.parent().unwrap()).unwrap();
    std::fs::write(&stranger, "---\nname: stranger\ndescription: x\n---\n").unwrap();
    for argument in ["../stranger", stranger.to_str().unwrap(), "/", "..", "repo", "\0", "a/\0/b"] {
        assert!(matches!(meant(&test, argument), Err(ResolveError::Unknown { .. })), "{argument}");
    }
    assert_eq!(meant(&test, " \t"), Err(ResolveError::Empty));
}

#[test]
fn names_are_exact_and_a_near_miss_is_answered() {
    let test = TestWorkspace::with(&[(&format!("{REPO}/pdf-forms"), "pdf-forms")]);
    for argument in ["PDF-Forms", "pdf-from", "$pdf-form"] {
        let near = ResolveError::Unknown { suggestions: vec!["pdf-forms".to_owned()] };
        assert_eq!(meant(&test, argument), Err(near), "{argument}");
    }
}

/// A skill of the repository with this name, as YAML escapes it.
fn write(test: &mut TestWorkspace, folder: &str, name: &str) {
    let text = format!("---\nname: \"{name}\"\ndescription: in {folder}\n---\n");
    test.write(&format!("{REPO}/{folder}/SKILL.md"), &text);
}

#[test]
fn a_name_is_taken_as_it_is_shown_if_one_skill_alone_is_shown_so() {
    let mut test = TestWorkspace::with(&[(&format!("{REPO}/plain"), "plain")]);
    write(&mut test, "one", "two\\nwords");
    write(&mut test, "marked", "a\\u202eb");
    assert_eq!(meant(&test, "two words").as_deref(), Ok("in one"));
    assert_eq!(meant(&test, "a<U+202E>b").as_deref(), Ok("in marked"));
    write(&mut test, "tab", "two\\twords");
    assert!(matches!(meant(&test, "two words"), Err(ResolveError::Ambiguous { .. })));
    write(&mut test, "exact", "two words");
    assert_eq!(meant(&test, "two words").as_deref(), Ok("in exact"), "its very name");
}

#[test]
fn a_name_that_only_a_broken_skill_has_means_it_and_else_the_sound_one() {
    let mut test = TestWorkspace::with(&[(&format!("{REPO}/pdf"), "pdf")]);
    test.write(&format!("{HOME}/pdf/SKILL.md"), "---\nname: pdf\n---\n");
    test.write(&format!("{HOME}/lost/SKILL.md"), "---\nname: lost\n---\n");
    assert_eq!(meant(&test, "pdf").as_deref(), Ok("in repo/.agents/skills/pdf"));
    assert_eq!(meant(&test, "lost").as_deref(), Ok(""));
}

#[test]
fn a_name_means_the_one_that_is_not_off_and_whoever_switches_must_say_which() {
    let mut test = duplicates();
    let off = test.text(&format!("{HOME}/deploy/SKILL.md"));
    let rule = format!("version = 1\n[[skills.config]]\npath = \"{off}\"\nenabled = false\n");
    test.write("home/.config/skillpick/config.toml", &rule);
    for argument in ["deploy", "$deploy", "/deploy"] {
        assert_eq!(
            meant(&test, argument).as_deref(),
            Ok("in repo/.agents/skills/deploy"),
            "{argument}"
        );
    }
    let view = test.view();
    let any = |argument: &str| resolve_any(&view, argument, None, &test.workspace.context.cwd);
    assert!(
        matches!(any("deploy"), Err(ResolveError::Ambiguous { candidates, .. }) if candidates.len() == 2)
    );
    assert!(any(&off).is_ok());
    // A deny rule is no switch: the name still means two skills.
    let rule = "[[permissions.deny]]\ntool = \"skill_load\"\nskill_name = \"deploy\"\n";
    test.write("home/.config/skillpick/config.toml", &format!("version = 1\n{rule}"));
    assert!(matches!(meant(&test, "deploy"), Err(ResolveError::Ambiguous { .. })));
}

#[test]
fn of_names_that_only_switches_take_for_the_same_the_very_one_is_meant() {
    let host = |word: &str, names: &[&str]| {
        let root = match word {
            "droid" => "repo/.factory/skills",
            _ => "repo/.qwen/skills",
        };
        let mut test = TestWorkspace::with(&[]);
        for (at, name) in names.iter().enumerate() {
            let text = format!("---\nname: {name}\ndescription: {name}.\n---\nText.\n");
            test.write(&format!("{root}/{at}/SKILL.md"), &text);
        }
        test.through(crate::hosts::by_word(word).unwrap(), &[], "repo")
    };
    let test = host("qwen", &["web", "Web"]);
    for argument in ["web", "Web", "/web", "/Web"] {
        let very = format!("{}.", argument.trim_start_matches('/'));
        assert_eq!(meant(&test, argument), Ok(very), "{argument}");
    }
    assert!(matches!(meant(&test, "WEB"), Err(ResolveError::Ambiguous { .. })));
    // To Droid they are one name, but it takes none of them.
    let names = ["a   b", "a/b", "a]b"];
    let test = host("droid", &names);
    for name in names {
        assert_eq!(meant(&test, name), Ok(format!("{name}.")), "{name}");
    }
    // And here it takes one of them.
    let test = host("droid", &["pdf-tools", "pdf_tools"]);
    assert!(meant(&test, "pdf-tools").is_ok());
    assert_eq!(meant(&test, "pdf-tools"), meant(&test, "pdf_tools"));
}

#[test]
fn of_several_with_one_name_the_hosts_names_are_offered_if_each_means_one() {
    let told = |other: &str| {
        let mut test = TestWorkspace::with(&[]);
        let text = "---\nname: pdf\ndescription: d\n---\n";
        for folder in ["one", other] {
            test.write(&format!("repo/.claude/skills/{folder}/SKILL.md"), text);
        }
        let test = test.through(&crate::hosts::CLAUDE, &[], "repo");
        let refusal = meant(&test, "pdf").unwrap_err().refusal("pdf", Vec::new());
        let below = |text: &str| text.replace(&test.text("repo/.claude/skills"), "");
        (below(refusal.line().as_str()), below(&refusal.for_model()))
    };
    let begin = "2 skills are named 'pdf'; give one of these paths:";
    let (line, model) = told("two");
    let paths = "repo  /one/SKILL.md, repo  /two/SKILL.md";
    assert_eq!(line, format!("{begin} {paths}; or one of these names: one, two"));
    let paths = paths.replace(", ", "\n");
    assert_eq!(model, format!("{begin}\n{paths}\nOr one of these names: one, two"));
    // What is cut or escaped is not the name, and what looks like a path may be one.
    for other in [&"x".repeat(70), "a\"b", "b.md", "$two"] {
        let (line, model) = told(other);
        assert!(!line.contains("names: ") && !model.contains("names: "), "{line}");
    }
}

#[test]
fn no_path_means_what_is_no_skill_of_the_view() {
    let test = duplicates();
    std::fs::write(test.text("home/secret.md"), "x").unwrap();
    for argument in ["~/secret.md", "~", "~/", "~/.agents", "[$x](~/secret.md)", "~/../repo"] {
        assert!(meant(&test, argument).is_err(), "{argument}");
    }
}
