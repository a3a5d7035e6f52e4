//! One answer of a model, piece by piece, over as many attempts as it takes.

use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use jury_core::event::{AgentNote, AgentNoteKind, Usage};
use reqwest::Response;
use tokio::time::{Instant, sleep_until, timeout_at};

use super::ask::Refused;
use super::attempt::{Attempt, Outcome, attempt, describe};
use super::budget::Reservation;
use super::call::{Call, Trouble, late};
use super::error::ApiError;
use super::format::{Decoder, Heard, Stop, Tokens};
use super::retry::helps;
use super::sse::SseDecoder;
use crate::decoder::SelfReport;

/// A part of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum ApiPiece<'a> {
    /// Text of the answer.
    Text(&'a str),
    /// Something about the answer: its session, its usage, a retry, an error.
    Note(AgentNote),
    /// Nothing more comes; whether the answer is whole, or why not.
    End(SelfReport),
}

/// Who reads the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Somebody who gets it as it comes. What they have cannot be taken back.
    Stream,
    /// Somebody who waits for all of it.
    Whole,
}

/// An answer on its way. Dropping it ends the call.
pub struct ApiSession {
    call: Call,
    mode: Mode,
    state: State,
    out: VecDeque<Out>,
    /// What was handed out last.
    piece: String,
    /// Bytes of the answer that somebody has.
    handed_out: usize,
    attempts: u32,
    begun: Option<Instant>,
    /// When the service was last heard of.
    heard: Instant,
    whole: Whole,
    stop: Option<Stop>,
    used: Usage,
    /// What kept the last attempt from being an answer.
    refused: Refused,
}

/// An answer that is kept until it is whole.
#[derive(Debug, Default, Clone)]
pub(super) struct Whole {
    pub(super) text: String,
    pub(super) calls: Vec<ToolCall>,
}

/// A tool that was called, and with what.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct ToolCall {
    pub(super) name: String,
    pub(super) input: String,
}

enum State {
    /// Until it is tried, for the first time or again.
    Waiting(Instant),
    Sending(Attempt, Option<Reservation>),
    Streaming(Box<Stream>),
    Ended(SelfReport),
}

struct Stream {
    response: Response,
    events: SseDecoder,
    decoder: Decoder,
    reservation: Option<Reservation>,
    /// As the service counts them.
    tokens: Option<Tokens>,
    /// The service counts as it goes.
    counted: bool,
    /// Of text and of tool inputs.
    bytes: usize,
    /// The answer is over. Until then the rest of the body is waited for, so that the connection can be used
    /// again.
    over: Option<Instant>,
}

/// How long the rest of a body is waited for.
const REST: Duration = Duration::from_millis(500);

enum Out {
    Text(String),
    Note(AgentNote),
}

/// The longest event of a stream.
const LONGEST_EVENT: usize = 16 << 20;

impl ApiSession {
    pub(super) fn new(call: Call, mode: Mode) -> Self {
        let now = Instant::now();
        Self {
            call,
            mode,
            state: State::Waiting(now),
            out: VecDeque::new(),
            piece: String::new(),
            handed_out: 0,
            attempts: 0,
            begun: None,
            heard: now,
            whole: Whole::default(),
            stop: None,
            used: Usage::default(),
            refused: Refused { status: None, helps: false, after: None },
        }
    }

