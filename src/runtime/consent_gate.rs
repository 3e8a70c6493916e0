//! Consent, if a rule asks: given now, or earlier for the same text.

use super::by_bytes::{Contents, Part};
use super::call_context::{By, CallContext};
use super::judge::{Asker, LoadError, judge};
use super::load::Loaded;
use super::read::Resource;
use super::session::Session;
use crate::policy::{Entry, Origin};
use std::path::Path;

/// A person's answer if a rule asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    Yes,
    No,
    /// There is nobody to ask.
    Nobody,
    /// No answer yet: the person is asked and the call repeated. Only the repeated call is logged.
    Later,
}

/// Who wants skills in one call, and how a person is asked.
pub struct ConsentGate<'a> {
    pub(super) session: Option<&'a Session>,
    by: By,
    consent: &'a mut dyn FnMut(&Entry, &Origin, Contents) -> Reply,
    /// Whether the last answer was [`Reply::Later`].
    pub(super) later: bool,
}

impl<'a> ConsentGate<'a> {
    /// `consent` is called if a rule says `ask`, unless the session already has exactly these
    /// files. Its last argument is what is handed over after a yes.
    pub fn new(
        session: Option<&'a Session>,
        by: By,
        consent: &'a mut dyn FnMut(&Entry, &Origin, Contents) -> Reply,
    ) -> Self {
        Self { session, by, consent, later: false }
    }

    /// Judges the entry of which a file was read. Without what was read, nobody is asked.
    pub(super) fn judge(
        &mut self,
        caller: &CallContext<'_>,
        entry: &Entry,
        read: Option<(&Path, &Resource)>,
    ) -> Result<(), LoadError> {
        let asker = Asker { by: self.by, consented: false };
        if !caller.is_by_bytes(entry, self.by) {
            return judge(entry, asker);
        }
        let skill = &entry.skill;
        let files = caller.files(skill, read.map(|(path, read)| Part::of(path, read)));
        let judged = caller.judge_files(entry, asker, || files);
        let Err(LoadError::NeedsConsent(origin)) = &judged else { return judged };
        let known = self.session.is_some_and(|session| session.consents(skill, || files));
        match read {
            _ if known => Ok(()),
            None => judged,
            Some((_, read)) => {
                self.ask(entry, origin, Contents { handed: read.body.digest(), files })
            }
        }
    }

    pub(super) fn load(
        &mut self,
        caller: &CallContext<'_>,
        index: usize,
    ) -> Result<Loaded, LoadError> {
        let entry = caller.entry(index);
        // The file may change at any time, so the text that is returned is the one that is compared
        // and asked about.
        let loaded = caller.try_entry(index, Asker { by: self.by, consented: true })?;
        let unasked = Asker { by: self.by, consented: false };
        match caller.judge_files(entry, unasked, || loaded.files_digest) {
            Err(LoadError::NeedsConsent(origin)) => {
                if !self.session.is_some_and(|session| session.holds(&loaded)) {
                    self.ask(entry, &origin, loaded.contents())?;
                }
                Ok(loaded)
            }
            judged => judged.map(|()| loaded),
        }
    }

    fn ask(&mut self, entry: &Entry, origin: &Origin, contents: Contents) -> Result<(), LoadError> {
        let reply = (self.consent)(entry, origin, contents);
        self.later = reply == Reply::Later;
        match reply {
            Reply::Yes => Ok(()),
            Reply::No => Err(LoadError::Declined(origin.clone())),
            Reply::Nobody | Reply::Later => Err(LoadError::NeedsConsent(origin.clone())),
        }
    }
}
