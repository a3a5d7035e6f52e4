//! Bytes as text, whatever their pieces. What is not UTF-8 becomes U+FFFD.

/// Turns pieces of bytes into pieces of text. It holds at most three bytes: the beginning of a character.
#[derive(Debug, Clone, Default)]
pub(super) struct Utf8 {
    held: [u8; 4],
    length: usize,
}

/// What stands for bytes that are no text.
pub(super) const REPLACEMENT: &str = "\u{FFFD}";

impl Utf8 {
    /// Hands out the text of these bytes, as far as it is complete.
    pub(super) fn feed(&mut self, mut bytes: &[u8], mut each: impl FnMut(&str)) {
        while self.length > 0 && !bytes.is_empty() {
            // One byte at a time: a wrong one ends the held character and is looked at again.
            self.held[self.length] = bytes[0];
            match std::str::from_utf8(&self.held[..=self.length]) {
                Ok(character) => {
                    each(character);
                    *self = Self::default();
                    bytes = &bytes[1..];
                }
                Err(error) if error.error_len().is_none() => {
                    self.length += 1;
                    bytes = &bytes[1..];
                }
                Err(_) => {
                    each(REPLACEMENT);
                    *self = Self::default();
                }
            }
        }
        // The usual case, and much faster to check.
        if let Ok(text) = std::str::from_utf8(bytes) {
            if !text.is_empty() {
                each(text);
            }
            return;
        }
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            if !chunk.valid().is_empty() {
                each(chunk.valid());
            }
            let odd = chunk.invalid();
            if odd.is_empty() {
                continue;
            }
            let cut = chunks.peek().is_none()
                && std::str::from_utf8(odd).is_err_and(|error| error.error_len().is_none());
            if cut {
                self.held[..odd.len()].copy_from_slice(odd);
                self.length = odd.len();
            } else {
                each(REPLACEMENT);
            }
        }
    }

    /// The beginning of a character that never came to its end.
    pub(super) fn finish(&mut self, mut each: impl FnMut(&str)) {
        if self.length > 0 {
            *self = Self::default();
            each(REPLACEMENT);
        }
    }
}
