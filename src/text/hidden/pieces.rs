//! Looks for hidden text piece by piece, so that a long file need not be held in memory.

use super::{EmptyLines, Hidden, HiddenAt, Kind, Position, UNSEEN, judged, unmarked};

/// What a text hides, and where first. It is told the text in pieces, which end where a line ends;
/// then it says the same as for the whole text at once.
#[derive(Debug, Default)]
pub struct HiddenSearch {
    found: Found,
    /// What the empty lines at the end of the last piece hide. It counts unless they are padding.
    open: Found,
    empty: EmptyLines,
    /// Where these empty lines begin.
    empty_at: Option<HiddenAt>,
    unseen: Found,
    before: Before,
    begun: bool,
}

/// What comes before a piece.
#[derive(Clone, Copy, Debug, Default)]
struct Before {
    lines: usize,
    /// Characters of its last line, if a line was so long that it had to be parted.
    columns: usize,
}

#[derive(Debug, Default)]
struct Found {
    hidden: Hidden,
    first: Option<HiddenAt>,
}

impl Found {
    fn add(&mut self, place: &Position, at: impl FnOnce() -> HiddenAt) {
        self.hidden.add(place);
        self.first.get_or_insert_with(at);
    }

    fn take(&mut self, other: Self) {
        let (sum, more) = (&mut self.hidden, other.hidden);
        sum.bidi += more.bidi;
        sum.tags += more.tags;
        sum.invisible += more.invisible;
        sum.spaces += more.spaces;
        sum.controls += more.controls;
        sum.padding += more.padding;
        self.first = self.first.into_iter().chain(other.first).min();
    }
}

impl Before {
    /// What comes before the end of this text.
    fn after(self, text: &str) -> Self {
        let breaks = memchr::memchr_iter(b'\n', text.as_bytes()).count();
        let last = text.rsplit('\n').next().unwrap_or_default().chars().count();
        let left = if breaks == 0 { self.columns } else { 0 };
        Self { lines: self.lines + breaks, columns: left + last }
    }

    /// Where a place of the piece is in the whole text.
    fn at(self, piece: &str, place: &Position) -> HiddenAt {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let here = self.after(&piece[..place.range.start]);
        HiddenAt {
            line: number(here.lines).saturating_add(1),
            column: number(here.columns).saturating_add(1),
            width: if place.kind == Kind::EmptyLines { 1 } else { number(place.count) },
        }
    }
}

impl HiddenSearch {
    /// Examines the next piece.
    pub fn read(&mut self, piece: &str) {
        let text = if self.begun { piece } else { unmarked(piece) };
        self.begun = true;
        let carried = self.empty.lines > 0;
        let (places, unseen) = judged(text, &mut self.empty);
        let open_from = if self.empty.lines > 0 { self.empty.range.start } else { text.len() };
        let goes_on = carried && open_from == 0;
        if !goes_on {
            let is_padding = |place: &Position| place.kind == Kind::EmptyLines;
            let padded =
                carried && places.first().is_some_and(|p| p.range.start == 0 && is_padding(p));
            let open = std::mem::take(&mut self.open);
            if !padded {
                self.found.take(open);
            }
        }
        let (before, empty_at) = (self.before, self.empty_at);
        for place in &places {
            let begun_before = carried && place.range.start == 0 && place.kind == Kind::EmptyLines;
            let at = || empty_at.filter(|_| begun_before).unwrap_or_else(|| before.at(text, place));
            let found =
                if place.range.start < open_from { &mut self.found } else { &mut self.open };
            found.add(place, at);
        }
        for place in &unseen {
            self.unseen.add(place, || before.at(text, place));
        }
        if self.empty.lines > 0 && !goes_on {
            let begin = Position::new(Kind::EmptyLines, open_from..open_from, 1);
            self.empty_at = Some(before.at(text, &begin));
        }
        self.before = before.after(text);
    }

    /// What was found; `None` if nothing is hidden.
    pub fn end(mut self) -> Option<(Hidden, HiddenAt)> {
        let open = std::mem::take(&mut self.open);
        self.found.take(open);
        if self.unseen.hidden.invisible > UNSEEN {
            self.found.take(self.unseen);
        }
        Some((self.found.hidden, self.found.first?))
    }
}
