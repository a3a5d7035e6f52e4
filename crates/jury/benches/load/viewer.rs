//! A viewer: reads a stream, checks it as it comes, and remembers enough of it to compare it with transcripts.

use std::collections::HashMap;

use memchr::{memchr, memmem};

use crate::Outcome;
use crate::http::Connection;
use crate::process::micros;

/// What was seen of a run: how many events, and what they add up to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    pub(crate) events: u64,
    hash: u64,
    /// How many of them say that the run has ended.
    pub(crate) ends: u64,
    /// The last one does.
    pub(crate) ended: bool,
    /// It says that the panel came to a verdict.
    pub(crate) shipped: bool,
}

impl Sum {
    /// Takes the next line over.
    pub(crate) fn add(&mut self, line: &[u8], kind: &[u8]) {
        self.events += 1;
        self.hash = line.chunks(8).fold(self.hash.rotate_left(5) ^ line.len() as u64, |hash, piece| {
            let mut word = [0; 8];
            word[..piece.len()].copy_from_slice(piece);
            (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
        });
        self.ended = TERMINAL.contains(&kind);
        self.ends += u64::from(self.ended);
        self.shipped = kind == TERMINAL[0];
    }

    /// What a whole transcript adds up to.
    pub(crate) fn of(transcript: &[u8]) -> Self {
        let mut sum = Self::default();
        for line in transcript.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let mark = b"\"event\":\"";
            let kind = memmem::find(line, mark).map(|at| &line[at + mark.len()..]).unwrap_or_default();
            let end = memchr(b'"', kind).unwrap_or_default();
            sum.add(line, &kind[..end]);
        }
        sum
    }
}

/// How the events that end a run are called.
const TERMINAL: [&[u8]; 4] =
    [b"critique.ship", b"critique.degraded", b"critique.interrupted", b"critique.failed"];

/// Everything that a viewer has seen, over as many connections as it took.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// The position of the last event.
    pub(crate) last: u64,
    pub(crate) events: usize,
    pub(crate) ended: usize,
    /// Events that came twice, too late or too early.
    pub(crate) wrong: usize,
    pub(crate) runs: HashMap<String, Sum>,
    /// Microseconds from the child's write to here.
    pub(crate) delays: Vec<u32>,
    text: Vec<u8>,
}

impl Seen {
    /// Forgets half of an event: the connection broke in the middle of it.
    pub(crate) fn begin(&mut self) {
        self.text.clear();
    }

    /// Where the bytes of the stream go before [`Seen::take`].
    pub(crate) fn text(&mut self) -> &mut Vec<u8> {
        &mut self.text
    }

    /// Takes the frames that are whole.
    pub(crate) fn take(&mut self) {
        let now = micros();
        let text = std::mem::take(&mut self.text);
        let mut at = 0;
        let mut frame = Frame::default();
        let mut line_at = 0;
        while let Some(end) = memchr(b'\n', &text[line_at..]) {
            let line = &text[line_at..line_at + end];
            line_at += end + 1;
            if line.is_empty() {
                self.frame(frame, now);
                frame = Frame::default();
                at = line_at;
            } else if let Some(value) = line.strip_prefix(b"id: ") {
                frame.id = value;
            } else if let Some(value) = line.strip_prefix(b"event: ") {
                frame.event = value;
            } else if let Some(value) = line.strip_prefix(b"data: ") {
                frame.data = value;
            }
        }
        self.text = text;
        self.text.drain(..at);
    }

    fn frame(&mut self, frame: Frame<'_>, now: u64) {
        let Frame { id, event, data } = frame;
        // A comment, or the time after which to come back.
        if data.is_empty() {
            return;
        }
        self.events += 1;
        // Where these stand in a record does not change from one to the next.
        let head = data.get(..data.len().min(110)).unwrap_or_default();
        let (Some(id), Some(seq), Some(run)) = (whole(id), number(head, b"{\"seq\":"), run_of(head)) else {
            self.wrong += 1;
            return;
        };
        let sum = match self.runs.get_mut(run) {
            Some(sum) => sum,
            None => self.runs.entry(run.to_owned()).or_default(),
        };
        sum.add(data, event);
        self.wrong += usize::from(id <= self.last || seq != sum.events);
        self.ended += usize::from(sum.ended);
        self.last = self.last.max(id);
        if (event == b"critique.panelist_dim" || event == b"critique.panelist_must_fix")
            && let Some(stamp) = number(data, b"\"t=")
        {
            self.delays.push(u32::try_from(now.saturating_sub(stamp)).unwrap_or(u32::MAX));
        }
    }
}

/// The parts of an event on the wire.
#[derive(Debug, Clone, Copy, Default)]
struct Frame<'a> {
    id: &'a [u8],
    event: &'a [u8],
    data: &'a [u8],
}

/// The number behind a word.
fn number(data: &[u8], word: &[u8]) -> Option<u64> {
    let digits = &data[find(data, word)? + word.len()..];
    whole(&digits[..digits.iter().position(|byte| !byte.is_ascii_digit())?])
}

fn whole(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

fn run_of(data: &[u8]) -> Option<&str> {
    let word = b"\"runId\":\"";
    let start = find(data, word)? + word.len();
    std::str::from_utf8(data.get(start..start + 36)?).ok()
}

/// Where a short word is in a short text: cheaper than to prepare a search.
fn find(data: &[u8], word: &[u8]) -> Option<usize> {
    memchr::memchr_iter(word[0], data).find(|at| data[*at..].starts_with(word))
}

/// The transcript of a run, from the daemon.
pub(crate) async fn transcript(connection: &mut Connection, project: &str, run: &str) -> Outcome<Sum> {
    let answer = connection.get(&format!("/api/projects/{project}/critique/{run}/transcript")).await?;
    if answer.status != 200 {
        return Err(format!("no transcript of {run}: {}", answer.status).into());
    }
    Ok(Sum::of(&answer.body))
}
