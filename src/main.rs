//! temporary
fn main() {
    let start = skillpick::workspace::Start {
        roots: std::env::args_os().skip(1).map(Into::into).collect(),
        ..Default::default()
    };
    let workspace = skillpick::workspace::Workspace::open(&start).unwrap();
    let out = skillpick::tui::shell::run(skillpick::tui::shell::Pick {
        workspace,
        query: String::new(),
        scope: None,
        multi: true,
        height: None,
    });
    match out {
        Ok(skillpick::tui::shell::Outcome::Picked(v, p)) => {
            for i in p {
                println!("{}", v.entries[i].skill.name);
            }
        }
        other => eprintln!("{:?}", other.map(|_| ())),
    }
}
