//! The metrics of the content pipeline: how runs end, after how many rounds, and which critics were not there.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use jury_core::content::{ContentEvent, ContentStatus};
use jury_core::id::RunId;
use jury_core::outcome::FailedCause;
use jury_core::run::OutcomeWord as _;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

/// A recipe may ask for ten, and a person's draft begins anew.
const ROUNDS: [f64; 9] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0, 20.0];

/// How many runs are remembered. Those beyond it, the oldest first, are counted with the rounds that come later.
const MOST_RUNS: usize = 10_000;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OutcomeLabels {
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CauseLabels {
    cause: &'static str,
}

/// The counters of content runs.
#[derive(Debug)]
pub(super) struct ContentMetrics {
    runs: Family<OutcomeLabels, Counter>,
    rounds: Histogram,
    absent: Family<CauseLabels, Counter>,
    /// The rounds of the runs that have not ended.
    going: Mutex<BTreeMap<RunId, u32>>,
}

impl ContentMetrics {
    pub(super) fn new() -> Self {
        Self {
            runs: Family::default(),
            rounds: Histogram::new(ROUNDS),
            absent: Family::default(),
            going: Mutex::default(),
        }
    }

    /// Gives every metric its name, under the prefix of ours.
    pub(super) fn register(&self, ours: &mut Registry) {
        ours.register("content_runs", "Runs of the content pipeline that ended, by how", self.runs.clone());
        ours.register(
            "content_rounds",
            "How many rounds the runs of the content pipeline had that ended",
            self.rounds.clone(),
        );
        ours.register(
            "content_critics_absent",
            "Critics of the content pipeline who did not answer in a round, by why",
            self.absent.clone(),
        );
    }

    /// Takes an event over.
    pub(super) fn observe(&self, run: RunId, event: &ContentEvent) {
        let mut going = self.going.lock().unwrap_or_else(PoisonError::into_inner);
        if let ContentEvent::Queued(_) | ContentEvent::RunStarted(_) = event {
            self.foresee();
        } else if let ContentEvent::Decided(decided) = event {
            if !going.contains_key(&run) && going.len() >= MOST_RUNS {
                going.pop_first();
            }
            going.insert(run, decided.round.0);
        } else if let ContentEvent::CriticAbsent(absent) = event {
            self.absent.get_or_create(&CauseLabels { cause: absent.cause.as_str() }).inc();
        } else if let Some(standing) = event.terminal() {
            self.runs.get_or_create(&OutcomeLabels { outcome: standing.as_str() }).inc();
            self.rounds.observe(f64::from(going.remove(&run).unwrap_or_default()));
        }
    }

    /// Begins the counters of what may become of a run at zero, so that an alert on their growth sees the first one.
    fn foresee(&self) {
        for standing in ContentStatus::ALL.iter().filter(|standing| standing.is_end()) {
            self.runs.get_or_create(&OutcomeLabels { outcome: standing.as_str() }).inc_by(0);
        }
        for cause in FailedCause::ALL {
            self.absent.get_or_create(&CauseLabels { cause: cause.as_str() }).inc_by(0);
        }
    }
}
