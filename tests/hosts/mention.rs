//! What a mention injects, and what a rule keeps from the model.
use crate::mock::{Agent, Mock, Scene};

#[test]
fn probe() {
    for agent in [Agent::Codex, Agent::Claude, Agent::Opencode, Agent::Gemini, Agent::Copilot, Agent::Pi, Agent::Qwen] {
        let scene = Scene::new();
        for root in ["repo/.agents/skills", "repo/.claude/skills", "repo/.gemini/skills"] {
            scene.skill(root, "a-root");
        }
        let mock = Mock::start();
        let start = std::time::Instant::now();
        let answered = agent.ask(&scene, &mock, (&[], "hello"));
        eprintln!("{agent:?} {:?}", start.elapsed());
        if let Some(it) = answered {
            eprintln!(
                "{:?} {} {}",
                it.ran.code,
                it.ran.out.chars().take(300).collect::<String>(),
                it.ran.err.chars().take(300).collect::<String>()
            );
            for l in mock.log() {
                eprintln!("   {} {} {:?}", l.method, l.target, l.tools());
            }
        }
    }
}
