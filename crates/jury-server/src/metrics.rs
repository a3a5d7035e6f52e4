//! The metrics: counters and distributions folded from the log, and a few gauges that others set.
//!
//! [`Metrics`] is a value that is shared: one task gives it every record in the order of the log
//! ([`Metrics::observe`]), handlers set the gauges, and a scrape gets [`Metrics::render`] with
//! [`CONTENT_TYPE`]. There is no global registry. What each metric means is in `docs/observability.md`.

mod content;
mod fold;
mod label;

use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};

use jury_core::content::ContentEvent;
use jury_core::event::TheaterEvent;
use jury_core::outcome::{DegradedReason, FailedCause, RecoveryReason, TheaterStatus, TimeoutCause};
use jury_core::record::Record;
use jury_core::run::Outcome;
use jury_core::score::Composite;
use jury_core::unit::Millis;
use jury_core::workflow::{Workflow, WorkflowEvent as _};
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;

use content::ContentMetrics;
use fold::{Fold, Run};
use label::{
    AdapterLabels, BuildLabels, CompositeLabels, DegradedLabels, DurationLabels, EvidenceLabels,
    MustFixLabels, Name, OTHER, Origin, OutcomeLabels, ParserErrorLabels, ProtocolLabels, RoundLabels,
    RunLabels,
};

/// What [`Metrics::render`] returns, for the header.
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// How many series of must-fixes there can be: models name dimensions as they like.
const MOST_MUST_FIX_SERIES: usize = 5_000;

/// Metrics put composites on this scale, whatever the scale of a run.
const SCALE: f64 = 10.0;

/// Fine where the bar usually is.
const COMPOSITES: [f64; 18] =
    [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 6.5, 7.0, 7.25, 7.5, 7.75, 8.0, 8.25, 8.5, 8.75, 9.0, 9.5, 10.0];

/// From a measured panel, which takes milliseconds, to a model that thinks for minutes.
const DURATIONS: [f64; 17] =
    [10.0, 50.0, 100.0, 250.0, 500.0, 1e3, 2.5e3, 5e3, 1e4, 1.5e4, 3e4, 4.5e4, 6e4, 9e4, 1.2e5, 2.4e5, 6e5];

/// From append to viewer: a human sees no difference below a tenth of a second.
const LAGS: [f64; 12] = [1.0, 2.0, 5.0, 10.0, 25.0, 50.0, 100.0, 250.0, 500.0, 1e3, 5e3, 3e4];

type Histograms<Labels> = Family<Labels, Histogram, fn() -> Histogram>;

/// All metrics of a process.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    fold: Mutex<Fold>,
    runs: Family<RunLabels, Counter>,
    rounds: Family<Origin, Counter>,
    round_duration: Histograms<RoundLabels>,
    composite: Histograms<CompositeLabels>,
    must_fix: Family<MustFixLabels, Counter>,
    degraded: Family<DegradedLabels, Counter>,
    interrupted: Family<AdapterLabels, Counter>,
    parser_errors: Family<ParserErrorLabels, Counter>,
    evidence: Family<EvidenceLabels, Counter>,
    honesty: Family<AdapterLabels, Gauge<f64, AtomicU64>>,
    protocol: Family<ProtocolLabels, Gauge>,
    run_duration: Histograms<DurationLabels>,
    runs_ended: Family<OutcomeLabels, Counter>,
    queue_depth: Gauge,
    runs_running: Gauge,
    sse_clients: Gauge,
    event_lag: Histogram,
    content: ContentMetrics,
}

impl Metrics {
    /// Metrics with nothing counted yet.
    pub fn new() -> Self {
        let metrics = Self {
            registry: Registry::default(),
            fold: Mutex::default(),
            runs: Family::default(),
            rounds: Family::default(),
            round_duration: Family::new_with_constructor(|| Histogram::new(DURATIONS)),
            composite: Family::new_with_constructor(|| Histogram::new(COMPOSITES)),
            must_fix: Family::default(),
            degraded: Family::default(),
            interrupted: Family::default(),
            parser_errors: Family::default(),
            evidence: Family::default(),
            honesty: Family::default(),
            protocol: Family::default(),
            run_duration: Family::new_with_constructor(|| Histogram::new(DURATIONS)),
            runs_ended: Family::default(),
            queue_depth: Gauge::default(),
            runs_running: Gauge::default(),
            sse_clients: Gauge::default(),
            event_lag: Histogram::new(LAGS),
            content: ContentMetrics::new(),
        };
        metrics.registered()
    }

