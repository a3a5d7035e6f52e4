//! Runs of the critic as people and other programs get to see them.

mod diff;
pub(crate) mod human;
mod json;
pub(crate) mod progress;
mod why;

pub(crate) use diff::Diff;
pub(crate) use jury_core::line::counted;

use std::fmt::Write as _;
use std::path::Path;

use jury_core::critic::{
    Adversarial, Basis, CriterionId, CriterionVerdict, CriticEvent, CriticState, CriticStatus, PassState,
    Question, format,
};
use jury_core::decision::DecisionId;
use jury_core::finding::Finding;
use jury_core::held_back::HeldBack;
use jury_core::id::{AgentId, ArtifactId, ProjectId, RunId};
use jury_core::record::Record;
use jury_core::report::{PartResult, Report, ReportPart, ReportQuestion};
use jury_core::run::OutcomeWord as _;
use jury_core::unit::{Millis, Round};
use jury_core::workflow::WorkflowEvent as _;
use jury_core::workflow::WorkflowState as _;
use jury_store::{Store, StoreError};
use serde_json::Value;
use uuid::Uuid;

use super::{Told, took};
use crate::cli::Format;
use crate::output::Output;

/// How many lines of what a check printed are shown, from the end.
const MOST_PRINTED: usize = 6;

/// The most characters of such a line.
const WIDEST_PRINTED: usize = 160;

/// A run, and what is known about it beside its events.
#[derive(Debug, Clone)]
pub(crate) struct CriticCase {
    /// The run; none if there is no event.
    pub(crate) run: Option<RunId>,
    /// Its state.
    pub(crate) state: CriticState,
    /// How long it took, or has taken so far.
    pub(crate) took: Millis,
    /// The document that was given, as it was named.
    pub(crate) file: Option<String>,
    /// Where the user has its last version, if they have it.
    pub(crate) document: Option<String>,
    /// Whether its last version is kept with the run.
    kept: bool,
    /// The options that say where the user wants it, as they were typed.
    pub(crate) keep: String,
    /// What the fixes changed, by pass.
    pub(crate) diffs: Vec<(Round, Diff)>,
    /// How to name the data directory on a command line: empty, or an option with a space behind it.
    pub(crate) at: String,
}

impl CriticCase {
    /// The case of a run with these events.
    pub(crate) fn new(records: &[Record]) -> Self {
        let events = records.iter().filter_map(|record| CriticEvent::of(&record.event));
        Self {
            run: records.first().map(|record| record.run_id),
            state: CriticState::of(events),
            took: took(records),
            file: None,
            document: None,
            kept: false,
            keep: String::new(),
            diffs: Vec::new(),
            at: String::new(),
        }
    }

    /// The same with the places of what is kept in this data directory.
    pub(crate) fn kept_in(mut self, dir: &Path) -> Self {
        if dir != Path::new(".od") {
            self.at = format!("--data-dir {} ", dir.display());
        }
        let last = dir.join("artifacts").join(self.artifact().to_string()).join("final.html");
        self.kept = last.is_file();
        self
    }

    /// The case of a run that is kept here, with what its fixes changed.
    pub(crate) async fn load(store: &Store, run: RunId) -> Result<Self, StoreError> {
        let mut case = Self::new(&store.records(run).await?).kept_in(store.dir());
        case.file = store.request::<CriticState>(run).await?.map(|request| near(&request.file));
        let given = case.state.started.as_ref().map(|started| &started.document);
        if given.is_some() && given == case.state.document() && case.file.as_deref().is_some_and(is_file) {
            // Nothing was changed: the file is the last version.
            case.document.clone_from(&case.file);
        }
        let artifact = case.artifact();
        for pass in case.state.passes.iter().filter(|pass| pass.fixed.is_some()) {
            let before = store.read_round(artifact, pass.pass).await?;
            let after = match store.read_round(artifact, pass.pass.next()).await? {
                Some(after) => Some(after),
                None => store.read_final(artifact).await?,
            };
            if let (Some(before), Some(after)) = (before, after) {
                case.diffs.push((pass.pass, Diff::between(&before, &after)));
            }
        }
        Ok(case)
    }

    pub(crate) fn artifact(&self) -> ArtifactId {
        self.state.queued.as_ref().map_or(ArtifactId(Uuid::nil()), |queued| queued.artifact_id)
    }

    pub(crate) fn project(&self) -> ProjectId {
        self.state.queued.as_ref().map_or_else(ProjectId::default_project, |queued| queued.project_id.clone())
    }

    pub(crate) fn agent(&self) -> Option<&AgentId> {
        self.state.queued.as_ref()?.agent.as_ref()
    }

    pub(crate) fn title(&self) -> &str {
        self.state.queued.as_ref().map_or("", |queued| queued.title.as_str())
    }

