//! Server-sent events: bytes in, in pieces of any size; events out. No socket, no format of any service.

/// An event, as far as models' services use it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SseEvent<'a> {
    /// Its name; empty when it has none.
    pub name: &'a str,
    /// Its data; lines are joined by a line feed.
    pub data: &'a [u8],
}

/// An event that is longer than allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the service sent an event of more than {0} bytes")]
pub struct TooLong(pub usize);

/// Reads events out of a stream.
#[derive(Debug)]
pub struct SseDecoder {
    line: Vec<u8>,
    data: Vec<u8>,
    has_data: bool,
    name: String,
    /// The last byte was a carriage return: a line feed that follows belongs to it.
    after_return: bool,
    /// Nothing was read yet: a byte order mark may stand here.
    at_start: bool,
    most: usize,
}

impl SseDecoder {
    /// A decoder for events of at most so many bytes.
    pub fn new(most: usize) -> Self {
        Self {
            line: Vec::new(),
            data: Vec::new(),
            has_data: false,
            name: String::new(),
            after_return: false,
            at_start: true,
            most,
        }
    }

    /// Takes bytes and reports the events that end in them. An event that the stream ends in is none.
    pub fn feed(&mut self, bytes: &[u8], sink: &mut impl FnMut(SseEvent<'_>)) -> Result<(), TooLong> {
        let mut rest = bytes;
        if self.after_return
            && let Some((first, after)) = rest.split_first()
        {
            self.after_return = false;
            if *first == b'\n' {
                rest = after;
            }
        }
        while let Some(end) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let (line, after) = rest.split_at(end);
            let (ending, after) = after.split_at(1);
            rest = after;
            if ending == b"\r" {
                match rest.split_first() {
                    Some((b'\n', after)) => rest = after,
                    Some(_) => {}
                    None => self.after_return = true,
                }
            }
            self.keep(line)?;
            let line = std::mem::take(&mut self.line);
            self.end_line(&line, sink);
            self.line = line;
            self.line.clear();
        }
        self.keep(rest)
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<(), TooLong> {
        if self.line.len() + self.data.len() + bytes.len() > self.most {
            return Err(TooLong(self.most));
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn end_line(&mut self, line: &[u8], sink: &mut impl FnMut(SseEvent<'_>)) {
        let line = if self.at_start { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line };
        self.at_start = false;
        if line.is_empty() {
            if self.has_data {
                sink(SseEvent { name: &self.name, data: &self.data });
            }
            self.data.clear();
            self.has_data = false;
            self.name.clear();
            return;
        }
        let colon = line.iter().position(|byte| *byte == b':').unwrap_or(line.len());
        let (field, value) = line.split_at(colon);
        let value = value.strip_prefix(b":").unwrap_or(value);
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => {
                if self.has_data {
                    self.data.push(b'\n');
                }
                self.has_data = true;
                self.data.extend_from_slice(value);
            }
            b"event" => self.name = String::from_utf8_lossy(value).into_owned(),
            // Comments, ids and reconnection times do not matter here.
            _ => {}
        }
    }
}
