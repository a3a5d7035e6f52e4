//! Finds the end of a CDATA section across chunks.

use std::sync::LazyLock;

use memchr::memmem::Finder;

const END: &[u8] = b"]]>";

static FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(END));

/// How many `]` stand directly before the next byte, at most two.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct CdataScanner {
    brackets: usize,
}

/// What a piece of input brings to a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    /// How many bytes belong to the section, the first ones.
    pub(super) content: usize,
    /// How many `]` of earlier pieces turn out to be part of the end, and not of the content.
    pub(super) taken_back: usize,
    /// How many bytes were looked at, when the section ends in this piece.
    pub(super) end: Option<usize>,
}

impl CdataScanner {
    /// Looks at the next bytes of the section.
    pub(super) fn scan(&mut self, input: &[u8]) -> Piece {
        let mut start = 0;
        while self.brackets > 0 && start < input.len() {
            match input[start] {
                b']' => self.brackets = 2,
                b'>' if self.brackets == 2 => {
                    self.brackets = 0;
                    let taken_back = 2_usize.saturating_sub(start);
                    return Piece { content: start.saturating_sub(2), taken_back, end: Some(start + 1) };
                }
                _ => self.brackets = 0,
            }
            start += 1;
        }
        let rest = &input[start..];
        // Small pieces are not worth the set-up of a search, and cannot hold the end anyway.
        if rest.len() >= END.len()
            && let Some(found) = FINDER.find(rest)
        {
            return Piece { content: start + found, taken_back: 0, end: Some(start + found + END.len()) };
        }
        if self.brackets == 0 {
            self.brackets = match rest {
                [.., b']', b']'] => 2,
                [.., b']'] => 1,
                _ => 0,
            };
        }
        Piece { content: input.len(), taken_back: 0, end: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_found_however_it_is_cut() {
        for text in ["a]]>", "]]>", "]]]]>", "a]b]]]>tail", "]>]]>", "]]a]]>"] {
            let bytes = text.as_bytes();
            let end = text.find("]]>").unwrap();
            for first in 0..=bytes.len() {
                for second in first..=bytes.len() {
                    let mut scanner = CdataScanner::default();
                    let mut content = Vec::new();
                    let mut consumed = 0;
                    for piece in [&bytes[..first], &bytes[first..second], &bytes[second..]] {
                        let found = scanner.scan(piece);
                        content.truncate(content.len() - found.taken_back);
                        content.extend_from_slice(&piece[..found.content]);
                        if let Some(end) = found.end {
                            consumed += end;
                            break;
                        }
                        consumed += piece.len();
                    }
                    assert_eq!(
                        (content.as_slice(), consumed),
                        (&bytes[..end], end + 3),
                        "{text} {first} {second}"
                    );
                }
            }
        }
    }
}
