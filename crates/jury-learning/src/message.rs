//! Lines that commands print and scripts look for. The words that they look for are held by tests; the rest is ours.

use jiff::Timestamp;
use jury_core::judge::moment;
use jury_core::judge::number::{rate, rounded};

use crate::feedback::FeedbackLine;
use crate::pattern::is_infra;
use crate::refine::Candidate;
use crate::registry::PatternEntry;

/// Nothing was ever scored.
pub const NO_SCORES: &str = "No template-scores.json found: score templates first";
/// Every template is good enough, or too new.
pub const NOTHING_TO_REFINE: &str = "No templates need refinement";
/// No test goes on.
pub const NO_ACTIVE_TESTS: &str = "No active A/B tests";
/// There never was one.
pub const NO_TESTS: &str = "No A/B tests";
/// No run ever showed one.
pub const NO_PATTERNS: &str = "No patterns recorded";

/// A record without a name.
pub fn missing_bead(file: &str) -> String {
    format!("Error: missing bead in run record: {file}")
}

/// What came of a folder of records.
pub fn processed(collected: u64, running: u64, errors: u64) -> String {
    format!("{collected} processed, {running} still running, {errors} with errors")
}

/// What would be done, and is not.
pub fn would_refine(candidate: &Candidate, dry_run: bool) -> String {
    let triggers: Vec<&str> = candidate.triggers.iter().map(|trigger| trigger.as_str()).collect();
    format!(
        "{}Would refine {} ({}): {}% of {} pass",
        if dry_run { "[dry-run] " } else { "" },
        candidate.template,
        triggers.join(", "),
        percent(candidate.full_pass_rate),
        jury_core::line::counted(candidate.total_runs, "run", "runs")
    )
}

/// A template without its file.
pub fn template_not_found(template: &str, file: &str) -> String {
    format!("{template}: {file} not found, skipped")
}

/// One line of the list of patterns.
pub fn pattern_line(name: &str, entry: &PatternEntry) -> String {
    let infra = if is_infra(name) { "  (infra: excluded from template scoring)" } else { "" };
    format!("{:>6}  {name}{infra}", entry.count)
}

/// Whether a mitigation helps: how many of the runs since then still show the pattern.
pub fn effectiveness(name: &str, entry: &PatternEntry, since: &Since) -> String {
    let (Some(mitigation), Some(_)) = (&entry.mitigation, since.from) else {
        return format!("{name}: no mitigation recorded");
    };
    let Since { all, shown, .. } = *since;
    if all == 0 {
        return format!("{name}: no runs since the mitigation ({mitigation})");
    }
    let runs = jury_core::line::counted(all, "run", "runs");
    format!("{name}: {}% of {runs} since the mitigation ({mitigation})", percent(rate(shown, all)))
}

/// The runs since something was done against a pattern: counted one by one, because there may be many.
#[derive(Debug)]
pub struct Since {
    pattern: String,
    from: Option<Timestamp>,
    all: u64,
    shown: u64,
}

impl Since {
    /// Since the entry of this pattern says that something was done.
    pub fn new(pattern: &str, entry: &PatternEntry) -> Self {
        let from = entry.mitigated_at.as_deref().and_then(moment);
        Self { pattern: pattern.to_owned(), from, all: 0, shown: 0 }
    }

    /// One more run, if it ended since then.
    pub fn see(&mut self, run: &FeedbackLine) {
        if self.from.is_some_and(|from| run.at.is_some_and(|at| at >= from)) {
            self.all += 1;
            self.shown += u64::from(run.failure_patterns.contains(&self.pattern));
        }
    }
}

fn percent(part: f64) -> f64 {
    rounded(part * 100.0, 1)
}
