//! The wire protocol: bytes of an agent's answer in, signals out.
//!
//! [`Parser`] is fed with pieces of any size and reports what closed (or opened) in them. The signals are
//! the same for every way of cutting the input. Time is linear in the input. Memory is the largest block
//! allowed for what is being read, as much again at worst for the text that is kept beside it, and a small
//! constant (text that is not UTF-8 takes more while it is repaired); bytes that are skipped are not copied.
//! Parsing does not fail, it reports: trouble that can be recovered from is a [`Signal::Warning`], and only
//! a [`Fault`] ends a stream.
//!
//! The parser finds `<CRITIQUE_RUN`, reads its version, and hands what follows to the parser of that version
//! ([`parsers`]). A second `<CRITIQUE_RUN` while one is open is a restart. [`gbnf`] is the way back: the answers
//! that parse without a flaw, as a grammar for servers that can hold a model to one.
//!
//! ```
//! use jury_core::protocol::{ParserLimits, Parser, Signal};
//!
//! let mut parser = Parser::new(ParserLimits::default());
//! let mut texts = Vec::new();
//! let mut sink = |signal: Signal<'_>| {
//!     if let Signal::MustFix { text, .. } = signal {
//!         texts.push(text.to_owned());
//!     }
//! };
//! for piece in [
//!     "Here you go: <CRITIQUE_RUN version=\"1\"><ROUND n=\"1\"><PANELIST role=\"cri",
//!     "tic\" score=\"6.4\"><MUST_FIX>Darken the bu",
//!     "tton.</MUST_FIX></PANELIST>",
//! ] {
//!     parser.feed(piece.as_bytes(), &mut sink).unwrap();
//! }
//! assert!(parser.finish().is_err(), "the answer was cut off");
//! assert_eq!(texts, ["Darken the button."]);
//! ```

mod attribute;
mod cdata;
mod element;
mod marks;
pub mod parsers;
mod restart;
mod seen;
mod signal;
mod tag;
mod text;
mod thinking;

pub use parsers::gbnf;
pub use seen::SeenPrinter;
pub use signal::{Body, Declared, Fault, Part, RoundClaim, Signal};
pub use thinking::without_thinking;

use element::{Element, Markup, NameBytes, Thinking};
use marks::{Bracket, Channel, MarkBytes, Token};
use parsers::{Step, Versioned};
use tag::{Progress, TagBuffer};
use thinking::ThinkingScanner;

use crate::outcome::DegradedReason;
use crate::role::{AddedSeatName, Role};
use crate::score::Scale;
use crate::seat::{MOST_SEATS, PlayedBy};
use crate::settings::CritiqueConfig;
use crate::unit::{Bytes, Offset};
use crate::warning::WarningKind;

/// What a parser needs to know of the settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParserLimits {
    /// The upper end of the scores.
    pub scale: Scale,
    /// The most bytes between an opening tag and its close.
    pub max_block: Bytes,
    /// The added seats that the agent plays. Every other role that is not of the fixed cast is unknown.
    pub seats: [Option<AddedSeatName>; MOST_SEATS],
}

impl ParserLimits {
    /// The limits that these settings ask for.
    pub fn of(config: &CritiqueConfig) -> Self {
        let mut played = config.seats.iter().filter(|seat| seat.played_by == PlayedBy::Agent);
        let seats = std::array::from_fn(|_| played.next().map(|seat| seat.name));
        Self { scale: config.score_scale, max_block: config.parser_max_block_bytes, seats }
    }

    /// The role that an agent names.
    pub(crate) fn role(&self, text: &str) -> Option<Role> {
        let text = text.trim();
        let mut seats = self.seats.iter().flatten();
        let seat = || seats.find(|seat| seat.as_str().eq_ignore_ascii_case(text)).copied().map(Role::Seat);
        text.parse().ok().or_else(seat)
    }
}

impl Default for ParserLimits {
    fn default() -> Self {
        Self::of(&CritiqueConfig::default())
    }
}

