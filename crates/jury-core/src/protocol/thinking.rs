//! Passes over the words of a model to itself, across chunks.
//!
//! Some models print what they think in tags of their own, and draft their answer there. A draft is no answer: it is neither
//! reviewed nor does it take the place of the one that follows.

use super::element::{Markup, NameBytes, Thinking};

/// Looks for the end of thinking.
#[derive(Debug, Default)]
pub(super) struct ThinkingScanner {
    /// The bytes behind a `<`, if one was just read.
    name: Option<NameBytes>,
}

impl ThinkingScanner {
    /// How many bytes of this piece belong to the thinking, and whether it ends with them.
    pub(super) fn scan(&mut self, thinking: Thinking, piece: &[u8]) -> (usize, bool) {
        let mut at = 0;
        while let Some(rest) = piece.get(at..).filter(|rest| !rest.is_empty()) {
            let Some(name) = &mut self.name else {
                let Some(found) = memchr::memchr(b'<', rest) else { break };
                self.name = Some(NameBytes::default());
                at += found + 1;
                continue;
            };
            let byte = rest[0];
            match name.push(byte) {
                Markup::Unknown => at += 1,
                Markup::Thought(ended) if ended == thinking => {
                    self.name = None;
                    return (at + 1, true);
                }
                Markup::Foreign
                | Markup::Comment
                | Markup::Cdata
                | Markup::Open(_)
                | Markup::Close(_)
                | Markup::Think(_)
                | Markup::Thought(_) => {
                    // The byte may itself be a `<`.
                    self.name = None;
                    at += usize::from(byte != b'<');
                }
            }
        }
        (piece.len(), false)
    }
}