    /// Gives every metric its name. A counter gets `_total`, an info `_info`.
    fn registered(mut self) -> Self {
        let critique = self.registry.sub_registry_with_prefix("open_design_critique");
        critique.register("runs", "Runs that ended, by how they ended", self.runs.clone());
        critique.register("rounds", "Closed rounds of the runs that ended", self.rounds.clone());
        critique.register(
            "round_duration_ms",
            "From the first panelist of a round to its end, in milliseconds",
            self.round_duration.clone(),
        );
        critique.register(
            "composite_score",
            "The composite that a run ended with, on a scale of 10",
            self.composite.clone(),
        );
        critique.register(
            "must_fix",
            "Must-fixes, by panelist and the weakest dimension of its review",
            self.must_fix.clone(),
        );
        critique.register("degraded", "Runs without a review as promised, by reason", self.degraded.clone());
        critique.register("interrupted", "Runs that a person stopped", self.interrupted.clone());
        critique.register(
            "parser_errors",
            "Trouble with transcripts, recovered from or not, by kind",
            self.parser_errors.clone(),
        );
        critique.register(
            "protocol_version",
            "Runs in progress, by the version of the protocol that they speak",
            self.protocol.clone(),
        );
        let ours = self.registry.sub_registry_with_prefix("jury");
        ours.register(
            "run_duration_ms",
            "From the start of a run to its end, in milliseconds",
            self.run_duration.clone(),
        );
        ours.register(
            "evidence",
            "Claims of the panel beside what was measured, by how they stand",
            self.evidence.clone(),
        );
        ours.register(
            "honesty_ratio",
            "Of the claims that were checked, the share that was neither overrated nor contradicted",
            self.honesty.clone(),
        );
        for workflow in Workflow::ALL {
            for outcome in Outcome::ends(*workflow) {
                self.runs_ended.get_or_create(&OutcomeLabels::from(outcome)).inc_by(0);
            }
        }
        ours.register(
            "runs",
            "Runs of every workflow that ended, by how they ended and what that means for a gate",
            self.runs_ended.clone(),
        );
        ours.register("queue_depth", "Runs that wait for a worker", self.queue_depth.clone());
        ours.register("runs_running", "Runs that a worker owns", self.runs_running.clone());
        ours.register("sse_clients", "Open event streams", self.sse_clients.clone());
        ours.register(
            "event_lag_ms",
            "From the append of an event to its viewer, in milliseconds",
            self.event_lag.clone(),
        );
        self.content.register(ours);
        let build = Info::new(BuildLabels { version: env!("CARGO_PKG_VERSION") });
        ours.register("build", "The version that runs", build);
        self
    }

    /// Takes a record over. Each comes once, and those of a run come in order; a run whose beginning was not
    /// seen is counted as one of the agent `unknown`.
    pub fn observe(&self, record: &Record) {
        let Record { run_id, at, event, .. } = record;
        if let Some(outcome) = event.terminal() {
            self.runs_ended.get_or_create(&OutcomeLabels::from(outcome)).inc();
        }
        if let Some(event) = ContentEvent::of(event) {
            self.content.observe(*run_id, event);
        }
        let Some(event) = TheaterEvent::of(event) else { return };
        let mut fold = self.fold.lock().unwrap_or_else(PoisonError::into_inner);
        fold.apply(*run_id, *at, event);
        if let TheaterEvent::Queued(_) | TheaterEvent::RunStarted(_) = event {
            self.foresee(&fold.run(*run_id, event).origin);
        }
        if let TheaterEvent::ParserWarning(warning) = event {
            let adapter = fold.run(*run_id, event).origin.adapter.clone();
            self.parser_error(warning.kind.as_str(), adapter);
        }
        if let TheaterEvent::Evidence(evidence) = event {
            let adapter = fold.run(*run_id, event).origin.adapter.clone();
            let labels = EvidenceLabels { standing: evidence.standing.as_str(), adapter: adapter.clone() };
            self.evidence.get_or_create(&labels).inc();
            if let Some(share) = fold.honesty(&adapter, evidence) {
                self.honesty.get_or_create(&AdapterLabels { adapter }).set(share);
            }
        }
        if let Some(ending) = Ending::of(event) {
            let run = fold.ended(*run_id, event);
            self.ended_so(event, &run.origin.adapter);
            self.ended(&mut fold, &run, &ending, *at);
        }
    }

