//! The answer as it comes together: what was said, in which message, and what must be taken back.
//!
//! Every decoder speaks through [`Out`]. It keeps the promises that all of them make: text that was said is not
//! said again, a message that broke off is taken back before the next one speaks, a loop is noticed, and
//! there is one end.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use jury_core::event::{AgentNote, AgentNoteKind, Usage};

use super::json::{Json, Text, join};
use super::tool::told;
use super::trouble::{Trouble, brief};
use super::utf8::REPLACEMENT;
use super::{DecodeError, Decoded, SelfReport};

/// What identifies a message or a part of one. A digest: a program may send names of any length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key(u64);

impl Key {
    pub(super) fn of(name: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        Self(hasher.finish())
    }

    /// The name that stands here, if one does.
    pub(super) fn at(value: Option<Json<'_>>) -> Option<Self> {
        value?.str().map(|name| Self::of(&name))
    }
}

/// How many messages that are complete are remembered, to notice when they are repeated.
const REMEMBERED: usize = 64;

/// What is known about the answer so far. Its size does not depend on the length of the answer.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent")]
pub(super) struct Answer {
    message: Option<Key>,
    part: Option<Key>,
    /// What the current part of the current message said.
    said: Said,
    /// The current message has said something and has not ended.
    speaking: bool,
    /// The last message that ended had said something.
    spoke: bool,
    /// Something was said and not taken back.
    heard: bool,
    /// What was said must be taken back before anything else is said.
    broken: bool,
    /// The first half of a character whose second half belongs to the next text.
    half: Option<u16>,
    /// The messages that are complete, the latest last.
    complete: Vec<Key>,
    steps: u32,
    most_steps: u32,
    session: bool,
    /// What went wrong since it last spoke: if the program gives up, this is why.
    trouble: Option<Trouble>,
    /// What went wrong a moment ago, for the line that says what the program does about it.
    cause: Option<Trouble>,
    over: bool,
}

impl Answer {
    pub(super) fn new(most_steps: u32) -> Self {
        Self {
            message: None,
            part: None,
            said: Said::default(),
            speaking: false,
            spoke: false,
            heard: false,
            broken: false,
            half: None,
            complete: Vec::new(),
            steps: 0,
            most_steps,
            session: false,
            trouble: None,
            cause: None,
            over: false,
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.over
    }
}

/// The answer and whoever listens to it.
pub(super) struct Out<'o> {
    pub(super) answer: &'o mut Answer,
    pub(super) sink: &'o mut dyn FnMut(Decoded<'_>),
}

