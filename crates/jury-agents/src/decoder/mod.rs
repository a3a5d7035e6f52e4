//! Decoders: what an agent's program prints, turned into the text of its answer.
//!
//! Each program has a streaming format of its own. A decoder takes its bytes in pieces of any size and reports
//! what they mean: text of the answer, and notes beside it. Thinking, tool calls, echoes of the prompt,
//! replays, cumulative snapshots and errors dressed as answers never come out as text. A tool that the agent calls is a
//! note of its own.
//!
//! Everything here is a function of its input: no clock, no file, no process. Memory is bounded by the longest
//! line, and each byte is looked at a fixed number of times.
//!
//! ```
//! use jury_agents::decoder::{DecodeLimits, Decoded, Decoder, Format};
//!
//! let mut decoder = Decoder::new(Format::Kimi, DecodeLimits::default());
//! let mut answer = String::new();
//! let mut sink = |decoded: Decoded<'_>| {
//!     if let Decoded::Text(text) = decoded {
//!         answer.push_str(text);
//!     }
//! };
//! decoder.feed(b"{\"role\":\"assistant\",\"content\":\"Go", &mut sink)?;
//! decoder.feed(b"od.\"}\n", &mut sink)?;
//! decoder.finish(&mut sink)?;
//! assert_eq!(answer, "Good.");
//! # Ok::<(), jury_agents::decoder::DecodeError>(())
//! ```

mod acp;
mod answer;
mod app_server;
mod claude;
mod dialogue;
mod format;
mod formats;
mod json;
mod lines;
mod plain;
mod table;
mod tool;
mod trouble;
mod utf8;

use std::borrow::Cow;

use jury_core::event::AgentNote;

use acp::Acp;
use answer::{Answer, Out};
use app_server::AppServer;
use claude::Claude;
pub use format::{Format, UnknownFormat};
use json::Json;
use lines::Lines;
use plain::Plain;
use table::Table;
use trouble::Trouble;

/// What a piece of output means.
#[derive(Debug, Clone, PartialEq)]
pub enum Decoded<'a> {
    /// Text of the answer.
    Text(&'a str),
    /// What was said so far is taken back; the answer begins again.
    Restart,
    /// Something the program says about itself.
    Note(AgentNote),
    /// Bytes that the program waits for on its stdin: the other half of a dialogue.
    Reply(&'a [u8]),
    /// The program says that its answer is over, and whether it believes that it went well. It may linger.
    Over(SelfReport),
}

/// What a program believes of its own answer. It proves nothing: the transcript decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SelfReport {
    /// The program says that it went well.
    Fine,
    /// The program says that it failed.
    Failed {
        /// The status of the model's service, where there is one.
        status: Option<u16>,
        /// What went wrong, in a few words, for a person.
        detail: String,
    },
}

/// Why a program's output cannot be decoded any further.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// A line is longer than allowed.
    #[error("the agent printed a line of more than {0} bytes")]
    LineTooLong(usize),
    /// More model steps than allowed: the program goes round in circles.
    #[error("the agent took more than {0} steps; it goes round in circles")]
    TooManySteps(u32),
}

impl DecodeError {
    /// The stable name of this kind of error.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::LineTooLong(_) => "line_too_long",
            Self::TooManySteps(_) => "too_many_steps",
        }
    }
}

/// What a program's output may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecodeLimits {
    /// The most bytes of a line, for formats that have lines.
    pub line: usize,
    /// How often the model may be asked, retries included.
    pub steps: u32,
}

impl Default for DecodeLimits {
    fn default() -> Self {
        Self { line: 8 << 20, steps: 64 }
    }
}

/// Turns what a program prints into the text of its answer.
///
/// Bytes may come in pieces of any size; what comes out does not depend on them, except that plain text comes
/// out in the pieces it came in. [`Decoded::Over`] comes out once, at the latest from [`finish`](Self::finish);
/// whatever the program prints after it means nothing.
#[derive(Debug, Clone)]
pub struct Decoder {
    answer: Answer,
    lines: Lines,
    kind: Kind,
    /// Why decoding ended before its time.
    broken: Option<DecodeError>,
    ignored: u64,
}

