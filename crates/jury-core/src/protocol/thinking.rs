//! Passes over the words of a model to itself, across chunks.
//!
//! Some models print what they think in tags of their own, and draft their answer there. A draft is no answer: it is neither
//! reviewed nor does it take the place of the one that follows.

use super::element::{Mark, Markup, NameBytes, Thinking};
use super::marks::{Bracket, MarkBytes, Token};

/// How much of a mark in angle brackets was read.
#[derive(Debug, Default)]
enum TokenPart {
    /// Nothing.
    #[default]
    Nothing,
    /// Its `<`.
    Angle,
    /// Its `<|`, and these bytes behind it.
    Name(MarkBytes),
}

/// A text without what a model says to itself in it. What is not closed goes to the end.
pub fn without_thinking(text: &str) -> String {
    let mut kept = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some(at) = memchr::memchr(b'<', rest) {
        let (before, behind) = rest.split_at(at);
        kept.extend_from_slice(before);
        let mut name = NameBytes::default();
        let markup =
            behind.iter().skip(1).map(|byte| name.push(*byte)).find(|markup| *markup != Markup::Unknown);
        let Some(Markup::Think(thinking)) = markup else {
            kept.push(b'<');
            rest = behind.get(1..).unwrap_or_default();
            continue;
        };
        let (length, _) = ThinkingScanner::default().scan(thinking, behind);
        rest = behind.get(length..).unwrap_or_default();
    }
    kept.extend_from_slice(rest);
    String::from_utf8_lossy(&kept).into_owned()
}

/// Looks for the end of thinking.
#[derive(Debug, Default)]
pub(super) struct ThinkingScanner {
    /// The bytes behind a `<`, if one was just read.
    name: Option<NameBytes>,
    /// What was read of a mark like `<|end|>`.
    token: TokenPart,
    /// How much of a closing bracket was read.
    bracket: Option<Bracket>,
}

impl ThinkingScanner {
    /// How many bytes of this piece belong to the thinking, and whether it ends with them.
    pub(super) fn scan(&mut self, thinking: Thinking, piece: &[u8]) -> (usize, bool) {
        match thinking.mark {
            Mark::Tag => self.scan_tags(thinking, piece),
            Mark::Token | Mark::Channel => self.scan_tokens(thinking, piece),
            Mark::Square | Mark::Triangle => {
                let bracket = self.bracket.get_or_insert_with(|| Bracket::closing(thinking.mark));
                let end = piece.iter().position(|byte| bracket.push(*byte) == Some(true));
                (end.map_or(piece.len(), |end| end + 1), end.is_some())
            }
        }
    }

    fn scan_tokens(&mut self, thinking: Thinking, piece: &[u8]) -> (usize, bool) {
        for (at, &byte) in piece.iter().enumerate() {
            let token = match &mut self.token {
                TokenPart::Name(bytes) => bytes.token(byte),
                TokenPart::Angle if byte == b'|' => {
                    self.token = TokenPart::Name(MarkBytes::default());
                    continue;
                }
                TokenPart::Angle | TokenPart::Nothing => Token::Other,
            };
            let over = match token {
                Token::Going => continue,
                Token::Thought(ended) => ended == thinking,
                Token::ChannelEnd => thinking.mark == Mark::Channel,
                Token::Other | Token::Channel | Token::Think(_) => false,
            };
            // The byte may itself be a `<`.
            self.token = if byte == b'<' { TokenPart::Angle } else { TokenPart::Nothing };
            if over {
                return (at + 1, true);
            }
        }
        (piece.len(), false)
    }

    fn scan_tags(&mut self, thinking: Thinking, piece: &[u8]) -> (usize, bool) {
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

#[cfg(test)]
mod without_tests {
    use super::without_thinking;

    #[test]
    fn what_a_model_says_to_itself_is_no_answer() {
        assert_eq!(without_thinking("<thinking>a {1}</thinking>{2}"), "{2}");
        assert_eq!(without_thinking("<think>\nno end {1}"), "");
        assert_eq!(without_thinking("a < b <i>{2}</i>"), "a < b <i>{2}</i>");
    }
}
