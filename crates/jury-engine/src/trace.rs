//! Spans: how long the parts of a run took, for whoever collects traces.
//!
//! A run is one span, `critic.run` or, as its specification has it, `critique.run` for the theater; everything below hangs
//! under it. Nothing is recorded unless the program installed a subscriber that wants it: without one a span costs the look
//! at one number. Spans are made for a piece of output, a round and an effect, never for a single signal.
//!
//! The workflow, and of a round its number, are in the name, which a span's own name cannot have, so it is given as
//! `otel.name`.

use std::collections::VecDeque;

use jury_core::event::{Event, TheaterEvent};
use jury_core::id::RunId;
use jury_core::protocol::Signal;
use jury_core::theater::{Theater, TheaterInput, TheaterOutbox, TheaterOutput};
use jury_core::unit::{Millis, Round};
use jury_core::warning::WarningKind;
use jury_core::workflow::WorkflowEvent;
use jury_store::RunRow;
use tracing::field::Empty;
use tracing::{Span, debug_span, info_span};

/// The word of every workflow for a run that could not be done.
const FAILED: &str = "failed";

/// The target of every span.
const TARGET: &str = "critique";

/// The spans of the runs of one workflow.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spans(&'static str);

impl Spans {
    pub(crate) fn of<E: WorkflowEvent>() -> Self {
        Self(E::SPANS)
    }

    /// The span of a whole run.
    pub(crate) fn run(self, run: RunId) -> Span {
        info_span!(
            target: TARGET, "run", otel.name = %format_args!("{}.run", self.0),
            run_id = %run, agent = Empty, project = Empty,
            status = Empty, composite = Empty, rounds = Empty, otel.status_code = Empty,
        )
    }

    /// One thing that the machine of a run wanted done.
    pub(crate) fn effect(self, what: &'static str) -> Span {
        debug_span!(target: TARGET, "effect", otel.name = %format_args!("{}.{what}", self.0))
    }

    /// What belongs to a round, written down: its draft, or its end.
    pub(crate) fn persist_round(self, round: Round, what: &'static str) -> Span {
        let name = format_args!("{}.persist_round", self.0);
        debug_span!(target: TARGET, "persist_round", otel.name = %name, round = round.0, what)
    }

    /// The end of a run, written down: the artifact, the row and the event.
    pub(crate) fn ship_persist(self) -> Span {
        info_span!(target: TARGET, "ship.persist", otel.name = %format_args!("{}.ship.persist", self.0))
    }

    /// The span for appending these events.
    pub(crate) fn append(self, events: &[(Millis, Event)]) -> Span {
        let closed = events.iter().rev().find_map(|(_, event)| {
            if let Some(TheaterEvent::RoundEnd(end)) = TheaterEvent::of(event) {
                Some(end.round)
            } else {
                None
            }
        });
        if events.iter().any(|(_, event)| event.terminal().is_some()) {
            self.ship_persist()
        } else {
            closed.map_or_else(Span::none, |round| self.persist_round(round, "end"))
        }
    }
}

/// Adds to the span of a run who did it, and how it ended.
pub(crate) fn ended(run: &Span, row: &RunRow) {
    run.record("agent", row.agent.as_str());
    run.record("project", row.project.as_str());
    run.record("rounds", row.summary.rounds);
    if let Some(composite) = row.summary.score {
        run.record("composite", composite.0);
    }
    if let Some(status) = row.summary.status {
        run.record("status", status.as_str());
        run.record("otel.status_code", if status.as_str() == FAILED { "ERROR" } else { "OK" });
    }
}

/// A piece of output, decoded and parsed.
pub(crate) fn parse_chunk(bytes: usize) -> Span {
    debug_span!(target: TARGET, "critique.parse_chunk", bytes)
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
    /// Rounds will be children of the span that is current when the run begins.
    pub(crate) fn new(theater: Theater) -> Self {
        Self { theater, run: Span::none(), round: Span::none(), next: VecDeque::new() }
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.theater.has_ended()
    }

    pub(crate) fn is_measuring(&self) -> bool {
        self.theater.is_measuring()
    }

    pub(crate) fn deadline(&self) -> Option<Millis> {
        self.theater.deadline()
    }

    pub(crate) fn handle(&mut self, input: TheaterInput<'_>, now: Millis, out: &mut TheaterOutbox) {
        if matches!(input, TheaterInput::Start) {
            self.run = Span::current();
        }
        if let TheaterInput::Signal(Signal::Warning { kind: WarningKind::Restarted, .. }) = &input {
            self.round = Span::none();
            self.next.clear();
        }
        if let TheaterInput::Signal(Signal::RoundOpened { round, .. }) = &input {
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
        let decided = if let TheaterInput::Signal(Signal::RoundClosed { round, .. }) = &input {
            Some(*round).filter(|round| self.theater.decides_at_once(*round))
        } else if let TheaterInput::Measured { .. } = &input {
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
    fn closed(&mut self, outputs: &[TheaterOutput]) {
        let ends = outputs.iter().filter_map(|output| match output {
            TheaterOutput::Event(TheaterEvent::RoundEnd(end)) => Some(end),
            TheaterOutput::Event(_) | TheaterOutput::Effect(_) => None,
        });
        for end in ends {
            let round = std::mem::replace(&mut self.round, self.next.pop_front().unwrap_or_else(Span::none));
            round.record("composite", end.composite.0);
            round.record("must_fix", end.must_fix);
            round.record("decision", end.decision.as_str());
        }
    }
}
