//! The socket, the routes, the script's progress, and how answers break.

use std::collections::BTreeMap;
use std::io;
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::http::{Connection, Head, Request};
use super::record::Recorded;
use super::script::{Break, BreakKind, Script, ScriptedAnswer};
use super::wire::{Format, Frame, Turn, says};

/// A scripted model at work. Dropping it closes every connection.
#[derive(Debug)]
pub struct ModelServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    acceptor: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    /// Told whenever the state changes.
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    script: Script,
    /// Answers that were used up, by their index.
    used: Vec<usize>,
    requests: Vec<Recorded>,
    /// Clients that went away before their answer was complete.
    abandoned: usize,
    /// When the first delta of each streamed answer was about to be written.
    first_deltas: Vec<Instant>,
    connections: Vec<TcpStream>,
    threads: Vec<JoinHandle<()>>,
    /// How many breaks that are held may happen.
    released: usize,
    stopped: bool,
}

/// The longest that a break is held.
const HELD: Duration = Duration::from_mins(1);

impl ModelServer {
    /// Starts on a free port of the loopback.
    pub fn start(script: Script) -> io::Result<Self> {
        Self::start_on(0, script)
    }

    /// Starts on this port of the loopback.
    pub fn start_on(port: u16, script: Script) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared::default());
        shared.lock().script = script;
        let accepting = Arc::clone(&shared);
        let acceptor = thread::Builder::new()
            .name("scripted-model".to_owned())
            .spawn(move || accept(&listener, &accepting))?;
        Ok(Self { address, shared, acceptor: Some(acceptor) })
    }

    /// The address that it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where it listens, without a slash at the end: `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Says something else from now on.
    pub fn set_script(&self, script: Script) {
        self.shared.set_script(script);
    }

    /// Every request so far.
    pub fn requests(&self) -> Vec<Recorded> {
        self.shared.lock().requests.clone()
    }

    /// Every request so far that used up an answer.
    pub fn calls(&self) -> Vec<Recorded> {
        self.requests().into_iter().filter(|request| request.scripted).collect()
    }

    /// How many connections there were.
    pub fn connections(&self) -> usize {
        self.shared.lock().connections.len()
    }

    /// Waits until there were so many requests. Whether there were, before the time was up.
    pub fn wait_for_requests(&self, count: usize, most: Duration) -> bool {
        self.shared.wait(most, |state| state.requests.len() >= count)
    }

    /// Waits until so many clients went away before their answer was complete.
    pub fn wait_for_abandoned(&self, count: usize, most: Duration) -> bool {
        self.shared.wait(most, |state| state.abandoned >= count)
    }

    /// When the first delta of each streamed answer so far was written: the moment before it went to the socket.
    pub fn first_deltas(&self) -> Vec<Instant> {
        self.shared.lock().first_deltas.clone()
    }

    /// Lets one break happen that is held.
    pub fn release(&self) {
        self.shared.lock().released += 1;
        self.shared.changed.notify_all();
    }

    /// Serves until the process ends.
    pub fn serve(mut self) {
        if let Some(acceptor) = self.acceptor.take() {
            acceptor.join().unwrap_or_default();
        }
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        let (connections, threads) = {
            let mut state = self.shared.lock();
            state.stopped = true;
            (std::mem::take(&mut state.connections), std::mem::take(&mut state.threads))
        };
        self.shared.changed.notify_all();
        for connection in connections {
            connection.shutdown(Shutdown::Both).unwrap_or_default();
        }
        // The acceptor looks at the flag when somebody knocks.
        drop(TcpStream::connect(self.address));
        for thread in self.acceptor.take().into_iter().chain(threads) {
            thread.join().unwrap_or_default();
        }
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        let mut state = shared.lock();
        if state.stopped {
            return;
        }
        let Ok(stream) = stream else { continue };
        let Ok(copy) = stream.try_clone() else { continue };
        // Deltas are small and are to arrive one by one.
        stream.set_nodelay(true).unwrap_or_default();
        let serving = Arc::clone(shared);
        let thread = thread::Builder::new().spawn(move || serving.serve(stream));
        state.connections.push(copy);
        state.threads.extend(thread);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait(&self, most: Duration, done: impl Fn(&State) -> bool) -> bool {
        let state = self.lock();
        let (state, _) = self
            .changed
            .wait_timeout_while(state, most, |state| !done(state))
            .unwrap_or_else(PoisonError::into_inner);
        done(&state)
    }

    /// Waits, but not longer than the server lives.
    fn pause(&self, time: Duration) {
        if !time.is_zero() {
            let until = Instant::now() + time;
            self.wait(time, |state| state.stopped || Instant::now() >= until);
        }
    }

    fn set_script(&self, script: Script) {
        let mut state = self.lock();
        state.script = script;
        state.used.clear();
    }

    fn serve(&self, stream: TcpStream) {
        let closing = stream.try_clone();
        let mut connection = Connection::new(stream);
        while let Ok(Some(request)) = connection.request() {
            match self.answer(&mut connection, &request) {
                Ok(true) if !request.wants_close() => {}
                Ok(_) => break,
                Err(_) => {
                    self.abandon();
                    break;
                }
            }
        }
        // The copy that the server keeps would hold the connection open.
        if let Ok(stream) = closing {
            stream.shutdown(Shutdown::Both).unwrap_or_default();
        }
    }

    fn abandon(&self) {
        self.lock().abandoned += 1;
        self.changed.notify_all();
    }

    /// Whether the connection can be used again.
    fn answer(&self, connection: &mut Connection, request: &Request) -> io::Result<bool> {
        let asked: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let format = Format::of(request, &asked).filter(|_| request.method == "POST");
        let Some((format, streams)) = format else {
            return self.side_call(connection, request, &asked);
        };
        let (answer, number) = self.take(request);
        self.pause(Duration::from_millis(answer.first_delay_ms));
        if answer.breaks.is_some_and(|breaks| breaks.kind == BreakKind::Hangup) {
            return Ok(false);
        }
        let turn = Turn::new(&answer, number, &asked, format);
        let status = answer.status.unwrap_or(200);
        let head = Head { status, content_type: "application/json", headers: &answer.headers };
        if status != 200 {
            let message = answer.text.clone().unwrap_or_else(|| says(status));
            return send(connection, &head, request, &format.error(status, &message));
        }
        if !streams {
            return self.whole(connection, &head, &answer, &format.whole(&turn));
        }
        let head = Head { content_type: "text/event-stream", ..head };
        connection.begin(&head)?;
        self.stream(connection, &answer, format, format.frames(&turn))
    }

    fn whole(
        &self,
        connection: &mut Connection,
        head: &Head<'_>,
        answer: &ScriptedAnswer,
        value: &Value,
    ) -> io::Result<bool> {
        let body = value.to_string();
        match answer.breaks.map(|breaks| breaks.kind) {
            None | Some(BreakKind::Truncate | BreakKind::Hangup) => {
                connection.respond(head, body.as_bytes(), false)?;
                Ok(true)
            }
            Some(BreakKind::Stall) => {
                connection.wait_for_close();
                self.abandon();
                Ok(false)
            }
            Some(BreakKind::Close | BreakKind::Error) => {
                connection.begin(head)?;
                let (half, _) = body.as_bytes().split_at(body.len() / 2);
                connection.piece(half)?;
                Ok(false)
            }
        }
    }

    fn stream(
        &self,
        connection: &mut Connection,
        answer: &ScriptedAnswer,
        format: Format,
        frames: Vec<Frame>,
    ) -> io::Result<bool> {
        let mut deltas = 0;
        let mut pending = Vec::new();
        let write = |connection: &mut Connection, pending: &mut Vec<u8>, all: bool| -> io::Result<()> {
            let size = answer.write.unwrap_or(usize::MAX).max(1);
            let whole = if all { pending.len() } else { pending.len() - pending.len() % size };
            let ready: Vec<u8> = if answer.write.is_some() {
                pending.drain(..whole).collect()
            } else {
                std::mem::take(pending)
            };
            ready.chunks(size).try_for_each(|piece| connection.piece(piece))
        };
        for frame in frames {
            let broken = answer.breaks.filter(|breaks| breaks.after == deltas);
            // After the last delta there may be no other to break before.
            if let Some(breaks) = broken.filter(|_| frame.is_delta || deltas > 0) {
                write(connection, &mut pending, true)?;
                return self.break_off(connection, breaks, format);
            }
            if frame.is_delta {
                deltas += 1;
                self.pause(Duration::from_millis(answer.delay_ms));
                if connection.is_closed() {
                    return Err(io::ErrorKind::ConnectionAborted.into());
                }
            }
            pending.extend_from_slice(frame.text.as_bytes());
            if frame.is_delta && deltas == 1 {
                self.lock().first_deltas.push(Instant::now());
            }
            write(connection, &mut pending, false)?;
        }
        write(connection, &mut pending, true)?;
        connection.end()?;
        Ok(true)
    }

    fn break_off(&self, connection: &mut Connection, breaks: Break, format: Format) -> io::Result<bool> {
        if breaks.held {
            self.wait(HELD, |state| state.released > 0 || state.stopped);
            let mut state = self.lock();
            state.released = state.released.saturating_sub(1);
        }
        match breaks.kind {
            BreakKind::Close | BreakKind::Hangup => return Ok(false),
            BreakKind::Truncate => {}
            BreakKind::Error => connection.piece(format.error_frame().text.as_bytes())?,
            BreakKind::Stall => {
                connection.wait_for_close();
                self.abandon();
                return Ok(false);
            }
        }
        connection.end()?;
        Ok(true)
    }

    /// The answer to this request, and its number. Records the request.
    fn take(&self, request: &Request) -> (ScriptedAnswer, usize) {
        let body = String::from_utf8_lossy(&request.body);
        let mut state = self.lock();
        let number = state.requests.len() + 1;
        let script = &state.script;
        let meant = script.only.as_ref().is_none_or(|part| body.contains(part))
            && !script.skip.iter().any(|part| body.contains(part));
        let fitting: Vec<usize> = script
            .answers
            .iter()
            .enumerate()
            .filter(|(_, answer)| meant && answer.fits(&body))
            .map(|(index, _)| index)
            .collect();
        let next = fitting.iter().find(|index| !state.used.contains(index)).or(fitting.last()).copied();
        let answer = next.and_then(|index| script.answers.get(index)).cloned().map(|answer| answer.to(&body));
        let answer = answer
            .unwrap_or_else(|| ScriptedAnswer::text(script.other.clone().unwrap_or_else(|| "ok".to_owned())));
        state.used.extend(next);
        state.requests.push(Recorded::of(request, next.is_some()));
        drop(state);
        self.changed.notify_all();
        (answer, number)
    }

    /// What is asked beside answers.
    fn side_call(&self, connection: &mut Connection, request: &Request, asked: &Value) -> io::Result<bool> {
        let path = request.path.trim_end_matches('/');
        let tokens = request.body.len() / 4;
        let (status, body) = match (request.method.as_str(), path) {
            ("GET", "/scripted/requests") => (200, json!(self.lock().requests)),
            ("PUT", "/scripted/script") => match serde_json::from_value(asked.clone()) {
                Ok(script) => {
                    self.set_script(script);
                    (200, json!({"status": "ok"}))
                }
                Err(error) => (400, json!({"error": {"message": error.to_string()}})),
            },
            ("GET" | "HEAD", "" | "/health" | "/healthz" | "/v1/health" | "/api/health") => {
                (200, json!({"status": "ok"}))
            }
            ("GET", path) if path.ends_with("/models") => (200, models()),
            ("GET", path) if path.contains("/models/") => (200, model()),
            ("POST", path) if path.ends_with("/count_tokens") => (200, json!({"input_tokens": tokens})),
            ("POST", path) if path.ends_with(":countTokens") => (200, json!({"totalTokens": tokens})),
            _ => (
                404,
                json!({"error": {"message": format!("no such path: {path}"), "type": "not_found_error"}}),
            ),
        };
        if !path.starts_with("/scripted/") {
            self.lock().requests.push(Recorded::of(request, false));
            self.changed.notify_all();
        }
        let headers = BTreeMap::new();
        let head = Head { status, content_type: "application/json", headers: &headers };
        send(connection, &head, request, &body)
    }
}

fn send(connection: &mut Connection, head: &Head<'_>, request: &Request, body: &Value) -> io::Result<bool> {
    connection.respond(head, body.to_string().as_bytes(), request.method == "HEAD")?;
    Ok(true)
}

fn model() -> Value {
    json!({"id": "scripted", "object": "model", "type": "model", "display_name": "Scripted", "created": 0,
        "created_at": "2026-01-01T00:00:00Z", "owned_by": "jury", "name": "models/scripted",
        "supportedGenerationMethods": ["generateContent", "countTokens"]})
}

/// In the shape of `OpenAI` and Anthropic at once; `models` is what Gemini and Codex look for.
fn models() -> Value {
    json!({"object": "list", "data": [model()], "has_more": false, "first_id": "scripted",
        "last_id": "scripted", "models": []})
}
