//! What a command lets through although it is open: the findings of a baseline, and those that a person waived.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::Path;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jury_core::finding::{Finding, FindingId};
use jury_core::report::{AppliedWaiver, Report};
use jury_core::run::OutcomeKind;
use jury_core::waiver::Waiver;
use serde::Deserialize;

use crate::cli::GateArgs;
use crate::clock;
use crate::command::check::baseline::Baseline;
use crate::output::Output;
use crate::refusal::Refusal;

/// A file of waivers.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    waiver: Vec<Waiver>,
}

/// The gate of one command.
#[derive(Debug)]
pub(crate) struct Gate {
    baseline: Option<Baseline>,
    /// Whether the baseline takes in what is found.
    updates: bool,
    waivers: Vec<Waiver>,
    today: Date,
}

impl Gate {
    /// Reads the files that are named.
    pub(crate) fn read(args: &GateArgs) -> Result<Self, Refusal> {
        let baseline = args.baseline.as_deref();
        let baseline = baseline.map(|place| Baseline::read(place, args.update_baseline)).transpose()?;
        let waivers = args.waivers.as_deref().map(waivers).transpose()?.unwrap_or_default();
        let today = clock::now()?.to_zoned(TimeZone::UTC).date();
        Ok(Self { baseline, updates: args.update_baseline, waivers, today })
    }

    /// One with waivers alone, for pages, which are compared with a baseline element by element.
    pub(crate) fn of_waivers(args: &GateArgs) -> Result<Self, Refusal> {
        Self::read(&GateArgs { waivers: args.waivers.clone(), ..GateArgs::default() })
    }

    /// One that lets nothing through.
    pub(crate) fn shut() -> Self {
        Self { baseline: None, updates: false, waivers: Vec::new(), today: Date::ZERO }
    }

    /// The review behind the gate. A baseline that takes in what was found has it before anybody is told.
    pub(crate) fn pass(&self, report: Report, output: Output) -> Result<Report, Refusal> {
        let raised = &report.held_back.findings;
        let took_place = match report.outcome {
            OutcomeKind::Passed | OutcomeKind::NotPassed => true,
            OutcomeKind::Inconclusive | OutcomeKind::Waiting | OutcomeKind::Interrupted => false,
        };
        let mut known = BTreeSet::<FindingId>::new();
        // What did not take place has found nothing, and nothing of it is known.
        if let Some(baseline) = self.baseline.as_ref().filter(|_| took_place) {
            match baseline.work(report.workflow, report.file.as_deref(), &report.title) {
                Some(work) if self.updates => {
                    output.progress(&baseline.accept(&work, raised)?);
                    known = raised.iter().map(|finding| finding.id.clone()).collect();
                }
                Some(work) => known = baseline.known(&work, raised),
                None => output.note("a work without a name of its own, such as stdin, is in no baseline"),
            }
        }
        Ok(report.gated(&known, &self.waivers, self.today))
    }

    /// The waiver of a finding on this page, one that holds before one that has ended.
    pub(crate) fn waiver_of(&self, finding: &Finding, path: &str) -> Option<AppliedWaiver> {
        let about = || self.waivers.iter().filter(|waiver| waiver.covers(finding, path));
        let holds = about().find(|waiver| !waiver.is_expired(self.today));
        holds.or_else(|| about().next()).map(|waiver| AppliedWaiver::of(waiver, finding, self.today))
    }
}

/// The most bytes of a file of waivers.
const MOST_BYTES: u64 = 4 * 1024 * 1024;

fn waivers(path: &Path) -> Result<Vec<Waiver>, Refusal> {
    let shown = path.display();
    let failed = |error| Refusal::usage(format!("cannot read the waivers {shown}: {error}"));
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(failed)?;
    file.take(MOST_BYTES + 1).read_to_string(&mut text).map_err(failed)?;
    if text.len() as u64 > MOST_BYTES {
        return Err(Refusal::usage(format!("the waivers {shown} have more than {MOST_BYTES} bytes")));
    }
    let file: File = toml::from_str(&text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line = 1 + before.matches('\n').count();
        Refusal::usage(format!("{shown} line {line}: {}; see 'jury run --help'", error.message()))
    })?;
    for (index, waiver) in file.waiver.iter().enumerate() {
        if let Some(problem) = waiver.problem() {
            return Err(Refusal::usage(format!("{shown}: waiver {}: {problem}", index + 1)));
        }
    }
    Ok(file.waiver)
}
