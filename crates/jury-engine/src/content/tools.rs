//! The tools, one by one: each reads the state from the log, does its step, writes down what came of it and lets go.

use jiff::Timestamp;
use jury_core::content::event::{Halted, NeedsHuman};
use jury_core::content::{
    AdvisorId, ContentEvent, ContentState, ContentStatus, Critique, EditorDecision, Quality, ShortSummary,
    Step, Tool,
};
use jury_core::id::RunId;
use jury_core::run::RunState;
use jury_core::run::Wait;
use jury_store::{Owner, Store, StoreError};
use serde::Serialize;
use thiserror::Error;
use tokio_util::sync::CancellationToken;

use super::cast::ContentCast;
use super::effects::Claimed;
use super::refusal::NotResumed;
use crate::EngineError;
use crate::log::Observer;

/// What a tool has done.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ToolAnswer {
    /// The answer of `generate_draft`.
    #[serde(rename_all = "camelCase")]
    Drafted {
        /// True: what does not succeed is an error.
        success: bool,
        /// How many characters it has.
        draft_length: usize,
        /// The draft, as people read it.
        draft: String,
    },
    /// The answer of `run_critiques`.
    #[serde(rename_all = "camelCase")]
    Critiqued {
        /// What became of each critic in this round, in the order of the panel.
        critiques: Vec<CriticResult>,
    },
    /// The answer of `editor_decision`.
    #[serde(rename_all = "camelCase")]
    Decided {
        /// The decision about the round.
        decision: EditorDecision,
        /// The brief for the revision; empty when there is none.
        brief: String,
        /// The mean of the scores.
        avg_score: Option<f64>,
        /// How many high issues are open.
        high_issue_count: u32,
    },
    /// The answer of `revise_draft`.
    #[serde(rename_all = "camelCase")]
    Revised {
        /// True: what does not succeed is an error.
        success: bool,
        /// How many characters it has.
        revised_draft_length: usize,
        /// The draft, as people read it.
        revised_draft: String,
    },
    /// The answer of `summarize_round`.
    Summarised(Box<ShortSummary>),
    /// The answer of `save_content`.
    #[serde(rename_all = "camelCase")]
    Saved {
        /// True: what does not succeed is an error.
        success: bool,
        /// How good it is.
        quality: Quality,
        /// Whether nobody has reviewed it.
        unreviewed: bool,
        /// How many characters it has.
        content_length: usize,
    },
    /// Of a tool of the second phase: what it has written down.
    Published(Box<ContentEvent>),
}

/// What became of a critic that was asked.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum CriticResult {
    /// It answered.
    Said(Box<Critique>),
    /// It did not, however often it was asked.
    #[serde(rename_all = "camelCase")]
    Failed {
        /// The critic that did not answer.
        advisor_id: AdvisorId,
        /// Why there is no answer.
        error: String,
    },
}

/// Why a tool has not done it.
#[derive(Debug, Error)]
pub enum ToolError {
    /// It is another one's turn.
    #[error("it is not the turn of {tool}; {}", turn(*.next))]
    NotNow {
        /// The tool that was called.
        tool: Tool,
        /// The one that is next; none when the run waits for a person or has ended.
        next: Option<Tool>,
    },
    /// The run is none that tools work on.
    #[error(transparent)]
    NotResumed(#[from] NotResumed),
    /// The step could not be done. Calling the tool again tries again.
    #[error("{} could not be done: {}", .0.tool, .0.detail)]
    Halted(Halted),
    /// What is left only a person can do.
    #[error("a person is needed: {}", .0.reason)]
    NeedsHuman(NeedsHuman),
    /// Somebody else works on the run, or it waits in the queue.
    #[error("run {0} is being worked on; wait until that is done, or pause it")]
    Busy(RunId),
    /// It was stopped; everything that had arrived is kept.
    #[error("it was stopped; call it again to go on")]
    Paused,
    /// The log did not take it, or somebody else works on the run.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn turn(next: Option<Tool>) -> String {
    next.map_or_else(|| "there is none that can go on".to_owned(), |next| format!("the next one is {next}"))
}

impl From<EngineError> for ToolError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Store(error) => Self::Store(error),
            EngineError::NotResumed(why) => Self::NotResumed(why),
        }
    }
}