    /// Begins the counters of what may become of a run at zero. One that appears with its first event has not
    /// grown, and an alert on its growth would miss it.
    fn foresee(&self, Origin { adapter, skill }: &Origin) {
        let plain = [
            TheaterStatus::Shipped,
            TheaterStatus::BelowThreshold,
            TheaterStatus::Interrupted,
            TheaterStatus::Legacy,
        ];
        let endings = plain
            .map(|status| (status, ""))
            .into_iter()
            .chain(words(TheaterStatus::TimedOut, TimeoutCause::ALL, TimeoutCause::as_str))
            .chain(words(TheaterStatus::Interrupted, RecoveryReason::ALL, RecoveryReason::as_str))
            .chain(words(TheaterStatus::Degraded, DegradedReason::ALL, DegradedReason::as_str))
            .chain(words(TheaterStatus::Failed, FailedCause::ALL, FailedCause::as_str));
        for (status, cause) in endings {
            let (adapter, skill) = (adapter.clone(), skill.clone());
            self.runs.get_or_create(&RunLabels { status: status.as_str(), cause, adapter, skill }).inc_by(0);
        }
        for (_, reason) in words(TheaterStatus::Degraded, DegradedReason::ALL, DegradedReason::as_str) {
            self.degraded.get_or_create(&DegradedLabels { reason, adapter: adapter.clone() }).inc_by(0);
        }
        self.interrupted.get_or_create(&AdapterLabels { adapter: adapter.clone() }).inc_by(0);
    }

    fn parser_error(&self, kind: &'static str, adapter: Name) {
        self.parser_errors.get_or_create(&ParserErrorLabels { kind, adapter }).inc();
    }

    /// Counts what is particular to a way of ending.
    fn ended_so(&self, event: &TheaterEvent, adapter: &Name) {
        let adapter = adapter.clone();
        match event {
            TheaterEvent::Degraded(degraded) => {
                let reason = degraded.reason.as_str();
                if is_parser_error(degraded.reason) {
                    self.parser_error(reason, adapter.clone());
                }
                self.degraded.get_or_create(&DegradedLabels { reason, adapter }).inc();
            }
            // A program that went away says nothing about the patience of people.
            TheaterEvent::Interrupted(interrupted) if interrupted.recovery_reason.is_none() => {
                self.interrupted.get_or_create(&AdapterLabels { adapter }).inc();
            }
            TheaterEvent::Interrupted(_)
            | TheaterEvent::Ship(_)
            | TheaterEvent::Failed(_)
            | TheaterEvent::Queued(_)
            | TheaterEvent::RunStarted(_)
            | TheaterEvent::PanelistOpen(_)
            | TheaterEvent::PanelistDim(_)
            | TheaterEvent::PanelistMustFix(_)
            | TheaterEvent::PanelistClose(_)
            | TheaterEvent::Evidence(_)
            | TheaterEvent::RoundEnd(_)
            | TheaterEvent::Agent(_)
            | TheaterEvent::Lint(_)
            | TheaterEvent::Fallback(_)
            | TheaterEvent::ParserWarning(_) => {}
        }
    }

    /// Counts what every run has.
    fn ended(&self, fold: &mut Fold, run: &Run, ending: &Ending, at: Millis) {
        let Ending { status, cause, composite } = *ending;
        let Origin { adapter, skill } = run.origin.clone();
        let labels = RunLabels { status, cause, adapter: adapter.clone(), skill: skill.clone() };
        self.runs.get_or_create(&labels).inc();
        let labels = DurationLabels { status, cause, adapter: adapter.clone(), skill: skill.clone() };
        self.run_duration.get_or_create(&labels).observe(millis(at));
        let rounds = self.rounds.get_or_create_owned(&run.origin);
        for closed in &run.rounds {
            rounds.inc();
            let (adapter, skill) = (adapter.clone(), skill.clone());
            let decision = closed.decision.as_str();
            let labels = RoundLabels { adapter, skill, round: closed.round.0, decision };
            self.round_duration.get_or_create(&labels).observe(millis(closed.took));
        }
        let composite = composite.map(|composite| composite.0 * SCALE / run.scale.0);
        // One value that is no number would spoil the sum for good.
        if let Some(composite) = composite.filter(|composite| composite.is_finite()) {
            let decision = run.rounds.last().map_or("", |closed| closed.decision.as_str());
            let labels = CompositeLabels { decision, adapter: adapter.clone(), skill: skill.clone() };
            self.composite.get_or_create(&labels).observe(composite);
        }
        for ((role, dim), count) in &run.must_fix {
            let (panelist, dim) = (Name::new(role.as_str()), dim.clone());
            let mut labels = MustFixLabels { panelist, dim, adapter: adapter.clone(), skill: skill.clone() };
            if self.must_fix.get(&labels).is_none() {
                if fold.must_fix_series >= MOST_MUST_FIX_SERIES {
                    labels.dim = Name::new(OTHER);
                }
                fold.must_fix_series += 1;
            }
            self.must_fix.get_or_create(&labels).inc_by(*count);
        }
    }

