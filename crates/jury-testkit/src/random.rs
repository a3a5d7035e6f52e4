//! Numbers that look random and are the same every time. Not for secrets.

/// A generator of numbers, over that of the core. Bounds are taken by remainder: what tests and fuzzing have found stays
/// found.
#[derive(Debug, Clone)]
pub struct TestRandom(jury_core::random::Random);

impl TestRandom {
    /// A generator that starts here.
    pub fn new(seed: u64) -> Self {
        Self(jury_core::random::Random::new(seed))
    }

    /// A generator that depends on all of these bytes (FNV-1a).
    pub fn of(bytes: &[u8]) -> Self {
        Self::new(bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        }))
    }

    /// The next number of the sequence.
    pub fn number(&mut self) -> u64 {
        self.0.bits()
    }

    /// A number below this bound, or 0 when there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = (bound as u64).max(1);
        usize::try_from(self.number() % bound).unwrap_or(0)
    }

    /// One of these choices, drawn at random.
    pub fn one_of<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len())]
    }
}