    /// What the findings are about, for formats that name files.
    fn path(&self) -> &str {
        self.file.as_deref().unwrap_or(self.title())
    }

    pub(crate) fn status(&self) -> CriticStatus {
        self.state.status()
    }

    /// The exit code of a command that gates on this run.
    pub(crate) fn exit_code(&self) -> u8 {
        self.status().exit_code()
    }

    /// The command that writes the last version of the document.
    pub(crate) fn document_command(&self) -> String {
        let run = self.run.map_or_else(|| "RUN".to_owned(), |run| run.to_string());
        format!("jury {}critic show {run} --out FILE", self.at)
    }

    /// Where the last version of the document is, or how to get it.
    fn where_document_is(&self) -> Option<String> {
        self.document.clone().or_else(|| self.kept.then(|| self.document_command()))
    }

    /// Why it stands so, in one line.
    pub(crate) fn because(&self) -> String {
        match &self.state.ended {
            Some(CriticEvent::Converged(_)) => "all four conditions hold".to_owned(),
            Some(CriticEvent::SafetyCap(cap)) => why::stopped(&self.state, &cap.detail),
            Some(CriticEvent::Stopped(stopped)) => why::stopped(&self.state, &stopped.detail),
            Some(CriticEvent::Inconclusive(none)) => why::inconclusive(&self.state, &none.detail),
            Some(CriticEvent::Interrupted(interrupted)) => match interrupted.recovery_reason {
                Some(_) => "the program went away in the middle of the run".to_owned(),
                None => "stopped on request".to_owned(),
            },
            Some(CriticEvent::Failed(failed)) => format!("{}: {}", failed.cause, failed.detail),
            _ => match self.state.open_questions().count() {
                0 => "still going on".to_owned(),
                1 => "1 question waits for an answer".to_owned(),
                several => format!("{several} questions wait for answers"),
            },
        }
    }

    /// Every finding with its fate, and its line where the file is what was reviewed.
    fn findings(&self) -> Vec<Finding> {
        let given = self.state.started.as_ref().map(|started| started.document.sha256);
        let reviewed = |round: Round| {
            let pass = self.state.passes.iter().find(|pass| pass.pass == round);
            pass.map(|pass| pass.document.sha256)
        };
        let mut findings = self.state.findings();
        for finding in &mut findings {
            let last = self.state.ledger.get(&finding.id).and_then(|entry| reviewed(entry.last));
            if given.is_none() || last != given {
                finding.place.line = None;
            }
            finding.place.file = Some(self.path().to_owned());
        }
        findings
    }

    /// The text of a finding, with the end of what its check printed while it is open.
    fn words_of(&self, finding: &Finding) -> String {
        let mut text = finding.text.clone();
        let pass = self.state.last_pass().filter(|_| finding.state.is_open());
        for line in
            pass.map(|pass| printed(pass, finding.rule.as_deref().unwrap_or_default())).unwrap_or_default()
        {
            text.push('\n');
            text.push_str(&line);
        }
        text
    }

    /// The report, and below it what failed checks printed.
    fn text(&self) -> String {
        let mut state = self.state.clone();
        match &mut state.ended {
            Some(CriticEvent::Stopped(stopped)) => stopped.detail = self.because(),
            Some(CriticEvent::Inconclusive(none)) => none.detail = self.because(),
            _ => {}
        }
        let mut text = format::write(&state).trim_end().to_owned();
        let Some(pass) = self.state.last_pass() else { return text };
        for id in asked(&self.state) {
            let lines = printed(pass, id.as_str());
            if !lines.is_empty() {
                write!(text, "\n\nThe check of {id} printed:\n  | {}", lines.join("\n  | ")).ok();
            }
        }
        text
    }

    /// What each criterion came to in the last pass, the failure scenario among them.
    fn parts(&self) -> Vec<ReportPart> {
        let pass = self.state.last_pass();
        let part = |id: CriterionId| {
            let (answer, more) = pass.map(|pass| words_in(pass, &id)).unwrap_or_default();
            let printed = pass.map(|pass| printed(pass, id.as_str())).unwrap_or_default().join("\n");
            let whole = [answer.as_str(), more.as_str(), printed.as_str()].join("\n");
            let (result, message, body) = match pass.and_then(|pass| verdict_in(pass, &id)) {
                Some(CriterionVerdict::Pass) => return ReportPart::passed(id.as_str()),
                Some(CriterionVerdict::Defer) => (PartResult::Skipped, "DEFER", more.as_str()),
                Some(CriterionVerdict::Fail) => (PartResult::Failed, "FAIL", whole.trim_end()),
                Some(CriterionVerdict::Escalate) => {
                    (PartResult::Missing, "ESCALATE: waits for a person", answer.as_str())
                }
                None => (PartResult::Missing, "no verdict", whole.trim_end()),
            };
            ReportPart::of(id.as_str(), result, message, body)
        };
        asked(&self.state).into_iter().map(part).collect()
    }

