//! A program that was run, as far as the rules know it: how it ended.

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By a signal that we did not send.
    Signal(i32),
    /// Nobody knows, or we ended it.
    Unknown,
}
