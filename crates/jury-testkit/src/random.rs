//! Numbers that look random and are the same every time. Not for secrets.

/// A generator of numbers (splitmix64).
#[derive(Debug, Clone, Copy)]
pub struct Random(u64);

impl Random {
    /// A generator that starts here.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A generator that depends on all of these bytes (FNV-1a).
    pub fn of(bytes: &[u8]) -> Self {
        Self(bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        }))
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below this bound, or 0 when there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = (bound as u64).max(1);
        usize::try_from(self.number() % bound).unwrap_or(0)
    }

    /// One of these.
    pub fn one_of<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len())]
    }
}
