//! What a person types: words to search for, a number, or a letter with numbers.

/// What a letter stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Pick,
    Mark,
    Switch,
    Read,
    Why,
    Share,
    Mend,
    Keep,
    Cost,
    Undo,
    Back,
    Help,
    Leave,
}

/// The letters, what they stand for, and their help.
pub(super) const COMMANDS: &[(char, Command, &str)] = &[
    ('p', Command::Pick, "pick these numbers, or the marked skills"),
    ('m', Command::Mark, "mark these numbers, or take the mark away"),
    ('x', Command::Switch, "turn these numbers, or the marked skills, on or off"),
    ('r', Command::Read, "read the text of this number"),
    ('w', Command::Why, "what each agent makes of this number, and why"),
    ('s', Command::Share, "share this number with the agents that do not look in its folder"),
    ('f', Command::Mend, "the problems of this number, and their fix"),
    ('k', Command::Keep, "keep this one; the others of its name become links to it"),
    ('c', Command::Cost, "what the skills cost the model, and what the limit cuts"),
    ('u', Command::Undo, "undo the last change"),
    ('b', Command::Back, "the list from its beginning; from the examples, back"),
    ('q', Command::Leave, "leave and print nothing"),
    ('?', Command::Help, "this help"),
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Said {
    Nothing,
    Command(Command, Vec<usize>),
    Query(String),
}

/// What a person without skills begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begin<'a> {
    New(&'a str),
    Links(&'a str),
    Examples,
}

/// What a line means while there is no skill to search for.
pub(super) fn begin(line: &str) -> Option<Begin<'_>> {
    let line = line.trim();
    let (letter, rest) = line.split_once(' ').unwrap_or((line, ""));
    match (letter, rest.trim()) {
        ("n", name) => Some(Begin::New(name)),
        ("l", folder) => Some(Begin::Links(folder)),
        ("b", "") => Some(Begin::Examples),
        _ => None,
    }
}

/// What a line means. A letter is a command if nothing but numbers follows; any other words are a
/// query, and so is what stands behind a slash.
pub(super) fn read(line: &str) -> Said {
    let line = line.trim();
    if line.is_empty() {
        return Said::Nothing;
    }
    if let Some(words) = line.strip_prefix('/') {
        return Said::Query(words.trim().to_owned());
    }
    let mut words = line.split([' ', ',']).filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default();
    let numbers = words.map(|word| word.parse().ok()).collect::<Option<Vec<usize>>>();
    let is_first =
        |(letter, ..): &&(char, Command, &str)| first.chars().eq(std::iter::once(*letter));
    match (COMMANDS.iter().find(is_first), first.parse(), numbers) {
        (Some((_, command, _)), _, Some(numbers)) => Said::Command(*command, numbers),
        (_, Ok(number), Some(more)) => {
            Said::Command(Command::Pick, std::iter::once(number).chain(more).collect())
        }
        _ => Said::Query(line.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_with_numbers_is_a_command_and_other_words_are_a_query() {
        let query = |words: &str| Said::Query(words.to_owned());
        for (line, said) in [
            ("", Said::Nothing),
            ("  ", Said::Nothing),
            ("3", Said::Command(Command::Pick, vec![3])),
            ("3 1", Said::Command(Command::Pick, vec![3, 1])),
            ("x 2, 4", Said::Command(Command::Switch, vec![2, 4])),
            ("x", Said::Command(Command::Switch, vec![])),
            ("?", Said::Command(Command::Help, vec![])),
            ("x ray", query("x ray")),
            ("3 musketeers", query("3 musketeers")),
            ("pdf", query("pdf")),
            ("/x", query("x")),
            ("/ 3", query("3")),
            ("99999999999999999999999", query("99999999999999999999999")),
        ] {
            assert_eq!(read(line), said, "{line:?}");
        }
    }

    #[test]
    fn without_skills_letters_take_a_name_or_a_folder() {
        assert_eq!(begin(" n  notes "), Some(Begin::New("notes")));
        assert_eq!(begin("l ~/my skills"), Some(Begin::Links("~/my skills")));
        assert_eq!(begin("b"), Some(Begin::Examples));
        assert_eq!((begin("b x"), begin("notes"), begin("")), (None, None, None));
    }

    #[test]
    fn every_letter_stands_for_one_command() {
        for (place, (letter, command, help)) in COMMANDS.iter().enumerate() {
            assert!(COMMANDS[..place].iter().all(|(other, ..)| other != letter), "{letter}");
            assert_eq!(read(&letter.to_string()), Said::Command(*command, vec![]));
            assert!(!help.is_empty());
        }
    }
}
