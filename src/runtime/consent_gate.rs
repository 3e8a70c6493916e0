//! Consent, if a rule asks: given now, or earlier for the same text.

use super::call_context::{By, CallContext};
use super::judge::{Asker, LoadError, judge};
use super::load::Loaded;
use super::session::Session;
use crate::files::digest::Digest;
use crate::policy::{Entry, Origin};

/// A person's answer if a rule asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    Yes,
    No,
    /// No answer yet: the person is asked and the call repeated. Only the repeated call is logged.
    Later,
}

impl From<bool> for Reply {
    fn from(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }
}

/// Who wants skills in one call, and how a person is asked.
pub struct ConsentGate<'a> {
    pub(super) session: Option<&'a Session>,
    by: By,
    consent: &'a mut dyn FnMut(&Entry, &Origin, Digest) -> Reply,
    /// Whether the last answer was [`Reply::Later`].
    pub(super) later: bool,
}

impl<'a> ConsentGate<'a> {
    /// `consent` is called if a rule says `ask`, unless the session already has exactly this text.
    /// Its last argument is the digest of what is handed over after a yes.
    pub fn new(
        session: Option<&'a Session>,
        by: By,
        consent: &'a mut dyn FnMut(&Entry, &Origin, Digest) -> Reply,
    ) -> Self {
        Self { session, by, consent, later: false }
    }

    /// Judges the entry of a wanted file with this digest. Without a digest, nobody is asked.
    pub(super) fn judge(&mut self, entry: &Entry, wanted: Option<Digest>) -> Result<(), LoadError> {
        let session = self.session;
        let consents = || session.is_some_and(|session| session.consents(&entry.skill));
        match judge(entry, Asker { by: self.by, consented: false }) {
            Err(LoadError::NeedsConsent(_)) if consents() => Ok(()),
            Err(LoadError::NeedsConsent(origin))
                if wanted.is_some_and(|digest| self.says_yes(entry, &origin, digest)) =>
            {
                Ok(())
            }
            judged => judged,
        }
    }

    pub(super) fn load(
        &mut self,
        caller: &CallContext<'_>,
        index: usize,
    ) -> Result<Loaded, LoadError> {
        let load = |consented| caller.try_entry(index, Asker { by: self.by, consented });
        let first = load(false);
        let Err(LoadError::NeedsConsent(origin)) = &first else { return first };
        let entry = caller.entry(index);
        // The file may change at any time, so the text that is returned is the one that is compared
        // and asked about.
        let loaded = load(true)?;
        let known = self.session.is_some_and(|session| session.holds(&loaded));
        if known || self.says_yes(entry, origin, loaded.digest) { Ok(loaded) } else { first }
    }

    fn says_yes(&mut self, entry: &Entry, origin: &Origin, digest: Digest) -> bool {
        let reply = (self.consent)(entry, origin, digest);
        self.later = reply == Reply::Later;
        reply == Reply::Yes
    }
}
