//! Whether the Redis is there.

use std::fmt;

/// How a mirror stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MirrorState {
    /// It was never reached so far.
    Connecting,
    /// It is there and has what the log says.
    Reachable,
    /// It is not. Runs go on, and it is brought up to date when it is back.
    Gone {
        /// What it said, or the system.
        why: String,
    },
}

impl MirrorState {
    /// The word for it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Connecting => "connecting",
            Self::Reachable => "reachable",
            Self::Gone { .. } => "gone",
        }
    }
}

impl fmt::Display for MirrorState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connecting | Self::Reachable => f.write_str(self.as_str()),
            Self::Gone { why } => write!(f, "gone ({why})"),
        }
    }
}