    /// How many runs wait for a worker, and how many a worker owns.
    pub fn set_queue(&self, depth: usize, running: usize) {
        self.queue_depth.set(i64::try_from(depth).unwrap_or(i64::MAX));
        self.runs_running.set(i64::try_from(running).unwrap_or(i64::MAX));
    }

    /// Somebody opened an event stream. They count until the value is dropped.
    pub fn viewer(&self) -> Viewer {
        self.sse_clients.inc();
        Viewer { clients: self.sse_clients.clone(), lag: self.event_lag.clone() }
    }

    /// All metrics as OpenMetrics text, see [`CONTENT_TYPE`].
    pub fn render(&self) -> String {
        for (version, count) in self.fold.lock().unwrap_or_else(PoisonError::into_inner).versions() {
            self.protocol.get_or_create(&ProtocolLabels { version }).set(i64::from(count));
        }
        let mut text = String::new();
        // Writing to a string cannot fail, and half an answer would be one without its end mark.
        encode(&mut text, &self.registry).map_or_else(|_| String::new(), |()| text)
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

/// How a run ended.
struct Ending {
    status: &'static str,
    /// Why it ended so, where the status alone does not say it.
    cause: &'static str,
    /// Of the round that the run ended with.
    composite: Option<Composite>,
}

impl Ending {
    fn of(event: &TheaterEvent) -> Option<Self> {
        let status = event.terminal()?.as_str();
        let (cause, composite) = match event {
            TheaterEvent::Ship(ship) => (ship.cause.map(TimeoutCause::as_str), ship.composite),
            TheaterEvent::Degraded(degraded) => (Some(degraded.reason.as_str()), degraded.best.composite),
            TheaterEvent::Interrupted(interrupted) => {
                (interrupted.recovery_reason.map(RecoveryReason::as_str), interrupted.best.composite)
            }
            TheaterEvent::Failed(failed) => (Some(failed.cause.as_str()), failed.best.composite),
            TheaterEvent::Queued(_)
            | TheaterEvent::RunStarted(_)
            | TheaterEvent::PanelistOpen(_)
            | TheaterEvent::PanelistDim(_)
            | TheaterEvent::PanelistMustFix(_)
            | TheaterEvent::PanelistClose(_)
            | TheaterEvent::Evidence(_)
            | TheaterEvent::RoundEnd(_)
            | TheaterEvent::Agent(_)
            | TheaterEvent::Lint(_)
            | TheaterEvent::Fallback(_)
            | TheaterEvent::ParserWarning(_) => (None, None),
        };
        Some(Self { status, cause: cause.unwrap_or_default(), composite })
    }
}

/// Somebody who watches an event stream.
#[derive(Debug)]
pub struct Viewer {
    clients: Gauge,
    lag: Histogram,
}

impl Viewer {
    /// An event was written to the stream, this long after it was appended.
    pub fn saw(&self, lag: Millis) {
        self.lag.observe(millis(lag));
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        self.clients.dec();
    }
}

/// The causes of one way to end.
fn words<T: Copy>(
    status: TheaterStatus,
    causes: &'static [T],
    word: fn(T) -> &'static str,
) -> impl Iterator<Item = (TheaterStatus, &'static str)> {
    causes.iter().map(move |cause| (status, word(*cause)))
}

/// Whether it is the transcript that was at fault, and not who wrote it or who gave scores.
fn is_parser_error(reason: DegradedReason) -> bool {
    match reason {
        DegradedReason::MalformedBlock
        | DegradedReason::OversizeBlock
        | DegradedReason::MissingArtifact
        | DegradedReason::ProtocolVersionMismatch => true,
        DegradedReason::AdapterUnsupported | DegradedReason::QuorumMissed | DegradedReason::Unmeasured => {
            false
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "more claims than anybody can make")]
fn count(count: u64) -> f64 {
    count as f64
}

#[expect(clippy::cast_precision_loss, reason = "a duration of more than 285,000 years")]
fn millis(millis: Millis) -> f64 {
    millis.0 as f64
}
