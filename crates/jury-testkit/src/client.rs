//! A client of the daemon, by hand and blocking: a test wants to say what exactly it sends, to stop reading where
//! it likes, and to see the bytes that come back. Not a general HTTP client.
//!
//! [`DaemonClient`] asks one question per connection. [`Stream`] reads a live stream event by event.

mod stream;

use std::fmt::Write as _;
use std::io::{self, BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

pub use stream::{Frame, Stream};

/// How long anything may take before the test fails instead of hanging.
const PATIENCE: Duration = Duration::from_mins(1);

/// The answer of the daemon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpReply {
    /// The HTTP status of the answer.
    pub status: u16,
    /// The headers, names in lower case, in their order.
    pub headers: Vec<(String, String)>,
    /// The whole body of the answer.
    pub body: Vec<u8>,
}

impl HttpReply {
    /// A header, if it is there.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON; null if it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// The code of an error answer; empty if it is none.
    pub fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }
}

/// A client of a daemon.
#[derive(Debug, Clone)]
pub struct DaemonClient {
    address: SocketAddr,
    /// Headers that every request has.
    pub headers: Vec<(String, String)>,
}

impl DaemonClient {
    /// A client of the daemon at `http://ADDRESS:PORT`.
    pub fn new(url: &str) -> io::Result<Self> {
        let address = url.trim().trim_start_matches("http://");
        let parsed = address.parse().map_err(|_| bad(&format!("no address: {url}")))?;
        Ok(Self { address: parsed, headers: vec![("host".to_owned(), address.to_owned())] })
    }

    /// The same client with another value of a header, or with one more; none takes it away.
    #[must_use]
    pub fn with(mut self, name: &str, value: Option<&str>) -> Self {
        self.headers.retain(|(found, _)| found != name);
        self.headers.extend(value.map(|value| (name.to_owned(), value.to_owned())));
        self
    }

    /// The address that it asks.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sends a `GET` request.
    pub fn get(&self, path: &str) -> io::Result<HttpReply> {
        self.send("GET", path, &[], b"")
    }

    /// A request with a body of JSON.
    pub fn json(&self, method: &str, path: &str, body: &Value) -> io::Result<HttpReply> {
        self.send(method, path, &[("content-type", "application/json")], body.to_string().as_bytes())
    }

    /// Sends a request with any method.
    pub fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> io::Result<HttpReply> {
        let mut connection = self.open(method, path, headers, Some(body))?;
        read_answer(&mut connection)
    }

    /// Whatever bytes; what comes back until the other side closes, if it is an answer.
    pub fn raw(&self, bytes: &[u8]) -> io::Result<HttpReply> {
        let mut connection = self.connect()?;
        // A server that has heard enough closes before everything is sent.
        connection.get_mut().write_all(bytes).ok();
        read_answer(&mut connection)
    }

    /// A connection on which nothing was said yet.
    pub fn connect(&self) -> io::Result<BufReader<TcpStream>> {
        let stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        Ok(BufReader::new(stream))
    }

    /// Opens a live stream. Whatever is no stream is the answer.
    pub fn stream(&self, path: &str, headers: &[(&str, &str)]) -> io::Result<Result<Stream, HttpReply>> {
        let mut connection = self.open("GET", path, headers, None)?;
        let (status, headers) = read_head(&mut connection)?;
        if status == 200 {
            return Ok(Ok(Stream::new(connection, headers)));
        }
        let body = read_body(&mut connection, &headers)?;
        Ok(Err(HttpReply { status, headers, body }))
    }

    /// Sends a request and leaves the answer to be read.
    pub fn open(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&[u8]>,
    ) -> io::Result<BufReader<TcpStream>> {
        let mut head = format!("{method} {path} HTTP/1.1\r\n");
        let own = self.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        for (name, value) in own.chain(headers.iter().copied()) {
            write!(head, "{name}: {value}\r\n").map_err(io::Error::other)?;
        }
        if let Some(body) = body {
            write!(head, "content-length: {}\r\nconnection: close\r\n", body.len())
                .map_err(io::Error::other)?;
        }
        head.push_str("\r\n");
        let mut connection = self.connect()?;
        connection.get_mut().write_all(head.as_bytes())?;
        connection.get_mut().write_all(body.unwrap_or_default()).ok();
        Ok(connection)
    }
}

/// Reads an answer, whole.
pub fn read_answer(connection: &mut BufReader<TcpStream>) -> io::Result<HttpReply> {
    let (status, headers) = read_head(connection)?;
    let body = read_body(connection, &headers)?;
    Ok(HttpReply { status, headers, body })
}

fn read_head(connection: &mut BufReader<TcpStream>) -> io::Result<(u16, Vec<(String, String)>)> {
    let start = line(connection)?;
    let status = start.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.ok_or_else(|| bad(&format!("no answer: {start:?}")))?;
    let mut headers = Vec::new();
    loop {
        let line = line(connection)?;
        if line.is_empty() {
            return Ok((status, headers));
        }
        let (name, value) = line.split_once(':').ok_or_else(|| bad("a header needs a colon"))?;
        headers.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
    }
}

fn read_body(connection: &mut BufReader<TcpStream>, headers: &[(String, String)]) -> io::Result<Vec<u8>> {
    let header =
        |name: &str| headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str());
    let mut body = Vec::new();
    if header("transfer-encoding") == Some("chunked") {
        while let Some(mut chunk) = read_chunk(connection)? {
            body.append(&mut chunk);
        }
    } else if let Some(length) = header("content-length").and_then(|length| length.parse().ok()) {
        connection.take(length).read_to_end(&mut body)?;
    } else {
        connection.read_to_end(&mut body)?;
    }
    Ok(body)
}

/// The next chunk of a body; none after the last one.
fn read_chunk(connection: &mut BufReader<TcpStream>) -> io::Result<Option<Vec<u8>>> {
    let size = line(connection)?;
    let size =
        usize::from_str_radix(size.trim(), 16).map_err(|_| bad(&format!("no chunk size: {size:?}")))?;
    let mut chunk = vec![0; size];
    connection.read_exact(&mut chunk)?;
    line(connection)?;
    Ok((size > 0).then_some(chunk))
}

/// A line without its end. The end of the connection is no line.
fn line(connection: &mut BufReader<TcpStream>) -> io::Result<String> {
    let mut line = Vec::new();
    if connection.read_until(b'\n', &mut line)? == 0 {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    Ok(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned())
}

fn bad(problem: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, problem.to_owned())
}