/// A streaming parser for an agent's answer.
#[derive(Debug)]
pub struct Parser {
    limits: ParserLimits,
    /// The offset of the next byte.
    offset: u64,
    state: State,
    /// Kept across runs so that a restart allocates nothing.
    tag: TagBuffer,
    fault: Option<Fault>,
    /// The run that is open has no version. Prose that mentions the tag looks like that.
    tentative: bool,
    /// What looked like a run was only mentioned, and this is how it showed.
    mentioned: Option<Fault>,
    /// A second run after the first is worth one warning.
    second_run_warned: bool,
}

#[derive(Debug)]
enum State {
    /// Outside a run, looking for `<`. After a run, for nothing that matters.
    Outside { after: bool },
    /// Behind a `<` outside a run.
    Name { after: bool, at: u64, bytes: NameBytes },
    /// Behind a `<|` before the run.
    Token(MarkBytes),
    /// In the name of a channel, before the run.
    Channel(MarkBytes),
    /// In a bracket before the run that may begin thinking.
    Bracket(Bracket),
    /// In words of the model to itself, before the run.
    Thinking { thinking: Thinking, scanner: ThinkingScanner },
    /// In a comment before the run, behind so many dashes. A run in it is not said.
    Comment { dashes: u8 },
    /// In the tag that opens a run, the first one or another one.
    Tag { at: u64, again: bool },
    /// Within the element of a run.
    Inside(Box<Versioned>),
}

impl Parser {
    /// A parser at the start of an answer.
    pub fn new(limits: ParserLimits) -> Self {
        Self {
            limits,
            offset: 0,
            state: State::Outside { after: false },
            tag: TagBuffer::default(),
            fault: None,
            tentative: false,
            mentioned: None,
            second_run_warned: false,
        }
    }

