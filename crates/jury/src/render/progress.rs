//! A run as it happens: rounds, lanes, scores, must-fixes. Live and in replay alike.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use jury_core::event::{AgentNoteKind, TheaterEvent};
use jury_core::evidence::{Evidence, EvidenceKind};
use jury_core::finding::FindingState;
use jury_core::id::AdvisorId;
use jury_core::line::counted;
use jury_core::outcome::Decision;
use jury_core::record::Record;
use jury_core::role::Role;
use jury_core::score::{Score, Threshold};
use jury_core::unit::Round;
use jury_core::warning::WarningKind;
use jury_core::workflow::with_event;

use super::printable;
use crate::output::{Output, Tone};

/// An event that is shown as it comes.
pub(super) trait Shown {
    fn show(&self, progress: &mut Progress);
}

impl Shown for TheaterEvent {
    fn show(&self, progress: &mut Progress) {
        progress.theater(self);
    }
}

/// Shows records as they come.
#[derive(Debug)]
pub(crate) struct Progress {
    pub(super) output: Output,
    round: Option<Round>,
    threshold: Threshold,
    dimensions: Vec<(String, Option<Score>)>,
    must_fix: Vec<(String, FindingState)>,
    /// What the critics of a panel are called.
    pub(super) names: BTreeMap<AdvisorId, String>,
}

impl Progress {
    pub(crate) fn new(output: Output) -> Self {
        Self {
            output,
            round: None,
            threshold: Threshold(0.0),
            dimensions: Vec::new(),
            must_fix: Vec::new(),
            names: BTreeMap::new(),
        }
    }

    /// Shows what happened.
    pub(crate) fn show(&mut self, records: &[Record]) {
        for record in records {
            with_event!(&record.event, event => event.show(self));
        }
    }

    /// Leaves the terminal as it was found.
    pub(crate) fn end(&self) {
        self.output.transient("");
    }

    fn theater(&mut self, event: &TheaterEvent) {
        let output = self.output;
        match event {
            TheaterEvent::Queued(queued) => {
                let title = printable(&queued.title, 60);
                output.progress(&format!(
                    "{} {title}, by {}",
                    output.paint(Tone::Bold, "jury"),
                    queued.agent
                ));
            }
            TheaterEvent::RunStarted(started) => {
                self.threshold = started.threshold;
                output.progress(&format!(
                    "ships at {} of {} with no must-fix open, within {}",
                    started.threshold,
                    started.scale,
                    counted(started.max_rounds, "round", "rounds")
                ));
            }
            TheaterEvent::PanelistOpen(open) => {
                if self.round != Some(open.round) {
                    self.round = Some(open.round);
                    output.progress(&format!(
                        "\n{}",
                        output.paint(Tone::Bold, &format!("round {}", open.round))
                    ));
                }
                self.dimensions.clear();
                self.must_fix.clear();
                output.transient(&format!("  {:<9} …", open.role));
            }
            TheaterEvent::PanelistDim(dim) => {
                self.dimensions.push((dim.dim_name.clone(), dim.dim_score));
                output.transient(&format!("  {:<9} … {}", dim.role, printable(&dim.dim_name, 30)));
            }
            TheaterEvent::PanelistMustFix(must_fix) => {
                self.must_fix.push((must_fix.text.clone(), must_fix.state));
            }
            TheaterEvent::PanelistClose(close) => {
                output.transient("");
                self.lane(close.role, close.score, &close.notes);
            }
            TheaterEvent::RoundEnd(end) => {
                let tone = if end.decision == Decision::Ship { Tone::Good } else { Tone::Poor };
                let score = output.paint(tone, &format!("{:>4}", end.composite.to_string()));
                let must_fix = match end.must_fix {
                    0 => "no must-fix open".to_owned(),
                    count => format!("{count} must-fix open"),
                };
                output.progress(&format!("  {:<9} {score}  {must_fix}: {}", "composite", end.decision));
            }
            TheaterEvent::Evidence(evidence) => show_evidence(evidence, output),
            TheaterEvent::Agent(note) => {
                if output.is_verbose() || matches!(note.kind, AgentNoteKind::Error | AgentNoteKind::Tool) {
                    output.transient("");
                    output.progress(
                        &output.paint(Tone::Dim, &format!("  agent: {}", printable(&note.detail, 200))),
                    );
                }
            }
            TheaterEvent::Lint(lint) => {
                for finding in &lint.findings {
                    output.progress(&format!(
                        "  {} line {}: {}",
                        output.paint(Tone::Bad, "lint"),
                        finding.line,
                        printable(&finding.message, 200)
                    ));
                }
            }
            TheaterEvent::Fallback(fallback) => {
                output.transient("");
                output.progress(&format!(
                    "\n{} ({}): the agent is asked once, for a page that nobody reviews",
                    output.paint(Tone::Bad, "no panel"),
                    fallback.reason
                ));
            }
            // What was recovered from is of interest to whoever looks into the agent, not to whoever waits for
            // the verdict; a panel that agrees with itself is.
            TheaterEvent::ParserWarning(warning)
                if output.is_verbose() || warning.kind == WarningKind::WeakDebate =>
            {
                let role = warning.role.map(|role| format!(" of {role}")).unwrap_or_default();
                output.transient("");
                output.progress(&output.paint(
                    Tone::Dim,
                    &format!("  warning: {}{role} at byte {}", warning.kind, warning.position),
                ));
            }
            TheaterEvent::ParserWarning(_) => {}
            TheaterEvent::Ship(_)
            | TheaterEvent::Degraded(_)
            | TheaterEvent::Interrupted(_)
            | TheaterEvent::Failed(_) => {
                output.transient("");
            }
        }
    }

