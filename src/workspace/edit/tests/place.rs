//! Into which file a change goes: a person's own, unless another one is chosen.

use super::*;
use crate::hosts::{self, Host};
use crate::policy::change::FileKind;

/// Where skills of a repository are, for every host that reads one.
const FOLDERS: [&str; 8] = [
    "repo/.agents/skills/pdf",
    "repo/.claude/skills/pdf",
    "repo/.codex/skills/pdf",
    "repo/.gemini/skills/pdf",
    "repo/.kodelet/skills/pdf",
    "repo/.opencode/skills/pdf",
    "repo/.pi/skills/pdf",
    "repo/.qwen/skills/pdf",
];

fn repository(host: &'static Host) -> TestWorkspace {
    let skills: Vec<(&str, &str)> = FOLDERS.iter().map(|folder| (*folder, "pdf")).collect();
    let trust =
        [("GEMINI_CLI_TRUST_WORKSPACE", "true"), ("VIBE_SKILL_PATHS", "[\".agents/skills\"]")];
    TestWorkspace::with(&skills).through(host, &trust, "repo")
}

/// Turns the first skill that the host takes off.
fn off(view: &View) -> ChangeRequest {
    let entry = view.rows.entries().position(|entry| entry.taken()).unwrap();
    switch(view, &[entry], false)
}

/// Whose files a plan changes, or why there is none.
fn said(test: &TestWorkspace, plan: &Result<Plan, ChangeError>) -> String {
    let below = |path: &Path| path.display().to_string().replace(&test.text(""), "");
    let file = |file: &PlannedFile| format!("{} {}", file.kind.word(), below(&file.change.path));
    match plan {
        Ok(plan) => plan.files.iter().map(file).collect::<Vec<_>>().join(", "),
        Err(why) => why.to_string().replace(&test.text(""), ""),
    }
}

/// An index of git with one file.
fn index(path: &str) -> Vec<u8> {
    let head = [b"DIRC".as_slice(), &2_u32.to_be_bytes(), &1_u32.to_be_bytes(), &[0; 60]].concat();
    let length = u16::try_from(path.len()).unwrap().to_be_bytes();
    let filled = vec![0; 8 - (62 + path.len()) % 8];
    [head.as_slice(), &length, path.as_bytes(), &filled].concat()
}

#[test]
fn an_unasked_change_in_a_repository_goes_to_a_persons_own_file_for_every_host() {
    let mut table = Vec::new();
    for host in hosts::every() {
        let control = &host.control;
        let mut test = repository(host);
        // A file that a repository has already invites a switch.
        test.write("repo/opencode.json", "{}\n");
        let view = test.view();
        let deny = ChangeRequest::Permit(rule(Permission::Deny, "pdf"));
        let switches = control.switch.map(|_| ("switch", off(&view)));
        let rules = control.rules.map(|_| ("rule", deny));
        for (what, request) in switches.into_iter().chain(rules) {
            let plan = test.workspace.plan(&view, &request, None);
            table.push(format!("{} {what}: {}", host.id.word(), said(&test, &plan)));
        }
    }
    let expected = [
        "agents switch: user home/.config/skillpick/config.toml",
        "agents rule: user home/.config/skillpick/config.toml",
        "codex switch: user home/.codex/config.toml",
        "claude switch: local repo/.claude/settings.local.json",
        "claude rule: local repo/.claude/settings.local.json",
        "opencode switch: user home/.config/opencode/opencode.json",
        "opencode rule: user home/.config/opencode/opencode.json",
        "gemini switch: user home/.gemini/settings.json",
        "gemini rule: user home/.gemini/policies/skills.toml",
        "copilot switch: user home/.copilot/settings.json",
        "pi switch: only a settings file that is committed with the repository can say that: \
         repo/.pi/settings.json",
        "qwen switch: user home/.qwen/settings.json",
        "amp rule: user home/.config/amp/settings.json",
        "kilo switch: user home/.config/kilo/kilo.json",
        "kilo rule: user home/.config/kilo/kilo.json",
        "qoder switch: user home/.qoder/settings.json",
        "mistral-vibe switch: user home/.vibe/config.toml",
        "droid switch: user home/.factory/settings.json",
        "codelia switch: user home/.codelia/config.json",
        "codelia rule: user home/.codelia/config.json",
        "kodelet switch: user home/.kodelet/config.yaml",
    ];
    assert_eq!(table, expected);
}

