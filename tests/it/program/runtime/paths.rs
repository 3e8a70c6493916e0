//! No path that a command is given leads out of a skill.

use crate::env::TestEnv;
use crate::support::paths::{Gives, SKILL, cases, furnish};

#[test]
fn no_command_reads_a_file_outside_the_skill() {
    let env = TestEnv::new();
    furnish(&env);
    let cases: Vec<_> = cases(&env).into_iter().filter(|(path, _)| !path.contains('\0')).collect();
    assert!(cases.len() >= 60);
    crate::env::bar::tried(cases.len());
    for (path, gives) in &cases {
        let shown = &path[..path.len().min(60)];
        let read = ["read", SKILL, path.as_str()];
        let show = env.run(&["show", SKILL, path, "--raw"]);
        match gives {
            Gives::Text(text) => {
                let bytes = env.run(&[&read[..], &["--encoding", "binary"]].concat());
                assert_eq!((bytes.code, bytes.out()), (0, *text), "{shown}");
                assert_eq!((show.code, show.out()), (0, *text), "{shown}");
                assert_eq!(
                    env.json("read", &[&read[..], &["--json"]].concat())["content"],
                    *text,
                    "{shown}"
                );
            }
            Gives::Refused(code) => {
                assert!(
                    show.code != 0 && show.out().is_empty() && !show.err.is_empty(),
                    "{shown}: {show:?}"
                );
                let error = env.fails(&[&read[..], &["--json"]].concat());
                assert_eq!(error["error"]["code"], *code, "{shown}: {error}");
                assert!(!error.to_string().contains("SECRET"), "{shown}: {error}");
            }
        }
    }
}
