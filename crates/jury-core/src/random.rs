//! A generator of numbers that look random and follow from a seed: the same seed gives the same numbers. Not for secrets.

/// `SplitMix64`: small, without a state that could be bad, good enough to draw samples.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// A generator that gives the same numbers for the same seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// One of `0..bound`; 0 when there is nothing to choose from. The bias is below 2⁻³² for every bound there is.
    pub fn below(&mut self, bound: usize) -> usize {
        let wide = u128::from(self.bits()) * (bound as u128);
        usize::try_from(wide >> 64).unwrap_or(0)
    }

    /// Between 0 and 1, 1 excluded.
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit exactly")]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }
}
