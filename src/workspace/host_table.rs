//! What front ends ask of the table of hosts.

use crate::catalog::{Check, HostId, Skill};
use crate::hosts::{self, HOSTS, Host, UnknownHost};

/// Every host that a query may name: those with a file of their own first.
pub fn known_hosts() -> Vec<HostId> {
    hosts::every().map(|host| host.id).collect()
}

/// The hosts with a file of their own, for lists in which all hosts would be too many.
pub fn foremost_hosts() -> Vec<HostId> {
    HOSTS.iter().map(|host| host.id).collect()
}

/// The host that a word means; it may be all hosts at once.
pub fn host_by_word(word: &str) -> Option<&'static Host> {
    if word == hosts::ALL { Some(&hosts::EVERY) } else { hosts::by_word(word).ok() }
}

/// The one host that a word means.
///
/// # Errors
/// [`UnknownHost`], with the word of another one.
pub fn one_host(word: &str) -> Result<&'static Host, UnknownHost> {
    hosts::by_word(word).map_err(|unknown| {
        let suggestion = unknown.suggestion.filter(|word| *word != hosts::ALL);
        UnknownHost { suggestion }
    })
}

/// The agent that the words of a command start, and the place of the word that names it.
pub fn host_of_command<'a>(
    words: impl IntoIterator<Item = &'a str>,
) -> Option<(&'static Host, usize)> {
    hosts::of_command(words)
}

/// The hosts that refuse this skill, and for a finding of this check. Only hosts with a file of
/// their own count, since nobody knows it of the others.
pub fn refusers(skill: &Skill, check: &Check) -> Vec<HostId> {
    let refusing = HOSTS.iter().filter(|host| host.evaluation.refuses_for(skill, check));
    refusing.map(|host| host.id).collect()
}

/// The hosts that refuse a plain skill for a finding of this check.
pub fn usual_refusers(check: &Check) -> Vec<HostId> {
    let refusing = HOSTS.iter().filter(|host| host.evaluation.profile.refuses(check));
    refusing.map(|host| host.id).collect()
}

/// Whether this host is one of [`refusers`].
pub fn refuses(host: HostId, skill: &Skill, check: &Check) -> bool {
    let host = HOSTS.iter().find(|known| known.id == host);
    host.is_some_and(|host| host.evaluation.refuses_for(skill, check))
}
