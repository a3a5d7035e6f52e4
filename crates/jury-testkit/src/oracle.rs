//! What must hold for the parser, whatever the bytes and however they are cut.
//!
//! [`check`] is the one oracle of the property tests, the fuzz target and the replayed corpus.

use std::fmt::Write as _;

use jury_core::protocol::{Body, Fault, Parser, ParserLimits, Signal};
use jury_core::role::Role;
use jury_core::unit::{Bytes, Round};
use jury_core::warning::WarningKind;

use crate::cut::Cut;
use crate::random::TestRandom;

/// What a parser reported about an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observed {
    /// One line per signal, complete: two signals that differ have different lines.
    pub signals: String,
    /// What ended the stream, if it did not end well.
    pub fault: Option<Fault>,
}

/// Feeds the input to a parser, cut in this way.
pub fn observe(input: &[u8], limits: ParserLimits, cut: Cut) -> Observed {
    let mut signals = String::new();
    let fault = feed(input, limits, cut, &mut |signal| describe(&signal, &mut signals));
    Observed { signals, fault }
}

/// Feeds the input to a parser, cut in this way, and returns the fault that ended it.
pub fn feed(
    input: &[u8],
    limits: ParserLimits,
    cut: Cut,
    sink: &mut impl FnMut(Signal<'_>),
) -> Option<Fault> {
    let mut parser = Parser::new(limits);
    for piece in cut.pieces(input) {
        if let Err(fault) = parser.feed(piece, sink) {
            return Some(fault);
        }
    }
    parser.finish().err()
}

/// Adds the signal as a line, with its bytes readable.
fn describe(signal: &Signal<'_>, lines: &mut String) {
    // Writing to a string cannot fail.
    let _ = if let Signal::Artifact { round, mime, body } = signal {
        writeln!(lines, "Artifact {{ round: {round}, mime: {mime:?}, body: \"{}\" }}", body.escape_ascii())
    } else if let Signal::Shipped { round, composite, artifact, summary, position } = signal {
        let artifact = artifact.map(|Body { mime, bytes }| format!("{mime:?} \"{}\"", bytes.escape_ascii()));
        writeln!(lines, "Shipped {{ {round:?}, {composite:?}, {artifact:?}, {summary:?}, {position} }}")
    } else {
        writeln!(lines, "{signal:?}")
    };
}

/// Checks everything that must hold for any input. What is wrong, if something is.
pub fn check(input: &[u8]) -> Result<(), String> {
    // The second limit is so small that every kind of block outgrows it.
    for max_block in [ParserLimits::default().max_block, Bytes(200)] {
        let limits = ParserLimits { max_block, ..ParserLimits::default() };
        let whole = observe(input, limits, Cut::Whole);
        for cut in [Cut::Every(1), Cut::Random(TestRandom::of(input).number())] {
            let other = observe(input, limits, cut);
            if other != whole {
                return Err(difference(&whole, &other, cut));
            }
        }
        let mut rules = Rules::new(input, limits);
        let fault = feed(input, limits, Cut::Whole, &mut |signal| rules.look_at(&signal));
        rules.end(fault.as_ref())?;
    }
    ends_stay(input)
}

fn difference(whole: &Observed, other: &Observed, cut: Cut) -> String {
    let (mut one, mut two) = (whole.signals.lines(), other.signals.lines());
    let (mut at, mut pair) = (0, (one.next(), two.next()));
    while pair.0 == pair.1 && pair.0.is_some() {
        at += 1;
        pair = (one.next(), two.next());
    }
    format!(
        "cut as {cut:?} the signals differ from number {at} on:\n  whole: {:?}, then {:?}\n  cut:   {:?}, then {:?}",
        pair.0, whole.fault, pair.1, other.fault,
    )
}

/// An end is an end: whatever comes later, the parser says the same again and reports nothing.
fn ends_stay(input: &[u8]) -> Result<(), String> {
    let mut parser = Parser::new(ParserLimits::default());
    let fed = parser.feed(input, &mut |_| ());
    let first = parser.finish();
    if fed.is_err() && fed != first {
        return Err(format!("the fault changed from {fed:?} to {first:?}"));
    }
    if first.is_ok() {
        return Ok(());
    }
    let mut late = 0_u32;
    let again = parser.feed(b"<CRITIQUE_RUN version='1'></CRITIQUE_RUN>", &mut |_| late += 1);
    if again != first || parser.finish() != first || late > 0 {
        return Err(format!("after {first:?} came {again:?} and {late} signals"));
    }
    Ok(())
}

/// What must hold for the order and the content of the signals.
struct Rules {
    length: u64,
    limits: ParserLimits,
    trouble: Option<String>,
    run: Run,
    round: u32,
    round_open: bool,
    panelist: Option<(Round, Role)>,
    shipped: bool,
    second_runs: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Run {
    Before,
    Open,
    /// The agent began again; nothing but the opening of the new run may follow.
    Restarting,
    Closed,
}

impl Rules {
    fn new(input: &[u8], limits: ParserLimits) -> Self {
        Self {
            length: input.len() as u64,
            limits,
            trouble: None,
            run: Run::Before,
            round: 0,
            round_open: false,
            panelist: None,
            shipped: false,
            second_runs: 0,
        }
    }

    fn end(mut self, fault: Option<&Fault>) -> Result<(), String> {
        if let Some(fault) = fault {
            self.require(fault.position.0 <= self.length, || format!("{fault} lies behind the end"));
            self.require(fault.detail.len() <= 200, || "the detail of the fault is long".to_owned());
            self.text(&fault.detail);
        }
        let run = self.run;
        self.require((run == Run::Closed) == fault.is_none(), || format!("ended in {run:?} with {fault:?}"));
        self.trouble.map_or(Ok(()), Err)
    }

    fn require(&mut self, holds: bool, trouble: impl FnOnce() -> String) {
        if !holds && self.trouble.is_none() {
            self.trouble = Some(trouble());
        }
    }

    fn text(&mut self, text: &str) {
        self.require(!text.chars().any(char::is_control), || format!("control characters in {text:?}"));
        self.require(!text.contains("  "), || format!("white space is not folded in {text:?}"));
        let most = usize::try_from(self.limits.max_block.0 + 64).unwrap_or(usize::MAX);
        self.require(text.chars().count() <= most, || "a text is larger than a block".to_owned());
    }

    fn whose(&mut self, round: Round, role: Role, signal: &Signal<'_>) {
        self.require(self.panelist == Some((round, role)), || {
            format!("nobody of that name speaks: {signal:?}")
        });
    }

    fn look_at(&mut self, signal: &Signal<'_>) {
        let (run, round) = (self.run, self.round);
        let in_run = !matches!(
            signal,
            Signal::RunOpened(_)
                | Signal::Warning {
                    kind: WarningKind::SecondRun | WarningKind::VersionMissing | WarningKind::Restarted,
                    ..
                }
        );
        self.require(!in_run || run == Run::Open, || format!("in {run:?} came {signal:?}"));
        match *signal {
            Signal::RunOpened(declared) => {
                self.require(matches!(run, Run::Before | Run::Restarting), || format!("opened in {run:?}"));
                self.position(declared.position.0);
                let length = self.length;
                *self = Self { trouble: self.trouble.take(), run: Run::Open, ..Self::new(&[], self.limits) };
                self.length = length;
            }
            Signal::RoundOpened { round: opened, .. } => {
                self.require(opened.0 == round + 1 && !self.round_open, || {
                    format!("{signal:?} after {round}")
                });
                self.round = opened.0;
                self.round_open = true;
            }
            Signal::PanelistOpened { round: number, role, position } => {
                self.position(position.0);
                let free = self.panelist.is_none() && self.round_open && number.0 == round;
                self.require(free, || format!("out of place: {signal:?}"));
                self.panelist = Some((number, role));
            }
            Signal::Dimension { round, role, name, score, note } => {
                self.whose(round, role, signal);
                self.text(name);
                self.text(note);
                self.score(score.map(|score| score.0));
            }
            Signal::MustFix { round, role, text } => {
                self.whose(round, role, signal);
                self.text(text);
            }
            Signal::Artifact { round, mime, body } => {
                self.whose(round, Role::Designer, signal);
                self.text(mime);
                self.body(body);
            }
            Signal::PanelistClosed { round, role, score, notes, unwritten: _ } => {
                self.whose(round, role, signal);
                self.text(notes);
                self.score(score.map(|score| score.0));
                self.panelist = None;
            }
            Signal::RoundClosed { round: closed, reason, bytes, position, .. } => {
                let due = closed.0 == round && self.round_open && self.panelist.is_none();
                self.require(due, || format!("out of place: {signal:?}"));
                self.round_open = false;
                self.text(reason);
                self.position(position.0);
                self.require(bytes.0 <= position.0, || format!("more bytes than there are: {signal:?}"));
            }
            Signal::Shipped { artifact, summary, position, .. } => {
                self.require(!self.shipped && self.panelist.is_none(), || {
                    format!("out of place: {signal:?}")
                });
                self.shipped = true;
                self.text(summary);
                self.position(position.0);
                if let Some(Body { mime, bytes }) = artifact {
                    self.text(mime);
                    self.body(bytes);
                }
            }
            Signal::RunClosed { position } => {
                self.require(self.panelist.is_none() && !self.round_open, || "closed too early".to_owned());
                self.position(position.0);
                self.run = Run::Closed;
            }
            Signal::Warning { kind, position, .. } => {
                self.position(position.0);
                if kind == WarningKind::Restarted {
                    self.run = Run::Restarting;
                } else if kind == WarningKind::SecondRun {
                    self.second_runs += 1;
                    let once = self.second_runs == 1 && run == Run::Closed;
                    self.require(once, || format!("a second run in {run:?}"));
                }
            }
        }
    }

    fn position(&mut self, position: u64) {
        let length = self.length;
        self.require(position <= length, || format!("{position} lies behind the end, {length}"));
    }

    fn body(&mut self, body: &[u8]) {
        let most = self.limits.max_block.0;
        self.require(!body.is_empty() && body.len() as u64 <= most, || format!("a body of {}", body.len()));
    }

    fn score(&mut self, score: Option<f64>) {
        let scale = self.limits.scale.0;
        if let Some(score) = score {
            let usable = (0.0..=scale).contains(&score)
                && !score.is_sign_negative()
                && ((score * 10.0).round() - score * 10.0).abs() < 1e-6;
            self.require(usable, || format!("no score: {score}"));
        }
    }
}
