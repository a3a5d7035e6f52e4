//! Ways to cut a transcript into pieces. The parser must not notice.

use crate::random::TestRandom;

/// How a transcript is cut into pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// All of it in one piece.
    Whole,
    /// Into pieces of this many bytes.
    Every(usize),
    /// Anywhere: small pieces mostly, now and then a large or an empty one.
    Random(u64),
}

impl Cut {
    /// The cuts that every fixture has to survive.
    pub const USUAL: [Self; 9] = [
        Self::Whole,
        Self::Every(1),
        Self::Every(2),
        Self::Every(3),
        Self::Every(7),
        Self::Every(64),
        Self::Random(1),
        Self::Random(2),
        Self::Random(3),
    ];

    /// The pieces of this input.
    pub fn pieces(self, input: &[u8]) -> Pieces<'_> {
        Pieces {
            rest: input,
            cut: self,
            random: TestRandom::new(if let Self::Random(seed) = self { seed } else { 0 }),
        }
    }
}

/// The pieces of an input, in order.
#[derive(Debug, Clone)]
pub struct Pieces<'a> {
    rest: &'a [u8],
    cut: Cut,
    random: TestRandom,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let length = match self.cut {
            Cut::Whole => self.rest.len(),
            Cut::Every(length) => length.max(1),
            Cut::Random(_) => match self.random.below(16) {
                0 => 0,
                1 => self.random.below(4096),
                2..=5 => self.random.below(64),
                _ => 1 + self.random.below(8),
            },
        };
        let (piece, rest) = self.rest.split_at(length.min(self.rest.len()));
        self.rest = rest;
        Some(piece)
    }
}
