//! Lines of a stream of bytes, whatever its pieces. Not for text: a line may hold anything.

use memchr::memchr;

use super::DecodeError;

/// What is kept of the room that a long line took.
const KEPT: usize = 64 << 10;

/// Cuts bytes into lines. It holds at most one line of the allowed length, looks at each byte once, and copies
/// only lines that arrive in several pieces.
#[derive(Debug, Clone)]
pub(super) struct Lines {
    /// The beginning of a line whose end has not arrived.
    held: Vec<u8>,
    limit: usize,
}

impl Lines {
    pub(super) fn new(limit: usize) -> Self {
        Self { held: Vec::new(), limit }
    }

    /// Hands every line that is complete to `each`, without its line feed.
    pub(super) fn feed(
        &mut self,
        mut bytes: &[u8],
        mut each: impl FnMut(&[u8]) -> Result<(), DecodeError>,
    ) -> Result<(), DecodeError> {
        while let Some(end) = memchr(b'\n', bytes) {
            let (line, rest) = (&bytes[..end], &bytes[end + 1..]);
            bytes = rest;
            self.check(line.len())?;
            if self.held.is_empty() {
                each(line)?;
            } else {
                self.held.extend_from_slice(line);
                let result = each(&self.held);
                self.let_go();
                result?;
            }
        }
        self.check(bytes.len())?;
        self.held.extend_from_slice(bytes);
        Ok(())
    }

    /// The last line, when nothing ended it.
    pub(super) fn finish(
        &mut self,
        each: impl FnOnce(&[u8]) -> Result<(), DecodeError>,
    ) -> Result<(), DecodeError> {
        let last = std::mem::take(&mut self.held);
        if last.is_empty() { Ok(()) } else { each(&last) }
    }

    fn check(&mut self, more: usize) -> Result<(), DecodeError> {
        if self.held.len().saturating_add(more) > self.limit {
            self.held = Vec::new();
            return Err(DecodeError::LineTooLong(self.limit));
        }
        Ok(())
    }

    fn let_go(&mut self) {
        self.held.clear();
        self.held.shrink_to(KEPT);
    }
}
