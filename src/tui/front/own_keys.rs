//! The keys of a person's settings, as the keymap takes them.

use crate::inert;
use crate::text::counted;
use crate::tui::app::Notice;
use crate::tui::keymap::{self, KeyProblem, Keymap};
use crate::workspace::Workspace;

/// What is wrong with one binding: its place among those of the settings, what, the wrong word, and
/// the words that are known in its place.
pub type WrongKey = (usize, String, String, Vec<&'static str>);

/// The bindings of the settings, each as (screen, key, action).
fn written(workspace: &Workspace) -> Vec<(&str, &str, &str)> {
    let keys = workspace.config.values.keys.iter();
    keys.map(|key| (&*key.value.screen, &*key.value.key, &*key.value.action)).collect()
}

/// The keymap with the keys of the settings, and what to tell of those that it does not take.
pub(in crate::tui) fn keymap(workspace: &Workspace) -> (Keymap, Option<Notice>) {
    let written = written(workspace);
    let (keymap, problems) = keymap::with_settings(written.iter().copied());
    let notice =
        problems.first().map(|(first, problem)| told(&problems, written[*first], *problem));
    (keymap, notice)
}

/// How many keys are left out, and why the first is.
fn told(
    problems: &[(usize, KeyProblem)],
    first: (&str, &str, &str),
    problem: KeyProblem,
) -> Notice {
    let mut rows: Vec<usize> = problems.iter().map(|(row, _)| *row).collect();
    rows.dedup();
    let why = problem.to_string();
    Notice::grave(match rows.len() {
        1 => inert!("key {}: {}", first.1, why),
        count => inert!(
            "{} are left out; `skillpick config` names them; key {}: {}",
            counted(count, "wrong key"),
            first.1,
            why
        ),
    })
}

/// What the keymap does not take of the keys in the settings.
pub fn wrong_keys(workspace: &Workspace) -> Vec<WrongKey> {
    let written = written(workspace);
    let (_, problems) = keymap::with_settings(written.iter().copied());
    let wrong = |(index, problem): (usize, KeyProblem)| {
        let word = problem.word(written[index]).to_owned();
        let what = match problem {
            KeyProblem::Action => format!("{problem}, `{word}`"),
            _ => problem.to_string(),
        };
        (index, what, word, problem.known())
    };
    problems.into_iter().map(wrong).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_wrong_keys_is_that_of_the_bindings() {
        let said = |problems: &[(usize, KeyProblem)]| {
            let first = ("nope", "ctrl-foo", "edit");
            told(problems, first, problems[0].1).text.as_str().to_owned()
        };
        let one = [(0, KeyProblem::Table), (0, KeyProblem::Key)];
        assert_eq!(said(&one), "key ctrl-foo: there is no screen of this name");
        let three = [one[0], one[1], (1, KeyProblem::Action), (4, KeyProblem::Key)];
        let wanted =
            "3 wrong keys are left out; `skillpick config` names them; key ctrl-foo: there";
        assert!(said(&three).starts_with(wanted), "{}", said(&three));
    }
}
