//! The names of entries in the journal, which say what became of a change.

/// The end of an entry's name if it could not be taken back and the person was told so.
pub(super) const TOLD: &str = ".told";
/// In the name of an undone entry, followed by a number: the one undone last has the highest.
const UNDONE: &str = ".undone-";
/// In the name of an entry that was made again, followed by the number of the newest one then, and
/// a number that counts.
pub(super) const REDONE: &str = ".redone-";

/// The name of an entry in the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryName(pub(super) String);

impl EntryName {
    /// The number in its name; `None` for anything that is no entry.
    pub fn number(&self) -> Option<u64> {
        self.0.split_once('-')?.0.parse().ok()
    }

    /// The name without what became of the change.
    pub(super) fn stem(&self) -> &str {
        self.0.split('.').next().unwrap_or(&self.0)
    }

    /// When it was made, or made again: by the newest number then, and counted.
    pub(super) fn made(&self) -> (u64, u64) {
        let redone = self.0.split_once(REDONE).map(|(_, when)| when.trim_end_matches(TOLD));
        let parts = redone.and_then(|when| when.split_once('-'));
        let again = parts
            .and_then(|(one, other)| Some((one.parse::<u64>().ok()?, other.parse::<u64>().ok()?)));
        again.unwrap_or((self.number().unwrap_or_default(), 0))
    }

    /// When it was taken back, counted; `None` if it was not.
    pub(super) fn undone(&self) -> Option<u64> {
        self.0.split_once(UNDONE)?.1.parse().ok()
    }

    /// Its name if it is taken back now, as the last of all.
    pub(super) fn undone_now(&self, entries: &[Self]) -> String {
        let next = entries.iter().filter_map(Self::undone).max().unwrap_or(0) + 1;
        format!("{}{UNDONE}{next:04}", self.stem())
    }

    /// Its name if it is made again now, as the newest of all.
    pub(super) fn made_again(&self, entries: &[Self]) -> String {
        let (number, count) = entries.last().map_or((0, 0), Self::made);
        let number = number.max(newest(entries));
        format!("{}{REDONE}{number:08}-{:04}", self.stem(), count + 1)
    }
}

/// The highest number; 0 if there is no entry.
pub(super) fn newest(entries: &[EntryName]) -> u64 {
    entries.iter().filter_map(EntryName::number).max().unwrap_or_default()
}
