//! Marks around the words of a model to itself that are no tags: `[THINK]`, `◁think▷`, `<|START_THINKING|>`, and the channels
//! of `<|channel|>analysis<|message|>`. Models are trained with them, and who runs one by hand gets to see them.

use super::element::{Mark, Thinking};

/// The longest name of a mark or a channel that is looked at.
const LONGEST: usize = 32;

/// What a model writes to be read. Every other channel is for itself, or for tools.
const ANSWER: &str = "final";

/// Ends of what stands in a channel.
const CHANNEL_ENDS: [&str; 4] = ["end", "start", "return", "call"];

/// The few bytes of a mark or a name.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct MarkBytes {
    bytes: [u8; LONGEST],
    length: usize,
}

/// What stands between `<|` and `|>`, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    /// Not whole yet.
    Going,
    /// None that says anything.
    Other,
    /// The name of a channel follows.
    Channel,
    /// Thinking begins.
    Think(Thinking),
    /// Thinking ends that began with such a mark.
    Thought(Thinking),
    /// What stands in a channel ends.
    ChannelEnd,
}

impl MarkBytes {
    fn push(&mut self, byte: u8) -> bool {
        let slot = self.bytes.get_mut(self.length);
        self.length += usize::from(slot.is_some());
        slot.map(|slot| *slot = byte).is_some()
    }

    fn name(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    /// Adds a byte behind `<|`.
    pub(super) fn token(&mut self, byte: u8) -> Token {
        let is_name = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'/' | b'|');
        if byte != b'>' {
            return if is_name && self.push(byte) { Token::Going } else { Token::Other };
        }
        let Some(name) = self.name().strip_suffix(b"|") else { return Token::Other };
        if name.eq_ignore_ascii_case(b"channel") {
            return Token::Channel;
        }
        if CHANNEL_ENDS.iter().any(|word| word.as_bytes().eq_ignore_ascii_case(name)) {
            return Token::ChannelEnd;
        }
        let ends = name.starts_with(b"/")
            || name.split(|byte| !byte.is_ascii_alphabetic()).any(|part| part.eq_ignore_ascii_case(b"end"));
        match Thinking::of(name, Mark::Token) {
            Some(thinking) if ends => Token::Thought(thinking),
            Some(thinking) => Token::Think(thinking),
            None => Token::Other,
        }
    }

    /// Adds a byte of the name of a channel. Known when it is over: what is thought there, if it is not the answer.
    pub(super) fn channel(&mut self, byte: u8) -> Channel {
        if byte != b'<' && self.push(byte) {
            return Channel::Going;
        }
        let word = self.name().trim_ascii_start().split(|byte| !byte.is_ascii_alphabetic()).next();
        let is_answer =
            word.is_none_or(|word| word.is_empty() || word.eq_ignore_ascii_case(ANSWER.as_bytes()));
        if is_answer { Channel::Answer } else { Channel::Aside(Thinking::in_channel()) }
    }
}

/// What stands in a channel, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Channel {
    /// Its name is not whole yet.
    Going,
    /// What is there to be read.
    Answer,
    /// What the model says to itself, or to a tool.
    Aside(Thinking),
}

/// A mark in brackets of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bracket {
    mark: Mark,
    closes: bool,
    /// How many of its bytes were read.
    read: usize,
}

impl Bracket {
    /// The one that begins with this byte, the byte being read.
    pub(super) fn opening(byte: u8) -> Option<Self> {
        let mark = match byte {
            b'[' => Mark::Square,
            0xe2 => Mark::Triangle,
            _ => return None,
        };
        Some(Self { mark, closes: false, read: 1 })
    }

    /// The one that ends what began with such a mark. Nothing of it is read.
    pub(super) fn closing(mark: Mark) -> Self {
        Self { mark, closes: true, read: 0 }
    }

    fn text(self) -> &'static [u8] {
        match (self.mark, self.closes) {
            (Mark::Triangle, false) => "◁think▷".as_bytes(),
            (Mark::Triangle, true) => "◁/think▷".as_bytes(),
            (Mark::Square | Mark::Tag | Mark::Token | Mark::Channel, false) => b"[think]",
            (Mark::Square | Mark::Tag | Mark::Token | Mark::Channel, true) => b"[/think]",
        }
    }

    /// Adds a byte: none while it may still be this mark, else whether it is.
    pub(super) fn push(&mut self, byte: u8) -> Option<bool> {
        let text = self.text();
        if text.get(self.read).is_some_and(|wanted| wanted.eq_ignore_ascii_case(&byte)) {
            self.read += 1;
            return (self.read == text.len()).then_some(true);
        }
        self.read = usize::from(self.closes && text.first() == Some(&byte));
        Some(false)
    }

    pub(super) fn thinking(self) -> Thinking {
        Thinking::within(self.mark)
    }
}