    /// What keeps it from passing, with the file that its findings are about.
    fn held_back(&self) -> HeldBack {
        let mut held_back = self.state.held_back();
        for finding in &mut held_back.findings {
            finding.place.file = Some(self.path().to_owned());
        }
        held_back
    }

    fn questions(&self) -> Vec<ReportQuestion> {
        let question = |asked: &Question| {
            let id = self.run.map(|run| DecisionId::of(run, asked.number));
            let named = id.as_ref().map_or_else(|| "ID".to_owned(), ToString::to_string);
            ReportQuestion {
                id,
                asks: asked.criterion.to_string(),
                question: asked.question.clone(),
                answer_with: format!("jury {}decisions answer {named} OPTION", self.at),
            }
        };
        self.state.open_questions().map(question).collect()
    }
}

impl Told for CriticCase {
    fn report(&self) -> Report {
        let findings = self.findings().into_iter();
        Report {
            run_id: self.run,
            project_id: Some(self.project()),
            agent: self.agent().cloned(),
            file: self.file.clone(),
            status: Some(self.status().into()),
            reason: self.because(),
            findings: findings.map(|found| Finding { text: self.words_of(&found), ..found }).collect(),
            parts: self.parts(),
            questions: self.questions(),
            duration_ms: self.took,
            held_back: self.held_back(),
            what: "document",
            ..Report::new(CriticState::WORKFLOW, self.title(), self.status().kind())
        }
    }

    fn human(&self, output: Output) -> String {
        human::verdict(self, output)
    }

    fn json(&self) -> Value {
        json::value(self)
    }

    fn own(&self, format: Format) -> Option<String> {
        (format == Format::Text).then(|| self.text())
    }
}

fn is_file(path: &str) -> bool {
    Path::new(path).is_file()
}

/// A path as one would type it here.
fn near(path: &str) -> String {
    let here = std::env::current_dir().ok();
    let below = here.and_then(|here| Path::new(path).strip_prefix(here).ok().map(ToOwned::to_owned));
    below.map_or_else(|| path.to_owned(), |below| below.display().to_string())
}

/// What a pass says of a criterion, or of the failure scenario: the verdict, if there is one.
fn verdict_in(pass: &PassState, criterion: &CriterionId) -> Option<CriterionVerdict> {
    if criterion.is_adversarial() {
        let realistic = pass.adversarial.as_ref()?.realistic?;
        return Some(if realistic { CriterionVerdict::Fail } else { CriterionVerdict::Pass });
    }
    pass.verdict(criterion)?.verdict
}

/// What a pass says of a criterion in words, and what is to be done.
fn words_in(pass: &PassState, criterion: &CriterionId) -> (String, String) {
    if criterion.is_adversarial() {
        return pass.adversarial.as_ref().map_or_else(Default::default, |said| {
            let gap = said.gap.map(|gap| format!("no answer: {}", gap.remedy())).unwrap_or_default();
            (scenario_of(said), if gap.is_empty() { said.rationale.clone() } else { gap })
        });
    }
    let Some(judged) = pass.verdict(criterion) else { return Default::default() };
    let more = match (judged.verdict, judged.gap, &judged.deferral) {
        (_, Some(gap), _) => format!("no verdict: {}", gap.remedy()),
        (Some(CriterionVerdict::Defer), _, Some(put_off)) => {
            format!("{}; by {} until {}", put_off.reason, put_off.author, put_off.until.strftime("%F"))
        }
        _ => judged.fix.clone(),
    };
    (judged.answer.clone(), more)
}

/// The scenario in words. Of a command it is said what it did, which is all that was looked for.
fn scenario_of(said: &Adversarial) -> String {
    if said.basis == Basis::Measured && said.realistic == Some(false) {
        format!("not found: {}", said.scenario)
    } else {
        said.scenario.clone()
    }
}

/// The end of what the checks of a criterion printed that did not pass, line by line, without control characters.
fn printed(pass: &PassState, criterion: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for own in &pass.evidence {
        if own.criterion.as_str() == criterion && own.passed != Some(true) {
            let all: Vec<&str> = own.output.lines().filter(|line| !line.trim().is_empty()).collect();
            let skipped = all.len().saturating_sub(MOST_PRINTED);
            lines.extend(
                all.iter().skip(skipped).map(|line| super::printable(line.trim_end(), WIDEST_PRINTED)),
            );
        }
    }
    lines
}

/// The criteria of a run in the order in which they are shown, the failure scenario at the end.
fn asked(state: &CriticState) -> Vec<CriterionId> {
    let criteria = state.started.iter().flat_map(|started| &started.criteria);
    criteria.map(|own| own.id.clone()).chain([CriterionId::adversarial()]).collect()
}
