//! What a person is shown of a run before it is run.

use super::{Launch, places};
use crate::catalog::Permission;
use crate::catalog::risk::{Finding, Level, Rule, rules};
use crate::files::digest::Digest;
use crate::inert;
use crate::runtime::risk::Examiner;
use crate::sandbox::{Consent, WorkDir};
use crate::text::SafeText;

/// The most alarms of a skill that are shown one by one.
const ALARMS: usize = 5;

impl Launch {
    /// Identifies the run with all of its parts, in the list of approvals and in questions: 64 hex
    /// digits.
    pub fn fingerprint(&self) -> String {
        let consent = Consent::to(&self.prepared);
        Digest::of(&serde_json::to_vec(&consent).unwrap_or_default()).to_string()
    }

    /// The script as it was requested.
    pub fn script(&self) -> &str {
        &self.script
    }

    /// Everything that a person consents to, one item a line.
    pub fn described(&self) -> Vec<SafeText> {
        let prepared = &self.prepared;
        let argv = prepared.argv();
        let words = argv.iter().map(|word| format!("{:?}", word.to_string_lossy()));
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
        let mut lines = vec![
            inert!("skill:     {}", self.skill.name),
            inert!("script:    {}", prepared.script),
            inert!("command:   {}", SafeText::join(words, " ")),
            inert!("digest:    sha256:{}", prepared.digest.to_string()),
            inert!("variables: {}", SafeText::join(&prepared.environment, " ")),
            inert!("network:   {}", if prepared.network { "yes" } else { "no" }),
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
            self.reason(),
        ];
        if prepared.strange_interpreter {
            lines.push(inert!(
                "warning:   the script itself names its interpreter, in a folder that is neither the \
                 system's nor a known toolchain's: {}",
                SafeText::line(prepared.command.first().map_or("", String::as_str))
            ));
        }
        lines.extend(self.shortfall.iter().map(|why| inert!("but:       {}", why.shown())));
        if !prepared.allowed_tools.is_empty() {
            let tools = SafeText::join(&prepared.allowed_tools, " ");
            lines.push(inert!("its own allowed-tools, which grant nothing: {}", tools));
        }
        lines.extend(prepared.left_out.iter().map(|path| inert!("not in the copy: {}", path)));
        lines.extend(self.reaches());
        lines
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
