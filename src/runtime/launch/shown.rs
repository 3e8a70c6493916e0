//! What a person is shown of a run before it is run.

use super::{Launch, places};
use crate::catalog::Permission;
use crate::catalog::risk::{Finding, Level, Rule, rules};
use crate::files::digest::Digest;
use crate::inert;
use crate::policy::Origin;
use crate::runtime::risk::Examiner;
use crate::sandbox::{Consent, WorkDir};
use crate::text::{SafeText, shell};
use std::borrow::Cow;

/// The most alarms of a skill that are shown one by one.
const ALARMS: usize = 5;

/// The most files that are named as left out of the copy.
const LEFT_OUT: usize = 20;

/// The most characters that are shown of a word, and of the words of one line.
const OF_WORD: usize = 200;
const OF_LINE: usize = 1_000;

impl Launch {
    /// Identifies the run with all of its parts, in the list of approvals and in questions: 64 hex
    /// digits. The rule that asks is one of them, so that a yes to another one does not answer it;
    /// in which line it is does not count.
    pub fn fingerprint(&self) -> String {
        let consent = Consent::to(&self.prepared);
        let asking = match &self.origin {
            Origin::Rule { file, text, .. } if self.permission != Permission::Allow => {
                Some((file.as_os_str().as_encoded_bytes(), &**text))
            }
            _ => None,
        };
        let bytes = match asking {
            None => serde_json::to_vec(&consent),
            Some(rule) => serde_json::to_vec(&(consent, rule)),
        };
        Digest::of(&bytes.unwrap_or_default()).to_string()
    }

    /// What tells this run from others of its script, for a list of what was approved: its arguments
    /// and what no rule allows. Empty for a run that has neither.
    pub(super) fn details(&self) -> String {
        let word = |argument: &str| {
            shell::word(argument).map_or_else(|| format!("{argument:?}"), |word| word.to_string())
        };
        let arguments = &self.prepared.arguments;
        let arguments =
            (!arguments.is_empty()).then(|| format!("-- {}", within_bounds(arguments, word)));
        let extras = self.extras.iter().map(|extra| extra.words());
        arguments.into_iter().chain(extras).collect::<Vec<_>>().join(", ")
    }

    /// The script as it was requested.
    pub fn script(&self) -> &str {
        &self.script
    }

    /// Everything that a person consents to, one item a line. What is to be known comes first: a
    /// caller or a skill can make what follows long.
    pub fn described(&self) -> Vec<SafeText> {
        let prepared = &self.prepared;
        let mut lines = vec![
            inert!("skill:     {}", self.skill.name),
            inert!("script:    {}", prepared.script),
        ];
        lines.extend(self.reaches());
        lines.push(self.reason());
        lines.extend(self.shortfall.iter().map(|why| inert!("but:       {}", why.shown())));
        if prepared.strange_interpreter {
            lines.push(inert!(
                "warning:   the script itself names its interpreter, in a folder that is neither the \
                 system's nor a known toolchain's: {}",
                SafeText::line(prepared.command.first().map_or("", String::as_str))
            ));
        }
        lines.push(inert!("network:   {}", if prepared.network { "yes" } else { "no" }));
        let argv = prepared.argv();
        let argv: Vec<Cow<str>> = argv.iter().map(|word| word.to_string_lossy()).collect();
        lines.push(inert!("command:   {}", within_bounds(&argv, |word| format!("{word:?}"))));
        lines.push(inert!("digest:    sha256:{}", prepared.digest.to_string()));
        let names = within_bounds(&prepared.environment, str::to_owned);
        lines.push(inert!("variables: {}", names));
        lines.extend(self.grants());
        if !prepared.allowed_tools.is_empty() {
            let tools = within_bounds(&prepared.allowed_tools, str::to_owned);
            lines.push(inert!("its own allowed-tools, which grant nothing: {}", tools));
        }
        let left_out = &prepared.left_out;
        let paths = left_out.iter().take(LEFT_OUT);
        lines.extend(paths.map(|path| inert!("not in the copy: {}", path)));
        if left_out.len() > LEFT_OUT {
            lines.push(inert!("not in the copy: … and {} more", left_out.len() - LEFT_OUT));
        }
        lines
    }

    /// Where the script may write, what it may read, where it starts, and how much it may take.
    fn grants(&self) -> [SafeText; 4] {
        let prepared = &self.prepared;
        // They are made anew for each run, so the paths of those that were made by now say nothing.
        let writes = match prepared.writes {
            Some(_) => "a fresh directory, and another one for temporary files",
            None => "wherever you may",
        };
        let reads = prepared.reads.as_ref().map(|places| {
            let own = ["the copy of the skill", "the system's programs"].map(SafeText::fixed);
            SafeText::join(own.into_iter().chain(places::shown(places)), ", ")
        });
        let reads = reads.unwrap_or(SafeText::fixed("whatever you may"));
        let start = match prepared.start_in {
            WorkDir::Fresh => SafeText::fixed("the fresh directory"),
            WorkDir::Skill => SafeText::fixed("the copy of the skill"),
            WorkDir::At(_) => SafeText::path(&prepared.directory),
        };
        [
            inert!("writes to: {}", writes),
            inert!("reads:     {}", reads),
            inert!("starts in: {}", start),
            inert!(
                "at most:   {} s, {} MiB of memory, {} processes and threads, {} MiB in a file",
                prepared.timeout.as_secs(),
                prepared.limits.memory >> 20,
                prepared.limits.processes,
                prepared.limits.file_size >> 20
            ),
        ]
    }