#[test]
fn a_projects_file_that_git_ignores_is_a_persons_own_and_one_that_git_has_is_not() {
    let mut test = repository(&hosts::PI);
    let plan = |test: &TestWorkspace, place| {
        let view = test.view();
        said(test, &test.workspace.plan(&view, &off(&view), place))
    };
    let refused = plan(&test, None);
    assert!(refused.starts_with("only a settings file that is committed"), "{refused}");
    let local = "pi has no local settings file, and git does not ignore its project's: \
                 repo/.pi/settings.json";
    assert_eq!(plan(&test, Some(Layer::Local)), local);
    assert_eq!(plan(&test, Some(Layer::Project)), "project repo/.pi/settings.json");
    test.write("repo/.git/info/exclude", ".pi/\n");
    for place in [None, Some(Layer::Local), Some(Layer::Project)] {
        assert_eq!(plan(&test, place), "local repo/.pi/settings.json");
    }
    std::fs::write(test.env.top.join("repo/.git/index"), index(".pi/settings.json")).unwrap();
    assert_eq!(plan(&test, None), refused, "a rule does not take a file out of the repository");
    // A fault of the person's own file is said first.
    let mut test = repository(&hosts::DROID);
    test.write("home/.factory/settings.json", "\u{feff}{}");
    let stopped = "the user settings file is not edited until line 1 is mended: JSON after a byte \
                   order mark is not read (home/.factory/settings.json)";
    assert_eq!(plan(&test, None), stopped);
    // Claude Code's own local file may be committed as well; then the person's is next.
    let test = repository(&hosts::CLAUDE);
    let tracked = index(".claude/settings.local.json");
    std::fs::write(test.env.top.join("repo/.git/index"), tracked).unwrap();
    assert_eq!(plan(&test, None), "user home/.claude/settings.json");
    assert_eq!(plan(&test, Some(Layer::Local)), "project repo/.claude/settings.local.json");
}

#[test]
fn a_question_comes_with_the_same_change_in_the_other_files() {
    let kinds = |host: &'static Host| {
        let test = repository(host);
        let view = test.view();
        let plan = test.workspace.plan_with_choice(&view, &off(&view)).unwrap();
        let all = std::iter::once(&plan).chain(&plan.instead);
        let words = |plan: &Plan| plan.kinds().iter().map(|kind| kind.words()).collect::<String>();
        (plan.ask, all.map(words).collect::<Vec<_>>())
    };
    let claude = ["local, not ignored by git", "user", "project, committed"];
    assert_eq!(kinds(&hosts::CLAUDE), (true, claude.map(str::to_owned).to_vec()));
    assert_eq!(kinds(&hosts::PI), (true, vec!["project, committed".to_owned()]));
    assert_eq!(kinds(&hosts::AGENTS), (false, vec!["user".to_owned()]), "nothing is asked");
}

#[test]
fn through_all_hosts_one_that_would_write_a_committed_file_stays_as_it_is() {
    let test = TestWorkspace::with(&[("repo/.agents/skills/pdf", "pdf")]);
    std::fs::create_dir_all(test.env.top.join("home/.pi/agent")).unwrap();
    let test = test.through(&hosts::EVERY, &[], "repo");
    let view = test.view();
    let plan = test.workspace.plan_with_choice(&view, &off(&view)).unwrap();
    let words = told(&plan).replace(&test.text(""), "");
    let wanted = "agents: off\npi: unchanged: only a settings file that is committed with the \
                  repository can say that: repo/.pi/settings.json";
    assert_eq!((words.as_str(), plan.ask), (wanted, true));
    assert!(plan.files.iter().all(|file| file.kind == FileKind::User));
    let chosen = plan.instead.iter().find(|plan| plan.kinds().contains(&FileKind::Project));
    let hosts = chosen.unwrap().files.iter().map(|file| file.host.word());
    assert_eq!(hosts.collect::<Vec<_>>(), ["agents", "pi"]);
}
