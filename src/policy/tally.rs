//! How many skills a host sees, and how much is wrong with them: every such number that is shown or
//! printed is counted here.

use crate::catalog::{Check, Diagnostic, Severity};

/// The counts of some skills.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Skills, each counted once wherever it was found.
    pub skills: usize,
    /// Skills that the host refuses.
    pub refused: usize,
    /// Skills with a finding.
    pub affected: usize,
    /// Findings that are errors for this host.
    pub errors: usize,
    /// All other findings.
    pub warnings: usize,
}

impl Tally {
    /// Counts one skill, with the severities of its findings.
    pub fn add(&mut self, refused: bool, findings: impl Iterator<Item = Severity>) {
        let before = self.errors + self.warnings;
        for severity in findings {
            match severity {
                Severity::Error => self.errors += 1,
                Severity::Warning => self.warnings += 1,
            }
        }
        self.skills += 1;
        self.refused += usize::from(refused);
        self.affected += usize::from(self.errors + self.warnings > before);
    }
}

/// The severity of a finding for a host that refuses the skill for `refused`: an error if that is
/// the finding, a warning if the host takes the skill all the same.
pub fn severity(refused: Option<&'static Check>, diagnostic: &Diagnostic) -> Severity {
    match refused {
        None => Severity::Warning,
        Some(check) if check == diagnostic.check => Severity::Error,
        Some(_) => diagnostic.severity(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_skill_with_findings_of_its_own_is_affected() {
        let mut tally = Tally::default();
        let (error, warning) = (Severity::Error, Severity::Warning);
        for (findings, affected) in [
            (vec![], 0),
            (vec![error], 1),
            (vec![], 1),
            (vec![warning, warning, warning], 2),
            (vec![warning], 3),
            (vec![], 3),
        ] {
            tally.add(false, findings.into_iter());
            assert_eq!(tally.affected, affected, "{tally:?}");
        }
        assert_eq!((tally.skills, tally.errors, tally.warnings), (6, 1, 4));
    }
}
