//! `jury critic check`: what is wrong with a transcript, line by line.

use jury_core::critic::CriticState;
use jury_core::critic::format::{Rules, Violation, check_with};
use jury_core::finding::{Finding, FindingId, FindingState, Place};
use jury_core::line::spaced;
use jury_core::report::Report;
use jury_core::run::OutcomeKind;
use jury_core::severity::Severity;
use jury_core::unit::Bytes;
use jury_core::workflow::WorkflowState as _;
use serde_json::{Value, json};

use crate::cli::CheckArgs;
use crate::document::{self, Given};
use crate::gate::Gate;
use crate::output::{Output, Tone};
use crate::refusal::Refusal;
use crate::render::critic::counted;
use crate::render::{Printed, Told, print};

/// The largest transcript.
const LARGEST: Bytes = Bytes(16 * 1024 * 1024);

pub(super) fn check(args: &CheckArgs, output: Output) -> Result<u8, Refusal> {
    let loaded = args.criteria.as_deref().map(crate::criteria::load).transpose()?;
    let Given { shown, bytes, .. } =
        document::read(&args.transcript, "transcript", LARGEST, "check its parts one by one")?;
    let rules = Rules { cap: None, set: loaded.as_ref().map(|loaded| &loaded.set) };
    let found = check_with(&bytes, rules);
    let checked = CheckedTranscript { shown: &shown, found: &found };
    let Printed { text, code, .. } = print(&checked, &Gate::shut(), args.format, output)?;
    if !text.is_empty() {
        Output::result(&text);
    }
    Ok(code)
}

/// A transcript and what is wrong with it.
struct CheckedTranscript<'a> {
    shown: &'a str,
    found: &'a [Violation],
}

impl Told for CheckedTranscript<'_> {
    fn report(&self) -> Report {
        let outcome = if self.found.is_empty() { OutcomeKind::Passed } else { OutcomeKind::NotPassed };
        let finding = |one: &Violation| Finding {
            id: FindingId::of(one.code.as_str(), &one.message),
            rule: Some(one.code.to_string()),
            severity: Severity::Serious,
            place: Place { file: Some(self.shown.to_owned()), line: Some(one.line), ..Place::default() },
            text: one.message.clone(),
            suggestion: None,
            figures: Vec::new(),
            state: FindingState::Open,
        };
        Report {
            file: Some(self.shown.to_owned()),
            reason: counted(self.found.len(), "violation", "violations"),
            findings: self.found.iter().map(finding).collect(),
            what: "transcript",
            ..Report::new(CriticState::WORKFLOW, self.shown, outcome)
        }
    }

    fn human(&self, output: Output) -> String {
        human(self.found, self.shown, output)
    }

    fn json(&self) -> Value {
        json!({ "file": self.shown, "valid": self.found.is_empty(), "violations": self.found })
    }
}

fn human(found: &[Violation], shown: &str, output: Output) -> String {
    let shown = spaced(shown);
    if found.is_empty() {
        return format!("{shown}: nothing is wrong with it");
    }
    let line = |one: &Violation| {
        let code = output.paint_result(Tone::Bad, one.code.as_str());
        format!("{shown}:{}: {code}: {}", one.line, one.message)
    };
    found.iter().map(line).collect::<Vec<_>>().join("\n")
}
