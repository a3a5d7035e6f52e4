//! The clock of a run: what its limits count, and when they have passed.
//!
//! The limits of a round and of the run bound the panel, not the copying of pages: unless they were set, the time in which
//! an artifact keeps arriving does not count. What bounds everything is the hard cap.

use crate::outcome::TimeoutCause;
use crate::protocol::Part;
use crate::settings::{CritiqueConfig, TimeoutClock, named};
use crate::unit::Millis;

/// The longest pause between two pieces of a page that still counts as one page arriving.
const LONGEST_PAUSE: Millis = Millis(20_000);

/// The limits of a run, as moments of it.
#[derive(Debug)]
pub(super) struct Clock {
    round_limit: Limit,
    total_limit: Limit,
    run_limit: Millis,
    /// When the round under way, or the single pass, must be over.
    round: Option<Millis>,
    /// When the panel must be.
    total: Millis,
    /// When everything must be.
    run: Millis,
    /// When the last piece came of a page that is not whole yet.
    page: Option<Millis>,
}

/// How much time there is, and what of it counts.
#[derive(Debug, Clone, Copy)]
struct Limit {
    time: Millis,
    counts: TimeoutClock,
}

/// A limit that has passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Passed {
    Round(Millis),
    Total(Millis),
    Run(Millis),
}

impl Clock {
    /// A clock that stands still until the start.
    pub(super) fn new(config: &CritiqueConfig) -> Self {
        Self {
            round_limit: Limit { time: config.per_round_timeout_ms, counts: config.round_clock },
            total_limit: Limit { time: config.total_timeout_ms, counts: config.total_clock },
            run_limit: config.run_timeout_ms,
            round: None,
            total: Millis(u64::MAX),
            run: Millis(u64::MAX),
            page: None,
        }
    }

    pub(super) fn start(&mut self, now: Millis) {
        self.total = now.after(self.total_limit.time);
        self.run = now.after(self.run_limit);
    }

    pub(super) fn open_round(&mut self, now: Millis) {
        self.round = Some(now.after(self.round_limit.time));
    }

    pub(super) fn close_round(&mut self) {
        self.round = None;
    }

    /// The agent takes back what it has said.
    pub(super) fn restart(&mut self) {
        self.round = None;
        self.page = None;
    }

    /// The single pass has the time of one round. What is left of the panel's time does not matter: without a page it was
    /// all for nothing.
    pub(super) fn begin_pass(&mut self, now: Millis) {
        self.open_round(now);
        self.total = Millis(u64::MAX);
        self.page = None;
    }

    /// A piece of the answer is there. If it goes on with a page, the time since the piece before it does not count.
    pub(super) fn heard(&mut self, now: Millis) {
        let Some(last) = self.page.replace(now) else {
            self.page = None;
            return;
        };
        let pause = Millis(now.0.saturating_sub(last.0));
        if pause > LONGEST_PAUSE {
            return;
        }
        if self.round_limit.counts == TimeoutClock::Panel {
            self.round = self.round.map(|round| round.after(pause));
        }
        if self.total_limit.counts == TimeoutClock::Panel {
            self.total = self.total.after(pause);
        }
    }

    /// What the agent is in the middle of, behind the piece that was heard just now.
    pub(super) fn amid(&mut self, part: Part, now: Millis) {
        self.page = match part {
            Part::Page => Some(now),
            Part::Review => None,
        };
    }

    /// When to look at the clock again.
    pub(super) fn next(&self) -> Millis {
        let total = self.moment(self.total, self.total_limit).min(self.run);
        self.round.map_or(total, |round| self.moment(round, self.round_limit).min(total))
    }

    /// The limit that has passed; of several, the widest.
    pub(super) fn passed(&self, now: Millis) -> Option<Passed> {
        if now >= self.run {
            Some(Passed::Run(self.run_limit))
        } else if now >= self.moment(self.total, self.total_limit) {
            Some(Passed::Total(self.total_limit.time))
        } else if self.round.is_some_and(|round| now >= self.moment(round, self.round_limit)) {
            Some(Passed::Round(self.round_limit.time))
        } else {
            None
        }
    }

    /// When a limit passes. In the middle of a page it does not before the pause is too long.
    fn moment(&self, deadline: Millis, limit: Limit) -> Millis {
        match (limit.counts, self.page) {
            (TimeoutClock::Panel, Some(last)) => deadline.max(last.after(LONGEST_PAUSE).after(Millis(1))),
            (TimeoutClock::Panel, None) | (TimeoutClock::Wall, _) => deadline,
        }
    }
}

impl Passed {
    pub(super) fn cause(self) -> TimeoutCause {
        match self {
            Self::Round(_) => TimeoutCause::RoundTimeout,
            Self::Total(_) | Self::Run(_) => TimeoutCause::TotalTimeout,
        }
    }

    /// How long it may have taken, and what says so.
    pub(super) fn bound(self) -> String {
        let (limit, name) = match self {
            Self::Round(limit) => (limit, "OD_CRITIQUE_ROUND_TIMEOUT_MS"),
            Self::Total(limit) => (limit, "OD_CRITIQUE_TOTAL_TIMEOUT_MS"),
            Self::Run(limit) => (limit, "JURY_RUN_TIMEOUT_MS"),
        };
        format!("longer than {limit} {}", named(name))
    }
}
