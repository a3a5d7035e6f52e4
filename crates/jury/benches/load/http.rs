//! HTTP by hand: requests over one connection, and a stream that never ends.

use std::net::SocketAddr;

use memchr::memchr;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::Outcome;

/// A connection that stays open.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
    address: SocketAddr,
}

/// What a server says.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// The body as JSON.
    pub(crate) fn json(&self) -> Outcome<Value> {
        Ok(serde_json::from_slice(&self.body)?)
    }
}

impl Connection {
    /// Connects.
    pub(crate) async fn open(address: SocketAddr) -> Outcome<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::new(), address })
    }

    /// Asks, and waits for the whole answer.
    pub(crate) async fn ask(&mut self, method: &str, path: &str, body: Option<&Value>) -> Outcome<Answer> {
        let body = body.map(Value::to_string).unwrap_or_default();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        self.stream.write_all(format!("{head}{body}").as_bytes()).await?;
        let (status, length) = self.head().await?;
        let body = match length {
            Some(length) => {
                while self.buffer.len() < length {
                    self.read().await?;
                }
                self.buffer.drain(..length).collect()
            }
            None => self.chunks().await?,
        };
        Ok(Answer { status, body })
    }

    /// GET.
    pub(crate) async fn get(&mut self, path: &str) -> Outcome<Answer> {
        self.ask("GET", path, None).await
    }

    async fn read(&mut self) -> Outcome<()> {
        if self.stream.read_buf(&mut self.buffer).await? == 0 {
            return Err("the connection was closed".into());
        }
        Ok(())
    }

    /// Reads the head of an answer: its status, and its length if it is known.
    async fn head(&mut self) -> Outcome<(u16, Option<usize>)> {
        let end = loop {
            if let Some(end) = memchr::memmem::find(&self.buffer, b"\r\n\r\n") {
                break end;
            }
            self.read().await?;
        };
        let head = String::from_utf8_lossy(&self.buffer[..end]).to_ascii_lowercase();
        self.buffer.drain(..end + 4);
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).ok_or("no status")?;
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.trim().parse().ok());
        Ok((status, length))
    }

    async fn chunks(&mut self) -> Outcome<Vec<u8>> {
        let (mut chunks, mut body) = (Chunks::default(), Vec::new());
        loop {
            let used = chunks.take(&self.buffer, &mut body)?;
            self.buffer.drain(..used);
            if chunks.ended {
                return Ok(body);
            }
            self.read().await?;
        }
    }

    /// Asks for a stream, and gives the bytes of it that came already.
    pub(crate) async fn stream(mut self, path: &str, after: Option<u64>) -> Outcome<Stream> {
        let last = after.map(|id| format!("Last-Event-ID: {id}\r\n")).unwrap_or_default();
        let head = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n{last}\r\n", self.address);
        self.stream.write_all(head.as_bytes()).await?;
        let (status, _) = self.head().await?;
        if status != 200 {
            return Err(format!("the stream was refused with {status}").into());
        }
        Ok(Stream { socket: self.stream, raw: self.buffer, chunks: Chunks::default() })
    }
}

/// The body of an answer without an end.
#[derive(Debug)]
pub(crate) struct Stream {
    socket: TcpStream,
    raw: Vec<u8>,
    chunks: Chunks,
}

impl Stream {
    /// Waits for more of it. False at its end. Losing the future loses nothing.
    pub(crate) async fn more(&mut self, body: &mut Vec<u8>) -> Outcome<bool> {
        if self.raw.is_empty() {
            self.raw.reserve(64 * 1024);
            if self.socket.read_buf(&mut self.raw).await? == 0 {
                return Ok(false);
            }
        }
        let used = self.chunks.take(&self.raw, body)?;
        if used == self.raw.len() {
            self.raw.clear();
        } else {
            self.raw.drain(..used);
            if !self.chunks.ended && self.socket.read_buf(&mut self.raw).await? == 0 {
                return Ok(false);
            }
        }
        Ok(!self.chunks.ended)
    }
}

/// Takes the chunked encoding away.
#[derive(Debug, Default)]
struct Chunks {
    /// What is left of the chunk, with the line break after it.
    left: usize,
    ended: bool,
}

impl Chunks {
    /// Takes what is whole, and says how much that was.
    fn take(&mut self, raw: &[u8], body: &mut Vec<u8>) -> Outcome<usize> {
        let mut at = 0;
        while at < raw.len() && !self.ended {
            if self.left == 0 {
                let Some(end) = memchr(b'\n', &raw[at..]) else { break };
                let size = std::str::from_utf8(&raw[at..at + end])?.trim();
                let size = usize::from_str_radix(size, 16)?;
                at += end + 1;
                self.ended = size == 0;
                self.left = size + 2;
            }
            let here = self.left.min(raw.len() - at);
            let text = self.left.saturating_sub(2).min(here);
            body.extend_from_slice(&raw[at..at + text]);
            at += here;
            self.left -= here;
        }
        Ok(if self.ended { raw.len() } else { at })
    }
}
