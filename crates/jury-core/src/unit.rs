//! Numbers with a unit. A bare integer never crosses a module border.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Milliseconds: a duration, or a moment counted from the start of a run.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, ToSchema,
)]
#[serde(transparent)]
pub struct Millis(pub u64);

impl Millis {
    /// The later moment, never past the end of time.
    #[must_use]
    pub fn after(self, delay: Self) -> Self {
        Self(self.0.saturating_add(delay.0))
    }
}

impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ms", self.0)
    }
}

/// The number of an event within its run: 1, 2, 3, … without a gap.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, ToSchema,
)]
#[serde(transparent)]
pub struct Seq(pub u64);

impl Seq {
    /// The number of the event that follows this one.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl fmt::Display for Seq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The position of an event in the store: orders the events of all runs.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, ToSchema,
)]
#[serde(transparent)]
pub struct Pos(pub u64);

/// The number of a round within a run, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct Round(pub u32);

impl Round {
    /// The round that every run begins with.
    pub const FIRST: Self = Self(1);

    /// The round after this one.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The contrast of two colours, from 1 to 21.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct ContrastRatio(pub f64);

impl ContrastRatio {
    /// The ratio as it is told: two decimals, cut and not rounded. 4.498 against 4.5 must not read as 4.50.
    #[must_use]
    pub fn cut(self) -> f64 {
        (self.0 * 100.0 + 1e-9).floor() / 100.0
    }
}

impl fmt::Display for ContrastRatio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2}:1", self.cut())
    }
}

/// A byte offset in an agent's decoded output, the same for every way of cutting it.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, ToSchema,
)]
#[serde(transparent)]
pub struct Offset(pub u64);

impl fmt::Display for Offset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A number of bytes.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, ToSchema,
)]
#[serde(transparent)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    /// Prints the largest unit that keeps the number readable: `512 B`, `26.1 KB`, `100.0 MB`.
    #[expect(clippy::cast_precision_loss, reason = "a size shown to people with one decimal")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0..1_000 => write!(f, "{} B", self.0),
            1_000..1_000_000 => write!(f, "{:.1} KB", self.0 as f64 / 1e3),
            _ => write!(f, "{:.1} MB", self.0 as f64 / 1e6),
        }
    }
}
