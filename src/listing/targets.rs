//! For which agent a prompt is written.

use super::Listing;
use crate::catalog::HostId;
use crate::policy::HostReport;

impl Listing {
    /// The agents of this machine for which a prompt can be written. Without any it is the plain
    /// standard.
    pub fn targets(&self) -> Vec<&HostReport> {
        let agents: Vec<&HostReport> =
            self.reports.iter().filter(|report| report.host != HostId::AGENTS).collect();
        if agents.is_empty() { self.reports.iter().collect() } else { agents }
    }

    /// The agent for which a prompt is written: the one that the person wants; else the one through
    /// which they look, by its word, or in which they are; else the first that has a syntax.
    pub fn target(&self, wanted: Option<HostId>, viewed: &str) -> Option<&HostReport> {
        let targets = self.targets();
        let wanted = wanted.or(self.preferred);
        let named = targets.iter().find(|report| Some(report.host) == wanted);
        let viewed = || targets.iter().find(|report| report.host.word() == viewed);
        let around = || targets.iter().find(|report| report.inside);
        let spoken = || targets.iter().find(|report| report.speech.form.is_syntax());
        let found = named.or_else(viewed).or_else(around).or_else(spoken);
        found.or(targets.first()).copied()
    }
}
