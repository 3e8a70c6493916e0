//! Asking the agents' own programs.

use crate::model::script::{effects, notice, shop, update};
use skillpick::text::SafeText;
use skillpick::tui::app::{Msg, Notice};

#[test]
fn a_key_asks_and_what_came_is_said() {
    let mut state = shop();
    assert_eq!(effects(&mut state, "<alt-w>"), ["ask the agents"]);
    assert!(notice(&state).contains("asking the agents' own programs"), "{}", notice(&state));
    let words = SafeText::fixed("Gemini CLI: 3 more by its own word; 1 differs");
    update(&mut state, Msg::Notice(Notice::plain(words)));
    assert!(notice(&state).contains("3 more by its own word"), "{}", notice(&state));
    // The key acts while a query is typed as well.
    assert_eq!(effects(&mut state, "pdf<alt-w>").last().unwrap(), "ask the agents");
}