/// Does what a tool does. Whoever has the store can call it, in any process; nobody drives the run before and afterwards.
///
/// A step that could not be done, or was paused, is taken up by calling its tool again.
pub async fn call(
    store: &Store,
    owner: &Owner,
    run: RunId,
    tool: Tool,
    cast: &ContentCast,
    observer: Observer<'_>,
    interrupt: CancellationToken,
) -> Result<ToolAnswer, ToolError> {
    // What is not its turn is refused without taking the run from anybody.
    store.request::<ContentState>(run).await?.ok_or(NotResumed::NotContent(run))?;
    is_next(&store.state::<ContentState>(run).await?, tool)?;
    // One in the queue is the scheduler's to drive: after the tool nobody would find it there.
    if store.run(run).await?.is_some_and(|row| row.state == RunState::Queued) {
        return Err(ToolError::Busy(run));
    }
    store.claim(run, owner.id(), Timestamp::now()).await?;
    let loaded = Claimed::load(store, owner, run, cast, observer, interrupt).await;
    let mut claimed = match loaded {
        Ok(claimed) => claimed,
        Err(error) => {
            store.let_go(run, Some(owner.id()), Wait::Resume).await.ok();
            return Err(error.into());
        }
    };
    let done = claimed.tool(tool).await;
    let released = claimed.release().await;
    let answer = done?;
    released?;
    Ok(answer)
}

/// Whether it is the turn of a tool. One that was stopped or could not be done is still to be done.
fn is_next(state: &ContentState, tool: Tool) -> Result<(), ToolError> {
    let next = turn_of(state);
    if next == Some(tool) { Ok(()) } else { Err(ToolError::NotNow { tool, next }) }
}

/// The tool whose turn it is, also in a run that was stopped there.
pub fn turn_of(state: &ContentState) -> Option<Tool> {
    let mut after = state.clone();
    if state.next() == Step::AwaitResume {
        after.apply(&ContentEvent::Resumed(jury_core::content::event::Resumed { tool: None }));
    }
    let next = after.next();
    if next == Step::Begin { Some(Tool::GenerateDraft) } else { next.tool() }
}