#[derive(Debug, Clone)]
enum Kind {
    Plain(Plain),
    Claude(Claude),
    Table(&'static Table),
    Acp(Acp),
    AppServer(AppServer),
}

impl Decoder {
    /// A decoder of this format.
    pub fn new(format: Format, limits: DecodeLimits) -> Self {
        let kind = match format {
            Format::Plain => Kind::Plain(Plain::default()),
            Format::ClaudeStreamJson => Kind::Claude(Claude::default()),
            Format::CodexExec => Kind::Table(&formats::CODEX_EXEC),
            Format::CodexAppServer => Kind::AppServer(AppServer::new()),
            Format::Gemini => Kind::Table(&formats::GEMINI),
            Format::Goose => Kind::Table(&formats::GOOSE),
            Format::Copilot => Kind::Table(&formats::COPILOT),
            Format::Opencode => Kind::Table(&formats::OPENCODE),
            Format::Kimi => Kind::Table(&formats::KIMI),
            Format::Pi => Kind::Table(&formats::PI),
            Format::Cline => Kind::Table(&formats::CLINE),
            Format::Acp => Kind::Acp(Acp::new()),
        };
        Self {
            answer: Answer::new(limits.steps),
            lines: Lines::new(limits.line),
            kind,
            broken: None,
            ignored: 0,
        }
    }

    /// Begins. In a dialogue this gives the first [`Decoded::Reply`]; elsewhere the prompt takes another way.
    pub fn start(&mut self, prompt: &str, cwd: &str, sink: &mut impl FnMut(Decoded<'_>)) {
        let mut out = Out { answer: &mut self.answer, sink };
        match &mut self.kind {
            Kind::Acp(acp) => acp.start(prompt, cwd, &mut out),
            Kind::AppServer(server) => server.start(prompt, cwd, &mut out),
            Kind::Plain(_) | Kind::Claude(_) | Kind::Table(_) => {}
        }
    }

    /// Takes the next bytes. After an error every call gives the same error.
    pub fn feed(&mut self, bytes: &[u8], sink: &mut impl FnMut(Decoded<'_>)) -> Result<(), DecodeError> {
        if let Some(error) = &self.broken {
            return Err(error.clone());
        }
        if self.answer.is_over() {
            return Ok(());
        }
        let Self { answer, lines, kind, ignored, .. } = self;
        let mut out = Out { answer, sink };
        if let Kind::Plain(plain) = kind {
            let result = plain.feed(bytes, &mut out);
            return self.settle(result);
        }
        let result = lines.feed(bytes, |line| read(kind, line, ignored, &mut out));
        self.settle(result)
    }

    /// The program has printed everything. A program that has not said that its answer is over has failed.
    pub fn finish(&mut self, sink: &mut impl FnMut(Decoded<'_>)) -> Result<(), DecodeError> {
        if let Some(error) = &self.broken {
            return Err(error.clone());
        }
        let Self { answer, lines, kind, ignored, .. } = self;
        let mut out = Out { answer, sink };
        if let Kind::Plain(plain) = kind {
            let result = plain.finish(&mut out);
            return self.settle(result);
        }
        let result = lines.finish(|line| read(kind, line, ignored, &mut out));
        if result.is_ok() && !out.answer.is_over() {
            let detail = if out.is_troubled() { "" } else { "the output ended before the answer did" };
            out.failed(Trouble { status: None, detail: detail.to_owned() });
        }
        self.settle(result)
    }

    /// Remembers an error, unless it lies behind the end of the answer.
    fn settle(&mut self, result: Result<(), DecodeError>) -> Result<(), DecodeError> {
        if self.answer.is_over() {
            return Ok(());
        }
        self.broken = result.as_ref().err().cloned();
        result
    }

    /// Whether the program has said that its answer is over.
    pub fn is_over(&self) -> bool {
        self.answer.is_over()
    }

    /// Whether what came is an error that the program printed in the place of its answer.
    pub fn is_troubled(&self) -> bool {
        match &self.kind {
            Kind::Plain(plain) => plain.is_troubled(),
            Kind::Claude(_) | Kind::Table(_) | Kind::Acp(_) | Kind::AppServer(_) => false,
        }
    }

    /// How many lines were not understood at all: they are no JSON objects.
    pub fn ignored(&self) -> u64 {
        self.ignored
    }
}

/// Reads one line. What is not UTF-8 in it is replaced; what is no JSON object is noise.
fn read(kind: &mut Kind, line: &[u8], ignored: &mut u64, out: &mut Out<'_>) -> Result<(), DecodeError> {
    if out.answer.is_over() || line.trim_ascii().is_empty() {
        return Ok(());
    }
    let text = std::str::from_utf8(line).map_or_else(|_| String::from_utf8_lossy(line), Cow::Borrowed);
    let Some(line) = Json::line(&text) else {
        *ignored = ignored.saturating_add(1);
        return Ok(());
    };
    match kind {
        Kind::Plain(_) => Ok(()),
        Kind::Claude(claude) => claude.line(line, out),
        Kind::Table(table) => table.line(line, out),
        Kind::Acp(acp) => acp.line(line, out),
        Kind::AppServer(server) => server.line(line, out),
    }
}