    /// The next part of the answer. Losing the future loses nothing.
    pub async fn next(&mut self) -> Result<ApiPiece<'_>, ApiError> {
        loop {
            match self.out.pop_front() {
                Some(Out::Text(text)) => {
                    self.handed_out += text.len();
                    self.piece = text;
                    return Ok(ApiPiece::Text(&self.piece));
                }
                Some(Out::Note(note)) => return Ok(ApiPiece::Note(note)),
                None => {}
            }
            if let State::Ended(verdict) = &self.state {
                return Ok(ApiPiece::End(verdict.clone()));
            }
            self.step().await?;
        }
    }

    /// Why the model stopped, once it has.
    pub fn stop(&self) -> Option<&Stop> {
        self.stop.as_ref()
    }

    /// What all attempts used together, as far as they are over.
    pub fn usage(&self) -> Usage {
        self.used
    }

    /// What the attempt under way has used so far: counted where the service counts as it goes, estimated
    /// otherwise. Nothing before it begins and when it is over.
    pub fn under_way(&self) -> Usage {
        match &self.state {
            State::Streaming(stream) => self.call.usage(stream.tokens_so_far(&self.call)),
            State::Waiting(_) | State::Sending(..) | State::Ended(_) => Usage::default(),
        }
    }

    /// The text that came last.
    pub fn text(&self) -> &str {
        &self.piece
    }

    /// Waits for all of it.
    pub(super) async fn collect(mut self) -> Result<(Whole, Usage, SelfReport, Refused), ApiError> {
        loop {
            if let ApiPiece::End(verdict) = self.next().await? {
                return Ok((std::mem::take(&mut self.whole), self.used, verdict, self.refused));
            }
        }
    }

    async fn step(&mut self) -> Result<(), ApiError> {
        let begun = *self.begun.get_or_insert_with(Instant::now);
        let timeouts = self.call.timeouts;
        let deadline = begun + timeouts.total;
        match &mut self.state {
            State::Waiting(until) => {
                sleep_until(*until).await;
                self.send()
            }
            State::Sending(attempt, _) => {
                let silent = self.heard + timeouts.first;
                if let Ok(outcome) = timeout_at(deadline.min(silent), attempt).await {
                    return self.answered(outcome);
                }
                self.trouble(late(deadline, timeouts.total, timeouts.first));
                Ok(())
            }
            State::Streaming(stream) => {
                // A model that thinks before it speaks may send nothing until then.
                let patience = if stream.bytes == 0 { timeouts.first } else { timeouts.idle };
                let limit = stream.over.unwrap_or(self.heard + patience).min(deadline);
                match timeout_at(limit, stream.response.chunk()).await {
                    Ok(Ok(Some(_))) if stream.over.is_some() => {}
                    _ if stream.over.is_some() => self.end_of_stream(),
                    Ok(Ok(Some(bytes))) => self.heard(&bytes),
                    Ok(Ok(None)) => self.end_of_stream(),
                    Ok(Err(error)) => self.trouble(Trouble::broken(describe(error))),
                    Err(_) => self.trouble(late(deadline, timeouts.total, patience)),
                }
                Ok(())
            }
            State::Ended(_) => Ok(()),
        }
    }

    fn send(&mut self) -> Result<(), ApiError> {
        let reserved = self.call.budget.as_ref().map(|budget| {
            let most = Tokens { output: u64::from(self.call.max_tokens), ..self.call.input_estimate() };
            budget.reserve(self.call.usage(most))
        });
        let reservation = match reserved.transpose() {
            Ok(reservation) => reservation,
            Err(error) => {
                self.end(SelfReport::Failed { status: None, detail: error.to_string() });
                return Err(error);
            }
        };
        self.attempts += 1;
        self.heard = Instant::now();
        let Call { http, url, headers, body, .. } = &self.call;
        self.state = State::Sending(attempt(http, url, headers, body), reservation);
        Ok(())
    }

    fn answered(&mut self, outcome: Outcome) -> Result<(), ApiError> {
        let State::Sending(_, reservation) = &mut self.state else { return Ok(()) };
        let reservation = reservation.take();
        if let Outcome::Refused { status, message, .. } = &outcome
            && self.takes_no_temperature(*status, message)
        {
            let detail = format!("{}; asked again without a temperature", self.call.presentable(message));
            let note = AgentNote { status: Some(*status), ..note(AgentNoteKind::Retry, detail) };
            self.out.push_back(Out::Note(note));
            // The same question in a form that the service takes: no attempt is lost.
            self.attempts = self.attempts.saturating_sub(1);
            self.state = State::Waiting(Instant::now());
            return Ok(());
        }
        let host = || self.call.url.host_str().unwrap_or_default().to_owned();
        let error = match outcome {
            Outcome::Stream(response) => {
                self.heard = Instant::now();
                let mut stream = Stream {
                    response,
                    events: SseDecoder::new(LONGEST_EVENT),
                    decoder: Decoder::new(self.call.format),
                    reservation,
                    tokens: None,
                    counted: false,
                    bytes: 0,
                    over: None,
                };
                stream.charge(&self.call);
                self.state = State::Streaming(Box::new(stream));
                return Ok(());
            }
            Outcome::Refused { status, retry_after, message } => {
                self.trouble(Trouble {
                    status: Some(status),
                    detail: message,
                    helps: helps(status),
                    after: retry_after,
                });
                return Ok(());
            }
            Outcome::Broken { detail } => {
                self.trouble(Trouble::broken(detail));
                return Ok(());
            }
            Outcome::Redirect { status, to } => {
                ApiError::Redirect { host: host(), status, to: self.call.presentable(&to) }
            }
            Outcome::Private { host } => ApiError::Private { host },
        };
        self.end(SelfReport::Failed { status: None, detail: error.to_string() });
        Err(error)
    }

    /// Whether a model refuses the temperature that it was asked at. Which ones do changes from model to model, so the
    /// service is asked, and from then on the request has none.
    fn takes_no_temperature(&mut self, status: u16, message: &str) -> bool {
        let refused = matches!(status, 400 | 422) && message.to_ascii_lowercase().contains("temperature");
        match self.call.without_temperature.take_if(|_| refused) {
            Some(body) => {
                self.call.body = body;
                true
            }
            None => false,
        }
    }

    fn heard(&mut self, bytes: &[u8]) {
        self.heard = Instant::now();
        let State::Streaming(stream) = &mut self.state else { return };
        let mut heard = Vec::new();
        let Stream { events, decoder, .. } = &mut **stream;
        let fed = events.feed(bytes, &mut |event| decoder.event(event, &mut |one| heard.push(one)));
        for one in heard {
            let State::Streaming(stream) = &mut self.state else { return };
            match one {
                Heard::Session { id, model } => {
                    self.out.push_back(Out::Note(note(AgentNoteKind::Session, format!("{model} {id}"))));
                }
                Heard::Text(text) => {
                    stream.bytes += text.len();
                    match (self.mode, self.out.back_mut()) {
                        (Mode::Whole, _) => self.whole.text.push_str(&text),
                        (Mode::Stream, Some(Out::Text(last))) => last.push_str(&text),
                        (Mode::Stream, _) => self.out.push_back(Out::Text(text)),
                    }
                }
                Heard::Tool(name) => {
                    stream.bytes += name.len();
                    if self.mode == Mode::Whole {
                        self.whole.calls.push(ToolCall { name, input: String::new() });
                    }
                }
                Heard::ToolInput(input) => {
                    stream.bytes += input.len();
                    if self.mode == Mode::Whole {
                        match self.whole.calls.last_mut() {
                            Some(call) => call.input.push_str(&input),
                            // The name is missing, and belongs to nothing that was asked for.
                            None => self.whole.calls.push(ToolCall { name: String::new(), input }),
                        }
                    }
                }
                Heard::Tokens(tokens) => stream.tokens = Some(tokens),
                Heard::Counted(tokens) => {
                    stream.tokens = Some(tokens);
                    stream.counted = true;
                }
                Heard::Stop(stop) => self.stop = Some(stop),
                Heard::Failed { status, message } => {
                    let helps = status.is_none_or(helps);
                    return self.trouble(Trouble { status, detail: message, helps, after: None });
                }
                Heard::End => {
                    stream.over = Some(Instant::now() + REST);
                    break;
                }
            }
            if stream.bytes > self.call.max_bytes {
                let most = self.call.max_bytes;
                return self.trouble(Trouble::last(format!("the answer is longer than {most} bytes")));
            }
        }
        if let State::Streaming(stream) = &mut self.state {
            stream.charge(&self.call);
        }
        if let Err(error) = fed {
            self.trouble(Trouble::last(error.to_string()));
        }
    }

    fn end_of_stream(&mut self) {
        let limit = self.call.max_tokens;
        let detail = match self.stop {
            None => return self.trouble(Trouble::broken("the stream ended before the answer")),
            Some(Stop::End) => {
                self.settle(true);
                return self.end(SelfReport::Fine);
            }
            Some(Stop::Length) => format!("the answer was cut at {limit} tokens; allow more of them"),
            Some(Stop::Refusal) => "the model declined to answer".to_owned(),
        };
        self.settle(true);
        self.out.push_back(Out::Note(note(AgentNoteKind::Error, detail.clone())));
        self.end(SelfReport::Failed { status: None, detail });
    }

    /// Tries again if that can help and nobody has a part of the answer; ends otherwise.
    fn trouble(&mut self, trouble: Trouble) {
        self.settle(false);
        let Trouble { status, detail, helps, after } = trouble;
        self.refused = Refused { status, helps, after };
        let detail = self.call.presentable(&detail);
        let now = Instant::now();
        let deadline = self.begun.unwrap_or(now) + self.call.timeouts.total;
        let delay = self.call.retries.delay(self.attempts, after).filter(|delay| now + *delay < deadline);
        if let Some(delay) = delay.filter(|_| helps && self.handed_out == 0) {
            // What was not handed out yet is not handed out at all: it comes again.
            self.out.retain(|out| matches!(out, Out::Note(_)));
            self.whole = Whole::default();
            self.stop = None;
            let seconds = delay.as_secs_f64();
            let again = format!("{detail}; again in {seconds:.1} s, after attempt {}", self.attempts);
            self.out.push_back(Out::Note(AgentNote { status, ..note(AgentNoteKind::Retry, again) }));
            self.state = State::Waiting(now + delay);
            return;
        }
        let detail = match self.handed_out + self.queued() {
            0 if self.attempts > 1 => format!("{detail}; gave up after {} attempts", self.attempts),
            0 => detail,
            bytes => format!("{detail}; the answer is cut after {bytes} bytes"),
        };
        self.out.push_back(Out::Note(AgentNote { status, ..note(AgentNoteKind::Error, detail.clone()) }));
        self.end(SelfReport::Failed { status, detail });
    }

    fn queued(&self) -> usize {
        let length = |out: &Out| if let Out::Text(text) = out { text.len() } else { 0 };
        self.out.iter().map(length).sum()
    }

    /// Books what the attempt used.
    fn settle(&mut self, whole: bool) {
        let State::Streaming(stream) = &mut self.state else { return };
        let reported = stream.tokens.filter(|_| whole);
        let used = self.call.usage(reported.unwrap_or_else(|| stream.tokens_so_far(&self.call)));
        if let Some(reservation) = &mut stream.reservation {
            reservation.note(used);
        }
        self.used = self.used.plus(used);
        let detail = if reported.is_some() { "" } else { "estimated" };
        let note = AgentNote { usage: Some(used), ..note(AgentNoteKind::Usage, detail.to_owned()) };
        self.out.push_back(Out::Note(note));
    }

    fn end(&mut self, verdict: SelfReport) {
        self.state = State::Ended(verdict);
    }
}

