//! Spans: how long the parts of a run took, for whoever collects traces.
//!
//! A run is the span `critique.run`; everything below hangs under it. Nothing is recorded unless the program
//! installed a subscriber that wants it: without one a span costs the look at one number. Spans are made for a
//! piece of output and for a round, never for a single signal.
//!
//! Names are those of the specification. A round has its number in its name, which a span's own name cannot
//! have, so it is given as `otel.name`.

use std::collections::VecDeque;

use jury_core::event::{Event, TheaterEvent};
use jury_core::outcome::Status;
use jury_core::protocol::Signal;
use jury_core::theater::{Board, Input, Outbox, Output, Theater};
use jury_core::unit::{Millis, Round};
use jury_core::warning::WarningKind;
use tracing::field::Empty;
use tracing::{Span, debug_span, info_span};

use crate::Job;

/// The target of every span.
const TARGET: &str = "critique";

/// A whole run.
pub(crate) fn run(job: &Job) -> Span {
    info_span!(
        target: TARGET, "critique.run",
        run_id = %job.run, agent = job.subject.agent.as_str(), project = job.subject.project.as_str(),
        status = Empty, composite = Empty, rounds = Empty, otel.status_code = Empty,
    )
}

/// Adds to the span of a run how it ended.
pub(crate) fn ended(run: &Span, board: &Board) {
    run.record("rounds", board.closed_rounds().count());
    if let Some(composite) = board.ended.as_ref().and_then(TheaterEvent::composite) {
        run.record("composite", composite.0);
    }
    if let Some(status) = board.status() {
        run.record("status", status.as_str());
        run.record("otel.status_code", if status == Status::Failed { "ERROR" } else { "OK" });
    }
}

/// A piece of output, decoded and parsed.
pub(crate) fn parse_chunk(bytes: usize) -> Span {
    debug_span!(target: TARGET, "critique.parse_chunk", bytes)
}

/// What belongs to a round, written down: its draft, or its end.
pub(crate) fn persist_round(round: Round, what: &'static str) -> Span {
    debug_span!(target: TARGET, "critique.persist_round", round = round.0, what)
}

/// The end of a run, written down: the artifact, the row and the event.
pub(crate) fn ship_persist() -> Span {
    info_span!(target: TARGET, "critique.ship.persist")
}

/// The span for appending these events.
pub(crate) fn append(events: &[(Millis, Event)]) -> Span {
    let closed = events.iter().rev().find_map(|(_, event)| {
        if let Event::Theater(TheaterEvent::RoundEnd(end)) = event { Some(end.round) } else { None }
    });
    if events.iter().any(|(_, event)| event.terminal().is_some()) {
        ship_persist()
    } else {
        closed.map_or_else(Span::none, |round| persist_round(round, "end"))
    }
}

/// The machine, with a span for each round and each time that the rule is applied.
#[derive(Debug)]
pub(crate) struct Traced {
    theater: Theater,
    run: Span,
    round: Span,
    /// Rounds that began while the end of the one before waited for a measurement.
    next: VecDeque<Span>,
}

impl Traced {
    /// Rounds will be children of the span that is current now.
    pub(crate) fn new(theater: Theater) -> Self {
        Self { theater, run: Span::current(), round: Span::none(), next: VecDeque::new() }
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.theater.has_ended()
    }

    pub(crate) fn has_panel(&self) -> bool {
        self.theater.has_panel()
    }

    pub(crate) fn is_measuring(&self) -> bool {
        self.theater.is_measuring()
    }

    pub(crate) fn deadline(&self) -> Option<Millis> {
        self.theater.deadline()
    }

    pub(crate) fn handle(&mut self, input: Input<'_>, now: Millis, out: &mut Outbox) {
        if let Input::Signal(Signal::Warning { kind: WarningKind::Restarted, .. }) = &input {
            self.round = Span::none();
            self.next.clear();
        }
        if let Input::Signal(Signal::RoundOpened { round, .. }) = &input {
            let span = info_span!(
                target: TARGET, parent: &self.run, "critique.round",
                otel.name = %format_args!("critique.round.{round}"),
                round = round.0, composite = Empty, must_fix = Empty, decision = Empty,
            );
            if self.theater.is_measuring() {
                self.next.push_back(span);
            } else {
                self.round = span;
            }
        }
        let before = out.len();
        let decided = if let Input::Signal(Signal::RoundClosed { round, .. }) = &input {
            Some(*round).filter(|round| self.theater.decides_at_once(*round))
        } else if let Input::Measured { .. } = &input {
            self.theater.measuring()
        } else {
            None
        };
        if let Some(round) = decided {
            let parent = if self.round.is_none() { &self.run } else { &self.round };
            debug_span!(target: TARGET, parent: parent, "critique.scoreboard_eval", round = round.0)
                .in_scope(|| self.theater.handle(input, now, out));
        } else {
            self.theater.handle(input, now, out);
        }
        self.closed(&out[before..]);
        if !self.theater.has_panel() {
            self.round = Span::none();
        }
    }

    /// The round is over.
    fn closed(&mut self, outputs: &[Output]) {
        let ends = outputs.iter().filter_map(|output| match output {
            Output::Event(TheaterEvent::RoundEnd(end)) => Some(end),
            Output::Event(_) | Output::Effect(_) => None,
        });
        for end in ends {
            let round = std::mem::replace(&mut self.round, self.next.pop_front().unwrap_or_else(Span::none));
            round.record("composite", end.composite.0);
            round.record("must_fix", end.must_fix);
            round.record("decision", end.decision.as_str());
        }
    }
}
