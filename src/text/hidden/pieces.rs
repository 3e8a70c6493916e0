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
    /// The lines before the next piece.
    lines: usize,
    begun: bool,
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

/// Where a place of a piece is in the whole text, of which so many lines come before.
fn at(lines: usize, piece: &str, place: &Position) -> HiddenAt {
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let before = &piece[..place.range.start];
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
    HiddenAt {
        line: number(lines + breaks(before)).saturating_add(1),
        column: number(column).saturating_add(1),
        width: if place.kind == Kind::EmptyLines { 1 } else { number(place.count) },
    }
}

fn breaks(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count()
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
        let (lines, empty_at) = (self.lines, self.empty_at);
        for place in &places {
            let begun_before = carried && place.range.start == 0 && place.kind == Kind::EmptyLines;
            let first =
                || empty_at.filter(|_| begun_before).unwrap_or_else(|| at(lines, text, place));
            let found =
                if place.range.start < open_from { &mut self.found } else { &mut self.open };
            found.add(place, first);
        }
        for place in &unseen {
            self.unseen.add(place, || at(lines, text, place));
        }
        if self.empty.lines > 0 && !goes_on {
            let begin = Position::new(Kind::EmptyLines, open_from..open_from, 1);
            self.empty_at = Some(at(lines, text, &begin));
        }
        self.lines += breaks(text);
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
