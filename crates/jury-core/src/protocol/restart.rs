//! Finds the agent beginning its answer again inside text that is otherwise opaque.
//!
//! After a broken stream several agents start over, some without a marker, most often in the middle of an
//! artifact: that is where most bytes are. CDATA is opaque to every tag but this one, in its canonical
//! spelling only. A page that wants to show it writes `&lt;`.

use std::sync::LazyLock;

use memchr::memmem::Finder;

const NEEDLE: &[u8] = b"<CRITIQUE_RUN version=";

/// What is known of the tag when it is found.
pub(super) const KNOWN: &[u8] = b"CRITIQUE_RUN version=";

static FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(NEEDLE));

/// Looks for the needle across chunks. `<` stands only at its start, so a mismatch needs no second look back.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct RestartScanner {
    matched: usize,
}

impl RestartScanner {
    /// How many bytes of this input reach to the end of the needle, if it ends here.
    pub(super) fn scan(&mut self, input: &[u8]) -> Option<usize> {
        let mut start = 0;
        while self.matched > 0 && start < input.len() {
            self.matched = if input[start] == NEEDLE[self.matched] {
                self.matched + 1
            } else {
                usize::from(input[start] == NEEDLE[0])
            };
            start += 1;
            if self.matched == NEEDLE.len() {
                self.matched = 0;
                return Some(start);
            }
        }
        let rest = &input[start..];
        // Small pieces are not worth the set-up of a search, and cannot hold the needle anyway.
        if rest.len() >= NEEDLE.len()
            && let Some(found) = FINDER.find(rest)
        {
            return Some(start + found + NEEDLE.len());
        }
        let tail = &rest[rest.len().saturating_sub(NEEDLE.len() - 1)..];
        let last = match tail {
            [] => None,
            [only] => (*only == NEEDLE[0]).then_some(0),
            tail => memchr::memrchr(NEEDLE[0], tail),
        };
        if self.matched == 0
            && let Some(last) = last
            && NEEDLE.starts_with(&tail[last..])
        {
            self.matched = tail.len() - last;
        }
        None
    }

    /// Forgets what was matched: the text is interrupted here.
    pub(super) fn reset(&mut self) {
        self.matched = 0;
    }
}

/// How long the needle is: its start is this far before its end.
pub(super) const LENGTH: u64 = NEEDLE.len() as u64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_needle_is_found_however_it_is_cut() {
        let text = b"<<CRITIQUE_RUN <CRITIQUE_RUN version=\"1\">";
        let end = 15 + NEEDLE.len();
        for first in 0..=text.len() {
            for second in first..=text.len() {
                let mut scanner = RestartScanner::default();
                let mut offset = 0;
                let mut found = None;
                for piece in [&text[..first], &text[first..second], &text[second..]] {
                    if let Some(taken) = scanner.scan(piece) {
                        found = Some(offset + taken);
                        break;
                    }
                    offset += piece.len();
                }
                assert_eq!(found, Some(end), "cut at {first} and {second}");
            }
        }
    }
}
