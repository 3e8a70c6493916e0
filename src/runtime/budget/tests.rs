use super::*;
use crate::runtime::prompt::prompt;
use crate::workspace::fixture::TestWorkspace;

/// A home with Codex and Claude Code, and two skills that both see.
fn test() -> TestWorkspace {
    TestWorkspace::with(&[("repo/.agents/skills/pdf", "pdf"), ("repo/.agents/skills/zip", "zip")])
}

fn wanted(host: HostId) -> ForecastRequest<'static> {
    ForecastRequest { host, window: None, without: None }
}

#[test]
fn our_own_catalog_is_counted_as_prompt_prints_it() {
    let test = test();
    let view = test.view();
    let of = forecast(&test.workspace, &view, &wanted(HostId::AGENTS)).unwrap();
    let text = prompt(&view, None, Dialect::of_host("agents"), view.limits()).text;
    assert_eq!((of.skills.len(), of.forecast.used(), of.forecast.cut()), (2, text.len(), 0));
    assert_eq!(of.forecast.unit, Unit::Bytes);
    assert!(forecast(&test.workspace, &view, &wanted(HostId("codex"))).is_none());
}