    fn lane(&self, role: Role, score: Option<Score>, notes: &str) {
        let output = self.output;
        let mut line = format!("  {role:<9} ");
        match score {
            Some(score) => {
                let tone = if score.0 >= self.threshold.0 { Tone::Good } else { Tone::Poor };
                line.push_str(&output.paint(tone, &format!("{score:>4}", score = score.to_string())));
            }
            None => line.push_str("   -"),
        }
        let dimensions: Vec<String> = self
            .dimensions
            .iter()
            .map(|(name, score)| {
                let mut text = printable(name, 30);
                if let Some(score) = score {
                    write!(text, " {score}").ok();
                }
                text
            })
            .collect();
        let detail = if dimensions.is_empty() { printable(notes, 200) } else { dimensions.join(", ") };
        if !detail.is_empty() {
            write!(line, "  {}", output.paint(Tone::Dim, &detail)).ok();
        }
        output.progress(&line);
        for (text, state) in &self.must_fix {
            let mark = match state {
                FindingState::Regressed => "back again:",
                FindingState::Open
                | FindingState::Fixed
                | FindingState::Refuted
                | FindingState::Deferred
                | FindingState::Escalated
                | FindingState::Known
                | FindingState::Waived
                | FindingState::Noted => "must fix:",
            };
            output.progress(&format!("      {} {}", output.paint(Tone::Bad, mark), printable(text, 200)));
        }
    }
}

/// What does not stand beside the measurement; everything, for whoever wants it.
fn show_evidence(evidence: &Evidence, output: Output) {
    let gap = evidence.kind == EvidenceKind::Measurement;
    if !evidence.standing.is_wrong() && !gap && !output.is_verbose() {
        return;
    }
    let mut line = match evidence.role {
        Some(role) => format!("{role} "),
        None => String::new(),
    };
    if let Some(dimension) = &evidence.dimension {
        write!(line, "{} ", printable(dimension, 30)).ok();
    }
    if evidence.kind == EvidenceKind::Loss {
        write!(line, "{}: {}", evidence.check, printable(&evidence.measured, 400)).ok();
    } else {
        write!(line, "{}: measured {}", evidence.check, printable(&evidence.measured, 160)).ok();
    }
    if let Some(bound) = evidence.bound.as_deref().filter(|_| evidence.kind != EvidenceKind::Score) {
        write!(line, ", needs {}", printable(bound, 40)).ok();
    }
    if let Some(place) = &evidence.place {
        write!(line, " at {}", printable(place, 60)).ok();
    }
    if let Some(number) = evidence.line {
        write!(line, " line {number}").ok();
    }
    match &evidence.claim {
        Some(claim) => write!(line, "; claimed {}", printable(claim, 80)).ok(),
        None if evidence.kind == EvidenceKind::Failure => write!(line, "; nobody asked for it").ok(),
        None => None,
    };
    let tone = if evidence.standing.is_wrong() || gap { Tone::Poor } else { Tone::Dim };
    let standing = if evidence.kind == EvidenceKind::Loss { "missing" } else { evidence.standing.as_str() };
    output.transient("");
    output.progress(&format!("  {} {line}", output.paint(tone, standing)));
}
