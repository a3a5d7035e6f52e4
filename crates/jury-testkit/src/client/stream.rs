//! A live stream, as a browser reads it: frames of `id`, `event` and `data`, and comments between them.

use std::io::{self, BufReader, ErrorKind};
use std::net::TcpStream;

use jury_core::record::Record;
use serde_json::Value;

use super::read_chunk;

/// One event of a stream.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Frame {
    /// Its id: a position in the store.
    pub id: u64,
    /// The name of the event.
    pub event: String,
    /// Its data, byte by byte.
    pub data: String,
}

impl Frame {
    /// The data as JSON; null if it is none.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.data).unwrap_or_default()
    }

    /// Whether a run ends with it.
    pub fn is_terminal(&self) -> bool {
        serde_json::from_str::<Record>(&self.data).is_ok_and(|record| record.event.terminal().is_some())
    }
}

/// A live stream. Dropping it cuts the connection.
#[derive(Debug)]
pub struct Stream {
    connection: BufReader<TcpStream>,
    /// The headers of the answer.
    pub headers: Vec<(String, String)>,
    /// What was received and not read yet.
    text: String,
    /// How many comments came so far: signs of life.
    pub comments: usize,
    over: bool,
}

impl Stream {
    pub(super) fn new(connection: BufReader<TcpStream>, headers: Vec<(String, String)>) -> Self {
        Self { connection, headers, text: String::new(), comments: 0, over: false }
    }

    /// Waits for the next event. None when the other side ended the stream.
    pub fn frame(&mut self) -> io::Result<Option<Frame>> {
        loop {
            let Some(block) = self.block()? else { return Ok(None) };
            let mut frame = Frame::default();
            for line in block.lines() {
                match line.split_once(": ") {
                    Some(("id", id)) => frame.id = id.parse().map_err(io::Error::other)?,
                    Some(("event", name)) => name.clone_into(&mut frame.event),
                    Some(("data", data)) => frame.data.push_str(data),
                    Some(("", _)) => self.comments += 1,
                    _ => {}
                }
            }
            if !frame.event.is_empty() {
                return Ok(Some(frame));
            }
        }
    }

    /// Waits for the next sign of life that is no event.
    pub fn comment(&mut self) -> io::Result<()> {
        let before = self.comments;
        while self.comments == before {
            let Some(block) = self.block()? else { return Err(ErrorKind::UnexpectedEof.into()) };
            self.comments += usize::from(block.starts_with(':'));
        }
        Ok(())
    }

    /// Reads up to the end of a run, or of the stream.
    pub fn rest_of_run(&mut self) -> io::Result<Vec<Frame>> {
        let mut frames = Vec::new();
        while let Some(frame) = self.frame()? {
            let last = frame.is_terminal();
            frames.push(frame);
            if last {
                break;
            }
        }
        Ok(frames)
    }

    /// What stands before the next empty line.
    fn block(&mut self) -> io::Result<Option<String>> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.text = rest;
                return Ok(Some(block));
            }
            if self.over {
                return Ok(None);
            }
            match read_chunk(&mut self.connection) {
                Ok(Some(chunk)) => self.text.push_str(&String::from_utf8_lossy(&chunk)),
                Ok(None) => self.over = true,
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => self.over = true,
                Err(error) => return Err(error),
            }
        }
    }
}