    /// Why a person is asked: the rule that asks or, if one allows such runs, what no rule allows.
    fn reason(&self) -> SafeText {
        if self.permission != Permission::Allow || self.extras.is_empty() {
            return inert!("rule:      {}", self.origin.shown());
        }
        let words = self.extras.iter().map(|extra| SafeText::line(&extra.words()));
        inert!("asked:     no rule allows a run {}", SafeText::join(words, ", nor one "))
    }

    /// The alarms of the skill, and what the script reaches: of the copy that runs. A rule has one
    /// line, so there are few.
    fn reaches(&self) -> Vec<SafeText> {
        let risk = match Examiner::default().examine(self.prepared.copy()) {
            Ok(risk) => risk,
            Err(error) => return vec![inert!("reaches:   unknown: {}", error.to_string())],
        };
        let alarm = |one: &Finding| {
            let Rule { code, reason, .. } = one.rule;
            inert!("alarm:     {} {}: {} [{}]", one.place(), *code, one.shown, *reason)
        };
        let alarms = risk.alarms().count();
        let mut lines: Vec<SafeText> = risk.alarms().take(ALARMS).map(alarm).collect();
        if alarms > ALARMS {
            lines.push(inert!("alarm:     … and {} more", alarms - ALARMS));
        }
        let route = self.prepared.route();
        let of_script = |one: &&Finding| {
            let same = route.as_ref().is_some_and(|route| route.real == one.file);
            same && one.rule.level == Level::Fact && one.rule != &rules::SCRIPT
        };
        let facts: Vec<&Finding> = risk.findings.iter().filter(of_script).collect();
        for rule in rules::ALL {
            let of_rule: Vec<&&Finding> = facts.iter().filter(|one| one.rule == *rule).collect();
            let Some(first) = of_rule.first() else { continue };
            let more = match of_rule.len() - 1 {
                0 => SafeText::default(),
                more => inert!(" (and {} more)", more),
            };
            let place =
                first.line.map_or(SafeText::fixed("the script"), |line| inert!("line {}", line));
            lines.push(inert!("reaches:   {}, {}{}: {}", rule.code, place, more, first.shown));
        }
        if lines.is_empty() {
            lines.push(SafeText::fixed("reaches:   nothing found in the script"));
        }
        lines
    }
}

/// Words with spaces between them, each as `form` writes it. A word that is cut shows its length
/// and the digest of its bytes, so that it can be told from any other. If words are left out, their
/// number is shown, and the digest of all of them, each ended by a NUL.
fn within_bounds(words: &[impl AsRef<str>], form: impl Fn(&str) -> String) -> SafeText {
    let mut room = OF_LINE;
    let mut shown = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let word = word.as_ref();
        let length = word.chars().count();
        if room < length.min(OF_WORD) {
            let rest = &words[index..];
            let bytes = rest.iter().flat_map(|word| word.as_ref().bytes().chain([0]));
            let digest = Digest::of(&bytes.collect::<Vec<u8>>()).to_string();
            shown.push(inert!("… and {} more (sha256:{})", rest.len(), digest));
            break;
        }
        room -= length.min(OF_WORD);
        let end = word.char_indices().nth(OF_WORD).map_or(word.len(), |(end, _)| end);
        let mut text = SafeText::line(&form(&word[..end]));
        if end < word.len() {
            let digest = Digest::of(word.as_bytes()).to_string();
            text.push(&inert!("… ({} characters, sha256:{})", length, digest));
        }
        shown.push(text);
    }
    SafeText::join(shown, " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_shown_whole_or_with_what_tells_them_apart() {
        let plain = |words: &[String]| within_bounds(words, str::to_owned).to_string();
        let words = ["a b".to_owned(), "c\u{1b}".to_owned(), "x".repeat(OF_WORD)];
        assert_eq!(plain(&words), format!("a b c^[ {}", words[2]));
        assert_eq!(within_bounds(&words[..1], |word| format!("{word:?}")).as_str(), "\"a b\"");
        let (one, other) = ("é".repeat(9_000), "é".repeat(8_999) + "f");
        let digest = Digest::of(one.as_bytes()).to_string();
        let shown = plain(std::slice::from_ref(&one));
        let end = format!("é… (9000 characters, sha256:{digest})");
        assert!(shown.ends_with(&end) && shown.len() < 1_000, "{shown}");
        assert_ne!(shown, plain(&[other]));
        let many: Vec<String> = (0..5_000).map(|number| number.to_string()).collect();
        let shown = plain(&many);
        assert!(shown.contains("0 1 2 ") && shown.len() < 3 * OF_LINE, "{shown}");
        let mut last = many.clone();
        last[4_999] = "other".to_owned();
        assert_ne!(shown, plain(&last));
        let mut joined = many;
        let word = joined.pop().unwrap_or_default();
        joined.last_mut().unwrap().push_str(&word);
        assert_ne!(shown, plain(&joined));
    }
}
