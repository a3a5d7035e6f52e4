//! The sentences that stand in the prompt where a panelist's own belong. An agent that hands them back has shown
//! that it can copy, and reviewed nothing.

/// In place of what a panelist saw in a round that does not ship.
pub const SAW: &str = "Your sentence here: what you saw, and its value.";

/// In place of what a panelist saw in a round that ships.
pub const BETTER: &str = "Your sentence here: what is better now, and its value.";

/// Whether a sentence is one of the example's, however it is spaced.
pub fn is_example(sentence: &str) -> bool {
    [SAW, BETTER].iter().any(|example| sentence.split_whitespace().eq(example.split_whitespace()))
}
