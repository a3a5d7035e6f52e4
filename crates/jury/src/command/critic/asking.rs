//! Says who is being asked, and for how long: an agent may think for minutes, and the log is silent meanwhile.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use jury_core::critic::{CriticEvent, CriticRequest, Needs};
use jury_core::record::Record;
use jury_core::unit::Round;
use jury_core::workflow::WorkflowEvent as _;
use jury_engine::CriticCast;

use crate::output::Output;
use crate::render::critic::counted;

/// What the agent of a run is doing.
pub(super) struct Asking {
    output: Output,
    /// Who is asked.
    agent: String,
    /// How many criteria take an opinion.
    criteria: usize,
    now: Arc<Mutex<Now>>,
}

/// Where the run is.
#[derive(Debug, Clone, Default)]
struct Now {
    pass: Option<Round>,
    /// Whether the pass has its verdicts, so that what is asked for next is a fix.
    judged: bool,
    /// How often somebody was asked for the same thing.
    asked: u32,
    /// What is waited for, and since when.
    waits: Option<(String, Instant)>,
}

impl Asking {
    /// Of a run that is in this pass, if it is taken up again.
    pub(super) fn new(request: &CriticRequest, pass: Option<Round>, output: Output) -> Self {
        let criteria = request.set.criteria.iter().filter(|own| own.needs == Needs::Opinion).count();
        let agent = request.agent.as_ref().map_or_else(String::new, ToString::to_string);
        // A run that is taken up again has its verdicts: it begins with a fix or with a new pass.
        let now = Now { pass, judged: true, ..Now::default() };
        Self { output, agent, criteria, now: Arc::new(Mutex::new(now)) }
    }

    /// The same cast, which says so when it asks.
    pub(super) fn announced(&self, cast: CriticCast) -> CriticCast {
        let (output, agent, criteria, shared) =
            (self.output, self.agent.clone(), self.criteria, Arc::clone(&self.now));
        let agent = cast.agent.map(|give| -> jury_engine::AskWith {
            Arc::new(move |prompt| {
                let mut now = shared.lock().unwrap_or_else(PoisonError::into_inner);
                now.asked += 1;
                let again = if now.asked > 1 { ", again" } else { "" };
                let pass = now.pass.map_or_else(String::new, |pass| format!("pass {pass}"));
                let place = format!("{pass}{again}");
                let place = place.trim_start_matches(", ");
                let place = if place.is_empty() { String::new() } else { format!(" ({place})") };
                let what = if now.judged {
                    format!("asking {agent} for a fix{place}")
                } else {
                    format!("asking {agent} about {}{place}", counted(criteria, "criterion", "criteria"))
                };
                output.transient("");
                output.progress(&format!("  {what}"));
                now.waits = Some((what, Instant::now()));
                give(prompt)
            })
        });
        CriticCast { agent, ..cast }
    }

    /// Follows the run.
    pub(super) fn see(&self, records: &[Record]) {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        for record in records {
            let Some(event) = CriticEvent::of(&record.event) else { continue };
            if let CriticEvent::PassStarted(started) = event {
                *now = Now { pass: Some(started.pass), ..Now::default() };
            } else if matches!(event, CriticEvent::Adversarial(_)) {
                *now = Now { pass: now.pass, judged: true, ..Now::default() };
            } else if !matches!(event, CriticEvent::Agent(_)) {
                // What an agent says about itself while it thinks is no answer.
                now.waits = None;
            }
        }
    }

    /// Shows on a terminal how long it has taken so far. It has no end of its own.
    pub(super) async fn clock(&self) {
        if !self.output.is_live() {
            std::future::pending::<()>().await;
        }
        loop {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let waits = self.now.lock().unwrap_or_else(PoisonError::into_inner).waits.clone();
            if let Some((what, since)) = waits {
                self.output.transient(&format!("  {what} … {} s", since.elapsed().as_secs()));
            }
        }
    }
}