impl fmt::Debug for ApiSession {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match &self.state {
            State::Waiting(_) => "waiting",
            State::Sending(..) => "sending",
            State::Streaming(_) => "streaming",
            State::Ended(_) => "ended",
        };
        let Self { call, attempts, handed_out, .. } = self;
        formatter
            .debug_struct("ApiSession")
            .field("host", &call.url.host_str())
            .field("state", &state)
            .field("attempts", attempts)
            .field("handed_out", handed_out)
            .finish_non_exhaustive()
    }
}

impl Stream {
    /// What a call that ends now has used: at least what the service counted, at least what was seen.
    fn tokens_so_far(&self, call: &Call) -> Tokens {
        if let Some(counted) = self.tokens.filter(|_| self.counted) {
            return counted;
        }
        let seen = u64::try_from(self.bytes.div_ceil(4)).unwrap_or(u64::MAX);
        let counted = self.tokens.unwrap_or_else(|| call.input_estimate());
        Tokens { output: counted.output.max(seen), ..counted }
    }

    fn charge(&mut self, call: &Call) {
        let used = call.usage(self.tokens_so_far(call));
        if let Some(reservation) = &mut self.reservation {
            reservation.note(used);
        }
    }
}

fn note(kind: AgentNoteKind, detail: String) -> AgentNote {
    AgentNote { kind, detail, status: None, usage: None }
}