impl Claimed<'_> {
    async fn tool(&mut self, tool: Tool) -> Result<ToolAnswer, ToolError> {
        is_next(self.state(), tool)?;
        if self.state().next() == Step::AwaitResume {
            let resumed = jury_core::content::event::Resumed { tool: Some(tool) };
            self.append(vec![ContentEvent::Resumed(resumed)]).await?;
        }
        self.drive(Some(tool)).await?;
        match self.state().status() {
            ContentStatus::Halted => {
                if let Some(halted) = self.state().halted.clone() {
                    return Err(ToolError::Halted(halted));
                }
            }
            ContentStatus::NeedsHuman => {
                if let Some(needs) = self.state().needs.clone() {
                    return Err(ToolError::NeedsHuman(needs));
                }
            }
            ContentStatus::Paused => return Err(ToolError::Paused),
            ContentStatus::Running
            | ContentStatus::Approved
            | ContentStatus::Unreviewed
            | ContentStatus::Stalled
            | ContentStatus::MaxRoundsReached
            | ContentStatus::Abandoned => {}
        }
        self.answer(tool).await
    }

    /// What a tool has done, read from the log.
    async fn answer(&mut self, tool: Tool) -> Result<ToolAnswer, ToolError> {
        let missing = || ToolError::NotNow { tool, next: None };
        let last = self.state().rounds.last().map(|round| round.round);
        Ok(match tool {
            Tool::GenerateDraft => {
                let draft = self.text(last.ok_or_else(missing)?).await?;
                ToolAnswer::Drafted { success: true, draft_length: draft.chars().count(), draft }
            }
            Tool::ReviseDraft => {
                let text = self.text(last.ok_or_else(missing)?).await?;
                let revised_draft_length = text.chars().count();
                ToolAnswer::Revised { success: true, revised_draft_length, revised_draft: text }
            }
            Tool::RunCritiques => {
                let round = self.state().rounds.last().ok_or_else(missing)?;
                let seats = self.state().seats().iter();
                let result = |who: &AdvisorId| {
                    let said = round.critiques.get(who).cloned();
                    let said = said.map(|critique| CriticResult::Said(Box::new(critique)));
                    said.or_else(|| {
                        let (advisor_id, error) = (who.clone(), round.absent.get(who)?.detail.clone());
                        Some(CriticResult::Failed { advisor_id, error })
                    })
                };
                let critiques = seats.filter_map(|seat| result(&seat.advisor_id)).collect();
                ToolAnswer::Critiqued { critiques }
            }
            Tool::EditorDecision => {
                let round = self.state().rounds.last().ok_or_else(missing)?;
                let ruling = round.ruling.clone().ok_or_else(missing)?;
                let brief = self.state().summarise(round.round).map(|summary| summary.brief);
                ToolAnswer::Decided {
                    decision: ruling.decision,
                    brief: brief.unwrap_or_default(),
                    avg_score: ruling.mean,
                    high_issue_count: ruling.high,
                }
            }
            Tool::SummarizeRound => {
                let round = self.state().rounds.last().ok_or_else(missing)?;
                ToolAnswer::Summarised(Box::new(round.summary.as_ref().ok_or_else(missing)?.short()))
            }
            Tool::SaveContent => {
                let saved = self.state().saved.clone().ok_or_else(missing)?;
                let content_length = self.text(saved.round).await?.chars().count();
                let (quality, unreviewed) = (saved.quality, saved.unreviewed);
                ToolAnswer::Saved { success: true, quality, unreviewed, content_length }
            }
            Tool::DesignBrand
            | Tool::AssembleSiteFiles
            | Tool::ValidateCode
            | Tool::CreateRepo
            | Tool::PushFiles
            | Tool::Deploy
            | Tool::Verify => ToolAnswer::Published(Box::new(self.published(tool).ok_or_else(missing)?)),
        })
    }

    async fn text(&mut self, round: jury_core::unit::Round) -> Result<String, ToolError> {
        use super::worker::Stuck;
        match self.worker()?.draft(round).await {
            Ok(draft) => Ok(draft.markdown()),
            Err(Stuck::Store(error)) => Err(error.into()),
            Err(Stuck::Trouble(trouble)) => Err(ToolError::Halted(Halted {
                tool: Tool::GenerateDraft,
                cause: trouble.cause,
                detail: trouble.detail,
            })),
            Err(Stuck::Interrupted) => Err(ToolError::Paused),
        }
    }

    fn published(&self, tool: Tool) -> Option<ContentEvent> {
        let site = self.state().site.clone();
        match tool {
            Tool::DesignBrand => site.branded.map(ContentEvent::Branded),
            Tool::AssembleSiteFiles => site.assembled.map(ContentEvent::Assembled),
            Tool::ValidateCode => site.validated.map(ContentEvent::Validated),
            Tool::CreateRepo => site.repo.map(ContentEvent::RepoCreated),
            Tool::PushFiles => site.pushed.map(ContentEvent::Pushed),
            Tool::Deploy => site.deployed.map(ContentEvent::Deployed),
            Tool::Verify => site.verified.map(ContentEvent::Verified),
            Tool::GenerateDraft
            | Tool::RunCritiques
            | Tool::EditorDecision
            | Tool::SummarizeRound
            | Tool::ReviseDraft
            | Tool::SaveContent => None,
        }
    }
}