impl Out<'_> {
    /// The model is asked once more.
    pub(super) fn step(&mut self) -> Result<(), DecodeError> {
        self.answer.steps = self.answer.steps.saturating_add(1);
        if self.answer.steps > self.answer.most_steps {
            return Err(DecodeError::TooManySteps(self.answer.most_steps));
        }
        Ok(())
    }

    /// A message begins. One that was speaking and did not end has broken off.
    pub(super) fn begin(&mut self, message: Option<Key>) {
        if message.is_some() && message == self.answer.message {
            return;
        }
        self.break_off();
        self.answer.message = message;
    }

    /// Another part of the current message begins.
    pub(super) fn part(&mut self, part: Option<Key>) {
        if part.is_none() || part != self.answer.part {
            self.answer.part = part;
            self.answer.said = Said::default();
        }
    }

    /// More of a message.
    pub(super) fn more(&mut self, message: Option<Key>, text: Text<'_>) {
        if self.enter(message) {
            self.speak(text);
        }
    }

    /// The whole of a message or of its current part: says what it has not said yet. Where the two differ, what
    /// was said stands: programs trim and polish their summaries.
    pub(super) fn whole(&mut self, message: Option<Key>, text: &str) {
        if self.enter(message)
            && let Some(rest) = self.answer.said.rest_of(text)
        {
            // A half character that was held is whole in here.
            self.answer.half = None;
            self.speak(Text::plain(rest));
        }
    }

    /// Whether text of this message is news.
    fn enter(&mut self, message: Option<Key>) -> bool {
        if let Some(key) = message {
            if self.answer.complete.contains(&key) {
                return false;
            }
            self.begin(message);
        }
        true
    }

    fn speak(&mut self, text: Text<'_>) {
        let Text { head, body, tail } = text;
        let held = self.answer.half.take();
        let mut buffer = [0; 4];
        let first = match (held, head) {
            (None, None) => "",
            (Some(high), Some(low)) => match join(high, low) {
                Some(character) => character.encode_utf8(&mut buffer),
                None => REPLACEMENT,
            },
            (Some(_), None) | (None, Some(_)) => REPLACEMENT,
        };
        self.say(first);
        self.say(&body);
        self.answer.half = tail;
    }

    /// Text that has no messages and cannot be repeated.
    pub(super) fn pass(&mut self, text: &str) {
        self.answer.heard = true;
        (self.sink)(Decoded::Text(text));
    }

    fn say(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let answer = &mut *self.answer;
        answer.said.add(text);
        answer.speaking = true;
        // Whatever went wrong before has been overcome.
        answer.trouble = None;
        if std::mem::take(&mut answer.broken) && answer.heard {
            (self.sink)(Decoded::Restart);
        }
        answer.heard = true;
        (self.sink)(Decoded::Text(text));
    }

    /// The current message ended as it should.
    pub(super) fn end(&mut self) {
        let answer = &mut *self.answer;
        if let Some(key) = answer.message.take() {
            if answer.complete.len() == REMEMBERED {
                answer.complete.remove(0);
            }
            answer.complete.push(key);
        }
        answer.spoke = std::mem::take(&mut answer.speaking);
        self.leave();
    }

    /// What the current message said so far stands, whether it goes on or not.
    pub(super) fn pause(&mut self) {
        self.answer.speaking = false;
    }

    /// The current message broke off: if it had said anything, that is void.
    pub(super) fn break_off(&mut self) {
        self.answer.broken |= std::mem::take(&mut self.answer.speaking);
        self.answer.message = None;
        self.leave();
    }

    /// Whatever the last message said is void, although it seemed to have ended.
    pub(super) fn take_back(&mut self) {
        self.break_off();
        self.answer.broken |= std::mem::take(&mut self.answer.spoke);
    }

    /// The last message that ended stands, whatever follows.
    pub(super) fn settle(&mut self) {
        self.answer.spoke = false;
    }

    fn leave(&mut self) {
        self.answer.part = None;
        self.answer.said = Said::default();
        self.answer.half = None;
    }

    /// Whether anything has been said.
    pub(super) fn is_silent(&self) -> bool {
        !self.answer.heard
    }

    /// Which session it is; the first name counts.
    pub(super) fn session(&mut self, name: &str) {
        if !name.is_empty() && !std::mem::replace(&mut self.answer.session, true) {
            self.note(AgentNoteKind::Session, None, brief(name), None);
        }
    }

    /// What it cost since the last time.
    pub(super) fn usage(&mut self, usage: Usage) {
        if usage != Usage::default() {
            self.note(AgentNoteKind::Usage, None, String::new(), Some(usage));
        }
    }

    /// It tries again. What its line does not explain, the line before may have.
    pub(super) fn retry(&mut self, trouble: Trouble) -> Result<(), DecodeError> {
        let trouble = trouble.or(self.answer.cause.take().unwrap_or_default());
        self.note(AgentNoteKind::Retry, trouble.status, trouble.detail.clone(), None);
        self.answer.trouble = Some(trouble);
        self.step()
    }

    /// Notes that something went wrong.
    pub(super) fn trouble(&mut self, trouble: Trouble) {
        if self.answer.trouble.as_ref() != Some(&trouble) {
            self.note(AgentNoteKind::Error, trouble.status, trouble.detail.clone(), None);
        }
        self.answer.trouble = Some(trouble);
    }

    /// Something went wrong that the program is about to speak of.
    pub(super) fn remember(&mut self, trouble: Trouble) {
        self.answer.cause = Some(trouble);
    }

    pub(super) fn is_troubled(&self) -> bool {
        self.answer.trouble.is_some()
    }

    /// It calls a tool, with this input.
    pub(super) fn tool(&mut self, name: &str, input: Option<Json<'_>>) {
        self.note(AgentNoteKind::Tool, None, told(name, input), None);
    }

    /// A warning: it changes nothing.
    pub(super) fn warn(&mut self, detail: &str) {
        self.note(AgentNoteKind::Error, None, brief(detail), None);
    }

    fn note(&mut self, kind: AgentNoteKind, status: Option<u16>, detail: String, usage: Option<Usage>) {
        (self.sink)(Decoded::Note(AgentNote { kind, detail, status, usage }));
    }

    /// Bytes for the program's stdin.
    pub(super) fn reply(&mut self, line: &str) {
        (self.sink)(Decoded::Reply(line.as_bytes()));
    }

    /// The answer is over, and the program is content. Some are so after a failed request: who said nothing has
    /// not answered.
    pub(super) fn fine(&mut self) {
        if self.is_silent() {
            let known = self.answer.trouble.take().unwrap_or_default();
            self.failed(known.or(Trouble { status: None, detail: "the agent said nothing".to_owned() }));
        } else {
            self.over(SelfReport::Fine);
        }
    }

    /// The answer is over, and the program is not content. What it does not explain, the last trouble does.
    pub(super) fn failed(&mut self, trouble: Trouble) {
        let known = self.answer.trouble.take().unwrap_or_default();
        let Trouble { status, mut detail } = trouble.or(known);
        if detail.is_empty() {
            "the agent failed without an explanation".clone_into(&mut detail);
        }
        self.over(SelfReport::Failed { status, detail });
    }

    fn over(&mut self, verdict: SelfReport) {
        if !std::mem::replace(&mut self.answer.over, true) {
            (self.sink)(Decoded::Over(verdict));
        }
    }
}

/// A text that was said in pieces, remembered by its length and a digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Said {
    length: usize,
    digest: u64,
}

/// The powers of the number at which the polynomial of a text is taken, from the first to the eighth.
const POWERS: [u64; 8] = {
    let mut powers = [0x9E37_79B9_7F4A_7C15_u64; 8];
    let mut at = 1;
    while at < 8 {
        powers[at] = powers[at - 1].wrapping_mul(powers[0]);
        at += 1;
    }
    powers
};

impl Said {
    /// A polynomial of the bytes: it does not depend on where the pieces ended, and eight bytes take one step.
    fn add(&mut self, text: &str) {
        self.length += text.len();
        let mut chunks = text.as_bytes().chunks_exact(8);
        for chunk in &mut chunks {
            let terms = chunk.iter().zip(POWERS.iter().rev());
            self.digest = terms.fold(self.digest.wrapping_mul(POWERS[7]), |sum, (byte, power)| {
                sum.wrapping_add((u64::from(*byte) + 1).wrapping_mul(*power))
            });
        }
        for byte in chunks.remainder() {
            self.digest = self.digest.wrapping_add(u64::from(*byte) + 1).wrapping_mul(POWERS[0]);
        }
    }

    /// What a text that begins like this one has beyond it.
    fn rest_of(self, text: &str) -> Option<&str> {
        let (known, rest) = (text.get(..self.length)?, text.get(self.length..)?);
        let mut same = Self::default();
        same.add(known);
        (same == self && !rest.is_empty()).then_some(rest)
    }
}