    /// Takes the next piece of the answer. After a fault it takes nothing and reports the fault again.
    pub fn feed(&mut self, input: &[u8], sink: &mut impl FnMut(Signal<'_>)) -> Result<(), Fault> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        self.run(input, sink).inspect_err(|fault| self.fault = Some(fault.clone()))
    }

    /// The agent took back what it has said so far, and says so outside its answer. A run that is open is
    /// dropped like one that is begun again; one that has closed stays.
    pub fn restart(&mut self, sink: &mut impl FnMut(Signal<'_>)) {
        let open = match &self.state {
            State::Inside(_) | State::Tag { .. } => true,
            State::Outside { .. }
            | State::Name { .. }
            | State::Token(_)
            | State::Channel(_)
            | State::Bracket(_)
            | State::Thinking { .. }
            | State::Comment { .. } => false,
        };
        if open && self.fault.is_none() {
            let position = Offset(self.offset);
            sink(Signal::Warning { kind: WarningKind::Restarted, position, role: None });
            self.state = State::Outside { after: false };
            self.tentative = false;
        }
    }

    /// What the agent is in the middle of, behind everything that was fed.
    pub fn amid(&self) -> Part {
        match &self.state {
            State::Inside(versioned) if self.fault.is_none() => versioned.amid(),
            State::Inside(_)
            | State::Outside { .. }
            | State::Name { .. }
            | State::Token(_)
            | State::Channel(_)
            | State::Bracket(_)
            | State::Thinking { .. }
            | State::Comment { .. }
            | State::Tag { .. } => Part::Review,
        }
    }

    /// Ends the answer. A run that is still open, or that never began, is a fault.
    pub fn finish(&mut self) -> Result<(), Fault> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let result = match &self.state {
            State::Outside { after: true } | State::Name { after: true, .. } => Ok(()),
            State::Outside { after: false }
            | State::Name { after: false, .. }
            | State::Token(_)
            | State::Channel(_)
            | State::Bracket(_) => {
                let nothing = || Fault::malformed("the answer has no <CRITIQUE_RUN>; it ends", self.offset);
                Err(self.mentioned.clone().unwrap_or_else(nothing))
            }
            State::Thinking { thinking, .. } => {
                let detail = format!("the answer ends inside <{}>", thinking.as_str());
                Err(Fault::malformed(detail, self.offset))
            }
            State::Comment { .. } => Err(Fault::malformed("the answer ends inside a comment", self.offset)),
            State::Tag { .. } => Err(Fault::malformed("the answer ends inside <CRITIQUE_RUN", self.offset)),
            State::Inside(versioned) => Err(versioned.cut_off(self.offset)),
        };
        result.inspect_err(|fault| self.fault = Some(fault.clone()))
    }

    fn run(&mut self, mut input: &[u8], sink: &mut impl FnMut(Signal<'_>)) -> Result<(), Fault> {
        while !input.is_empty() {
            let taken = match &mut self.state {
                State::Outside { after } => {
                    let after = *after;
                    self.outside(after, input)
                }
                State::Name { .. } => self.name(input, sink),
                State::Token(_) | State::Channel(_) | State::Bracket(_) => self.mark(input),
                State::Thinking { thinking, scanner } => {
                    let (taken, over) = scanner.scan(*thinking, input);
                    if over {
                        self.state = State::Outside { after: false };
                    }
                    taken
                }
                State::Comment { dashes } => {
                    let (taken, over) = skip_comment(dashes, input);
                    if over {
                        self.state = State::Outside { after: false };
                    }
                    taken
                }
                State::Tag { at, again } => {
                    let (at, again) = (*at, *again);
                    self.tag(at, again, input, sink)?
                }
                State::Inside(_) => self.inside(input, sink)?,
            };
            self.offset += taken as u64;
            input = &input[taken..];
        }
        Ok(())
    }

    /// Looks for what may begin a run, or thinking.
    fn outside(&mut self, after: bool, input: &[u8]) -> usize {
        let found =
            if after { memchr::memchr(b'<', input) } else { memchr::memchr3(b'<', b'[', 0xe2, input) };
        let Some(found) = found else { return input.len() };
        let byte = input.get(found).copied().unwrap_or_default();
        self.state = if let Some(bracket) = Bracket::opening(byte) {
            State::Bracket(bracket)
        } else {
            let at = self.offset + found as u64;
            State::Name { after, at, bytes: NameBytes::default() }
        };
        found + 1
    }

    /// Takes bytes of a mark that may begin thinking.
    fn mark(&mut self, input: &[u8]) -> usize {
        for (index, &byte) in input.iter().enumerate() {
            let (next, taken) = match &mut self.state {
                State::Bracket(bracket) => match bracket.push(byte) {
                    None => continue,
                    Some(true) => (Some(bracket.thinking()), index + 1),
                    Some(false) => (None, index),
                },
                State::Token(bytes) => match bytes.token(byte) {
                    Token::Going => continue,
                    Token::Channel => {
                        self.state = State::Channel(MarkBytes::default());
                        return index + 1;
                    }
                    Token::Think(thinking) => (Some(thinking), index + 1),
                    // The byte may itself be a `<`.
                    Token::Other | Token::Thought(_) | Token::ChannelEnd => (None, index),
                },
                State::Channel(bytes) => match bytes.channel(byte) {
                    Channel::Going => continue,
                    Channel::Answer => (None, index),
                    Channel::Aside(thinking) => (Some(thinking), index),
                },
                State::Outside { .. }
                | State::Name { .. }
                | State::Thinking { .. }
                | State::Comment { .. }
                | State::Tag { .. }
                | State::Inside(_) => return index,
            };
            self.state = match next {
                Some(thinking) => State::Thinking { thinking, scanner: ThinkingScanner::default() },
                None => State::Outside { after: false },
            };
            return taken;
        }
        input.len()
    }

    /// Hands bytes to the run that is open.
    fn inside(&mut self, input: &[u8], sink: &mut impl FnMut(Signal<'_>)) -> Result<usize, Fault> {
        let State::Inside(versioned) = &mut self.state else {
            return Ok(0);
        };
        let (taken, step) = match versioned.feed(input, self.offset, sink) {
            Ok(done) => done,
            Err(fault) => {
                let mention = self.tentative && fault.reason == DegradedReason::MalformedBlock;
                if !mention || versioned.has_closed_round() {
                    return Err(*fault);
                }
                let taken = versioned.broke_at().saturating_sub(self.offset);
                self.only_mentioned(*fault, sink);
                return Ok(usize::try_from(taken).unwrap_or(input.len()));
            }
        };
        match step {
            Step::Going => {}
            Step::Closed { at } => self.close(at, sink),
            Step::Restart { at, known } => {
                sink(restarted(at));
                self.tag.start(known);
                self.state = State::Tag { at, again: true };
            }
        }
        Ok(taken)
    }

    /// The run is closed, unless it was none.
    fn close(&mut self, at: u64, sink: &mut impl FnMut(Signal<'_>)) {
        let State::Inside(versioned) = &self.state else { return };
        if versioned.is_empty() {
            self.only_mentioned(Fault::malformed("<CRITIQUE_RUN> has nothing in it; it ends", at), sink);
        } else if versioned.is_echo() {
            let detail = "the answer only repeats the example of the prompt; it ends";
            self.only_mentioned(Fault::malformed(detail, at), sink);
        } else {
            sink(Signal::RunClosed { position: Offset(at) });
            self.state = State::Outside { after: true };
        }
    }

    /// Agents announce what they are going to write: "I will wrap it in `<CRITIQUE_RUN>…</CRITIQUE_RUN>`", and some say
    /// the prompt over first, with its example. A run that is empty or that is the example, and one without a version that
    /// breaks before a round closes, may have been that. It counts for nothing, and the answer is still to come; if it does
    /// not come, this is the fault.
    fn only_mentioned(&mut self, fault: Fault, sink: &mut impl FnMut(Signal<'_>)) {
        sink(Signal::Warning { kind: WarningKind::StrayText, position: fault.position, role: None });
        self.mentioned = Some(fault);
        self.state = State::Outside { after: false };
    }

    /// Looks at bytes behind a `<` outside a run, until it is clear whether they begin one.
    fn name(&mut self, input: &[u8], sink: &mut impl FnMut(Signal<'_>)) -> usize {
        let State::Name { after, at, bytes } = &mut self.state else {
            return 0;
        };
        let (after, at) = (*after, *at);
        for (index, &byte) in input.iter().enumerate() {
            if byte == b'|' && !after && bytes.as_slice().is_empty() {
                self.state = State::Token(MarkBytes::default());
                return index + 1;
            }
            match bytes.push(byte) {
                Markup::Unknown => {}
                Markup::Open(Element::CritiqueRun) if after => {
                    if !self.second_run_warned {
                        self.second_run_warned = true;
                        sink(Signal::Warning {
                            kind: WarningKind::SecondRun,
                            position: Offset(at),
                            role: None,
                        });
                    }
                    self.state = State::Outside { after };
                    return index;
                }
                Markup::Open(Element::CritiqueRun) => {
                    // The byte that ended the name belongs to the tag.
                    self.tag.start(Element::CritiqueRun.as_str().as_bytes());
                    self.state = State::Tag { at, again: false };
                    return index;
                }
                Markup::Think(thinking) if !after => {
                    self.state = State::Thinking { thinking, scanner: ThinkingScanner::default() };
                    return index + 1;
                }
                Markup::Comment if !after => {
                    self.state = State::Comment { dashes: 0 };
                    return index + 1;
                }
                Markup::Foreign
                | Markup::Comment
                | Markup::Cdata
                | Markup::Open(_)
                | Markup::Close(_)
                | Markup::Think(_)
                | Markup::Thought(_) => {
                    // The byte may itself be a `<`.
                    self.state = State::Outside { after };
                    return index;
                }
            }
        }
        input.len()
    }

    /// Takes bytes of the tag that opens a run.
    fn tag(
        &mut self,
        at: u64,
        again: bool,
        input: &[u8],
        sink: &mut impl FnMut(Signal<'_>),
    ) -> Result<usize, Fault> {
        let most = self.limits.max_block.0.min(tag::LONGEST_TAG_BYTES);
        let room = usize::try_from((at + most).saturating_sub(self.offset)).unwrap_or(usize::MAX);
        if room == 0 {
            return Err(Fault::oversize_tag("<CRITIQUE_RUN", most, self.limits.max_block.0, at));
        }
        let (taken, progress) = self.tag.take(&input[..input.len().min(room)]);
        match progress {
            Progress::Going => {}
            Progress::Whole => self.open(at, sink)?,
            Progress::Broken { by: Markup::Open(Element::CritiqueRun), length } => {
                let at = self.offset + taken as u64 - length;
                if again {
                    sink(restarted(at));
                }
                self.tag.start(Element::CritiqueRun.as_str().as_bytes());
                self.state = State::Tag { at, again };
            }
            Progress::Broken { by, .. } if again => {
                return Err(Fault::malformed(format!("<CRITIQUE_RUN is not closed before {by}"), at));
            }
            // Before the run anything may stand, a tag that is only mentioned among it.
            Progress::Broken { .. } => self.state = State::Outside { after: false },
        }
        Ok(taken)
    }

    /// The tag that opens a run is whole: choose the parser of its version.
    fn open(&mut self, at: u64, sink: &mut impl FnMut(Signal<'_>)) -> Result<(), Fault> {
        let attributes = self.tag.attributes();
        let version = attributes.get(attribute::VERSION);
        if self.mentioned.take().is_some() {
            sink(restarted(at));
        }
        self.tentative = version.is_none();
        let version = if let Some(text) = version.as_deref().map(str::trim) {
            text.parse().map_err(|_| mismatch(text, at))?
        } else {
            sink(Signal::Warning { kind: WarningKind::VersionMissing, position: Offset(at), role: None });
            1
        };
        let versioned =
            Versioned::of(version, self.limits).ok_or_else(|| mismatch(&version.to_string(), at))?;
        sink(Signal::RunOpened(Declared {
            version,
            max_rounds: attributes.number(attribute::MAX_ROUNDS),
            threshold: attributes.number(attribute::THRESHOLD),
            scale: attributes.get(attribute::SCALE).and_then(|text| upper_end(&text)),
            position: Offset(at),
        }));
        self.state = State::Inside(Box::new(versioned));
        if self.tag.is_self_closing() {
            self.close(at, sink);
        }
        Ok(())
    }
}

/// How many bytes of this piece belong to a comment, and whether it ends with them.
fn skip_comment(dashes: &mut u8, piece: &[u8]) -> (usize, bool) {
    for (index, &byte) in piece.iter().enumerate() {
        match byte {
            b'-' => *dashes = (*dashes + 1).min(2),
            b'>' if *dashes == 2 => return (index + 1, true),
            _ => *dashes = 0,
        }
    }
    (piece.len(), false)
}

fn restarted(at: u64) -> Signal<'static> {
    Signal::Warning { kind: WarningKind::Restarted, position: Offset(at), role: None }
}

/// The upper end of a scale as somebody writes it: the last number of `100`, `0-100` or `out of 100`.
fn upper_end(text: &str) -> Option<f64> {
    let numbers = text.split(|ch: char| !(ch.is_ascii_digit() || ch == '.'));
    numbers
        .filter_map(|number| number.trim_matches('.').parse::<f64>().ok())
        .rfind(|number| number.is_finite())
}

fn mismatch(version: &str, at: u64) -> Fault {
    // As much of it as a message can bear.
    let version: String = version.chars().take(20).collect();
    Fault {
        reason: DegradedReason::ProtocolVersionMismatch,
        detail: format!("the agent speaks version '{version}' of the protocol, this program version 1"),
        position: Offset(at),
    }
}
