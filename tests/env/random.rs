//! Random numbers that are the same for the same seed (SplitMix64).

pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number from 0 to `bound`, without `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % bound.max(1) as u64).unwrap()
    }

    /// A cell of a terminal with fewer columns and rows than these.
    pub(crate) fn cell(&mut self, columns: u16, rows: u16) -> (u16, u16) {
        let mut below = |bound: u16| u16::try_from(self.below(bound.into())).unwrap();
        (below(columns), below(rows))
    }

    pub(crate) fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// A range of the bytes, mostly a short one.
    pub(crate) fn range(&mut self, bytes: &[u8]) -> std::ops::Range<usize> {
        let start = self.below(bytes.len() + 1);
        let most = if self.below(4) == 0 { bytes.len() } else { 8 };
        start..(start + self.below(most + 1)).min(bytes.len())
    }
}
