//! As much of HTTP/1.1 as agent programs speak, and as little: requests in, answers out, one socket. By hand,
//! because a test wants to say where exactly a connection breaks.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::TcpStream;

/// The most bytes of a head and of a body.
const HEAD: u64 = 256 * 1024;
const BODY: usize = 64 * 1024 * 1024;

/// A request that was read to its end.
#[derive(Debug, Default)]
pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) query: String,
    /// Names in lower case; of several with one name the last.
    pub(super) headers: BTreeMap<String, String>,
    pub(super) body: Vec<u8>,
}

impl Request {
    /// Whether the client asks nothing more after this.
    pub(super) fn wants_close(&self) -> bool {
        self.headers.get("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"))
    }
}

/// The connection of one client.
#[derive(Debug)]
pub(super) struct Connection {
    reader: BufReader<TcpStream>,
}

impl Connection {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self { reader: BufReader::new(stream) }
    }

    /// The next request; none when the client is gone.
    pub(super) fn request(&mut self) -> io::Result<Option<Request>> {
        let Some(start) = self.line(HEAD)? else { return Ok(None) };
        let mut words = start.split(' ');
        let (Some(method), Some(target)) = (words.next(), words.next()) else {
            return Err(bad("a request line needs a method and a target"));
        };
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let mut request = Request {
            method: method.to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            ..Request::default()
        };
        while let Some(line) = self.line(HEAD)?.filter(|line| !line.is_empty()) {
            let (name, value) = line.split_once(':').ok_or_else(|| bad("a header needs a colon"))?;
            request.headers.insert(name.trim().to_ascii_lowercase(), value.trim().to_owned());
        }
        let header = |name: &str| request.headers.get(name).map(|value| value.to_ascii_lowercase());
        if header("expect").as_deref() == Some("100-continue") {
            self.send(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
        if header("transfer-encoding").is_some_and(|value| value.contains("chunked")) {
            request.body = self.chunked_body()?;
        } else if let Some(length) = header("content-length") {
            let length: usize = length.parse().map_err(|_| bad("content-length is a number"))?;
            request.body = self.bytes(length)?;
        }
        Ok(Some(request))
    }

    /// Sends one whole answer.
    pub(super) fn respond(&mut self, head: &Head<'_>, body: &[u8], head_only: bool) -> io::Result<()> {
        let mut bytes = head.render(&format!("content-length: {}", body.len()));
        if !head_only {
            bytes.extend_from_slice(body);
        }
        self.send(&bytes)
    }

    /// The head of an answer that comes in pieces.
    pub(super) fn begin(&mut self, head: &Head<'_>) -> io::Result<()> {
        self.send(&head.render("transfer-encoding: chunked"))
    }

    /// A piece of it.
    pub(super) fn piece(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
        chunk.extend_from_slice(bytes);
        chunk.extend_from_slice(b"\r\n");
        self.send(&chunk)
    }

    /// Ends the answer that was begun.
    pub(super) fn end(&mut self) -> io::Result<()> {
        self.send(b"0\r\n\r\n")
    }

    /// Waits until the client closes the connection.
    pub(super) fn wait_for_close(&mut self) {
        let mut rest = [0; 1024];
        while self.reader.read(&mut rest).is_ok_and(|length| length > 0) {}
    }

    /// Whether the client closed the connection by now. Does not wait.
    pub(super) fn is_closed(&self) -> bool {
        let stream = self.reader.get_ref();
        if stream.set_nonblocking(true).is_err() {
            return true;
        }
        let seen = stream.peek(&mut [0; 1]);
        let closed = match seen {
            Ok(length) => length == 0,
            Err(error) => error.kind() != ErrorKind::WouldBlock,
        };
        stream.set_nonblocking(false).is_err() || closed
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.reader.get_mut().write_all(bytes)
    }

    fn line(&mut self, most: u64) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        let length = self.reader.by_ref().take(most).read_until(b'\n', &mut line)?;
        if length == 0 {
            return Ok(None);
        }
        if line.pop() != Some(b'\n') {
            return Err(bad("a line of a head does not end"));
        }
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        String::from_utf8(line).map(Some).map_err(|_| bad("a head is not UTF-8"))
    }

    fn bytes(&mut self, length: usize) -> io::Result<Vec<u8>> {
        if length > BODY {
            return Err(bad("a body is too long"));
        }
        let mut bytes = vec![0; length];
        self.reader.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn chunked_body(&mut self) -> io::Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let line = self.line(HEAD)?.ok_or_else(|| bad("a body breaks off"))?;
            let size = line.split(';').next().unwrap_or_default().trim();
            let size = usize::from_str_radix(size, 16).map_err(|_| bad("a chunk has no size"))?;
            if size == 0 {
                while self.line(HEAD)?.is_some_and(|line| !line.is_empty()) {}
                return Ok(body);
            }
            if body.len() + size > BODY {
                return Err(bad("a body is too long"));
            }
            body.extend(self.bytes(size)?);
            self.line(HEAD)?;
        }
    }
}

/// The head of an answer.
#[derive(Debug)]
pub(super) struct Head<'a> {
    pub(super) status: u16,
    pub(super) content_type: &'a str,
    pub(super) headers: &'a BTreeMap<String, String>,
}

impl Head<'_> {
    fn render(&self, framing: &str) -> Vec<u8> {
        let Self { status, content_type, headers } = self;
        let mut head = format!(
            "HTTP/1.1 {status} {}\r\ncontent-type: {content_type}\r\n{framing}\r\n",
            if *status < 400 { "OK" } else { "Scripted" }
        );
        for (name, value) in *headers {
            head.push_str(name);
            head.push_str(": ");
            head.push_str(value);
            head.push_str("\r\n");
        }
        head.push_str("\r\n");
        head.into_bytes()
    }
}

fn bad(what: &'static str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what)
}
