//! A real Redis of a test's own: started on a free port, asked by hand, killed and started again.
//!
//! `scripts/setup test` installs the program. A test that needs it and does not find it fails.

use std::io::{self, BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long anything may take before the test fails instead of hanging.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a Redis answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// Nothing: the key does not exist.
    Nil,
    /// A number as an answer.
    Number(i64),
    /// A text as an answer.
    Text(String),
    /// Several answers, in their order.
    List(Vec<Self>),
}

/// A Redis that runs. It keeps nothing on disk and goes with the value.
#[derive(Debug)]
pub struct Redis {
    port: u16,
    process: Option<Child>,
}

impl Redis {
    /// Starts one on a free port.
    pub fn start() -> io::Result<Self> {
        // Between this and the start somebody else may take the port: then the next one is tried.
        for _ in 0..5 {
            let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
            let mut server = Self { port, process: None };
            if server.go().is_ok() {
                return Ok(server);
            }
        }
        Err(io::Error::new(ErrorKind::AddrInUse, "redis-server does not start; run scripts/setup test"))
    }

    /// The address that clients connect to.
    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Starts it again, on the same port and empty.
    pub fn go(&mut self) -> io::Result<()> {
        let port = self.port.to_string();
        let mut process = Command::new("redis-server")
            .args([
                "--port",
                &port,
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no",
                "--daemonize",
                "no",
            ])
            .current_dir(std::env::temp_dir())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| {
                io::Error::new(error.kind(), format!("redis-server: {error}; run scripts/setup test"))
            })?;
        let deadline = Instant::now() + PATIENCE;
        while self.ask(&["PING"]) != Ok(Reply::Text("PONG".to_owned())) {
            if process.try_wait()?.is_some() || Instant::now() > deadline {
                process.kill().ok();
                process.wait()?;
                return Err(io::Error::new(ErrorKind::ConnectionRefused, "redis-server ended at once"));
            }
            std::thread::park_timeout(Duration::from_millis(5));
        }
        self.process = Some(process);
        Ok(())
    }

    /// Kills it, as `kill -9` does. What it had is lost.
    pub fn kill(&mut self) -> io::Result<()> {
        if let Some(mut process) = self.process.take() {
            process.kill()?;
            process.wait()?;
        }
        Ok(())
    }

    /// Sends a command and reads its reply.
    pub fn ask(&self, words: &[&str]) -> Result<Reply, String> {
        self.say(words).map_err(|error| error.to_string())
    }

    /// The text of a key; none when it is not there, or the Redis is not.
    pub fn get(&self, key: &str) -> Option<String> {
        match self.ask(&["GET", key]) {
            Ok(Reply::Text(text)) => Some(text),
            Ok(Reply::Nil | Reply::Number(_) | Reply::List(_)) | Err(_) => None,
        }
    }

    /// For how many seconds a key lives: -1 for good, -2 when it is not there.
    pub fn ttl(&self, key: &str) -> i64 {
        match self.ask(&["TTL", key]) {
            Ok(Reply::Number(seconds)) => seconds,
            Ok(Reply::Nil | Reply::Text(_) | Reply::List(_)) | Err(_) => -2,
        }
    }

    /// All keys, sorted.
    pub fn keys(&self) -> Vec<String> {
        let mut keys = match self.ask(&["KEYS", "*"]) {
            Ok(Reply::List(keys)) => keys,
            Ok(Reply::Nil | Reply::Number(_) | Reply::Text(_)) | Err(_) => Vec::new(),
        }
        .into_iter()
        .filter_map(|key| if let Reply::Text(key) = key { Some(key) } else { None })
        .collect::<Vec<_>>();
        keys.sort();
        keys
    }

    fn say(&self, words: &[&str]) -> io::Result<Reply> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let mut request = format!("*{}\r\n", words.len());
        for word in words {
            request.extend([format!("${}\r\n", word.len()), format!("{word}\r\n")]);
        }
        stream.write_all(request.as_bytes())?;
        read(&mut BufReader::new(stream))
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        self.kill().ok();
    }
}

fn read(stream: &mut BufReader<TcpStream>) -> io::Result<Reply> {
    let mut line = String::new();
    stream.read_line(&mut line)?;
    let line = line.trim_end();
    let Some((sign, rest)) = line.split_at_checked(1) else {
        return Err(io::Error::new(ErrorKind::UnexpectedEof, "no answer"));
    };
    let number = || rest.parse::<i64>().map_err(|_| io::Error::new(ErrorKind::InvalidData, line.to_owned()));
    match sign {
        "+" => Ok(Reply::Text(rest.to_owned())),
        ":" => number().map(Reply::Number),
        "$" => {
            let Ok(length) = usize::try_from(number()?) else { return Ok(Reply::Nil) };
            let mut text = vec![0; length + 2];
            stream.read_exact(&mut text)?;
            text.truncate(length);
            Ok(Reply::Text(String::from_utf8_lossy(&text).into_owned()))
        }
        "*" => {
            let Ok(length) = usize::try_from(number()?) else { return Ok(Reply::Nil) };
            (0..length).map(|_| read(stream)).collect::<io::Result<_>>().map(Reply::List)
        }
        _ => Err(io::Error::other(rest.to_owned())),
    }
}
