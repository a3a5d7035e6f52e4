//! A viewer: reads a stream, checks it as it comes, and remembers enough of it to compare it with transcripts.

use std::collections::HashMap;

use memchr::memmem;

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
}

impl Sum {
    /// Takes the next line over.
    pub(crate) fn add(&mut self, line: &[u8]) {
        self.events += 1;
        self.hash = line.chunks(8).fold(self.hash.rotate_left(5) ^ line.len() as u64, |hash, piece| {
            let mut word = [0; 8];
            word[..piece.len()].copy_from_slice(piece);
            (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
        });
        self.ended = TERMINAL.iter().any(|kind| memmem::find(line, kind).is_some());
        self.ends += u64::from(self.ended);
    }

    /// What a whole transcript adds up to.
    pub(crate) fn of(transcript: &[u8]) -> Self {
        let mut sum = Self::default();
        transcript
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
            .for_each(|line| sum.add(line));
        sum
    }
}

/// How the events that end a run are called.
const TERMINAL: [&[u8]; 4] = [
    b"\"event\":\"critique.ship\"",
    b"\"event\":\"critique.degraded\"",
    b"\"event\":\"critique.interrupted\"",
    b"\"event\":\"critique.failed\"",
];

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
        while let Some(end) = memmem::find(&text[at..], b"\n\n") {
            self.frame(&text[at..at + end], now);
            at += end + 2;
        }
        self.text = text;
        self.text.drain(..at);
    }

    fn frame(&mut self, frame: &[u8], now: u64) {
        let (mut id, mut data) = (None, None);
        for line in frame.split(|byte| *byte == b'\n') {
            if let Some(value) = line.strip_prefix(b"id: ") {
                id = std::str::from_utf8(value).ok().and_then(|value| value.parse::<u64>().ok());
            } else if let Some(value) = line.strip_prefix(b"data: ") {
                data = Some(value);
            }
        }
        let (Some(id), Some(data)) = (id, data) else { return };
        self.events += 1;
        let (Some(seq), Some(run)) = (number(data, b"\"seq\":"), run_of(data)) else {
            self.wrong += 1;
            return;
        };
        let sum = match self.runs.get_mut(run) {
            Some(sum) => sum,
            None => self.runs.entry(run.to_owned()).or_default(),
        };
        sum.add(data);
        self.wrong += usize::from(id <= self.last || seq != sum.events);
        self.ended += usize::from(sum.ended);
        self.last = self.last.max(id);
        if let Some(stamp) = number(data, b"\"t=") {
            self.delays.push(u32::try_from(now.saturating_sub(stamp)).unwrap_or(u32::MAX));
        }
    }
}

/// The number behind a word.
fn number(data: &[u8], word: &[u8]) -> Option<u64> {
    let digits = &data[memmem::find(data, word)? + word.len()..];
    let end = digits.iter().position(|byte| !byte.is_ascii_digit())?;
    std::str::from_utf8(&digits[..end]).ok()?.parse().ok()
}

fn run_of(data: &[u8]) -> Option<&str> {
    let word = b"\"runId\":\"";
    let start = memmem::find(data, word)? + word.len();
    std::str::from_utf8(data.get(start..start + 36)?).ok()
}

/// The transcript of a run, from the daemon.
pub(crate) async fn transcript(connection: &mut Connection, project: &str, run: &str) -> Outcome<Sum> {
    let answer = connection.get(&format!("/api/projects/{project}/critique/{run}/transcript")).await?;
    if answer.status != 200 {
        return Err(format!("no transcript of {run}: {}", answer.status).into());
    }
    Ok(Sum::of(&answer.body))
}
