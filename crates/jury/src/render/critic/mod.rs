//! Runs of the critic as people and other programs get to see them.

mod diff;
pub(crate) mod github;
pub(crate) mod human;
pub(crate) mod json;
pub(crate) mod junit;
pub(crate) mod progress;
pub(crate) mod sarif;

pub(crate) use diff::Diff;

use std::path::Path;

use jury_core::critic::{CriterionId, CriticEvent, Docket, PassDocket, Standing, Verdict, format};
use jury_core::event::Event;
use jury_core::id::{AgentId, ArtifactId, ProjectId, RunId};
use jury_core::record::Record;
use jury_core::report::line_of;
use jury_core::unit::{Millis, Round};
use jury_store::{Store, StoreError};
use uuid::Uuid;

use super::CaseFinding;
use crate::cli::CriticFormat;
use crate::output::Output;

/// A run, and what is known about it beside its events.
#[derive(Debug, Clone)]
pub(crate) struct CriticCase {
    /// The run; none if there is no event.
    pub(crate) run: Option<RunId>,
    /// Its state.
    pub(crate) docket: Docket,
    /// How long it took, or has taken so far.
    pub(crate) took: Millis,
    /// The document that was given, as it was named.
    pub(crate) file: Option<String>,
    /// Where its last version is, if somebody knows.
    pub(crate) document: Option<String>,
    /// What the fixes changed, by pass.
    pub(crate) diffs: Vec<(Round, Diff)>,
    /// How to name the data directory on a command line: empty, or an option with a space behind it.
    pub(crate) at: String,
}

impl CriticCase {
    /// The case of a run with these events.
    pub(crate) fn new(records: &[Record]) -> Self {
        let events = records
            .iter()
            .filter_map(|record| if let Event::Critic(event) = &record.event { Some(event) } else { None });
        Self {
            run: records.first().map(|record| record.run_id),
            docket: Docket::of(events),
            took: records.last().map_or(Millis(0), |record| record.at),
            file: None,
            document: None,
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
        self.document = last.is_file().then(|| last.display().to_string());
        self
    }

    /// The case of a run that is kept here, with what its fixes changed.
    pub(crate) async fn load(store: &Store, run: RunId) -> Result<Self, StoreError> {
        let mut case = Self::new(&store.records(run).await?).kept_in(store.dir());
        case.file = store.critic_request(run).await?.map(|request| near(&request.file));
        let given = case.docket.started.as_ref().map(|started| &started.document);
        if given.is_some() && given == case.docket.document() && case.file.as_deref().is_some_and(is_file) {
            // Nothing was changed: the file is the last version.
            case.document.clone_from(&case.file);
        }
        let artifact = case.artifact();
        for pass in case.docket.passes.iter().filter(|pass| pass.fixed.is_some()) {
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
        self.docket.queued.as_ref().map_or(ArtifactId(Uuid::nil()), |queued| queued.artifact_id)
    }

    pub(crate) fn project(&self) -> ProjectId {
        self.docket
            .queued
            .as_ref()
            .map_or_else(ProjectId::default_project, |queued| queued.project_id.clone())
    }

    pub(crate) fn agent(&self) -> Option<&AgentId> {
        self.docket.queued.as_ref()?.agent.as_ref()
    }

    pub(crate) fn title(&self) -> &str {
        self.docket.queued.as_ref().map_or("", |queued| queued.title.as_str())
    }

    /// What the findings are about, for formats that name files.
    fn path(&self) -> &str {
        self.file.as_deref().unwrap_or(self.title())
    }

    pub(crate) fn standing(&self) -> Standing {
        self.docket.standing()
    }

    /// The exit code of a command that gates on this run.
    pub(crate) fn exit_code(&self) -> u8 {
        self.standing().exit_code()
    }

    /// Why it stands so, in one line.
    pub(crate) fn because(&self) -> String {
        match &self.docket.ended {
            Some(CriticEvent::Converged(_)) => "all four conditions hold".to_owned(),
            Some(CriticEvent::SafetyCap(cap)) => cap.detail.clone(),
            Some(CriticEvent::Stopped(stopped)) => stopped.detail.clone(),
            Some(CriticEvent::Inconclusive(none)) => none.detail.clone(),
            Some(CriticEvent::Interrupted(interrupted)) => match interrupted.recovery_reason {
                Some(_) => "the program went away in the middle of the run".to_owned(),
                None => "stopped on request".to_owned(),
            },
            Some(CriticEvent::Failed(failed)) => format!("{}: {}", failed.cause, failed.detail),
            _ => match self.docket.open_questions().count() {
                0 => "still going on".to_owned(),
                1 => "1 question waits for an answer".to_owned(),
                several => format!("{several} questions wait for answers"),
            },
        }
    }

    /// Every finding with its fate, and its line where the file is what was reviewed.
    fn findings(&self) -> Vec<CaseFinding> {
        let given = self.docket.started.as_ref().map(|started| started.document.sha256);
        let reviewed = |round: Round| {
            let pass = self.docket.passes.iter().find(|pass| pass.pass == round);
            pass.map(|pass| pass.document.sha256)
        };
        let entries = self.docket.ledger.entries();
        entries
            .map(|(_, entry)| CaseFinding {
                rule: entry.role.to_string(),
                text: entry.text.clone(),
                state: entry.state,
                line: line_of(&entry.text).filter(|_| given.is_some() && reviewed(entry.last) == given),
            })
            .collect()
    }

    /// The run in this format.
    pub(crate) fn print(&self, format: CriticFormat, output: Output) -> String {
        match format {
            CriticFormat::Human => human::verdict(self, output),
            CriticFormat::Text => format::write(&self.docket).trim_end().to_owned(),
            CriticFormat::Json => json::document(self),
            CriticFormat::Sarif => sarif::document(self),
            CriticFormat::Junit => junit::document(self),
            CriticFormat::Github => github::annotations(self),
        }
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

/// A number of things.
fn counted(number: usize, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}

/// What a pass says of a criterion, or of the failure scenario: the verdict, if there is one.
fn verdict_in(pass: &PassDocket, criterion: &CriterionId) -> Option<Verdict> {
    if criterion.is_adversarial() {
        let realistic = pass.adversarial.as_ref()?.realistic?;
        return Some(if realistic { Verdict::Fail } else { Verdict::Pass });
    }
    pass.verdict(criterion)?.verdict
}

/// What a pass says of a criterion in words, and what is to be done.
fn words_in(pass: &PassDocket, criterion: &CriterionId) -> (String, String) {
    if criterion.is_adversarial() {
        return pass.adversarial.as_ref().map_or_else(Default::default, |said| {
            let gap = said.gap.map(|gap| format!("no answer: {}", gap.remedy())).unwrap_or_default();
            (said.scenario.clone(), if gap.is_empty() { said.rationale.clone() } else { gap })
        });
    }
    let Some(judged) = pass.verdict(criterion) else { return Default::default() };
    let more = match (judged.verdict, judged.gap, &judged.deferral) {
        (_, Some(gap), _) => format!("no verdict: {}", gap.remedy()),
        (Some(Verdict::Defer), _, Some(put_off)) => {
            format!("{}; by {} until {}", put_off.reason, put_off.author, put_off.until.strftime("%F"))
        }
        _ => judged.fix.clone(),
    };
    (judged.answer.clone(), more)
}

/// The criteria of a run in the order in which they are shown, the failure scenario at the end.
fn asked(docket: &Docket) -> Vec<CriterionId> {
    let criteria = docket.started.iter().flat_map(|started| &started.criteria);
    criteria.map(|own| own.id.clone()).chain([CriterionId::adversarial()]).collect()
}
